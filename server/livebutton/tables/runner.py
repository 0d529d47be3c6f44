"""One table at work: judge a command, commit what follows from it, tell who listens.

Commands of a table are judged in the order they came in, one at a time. Another process may
commit to the same table at any moment: whoever loses the store's compare reads on and judges
again. The table in memory moves only along its stream, one offset at a time, or is reset.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from livebutton.rules.commands import AnyCommand, OpenTable, StartGame, decode_command
from livebutton.rules.events import AnyEvent
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table
from livebutton.store import keys
from livebutton.store.contract import Store
from livebutton.store.records import (
    Accepted,
    Decided,
    Draft,
    Entry,
    Hint,
    Lost,
    Mark,
    Rejected,
    Settled,
    StreamPosition,
    Verdict,
    body_of,
)
from livebutton.tables.changes import At, Change, CommandRequest, Reset
from livebutton.tables.clock import Clock

log = logging.getLogger(__name__)

# How often a command is judged anew because a rival's commit came first.
MAX_ATTEMPTS = 32
# How many commands may wait for their turn at one table.
MAX_WAITING = 256
# Entries read from the stream at once; further behind than a few of these, the checkpoint is
# loaded instead.
HEAL_LIMIT = 256
MAX_HEAL_READS = 8
MAX_ID_LENGTH = 128

Draw = Callable[[Sequence[int]], int]


class Decide(Protocol):
    """The rules' judge: the events of a command. Raises Refused."""

    def __call__(self, table: Table | None, command: Any, now_ms: int = 0) -> list[AnyEvent]: ...


class Record(Protocol):
    """The rules' recorder: the table after one commit, its offset one further."""

    def __call__(self, table: Table | None, command: Any, events: Sequence[AnyEvent]) -> Table: ...


class Tell(Protocol):
    """Whom a runner tells what became of its table."""

    def changed(self, change: Change) -> None:
        """The table moved on by one offset."""

    def was_reset(self, reset: Reset) -> None:
        """The table is another than was told so far."""


class Judge(msgspec.Struct, frozen=True):
    """What a runner judges with: the rules, and the draw for the button."""

    decide: Decide
    record: Record
    draw: Draw


class Runner:
    """One table in memory. `at` is None while there is no such table."""

    def __init__(self, table: str, store: Store, judge: Judge, clock: Clock, tell: Tell) -> None:
        self.table = table
        self.at: At | None = None
        self.waiting_count = 0
        self._store = store
        self._judge = judge
        self._clock = clock
        self._tell = tell
        self._turn = asyncio.Lock()
        self._healing: asyncio.Task[None] | None = None
        self._heal_again = False

    async def load(self) -> None:
        """Take the table from its checkpoint, without telling anybody."""
        self.at = await self._stored()

    async def command(self, request: CommandRequest) -> Verdict:
        """Settle one command. Raises StoreError when the store gives no answer.

        Refused without a stored verdict, to be asked again: `too_many`. With an id that had
        another command: `id_conflict`.
        """
        if self.waiting_count >= MAX_WAITING:
            return self._too_many(request, "too many commands are waiting at this table")
        self.waiting_count += 1
        try:
            async with self._turn:
                return await self._settle(request)
        finally:
            self.waiting_count -= 1

    def hear(self, hint: Hint) -> None:
        """Follow another process's commit, or begin to read on where the hint leaves a gap."""
        if hint.entry is not None and self._comes_next(hint.entry):
            self._follow(hint.entry)
            return
        at = self.at
        is_old = at is not None and (
            at.position.epoch == hint.position.epoch and at.position.offset >= hint.position.offset
        )
        if not is_old:
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
        if self.at is not seen or _mark(seen) == mark:
            return False
        await self.heal()
        return True

    async def stop(self) -> None:
        """End the task that heals, if one runs."""
        if self._healing is not None and not self._healing.done():
            self._healing.cancel()
            await asyncio.gather(self._healing, return_exceptions=True)

    async def _settle(self, request: CommandRequest) -> Verdict:
        body = body_of(request.command)
        for _ in range(MAX_ATTEMPTS):
            draft = self._draft(request, body)
            outcome = await self._store.commit(draft)
            match outcome:
                case Settled():
                    if draft.entry is not None and draft.after is not None:
                        self._advance(draft.base, draft.entry, draft.after)
                    return draft.verdict
                case Decided(verdict=verdict, same_body=True):
                    await self._reach(verdict)
                    return verdict
                case Decided():
                    return Rejected(
                        request.id,
                        request.table,
                        "id_conflict",
                        message="this command id was used for another command",
                        position=self.at.position if self.at else None,
                    )
                case Lost():
                    await self.heal()
        return self._too_many(request, "other processes kept changing this table first")

    def _draft(self, request: CommandRequest, body: bytes) -> Draft:
        """Judge the command on the table as it is in memory now."""
        at = self.at
        base = at.position if at else None
        now_ms = self._clock.now_ms()
        try:
            command = self._checked(request, now_ms)
            before = at.table if at else None
            events = self._judge.decide(before, command, now_ms)
            after = self._judge.record(before, command, events)
        except Refused as refused:
            verdict = Rejected(
                request.id,
                request.table,
                refused.reason,
                refused.rule,
                refused.message,
                refused.params,
                refused.reason == "stale",
                base,
            )
            return Draft(request.table, base, body, now_ms, verdict)
        epoch = base.epoch if base else new_epoch()
        offset = base.offset + 1 if base else 1
        entry = Entry(
            epoch,
            offset,
            now_ms,
            request.id,
            _as_judged(request.command, command),
            events,
            request.client,
            request.role,
        )
        accepted = Accepted(request.id, request.table, entry.position)
        return Draft(request.table, base, body, now_ms, accepted, entry, after)

    def _checked(self, request: CommandRequest, now_ms: int) -> AnyCommand:
        at = self.at
        if request.deadline_ms is not None and now_ms > request.deadline_ms:
            raise Refused(
                "late",
                "the command came after its deadline",
                params={"deadline_ms": request.deadline_ms, "now_ms": now_ms},
            )
        if request.expected is not None and request.expected != (at.position if at else None):
            raise Refused("stale", "the table has changed since this was decided")
        if request.permit is not None and at is not None:
            refusal = request.permit(at.table)
            if refusal is not None:
                raise refusal
        command = decode_command(request.command)
        if isinstance(command, OpenTable):
            if command.table not in ("", request.table):
                raise Refused("bad_fields", "the command is for another table than it was sent to")
            if not keys.is_room_id(command.room):
                raise Refused("bad_fields", "that cannot be the name of a room")
            return msgspec.structs.replace(command, table=request.table)
        if isinstance(command, StartGame) and command.button is None and at is not None:
            present = [
                seat_no
                for seat_no, seat in enumerate(at.table.seats, 1)
                if seat.player and not seat.sitting_out
            ]
            if present:
                return StartGame(button=self._judge.draw(present))
        return command

    def _advance(self, base: StreamPosition | None, entry: Entry, after: Table) -> None:
        """Take the table one offset further and tell, unless a hint did so already."""
        at = self.at
        if (at.position if at else None) != base:
            return
        before = at.table if at else None
        self.at = At(entry.position, after, entry.at_ms, entry.command_id)
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
        here = self.at.position
        return entry.epoch == here.epoch and entry.offset == here.offset + 1

    def _follow(self, entry: Entry) -> None:
        """Record a stored commit that comes next."""
        at = self.at
        command = decode_command(entry.command)
        after = self._judge.record(at.table if at else None, command, entry.events)
        self._advance(at.position if at else None, entry, after)

    async def _reach(self, verdict: Verdict) -> None:
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
            if mark == _mark(at):
                return
            if mark is None or (at and at.position.epoch != mark.position.epoch):
                break
            if at is not None and mark.position.offset <= at.position.offset:
                await self._part_from(mark)
                break
            after = at.position.offset if at else 0
            entries = await self._store.entries(self.table, after, HEAL_LIMIT)
            if self.at is at and not self._follow_all(entries):
                break
        await self._reset()

    def _follow_all(self, entries: Sequence[Entry]) -> bool:
        """Record stored commits, and whether they all came next."""
        for entry in entries:
            if not self._comes_next(entry):
                return False
            self._follow(entry)
        return bool(entries)

    async def _part_from(self, mark: Mark) -> None:
        """The store fell back behind what was told here: make every viewer notice.

        The offsets to come were used before, for other commits, so they need a new epoch.
        """
        log.warning(
            "the store fell back behind what was told",
            extra={"table": self.table, "offset": mark.position.offset},
        )
        await self._store.renew(self.table, mark, new_epoch())

    async def _reset(self) -> None:
        before = self.at
        stored = await self._stored()
        if self.at is not before:
            self._heal_again = True
            return
        if _mark(before) == _mark(stored):
            return
        self.at = stored
        self._tell.was_reset(Reset(self.table, stored))

    async def _stored(self) -> At | None:
        checkpoint = await self._store.load(self.table)
        if checkpoint is None:
            return None
        mark = checkpoint.mark
        return At(mark.position, checkpoint.table, checkpoint.at_ms, mark.command_id)

    def _too_many(self, request: CommandRequest, message: str) -> Rejected:
        position = self.at.position if self.at else None
        return Rejected(
            request.id, request.table, "too_many", message=message, retry=True, position=position
        )


def new_epoch() -> str:
    """A name for a stream that no stream had before."""
    return secrets.token_hex(6)


def check_names(request: CommandRequest) -> None:
    """Refuse (`bad_fields`) ids that cannot be a command's or a table's."""
    if not 0 < len(request.id) <= MAX_ID_LENGTH:
        raise Refused("bad_fields", f"a command id has 1 to {MAX_ID_LENGTH} characters")
    if not keys.is_table_id(request.table):
        raise Refused("bad_fields", "that cannot be the id of a table")


def _mark(at: At | None) -> Mark | None:
    return Mark(at.position, at.command_id) if at else None


def _as_judged(sent: dict[str, Any], command: AnyCommand) -> dict[str, Any]:
    """The command as the rules were given it: with the button drawn and the table named."""
    if isinstance(command, StartGame) and command.button is not None:
        return {**sent, "button": command.button}
    if isinstance(command, OpenTable):
        return {**sent, "table": command.table}
    return sent


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("a table could not be brought up to date", exc_info=error)
