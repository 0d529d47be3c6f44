"""Checks 5 to 10 on the dealer's terminal: how far it is trusted, and what is sent."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.desk import bring, open_desk
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import normal, with_question
from tests.browser.screens import six_seconds_pass

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def state(page: Page, expected: str) -> None:
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", expected)


def tap(page: Page, seat: int, choice: str) -> None:
    page.locator(f"seat-tile[data-seat='{seat}'] .tap").click()
    page.locator("choice-grid button", has_text=choice).first.click()


def settled(page: Page) -> None:
    expect(page.locator(".bar .primary")).not_to_have_attribute("data-inert", "")


# ── check 5: it says so ──────────────────────────────────────────────────────────────────────


def test_a_closed_link_is_said_within_a_second(page: Page, server: FakeServer) -> None:
    # Its silence would tell in many minutes only.
    server.heartbeat_s = 600
    open_desk(page, server, normal())
    server.is_accepting = False
    server.cut()
    state(page, "stale")
    expect(page.locator("freshness-bar")).to_have_text(re.compile(r"^Not live: \d+ s$"))
    expect(page.locator("#alert")).to_have_text("Not live. Use the discs.")


def test_a_mute_server_is_noticed_within_six_seconds(page: Page, server: FakeServer) -> None:
    page.clock.install()
    open_desk(page, server, normal())
    server.mute()
    six_seconds_pass(page)
    state(page, "stale")


def test_a_network_that_swallows_everything_is_noticed_within_six_seconds(
    page: Page, context: BrowserContext, server: FakeServer
) -> None:
    page.clock.install()
    open_desk(page, server, normal())
    context.set_offline(True)
    six_seconds_pass(page)
    state(page, "stale")
    page.clock.resume()
    context.set_offline(False)
    state(page, "fresh")


# ── check 7: a screen that is not live ────────────────────────────────────────────────


def test_while_not_live_the_primary_is_not_green_and_nothing_is_sent_or_queued(
    page: Page, server: FakeServer
) -> None:
    open_desk(page, server, with_question())
    green = page.locator(".bar .primary").evaluate("n => getComputedStyle(n).backgroundColor")
    server.is_accepting = False
    server.cut()
    state(page, "stale")
    primary = page.locator(".bar .primary")
    expect(primary).to_have_text("Not live Use the discs")
    assert primary.evaluate("n => getComputedStyle(n).backgroundColor") != green
    primary.click()
    expect(page.locator(".notice")).to_contain_text("Not connected: nothing was sent")
    page.locator(".bar .undo").click(force=True)
    tap(page, 2, "Away")
    page.locator("seat-tile[data-seat='2'] .tap").click()
    page.locator("choice-grid button", has_text="Post 10").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    server.is_accepting = True
    state(page, "fresh")
    expect(primary).to_contain_text("Deal hand")
    assert server.commands() == []


def test_after_a_minute_of_silence_it_says_use_the_discs(page: Page, server: FakeServer) -> None:
    page.clock.install()
    open_desk(page, server, normal())
    server.is_accepting = False
    server.cut()
    state(page, "stale")
    page.clock.run_for(61_000)
    state(page, "unknown")
    expect(page.locator(".note")).to_contain_text("Use the discs.")
    expect(page.locator(".note")).to_contain_text("Last known: hand 2, button seat 2")


# ── check 9: back again ───────────────────────────────────────────────────────────────


def test_a_verdict_lost_on_the_way_is_asked_for_once_and_the_command_applied_once(
    page: Page, server: FakeServer
) -> None:
    table = normal()
    open_desk(page, server, table)
    judge = server.answer

    def swallow(fake: FakeServer, message: dict[str, Any]) -> dict[str, Any] | None:
        fake.is_mute = True
        return judge(fake, message)

    server.answer = swallow
    page.locator(".bar .primary").click()
    state(page, "stale")
    expect(page.locator(".notice")).to_contain_text("Checking…")
    server.unmute()
    expect(page.locator(".bar .primary")).to_contain_text("Hand over")
    expect(page.locator(".notice")).to_be_hidden()
    asked = [message for message in server.received if message["type"] == "verdict"]
    assert len(asked) == 1
    assert [message["command"]["type"] for message in server.commands()] == ["deal"]
    assert server.offset == 2


# ── check 10: two taps ───────────────────────────────────────────────────────────────────────


def test_two_taps_on_the_primary_are_one_command(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal())
    for apart_ms in (0, 100, 300, 600):
        server.received.clear()
        settled(page)
        page.evaluate(
            """ms => {
                const primary = document.querySelector(".bar .primary");
                primary.click();
                return new Promise(done => setTimeout(() => { primary.click(); done(); }, ms));
            }""",
            apart_ms,
        )
        expect(page.locator(".bar .primary")).to_contain_text("Hand over")
        settled(page)
        assert [message["command"]["type"] for message in server.commands()] == ["deal"], apart_ms
        assert server.view["phase"] == "in_hand"
        bring(page, server, normal())


def test_what_is_dealt_is_what_was_shown(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal())
    page.locator(".bar .primary").click()
    expect(page.locator(".bar .primary")).to_contain_text("Hand over")
    [deal] = server.commands()
    assert deal["expected"] == ["e1", 1]
    assert deal["deadline_ms"] > 0
