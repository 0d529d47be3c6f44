"""One table at work: judge a command, commit what follows from it, tell who listens.

Commands of a table are judged in the order they came in, one at a time. Another process may
commit to the same table at any moment: whoever loses the store's compare reads on and judges
again.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from livebutton import tracing
from livebutton.rules.commands import AnyCommand, OpenTable, StartGame, decode_command
from livebutton.rules.events import AnyEvent
from livebutton.rules.refusals import Refused
from livebutton.rules.situation import is_present
from livebutton.rules.table import Table
from livebutton.store import keys
from livebutton.store.contract import Store
from livebutton.store.records import (
    Accepted,
    Decided,
    Draft,
    Entry,
    Lost,
    Rejected,
    Settled,
    StreamPosition,
    Verdict,
    body_of,
)
from livebutton.tables.changes import At, CommandRequest, Foreseen
from livebutton.tables.clock import Clock
from livebutton.tables.follower import Follower, Record, Tell, new_epoch

log = logging.getLogger(__name__)

# How often a command is judged anew because a rival's commit came first.
MAX_ATTEMPTS = 32
LONGEST_PAUSE_S = 0.02
# How many commands may wait for their turn at one table.
MAX_WAITING = 256
MAX_ID_LENGTH = 128
# A checkpoint is many times the size of a commit, most of it what can be undone. Loading a table
# replays the few commits since.
CHECKPOINT_EVERY = 16

Draw = Callable[[Sequence[int]], int]


class Decide(Protocol):
    """The rules' judge: the events of a command. Raises Refused."""

    def __call__(self, table: Table | None, command: Any, now_ms: int = 0) -> list[AnyEvent]: ...


class Judge(msgspec.Struct, frozen=True):
    """What a runner judges with: the rules, and the draw for the button."""

    decide: Decide
    record: Record
    draw: Draw


class Runner:
    """The commands of one table. `follower` has the table as it stands."""

    def __init__(self, table: str, store: Store, judge: Judge, clock: Clock, tell: Tell) -> None:
        self.follower = Follower(table, store, judge.record, tell)
        self.waiting_count = 0
        self._store = store
        self._judge = judge
        self._clock = clock
        self._turn = asyncio.Lock()

    @property
    def at(self) -> At | None:
        """The table and where it stands; None while there is no such table."""
        return self.follower.at

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

    def foresee(self, request: CommandRequest) -> Foreseen | Rejected:
        """What a command would do now. Nothing is stored, told or kept, no verdict either."""
        base = self.at.position if self.at else None
        try:
            command = self._checked(request, self._clock.now_ms(), may_draw=False)
            events, after = self._judged(command, self._clock.now_ms())
        except Refused as refused:
            return _rejected(request, refused, base)
        return Foreseen(request.table, base, events, after)

    async def _settle(self, request: CommandRequest) -> Verdict:
        body = body_of(request.command)
        for attempt in range(MAX_ATTEMPTS):
            with tracing.span("judge", table=request.table):
                draft, after = self._draft(request, body)
            with tracing.span("commit", table=request.table, attempt=attempt + 1) as span:
                outcome = await self._store.commit(draft)
                span.set_attribute("livebutton.outcome", type(outcome).__name__.lower())
            match outcome:
                case Settled():
                    if draft.entry is not None and after is not None:
                        self.follower.advance(draft.base, draft.entry, after)
                    return draft.verdict
                case Decided(verdict=verdict, same_body=True):
                    await self.follower.reach(verdict)
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
                    # Rivals that lose in step would go on losing in step.
                    pause_s = random.uniform(0, min(0.001 * attempt, LONGEST_PAUSE_S))  # noqa: S311
                    await asyncio.sleep(pause_s)
                    await self.follower.heal()
        return self._too_many(request, "other processes kept changing this table first")

    def _draft(self, request: CommandRequest, body: bytes) -> tuple[Draft, Table | None]:
        """Judge the command on the table as it is in memory now; and the table after it."""
        at = self.at
        base = at.position if at else None
        follows = at.link if at else b""
        now_ms = self._clock.now_ms()
        try:
            command = self._checked(request, now_ms)
            events, after = self._judged(command, now_ms)
        except Refused as refused:
            verdict = _rejected(request, refused, base)
            draft = Draft(request.table, base, body, now_ms, verdict, follows=follows)
            return draft, None
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
            follows,
        )
        accepted = Accepted(request.id, request.table, entry.position)
        due = after if offset % CHECKPOINT_EVERY == 1 else None
        return Draft(request.table, base, body, now_ms, accepted, entry, due, follows), after

    def _judged(self, command: AnyCommand, now_ms: int) -> tuple[list[AnyEvent], Table]:
        before = self.at.table if self.at else None
        events = self._judge.decide(before, command, now_ms)
        return events, self._judge.record(before, command, events)

    def _checked(
        self, request: CommandRequest, now_ms: int, *, may_draw: bool = True
    ) -> AnyCommand:
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
            # Drawn for once more before a hand: whoever has it already is out of the drum, for
            # a command that names no seat cannot be refused for the seat that chance chose.
            present = [
                seat_no
                for seat_no, seat in enumerate(at.table.seats, 1)
                if is_present(seat, at.table.house) and seat_no != at.table.play.drawn
            ]
            if present and not may_draw:
                raise Refused("bad_fields", "nobody can foresee the draw: say where the button is")
            if present:
                return StartGame(button=self._judge.draw(present))
        return command

    def _too_many(self, request: CommandRequest, message: str) -> Rejected:
        position = self.at.position if self.at else None
        return Rejected(
            request.id, request.table, "too_many", message=message, retry=True, position=position
        )


def _rejected(request: CommandRequest, refused: Refused, base: StreamPosition | None) -> Rejected:
    return Rejected(
        request.id,
        request.table,
        refused.reason,
        refused.rule,
        refused.message,
        refused.params,
        refused.reason == "stale",
        base,
    )


def check_names(request: CommandRequest) -> None:
    """Refuse (`bad_fields`) ids that cannot be a command's or a table's."""
    if not 0 < len(request.id) <= MAX_ID_LENGTH:
        raise Refused(
            "bad_fields",
            f"a command id has 1 to {MAX_ID_LENGTH} characters",
            params={"most": MAX_ID_LENGTH},
        )
    if not keys.is_table_id(request.table):
        raise Refused("bad_fields", "that cannot be the id of a table")


def _as_judged(sent: dict[str, Any], command: AnyCommand) -> dict[str, Any]:
    """The command as the rules were given it: with the button drawn and the table named."""
    if isinstance(command, StartGame) and command.button is not None:
        return {**sent, "button": command.button}
    if isinstance(command, OpenTable):
        return {**sent, "table": command.table}
    return sent
