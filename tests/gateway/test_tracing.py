"""Spans from a command to the sockets that were told of it, for whoever turns them on."""

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from livebutton import tracing
from tests.gateway.doors import served


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


async def test_a_command_and_the_telling_of_it_are_one_trace(spans: InMemorySpanExporter) -> None:
    tracing.begin()
    async with served() as server:
        await server.open_table()
        screen = await server.client("display")
        await screen.subscribe("t7")
        floor = await server.client("floor")
        spans.clear()
        await floor.command("t7", {"type": "lock_up", "seat": 4}, id="c-1")
    tell, command = spans.get_finished_spans()
    assert (tell.name, command.name) == ("livebutton.tell", "livebutton.command")
    assert tell.parent is not None
    assert command.context is not None
    assert tell.parent.span_id == command.context.span_id
    assert dict(tell.attributes or {}) == {
        "livebutton.table": "t7",
        "livebutton.offset": 2,
        "livebutton.sockets": 1,
    }
    assert dict(command.attributes or {})["livebutton.verdict"] == "accepted"


async def test_nothing_is_traced_unless_asked_for(spans: InMemorySpanExporter) -> None:
    async with served() as server:
        await server.open_table()
    assert spans.get_finished_spans() == ()
