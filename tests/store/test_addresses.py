"""Where a store is looked for, and what is said when it is not there or lets nobody in."""

import pytest

from livebutton.store.contract import StoreError, StoreUnreachable
from livebutton.store.records import Settled
from livebutton.store.redis_store import RedisStore
from livebutton.store.timeouts import Timeouts
from tests.conftest import StartValkey
from tests.servers import ask
from tests.store.conftest import OpenRedis
from tests.store.drafts import OPEN, Listening, Scribe
from tests.store.waiting import unreachable_for

pytestmark = pytest.mark.real


async def test_without_a_server_it_says_so_in_time(free_port: int) -> None:
    store = RedisStore(
        f"redis://127.0.0.1:{free_port}", timeouts=Timeouts(patience_s=0.3, connect_s=0.2)
    )
    await store.open(Listening())
    with pytest.raises(StoreUnreachable):
        await store.load("t1")
    with pytest.raises(StoreError):
        await store.probe()
    await store.close()
    with pytest.raises(StoreUnreachable):
        await store.load("t1")


@pytest.mark.parametrize(
    "url", ["http://there", "redis+sentinel://host", "redis+cluster://", "nonsense"]
)
def test_a_url_that_names_no_store_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        RedisStore(url)


async def test_a_password_in_the_url_is_used(
    start_valkey: StartValkey, open_redis: OpenRedis
) -> None:
    valkey = start_valkey()
    assert ask(valkey.port, "CONFIG SET requirepass s:cr/t").startswith("+OK")
    url = f"redis://:s%3Acr%2Ft@127.0.0.1:{valkey.port}"
    store = await open_redis(url)
    assert await store.commit(Scribe().draft("c1", OPEN)) == Settled()
    wrong = await open_redis(
        f"redis://:wrong@127.0.0.1:{valkey.port}", timeouts=Timeouts(patience_s=0.3)
    )
    await unreachable_for(lambda: wrong.load("t1"), "password")
