"""A server on a real socket that follows a script, for what a program sees of the SDK's door."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

HANG_LIMIT_S = 20.0
# The scripted server sends no heartbeats: it must not be missed while a loaded machine thinks.
WELCOME = {"type": "welcome", "session": "s", "heartbeat_s": 600.0, "reconnect_window_ms": 20}


class Script:
    """One session as the server sees it. Each session runs the same script, with its number."""

    def __init__(self, socket: ServerConnection, number: int) -> None:
        self.socket = socket
        self.number = number
        self.is_json = socket.subprotocol == "livebutton.v1.json"

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of that type; others before it are passed over."""
        while True:
            frame = await self.socket.recv()
            message = json.loads(frame) if self.is_json else msgpack.unpackb(frame)
            if message["type"] == kind:
                return dict(message)

    async def say(self, kind: str, **fields: Any) -> None:
        message = {"type": kind, **fields}
        packed = json.dumps(message) if self.is_json else msgpack.packb(message)
        await self.socket.send(packed)

    async def welcome(self) -> str:
        token: str = (await self.hear("hello"))["token"]
        await self.say(**_named(WELCOME), now_ms=1_000)
        return token

    async def show(self, table: str, offset: int, **view: Any) -> None:
        """Answer a subscribe with a snapshot."""
        await self.say("snapshot", table=table, epoch="e1", offset=offset, view=view)
        await self.say("live", table=table, recovered=False)

    async def delta(self, table: str, offset: int, **patch: Any) -> None:
        events = [{"type": "hand_ended"}]
        await self.say("delta", table=table, epoch="e1", offset=offset, patch=patch, events=events)


def _named(message: dict[str, Any]) -> dict[str, Any]:
    return {("kind" if key == "type" else key): value for key, value in message.items()}


Play = Callable[[Script], Awaitable[None]]


@asynccontextmanager
async def scripted(play: Play) -> AsyncIterator[str]:
    """A server whose sessions follow the script; what goes wrong in one is raised at the end."""
    count = 0
    wrong: list[BaseException] = []

    async def session(socket: ServerConnection) -> None:
        nonlocal count
        count += 1
        script = Script(socket, count)
        try:
            await play(script)
            await socket.wait_closed()
        except AssertionError as error:
            wrong.append(error)
            raise
        except ConnectionClosed:
            return  # the client has gone in the middle of it

    protocols = ["livebutton.v1.msgpack", "livebutton.v1.json"]
    async with serve(session, "127.0.0.1", 0, subprotocols=protocols) as server:  # type: ignore[arg-type]
        port = server.sockets[0].getsockname()[1]
        yield f"ws://127.0.0.1:{port}/v1/ws"
    if wrong:
        raise wrong[0]
