"""How soon a page does something, by its own clock."""

import copy
import statistics
import time
from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.fake_server import FakeServer

PATIENCE_S = 200

# Run in a page before its own scripts: it notes as `live` when a dealer's or a seat's screen has
# first painted what it knows to be fresh.
NOTE_LIVE = """addEventListener("DOMContentLoaded", () => {
    const root = document.querySelector("dealer-terminal, seat-panel");
    if (root) new MutationObserver(() => root.dataset.freshness === "fresh"
        && requestAnimationFrame(() => { window.live ??= performance.now(); })
    ).observe(root, {attributes: true, attributeFilter: ["data-freshness"]});
});"""


def in_time(measure: Callable[[], float], most_ms: float) -> None:
    """The median of five is within its limit.

    A machine that had something else to do is measured anew, until it has the time or some minutes
    are over: a page that is too slow is never in time.
    """
    limit = time.monotonic() + PATIENCE_S
    while (median := statistics.median(measure() for _ in range(5))) > most_ms:
        assert time.monotonic() < limit, f"{median:.0f} ms at best a median, {most_ms} at most"


def note_what_is_heard(page: Page) -> None:
    """From now on the page notes when it last heard each type of message."""
    page.evaluate("""() => {
        const parse = JSON.parse;
        JSON.parse = text => {
            const message = parse(text);
            window.heard = {...window.heard, [message.type]: performance.now()};
            return message;
        };
    }""")


def paint_ms(page: Page, server: FakeServer, root: str) -> float:
    """From a frame with news to its painting, in a page that notes what it hears."""
    page.evaluate(
        """root => {
            delete window.painted;
            const drawn = new MutationObserver(() => requestAnimationFrame(() => {
                window.painted = performance.now() - window.heard.delta;
                drawn.disconnect();
            }));
            drawn.observe(document.querySelector(root),
                {attributes: true, attributeFilter: ["data-offset"]});
        }""",
        root,
    )
    view = copy.deepcopy(server.view)
    view["seats"]["2"]["name"] = f"Bob {server.offset}"
    server.commit(view)
    return shown(page, "painted")


def shown(page: Page, name: str) -> float:
    """The milliseconds that the page notes under a name once it has shown something."""
    return float(
        page.evaluate(
            """async name => {
                const since = performance.now();
                while (window[name] === undefined && performance.now() - since < 60_000)
                    await new Promise(requestAnimationFrame);
                return window[name] ?? Infinity;
            }""",
            name,
        )
    )
