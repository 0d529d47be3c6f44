"""The tables in memory: loaded once, followed everywhere, healed when a hint is lost."""

import asyncio
import random

import pytest

from livebutton.store.contract import StoreBusy, StoreDeaf, StoreUnreachable
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.records import Accepted, Checkpoint, StreamPosition
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from tests.store.drafts import OPEN, sit
from tests.store.waiting import until
from tests.tables.conftest import OpenRegistry
from tests.tables.wishes import Audience, open_with, request

HEARTBEAT_MS = 2000


class CountingStore(MemoryStore):
    """Counts what is loaded, and may be told to fail."""

    loads_count = 0
    probes_count = 0
    probe_error: Exception | None = None

    async def load(self, table: str) -> Checkpoint | None:
        self.loads_count += 1
        return await super().load(table)

    async def probe(self) -> float:
        self.probes_count += 1
        if self.probe_error:
            raise self.probe_error
        return 0.25


async def test_a_table_that_many_ask_for_at_once_is_loaded_once(
    open_registry: OpenRegistry, shelves: MemoryShelves
) -> None:
    await open_with(await open_registry(), 3)
    store = CountingStore(shelves)
    registry = Registry(store)
    await registry.start()
    everyone = await asyncio.gather(*(registry.current("t1") for _ in range(50)))
    assert store.loads_count == 1
    assert all(at is everyone[0] for at in everyone)
    assert await registry.current("t1") is everyone[0]
    assert store.loads_count == 1
    await registry.stop()


async def test_another_process_is_told_each_change_once_in_order(
    open_registry: OpenRegistry,
) -> None:
    here, there = await open_registry(), await open_registry()
    ours, theirs = Audience(here), Audience(there)
    assert await there.current("t1") is None
    await open_with(here, 1, 2, 3)
    await until(lambda: len(theirs.changes) >= 4, "the other process is told")
    assert theirs.offsets() == ours.offsets() == [1, 2, 3, 4]
    assert theirs.changes[-1].after == ours.changes[-1].after
    assert theirs.changes[0].before is None
    assert theirs.resets == []


async def test_a_lost_hint_is_healed_by_the_next_one(
    open_registry: OpenRegistry, shelves: MemoryShelves
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    await there.current("t1")
    theirs = Audience(there)
    store = there.store
    assert isinstance(store, MemoryStore)
    store._tables.discard("t1")
    await here.command(request("c1", sit(1)))
    await here.command(request("c2", sit(2)))
    await asyncio.sleep(0)
    store._tables.add("t1")
    await here.command(request("c3", sit(3)))
    await until(lambda: len(theirs.changes) >= 3, "the gap is read from the stream")
    assert theirs.offsets() == [2, 3, 4]
    assert theirs.changes[-1].after == here.peek("t1").table  # type: ignore[union-attr]


async def test_a_lost_hint_of_a_quiet_table_is_healed_within_one_heartbeat(
    open_registry: OpenRegistry, clock: SteppedClock
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    await there.current("t1")
    theirs = Audience(there)
    store = there.store
    assert isinstance(store, MemoryStore)
    store._tables.discard("t1")
    await here.command(request("c1", sit(1)))
    await asyncio.sleep(0.01)
    assert theirs.changes == []
    clock.step(HEARTBEAT_MS)
    await until(lambda: theirs.changes, "the comparison finds the gap")
    assert theirs.offsets() == [2]
    await until(lambda: there.gaps_found_count == 1, "the gap is counted")


async def test_a_store_that_heard_nothing_for_a_while_has_every_table_compared(
    open_registry: OpenRegistry,
) -> None:
    here, there = await open_registry(), await open_registry()
    for table in ("t1", "t2", "t3"):
        await open_with(here, table=table)
        await there.current(table)
    theirs = Audience(there)
    store = there.store
    assert isinstance(store, MemoryStore)
    store._tables.clear()
    for table in ("t1", "t3"):
        await here.command(request("c1", sit(1), table=table))
    there.on_doubt()
    await until(lambda: len(theirs.changes) >= 2, "both tables are healed")
    assert theirs.offsets("t1") == theirs.offsets("t3") == [2]
    assert theirs.offsets("t2") == []


async def test_an_emptied_store_is_noticed_and_opens_tables_under_a_new_epoch(
    open_registry: OpenRegistry, shelves: MemoryShelves, clock: SteppedClock
) -> None:
    here, there = await open_registry(), await open_registry()
    before = await open_with(here, 1, 2)
    await there.current("t1")
    ours, theirs = Audience(here), Audience(there)
    shelves.flush()
    clock.step(HEARTBEAT_MS)
    await until(lambda: ours.resets and theirs.resets, "both are told that the table is gone")
    assert ours.resets[0].at is None
    assert here.peek("t1") is None
    after = await open_with(here, 1)
    assert after.epoch != before.epoch
    assert after.offset == 2
    await until(lambda: len(theirs.changes) >= 2, "the other process follows the new stream")
    assert theirs.offsets() == [1, 2]
    assert await here.entries("t1", before.epoch, 0, 10) is None


async def test_a_store_emptied_and_refilled_behind_our_back_resets_the_table(
    open_registry: OpenRegistry, shelves: MemoryShelves
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here, 1, 2)
    await there.current("t1")
    theirs = Audience(there)
    store = there.store
    assert isinstance(store, MemoryStore)
    store._tables.discard("t1")
    shelves.flush()
    third = await open_registry()
    fresh = await open_with(third, 5)
    verdict = await there.command(request("c1", sit(6)))
    assert isinstance(verdict, Accepted)
    assert verdict.position == StreamPosition(fresh.epoch, 3)
    assert [reset.at.position for reset in theirs.resets if reset.at] == [fresh]
    assert theirs.offsets() == [3]


async def test_a_store_that_fell_back_gets_a_new_epoch_so_that_every_viewer_notices(
    open_registry: OpenRegistry, shelves: MemoryShelves, clock: SteppedClock
) -> None:
    here = await open_registry()
    await open_with(here, 1)
    older = shelves.streams["t1"]
    newest = await open_with(here, 2, 3)
    ours = Audience(here)
    # As after a failover to a replica that lacked the last two commits.
    shelves.streams["t1"] = older
    clock.step(HEARTBEAT_MS)
    await until(lambda: ours.resets, "the fall is noticed")
    at = here.peek("t1")
    assert at is not None
    assert at.position.epoch != newest.epoch
    assert at.position.offset == 2
    assert not at.table.seat(3).player
    assert await here.entries("t1", newest.epoch, 2, 10) is None
    # Nobody was told of the first two under this epoch; but they are its past.
    assert await here.entries("t1", at.position.epoch, 0, 10) is None
    kept = await here.entries("t1", at.position.epoch, 0, 10, earlier=True)
    assert [entry.offset for entry in kept or ()] == [1, 2]
    verdict = await here.command(request("c1", sit(4)))
    assert isinstance(verdict, Accepted)
    assert verdict.position == StreamPosition(at.position.epoch, 3)


async def test_streams_that_parted_at_one_offset_are_told_apart(
    open_registry: OpenRegistry, shelves: MemoryShelves, clock: SteppedClock
) -> None:
    here = await open_registry()
    await open_with(here, 1)
    older = shelves.streams["t1"]
    before = await open_with(here, 2)
    ours = Audience(here)
    shelves.streams["t1"] = older
    store = here.store
    assert isinstance(store, MemoryStore)
    store._tables.clear()
    rival = await open_registry()
    await rival.command(request("rival", sit(9)))
    mark = shelves.streams["t1"].mark
    assert (mark.position, mark.command_id) == (before, "rival")
    clock.step(HEARTBEAT_MS)
    await until(lambda: ours.resets, "the parting is noticed")
    at = here.peek("t1")
    assert at is not None
    assert at.position.epoch != before.epoch
    assert at.table.seat(9).player == "p9"
    assert not at.table.seat(2).player


async def test_entries_are_whole_or_none(registry: Registry) -> None:
    position = await open_with(registry, 1, 2, 3)
    epoch = position.epoch
    whole = await registry.entries("t1", epoch, 0, 10)
    assert whole is not None
    assert [entry.offset for entry in whole] == [1, 2, 3, 4]
    assert await registry.entries("t1", epoch, 4, 10) == []
    assert await registry.entries("t1", epoch, 5, 10) is None
    assert await registry.entries("t1", "another", 4, 10) is None
    assert await registry.entries("nowhere", epoch, 0, 10) is None
    some = await registry.entries("t1", epoch, 1, 2)
    assert some is not None
    assert [entry.offset for entry in some] == [2, 3]


async def test_entries_that_were_trimmed_are_none(
    registry: Registry, shelves: MemoryShelves
) -> None:
    position = await open_with(registry, 1, 2, 3)
    del shelves.streams["t1"].entries[:2]
    assert await registry.entries("t1", position.epoch, 1, 10) is None
    assert await registry.entries("t1", position.epoch, 2, 10) is not None


async def test_tables_least_recently_used_make_room_and_watched_ones_stay(
    shelves: MemoryShelves,
) -> None:
    registry = Registry(MemoryStore(shelves), capacity=3)
    await registry.start()
    for number in range(3):
        await open_with(registry, table=f"t{number}")
    registry.watch("t0")
    await registry.current("t1")
    await open_with(registry, table="t3")
    assert registry.loaded_count == 3
    assert registry.peek("t0") is not None
    assert registry.peek("t1") is not None
    assert registry.peek("t2") is None
    for table in ("t1", "t3"):
        registry.watch(table)
    with pytest.raises(StoreBusy):
        await registry.current("t2")
    registry.unwatch("t1")
    at = await registry.current("t2")
    assert at is not None
    assert registry.peek("t1") is None
    await registry.stop()


async def test_tables_are_listed_by_room_until_they_close(registry: Registry) -> None:
    await registry.command(request("c1", {**OPEN, "room": "north"}, table="t1"))
    await registry.command(request("c1", OPEN, table="t2"))
    await registry.command(request("c1", {**OPEN, "seats": 77, "room": "north"}, table="t3"))
    assert await registry.tables() == ["t1", "t2"]
    assert await registry.tables("north") == ["t1"]
    await registry.command(request("c2", {"type": "close_table"}, table="t1"))
    assert await registry.tables() == ["t2"]
    assert await registry.current("t1") is not None


async def test_a_process_is_ready_when_its_canary_has_come_back(
    shelves: MemoryShelves, clock: SteppedClock
) -> None:
    store = CountingStore(shelves)
    registry = Registry(store, clock=clock)
    assert registry.ready() == (False, "not started")
    await registry.start()
    await until(lambda: registry.ready()[0], "it is ready")
    assert registry.canary_round_trip_s == 0.25
    store.probe_error = StoreDeaf("what is published does not come back")
    probes = store.probes_count
    clock.step(1000)
    await until(lambda: store.probes_count > probes, "a canary is sent")
    for _ in range(20):
        await asyncio.sleep(0)
    assert registry.ready() == (True, "")
    clock.step(1000)
    await until(lambda: not registry.ready()[0], "two canaries in a row were lost")
    assert registry.ready()[1] == "what is published does not come back"
    store.probe_error = None
    clock.step(1000)
    await until(lambda: registry.ready()[0], "it is ready again")
    await registry.stop()
    assert registry.ready() == (False, "stopped")


async def test_a_process_whose_store_never_answered_is_not_ready(
    shelves: MemoryShelves, clock: SteppedClock
) -> None:
    store = CountingStore(shelves)
    store.probe_error = StoreUnreachable("no answer")
    registry = Registry(store, clock=clock)
    await registry.start()
    await until(lambda: registry.ready() == (False, "no answer"), "it says why")
    await registry.stop()


@pytest.mark.parametrize("seed", range(5))
async def test_rival_processes_never_skip_or_repeat_an_offset(
    open_registry: OpenRegistry, shelves: MemoryShelves, seed: int
) -> None:
    chance = random.Random(seed)
    registries = [await open_registry() for _ in range(3)]
    await open_with(registries[0])
    for registry in registries:
        await registry.current("t1")
    audiences = [Audience(registry) for registry in registries]
    commands = []
    for number in range(120):
        seat = chance.randint(1, 9)
        sits = {**sit(seat), "player": f"n{number}"}
        leaves = {"type": "leave", "seat": seat}
        commands.append((f"c{number}", chance.choice([sits, leaves])))
    sent = [(chance.choice(registries), c) for c in commands for _ in range(chance.randint(1, 3))]
    verdicts = await asyncio.gather(*(r.command(request(*c)) for r, c in sent))
    by_id: dict[str, set[str]] = {}
    for (_, (command_id, _)), verdict in zip(sent, verdicts, strict=True):
        by_id.setdefault(command_id, set()).add(repr(verdict))
    assert all(len(found) == 1 for found in by_id.values())
    accepted = {v.id: v.position.offset for v in verdicts if isinstance(v, Accepted)}
    entries = shelves.streams["t1"].entries[1:]
    assert {entry.command_id: entry.offset for entry in entries} == accepted
    assert [entry.offset for entry in entries] == list(range(2, len(entries) + 2))
    newest = len(entries) + 1
    await until(
        lambda: all(r.peek("t1").position.offset == newest for r in registries),  # type: ignore[union-attr]
        "every process is at the newest offset",
    )
    for audience in audiences:
        assert audience.offsets() == list(range(2, newest + 1))
        assert audience.changes[-1].after == audiences[0].changes[-1].after
