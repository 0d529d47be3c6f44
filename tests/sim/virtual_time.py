"""An event loop whose time passes only when there is nothing left to do at this moment.

It jumps straight to the next timer, so a minute of the simulation takes no longer than its work,
and nothing depends on how fast the machine is. `asyncio.timeout`, `sleep` and `call_later` of the
code under test all run on it as they are.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

Result = TypeVar("Result")

# What the simulated machines take for the year: milliseconds since 1970.
BEGAN_MS = 1_900_000_000_000


class _Waiter(selectors.BaseSelector):
    """Waits for nothing: it is told how long the loop would wait, and lets that time pass."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._real = selectors.DefaultSelector()

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("nothing will ever happen again in this simulation")
            self.now_s += max(0.0, timeout)
        return ready

    def close(self) -> None:
        self._real.close()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()


class VirtualLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop, with the waiter above in the place of the system's."""

    def __init__(self) -> None:
        self._waiter = _Waiter()
        super().__init__(self._waiter)

    def time(self) -> float:
        return self._waiter.now_s


class LoopClock:
    """The server's clock, on the loop's time."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return BEGAN_MS + int(asyncio.get_running_loop().time() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Return when that long has passed."""
        await asyncio.sleep(seconds)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end in virtual time. Debug mode is off: it would cost half of the run."""
    with asyncio.Runner(debug=False, loop_factory=VirtualLoop) as runner:
        return runner.run(work)
