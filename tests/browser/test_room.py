"""The room's screen at a real server, as a floor person uses it: clicks that are counted."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.room_server import RoomServer
from tests.browser.screens import HANG_MS, WALL, until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real, pytest.mark.timeout(300)]

NUMBERS = itertools.count(1)
AN_HOUR_OLD = "const now = performance.now.bind(performance); performance.now = () => now() + 36e5;"
PLAYERS = {1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 5: "Eve", 6: "Fay", 8: "Hal"}


@pytest.fixture
def hall() -> str:
    """A room of this test's own."""
    return f"hall{next(NUMBERS)}"


def open_room(page: Page, room: RoomServer, hall: str) -> None:
    page.set_viewport_size(WALL)
    token = room.token("floor", "--room", hall)
    page.goto(room.address(f"/room/?room={hall}#token={token}"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)


def card(page: Page, table: str) -> Any:
    return page.locator(f"table-card[data-key='{table}'] button")


@pytest.fixture
def other_page(browser: Browser) -> Iterator[Page]:
    """Another screen of the room."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


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


# ── check 23: which table needs somebody, which screen is dead ───────────────────────────────


def test_a_terminal_that_falls_silent_or_goes_is_listed(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    mute = MutableSocket(other_page)
    token = room.token("dealer", "--room", hall)
    other_page.goto(room.address(f"/dealer/?table={table}#token={token}"))
    terminal = other_page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
    open_room(page, room, hall)
    expect(page.locator("#screens-button")).to_contain_text("2 live")
    needs = page.locator("needs-list > *")
    expect(needs).to_have_count(0)
    other_page.locator(".primary").click()
    expect(card(page, table)).to_contain_text("h2", timeout=HANG_MS)
    mute.is_mute = True
    expect(needs).to_contain_text("dealer terminal silent")
    expect(page.locator("table-card[data-silent]")).to_have_count(1)
    mute.is_mute = False
    expect(needs).to_have_count(0, timeout=HANG_MS)
    other_page.close()
    expect(needs).to_contain_text("dealer terminal silent")
    page.locator("#screens-button").click()
    row = page.locator("screens-list tbody[data-silent]")
    expect(row).to_contain_text(f"Dealer · T{room.view(table)['name']}")
    expect(row.locator(".heard")).to_contain_text("Gone")
    row.locator(".name").click()
    row.locator(".forget").click()
    expect(row).to_have_count(0)
    expect(needs).to_have_count(0)


# ── clicks that are counted ──────────────────────────────────────────────────────────────────


def test_the_next_on_the_list_is_seated_with_two_clicks(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    room.command(table, "join_list", player="gus")
    open_room(page, room, hall)
    expect(page.locator("waiting-list .age")).to_have_text(re.compile("just now|1 min"))
    page.locator("waiting-list button", has_text="gus").click()
    page.locator("waiting-list .places button", has_text="seat 7").click()
    until(lambda: room.view(table)["seats"].get("7", {}).get("player") == "gus")
    expect(page.locator("#waiting-none")).to_be_visible()


def test_the_floor_hears_what_putting_the_button_right_changes_before_it_does(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    card(page, table).click()
    button_is, panel = page.locator(".bar .button-is"), page.locator(".panel")
    button_is.click()
    page.locator("seat-tile[data-seat='5'] .tap").click()
    expect(panel.locator(".heading")).to_have_text(
        "Button moves from 2 to 5; Small moves from 3 to 6; Big moves from 4 to 8; nobody owes."
    )
    assert "corrected" not in room.view(table)
    panel.locator("button", has_text="Back").click()
    assert "corrected" not in room.view(table)
    button_is.click()
    page.locator("seat-tile[data-seat='5'] .tap").click()
    panel.locator("button", has_text="Put the button at 5").click()
    until(lambda: room.view(table).get("corrected"))
    assert room.view(table)["plan"]["button"] == 5
    expect(page.locator("plan-board")).to_contain_text("Corrected:")
    room.command(table, "deal")
    expect(page.locator("dealer-terminal")).to_have_attribute("data-phase", "in_hand")
    button_is.click()
    page.locator("seat-tile[data-seat='4'] .tap").click()
    panel.locator("button", has_text="Two or more").click()
    expect(panel.locator(".heading")).to_contain_text("the hand stands; the next goes on from")


def test_the_floor_undoes_past_the_end_of_a_hand_and_the_log_goes_on(
    page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    card(page, table).click()
    newest = page.locator("table-log li").first
    expect(newest).to_contain_text("Hand over")
    page.locator(".bar .undo").click()
    until(lambda: room.view(table)["phase"] == "in_hand")
    expect(newest).to_contain_text("Taken back: hand over")
    expect(newest.locator(".who")).to_contain_text("Floor")
    expect(newest.locator(".time")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    room.command(table, "sit_out", seat=4)
    expect(newest).to_contain_text("Seat 4 away")
    page.locator("seat-tile[data-seat='4'] .tap").click()
    expect(page.locator("table-log h2")).to_contain_text("seat 4, Dan: what happened")
    expect(newest).to_contain_text("Seat 4 away")


# ── the screens ──────────────────────────────────────────────────────────────────────────────


def pair(page: Page, other_page: Page, role: str, table: str) -> Any:
    """Pair the other page, which shows its code; → its rows in the floor's list of screens."""
    note = other_page.get_by_text("Tell the floor this code:")
    expect(note).to_be_visible(timeout=HANG_MS)
    code = note.inner_text().split("code:")[1].strip()
    expect(page.locator("#screens-button")).to_contain_text("to pair", timeout=HANG_MS)
    page.locator("#screens-button").click()
    form = page.locator("screens-list form", has_text=code)
    offered = "display" if "/table/" in other_page.url else "dealer"
    expect(form.locator("select[name=role]")).to_have_value(offered)
    form.locator("select[name=role]").select_option(role)
    form.locator("select[name=table]").select_option(table)
    form.locator("button").click()
    return page.locator("screens-list tbody", has_text=f"{role.capitalize()} · T")


def do(rows: Any, what: str) -> Any:
    """Open a screen's rows where they are not, and tap what may be done."""
    if rows.locator(".name").get_attribute("aria-expanded") == "false":
        rows.locator(".name").click()
    rows.get_by_role("button", name=re.compile(f"^{what}")).click()


def set_up(rows: Any, **chosen: str) -> None:
    """Set a display up so from the floor's list; "": as its address says."""
    do(rows, "Set up")
    for name, value in chosen.items():
        rows.locator(f"select[name={name}]").select_option(value)
    rows.locator(".setting button").click()


def test_a_screen_is_paired_by_its_code_named_and_sent_away(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    other_page.goto(room.address("/dealer/"))
    rows = pair(page, other_page, "dealer", table)
    terminal = other_page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
    # Switched off, and on again where it was first started: no code, no typing.
    other_page.goto("about:blank")
    other_page.goto(room.address("/dealer/"))
    expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
    expect(other_page.locator(".primary")).to_contain_text("Deal hand 2")
    do(rows, "Name")
    expect(rows.locator(".naming input")).to_be_focused()
    page.keyboard.type("By the window")
    page.keyboard.press("Enter")
    expect(rows.locator(".name")).to_have_text("By the window", timeout=HANG_MS)
    do(rows, "Send away")
    do(rows, "Keep")
    expect(terminal).to_have_attribute("data-freshness", "fresh")
    do(rows, "Send away")
    do(rows, "Send it away")
    expect(other_page.locator(".note")).to_contain_text("This screen is not paired.")
    page.locator("#drawer-close").click()
    other_page.goto(room.address("/table/"))
    pair(page, other_page, "display", table)
    expect(other_page.locator("body[data-freshness=fresh]")).to_be_visible(timeout=HANG_MS)
    expect(other_page.locator("seat-tile")).to_have_count(9)


def test_a_display_is_set_up_from_the_floor_and_stays_so_when_it_is_switched_on_again(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    other = room.seated(seats=6, room=hall)
    open_room(page, room, hall)
    other_page.set_viewport_size(WALL)
    token = room.token("display", "--room", hall)
    other_page.goto(room.address(f"/table/?theme=light#token={token}"))
    expect(other_page.locator("#notice-say")).to_contain_text("Which table?", timeout=HANG_MS)
    page.locator("#screens-button").click()
    rows = page.locator("screens-list tbody", has_text="Display")
    set_up(rows, table=table, size="l", rotate="4", names="off")
    looks = other_page.locator("html")
    expect(other_page.locator("body[data-freshness=fresh]")).to_be_visible(timeout=HANG_MS)
    expect(other_page.locator("seat-tile")).to_have_count(9)
    expect(looks).to_have_attribute("data-size", "l")
    expect(looks).to_have_attribute("data-theme", "light")
    expect(other_page.locator("seat-tile .name").first).to_be_hidden()
    # Switched off, and on again: set up as it was.
    again = other_page.context.new_page()
    other_page.close()
    again.set_viewport_size(WALL)
    again.goto(room.address("/table/?theme=light"))
    expect(again.locator("body[data-freshness=fresh]")).to_be_visible(timeout=HANG_MS)
    expect(again.locator("html")).to_have_attribute("data-size", "l")
    expect(again.locator("seat-tile .name").first).to_be_hidden()
    # What the form says is what holds; all of it is taken back, but the table, which is another.
    expect(rows.locator(".heard")).not_to_contain_text("Gone")
    do(rows, "Set up")
    chosen = {
        name: rows.locator(f"select[name={name}]").input_value()
        for name in ("table", "size", "theme", "rotate", "names", "chime")
    }
    assert chosen == {
        "table": table,
        "size": "l",
        "theme": "",
        "rotate": "4",
        "names": "off",
        "chime": "",
    }
    page.keyboard.press("Escape")
    set_up(rows, table=other, size="", rotate="", names="")
    expect(again.locator("seat-tile")).to_have_count(6)
    expect(again.locator("html")).to_have_attribute("data-size", "m")
    expect(again.locator("seat-tile .name").first).to_be_visible()
    expect(again.locator("body[data-freshness=fresh]")).to_be_visible()
    expect(rows).to_contain_text(f"Display · T{room.view(other)['name']}")
    expect(page.locator("screens-list tbody")).to_have_count(2)


def test_one_screen_is_reloaded_from_the_floor_once_and_one_that_is_gone_is_not(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    table = room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    # A page that was loaded just now is not loaded again.
    other_page.add_init_script(AN_HOUR_OLD)
    loads: list[str] = []
    other_page.on("load", lambda: loads.append(other_page.url))
    token = room.token("display", "--room", hall)
    other_page.goto(room.address(f"/table/?table={table}#token={token}"))
    live = other_page.locator("body[data-freshness=fresh]")
    expect(live).to_be_visible(timeout=HANG_MS)
    page.locator("#screens-button").click()
    rows = page.locator("screens-list tbody", has_text="Display · T")
    with other_page.expect_event("load", timeout=HANG_MS):
        do(rows, "Reload")
    expect(page.locator("#counts")).to_contain_text("loads its page anew")
    expect(live).to_be_visible(timeout=HANG_MS)
    room.hand(table)
    expect(other_page.locator("#hand")).to_contain_text("hand 3")
    assert len(loads) == 2
    # What did not work is said where it is seen.
    page.route("**/reload", lambda route: route.abort())
    do(rows, "Reload")
    expect(page.locator("#counts")).to_contain_text("It did not work: nothing was changed.")
    answer = page.request.post(
        room.address("/v1/tokens/nobodys/reload"),
        headers={"Authorization": f"Bearer {room.token('floor', '--room', hall)}"},
    )
    assert answer.status == 409
    assert answer.json()["code"] == "not_connected"


def test_the_floor_is_asked_before_it_sends_its_own_screen_away_and_the_only_one_stays(
    page: Page, other_page: Page, room: RoomServer, hall: str
) -> None:
    room.seated(PLAYERS, seats=9, room=hall)
    open_room(page, room, hall)
    page.locator("#screens-button").click()
    own = page.locator("screens-list tbody", has_text="(this screen)")
    do(own, "Send away")
    expect(own.locator(".sure")).to_contain_text("This is the only floor screen")
    expect(own.get_by_role("button", name=re.compile("^Send it away"))).to_be_hidden()
    expect(own.locator(".keep")).to_be_focused()
    page.keyboard.press("Enter")
    other = room.token("floor", "--room", hall, "--name", "Desk")
    other_page.goto(room.address(f"/room/?room={hall}#token={other}"))
    expect(page.locator("screens-list .name", has_text="Desk")).to_be_visible(timeout=HANG_MS)
    do(own, "Send away")
    expect(own.locator(".sure")).to_contain_text("You are at this very screen")
    do(own, "Send it away")
    expect(page.locator("#note-say")).to_have_text("This screen is not paired.")
    expect(page.locator("#note-next")).to_contain_text("Tell the floor this code:")


def test_a_room_that_the_token_is_not_for_says_so(page: Page, room: RoomServer) -> None:
    token = room.token("floor", "--room", "main")
    page.goto(room.address(f"/room/?room=elsewhere#token={token}"))
    expect(page.locator("#note")).to_contain_text("may not show room elsewhere")
