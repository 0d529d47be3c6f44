"""Waiting in a running loop for something to become so."""

import asyncio
from collections.abc import Callable

from livebutton.store.contract import StoreError
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


async def ask_until_answered(store: RedisStore, draft: object) -> object:
    """Commit again and again, as a client does with one command id, until there is an answer."""
    while True:
        try:
            return await store.commit(draft)  # type: ignore[arg-type]
        except StoreError:
            await asyncio.sleep(0.02)
