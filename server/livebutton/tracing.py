"""OpenTelemetry spans from a command to the last socket that was told of it. Off by default.

`command` (from when it was read to its verdict) holds `judge`, `commit` (until it is durable) and
`tell`, which ends when the last frame was handed to its transport. Other processes `follow` under
the commit that they heard of, and `tell` their own sockets. A command over HTTP with a
`traceparent` is a span of its caller's trace.

Whoever turns it on brings the exporter, as `opentelemetry-instrument livebutton serve` does.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol


class Span(Protocol):
    """What is said of a span once that is known."""

    def set_attribute(self, key: str, value: str | int | float | bool) -> object:
        """Say one thing of it."""


class _NoSpan:
    def set_attribute(self, key: str, value: str | int | float | bool) -> object:
        """Nobody listens."""


_NO_SPAN: AbstractContextManager[Span] = nullcontext(_NoSpan())
_tracer: Any = None


def begin() -> None:
    """Trace from now on. ImportError when OpenTelemetry is not installed (livebutton[otel])."""
    global _tracer
    from opentelemetry import trace

    _tracer = trace.get_tracer("livebutton")


def end() -> None:
    """Trace no more."""
    global _tracer
    _tracer = None


def span(name: str, **ids: str | int) -> AbstractContextManager[Span]:
    """A span for as long as this lasts, under the one that lasts already; nothing when off."""
    return _NO_SPAN if _tracer is None else _traced(name, ids)


def parent() -> str:
    """The span that lasts now, as a W3C traceparent for another process; "" when there is none."""
    if _tracer is None:
        return ""
    carrier: dict[str, str] = {}
    _propagator().inject(carrier)
    return carrier.get("traceparent", "")


def span_from(trace: str, name: str, **ids: str | int) -> AbstractContextManager[Span]:
    """A span under one of another process; nothing when off, or when that one does not trace."""
    if _tracer is None or not trace:
        return _NO_SPAN
    return _traced(name, ids, _propagator().extract({"traceparent": trace}))


@contextmanager
def under(trace: str) -> Iterator[None]:
    """Let spans begin under one of the caller's (a W3C traceparent) for as long as this lasts.

    What is no traceparent changes nothing, nor does anything when off.
    """
    if _tracer is None or not trace:
        yield
        return
    from opentelemetry import context

    token = context.attach(_propagator().extract({"traceparent": trace}))
    try:
        yield
    finally:
        context.detach(token)


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()


@contextmanager
def _traced(name: str, ids: dict[str, str | int], context: Any = None) -> Iterator[Span]:
    attributes = {f"livebutton.{key}": value for key, value in ids.items()}
    with _tracer.start_as_current_span(
        f"livebutton.{name}", context=context, attributes=attributes
    ) as traced:
        yield traced
