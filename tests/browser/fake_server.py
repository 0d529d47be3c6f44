"""A server that a browser test scripts: the files of the screens, and the wire in JSON.

It keeps no rules. A test says what the view is next, and when the server is silent, gone or
deaf; the screens must tell the difference.
"""

import asyncio
import json
import mimetypes
import threading
import time
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakSet

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

WEB = Path(__file__).parents[2] / "clients" / "web"
FIXTURES = WEB / "shared" / "testing" / "fixtures"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
HEARTBEAT_S = 2.0
HANG_LIMIT_S = 60.0

View = dict[str, Any]
Answer = Callable[["FakeServer", dict[str, Any]], dict[str, Any] | None]


def fixture(name: str) -> View:
    """A view written by hand."""
    loaded: View = json.loads((FIXTURES / f"{name}.json").read_text())
    return loaded


def merge_patch(before: Any, after: Any) -> Any:
    """The RFC 7386 patch between two views."""
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        had = before.get(key)
        if key not in before or not isinstance(had, dict) or not isinstance(value, dict):
            if had != value:
                patch[key] = value
        elif inner := merge_patch(had, value):
            patch[key] = inner
    return patch


def accept_all(server: "FakeServer", message: dict[str, Any]) -> dict[str, Any]:
    """Accept every command, changing nothing but the offset."""
    server.commit(server.view)
    return server.accepted(message)


def refusing(said: str, rule: str) -> Answer:
    """Refuse every command as not due, in these words."""

    def refuse(server: "FakeServer", message: dict[str, Any]) -> dict[str, Any]:
        about = {"id": message["id"], "table": server.table, "retry": False}
        place = {"epoch": server.epoch, "offset": server.offset}
        return {
            "type": "refused",
            **about,
            **place,
            "reason": "not_due",
            "message": said,
            "rule": rule,
        }

    return refuse


class FakeServer:
    """One table and a room's picture behind one port of loopback, in a thread until `stop`."""

    def __init__(self) -> None:
        self.table = "t7"
        self.epoch = "e1"
        self.offset = 1
        self.view: View = fixture("normal")
        self.log: list[tuple[int, dict[str, Any], list[dict[str, Any]]]] = []
        self.received: list[dict[str, Any]] = []
        self.answer: Answer = accept_all
        self.verdicts: dict[str, dict[str, Any]] = {}
        self.room: dict[str, Any] = {}
        self.hello_close: int | None = None
        # What a welcome says; they come every HEARTBEAT_S.
        self.heartbeat_s = HEARTBEAT_S
        self.is_mute = False
        self.is_accepting = True
        self.requests: list[str] = []
        self.rules: dict[str, dict[str, Any]] = {}
        self.extra_pages: dict[str, tuple[str, str]] = {}
        self.framed_by = "'none'"
        self._sockets: set[ServerConnection] = set()
        self._connections: WeakSet[ServerConnection] = WeakSet()
        self._scripted: list[asyncio.Task[None]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.port = 0

    # ── what a test does ───────────────────────────────────

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(HANG_LIMIT_S), "the fake server did not start"

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(HANG_LIMIT_S)
        assert not self._thread.is_alive()
        self._loop.close()

    def address(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def commit(self, view: View, events: list[dict[str, Any]] | None = None) -> None:
        """The next view, told to every screen as a delta. Callable from any thread."""
        self._soon(self._commit(view, events or []))

    def say(self, message: dict[str, Any]) -> None:
        """Send a message as it stands to every screen."""
        self._soon(self._send_all(message))

    def show_room(self, picture: dict[str, Any]) -> None:
        """The next picture of the room, told to every screen."""
        self.room = picture
        self.say(self._room_now())

    def mute(self) -> None:
        """Say nothing more on the open sockets, and answer nothing on new ones."""
        self.is_mute = True

    def unmute(self) -> None:
        """Speak again, to whoever connects from now on."""
        self.is_mute = False
        self.cut()

    def cut(self, code: int = 1012) -> None:
        """Close every socket."""
        self._soon(self._close_all(code))

    def commands(self) -> list[dict[str, Any]]:
        return [message for message in self.received if message["type"] == "command"]

    def screens(self) -> int:
        return len(self._sockets)

    def accepted(self, message: dict[str, Any]) -> dict[str, Any]:
        place = {"epoch": self.epoch, "offset": self.offset}
        return {"type": "accepted", "id": message["id"], "table": self.table, **place}

    # ── inside ─────────────────────────────────────────────

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        if threading.current_thread() is self._thread:
            self._scripted.append(self._loop.create_task(work))
            return
        asyncio.run_coroutine_threadsafe(work, self._loop).result(HANG_LIMIT_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.run_until_complete(self._end_all(asyncio.all_tasks(self._loop)))

    async def _end_all(self, tasks: set[asyncio.Task[Any]]) -> None:
        """Of whoever is still shaking hands: a browser connects ahead of its needs."""
        self._abort_all()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for _ in range(3):  # A socket is let go in one of the loop's next turns.
            await asyncio.sleep(0)

    def _abort_all(self) -> None:
        for connection in list(self._connections):
            if transport := getattr(connection, "transport", None):
                transport.abort()

    def _connection(self, *args: Any, **options: Any) -> ServerConnection:
        connection = ServerConnection(*args, **options)
        self._connections.add(connection)
        return connection

    async def _serve(self) -> None:
        async with serve(
            self._socket,
            "127.0.0.1",
            0,
            process_request=self._http,
            subprotocols=[Subprotocol("livebutton.v1.json")],
            compression=None,
            create_connection=self._connection,
            ping_interval=None,
            # Chromium connects ahead of its needs; a socket that says nothing is let go.
            open_timeout=6,
        ) as server:
            self.port = _port(server)
            beating = asyncio.create_task(self._beat())
            self._ready.set()
            await self._stopping.wait()
            beating.cancel()
            # A socket whose other end was put offline would never finish its closing handshake.
            self._abort_all()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            await self._send_all(self._heartbeat())
            if self.room:
                await self._send_all(self._room_now())

    def _heartbeat(self) -> dict[str, Any]:
        tables = {self.table: [self.epoch, self.offset]}
        return {"type": "heartbeat", "tables": tables, "now_ms": _now_ms()}

    def _room_now(self) -> dict[str, Any]:
        return {"type": "room", **self.room, "now_ms": _now_ms()}

    async def _socket(self, socket: ServerConnection) -> None:
        self._sockets.add(socket)
        try:
            async for text in socket:
                await self._receive(socket, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self._sockets.discard(socket)

    async def _receive(self, socket: ServerConnection, message: dict[str, Any]) -> None:
        self.received.append(message)
        if self.is_mute:
            return
        match message["type"]:
            case "hello":
                if self.hello_close is not None:
                    await socket.close(self.hello_close)
                    return
                await self._send(socket, _welcome(self.heartbeat_s))
            case "subscribe" if "room" in message:
                if self.room:
                    await self._send(socket, self._room_now())
            case "subscribe":
                await self._subscribed(socket, message.get("since"))
            case "ping":
                await self._send(socket, self._heartbeat())
            case "verdict":
                unknown = {"type": "unknown", "id": message["id"], "table": self.table}
                await self._send(socket, self.verdicts.get(message["id"], unknown))
            case "command":
                verdict = self.answer(self, message)
                await asyncio.gather(*self._scripted)  # Its delta goes out before its verdict.
                self._scripted.clear()
                if verdict is not None:
                    self.verdicts[message["id"]] = verdict
                    if not self.is_mute:
                        await self._send(socket, verdict)
            case _:
                pass

    async def _subscribed(self, socket: ServerConnection, since: list[Any] | None) -> None:
        missed = [entry for entry in self.log if since and entry[0] > since[1]]
        whole = since is not None and since[0] == self.epoch
        if whole and since is not None and len(missed) == self.offset - since[1]:
            for offset, patch, events in missed:
                await self._send(socket, self._delta(offset, patch, events))
        else:
            whole = False
            place = {"epoch": self.epoch, "offset": self.offset}
            snapshot = {"type": "snapshot", "table": self.table, **place, "view": self.view}
            await self._send(socket, snapshot)
        await self._send(socket, {"type": "live", "table": self.table, "recovered": whole})

    def _delta(
        self, offset: int, patch: dict[str, Any], events: list[dict[str, Any]]
    ) -> dict[str, Any]:
        place = {"table": self.table, "epoch": self.epoch, "offset": offset}
        return {"type": "delta", **place, "patch": patch, "events": events}

    async def _commit(self, view: View, events: list[dict[str, Any]]) -> None:
        patch = merge_patch(self.view, view)
        self.offset += 1
        self.view = view
        self.log.append((self.offset, patch, events))
        await self._send_all(self._delta(self.offset, patch, events))

    async def _send(self, socket: ServerConnection, message: dict[str, Any]) -> None:
        await socket.send(json.dumps(message))

    async def _send_all(self, message: dict[str, Any]) -> None:
        if self.is_mute:
            return
        for socket in list(self._sockets):
            try:
                await self._send(socket, message)
            except ConnectionClosed:
                self._sockets.discard(socket)

    async def _close_all(self, code: int) -> None:
        await asyncio.gather(*(socket.close(code) for socket in list(self._sockets)))

    def _http(self, _connection: ServerConnection, request: Request) -> Response | None:
        path = urlsplit(request.path).path
        if path == "/v1/ws":
            if self.is_accepting:
                return None
            return _page(HTTPStatus.SERVICE_UNAVAILABLE, b"", "text/plain", {})
        self.requests.append(path)
        headers = {"Content-Security-Policy": f"{CSP}; frame-ancestors {self.framed_by}"}
        if path in self.extra_pages:
            kind, body = self.extra_pages[path]
            return _page(HTTPStatus.OK, body.encode(), kind, {})
        if path.startswith("/v1/rules/"):
            rule = self.rules.get(path.removeprefix("/v1/rules/"))
            status = HTTPStatus.OK if rule else HTTPStatus.NOT_FOUND
            return _page(status, json.dumps(rule).encode(), "application/json", headers)
        return _file(path, headers)


def _file(path: str, headers: dict[str, str]) -> Response:
    file = (WEB / path.lstrip("/")).resolve()
    if file.is_dir():
        file /= "index.html"
    if not file.is_file() or WEB.resolve() not in file.parents:
        return _page(HTTPStatus.NOT_FOUND, b"not here", "text/plain", headers)
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _page(HTTPStatus.OK, file.read_bytes(), kind, headers)


def _page(status: HTTPStatus, body: bytes, kind: str, more: dict[str, str]) -> Response:
    content = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    return Response(status.value, status.phrase, Headers({**content, **more}), body)


def _welcome(heartbeat_s: float) -> dict[str, Any]:
    paces = {"heartbeat_s": heartbeat_s, "reconnect_window_ms": 300}
    return {"type": "welcome", "session": "s1", **paces, "now_ms": _now_ms()}


def _now_ms() -> int:
    return int(time.time() * 1000)


def _port(server: Server) -> int:
    port = next(iter(server.sockets)).getsockname()[1]
    assert isinstance(port, int)
    return port
