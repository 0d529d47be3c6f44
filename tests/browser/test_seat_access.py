"""The seat display: its sizes, its state when it is not live, and for those who cannot see it."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.desk import boxes
from tests.browser.fake_server import FakeServer, fixture
from tests.browser.golden import differs
from tests.browser.rules_table import STATES, RulesTable
from tests.browser.screens import PANEL, axe, frames_sent, open_seat, refuse, six_seconds_pass

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEAT = 4


# ── checks 2, 4, 5, 6, 7 ─────────────────────────────────────────────────────────────────────


def answered() -> RulesTable:
    """He has answered and may answer otherwise."""
    answer = {"type": "choose", "seat": SEAT, "choice": "wait_big_blind"}
    return STATES["owing"]().do(answer)


# Seat 4 in every state: the big blind, away and owing, asked, the button heads-up, an open chair …
OWN = {**STATES, "answered": answered}


def bring(panel: Page, server: FakeServer, table: RulesTable) -> None:
    """The open screen to another state, without loading it anew."""
    server.commit(table.seen_by(SEAT))
    expect(panel.locator("seat-panel")).to_have_attribute("data-offset", str(server.offset))


def open_own(panel: Page, server: FakeServer, options: str = "") -> None:
    server.view = STATES["normal"]().seen_by(SEAT)
    open_seat(panel, server, SEAT, options)


def test_type_and_targets_are_as_large_as_a_player_needs(panel: Page, server: FakeServer) -> None:
    open_own(panel, server)
    for state, table in OWN.items():
        bring(panel, server, table())
        for role, least in (("glance", 48), ("second", 30)):
            sizes = panel.eval_on_selector_all(
                f"[data-role={role}], [data-role={role}] *",
                "nodes => nodes.filter(n => n.checkVisibility() && n.textContent)"
                ".map(n => parseFloat(getComputedStyle(n).fontSize))",
            )
            assert min(sizes, default=least) >= least, (state, role)
        for box in boxes(panel, "button"):
            assert box["width"] >= 64, (state, box)
            assert box["height"] >= 64, (state, box)
            assert box["x"] + box["width"] <= PANEL["width"], (state, box)
            assert box["y"] + box["height"] <= PANEL["height"], (state, box)
        scroll: list[int] = panel.eval_on_selector(
            "seat-panel", "node => [node.scrollHeight, node.clientHeight]"
        )
        assert scroll[0] <= scroll[1], state


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_in_any_state_and_each_reads_as_it_should(
    panel: Page, server: FakeServer, theme: str
) -> None:
    open_own(panel, server, f"&theme={theme}")
    for state, table in OWN.items():
        bring(panel, server, table())
        assert axe(panel) == [], state
        assert differs(panel, f"seat-{state}") is None, state


def test_axe_finds_nothing_while_refused_not_live_or_unknown_and_each_reads_as_it_should(
    panel: Page, server: FakeServer
) -> None:
    panel.clock.install()
    server.view = STATES["owing"]().seen_by(SEAT)
    open_seat(panel, server, SEAT)
    server.answer = refuse
    panel.get_by_role("button", name="Behind the button").click()
    expect(panel.locator(".answer")).to_be_visible()
    assert axe(panel) == []
    assert differs(panel, "seat-refused") is None
    server.is_accepting = False
    server.cut()
    for state, ms in (("stale", 0), ("unknown", 61_000)):
        panel.clock.run_for(ms)
        expect(panel.locator("seat-panel")).to_have_attribute("data-freshness", state)
        assert axe(panel) == []
        assert differs(panel, f"seat-{state}") is None


def test_every_status_differs_without_its_colour(panel: Page, server: FakeServer) -> None:
    open_own(panel, server)
    statuses = [
        "normal",
        "heads-up",
        "corrected",
        "question",
        "owing",
        "answered",
        "no-hand",
        "empty",
    ]
    told = set()
    for state in statuses:
        bring(panel, server, OWN[state]())
        told.add(panel.locator(".state").inner_text())
    assert len(told) == len(statuses)


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
            '  - heading "Seat 9 · Table 7" [level=1]',
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
