"""The asyncio door when something breaks, nobody is there, or it is told to give up."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from livebutton_client import Connection, NotConnected, Refused, StreamPosition
from tests.clients.scripts import HANG_LIMIT_S, Script, scripted


@pytest.fixture(autouse=True)
async def _no_hang() -> AsyncIterator[None]:
    async with asyncio.timeout(HANG_LIMIT_S):
        yield


async def test_nobody_there_is_said_in_time(free_port: int) -> None:
    url = f"ws://127.0.0.1:{free_port}/v1/ws"
    with pytest.raises(NotConnected, match=r"within 0\.2 s: .*(refused|[Cc]onnect)"):
        async with Connection(url, token="secret", open_timeout_s=0.2):
            pass


async def test_a_server_that_comes_up_late_is_found(free_port: int) -> None:
    async def welcome(socket: ServerConnection) -> None:
        await Script(socket, 1).welcome()
        await socket.wait_closed()

    url = f"ws://127.0.0.1:{free_port}/v1/ws"
    room = Connection(url, token="secret", open_timeout_s=None)
    async with room:
        while not room._lifeline.problem:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        protocols: Any = ["livebutton.v1.msgpack"]
        async with serve(welcome, "127.0.0.1", free_port, subprotocols=protocols):
            while not room.is_connected:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)


async def test_it_gives_up_when_told_to_and_whoever_waits_is_told_why(free_port: int) -> None:
    url = f"ws://127.0.0.1:{free_port}/v1/ws"
    async with Connection(url, token="secret", open_timeout_s=None, give_up_s=0.1) as room:
        with pytest.raises(NotConnected, match=r"no session for 0\.1 s"):
            await room.command("t1", {"type": "shuffle"})
        with pytest.raises(NotConnected):
            await room.subscribe("t1")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1/ws", "ws:///v1/ws", "127.0.0.1"])
def test_what_is_no_socket_s_address_is_said_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="ws://HOST"):
        Connection(url, token="secret")


async def test_a_preview_is_asked_again_after_a_loss_and_raises_what_is_refused() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        asked = await script.hear("preview")
        assert asked["command"] == {"type": "correct_button", "button": 3}
        if script.number == 1:
            await script.socket.close(1011)
            return
        said = {"id": asked["id"], "table": "t1"}
        told = {"epoch": "e1", "offset": 4, "events": [{"type": "x"}], "plan": {"button": 3}}
        await script.say("previewed", **said, **told)
        asked = await script.hear("preview")
        refused = {"reason": "wrong_phase", "message": "no", "retry": False}
        await script.say("refused", id=asked["id"], table="t1", **refused)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        wish = {"type": "correct_button", "button": 3}
        seen = await room.preview("t1", wish)
        assert (seen.position, seen.plan) == (StreamPosition("e1", 4), {"button": 3})
        with pytest.raises(Refused, match="wrong_phase"):
            await room.preview("t1", {"type": "end_hand"})


async def test_a_tick_that_breaks_costs_the_session_and_not_the_ticking() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        await script.hear("subscribe")
        await script.show("t1", script.number)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        table = await room.subscribe("t1")
        ticks = room._core.tick
        breaks: list[int] = []

        def trip_once(now_ms: int) -> Any:
            if not breaks:
                breaks.append(now_ms)
                raise RuntimeError("a fault of ours")
            breaks.append(now_ms)
            return ticks(now_ms)

        room._core.tick = trip_once  # type: ignore[method-assign]
        assert await table.reach(StreamPosition("e1", 2)) == {}
        while len(breaks) < 3:  # noqa: ASYNC110 - the core knows of no event
            await asyncio.sleep(0.01)


async def test_a_message_that_cannot_be_sent_costs_the_session_and_nothing_waits_for_ever() -> None:
    async def play(script: Script) -> None:
        await script.welcome()
        asked = await script.hear("verdict" if script.number == 2 else "command")
        if script.number == 2:
            await script.say("accepted", id=asked["id"], table="t1", epoch="e1", offset=7)

    async with scripted(play) as url, Connection(url, token="secret") as room:
        room._lifeline._outgoing.put_nowait(object())  # type: ignore[arg-type]
        accepted = await room.command("t1", {"type": "shuffle"})
        assert accepted.position == StreamPosition("e1", 7)
