"""Raw doors to a real server process: nothing of livebutton is imported here."""

import itertools
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

HANG_LIMIT_S = 120.0
LIVEBUTTON = Path(sys.executable).with_name("livebutton")
SECRET = "a secret of forty characters for the tests"
Message = dict[str, Any]

_numbers = itertools.count(1)
# All servers of the tests share the secret, so a token is made once for all of them.
_tokens: dict[str, str] = {}


def run(
    *arguments: str | Path, text: str = "", **settings: str
) -> subprocess.CompletedProcess[str]:
    """`livebutton ARGUMENTS`, to its end, with `text` on its standard input."""
    return subprocess.run(
        [LIVEBUTTON, *map(str, arguments)],
        input=text,
        capture_output=True,
        text=True,
        timeout=HANG_LIMIT_S,
        env=environment(settings),
        check=False,
    )


def environment(settings: dict[str, str]) -> dict[str, str]:
    """This process's environment, these settings, and the terminal's width held still."""
    return {**os.environ, "COLUMNS": "100", "LIVEBUTTON_SECRET": SECRET, **settings}


class ServerProcess:
    """`livebutton serve` as a process of its own, on a port of its own choosing."""

    def __init__(self, data: Path, *arguments: str, port: int = 0) -> None:
        """Start it and return when its ready line is there. RuntimeError when it ends instead."""
        self.data = data
        self.log = data.with_suffix(".log")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [LIVEBUTTON, "serve", "--port", str(port), "--data", data, *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment({}),
                start_new_session=True,
            )
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], HANG_LIMIT_S)[0]:
            self.kill()
            raise TimeoutError("no ready line")
        self.ready_line = self.process.stdout.readline().decode()
        if not self.ready_line:
            raise RuntimeError(self.log.read_text())
        self.url = self.ready_line.strip().rsplit(" ", 1)[-1]
        self.port = int(self.url.rsplit(":", 1)[-1])

    def token(self, role: str, tables: Sequence[str] = (), **limits: Any) -> str:
        """A token of this role, limited to these tables and `room=`, `seat=`, `ttl_s=`; made once.

        The first, and a backend's, come from `livebutton token`; the others over HTTP, quicker.
        """
        key = f"{role} {tables} {limits}"
        if not _tokens:
            _tokens["floor () {}"] = self._token_by_hand("floor")
        if key not in _tokens and role == "backend":
            options = [f"--table={table}" for table in tables]
            options += [f"--{name}={value}" for name, value in limits.items()]
            _tokens[key] = self._token_by_hand("backend", *options)
        if key not in _tokens:
            asked = {"role": role, "tables": list(tables), **limits}
            with self.http() as http:
                reply = http.post("/v1/tokens", json=asked)
            assert reply.status_code < 300, reply.text
            _tokens[key] = reply.json()["token"]
        return _tokens[key]

    def _token_by_hand(self, role: str, *options: str) -> str:
        done = run("token", "--role", role, *options, "--data", self.data)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def http(self, role: str = "floor", tables: Sequence[str] = (), **limits: Any) -> httpx.Client:
        """An HTTP client that brings such a token."""
        authorization = {"Authorization": f"Bearer {self.token(role, tables, **limits)}"}
        return self.stranger(headers=authorization)

    def stranger(self, **options: Any) -> httpx.Client:
        """An HTTP client that brings no token."""
        return httpx.Client(base_url=self.url, timeout=HANG_LIMIT_S, trust_env=False, **options)

    def socket(
        self, role: str = "floor", tables: Sequence[str] = (), codec: str = "json", **limits: Any
    ) -> "Socket":
        """A socket that has said hello with such a token and was welcomed."""
        token = self.token(role, tables, **limits)
        socket = Socket(self.url, codec)
        socket.send(type="hello", token=token, client="contract/1.0")
        socket.welcome = socket.take("welcome")
        return socket

    def open_table(self, players: int = 3, **fields: Any) -> str:
        """A new table with players p1, p2, … in seats 1, 2, …; its id."""
        table = f"c{next(_numbers)}"
        asked = {"type": "open_table", "table": table, "name": table, "seats": 6}
        asked |= {"rules": "caro-cooke", "stakes": {"small": 5, "big": 10}} | fields
        with self.http() as http:
            reply = http.post("/v1/tables", json=asked)
            assert reply.status_code < 300, reply.text
            for seat in range(1, players + 1):
                self.do(http, table, type="take_seat", seat=seat, player=f"p{seat}", stack=500)
        return table

    @staticmethod
    def do(http: httpx.Client, table: str, **command: Any) -> Message:
        """Send a command that must be accepted; the answer."""
        reply = http.post(f"/v1/tables/{table}/commands", json=command)
        assert reply.status_code < 300, f"{command}: {reply.text}"
        answer: Message = reply.json()
        return answer

    def metric(self, name: str, **labels: str) -> float:
        """A counter's or gauge's value, 0 when it has none yet."""
        named = ",".join(f'{label}="{value}"' for label, value in labels.items())
        head = f"{name}{{{named}}} " if named else f"{name} "
        with self.stranger() as http:
            lines = http.get("/metrics").text.splitlines()
        return next((float(line[len(head) :]) for line in lines if line.startswith(head)), 0.0)

    def stop(self) -> int:
        """SIGTERM, and its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(HANG_LIMIT_S)

    def kill(self) -> None:
        """SIGKILL, as a power cut would."""
        self.process.kill()
        self.process.wait(HANG_LIMIT_S)

    def __enter__(self) -> "ServerProcess":
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it, if it still runs."""
        if self.process.poll() is None:
            self.stop()
        if self.process.stdout is not None:
            self.process.stdout.close()


class Socket:
    """One websocket in either codec, message by message; heartbeats are passed over."""

    def __init__(self, url: str, codec: str = "json", **options: Any) -> None:
        """Connect, saying nothing yet."""
        self.codec = codec
        self.welcome: Message = {}
        options.setdefault("subprotocols", [Subprotocol(f"livebutton.v1.{codec}")])
        address = url.replace("http", "ws", 1) + "/v1/ws"
        options = {"compression": None, "open_timeout": HANG_LIMIT_S, **options}
        opening = connect(address, ping_interval=None, proxy=None, **options)
        self._open = ExitStack()
        self.raw: ClientConnection = self._open.enter_context(opening)

    def send(self, **message: Any) -> None:
        """One message."""
        self.send_value(message)

    def send_value(self, value: Any) -> None:
        """Anything the codec can write, a map or not."""
        self.raw.send(json.dumps(value) if self.codec == "json" else msgpack.packb(value))

    def next(self, heartbeats: bool = False) -> Message:
        """The next message. TimeoutError when there is none; ConnectionClosed when it closes."""
        deadline = time.monotonic() + HANG_LIMIT_S
        while True:
            data = self.raw.recv(timeout=max(0.0, deadline - time.monotonic()))
            if self.codec == "json":
                assert isinstance(data, str)
                message: Message = json.loads(data)
            else:
                assert isinstance(data, bytes)
                message = msgpack.unpackb(data, raw=False, strict_map_key=True)
            if heartbeats or message["type"] != "heartbeat":
                return message

    def take(self, kind: str) -> Message:
        """The next message, which must be of this type."""
        message = self.next(heartbeats=kind == "heartbeat")
        assert message["type"] == kind, message
        return message

    def until(self, kind: str) -> Message:
        """The next message of this type, whatever comes before it."""
        while (message := self.next(heartbeats=kind == "heartbeat"))["type"] != kind:
            pass
        return message

    def subscribe(self, table: str, **fields: Any) -> Message:
        """Subscribe afresh; the snapshot, once `live` has followed it."""
        self.send(type="subscribe", table=table, **fields)
        snapshot = self.take("snapshot")
        self.take("live")
        return snapshot

    def ask(self, table: str, _id: str | None = None, /, **command: Any) -> Message:
        """Send a command; its verdict, other messages passed over."""
        _id = _id or f"id-{next(_numbers)}"
        self.send(type="command", id=_id, table=table, command=command)
        return self.verdict_of(_id)

    def verdict_of(self, command_id: str) -> Message:
        """The verdict on this command id."""
        while True:
            message = self.next()
            if message["type"] in ("accepted", "refused") and message["id"] == command_id:
                return message

    def close(self) -> None:
        """Close it; again does nothing."""
        self._open.close()

    def close_code(self) -> int:
        """The code it is closed with, once it is."""
        try:
            while True:
                self.next(heartbeats=True)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def __enter__(self) -> "Socket":
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()
