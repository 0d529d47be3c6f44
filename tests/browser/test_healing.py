"""Checks 6 and 8, sleep and clocks, on the dealer's terminal and the seat display alike.

The page's own clock is stepped: a minute without a link costs no minute, and what is counted are
the page's milliseconds, whoever else is at work on the machine.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import TEN_INCH, painted
from tests.browser.fake_server import FakeServer, View
from tests.browser.rules_table import HAND, RulesTable, normal, with_question
from tests.browser.screens import PANEL, contrast, six_seconds_pass, stop_the_clock, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEAT = 9
SOON_MS = 2_000
HOUR_MS = 3_600_000


@dataclass
class Screen:
    """One of the two screens: where it is, what it is told, and where it says how the hand goes."""

    path: str
    root: str
    told: Callable[[RulesTable], View]
    plan: str
    fifth_hand: str
    marks: tuple[str, ...]

    def open(self, page: Page, server: FakeServer, table: RulesTable) -> None:
        server.view = self.told(table)
        page.set_viewport_size(TEN_INCH if self.path == "dealer" else PANEL)
        page.goto(server.address(f"/{self.path}/?table=t7&seat={SEAT}#token=secret-token"))
        self.expect(page, "fresh")
        page.evaluate("""() => {
            window.loadedOnce = true;
            window.travels = 0;
            Element.prototype.animate = () => { window.travels += 1; };
        }""")

    def expect(self, page: Page, state: str) -> None:
        expect(page.locator(self.root)).to_have_attribute("data-freshness", state)

    def is_right(self, page: Page) -> bool:
        """Whether it shows the fifth hand, and says that it may be trusted."""
        shown: list[str] = page.evaluate(
            """([root, plan]) => [document.querySelector(root).dataset.freshness,
                document.querySelector(plan).textContent.trim()]""",
            [self.root, self.plan],
        )
        return shown[0] == "fresh" and shown[1].startswith(self.fifth_hand)

    def is_the_same_page(self, page: Page) -> None:
        """Nobody reloaded it, and nothing that was missed was played again."""
        assert page.evaluate("[window.loadedOnce, window.travels]") == [True, 0]


SCREENS = pytest.mark.parametrize(
    "screen",
    [
        Screen(
            "dealer",
            "dealer-terminal",
            lambda table: table.view,
            ".bar .primary",
            "Deal hand 5",
            ("blind-marker", "seat-question", "seat-tile .name", "plan-board .who"),
        ),
        Screen(
            "seat",
            "seat-panel",
            lambda table: table.seen_by(SEAT),
            ".plan",
            "Button 5 · Small 6 · Big 7",
            (".headline", "header .name", ".choice .label", ".choice .price", ".plan"),
        ),
    ],
    ids=["dealer", "seat"],
)


def three_hands(screen: Screen, server: FakeServer, table: RulesTable) -> None:
    for _ in range(3):
        for command in HAND:
            server.commit(screen.told(table.do(command)))


def open_with_its_clock_stopped(page: Page, server: FakeServer, screen: Screen) -> RulesTable:
    """A live screen at a table of ten, whose page's time is the test's from now on."""
    page.clock.install()
    table = normal()
    screen.open(page, server, table)
    stop_the_clock(page)
    return table


def page_ms(page: Page) -> float:
    return float(page.evaluate("performance.now()"))


@SCREENS
def test_a_minute_after_its_link_was_lost_it_is_right_two_seconds_after_the_new_one(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    table = open_with_its_clock_stopped(page, server, screen)
    server.is_accepting = False
    server.cut()
    until(lambda: server.screens() == 0)
    page.clock.run_for(60_000)
    screen.expect(page, "unknown")
    three_hands(screen, server, table)
    greeted = len(server.received)
    server.is_accepting = True

    def passes(ms: int) -> bool:
        page.clock.run_for(ms)
        return True

    until(lambda: passes(100) and len(server.received) > greeted)
    opened_ms = page_ms(page)
    until(lambda: passes(10) and screen.is_right(page))
    assert page_ms(page) - opened_ms <= SOON_MS
    screen.is_the_same_page(page)


@SCREENS
def test_a_tablet_that_slept_an_hour_is_not_trusted_until_the_server_has_spoken(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    table = open_with_its_clock_stopped(page, server, screen)
    server.mute()
    three_hands(screen, server, table)
    page.clock.fast_forward(HOUR_MS)
    page.clock.resume()
    screen.expect(page, "unknown")
    server.unmute()
    until(lambda: screen.is_right(page))
    screen.is_the_same_page(page)


@SCREENS
def test_a_tablets_date_three_hours_off_makes_it_neither_fresh_nor_stale(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    page.clock.install(time=time.time() - 3 * 3600)
    screen.open(page, server, normal())
    page.clock.set_system_time(time.time() + 3 * 3600)
    # It may have slept: it asks, and is told that it has missed nothing.
    until(lambda: any(message["type"] == "ping" for message in server.received))
    screen.expect(page, "fresh")
    server.mute()
    six_seconds_pass(page)
    screen.expect(page, "stale")
    screen.is_the_same_page(page)


@SCREENS
def test_while_not_live_marks_and_names_keep_their_contrast(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    screen.open(page, server, with_question())
    server.is_accepting = False
    server.cut()
    screen.expect(page, "stale")
    painted(page)
    for selector in screen.marks:
        assert contrast(page, f"{selector}:visible") >= 4.5, selector
