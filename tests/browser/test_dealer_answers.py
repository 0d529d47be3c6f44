"""Checks 13 and 14 on the dealer's terminal: what it says. `test_in_time` has how soon."""

import copy
import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import open_desk, refuse
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import changing_his_answer, normal, with_question
from tests.browser.screens import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# ── checks 13 and 14: refusals and questions ─────────────────────────────────────────────────


def test_a_refusal_is_said_at_its_seat_and_gone_after_the_next_that_is_accepted(
    page: Page, server: FakeServer
) -> None:
    open_desk(page, server, normal())
    judge = server.answer
    server.answer = refuse
    before = copy.deepcopy(server.view)
    page.keyboard.press("6")
    page.locator("seat-tile[data-seat='6'] .tap").focus()
    page.keyboard.press("l")
    notice = page.locator(".notice")
    expect(notice).to_have_text("Seat 6 is due the big blind: move after this hand. [seat-changes]")
    expect(page.locator("seat-tile[data-seat='6']")).to_have_attribute("data-selected", "")
    assert page.evaluate("document.activeElement.closest('seat-tile')?.dataset.seat") == "6"
    expect(page.locator("#alert")).to_have_text(
        "Seat 6 is due the big blind: move after this hand."
    )
    assert server.view == before
    server.answer = judge
    page.locator("choice-grid button", has_text="Away").first.click()
    expect(notice).to_be_hidden()
    expect(page.locator("#alert")).to_have_text("")


def test_every_choice_shows_its_price_and_its_wait_and_the_deal_goes_on(
    page: Page, server: FakeServer
) -> None:
    table = with_question().do({"type": "sit_in", "seat": 4})
    open_desk(page, server, table)
    expect(page.locator(".panel .place")).to_have_text("1 of 2")
    for question in server.view["plan"]["questions"]:
        seat = question["seat"]
        page.locator(f"seat-tile[data-seat='{seat}'] .tap").click()
        for index, offer in enumerate(question["choices"]):
            live, dead, hands = offer["live"], offer["dead"], offer["hands"]
            wait = {0: "next hand", 1: "in 1 hand"}.get(hands, f"in {hands} hands")
            prices = [f"{live} plays"] * bool(live) + [f"{dead} to the middle"] * bool(dead)
            choice = page.locator(".panel choice-grid button").nth(index)
            expect(choice.locator(".detail")).to_have_text(" · ".join(prices))
            expect(choice.locator(".wait")).to_have_text(wait)
        page.keyboard.press("Escape")
    primary = page.locator(".bar .primary")
    expect(primary).to_contain_text("Deal hand 4")
    out = sorted(q["seat"] for q in server.view["plan"]["questions"])
    expect(primary).to_contain_text(f"seats {', '.join(map(str, out))} not in")
    primary.click()
    expect(primary).to_contain_text("Hand over")


def test_a_straddle_and_an_answer_that_is_changed_show_what_they_cost(
    page: Page, server: FakeServer
) -> None:
    open_desk(page, server, changing_his_answer())
    expect(page.locator(".chips button")).to_have_text("Straddle 20 Seat 10")
    page.locator("seat-tile[data-seat='9'] .tap").click()
    told = page.locator(".panel choice-grid button")
    expect(told.nth(0)).to_have_text("Post 10  next hand")
    expect(told.nth(1)).to_have_text("Wait for big 10 plays in 1 hand")
    told.nth(1).click()
    until(lambda: server.commands())
    sent = {"type": "choose", "seat": 9, "choice": "wait_big_blind"}
    assert [message["command"] for message in server.commands()] == [sent]


def test_a_token_that_runs_out_says_what_to_do(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal())
    server.hello_close = 4001
    server.cut(4001)
    expect(page.locator(".note")).to_contain_text("This screen is not paired.")
    expect(page.locator(".note")).to_contain_text("Ask the floor to pair it")


def test_the_strip_closes_by_itself_and_by_a_second_tap(page: Page, server: FakeServer) -> None:
    page.clock.install()
    open_desk(page, server, normal())
    tile = page.locator("seat-tile[data-seat='2']")
    tile.locator(".tap").click()
    expect(tile).to_have_attribute("data-selected", "")
    page.clock.run_for(8_100)
    expect(tile).not_to_have_attribute("data-selected", "")
    tile.locator(".tap").click()
    expect(tile).to_have_attribute("data-selected", "")
    tile.locator(".tap").click()
    expect(tile).not_to_have_attribute("data-selected", "")


def test_a_tap_on_a_rules_name_opens_the_rule(page: Page, server: FakeServer) -> None:
    server.rules["posting-blinds"] = {
        "rule": "posting-blinds",
        "title": "Posting blinds",
        "text": "Button and blinds move on by one.",
        "alternates": [
            {
                "field": "button",
                "value": "dead_button",
                "text": "The button may lie at an empty seat.",
                "presets": ["tda", "casino"],
            },
            {"field": "straddle_cap", "value": {"most": 4}, "text": "No more.", "presets": []},
        ],
        "example": "Ann has the button; next hand Bob has it.",
    }
    open_desk(page, server, normal())
    page.locator("why-line .rule").first.click()
    card = page.locator("rule-card")
    expect(card).to_contain_text("Button and blinds move on by one.")
    told = "The button may lie at an empty seat. (button = dead_button; tda, casino)"
    expect(card).to_contain_text(told)
    expect(card).to_contain_text('No more. (straddle_cap = {"most":4})')
    card.locator("button").click()
    expect(card).to_be_hidden()
    expect(page.locator("plan-board")).to_be_visible()


def test_minutes_away_are_right_though_the_tablets_clock_is_wrong(
    page: Page, server: FakeServer
) -> None:
    page.add_init_script("const now = Date.now; Date.now = () => now() - 3 * 3600 * 1000;")
    table = normal().do({"type": "sit_out", "seat": 4})
    open_desk(page, server, table)
    view = copy.deepcopy(server.view)
    server_now_ms = page.evaluate("Date.now() + 3 * 3600 * 1000")
    view["seats"]["4"]["away_since_ms"] = server_now_ms - 12 * 60_000 - 5_000
    server.commit(view)
    expect(page.locator("seat-tile[data-seat='4']")).to_contain_text("Away 12 min")


def test_a_drain_says_that_the_server_moves(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal())
    server.say({"type": "drain", "reconnect_in_ms": 60_000})
    expect(page.locator(".drain")).to_have_text(re.compile(r"^Moving to another server, \d\d s$"))


def test_a_closed_table_says_what_to_do_and_can_be_opened_again(
    page: Page, server: FakeServer
) -> None:
    open_desk(page, server, normal())
    page.locator(".bar .more").click()
    page.locator("choice-grid button", has_text="Close the table").click()
    expect(page.locator(".note")).to_contain_text("This table is closed.")
    page.locator(".bar .undo").click()
    expect(page.locator("plan-board")).to_be_visible()


def test_each_commit_is_announced_once_and_the_last_is_the_newest(
    page: Page, server: FakeServer
) -> None:
    open_desk(page, server, normal())
    # Noted as it is written: an observer hears of it when a busy page has the time.
    page.evaluate("""() => {
        window.said = [];
        const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
        Object.defineProperty(document.querySelector("#status"), "textContent", {
            get: text.get,
            set(words) {
                window.said.push([performance.now(), words]);
                text.set.call(this, words);
            },
        });
    }""")
    table = normal()
    for seat in (2, 3, 4, 5):
        view = table.do({"type": "sit_out", "seat": seat}).view
        server.commit(view, [{"type": "sat_out", "seat": seat}])
    until(lambda: "Seat 5 away." in page.locator("#status").inner_text())
    moments = [moment for moment, _ in page.evaluate("window.said")]
    assert moments
    assert all(b - a >= 990 for a, b in itertools.pairwise(moments))


def test_a_tablet_that_cannot_be_kept_awake_says_so_where_it_is_set_up(
    page: Page, server: FakeServer
) -> None:
    normal().serve(server)
    page.goto(f"http://lan.test:{server.port}/dealer/?table=t7#token=secret-token")
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "fresh")
    page.locator(".bar .more").click()
    expect(page.locator(".panel .heading")).to_contain_text("this tablet may fall asleep")
