"""A table in memory that moves along its stream: one offset at a time, or it is reset.

It takes the next commit from whoever has it first: the runner that made it, a hint of another
process, or the stream itself. A gap in the hints is read from the stream; what cannot be filled
whole is loaded from the checkpoint, and everybody is told to start afresh.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Any, Protocol

from livebutton.rules.commands import decode_command
from livebutton.rules.events import AnyEvent
from livebutton.rules.table import Table
from livebutton.store.contract import Store, StoreBroken
from livebutton.store.ending import end
from livebutton.store.records import (
    Accepted,
    Entry,
    Hint,
    Mark,
    StreamPosition,
    Verdict,
    has_parted,
)
from livebutton.tables.changes import At, Change, Reset

log = logging.getLogger(__name__)

# Entries read from the stream at once; further behind than a few of these, the checkpoint is
# loaded instead.
HEAL_LIMIT = 256
MAX_HEAL_READS = 8
MAX_LOADS = 3


class Record(Protocol):
    """The rules' recorder: the table after one commit, its offset one further."""

    def __call__(self, table: Table | None, command: Any, events: Sequence[AnyEvent]) -> Table: ...


class Tell(Protocol):
    """Whom a runner tells what became of its table."""

    def changed(self, change: Change) -> None:
        """The table moved on by one offset."""

    def was_reset(self, reset: Reset) -> None:
        """The table is another than was told so far."""


class Follower:
    """One table in memory. `at` is None while there is no such table."""

    def __init__(self, table: str, store: Store, record: Record, tell: Tell) -> None:
        self.table = table
        self.at: At | None = None
        self._store = store
        self._record = record
        self._tell = tell
        self._healing: asyncio.Task[None] | None = None
        self._heal_again = False

    async def load(self) -> None:
        """Take the table from its checkpoint, without telling anybody."""
        self.at = await self._stored()

    def hear(self, hint: Hint) -> None:
        """Follow another process's commit, or begin to read on where the hint leaves a gap."""
        if hint.entry is not None and self._comes_next(hint.entry):
            self._follow(hint.entry)
            return
        if self.at is None or not self._is_known(self.at, hint):
            self.heal_soon()

    async def heal(self) -> None:
        """Bring the table to where its stream stands. Raises StoreError."""
        await asyncio.shield(self.heal_soon())

    def heal_soon(self) -> asyncio.Task[None]:
        """Bring the table to where its stream stands, in a task; one at a time, none lost."""
        if self._healing is not None and not self._healing.done():
            self._heal_again = True
            return self._healing
        self._healing = asyncio.get_running_loop().create_task(self._heal_until_still())
        self._healing.add_done_callback(_log_failure)
        return self._healing

    async def compare(self, seen: At | None, mark: Mark | None) -> bool:
        """Heal if the stream's mark is not what was in memory when it was asked for.

        Whether there was anything to heal. A table that moved meanwhile waits for the next time.
        """
        if self.at is not seen or _agree(_mark(seen), mark):
            return False
        await self.heal()
        return True

    async def stop(self) -> None:
        """End the task that heals, if one runs."""
        await end(self._healing)

    def advance(self, base: StreamPosition | None, entry: Entry, after: Table) -> None:
        """Take the table one offset further and tell, unless a hint did so already."""
        at = self.at
        if (at.position if at else None) != base:
            return
        if at is not None and has_parted(at.link, entry.follows):
            self.heal_soon()
            return
        before = at.table if at else None
        self.at = At(entry.position, after, entry.at_ms, entry.command_id, entry.link)
        change = Change(
            self.table,
            entry.position,
            entry.events,
            before,
            after,
            entry.at_ms,
            entry.command,
            entry.command_id,
            entry.client,
            entry.role,
        )
        self._tell.changed(change)

    def _comes_next(self, entry: Entry) -> bool:
        if self.at is None:
            return entry.offset == 1
        return self._is_next(entry) and not has_parted(self.at.link, entry.follows)

    def _is_next(self, entry: Entry) -> bool:
        """Whether it has the next offset, though it may be of another history than ours."""
        here = self.at.position if self.at else None
        return here is not None and entry.epoch == here.epoch and entry.offset == here.offset + 1

    def _is_of_another_history(self, entries: Sequence[Entry]) -> bool:
        """Whether the store went on from before our last commits, past where we stand."""
        return bool(entries) and self._is_next(entries[0]) and not self._comes_next(entries[0])

    @staticmethod
    def _is_known(at: At, hint: Hint) -> bool:
        """Whether a hint tells of nothing new: one of the past that is ours, as far as we know."""
        here = at.position
        if here.epoch != hint.position.epoch or here.offset < hint.position.offset:
            return False
        is_here = hint.entry is not None and here.offset == hint.position.offset
        return not (is_here and hint.entry and has_parted(at.link, hint.entry.link))

    def _follow(self, entry: Entry) -> None:
        """Record a stored commit that comes next."""
        at = self.at
        command = decode_command(entry.command)
        after = self._record(at.table if at else None, command, entry.events)
        self.advance(at.position if at else None, entry, after)

    async def reach(self, verdict: Verdict) -> None:
        """See to it that a commit which is known to be stored is in memory too."""
        position = verdict.position
        if not isinstance(verdict, Accepted) or position is None:
            return
        here = self.at.position if self.at else None
        if here is None or here.epoch != position.epoch or here.offset < position.offset:
            await self.heal()

    async def _heal_until_still(self) -> None:
        while True:
            self._heal_again = False
            await self._heal()
            if not self._heal_again:
                return

    async def _heal(self) -> None:
        for _ in range(MAX_HEAL_READS):
            at = self.at
            (mark,) = await self._store.marks([self.table])
            if self.at is not at:
                continue
            if _agree(_mark(at), mark):
                return
            if mark is None or (at and at.position.epoch != mark.position.epoch):
                break
            is_behind = at is None or at.position.offset < mark.position.offset
            after = at.position.offset if at else 0
            entries = await self._store.entries(self.table, after, HEAL_LIMIT) if is_behind else []
            if self.at is not at:
                continue
            if not is_behind or self._is_of_another_history(entries):
                if await self._part_from(mark):
                    break
                continue
            if not self._follow_all(entries):
                break
        await self._reset()

    def _follow_all(self, entries: Sequence[Entry]) -> bool:
        """Record stored commits, and whether they all came next."""
        for entry in entries:
            if not self._comes_next(entry):
                return False
            self._follow(entry)
        return bool(entries)

    async def _part_from(self, mark: Mark) -> bool:
        """The store fell back behind what was told here: make every viewer notice.

        The offsets to come were used before, for other commits, so they need a new epoch. Whether
        they have one now; not when the stream has moved on meanwhile.
        """
        log.warning(
            "the store fell back behind what was told",
            extra={"table": self.table, "offset": mark.position.offset},
        )
        return await self._store.renew(self.table, mark, new_epoch())

    async def _reset(self) -> None:
        before = self.at
        stored = await self._stored()
        if self.at is not before:
            self._heal_again = True
            return
        if _agree(_mark(before), _mark(stored)):
            return
        self.at = stored
        self._tell.was_reset(Reset(self.table, stored))

    async def _stored(self) -> At | None:
        """The table at its newest position: the checkpoint, and the commits since."""
        for _ in range(MAX_LOADS):
            checkpoint = await self._store.load(self.table)
            if checkpoint is None:
                return None
            mark, table = checkpoint.mark, checkpoint.table
            for entry in await self._since(table.offset, mark.position.offset):
                if entry.offset == table.offset + 1:
                    table = self._record(table, decode_command(entry.command), entry.events)
            if table.offset == mark.position.offset:
                return At(mark.position, table, checkpoint.at_ms, mark.command_id, mark.link)
        raise StoreBroken(f"commits of table {self.table!r} are missing after its checkpoint")

    async def _since(self, after: int, until: int) -> list[Entry]:
        if after >= until:
            return []
        return await self._store.entries(self.table, after, until - after)


def new_epoch() -> str:
    """A name for a stream that no stream had before."""
    return secrets.token_hex(6)


def _mark(at: At | None) -> Mark | None:
    return Mark(at.position, at.command_id, at.link) if at else None


def _agree(one: Mark | None, other: Mark | None) -> bool:
    return one.agrees_with(other) if one else other is None


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("a table could not be brought up to date", exc_info=error)
