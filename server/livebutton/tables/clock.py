"""Time as an argument: the system's, or one that a test or a demo steps."""

import asyncio
import heapq
import itertools
import time
from typing import Protocol


class Clock(Protocol):
    """What the server asks of a clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""

    async def sleep(self, seconds: float) -> None:
        """Return when that long has passed on this clock."""


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Return when that long has passed."""
        await asyncio.sleep(seconds)


class SteppedClock:
    """A clock that stands still until it is stepped; sleepers wake in the order of their time."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms
        self._order = itertools.count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC, as far as it was stepped."""
        return self._now_ms

    async def sleep(self, seconds: float) -> None:
        """Return when the clock was stepped that far."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        wake = asyncio.get_running_loop().create_future()
        due_ms = self._now_ms + round(seconds * 1000)
        heapq.heappush(self._sleepers, (due_ms, next(self._order), wake))
        await wake

    def step(self, ms: int) -> None:
        """Let that much time pass and wake whoever is due."""
        self._now_ms += ms
        while self._sleepers and self._sleepers[0][0] <= self._now_ms:
            _, _, wake = heapq.heappop(self._sleepers)
            if not wake.done():
                wake.set_result(None)
