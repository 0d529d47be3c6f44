"""A backup is whole or not at all, and what is restored is what was there, in a new epoch."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from livebutton.gateway.revocations import Revocations
from livebutton.gateway.rooms import Rooms
from livebutton.store.backup import BackupUnreadable, back_up, restore
from livebutton.store.contract import Store
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.records import Accepted, StreamPosition
from livebutton.store.redis_store import RedisStore
from livebutton.tables.clock import SystemClock
from livebutton.tables.registry import Registry
from livebutton.wire.messages import DisplaySetup
from tests.servers import ValkeyProcess, ask
from tests.store.drafts import NOW_MS, Listening, sit
from tests.tables.wishes import open_with, request


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@pytest.fixture
async def full() -> AsyncIterator[MemoryStore]:
    """A store with a table of many commits and a closed one."""
    shelves = MemoryShelves()
    registry = Registry(MemoryStore(shelves))
    await registry.start()
    await open_with(registry, *range(1, 10))
    for number in range(20):
        command = sit(3) if number % 2 else {"type": "leave", "seat": 3}
        await registry.command(request(f"c{number}", command))
    await open_with(registry, 1, table="t2")
    await registry.command(request("close", {"type": "close_table"}, table="t2"))
    yield registry.store  # type: ignore[misc]
    await registry.stop()


@pytest.mark.real
async def test_a_backup_restored_into_an_empty_valkey_is_the_same_tables(
    full: MemoryStore, shared_valkey: ValkeyProcess, tmp_path: Path
) -> None:
    path = tmp_path / "backup"
    assert await back_up(full, path, NOW_MS) == 2
    assert path.stat().st_mode & 0o077 == 0
    registry = Registry(RedisStore(shared_valkey.url))
    await registry.start()
    assert await restore(registry.store, path, "restored", now_ms()) == (2, [])
    before, after = await full.load("t1"), await registry.current("t1")
    assert before is not None
    assert after is not None
    assert after.position == StreamPosition("restored", 30)
    assert await registry.tables() == ["t1"]
    assert await registry.store.tables(closed=True) == ["t2"]
    old = await full.entries("t1", 0, 100)
    assert await registry.store.entries("t1", 0, 100) == old
    # Who saw more than the backup has must notice; what was decided stays decided.
    assert await registry.entries("t1", before.mark.position.epoch, 30) is None
    again = await registry.command(request("c19", sit(3)))
    assert isinstance(again, Accepted)
    assert again.position.offset == 30
    next_one = await registry.command(request("next", {"type": "leave", "seat": 3}))
    assert isinstance(next_one, Accepted)
    assert next_one.position == StreamPosition("restored", 31)
    # And a backup of the restored is as good as the first.
    assert await back_up(registry.store, tmp_path / "second", NOW_MS) == 2
    await registry.stop()


@pytest.mark.real
async def test_tokens_taken_back_and_what_screens_were_given_outlive_a_restore(
    full: MemoryStore, shared_valkey: ValkeyProcess, tmp_path: Path
) -> None:
    def rooms_of(store: Store) -> Rooms:
        registry = Registry(store)
        return Rooms(registry, SystemClock(), Revocations(), lambda _: None)

    before = rooms_of(full)
    hour_s = now_ms() // 1000 + 3600
    await before.revoke("taken-back", hour_s)
    await before.rename("screen", "Door")
    await before.rename("other", "Rail")
    await before.set_up("screen", DisplaySetup(size="l", names=False))
    await back_up(full, tmp_path / "backup", now_ms())
    store = RedisStore(shared_valkey.url)
    await store.open(Listening())
    await rooms_of(store).rename("other", "Window")
    for _ in range(2):  # A second time changes nothing.
        await restore(store, tmp_path / "backup", "restored", now_ms())
        revocations = Revocations()
        after = Rooms(Registry(store), SystemClock(), revocations, lambda _: None)
        await after.start()
        assert revocations.is_revoked("taken-back")
        assert not revocations.is_revoked("screen")
        assert after.names.of("screen") == "Door"
        assert after.setups.of("screen") == DisplaySetup(size="l", names=False)
        # What is there already is newer than what the backup says.
        assert after.names.of("other") == "Window"
        await after.stop()
    kept = (await store.shelved("", "revocations"))["taken-back"]
    assert abs(kept.until_ms - hour_s * 1000) < 60_000
    # Long after it would have expired there is nothing to take back.
    assert ask(shared_valkey.port, "FLUSHALL").startswith("+OK")
    await restore(store, tmp_path / "backup", "restored", (hour_s + 1) * 1000)
    assert await store.shelf("", "revocations") == {}
    await store.close()


async def test_a_table_that_is_there_is_left_alone(full: MemoryStore, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    await back_up(full, path, NOW_MS)
    before = await full.load("t1")
    assert await restore(full, path, "restored", now_ms()) == (0, ["t1", "t2"])
    assert await full.load("t1") == before
    assert await full.tables() == ["t1"]
    assert await full.tables(closed=True) == ["t2"]


@pytest.mark.parametrize("cut", [0, 3, 40, -1, -10])
async def test_a_backup_that_is_not_whole_restores_nothing(
    full: MemoryStore, tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "backup"
    await back_up(full, path, NOW_MS)
    data = path.read_bytes()
    path.write_bytes(data[:cut])
    empty = MemoryStore()
    await empty.open(Listening())
    with pytest.raises(BackupUnreadable):
        await restore(empty, path, "restored", now_ms())
    assert await empty.tables() == []
    assert await empty.load("t1") is None
    await empty.close()


async def test_what_is_no_backup_is_not_restored(tmp_path: Path) -> None:
    path = tmp_path / "backup"
    path.write_bytes(b"\x00\x00\x00\x05hello, this is something else")
    with pytest.raises(BackupUnreadable, match="not a backup"):
        await restore(MemoryStore(), path, "restored", now_ms())


async def test_a_backup_does_not_write_over_another_that_is_being_made(
    full: MemoryStore, tmp_path: Path
) -> None:
    (tmp_path / "backup.part").write_text("somebody is at it")
    with pytest.raises(FileExistsError):
        await back_up(full, tmp_path / "backup", NOW_MS)
    assert not (tmp_path / "backup").exists()


@pytest.mark.real
async def test_a_restore_that_broke_off_is_begun_anew(
    full: MemoryStore, shared_valkey: ValkeyProcess, tmp_path: Path
) -> None:
    await back_up(full, tmp_path / "backup", NOW_MS)
    store = RedisStore(shared_valkey.url)
    await store.open(Listening())
    # Half a table: entries, but no state yet.
    ask(shared_valkey.port, "XADD lb:{t1}:events 1-0 entry half")
    assert await restore(store, tmp_path / "backup", "restored", now_ms()) == (2, [])
    assert len(await store.entries("t1", 0, 100)) == 30
    await store.close()
