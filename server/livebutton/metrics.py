"""What one scrape shows of a server process, in Prometheus's terms.

Counters and histograms are moved where the thing happens; gauges are read when they are scraped.
"""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """One process's metrics; tests make as many as they like."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
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

    def watch(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A gauge that is read when it is scraped."""
        Gauge(name, text, registry=self.registry).set_function(read)

    def text(self) -> bytes:
        """What a scrape gets."""
        return generate_latest(self.registry)
