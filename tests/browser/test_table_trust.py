"""How far a table display may be trusted, and that it says so itself."""

import re
import statistics
import time
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import (
    HANG_MS,
    contrast,
    count_work,
    discs,
    next_hand,
    open_table,
    six_seconds_pass,
    task_s,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# ── checks 5, 6, 8: what it says when it is not live ─────────────────────────────────────────


def test_says_within_a_second_that_the_server_closed(page: Page, server: FakeServer) -> None:
    # Its silence would tell in many minutes only.
    server.heartbeat_s = 600
    open_table(page, server)
    server.is_accepting = False
    server.cut()
    expect(page.locator("freshness-bar")).to_contain_text("Not live")
    expect(page.locator("#alert")).to_have_text("Not live. Use the discs.")


def test_says_within_six_seconds_that_the_server_fell_silent(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    open_table(page, server)
    server.mute()
    six_seconds_pass(page)
    expect(page.locator("freshness-bar")).to_contain_text("Not live")


def test_says_within_six_seconds_that_the_network_is_gone(
    page: Page, context: BrowserContext, server: FakeServer
) -> None:
    page.clock.install()
    open_table(page, server)
    context.set_offline(True)
    six_seconds_pass(page)
    expect(page.locator("freshness-bar")).to_contain_text("Not live")
    page.clock.resume()
    context.set_offline(False)
    expect(page.locator("freshness-bar")).to_have_text("Live")


def test_after_a_minute_it_shows_its_name_and_use_the_discs_and_nothing_else(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("ten")
    # Three hours off: the time that is said is the server's all the same.
    page.clock.install(time=time.time() + 3 * 3_600)
    open_table(page, server)
    server.mute()
    page.clock.run_for(70_000)
    expect(page.locator("#notice-say")).to_have_text("Use the discs.")
    expect(page.locator("#notice-table")).to_have_text("Table 7")
    minutes = [time.localtime(time.time() - seconds) for seconds in (0, 60, 120)]
    clocks = "|".join(time.strftime("%I:%M %p|%H:%M", minute) for minute in minutes)
    told = re.compile(f"^Last known: hand 142, button seat 3, ({clocks})$")
    expect(page.locator("#notice-next")).to_have_text(told)
    expect(page.locator("seat-ring")).to_be_hidden()
    expect(page.locator("#felt")).to_be_hidden()


def test_heals_to_the_right_picture_at_once_and_without_moving_a_disc(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    open_table(page, server)
    page.evaluate("""() => {
        window.loadedOnce = true;
        window.travels = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...args) {
            window.travels += 1;
            return animate.apply(this, args);
        };
    }""")
    server.mute()
    for hand in (143, 144, 145):
        server.commit(next_hand(server.view, hand))
    expect(page.locator("freshness-bar")).to_contain_text("Not live")
    expect(page.locator("#hand")).to_have_text("Next: hand 142")
    server.unmute()
    expect(page.locator("freshness-bar")).to_have_text("Live")
    expect(page.locator("#hand")).to_have_text("Next: hand 145")
    assert discs(page) == {"button": [6], "small": [7], "big": [8]}
    assert page.evaluate("[window.loadedOnce, window.travels]") == [True, 0]
    # It resumed from where it stood: no second snapshot was asked for without a position.
    since = [message.get("since") for message in server.received if message["type"] == "subscribe"]
    assert since[0] is None
    assert since[-1] == ["e1", 1]


def test_a_display_that_slept_wakes_to_the_truth_without_moving_a_disc(
    page: Page, server: FakeServer
) -> None:
    open_table(page, server)
    page.evaluate("() => { Element.prototype.animate = () => { window.moved = true; }; }")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    for hand in (143, 144, 145):
        server.commit(next_hand(server.view, hand))
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("#hand")).to_have_text("Next: hand 145", timeout=HANG_MS)
    expect(page.locator("freshness-bar")).to_have_text("Live", timeout=HANG_MS)
    assert discs(page) == {"button": [6], "small": [7], "big": [8]}


def test_a_gap_in_the_offsets_is_healed(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    ahead = {"table": "t7", "epoch": "e1", "offset": 9, "patch": {"hand": 999}, "events": []}
    server.say({"type": "delta", **ahead})

    def asked() -> list[Any]:
        return [m.get("since") for m in server.received if m["type"] == "subscribe"]

    until(lambda: asked() == [None, ["e1", 1]])
    expect(page.locator("freshness-bar")).to_have_text("Live")
    expect(page.locator("#hand")).to_have_text("Next: hand 142")


def test_marks_and_names_stay_readable_while_stale(page: Page, server: FakeServer) -> None:
    server.view = fixture("ten")
    open_table(page, server)
    server.is_accepting = False
    server.cut()
    expect(page.locator("freshness-bar")).to_contain_text("Not live")
    for selector in (
        "[data-seat='4'] blind-marker",
        "[data-seat='4'] .name",
        "[data-seat='4'] .status",
        "[data-seat='9'] seat-question",
        "[data-seat='1'] .name",
        "[data-seat='5'] felt-disc",
        "#place",
    ):
        assert contrast(page, selector) >= 4.5, selector
    bar = page.locator("freshness-bar")
    # From the rail, five metres away, and over the whole width.
    assert bar.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 82
    assert bar.evaluate("node => [node.scrollHeight <= node.clientHeight, node.clientWidth]") == [
        True,
        1920,
    ]


# ── check 25: cold load, and long life ───────────────────────────────────────────────────────


def test_a_display_is_of_one_origin_and_takes_little_work_to_open_and_to_draw(
    page: Page, server: FakeServer
) -> None:
    """Two seconds at a sixth of the speed, a tenth of one for a delta, in the page's own work."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    devtools = count_work(page)
    worked_s = []
    for _ in range(3):
        page.goto("about:blank")
        before_s = task_s(devtools)
        open_table(page, server)
        worked_s.append(task_s(devtools) - before_s)
    assert 6 * statistics.median(worked_s) <= 2.0
    assert all(url.startswith((server.address("/"), "data:", "about:")) for url in addresses)
    drawn_s = []
    for hand in range(143, 148):
        before_s = task_s(devtools)
        server.commit(next_hand(server.view, hand))
        expect(page.locator("#hand")).to_have_text(f"Next: hand {hand}")
        drawn_s.append(task_s(devtools) - before_s)
    assert statistics.median(drawn_s) <= 0.1


def test_five_thousand_deltas_leak_nothing(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    cdp = page.context.new_cdp_session(page)

    def heap() -> int:
        cdp.send("HeapProfiler.collectGarbage")
        return int(page.evaluate("performance.memory.usedJSHeapSize"))

    first, second = server.view, next_hand(server.view, 143)
    for _ in range(200):
        server.commit(second)
        server.commit(first)
    expect(page.locator("#hand")).to_have_text("Next: hand 142")
    before = heap()
    for _ in range(2_400):
        server.commit(second)
        server.commit(first)
    server.commit(second)
    expect(page.locator("#hand")).to_have_text("Next: hand 143")
    assert heap() - before < 5 * 1024 * 1024
