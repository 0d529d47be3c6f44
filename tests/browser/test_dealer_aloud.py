"""Checks 4 and 20 on the dealer's terminal: axe-core in every state, and what a reader hears."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.desk import boxes, bring, open_desk, painted
from tests.browser.fake_server import FakeServer, refusing
from tests.browser.golden import differs
from tests.browser.rules_table import STATES, normal, with_question
from tests.browser.screens import axe

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_in_any_state_and_each_reads_as_it_should(
    page: Page, server: FakeServer, theme: str
) -> None:
    open_desk(page, server, normal(), options=f"&theme={theme}")
    for name, state in STATES.items():
        bring(page, server, state())
        assert axe(page) == [], name
        assert differs(page, f"dealer-{name}") is None, name


def test_axe_finds_nothing_in_any_panel(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question())
    found: list[str] = []
    for seat in (4, 2, 8):
        page.locator(f"seat-tile[data-seat='{seat}'] .tap").click()
        found += axe(page)
    page.locator("choice-grid button", has_text="Other").click()
    found += axe(page)
    for name in ("more", "button-is"):
        page.locator(f".bar .{name}").click()
        found += axe(page)
    page.keyboard.press("?")
    found += axe(page)
    page.keyboard.press("Escape")
    server.rules["posting-blinds"] = {
        "rule": "posting-blinds",
        "title": "Blinds",
        "text": "By one.",
    }
    page.locator("why-line .rule").first.click()
    expect(page.locator("rule-card")).to_contain_text("By one.")
    found += axe(page)
    assert found == []


def test_axe_finds_nothing_while_refused_not_live_or_unknown_and_each_reads_as_it_should(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    open_desk(page, server, with_question())
    server.answer = refusing("Seat 6 is due the big blind.", "seat-changes")
    page.locator("seat-tile[data-seat='6'] .tap").click()
    page.locator("choice-grid button", has_text="Leaves").click()
    expect(page.locator(".notice")).to_be_visible()
    assert axe(page) == []
    assert differs(page, "dealer-refused") is None
    page.keyboard.press("Escape")
    server.is_accepting = False
    server.cut()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "stale")
    assert axe(page) == []
    assert differs(page, "dealer-stale") is None
    page.clock.run_for(61_000)
    expect(page.locator(".note")).to_be_visible()
    assert axe(page) == []
    assert differs(page, "dealer-unknown") is None


# 320 pixels; ten inches at 200 %; seven inches at 200 %.
ENLARGED: list[ViewportSize] = [
    {"width": 320, "height": 640},
    {"width": 640, "height": 400},
    {"width": 512, "height": 300},
]


def test_enlarged_it_is_a_list_and_loses_nothing(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question())
    for size in ENLARGED:
        page.set_viewport_size(size)
        painted(page)
        look_at_list(page, size["width"])
        assert axe(page) == [], size
    page.locator(".bar .primary").click()
    expect(page.locator(".bar .primary")).to_contain_text("Hand over")


def look_at_list(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for box in boxes(page, "dealer-terminal button"):
        assert box["width"] >= 64, box
        assert box["height"] >= 64, box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, box
    cut = page.eval_on_selector_all(
        "seat-tile .seen, .centre, button, .who",
        """nodes => nodes.filter(n => n.checkVisibility())
            .filter(n => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 1)
            .map(n => n.textContent.trim())""",
    )
    assert cut == []
