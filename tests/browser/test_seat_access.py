"""The seat display: its sizes, its state when it is not live, and for those who cannot see it."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import SEAT_OF, axe, frames_sent, open_seat, six_seconds_pass

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# ── checks 2, 4, 5, 6, 7 ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", SEAT_OF)
def test_type_and_targets_are_as_large_as_a_player_needs(
    panel: Page, server: FakeServer, state: str
) -> None:
    server.view = fixture(state)
    open_seat(panel, server, SEAT_OF[state])
    for role, least in (("glance", 48), ("second", 30)):
        sizes = panel.eval_on_selector_all(
            f"[data-role={role}]",
            "nodes => nodes.filter(n => n.checkVisibility() && n.textContent)"
            ".map(n => parseFloat(getComputedStyle(n).fontSize))",
        )
        assert min(sizes) >= least, role
    boxes: list[list[float]] = panel.eval_on_selector_all(
        "button",
        "nodes => nodes.map(n => n.getBoundingClientRect())"
        ".map(b => [b.width, b.height, b.right, b.bottom])",
    )
    for width, height, right, bottom in boxes:
        assert width >= 64
        assert height >= 64
        assert right <= 800
        assert bottom <= 480
    scroll: list[int] = panel.eval_on_selector(
        "seat-panel", "node => [node.scrollHeight, node.clientHeight]"
    )
    assert scroll[0] <= scroll[1]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("state", [*SEAT_OF, "empty"])
def test_axe_finds_nothing(panel: Page, server: FakeServer, state: str, theme: str) -> None:
    server.view = fixture(state)
    open_seat(panel, server, SEAT_OF.get(state, 3), f"&theme={theme}")
    assert axe(panel) == []


def test_while_stale_nothing_is_green_and_a_tap_is_answered_and_not_sent(
    panel: Page, server: FakeServer
) -> None:
    sent = frames_sent(panel)
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    green = panel.locator("button[data-key=post]").evaluate(
        "node => getComputedStyle(node).backgroundColor"
    )
    server.is_accepting = False
    server.cut()
    expect(panel.locator("seat-panel")).to_have_attribute("data-freshness", "stale")
    button = panel.locator("button[data-key=post]")
    assert button.evaluate("node => getComputedStyle(node).backgroundColor") != green
    button.click(force=True)  # Playwright itself would wait until it is enabled.
    expect(panel.locator(".answer")).to_have_text("Not connected: nothing was sent")
    assert axe(panel) == []
    server.is_accepting = True
    expect(panel.locator("seat-panel")).to_have_attribute("data-freshness", "fresh")
    assert [frame for frame in sent if '"command"' in frame] == []
    assert server.commands() == []


def test_says_within_six_seconds_that_the_server_fell_silent(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    panel.clock.install()
    open_seat(panel, server, 9)
    server.mute()
    six_seconds_pass(panel)
    expect(panel.locator("freshness-bar")).to_contain_text("Not live")


def test_says_within_six_seconds_that_the_network_is_gone(
    panel: Page, context: BrowserContext, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    panel.clock.install()
    open_seat(panel, server, 9)
    context.set_offline(True)
    six_seconds_pass(panel)
    expect(panel.locator("freshness-bar")).to_contain_text("Not live")


# ── checks 16, 17, 18, 20 ────────────────────────────────────────────────────────────────────


def test_discs_keep_a_border_in_forced_colours(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-calm")
    panel.emulate_media(forced_colors="active")
    open_seat(panel, server, 9)
    widths = panel.eval_on_selector_all(
        "mini-ring span, button",
        "nodes => nodes.map(n => parseFloat(getComputedStyle(n).borderTopWidth))",
    )
    assert min(widths) >= 2


def test_reduced_motion_has_no_durations(panel: Page, server: FakeServer) -> None:
    panel.emulate_media(reduced_motion="reduce")
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    durations = panel.eval_on_selector_all(
        "*",
        "nodes => nodes.map(n => getComputedStyle(n))"
        ".flatMap(s => [s.transitionDuration, s.animationDuration])",
    )
    assert set(durations) == {"0s"}


def test_the_panel_reads_as_its_question(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    assert panel.locator("main").aria_snapshot() == "\n".join(
        [
            "- main:",
            '  - heading "Seat 9 · Table t7" [level=1]',
            "  - text: Seat 9 Hal Table 7 Live",
            "  - paragraph: You owe 15",
            '  - group "Post or wait?":',
            '    - button "Post 10+5 10 plays · 5 to the middle next hand"',
            '    - button "Wait for big 10 plays in 6 hands"',
            '    - button "Behind the button 10 plays · 5 to the middle in 1 hand"',
            "  - paragraph: Button 3 · Small 5 · Big 6",
            '  - group "Your seat":',
            '    - button "I\'m away"',
            '    - button "Leave"',
        ]
    )


def test_the_question_is_announced_once_and_takes_no_focus(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    panel.get_by_role("button", name="I'm away").focus()
    server.commit(fixture("seat-question"))
    expect(panel.locator("#status")).to_have_text(
        "You owe 15. Post 10+5, next hand. Wait for big, in 6 hands. Behind the button, in 1 hand"
    )
    expect(panel.get_by_role("button", name="I'm away")).to_be_focused()
