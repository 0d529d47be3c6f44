"""What the core wants done: the door carries these out, in order."""

from dataclasses import dataclass
from typing import Any

from livebutton_client.copy_of_table import Change
from livebutton_client.errors import LivebuttonError, Refused, Stopped, SubscriptionRefused
from livebutton_client.messages import Accepted, Previewed, RoomPicture


@dataclass(frozen=True, slots=True)
class Send:
    """Put this message on the present socket."""

    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drop:
    """The present socket is no use: close it. `closed` is to be called as for any other end."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnect:
    """Open another socket after this time."""

    after_ms: int


@dataclass(frozen=True, slots=True)
class Stop:
    """It is over: open no other socket."""

    error: Stopped


@dataclass(frozen=True, slots=True)
class Welcomed:
    """A session has begun; `heartbeat_s` is how often the server will be heard."""

    heartbeat_s: float


@dataclass(frozen=True, slots=True)
class Changed:
    """A table's view has moved on."""

    change: Change


@dataclass(frozen=True, slots=True)
class Followed:
    """A subscription is whole: from now on the view is the server's."""

    table: str


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """The server refused a subscription, which is given up."""

    error: SubscriptionRefused


@dataclass(frozen=True, slots=True)
class Settled:
    """A command has its verdict, or its owner has waited long enough."""

    id: str
    verdict: Accepted | LivebuttonError


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to a question about an old command: None if the server never heard of it."""

    id: str
    verdict: Accepted | Refused | None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The answer to a preview."""

    preview: Previewed


@dataclass(frozen=True, slots=True)
class RoomSeen:
    """A room's newest picture."""

    picture: RoomPicture


Effect = (
    Send
    | Drop
    | Reconnect
    | Stop
    | Welcomed
    | Changed
    | Followed
    | Unfollowed
    | Settled
    | Told
    | Foreseen
    | RoomSeen
)
