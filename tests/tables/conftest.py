"""Registries over stores that may be shared, with a clock that is stepped."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from tests.store.drafts import NOW_MS

OpenRegistry = Callable[[], Awaitable[Registry]]


@pytest.fixture
def shelves() -> MemoryShelves:
    """What the registries of a test share."""
    return MemoryShelves()


@pytest.fixture
def clock() -> SteppedClock:
    """The clock of every registry of the test."""
    return SteppedClock(NOW_MS)


@pytest.fixture
async def open_registry(shelves: MemoryShelves, clock: SteppedClock) -> AsyncIterator[OpenRegistry]:
    """Start registries over the same shelves, like so many processes over one Redis."""
    async with AsyncExitStack() as closing:

        async def open_one() -> Registry:
            sender = f"process-{len(shelves.stores)}"
            registry = Registry(MemoryStore(shelves, sender), clock=clock, draw=min)
            await registry.start()
            closing.push_async_callback(registry.stop)
            return registry

        yield open_one


@pytest.fixture
async def registry(open_registry: OpenRegistry) -> Registry:
    """One registry, started."""
    return await open_registry()
