"""Many websocket clients in one process, as cheap as they can be: what generates the load.

They read frames and count; nothing is decoded that a bench does not ask for. What this costs is
measured with everything else, so that a report can say how much of the time was ours.
"""

import base64
import resource
import selectors
import socket
import struct
import time
from collections.abc import Callable, Sequence

from livebutton.gateway.socket import PATH
from livebutton.wire.messages import SUBPROTOCOL_JSON

HANG_LIMIT_S = 60.0
# Besides the clients' own: the servers' pipes, the store, what Python has open.
SPARE_FILES = 256
_CHUNK = 1 << 18
_TEXT, _CLOSE, _PING = 0x1, 0x8, 0x9
_PONG = b"\x8a\x80\0\0\0\0"
# On close the connection is cut, as when a client's network goes: nothing is said to the server.
_CUT = struct.pack("ii", 1, 0)


class TooFewFiles(Exception):
    """This process may not have so many sockets open; the text says how many it may."""


class Lost(Exception):
    """The server closed a socket, or did not do in time what was waited for."""


def make_room(count: int) -> None:
    """Let this process, and those it starts, have so many sockets. Raises TooFewFiles."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = count + SPARE_FILES
    if soft >= need or soft == resource.RLIM_INFINITY:
        return
    if hard != resource.RLIM_INFINITY and hard < need:
        raise TooFewFiles(f"{count} sockets need {need} files open at once; {hard} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (need, hard))


def text_frame(payload: bytes) -> bytes:
    """A client's text frame; the mask is 0, which leaves the payload as it is."""
    length = len(payload)
    if length < 126:
        return bytes((0x80 | _TEXT, 0x80 | length)) + b"\0\0\0\0" + payload
    return bytes((0x80 | _TEXT, 0x80 | 126)) + length.to_bytes(2, "big") + b"\0\0\0\0" + payload


class Client:
    """One socket. `greeting` is sent once the handshake is done."""

    __slots__ = ("greeting", "is_open", "number", "raw", "unread")

    def __init__(self, number: int, raw: socket.socket, greeting: bytes) -> None:
        self.number = number
        self.raw = raw
        self.greeting = greeting
        self.is_open = False
        self.unread = b""


class Crowd:
    """Clients of one server. `hear` is called with each client and the text it was sent."""

    def __init__(self, port: int, hear: Callable[[Client, bytes], None]) -> None:
        self.clients: list[Client] = []
        self.messages_count = 0
        self.bytes_count = 0
        self._port = port
        self._hear = hear
        self._selector = selectors.DefaultSelector()

    def join(self, greetings: Sequence[Sequence[bytes]], path: str = PATH) -> None:
        """Connect a client for each greeting, all at once; `pump` does the rest."""
        key = base64.b64encode(b"livebutton bench").decode()
        upgrade = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL_JSON}\r\n\r\n"
        ).encode()
        for messages in greetings:
            raw = socket.create_connection(("127.0.0.1", self._port), timeout=HANG_LIMIT_S)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _CUT)
            raw.sendall(upgrade)
            raw.setblocking(False)
            greeting = b"".join(text_frame(message) for message in messages)
            client = Client(len(self.clients), raw, greeting)
            self.clients.append(client)
            self._selector.register(raw, selectors.EVENT_READ, client)

    def say(self, client: Client, message: bytes) -> None:
        """Send one text message."""
        client.raw.send(text_frame(message))

    def pump(self, is_done: Callable[[], bool], what: str) -> None:
        """Read until something holds. Raises Lost, naming `what`, when it never does."""
        deadline = time.monotonic() + HANG_LIMIT_S
        while not is_done():
            for key, _ in self._selector.select(1.0):
                self._read(key.data)
            if time.monotonic() > deadline:
                raise Lost(f"not within {HANG_LIMIT_S:g} s: {what}")

    def pump_open(self) -> None:
        """Read until every client's handshake is done."""
        self.pump(lambda: all(client.is_open for client in self.clients), "the handshakes")

    def cut(self) -> None:
        """Lose every socket, without a word to the server."""
        for client in self.clients:
            self._selector.unregister(client.raw)
            client.raw.close()
        self.clients.clear()

    def close(self) -> None:
        """Let go of everything."""
        self.cut()
        self._selector.close()

    def _read(self, client: Client) -> None:
        try:
            data = client.raw.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            raise Lost(f"a socket broke: {error}") from None
        if not data:
            raise Lost("the server closed a socket")
        self.bytes_count += len(data)
        if client.unread:
            data = client.unread + data
        if not client.is_open:
            head, mark, data = data.partition(b"\r\n\r\n")
            if not mark:
                client.unread = head
                return
            if b" 101 " not in head[:20]:
                raise Lost(f"no websocket: {head.splitlines()[0].decode(errors='replace')}")
            client.is_open = True
            if client.greeting:
                client.raw.send(client.greeting)
        client.unread = self._frames(client, data)

    def _frames(self, client: Client, data: bytes) -> bytes:
        """Take the whole frames; the rest is given back."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, head = data[at + 1], 2
            if length >= 126:
                head = 4 if length == 126 else 10
                if size - at < head:
                    break
                length = int.from_bytes(data[at + 2 : at + head], "big")
            start, end = at + head, at + head + length
            if end > size:
                break
            opcode = data[at] & 0xF
            if opcode == _TEXT:
                self.messages_count += 1
                self._hear(client, data[start:end])
            elif opcode == _PING:
                client.raw.send(_PONG)
            elif opcode == _CLOSE:
                raise Lost(f"the server closed a socket: {data[start:end]!r}")
            at = end
        return data[at:]
