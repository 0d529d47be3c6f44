"""A connection between a client and a process that loses, delays, repeats and breaks.

What is carried are the real bytes, one write a message, in order. A message may be lost or come
twice, the connection may break in the middle of one, and each end may learn of that late or, like
behind a dead access point, not at all.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from livebutton.gateway.socket import Socket
from tests.sim.weather import Weather

# Where the simulated kernel tells a writer to wait: low, so that a snapshot gets there.
HIGH_WATER_BYTES = 2 * 1024
LATEST_LOSS_S = 12.0
LATEST_WORDS_S = 5.0
_FIRST_BYTE_OF_CLOSE = 0x88


class Line:
    """One connection, with an end at each side. `heard` and `lost` are the client's."""

    def __init__(
        self,
        chance: random.Random,
        weather: Weather,
        heard: Callable[[bytes], None],
        lost: Callable[[], None],
    ) -> None:
        self._chance = chance
        self._weather = weather
        self._heard = heard
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self.is_broken = False
        self._is_open = False
        self._down_at_s = 0.0
        self._up_at_s = 0.0
        self.server_end = ServerEnd(self)

    def opened(self) -> None:
        """The handshake is over: from now on messages may be lost or repeated."""
        self._is_open = True

    # The two directions.

    def up(self, data: bytes) -> None:
        """The client writes."""
        for copy in self._copies(data):
            self._up_at_s = self._after(self._up_at_s)
            self._loop.call_at(self._up_at_s, self.server_end.arrive, copy)

    def down(self, data: bytes) -> None:
        """The process writes."""
        for copy in self._copies(data):
            self._down_at_s = self._after(self._down_at_s)
            self._loop.call_at(self._down_at_s, self._arrive_down, copy)

    def _copies(self, data: bytes) -> list[bytes]:
        if self.is_broken:
            return []
        if not self._is_open or data[0] == _FIRST_BYTE_OF_CLOSE:
            return [data]
        if self._chance.random() < self._weather.cut:
            # It breaks in the midst of this message: the first bytes still get there.
            self._loop.call_soon(self.cut)
            return [data[: self._chance.randrange(len(data))]]
        if self._chance.random() < self._weather.drop:
            return []
        return [data] * (2 if self._chance.random() < self._weather.duplicate else 1)

    def _after(self, last_s: float) -> float:
        delay_s = self._chance.random() * self._weather.line_delay_s
        # Never before the one sent earlier, nor at the same moment.
        return max(last_s + 1e-6, self._loop.time() + delay_s)

    def _arrive_down(self, data: bytes) -> None:
        if not data:
            return
        if not self.is_broken:
            self._heard(data)
        elif self._chance.random() < 0.5:
            # What was on its way may yet come, long after the client has another socket.
            self._loop.call_later(self._chance.random() * LATEST_WORDS_S, self._heard, data)

    # The end.

    def cut(self) -> None:
        """It breaks; the client sees that soon or never, the process soon or late."""
        if self.is_broken:
            return
        self.is_broken = True
        if self._chance.random() < 0.7:
            self._loop.call_later(self._chance.random() * 0.1, self._lost)
        self._lose_server_end(self._chance.choice([0.05, LATEST_LOSS_S]))

    def hang_up(self) -> None:
        """The client lets go of it."""
        self.is_broken = True
        self._lose_server_end(self._chance.choice([0.01, LATEST_LOSS_S]))

    def ended_by_server(self) -> None:
        """The process let go of it; what it wrote before still arrives."""
        self._down_at_s = self._after(self._down_at_s)
        self._loop.call_at(self._down_at_s, self._lost)

    def stall(self, seconds: float) -> None:
        """The client reads nothing for a while, and then all that lies there."""
        if not self.is_broken and self._is_open:
            self.server_end.stall()
            self._loop.call_later(seconds, self.server_end.go_on)

    def _lose_server_end(self, within_s: float) -> None:
        self._loop.call_later(self._chance.random() * within_s, self.server_end.lose)


class ServerEnd(asyncio.Transport):
    """The transport that the real `Socket` writes to."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line
        self.socket: Socket | None = None
        self.is_gone = False
        self._is_closing = False
        self._is_stalled = False
        self._is_full = False
        self._buffer: list[bytes] = []
        self._held: list[bytes] | None = None

    def connect(self, socket: Socket) -> None:
        """The process has taken the connection."""
        self.socket = socket
        socket.connection_made(self)

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ARG002
        return default

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self._buffer))

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_closing:
            return
        if not self._is_stalled:
            self._line.down(bytes(data))
            return
        self._buffer.append(bytes(data))
        if not self._is_full and self.get_write_buffer_size() > HIGH_WATER_BYTES:
            self._is_full = True
            assert self.socket is not None
            self.socket.pause_writing()

    def stall(self) -> None:
        """The other end has stopped reading."""
        self._is_stalled = True

    def go_on(self) -> None:
        """It reads again."""
        self._is_stalled = False
        written, self._buffer = self._buffer, []
        for data in written:
            self._line.down(data)
        if self._is_full and not self.is_gone:
            self._is_full = False
            assert self.socket is not None
            self.socket.resume_writing()
        if self._is_closing and not self.is_gone:
            self._end()

    def arrive(self, data: bytes) -> None:
        """Bytes of the client."""
        if self._held is not None:
            self._held.append(data)
        elif data and self.socket is not None and not self.is_gone:
            self.socket.data_received(data)

    def pause_reading(self) -> None:
        self._held = []

    def resume_reading(self) -> None:
        held, self._held = self._held or [], None
        for data in held:
            asyncio.get_running_loop().call_soon(self.arrive, data)

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            if not self._is_stalled:
                self._end()

    def abort(self) -> None:
        self._buffer.clear()
        if not self.is_gone:
            self._is_closing = True
            self._end()

    def lose(self) -> None:
        """The connection is gone, as far as the process can tell."""
        if not self.is_gone:
            self.is_gone = self._is_closing = True
            if self.socket is not None:
                self.socket.connection_lost(None)

    def _end(self) -> None:
        self._line.ended_by_server()
        asyncio.get_running_loop().call_soon(self.lose)
