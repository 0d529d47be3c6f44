"""HTTP for tables: list, open, look, command, follow, and the hands that were dealt."""

import logging
import secrets
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from livebutton import tracing
from livebutton.gateway import rights
from livebutton.gateway.auth import Credential
from livebutton.gateway.door import Door, json, number
from livebutton.gateway.hands import HandRecord, hands_of
from livebutton.gateway.judging import Answer
from livebutton.gateway.past_entries import entries_after
from livebutton.gateway.problems import Problem, of_error, of_refusal
from livebutton.gateway.session import placed
from livebutton.gateway.summary import summary, waiting_list
from livebutton.gateway.watching import events_for, view_for
from livebutton.store import keys
from livebutton.store.records import Entry, StreamPosition
from livebutton.tables.changes import At, CommandRequest
from livebutton.wire.messages import (
    Accepted,
    Error,
    Milliseconds,
    Name,
    Position,
    Previewed,
    Refused,
    TableSummary,
    WaitingEntry,
)

log = logging.getLogger(__name__)

WAIT_LIMIT_S = 30
MAX_ENTRIES = 1_000
MAX_HANDS = 500
# Entries read for one page of hands: a page may end before it is full.
HAND_ENTRIES = 10_000


class TableList(msgspec.Struct):
    """The tables that a token may see."""

    tables: list[TableSummary]


class TableView(msgspec.Struct):
    """A table at a position, as the token's audience sees it."""

    table: str
    epoch: str
    offset: int
    view: dict[str, Any]


class CommandBody(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP; the bare command map will do as well. The id is `Idempotency-Key`."""

    command: dict[str, Any]
    id: Name | None = None
    expected: Position | None = None
    deadline_ms: Milliseconds | None = None


class EventEntry(msgspec.Struct, omit_defaults=True):
    """One commit. Staff also see the command, and who sent it."""

    offset: int
    at_ms: int
    events: list[dict[str, Any]]
    command_id: str = ""
    command: dict[str, Any] = {}
    client: str = ""
    role: str = ""


class EventPage(msgspec.Struct):
    """Commits after an offset, oldest first. Ask again with `after` = the last one's offset."""

    table: str
    epoch: str
    entries: list[EventEntry]


class HandPage(msgspec.Struct):
    """Hands, oldest first. Ask again with `after` = `next_after`; the end when that stays."""

    table: str
    epoch: str
    hands: list[HandRecord]
    next_after: int


class WaitingList(msgspec.Struct):
    """A room's waiting list."""

    room: str
    waiting: list[WaitingEntry]


async def list_tables(door: Door, request: Request) -> Response:
    """The tables of a room, or of all rooms that the token holds in."""
    credential = door.credential(request)
    room = request.query_params.get("room", credential.room)
    if room is not None and not credential.covers_room(room):
        raise Problem("forbidden", "this token is for another room")
    found = []
    for table in await door.gateway.registry.tables(room):
        if credential.covers_table(table):
            at = await door.gateway.registry.current(table)
            if at is not None and rights.may_watch(credential, at.table):
                found.append(_shown(at, credential))
    return json(TableList(found))


def _shown(at: At, credential: Credential) -> TableSummary:
    short = summary(at, 0)
    if credential.is_staff:
        return short
    return msgspec.structs.replace(short, away={}, stood_ms=0)


async def open_table(door: Door, request: Request) -> Response:
    """Open a table: the body is the `open_table` command, its `type` may be left out."""
    credential = door.credential(request)
    body = await door.body(request)
    if not isinstance(body, dict):
        raise Problem("bad_fields", "the body is the open_table command, a map")
    command = {**body, "type": body.get("type", "open_table")}
    if command["type"] != "open_table":
        raise Problem("bad_fields", "only open_table opens a table")
    table = command.get("table", "")
    envelope = CommandBody(command)
    answer = await _judged(
        door, request, credential, table if isinstance(table, str) else "", envelope
    )
    return json(answer, 201, {"Location": f"/v1/tables/{quote(answer.table, safe='')}"})


async def see_table(door: Door, request: Request) -> Response:
    """One table as this token's audience sees it; `ETag` is its position."""
    credential = door.credential(request)
    at = await _table(door, credential, request.path_params["table"])
    epoch, offset = at.position.epoch, at.position.offset
    tag = f'"{epoch}.{offset}.{credential.audience}"'
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "no-cache"})
    view = view_for(at.table, credential.audience)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    return json(TableView(at.table.setup.table, epoch, offset, view), headers=headers)


async def command_table(door: Door, request: Request) -> Response:
    """Put one command to a table. The same Idempotency-Key acts once.

    With `dry_run=true` nothing is done: the answer is what it would do.
    """
    credential = door.credential(request)
    body = await door.body(request)
    if not isinstance(body, dict):
        raise Problem("bad_fields", "the body is a command, a map")
    try:
        envelope = msgspec.convert(body, CommandBody) if "command" in body else CommandBody(body)
    except msgspec.ValidationError as error:
        raise Problem("bad_fields", str(error)) from None
    table = request.path_params["table"]
    match request.query_params.get("dry_run", "false"):
        case "true":
            wish = _wish(door, request, credential, table, envelope)
            return json(_or_problem(await door.gateway.judging.foresee(wish, credential)))
        case "false":
            return json(await _judged(door, request, credential, table, envelope))
        case _:
            raise Problem("bad_fields", "dry_run: true or false")


async def _judged(
    door: Door, request: Request, credential: Credential, table: str, envelope: CommandBody
) -> Accepted:
    """The accepted command. Problem when it was refused or has no verdict yet."""
    wish = _wish(door, request, credential, table, envelope)
    with tracing.under(request.headers.get("traceparent", "")):
        answer = _or_problem(await door.gateway.judging.judge(wish, credential))
    assert isinstance(answer, Accepted)
    return answer


def _wish(
    door: Door, request: Request, credential: Credential, table: str, envelope: CommandBody
) -> CommandRequest:
    """What is put to the table. Problem when this credential may not send it at all."""
    command_id = request.headers.get("Idempotency-Key") or envelope.id or secrets.token_urlsafe(16)
    if len(command_id) > 128:
        raise Problem("bad_fields", "Idempotency-Key: at most 128 characters")
    table, command = placed(table, command_id, envelope.command, credential, door.gateway.house)
    refusal = rights.refusal(credential, table, command)
    if refusal is not None:
        raise Problem(refusal.reason, refusal.message, id=command_id, params=refusal.params)
    return CommandRequest(
        id=command_id,
        table=table,
        command=command,
        expected=StreamPosition(*envelope.expected) if envelope.expected else None,
        deadline_ms=envelope.deadline_ms,
        client=credential.label,
        role=credential.role,
    )


def _or_problem(answer: Answer) -> Accepted | Previewed:
    match answer:
        case Accepted() | Previewed():
            return answer
        case Refused():
            raise of_refusal(answer)
        case Error():
            raise of_error(answer)
        case _:
            raise Problem("unavailable", "the command has no verdict", retry=True)


async def see_events(door: Door, request: Request) -> Response:
    """Commits after a position, waiting for the next one up to `wait_s`. Never missed or twice."""
    credential = door.credential(request)
    table = request.path_params["table"]
    at = await _table(door, credential, table)
    epoch = request.query_params.get("epoch", at.position.epoch)
    after = number(request, "after", 0, 2**53)
    wait_s = number(request, "wait_s", 0, WAIT_LIMIT_S)
    limit = number(request, "limit", 100, MAX_ENTRIES, least=1)
    entries = await _entries(door, at, table, epoch, after, limit)
    if not entries and wait_s:
        await door.gateway.movers.moved(table, at.position, wait_s)
        entries = await _entries(door, at, table, epoch, after, limit)
    told = [_told(entry, credential) for entry in entries]
    return json(EventPage(table, epoch, told))


async def _entries(
    door: Door, at: At, table: str, epoch: str, after: int, limit: int
) -> list[Entry]:
    gateway = door.gateway
    try:
        entries = await entries_after(gateway.registry, gateway.archive, table, epoch, after, limit)
    except (OSError, ValueError):
        log.exception("the archive cannot be read", extra={"table": table})
        raise Problem("unavailable", "the archive cannot be read", retry=True) from None
    if entries is None:
        now = gateway.registry.peek(table) or at
        raise Problem(
            "gone",
            "these events are not there: look at the table and go on from its position",
            position=[now.position.epoch, now.position.offset],
        )
    return entries


def _told(entry: Entry, credential: Credential) -> EventEntry:
    events = events_for(entry.events, credential.audience)
    if not credential.is_staff:
        return EventEntry(entry.offset, entry.at_ms, events)
    return EventEntry(
        entry.offset,
        entry.at_ms,
        events,
        entry.command_id,
        entry.command,
        entry.client,
        entry.role,
    )


async def see_hands(door: Door, request: Request) -> Response:
    """The hands dealt after an offset: who had what, who posted what, live and dead apart."""
    credential = door.credential(request)
    if not credential.is_staff:
        raise Problem("forbidden", "the hands are for the room's staff")
    table = request.path_params["table"]
    at = await _table(door, credential, table)
    epoch = request.query_params.get("epoch", at.position.epoch)
    after = number(request, "after", 0, 2**53)
    limit = number(request, "limit", 100, MAX_HANDS, least=1)
    entries: list[Entry] = []
    while len(entries) < HAND_ENTRIES:
        seen = entries[-1].offset if entries else after
        page = await _entries(door, at, table, epoch, seen, MAX_ENTRIES)
        entries += page
        if len(page) < MAX_ENTRIES:
            break
    is_end = not entries or entries[-1].offset >= at.position.offset
    hands, next_after = hands_of(entries, limit, after, is_end=is_end)
    return json(HandPage(table, epoch, hands, next_after))


async def see_waiting(door: Door, request: Request) -> Response:
    """A room's waiting list: each person once, with the games he waits for."""
    credential = door.credential(request)
    room = request.path_params["room"]
    if not credential.covers_room(room):
        raise Problem("forbidden", "this token is for another room")
    registry = door.gateway.registry
    ats = [await registry.current(table) for table in await registry.tables(room)]
    seen = [at for at in ats if at is not None and rights.may_watch(credential, at.table)]
    return json(WaitingList(room, waiting_list(seen)))


async def _table(door: Door, credential: Credential, table: str) -> At:
    if not credential.covers_table(table):
        raise Problem("forbidden", "this token is for other tables")
    at = await door.gateway.registry.current(table) if keys.is_table_id(table) else None
    if at is None:
        raise Problem("no_table", f"there is no table {table!r}")
    if not rights.may_watch(credential, at.table):
        raise Problem("forbidden", "this token is for another room")
    return at
