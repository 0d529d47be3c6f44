"""What only a real server can show: lost answers, demotions, restarts, batches, time."""

import asyncio
import math

import pytest

from livebutton.store import keys, redis_store
from livebutton.store.contract import StoreBusy, StoreDeaf, StoreError, StoreUnreachable
from livebutton.store.pipe import TooLate
from livebutton.store.records import Decided, Settled
from livebutton.store.redis_store import KEEP_VERDICTS_MS
from livebutton.store.timeouts import Timeouts
from tests.conftest import StartValkey
from tests.servers import HANG_LIMIT_S, ValkeyProcess, ask
from tests.store.conftest import OpenRedis
from tests.store.drafts import NOW_MS, OPEN, Listening, Scribe, sit
from tests.store.waiting import (
    ask_until_answered,
    probe_until_well,
    unreachable_for,
    until,
)

pytestmark = pytest.mark.real


async def test_the_keys_are_the_ones_that_the_design_names(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(shared_valkey.url)
    scribe = Scribe("7")
    await store.commit(scribe.draft("c1", OPEN))
    await store.commit(scribe.draft("c2", sit(3)))
    port = shared_valkey.port
    assert ask(port, "HGET lb:{7}:state offset") == "$1\r\n2\r\n"
    assert ask(port, "HGET lb:{7}:state epoch") == "$2\r\ne1\r\n"
    assert ask(port, "XLEN lb:{7}:events") == ":2\r\n"
    assert ask(port, "XRANGE lb:{7}:events 2-0 2-0 COUNT 1").startswith("*1\r\n*2\r\n$3\r\n2-0")
    assert ask(port, "HLEN lb:{7}:verdicts") == ":2\r\n"
    assert 0 < int(ask(port, "PTTL lb:{7}:verdicts")[1:]) <= KEEP_VERDICTS_MS


async def test_commits_that_are_ready_together_leave_in_one_write_in_their_order(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(shared_valkey.url)
    await store.marks(["t0"])
    scribes = [Scribe(f"t{number}") for number in range(40)]
    await asyncio.gather(*(store.commit(scribe.draft("c1", OPEN)) for scribe in scribes))
    (pipe,) = [pipe for pipe in store.lines.pipes if pipe.exchanges_count and pipe.writes]
    before = pipe.exchanges_count
    drafts = [scribe.draft(f"c{n}", sit(n)) for scribe in scribes for n in (2, 3)]
    outcomes = await asyncio.gather(*(store.commit(draft) for draft in drafts))
    # In order, or the second commit of a table would have lost.
    assert outcomes == [Settled()] * 80
    assert pipe.exchanges_count == before + 1
    # A write ends with the question for replicas. Lines of the tests before may still go out.
    await until(
        lambda: ask(shared_valkey.port, "CLIENT LIST").count("cmd=role") == 1, "one line is left"
    )


async def test_questions_past_the_bound_are_turned_away(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livebutton.store.pipe.MAX_WAITING", 20)
    store = await open_redis(shared_valkey.url)
    results = await asyncio.gather(
        *(store.verdict("t1", "c1") for _ in range(30)), return_exceptions=True
    )
    assert sum(isinstance(result, StoreBusy) for result in results) == 10
    assert results.count(None) == 20


async def test_a_server_that_forgot_the_scripts_is_sent_them_whole(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(shared_valkey.url)
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    assert ask(shared_valkey.port, "SCRIPT FLUSH").startswith("+OK")
    assert await store.commit(scribe.draft("c2", sit(3))) == Settled()
    assert await store.commit(scribe.draft("c3", sit(4))) == Settled()


async def test_a_commit_whose_answer_was_lost_is_known_again(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url)
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    draft = scribe.draft("c2", sit(3))
    # The server does the work, but its answer comes too late for this connection.
    valkey.freeze()
    committing = asyncio.create_task(store.commit(draft))
    await asyncio.sleep(0.05)
    (writes,) = [pipe for pipe in store.lines.pipes if pipe.writes]
    await writes.break_off()
    valkey.thaw()
    assert await committing in (Settled(), Decided(draft.verdict, True))
    assert ask(valkey.port, "XLEN lb:{t1}:events") == ":2\r\n"


async def test_kill_9_in_the_midst_of_traffic_loses_no_acknowledged_commit(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url)
    acknowledged: dict[str, int] = {}
    stop = asyncio.Event()

    async def traffic(table: str) -> None:
        scribe = Scribe(table)
        number = 0
        while not stop.is_set():
            seat = number % 9 + 1
            taken = scribe.table is not None and scribe.table.seat(seat).player
            command = {"type": "leave", "seat": seat} if taken else sit(seat)
            draft = scribe.draft(f"c{number}", command if number else OPEN)
            outcome = await store.commit(draft)
            assert outcome in (Settled(), Decided(draft.verdict, True))
            number += 1
            acknowledged[table] = number

    workers = [asyncio.create_task(traffic(f"t{number}")) for number in range(8)]
    for _ in range(3):
        count = sum(acknowledged.values())
        await until(lambda count=count: sum(acknowledged.values()) > count + 80, "traffic flows")
        valkey.kill()
        await asyncio.to_thread(valkey.start)
    stop.set()
    await asyncio.gather(*workers)
    for table, count in acknowledged.items():
        entries = await store.entries(table, 0, 10_000)
        assert [entry.offset for entry in entries] == list(range(1, count + 1))
        assert [entry.command_id for entry in entries] == [f"c{n}" for n in range(count)]


@pytest.mark.parametrize("kind", ["normal", "pubsub"])
async def test_killed_connections_are_made_again(
    valkey: ValkeyProcess, open_redis: OpenRedis, kind: str
) -> None:
    listening = Listening()
    here, there = await open_redis(valkey.url, listening), await open_redis(valkey.url)
    await here.subscribe("t1")
    scribe = Scribe()
    await there.commit(scribe.draft("c1", OPEN))
    await until(lambda: listening.hints, "the first commit is heard")
    ask(valkey.port, f"CLIENT KILL TYPE {kind}")
    assert await there.commit(scribe.draft("c2", sit(3))) == Settled()
    if kind == "pubsub":
        await until(lambda: listening.doubts_count, "the store says that it was deaf")
    await here.probe()
    await there.commit(scribe.draft("c3", sit(4)))
    await until(lambda: listening.hints[-1][1].position.offset == 3, "it hears again")


async def test_connections_do_not_pile_up_over_many_losses(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    listening = Listening()
    store = await open_redis(valkey.url, listening)
    for _ in range(10):
        await store.probe()
        doubts = listening.doubts_count
        ask(valkey.port, "CLIENT KILL TYPE pubsub")
        ask(valkey.port, "CLIENT KILL TYPE normal")
        await until(lambda doubts=doubts: listening.doubts_count > doubts, "it hears again")
    await store.probe()
    # The ear, the two pipes, and the one that asks.
    await until(lambda: ask(valkey.port, "CLIENT LIST").count(" addr=") <= 4, "four are left")


async def test_a_subscriber_that_hears_nothing_for_long_stays_connected(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    listening = Listening()
    timeouts = Timeouts(subscriber_s=0.05)
    here = await open_redis(shared_valkey.url, listening, timeouts=timeouts)
    there = await open_redis(shared_valkey.url)
    await here.subscribe("t1")
    (ear,) = here.lines.ears
    # Far more than three times any timeout of the connection.
    await until(lambda: ear.pings_count > 20, "the ear has asked whether the line lives")
    assert ear.connects_count == 1
    await there.commit(Scribe().draft("c1", OPEN))
    await until(lambda: listening.hints, "it still hears")
    assert listening.doubts_count == 0


async def test_a_frozen_server_is_given_up_in_time_and_found_again(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    timeouts = Timeouts(connect_s=0.2, command_s=0.2, subscriber_s=0.2, patience_s=0.6, probe_s=0.3)
    listening = Listening()
    store = await open_redis(valkey.url, listening, timeouts=timeouts)
    scribe = Scribe()
    await ask_until_answered(store, scribe.draft("c1", OPEN))
    await probe_until_well(store)
    await store.subscribe("t1")
    valkey.freeze()
    draft = scribe.draft("c2", sit(3))
    with pytest.raises(StoreUnreachable):
        await store.commit(draft)
    with pytest.raises(StoreError):
        await store.probe()
    valkey.thaw()
    assert await ask_until_answered(store, draft) in (Settled(), Decided(draft.verdict, True))
    await until(lambda: listening.doubts_count, "it hears again")
    await probe_until_well(store)


async def test_a_demoted_master_is_left_and_the_commit_waits_for_a_new_one(
    valkey: ValkeyProcess, start_valkey: StartValkey, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url)
    hasty = await open_redis(valkey.url, timeouts=Timeouts(probe_s=0.5))
    await store.commit(Scribe().draft("c1", OPEN))
    other = start_valkey()
    assert ask(valkey.port, "CONFIG SET replica-read-only yes").startswith("+OK")
    assert ask(valkey.port, f"REPLICAOF 127.0.0.1 {other.port}").startswith("+OK")
    committing = asyncio.create_task(store.commit(Scribe("t2").draft("c1", OPEN)))
    await unreachable_for(hasty.probe, "read-only")
    assert not committing.done()
    assert ask(valkey.port, "REPLICAOF NO ONE").startswith("+OK")
    assert await committing == Settled()
    await store.probe()


async def test_a_store_whose_messages_do_not_come_back_is_deaf_and_dials_again(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    listening = Listening()
    store = await open_redis(valkey.url, listening, timeouts=Timeouts(probe_s=1))
    await store.subscribe("t1")
    await probe_until_well(store)
    listening.doubts_count = 0
    (ear,) = store.lines.ears
    # Subscribed by its own account and connected, but the server knows nothing of it.
    await ear.say("UNSUBSCRIBE")
    deaf_count = 0
    async with asyncio.timeout(HANG_LIMIT_S):
        while not listening.doubts_count:
            try:
                await store.probe()
            except StoreDeaf:
                deaf_count += 1
            except StoreError:
                pass  # too slow an answer, as a loaded machine gives
    assert deaf_count
    await probe_until_well(store)


async def test_a_line_hung_up_as_a_ping_falls_due_is_dialled_anew_and_subscribed(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    listening = Listening()
    timeouts = Timeouts(subscriber_s=0.001)
    store = await open_redis(shared_valkey.url, listening, timeouts=timeouts)
    await store.subscribe("t1")
    (ear,) = store.lines.ears
    for _ in range(20):
        pings = ear.pings_count
        await until(lambda pings=pings: ear.pings_count > pings, "it asks whether the line lives")
        doubts = listening.doubts_count
        await ear.redial()
        await until(lambda doubts=doubts: listening.doubts_count > doubts, "it hears again")


async def test_an_exchange_that_breaks_answers_its_questions_and_the_next_one_works(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_redis(shared_valkey.url)
    await store.marks(["t1"])
    (pipe,) = store.lines.pipes

    async def trip(*_: object) -> None:
        raise AttributeError("redis-py tripped over itself")

    with monkeypatch.context() as patched:
        patched.setattr(pipe, "_exchange", trip)
        asked = [asyncio.ensure_future(pipe.ask(("PING",))) for _ in range(3)]
        for question in asked:
            with pytest.raises(StoreUnreachable, match="tripped"):
                await question
    assert await pipe.ask(("PING",)) == b"PONG"


async def test_each_question_has_its_own_deadline_whichever_was_asked_first(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url, timeouts=Timeouts(command_s=60, patience_s=60))
    await store.marks(["t1"])
    (pipe,) = store.lines.pipes
    loop = asyncio.get_running_loop()
    valkey.freeze()
    limits_s = (60.0, 0.05, 0.3, math.inf)
    first, soon, later, whenever = (
        asyncio.ensure_future(pipe.ask(("PING",), deadline_s=loop.time() + limit_s))
        for limit_s in limits_s
    )
    for late in (soon, later):
        with pytest.raises(TooLate):
            await late
    assert not first.done()
    assert not whenever.done()
    valkey.thaw()
    assert await first == await whenever == b"PONG"
    # Answers that came for the late ones were nobody else's.
    assert await pipe.ask(("ECHO", "next")) == b"next"


async def test_a_placing_of_ears_that_breaks_is_done_again(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_redis(shared_valkey.url)
    await store.subscribe("t1")
    (ear,) = store.lines.ears
    places = store.lines._place
    breaks_count = 0

    async def trip_twice() -> bool:
        nonlocal breaks_count
        breaks_count += 1
        if breaks_count > 2:
            return await places()
        raise AttributeError("redis-py tripped over itself")

    monkeypatch.setattr(store.lines, "_place", trip_twice)
    await ear.drop([keys.channel("t1")])
    ear._displaced()
    await until(lambda: keys.channel("t1") in ear.wanted, "the channel is heard again")
    assert breaks_count == 3


async def test_a_refused_write_is_not_mistaken_for_an_answer(
    valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(valkey.url)
    hasty = await open_redis(valkey.url, timeouts=Timeouts(patience_s=0.5))
    scribe = Scribe()
    await store.commit(scribe.draft("c1", OPEN))
    assert ask(valkey.port, "CONFIG SET maxmemory 1").startswith("+OK")
    draft = scribe.draft("c2", sit(3))
    await unreachable_for(lambda: hasty.commit(draft), "maxmemory")
    assert ask(valkey.port, "CONFIG SET maxmemory 0").startswith("+OK")
    assert await store.verdict("t1", "c2") is None
    assert await store.commit(draft) == Settled()


async def test_a_verdict_is_kept_for_a_day_and_then_forgotten(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    store = await open_redis(shared_valkey.url)
    scribe = Scribe()
    first = scribe.draft("c1", OPEN)
    await store.commit(first)
    later = NOW_MS + KEEP_VERDICTS_MS
    await store.commit(scribe.draft("c2", sit(3), at_ms=later - 1))
    assert await store.verdict("t1", "c1") == first.verdict
    await store.commit(scribe.draft("c3", sit(4), at_ms=later))
    assert await store.verdict("t1", "c1") is None
    assert ask(shared_valkey.port, "ZCARD lb:{t1}:verdict_ages") == ":2\r\n"
    assert ask(shared_valkey.port, "HLEN lb:{t1}:verdicts") == ":2\r\n"


async def test_a_large_commit_is_hinted_at_without_its_entry(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The rules let no text be so long; a hand with many rulings might be.
    monkeypatch.setattr(redis_store, "MAX_HINT_BYTES", 64)
    listening = Listening()
    here = await open_redis(shared_valkey.url, listening)
    there = await open_redis(shared_valkey.url)
    await here.subscribe("t1")
    scribe = Scribe()
    await there.commit(scribe.draft("c1", OPEN))
    await until(lambda: listening.hints, "the hint is heard")
    assert listening.hints[0][1].entry is None
    assert listening.hints[0][1].position.offset == 1


async def test_a_hint_that_cannot_be_read_raises_a_doubt(
    shared_valkey: ValkeyProcess, open_redis: OpenRedis
) -> None:
    listening = Listening()
    store = await open_redis(shared_valkey.url, listening)
    await store.subscribe("t1")
    ask(shared_valkey.port, f"PUBLISH {keys.channel('t1')} nonsense")
    await until(lambda: listening.doubts_count, "the doubt is raised")
    assert listening.hints == []
