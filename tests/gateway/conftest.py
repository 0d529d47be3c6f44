"""What the gateway's tests share."""

from collections.abc import AsyncIterator

import httpx
import pytest_asyncio

from tests.gateway.callers import Caller
from tests.gateway.doors import HANG_LIMIT_S, served


@pytest_asyncio.fixture
async def caller() -> AsyncIterator[Caller]:
    async with (
        served() as server,
        httpx.AsyncClient(base_url=server.url, timeout=HANG_LIMIT_S, trust_env=False) as http,
    ):
        yield Caller(server, http)
