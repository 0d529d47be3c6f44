"""Pictures of the dealer's terminal and the room's screen, for the album."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.desk import SEVEN_INCH, TEN_INCH, refuse
from tests.browser.fake_server import FakeServer
from tests.browser.hall import Hall, busy, dispute, numbered, open_hall, room_states
from tests.browser.rules_table import (
    RulesTable,
    corrected,
    heads_up,
    in_hand,
    normal,
    with_question,
)
from tests.browser.screens import HANG_MS, WALL


def be_refused(page: Page, server: FakeServer) -> None:
    server.answer = refuse
    page.locator("seat-tile[data-seat='6'] .tap").click()
    page.locator("choice-grid button", has_text="Leaves").click()
    expect(page.locator(".notice")).to_be_visible()


def be_stale(page: Page, server: FakeServer) -> None:
    be_cut(server)
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "stale")


def be_cut(server: FakeServer) -> None:
    server.is_accepting = False
    server.cut()


def open_strip(page: Page, _server: FakeServer) -> None:
    page.locator("seat-tile[data-seat='4'] .tap").click()


def nothing(_page: Page, _server: FakeServer) -> None:
    """As it opens."""


Act = Callable[[Page, FakeServer], None]
DESK: dict[str, tuple[Callable[[], RulesTable], Act]] = {
    "normal": (normal, nothing),
    "question": (with_question, nothing),
    "strip": (with_question, open_strip),
    "in-hand": (in_hand, nothing),
    "stale": (with_question, be_stale),
    "refused": (normal, be_refused),
    "corrected": (corrected, nothing),
    "heads-up": (heads_up, nothing),
}


def take_desks(browser: Browser, folder: Path) -> None:
    """The dealer's terminal at both sizes."""
    for name, (table, act) in DESK.items():
        for inches, size in (("10", TEN_INCH), ("7", SEVEN_INCH)):
            server = FakeServer()
            server.start()
            table().serve(server)
            page = browser.new_page(viewport=size)
            page.goto(server.address("/dealer/?table=t7#token=picture"))
            terminal = page.locator("dealer-terminal")
            expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
            act(page, server)
            page.evaluate("() => new Promise(requestAnimationFrame)")
            page.screenshot(path=folder / f"dealer-{inches}-{name}.png")
            page.close()
            server.stop()


def take_room(browser: Browser, folder: Path) -> None:
    """The room's screen: fourteen tables, what is opened beside them, forty, and not live."""
    server = FakeServer()
    server.start()
    page = browser.new_page(viewport=WALL)
    open_hall(page, server, busy())
    for state in room_states(page, server):
        page.screenshot(path=folder / f"room-{state}.png")
    forty = Hall(dispute(), *numbered(40))
    open_hall(page, server, forty)
    page.screenshot(path=folder / "room-forty.png")
    be_cut(server)
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale")
    page.screenshot(path=folder / "room-stale.png")
    page.close()
    server.stop()
