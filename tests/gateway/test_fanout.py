"""Many at once: floods, readers that stall, a drain, two processes over one store."""

import asyncio
from typing import Any

import pytest

from livebutton.gateway.gateway import Bounds
from livebutton.gateway.limits import Limits, Rate
from livebutton.store.memory_store import MemoryShelves
from tests.gateway.doors import (
    HANG_LIMIT_S,
    Served,
    served,
)

QUICK = Bounds(heartbeat_s=0.1)


async def test_a_flood_of_commands_is_answered_one_by_one_and_holds_up_nobody() -> None:
    async with served() as server:
        await server.open_table()
        flood, calm = await server.client("backend"), await server.client("backend")
        count = 500
        for number in range(count):
            command = {"type": "take_seat", "seat": number % 9 + 1, "player": f"p{number}"}
            await flood.say(type="command", id=f"f{number}", table="t7", command=command)
        await calm.say(type="ping")
        await calm.hear("heartbeat")
        verdicts = [await flood.hear("accepted", "refused") for _ in range(count)]
        assert {verdict["id"] for verdict in verdicts} == {f"f{n}" for n in range(count)}
        assert sum(verdict["type"] == "accepted" for verdict in verdicts) == 9


async def test_a_reader_that_stalls_gets_the_newest_state_and_holds_up_nobody() -> None:
    bounds = Bounds(heartbeat_s=0.1, max_backlog_bytes=512 * 1024, slow_limit_s=HANG_LIMIT_S)
    async with served(bounds=bounds) as server:
        await server.open_table()
        slow, quick = await server.client("floor", is_narrow=True), await server.client("floor")
        for client in (slow, quick):
            await client.subscribe("t7")
        slow.connection.transport.pause_reading()
        metrics = server.gateway.metrics
        number = 0
        while metrics.coalesced._value.get() < 50:
            number += 1
            name = f"{number}-" + "x" * 60
            await server.command(
                "t7",
                **(
                    {"type": "take_seat", "seat": 1, "player": name}
                    if number % 2
                    else {"type": "leave", "seat": 1}
                ),
            )
            assert (await quick.hear("delta"))["offset"] == number + 1
            assert number < 5_000
        slow.connection.transport.resume_reading()
        last = await slow.hear("delta", "snapshot")
        while last["type"] == "delta":
            last = await slow.hear("delta", "snapshot")
        assert last["offset"] == number + 1
        await server.command("t7", type="lock_up", seat=5)
        assert (await slow.hear("delta"))["offset"] == number + 2


async def test_a_reader_that_stalls_for_too_long_is_closed_with_4004_and_the_log_says_who(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bounds = Bounds(heartbeat_s=0.1, slow_limit_s=0.2)
    async with served(bounds=bounds) as server:
        await server.open_table()
        slow = await server.client("floor", is_narrow=True, name="wall")
        await slow.subscribe("t7")
        slow.connection.transport.pause_reading()
        number = 0
        closed = server.gateway.metrics.closed.labels("4004")._value
        while not closed.get():
            number += 1
            kind = {"type": "lock_up", "seat": 5} if number % 2 else {"type": "release", "seat": 5}
            await server.command("t7", **kind)
            await asyncio.sleep(0)
        slow.connection.transport.resume_reading()
        assert (await slow.closed())[0] == 4004
        (record,) = [each for each in caplog.records if "does not read" in each.message]
        said = vars(record)
        assert "floor:wall" in said["client"]
        assert said["tables"] == ["t7"]
        assert said["backlog_bytes"] > 0


async def test_a_backlog_past_the_cap_is_closed_with_4004() -> None:
    bounds = Bounds(max_backlog_bytes=100 * 1024, heartbeat_s=60)
    async with served(bounds=bounds, limits=Limits({"floor": Rate(1e9, 1e9)})) as server:
        await server.open_table()
        slow = await server.client("floor", is_narrow=True)
        slow.connection.transport.pause_reading()
        closed = server.gateway.metrics.closed.labels("4004")._value
        async with asyncio.timeout(HANG_LIMIT_S):
            while not closed.get():
                for _ in range(50):
                    await slow.say(type="subscribe", table="t7")
                await asyncio.sleep(0.01)
        slow.connection.transport.resume_reading()
        assert (await slow.closed())[0] == 4004


async def test_a_drain_says_when_to_come_back_closes_with_1012_and_takes_nobody_new() -> None:
    async with served() as server:
        await server.open_table()
        clients = [await server.client("display") for _ in range(5)]
        draining = asyncio.create_task(server.gateway.drain(5))
        for client in clients:
            drain = await client.hear("drain")
            assert 0 <= drain["reconnect_in_ms"] <= 30_000
            assert (await client.closed())[0] == 1012
        await draining
        assert server.gateway.ready() == (False, "draining")
        with pytest.raises(Exception, match="503"):
            await server.connect()


async def both(one: Served, two: Served, codec: str = "json") -> list[Any]:
    clients = []
    for server in (one, two):
        client = await server.client("floor", codec)
        await client.subscribe("t7")
        clients.append(client)
    return clients


async def test_two_processes_show_their_clients_the_same_without_a_gap() -> None:
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as two,
    ):
        await one.open_table()
        watching = await both(one, two)
        rivals = [await server.client("floor") for server in (one, two)]
        count = 30

        async def rival(number: int) -> None:
            for turn in range(count):
                seat = number * 2 + turn % 2 + 1
                command = {"type": "lock_up", "seat": seat, "player": f"{number}-{turn}"}
                for kind, each in (("in", command), ("out", {"type": "release", "seat": seat})):
                    command_id = f"{number}-{turn}-{kind}"
                    verdict = await rivals[number].command("t7", each, id=command_id)
                    while verdict.get("reason") == "too_many":
                        verdict = await rivals[number].command("t7", each, id=command_id)
                    assert verdict["type"] == "accepted", verdict

        await asyncio.gather(rival(0), rival(1))
        last = (await one.gateway.registry.current("t7")).position.offset  # type: ignore[union-attr]
        assert last == 1 + 4 * count
        for client in watching:
            offsets = [(await client.hear("delta"))["offset"] for _ in range(last - 1)]
            assert offsets == list(range(2, last + 1))


async def test_a_client_that_saw_more_on_another_process_is_not_taken_back_in_time() -> None:
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=Bounds(heartbeat_s=60)) as one,
        served(shelves=shelves, bounds=Bounds(heartbeat_s=60), name="two") as two,
    ):
        await one.open_table()
        behind = await two.client("display")
        await behind.subscribe("t7")
        # The hints of these commits never reach the second process.
        two.gateway.registry.on_hint = lambda *_: None  # type: ignore[method-assign]
        for seat in (1, 2):
            await one.command("t7", type="lock_up", seat=seat)
        ahead = await one.client("display")
        snapshot = (await ahead.subscribe("t7"))[0]
        moved = await two.client("display")
        heard = await moved.subscribe("t7", [snapshot["epoch"], snapshot["offset"]])
        assert [message["type"] for message in heard] == ["live"]
        assert heard[0]["recovered"] is True
        assert [(await behind.hear("delta"))["offset"] for _ in range(2)] == [2, 3]
