"""Ending tasks for certain."""

import asyncio
from typing import Any

ASK_AGAIN_S = 0.1


async def end(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and return when they have ended, whatever they end with.

    A task may miss being cancelled: before Python 3.12 `wait_for` swallows it when what it waits
    for is done in the same turn of the loop. So it is asked until it ends.
    """
    running = {task for task in tasks if task is not None and not task.done()}
    while running:
        for still_running in running:
            still_running.cancel()
        _, running = await asyncio.wait(running, timeout=ASK_AGAIN_S)
    for task in tasks:
        if task is not None and not task.cancelled():
            task.exception()  # Looked at, so that nobody calls it lost.
