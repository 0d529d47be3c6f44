"""Waiting in a running loop for something to become so."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from livebutton.store.contract import StoreError, StoreUnreachable
from livebutton.store.redis_store import RedisStore
from tests.servers import HANG_LIMIT_S


async def until(condition: Callable[[], object], what: str, limit_s: float = HANG_LIMIT_S) -> None:
    """Return as soon as the condition holds. TimeoutError, naming `what`, past the limit."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + limit_s
    while not condition():
        if loop.time() > deadline:
            raise TimeoutError(f"not within {limit_s:g} s: {what}")
        await asyncio.sleep(0.005)


async def probe_until_well(store: RedisStore) -> None:
    """Send canaries until one comes back, as a process does before it says that it is ready."""
    async with asyncio.timeout(HANG_LIMIT_S):
        while True:
            try:
                await store.probe()
            except StoreError:
                await asyncio.sleep(0.02)
            else:
                return


async def unreachable_for(asking: Callable[[], Awaitable[object]], reason: str) -> None:
    """Ask a store of little patience until it gives up for this reason.

    On a loaded machine its patience may end before the server has answered at all.
    """
    async with asyncio.timeout(HANG_LIMIT_S):
        while True:
            with pytest.raises(StoreUnreachable) as given_up:
                await asking()
            if reason in str(given_up.value).lower():
                return


async def ask_until_answered(store: RedisStore, draft: object) -> object:
    """Commit again and again, as a client does with one command id, until there is an answer."""
    async with asyncio.timeout(HANG_LIMIT_S):
        while True:
            try:
                return await store.commit(draft)  # type: ignore[arg-type]
            except StoreError:
                await asyncio.sleep(0.02)
