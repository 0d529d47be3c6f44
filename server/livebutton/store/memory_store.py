"""A store in dicts, for tests and for the simulation: nothing outlives the process.

Several stores over one MemoryShelves are like several processes over one Redis.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

import msgspec

from livebutton import tracing
from livebutton.store.contract import StoreListener
from livebutton.store.records import (
    Checkpoint,
    Decided,
    Draft,
    Entry,
    Hint,
    KeptVerdict,
    Lost,
    Mark,
    Outcome,
    Settled,
    Shelved,
    StreamPosition,
    TableCopy,
    Verdict,
    has_parted,
)


class _Stream(msgspec.Struct):
    mark: Mark
    checkpoint: Checkpoint
    entries: list[Entry]


class MemoryShelves:
    """What the stores share: streams and verdicts by table, shelves and lists by room."""

    def __init__(self, now_ms: Callable[[], int] | None = None) -> None:
        """`now_ms` says how late it is, in milliseconds since 1970; the machine's clock unless
        given."""
        self.now_ms = now_ms or _now_ms
        self.streams: dict[str, _Stream] = {}
        self.verdicts: dict[tuple[str, str], tuple[bytes, Verdict]] = {}
        self.listed: dict[str, set[str]] = {}
        self.closed: dict[str, set[str]] = {}
        self.leases: dict[str, tuple[str, int]] = {}
        self.shelves: dict[tuple[str, str], dict[str, tuple[int, bytes]]] = {}
        self.stores: list[MemoryStore] = []

    def flush(self) -> None:
        """Forget everything, as FLUSHALL does."""
        self.streams.clear()
        self.verdicts.clear()
        self.listed.clear()
        self.closed.clear()
        self.leases.clear()
        self.shelves.clear()


class MemoryStore:
    """The contract of `Store` over dicts."""

    def __init__(self, shelves: MemoryShelves | None = None, sender: str = "memory") -> None:
        self._shelves = shelves or MemoryShelves()
        self._sender = sender
        self._listener: StoreListener | None = None
        self._tables: set[str] = set()
        self._rooms: set[str] = set()

    async def open(self, listener: StoreListener) -> None:
        """Begin to listen."""
        self._listener = listener
        self._shelves.stores.append(self)

    async def close(self) -> None:
        """Stop listening."""
        if self in self._shelves.stores:
            self._shelves.stores.remove(self)

    async def commit(self, draft: Draft) -> Outcome:
        """Settle a verdict, with its commit."""
        await asyncio.sleep(0)
        verdicts = self._shelves.verdicts
        decided = verdicts.get((draft.table, draft.verdict.id))
        if decided is not None:
            return Decided(decided[1], decided[0] == draft.body)
        stream = self._shelves.streams.get(draft.table)
        position = stream.mark.position if stream else None
        if position != draft.base or (stream and has_parted(stream.mark.link, draft.follows)):
            return Lost(position)
        verdicts[draft.table, draft.verdict.id] = (draft.body, draft.verdict)
        if draft.entry is not None:
            entry = draft.entry
            mark = Mark(entry.position, entry.command_id, entry.link)
            table = draft.after or (stream.checkpoint.table if stream else None)
            assert table is not None  # the first commit brings a checkpoint
            checkpoint = Checkpoint(mark, entry.at_ms, table)
            entries = [*stream.entries, entry] if stream else [entry]
            self._shelves.streams[draft.table] = _Stream(mark, checkpoint, entries)
            hint = Hint(self._sender, entry.position, entry, tracing.parent())
            self._publish(draft.table, hint)
        return Settled()

    async def verdict(self, table: str, command_id: str) -> Verdict | None:
        """What became of a command."""
        decided = self._shelves.verdicts.get((table, command_id))
        return decided[1] if decided else None

    async def load(self, table: str) -> Checkpoint | None:
        """The table as it stands."""
        await asyncio.sleep(0)
        stream = self._shelves.streams.get(table)
        return stream.checkpoint if stream else None

    async def marks(self, tables: Sequence[str]) -> list[Mark | None]:
        """Where each stream stands."""
        await asyncio.sleep(0)
        streams = [self._shelves.streams.get(table) for table in tables]
        return [stream.mark if stream else None for stream in streams]

    async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
        """Commits from offset `after + 1` on."""
        await asyncio.sleep(0)
        stream = self._shelves.streams.get(table)
        if stream is None:
            return []
        return [entry for entry in stream.entries if entry.offset > after][:limit]

    async def renew(self, table: str, mark: Mark, epoch: str) -> bool:
        """Give the stream a new epoch, if it still stands at `mark`."""
        stream = self._shelves.streams.get(table)
        if stream is None or not stream.mark.agrees_with(mark):
            return False
        position = StreamPosition(epoch, mark.position.offset)
        renewed = Mark(position, mark.command_id, stream.mark.link)
        checkpoint = msgspec.structs.replace(stream.checkpoint, mark=renewed)
        self._shelves.streams[table] = _Stream(renewed, checkpoint, stream.entries)
        self._publish(table, Hint(self._sender, renewed.position))
        return True

    async def subscribe(self, table: str) -> None:
        """Hear hints of this table."""
        self._tables.add(table)

    async def unsubscribe(self, table: str) -> None:
        """Hear no more of this table."""
        self._tables.discard(table)

    async def probe(self) -> float:
        """Nothing can be in the way here."""
        await asyncio.sleep(0)
        return 0.0

    async def put_table(self, room: str, table: str) -> None:
        """List a table under a room."""
        self._shelves.listed.setdefault(room, set()).add(table)

    async def close_table(self, room: str, table: str) -> None:
        """List it among the room's closed tables instead."""
        self._shelves.listed.get(room, set()).discard(table)
        self._shelves.closed.setdefault(room, set()).add(table)

    async def trim(self, table: str, through: int) -> None:
        """Take the commits up to an offset out of the stream."""
        if stream := self._shelves.streams.get(table):
            stream.entries = [entry for entry in stream.entries if entry.offset > through]

    async def lease(self, name: str, holder: str, keep_ms: int) -> bool:
        """Whether this holder has the lease of that name now."""
        now_ms = self._shelves.now_ms()
        held_by, until_ms = self._shelves.leases.get(name, (holder, 0))
        if held_by != holder and until_ms > now_ms:
            return False
        self._shelves.leases[name] = (holder, now_ms + keep_ms)
        return True

    async def copy(self, table: str) -> TableCopy | None:
        """All that is kept of a table."""
        stream = self._shelves.streams.get(table)
        if stream is None:
            return None
        kept = [
            KeptVerdict(0, body, verdict)
            for (of_table, _), (body, verdict) in self._shelves.verdicts.items()
            if of_table == table
        ]
        return TableCopy(table, stream.checkpoint, list(stream.entries), kept)

    async def paste(self, copy: TableCopy) -> bool:
        """Put a copy back, where there is no such table."""
        if copy.table in self._shelves.streams:
            return False
        checkpoint = copy.checkpoint
        self._shelves.streams[copy.table] = _Stream(checkpoint.mark, checkpoint, list(copy.entries))
        for kept in copy.verdicts:
            self._shelves.verdicts[copy.table, kept.verdict.id] = (kept.body, kept.verdict)
        return True

    async def tables(self, room: str | None = None, *, closed: bool = False) -> list[str]:
        """The tables listed under a room, or under any, sorted; or the closed ones."""
        listed = self._shelves.closed if closed else self._shelves.listed
        rooms = listed.values() if room is None else [listed.get(room, set())]
        return sorted(set().union(*rooms))

    async def put(self, room: str, shelf: str, name: str, value: bytes, keep_ms: int) -> None:
        """Lay a value on a room's shelf, for so long."""
        expiry_ms = self._shelves.now_ms() + keep_ms
        self._shelves.shelves.setdefault((room, shelf), {})[name] = (expiry_ms, value)

    async def take(self, room: str, shelf: str, name: str) -> bytes | None:
        """Take a value off the shelf."""
        expiry_ms, value = self._shelves.shelves.get((room, shelf), {}).pop(name, (0, b""))
        return value if expiry_ms >= self._shelves.now_ms() else None

    async def shelf(self, room: str, shelf: str) -> dict[str, bytes]:
        """All that lies on a room's shelf."""
        return {name: each.value for name, each in (await self.shelved(room, shelf)).items()}

    async def shelved(self, room: str, shelf: str) -> dict[str, Shelved]:
        """The same, with the time until which each is kept."""
        now_ms = self._shelves.now_ms()
        kept = self._shelves.shelves.get((room, shelf), {}).items()
        return {name: Shelved(value, until) for name, (until, value) in kept if until >= now_ms}

    async def tell_room(self, room: str, payload: bytes) -> None:
        """Publish on the room's channel."""
        for store in list(self._shelves.stores):
            if room in store._rooms and store._listener is not None:
                asyncio.get_running_loop().call_soon(store._listener.on_room, room, payload)

    async def subscribe_room(self, room: str) -> None:
        """Hear a room's news."""
        self._rooms.add(room)

    async def unsubscribe_room(self, room: str) -> None:
        """Hear no more of it."""
        self._rooms.discard(room)

    def _publish(self, table: str, hint: Hint) -> None:
        for store in list(self._shelves.stores):
            if store is not self and table in store._tables and store._listener is not None:
                asyncio.get_running_loop().call_soon(store._listener.on_hint, table, hint)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
