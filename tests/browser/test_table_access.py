"""The table display for those who cannot tell it by its colours, its motion, or by sight."""

from itertools import pairwise

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.golden import differs
from tests.browser.screens import axe, cut_off, each_state, next_hand, open_table, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# ── checks 2, 4, 20: in every state ──────────────────────────────────────────────────────────


def test_every_state_is_large_enough_reads_as_written_and_pleases_axe(
    page: Page, server: FakeServer
) -> None:
    open_table(page, server)
    found: list[str | None] = []
    for state in each_state(page, server):
        found.append(differs(page, f"table-{state}"))
        faults = too_small(page) + cut_off(page) + axe(page)
        found += [f"{state}: {fault}" for fault in faults]
    assert list(filter(None, found)) == []


def test_every_colour_of_the_light_theme_pleases_axe(page: Page, server: FakeServer) -> None:
    open_table(page, server, "&theme=light")
    for state in each_state(page, server):
        assert axe(page, tags=["cat.color"]) == [], state


def too_small(page: Page) -> list[str]:
    """Type under what three metres ask."""
    found: list[str] = page.eval_on_selector_all(
        "[data-role]",
        """nodes => nodes.filter(n => n.checkVisibility() && n.textContent)
            .map(n => [n, parseFloat(getComputedStyle(n).fontSize)])
            .filter(([n, px]) => px < {glance: 50, second: 40}[n.dataset.role])
            .map(([n, px]) => `${n.className} ${px} px: ${n.textContent}`)""",
    )
    return found


def test_axe_finds_nothing_when_stale_or_unknown(page: Page, server: FakeServer) -> None:
    server.view = fixture("ten")
    page.clock.install()
    open_table(page, server)
    server.mute()
    page.clock.run_for(6_000)
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale")
    assert axe(page) == []
    assert differs(page, "table-stale") is None
    page.clock.run_for(61_000)
    expect(page.locator("body")).to_have_attribute("data-freshness", "unknown")
    assert axe(page) == []
    assert differs(page, "table-unknown") is None


# ── checks 16, 17, 18: never colour alone ────────────────────────────────────────────────────


def test_each_state_differs_in_words_and_in_shape(page: Page, server: FakeServer) -> None:
    server.view = fixture("ten")
    open_table(page, server)
    aloud = {
        seat: page.locator(f"[data-seat='{seat}'] .aloud").inner_text() for seat in range(1, 11)
    }
    assert aloud[4] == "Seat 4, Dan, Away, owes 10 live and 5 dead"
    assert aloud[8] == "Seat 8, Held"
    assert aloud[9] == "Seat 9, Hal, Post or wait?"
    shapes = page.eval_on_selector_all(
        "felt-disc, blind-marker, seat-question",
        "nodes => nodes.filter(n => n.checkVisibility()).map(n => n.dataset.shape)",
    )
    assert sorted(shapes) == ["cut", "diamond", "double", "full", "half"]


def test_discs_and_tags_keep_a_border_in_forced_colours(
    context: BrowserContext, page: Page, server: FakeServer
) -> None:
    server.view = fixture("ten")
    page.emulate_media(forced_colors="active")
    open_table(page, server)
    widths = page.eval_on_selector_all(
        "felt-disc, blind-marker, seat-question, freshness-bar",
        "nodes => nodes.filter(n => n.checkVisibility() && !n.matches('freshness-bar'))"
        ".map(n => [n.localName, parseFloat(getComputedStyle(n).borderTopWidth),"
        " getComputedStyle(n).borderTopStyle])",
    )
    assert len(widths) == 5
    for name, width, style in widths:
        assert width >= 2, name
        assert style != "none", name


def test_reduced_motion_outlines_the_seats_and_moves_nothing(
    page: Page, server: FakeServer
) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_table(page, server)
    page.evaluate("""() => {
        window.travels = 0;
        Element.prototype.animate = () => { window.travels += 1; };
    }""")
    server.commit(next_hand(server.view, 143))
    expect(page.locator("seat-tile[data-moved]")).to_have_count(4)
    assert page.evaluate("window.travels") == 0
    assert page.evaluate("document.getAnimations().length") == 0
    durations = page.eval_on_selector_all(
        "*",
        "nodes => nodes.map(n => getComputedStyle(n))"
        ".flatMap(s => [s.transitionDuration, s.animationDuration])",
    )
    assert set(durations) == {"0s"}
    expect(page.locator("seat-tile[data-moved]")).to_have_count(0)


def test_overlay_and_motion_off_by_url(page: Page, server: FakeServer) -> None:
    open_table(page, server, "&theme=overlay&motion=off")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"
    page.evaluate("() => { Element.prototype.animate = () => { window.moved = true; }; }")
    server.commit(next_hand(server.view, 143))
    expect(page.locator("seat-tile[data-moved]")).to_have_count(4)
    assert page.evaluate("window.moved") is None


# ── check 20: what is read aloud ─────────────────────────────────────────────────────────────


def test_at_most_one_announcement_a_second_and_the_last_is_the_newest(
    page: Page, server: FakeServer
) -> None:
    open_table(page, server)
    page.evaluate("""() => {
        window.said = [];
        new MutationObserver(() => window.said.push(
            [performance.now(), document.querySelector('#status').textContent]
        )).observe(document.querySelector('#status'), {childList: true});
    }""")
    for hand in range(143, 152):
        server.commit(next_hand(server.view, hand))
    newest = "Button 2, small 3, big 4."
    until(lambda: page.evaluate("window.said.at(-1)?.[1]") is not None)
    until(lambda: page.evaluate("window.said.at(-1)[1]").startswith(newest))
    moments = [moment for moment, _ in page.evaluate("window.said")]
    assert moments
    assert all(later - earlier >= 990 for earlier, later in pairwise(moments))
