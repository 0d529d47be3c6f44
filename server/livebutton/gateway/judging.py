"""From a command to its verdict, for sockets and HTTP alike."""

import asyncio
import logging
import time

import msgspec

from livebutton import tracing
from livebutton.gateway import rights
from livebutton.gateway.auth import Credential
from livebutton.gateway.effects import AskVerdict, Question
from livebutton.gateway.problems import NO_ANSWER
from livebutton.gateway.watching import events_for, view_for
from livebutton.metrics import Metrics
from livebutton.rules.refusals import Refused as RuleSaysNo
from livebutton.rules.table import Table
from livebutton.store import keys
from livebutton.store.contract import StoreError
from livebutton.store.records import Accepted as StoredAccepted
from livebutton.store.records import Rejected as StoredRejected
from livebutton.store.records import Verdict
from livebutton.tables.changes import CommandRequest, Foreseen
from livebutton.tables.registry import Registry
from livebutton.wire.messages import Accepted, Error, Previewed, Refused, Unknown

log = logging.getLogger(__name__)

COMMAND_LIMIT_S = 10.0
# Commands that may be on their way at once in this process, over all sockets.
MAX_IN_FLIGHT = 10_000
ELSEWHERE = "this token is for another room"

Answer = Accepted | Previewed | Refused | Unknown | Error


class Judging:
    """Puts commands to the tables, and says in the wire's words what became of them."""

    def __init__(self, registry: Registry, metrics: Metrics) -> None:
        self._registry = registry
        self._metrics = metrics
        self.in_flight_count = 0

    async def judge(self, request: CommandRequest, credential: Credential) -> Answer:
        """The verdict on a command; an Error (`unavailable`, ask again) when there is none yet."""
        with tracing.span("command", table=request.table, id=request.id, role=request.role) as span:
            answer = await self._judge(request, credential)
            span.set_attribute("livebutton.verdict", _name(answer))
        self._metrics.commands.labels(_name(answer)).inc()
        return answer

    async def _judge(self, request: CommandRequest, credential: Credential) -> Answer:
        if self.in_flight_count >= MAX_IN_FLIGHT:
            return _unavailable(request.table, request.id, "the server is full")
        self.in_flight_count += 1
        started = time.perf_counter()
        try:
            async with asyncio.timeout(COMMAND_LIMIT_S):
                if await self._is_elsewhere(request.table, credential):
                    return _elsewhere(request)
                verdict = await self._registry.command(_permitted(request, credential))
        except (StoreError, TimeoutError) as error:
            return _no_answer(request.table, request.id, error, request.client)
        finally:
            self.in_flight_count -= 1
        self._metrics.command_s.observe(time.perf_counter() - started)
        return told(verdict)

    async def foresee(
        self, request: CommandRequest, credential: Credential
    ) -> Previewed | Refused | Error:
        """What a command would do, as this credential's audience would see it."""
        try:
            async with asyncio.timeout(COMMAND_LIMIT_S):
                if await self._is_elsewhere(request.table, credential):
                    return _elsewhere(request)
                found = await self._registry.foresee(_permitted(request, credential))
        except (StoreError, TimeoutError) as error:
            return _no_answer(request.table, request.id, error, request.client)
        if not isinstance(found, Foreseen):
            refused = told(found)
            assert isinstance(refused, Refused)
            return refused
        return Previewed(
            request.id,
            request.table,
            found.position.epoch if found.position else "",
            found.position.offset if found.position else 0,
            events_for(found.events, credential.audience),
            view_for(found.after, credential.audience).get("plan", {}),
        )

    def unanswered(self, asked: Question) -> Error:
        """The answer to what broke on its way: nobody knows what became of it, ask again."""
        if isinstance(asked, AskVerdict):
            return _unavailable(asked.table, asked.id, "the server could not look it up")
        request = asked.request
        return _unavailable(request.table, request.id, "the server could not carry it out")

    async def ask(self, table: str, command_id: str, credential: Credential) -> Answer:
        """What became of a command that was sent before."""
        if not keys.is_table_id(table):
            return Unknown(command_id, table)
        try:
            async with asyncio.timeout(COMMAND_LIMIT_S):
                if await self._is_elsewhere(table, credential):
                    return Error(
                        code="forbidden",
                        message=ELSEWHERE,
                        retry=False,
                        table=table,
                        id=command_id,
                    )
                verdict = await self._registry.verdict(table, command_id)
        except (StoreError, TimeoutError) as error:
            return _no_answer(table, command_id, error, credential.label)
        return told(verdict) if verdict is not None else Unknown(command_id, table)

    async def _is_elsewhere(self, table: str, credential: Credential) -> bool:
        """Whether the table is another room's: nothing is said of where it stands, and no verdict
        is kept at it under an id that may be one of its own clients'."""
        if credential.room is None or not keys.is_table_id(table):
            return False
        at = self._registry.peek(table) or await self._registry.current(table)
        return at is not None and not credential.covers_room(at.table.setup.room)


def _elsewhere(request: CommandRequest) -> Refused:
    return Refused(
        id=request.id,
        table=request.table,
        reason="forbidden",
        message=ELSEWHERE,
        retry=False,
        params={"table": request.table},
    )


def _permitted(request: CommandRequest, credential: Credential) -> CommandRequest:
    """The request with the question whether this credential may do it to the table as it is."""

    def permit(table: Table) -> RuleSaysNo | None:
        return rights.refusal_at(credential, table, request.command)

    return msgspec.structs.replace(request, permit=permit)


def _name(answer: Answer) -> str:
    """What became of a command, in one word for metrics and traces."""
    match answer:
        case Accepted():
            return "accepted"
        case Refused():
            return answer.reason
        case _:
            return "unavailable"


def told(verdict: Verdict) -> Accepted | Refused:
    """A stored verdict in the wire's words."""
    position = verdict.position
    match verdict:
        case StoredAccepted():
            assert position is not None
            return Accepted(verdict.id, verdict.table, position.epoch, position.offset)
        case StoredRejected():
            return Refused(
                id=verdict.id,
                table=verdict.table,
                reason=verdict.reason,
                message=verdict.message,
                retry=verdict.retry,
                rule=verdict.rule,
                params=verdict.params,
                epoch=position.epoch if position else "",
                offset=position.offset if position else 0,
            )


def _no_answer(table: str, command_id: str, error: Exception, client: str) -> Error:
    log.warning(
        "a command has no verdict yet: %s",
        str(error) or NO_ANSWER,
        extra={"table": table, "client": client, "command": command_id},
    )
    return _unavailable(table, command_id, NO_ANSWER)


def _unavailable(table: str, command_id: str, why: str) -> Error:
    return Error(
        code="unavailable", message=f"{why}: ask again", retry=True, table=table, id=command_id
    )
