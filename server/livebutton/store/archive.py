"""Where commits go that the stream no longer keeps: a file for each table and day.

`FOLDER/TABLE/2026-01-31.jsonl`, one commit a line as JSON, in the order of their offsets. The
table's name is percent-encoded, so that any name is a folder's. A commit is on the disk before
it leaves the stream; one that is archived twice, because the server died in between, stands in
the file once.
"""

import asyncio
import itertools
import json
import logging
import math
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from livebutton.rules.events import AnyEvent
from livebutton.store.contract import Store, StoreError
from livebutton.store.records import Entry

log = logging.getLogger(__name__)

CHUNK = 500
LEASE = "archive"
LEASE_MS = 10 * 60_000


class Archived(msgspec.Struct, frozen=True):
    """What came of one round: commits moved, tables that could not be, and whether we had it.

    One process archives at a time; the others' rounds are not theirs, and move nothing.
    """

    moved_count: int = 0
    failed_count: int = 0
    is_ours: bool = True


class Archive:
    """The files of one folder. Its methods block: call them from a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, table: str, entries: list[Entry]) -> None:
        """Write commits to the files of their days (UTC), each once, and to the disk."""
        folder = self._of(table)
        folder.mkdir(parents=True, exist_ok=True)
        for day, of_day in itertools.groupby(entries, _day):
            path = folder / f"{day}.jsonl"
            _mend(path)
            there = {(line["epoch"], line["offset"]) for line in _lines(path)}
            with path.open("a", encoding="utf-8") as file:
                for entry in of_day:
                    if (entry.epoch, entry.offset) not in there:
                        file.write(json.dumps(as_map(entry), separators=(",", ":")) + "\n")
                file.flush()
                os.fsync(file.fileno())
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def entries(self, table: str) -> Iterator[dict[str, Any]]:
        """Every archived commit of a table, oldest first, as maps."""
        for path in sorted(self._of(table).glob("*.jsonl")):
            yield from _lines(path)

    def after(self, table: str, offset: int, limit: int) -> list[Entry]:
        """Archived commits of a stream from `offset` + 1 on, at most `limit`, without a gap.

        Empty when they do not begin there. Of what was archived and then lost, in a stream that
        fell back or began anew, only what the later files do not tell otherwise.
        """
        found: list[Entry] = []
        for path, until in self._files_from(table, offset + 1):
            for line in _lines(path):
                is_next = line["offset"] == offset + 1 < until
                if is_next:
                    found.append(as_entry(line))
                    offset += 1
                if len(found) == limit or (found and not is_next):
                    return found
        return found

    def _files_from(self, table: str, offset: int) -> list[tuple[Path, float]]:
        """The files of a table from the one on that has this offset, if any has.

        Each with the offset from which on the files after it count.
        """
        files: list[tuple[Path, float]] = []
        until = math.inf
        for path in sorted(self._of(table).glob("*.jsonl"), reverse=True):
            line = next(_lines(path, most=1), None)
            if line is None:
                continue
            files.append((path, until))
            until = min(until, line["offset"])
            if line["offset"] <= offset:
                break
        return files[::-1]

    def _of(self, table: str) -> Path:
        # A dot is left alone by `quote`, and "." and ".." are no folder of ours.
        return self._folder / quote(table, safe="").replace(".", "%2E")


def as_map(entry: Entry) -> dict[str, Any]:
    """A commit as it is archived and exported: everything, under the names of `Entry`."""
    return {
        "epoch": entry.epoch,
        "offset": entry.offset,
        "at_ms": entry.at_ms,
        "command_id": entry.command_id,
        "client": entry.client,
        "role": entry.role,
        "command": msgspec.to_builtins(entry.command, str_keys=True),
        "events": msgspec.to_builtins(entry.events, str_keys=True),
    }


def as_entry(line: dict[str, Any]) -> Entry:
    """An archived commit as it was in the stream, but for its link. msgspec.ValidationError."""
    return Entry(
        line["epoch"],
        line["offset"],
        line["at_ms"],
        line["command_id"],
        line["command"],
        msgspec.convert(line["events"], list[AnyEvent], strict=False, str_keys=True),
        line["client"],
        line["role"],
    )


async def archive_table(store: Store, archive: Archive, table: str, before_ms: int) -> int:
    """Move a table's commits older than that from the stream to the archive; how many.

    Those after the checkpoint stay: the table is loaded from them.
    """
    checkpoint = await store.load(table)
    moved_count = 0
    while checkpoint is not None:
        some = await store.entries(table, 0, CHUNK)
        old = list(
            itertools.takewhile(
                lambda entry: entry.at_ms < before_ms and entry.offset <= checkpoint.table.offset,
                some,
            )
        )
        if not old:
            break
        await asyncio.to_thread(archive.append, table, old)
        await store.trim(table, old[-1].offset)
        moved_count += len(old)
    return moved_count


async def archive_all(store: Store, archive: Archive, holder: str, before_ms: int) -> Archived:
    """Move every table's old commits to the archive. One process does so at a time."""
    if not await store.lease(LEASE, holder, LEASE_MS):
        return Archived(is_ours=False)
    moved_count = failed_count = 0
    for table in [*await store.tables(), *await store.tables(closed=True)]:
        try:
            moved_count += await archive_table(store, archive, table, before_ms)
        except (StoreError, OSError) as error:
            failed_count += 1
            log.warning("old commits could not be archived: %s", error, extra={"table": table})
        except Exception:
            failed_count += 1
            # A file that somebody edited, say. The other tables' commits go on into theirs.
            log.exception("old commits could not be archived", extra={"table": table})
        if not await store.lease(LEASE, holder, LEASE_MS):
            return Archived(moved_count, failed_count, is_ours=False)
    return Archived(moved_count, failed_count)


def _day(entry: Entry) -> str:
    return datetime.fromtimestamp(entry.at_ms / 1000, UTC).date().isoformat()


def _lines(path: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    """The commits of a file, or the first few; a last line that is not whole is passed over."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in itertools.islice(file, most):
            if line.endswith(b"\n"):
                yield json.loads(line)


def _mend(path: Path) -> None:
    """Take off a last line that a crash cut short. Only for whoever has the lease and writes."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
