"""Drafts of commits and refusals, judged by the real rules."""

from typing import Any

from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.table import Table
from livebutton.store.records import (
    Accepted,
    Draft,
    Entry,
    Hint,
    Rejected,
    StreamPosition,
    body_of,
)

NOW_MS = 1_700_000_000_000
OPEN: dict[str, Any] = {
    "type": "open_table",
    "name": "Table 1",
    "seats": 9,
    "rules": "caro-cooke",
    "stakes": {"small": 1, "big": 2},
}


def sit(seat: int) -> dict[str, Any]:
    return {"type": "take_seat", "seat": seat, "player": f"p{seat}", "stack": 200}


class Scribe:
    """Drafts for one table, one commit after another, from a table kept beside the store."""

    def __init__(self, table: str = "t1", epoch: str = "e1") -> None:
        self.id = table
        self.epoch = epoch
        self.table: Table | None = None

    @property
    def position(self) -> StreamPosition | None:
        return StreamPosition(self.epoch, self.table.offset) if self.table else None

    def judge(self, command: dict[str, Any]) -> tuple[list[Any], Table]:
        decoded = decode_command(command)
        events = decide(self.table, decoded, NOW_MS)
        return events, record(self.table, decoded, events)

    def draft(
        self, command_id: str, command: dict[str, Any], *, at_ms: int = NOW_MS, moves: bool = True
    ) -> Draft:
        """The draft of a commit; the table moves on, as if it were stored, unless told not to."""
        base = self.position
        events, after = self.judge(command)
        entry = Entry(self.epoch, after.offset, at_ms, command_id, command, events, "box", "dealer")
        verdict = Accepted(command_id, self.id, entry.position)
        if moves:
            self.table = after
        return Draft(self.id, base, body_of(command), at_ms, verdict, entry, after)

    def refusal(self, command_id: str, command: dict[str, Any]) -> Draft:
        verdict = Rejected(
            command_id, self.id, "seat_taken", "", "taken", {"seat": 3}, False, self.position
        )
        return Draft(self.id, self.position, body_of(command), NOW_MS, verdict)


class Listening:
    """A store's listener that keeps what it hears."""

    def __init__(self) -> None:
        self.hints: list[tuple[str, Hint]] = []
        self.news: list[tuple[str, bytes]] = []
        self.doubts_count = 0

    def on_hint(self, table: str, hint: Hint) -> None:
        self.hints.append((table, hint))

    def on_room(self, room: str, payload: bytes) -> None:
        self.news.append((room, payload))

    def on_doubt(self) -> None:
        self.doubts_count += 1
