"""The stores that the contract holds for, each empty at the start of a test."""

import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from livebutton.store.contract import Store
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.pipe import Durability
from livebutton.store.redis_store import RedisStore
from livebutton.store.timeouts import Timeouts
from tests.servers import DURABLE, LOOPBACK, ValkeyProcess, ask
from tests.store.drafts import Listening
from tests.store.layouts import Cluster, Guarded

# Opens a store over the same data as every other one of the test; closed when the test ends.
OpenStore = Callable[[Listening], Awaitable[Store]]

# Longer than a loaded machine ever thinks: what is not about time never runs into one.
PATIENT = Timeouts(
    connect_s=20, command_s=40, durable_s=20, subscriber_s=20, patience_s=60, probe_s=40
)
LAYOUTS = [
    "memory",
    pytest.param("standalone", marks=pytest.mark.real),
    pytest.param("sentinel", marks=pytest.mark.real),
    pytest.param("cluster", marks=pytest.mark.real),
    pytest.param("redis 7", marks=pytest.mark.real),
]


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A master, a replica and three Sentinels for the whole run: do not stop any."""
    guarded = Guarded(tmp_path_factory.mktemp("guarded"))
    yield guarded
    guarded.kill()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three masters for the whole run: do not stop any."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.kill()


@pytest.fixture(scope="session")
def debian_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyProcess]:
    """The redis-server on PATH or in .venv, or that REDIS_SERVER names: do not stop it."""
    places = os.pathsep.join([os.environ["PATH"], str(Path(sys.prefix) / "programs")])
    binary = os.environ.get("REDIS_SERVER") or shutil.which("redis-server", path=places)
    if binary is None:
        # Nothing installed from PyPI brings a Redis; .ci/redis does, where it may install one.
        pytest.skip("no redis-server on PATH: apt-get install redis-server")
    redis = ValkeyProcess(
        tmp_path_factory.mktemp("redis"), *LOOPBACK, *DURABLE, binary=Path(binary)
    )
    redis.start()
    yield redis
    redis.kill()


@pytest.fixture(params=LAYOUTS)
def layout_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty store; "" for the one in dicts."""
    match request.param:
        case "standalone":
            valkey: ValkeyProcess = request.getfixturevalue("shared_valkey")
            return valkey.url
        case "sentinel":
            guarded: Guarded = request.getfixturevalue("guarded")
            assert ask(guarded.master().port, "FLUSHALL").startswith("+OK")
            return guarded.url
        case "redis 7":
            redis: ValkeyProcess = request.getfixturevalue("debian_redis")
            assert ask(redis.port, "FLUSHALL").startswith("+OK")
            return redis.url
        case "cluster":
            cluster: Cluster = request.getfixturevalue("cluster")
            cluster.flush()
            return cluster.url
        case _:
            return ""


@pytest.fixture
async def open_store(layout_url: str) -> AsyncIterator[OpenStore]:
    """Open stores over the same data."""
    shelves = MemoryShelves()
    async with AsyncExitStack() as closing:

        async def open_one(listener: Listening) -> Store:
            store: Store = (
                RedisStore(layout_url, timeouts=PATIENT) if layout_url else MemoryStore(shelves)
            )
            await store.open(listener)
            closing.push_async_callback(store.close)
            return store

        yield open_one


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    """One open, empty store."""
    return await open_store(Listening())


OpenRedis = Callable[..., Awaitable[RedisStore]]


@pytest.fixture
async def open_redis() -> AsyncIterator[OpenRedis]:
    """Open Redis stores at a URL; closed when the test ends."""
    async with AsyncExitStack() as closing:

        async def open_one(
            url: str,
            listener: Listening | None = None,
            *,
            timeouts: Timeouts = PATIENT,
            durability: Durability | None = None,
        ) -> RedisStore:
            store = RedisStore(url, timeouts=timeouts, durability=durability)
            closing.push_async_callback(store.close)
            await store.open(listener or Listening())
            return store

        yield open_one
