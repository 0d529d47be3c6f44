"""The messages of the wire, version 1: one struct each, for both codecs and for the schemas.

Every message is one map with `type`. A position is always the pair of `epoch` (which stream of a
table) and `offset` (how many commits it has had). Times are milliseconds of the server's clock.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from livebutton.wire.codes import ErrorCode

SUBPROTOCOL_MSGPACK = "livebutton.v1.msgpack"
SUBPROTOCOL_JSON = "livebutton.v1.json"

Name = Annotated[str, Meta(min_length=1, max_length=128)]
Label = Annotated[str, Meta(max_length=128)]
Token = Annotated[str, Meta(max_length=4096)]
Offset = Annotated[int, Meta(ge=0, le=2**53)]
Position = tuple[Annotated[str, Meta(min_length=1, max_length=64)], Offset]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53)]
MAX_ROTATE = 22


class ClientMessage(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What a client may say. A field that is not listed is an error: it would be ignored else."""


class Hello(ClientMessage, tag="hello", frozen=True):
    """The first message. `client` says which program this is, as `name/version`."""

    token: Token
    client: Label = ""


class Subscribe(ClientMessage, tag="subscribe", frozen=True):
    """Watch a table, going on from `since` where that is possible; or, for staff, a room."""

    table: Name | None = None
    since: Position | None = None
    room: Label | None = None


class Unsubscribe(ClientMessage, tag="unsubscribe", frozen=True):
    """Stop watching."""

    table: Name | None = None
    room: Label | None = None


class Command(ClientMessage, tag="command", frozen=True):
    """A wish about a table. `id` is the client's own: the same id twice acts once.

    With `expected` it is refused as `stale` unless the table stands there; past `deadline_ms`,
    the server's time, as `late`. For `open_table` the table may be left out.
    """

    id: Name
    command: dict[str, Any]
    table: Label = ""
    expected: Position | None = None
    deadline_ms: Milliseconds | None = None


class Preview(ClientMessage, tag="preview", frozen=True):
    """Ask what a command would do to the table as it stands; nothing is done."""

    id: Name
    command: dict[str, Any]
    table: Label = ""
    expected: Position | None = None


class Verdict(ClientMessage, tag="verdict", frozen=True):
    """Ask what became of a command."""

    id: Name
    table: Name


class Refresh(ClientMessage, tag="refresh", frozen=True):
    """A newer token for this socket, before the old one expires."""

    token: Token


class Ping(ClientMessage, tag="ping", frozen=True):
    """Ask for a heartbeat now."""


AnyClientMessage = Hello | Subscribe | Unsubscribe | Command | Preview | Verdict | Refresh | Ping
CLIENT_TYPES: frozenset[str] = frozenset(
    str(struct.__struct_config__.tag) for struct in ClientMessage.__subclasses__()
)


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """What the server may say. Clients ignore fields and types that they do not know."""


class Welcome(ServerMessage, tag="welcome", frozen=True):
    """The answer to `hello`. After a drop, come back within `reconnect_window_ms`, at random."""

    session: str
    heartbeat_s: float
    reconnect_window_ms: int
    now_ms: int


class Snapshot(ServerMessage, tag="snapshot", frozen=True):
    """The view at a position. It replaces whatever the client had."""

    table: str
    epoch: str
    offset: int
    view: dict[str, Any]


class Delta(ServerMessage, tag="delta", frozen=True):
    """The merge patch (RFC 7386) from the view at `offset` - 1, and what happened.

    Both are empty when there is nothing that this audience may see, so a gap always means loss.
    """

    table: str
    epoch: str
    offset: int
    patch: dict[str, Any]
    events: list[dict[str, Any]]


class Live(ServerMessage, tag="live", frozen=True):
    """From here on every change follows. `recovered`: the gap since `since` was filled whole."""

    table: str
    recovered: bool


class Accepted(ServerMessage, tag="accepted", frozen=True):
    """The command was committed at this position, and is on disk."""

    id: str
    table: str
    epoch: str
    offset: int


class Previewed(ServerMessage, tag="previewed", frozen=True):
    """What the command would do to the table at this position (offset 0: there is none).

    `plan` is the plan after it: of the hand being played, else of the next one.
    """

    id: str
    table: str
    epoch: str
    offset: int
    events: list[dict[str, Any]]
    plan: dict[str, Any]


class Refused(ServerMessage, tag="refused", frozen=True):
    """The command changed nothing. `reason` is for programs, `message` for people.

    `rule` names the rule that says no, `params` the facts in the sentence; `epoch` and `offset`
    are where the table stands, when that is known.
    """

    id: str
    table: str
    reason: str
    message: str
    retry: bool
    rule: str = ""
    params: dict[str, Any] = {}
    epoch: str = ""
    offset: int = 0


class Unknown(ServerMessage, tag="unknown", frozen=True):
    """No command of that id was ever judged at this table: it may be sent again."""

    id: str
    table: str


class Heartbeat(ServerMessage, tag="heartbeat", frozen=True):
    """Where each subscribed table stands. A client whose position differs has lost something."""

    tables: dict[str, tuple[str, int]]
    now_ms: int


class Drain(ServerMessage, tag="drain", frozen=True):
    """This process is stopping: expect close code 1012, come back after this long."""

    reconnect_in_ms: int


class DisplaySetup(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the floor set a table display up. What is left out stands as the display's address says.

    `table`: which one it shows, of those that its token is for. `rotate`: how many places the ring
    is turned. `chime`: a sound when a question is open.
    """

    table: Name | None = None
    size: Literal["s", "m", "l"] | None = None
    theme: Literal["dark", "light", "overlay"] | None = None
    rotate: Annotated[int, Meta(ge=0, le=MAX_ROTATE)] | None = None
    names: bool | None = None
    chime: bool | None = None


class Setup(ServerMessage, tag="setup", frozen=True):
    """How this screen is set up: after the welcome where the floor did that, and at each change."""

    setup: DisplaySetup


class Reload(ServerMessage, tag="reload", frozen=True):
    """The floor wants this screen to load its page anew, once. A program without one ignores it."""


class Error(ServerMessage, tag="error", frozen=True):
    """A message that could not be obeyed; the socket lives. The last three say which."""

    code: ErrorCode
    message: str
    retry: bool
    table: str = ""
    room: str = ""
    id: str = ""


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One table on the floor's screen. `plan` is the hand being played, else the next one's.

    `stood_ms` is the time of the last commit, `dealt_ms` that of the last first card; 0 where
    that was not seen. `questions` are the seats with an open one, `players` the names by seat.
    `stale`: it may have moved on, and could not be looked up.
    """

    table: str
    name: str
    epoch: str
    offset: int
    phase: str
    stakes: dict[str, Any]
    seats: int
    seated: int
    in_rotation: int
    hand: int = 0
    button: int = 0
    posts: list[dict[str, Any]] = []
    none: dict[str, Any] = {}
    questions: list[int] = []
    owing: list[int] = []
    away: dict[str, int] = {}
    waiting: int = 0
    players: dict[str, str] = {}
    stood_ms: int = 0
    dealt_ms: int = 0
    stale: bool = False


class Screen(msgspec.Struct, frozen=True, omit_defaults=True):
    """One connected client: who, what it watches, and how far it has been told.

    `token` is the id of its token: to take that back by, or to name, set up or reload its screen.
    """

    id: str
    name: str
    role: str
    last_seen_ms: int
    table: str = ""
    seat: int = 0
    position: tuple[str, int] | None = None
    version: str = ""
    token: str = ""
    setup: DisplaySetup | None = None


class WaitingEntry(msgspec.Struct, frozen=True):
    """One person on the room's waiting list, and the tables whose list he is on.

    `joined_ms` is when he was first written on any of them, as long as he is; 0 if not known.
    """

    player: str
    games: list[dict[str, Any]]
    joined_ms: int = 0


class Room(ServerMessage, tag="room", frozen=True):
    """The floor's screen: at most one a second, at least one every few seconds.

    `stale`: this process does not hear of commits now, and any table may have moved on.
    """

    room: str
    tables: list[TableSummary]
    screens: list[Screen]
    waiting: list[WaitingEntry]
    now_ms: int
    stale: bool = False


AnyServerMessage = (
    Welcome
    | Snapshot
    | Delta
    | Live
    | Accepted
    | Previewed
    | Refused
    | Unknown
    | Heartbeat
    | Drain
    | Setup
    | Reload
    | Error
    | Room
)
CodecName = Literal["msgpack", "json"]
