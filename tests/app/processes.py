"""Whole server processes, started as a person starts them."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.servers import wait_until

PROGRAM = (sys.executable, "-m", "livebutton")
HANG_LIMIT_S = 180.0


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """One command of the command line, to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, timeout=HANG_LIMIT_S, **options
    )


class ServerProcess:
    """`livebutton serve` on a folder; it can be stopped, killed and started again."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.arguments = arguments
        self.lines: list[str] = []
        self.log: list[str] = []
        self.process: subprocess.Popen[str] | None = None
        self._connections = contextlib.ExitStack()
        self._threads: list[threading.Thread] = []

    def start(self, port: int = 0) -> "ServerProcess":
        """Start, and return once it says that it is ready."""
        command = [*PROGRAM, "serve", "--port", str(port), "--data", str(self.folder)]
        self.lines, self.log = [], []
        self.process = subprocess.Popen(
            [*command, *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        for stream, kept in ((self.process.stdout, self.lines), (self.process.stderr, self.log)):
            self._threads.append(threading.Thread(target=_keep, args=(stream, kept), daemon=True))
            self._threads[-1].start()
        wait_until(self._has_spoken, "the server is ready", HANG_LIMIT_S)
        assert self.lines, "".join(self.log)
        return self

    def _has_spoken(self) -> bool:
        assert self.process is not None
        return bool(self.lines) or self.process.poll() is not None

    @property
    def url(self) -> str:
        """Its address, from the ready line."""
        return self.lines[0].removeprefix("livebutton ready on ").strip()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def token(self, role: str = "floor", *more: str) -> str:
        made = run("token", "--role", role, "--data", str(self.folder), *more)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def client(self, token: str) -> "Talk":
        """A websocket that has said hello."""
        connection = connect(
            self.url.replace("http", "ws") + "/v1/ws",
            subprotocols=[Subprotocol("livebutton.v1.json")],
            compression=None,
            proxy=None,
            open_timeout=HANG_LIMIT_S,
        )
        talk = Talk(self._connections.enter_context(connection))
        talk.say(type="hello", token=token, client="test/1")
        talk.hear("welcome")
        return talk

    def signal(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end and for all that it said; the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(HANG_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(HANG_LIMIT_S)
            raise
        # What it said last may still be in the pipes.
        for thread in self._threads:
            thread.join(HANG_LIMIT_S)
        return code

    def stop(self) -> int:
        return self.signal(signal.SIGTERM)

    def clear_away(self) -> None:
        """Kill it, and let go of everything that talked to it."""
        self.signal(signal.SIGKILL)
        self._connections.close()


def _keep(stream: Any, kept: list[str]) -> None:
    with stream:
        for line in stream:
            kept.append(line)  # noqa: PERF402 - it is looked at while it grows


class Talk:
    """One websocket, spoken to one message at a time."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def say(self, **fields: Any) -> None:
        self.connection.send(json.dumps(fields))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(HANG_LIMIT_S))
            if message["type"] in kinds:
                return message

    def command(self, table: str, command_id: str, **command: Any) -> dict[str, Any]:
        self.say(type="command", id=command_id, table=table, command=command)
        return self.hear("accepted", "refused", "error")

    def open_table(self, table: str) -> dict[str, Any]:
        return self.command(
            table,
            f"open-{table}",
            type="open_table",
            name=table,
            seats=9,
            rules="caro-cooke",
            stakes={"small": 5, "big": 10},
        )

    def snapshot(self, table: str) -> dict[str, Any]:
        self.say(type="subscribe", table=table)
        return self.hear("snapshot", "error")
