"""A table's commits wherever they lie: in its stream, or where the archive took them."""

import asyncio

from livebutton.store.archive import Archive
from livebutton.store.records import Entry
from livebutton.tables.registry import Registry


async def entries_after(
    registry: Registry, archive: Archive | None, table: str, epoch: str, after: int, limit: int
) -> list[Entry] | None:
    """The commits after an offset, oldest first, at most `limit`; [] when none was missed.

    Those of before the stream got its epoch are among them, under the epoch they were made in.
    None when the epoch is another, the offset is ahead, or some are nowhere any more. Raises
    StoreError, and OSError or ValueError when the archive cannot be read.
    """
    found: list[Entry] = []
    while len(found) < limit:
        here = found[-1].offset if found else after
        # The stream first: what has left it by now is in the archive before that.
        some = await registry.entries(table, epoch, here, limit - len(found), earlier=True)
        if some is not None:
            return found + some
        archived: list[Entry] = []
        if archive is not None and await _is_of(registry, table, epoch):
            archived = await asyncio.to_thread(archive.after, table, here, limit - len(found))
        if not archived:
            return found or None
        found += archived
    return found


async def _is_of(registry: Registry, table: str, epoch: str) -> bool:
    (mark,) = await registry.store.marks([table])
    return mark is not None and mark.position.epoch == epoch
