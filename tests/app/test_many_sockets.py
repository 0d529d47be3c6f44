"""What sockets cost a real server: ten thousand that are idle, and thousands that come and go."""

import json
import resource
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from livebutton.bench.crowd import Client, Crowd, TooFewFiles, make_room
from livebutton.bench.room import Backend, hello, signer_of, subscribe
from tests.app.processes import HANG_LIMIT_S, ServerProcess
from tests.servers import wait_until

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(600)]

TABLES = [f"t{number}" for number in range(8)]
IDLE = 10_000
# Connected together: the server's backlog takes them, and no wait is for all of them at once.
BATCH = 250
WAVE, WAVES, SETTLED = 500, 12, 4
KIB = 1024
# An open one costs more than five times this.
LEFT = 1.5 * KIB


@pytest.fixture
def files() -> Iterator[None]:
    """As many open files as the sockets need, here and in the server, for this test."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        make_room(IDLE)
    except TooFewFiles as too_few:
        # Only a system's administrator can allow more: fewer sockets would measure something else.
        pytest.skip(str(too_few))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def server(tmp_path: Path, files: None) -> Iterator[ServerProcess]:
    """A server with its tables open, and a hand played at each."""
    server = ServerProcess(tmp_path / "data").start()
    backend = Backend(server.port, signer_of(server.folder))
    for table in TABLES:
        backend.open(table)
    backend.close()
    yield server
    server.clear_away()


def greetings(server: ServerProcess, count: int) -> list[list[bytes]]:
    """What so many displays say first: a token of their own, and the one table that they follow."""
    signer = signer_of(server.folder)
    return [
        [hello(signer, "display", f"d-{number}"), subscribe(TABLES[number % len(TABLES)])]
        for number in range(count)
    ]


class Watchers:
    """Displays that each follow one table, from their hello to the end of their snapshot."""

    def __init__(self, server: ServerProcess) -> None:
        self.crowd = Crowd(server.port, self._hear)
        self.window_ms = 0
        self._live_count = 0

    def come(self, greetings: list[list[bytes]]) -> None:
        """One more for each greeting. Returns once each is live."""
        for first in range(0, len(greetings), BATCH):
            some = greetings[first : first + BATCH]
            self.crowd.join(some)
            due = self._live_count + len(some)
            self.crowd.pump(lambda due=due: self._live_count >= due, "each is live")  # type: ignore[misc]

    def _hear(self, _client: Client, payload: bytes) -> None:
        if payload.startswith(b'{"type":"welcome"'):
            self.window_ms = max(self.window_ms, json.loads(payload)["reconnect_window_ms"])
        self._live_count += payload.startswith(b'{"type":"live"')


def rss_bytes(server: ServerProcess) -> int:
    """What the server has in memory."""
    assert server.process is not None
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * KIB
    raise AssertionError("no VmRSS")


def metric(server: ServerProcess, name: str) -> float:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=HANG_LIMIT_S) as answer:  # noqa: S310
        for line in answer.read().decode().splitlines():
            if line.startswith(f"{name} "):
                return float(line.split()[1])
    raise AssertionError(f"no metric {name}")


def test_ten_thousand_idle_sockets_cost_14_kib_each_at_most(server: ServerProcess) -> None:
    with ExitStack() as closing:
        watchers = Watchers(server)
        closing.callback(watchers.crowd.close)
        said = greetings(server, IDLE)
        before = rss_bytes(server)
        watchers.come(said)
        assert metric(server, "livebutton_sockets") == IDLE
        assert metric(server, "livebutton_watchers") == IDLE
        # A thousand a second may come back.
        assert watchers.window_ms == IDLE
        each = (rss_bytes(server) - before) / IDLE
    assert each <= 14 * KIB, f"{each / KIB:.1f} KiB each"


def test_sockets_that_come_and_go_leave_nothing_behind(server: ServerProcess) -> None:
    # The same screens come again and again: what is remembered of a credential is bounded too.
    said = greetings(server, WAVE)
    sizes = []
    for _ in range(WAVES):
        watchers = Watchers(server)
        watchers.come(said)
        watchers.crowd.close()
        wait_until(lambda: metric(server, "livebutton_sockets") == 0, "all are gone")
        assert metric(server, "livebutton_watchers") == 0
        sizes.append(rss_bytes(server))
    # Python takes memory in steps of some MiB; what a socket leaves behind goes on growing.
    waves = WAVES - 1 - SETTLED
    assert sizes[-1] - sizes[SETTLED] <= waves * WAVE * LEFT, sizes
