"""Check 25 on the staff's screens: what they weigh, how soon they are live, what they keep."""

import copy
import gzip
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.desk import open_desk
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import normal, with_question
from tests.browser.timing import in_time, note_what_is_heard, paint_ms

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST_BYTES = 60 * 1024
DELTAS = 5_000
MOST_GROWTH_BYTES = 5 * 1024 * 1024
MOST_PAINT_MS = 100


def gzipped(response: Response) -> int:
    """What a file weighs over a wire that compresses, as the server's does."""
    return len(gzip.compress(response.body()))


def test_the_terminal_weighs_little_and_is_all_of_one_origin(
    page: Page, server: FakeServer
) -> None:
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    open_desk(page, server, normal())
    origins = {urlsplit(response.url).netloc for response in responses}
    assert origins == {f"127.0.0.1:{server.port}"}
    assert sum(gzipped(response) for response in responses) <= MOST_BYTES


@pytest.mark.parametrize("address", ["/room/?room=main", "/seat/?table=t7&seat=4"])
def test_the_other_screens_weigh_little(page: Page, server: FakeServer, address: str) -> None:
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(server.address(f"{address}#token=secret-token"))
    page.wait_for_load_state("networkidle")
    assert sum(gzipped(response) for response in responses) <= MOST_BYTES


@pytest.mark.parametrize("screen", ["dealer", "seat", "room"])
def test_every_module_of_a_page_is_asked_for_at_once(
    page: Page, server: FakeServer, screen: str
) -> None:
    """Not one after the other, as their imports are read: the head of the page names them all."""
    page.goto(server.address(f"/{screen}/?table=t7&seat=4&room=main#token=secret-token"))
    page.wait_for_load_state("networkidle")
    loaded = {path for path in server.requests if path.endswith(".js")}
    named = page.eval_on_selector_all(
        "link[rel=modulepreload], script[src]",
        "nodes => nodes.map(n => new URL(n.href || n.src).pathname)",
    )
    assert set(named) == loaded


@pytest.mark.timeout(300)
def test_an_evening_of_deltas_is_drawn_at_once_and_leaves_nothing_behind(
    context: BrowserContext, page: Page, server: FakeServer
) -> None:
    open_desk(page, server, with_question())
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
    expect(shown).to_have_attribute("data-offset", str(server.offset))
    assert heap() - before < MOST_GROWTH_BYTES
    note_what_is_heard(page)
    in_time(lambda: paint_ms(page, server, "dealer-terminal"), MOST_PAINT_MS)
