"""Spans from a command to the sockets that were told of it, for whoever turns them on."""

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from livebutton import tracing
from livebutton.store.memory_store import MemoryShelves
from livebutton.store.redis_store import RedisStore
from tests.gateway.callers import Caller
from tests.gateway.doors import OPEN_TABLE, served, until
from tests.servers import ValkeyProcess
from tests.store.drafts import OPEN, Listening, Scribe, sit


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    """Where this process's spans go: the provider can be set once."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Iterator[InMemorySpanExporter]:
    exporter.clear()
    yield exporter
    tracing.end()


def parent_of(span: ReadableSpan) -> int:
    return span.parent.span_id if span.parent else 0


def id_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


async def test_a_command_and_the_telling_of_it_are_one_trace(spans: InMemorySpanExporter) -> None:
    tracing.begin()
    async with served() as server:
        await server.open_table()
        screen = await server.client("display")
        await screen.subscribe("t7")
        floor = await server.client("floor")
        spans.clear()
        await floor.command("t7", {"type": "lock_up", "seat": 4}, id="c-1")
    judge, commit, tell, command = spans.get_finished_spans()
    names = [span.name for span in (judge, commit, tell, command)]
    assert names == [f"livebutton.{name}" for name in ("judge", "commit", "tell", "command")]
    assert [parent_of(span) for span in (judge, commit, tell)] == [id_of(command)] * 3
    assert dict(tell.attributes or {}) == {
        "livebutton.table": "t7",
        "livebutton.offset": 2,
        "livebutton.sockets": 1,
        "livebutton.frames": 1,
    }
    assert dict(commit.attributes or {})["livebutton.outcome"] == "settled"
    assert dict(command.attributes or {})["livebutton.verdict"] == "accepted"
    assert judge.end_time is not None
    assert commit.start_time is not None
    assert judge.end_time <= commit.start_time


@pytest.mark.parametrize(
    ("sent", "trace_id"), [(f"00-{7:032x}-{9:016x}-01", 7), ("nonsense", 0), ("", 0)]
)
async def test_a_command_over_http_is_a_span_of_its_callers_trace(
    spans: InMemorySpanExporter, caller: Caller, sent: str, trace_id: int
) -> None:
    tracing.begin()
    answer = await caller.ask("POST", "/v1/tables", OPEN_TABLE, headers={"traceparent": sent})
    assert answer.status_code == 201
    (command,) = [each for each in spans.get_finished_spans() if each.name.endswith("command")]
    assert parent_of(command) == (9 if trace_id else 0)
    assert command.context is not None
    assert (command.context.trace_id == 7) == bool(trace_id)


async def test_another_process_tells_its_sockets_under_the_commit_that_it_heard_of(
    spans: InMemorySpanExporter,
) -> None:
    tracing.begin()
    shelves = MemoryShelves()
    async with served(shelves=shelves) as one, served(shelves=shelves, name="two") as two:
        await one.open_table()
        screen = await two.client("display")
        await screen.subscribe("t7")
        floor = await one.client("floor")
        spans.clear()
        await floor.command("t7", {"type": "lock_up", "seat": 4}, id="c-1")
        await screen.hear("delta")
        await until(
            lambda: "livebutton.follow" in {span.name for span in spans.get_finished_spans()},
            "the other process followed",
        )
    by_name = {span.name: span for span in spans.get_finished_spans()}
    follow, tell = by_name["livebutton.follow"], by_name["livebutton.tell"]
    assert parent_of(tell) == id_of(follow)
    assert parent_of(follow) == id_of(by_name["livebutton.commit"])
    assert follow.parent is not None
    assert follow.parent.is_remote
    assert len({span.context.trace_id for span in by_name.values() if span.context}) == 1


@pytest.mark.real
async def test_a_hint_carries_its_trace_through_a_real_store(
    spans: InMemorySpanExporter, shared_valkey: ValkeyProcess
) -> None:
    tracing.begin()
    listening = Listening()
    here, there = RedisStore(shared_valkey.url), RedisStore(shared_valkey.url)
    await here.open(Listening())
    await there.open(listening)
    await there.subscribe("t1")
    scribe = Scribe()
    with tracing.span("test"):
        trace = tracing.parent()
        opening = scribe.draft("c1", OPEN)
        await here.commit(opening)
    tracing.end()
    seating = scribe.draft("c2", sit(3))
    await here.commit(seating)
    await until(lambda: len(listening.hints) == 2, "both are heard of")
    hints = [hint for _, hint in listening.hints]
    assert [hint.entry for hint in hints] == [opening.entry, seating.entry]
    assert [hint.trace for hint in hints] == [trace, ""]
    assert trace.startswith("00-")
    await here.close()
    await there.close()
    assert [span.name for span in spans.get_finished_spans()] == ["livebutton.test"]


async def test_nothing_is_traced_unless_asked_for(spans: InMemorySpanExporter) -> None:
    async with served() as server:
        await server.open_table()
    assert spans.get_finished_spans() == ()
