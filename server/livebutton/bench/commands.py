"""Commands committed a second: ours, and with one redis-py call for each commit.

Both sides are the same registry over the same Valkey, durable at each acknowledgement, and run in
this process in alternating rounds. They differ in one thing: how the commit script gets there.
Ours leaves with whatever else is ready, in one write on one connection; the baseline's is a call
of `redis.asyncio` on a connection of its pool. The Valkey is another process.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import redis.asyncio

from livebutton.bench.engine import RULES, SEATS, seat_events
from livebutton.bench.report import Figure, beside
from livebutton.rules.commands import encode_command
from livebutton.store import scripts
from livebutton.store.embedded import EmbeddedValkey
from livebutton.store.records import Accepted
from livebutton.store.redis_store import RedisStore
from livebutton.store.scripts import Script
from livebutton.tables.changes import CommandRequest
from livebutton.tables.registry import Registry

IN_FLIGHT = 64
ROUND_S = 0.5
PLAYERS = SEATS


class OneCallEach(RedisStore):
    """The store whose scripts go out as calls of redis-py, each on a connection of a pool."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.calls_count = 0
        self._redis = redis.asyncio.Redis.from_url(url)
        self._lines.run = self._call  # type: ignore[method-assign]

    async def open(self, listener: Any) -> None:
        """Connect, and make the script known."""
        await super().open(listener)
        await self._redis.script_load(scripts.COMMIT.source)

    async def close(self) -> None:
        """Let go of the pool too."""
        await super().close()
        await self._redis.aclose()

    async def _call(
        self,
        script: Script,
        keys: Any,
        *rest: str | bytes | int,
        patience_s: float | None = None,  # noqa: ARG002 - the pool has its own limits
    ) -> Any:
        keys = tuple(keys)
        self.calls_count += 1
        if script is not scripts.COMMIT:
            return await self._redis.eval(script.source, len(keys), *keys, *rest)
        return await self._redis.evalsha(script.sha, len(keys), *keys, *rest)


class Room:
    """Sixty-four tables of a registry, each with one command on its way whenever it is driven."""

    def __init__(self, name: str, registry: Registry, in_flight: int) -> None:
        self.name = name
        self.registry = registry
        self.committed_count = 0
        self._tables = [f"{name}-{number}" for number in range(in_flight)]
        self._wishes = [wishes() for _ in self._tables]

    async def open(self) -> None:
        """Open the tables, fill them and deal a hand, so that seat events are what they are."""
        await asyncio.gather(*(self._open(table) for table in self._tables))

    async def drive(self, seconds: float) -> float:
        """Give commands for so long; how many a second were committed."""
        before = self.committed_count
        started = time.perf_counter()
        deadline = started + seconds
        await asyncio.gather(
            *(
                self._drive(table, wishes, deadline)
                for table, wishes in zip(self._tables, self._wishes, strict=True)
            )
        )
        return (self.committed_count - before) / (time.perf_counter() - started)

    async def _open(self, table: str) -> None:
        for wish in opening():
            await self._commit(table, wish)

    async def _drive(self, table: str, wishes: Iterator[dict[str, Any]], deadline: float) -> None:
        while True:
            await self._commit(table, next(wishes))
            if time.perf_counter() >= deadline:
                return

    async def _commit(self, table: str, wish: dict[str, Any]) -> None:
        command_id = f"{table}:{self.committed_count}"
        verdict = await self.registry.command(CommandRequest(command_id, table, wish))
        if not isinstance(verdict, Accepted):
            raise AssertionError(f"{wish} was refused: {verdict}")
        self.committed_count += 1


def opening() -> list[dict[str, Any]]:
    """The commands that bring a new ten-seat table to the end of its first hand."""
    stakes = {"small": 5, "big": 10}
    return [
        {"type": "open_table", "name": "bench", "seats": SEATS, "rules": RULES, "stakes": stakes},
        *(
            {"type": "take_seat", "seat": seat, "player": f"player-{seat}", "stack": 1_000}
            for seat in range(1, PLAYERS + 1)
        ),
        {"type": "start_game", "button": 1},
        {"type": "deal"},
        {"type": "end_hand"},
    ]


def wishes() -> Iterator[dict[str, Any]]:
    """Seat events, as clients send them."""
    events = seat_events(PLAYERS)
    lap = [encode_command(next(events)) for _ in range(8 * PLAYERS)]
    return cycle(lap)


class Round(msgspec.Struct):
    """What one side did in one round: commands a second, and our µs of CPU for each."""

    per_s: float
    cpu_us: float


async def _round(room: Room, seconds: float) -> Round:
    before = room.committed_count
    cpu = time.process_time()
    per_s = await room.drive(seconds)
    used = time.process_time() - cpu
    return Round(per_s, used * 1e6 / (room.committed_count - before))


def measure(
    seconds: float, say: Callable[[str], None], in_flight: int = IN_FLIGHT
) -> tuple[list[Figure], list[str]]:
    """The figures and notes of this bench, in about so many seconds."""
    with ExitStack() as closing:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="livebutton-bench-"))
        valkey = EmbeddedValkey(Path(folder))
        say("starting a Valkey")
        valkey.start()
        closing.callback(valkey.stop)
        ours, baseline, calls = asyncio.run(_sides(valkey.url, seconds, say, in_flight))
    against = "the same registry with one redis.asyncio call for each commit"
    notes = [
        f"{in_flight} in flight, one at each of {in_flight} ten-seat tables: seat events",
        "a command is judged, committed, and acknowledged when on the disk (appendfsync always)",
        f"the CPU is this process's, with judging, without Valkey's; {calls} calls of redis-py",
    ]
    return [
        beside(
            "commands committed",
            "/s",
            [each.per_s for each in ours],
            [each.per_s for each in baseline],
            against=against,
            means="ours / baseline",
        ),
        beside(
            "CPU for a command",
            "µs",
            [each.cpu_us for each in ours],
            [each.cpu_us for each in baseline],
            against=against,
            means="baseline / ours",
        ),
    ], notes


async def _sides(
    url: str, seconds: float, say: Callable[[str], None], in_flight: int
) -> tuple[list[Round], list[Round], int]:
    one_call = OneCallEach(url)
    rooms = [
        Room("ours", Registry(RedisStore(url)), in_flight),
        Room("one-call", Registry(one_call), in_flight),
    ]
    rounds: tuple[list[Round], list[Round]] = ([], [])
    try:
        for room in rooms:
            await room.registry.start()
            say(f"opening {in_flight} tables")
            await room.open()
        deadline = time.monotonic() + seconds
        while not rounds[0] or time.monotonic() < deadline:
            for room, found in zip(rooms, rounds, strict=True):
                found.append(await _round(room, min(ROUND_S, seconds / 2)))
            say(f"commands: {sum(room.committed_count for room in rooms)} committed")
    finally:
        for room in rooms:
            await room.registry.stop()
    return *rounds, one_call.calls_count
