"""A room behind the scripted server: tables of the real rules, and what the floor sees of them."""

import json
import time
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from livebutton.gateway.summary import summary, waiting_list
from livebutton.store.records import StreamPosition
from livebutton.tables.changes import At
from tests.browser.fake_server import FakeServer
from tests.browser.room_server import NAMES
from tests.browser.rules_table import HAND, RulesTable, started
from tests.browser.screens import HANG_MS, WALL

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
