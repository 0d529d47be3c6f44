"""A backup in one file, and the way back.

Length-prefixed MessagePack records: a head, one TableCopy for each table, what lies on the shelves
that last (tokens taken back, names and set-ups of screens), a tail with the counts, so that a file
that was cut short is known. A table that is restored gets a new epoch: clients may have seen
offsets that the backup lacks, and must notice.
"""

import contextlib
import itertools
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from livebutton.store import keys
from livebutton.store.contract import Store
from livebutton.store.records import Checkpoint, Mark, Shelved, StreamPosition, TableCopy

_LENGTH = struct.Struct(">I")
_FORMAT = "livebutton backup 1"


class BackupUnreadable(Exception):
    """The file is no backup, or not a whole one; the message says which."""


class _Head(msgspec.Struct, frozen=True, tag="head"):
    format: str
    at_ms: int


class _Table(msgspec.Struct, frozen=True, tag="table"):
    copy: TableCopy
    closed: bool


class _OnShelf(msgspec.Struct, frozen=True, tag="shelved"):
    room: str
    shelf: str
    name: str
    shelved: Shelved


class _Tail(msgspec.Struct, frozen=True, tag="tail"):
    tables_count: int
    shelved_count: int = 0


_Record = _Head | _Table | _OnShelf | _Tail
_decoder = msgspec.msgpack.Decoder(_Record)


async def back_up(store: Store, path: Path, at_ms: int) -> int:
    """Write all that lasts to a new file, whole or not at all; how many tables. OSError."""
    unfinished = path.with_name(path.name + ".part")
    tables_count = shelved_count = 0
    rooms = {keys.EVERYWHERE}
    try:
        with unfinished.open("xb") as file:
            os.chmod(unfinished, 0o600)
            _write(file, _Head(_FORMAT, at_ms))
            closed = set(await store.tables(closed=True))
            for table in sorted({*await store.tables(), *closed}):
                copy = await store.copy(table)
                if copy is not None:
                    _write(file, _Table(copy, table in closed))
                    tables_count += 1
                    rooms.add(copy.checkpoint.table.setup.room)
            for room, shelf in itertools.product(sorted(rooms), keys.LASTING_SHELVES):
                for name, shelved in (await store.shelved(room, shelf)).items():
                    _write(file, _OnShelf(room, shelf, name, shelved))
                    shelved_count += 1
            _write(file, _Tail(tables_count, shelved_count))
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            unfinished.unlink()
        raise
    return tables_count


async def restore(store: Store, path: Path, new_epoch: str, now_ms: int) -> tuple[int, list[str]]:
    """Put every table of a backup back: how many, and those left alone because they are there.

    `new_epoch` is for all of them. What lay on shelves is put back for the rest of its time, where
    nothing of that name lies now. Raises BackupUnreadable, before anything is written.
    """
    for _ in _records(path):
        pass  # Whole, from head to tail, before the first table is touched.
    restored_count, left = 0, []
    for record in _records(path):
        if isinstance(record, _OnShelf):
            await _put_back(store, record, now_ms)
            continue
        copy = record.copy
        room = copy.checkpoint.table.setup.room
        if await store.marks([copy.table]) != [None]:
            left.append(copy.table)
            continue
        # Listed first: a table that a crash left unlisted would never be found again.
        await store.put_table(room, copy.table)
        if await store.paste(_under(copy, new_epoch)):
            restored_count += 1
            if record.closed:
                await store.close_table(room, copy.table)
        else:
            left.append(copy.table)
    return restored_count, left


async def _put_back(store: Store, record: _OnShelf, now_ms: int) -> None:
    keep_ms = record.shelved.until_ms - now_ms
    if keep_ms > 0 and record.name not in await store.shelf(record.room, record.shelf):
        await store.put(record.room, record.shelf, record.name, record.shelved.value, keep_ms)


def _under(copy: TableCopy, epoch: str) -> TableCopy:
    """The copy with its stream at the same offset of a new epoch."""
    mark = copy.checkpoint.mark
    renewed = Mark(StreamPosition(epoch, mark.position.offset), mark.command_id, mark.link)
    checkpoint = Checkpoint(renewed, copy.checkpoint.at_ms, copy.checkpoint.table)
    return TableCopy(copy.table, checkpoint, copy.entries, copy.verdicts)


def _write(file: BinaryIO, record: _Record) -> None:
    data = msgspec.msgpack.encode(record)
    file.write(_LENGTH.pack(len(data)) + data)


def _records(path: Path) -> Iterator[_Table | _OnShelf]:
    """What is in a backup. BackupUnreadable as soon as something is wrong."""
    count = shelved_count = 0
    with path.open("rb") as file:
        head = _read(file)
        if not isinstance(head, _Head) or head.format != _FORMAT:
            raise BackupUnreadable(f"{path} is not a backup of livebutton")
        while True:
            match _read(file):
                case _Table() as table:
                    count += 1
                    yield table
                case _OnShelf() as shelved:
                    shelved_count += 1
                    yield shelved
                case _Tail() as tail if tail == _Tail(count, shelved_count):
                    return
                case _:
                    raise BackupUnreadable(f"{path} is not whole: it ends after {count} tables")


def _read(file: BinaryIO) -> _Record | None:
    """The next record; None where there is none that can be read."""
    prefix = file.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(prefix)
    data = file.read(length)
    try:
        return _decoder.decode(data) if len(data) == length else None
    except msgspec.DecodeError:
        return None
