"""Old commits leave the stream for a file a table and day, none lost, none twice."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from livebutton.rules.events import AnyEvent
from livebutton.store.archive import Archive, archive_all, archive_table
from livebutton.store.memory_store import MemoryStore
from livebutton.store.records import Draft
from tests.store.drafts import OPEN, Listening, Scribe, sit

DAY_MS = 86_400_000
NEW_YEAR_MS = 1_767_225_600_000  # 2026-01-01, midnight UTC


@pytest.fixture
async def store() -> AsyncIterator[MemoryStore]:
    store = MemoryStore()
    await store.open(Listening())
    yield store
    await store.close()


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.jsonl"))


async def write(store: MemoryStore, *times_ms: int, table: str = "t1") -> Scribe:
    """A table with one commit at each of these times."""
    scribe = Scribe(table)
    for number, at_ms in enumerate(times_ms):
        command = sit(number) if number else OPEN
        await store.commit(scribe.draft(f"c{number}", command, at_ms=at_ms))
    return scribe


async def test_each_day_of_a_table_has_its_file(store: MemoryStore, tmp_path: Path) -> None:
    await write(store, NEW_YEAR_MS - 1, NEW_YEAR_MS, NEW_YEAR_MS + DAY_MS, NEW_YEAR_MS + DAY_MS)
    archive = Archive(tmp_path)
    moved_count = await archive_table(store, archive, "t1", NEW_YEAR_MS + DAY_MS)
    assert moved_count == 2
    assert files_in(tmp_path) == ["t1/2025-12-31.jsonl", "t1/2026-01-01.jsonl"]
    assert [entry.offset for entry in await store.entries("t1", 0, 10)] == [3, 4]
    assert [line["offset"] for line in archive.entries("t1")] == [1, 2]


async def test_an_archived_commit_has_all_that_the_stream_had(
    store: MemoryStore, tmp_path: Path
) -> None:
    await write(store, NEW_YEAR_MS, NEW_YEAR_MS)
    stored = await store.entries("t1", 0, 10)
    archive = Archive(tmp_path)
    await archive_table(store, archive, "t1", NEW_YEAR_MS + 1)
    lines = list(archive.entries("t1"))
    for line, entry in zip(lines, stored, strict=True):
        assert msgspec.convert(line["events"], list[AnyEvent], strict=False) == entry.events
        assert line["command"] == entry.command
        assert (line["client"], line["role"], line["at_ms"]) == ("box", "dealer", NEW_YEAR_MS)


async def test_a_commit_archived_twice_stands_there_once(
    store: MemoryStore, tmp_path: Path
) -> None:
    await write(store, NEW_YEAR_MS, NEW_YEAR_MS, NEW_YEAR_MS)
    archive = Archive(tmp_path)
    entries = await store.entries("t1", 0, 10)
    # The server died after it wrote two, and in the midst of the third.
    archive.append("t1", entries[:2])
    with (tmp_path / "t1" / "2026-01-01.jsonl").open("a") as file:
        file.write('{"epoch":"e1","off')
    # Whoever reads meanwhile neither sees that half nor takes it away from the writer.
    before = (tmp_path / "t1" / "2026-01-01.jsonl").read_bytes()
    assert archive.after("t1", 0, 10) == entries[:2]
    assert (tmp_path / "t1" / "2026-01-01.jsonl").read_bytes() == before
    await archive_table(store, archive, "t1", NEW_YEAR_MS + 1)
    assert [line["offset"] for line in archive.entries("t1")] == [1, 2, 3]
    assert await store.entries("t1", 0, 10) == []


async def test_what_was_archived_and_then_lost_is_told_as_it_was_decided_anew(
    store: MemoryStore, tmp_path: Path
) -> None:
    await write(store, *[NEW_YEAR_MS] * 2, *[NEW_YEAR_MS + DAY_MS] * 2)
    first = await store.entries("t1", 0, 10)
    archive = Archive(tmp_path)
    archive.append("t1", first)
    # The stream fell back to its third commit, and went another way from there.
    third, fourth = (
        msgspec.structs.replace(entry, epoch="e2", at_ms=NEW_YEAR_MS + 9 * DAY_MS, client="anew")
        for entry in first[2:]
    )
    archive.append("t1", [fourth])
    assert archive.after("t1", 0, 10) == first[:3]
    assert archive.after("t1", 3, 10) == [fourth]
    archive.append("t1", [msgspec.structs.replace(third, offset=5)])
    assert [entry.offset for entry in archive.after("t1", 3, 10)] == [4, 5]
    assert archive.after("t1", 5, 10) == []


async def test_commits_after_the_checkpoint_stay(store: MemoryStore, tmp_path: Path) -> None:
    scribe = await write(store, NEW_YEAR_MS, NEW_YEAR_MS)
    draft = scribe.draft("later", sit(5), at_ms=NEW_YEAR_MS)
    without = Draft(draft.table, draft.base, draft.body, draft.at_ms, draft.verdict, draft.entry)
    await store.commit(without)
    assert await archive_table(store, Archive(tmp_path), "t1", NEW_YEAR_MS + 1) == 2
    assert await store.entries("t1", 0, 10) == [draft.entry]


@pytest.mark.parametrize("table", ["..", ".", "a/b", "Tisch 1", "c:\\x"])
async def test_any_tables_name_is_a_folder_in_the_archive(
    store: MemoryStore, tmp_path: Path, table: str
) -> None:
    await write(store, NEW_YEAR_MS, table=table)
    archive = Archive(tmp_path / "archive")
    assert await archive_table(store, archive, table, NEW_YEAR_MS + 1) == 1
    (file,) = files_in(tmp_path)
    assert file.count("/") == 2
    assert file.startswith("archive/")
    assert [line["offset"] for line in archive.entries(table)] == [1]


async def test_open_and_closed_tables_are_archived_by_one_process_at_a_time(
    store: MemoryStore, tmp_path: Path
) -> None:
    for table in ("t1", "t2"):
        await write(store, NEW_YEAR_MS, NEW_YEAR_MS, table=table)
        await store.put_table("", table)
    await store.close_table("", "t2")
    archive = Archive(tmp_path)
    assert await store.lease("archive", "another", 60_000)
    none = await archive_all(store, archive, "me", NEW_YEAR_MS + 1)
    assert (none.moved_count, none.is_ours) == (0, False)
    await store.lease("archive", "another", -1)
    done = await archive_all(store, archive, "me", NEW_YEAR_MS + 1)
    assert (done.moved_count, done.failed_count, done.is_ours) == (4, 0, True)
    assert [line["offset"] for line in archive.entries("t2")] == [1, 2]


async def test_a_table_that_cannot_be_archived_is_counted_and_holds_up_no_other(
    store: MemoryStore, tmp_path: Path
) -> None:
    for table in ("t1", "t2"):
        await write(store, NEW_YEAR_MS, table=table)
        await store.put_table("", table)
    # Where the folder of the first one should be, somebody put a file.
    (tmp_path / "t1").write_text("")
    archive = Archive(tmp_path)
    done = await archive_all(store, archive, "me", NEW_YEAR_MS + 1)
    assert (done.moved_count, done.failed_count) == (1, 1)
    assert [line["offset"] for line in archive.entries("t2")] == [1]
