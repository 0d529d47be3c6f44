"""Checks 1, 2, 3, 15, 16, 17, 18 and 21 on the dealer's terminal: what stands where, how large."""

import itertools
import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.desk import SEVEN_INCH, TEN_INCH, boxes, bring, open_desk, painted, refuse
from tests.browser.fake_server import FakeServer
from tests.browser.rules_table import (
    STATES,
    RulesTable,
    asked_of_an_owing_player,
    asked_where_the_button_is_sold,
    heads_up,
    in_hand,
    moving,
    normal,
    unposted,
    with_question,
)
from tests.browser.screens import lengthen, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = pytest.mark.parametrize("size", [TEN_INCH, SEVEN_INCH], ids=["ten inches", "seven inches"])
SMALLEST_PX, APART_PX = 64, 8
# Half a pixel is lost where a row of six is divided.
ROUNDING_PX = 0.5


def tap(page: Page, seat: int, text: str = "") -> None:
    page.locator(f"seat-tile[data-seat='{seat}'] .tap").click()
    if text:
        page.locator("choice-grid button", has_text=text).first.click()


# What the middle can show: name → an act.
PANELS: dict[str, Callable[[Page], None]] = {
    "question": lambda _page: None,
    "strip of a player who owes": lambda page: tap(page, 4),
    "strip of a player": lambda page: tap(page, 2),
    "strip of who straddles": lambda page: tap(page, 10),
    "strip of a held seat": lambda page: tap(page, 8),
    "more": lambda page: page.locator(".bar .more").click(),
    "button is": lambda page: page.locator(".bar .button-is").click(),
    "a form": lambda page: tap(page, 8, "Other"),
    "keys": lambda page: page.keyboard.press("?"),
}


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    """How far two boxes stand from one another; 0 and less when they touch or overlap."""
    across = max(one["x"], other["x"]) - min(one["x"] + one["width"], other["x"] + other["width"])
    down = max(one["y"], other["y"]) - min(one["y"] + one["height"], other["y"] + other["height"])
    return max(across, down)


def ask_how_he_moves(page: Page) -> None:
    """Dan takes the big blind that is due at seat 5, or comes in behind the button there."""
    tap(page, 4, "Move")
    tap(page, 5)
    expect(page.locator(".panel .heading")).to_contain_text("moves to 5")


def look_at_controls(page: Page, size: ViewportSize) -> None:
    """Every control that is to be seen is large enough, apart, inside, and covers no seat."""
    painted(page)
    controls = boxes(page, "dealer-terminal :is(button, input)")
    assert len(controls) >= 14
    for control in controls:
        assert control["width"] >= SMALLEST_PX - ROUNDING_PX, control
        assert control["height"] >= SMALLEST_PX - ROUNDING_PX, control
        assert control["x"] >= 0
        assert control["y"] >= 0
        assert control["x"] + control["width"] <= size["width"]
        assert control["y"] + control["height"] <= size["height"], control
    for one, other in itertools.combinations(controls, 2):
        assert apart(one, other) >= APART_PX - ROUNDING_PX, (one, other)
    seats = boxes(page, "seat-tile .tap")
    assert all(seat["width"] >= 160 and seat["height"] >= 120 for seat in seats)
    [primary] = boxes(page, ".bar .primary")
    assert primary["width"] >= 280
    assert primary["height"] >= 88
    scrolls = page.evaluate(
        """() => [document.documentElement, document.body, document.querySelector(".centre")]
            .map(n => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight])"""
    )
    assert scrolls == [[0, 0], [0, 0], [0, 0]]
    assert seats_at_their_centres(page) == list(range(1, len(seats) + 1))


def cut_off(page: Page) -> list[str]:
    """Whatever is written and does not fit where it stands."""
    found: list[str] = page.eval_on_selector_all(
        "seat-tile .seen, .centre, .panel, .bar button, choice-grid button, .who, .head .name",
        """nodes => nodes.filter(n => n.checkVisibility())
            .filter(n => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 1)
            .map(n => `${n.className}: ${n.textContent.trim()}`)""",
    )
    return found


@SIZES
def test_every_control_is_large_enough_apart_and_inside_and_covers_no_seat(
    page: Page, server: FakeServer, size: ViewportSize
) -> None:
    open_desk(page, server, with_question(), size)
    for act in PANELS.values():
        act(page)
        look_at_controls(page, size)
        page.keyboard.press("Escape")
    for state in (moving, asked_of_an_owing_player):
        bring(page, server, state())
        if state is moving:
            ask_how_he_moves(page)
        look_at_controls(page, size)
        assert page.locator("plan-board .cell").evaluate_all(
            """nodes => nodes.every(n => n.getBoundingClientRect().bottom
                <= n.closest("plan-board").getBoundingClientRect().bottom)"""
        )
    server.answer = refuse
    tap(page, 6, "Leaves")
    expect(page.locator(".notice")).to_be_visible()
    look_at_controls(page, size)
    page.keyboard.press("Escape")
    look_at_controls(page, size)


@SIZES
def test_nothing_that_is_written_is_cut_off_and_no_seat_covered(
    page: Page, server: FakeServer, size: ViewportSize
) -> None:
    open_desk(page, server, normal(), size)
    for name, state in STATES.items():
        bring(page, server, state())
        assert cut_off(page) == [], name
        assert seats_at_their_centres(page) == list(range(1, server.view["seat_count"] + 1))
    server.is_accepting = False
    server.cut()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-freshness", "stale")
    assert cut_off(page) == []


@SIZES
def test_words_a_third_longer_still_fit(page: Page, server: FakeServer, size: ViewportSize) -> None:
    """German and Vietnamese are about that much longer than English."""
    page.route("**/words/en*.js", lengthen)
    open_desk(page, server, normal(), size)
    for name in ("question", "in-hand", "answered", "no-hand", "owing"):
        bring(page, server, STATES[name]())
        assert cut_off(page) == [], name
    look_at_controls(page, size)
    bring(page, server, moving())
    ask_how_he_moves(page)
    assert cut_off(page) == []
    look_at_controls(page, size)
    bring(page, server, with_question())
    for panel, act in PANELS.items():
        if panel not in ("keys", "a form"):
            act(page)
            painted(page)
            assert cut_off(page) == [], panel
            page.keyboard.press("Escape")


# Where most may be done at once: a state, and the seat that is tapped or 0 for none.
CROWDED: list[tuple[Callable[[], RulesTable], int]] = [
    (in_hand, 9),
    (unposted, 9),
    (asked_where_the_button_is_sold, 0),
    (asked_of_an_owing_player, 4),
]


@SIZES
def test_what_finds_no_room_is_on_another_page_and_nothing_is_lost(
    page: Page, server: FakeServer, size: ViewportSize
) -> None:
    """In words a third longer, and at the end beside a refusal."""
    page.route("**/words/en*.js", lengthen)
    open_desk(page, server, normal(), size)
    for state, seat in CROWDED:
        bring(page, server, state())
        if seat:
            tap(page, seat)
        offered = turn_all_pages(page, size)
        assert len(offered) == len(set(offered))
        assert {"choose post", "choose wait_big_blind", "choose wait_button"} <= set(offered)
        assert seat == 0 or {"sit_out", "leave", "form rename"} <= set(offered)
    server.answer = refuse
    page.keyboard.press("l")
    expect(page.locator(".notice")).to_be_visible()
    assert turn_all_pages(page, size) == offered


def turn_all_pages(page: Page, size: ViewportSize) -> list[str]:
    """Every choice of the panel that is open, each seen whole on one page or another."""
    others = page.locator(".panel choice-grid [data-key=others]")
    found: list[str] = []
    while True:
        painted(page)
        assert cut_off(page) == []
        look_at_controls(page, size)
        shown: list[str] = page.eval_on_selector_all(
            ".panel choice-grid button", "nodes => nodes.map(n => n.dataset.key)"
        )
        if found[: len(shown) - 1] == shown[:-1] or not others.count():
            return found or shown
        found += shown[:-1]
        others.click()


@pytest.mark.parametrize(
    ("size", "glance_px", "second_px"), [(TEN_INCH, 32, 20), (SEVEN_INCH, 30, 22)]
)
def test_type_is_as_large_as_the_distance_asks(
    page: Page, server: FakeServer, size: ViewportSize, glance_px: float, second_px: float
) -> None:
    open_desk(page, server, with_question(), size)
    for act in [*PANELS.values()]:
        act(page)
        sizes = page.eval_on_selector_all(
            "[data-role]",
            """nodes => nodes.filter(n => n.checkVisibility() && n.textContent.trim())
                .map(n => [n.dataset.role, parseFloat(getComputedStyle(n).fontSize)])""",
        )
        assert min(px for role, px in sizes if role == "glance") >= glance_px
        assert min(px for role, px in sizes if role == "second") >= second_px
        page.keyboard.press("Escape")


def test_a_missed_blind_is_legible_from_the_dealers_chair(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question(), TEN_INCH)
    marker = page.locator("seat-tile[data-seat='4'] blind-marker")
    expect(marker).to_have_text("Missed 10+5")
    box = marker.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert marker.evaluate("n => parseFloat(getComputedStyle(n).fontSize)") >= 28


def seats_at_their_centres(page: Page) -> list[int]:
    """Which seat a finger meets at the centre of each tile, seat 1's first."""
    found: list[int] = page.eval_on_selector_all(
        "seat-tile",
        """nodes => nodes.map(n => {
            const box = n.getBoundingClientRect();
            const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return Number(hit?.closest("seat-tile")?.dataset.seat ?? 0);
        })""",
    )
    return found


def test_seats_stand_clockwise_as_the_dealer_sits(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal(), TEN_INCH)
    for far_side in (False, True):
        for seats in (2, 6, 9, 10):
            bring(page, server, RulesTable({1: "Ann", 2: "Bob"}, seats=seats))
            look_round(page, is_near=not far_side)
        page.locator(".bar .more").click()
        page.locator("choice-grid button", has_text="Far side").click()


def look_round(page: Page, *, is_near: bool) -> None:
    """The seats' angles turn clockwise, once; on the near side seat 1 is at her left."""
    tiles = boxes(page, "seat-tile")
    middle = boxes(page, ".felt")[0]
    x, y = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
    # Clockwise from below, where she sits.
    angles = [
        math.atan2(x - (tile["x"] + tile["width"] / 2), tile["y"] + tile["height"] / 2 - y)
        for tile in tiles
    ]
    turns = [
        (after - before) % math.tau for before, after in itertools.pairwise([*angles, angles[0]])
    ]
    assert all(turn > 0 for turn in turns)
    assert sum(turns) == pytest.approx(math.tau)
    if is_near:
        assert tiles[0]["x"] < x < tiles[-1]["x"]


def test_the_bar_is_mirrored_for_a_left_handed_dealer(page: Page, server: FakeServer) -> None:
    open_desk(page, server, normal(), TEN_INCH)
    page.locator(".bar .more").click()
    page.locator("choice-grid button", has_text="Left hand").click()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-hand", "left")
    names = ["undo", "primary", "button-is", "more"]
    left = [boxes(page, f".bar .{name}")[0]["x"] for name in names]
    assert left == sorted(left, reverse=True)
    page.reload()
    expect(page.locator("dealer-terminal")).to_have_attribute("data-hand", "left")


def test_every_status_differs_without_its_colour(page: Page, server: FakeServer) -> None:
    open_desk(page, server, with_question(), TEN_INCH)
    told = page.eval_on_selector_all(
        "seat-tile",
        """nodes => nodes.map(n => [
            n.querySelector(".aloud").textContent.replace(/^Seat \\d+, [\\w ]+/, ""),
            [...n.querySelectorAll("[data-shape]")].filter(s => s.checkVisibility())
                .map(s => s.dataset.shape + s.textContent).join(),
        ])""",
    )
    plan = server.view["plan"]
    special = [told[seat - 1] for seat in (4, 8, 9, plan["button"], plan["posts"][0]["seat"])]
    assert len({tuple(each) for each in special}) == 5
    assert len({aloud for aloud, _ in special}) == 5


def test_discs_and_tags_keep_a_border_in_forced_colours(page: Page, server: FakeServer) -> None:
    page.emulate_media(forced_colors="active")
    open_desk(page, server, with_question(), TEN_INCH)
    marks = page.eval_on_selector_all(
        "felt-disc, blind-marker, .centre, seat-tile[data-question] .tap, choice-grid button",
        """nodes => nodes.filter(n => n.checkVisibility()).map(n => {
            const style = getComputedStyle(n);
            return [n.localName, parseFloat(style.borderTopWidth), style.borderTopStyle];
        })""",
    )
    assert len(marks) >= 12
    assert all(width >= 2 and style != "none" for _, width, style in marks)


def test_with_reduced_motion_nothing_moves_but_moved_seats_are_outlined(
    page: Page, server: FakeServer
) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_desk(page, server, normal(), TEN_INCH)
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('moved'); }; }")
    page.locator(".bar .primary").click()
    expect(page.locator(".bar .primary")).to_contain_text("Hand over")
    expect(page.locator(".bar .primary")).not_to_have_attribute("data-inert", "")
    page.locator(".bar .primary").click()
    until(lambda: page.locator("seat-tile[data-moved]").count() >= 3)
    durations = page.eval_on_selector_all(
        "*",
        """nodes => nodes.flatMap(n => {
            const style = getComputedStyle(n);
            return [style.transitionDuration, style.animationDuration];
        })""",
    )
    assert {float(each.rstrip("s")) for each in durations} == {0.0}


def test_heads_up_one_seat_has_both_discs(page: Page, server: FakeServer) -> None:
    open_desk(page, server, heads_up(), TEN_INCH)
    kinds = page.eval_on_selector_all("plan-board felt-disc", "ns => ns.map(n => n.dataset.kind)")
    assert kinds == ["button", "small", "big"]
    button = server.view["plan"]["button"]
    tile = page.locator(f"seat-tile[data-seat='{button}'] felt-disc")
    expect(tile).to_have_count(2)


def test_a_name_of_two_hundred_letters_and_one_with_markup_fit(
    page: Page, server: FakeServer
) -> None:
    players = {1: "Ann", 2: "<img onerror=alert(1)>", 3: "Bartholomew" * 19, 4: "Dan"}
    open_desk(page, server, RulesTable(players).do({"type": "start_game", "button": 1}), TEN_INCH)
    expect(page.locator("seat-tile[data-seat='2'] .name")).to_contain_text("<img")
    assert page.locator("img").count() == 0
    page.locator("seat-tile[data-seat='3'] .tap").click()
    wide = page.eval_on_selector_all(
        ".centre, seat-tile .seen, .who", "ns => ns.map(n => n.scrollWidth - n.clientWidth)"
    )
    assert max(wide) <= 0
