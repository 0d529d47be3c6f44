"""A registry goes on whatever one table, one hint, one listener or its canary does."""

import asyncio

from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.records import Entry, Hint, StreamPosition
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from tests.store.drafts import sit
from tests.store.waiting import until
from tests.tables.conftest import OpenRegistry
from tests.tables.test_registry import HEARTBEAT_MS, CountingStore
from tests.tables.wishes import Audience, open_with, request


async def test_a_canary_that_breaks_makes_the_process_unready_until_one_comes_back(
    shelves: MemoryShelves, clock: SteppedClock
) -> None:
    store = CountingStore(shelves)
    registry = Registry(store, clock=clock)
    await registry.start()
    await until(lambda: registry.ready()[0], "it is ready")
    store.probe_error = RuntimeError("a fault of ours")
    while registry.ready()[0]:
        clock.step(1000)
        await asyncio.sleep(0)
    assert "a fault of ours" in registry.ready()[1]
    store.probe_error = None
    while not registry.ready()[0]:
        clock.step(1000)
        await asyncio.sleep(0)
    await registry.stop()


async def test_a_listening_task_that_dies_makes_the_process_unready_for_good(
    shelves: MemoryShelves,
) -> None:
    class StoppedClock(SteppedClock):
        async def sleep(self, seconds: float) -> None:
            raise RuntimeError(f"no time to sleep for {seconds} s")

    registry = Registry(MemoryStore(shelves), clock=StoppedClock())
    await registry.start()
    await until(lambda: "ended" in registry.ready()[1], "the task's death is noticed")
    await registry.stop()


async def test_a_table_that_cannot_be_followed_holds_up_no_other_and_is_not_called_current(
    shelves: MemoryShelves, clock: SteppedClock, open_registry: OpenRegistry
) -> None:
    class SpoiltStore(MemoryStore):
        is_spoilt = True

        async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
            if table == "t1" and self.is_spoilt:
                raise RuntimeError("an entry that cannot be read")
            return await super().entries(table, after, limit)

    here = await open_registry()
    store = SpoiltStore(shelves, "there")
    there = Registry(store, clock=clock)
    await there.start()
    for table in ("t1", "t2"):
        await open_with(here, table=table)
        await there.current(table)
    theirs = Audience(there)
    store._tables.clear()  # every hint is lost
    for table in ("t1", "t2"):
        await here.command(request("c1", sit(1), table=table))
    clock.step(HEARTBEAT_MS)
    await until(lambda: not there.is_current("t1"), "the table is in doubt")
    await until(lambda: theirs.offsets("t2") == [2], "the other one is healed")
    assert there.is_current("t2")
    assert there.doubtful_count == 1
    assert theirs.offsets("t1") == []
    there.on_doubt()  # a comparison that breaks does not end the comparing
    store.is_spoilt = False
    await until(lambda: there.ready()[0], "the process is ready all the while")
    clock.step(HEARTBEAT_MS)
    await until(lambda: theirs.offsets("t1") == [2], "it is healed when it can be")
    await until(lambda: there.is_current("t1"), "and in doubt no more")
    await there.stop()


async def test_a_hint_that_cannot_be_followed_breaks_nothing_and_is_read_from_the_stream(
    open_registry: OpenRegistry,
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    await there.current("t1")
    theirs = Audience(there)
    await here.command(request("c1", sit(1)))
    await until(lambda: theirs.offsets() == [2], "it follows")
    position = StreamPosition(here.peek("t1").position.epoch, 3)  # type: ignore[union-attr]
    unknown = Entry(position.epoch, 3, 0, "c2", {"type": "of a newer server"}, [])
    there.on_hint("t1", Hint("newer", position, unknown))
    await here.command(request("c2", sit(2)))
    await until(lambda: theirs.offsets() == [2, 3], "what is stored is what counts")


async def test_one_who_does_not_take_the_news_well_keeps_it_from_nobody(
    registry: Registry,
) -> None:
    def trip(_: object) -> None:
        raise RuntimeError("a fault of ours")

    registry.listen(trip)
    audience = Audience(registry)
    await open_with(registry, 1)
    assert audience.offsets() == [1, 2]
