"""What is checked beside the twenty-five, on the dealer's terminal and the seat display."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.desk import SEVEN_INCH, TEN_INCH, open_desk, painted
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import (
    HAND,
    LONG_NAMES,
    asked_of_an_owing_player,
    normal,
    with_question,
)
from tests.browser.screens import PANEL, six_seconds_pass, stop_the_clock, until
from tests.browser.tablets import SEAT, Tablet
from tests.browser.timing import NOTE_LIVE, in_time, shown

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIVE_MS, AWAY_MS = 2_000, 1_000


@dataclass
class Screen(Tablet):
    """With where a sentence stands alone."""

    sentence: str


SCREENS = {
    "dealer": Screen("dealer", "dealer-terminal", TEN_INCH, lambda t: t.view, ".note"),
    "seat": Screen("seat", "seat-panel", PANEL, lambda t: t.seen_by(SEAT), ".notice"),
}
EACH = pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)


# ── undo ─────────────────────────────────────────────────────────────────────────────────────

# What was done last, and the name it is taken back by.
UNDONE = [
    ({"type": "sit_out", "seat": 2}, "seat 2 away"),
    ({"type": "sit_in", "seat": 4}, "seat 4 back"),
    ({"type": "choose", "seat": 9, "choice": "wait_button"}, "seat 9 behind"),
    ({"type": "leave", "seat": 3}, "seat 3 leaves"),
    ({"type": "release", "seat": 8}, "seat 8 free"),
    ({"type": "take_seat", "seat": 8, "player": "Gus"}, "seat 8 sits down"),
    ({"type": "straddle", "seat": 10}, "seat 10 straddle"),
    ({"type": "join_list", "player": "Kim"}, "Kim on the list"),
    ({"type": "correct_button", "button": 6}, "button to 6"),
    ({"type": "set_stakes", "stakes": {"small": 10, "big": 20}}, "stakes"),
    ({"type": "deal"}, "deal"),
]


def test_undo_names_what_it_takes_back_and_takes_that_back(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question())
    undo = page.locator(".bar .undo")
    before = {key: value for key, value in server.view.items() if key != "allowed"}
    for command, name in UNDONE:
        with_question().do(command).show(server)
        expect(undo.locator(".label")).to_have_text(f"Undo: {name}")
        assert {key: value for key, value in server.view.items() if key != "allowed"} != before
        server.received.clear()
        undo.click()
        expect(undo.locator(".label")).to_have_text("Undo: hand over")
        assert [message["command"] for message in server.commands()] == [{"type": "undo"}]
        assert {key: value for key, value in server.view.items() if key != "allowed"} == before


# ── a power cut, and a screen sent away ──────────────────────────────────────────────────────


@EACH
def test_after_a_power_cut_it_is_live_in_two_seconds_and_nothing_is_typed(
    context: BrowserContext, page: Page, server: FakeServer, screen: Screen
) -> None:
    """A tablet opens the page that it had open; what it kept is its token."""
    screen.open(page, server, normal())
    page.close()
    context.add_init_script(NOTE_LIVE)

    def open_again() -> float:
        tablet = context.new_page()
        tablet.goto(screen.address(tablet, server, normal()))
        live_ms = shown(tablet, "live")
        tablet.close()
        return live_ms

    in_time(open_again, LIVE_MS)


@EACH
def test_a_screen_that_is_sent_away_shows_within_a_second_what_to_do(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    page.clock.install()
    screen.open(page, server, normal())
    stop_the_clock(page)
    since_ms = page.evaluate("performance.now()")
    server.hello_close = 4003
    server.cut(4003)

    def says_so() -> bool:
        page.clock.run_for(10)
        return "not paired" in page.locator(screen.sentence).inner_text()

    until(says_so)
    assert page.evaluate("performance.now()") - since_ms <= AWAY_MS


# ── a server that says nothing for a while ───────────────────────────────────────────────────


@EACH
def test_a_server_that_was_mute_is_followed_again_without_a_reload(
    page: Page, server: FakeServer, screen: Screen
) -> None:
    page.clock.install()
    table = normal()
    screen.open(page, server, table)
    page.evaluate("window.loadedOnce = true")
    server.mute()
    six_seconds_pass(page)
    screen.expect(page, "stale")
    for command in HAND * 3:
        server.commit(screen.told(table.do(command)))
    server.unmute()
    page.clock.resume()
    screen.expect(page, "fresh")
    place = page.locator(screen.root)
    expect(place).to_have_attribute("data-offset", str(server.offset))
    expect(place).to_contain_text({"dealer": "Deal hand 5", "seat": "Button 5"}[screen.path])
    assert page.evaluate("window.loadedOnce") is True


# ── names ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [TEN_INCH, SEVEN_INCH], ids=["ten inches", "seven inches"])
def test_a_long_name_ends_at_a_word_or_says_that_it_was_cut(
    page: Page, server: FakeServer, size: ViewportSize
) -> None:
    open_desk(page, server, asked_of_an_owing_player(), size)
    painted(page)
    on_tiles = page.locator("seat-tile[data-state=taken] .name").all_inner_texts()
    in_plan = [text.partition(" ")[2] for text in page.locator(".who").all_inner_texts()]
    assert len(on_tiles) == len(LONG_NAMES)
    assert len(in_plan) == 3
    for text in [*on_tiles, *in_plan]:
        assert any(is_form_of(text, name) for name in LONG_NAMES.values()), text


def is_form_of(text: str, name: str) -> bool:
    """The whole name, the first with an initial, the first alone, or that cut with a full stop."""
    first, *others = name.split()
    forms = {name, first} | {f"{first} {other[0]}." for other in others[-1:]}
    return text in forms or (text.endswith(".") and first.startswith(text[:-1]))
