"""One table: a command judged, committed and told, and what a rival process does to it."""

import asyncio
from typing import Any

import pytest

from livebutton.rules.table import Table
from livebutton.store.contract import StoreUnreachable
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.records import Accepted, Decided, Draft, Outcome, Rejected, StreamPosition
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from livebutton.tables.runner import CHECKPOINT_EVERY, MAX_WAITING
from tests.store.drafts import NOW_MS, OPEN, sit
from tests.tables.conftest import OpenRegistry
from tests.tables.wishes import Audience, open_with, request


async def test_an_accepted_command_moves_the_table_one_offset_and_is_told(
    registry: Registry,
) -> None:
    audience = Audience(registry)
    verdict = await registry.command(request("c1", OPEN))
    assert isinstance(verdict, Accepted)
    assert verdict.position.offset == 1
    assert verdict.position.epoch
    verdict = await registry.command(request("c2", sit(3)))
    assert isinstance(verdict, Accepted)
    assert audience.offsets() == [1, 2]
    opened, sat = audience.changes
    assert opened.before is None
    assert sat.before is opened.after
    assert sat.after.seat(3).player == "p3"
    assert (sat.client, sat.role, sat.command_id, sat.at_ms) == ("box 3", "dealer", "c2", NOW_MS)
    assert [type(event).__name__ for event in sat.events] == ["SeatTaken"]
    at = registry.peek("t1")
    assert at is not None
    assert at.table is sat.after
    assert at.position == verdict.position


async def test_the_same_command_sent_again_gets_the_same_verdict_and_acts_once(
    open_registry: OpenRegistry,
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    first = await here.command(request("c1", sit(3)))
    audience = Audience(here)
    again = [await registry.command(request("c1", sit(3))) for registry in (here, there, here)]
    assert again == [first] * 3
    assert audience.changes == []
    assert await there.verdict("t1", "c1") == first


async def test_a_refusal_has_its_reason_and_keeps_it(registry: Registry) -> None:
    await open_with(registry, 3)
    refused = await registry.command(request("c1", sit(3)))
    assert isinstance(refused, Rejected)
    assert refused.reason == "seat_taken"
    assert refused.message
    await registry.command(request("c2", {"type": "leave", "seat": 3}))
    assert await registry.command(request("c1", sit(3))) == refused
    assert await registry.verdict("t1", "c1") == refused


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ({"type": "dance"}, "unknown_command"),
        ({}, "unknown_command"),
        ({"type": "leave"}, "bad_fields"),
        ({"type": "leave", "seat": "three"}, "bad_fields"),
        ({"type": "leave", "seat": 3, "extra": 1}, "bad_fields"),
        ({"type": "leave", "seat": 77}, "no_seat"),
        ({**OPEN, "table": "t2"}, "bad_fields"),
        ({**OPEN, "room": "no{brace}"}, "bad_fields"),
    ],
)
async def test_a_bad_command_is_refused_and_changes_nothing(
    registry: Registry, command: dict[str, Any], reason: str
) -> None:
    position = await open_with(registry, 3)
    verdict = await registry.command(request("bad", command))
    assert isinstance(verdict, Rejected)
    assert verdict.reason == reason
    assert verdict.position == position
    assert await registry.store.entries("t1", position.offset, 10) == []


@pytest.mark.parametrize("table", ["", "a{b", "a}b", "line\nbreak", "room:north", "x" * 129])
async def test_what_cannot_be_a_tables_id_is_refused(registry: Registry, table: str) -> None:
    verdict = await registry.command(request("c1", OPEN, table=table))
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "bad_fields"
    assert registry.loaded_count == 0


@pytest.mark.parametrize("command_id", ["", "x" * 129])
async def test_what_cannot_be_a_commands_id_is_refused(registry: Registry, command_id: str) -> None:
    verdict = await registry.command(request(command_id, OPEN))
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "bad_fields"


async def test_a_command_for_no_table_is_refused_and_remembered(registry: Registry) -> None:
    refused = await registry.command(request("c1", sit(3)))
    assert isinstance(refused, Rejected)
    assert (refused.reason, refused.position) == ("no_table", None)
    await open_with(registry)
    assert await registry.command(request("c1", sit(3))) == refused


async def test_an_id_used_for_another_command_is_a_conflict_and_keeps_its_verdict(
    registry: Registry,
) -> None:
    await open_with(registry)
    first = await registry.command(request("c1", sit(3)))
    conflict = await registry.command(request("c1", sit(4)))
    assert isinstance(conflict, Rejected)
    assert conflict.reason == "id_conflict"
    assert await registry.verdict("t1", "c1") == first


async def test_a_command_decided_from_an_older_table_is_stale(registry: Registry) -> None:
    position = await open_with(registry, 3)
    before = StreamPosition(position.epoch, position.offset - 1)
    stale = await registry.command(request("c1", sit(4), expected=before))
    assert isinstance(stale, Rejected)
    assert (stale.reason, stale.retry, stale.position) == ("stale", True, position)
    other = StreamPosition("another", position.offset)
    stale = await registry.command(request("c2", sit(4), expected=other))
    assert isinstance(stale, Rejected)
    assert isinstance(await registry.command(request("c3", sit(4), expected=position)), Accepted)


async def test_a_client_that_saw_more_than_this_process_is_not_stale(
    open_registry: OpenRegistry, shelves: MemoryShelves
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    await there.current("t1")
    _go_deaf(shelves, there)
    newest = await open_with(here, 3)
    assert isinstance(await there.command(request("c1", sit(4), expected=newest)), Accepted)


async def test_a_command_past_its_deadline_is_late(registry: Registry, clock: SteppedClock) -> None:
    await open_with(registry)
    assert isinstance(await registry.command(request("c1", sit(3), deadline_ms=NOW_MS)), Accepted)
    clock.step(1)
    late = await registry.command(request("c2", sit(4), deadline_ms=NOW_MS))
    assert isinstance(late, Rejected)
    assert late.reason == "late"
    # Sent again past its deadline, an accepted command is still accepted.
    assert isinstance(await registry.command(request("c1", sit(3), deadline_ms=NOW_MS)), Accepted)


async def test_the_button_is_drawn_among_those_present_and_kept_with_the_command(
    registry: Registry,
) -> None:
    await open_with(registry, 2, 5, 7)
    await registry.command(request("out", {"type": "sit_out", "seat": 2}))
    audience = Audience(registry)
    assert isinstance(await registry.command(request("go", {"type": "start_game"})), Accepted)
    (change,) = audience.changes
    assert change.command == {"type": "start_game", "button": 5}
    assert change.after.play.drawn == 5


async def test_drawing_once_more_before_the_first_hand_moves_the_button_elsewhere(
    registry: Registry,
) -> None:
    await open_with(registry, 2, 5, 7)
    audience = Audience(registry)
    for number in range(3):
        drawn = await registry.command(request(f"go{number}", {"type": "start_game"}))
        assert isinstance(drawn, Accepted)
    buttons = [change.after.play.drawn for change in audience.changes]
    assert buttons == [2, 5, 2], "the lowest of those who have not got it"


async def test_commands_of_one_table_are_judged_in_the_order_they_came(
    registry: Registry,
) -> None:
    await open_with(registry)
    verdicts = await asyncio.gather(
        *(registry.command(request(f"c{seat}", sit(seat))) for seat in range(1, 10))
    )
    offsets = [verdict.position.offset for verdict in verdicts if isinstance(verdict, Accepted)]
    assert offsets == list(range(2, 11))


async def test_more_commands_than_may_wait_are_turned_away_without_a_verdict(
    registry: Registry,
) -> None:
    await open_with(registry)
    count = MAX_WAITING + 5
    verdicts = await asyncio.gather(
        *(registry.command(request(f"c{number}", sit(3))) for number in range(count))
    )
    too_many = [v for v in verdicts if isinstance(v, Rejected) and v.reason == "too_many"]
    assert len(too_many) == 5
    assert all(verdict.retry for verdict in too_many)
    assert await registry.verdict("t1", too_many[0].id) is None


async def test_a_rivals_commit_is_taken_in_and_the_command_judged_anew(
    open_registry: OpenRegistry, shelves: MemoryShelves
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    await there.current("t1")
    _go_deaf(shelves, there)
    audience = Audience(there)
    await here.command(request("c1", sit(3)))
    refused = await there.command(request("c2", sit(3)))
    assert isinstance(refused, Rejected)
    assert refused.reason == "seat_taken"
    assert audience.offsets() == [2]
    accepted = await there.command(request("c3", sit(4)))
    assert isinstance(accepted, Accepted)
    assert audience.offsets() == [2, 3]


class FlakyStore(MemoryStore):
    """Commits, and then loses the answer, as often as it is told to."""

    lost_answers_count = 0

    async def commit(self, draft: Draft) -> Outcome:
        outcome = await super().commit(draft)
        if self.lost_answers_count:
            self.lost_answers_count -= 1
            outcome = await super().commit(draft)
            assert isinstance(outcome, Decided)
        return outcome


async def test_a_commit_whose_answer_was_lost_is_known_again_as_ours(
    shelves: MemoryShelves, clock: SteppedClock
) -> None:
    store = FlakyStore(shelves)
    registry = Registry(store, clock=clock)
    await registry.start()
    audience = Audience(registry)
    await open_with(registry)
    store.lost_answers_count = 1
    verdict = await registry.command(request("c1", sit(3)))
    assert isinstance(verdict, Accepted)
    assert verdict.position.offset == 2
    assert audience.offsets() == [1, 2]
    assert isinstance(await registry.command(request("c2", sit(4))), Accepted)
    assert audience.offsets() == [1, 2, 3]
    await registry.stop()


class DeadStore(MemoryStore):
    """Answers no commit while it is dead."""

    is_dead = False

    async def commit(self, draft: Draft) -> Outcome:
        if self.is_dead:
            raise StoreUnreachable("dead")
        return await super().commit(draft)


async def test_without_an_answer_nothing_is_told_and_the_same_id_may_be_sent_again(
    shelves: MemoryShelves, clock: SteppedClock
) -> None:
    store = DeadStore(shelves)
    registry = Registry(store, clock=clock)
    await registry.start()
    await open_with(registry)
    audience = Audience(registry)
    store.is_dead = True
    with pytest.raises(StoreUnreachable):
        await registry.command(request("c1", sit(3)))
    assert audience.changes == []
    store.is_dead = False
    assert isinstance(await registry.command(request("c1", sit(3))), Accepted)
    assert audience.offsets() == [2]
    await registry.stop()


@pytest.mark.parametrize("count", [1, 2, CHECKPOINT_EVERY, CHECKPOINT_EVERY + 1, 40])
async def test_a_table_loaded_from_checkpoint_and_stream_is_the_table_that_was_told(
    open_registry: OpenRegistry, count: int
) -> None:
    here, there = await open_registry(), await open_registry()
    await open_with(here)
    for number in range(count - 1):
        kind = "take_seat" if number % 2 == 0 else "leave"
        command = sit(3) if kind == "take_seat" else {"type": "leave", "seat": 3}
        assert isinstance(await here.command(request(f"c{number}", command)), Accepted)
    ours, loaded = here.peek("t1"), await there.current("t1")
    assert loaded is not None
    assert loaded == ours
    assert isinstance(loaded.table, Table)
    assert loaded.position.offset == count


def _go_deaf(shelves: MemoryShelves, registry: Registry) -> None:
    """Lose every hint on the way to this registry."""
    store = registry.store
    assert isinstance(store, MemoryStore)
    store._tables.clear()
    assert store in shelves.stores
