"""A master dies under a guarded store and under a cluster; a slot moves: nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from livebutton.store import keys
from livebutton.store.records import Decided, Settled
from livebutton.store.redis_store import RedisStore
from livebutton.store.timeouts import Timeouts
from tests.servers import ask
from tests.store.drafts import OPEN, Listening, Scribe, sit
from tests.store.layouts import Cluster, Guarded, wait_until
from tests.store.waiting import probe_until_well, until

pytestmark = [pytest.mark.real, pytest.mark.slow]

BRISK = Timeouts(
    connect_s=0.5, command_s=1, durable_s=0.5, subscriber_s=0.5, patience_s=40, probe_s=1
)


@asynccontextmanager
async def opened(url: str, listener: Listening) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, timeouts=BRISK)
    await store.open(listener)
    try:
        yield store
    finally:
        await store.close()


class Traffic:
    """One commit after another at a few tables, each waited for, until told to stop."""

    def __init__(self, store: RedisStore, tables: list[str]) -> None:
        self.counts = dict.fromkeys(tables, 0)
        self._store = store
        self._stopped = False
        self._workers = [asyncio.create_task(self._at(table)) for table in tables]

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    async def flows(self, commits: int = 40) -> None:
        goal = self.count + commits
        await until(lambda: self.count >= goal, f"{commits} more commits", 90)

    async def stop(self) -> None:
        self._stopped = True
        await asyncio.gather(*self._workers)

    async def _at(self, table: str) -> None:
        scribe = Scribe(table)
        while not self._stopped:
            number = self.counts[table]
            seat = (number + 1) % 9 + 1
            is_taken = scribe.table is not None and scribe.table.seat(seat).player
            command = {"type": "leave", "seat": seat} if is_taken else sit(seat)
            draft = scribe.draft(f"c{number}", command if number else OPEN)
            outcome = await self._store.commit(draft)
            assert outcome in (Settled(), Decided(draft.verdict, True)), (table, number)
            self.counts[table] += 1


async def whole(store: RedisStore, counts: dict[str, int]) -> None:
    """Every acknowledged commit is in its stream, once and in order."""
    for table, count in counts.items():
        entries = await store.entries(table, 0, 100_000)
        assert [entry.offset for entry in entries] == list(range(1, count + 1))
        assert [entry.command_id for entry in entries] == [f"c{n}" for n in range(count)]


@pytest.fixture
def guarded_alone(tmp_path: Path) -> Iterator[Guarded]:
    guarded = Guarded(tmp_path, down_after_ms=2_000)
    yield guarded
    guarded.kill()


@pytest.fixture
def calmly_guarded(tmp_path: Path) -> Iterator[Guarded]:
    """Sentinels that fail over when they are told to."""
    guarded = Guarded(tmp_path)
    yield guarded
    guarded.kill()


@pytest.fixture
def replicated_cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path, replicas=True)
    yield cluster
    cluster.kill()


async def test_a_master_killed_under_sentinels_loses_no_acknowledged_commit(
    guarded_alone: Guarded,
) -> None:
    listening = Listening()
    async with (
        opened(guarded_alone.url, listening) as here,
        opened(guarded_alone.url, Listening()) as there,
    ):
        await here.subscribe("t0")
        await here.probe()
        traffic = Traffic(there, ["t0", "t1", "t2"])
        await traffic.flows()
        master = guarded_alone.master()
        master.kill()
        await traffic.flows()
        assert guarded_alone.master() is not master
        await probe_until_well(here)
        assert listening.doubts_count >= 1
        heard = len(listening.hints)
        await traffic.flows()
        await until(lambda: len(listening.hints) > heard, "it hears the new master")
        await traffic.stop()
        await whole(here, traffic.counts)


async def test_a_master_demoted_by_hand_and_then_stopped_is_missed_by_nobody(
    calmly_guarded: Guarded,
) -> None:
    listening = Listening()
    async with (
        opened(calmly_guarded.url, listening) as here,
        opened(calmly_guarded.url, Listening()) as there,
    ):
        await here.subscribe("t0")
        traffic = Traffic(there, ["t0"])
        await traffic.flows()
        old = calmly_guarded.master()
        sentinel = calmly_guarded.sentinels[0].port
        # Without this word the old one goes on taking commits that nobody will ever know.
        assert ask(sentinel, "SENTINEL FAILOVER lb COORDINATED").startswith("+OK")
        await until(lambda: calmly_guarded.master() is not old, "the Sentinels name the other")
        await until(
            lambda: "role:slave" in ask(old.port, "INFO replication"),
            "the old one lives on as a replica",
        )
        await probe_until_well(here)
        # Whoever still listened there, since a replica repeats what it is told, hears no more.
        old.kill()
        heard = len(listening.hints)
        await until(lambda: len(listening.hints) > heard, "it hears the new master")
        await traffic.stop()
        await whole(here, traffic.counts)


async def test_a_master_killed_in_a_cluster_loses_no_acknowledged_commit(
    replicated_cluster: Cluster,
) -> None:
    listening = Listening()
    async with (
        opened(replicated_cluster.url, listening) as here,
        opened(replicated_cluster.url, Listening()) as there,
    ):
        tables = [f"t{number}" for number in range(9)]
        for table in tables:
            await here.subscribe(table)
        await here.probe()
        traffic = Traffic(there, tables)
        await traffic.flows()
        replicated_cluster.servers[0].kill()
        counts = dict(traffic.counts)
        await until(
            lambda: all(traffic.counts[table] > counts[table] + 3 for table in tables),
            "commits go on at every table",
            90,
        )
        await probe_until_well(here)
        listening.hints.clear()
        counts = dict(traffic.counts)
        await until(
            lambda: {table for table, _ in listening.hints} == set(tables),
            "every table is heard again",
        )
        await traffic.stop()
        await whole(here, traffic.counts)


async def test_a_slot_that_moves_takes_commits_and_hints_along(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path)
    try:
        listening = Listening()
        async with (
            opened(cluster.url, listening) as here,
            opened(cluster.url, Listening()) as there,
        ):
            await here.subscribe("t1")
            traffic = Traffic(there, ["t1"])
            await traffic.flows()
            source, target = _move_slot_halfway(cluster, "t1")
            # The slot is on its way: keys that have gone are asked for at the target.
            await traffic.flows()
            _move_slot_whole(cluster, "t1", source, target)
            await traffic.flows()
            await until(
                lambda: any(hint.position.offset > 100 for _, hint in listening.hints),
                "the table is heard where it is now",
            )
            await traffic.stop()
            await whole(here, traffic.counts)
    finally:
        cluster.kill()


def _slot(cluster: Cluster, table: str) -> int:
    return int(ask(cluster.servers[0].port, f"CLUSTER KEYSLOT {keys.channel(table)}")[1:])


def _name(port: int) -> str:
    return ask(port, "CLUSTER MYID").split("\r\n")[1]


def _move_slot_halfway(cluster: Cluster, table: str) -> tuple[int, int]:
    """Begin to move a table's slot and move its keys; the ports it goes from and to."""
    slot = _slot(cluster, table)
    owner = slot * 3 // 16_384
    source, target = cluster.servers[owner].port, cluster.servers[(owner + 1) % 3].port
    assert ask(target, f"CLUSTER SETSLOT {slot} IMPORTING {_name(source)}").startswith("+OK")
    assert ask(source, f"CLUSTER SETSLOT {slot} MIGRATING {_name(target)}").startswith("+OK")
    names = " ".join(keys.of_table(table))
    assert ask(source, f'MIGRATE 127.0.0.1 {target} "" 0 5000 KEYS {names}').startswith("+")
    return source, target


def _move_slot_whole(cluster: Cluster, table: str, source: int, target: int) -> None:
    slot = _slot(cluster, table)
    for port in (target, source, *(server.port for server in cluster.servers)):
        assert ask(port, f"CLUSTER SETSLOT {slot} NODE {_name(target)}").startswith("+OK")
    wait_until(lambda: "cluster_state:ok" in ask(source, "CLUSTER INFO"), "the cluster is whole")
