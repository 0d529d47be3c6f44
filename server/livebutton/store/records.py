"""What the store keeps, as the rest of the server sees it, and how it is written down.

Structs that are stored are `array_like`: a field may be added at the end, with a default, and
what was written before still reads.
"""

import hashlib
from typing import Any

import msgspec

from livebutton.rules.events import AnyEvent
from livebutton.rules.table import Table


class StreamPosition(msgspec.Struct, frozen=True, array_like=True):
    """How far a table's stream has come. The two are only ever compared as a pair.

    `epoch` names the stream and is never empty; `offset` counts its commits, from 1.
    """

    epoch: str
    offset: int


class Accepted(msgspec.Struct, frozen=True, array_like=True, tag="accepted"):
    """The verdict on a command that became the commit at `position`."""

    id: str
    table: str
    position: StreamPosition


class Rejected(msgspec.Struct, frozen=True, array_like=True, tag="refused"):
    """The verdict on a command that changed nothing: why, the rule that says no, a sentence.

    `retry`: the same wish may well be granted under a new command id. `position` is where the
    table stood, None when there was no table.
    """

    id: str
    table: str
    reason: str
    rule: str = ""
    message: str = ""
    params: dict[str, Any] = {}
    retry: bool = False
    position: StreamPosition | None = None


Verdict = Accepted | Rejected


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One commit in a table's stream: the command, what it led to, and who sent it when.

    `follows` is the link of the commit before it; empty where that is not known, as in a first
    commit and in those of servers that wrote none.
    """

    epoch: str
    offset: int
    at_ms: int
    command_id: str
    command: dict[str, Any]
    events: list[AnyEvent]
    client: str = ""
    role: str = ""
    follows: bytes = b""

    @property
    def link(self) -> bytes:
        """What names this commit and, through `follows`, all before it: two histories that share
        a position, and even a command, do not share this."""
        named = (self.follows, self.epoch, self.offset, self.at_ms, self.command_id)
        return hashlib.blake2b(_packed.encode(named), digest_size=LINK_BYTES).digest()

    @property
    def position(self) -> StreamPosition:
        """Where in the stream it stands."""
        return StreamPosition(self.epoch, self.offset)


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Where a stream stands and which commit brought it there.

    `link` is that commit's, empty where it is not known. Two streams at the same position with
    different commits have parted: a failover took back one that somebody had seen.
    """

    position: StreamPosition
    command_id: str
    link: bytes = b""

    def agrees_with(self, other: "Mark | None") -> bool:
        """Whether both can be of the same stream at the same position."""
        return (
            other is not None
            and self.position == other.position
            and self.command_id == other.command_id
            and not has_parted(self.link, other.link)
        )


class Checkpoint(msgspec.Struct, frozen=True):
    """Where the stream stands, and the whole table at that offset or a few before it.

    `table.offset` says which; the commits between are in the stream. `at_ms` is the time of the
    newest commit.
    """

    mark: Mark
    at_ms: int
    table: Table


class Draft(msgspec.Struct, frozen=True):
    """A verdict to be settled, and with an Accepted the commit that makes it true.

    `base` is the position it was decided from, None for no table, and `follows` the link of the
    commit there, empty where that is not known. `body` is the digest of the
    command: the same id with another body is a conflict. `entry` comes with an Accepted only;
    its epoch is new when `base` is None. `after` is the table to checkpoint: with a table's first
    commit always, and then as often as it pays.
    """

    table: str
    base: StreamPosition | None
    body: bytes
    at_ms: int
    verdict: Verdict
    entry: Entry | None = None
    after: Table | None = None
    follows: bytes = b""


class Settled(msgspec.Struct, frozen=True):
    """The draft's verdict is stored, with its commit if it has one."""


class Decided(msgspec.Struct, frozen=True):
    """The command id had its verdict before, and keeps it; nothing was changed now."""

    verdict: Verdict
    same_body: bool


class Lost(msgspec.Struct, frozen=True):
    """The stream stands elsewhere than the draft was decided from; nothing was changed."""

    position: StreamPosition | None


Outcome = Settled | Decided | Lost


class KeptVerdict(msgspec.Struct, frozen=True, array_like=True):
    """A verdict as it is kept: when it was settled, and the digest of its command."""

    at_ms: int
    body: bytes
    verdict: Verdict


class TableCopy(msgspec.Struct, frozen=True, array_like=True):
    """All that is kept of one table, for a backup."""

    table: str
    checkpoint: Checkpoint
    entries: list[Entry]
    verdicts: list[KeptVerdict]


class Shelved(msgspec.Struct, frozen=True, array_like=True):
    """A value on a room's shelf, and until when it is kept (milliseconds since 1970)."""

    value: bytes
    until_ms: int


class Hint(msgspec.Struct, frozen=True, array_like=True):
    """What a commit publishes: who made it, where the stream stands now, and the entry.

    The entry, which names the commit that it follows, is left out when it is large. A hint may
    be lost: the stream is the truth. `trace` is the span that it comes from (a W3C traceparent),
    empty unless that process traces.
    """

    sender: str
    position: StreamPosition
    entry: Entry | None = None
    trace: str = ""


BODY_BYTES = 16
LINK_BYTES = 8

_packed = msgspec.msgpack.Encoder()
_sorted = msgspec.msgpack.Encoder(order="deterministic")
_verdict = msgspec.msgpack.Decoder(Verdict)
_entry = msgspec.msgpack.Decoder(Entry)
_table = msgspec.msgpack.Decoder(Table)
_hint = msgspec.msgpack.Decoder(Hint)


def has_parted(one: bytes, other: bytes) -> bool:
    """Whether two links, of what should be the same commit, are known to be of different ones."""
    return bool(one and other and one != other)


def body_of(command: dict[str, Any]) -> bytes:
    """The digest of a command's map, the same whatever order its fields came in (16 bytes)."""
    return hashlib.blake2b(_sorted.encode(command), digest_size=BODY_BYTES).digest()


def pack(record: Verdict | Entry | Table | Hint) -> bytes:
    """A record as it is stored."""
    return _packed.encode(record)


def unpack_verdict(data: bytes) -> Verdict:
    """A stored verdict. msgspec.DecodeError when it is none."""
    return _verdict.decode(data)


def unpack_entry(data: bytes) -> Entry:
    """A stored entry. msgspec.DecodeError when it is none."""
    return _entry.decode(data)


def unpack_table(data: bytes) -> Table:
    """A stored table. msgspec.DecodeError when it is none."""
    return _table.decode(data)


def unpack_hint(data: bytes) -> Hint:
    """A hint that was published. msgspec.DecodeError when it is none."""
    return _hint.decode(data)
