"""Checks 4 and 20 on the dealer's terminal: axe-core in every state, and what a reader hears."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.desk import open_desk
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import STATES, with_question
from tests.browser.screens import axe

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_any_state(
    page: Page, server: FakeServer, state: str, theme: str
) -> None:
    open_desk(page, server, STATES[state](), options=f"&theme={theme}")
    assert axe(page) == []


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


def test_axe_finds_nothing_while_not_live_refused_or_unknown(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    open_desk(page, server, with_question())
    server.answer = lambda _server, message: {
        "type": "refused",
        "id": message["id"],
        "table": "t7",
        "reason": "not_due",
        "rule": "seat-changes",
        "message": "Seat 6 is due the big blind.",
        "retry": False,
    }
    page.locator("seat-tile[data-seat='6'] .tap").click()
    page.locator("choice-grid button", has_text="Leaves").click()
    expect(page.locator(".notice")).to_be_visible()
    found = axe(page)
    server.is_accepting = False
    server.cut()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "stale")
    found += axe(page)
    page.clock.run_for(61_000)
    expect(page.locator(".note")).to_be_visible()
    found += axe(page)
    assert found == []


def test_the_seats_read_in_order_and_in_whole_sentences(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question())
    names = page.get_by_role("main").get_by_role("listitem").get_by_role("button")
    expect(names).to_have_count(10)
    expect(page.get_by_role("main")).to_match_aria_snapshot(
        """
        - main:
          - heading "Table 7 · Limit Hold'em 5/10 · Caro-Cooke" [level=1]
          - paragraph: Hand 4
          - text: Live
          - list:
            - listitem:
              - button "Seat 1, Ann"
            - listitem:
              - button "Seat 2, Bob"
            - listitem:
              - button "Seat 3, Cat"
            - listitem:
              - button "Seat 4, Dan, Away, owes 10 live and 5 dead"
            - listitem:
              - button "Seat 5, Eve, has the button"
            - listitem:
              - button "Seat 6, Fay, Small 5"
            - listitem:
              - button "Seat 7, Konstantin Weber, Big 10"
            - listitem:
              - button "Seat 8, Held for Gus"
            - listitem:
              - button "Seat 9, Hal, Post or wait?"
            - listitem:
              - button "Seat 10, Ida"
          - heading "Next" [level=2]
        """
    )
    expect(page.locator(".panel")).to_match_aria_snapshot(
        """
        - 'group "Seat 9, Hal: post or wait?"':
          - 'heading "Seat 9, Hal: post or wait?" [level=2]'
          - button "Post 10 10 plays · next hand"
          - button "Wait for big 10 plays · in 1 hand"
          - button "Behind the button 10 plays · in 3 hands"
        """
    )
    expect(page.locator(".bar")).to_match_aria_snapshot(
        """
        - 'button "Undo: hand over the floor''s" [disabled]'
        - button "Deal hand 4 seat 9 not in"
        - button "Button is…"
        - button "More"
        """
    )


@pytest.mark.parametrize(
    "size",
    [{"width": 320, "height": 640}, {"width": 640, "height": 400}, {"width": 512, "height": 300}],
    ids=["320 pixels", "ten inches at 200 %", "seven inches at 200 %"],
)
def test_enlarged_it_is_a_list_and_loses_nothing(
    page: Page, server: FakeServer, size: ViewportSize
) -> None:
    open_desk(page, server, with_question())
    page.set_viewport_size(size)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for target in page.locator("dealer-terminal button").locator("visible=true").all():
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        assert box["width"] >= 64
        assert box["height"] >= 64
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
    cut = page.eval_on_selector_all(
        "seat-tile .seen, .centre, button, .who",
        """nodes => nodes.filter(n => n.checkVisibility())
            .filter(n => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 1)
            .map(n => n.textContent.trim())""",
    )
    assert cut == []
    assert axe(page) == []
    page.locator(".bar .primary").click()
    expect(page.locator(".bar .primary")).to_contain_text("Hand over")
