"""What the server says: each map becomes one of these at the door, or is refused there.

A message of a type that is not known here is None: a newer server may say more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from livebutton_client.errors import ProtocolBroken, Refused
from livebutton_client.position import StreamPosition

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Welcome:
    session: str
    heartbeat_s: float
    reconnect_window_ms: int
    now_ms: int

    @property
    def edition(self) -> str:
        """Which making of views the server is: what stands before the dot; "" without one."""
        return self.session.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Snapshot:
    table: str
    position: StreamPosition
    view: View


@dataclass(frozen=True, slots=True)
class Delta:
    table: str
    position: StreamPosition
    patch: View
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Live:
    table: str
    recovered: bool


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command was done and is durable: at `position`, on the table of that name."""

    id: str
    table: str
    position: StreamPosition


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a command would do to the table at `position` (None: there is no table yet).

    `plan` is the plan after it: of the hand being played, else of the next one.
    """

    id: str
    table: str
    position: StreamPosition | None
    events: tuple[Mapping[str, Any], ...]
    plan: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unheard:
    """The server knows no command of that id."""

    id: str
    table: str


@dataclass(frozen=True, slots=True)
class Heartbeat:
    tables: Mapping[str, StreamPosition]
    now_ms: int


@dataclass(frozen=True, slots=True)
class RoomPicture:
    """A room as its floor sees it: table summaries, connected screens, the waiting list.

    `stale`: the server does not hear its store, and any table may have moved on. A table that may
    have done so alone says that in its summary.
    """

    room: str
    tables: tuple[Mapping[str, Any], ...]
    screens: tuple[Mapping[str, Any], ...]
    waiting: tuple[Any, ...]
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Drain:
    reconnect_in_ms: int


@dataclass(frozen=True, slots=True)
class ErrorSaid:
    code: str
    message: str
    retry: bool
    table: str
    id: str
    room: str


Message = (
    Welcome
    | Snapshot
    | Delta
    | Live
    | Accepted
    | Previewed
    | Refused
    | Unheard
    | Heartbeat
    | RoomPicture
    | Drain
    | ErrorSaid
)
Verdict = Accepted | Refused


def parse(fields: Mapping[str, Any]) -> Message | None:
    """The message in a decoded map; None for a type not known here. ProtocolBroken if malformed."""
    kind = fields.get("type")
    if not isinstance(kind, str):
        raise ProtocolBroken("a message without a type")
    read = _READERS.get(kind)
    if read is None:
        return None
    try:
        return read(fields)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ProtocolBroken(f"a malformed {kind}: {error!r}") from error


def _position(fields: Mapping[str, Any]) -> StreamPosition:
    return StreamPosition.of([fields["epoch"], fields["offset"]])


def _above_zero(value: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError(f"not above zero: {value!r}")
    return float(value)


def _map(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected a map, got {type(value).__name__}")
    return value


def _refused(fields: Mapping[str, Any]) -> Refused:
    return Refused(
        str(fields["id"]),
        str(fields.get("table", "")),
        str(fields["reason"]),
        str(fields.get("message", "")),
        str(fields.get("rule") or ""),
        _map(fields.get("params") or {}),
        bool(fields.get("retry", False)),
        _position(fields) if fields.get("epoch") else None,
    )


_READERS: dict[str, Callable[[Mapping[str, Any]], Message]] = {
    "welcome": lambda m: Welcome(
        str(m["session"]),
        _above_zero(m["heartbeat_s"]),
        int(m["reconnect_window_ms"]),
        int(m["now_ms"]),
    ),
    "snapshot": lambda m: Snapshot(str(m["table"]), _position(m), _map(m["view"])),
    "delta": lambda m: Delta(
        str(m["table"]), _position(m), _map(m["patch"]), tuple(_map(e) for e in m["events"])
    ),
    "live": lambda m: Live(str(m["table"]), bool(m["recovered"])),
    "accepted": lambda m: Accepted(str(m["id"]), str(m["table"]), _position(m)),
    "previewed": lambda m: Previewed(
        str(m["id"]),
        str(m["table"]),
        _position(m) if m["epoch"] else None,
        tuple(_map(e) for e in m["events"]),
        _map(m["plan"]),
    ),
    "refused": _refused,
    "unknown": lambda m: Unheard(str(m["id"]), str(m["table"])),
    "heartbeat": lambda m: Heartbeat(
        {str(t): StreamPosition.of(pair) for t, pair in _map(m["tables"]).items()},
        int(m["now_ms"]),
    ),
    "room": lambda m: RoomPicture(
        str(m.get("room", "")),
        tuple(_map(t) for t in m.get("tables") or ()),
        tuple(_map(s) for s in m.get("screens") or ()),
        tuple(m.get("waiting") or ()),
        bool(m.get("stale", False)),
    ),
    "drain": lambda m: Drain(int(m["reconnect_in_ms"])),
    "error": lambda m: ErrorSaid(
        str(m["code"]),
        str(m.get("message", "")),
        bool(m.get("retry", False)),
        str(m.get("table") or ""),
        str(m.get("id") or ""),
        str(m.get("room") or ""),
    ),
}
