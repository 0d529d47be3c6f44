"""A player's seat display: what it says, and what it does."""

import copy
import math
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_server import FakeServer, accept_all, fixture
from tests.browser.rules_table import asked_of_an_owing_player
from tests.browser.screens import PANEL, SEAT_OF, axe, lengthen, open_seat, refuse, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
    for other in panel.get_by_role("button").all():
        expect(other).to_be_in_viewport(ratio=1)
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
    # What is committed after the verdict is drawn after it: only then is nothing under way.
    after = copy.deepcopy(server.view)
    after["own"]["questions"][0]["choices"][1]["hands"] = 5
    server.commit(after)
    expect(panel.get_by_role("button", name="Wait for big")).to_contain_text("in 5 hands")
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
    expect(panel.locator("button[data-key=post] .label")).to_have_text("Checking…")
    server.unmute()
    expect(panel.locator("button.choice")).to_have_count(0)
    expect(panel.locator("[data-pending]")).to_have_count(0)
    answered = [m for m in server.received if m["type"] == "verdict"]
    # Those sent into the silence were heard by nobody.
    assert len({m["id"] for m in answered}) == 1
    assert len(server.commands()) == 1


# ── bad input, and what to do ────────────────────────────────────────────────────────────────


def test_a_seat_that_is_not_there_says_what_to_do(panel: Page, server: FakeServer) -> None:
    open_seat(panel, server, 14)
    expect(panel.locator(".notice")).to_contain_text("There is no seat 14 at this table.")


def test_a_name_with_markup_shows_as_text(panel: Page, server: FakeServer) -> None:
    view = fixture("seat-calm")
    view["seats"]["9"]["name"] = "<img src=x onerror=alert(1)>" * 8
    server.view = view
    open_seat(panel, server, 9)
    expect(panel.locator("header .name")).to_contain_text("<img")
    assert panel.locator("header img").count() == 0
    box = panel.locator("freshness-bar").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 800


def test_a_closed_table_says_what_to_do(panel: Page, server: FakeServer) -> None:
    view = fixture("seat-calm")
    server.view = view
    open_seat(panel, server, 9)
    server.commit({**view, "phase": "closed"})
    expect(panel.locator(".notice")).to_contain_text("This table is closed.")
    expect(panel.locator(".notice")).to_contain_text("Ask the floor which table")


def test_a_token_that_expires_asks_for_pairing(panel: Page, server: FakeServer) -> None:
    server.view = fixture("seat-calm")
    open_seat(panel, server, 9)
    server.hello_close = 4001
    server.cut(4001)
    expect(panel.locator(".notice")).to_contain_text("This screen is not paired.")


def test_words_a_third_longer_still_fit(panel: Page, server: FakeServer) -> None:
    """German and Vietnamese are about that much longer than English."""
    panel.route("**/words/en*.js", lengthen)
    server.view = fixture("seat-question")
    server.answer = refuse
    open_seat(panel, server, 9)
    look_at_buttons(panel)
    # Four answers are as many as there are where nobody buys the button.
    server.commit(asked_of_an_owing_player().seen_by(4))
    open_seat(panel, server, 4)
    expect(panel.locator("button.choice")).to_have_count(4)
    look_at_buttons(panel)
    panel.get_by_role("button", name="Straddle").click()
    expect(panel.locator(".answer")).to_be_in_viewport(ratio=1)
    look_at_buttons(panel)


def look_at_buttons(panel: Page) -> None:
    """All of them are on the panel, and what stands on each is whole."""
    boxes: list[list[float]] = panel.eval_on_selector_all(
        "button",
        "nodes => nodes.map(n => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight,"
        " n.getBoundingClientRect().right, n.getBoundingClientRect().bottom])",
    )
    assert boxes
    for wider, higher, right, bottom in boxes:
        assert wider <= 0
        assert higher <= 0
        assert right <= PANEL["width"]
        assert bottom <= PANEL["height"]


def test_a_long_name_is_shortened_by_the_rule_of_names(panel: Page, server: FakeServer) -> None:
    view = fixture("seat-calm")
    view["seats"]["9"]["name"] = "Maximiliane Antonia Bartholomäus-Übermut"
    server.view = view
    open_seat(panel, server, 9)
    expect(panel.locator("header .name")).to_have_text("Maximiliane B.")


@pytest.mark.parametrize("state", SEAT_OF)
def test_at_320_pixels_nothing_is_lost(page: Page, server: FakeServer, state: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    server.view = fixture(state)
    open_seat(page, server, SEAT_OF[state])
    for button in page.locator("button").all():
        expect(button).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    # Enlarged to 200 %, the panel of five inches scrolls down to what it cannot show at once.
    page.set_viewport_size({"width": 400, "height": 240})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    for button in page.locator("button").all():
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=1)
    targets: list[float] = page.eval_on_selector_all(
        "button", "nodes => nodes.map(n => n.getBoundingClientRect().height)"
    )
    assert min(targets) >= 48
