"""Acknowledged is durable: replicas, the file, restarts."""

import pytest

from livebutton.store.pipe import Durability
from livebutton.store.records import Decided, Lost, Settled
from livebutton.store.timeouts import Timeouts
from tests.conftest import StartValkey
from tests.servers import ValkeyProcess, ask, wait_until
from tests.store.conftest import OpenRedis
from tests.store.drafts import OPEN, Scribe, sit
from tests.store.waiting import ask_until_answered, unreachable_for

pytestmark = pytest.mark.real


async def test_a_commit_is_acknowledged_when_the_replica_has_it(
    valkey: ValkeyProcess, start_valkey: StartValkey, open_redis: OpenRedis
) -> None:
    replica = start_valkey("--replicaof", "127.0.0.1", str(valkey.port))
    wait_until(
        lambda: "master_link_status:up" in ask(replica.port, "INFO replication"), "it replicates"
    )
    store = await open_redis(valkey.url)
    hasty = await open_redis(valkey.url, timeouts=Timeouts(durable_s=0.2, patience_s=0.5))
    scribe = Scribe()
    assert await store.commit(scribe.draft("c1", OPEN)) == Settled()
    assert ask(replica.port, "XLEN lb:{t1}:events") == ":1\r\n"
    replica.freeze()
    draft = scribe.draft("c2", sit(3))
    await unreachable_for(lambda: hasty.commit(draft), "not durable")
    replica.thaw()
    # Done, but never acknowledged until it was durable: the same id gets its one verdict.
    assert await ask_until_answered(store, draft) == Decided(draft.verdict, True)
    assert ask(replica.port, "XLEN lb:{t1}:events") == ":2\r\n"


async def test_a_replica_that_comes_later_is_waited_for_from_its_first_commit_on(
    valkey: ValkeyProcess, start_valkey: StartValkey, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url, timeouts=Timeouts(durable_s=0.2, patience_s=0.5))
    scribe = Scribe()
    assert await store.commit(scribe.draft("c1", OPEN)) == Settled()  # it goes on alone
    replica = start_valkey("--replicaof", "127.0.0.1", str(valkey.port))
    wait_until(
        lambda: "state=online" in ask(valkey.port, "INFO replication"), "its master counts it"
    )
    replica.freeze()
    draft = scribe.draft("c2", sit(3))
    await unreachable_for(lambda: store.commit(draft), "not durable")
    replica.thaw()
    assert await ask_until_answered(store, draft) == Decided(draft.verdict, True)
    assert ask(replica.port, "XLEN lb:{t1}:events") == ":2\r\n"


async def test_a_server_that_writes_its_file_once_a_second_is_waited_for(
    start_valkey: StartValkey, open_redis: OpenRedis
) -> None:
    valkey = start_valkey("--appendonly", "yes", "--appendfsync", "everysec", durable=False)
    ask(valkey.port, "CONFIG SET appendonly yes")
    strict = await open_redis(valkey.url)
    scribe = Scribe()
    await strict.commit(scribe.draft("c1", OPEN))
    assert "cmdstat_waitaof" in ask(valkey.port, "INFO commandstats")
    ask(valkey.port, "CONFIG RESETSTAT")
    relaxed = await open_redis(valkey.url, durability=Durability("relaxed"))
    await relaxed.commit(scribe.draft("c2", sit(3)))
    assert "cmdstat_waitaof" not in ask(valkey.port, "INFO commandstats")


async def test_a_commit_that_came_second_is_lost_even_across_a_restart(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url)
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    behind = scribe.draft("behind", sit(3), moves=False)
    await store.commit(scribe.draft("c2", sit(4)))
    valkey.kill()
    valkey.start()
    assert isinstance(await store.commit(behind), Lost)
