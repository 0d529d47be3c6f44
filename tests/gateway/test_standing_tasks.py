"""What serves everybody goes on whatever one table, room, socket or record does to it."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from livebutton.gateway import watching
from livebutton.gateway.gateway import Bounds
from livebutton.gateway.rooms import Revoked
from livebutton.gateway.summary import summary
from livebutton.store.keys import EVERYWHERE
from livebutton.store.memory_store import MemoryShelves
from tests.gateway.doors import served, until

QUICK = Bounds(heartbeat_s=0.1, room_s=0.1)


class Fault:
    """A function in whose place something of ours breaks, as long as it is told to."""

    def __init__(self, real: Any, is_hit: Any) -> None:
        self._real = real
        self._is_hit = is_hit
        self.is_on = True
        self.hits_count = 0

    def __call__(self, *args: Any, **named: Any) -> Any:
        if self.is_on and self._is_hit(*args):
            self.hits_count += 1
            raise RuntimeError("a fault of ours")
        return self._real(*args, **named)


@pytest.fixture
def broken_view(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fault]:
    """The view of table t13 cannot be made."""
    fault = Fault(watching.view_for, lambda table, _: table.setup.table == "t13")
    fault.is_on = False
    monkeypatch.setattr(watching, "view_for", fault)
    yield fault
    assert fault.hits_count


async def test_a_table_that_cannot_be_shown_is_said_to_be_so_and_the_process_goes_on(
    broken_view: Fault,
) -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table("t13")
        await server.open_table("t7")
        screen = await server.client("display")
        broken_view.is_on = True
        (error,) = await screen.subscribe("t13")
        assert (error["code"], error["retry"], error["table"]) == ("unavailable", True, "t13")
        assert server.gateway.ready() == (True, "")
        assert (await screen.subscribe("t7"))[-1]["type"] == "live"
        broken_view.is_on = False
        assert (await screen.subscribe("t13"))[-1]["type"] == "live"


async def test_a_change_that_cannot_be_told_lets_its_watchers_know(broken_view: Fault) -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table("t13")
        screen, floor = await server.client("display"), await server.client("floor")
        await screen.subscribe("t13")
        broken_view.is_on = True
        answer = await floor.command("t13", {"type": "lock_up", "seat": 4})
        assert (answer["type"], answer["offset"]) == ("accepted", 2)
        error = await screen.hear("error")
        assert (error["code"], error["retry"], error["table"]) == ("unavailable", True, "t13")
        broken_view.is_on = False
        snapshot, _ = await screen.subscribe("t13")
        assert (snapshot["type"], snapshot["offset"]) == ("snapshot", 2)


async def test_a_heartbeat_does_not_name_a_table_that_lags_behind_the_store() -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table("t7")
        await server.open_table("t8")
        screen = await server.client("display")
        await screen.subscribe("t7")
        await screen.subscribe("t8")
        server.gateway.registry.is_current = lambda table: table != "t7"  # type: ignore[method-assign]
        await screen.say(type="ping")
        beat = await screen.hear("heartbeat")
        while "t7" in beat["tables"]:
            beat = await screen.hear("heartbeat")
        assert list(beat["tables"]) == ["t8"]


async def test_a_socket_that_trips_the_heartbeats_ends_nobody_elses() -> None:
    async with served(bounds=QUICK) as server:
        await server.client("display", name="trips")
        other = await server.client("display", name="other")
        (tripping,) = [
            each
            for each in server.gateway.hub.clients
            if each.credential is not None and each.credential.name == "trips"
        ]
        real = type(tripping).sweep
        fault = Fault(real, lambda socket, _: socket is tripping)
        type(tripping).sweep = lambda self, now_ms: fault(self, now_ms)  # type: ignore[method-assign]
        await until(lambda: fault.hits_count > 2, "it trips again and again")
        for _ in range(3):
            await other.hear("heartbeat")
        assert server.gateway.ready() == (True, "")


async def test_a_command_that_breaks_on_its_way_is_answered_all_the_same() -> None:
    async with served() as server:
        await server.open_table()
        floor = await server.client("floor")
        judge = Fault(server.gateway.registry.command, lambda *_: True)
        server.gateway.registry.command = judge  # type: ignore[method-assign]
        answer = await floor.command("t7", {"type": "lock_up", "seat": 4}, id="c-1")
        assert (answer["type"], answer["code"], answer["retry"]) == ("error", "unavailable", True)
        assert (answer["id"], answer["table"]) == ("c-1", "t7")
        judge.is_on = False
        again = await floor.command("t7", {"type": "lock_up", "seat": 4}, id="c-1")
        assert again["type"] == "accepted"


async def test_a_room_that_cannot_be_shown_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = Fault(summary, lambda at, _: at.table.setup.room == "west")
    monkeypatch.setattr("livebutton.gateway.feed.summary", fault)
    async with served(bounds=QUICK) as server:
        await server.open_table("t1", room="west")
        await server.open_table("t2", room="east")
        floor = await server.client("floor")
        for room in ("west", "east"):
            await floor.say(type="subscribe", room=room)
        picture = await floor.hear("room")
        while not (fault.hits_count and picture["room"] == "east" and picture["tables"]):
            picture = await floor.hear("room")
        assert server.gateway.ready() == (True, "")
        fault.is_on = False
        while not (picture["room"] == "west" and picture["tables"]):
            picture = await floor.hear("room")


async def test_a_revocation_that_cannot_be_read_hides_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("livebutton.gateway.rooms.SHELF_CHECK_S", 0.02)
    shelves = MemoryShelves()
    async with served(shelves=shelves) as server:
        screen = await server.connect()
        token, credential = server.signer.mint("display", ttl_s=600)
        await screen.hello(token)
        rooms = server.gateway.rooms
        reading = Fault(rooms._read_shelves, lambda *_: True)
        rooms._read_shelves = reading  # type: ignore[method-assign]
        await until(lambda: reading.hits_count > 2, "the reading breaks again and again")
        store = server.gateway.registry.store
        await store.put(EVERYWHERE, "revocations", "a-spoilt-one", b"\xc1", 60_000)
        # As another process would, whose news is lost.
        packed = msgspec.msgpack.encode(Revoked(credential.id, credential.exp))
        await store.put(EVERYWHERE, "revocations", credential.id, packed, 60_000)
        reading.is_on = False
        assert (await screen.closed())[0] == 4003
        assert server.gateway.ready() == (True, "")
