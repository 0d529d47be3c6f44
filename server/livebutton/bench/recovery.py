"""How long until clients that lost their sockets are fresh again: resuming, and by snapshots.

All sockets of a table are cut at once, a few changes happen that nobody of them hears of, and all
come back at once. In one round they say where they were and are sent what they missed; in the next
they say nothing and are sent the whole view: that is the baseline. A client is fresh when it is
live at the table's newest offset.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from livebutton.bench import sides
from livebutton.bench.crowd import Client, Crowd, Lost, make_room
from livebutton.bench.report import Figure, Means, alone, beside
from livebutton.bench.room import Backend, hello, signer_of, subscribe
from livebutton.bench.sides import Side

CLIENTS = 500
MISSED = 5
TABLE = "bench"
SATURATED = 0.9


class Heard(msgspec.Struct):
    """What a client here reads of a message."""

    type: str
    epoch: str = ""
    offset: int = 0
    recovered: bool = False


class Return(msgspec.Struct):
    """One round: how all came back.

    `half_ms` and `all_ms` are until half of them and all were fresh, from the first connect;
    `cpu_us` is the server's and `generator_us` this process's for a client; `bytes_count` is what
    a client was sent. `resumed_count` of them went on where they were.
    """

    half_ms: float
    all_ms: float
    cpu_us: float
    generator_us: float
    generator_share: float
    bytes_count: float
    resumed_count: int


class Displays:
    """Clients of one table, which know how far each of them has come."""

    def __init__(self, side: Side, hellos: list[bytes]) -> None:
        self.side = side
        self.position: tuple[str, int] = ("", 0)
        self.fresh_at_s: list[float] = []
        self.resumed_count = 0
        self.crowd = Crowd(side.port, self._hear)
        self._hellos = hellos
        self._newest = 0
        self._offsets: list[int] = []
        self._live: list[bool] = []
        self._decode = msgspec.json.Decoder(Heard).decode

    def come(self, since: tuple[str, int] | None, newest: int) -> None:
        """All connect and subscribe; returns when all are fresh at the newest offset."""
        count = len(self._hellos)
        self.fresh_at_s, self.resumed_count = [], 0
        self._offsets = [since[1] if since else 0] * count
        self._live = [False] * count
        self._newest = newest
        self.crowd.join([[each, subscribe(TABLE, since)] for each in self._hellos])
        self.crowd.pump(lambda: len(self.fresh_at_s) == count, "every client is fresh")

    def come_back(self, since: tuple[str, int] | None, newest: int) -> Return:
        """The same, measured."""
        count = len(self._hellos)
        bytes_count = self.crowd.bytes_count
        cpu, ours, started = self.side.cpu_s(), time.process_time(), time.perf_counter()
        self.come(since, newest)
        took_s = time.perf_counter() - started
        used, generator = self.side.cpu_s() - cpu, time.process_time() - ours
        return Return(
            (statistics.median(self.fresh_at_s) - started) * 1e3,
            (self.fresh_at_s[-1] - started) * 1e3,
            used * 1e6 / count,
            generator * 1e6 / count,
            generator / took_s,
            (self.crowd.bytes_count - bytes_count) / count,
            self.resumed_count,
        )

    def _hear(self, client: Client, payload: bytes) -> None:
        heard = self._decode(payload)
        number = client.number
        match heard.type:
            case "snapshot" | "delta":
                if heard.type == "delta" and heard.offset != self._offsets[number] + 1:
                    raise Lost("a delta did not follow the one before")
                self._offsets[number] = heard.offset
                self.position = (heard.epoch, heard.offset)
            case "live":
                self._live[number] = True
                self.resumed_count += heard.recovered
            case "error":
                raise Lost(f"the server says {payload.decode()}")
            case _:
                return
        if self._live[number] and self._offsets[number] == self._newest:
            self.fresh_at_s.append(time.perf_counter())


def measure(
    seconds: float, say: Callable[[str], None], clients: int = 0
) -> tuple[list[Figure], list[str]]:
    """The figures and notes of this bench, in about so many seconds. Raises Lost, TooFewFiles."""
    clients = clients or CLIENTS
    make_room(2 * clients)
    with ExitStack() as closing:
        folder = Path(
            closing.enter_context(tempfile.TemporaryDirectory(prefix="livebutton-bench-"))
        )
        say("starting the server")
        side = Side(sides.livebutton, str(folder))
        closing.callback(side.stop)
        side.start()
        signer = signer_of(folder)
        backend = Backend(side.port, signer)
        closing.callback(backend.close)
        newest = backend.open(TABLE)
        displays = Displays(side, [hello(signer, "display", f"d-{n}") for n in range(clients)])
        closing.callback(displays.crowd.close)
        say(f"connecting {clients} clients")
        displays.come(None, newest)
        resumed: list[Return] = []
        whole: list[Return] = []
        deadline = time.monotonic() + seconds
        while not whole or time.monotonic() < deadline:
            for found in (resumed, whole):
                since = displays.position
                displays.crowd.cut()
                for _ in range(MISSED):
                    backend.change(TABLE)
                backend.settle()
                newest += MISSED
                found.append(displays.come_back(since if found is resumed else None, newest))
            say(f"returns: {len(resumed)} of {clients} clients, each way")
    return _figures(resumed, whole, clients)


def _figures(
    resumed: list[Return], whole: list[Return], clients: int
) -> tuple[list[Figure], list[str]]:
    def both(name: str, unit: str, of: Callable[[Return], float]) -> Figure:
        against = "the same clients with a snapshot each"
        means: Means = "baseline / ours"
        return beside(
            name, unit, [*map(of, resumed)], [*map(of, whole)], against=against, means=means
        )

    shares = [each.resumed_count / clients * 100 for each in resumed]
    full_count = sum(each.generator_share > SATURATED for each in (*resumed, *whole))
    full = f"{full_count} of {2 * len(resumed)}"
    figures = [
        both("until all are fresh again", "ms", lambda each: each.all_ms),
        both("until half of them are", "ms", lambda each: each.half_ms),
        both("the server's CPU for a client", "µs", lambda each: each.cpu_us),
        both("bytes sent to a client", "B", lambda each: each.bytes_count),
        alone("clients that resumed whole", "%", shares),
        alone("the generator's CPU for a client", "µs", [each.generator_us for each in resumed]),
    ]
    notes = [
        f"{clients} cut off at once, {MISSED} changes missed; {len(resumed)} rounds each way",
        "all come back at once, with handshake and token; SDK and screens spread their returns",
        f"rounds in which the generator used over {SATURATED:.0%} of a core: {full}",
    ]
    return figures, notes
