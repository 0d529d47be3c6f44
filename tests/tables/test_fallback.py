"""A real store that falls back to a replica which lacks the last commits: histories stay apart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from livebutton.store import keys
from livebutton.store.pipe import Durability
from livebutton.store.records import Accepted
from livebutton.store.redis_store import RedisStore
from livebutton.store.timeouts import Timeouts
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from tests.servers import DURABLE, LOOPBACK, ValkeyProcess, ask
from tests.store.drafts import NOW_MS, sit
from tests.store.waiting import until
from tests.tables.wishes import Audience, open_with, request

pytestmark = pytest.mark.real

TIMEOUTS = Timeouts(connect_s=5, command_s=10, subscriber_s=60, patience_s=30, probe_s=5)


class Address:
    """One address behind which another server may stand from one moment to the next."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        """The URL of whoever stands behind it."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def move(self, port: int) -> None:
        """Let another server stand here; every connection to the one before is cut."""
        self.port = port
        for writer in self._writers:
            writer.close()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.move(0)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._writers |= {writer, inner_writer}
        for source, sink in ((reader, inner_writer), (inner_reader, writer)):
            task = asyncio.get_running_loop().create_task(self._pass_on(source, sink))
            self._tasks.add(task)

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        sink.close()


class Fallback:
    """Two processes at one address, and a replica that lacks what comes after `cut_off`.

    Their clocks stand still and reconnecting raises no doubt, so that nothing but the commits
    themselves can tell them what happened.
    """

    def __init__(self, address: Address, master: ValkeyProcess, replica: ValkeyProcess) -> None:
        self.address = address
        self.master = master
        self.replica = replica
        self.here: Registry
        self.there: Registry

    async def cut_off(self, offset: int) -> None:
        """Wait until the replica has that much, then let it have no more."""
        state = keys.of_table("t1").state
        has = f"${len(str(offset))}\r\n{offset}\r\n"
        await until(
            lambda: ask(self.replica.port, f"HGET {state} offset") == has, "the replica has it"
        )
        assert ask(self.replica.port, "REPLICAOF NO ONE").startswith("+OK")

    async def fall_back(self, *, listeners: int = 2) -> None:
        """Let the replica be the store, and return once both processes are connected to it, and
        so many of them hear of the table."""
        ears = [self._store(registry).lines.ears[0] for registry in (self.here, self.there)]
        counts = [ear.connects_count for ear in ears]
        self.address.move(self.replica.port)
        await until(
            lambda: all(
                ear.connects_count > count and ear._connection is not None
                for ear, count in zip(ears, counts, strict=True)
            ),
            "both have dialled again",
        )
        channel = keys.channel("t1")
        await until(
            lambda: ask(self.replica.port, f"PUBSUB NUMSUB {channel}").endswith(
                f":{listeners}\r\n"
            ),
            "they listen to it",
        )

    @staticmethod
    def _store(registry: Registry) -> RedisStore:
        assert isinstance(registry.store, RedisStore)
        return registry.store


@pytest.fixture
async def fallback(tmp_path: Path) -> AsyncIterator[Fallback]:
    master = ValkeyProcess(tmp_path / "master", *LOOPBACK, *DURABLE)
    replica = ValkeyProcess(tmp_path / "replica", *LOOPBACK, *DURABLE)
    async with AsyncExitStack() as closing:
        for valkey in (master, replica):
            closing.callback(valkey.kill)
            await asyncio.to_thread(valkey.start)
        assert ask(replica.port, f"REPLICAOF 127.0.0.1 {master.port}").startswith("+OK")
        address = Address(master.port)
        url = await address.open()
        closing.push_async_callback(address.close)
        found = Fallback(address, master, replica)
        for name in ("here", "there"):
            store = RedisStore(url, timeouts=TIMEOUTS, durability=Durability("relaxed"))
            registry = Registry(store, clock=SteppedClock(NOW_MS))
            registry.on_doubt = lambda: None  # type: ignore[method-assign]
            closing.push_async_callback(registry.stop)
            await registry.start()
            setattr(found, name, registry)
        yield found


async def test_a_rivals_later_commit_is_not_put_onto_a_history_that_the_store_has_lost(
    fallback: Fallback,
) -> None:
    here, there = fallback.here, fallback.there
    opened = await open_with(here, 1)
    assert await there.current("t1") is not None
    await fallback.cut_off(2)
    await there.store.unsubscribe("t1")  # The rival hears nothing of what is lost again.
    ours = Audience(here)
    for seat in (3, 4):
        assert isinstance(await here.command(request(f"lost-{seat}", sit(seat))), Accepted)
    assert ours.offsets() == [3, 4]
    await there.store.subscribe("t1")
    await fallback.fall_back()
    verdicts = [await there.command(request(f"kept-{seat}", sit(seat))) for seat in (5, 6, 7)]
    assert [verdict.position.offset for verdict in verdicts] == [3, 4, 5]  # type: ignore[union-attr]
    await until(lambda: ours.resets, "the process whose commits are lost notices")
    await until(
        lambda: here.peek("t1") and there.peek("t1") and here.peek("t1") == there.peek("t1"),
        "both have the same table again",
    )
    at = here.peek("t1")
    assert at is not None
    assert at.position.epoch != opened.epoch
    assert {no for no, seat in enumerate(at.table.seats, 1) if seat.player} == {1, 5, 6, 7}
    # Nothing of the rival's was told as if it followed what was lost.
    assert [each.position for each in ours.changes if each.position.epoch == opened.epoch][2:] == []


async def test_a_command_is_not_judged_on_a_history_that_the_store_has_lost(
    fallback: Fallback,
) -> None:
    here, there = fallback.here, fallback.there
    opened = await open_with(here, 1)
    assert await there.current("t1") is not None
    await fallback.cut_off(2)
    await there.store.unsubscribe("t1")
    ours = Audience(here)
    assert isinstance(await here.command(request("lost", sit(3))), Accepted)
    await here.store.unsubscribe("t1")
    await fallback.fall_back(listeners=0)
    assert isinstance(await there.command(request("kept", sit(4))), Accepted)
    # Both stand at offset 3 now, each on its own.
    verdict = await here.command(request("next", sit(3)))
    assert isinstance(verdict, Accepted)
    assert verdict.position.epoch != opened.epoch
    assert verdict.position.offset == 4
    await there.catch_up("t1")
    at = there.peek("t1")
    assert at is not None
    assert at == here.peek("t1")
    assert {no for no, seat in enumerate(at.table.seats, 1) if seat.player} == {1, 3, 4}
    assert ours.resets


async def test_commits_of_servers_that_name_no_predecessor_are_followed(
    fallback: Fallback,
) -> None:
    here, there = fallback.here, fallback.there
    await open_with(here, 1)
    theirs = Audience(there)
    assert await there.current("t1") is not None
    # What such a server leaves behind: a state whose link is of an older commit, or none.
    state = keys.of_table("t1").state
    for left in (f"HDEL {state} link", f"HSET {state} link 1:anything"):
        assert ask(fallback.master.port, left).startswith(":")
        at = here.peek("t1")
        assert at is not None
        seat = at.position.offset + 1
        assert isinstance(await here.command(request(f"c{seat}", sit(seat))), Accepted)
    await until(lambda: theirs.offsets() == [3, 4], "they are followed")
    assert theirs.resets == []
