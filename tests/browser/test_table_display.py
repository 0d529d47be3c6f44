"""The table display: what it shows, how large, and what it says to bad input."""

import copy
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import (
    axe,
    cut_off,
    discs,
    each_state,
    next_hand,
    open_table,
    stop_the_clock,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_discs_the_hand_and_the_why_line_are_the_plans(page: Page, server: FakeServer) -> None:
    server.view = fixture("ten")
    open_table(page, server)
    assert discs(page) == {"button": [3], "small": [5], "big": [6]}
    expect(page.locator("#plan")).to_have_text("Button 3 · Small 5 · Big 6")
    expect(page.locator("#hand")).to_have_text("Next: hand 142")
    expect(page.locator("#first")).to_have_text("First to act 7")
    expect(page.locator("why-line")).to_contain_text("Dan missed the big blind; it passed to Fay.")
    expect(page.locator("why-line .rule")).to_have_text("[missed-blinds]")
    assert page.locator("why-line").get_attribute("data-seats") == "4 6"


def test_a_delta_reaches_the_screen_and_only_its_discs_move(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    server.commit(next_hand(server.view, 143))
    expect(page.locator("#plan")).to_have_text("Button 4 · Small 5 · Big 6")
    assert discs(page) == {"button": [4], "small": [5], "big": [6]}
    expect(page.locator("seat-tile[data-moved]")).to_have_count(4)


def test_discs_travel_for_300_ms_along_the_ring(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    page.evaluate("""() => {
        window.travels = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (steps, options) {
            window.travels.push({kind: this.dataset.kind, steps: steps.length, ...options});
            return animate.call(this, steps, options);
        };
    }""")
    after = copy.deepcopy(server.view)
    after["plan"]["button"] = 6
    server.commit(after)
    until(lambda: page.evaluate("window.travels.length > 0"))
    # From seat 3 by 4 and 5 to 6.
    assert page.evaluate("window.travels") == [
        {"kind": "button", "steps": 4, "duration": 300, "easing": "ease-out"}
    ]


def test_an_unchanged_seat_keeps_its_node(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    page.evaluate("() => document.querySelectorAll('seat-tile').forEach((n, i) => n.mine = i)")
    server.commit(next_hand(server.view, 143))
    expect(page.locator("#hand")).to_have_text("Next: hand 143")
    kept = page.eval_on_selector_all("seat-tile", "nodes => nodes.map(n => n.mine)")
    assert kept == list(range(10))


def test_the_reason_stands_for_twenty_seconds_or_until_the_next_and_then_it_is_calm(
    page: Page, server: FakeServer
) -> None:
    page.clock.install()
    server.view = fixture("ten")
    open_table(page, server)
    stop_the_clock(page)
    line = page.locator("why-line")
    expect(line).to_contain_text("Dan missed the big blind")
    page.clock.run_for(10_000)
    later = copy.deepcopy(server.view)
    later["plan"]["rulings"].append({"rule": "dead-button", "seats": [3], "text": "It is dead."})
    later["plan"]["rulings"].pop(1)
    server.commit(later)

    def is_told() -> bool:
        page.clock.run_for(100)
        return "It is dead. [dead-button]" in line.inner_text()

    until(is_told)
    page.clock.run_for(17_000)
    expect(line).to_be_visible()
    page.clock.run_for(4_000)
    expect(line).to_be_hidden()
    expect(page.locator("#plan")).to_be_visible()


# ── check 2: sizes ───────────────────────────────────────────────────────────────────────────


def test_the_rail_size_is_legible_from_five_metres(page: Page, server: FakeServer) -> None:
    open_table(page, server, "&size=l")
    size = page.locator("seat-tile .name").first.evaluate(
        "node => parseFloat(getComputedStyle(node).fontSize)"
    )
    assert size >= 82


@pytest.mark.parametrize("size", ["s", "l"])
def test_nothing_is_cut_off_or_overlapped(page: Page, server: FakeServer, size: str) -> None:
    open_table(page, server, f"&size={size}")
    for state in each_state(page, server):
        assert cut_off(page) == [], state


@pytest.mark.parametrize("size", ["s", "m", "l"])
def test_spots_on_the_felt_do_not_touch_each_other_or_the_words(
    page: Page, server: FakeServer, size: str
) -> None:
    # Every seat posts, which no plan does: the worst case of all at once.
    view = fixture("normal")
    view["plan"]["posts"] = [{"seat": seat, "kind": "big", "live": 100} for seat in range(1, 11)]
    view["plan"]["button"] = 0
    server.view = view
    open_table(page, server, f"&size={size}")
    # Its line of words would name ten big blinds.
    page.eval_on_selector("#plan", "node => { node.textContent = 'Button 3 · Small 5 · Big 6'; }")
    touching = page.evaluate("""() => {
        const boxes = [...document.querySelectorAll('.spot, .felt > p, .felt > why-line')]
            .filter(n => n.checkVisibility() && n.textContent)
            .map(n => {
                const range = document.createRange();
                range.selectNodeContents(n);
                const box = range.getBoundingClientRect();
                return [n.closest('seat-tile')?.dataset.seat ?? n.id, box];
            });
        const found = [];
        boxes.forEach(([a, x], i) => boxes.slice(i + 1).forEach(([b, y]) => {
            if (x.left < y.right && y.left < x.right && x.top < y.bottom && y.top < x.bottom)
                found.push([a, b]);
        }));
        return found;
    }""")
    assert touching == []


# ── bad input, and what to do ────────────────────────────────────────────────────────────────


def test_a_name_with_markup_shows_as_text(page: Page, server: FakeServer) -> None:
    view = fixture("normal")
    view["seats"]["1"]["name"] = "<img src=x onerror=alert(1)>"
    view["seats"]["2"]["name"] = "W" * 200
    view["name"] = "<b>7</b>"
    server.view = view
    open_table(page, server)
    expect(page.locator("[data-seat='1'] .aloud")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("seat-tile img, main b").count() == 0
    long_name = page.locator("[data-seat='2'] .name").inner_text()
    assert re.fullmatch(r"W+\.", long_name)


def test_a_long_name_ends_at_a_word(page: Page, server: FakeServer) -> None:
    view = fixture("normal")
    view["seats"]["2"]["name"] = "Anna Katharina von Hohenlohe"
    server.view = view
    open_table(page, server)
    assert page.locator("[data-seat='2'] .name").inner_text() in ("Anna H.", "Anna")


def test_a_closed_table_says_what_to_do(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    server.commit({**server.view, "phase": "closed"})
    expect(page.locator("#notice-say")).to_have_text("This table is closed.")
    expect(page.locator("#notice-next")).to_contain_text("Ask the floor")


def test_a_revoked_screen_says_so_within_a_second(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    server.cut(4003)
    expect(page.locator("#notice-say")).to_have_text("This screen is not paired.")
    expect(page.locator("freshness-bar")).to_have_text("This screen is not paired.")
    assert axe(page) == []


def test_an_address_without_a_table_says_what_is_missing(page: Page, server: FakeServer) -> None:
    page.goto(server.address("/table/#token=secret-token"))
    expect(page.locator("#notice-say")).to_contain_text("Which table?")


def test_a_table_that_may_not_be_watched_says_so(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    error = {"code": "forbidden", "message": "This token is for table 3.", "retry": False}
    server.say({"type": "error", "table": "t7", **error})
    expect(page.locator("#notice-say")).to_contain_text("This token is for table 3.")


def test_a_reload_after_a_power_cut_is_live_without_typing(page: Page, server: FakeServer) -> None:
    open_table(page, server)
    assert "secret-token" not in page.url
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    tokens = [message["token"] for message in server.received if message["type"] == "hello"]
    assert tokens == ["secret-token", "secret-token"]


def test_the_picture_moves_two_pixels_every_ten_minutes(page: Page, server: FakeServer) -> None:
    page.clock.install()
    open_table(page, server)

    def shift() -> str:
        found: str = page.evaluate("getComputedStyle(document.body).translate")
        return found

    seen = [shift()]
    for _ in range(4):
        page.clock.fast_forward(600_000)
        seen.append(shift())
    assert seen == ["0px", "2px", "2px 2px", "0px 2px", "0px"]


def test_a_narrow_window_shows_every_seat(page: Page, server: FakeServer) -> None:
    server.view = fixture("ten")
    open_table(page, server)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for seat in range(1, 11):
        expect(page.locator(f"seat-tile[data-seat='{seat}'] .number")).to_be_visible()
    covered = page.evaluate("""() => [...document.querySelectorAll('seat-tile')].filter(tile => {
        const disc = tile.querySelector('felt-disc')?.getBoundingClientRect();
        return disc && disc.left < tile.querySelector('.name').getBoundingClientRect().right;
    }).map(tile => tile.dataset.seat)""")
    assert covered == []
    server.cut(4003)
    bar = page.locator("freshness-bar")
    expect(bar).to_have_text("This screen is not paired.")
    assert bar.evaluate(
        "n => [n.scrollHeight - n.clientHeight, n.scrollWidth - n.clientWidth]"
    ) == [
        0,
        0,
    ]


def test_names_off_shows_seats_only(page: Page, server: FakeServer) -> None:
    open_table(page, server, "&names=off")
    expect(page.locator("seat-tile .name").first).to_be_hidden()
    assert "Ann" not in page.locator("seat-ring").inner_text()


def test_a_turned_ring_starts_at_another_seat(page: Page, server: FakeServer) -> None:
    open_table(page, server, "&rotate=5")
    box_1 = page.locator("seat-tile[data-seat='1']").bounding_box()
    box_6 = page.locator("seat-tile[data-seat='6']").bounding_box()
    assert box_1 is not None
    assert box_6 is not None
    assert box_6["x"] < 100
    assert box_6["y"] > 600
    assert box_1["y"] < 100
