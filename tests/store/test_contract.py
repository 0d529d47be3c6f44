"""What every store promises: in dicts, standalone, through Sentinels, on a cluster."""

import asyncio

from msgspec.structs import replace

from livebutton.store.contract import Store
from livebutton.store.records import (
    Accepted,
    Decided,
    Draft,
    Lost,
    Mark,
    Settled,
    StreamPosition,
)
from tests.servers import HANG_LIMIT_S
from tests.store.conftest import OpenStore
from tests.store.drafts import OPEN, Listening, Scribe, sit
from tests.store.waiting import until


def mark_of(draft: Draft) -> Mark:
    """Where the stream stands after this commit."""
    assert draft.entry is not None
    return Mark(draft.entry.position, draft.entry.command_id, draft.entry.link)


async def test_a_table_that_nobody_opened_is_nowhere(store: Store) -> None:
    assert await store.load("t1") is None
    assert await store.marks(["t1", "t2"]) == [None, None]
    assert await store.entries("t1", 0, 10) == []
    assert await store.verdict("t1", "c1") is None


async def test_commits_are_kept_in_order_with_the_newest_table(store: Store) -> None:
    scribe = Scribe()
    drafts = [scribe.draft("c1", OPEN), scribe.draft("c2", sit(3)), scribe.draft("c3", sit(5))]
    for draft in drafts:
        assert await store.commit(draft) == Settled()
    mark = mark_of(drafts[-1])
    assert mark == Mark(StreamPosition("e1", 3), "c3", mark.link)
    assert await store.marks(["t1"]) == [mark]
    checkpoint = await store.load("t1")
    assert checkpoint is not None
    assert checkpoint.mark == mark
    assert checkpoint.table == scribe.table
    assert await store.entries("t1", 0, 10) == [draft.entry for draft in drafts]
    assert await store.entries("t1", 1, 1) == [drafts[1].entry]
    assert await store.entries("t1", 3, 10) == []


async def test_a_commit_may_leave_the_checkpoint_as_it_was(store: Store) -> None:
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    opened = scribe.table
    draft = scribe.draft("c2", sit(3))
    draft = type(draft)(
        draft.table, draft.base, draft.body, draft.at_ms + 5, draft.verdict, draft.entry
    )
    assert await store.commit(draft) == Settled()
    checkpoint = await store.load("t1")
    assert checkpoint is not None
    assert checkpoint.table == opened
    assert checkpoint.mark == mark_of(draft)


async def test_a_commit_that_follows_another_one_at_that_offset_is_lost(store: Store) -> None:
    scribe = Scribe()
    opening = scribe.draft("c1", OPEN)
    await store.commit(opening)
    here = mark_of(opening)
    draft = scribe.draft("c2", sit(3), moves=False)
    astray = replace(draft, follows=b"another.")
    assert await store.commit(astray) == Lost(here.position)
    assert await store.commit(replace(scribe.refusal("r1", sit(3)), follows=b"another.")) == Lost(
        here.position
    )
    assert await store.verdict("t1", "c2") is None
    assert await store.marks(["t1"]) == [here]
    assert await store.commit(replace(draft, follows=here.link)) == Settled()


async def test_a_commit_decided_from_elsewhere_is_lost_and_leaves_no_trace(store: Store) -> None:
    scribe, rival = Scribe(), Scribe(epoch="e2")
    late = rival.draft("late", OPEN)
    await store.commit(scribe.draft("c1", OPEN))
    assert await store.commit(late) == Lost(StreamPosition("e1", 1))
    behind = scribe.draft("behind", sit(3), moves=False)
    await store.commit(scribe.draft("c2", sit(4)))
    assert await store.commit(behind) == Lost(StreamPosition("e1", 2))
    assert await store.verdict("t1", "behind") is None
    assert len(await store.entries("t1", 0, 10)) == 2
    # Nor does a commit to a table that is gone bring it back.
    lost = Scribe("t2")
    lost.draft("c1", OPEN)
    assert await store.commit(lost.draft("c2", sit(3))) == Lost(None)


async def test_a_command_id_is_decided_once(store: Store) -> None:
    scribe = Scribe()
    first = scribe.draft("c1", OPEN)
    assert await store.commit(first) == Settled()
    assert await store.commit(first) == Decided(first.verdict, True)
    again = scribe.draft("c1", sit(3), moves=False)
    assert await store.commit(again) == Decided(first.verdict, False)
    assert await store.verdict("t1", "c1") == first.verdict
    assert len(await store.entries("t1", 0, 10)) == 1
    # The same id at another table is another command.
    assert await store.commit(Scribe("t2").draft("c1", OPEN)) == Settled()


async def test_a_refusal_is_remembered_as_a_verdict_and_moves_nothing(store: Store) -> None:
    scribe = Scribe()
    nothing = scribe.refusal("early", sit(3))
    assert await store.commit(nothing) == Settled()
    assert await store.load("t1") is None
    opening = scribe.draft("c1", OPEN)
    assert await store.commit(opening) == Settled()
    refusal = scribe.refusal("r1", sit(3))
    assert await store.commit(refusal) == Settled()
    assert await store.verdict("t1", "r1") == refusal.verdict
    assert await store.commit(scribe.draft("r1", sit(3), moves=False)) == Decided(
        refusal.verdict, True
    )
    assert await store.marks(["t1"]) == [mark_of(opening)]


async def test_a_refusal_judged_on_an_old_table_is_lost_too(store: Store) -> None:
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    refusal = scribe.refusal("r1", sit(3))
    await store.commit(scribe.draft("c2", sit(3)))
    assert await store.commit(refusal) == Lost(StreamPosition("e1", 2))


async def test_of_rival_commits_just_one_is_settled(open_store: OpenStore) -> None:
    stores = [await open_store(Listening()) for _ in range(4)]
    scribe = Scribe()
    await stores[0].commit(scribe.draft("c1", OPEN))
    drafts = [scribe.draft(f"rival-{seat}", sit(seat), moves=False) for seat in range(1, 9)]
    outcomes = await asyncio.gather(
        *(stores[number % 4].commit(draft) for number, draft in enumerate(drafts))
    )
    assert outcomes.count(Settled()) == 1
    assert outcomes.count(Lost(StreamPosition("e1", 2))) == 7


async def test_a_subscriber_hears_each_commit_of_its_table_in_order(open_store: OpenStore) -> None:
    listening = Listening()
    here, there = await open_store(listening), await open_store(Listening())
    await here.subscribe("t1")
    scribe, other = Scribe(), Scribe("t2")
    drafts = [scribe.draft("c1", OPEN), scribe.draft("c2", sit(3)), scribe.draft("c3", sit(5))]
    await there.commit(other.draft("c1", OPEN))
    for draft in drafts:
        await there.commit(draft)
    await until(lambda: len(listening.hints) >= 3, "three hints are heard")
    assert [table for table, _ in listening.hints] == ["t1"] * 3
    assert [hint.entry for _, hint in listening.hints] == [draft.entry for draft in drafts]
    assert [hint.position.offset for _, hint in listening.hints] == [1, 2, 3]
    await here.unsubscribe("t1")
    await here.subscribe("t2")
    await there.commit(scribe.draft("c4", sit(6)))
    await there.commit(other.draft("c4", sit(6)))
    await until(lambda: len(listening.hints) >= 4, "the other table is heard")
    assert [table for table, _ in listening.hints[3:]] == ["t2"]


async def test_a_new_epoch_is_given_only_where_the_stream_was_seen(open_store: OpenStore) -> None:
    listening = Listening()
    here, there = await open_store(listening), await open_store(Listening())
    await here.subscribe("t1")
    scribe = Scribe()
    opening = scribe.draft("c1", OPEN)
    await there.commit(opening)
    mark = mark_of(opening)
    assert not await there.renew("t1", Mark(mark.position, "c1", b"another."), "e2")
    assert not await there.renew("t1", Mark(StreamPosition("e1", 1), "other"), "e2")
    assert not await there.renew("t1", Mark(StreamPosition("e1", 2), "c1"), "e2")
    assert not await there.renew("nowhere", mark, "e2")
    assert await there.renew("t1", mark, "e2")
    assert await here.marks(["t1"]) == [Mark(StreamPosition("e2", 1), "c1", mark.link)]
    await until(lambda: len(listening.hints) >= 2, "the new epoch is hinted at")
    assert listening.hints[1][1].position == StreamPosition("e2", 1)
    assert isinstance(await here.commit(scribe.draft("c2", sit(3), moves=False)), Lost)
    scribe.epoch = "e2"
    assert await here.commit(scribe.draft("c2", sit(3))) == Settled()


async def test_a_probe_comes_back(store: Store) -> None:
    for _ in range(2):
        assert 0 <= await store.probe() < HANG_LIMIT_S


async def test_tables_are_listed_by_room(store: Store) -> None:
    assert await store.tables() == []
    for room, table in [("north", "t2"), ("north", "t1"), ("", "t3"), ("north", "t1")]:
        await store.put_table(room, table)
    assert await store.tables() == ["t1", "t2", "t3"]
    assert await store.tables("north") == ["t1", "t2"]
    assert await store.tables("") == ["t3"]
    assert await store.tables("south") == []
    await store.close_table("north", "t2")
    assert await store.tables("north") == ["t1"]
    assert await store.tables(closed=True) == await store.tables("north", closed=True) == ["t2"]


async def test_trimmed_commits_are_gone_and_the_stream_goes_on(store: Store) -> None:
    scribe = Scribe()
    drafts = [scribe.draft("c1", OPEN), *(scribe.draft(f"c{n}", sit(n)) for n in range(2, 6))]
    for draft in drafts:
        await store.commit(draft)
    await store.trim("t1", 3)
    assert await store.entries("t1", 0, 10) == [drafts[3].entry, drafts[4].entry]
    assert await store.commit(scribe.draft("c6", sit(6))) == Settled()
    await store.trim("t1", 6)
    assert await store.entries("t1", 0, 10) == []
    assert await store.commit(scribe.draft("c7", sit(7))) == Settled()
    assert [entry.offset for entry in await store.entries("t1", 0, 10)] == [7]


async def test_a_lease_has_one_holder_at_a_time(store: Store) -> None:
    assert await store.lease("archive", "one", 60_000)
    assert not await store.lease("archive", "two", 60_000)
    assert await store.lease("archive", "one", 1)
    await asyncio.sleep(0.05)
    assert await store.lease("archive", "two", 60_000)
    assert await store.lease("other", "one", 60_000)


async def test_a_copy_is_the_whole_table_and_goes_back_where_there_is_none(store: Store) -> None:
    scribe = Scribe()
    assert await store.copy("t1") is None
    for draft in (scribe.draft("c1", OPEN), scribe.draft("c2", sit(3)), scribe.refusal("r1", {})):
        await store.commit(draft)
    copy = await store.copy("t1")
    assert copy is not None
    assert not await store.paste(copy)
    elsewhere = type(copy)("t2", copy.checkpoint, copy.entries, copy.verdicts)
    assert await store.paste(elsewhere)
    assert await store.load("t2") == await store.load("t1")
    assert await store.entries("t2", 0, 10) == await store.entries("t1", 0, 10)
    for command_id in ("c1", "c2", "r1"):
        verdict = await store.verdict("t1", command_id)
        assert verdict is not None
        assert await store.verdict("t2", command_id) == verdict


async def test_what_lies_on_a_shelf_is_taken_once_and_not_kept_for_ever(
    open_store: OpenStore,
) -> None:
    here, there = await open_store(Listening()), await open_store(Listening())
    await here.put("north", "pairings", "K7F3", b"\x00code", 60_000)
    await here.put("north", "pairings", "OLD1", b"old", -1)
    await here.put("south", "pairings", "K7F4", b"south", 60_000)
    assert await there.shelf("north", "pairings") == {"K7F3": b"\x00code"}
    assert await there.shelf("north", "screens") == {}
    assert await there.take("north", "pairings", "OLD1") is None
    assert await there.take("north", "pairings", "K7F3") == b"\x00code"
    assert await here.take("north", "pairings", "K7F3") is None


async def test_a_rooms_news_goes_round(open_store: OpenStore) -> None:
    heard, deaf = Listening(), Listening()
    here, there = await open_store(heard), await open_store(deaf)
    await here.subscribe_room("north")
    await there.subscribe_room("south")
    await there.tell_room("north", b"\xffnews")
    await until(lambda: heard.news, "the news is heard")
    assert heard.news == [("north", b"\xffnews")]
    assert deaf.news == []
    await here.unsubscribe_room("north")
    await there.tell_room("north", b"later")
    await there.tell_room("south", b"south")
    await until(lambda: deaf.news, "the other room's news is heard")
    assert len(heard.news) == 1


async def test_a_verdict_says_what_was_decided_and_where(store: Store) -> None:
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    assert await store.verdict("t1", "c1") == Accepted("c1", "t1", StreamPosition("e1", 1))
