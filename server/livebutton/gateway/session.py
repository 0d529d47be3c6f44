"""One socket's conversation, without the socket: a message goes in, effects come out.

The order is fixed: `hello` first, then anything. Every message is counted against its
credential's limit, and the credential's expiry is looked at each time.
"""

import hashlib
from typing import Any, assert_never

import msgspec

from livebutton.gateway import rights
from livebutton.gateway.auth import Credential, Signer, Unauthorized
from livebutton.gateway.effects import (
    AskVerdict,
    Beat,
    Close,
    Effect,
    Foresee,
    Judge,
    Send,
    Unwatch,
    UnwatchRoom,
    Watch,
    WatchRoom,
)
from livebutton.gateway.given import Given
from livebutton.gateway.limits import Limits
from livebutton.gateway.revocations import Revocations
from livebutton.rules.refusals import Reason
from livebutton.store.records import StreamPosition
from livebutton.tables.changes import CommandRequest
from livebutton.wire.codec import BadFields
from livebutton.wire.codes import CloseCode, ErrorCode, may_retry
from livebutton.wire.messages import (
    AnyClientMessage,
    Command,
    DisplaySetup,
    Error,
    Hello,
    Ping,
    Preview,
    Refresh,
    Refused,
    Setup,
    Subscribe,
    Unsubscribe,
    Verdict,
    Welcome,
)

MAX_TABLES = 1_024
MAX_ROOMS = 16
HELLO_LIMIT_S = 10.0


# A preset, and what is overridden of it.
House = tuple[str, dict[str, Any]]


class Terms(msgspec.Struct):
    """What every session of this process goes by; the window grows with the sockets."""

    signer: Signer
    limits: Limits
    revocations: Revocations
    setups: Given[DisplaySetup | None]
    heartbeat_s: float = 2.0
    reconnect_window_ms: int = 5_000
    house: House | None = None


class Session:
    """What one socket has said so far. Times come in as milliseconds of the server's clock."""

    __slots__ = ("_terms", "client", "credential", "id", "opened_ms", "rooms", "tables")

    def __init__(self, terms: Terms, session_id: str, now_ms: int) -> None:
        self._terms = terms
        self.id = session_id
        self.opened_ms = now_ms
        self.client = ""
        self.credential: Credential | None = None
        self.tables: set[str] = set()
        self.rooms: set[str] = set()

    @property
    def label(self) -> str:
        """What logs call this session."""
        who = self.credential.label if self.credential else "nobody"
        return f"{who} {self.client} {self.id}" if self.client else f"{who} {self.id}"

    def receive(self, message: AnyClientMessage, now_ms: int, tick_s: float) -> list[Effect]:
        """What is to be done about one message. `tick_s` is of a clock that nobody sets."""
        if self.credential is None:
            return self._greet(message, now_ms)
        ended = self.check(now_ms)
        if ended:
            return ended
        if not self._is_allowed(tick_s):
            return [_too_many(message)]
        return self._obey(message, self.credential)

    def malformed(self, problem: BadFields, now_ms: int, tick_s: float) -> list[Effect]:
        """What is to be done about a map that is no message. A command is refused, by its id.

        Before the hello there is nothing to go on with; the token is not to blame for it.
        """
        if self.credential is None:
            return [Close(CloseCode.BAD_MESSAGE, problem.message)]
        ended = self.check(now_ms)
        if ended:
            return ended
        if not self._is_allowed(tick_s):
            return [_error("too_many", "too much at once: slow down")]
        if problem.kind in ("command", "preview") and problem.id:
            return [_refused(problem.id, problem.table, "bad_fields", problem.message)]
        return [_error(problem.code, problem.message, table=problem.table, command=problem.id)]

    def check(self, now_ms: int) -> list[Effect]:
        """Whether this session may go on; to be asked at least every few seconds."""
        credential = self.credential
        if credential is None:
            if now_ms - self.opened_ms > HELLO_LIMIT_S * 1000:
                return [Close(CloseCode.UNAUTHORIZED, "no hello in time")]
            return []
        if credential.exp * 1000 <= now_ms:
            return [Close(CloseCode.UNAUTHORIZED, "the token has expired")]
        if self._terms.revocations.is_revoked(credential.id):
            return [Close(CloseCode.REVOKED, "the token was revoked")]
        return []

    def _is_allowed(self, tick_s: float) -> bool:
        assert self.credential is not None
        return self._terms.limits.allow(self.credential.id, self.credential.role, tick_s)

    def _greet(self, message: AnyClientMessage, now_ms: int) -> list[Effect]:
        if not isinstance(message, Hello):
            return [Close(CloseCode.UNAUTHORIZED, "hello first")]
        try:
            credential = self._terms.signer.verify(message.token)
        except Unauthorized as error:
            return [Close(CloseCode.UNAUTHORIZED, str(error)[:120])]
        self.credential = credential
        self.client = message.client
        welcome = Welcome(
            session=self.id,
            heartbeat_s=self._terms.heartbeat_s,
            reconnect_window_ms=self._terms.reconnect_window_ms,
            now_ms=now_ms,
        )
        setup = self._terms.setups.of(credential.id)
        greeting: list[Effect] = [Send(welcome), *([Send(Setup(setup))] if setup else [])]
        return self.check(now_ms) or greeting

    def _obey(self, message: AnyClientMessage, credential: Credential) -> list[Effect]:
        match message:
            case Hello():
                return [_error("hello_again", "this socket has had its hello: use refresh")]
            case Subscribe():
                return self._subscribe(message, credential)
            case Unsubscribe():
                return self._unsubscribe(message)
            case Command() | Preview():
                return [self._command(message, credential)]
            case Verdict():
                if not credential.covers_table(message.table):
                    text = "this token is for other tables"
                    return [_error("forbidden", text, table=message.table, command=message.id)]
                return [AskVerdict(message.table, message.id)]
            case Refresh():
                return self._refresh(message, credential)
            case Ping():
                return [Beat()]
            case _:
                assert_never(message)

    def _subscribe(self, message: Subscribe, credential: Credential) -> list[Effect]:
        if (message.table is None) == (message.room is None):
            return [_error("bad_fields", "subscribe: either a table or a room")]
        if message.room is not None:
            return self._subscribe_room(message.room, credential)
        assert message.table is not None
        if not credential.covers_table(message.table):
            return [_error("forbidden", "this token is for other tables", table=message.table)]
        if message.table not in self.tables and len(self.tables) >= MAX_TABLES:
            text = f"a socket watches at most {MAX_TABLES} tables"
            return [_error("too_many", text, table=message.table)]
        self.tables.add(message.table)
        return [Watch(message.table, message.since)]

    def _subscribe_room(self, room: str, credential: Credential) -> list[Effect]:
        if not credential.is_staff or not credential.covers_room(room):
            return [_error("forbidden", "the room's picture is for its staff", room=room)]
        if room not in self.rooms and len(self.rooms) >= MAX_ROOMS:
            return [_error("too_many", f"a socket watches at most {MAX_ROOMS} rooms", room=room)]
        self.rooms.add(room)
        return [WatchRoom(room)]

    def _unsubscribe(self, message: Unsubscribe) -> list[Effect]:
        if (message.table is None) == (message.room is None):
            return [_error("bad_fields", "unsubscribe: either a table or a room")]
        if message.room is not None:
            self.rooms.discard(message.room)
            return [UnwatchRoom(message.room)]
        assert message.table is not None
        self.tables.discard(message.table)
        return [Unwatch(message.table)]

    def _command(self, message: Command | Preview, credential: Credential) -> Effect:
        table, command = placed(
            message.table, message.id, message.command, credential, self._terms.house
        )
        if not table:
            return _refused(message.id, "", "bad_fields", "command: which table?")
        if command.get("type") == "open_table" and command.get("table") != table:
            text = "open_table: the command names another table than the message"
            return _refused(message.id, table, "bad_fields", text)
        refusal = rights.refusal(credential, table, command)
        if refusal is not None:
            return _refused(
                message.id, table, refusal.reason, refusal.message, params=refusal.params
            )
        request = CommandRequest(
            id=message.id,
            table=table,
            command=command,
            expected=StreamPosition(*message.expected) if message.expected else None,
            deadline_ms=message.deadline_ms if isinstance(message, Command) else None,
            client=credential.label,
            role=credential.role,
        )
        return Judge(request) if isinstance(message, Command) else Foresee(request)

    def _refresh(self, message: Refresh, credential: Credential) -> list[Effect]:
        """A newer token keeps role and seat, or the views already sent would be wrong."""
        try:
            newer = self._terms.signer.verify(message.token)
        except Unauthorized as error:
            return [Close(CloseCode.UNAUTHORIZED, str(error)[:120])]
        if self._terms.revocations.is_revoked(newer.id):
            return [Close(CloseCode.REVOKED, "the token was revoked")]
        if (newer.role, newer.seat, newer.room) != (
            credential.role,
            credential.seat,
            credential.room,
        ):
            text = "a refresh keeps role, room and seat: open a new socket for others"
            return [_error("forbidden", text)]
        self.credential = newer
        lost = [table for table in sorted(self.tables) if not newer.covers_table(table)]
        effects: list[Effect] = []
        for table in lost:
            self.tables.discard(table)
            effects += [
                Unwatch(table),
                _error("forbidden", "the new token is for other tables", table=table),
            ]
        return [*effects, Beat()]


def placed(
    table: str,
    command_id: str,
    command: dict[str, Any],
    credential: Credential,
    house: House | None = None,
) -> tuple[str, dict[str, Any]]:
    """The table a command is for, and the command with what `open_table` may leave out.

    The id of a new table is made from the command's id: the same command, sent again, must not
    open a second one.
    """
    if command.get("type") != "open_table":
        return table, command
    named = command.get("table", "")
    if not isinstance(named, str):
        return table or "unnamed", command  # The rules say what is wrong with it.
    table = table or named or made_up(command_id, credential)
    filled = {**command, "table": named or table}
    if not command.get("room") and credential.room is not None:
        filled["room"] = credential.room
    if house is not None and "house" not in command:
        preset, overrides = house
        if command.get("rules", preset) == preset:
            filled |= {"rules": preset, "house": overrides}
    return table, filled


def made_up(command_id: str, credential: Credential) -> str:
    """An id for a new table: the same for the same command of the same room."""
    seed = f"{credential.room or ''}\0{command_id}".encode()
    return "t" + hashlib.blake2b(seed, digest_size=6).hexdigest()


def _error(
    code: ErrorCode, message: str, *, table: str = "", room: str = "", command: str = ""
) -> Send:
    return Send(
        Error(code=code, message=message, retry=may_retry(code), table=table, room=room, id=command)
    )


def _refused(
    command_id: str,
    table: str,
    reason: Reason,
    message: str,
    *,
    params: dict[str, Any] | None = None,
) -> Send:
    return Send(
        Refused(
            id=command_id,
            table=table,
            reason=reason,
            message=message,
            retry=may_retry(reason),
            params=params or {},
        )
    )


def _too_many(message: AnyClientMessage) -> Send:
    if isinstance(message, Command | Preview):
        return _refused(message.id, message.table, "too_many", "too much at once: slow down")
    table = message.table if isinstance(message, Subscribe | Verdict) else None
    room = message.room if isinstance(message, Subscribe) else None
    text = "too much at once: slow down"
    return _error("too_many", text, table=table or "", room=room or "")
