"""Check 25 on the staff's screens: what they weigh, how soon they are live, what they keep."""

import copy
import gzip
import statistics
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import normal, with_question
from tests.browser.screens import HANG_MS, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST_BYTES = 60 * 1024
DELTAS = 5_000
MOST_GROWTH_BYTES = 5 * 1024 * 1024


def gzipped(response: Response) -> int:
    """What a file weighs over a wire that compresses, as the server's does."""
    return len(gzip.compress(response.body()))


def open_desk(page: Page, server: FakeServer) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(server.address("/dealer/?table=t7#token=secret-token"))
    terminal = page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)


def test_the_terminal_weighs_little_and_is_all_of_one_origin(
    page: Page, server: FakeServer
) -> None:
    normal().serve(server)
    responses: list[Response] = []
    page.on("response", responses.append)
    open_desk(page, server)
    origins = {urlsplit(response.url).netloc for response in responses}
    assert origins == {f"127.0.0.1:{server.port}"}
    assert sum(gzipped(response) for response in responses) <= MOST_BYTES


def test_the_terminal_is_live_within_two_seconds_on_a_slow_machine(
    context: BrowserContext, page: Page, server: FakeServer
) -> None:
    normal().serve(server)
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    times = []
    for _ in range(5):
        page.goto("about:blank")
        page.goto(server.address("/dealer/?table=t7#token=secret-token"))
        page.wait_for_selector("dealer-terminal[data-freshness='fresh']")
        times.append(page.evaluate("performance.now()"))
    assert statistics.median(times) <= 2_000


@pytest.mark.timeout(300)
def test_an_evening_of_deltas_is_drawn_at_once_and_leaves_nothing_behind(
    context: BrowserContext, page: Page, server: FakeServer
) -> None:
    table = with_question()
    table.serve(server)
    open_desk(page, server)
    devtools = context.new_cdp_session(page)
    one, other = copy.deepcopy(server.view), copy.deepcopy(server.view)
    other["seats"]["2"]["sitting_out"] = True
    other["plan"]["button"] = 6

    def heap() -> int:
        devtools.send("HeapProfiler.collectGarbage")
        return int(devtools.send("Runtime.getHeapUsage")["usedSize"])

    for turn in range(100):
        server.commit(one if turn % 2 else other)
    before = heap()
    for turn in range(DELTAS):
        server.commit(one if turn % 2 else other)
    shown = page.locator("dealer-terminal")
    expect(shown).to_have_attribute("data-offset", str(server.offset), timeout=HANG_MS)
    assert heap() - before < MOST_GROWTH_BYTES
    page.evaluate("""() => {
        window.paints = [];
        const parse = JSON.parse;
        let heard = 0;
        JSON.parse = text => { heard = performance.now(); return parse(text); };
        new MutationObserver(() => {
            requestAnimationFrame(() => window.paints.push(performance.now() - heard));
        }).observe(document.querySelector("dealer-terminal"),
            {attributes: true, attributeFilter: ["data-offset"]});
    }""")
    for turn in range(5):
        server.commit(one if turn % 2 else other)
        until(lambda turn=turn: page.evaluate("window.paints.length") > turn)
    assert statistics.median(page.evaluate("window.paints")) <= 100
