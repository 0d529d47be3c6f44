"""A room behind the scripted server: tables of the real rules, and what the floor sees of them."""

import json
import time
from collections.abc import Iterator
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from livebutton.gateway.summary import summary, waiting_list
from livebutton.store.records import StreamPosition
from livebutton.tables.changes import At
from tests.browser.desk import refuse
from tests.browser.fake_server import FakeServer
from tests.browser.room_server import NAMES
from tests.browser.rules_table import HAND, RulesTable, corrected, heads_up, normal, started
from tests.browser.screens import HANG_MS, WALL, until

HALL = "main"
MINUTE_MS = 60_000
# Heard later than now: however long a test takes, it does not fall silent.
LIVE_S = -600
Picture = dict[str, Any]


def now_ms() -> int:
    return int(time.time() * 1000)


class Hall:
    """The tables of a room. The one with the id t7 can be opened, the others are but cards."""

    def __init__(self, *tables: RulesTable) -> None:
        self.tables = list(tables)
        self.screens: list[dict[str, Any]] = []
        self.dealt_min: dict[str, float] = {}
        self.waits_min: dict[str, float] = {}
        self.extra_waiting: list[dict[str, Any]] = []

    def picture(self) -> Picture:
        """What a staff socket is told."""
        now = now_ms()
        ats = [
            At(StreamPosition("e1", table.table.offset), table.table, now - 20_000, "")
            for table in self.tables
        ]
        waiting = msgspec.to_builtins(waiting_list(ats))
        for entry in waiting:
            entry["joined_ms"] = now - round(self.waits_min.get(entry["player"], 0) * MINUTE_MS)
        return {
            "room": HALL,
            "tables": [msgspec.to_builtins(self._summary(at, now)) for at in ats],
            "screens": [
                {**each, "last_seen_ms": now - each["last_seen_ms"]} for each in self.screens
            ],
            "waiting": [*waiting, *self.extra_waiting],
        }

    def _summary(self, at: At, now: int) -> Any:
        minutes = self.dealt_min.get(at.table.setup.table, 1)
        return summary(at, now - round(minutes * MINUTE_MS))

    def serve(self, server: FakeServer) -> None:
        """Be the server's room from now on, and its table t7."""
        server.extra_pages["/v1/pairings"] = ("application/json", '{"pairings": []}')
        for table in self.tables:
            if table.table.setup.table == server.table:
                table.serve(server)
                log = {"table": server.table, "epoch": "e1", "entries": table.entries}
                path = f"/v1/tables/{server.table}/events"
                server.extra_pages[path] = ("application/json", json.dumps(log))
        server.show_room(self.picture())


def numbered(count: int, *, without: int = 7) -> list[RulesTable]:
    """Quiet tables named 1 to `count`; two have stakes of their own, some an empty chair or two."""
    return [
        started(
            {seat: name for seat, name in enumerate(NAMES[:9], 1) if (seat * 7 + number) % 6},
            seats=9,
            table=f"t{number}",
            name=str(number),
            stakes={"small": 5, "big": 10} if number % 2 else {"small": 1, "big": 2},
        )
        for number in range(1, count + 1)
        if number != without
    ]


def screen(
    role: str, table: str, name: str, silent_s: float = LIVE_S, **more: Any
) -> dict[str, Any]:
    """One connected screen; `silent_s` is how long it has not been heard."""
    known = {"id": f"{role}{table}{name}", "version": "1", "token": f"token-of-{name}"}
    heard = {"last_seen_ms": round(silent_s * 1000)}
    return {**known, "role": role, "table": table, "name": name, **heard, **more}


def dispute() -> RulesTable:
    """Table 7: Dan went away, missed the big blind and owes; Hal is new and has not answered."""
    players = {seat: name for seat, name in enumerate(NAMES[:9], 1) if seat not in (8, 9)}
    table = started(players, seats=9)
    table.do({"type": "sit_out", "seat": 4}, *HAND, *HAND, *HAND, *HAND)
    return table.do({"type": "take_seat", "seat": 9, "player": "hal", "name": "Hal"})


def open_hall(page: Page, server: FakeServer, hall: Hall, options: str = "") -> None:
    """The room's screen, live."""
    hall.serve(server)
    page.set_viewport_size(WALL)
    page.goto(server.address(f"/room/?room={HALL}{options}#token=secret-token"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
    expect(page.locator("table-card[data-state=here]")).to_have_count(len(hall.tables))


def busy() -> Hall:
    """Fourteen tables, three of which need somebody, five people waiting, nine screens."""
    quiet = numbered(14)
    hall = Hall(*quiet[:6], dispute(), *quiet[6:])
    for number, player in enumerate(("gus", "jo", "kim", "lee", "max")):
        quiet[number % 2].do({"type": "join_list", "player": player.capitalize()})
        hall.waits_min[player.capitalize()] = 31 - 6 * number
    hall.dealt_min["t3"] = 7.5
    hall.screens = [
        screen("dealer", "t7", "Dealer 7"),
        screen("dealer", "t12", "Dealer 12", silent_s=80),
        screen("display", "t7", "Wall 7"),
        screen("player", "t7", "Seat 4", seat=4),
        screen("floor", "", "Floor"),
    ]
    return hall


def card(page: Page, table: str) -> str:
    return f"table-card[data-key='{table}'] button"


def room_states(page: Page, server: FakeServer) -> Iterator[str]:
    """The open screen of a busy room, in one state after the other."""
    hall = busy()
    expect(page.locator("needs-list > *")).to_have_count(3)
    yield "busy"
    page.keyboard.press("/")
    page.keyboard.type("gus")
    expect(page.locator("table-card[data-found]").first).to_be_visible()
    yield "found"
    page.keyboard.press("Escape")
    page.locator("waiting-list button").first.click()
    expect(page.locator("waiting-list .places:not([hidden])")).to_have_text("No seat is empty.")
    yield "seating"
    page.locator("waiting-list button").first.click()
    page.locator("#screens-button").click()
    page.locator("screens-list .name", has_text="Wall 7").click()
    yield "screens"
    forms = {"Set up": ".setting select", "Send away": ".keep"}
    for says, first in forms.items():
        page.get_by_role("button", name=f"{says}…: Wall 7").click()
        expect(page.locator(f"screens-list tr:not([hidden]) {first}").first).to_be_focused()
        yield f"screens-{says.split()[0].lower()}"
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Name…: Wall 7")).to_be_focused()
    page.locator("#drawer-close").click()
    page.locator(card(page, "t7")).click()
    expect(page.locator("table-log li").first).to_be_visible()
    yield "question"
    page.locator("seat-tile[data-seat='4'] .tap").click()
    yield "dispute"
    page.locator("table-log .top button", has_text="Only this").click()
    expect(page.locator("#place")).to_be_hidden()
    yield "dispute-whole"
    page.locator("table-log .top button", has_text="With the table").click()
    expect(page.locator("#place")).to_be_visible()
    yield from tables_opened(page, server)
    page.locator("#drawer-close").click()
    hall.tables, hall.screens = [], []
    hall.serve(server)
    expect(page.locator("table-card[data-state=here]")).to_have_count(0)
    yield "empty"


def tables_opened(page: Page, server: FakeServer) -> Iterator[str]:
    """Other tables in the drawer of table 7: refused, corrected, heads-up, ten seats, closed."""
    server.answer = refuse
    # Left alone for eight seconds, the felt shows the plan again: seat 4 is opened anew.
    for seat in (5, 4):
        page.locator(f"seat-tile[data-seat='{seat}'] .tap").click()
    page.locator("choice-grid button", has_text="Leaves").click()
    expect(page.locator(".notice")).to_contain_text("move after this hand")
    yield "refused"
    states = {"corrected": corrected, "heads-up": heads_up, "ten": normal}
    for name, table in states.items():
        shows(page, server, table())
        yield name
    server.commit({**server.view, "phase": "closed"})
    expect(page.locator(".note-say")).to_have_text("This table is closed.")
    yield "closed"


def shows(page: Page, server: FakeServer, table: RulesTable) -> None:
    server.commit(table.view)
    terminal = page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-offset", str(server.offset))
    # Whatever is open: another seat is opened, and a second tap on it shows the plan.
    for _ in range(2):
        page.locator("seat-tile[data-seat='5'] .tap").click()
    expect(terminal).to_have_attribute("data-mode", "plan")
    until(lambda: page.evaluate("document.getAnimations().length") == 0)


def too_small(page: Page) -> list[str]:
    """Type under what three metres ask. A table that is opened is worked at arm's length."""
    found: list[str] = page.eval_on_selector_all(
        "[data-role]",
        """nodes => nodes
            .filter(n => n.checkVisibility() && n.textContent.trim() && !n.closest('.drawer'))
            .map(n => [n, parseFloat(getComputedStyle(n).fontSize)])
            .filter(([n, px]) => px < {glance: 40, second: 30, waiting: 64}[n.dataset.role])
            .map(([n, px]) => `${n.className || n.id} ${px} px: ${n.textContent}`)""",
    )
    return found


def overflowing(page: Page) -> list[str]:
    """Words that leave their card, their row or the window."""
    found: list[str] = page.evaluate(
        """() => {
            const within = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
            const places = '.head > *, .side *, table-card .seen *, '
                + '.panel button, screens-list button';
            const shown = [...document.querySelectorAll(places)]
                .filter(n => n.checkVisibility() && n.textContent.trim() && !n.closest('.aloud'));
            return shown.filter(node => {
                const box = node.getBoundingClientRect();
                const edges = 'table-card, needs-list > *, waiting-list > *, .centre, screens-list';
                const room = (node.closest(edges)
                    ?? {getBoundingClientRect: () => within}).getBoundingClientRect();
                return box.left < room.left - 1 || box.right > room.right + 1
                    || box.top < room.top - 1 || box.bottom > room.bottom + 1;
            }).map(node => `${node.className || node.id} overflows: ${node.textContent}`);
        }"""
    )
    return found


def scrolls(page: Page) -> list[list[int]]:
    found: list[list[int]] = page.evaluate(
        """() => [document.documentElement, document.body]
            .map(n => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight])"""
    )
    return found


def places_of_cards(page: Page) -> dict[str, list[float]]:
    """Where each table's card stands, for those that are to be seen."""
    found: dict[str, list[float]] = page.eval_on_selector_all(
        "table-card",
        """nodes => Object.fromEntries(nodes.filter(n => n.firstChild.checkVisibility()).map(n => {
            const {x, y} = n.getBoundingClientRect();
            return [n.dataset.key, [x, y]];
        }))""",
    )
    return found
