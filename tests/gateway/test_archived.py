"""What retention took out of the stream is read on as if it were still there."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from livebutton.store.archive import Archive, archive_all
from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import HANG_LIMIT_S, served

HANDS = 12


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)


@pytest.fixture
async def played(archive: Archive) -> AsyncIterator[Caller]:
    """A table at which some hands were played, none of it archived yet."""
    async with (
        served(archive=archive) as server,
        httpx.AsyncClient(base_url=server.url, timeout=HANG_LIMIT_S, trust_env=False) as http,
    ):
        await server.play()
        for _ in range(HANDS - 1):
            await server.command("t7", type="end_hand")
            await server.command("t7", type="deal")
        yield Caller(server, http)


async def keep_little(caller: Caller, archive: Archive) -> int:
    """Archive all that may be; how many commits that was."""
    gateway = caller.server.gateway
    before_ms = gateway.clock.now_ms() + 1_000
    done = await archive_all(gateway.registry.store, archive, "the test", before_ms)
    assert done.moved_count > 16
    return done.moved_count


async def pages(caller: Caller, what: str, limit: int) -> list[dict[str, Any]]:
    """All that a client gets who reads on from the beginning."""
    found: list[dict[str, Any]] = []
    after, kept = 0, "entries" if what == "events" else "hands"
    while True:
        answer = await caller.ask("GET", f"/v1/tables/t7/{what}?after={after}&limit={limit}")
        assert answer.status_code == 200, answer.text
        page = answer.json()
        # A hand that is still played comes again with the page after it.
        found += [each for each in page[kept] if not found or each["offset"] > found[-1]["offset"]]
        then = page["next_after"] if what == "hands" else (page[kept] or [{}])[-1].get("offset")
        if then in (after, None):
            return found
        after = then


@pytest.mark.parametrize("limit", [1, 7, 500])
async def test_events_and_hands_are_the_same_before_and_after(
    played: Caller, archive: Archive, limit: int
) -> None:
    before = [await pages(played, what, limit) for what in ("events", "hands")]
    assert [each["offset"] for each in before[0]] == list(range(1, len(before[0]) + 1))
    assert [each["hand"] for each in before[1]] == list(range(1, HANDS + 1))
    await keep_little(played, archive)
    assert [await pages(played, what, limit) for what in ("events", "hands")] == before


async def test_a_client_who_reads_while_commits_are_archived_misses_none(
    played: Caller, archive: Archive
) -> None:
    reading = asyncio.ensure_future(pages(played, "events", 3))
    await keep_little(played, archive)
    offsets = [each["offset"] for each in await reading]
    assert offsets == list(range(1, len(offsets) + 1))
    assert offsets[-1] == played.server.gateway.registry.peek("t7").position.offset  # type: ignore[union-attr]


async def test_what_is_nowhere_is_gone_and_another_epoch_is_none_of_the_archives(
    played: Caller, archive: Archive, tmp_path: Path
) -> None:
    moved_count = await keep_little(played, archive)
    path = "/v1/tables/t7/events?after={after}&epoch={epoch}"
    epoch = played.server.gateway.registry.peek("t7").position.epoch  # type: ignore[union-attr]
    is_problem(await played.ask("GET", path.format(after=0, epoch="other")), 410, "gone")
    shutil.rmtree(tmp_path)
    is_problem(await played.ask("GET", path.format(after=0, epoch=epoch)), 410, "gone")
    still = await played.ask("GET", path.format(after=moved_count, epoch=epoch))
    assert still.json()["entries"][0]["offset"] == moved_count + 1


@pytest.mark.parametrize("limit", [7, 500])
async def test_events_and_hands_of_before_a_restored_backup_are_still_told(
    played: Caller, archive: Archive, limit: int
) -> None:
    before = [await pages(played, what, limit) for what in ("events", "hands")]
    await keep_little(played, archive)
    store = played.server.gateway.registry.store
    (mark,) = await store.marks(["t7"])
    assert mark is not None
    assert await store.renew("t7", mark, "restored")
    await played.server.command("t7", type="end_hand")
    assert (await played.ask("GET", "/v1/tables/t7")).json()["epoch"] == "restored"
    events, hands = [await pages(played, what, limit) for what in ("events", "hands")]
    assert events[:-1] == before[0]
    assert hands[:-1] == before[1][:-1]
    assert hands[-1]["end"] == "ended"


async def test_an_archive_that_cannot_be_read_is_a_problem_and_not_a_gap(
    played: Caller, archive: Archive, tmp_path: Path
) -> None:
    await keep_little(played, archive)
    for name in os.listdir(tmp_path / "t7"):
        (tmp_path / "t7" / name).write_text("not JSON\n")
    answer = await played.ask("GET", "/v1/tables/t7/events?after=0")
    assert is_problem(answer, 503, "unavailable")["retry"] is True
