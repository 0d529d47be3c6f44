"""A table's keys read whole, and written whole where there is no such table."""

from typing import Protocol

from livebutton.store import keys
from livebutton.store.lines import Lines
from livebutton.store.pipe import Words
from livebutton.store.records import (
    BODY_BYTES,
    Checkpoint,
    Entry,
    KeptVerdict,
    TableCopy,
    pack,
    unpack_verdict,
)

CHUNK = 500


class Reads(Protocol):
    """What a copy reads a table with."""

    async def load(self, table: str) -> Checkpoint | None:
        """The table as it stands."""

    async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
        """Commits after an offset."""


async def copy(lines: Lines, reads: Reads, table: str) -> TableCopy | None:
    """All that is kept of a table at one position; None when there is none."""
    checkpoint = await reads.load(table)
    if checkpoint is None:
        return None
    newest = checkpoint.mark.position.offset
    entries: list[Entry] = []
    after = 0
    while some := await reads.entries(table, after, CHUNK):
        # What is committed meanwhile is not of this copy.
        entries += [entry for entry in some if entry.offset <= newest]
        after = some[-1].offset
        if after >= newest:
            break
    table_keys = keys.of_table(table)
    ages = await lines.ask(
        table_keys.verdict_ages, "ZRANGE", table_keys.verdict_ages, 0, -1, "WITHSCORES"
    )
    verdicts: list[KeptVerdict] = []
    for start in range(0, len(ages), 2 * CHUNK):
        ids, scores = ages[start : start + 2 * CHUNK : 2], ages[start + 1 : start + 2 * CHUNK : 2]
        stored = await lines.ask(table_keys.verdicts, "HMGET", table_keys.verdicts, *ids)
        verdicts += [
            KeptVerdict(int(float(score)), found[:BODY_BYTES], unpack_verdict(found[BODY_BYTES:]))
            for score, found in zip(scores, stored, strict=True)
            if found is not None
        ]
    return TableCopy(table, checkpoint, entries, verdicts)


async def paste(lines: Lines, copied: TableCopy, keep_verdicts_ms: int) -> bool:
    """Write a copy, its state last: what breaks off half way is no table, and is begun anew."""
    state, events, verdicts, ages = keys.of_table(copied.table)
    if await lines.ask(state, "EXISTS", state):
        return False
    await lines.write_all(state, [("DEL", events, verdicts, ages)])
    for start in range(0, len(copied.entries), CHUNK):
        chunk = copied.entries[start : start + CHUNK]
        appended: list[Words] = [
            ("XADD", events, f"{entry.offset}-0", "entry", pack(entry)) for entry in chunk
        ]
        await lines.write_all(state, appended)
    for start in range(0, len(copied.verdicts), CHUNK):
        kept: list[Words] = []
        for each in copied.verdicts[start : start + CHUNK]:
            kept.append(("HSET", verdicts, each.verdict.id, each.body + pack(each.verdict)))
            kept.append(("ZADD", ages, each.at_ms, each.verdict.id))
        kept += [("PEXPIRE", verdicts, keep_verdicts_ms), ("PEXPIRE", ages, keep_verdicts_ms)]
        await lines.write_all(state, kept)
    mark = copied.checkpoint.mark
    head: Words = ("HSET", state, "epoch", mark.position.epoch, "offset", mark.position.offset)
    rest: Words = ("command", mark.command_id, "at_ms", copied.checkpoint.at_ms)
    link: Words = ("link", keys.link(mark.position.offset, mark.link)) if mark.link else ()
    await lines.write_all(state, [(*head, *rest, *link, "table", pack(copied.checkpoint.table))])
    return True
