"""Waiting in a running loop for something to become so."""

import asyncio
from collections.abc import Callable

from tests.servers import HANG_LIMIT_S


async def until(condition: Callable[[], object], what: str, limit_s: float = HANG_LIMIT_S) -> None:
    """Return as soon as the condition holds. TimeoutError, naming `what`, past the limit."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + limit_s
    while not condition():
        if loop.time() > deadline:
            raise TimeoutError(f"not within {limit_s:g} s: {what}")
        await asyncio.sleep(0.005)
