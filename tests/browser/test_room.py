"""Check 23 and its neighbours: the room's screen at a real server, as a floor person uses it."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.desk import Desk, boxes
from tests.browser.room_server import RoomServer
from tests.browser.screens import WALL, axe, until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real, pytest.mark.timeout(300)]

NUMBERS = itertools.count(1)
SIX_MINUTES_MS = 6 * 60_000
PLAYERS = {1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 5: "Eve", 6: "Fay", 8: "Hal"}


@pytest.fixture
def hall() -> str:
    """A room of this test's own."""
    return f"hall{next(NUMBERS)}"


def open_room(page: Page, room: RoomServer, hall: str) -> None:
    page.set_viewport_size(WALL)
    token = room.token("floor", "--room", hall)
    page.goto(room.address(f"/room/?room={hall}#token={token}"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")


def card(page: Page, table: str) -> Any:
    return page.locator(f"table-card[data-key='{table}'] button")


@pytest.fixture
def other_page(browser: Browser) -> Iterator[Page]:
    """Another screen of the room."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_forty_tables_stand_on_one_screen_and_never_move(
    page: Page, room: RoomServer, hall: str
) -> None:
    tables = [room.open_table(seats=9, room=hall) for _ in range(40)]
    for table in tables[::13]:
        for seat, name in PLAYERS.items():
            room.command(table, "take_seat", seat=seat, player=name, name=name)
        room.command(table, "start_game", button=1)
        room.hand(table)
    open_room(page, room, hall)
    expect(page.locator("table-card")).to_have_count(40)
    cards = boxes(page, "table-card button")
    assert len(cards) == 40
    for place in cards:
        assert place["x"] >= 0
        assert place["y"] >= 0
        assert place["x"] + place["width"] <= WALL["width"]
        assert place["y"] + place["height"] <= WALL["height"]
    assert scrolls(page) == [[0, 0], [0, 0]]
    before = places_of_cards(page)
    room.hand(tables[13])
    room.command(tables[26], "take_seat", seat=9, player="new", name="New")
    room.command(tables[1], "close_table")
    expect(page.locator("needs-list")).to_contain_text("seat 9: post or wait?")
    expect(card(page, tables[1])).to_contain_text("Closed")
    assert places_of_cards(page) == before
    sizes_are_for_three_metres(page)


def places_of_cards(page: Page) -> dict[str, list[float]]:
    """Where each table's card stands, for those that are to be seen."""
    found: dict[str, list[float]] = page.eval_on_selector_all(
        "table-card",
        """nodes => Object.fromEntries(nodes.filter(n => n.firstChild.checkVisibility()).map(n => {
            const {x, y} = n.getBoundingClientRect();
            return [n.dataset.key, [x, y]];
        }))""",
    )
    return found


def scrolls(page: Page) -> list[list[int]]:
    found: list[list[int]] = page.evaluate(
        """() => [document.documentElement, document.body]
            .map(n => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight])"""
    )
    return found


def sizes_are_for_three_metres(page: Page) -> None:
    sizes = page.eval_on_selector_all(
        "[data-role]",
        """nodes => nodes.filter(n => n.checkVisibility() && n.textContent.trim())
            .map(n => [n.dataset.role, parseFloat(getComputedStyle(n).fontSize)])""",
    )
    least = {"glance": 40, "second": 30, "waiting": 64}
    assert all(px >= least[role] for role, px in sizes), sizes


def test_a_missed_blind_is_counted_on_its_card_in_type_for_three_metres(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    room.command(table, "sit_out", seat=4)
    while not room.view(table)["seats"]["4"].get("owes"):
        room.hand(table)
    open_room(page, room, hall)
    owing = page.locator("table-card .owing")
    expect(owing).to_have_text("⬢1")
    assert owing.evaluate("n => parseFloat(getComputedStyle(n).fontSize)") * 0.72 >= 28
    expect(card(page, table)).to_have_accessible_name(re.compile("1 player owes"))


def test_a_terminal_that_falls_silent_is_listed_within_six_seconds(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    mute = MutableSocket(other_page)
    token = room.token("dealer", "--room", hall)
    other_page.goto(room.address(f"/dealer/?table={table}#token={token}"))
    expect(other_page.locator("dealer-terminal")).to_have_attribute("data-freshness", "fresh")
    open_room(page, room, hall)
    expect(page.locator("#screens-button")).to_contain_text("2 live")
    expect(page.locator("needs-list > *")).to_have_count(0)
    mute.is_mute = True
    # Its last word may have been said just before: six seconds from then, and the second of a tick.
    expect(page.locator("needs-list")).to_contain_text("dealer terminal silent")
    expect(page.locator("table-card[data-silent]")).to_have_count(1)
    mute.is_mute = False
    expect(page.locator("needs-list > *")).to_have_count(0)


def test_a_terminal_that_is_gone_is_listed_and_still_known(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    token = room.token("dealer", "--room", hall)
    other_page.goto(room.address(f"/dealer/?table={table}#token={token}"))
    expect(other_page.locator("dealer-terminal")).to_have_attribute("data-freshness", "fresh")
    open_room(page, room, hall)
    expect(page.locator("#screens-button")).to_contain_text("2 live")
    other_page.close()
    needs = page.locator("needs-list")
    expect(needs).to_contain_text("dealer terminal silent")
    page.locator("#screens-button").click()
    row = page.locator("screens-list tr[data-silent]")
    expect(row).to_contain_text("dealer-terminal")
    expect(row).to_contain_text(f"Dealer · {table}")


class MutableSocket:
    """A page's websocket, of which the test may swallow what the page says."""

    def __init__(self, page: Page) -> None:
        self.is_mute = False
        page.route_web_socket(re.compile("/v1/ws"), self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if not self.is_mute:
                server.send(message)

        socket.on_message(pass_on)


def test_six_minutes_without_a_hand_call_the_floor(page: Page, room: RoomServer, hall: str) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(frozen(message)))

    page.route_web_socket(re.compile("/v1/ws"), route)
    open_room(page, room, hall)
    expect(page.locator("needs-list")).to_contain_text("no hand, 7 in rotation")
    expect(page.locator("needs-list .age")).to_have_text(re.compile(r"^7:\d\d$"))
    page.locator("needs-list button").click()
    expect(page.locator("#drawer-title")).to_have_text(f"Table {room.view(table)['name']}")


def frozen(message: str | bytes) -> str | bytes:
    """The room's picture, as if its tables had dealt nothing for seven minutes."""
    told = json.loads(message)
    if told["type"] != "room":
        return message
    for table in told["tables"]:
        table["dealt_ms"] = told["now_ms"] - SIX_MINUTES_MS - 60_000
    return json.dumps(told)


def test_needs_are_sorted_by_age_and_gone_through_by_keys(
    page: Page, room: RoomServer, hall: str
) -> None:
    tables = [room.seated(PLAYERS, seats=9, room=hall) for _ in range(2)]
    open_room(page, room, hall)
    for table in reversed(tables):
        room.command(table, "take_seat", seat=9, player="new", name="New")
        expect(card(page, table)).to_have_accessible_name(re.compile("post or wait"))
    names = [room.view(table)["name"] for table in reversed(tables)]
    expect(page.locator("needs-list .table")).to_have_text([f"T{name}" for name in names])
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("needs-list [data-current] .table")).to_have_text(f"T{names[0]}")
    page.keyboard.press("Enter")
    expect(page.locator("#drawer-title")).to_have_text(f"Table {names[0]}")
    expect(page.locator("seat-tile[data-seat='9']")).to_have_attribute("data-selected", "")
    expect(page.locator(".panel choice-grid")).to_contain_text("Post 10")


def test_g_and_a_number_go_to_a_table_and_slash_finds_one(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    name = room.view(table)["name"]
    open_room(page, room, hall)
    page.keyboard.press("g")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator("#drawer-title")).to_have_text(f"Table {name}")
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type(name)
    expect(page.locator("table-card[data-found]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#drawer-title")).to_have_text(f"Table {name}")


def test_the_next_on_the_list_is_seated_with_two_clicks(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    room.command(table, "join_list", player="gus")
    open_room(page, room, hall)
    page.locator("waiting-list button", has_text="gus").click()
    page.locator("waiting-list .places button", has_text="seat 7").click()
    until(lambda: room.view(table)["seats"].get("7", {}).get("player") == "gus")
    expect(page.locator("#waiting-none")).to_be_visible()


def test_the_floor_puts_the_button_right_with_three_clicks(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    card(page, table).click()
    page.locator(".bar .button-is").click()
    page.locator("seat-tile[data-seat='5'] .tap").click()
    until(lambda: room.view(table).get("corrected"))
    expect(page.locator("plan-board")).to_contain_text("Corrected:")


def test_who_owes_is_answered_with_two_clicks_and_can_be_printed(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    room.command(table, "sit_out", seat=4)
    while not room.view(table)["seats"]["4"].get("owes"):
        room.hand(table)
    open_room(page, room, hall)
    card(page, table).click()
    page.locator("seat-tile[data-seat='4'] .tap").click()
    log = page.locator("table-log")
    expect(log.locator("h2")).to_contain_text("seat 4, Dan: what happened")
    missed = log.locator("li", has_text="Dan missed the big blind").first
    expect(missed).to_contain_text("[missed-blinds]")
    expect(missed.locator(".time")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(missed.locator(".who")).to_contain_text("Floor")
    expect(missed.locator(".offset")).to_have_text(re.compile(r"^#\d+$"))
    expect(log.locator("li", has_text="Seat 4 away")).to_have_count(1)
    assert 1 <= log.locator("li").count() <= 20
    page.emulate_media(media="print")
    expect(log).to_be_visible()
    for hidden in ("body > .head", ".side", ".tables", "#place"):
        expect(page.locator(hidden)).to_be_hidden()


def test_the_log_goes_on_while_the_table_is_open(page: Page, room: RoomServer, hall: str) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    card(page, table).click()
    page.locator(".bar .primary").click()
    expect(page.locator("table-log li").first).to_contain_text("Deal hand 2")
    expect(page.locator("table-log li").first.locator(".who")).to_contain_text("Floor")


def test_the_floor_may_undo_past_the_end_of_a_hand(page: Page, room: RoomServer, hall: str) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    card(page, table).click()
    page.locator(".bar .undo").click()
    until(lambda: room.view(table)["phase"] == "in_hand")


def test_a_stale_room_is_one_alarm_and_every_card_is_hatched(
    page: Page, room: RoomServer, hall: str
) -> None:
    for _ in range(3):
        room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    page.context.set_offline(True)
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale")
    expect(page.locator("freshness-bar").first).to_contain_text("Not live")
    expect(page.locator("needs-list > *")).to_have_count(0)
    hatched = page.eval_on_selector_all(
        "table-card button",
        "ns => ns.map(n => getComputedStyle(n).backgroundImage.includes('repeating'))",
    )
    assert hatched == [True, True, True]
    page.context.set_offline(False)
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")


def test_a_screen_is_paired_by_its_code(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    other_page.goto(room.address("/dealer/"))
    note = other_page.locator(".note")
    expect(note).to_contain_text("Tell the floor this code:")
    code = note.inner_text().split("code:")[1].strip()
    expect(page.locator("#screens-button")).to_contain_text("to pair")
    page.locator("#screens-button").click()
    form = page.locator("screens-list form", has_text=code)
    form.locator("select[name=role]").select_option("dealer")
    form.locator("select[name=table]").select_option(table)
    form.locator("button").click()
    terminal = other_page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-freshness", "fresh")
    expect(other_page.locator(".primary")).to_contain_text("Deal hand 2")


def test_a_room_that_the_token_is_not_for_says_so(page: Page, room: RoomServer) -> None:
    token = room.token("floor", "--room", "main")
    page.goto(room.address(f"/room/?room=elsewhere#token={token}"))
    expect(page.locator("#note")).to_contain_text("may not show room elsewhere")


def test_axe_finds_nothing_in_any_state_of_the_room(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated({**PLAYERS, 2: "<img onerror=alert(1)>"}, seats=9, room=hall)
    room.command(table, "take_seat", seat=9, player="new", name="New")
    room.command(table, "join_list", player="<b>gus</b>")
    open_room(page, room, hall)
    expect(page.locator("needs-list > *")).to_have_count(1)
    found = axe(page)
    page.locator("waiting-list button").first.click()
    expect(page.locator("waiting-list .places button").first).to_be_visible()
    found += axe(page)
    card(page, table).click()
    expect(page.locator("table-log li").first).to_be_visible()
    # Axe cannot judge a line that the log's edge cuts: a taller window shows every one.
    page.set_viewport_size({"width": 1920, "height": 4800})
    found += axe(page)
    page.set_viewport_size(WALL)
    page.locator("#screens-button").click()
    found += axe(page)
    page.context.set_offline(True)
    expect(page.locator("body")).to_have_attribute("data-freshness", "stale")
    found += axe(page)
    assert found == []
    assert page.locator("img, b").count() == 0


def test_a_dealers_act_is_on_the_floors_card_within_seconds(
    page: Page, other_page: Page, room: RoomServer
) -> None:
    table = room.seated()
    open_room(page, room, "main")
    desk = Desk(other_page, room, table)
    desk.sent_by(lambda: desk.tap(desk.primary))
    expect(card(page, table)).to_contain_text("h2")
