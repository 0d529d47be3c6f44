"""Pictures of the dealer's terminal and the room's screen, for the album."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.desk import SEVEN_INCH, TEN_INCH
from tests.browser.fake_server import FakeServer
from tests.browser.room_server import NAMES, RoomServer
from tests.browser.rules_table import (
    RulesTable,
    corrected,
    heads_up,
    in_hand,
    normal,
    with_question,
)
from tests.browser.screens import HANG_MS, WALL

HALL = "main"


def refuse(_server: FakeServer, message: dict[str, Any]) -> dict[str, Any]:
    """What the floor hears most often about seat changes."""
    return {
        "type": "refused",
        "id": message["id"],
        "table": "t7",
        "reason": "not_due",
        "rule": "seat-changes",
        "message": "Seat 6 is due the big blind: move after this hand.",
        "retry": False,
    }


def be_refused(page: Page, server: FakeServer) -> None:
    server.answer = refuse
    page.locator("seat-tile[data-seat='6'] .tap").click()
    page.locator("choice-grid button", has_text="Leaves").click()
    expect(page.locator(".notice")).to_be_visible()


def be_stale(page: Page, server: FakeServer) -> None:
    server.is_accepting = False
    server.cut()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "stale")


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
    """The room's screen over fourteen tables."""
    with tempfile.TemporaryDirectory() as data:
        room = RoomServer(Path(data))
        room.start()
        try:
            _room_pictures(browser, room, folder)
        finally:
            room.close()


def _room_pictures(browser: Browser, room: RoomServer, folder: Path) -> None:
    tables = [_furnished(room, number) for number in range(14)]
    page = browser.new_page(viewport=WALL)
    page.goto(room.address(f"/room/?room={HALL}#token={room.token('floor', '--room', HALL)}"))
    expect(page.locator("table-card")).to_have_count(len(tables), timeout=HANG_MS)
    page.screenshot(path=folder / "room-normal.png")
    room.command(tables[6], "take_seat", seat=9, player="lou", name="Lou")
    expect(page.locator("needs-list > *")).to_have_count(1)
    page.screenshot(path=folder / "room-question.png")
    page.locator("table-card button").nth(11).click()
    page.locator("seat-tile[data-seat='4'] .tap").click()
    expect(page.locator("table-log li").first).to_be_visible()
    page.screenshot(path=folder / "room-dispute.png")
    page.locator("#drawer-close").click()
    page.context.set_offline(True)
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale", timeout=HANG_MS)
    page.screenshot(path=folder / "room-stale.png")
    page.close()


def _furnished(room: RoomServer, number: int) -> str:
    players = {seat: name for seat, name in enumerate(NAMES[:8], 1) if (seat * 7 + number) % 6}
    stakes = {"small": 5, "big": 10} if number % 2 else {"small": 1, "big": 2}
    table = room.seated(players, seats=9, room=HALL, stakes=stakes)
    for _ in range(number % 5):
        room.hand(table)
    if number == 11:
        room.command(table, "sit_out", seat=4)
        for _ in range(5):
            room.hand(table)
    if number == 3:
        for player in ("Gus", "Jo", "Kim", "Lee", "Max"):
            room.command(table, "join_list", player=player)
    return table
