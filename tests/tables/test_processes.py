"""Two registries over one real Valkey, like two server processes, through all that befalls it."""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from livebutton.store.contract import StoreError
from livebutton.store.records import Accepted, StreamPosition, Verdict
from livebutton.store.redis_store import RedisStore
from livebutton.store.timeouts import Timeouts
from livebutton.tables.registry import Registry
from tests.servers import ValkeyProcess, ask
from tests.store.drafts import sit
from tests.store.waiting import until
from tests.tables.wishes import Audience, open_with, request

pytestmark = pytest.mark.real

StartProcess = Callable[[str], Awaitable[Registry]]
TIMEOUTS = Timeouts(connect_s=1, command_s=2, subscriber_s=1, patience_s=30, probe_s=1)


@pytest.fixture
async def start_process() -> AsyncIterator[StartProcess]:
    """Start registries with stores of their own; the clock is the system's."""
    async with AsyncExitStack() as closing:

        async def start(url: str) -> Registry:
            store = RedisStore(url, timeouts=TIMEOUTS)
            registry = Registry(store, heartbeat_s=0.2, canary_s=0.1)
            closing.push_async_callback(registry.stop)
            await registry.start()
            return registry

        yield start


async def settle(registry: Registry, command_id: str, command: dict[str, Any]) -> Verdict:
    """Send one command until it has its verdict, as a client does."""
    while True:
        try:
            verdict = await registry.command(request(command_id, command))
        except StoreError:
            await asyncio.sleep(0.02)
            continue
        if getattr(verdict, "reason", "") != "too_many":
            return verdict


async def rivals(
    processes: list[Registry], seed: int, goes_on: Callable[[int], bool]
) -> dict[str, Verdict]:
    """Clients of every process, all wanting the same seats; what became of each command.

    Each client asks before every turn whether it `goes_on`.
    """
    chance = random.Random(seed)
    verdicts: dict[str, Verdict] = {}

    async def client(number: int) -> None:
        for turn in itertools.takewhile(goes_on, itertools.count()):
            seat = chance.randint(1, 9)
            command_id = f"client-{number}-{turn}"
            sits = {**sit(seat), "player": command_id}
            command = chance.choice([sits, {"type": "leave", "seat": seat}])
            sent_to = chance.sample(processes, chance.randint(1, len(processes)))
            found = await asyncio.gather(*(settle(p, command_id, command) for p in sent_to))
            assert all(verdict == found[0] for verdict in found)
            verdicts[command_id] = found[0]

    await asyncio.gather(*(client(number) for number in range(6)))
    return verdicts


async def assert_whole(processes: list[Registry], verdicts: dict[str, Verdict]) -> None:
    """No offset twice or missing, every accepted command once, every process the same table."""
    store = processes[0].store
    entries = await store.entries("t1", 0, 100_000)
    assert [entry.offset for entry in entries] == list(range(1, len(entries) + 1))
    accepted = {id_: v.position.offset for id_, v in verdicts.items() if isinstance(v, Accepted)}
    assert {entry.command_id: entry.offset for entry in entries[1:]} == accepted
    newest = entries[-1].position
    await until(
        lambda: all(at and at.position == newest for at in (p.peek("t1") for p in processes)),
        "every process is at the newest offset",
    )
    tables = [p.peek("t1").table for p in processes]  # type: ignore[union-attr]
    assert all(table == tables[0] for table in tables)


async def test_rival_commands_on_two_processes_make_one_history(
    shared_valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    processes = [await start_process(shared_valkey.url) for _ in range(2)]
    await open_with(processes[0])
    for process in processes:
        await process.current("t1")
    audiences = [Audience(process) for process in processes]
    verdicts = await rivals(processes, 1, lambda turn: turn < 12)
    await assert_whole(processes, verdicts)
    newest = processes[0].peek("t1").position.offset  # type: ignore[union-attr]
    for audience in audiences:
        assert audience.offsets() == list(range(2, newest + 1))
        assert audience.resets == []


async def test_a_valkey_killed_in_the_midst_loses_no_accepted_command_and_repeats_none(
    valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    processes = [await start_process(valkey.url) for _ in range(2)]
    await open_with(processes[0])
    for process in processes:
        await process.current("t1")
    audiences = [Audience(process) for process in processes]

    async def outages() -> None:
        for _ in range(3):
            seen = len(audiences[0].changes)
            await until(lambda seen=seen: len(audiences[0].changes) > seen + 10, "it goes on")
            valkey.kill()
            await until(lambda: not processes[0].ready()[0], "the process says it is not ready")
            await asyncio.to_thread(valkey.start)
            await until(lambda: all(p.ready()[0] for p in processes), "they are ready again")

    trouble = asyncio.create_task(outages())
    verdicts = await rivals(processes, 2, lambda _: not trouble.done())
    await trouble
    await assert_whole(processes, verdicts)
    newest = processes[0].peek("t1").position.offset  # type: ignore[union-attr]
    for audience in audiences:
        assert audience.offsets() == list(range(2, newest + 1))
        assert audience.resets == []


async def test_subscribers_killed_again_and_again_miss_nothing(
    valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    processes = [await start_process(valkey.url) for _ in range(2)]
    await open_with(processes[0])
    await processes[1].current("t1")
    theirs = Audience(processes[1])

    async def kills() -> None:
        for _ in range(6):
            seen = len(theirs.changes)
            ask(valkey.port, "CLIENT KILL TYPE pubsub")
            await until(lambda seen=seen: len(theirs.changes) > seen, "it hears on")

    killing = asyncio.create_task(kills())
    number = 0
    while not killing.done():
        kind = {"type": "leave", "seat": 1} if number % 2 else sit(1)
        assert isinstance(await settle(processes[0], f"c{number}", kind), Accepted)
        number += 1
        await asyncio.sleep(0.005)
    await killing
    await until(lambda: len(theirs.changes) == number, "all of it was heard")
    assert theirs.offsets() == list(range(2, number + 2))


async def test_a_lost_message_is_healed_by_the_comparison_of_positions(
    shared_valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    here, there = [await start_process(shared_valkey.url) for _ in range(2)]
    await open_with(here)
    await there.current("t1")
    theirs = Audience(there)
    store = there.store
    assert isinstance(store, RedisStore)
    # The server forgets this one subscription; nobody here notices.
    (ear,) = store.lines.ears
    await ear.say("UNSUBSCRIBE", "lb:{t1}")
    await until(
        lambda: ask(shared_valkey.port, "PUBSUB NUMSUB lb:{t1}").endswith(":1\r\n"), "it is gone"
    )
    await settle(here, "c1", sit(1))
    await until(lambda: theirs.changes, "the lost message is made good")
    assert theirs.offsets() == [2]
    await until(lambda: there.gaps_found_count == 1, "the gap is counted")


async def test_an_emptied_valkey_changes_the_epoch_and_every_listener_is_told(
    valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    here, there = [await start_process(valkey.url) for _ in range(2)]
    before = await open_with(here, 1, 2)
    await there.current("t1")
    ours, theirs = Audience(here), Audience(there)
    assert ask(valkey.port, "FLUSHALL").startswith("+OK")
    await until(lambda: ours.resets and theirs.resets, "both are told that the table is gone")
    assert (here.peek("t1"), there.peek("t1")) == (None, None)
    after = await open_with(there, 1)
    assert after.epoch != before.epoch
    await until(lambda: here.peek("t1") == there.peek("t1"), "the other process follows")
    assert here.peek("t1") is not None
    assert await here.entries("t1", before.epoch, 1) is None


async def test_a_process_that_comes_later_finds_the_table_and_the_verdicts(
    shared_valkey: ValkeyProcess, start_process: StartProcess
) -> None:
    first = await start_process(shared_valkey.url)
    await open_with(first, *range(1, 10))
    verdict = await settle(first, "c1", {"type": "leave", "seat": 3})
    at = first.peek("t1")
    await first.stop()
    second = await start_process(shared_valkey.url)
    assert await second.current("t1") == at
    assert await settle(second, "c1", {"type": "leave", "seat": 3}) == verdict
    assert isinstance(verdict, Accepted)
    assert verdict.position == StreamPosition(verdict.position.epoch, 11)
    assert await second.tables() == ["t1"]
