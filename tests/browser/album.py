"""Pictures of the screens in every state that matters: `python -m tests.browser.album FOLDER`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import PANEL, SEAT_OF, WALL, open_seat, open_table, refuse, until
from tests.browser.staff_album import take_desks, take_room

TABLE = {
    "normal": "normal",
    "question": "ten",
    "stale": "ten",
    "corrected": "corrected",
    "dead-small": "dead-small",
    "heads-up": "heads-up",
}
SEAT = {
    "normal": "seat-calm",
    "question": "seat-question",
    "stale": "seat-question",
    "refused": "seat-question",
    "big": "seat-big",
    "away": "seat-away",
}


def lose(server: FakeServer, page: Page) -> None:
    """Cut the link, and wait until the screen says so."""
    server.is_accepting = False
    server.cut()
    until(lambda: page.locator("freshness-bar[data-state=stale]").count())


def take(browser: Browser, folder: Path, screen: str, states: dict[str, str]) -> None:
    for state, name in states.items():
        server = FakeServer()
        server.view, server.answer = fixture(name), refuse
        server.start()
        page = browser.new_page(viewport=WALL if screen == "table" else PANEL)
        if screen == "table":
            open_table(page, server)
        else:
            open_seat(page, server, SEAT_OF[name])
        if state == "stale":
            lose(server, page)
        if state == "refused":
            page.locator("button[data-key=wait_button]").click()
            until(lambda page=page: page.locator(".answer").is_visible())
        page.screenshot(path=folder / f"{screen}-{state}.png")
        page.close()
        server.stop()


def main(folder: Path) -> None:
    """Take all the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        take(browser, folder, "table", TABLE)
        take(browser, folder, "seat", SEAT)
        take_desks(browser, folder)
        take_room(browser, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
