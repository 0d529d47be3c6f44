"""What one scrape shows of a server, in Prometheus's terms.

Counters and histograms are moved where the thing happens; gauges are read when they are scraped.
Where several processes share a port, any of them answers for all: the library's files in the
folder that PROMETHEUS_MULTIPROC_DIR names hold what each has counted.
"""

import os
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# How the gauges of several processes become one.
Together = Literal["livesum", "livemax", "livemin"]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# What Linux says of this process; elsewhere its memory is not told.
_MEMORY = Path("/proc/self/statm")


class Metrics:
    """One process's metrics; tests make as many as they like."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._counts: list[_Count] = []
        kept = self.registry
        self.received = Counter(
            "livebutton_messages_received", "Messages from clients", ["type"], registry=kept
        )
        self.delivered = Counter("livebutton_deliveries", "Changes given to sockets", registry=kept)
        self.encoded = Counter("livebutton_frames_encoded", "Changes encoded", registry=kept)
        self.commands = Counter(
            "livebutton_commands", "Commands by what became of them", ["verdict"], registry=kept
        )
        self.command_s = Histogram(
            "livebutton_command_seconds",
            "From a command's arrival to its verdict",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
            registry=kept,
        )
        self.resumes = Counter(
            "livebutton_resumes", "Subscriptions by how they began", ["outcome"], registry=kept
        )
        self.jumps = Counter(
            "livebutton_view_jumps", "Tables whose views had to begin anew", registry=kept
        )
        self.bad_input = Counter(
            "livebutton_bad_input", "Messages that were refused unread", ["code"], registry=kept
        )
        self.handshakes_refused = Counter(
            "livebutton_handshakes_refused",
            "Websockets that were not opened",
            ["status"],
            registry=kept,
        )
        self.closed = Counter(
            "livebutton_sockets_closed", "Sockets closed by the server", ["code"], registry=kept
        )
        self.coalesced = Counter(
            "livebutton_coalesced", "Changes kept from sockets that did not read", registry=kept
        )
        self.errors = Counter(
            "livebutton_errors", "Errors told to sockets that stay open", ["code"], registry=kept
        )
        self.http_answers = Counter(
            "livebutton_http_answers", "Answers of /v1 over HTTP", ["status"], registry=kept
        )
        self._begin_archive()
        self._begin_known()
        self._watch_process()

    def _begin_archive(self) -> None:
        kept = self.registry
        self.archived = Counter(
            "livebutton_archived", "Commits moved to the archive", registry=kept
        )
        self.archive_failures = Counter(
            "livebutton_archive_failures",
            "Tables whose old commits could not be archived, once for each try",
            registry=kept,
        )
        self.archive_whole = Gauge(
            "livebutton_archive_whole_timestamp_seconds",
            "When this server last found that all old commits are in the archive; 0 for never",
            registry=kept,
            multiprocess_mode="livemax",
        )

    def _begin_known(self) -> None:
        # What alerts ask about is there from the start: a series that begins at 40 has no increase.
        for counter, values in (
            (self.commands, ("accepted", "forbidden", "unavailable")),
            (self.resumes, ("new", "whole", "snapshot")),
            (self.bad_input, ("bad_message", "bad_frame")),
            (self.closed, ("4001", "4003", "4004")),
            (self.handshakes_refused, ("503",)),
            (self.http_answers, ("401", "403")),
        ):
            for value in values:
                counter.labels(value)

    def _watch_process(self) -> None:
        """What an operator asks of any process."""
        build = Gauge(
            "livebutton_build_info",
            "1 for each version that serves",
            ["version"],
            registry=self.registry,
            multiprocess_mode="livemax",
        )
        build.labels(version("livebutton")).set(1)
        self.watch("livebutton_processes", "Processes that serve", lambda: 1.0)
        self.count("livebutton_cpu_seconds", "CPU time of the processes", time.process_time)
        if _MEMORY.exists():
            self.watch("livebutton_resident_bytes", "Memory of the processes", _resident_bytes)

    def watch(
        self, name: str, text: str, read: Callable[[], float], together: Together = "livesum"
    ) -> None:
        """A gauge that is read when it is scraped."""
        gauge = Gauge(name, text, registry=self.registry, multiprocess_mode=together)
        self._gauges.append((gauge, read))

    def count(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A counter that is kept elsewhere, from 0 on, and read when it is scraped."""
        self._counts.append(_Count(Counter(name, text, registry=self.registry), read))

    def sample(self) -> None:
        """Read the gauges; to be done now and then where another process may be scraped."""
        for gauge, read in self._gauges:
            gauge.set(read())
        for count in self._counts:
            count.bring_up()

    def text(self) -> bytes:
        """What a scrape gets."""
        self.sample()
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self.registry)
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared)


class _Count:
    """A counter, and how much of what is kept elsewhere it has."""

    def __init__(self, counter: Counter, read: Callable[[], float]) -> None:
        self._counter = counter
        self._read = read
        self._told = 0.0

    def bring_up(self) -> None:
        now = self._read()
        self._counter.inc(now - self._told)
        self._told = now


def _resident_bytes() -> float:
    pages = int(_MEMORY.read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))
