"""The servers that a bench measures, each in a process of its own that tells what CPU it used.

`livebutton`: the whole server, as `serve` runs it. `bare`: a loop of send(2) over its sockets, the
least that telling many can cost in Python. `broadcast`: a server of the websockets package, which
tells them all by its `broadcast`.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.typing import Subprotocol

from livebutton import app
from livebutton.bench.crowd import HANG_LIMIT_S, Lost
from livebutton.settings import Settings
from livebutton.store.embedded import EmbeddedValkey
from livebutton.wire.messages import SUBPROTOCOL_JSON

WATCH = "/watch"
DRIVE = "/drive"


class Side:
    """One server process. It is reached on `port`, from `start` to `stop`."""

    def __init__(self, work: Callable[..., None], *given: Any) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._link, theirs = spawn.Pipe()
        self._process = spawn.Process(target=work, args=(theirs, *given))
        self._theirs = theirs
        self.port = 0

    def start(self) -> None:
        """Start it. Raises Lost when it does not come up."""
        self._process.start()
        self._theirs.close()
        self.port = self._answer()

    def cpu_s(self) -> float:
        """What it has used of a core so far, in seconds."""
        self._link.send(("cpu", None))
        return float(self._answer())

    def tell(self, payloads: list[bytes]) -> None:
        """What a baseline is to send, in turn, each time it is driven."""
        self._link.send(("payloads", payloads))
        self._answer()

    def stop(self) -> None:
        """End it; kill it when it does not."""
        with contextlib.suppress(OSError):
            self._link.send(("stop", None))
        if self._process.pid is not None:
            self._process.join(HANG_LIMIT_S)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        self._link.close()

    def _answer(self) -> Any:
        if not self._link.poll(HANG_LIMIT_S):
            raise Lost("a server process does not answer")
        try:
            return self._link.recv()
        except (EOFError, OSError):
            raise Lost("a server process ended; what it said is above") from None


def livebutton(link: Connection, folder: str) -> None:
    """The whole server, with a Valkey of its own in the folder."""
    settings = Settings(host="127.0.0.1", port=0, data=Path(folder), drain_s=0.1)
    bound = app.bind(settings.host, settings.port)
    valkey = EmbeddedValkey(app.store_folder(settings))
    valkey.start()

    async def work() -> None:
        def on_word() -> None:
            try:
                word, _ = link.recv()
            except (EOFError, OSError):
                word = "stop"
            if word == "cpu":
                link.send(time.process_time())
            else:
                asyncio.get_running_loop().remove_reader(link.fileno())
                os.kill(os.getpid(), signal.SIGTERM)

        asyncio.get_running_loop().add_reader(link.fileno(), on_word)
        await app.run(settings, valkey.url, bound, lambda: link.send(bound.getsockname()[1]))

    try:
        asyncio.run(work())
    finally:
        valkey.stop()
        bound.close()


def websockets_broadcast(link: Connection) -> None:
    """The websockets package's own way to tell many."""
    # What it says when a socket is cut is no news here.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    asyncio.run(_broadcasting(link))


async def _broadcasting(link: Connection) -> None:
    watchers: set[ServerConnection] = set()
    texts: list[str] = []
    stop = asyncio.Event()

    async def talk(connection: ServerConnection) -> None:
        if connection.request is not None and connection.request.path == WATCH:
            watchers.add(connection)
            await connection.wait_closed()
            watchers.discard(connection)
            return
        async for _ in connection:
            broadcast(watchers, texts[0])
            texts.append(texts.pop(0))

    def on_word() -> None:
        try:
            word, given = link.recv()
        except (EOFError, OSError):
            word, given = "stop", None
        if word == "cpu":
            link.send(time.process_time())
        elif word == "payloads":
            texts[:] = [payload.decode() for payload in given]
            link.send(True)
        else:
            asyncio.get_running_loop().remove_reader(link.fileno())
            stop.set()

    spoken = [Subprotocol(SUBPROTOCOL_JSON)]
    async with serve(talk, "127.0.0.1", 0, subprotocols=spoken, compression=None) as server:
        asyncio.get_running_loop().add_reader(link.fileno(), on_word)
        link.send(next(iter(server.sockets)).getsockname()[1])
        await stop.wait()


def bare(link: Connection) -> None:
    """A loop of send(2): the frames are made before, and nothing else is done for a message."""
    watchers: list[socket.socket] = []
    frames: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listening:
        selector = selectors.DefaultSelector()
        for thing in (listening, link):
            selector.register(thing, selectors.EVENT_READ)
        link.send(listening.getsockname()[1])
        while True:
            for key, _ in selector.select():
                if key.fileobj is listening:
                    joined, path = _accept(listening)
                    if path == WATCH:
                        watchers.append(joined)
                    else:
                        selector.register(joined, selectors.EVENT_READ)
                elif key.fileobj is not link:
                    driver = key.fileobj
                    assert isinstance(driver, socket.socket)
                    if not _is_driven(driver):
                        selector.unregister(driver)
                        continue
                    frame = frames[0]
                    frames.append(frames.pop(0))
                    for watcher in watchers:
                        watcher.send(frame)
                elif not _on_word(link, frames):
                    return


def _is_driven(driver: socket.socket) -> bool:
    """Whether a word has come from there; False when it has hung up."""
    try:
        return bool(driver.recv(4096))
    except ConnectionResetError:
        return False


def _accept(listening: socket.socket) -> tuple[socket.socket, str]:
    """A client of the crowd, which is content with any 101, and the path it asked for."""
    joined, _ = listening.accept()
    joined.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    head = b""
    while b"\r\n\r\n" not in head:
        head += joined.recv(4096)
    joined.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
    joined.setblocking(False)
    return joined, head.split()[1].decode()


def _on_word(link: Connection, frames: list[bytes]) -> bool:
    """Obey one word of the bench; False for the last one."""
    try:
        word, given = link.recv()
    except (EOFError, OSError):
        return False
    if word == "cpu":
        link.send(time.process_time())
    elif word == "payloads":
        frames[:] = [_server_frame(payload) for payload in given]
        link.send(True)
    return bool(word != "stop")


def _server_frame(payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        return bytes((0x81, length)) + payload
    if length < 65_536:
        return bytes((0x81, 126)) + length.to_bytes(2, "big") + payload
    return bytes((0x81, 127)) + length.to_bytes(8, "big") + payload
