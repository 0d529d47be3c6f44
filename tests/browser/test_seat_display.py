"""The seat display, its panel and its widget, in a real Chromium."""

import copy
import math
import re
import time
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.fake_server import FakeServer, accept_all, fixture
from tests.browser.screens import (
    HANG_MS,
    PANEL,
    SEAT_OF,
    axe,
    frames_sent,
    open_seat,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def panel(page: Page) -> Page:
    page.set_viewport_size(PANEL)
    return page


def refuse(server: FakeServer, message: dict[str, Any]) -> dict[str, Any]:
    place = {"epoch": server.epoch, "offset": server.offset}
    said = {
        "reason": "not_due",
        "message": "The button has not passed you yet.",
        "rule": "making-up-blinds",
    }
    return {"type": "refused", "id": message["id"], "table": "t7", "retry": False, **said, **place}


def never(_server: FakeServer, _message: dict[str, Any]) -> None:
    """Give no verdict."""


# ── what it says ─────────────────────────────────────────────────────────────────────────────


def test_a_calm_seat_says_dealt_in_and_when_the_big_blind_comes(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    expect(panel.locator(".headline").first).to_have_text("Dealt in")
    expect(panel.locator(".detail").first).to_have_text("lojack · big blind in 3 hands")
    expect(panel.locator(".plan")).to_have_text("Button 3 · Small 4 · Big 5")


def test_who_posts_sees_one_huge_disc_and_the_amount(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-big")
    open_seat(panel, server, 5)
    expect(panel.locator(".headline").first).to_have_text("You post 10")
    disc = panel.locator(".state felt-disc")
    assert disc.get_attribute("data-kind") == "big"
    box = disc.bounding_box()
    assert box is not None
    assert box["width"] >= 120


def test_every_choice_shows_live_dead_and_hands_as_the_plan_has_them(
    panel: Page, server: FakeServer
) -> None:
    view = server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    expect(panel.locator(".headline").first).to_have_text("You owe 15")
    offered = view["own"]["questions"][0]["choices"]
    buttons = panel.locator("button.choice")
    assert buttons.count() == len(offered)
    for index, offer in enumerate(offered):
        text = buttons.nth(index).inner_text()
        assert f"{offer['live']} plays" in text
        assert ("to the middle" in text) == bool(offer["dead"])
        assert ("next hand" if not offer["hands"] else f"in {offer['hands']} hand") in text


def test_the_mini_ring_is_clockwise_with_the_own_seat_lowest(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    places: list[list[float]] = panel.eval_on_selector_all(
        "mini-ring span",
        "nodes => nodes.map(n => { const b = n.getBoundingClientRect();"
        " return [Number(n.dataset.seat), b.x + b.width / 2, b.y + b.height / 2]; })",
    )
    assert max(places, key=lambda place: place[2])[0] == 9
    x0 = sum(x for _, x, _ in places) / len(places)
    y0 = sum(y for _, _, y in places) / len(places)
    own_first = sorted(places, key=lambda place: (place[0] - 9) % 10)
    # Clockwise from below: the angle from "down", growing to the left.
    angles = [math.atan2(-(x - x0), y - y0) % (2 * math.pi) for _, x, y in own_first]
    angles[0] = 0 if angles[0] > math.pi else angles[0]
    assert angles == sorted(angles)
    assert len({round(angle, 2) for angle in angles}) == 10


# ── what it does ─────────────────────────────────────────────────────────────────────────────


def test_one_tap_answers_the_question(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    panel.get_by_role("button", name="Post 10+5").click()
    until(lambda: server.commands())
    (command,) = server.commands()
    assert command["command"] == {"type": "choose", "seat": 9, "choice": "post"}
    assert re.fullmatch("[0-9a-f]{32}", command["id"])
    assert abs(command["deadline_ms"] - 4_000 - time.time() * 1000) < 10_000


def test_two_quick_taps_are_one_command(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-question")
    server.answer = never
    open_seat(panel, server, 9)
    panel.get_by_role("button", name="Post 10+5").dblclick()
    expect(panel.locator("button[data-key=post] .label")).to_have_text("…")
    assert len(server.commands()) == 1


def test_leaving_takes_a_second_tap_and_can_be_thought_better_of(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    panel.get_by_role("button", name="Leave").click()
    panel.get_by_role("button", name="Stay").click()
    expect(panel.get_by_role("button", name="I'm away")).to_be_visible()
    assert server.commands() == []
    panel.get_by_role("button", name="Leave").click()
    panel.get_by_role("button", name="Leave the table").click()
    until(lambda: server.commands())
    assert server.commands()[0]["command"] == {"type": "leave", "seat": 9}


def test_a_refusal_shows_its_sentence_and_rule_and_goes_with_the_next_acceptance(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    server.answer = refuse
    open_seat(panel, server, 9)
    button = panel.get_by_role("button", name="Behind the button")
    button.focus()
    button.press("Enter")
    answer = panel.locator(".answer")
    expect(answer).to_have_text("The button has not passed you yet. [making-up-blinds]")
    expect(button).to_be_focused()
    expect(panel.locator(".headline").first).to_have_text("You owe 15")
    assert axe(panel) == []
    server.answer = accept_all
    panel.get_by_role("button", name="Wait for big").click()
    expect(answer).to_be_hidden()


def test_a_player_can_do_it_all_by_keys_unless_they_are_switched_off(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    panel.locator("button.choice").first.focus()
    panel.keyboard.press("w")
    until(lambda: len(server.commands()) == 1)
    expect(panel.locator("[data-pending]")).to_have_count(0)
    panel.keyboard.press("a")
    until(lambda: len(server.commands()) == 2)
    assert [sent["command"] for sent in server.commands()] == [
        {"type": "choose", "seat": 9, "choice": "wait_big_blind"},
        {"type": "sit_out", "seat": 9},
    ]
    open_seat(panel, server, 9, "&keys=off")
    panel.locator("button.choice").first.focus()
    panel.keyboard.press("p")
    panel.keyboard.press("Enter")
    until(lambda: len(server.commands()) == 3)
    assert server.commands()[2]["command"]["choice"] == "post"


def test_focus_and_a_half_pressed_button_survive_a_delta(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    button = panel.get_by_role("button", name="Wait for big")
    box = button.bounding_box()
    assert box is not None
    panel.mouse.move(box["x"] + 20, box["y"] + 20)
    panel.mouse.down()
    after = copy.deepcopy(server.view)
    after["own"]["questions"][0]["choices"][1]["hands"] = 5
    server.commit(after)
    expect(button).to_contain_text("in 5 hands")
    expect(button).to_be_focused()
    panel.mouse.up()
    until(lambda: server.commands())
    assert server.commands()[0]["command"]["choice"] == "wait_big_blind"


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
    expect(panel.locator("seat-panel")).to_have_attribute("data-freshness", "stale", timeout=1_000)
    button = panel.locator("button[data-key=post]")
    assert button.evaluate("node => getComputedStyle(node).backgroundColor") != green
    button.click(force=True)  # Playwright itself would wait until it is enabled.
    expect(panel.locator(".answer")).to_have_text("Not connected: nothing was sent")
    assert axe(panel) == []
    server.is_accepting = True
    expect(panel.locator("seat-panel")).to_have_attribute(
        "data-freshness", "fresh", timeout=HANG_MS
    )
    assert [frame for frame in sent if '"command"' in frame] == []
    assert server.commands() == []


def test_says_within_six_seconds_that_the_server_fell_silent(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    server.mute()
    expect(panel.locator("freshness-bar")).to_contain_text("Not live", timeout=6_000)


def test_says_within_six_seconds_that_the_network_is_gone(
    panel: Page, context: BrowserContext, server: FakeServer
) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    context.set_offline(True)
    expect(panel.locator("freshness-bar")).to_contain_text("Not live", timeout=6_000)


# ── check 9 ──────────────────────────────────────────────────────────────────────────────────


def test_a_verdict_lost_on_the_way_is_asked_for_once_and_acted_on_once(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")

    def accept_and_fall_silent(server: FakeServer, message: dict[str, Any]) -> dict[str, Any]:
        server.mute()
        after = copy.deepcopy(server.view)
        del after["own"]["questions"]
        server.commit(after)
        return {**server.accepted(message), "offset": server.offset + 1}

    server.answer = accept_and_fall_silent
    open_seat(panel, server, 9)
    panel.get_by_role("button", name="Post 10+5").click()
    expect(panel.locator("button[data-key=post] .label")).to_have_text("…")
    expect(panel.locator("button[data-key=post] .label")).to_have_text("Checking…", timeout=HANG_MS)
    server.unmute()
    expect(panel.locator("button.choice")).to_have_count(0, timeout=HANG_MS)
    expect(panel.locator("[data-pending]")).to_have_count(0)
    answered = [m for m in server.received if m["type"] == "verdict"]
    # Those sent into the silence were heard by nobody.
    assert len({m["id"] for m in answered}) == 1
    assert len(server.commands()) == 1


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


# ── check 24: inside somebody else's page ────────────────────────────────────────────────────

HOSTILE_CSS = "* { font-size: 7px !important; all: revert; color: red !important }"


def host_page(server: FakeServer, inner: str, script: str = "") -> None:
    """A page of another host name, with a style sheet that means no good."""
    server.extra_pages["/host.css"] = ("text/css", HOSTILE_CSS)
    server.extra_pages["/host.js"] = ("text/javascript", script)
    server.extra_pages["/host"] = (
        "text/html",
        "<!doctype html><html lang=en><title>Host</title><link rel=stylesheet href=/host.css>"
        "<link rel=icon href=data:,>"
        f"<body>{inner}<script type=module src=/host.js></script></body></html>",
    )


def test_in_a_frame_on_a_plain_http_lan_it_works_and_keeps_its_token(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    host = f"http://lan.test:{server.port}"
    server.framed_by = host
    frame_address = server.address(f"/seat/?table=t7&seat=9&host={host}")
    host_page(
        server,
        f'<iframe id=seat title="Your seat" src="{frame_address}" width=320 height=180></iframe>',
        """
        window.heard = [];
        const frame = document.querySelector("#seat");
        addEventListener("message", ({data}) => window.heard.push(data));
        frame.addEventListener("load", () => frame.contentWindow.postMessage(
            {type: "livebutton:token", token: "secret-token"}, new URL(frame.src).origin));
        """,
    )
    page.set_viewport_size({"width": 700, "height": 400})
    page.goto(f"{host}/host")
    inside = page.frame_locator("#seat")
    expect(inside.locator("seat-panel")).to_have_attribute(
        "data-freshness", "fresh", timeout=HANG_MS
    )
    frame = page.frames[1]
    assert frame.evaluate("[typeof crypto.randomUUID, navigator.wakeLock]") is not None
    expect(inside.get_by_role("button", name="Post 10+5")).to_be_in_viewport()
    expect(inside.get_by_role("button", name="Behind the button")).to_be_in_viewport()
    expect(inside.locator(".headline").first).to_have_text("You owe 15")
    size = inside.locator(".headline").first.evaluate("n => getComputedStyle(n).fontSize")
    assert float(size.removesuffix("px")) >= 20
    reach = page.evaluate("""() => {
        try { return document.querySelector('#seat').contentWindow.localStorage.length; }
        catch (error) { return error.name; }
    }""")
    assert reach == "SecurityError"
    inside.get_by_role("button", name="Post 10+5").click()
    until(lambda: page.evaluate("window.heard.some(e => e.type === 'livebutton:accepted')"))
    assert "secret-token" not in str(page.evaluate("window.heard"))
    assert server.commands()[0]["command"]["choice"] == "post"


def test_a_plain_http_lan_origin_has_no_uuid_and_needs_none(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    panel.goto(f"http://lan.test:{server.port}/seat/?table=t7&seat=9#token=secret-token")
    expect(panel.locator("seat-panel")).to_have_attribute(
        "data-freshness", "fresh", timeout=HANG_MS
    )
    assert panel.evaluate(
        "[isSecureContext, typeof crypto.randomUUID, typeof navigator.wakeLock]"
    ) == [
        False,
        "undefined",
        "undefined",
    ]
    panel.get_by_role("button", name="Post 10+5").click()
    until(lambda: server.commands())


def test_a_frame_takes_a_token_from_its_host_alone(page: Page, server: FakeServer) -> None:
    server.framed_by = "*"
    frame_address = server.address("/seat/?table=t7&seat=9&host=https://room.example")
    host_page(
        server,
        f'<iframe id=seat title="Your seat" src="{frame_address}" width=320 height=180></iframe>',
        """
        const frame = document.querySelector("#seat");
        frame.addEventListener("load", () => {
            frame.contentWindow.postMessage({type: "livebutton:token", token: "evil"}, "*");
            document.body.dataset.sent = "yes";
        });
        """,
    )
    page.goto(f"http://lan.test:{server.port}/host")
    expect(page.locator("body")).to_have_attribute("data-sent", "yes")
    expect(page.frame_locator("#seat").locator(".notice")).to_contain_text("not paired")
    assert server.received == []


def test_as_an_element_it_keeps_its_styles_in_a_hostile_page(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    host_page(
        server,
        '<div style="width:320px;height:180px">'
        "<livebutton-seat table=t7 seat=9></livebutton-seat></div>",
        """
        import "/seat/widget.js";
        window.heard = [];
        const seat = document.querySelector("livebutton-seat");
        for (const type of ["fresh", "accepted", "refused"])
            seat.addEventListener("livebutton-" + type, () => window.heard.push(type));
        seat.token = "secret-token";
        """,
    )
    page.set_viewport_size({"width": 700, "height": 400})
    page.goto(server.address("/host"))
    panel = page.locator("livebutton-seat seat-panel")
    expect(panel).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
    headline = panel.locator(".headline").first
    expect(headline).to_have_text("You owe 15")
    style: list[str] = headline.evaluate(
        "n => [getComputedStyle(n).fontSize, getComputedStyle(n).color]"
    )
    assert style[0] == "24px"
    assert style[1] != "rgb(255, 0, 0)"
    post = panel.get_by_role("button", name="Post 10+5")
    expect(post).to_be_in_viewport()
    post.click()
    until(lambda: "accepted" in page.evaluate("window.heard"))
    reach = page.evaluate("JSON.stringify(document.querySelector('livebutton-seat'))")
    assert "secret-token" not in reach
    assert page.evaluate("document.querySelector('livebutton-seat').token") is None


# ── bad input, and what to do ────────────────────────────────────────────────────────────────


def test_a_seat_that_is_not_there_says_what_to_do(panel: Page, server: FakeServer) -> None:
    open_seat(panel, server, 14)
    expect(panel.locator(".notice")).to_contain_text("There is no seat 14 at this table.")


def test_a_name_with_markup_shows_as_text(panel: Page, server: FakeServer) -> None:
    view = fixture("seat-calm")
    view["seats"]["9"]["name"] = "<img src=x onerror=alert(1)>" * 8
    server.view = view
    open_seat(panel, server, 9)
    expect(panel.locator("header .name")).to_contain_text("<img src=x")
    assert panel.locator("header img").count() == 0
    box = panel.locator("freshness-bar").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 800


def test_a_token_that_expires_asks_for_pairing(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    server.hello_close = 4001
    server.cut(4001)
    expect(panel.locator(".notice")).to_contain_text("This screen is not paired.", timeout=1_000)


def test_words_a_third_longer_still_fit(panel: Page, server: FakeServer) -> None:
    """German and Vietnamese are about that much longer than English."""

    def lengthen(route: Any) -> None:
        text = route.fetch().text()
        longer = re.sub(
            r'^(\s+"?(?:do|choice|price|in_hands|you|dealt|not_live)[\w.]*"?: )"(.*)"',
            lambda m: f'{m[1]}"{m[2]} {"ã" * max(1, round(len(m[2]) * 0.35) - 1)}"',
            text,
            flags=re.MULTILINE,
        )
        assert longer != text
        route.fulfill(body=longer, content_type="text/javascript")

    panel.route("**/words/en.js", lengthen)
    server.view = fixture("seat-question")
    open_seat(panel, server, 9)
    boxes: list[list[float]] = panel.eval_on_selector_all(
        "button",
        "nodes => nodes.map(n => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight,"
        " n.getBoundingClientRect().right])",
    )
    for wider, higher, right in boxes:
        assert wider <= 0
        assert higher <= 0
        assert right <= 800


@pytest.mark.parametrize("state", SEAT_OF)
def test_at_320_pixels_nothing_is_lost(page: Page, server: FakeServer, state: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    server.view = fixture(state)
    open_seat(page, server, SEAT_OF[state])
    for button in page.locator("button").all():
        expect(button).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    targets: list[float] = page.eval_on_selector_all(
        "button", "nodes => nodes.map(n => n.getBoundingClientRect().height)"
    )
    assert min(targets) >= 48
