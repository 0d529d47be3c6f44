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
        registry.listen(self._wake)
        registry.listen_resets(self._wake)

    async def moved(self, table: str, seen: StreamPosition, limit_s: float) -> None:
        """Return when a table in memory is no longer at `seen`, or after the limit."""
        at = self._registry.peek(table)
        if at is None or at.position != seen:
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

    def _wake(self, news: Change | Reset) -> None:
        for waiter in self._waiters.pop(news.table, ()):
            if not waiter.done():
                waiter.set_result(None)
