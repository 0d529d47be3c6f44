"""What sockets cost a real server: ten thousand that are idle, and thousands that come and go."""

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
WAVE, WAVES = 250, 8
KIB = 1024


@pytest.fixture
def files() -> Iterator[None]:
    """As many open files as the sockets need, here and in the server, for this test."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        make_room(IDLE)
    except TooFewFiles as too_few:
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


class Watchers:
    """Displays that each follow one table, from their hello to the end of their snapshot."""

    def __init__(self, server: ServerProcess) -> None:
        self.crowd = Crowd(server.port, self._hear)
        self._signer = signer_of(server.folder)
        self._live_count = 0

    def come(self, count: int) -> None:
        """So many more, and return once each is live."""
        for _ in range(count // BATCH):
            first = len(self.crowd.clients)
            self.crowd.join(
                [
                    [
                        hello(self._signer, "display", f"d-{number}"),
                        subscribe(TABLES[number % len(TABLES)]),
                    ]
                    for number in range(first, first + BATCH)
                ]
            )
            due = self._live_count + BATCH
            self.crowd.pump(lambda due=due: self._live_count >= due, "each is live")  # type: ignore[misc]

    def _hear(self, _client: Client, payload: bytes) -> None:
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
        before = rss_bytes(server)
        watchers.come(IDLE)
        assert metric(server, "livebutton_sockets") == IDLE
        assert metric(server, "livebutton_watchers") == IDLE
        each = (rss_bytes(server) - before) / IDLE
    assert each <= 14 * KIB, f"{each / KIB:.1f} KiB each"


def test_sockets_that_come_and_go_leave_nothing_behind(server: ServerProcess) -> None:
    sizes = []
    for _ in range(WAVES):
        watchers = Watchers(server)
        watchers.come(WAVE)
        watchers.crowd.close()
        wait_until(lambda: metric(server, "livebutton_sockets") == 0, "all are gone")
        assert metric(server, "livebutton_watchers") == 0
        sizes.append(rss_bytes(server))
    # What Python keeps for the next wave it has after half of them; a leak goes on.
    half = WAVES // 2
    assert sizes[-1] - sizes[half] <= half * WAVE * KIB / 2, sizes
