"""The asyncio door against a scripted server on a real socket: what a program sees."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from livebutton_client import (
    Closed,
    Connection,
    FollowedRoom,
    Refused,
    Revoked,
    RoomPicture,
    StreamPosition,
    SubscriptionRefused,
    Unauthorized,
)
from livebutton_client.following import MAX_WAITING
from tests.clients.scripts import HANG_LIMIT_S, Script, scripted


@pytest.fixture(autouse=True)
async def _no_hang() -> AsyncIterator[None]:
    async with asyncio.timeout(HANG_LIMIT_S):
        yield


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_a_program_follows_a_table_and_commands_it(codec: Any) -> None:
    async def play(script: Script) -> None:
        assert await script.welcome() == "secret"
        assert await script.hear("subscribe") == {"type": "subscribe", "table": "t1"}
        await script.show("t1", 3, hand=7)
        asked = await script.hear("command")
        assert asked["command"] == {"type": "end_hand"}
        assert asked["expected"] == ["e1", 3]
        await script.say("accepted", id=asked["id"], table="t1", epoch="e1", offset=4)
        await script.delta("t1", 4, hand=None, name="Zoë")
        asked = await script.hear("command")
        refused = {"reason": "wrong_phase", "message": "no", "rule": "new-game"}
        await script.say("refused", id=asked["id"], table="t1", retry=False, **refused)

    async with scripted(play) as url, Connection(url, token="secret", codec=codec) as room:
        table = await room.subscribe("t1")
        assert table.view == {"hand": 7}
        first = await anext(table)
        assert (first.is_snapshot, first.view) == (True, {"hand": 7})
        accepted = await table.command({"type": "end_hand"}, expected=table.position)
        assert accepted.position == StreamPosition("e1", 4)
        assert await table.reach(accepted.position) == {"name": "Zoë"}
        second = await anext(table)
        assert second.events == ({"type": "hand_ended"},)
        assert table.freshness == "fresh"
        with pytest.raises(Refused) as refused:
            await table.command({"type": "end_hand"})
        assert (refused.value.reason, refused.value.rule) == ("wrong_phase", "new-game")


async def test_a_cut_line_is_mended_and_each_table_goes_on_where_it_was() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        if script.number == 1:
            for offset in (3, 8):
                table = (await script.hear("subscribe"))["table"]
                await script.show(table, offset, hand=offset)
            script.socket.transport.abort()
            return
        since = {}
        for _ in range(2):
            asked = await script.hear("subscribe")
            since[asked["table"]] = asked["since"]
        assert since == {"t1": ["e1", 3], "t2": ["e1", 8]}
        await script.delta("t1", 4, hand=4)
        for table in since:
            await script.say("live", table=table, recovered=True)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        one, two = await room.subscribe("t1"), await room.subscribe("t2")
        await one.reach(StreamPosition("e1", 4))
        assert one.view == {"hand": 4}
        assert two.view == {"hand": 8}
        changes = [await anext(one), await anext(one)]
        assert [change.position.offset for change in changes] == [3, 4]


async def test_a_command_in_flight_when_the_line_is_cut_gets_its_one_verdict() -> None:
    heard: list[str] = []

    async def play(script: Script) -> None:
        await script.welcome()
        if script.number == 1:
            heard.append((await script.hear("command"))["id"])
            script.socket.transport.abort()
            return
        heard.append((await script.hear("verdict"))["id"])
        await script.say("accepted", id=heard[-1], table="t1", epoch="e1", offset=9)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        accepted = await room.command("t1", {"type": "shuffle"}, command_id="mine")
    assert accepted.position == StreamPosition("e1", 9)
    assert heard == ["mine", "mine"]


async def test_garbage_from_the_server_ends_the_session_and_not_the_program() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        if script.number == 1:
            await script.socket.send(b"\xc1\xff\x00")
            return
        await script.hear("subscribe")
        await script.show("t1", 1)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        assert (await room.subscribe("t1")).position == StreamPosition("e1", 1)


async def test_a_token_that_is_not_believed_ends_it_with_a_sentence() -> None:
    async def play(script: Script) -> None:
        await script.hear("hello")
        await script.socket.close(4001, "the token has expired")

    async with scripted(play) as url:
        with pytest.raises(Unauthorized, match="the token has expired"):
            async with Connection(url, token="old"):
                pass


async def test_a_revoked_token_ends_loops_and_commands() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        await script.hear("subscribe")
        await script.show("t1", 1)
        await script.hear("command")
        await script.socket.close(4003, "the token was revoked")

    async with scripted(play) as url, Connection(url, token="secret") as room:
        table = await room.subscribe("t1")
        with pytest.raises(Revoked):
            await table.command({"type": "shuffle"})
        await anext(table)
        with pytest.raises(Revoked):
            await anext(table)
        assert table.freshness == "unknown"
        with pytest.raises(Revoked):
            await room.subscribe("t2")


async def test_an_expired_token_is_replaced_where_there_is_a_callback() -> None:
    tokens: list[str] = []
    seen: list[str] = []
    is_back = asyncio.Event()

    async def play(script: Script) -> None:
        seen.append(await script.welcome())
        if script.number == 1:
            await script.socket.close(4001, "the token has expired")
        else:
            is_back.set()

    async def newer() -> str:
        tokens.append(f"token {len(tokens) + 1}")
        return tokens[-1]

    async with scripted(play) as url, Connection(url, token=newer):
        await is_back.wait()
    assert seen == ["token 1", "token 2"]


async def test_a_token_is_renewed_on_the_same_session_before_it_ends() -> None:
    renewed = asyncio.Event()
    made = 0

    async def play(script: Script) -> None:
        await script.welcome()
        refresh = await script.hear("refresh")
        assert refresh["token"].endswith(".2")
        assert script.number == 1
        renewed.set()

    def token() -> str:
        # The scripted server's clock stands at 1 s.
        nonlocal made
        made += 1
        claims = base64.urlsafe_b64encode(json.dumps({"exp": 1.5}).encode()).decode().rstrip("=")
        return f"head.{claims}.{made}"

    async with scripted(play) as url, Connection(url, token=token):
        await renewed.wait()


async def test_a_table_that_is_not_there_is_refused() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        await script.hear("subscribe")
        await script.say("error", code="no_table", message="none", retry=False, table="t9")

    async with scripted(play) as url, Connection(url, token="secret") as room:
        with pytest.raises(SubscriptionRefused) as refused:
            await room.subscribe("t9")
    assert (refused.value.name, refused.value.code) == ("t9", "no_table")


async def test_a_room_is_followed_by_its_newest_picture() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        assert await script.hear("subscribe") == {"type": "subscribe", "room": "main"}
        for number in range(3):
            tables = [{"table": f"t{number}"}]
            await script.say("room", room="main", tables=tables, screens=[], waiting=[])

    async with scripted(play) as url, Connection(url, token="secret") as room:
        followed = await room.subscribe_room("main")
        seen = [picture async for picture in _until(followed, {"table": "t2"})]
        assert 1 <= len(seen) <= 3
        assert followed.picture == seen[-1]


async def _until(followed: FollowedRoom, table: dict[str, str]) -> AsyncIterator[RoomPicture]:
    async for picture in followed:
        yield picture
        if picture.tables[0] == table:
            return


async def test_a_reader_who_falls_behind_gets_the_newest_and_is_told_how_much_he_missed() -> None:
    behind = MAX_WAITING + 20

    async def play(script: Script) -> None:
        await script.welcome()
        await script.hear("subscribe")
        await script.show("t1", 1)
        for offset in range(2, behind + 1):
            await script.delta("t1", offset, hand=offset)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        table = await room.subscribe("t1")
        await table.reach(StreamPosition("e1", behind))
        read, skipped = 0, 0
        while skipped + read < behind:
            change = await anext(table)
            read, skipped = read + 1, skipped + change.skipped
        assert change.view == {"hand": behind}
        assert 0 < read <= MAX_WAITING
        assert skipped >= 1


async def test_closing_ends_loops_and_fails_what_still_waits() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        await script.hear("subscribe")
        await script.show("t1", 1)

    async with scripted(play) as url:
        async with Connection(url, token="secret") as room:
            table = await room.subscribe("t1")
            waiting = asyncio.create_task(table.command({"type": "shuffle"}))
            asked = asyncio.create_task(room.verdict("t1", "old"))
            await asyncio.sleep(0)
        assert [change.position.offset async for change in table] == [1]
        for task in (waiting, asked):
            with pytest.raises(Closed):
                await task
        with pytest.raises(Closed):
            await room.command("t1", {"type": "shuffle"})


async def test_what_cannot_be_sent_is_an_error_of_the_program_and_leaves_the_line_alone() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        asked = await script.hear("command")
        await script.say("accepted", id=asked["id"], table="t1", epoch="e1", offset=1)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        with pytest.raises(TypeError):
            await room.command("t1", {"type": "rename", "name": object()})
        with pytest.raises(ValueError, match="bytes"):
            await room.command("t1", {"type": "rename", "name": "x" * 40_000})
        with pytest.raises(ValueError, match="table"):
            await room.command("", {"type": "open_table"})
        assert (await room.command("t1", {"type": "shuffle"})).position.offset == 1
