"""What a session wants done: it decides, the socket carries it out."""

import msgspec

from livebutton.tables.changes import CommandRequest
from livebutton.wire.codes import CloseCode
from livebutton.wire.messages import AnyServerMessage


class Send(msgspec.Struct, frozen=True):
    """Say this to the client."""

    message: AnyServerMessage


class Close(msgspec.Struct, frozen=True):
    """End the socket."""

    code: CloseCode
    reason: str


class Watch(msgspec.Struct, frozen=True):
    """Begin to watch a table, going on from `since` (epoch, offset) if that can be done whole."""

    table: str
    since: tuple[str, int] | None


class Unwatch(msgspec.Struct, frozen=True):
    """Watch a table no more."""

    table: str


class WatchRoom(msgspec.Struct, frozen=True):
    """Begin to get the room's picture."""

    room: str


class UnwatchRoom(msgspec.Struct, frozen=True):
    """Get the room's picture no more."""

    room: str


class Judge(msgspec.Struct, frozen=True):
    """Put a command to the table; its verdict goes to the client."""

    request: CommandRequest


class Foresee(msgspec.Struct, frozen=True):
    """Look what a command would do; the client is told."""

    request: CommandRequest


class AskVerdict(msgspec.Struct, frozen=True):
    """Look up what became of a command."""

    table: str
    id: str


class Beat(msgspec.Struct, frozen=True):
    """Send a heartbeat now."""


# What is answered once the table or the store has been asked.
Question = Judge | Foresee | AskVerdict
Effect = Send | Close | Watch | Unwatch | WatchRoom | UnwatchRoom | Question | Beat
