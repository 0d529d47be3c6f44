"""The room's screen, and whether what it shows may be trusted (checks 5, 6, 8)."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_server import FakeServer
from tests.browser.hall import busy, open_hall
from tests.browser.screens import axe, contrast

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]


def test_it_says_that_it_is_not_live_keeps_its_contrast_and_heals_to_the_truth(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    hall = busy()
    open_hall(page, server, hall)
    body = page.locator("body")
    page.evaluate("window.loadedOnce = true")
    server.mute()
    page.clock.run_for(6_000)
    expect(body).to_have_attribute("data-freshness", "stale")
    expect(page.locator("freshness-bar")).to_contain_text("Not live")
    expect(page.locator("#alert")).to_have_text("Not live. Use the discs.")
    hatched = page.eval_on_selector_all(
        "table-card button",
        "ns => ns.map(n => getComputedStyle(n).backgroundImage.includes('repeating'))",
    )
    assert hatched == [True] * 14
    for mark in (
        ".needs .what",
        ".waiting .player",
        ".owing:not([hidden])",
        "table-card .name",
        "table-card .seats",
    ):
        assert contrast(page, mark) >= 4.5, mark
    hall.tables[6].do({"type": "choose", "seat": 9, "choice": "post"})
    server.room = hall.picture()
    server.unmute()
    page.clock.run_for(3_000)
    expect(body).to_have_attribute("data-freshness", "fresh")
    expect(page.locator("needs-list > *")).to_have_count(2)
    server.is_accepting = False
    server.cut()
    page.clock.run_for(1_000)
    expect(body).to_have_attribute("data-freshness", "stale")
    server.is_accepting = True
    page.clock.run_for(10_000)
    expect(body).to_have_attribute("data-freshness", "fresh")
    assert page.evaluate("window.loadedOnce") is True


def test_one_table_that_is_not_live_is_its_card_alone(page: Page, server: FakeServer) -> None:
    hall = busy()
    open_hall(page, server, hall)
    picture = hall.picture()
    next(each for each in picture["tables"] if each["table"] == "t5")["stale"] = True
    server.show_room(picture)
    expect(page.locator("table-card[data-stale]")).to_have_count(1)
    expect(page.locator("table-card[data-key=t5] .discs")).to_have_text("Not live")
    expect(page.locator("table-card[data-key=t5] .aloud")).to_contain_text("Not live")
    hatched = page.eval_on_selector_all(
        "table-card button",
        "ns => ns.filter(n => getComputedStyle(n).backgroundImage.includes('repeating')).length",
    )
    assert hatched == 1
    assert contrast(page, "table-card[data-key=t5] .discs") >= 4.5
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    server.show_room({**picture, "stale": True})
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale")
    server.show_room(hall.picture())
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    expect(page.locator("table-card[data-stale]")).to_have_count(0)


def test_a_page_that_slept_wakes_to_the_truth(page: Page, server: FakeServer) -> None:
    hall = busy()
    open_hall(page, server, hall)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    hall.tables[6].do({"type": "choose", "seat": 9, "choice": "post"})
    server.show_room(hall.picture())
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    expect(page.locator("needs-list > *")).to_have_count(2)


def test_a_token_that_ends_shows_what_to_do(page: Page, server: FakeServer) -> None:
    open_hall(page, server, busy())
    server.hello_close = 4001
    server.cut(4001)
    expect(page.locator("#note-say")).to_have_text("This screen is not paired.")
    expect(page.locator("#note-next")).to_contain_text("floor")
    expect(page.locator("#picture")).to_be_hidden()
    assert axe(page) == []
