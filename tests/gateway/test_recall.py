"""A resume that no memory of the process can fill is filled from the stream, or not at all."""

import asyncio
from typing import Any

import msgspec
import pytest

from livebutton import views
from livebutton.gateway.auth import Role
from livebutton.gateway.recall import MAX_RECALL, back
from livebutton.store.memory_store import MemoryShelves
from livebutton.tables.registry import Registry
from tests.gateway.doors import Client, Served, served, until

GAME: list[dict[str, Any]] = [
    {"type": "take_seat", "seat": 1, "player": "ann", "stack": 500},
    {"type": "take_seat", "seat": 2, "player": "bob", "stack": 500},
    {"type": "take_seat", "seat": 3, "player": "cat", "stack": 500},
    {"type": "start_game", "button": 1},
    {"type": "shuffle"},
    {"type": "deal"},
    {"type": "undo"},
    {"type": "undo"},
    {"type": "deal"},
    {"type": "sit_out", "seat": 2},
    {"type": "set_stack", "seat": 1, "stack": 730},
    {"type": "end_hand"},
    {"type": "deal"},
    {"type": "join_list", "player": "gus"},
    {"type": "end_hand"},
    {"type": "take_seat", "seat": 4, "player": "dan", "stack": 500},
    {"type": "sit_in", "seat": 2},
    {"type": "undo"},
    {"type": "set_stakes", "stakes": {"small": 10, "big": 20}},
    {"type": "deal"},
    {"type": "end_hand"},
    {"type": "leave", "seat": 3},
    {"type": "rename", "seat": 1, "name": "Ann B"},
    {"type": "deal"},
]
ROLES: list[tuple[Role, dict[str, Any]]] = [
    ("display", {}),
    ("floor", {}),
    ("player", {"tables": ("t7",), "seat": 2}),
]


async def told(client: Client, until_offset: int) -> list[dict[str, Any]]:
    """Every delta up to one."""
    deltas = [await client.hear("delta")]
    while deltas[-1]["offset"] < until_offset:
        deltas.append(await client.hear("delta"))
    return deltas


async def missed(server: Served, since: list[Any], role: Role = "display", **scope: Any) -> Any:
    """What a new client hears up to `live`."""
    return await (await server.client(role, **scope)).subscribe("t7", since)


def kinds(heard: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in heard]


@pytest.mark.parametrize(("role", "scope"), ROLES, ids=lambda value: str(value))
async def test_another_process_tells_the_very_deltas_that_were_told(
    role: Role, scope: dict[str, Any]
) -> None:
    shelves = MemoryShelves()
    async with served(shelves=shelves, name="one") as server:
        await server.open_table()
        client = await server.client(role, **scope)
        snapshot = (await client.subscribe("t7"))[0]
        for command in GAME:
            await server.command("t7", **command)
        deltas = await told(client, len(GAME) + 1)
    newest = snapshot["view"]
    for delta in deltas:
        newest = views.apply_patch(newest, delta["patch"])
    # Each by a process that watched nothing: after the checkpoint, before it, beyond an undo.
    for offset in (24, 18, 14, 7, 1):
        async with served(shelves=shelves, name=f"since {offset}") as server:
            heard = await missed(server, [snapshot["epoch"], offset], role, **scope)
            assert heard[:-1] == deltas[offset - 1 :]
            assert heard[-1] == {"type": "live", "table": "t7", "recovered": True}
            shown = (await missed(server, ["another", 1], role, **scope))[0]
            assert shown["view"] == newest


async def test_a_table_that_nobody_watched_here_is_resumed_whole() -> None:
    async with served() as server:
        await server.open_table()
        for command in GAME[:3]:
            await server.command("t7", **command)
        at = server.gateway.registry.peek("t7")
        assert at is not None
        for _ in range(2):
            heard = await missed(server, [at.position.epoch, 3])
            assert kinds(heard) == ["delta", "live"]
            assert heard[-1]["recovered"] is True


@pytest.mark.parametrize("offset", [0, 99])
async def test_a_position_that_no_view_had_gets_a_snapshot(offset: int) -> None:
    async with served() as server:
        await server.play()
        at = server.gateway.registry.peek("t7")
        assert at is not None
        heard = await missed(server, [at.position.epoch, offset])
        assert kinds(heard) == ["snapshot", "live"]
        assert heard[-1]["recovered"] is False


async def test_further_back_than_is_told_again_it_is_a_snapshot() -> None:
    async with served() as server:
        await server.open_table()
        await server.command("t7", type="take_seat", seat=1, player="ann")
        for number in range(MAX_RECALL):
            await server.command("t7", type="set_stack", seat=1, stack=number + 1)
        at = server.gateway.registry.peek("t7")
        assert at is not None
        here = at.position.offset
        assert kinds(await missed(server, [at.position.epoch, here - MAX_RECALL - 1])) == [
            "snapshot",
            "live",
        ]
        heard = await missed(server, [at.position.epoch, here - MAX_RECALL])
        assert kinds(heard) == ["delta"] * MAX_RECALL + ["live"]


async def test_commits_that_are_no_longer_there_make_it_a_snapshot() -> None:
    shelves = MemoryShelves()
    async with served(shelves=shelves) as server:
        await server.open_table()
        for command in GAME:
            await server.command("t7", **command)
        at = server.gateway.registry.peek("t7")
        assert at is not None
        await server.gateway.registry.store.trim("t7", 12)
        assert kinds(await missed(server, [at.position.epoch, 9])) == ["snapshot", "live"]
        # Those are there, but an undo lies before the checkpoint and the beginning is gone.
        async with served(shelves=shelves, name="two") as other:
            heard = await missed(other, [at.position.epoch, len(GAME) - 1])
            assert kinds(heard) == ["delta", "delta", "live"]


def hold_back(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> tuple[asyncio.Event, asyncio.Event]:
    """Commits are read from now on, but handed out only once the second event is set.

    The first says that some have been read.
    """
    is_read, gate, read = asyncio.Event(), asyncio.Event(), registry.entries

    async def slowly(*args: Any) -> Any:
        found = await read(*args)
        is_read.set()
        await gate.wait()
        return found

    monkeypatch.setattr(registry, "entries", slowly)
    return is_read, gate


async def test_changes_that_come_while_the_past_is_read_come_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with served() as server:
        await server.open_table()
        for command in GAME[:4]:
            await server.command("t7", **command)
        registry = server.gateway.registry
        at = registry.peek("t7")
        assert at is not None
        is_read, gate = hold_back(registry, monkeypatch)
        clients = [await server.client("display") for _ in range(3)]
        for client, offset in zip(clients, (2, 4, 1), strict=True):
            await client.say(type="subscribe", table="t7", since=[at.position.epoch, offset])
            await is_read.wait()
        await clients[0].say(type="ping")
        assert (await clients[0].hear("heartbeat", "delta", "live"))["tables"] == {}
        for command in GAME[4:6]:
            await server.command("t7", **command)
        gate.set()
        for client, offset in zip(clients, (2, 4, 1), strict=True):
            heard = [await client.hear()]
            while heard[-1]["type"] != "live":
                heard.append(await client.hear())
            assert [delta["offset"] for delta in heard[:-1]] == list(range(offset + 1, 8))
            assert heard[-1]["recovered"] is True
        await server.command("t7", type="end_hand")
        for client in clients:
            assert (await client.hear())["offset"] == 8


async def test_whoever_leaves_or_asks_anew_while_the_past_is_read_gets_no_second_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with served() as server:
        await server.open_table()
        for command in GAME[:4]:
            await server.command("t7", **command)
        registry = server.gateway.registry
        at = registry.peek("t7")
        assert at is not None
        is_read, gate = hold_back(registry, monkeypatch)
        gone, anew = await server.client("display"), await server.client("display")
        for client in (gone, anew):
            await client.say(type="subscribe", table="t7", since=[at.position.epoch, 2])
        await is_read.wait()
        await gone.say(type="unsubscribe", table="t7")
        await anew.say(type="subscribe", table="t7")
        assert [(await anew.hear())["type"] for _ in range(2)] == ["snapshot", "live"]
        gate.set()
        await until(lambda: not server.gateway.hub._recalling, "the past is read")
        await server.command("t7", type="deal")
        assert (await anew.hear())["offset"] == 6
        await gone.say(type="ping")
        assert (await gone.hear("heartbeat", "delta", "snapshot", "live"))["tables"] == {}


def test_the_history_says_how_it_was_as_far_as_it_reaches() -> None:
    from tests.gateway.test_watching import Play

    play = Play()
    tables = [play.table]
    for command in GAME[:6]:
        play.do(**command)
        tables.append(play.table)
    for offset, table in enumerate(tables, 1):
        assert back(tables[-1], offset) == table
    cut = msgspec.structs.replace(tables[-1], undo=tables[-1].undo[-2:])
    assert back(cut, 6) is not None
    assert back(cut, 5) is None
    play.do(type="undo")
    assert back(play.table, 7) is None
