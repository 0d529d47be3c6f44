"""A table whose rules are the real ones, behind the scripted server: every state of a desk."""

from typing import Any

from livebutton import views
from livebutton.replay import replay
from livebutton.rules.table import Table
from tests.browser.fake_server import FakeServer, View
from tests.browser.room_server import NAMES

LONG_NAMES = {
    1: "Wolfgang Schmidt",
    2: "Bartholomäus Übermut",
    3: "Nguyễn Thị Phương",
    4: "Hans-Dietrich",
    5: "Trần Quốc Đạt",
    6: "Friederike",
    7: "Konstantin Weber",
    9: "Maximilian",
    10: "Đặng Thùy Trâm",
}
HAND: list[dict[str, Any]] = [{"type": "deal"}, {"type": "end_hand"}]


class RulesTable:
    """One table in memory. As `server.answer` it judges what the screens send."""

    def __init__(
        self, players: dict[int, str] | None = None, *, seats: int = 10, **opening: Any
    ) -> None:
        self._table: Table | None = None
        self._told: dict[str, Any] = {}
        self.entries: list[dict[str, Any]] = []
        stakes = {"small": 5, "big": 10}
        fixed = {"table": "t7", "name": "7", "room": "main", "rules": "caro-cooke"}
        self.do({"type": "open_table", "seats": seats, "stakes": stakes, **fixed, **opening})
        seated = dict(enumerate(NAMES[:seats], 1)) if players is None else players
        for seat, name in seated.items():
            player = name.lower().replace(" ", "-")
            self.do({"type": "take_seat", "seat": seat, "player": player, "name": name})

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def view(self) -> View:
        """The staff's view."""
        return dict(self._told["view"])

    def do(self, *commands: dict[str, Any]) -> "RulesTable":
        """Commands that must be accepted."""
        for command in commands:
            self._table, told = replay(self._table, command)
            assert "refused" not in told, told
            self._told = told
            self._write_down(command)
        return self

    def _write_down(self, command: dict[str, Any]) -> None:
        """The commit in the log, as the server tells it, twenty seconds after the one before."""
        at_ms = 1_760_000_000_000 + 20_000 * len(self.entries)
        who = {"client": "dealer:Mia", "role": "dealer", "at_ms": at_ms}
        told = {"offset": len(self.entries) + 1, "events": self._told["events"]}
        self.entries.append({**told, "command": command, **who})

    def serve(self, server: FakeServer) -> None:
        """Be the server's table from now on."""
        server.view = self.view
        server.answer = self._answer

    def show(self, server: FakeServer) -> None:
        """Be the server's table from now on, told to the open screens as one commit."""
        server.answer = self._answer
        server.commit(self.view)

    def seen_by(self, seat: int) -> View:
        """What the screen of a player's seat is told: the public view and his own."""
        assert self._table is not None
        return {**views.view(self._table, "public"), "own": views.own(self._table, seat)}

    def _answer(self, server: FakeServer, message: dict[str, Any]) -> dict[str, Any]:
        table, told = replay(self._table, message["command"])
        if "refused" in told:
            verdict = {"type": "refused", "id": message["id"], "table": server.table}
            return {**verdict, "retry": False, **told["refused"]}
        self._table, self._told = table, told
        self._write_down(message["command"])
        server.commit(self.view, told["events"])
        return {**server.accepted(message), "offset": server.offset + 1}


def started(players: dict[int, str] | None = None, **opening: Any) -> RulesTable:
    """A table that has played a hand."""
    table = RulesTable(players, **opening)
    first = min(players or {1: ""})
    return table.do({"type": "start_game", "button": first}, *HAND)


def normal() -> RulesTable:
    """Ten players and nothing the matter."""
    return started()


def with_question() -> RulesTable:
    """Dan is away and owes, a seat is held, Hal is new and has not said whether he posts."""
    players = {seat: name for seat, name in enumerate(NAMES, 1) if seat not in (8, 9)}
    table = started(players)
    table.do({"type": "sit_out", "seat": 4}, *HAND)
    table.do({"type": "take_seat", "seat": 9, "player": "hal", "name": "Hal"})
    table.do({"type": "lock_up", "seat": 8, "player": "Gus"}, {"type": "join_list", "player": "Jo"})
    return table.do(*HAND)


def heads_up() -> RulesTable:
    return started({1: "Ann", 4: "Dan"}, seats=6)


def corrected() -> RulesTable:
    return normal().do({"type": "correct_button", "button": 6})


def in_hand() -> RulesTable:
    return with_question().do({"type": "deal"})


def unposted() -> RulesTable:
    """He was dealt in without posting, and has yet to say whether he posts."""
    return in_hand().do({"type": "report_unposted", "seat": 9, "looked": False, "action": False})


def no_hand() -> RulesTable:
    return started({1: "Ann", 4: "Dan"}).do({"type": "sit_out", "seat": 4})


def no_game() -> RulesTable:
    return RulesTable({1: "Ann", 4: "Dan", 5: "Eve"})


def asked_of_an_owing_player() -> RulesTable:
    """Four answers with all that an answer may cost, in a house that has names of every length."""
    return back_and_owing(started(LONG_NAMES))


def asked_where_the_button_is_sold() -> RulesTable:
    """The same with a fifth answer."""
    return back_and_owing(started(LONG_NAMES, rules="wsop-live"))


def back_and_owing(table: RulesTable) -> RulesTable:
    return table.do({"type": "sit_out", "seat": 4}, *HAND, *HAND, {"type": "sit_in", "seat": 4})


def moving() -> RulesTable:
    """Seats are empty, and whoever moves there has to say how he comes in."""
    return started({seat: NAMES[seat - 1] for seat in (1, 2, 3, 4, 6, 7, 9)})


def changing_his_answer() -> RulesTable:
    return with_question().do({"type": "choose", "seat": 9, "choice": "wait_button"})


def empty() -> RulesTable:
    return RulesTable({})


STATES = {
    "normal": normal,
    "question": with_question,
    "heads-up": heads_up,
    "corrected": corrected,
    "in-hand": in_hand,
    "no-hand": no_hand,
    "no-game": no_game,
    "owing": asked_of_an_owing_player,
    "answered": changing_his_answer,
    "empty": empty,
}
