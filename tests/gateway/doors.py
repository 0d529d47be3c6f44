"""A whole server in this process, over the dict store, and clients that know only the wire."""

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgpack
import websockets
from websockets.asyncio.client import ClientConnection

from livebutton.app import bind
from livebutton.gateway.auth import Credential, Role, Signer
from livebutton.gateway.gateway import Bounds, Gateway
from livebutton.gateway.http import application
from livebutton.gateway.limits import Limits
from livebutton.gateway.listener import listener
from livebutton.store.archive import Archive
from livebutton.store.contract import Store
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.tables.changes import CommandRequest
from livebutton.tables.clock import Clock, SystemClock
from livebutton.tables.registry import Registry

HANG_LIMIT_S = 60.0
SECRET = b"a secret that is only for the tests here"
OPEN_TABLE = {
    "type": "open_table",
    "name": "Table 7",
    "seats": 9,
    "rules": "caro-cooke",
    "stakes": {"small": 5, "big": 10},
}
_numbers = itertools.count()
FLOOR = Credential(id="the-test", role="floor", exp=2**40)


async def until(condition: Callable[[], object], what: str) -> None:
    """Return as soon as the condition holds. TimeoutError, naming `what`, past the limit."""
    try:
        async with asyncio.timeout(HANG_LIMIT_S):
            while not condition():  # noqa: ASYNC110 - what it looks at is everybody's
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise TimeoutError(what) from None


class Client:
    """One websocket: says maps, hears maps."""

    def __init__(self, connection: ClientConnection, codec: str) -> None:
        self.connection = connection
        self.codec = codec
        self._count = 0

    async def say(self, **fields: Any) -> None:
        data = json.dumps(fields) if self.codec == "json" else msgpack.packb(fields)
        await self.connection.send(data)

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types; when none is named, of any but a heartbeat."""
        async with asyncio.timeout(HANG_LIMIT_S):
            while True:
                data = await self.connection.recv()
                message: dict[str, Any]
                if self.codec == "json":
                    assert isinstance(data, str)
                    message = json.loads(data)
                else:
                    assert isinstance(data, bytes)
                    message = msgpack.unpackb(data)
                kind = message["type"]
                if kind in kinds or (not kinds and kind != "heartbeat"):
                    return message

    async def hello(self, token: str, client: str = "test/1") -> dict[str, Any]:
        await self.say(type="hello", token=token, client=client)
        return await self.hear("welcome")

    async def subscribe(self, table: str, since: list[Any] | None = None) -> list[dict[str, Any]]:
        """Everything up to `live`, that included."""
        extra = {} if since is None else {"since": since}
        await self.say(type="subscribe", table=table, **extra)
        heard = [await self.hear()]
        while heard[-1]["type"] not in ("live", "error"):
            heard.append(await self.hear())
        return heard

    async def command(self, table: str, command: dict[str, Any], **extra: Any) -> dict[str, Any]:
        """The verdict on one command; what else comes before it is dropped."""
        self._count += 1
        command_id = extra.pop("id", f"{id(self)}-{self._count}")
        await self.say(type="command", id=command_id, table=table, command=command, **extra)
        return await self.hear("accepted", "refused", "error")

    async def closed(self) -> tuple[int, str]:
        """The close code and reason, once the server has closed the socket."""
        async with asyncio.timeout(HANG_LIMIT_S):
            with contextlib.suppress(websockets.ConnectionClosed):
                while True:
                    await self.connection.recv()
        assert self.connection.close_code is not None
        return self.connection.close_code, self.connection.close_reason or ""


class Served:
    """A server that runs: its parts, its address, tokens for it."""

    def __init__(self, gateway: Gateway, port: int, clock: Clock) -> None:
        self.gateway = gateway
        self.port = port
        self.signer = Signer(SECRET, lambda: clock.now_ms() / 1000)
        self._clients = contextlib.AsyncExitStack()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def token(self, role: Role = "floor", *, ttl_s: int = 600, **scope: Any) -> str:
        return self.signer.mint(role, ttl_s=ttl_s, **scope)[0]

    async def connect(self, codec: str = "json", **options: Any) -> Client:
        """A websocket that has said nothing yet."""
        connection = await self._clients.enter_async_context(
            websockets.connect(
                f"ws://127.0.0.1:{self.port}/v1/ws",
                subprotocols=[websockets.Subprotocol(f"livebutton.v1.{codec}")],
                compression=None,
                proxy=None,
                **{"open_timeout": HANG_LIMIT_S, **options},
            )
        )
        return Client(connection, codec)

    async def client(
        self, role: Role = "floor", codec: str = "json", *, is_narrow: bool = False, **scope: Any
    ) -> Client:
        """A websocket that has said hello; a narrow one has little room for what it does not read.

        The room is set before it connects: to take it back later is more than TCP can bear.
        """
        options = {}
        if is_narrow:
            options["sock"] = socket.socket()
            options["sock"].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 * 1024)
            options["sock"].setblocking(False)
            address = ("127.0.0.1", self.port)
            await asyncio.get_running_loop().sock_connect(options["sock"], address)
        client = await self.connect(codec, **options)
        await client.hello(self.token(role, **scope))
        return client

    async def command(self, table: str, **command: Any) -> None:
        """Put a command to a table from inside; it must be accepted."""
        request = CommandRequest(f"inside-{next(_numbers)}", table, command, role="floor")
        answer = await self.gateway.judging.judge(request, FLOOR)
        assert type(answer).__name__ == "Accepted", answer

    async def open_table(self, table: str = "t7", **fields: Any) -> None:
        await self.command(table, **{**OPEN_TABLE, **fields})

    async def play(self, table: str = "t7", **fields: Any) -> None:
        """A table with three players and a hand being played."""
        await self.open_table(table, **fields)
        for seat, player in ((1, "ann"), (2, "bob"), (3, "cat")):
            await self.command(table, type="take_seat", seat=seat, player=player, stack=500)
        await self.command(table, type="start_game", button=1)
        await self.command(table, type="deal")

    async def stop(self) -> None:
        await self._clients.aclose()


@contextlib.asynccontextmanager
async def served(
    *,
    shelves: MemoryShelves | None = None,
    bounds: Bounds | None = None,
    limits: Limits | None = None,
    origins: frozenset[str] = frozenset(),
    clock: Clock | None = None,
    name: str = "one",
    archive: Archive | None = None,
    store: Store | None = None,
) -> AsyncIterator[Served]:
    """A server on a free port, for as long as this lasts; over the dict store unless it has one."""
    clock = clock or SystemClock()
    bounds = bounds or Bounds()
    registry = Registry(
        store or MemoryStore(shelves, name),
        clock=clock,
        heartbeat_s=bounds.heartbeat_s,
        canary_s=0.05,
    )
    gateway = Gateway(
        registry,
        Signer(SECRET, lambda: clock.now_ms() / 1000),
        clock,
        bounds=bounds,
        limits=limits,
        origins=origins,
        archive=archive,
    )
    bound = bind("127.0.0.1", 0)
    server = listener(gateway, application(gateway))
    await registry.start()
    await gateway.start()
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    running = Served(gateway, bound.getsockname()[1], clock)
    try:
        await until(lambda: server.started and registry.ready()[0], "the server is ready")
        yield running
    finally:
        await running.stop()
        server.should_exit = True
        await serving
        await gateway.stop()
        await registry.stop()


async def raw(port: int, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection that has sent these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    await writer.drain()
    return reader, writer


def handshake(subprotocol: str = "livebutton.v1.json", path: str = "/v1/ws", **more: str) -> bytes:
    """The bytes of an upgrade request."""
    headers = {
        "Host": "127.0.0.1",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    if subprotocol:
        headers["Sec-WebSocket-Protocol"] = subprotocol
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in {**headers, **more}.items()]
    return ("\r\n".join([f"GET {path} HTTP/1.1", *lines]) + "\r\n\r\n").encode()


def masked(first_byte: int, payload: bytes, length: bytes | None = None) -> bytes:
    """A client's frame with a mask of zeros, which leaves the payload readable."""
    if length is None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
    return bytes([first_byte]) + length + b"\0\0\0\0" + payload
