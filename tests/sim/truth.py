"""What really happened: every commit at the moment it was stored, and what follows from it.

The tables are replayed here from the stored commits, by the rules alone, so that what a process
or a client says can be held against something that neither of them made.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from livebutton import views
from livebutton.rules import notation
from livebutton.rules.commands import decode_command
from livebutton.rules.events import AnyEvent
from livebutton.rules.evolve import record
from livebutton.rules.invariants import problems
from livebutton.rules.table import Table
from livebutton.store.records import Draft, Entry, StreamPosition

View = dict[str, Any]
_MAX_FAULTS = 20
_TOLD_COMMANDS = 400


class Stored(msgspec.Struct, frozen=True):
    """One commit, the table after it, and when that was on the simulation's clock."""

    entry: Entry
    after: Table
    at_s: float


class Truth:
    """All that was stored, by table. Faults are collected: a run goes on to its end."""

    def __init__(self) -> None:
        self.stored: dict[str, list[Stored]] = {}
        self.faults: list[str] = []
        self._seen: dict[tuple[str, int, str], View] = {}

    def fault(self, what: str) -> None:
        """Something that must never be."""
        if len(self.faults) < _MAX_FAULTS:
            self.faults.append(f"{asyncio.get_running_loop().time():.3f} s: {what}")

    def committed(self, draft: Draft) -> None:
        """The store has taken a commit."""
        entry = draft.entry
        assert entry is not None
        stored = self.stored.setdefault(draft.table, [])
        base = stored[-1] if stored else None
        expected = StreamPosition(entry.epoch, len(stored) + 1)
        if entry.position != expected or (base and base.entry.epoch != entry.epoch):
            self.fault(f"{draft.table} went on at {entry.position} and not at {expected}")
        after = record(base.after if base else None, decode_command(entry.command), entry.events)
        stored.append(Stored(entry, after, asyncio.get_running_loop().time()))

    def recorded(self, table: Table | None, command: Any, events: Sequence[AnyEvent]) -> Table:
        """The rules' recorder, with a look at every table that it makes."""
        after = record(table, command, events)
        for problem in problems(after):
            self.fault(f"{problem}: {notation.write(after)}")
        return after

    def compare(self, who: str, table: str, position: StreamPosition, seen: Table) -> None:
        """A process holds `seen` to be the table at that position."""
        stored = self.at(table, position.epoch, position.offset)
        if stored is None:
            self.fault(f"{who}: {table} is at {position}, which was never stored")
        elif stored.after != seen:
            self.fault(f"{who}: {table} at {position} is {notation.write(seen)}")

    def at(self, table: str, epoch: str, offset: int) -> Stored | None:
        """The commit at a position; None when there was none."""
        stored = self.stored.get(table, [])
        if not 1 <= offset <= len(stored) or stored[offset - 1].entry.epoch != epoch:
            return None
        return stored[offset - 1]

    def newest(self, table: str) -> Stored:
        """The last commit of a table."""
        return self.stored[table][-1]

    def view(self, table: str, offset: int, audience: str) -> View:
        """What that audience sees of the table after that commit."""
        key = (table, offset, audience)
        if key not in self._seen:
            after = self.stored[table][offset - 1].after
            kind, _, seat = audience.partition(":")
            view = views.view(after, "staff" if kind == "staff" else "public")
            own = views.own(after, int(seat)) if seat else {}
            self._seen[key] = _as_heard({**view, "own": own} if own else view)
        return self._seen[key]

    def events(self, table: str, offset: int, audience: str) -> list[View]:
        """What that audience is told of the commit."""
        kind: views.Audience = "staff" if audience == "staff" else "public"
        told = [
            views.event_for(event, kind) for event in self.stored[table][offset - 1].entry.events
        ]
        heard: list[View] = _as_heard([event for event in told if event is not None])
        return heard

    def story(self) -> str:
        """Each table as a line, and its commands as they can be put to `livebutton replay`."""
        lines: list[str] = []
        for table, stored in self.stored.items():
            lines += ["", f"{table} at {len(stored)}: {notation.write(stored[-1].after)}"]
            lines += [json.dumps(each.entry.command) for each in stored[:_TOLD_COMMANDS]]
        return "\n".join(lines)


def _as_heard(value: Any) -> Any:
    """As it comes out of a message."""
    return msgspec.json.decode(msgspec.json.encode(value))
