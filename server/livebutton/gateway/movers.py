"""Who waits for a table to move on, as a long poll does."""

import asyncio

from livebutton.store.records import StreamPosition
from livebutton.tables.changes import Change, Reset
from livebutton.tables.registry import Registry


class Movers:
    """Waiters by table. A table that is waited for stays in memory."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._waiters: dict[str, set[asyncio.Future[None]]] = {}
        self._has_ended = False
        registry.listen(self._wake)
        registry.listen_resets(self._wake)

    @property
    def waiting_count(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiters.values()))

    async def moved(self, table: str, seen: StreamPosition, limit_s: float) -> None:
        """Return when a table in memory is no longer at `seen`, after the limit, or at the end."""
        at = self._registry.peek(table)
        if self._has_ended or at is None or at.position != seen:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(table, set()).add(waiter)
        self._registry.watch(table)
        try:
            async with asyncio.timeout(limit_s):
                await waiter
        except TimeoutError:
            pass
        finally:
            self._registry.unwatch(table)
            waiters = self._waiters.get(table, set())
            waiters.discard(waiter)
            if not waiters:
                self._waiters.pop(table, None)

    def end(self) -> None:
        """Nobody waits any longer: this process stops, and whoever asks again asks another."""
        self._has_ended = True
        for table in list(self._waiters):
            self._let_go(table)

    def _wake(self, news: Change | Reset) -> None:
        self._let_go(news.table)

    def _let_go(self, table: str) -> None:
        for waiter in self._waiters.pop(table, ()):
            if not waiter.done():
                waiter.set_result(None)
