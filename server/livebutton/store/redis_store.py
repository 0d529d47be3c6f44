"""The store in Redis or Valkey: standalone, guarded by Sentinels, or a cluster."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from livebutton import tracing
from livebutton.store import copies, keys, scripts
from livebutton.store.contract import StoreDeaf, StoreError, StoreListener, StoreUnreachable
from livebutton.store.lines import Lines
from livebutton.store.pipe import Durability
from livebutton.store.records import (
    BODY_BYTES,
    Checkpoint,
    Decided,
    Draft,
    Entry,
    Hint,
    Lost,
    Mark,
    Outcome,
    Settled,
    Shelved,
    StreamPosition,
    TableCopy,
    Verdict,
    pack,
    unpack_entry,
    unpack_hint,
    unpack_table,
    unpack_verdict,
)
from livebutton.store.timeouts import Timeouts

log = logging.getLogger(__name__)

KEEP_VERDICTS_MS = 24 * 60 * 60 * 1000
# A larger entry is not published: who hears of it reads it from the stream.
MAX_HINT_BYTES = 32 * 1024
# How long a canary's key outlives the canary.
CANARY_KEEP_MS = 60_000
MAX_SILENT_CANARIES = 2
EXPIRY_BYTES = 8
MARK_FIELDS = ("epoch", "offset", "command", "link")


class RedisStore:
    """The contract of `Store` over one URL; see topology.py for what URLs there are."""

    def __init__(
        self,
        url: str,
        *,
        timeouts: Timeouts | None = None,
        durability: Durability | None = None,
        keep_verdicts_ms: int = KEEP_VERDICTS_MS,
    ) -> None:
        """Raises ValueError for a URL that names no store."""
        self.sender = secrets.token_hex(4)
        self._keep_verdicts_ms = keep_verdicts_ms
        self._listener: StoreListener | None = None
        self._lines = Lines(
            url,
            timeouts=timeouts or Timeouts(),
            durability=durability or Durability(),
            hear=self._hear,
            doubt=self._doubt,
        )
        self._canaries: dict[str, tuple[bytes, asyncio.Future[None]]] = {}
        self._silent_counts: dict[str, int] = {}

    @property
    def lines(self) -> Lines:
        """The connections, for metrics and tests."""
        return self._lines

    async def open(self, listener: StoreListener) -> None:
        """Connect and begin to listen."""
        self._listener = listener
        await self._lines.open()

    async def close(self) -> None:
        """Let go of every connection and task."""
        await self._lines.close()

    async def commit(self, draft: Draft) -> Outcome:
        """Settle a verdict, with its commit, and return when it is durable."""
        base = draft.base or StreamPosition("", 0)
        words: list[str | bytes | int] = [
            base.epoch,
            base.offset,
            draft.verdict.id,
            draft.body + pack(draft.verdict),
            BODY_BYTES,
            draft.at_ms,
            self._keep_verdicts_ms,
            keys.link(base.offset, draft.follows) if draft.follows else b"",
        ]
        if draft.entry is not None:
            entry = draft.entry
            packed = pack(entry)
            has_room = len(packed) <= MAX_HINT_BYTES
            trace = tracing.parent()
            hint = pack(Hint(self.sender, entry.position, None, trace))
            tail = msgspec.msgpack.encode(trace)
            words += [
                entry.epoch,
                entry.offset,
                packed,
                b"" if draft.after is None else pack(draft.after),
                self._lines.publish_word,
                keys.channel(draft.table),
                # Before the tail, the last byte of the head is the nil in the entry's place.
                hint[: -1 - len(tail)] if has_room else hint,
                int(has_room),
                keys.link(entry.offset, entry.link),
                tail,
            ]
        reply = await self._lines.run(scripts.COMMIT, keys.of_table(draft.table), *words)
        match reply:
            case [1]:
                return Settled()
            case [2, verdict]:
                return Decided(unpack_verdict(verdict), True)
            case [3, verdict]:
                return Decided(unpack_verdict(verdict), False)
            case [0, b"", _]:
                return Lost(None)
            case [0, epoch, offset]:
                return Lost(StreamPosition(epoch.decode(), int(offset)))
            case _:
                raise StoreUnreachable(f"the store answers a commit with {reply!r}")

    async def verdict(self, table: str, command_id: str) -> Verdict | None:
        """What became of a command."""
        verdicts = keys.of_table(table).verdicts
        found = await self._lines.ask(verdicts, "HGET", verdicts, command_id)
        return None if found is None else unpack_verdict(found[BODY_BYTES:])

    async def load(self, table: str) -> Checkpoint | None:
        """The table as it stands."""
        state = keys.of_table(table).state
        reply = await self._lines.ask(state, "HMGET", state, *MARK_FIELDS, "at_ms", "table")
        *marked, at_ms, table_bytes = reply
        mark = _mark(marked)
        if mark is None:
            return None
        return Checkpoint(mark, int(at_ms), unpack_table(table_bytes))

    async def marks(self, tables: Sequence[str]) -> list[Mark | None]:
        """Where each stream stands."""
        states = [keys.of_table(table).state for table in tables]
        replies = await asyncio.gather(
            *(self._lines.ask(state, "HMGET", state, *MARK_FIELDS) for state in states)
        )
        return [_mark(reply) for reply in replies]

    async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
        """Commits from offset `after + 1` on."""
        events = keys.of_table(table).events
        reply = await self._lines.ask(
            events, "XRANGE", events, f"{after + 1}-0", "+", "COUNT", limit
        )
        return [unpack_entry(fields[1]) for _, fields in reply]

    async def renew(self, table: str, mark: Mark, epoch: str) -> bool:
        """Give the stream a new epoch, if it still stands at `mark`."""
        position = StreamPosition(epoch, mark.position.offset)
        reply = await self._lines.run(
            scripts.RENEW,
            [keys.of_table(table).state],
            mark.position.epoch,
            mark.position.offset,
            mark.command_id,
            epoch,
            self._lines.publish_word,
            keys.channel(table),
            pack(Hint(self.sender, position)),
            keys.link(position.offset, mark.link) if mark.link else b"",
        )
        return bool(reply)

    async def subscribe(self, table: str) -> None:
        """Hear hints of this table."""
        await self._lines.subscribe(keys.channel(table))

    async def unsubscribe(self, table: str) -> None:
        """Hear no more of this table."""
        await self._lines.unsubscribe(keys.channel(table))

    async def probe(self) -> float:
        """Write, publish and hear again, on every node: the longest round trip in seconds."""
        with contextlib.suppress(StoreUnreachable):  # The nodes known so far may still serve.
            await self._lines.look_again()
        trips = await asyncio.gather(
            *(self._probe_node(node) for node in self._lines.nodes()), return_exceptions=True
        )
        for trip in trips:
            if isinstance(trip, BaseException):
                raise trip
        return max(trip for trip in trips if isinstance(trip, float))

    async def put_table(self, room: str, table: str) -> None:
        """List a table under a room."""
        await self._lines.write(keys.rooms(), "SADD", keys.rooms(), room)
        shelf = keys.room_shelf(room, "tables")
        await self._lines.write(shelf, "SADD", shelf, table)

    async def close_table(self, room: str, table: str) -> None:
        """List it among the room's closed tables instead."""
        shelf, closed = keys.room_shelf(room, "tables"), keys.room_shelf(room, "closed")
        await self._lines.write(closed, "SADD", closed, table)
        await self._lines.write(shelf, "SREM", shelf, table)

    async def trim(self, table: str, through: int) -> None:
        """Take the commits up to an offset out of the stream."""
        events = keys.of_table(table).events
        await self._lines.write(events, "XTRIM", events, "MINID", f"{through + 1}-0")

    async def lease(self, name: str, holder: str, keep_ms: int) -> bool:
        """Whether this holder has the lease of that name now."""
        reply = await self._lines.run(scripts.LEASE, [keys.lease(name)], holder, keep_ms)
        return bool(reply)

    async def copy(self, table: str) -> TableCopy | None:
        """All that is kept of a table."""
        return await copies.copy(self._lines, self, table)

    async def paste(self, copy: TableCopy) -> bool:
        """Put a copy back, where there is no such table."""
        return await copies.paste(self._lines, copy, self._keep_verdicts_ms)

    async def tables(self, room: str | None = None, *, closed: bool = False) -> list[str]:
        """The tables listed under a room, or under any, sorted; or the closed ones."""
        rooms = [room]
        if room is None:
            found = await self._lines.ask(keys.rooms(), "SMEMBERS", keys.rooms())
            rooms = [name.decode() for name in found]
        shelf = "closed" if closed else "tables"
        shelves = [keys.room_shelf(name or "", shelf) for name in rooms]
        listed = await asyncio.gather(
            *(self._lines.ask(shelf, "SMEMBERS", shelf) for shelf in shelves)
        )
        return sorted({table.decode() for tables in listed for table in tables})

    async def put(self, room: str, shelf: str, name: str, value: bytes, keep_ms: int) -> None:
        """Lay a value on a room's shelf, for so long."""
        expiry = (_now_ms() + keep_ms).to_bytes(EXPIRY_BYTES, "big")
        key = keys.room_shelf(room, shelf)
        await self._lines.run(scripts.PUT, [key], name, expiry + value, keep_ms)

    async def take(self, room: str, shelf: str, name: str) -> bytes | None:
        """Take a value off the shelf."""
        stored = await self._lines.run(scripts.TAKE, [keys.room_shelf(room, shelf)], name)
        kept = _if_kept(stored)
        return kept.value if kept else None

    async def shelf(self, room: str, shelf: str) -> dict[str, bytes]:
        """All that lies on a room's shelf."""
        return {name: each.value for name, each in (await self.shelved(room, shelf)).items()}

    async def shelved(self, room: str, shelf: str) -> dict[str, Shelved]:
        """The same, with the time until which each is kept."""
        key = keys.room_shelf(room, shelf)
        reply = await self._lines.ask(key, "HGETALL", key)
        pairs = zip(reply[::2], reply[1::2], strict=True)
        found = {name.decode(): _if_kept(stored) for name, stored in pairs}
        return {name: each for name, each in found.items() if each is not None}

    async def tell_room(self, room: str, payload: bytes) -> None:
        """Publish on the room's channel."""
        channel = keys.room_channel(room)
        await self._lines.ask(channel, self._lines.publish_word, channel, payload)

    async def subscribe_room(self, room: str) -> None:
        """Hear a room's news."""
        await self._lines.subscribe(keys.room_channel(room))

    async def unsubscribe_room(self, room: str) -> None:
        """Hear no more of it."""
        await self._lines.unsubscribe(keys.room_channel(room))

    def _hear(self, channel: str, payload: bytes) -> None:
        if self._listener is None:
            return
        name = keys.name_of(channel)
        if name.startswith("canary:"):
            token, heard = self._canaries.get(channel, (b"", None))
            if heard is not None and token == payload and not heard.done():
                heard.set_result(None)
        elif name.startswith("room:"):
            self._listener.on_room(name.removeprefix("room:"), payload)
        else:
            self._hear_hint(name, payload)

    def _hear_hint(self, table: str, payload: bytes) -> None:
        assert self._listener is not None
        try:
            hint = unpack_hint(payload)
        except msgspec.DecodeError as error:
            log.warning("a hint cannot be read: %s", error, extra={"table": table})
            self._doubt()
            return
        if hint.sender != self.sender:
            self._listener.on_hint(table, hint)

    def _doubt(self) -> None:
        if self._listener is not None:
            self._listener.on_doubt()

    async def _probe_node(self, node: str) -> float:
        loop = asyncio.get_running_loop()
        channel = self._lines.name_on(
            node, (keys.canary(f"{self.sender}.{number}") for number in range(4096))
        )
        token = secrets.token_bytes(8)
        heard: asyncio.Future[None] = loop.create_future()
        self._canaries[channel] = (token, heard)
        started = loop.time()
        patience_s = self._lines.timeouts.probe_s
        try:
            await self._lines.subscribe(channel)
            await self._lines.run(
                scripts.CANARY,
                [channel],
                token,
                CANARY_KEEP_MS,
                self._lines.publish_word,
                channel,
                patience_s=patience_s,
            )
            async with asyncio.timeout(patience_s):
                await heard
        except (TimeoutError, StoreError) as error:
            await self._was_silent(node)
            if isinstance(error, StoreError):
                raise
            raise StoreDeaf(f"what is published on {node} does not come back") from None
        self._silent_counts.pop(node, None)
        return loop.time() - started

    async def _was_silent(self, node: str) -> None:
        self._silent_counts[node] = self._silent_counts.get(node, 0) + 1
        if self._silent_counts[node] >= MAX_SILENT_CANARIES:
            self._silent_counts.pop(node)
            log.warning("%s is deaf or dead: connecting anew", node)
            await self._lines.redial(node)


def _mark(reply: Sequence[Any]) -> Mark | None:
    epoch, offset, command_id, link = reply
    if epoch is None:
        return None
    at, _, named = (link or b"").partition(b":")
    position = StreamPosition(epoch.decode(), int(offset))
    return Mark(position, command_id.decode(), named if at == offset else b"")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _if_kept(stored: bytes | None) -> Shelved | None:
    """A shelf's value and the time until which it is kept; None past that time."""
    if stored is None:
        return None
    until_ms = int.from_bytes(stored[:EXPIRY_BYTES], "big")
    return Shelved(stored[EXPIRY_BYTES:], until_ms) if until_ms >= _now_ms() else None
