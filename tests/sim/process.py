"""One server process: the real registry and gateway, on a shaky way to the shared store."""

import asyncio
import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from livebutton.gateway.auth import Signer
from livebutton.gateway.gateway import Bounds, Gateway
from livebutton.gateway.socket import Socket, protocol_class
from livebutton.store.contract import StoreError
from livebutton.store.memory_store import MemoryShelves
from livebutton.store.records import StreamPosition
from livebutton.tables.changes import Change, Reset
from livebutton.tables.registry import Registry
from tests.sim.line import Line
from tests.sim.shaky_store import ShakyStore
from tests.sim.truth import Truth
from tests.sim.virtual_time import LoopClock
from tests.sim.weather import Weather

SECRET = b"a secret that is only for the simulation"
# Small, so that all of them are reached: 12 deltas to resume from, slow readers closed soon.
BOUNDS = Bounds(max_backlog_bytes=48 * 1024, slow_limit_s=2.0, history=12)
RETRY_START_S = 0.5


def _hash(socket: Any) -> int:
    return int(socket.number)


def numbered(gateway: Gateway) -> type[Socket]:
    """The real socket class, but that its place in a set is the same in every run."""
    members = {"__slots__": ("number",), "__hash__": _hash}
    return type("NumberedSocket", (protocol_class(gateway),), members)


class Process:
    """A server process through all its lives. What it tells is held against the truth."""

    def __init__(
        self,
        name: str,
        shelves: MemoryShelves,
        chance: random.Random,
        weather: Weather,
        truth: Truth,
        numbers: Iterator[int],
    ) -> None:
        """`numbers` gives each socket of the simulation its own."""
        self.name = name
        self.gateway: Gateway | None = None
        # Whether it is being replaced.
        self.is_busy = False
        self.store: ShakyStore | None = None
        self.signer = Signer(SECRET, lambda: LoopClock().now_ms() / 1000)
        self._shelves = shelves
        self._chance = chance
        self._weather = weather
        self._truth = truth
        self._numbers = numbers
        self._life = 0
        self._told: dict[str, StreamPosition | None] = {}
        self._lines: list[Line] = []

    async def start(self) -> None:
        """Come up, as soon as the store lets it."""
        self._life += 1
        while True:
            name = f"{self.name}{self._life}"
            store = ShakyStore(
                self._shelves, name, self._chance, self._weather, self._truth.committed
            )
            clock = LoopClock()
            registry = Registry(
                store, clock=clock, record=self._truth.recorded, draw=self._chance.choice
            )
            gateway = Gateway(registry, self.signer, clock, bounds=BOUNDS)
            gateway.tick_s = asyncio.get_running_loop().time
            self._told.clear()
            registry.listen(self._changed)
            registry.listen_resets(self._was_reset)
            try:
                await registry.start()
                await gateway.start()
            except StoreError:
                await registry.stop()
                await asyncio.sleep(RETRY_START_S)
                continue
            self.store, self.gateway = store, gateway
            return

    async def crash(self) -> None:
        """Die in the midst of everything."""
        gateway, self.gateway = self.gateway, None
        if gateway is None:
            return
        for line in self._lines:
            line.server_end.abort()
        self._lines.clear()
        await gateway.stop()
        await gateway.registry.stop()

    async def leave(self) -> None:
        """Stop as a deploy stops it: drain, then end."""
        gateway = self.gateway
        if gateway is None:
            return
        await gateway.drain(3.0)
        await self.crash()

    def accept(self, line: Line) -> bool:
        """Take a connection; False when nobody listens here."""
        if self.gateway is None:
            return False
        server_state = SimpleNamespace(connections=set())
        socket = numbered(self.gateway)(None, server_state, {})
        socket.number = next(self._numbers)  # type: ignore[attr-defined]
        line.server_end.connect(socket)
        self._lines = [each for each in self._lines if not each.server_end.is_gone]
        self._lines.append(line)
        return True

    def problem(self) -> str:
        """Why it could not serve; "" when it can."""
        if self.gateway is None:
            return f"{self.name} is down"
        is_ready, why = self.gateway.ready()
        return "" if is_ready else f"{self.name}: {why}"

    def behind(self) -> Iterator[str]:
        """The tables in its memory that it has not heard the last of."""
        if self.gateway is None:
            return
        for table in self._truth.stored:
            at = self.gateway.registry.peek(table)
            if at is not None and at.position != self._truth.newest(table).entry.position:
                yield f"{self.name} is at {at.position} of {table}"

    def _changed(self, change: Change) -> None:
        """Offsets come one after the other, once each, and lead to the table that was stored."""
        last = self._told.get(change.table)
        here = change.position
        if last is not None and here != StreamPosition(last.epoch, last.offset + 1):
            self._truth.fault(f"{self.name}: {change.table} went from {last} to {here}")
        self._told[change.table] = here
        self._truth.compare(self.name, change.table, here, change.after)

    def _was_reset(self, reset: Reset) -> None:
        self._told[reset.table] = reset.at.position if reset.at else None
        if reset.at is None:
            self._truth.fault(f"{self.name}: {reset.table} is gone")
        else:
            self._truth.compare(self.name, reset.table, reset.at.position, reset.at.table)
