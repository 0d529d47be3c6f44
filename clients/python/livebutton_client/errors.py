"""What can go wrong, each with what its reader should do next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from livebutton_client.position import StreamPosition


class LivebuttonError(Exception):
    """Anything this package raises."""


@dataclass(eq=False)
class Refused(LivebuttonError):
    """The server said no, and the table is unchanged.

    `reason` is stable and for programs (`wrong_phase`, `stale`, `late`, `forbidden`, …), `rule`
    the house rule behind it (empty where none is), `message` one sentence for people, `params`
    the facts in it. `retry`: the same wish under a new id may succeed later.
    """

    id: str
    table: str
    reason: str
    message: str
    rule: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    retry: bool = False
    position: StreamPosition | None = None

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.reason}{rule}: {self.message}"


@dataclass(eq=False)
class NoVerdict(LivebuttonError):
    """It was sent, and nobody has said what became of it: ask `Connection.verdict` later.

    The server judges nothing after the command's deadline, so it was done by then or never.
    """

    id: str
    table: str

    def __str__(self) -> str:
        return f"no verdict on command {self.id} for table {self.table}: ask for it by that id"


@dataclass(eq=False)
class SubscriptionRefused(LivebuttonError):
    """The server will not show this table or room. `code` says why; `retry`: ask again later."""

    name: str
    code: str
    message: str
    retry: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.code}: {self.message}"


class NotConnected(LivebuttonError):
    """The server could not be reached in the time given, and why not.

    The connection goes on trying, unless it was told when to give up (`give_up_s`).
    """


class Overloaded(LivebuttonError):
    """Too many commands wait for their verdict: wait for some before sending more."""


class Closed(LivebuttonError):
    """This connection was closed by its owner."""


@dataclass(eq=False)
class Stopped(LivebuttonError):
    """The server ended it for good: coming back with the same means would end the same way."""

    code: int
    message: str

    def __str__(self) -> str:
        return f"{self.message} (close code {self.code})"


class Unauthorized(Stopped):
    """The token is missing, wrong or expired: get another and open a new connection."""


class Revoked(Stopped):
    """The token was taken back: this device has to be let in again."""


class ProtocolBroken(LivebuttonError):
    """A message that the protocol does not allow. The session is dropped and begun anew."""
