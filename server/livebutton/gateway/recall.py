"""What a client missed that no memory of this process has: told again from the stored stream.

The table as it was where the client stands is found first: from the checkpoint onwards, or back
from it by what each command changed, or from the first commit. From there every stored commit is
recorded again, and each step is the very delta that was told when it happened.
"""

import asyncio
from typing import Any

import msgspec

from livebutton import views
from livebutton.gateway.watching import delta_of, view_for
from livebutton.rules import events as ev
from livebutton.rules.commands import decode_command
from livebutton.rules.evolve import evolve, record
from livebutton.rules.table import Table
from livebutton.store.records import Entry
from livebutton.tables.registry import Registry
from livebutton.wire.messages import Delta

# Commits told again at most. Further behind, a snapshot is the shorter way.
MAX_RECALL = 256


class Past(msgspec.Struct, frozen=True):
    """A table as it was, and the commits since with the table after each, oldest first."""

    base: Table
    steps: list[tuple[Entry, Table]]


class Recalled(msgspec.Struct, frozen=True):
    """An audience's deltas, oldest first, and its view after each."""

    deltas: list[Delta]
    views: list[dict[str, Any]]


async def past(registry: Registry, table: str, epoch: str, after: int) -> Past | None:
    """The commits after an offset, on the table that they were made on. Raises StoreError.

    None when they are not all there, or the table of that offset cannot be told any more.
    """
    base = await _at(registry, table, epoch, after)
    if base is None:
        return None
    entries = await registry.entries(table, epoch, after, MAX_RECALL)
    if entries is None:
        return None
    steps: list[tuple[Entry, Table]] = []
    now: Table | None = base
    for entry in entries:
        now = _follow(now, entry)
        if now is None:
            return None
        steps.append((entry, now))
    return Past(base, steps)


async def recall(past: Past, name: str, audience: str) -> Recalled:
    """What this audience was told, in turns with everything else that this process does."""
    found = Recalled([], [])
    before = view_for(past.base, audience)
    for entry, table in past.steps:
        await asyncio.sleep(0)
        after = view_for(table, audience)
        patch = views.merge_patch(before, after)
        found.deltas.append(delta_of(name, entry.position, patch, entry.events, audience))
        found.views.append(after)
        before = after
    return found


async def _at(registry: Registry, table: str, epoch: str, offset: int) -> Table | None:
    """The table at an offset of its stream, None when that cannot be told."""
    checkpoint = await registry.store.load(table)
    if checkpoint is None or checkpoint.mark.position.epoch != epoch:
        return None
    if checkpoint.table.offset <= offset:
        return await _forward(registry, epoch, table, checkpoint.table, offset)
    earlier = back(checkpoint.table, offset)
    if earlier is not None or offset > MAX_RECALL:
        return earlier
    return await _forward(registry, epoch, table, None, offset)


def back(table: Table, offset: int) -> Table | None:
    """The table as it was at an earlier offset, by what each command since then changed.

    None where the history does not say: beyond an undo, or at the end of what it keeps.
    """
    while table.offset > offset:
        if not table.undo or table.undo[-1].offset != table.offset:
            return None
        before = evolve(table, ev.Undone(back=table.undo[-1]))
        table = msgspec.structs.replace(before, offset=table.offset - 1)
    # One that is empty may only seem so: the oldest are dropped.
    return table if table.undo or offset == 1 else None


async def _forward(
    registry: Registry, epoch: str, name: str, table: Table | None, offset: int
) -> Table | None:
    here = table.offset if table else 0
    if not 0 <= offset - here <= MAX_RECALL:
        return None
    if offset == here:
        return table
    for entry in await registry.entries(name, epoch, here, offset - here) or ():
        table = _follow(table, entry)
        if table is None:
            return None
    return table if table is not None and table.offset == offset else None


def _follow(table: Table | None, entry: Entry) -> Table | None:
    """The table one stored commit further; None when that commit is not the next."""
    if entry.offset != (table.offset if table else 0) + 1:
        return None
    for event in entry.events:
        if isinstance(event, ev.Undone) and table is not None:
            known = table.undo[-1].offset if table.undo else 0
            if event.back.offset != known:
                # It was undone from a history that reached further back than ours.
                return None
    return record(table, decode_command(entry.command), entry.events)
