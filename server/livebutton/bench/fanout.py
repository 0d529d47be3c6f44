"""What it costs to tell a change to many sockets, as a multiple of a bare loop of send(2).

Three servers stand side by side, each in its own process with as many sockets to this one: the
whole livebutton server (a command over its websocket, judged, committed to Valkey, told to all), a
bare loop, and `websockets.broadcast`. The baselines send the very deltas that ours has sent. The
rounds take turns, and in each the next change waits until every socket has had the last one: no
side falls behind, so none saves itself work.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec

from livebutton.bench import sides
from livebutton.bench.crowd import Client, Crowd, Lost, make_room
from livebutton.bench.report import Figure, Means, alone, beside
from livebutton.bench.room import Backend, hello, signer_of, subscribe
from livebutton.bench.sides import Side

CLIENTS = 500
CHANGES = 20
TABLE, QUIET_TABLE = "bench", "bench-quiet"
SATURATED = 0.9
# With fewer sockets the cost of telling drowns in that of the change.
ENOUGH = 100


class Round(msgspec.Struct):
    """One side in one round: CPU in µs for each message and each change, and how it went.

    `generator_us` is what this process used for a message, `generator_share` how much of the
    round it was busy; `change_ms` from the wish to the last socket.
    """

    message_us: float
    change_us: float
    generator_us: float
    generator_share: float
    change_ms: float


class Audience:
    """The sockets to one server, and how one more change is brought about there."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.news_count = 0
        self.kept: list[bytes] = []
        self.crowd = Crowd(side.port, self._hear)
        self.drive: Callable[[], None] = lambda: None

    def _hear(self, client: Client, payload: bytes) -> None:
        if payload.startswith((b'{"type":"delta"', b'{"type":"snapshot"')):
            self.news_count += 1
            if client.number == 0 and len(self.kept) < CHANGES:
                self.kept.append(payload)
        elif payload.startswith(b'{"type":"error"'):
            raise Lost(f"the server says {payload.decode()}")

    def hear(self, count: int) -> None:
        """Read until the sockets have had so much news in all."""
        self.crowd.pump(lambda: self.news_count >= count, "a change at every socket")

    def round(self, changes: int) -> Round:
        """Bring about so many changes, each after the last was heard by all."""
        count = len(self.crowd.clients)
        messages = self.crowd.messages_count
        cpu, ours, started = self.side.cpu_s(), time.process_time(), time.perf_counter()
        for _ in range(changes):
            target = self.news_count + count
            self.drive()
            self.hear(target)
        took_s = time.perf_counter() - started
        used, generator = self.side.cpu_s() - cpu, time.process_time() - ours
        messages = self.crowd.messages_count - messages
        return Round(
            used * 1e6 / messages,
            used * 1e6 / changes,
            generator * 1e6 / messages,
            generator / took_s,
            took_s * 1e3 / changes,
        )


def measure(
    seconds: float, say: Callable[[str], None], clients: int = 0, changes: int = CHANGES
) -> tuple[list[Figure], list[str]]:
    """The figures and notes of this bench, in about so many seconds. Raises Lost, TooFewFiles."""
    clients = clients or CLIENTS
    make_room(3 * clients)
    with ExitStack() as closing:
        folder = Path(
            closing.enter_context(tempfile.TemporaryDirectory(prefix="livebutton-bench-"))
        )
        say("starting three servers")
        started = [
            Side(sides.livebutton, str(folder)),
            Side(sides.bare),
            Side(sides.websockets_broadcast),
        ]
        for side in started:
            closing.callback(side.stop)
            side.start()
        ours, quiet = _ours(started[0], folder, clients, closing, say)
        ours.round(changes)
        deltas = [kept for kept in ours.kept if kept.startswith(b'{"type":"delta"')]
        audiences = [ours, quiet]
        for side in started[1:]:
            side.tell(deltas)
            audiences.append(_baseline(side, clients, closing))
        rounds = _in_turn(audiences, changes, seconds, say)
    return _figures(rounds, clients, deltas, changes)


def _ours(
    side: Side, folder: Path, clients: int, closing: ExitStack, say: Callable[[str], None]
) -> tuple[Audience, Audience]:
    """Those who watch the table, and the one who watches a table of his own."""
    signer = signer_of(folder)
    backend = Backend(side.port, signer)
    closing.callback(backend.close)
    found = []
    for table, count in ((TABLE, clients), (QUIET_TABLE, 1)):
        backend.open(table)
        say(f"connecting {count} displays")
        audience = Audience(side)
        closing.callback(audience.crowd.close)
        audience.crowd.join(
            [[hello(signer, "display", f"display-{n}"), subscribe(table)] for n in range(count)]
        )
        audience.hear(count)  # a snapshot each
        audience.drive = partial(_change, backend, table)
        found.append(audience)
    return found[0], found[1]


def _change(backend: Backend, table: str) -> None:
    backend.settle()  # the verdict on the change before
    backend.change(table)


def _baseline(side: Side, clients: int, closing: ExitStack) -> Audience:
    audience = Audience(side)
    closing.callback(audience.crowd.close)
    audience.crowd.join([[]] * clients, sides.WATCH)
    audience.crowd.pump_open()
    driver = Crowd(side.port, lambda client, payload: None)  # noqa: ARG005
    closing.callback(driver.close)
    driver.join([[]], sides.DRIVE)
    driver.pump_open()
    audience.drive = lambda: driver.say(driver.clients[0], b"next")
    return audience


def _in_turn(
    audiences: list[Audience], changes: int, seconds: float, say: Callable[[str], None]
) -> list[list[Round]]:
    rounds: list[list[Round]] = [[] for _ in audiences]
    deadline = time.monotonic() + seconds
    while not rounds[0] or time.monotonic() < deadline:
        for audience, found in zip(audiences, rounds, strict=True):
            found.append(audience.round(changes))
        say(f"changes: {len(rounds[0]) * changes} told by each side")
    return rounds


def _figures(
    rounds: list[list[Round]], clients: int, deltas: list[bytes], changes: int
) -> tuple[list[Figure], list[str]]:
    ours, quiet, bare, broadcast = rounds
    of_ours = [each.message_us for each in ours]
    of_bare = [each.message_us for each in bare]
    of_broadcast = [each.message_us for each in broadcast]
    loop, package = "a bare loop of socket.send", "websockets.broadcast"
    name = "CPU for a delivered message"
    dear: Means = "ours / baseline"
    figures = [
        beside(name, "µs", of_ours, of_bare, against=loop, means=dear),
        beside(name + ", again", "µs", of_ours, of_broadcast, against=package, means=dear),
        beside(f"{package} itself", "µs", of_broadcast, of_bare, against=loop, means=dear),
        beside(
            "from the wish to the last socket",
            "ms",
            [each.change_ms for each in ours],
            [each.change_ms for each in broadcast],
            against=f"{package}, which judges and stores nothing",
            means=dear,
        ),
        alone("CPU for a change that one socket sees", "µs", [each.change_us for each in quiet]),
        alone("the generator's CPU for a message", "µs", [each.generator_us for each in ours]),
    ]
    if clients >= ENOUGH:
        # What one more socket costs: a change at the full table, less one that one socket sees.
        telling = [
            (full.change_us - single.change_us) / (clients - 1)
            for full, single in zip(ours, quiet, strict=True)
        ]
        figures.insert(
            1, beside("its telling alone", "µs", telling, of_bare, against=loop, means=dear)
        )
    size = statistics.mean(len(delta) for delta in deltas)
    all_rounds = (*ours, *bare, *broadcast)
    full_count = sum(each.generator_share > SATURATED for each in all_rounds)
    full = f"{full_count} of {len(all_rounds)}"
    notes = [
        f"{clients} sockets to each side, {changes} changes a round, {len(ours)} rounds",
        f"deltas of {size:.0f} bytes on average, the same bytes on every side",
        "ours is the whole server: command in, judged, committed, viewed, told; not its Valkey",
        "telling alone leaves out what a change costs that one socket sees",
        f"rounds in which the generator used over {SATURATED:.0%} of a core: {full}",
        "each change waits for the generator: busy, it makes the last socket late, no side cheap",
    ]
    return figures, notes
