"""The displays against the real server: `livebutton serve`, a raw websocket, a real Chromium."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.processes import Talk
from tests.browser.room_server import ROOM, RefusedByServer, RoomServer, View
from tests.browser.screens import PANEL, axe, discs, until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real]

SCENARIOS = Path(__file__).parents[1] / "scenarios"
# One for each of the main situations; all of them run at the engine.
SHOWN = [
    "dead-button",
    "heads-up",
    "leaving-on-button",
    "leaving-on-small-blind",
    "missed-big-blind",
    "new-player-between-the-blinds",
    "normal-orbit",
    "seat-change-away-from-the-blinds",
    "short-handed-new-player",
    "straddle-to-the-cap",
]


@pytest.fixture
def own_room(tmp_path: Path) -> Iterator[RoomServer]:
    """A real server of this test's own, which it may stop and kill."""
    room = RoomServer(tmp_path)
    room.start()
    yield room
    room.close()


def open_display(page: Page, room: RoomServer, table: str) -> None:
    token = room.token("display", "--room", ROOM)
    page.goto(room.address(f"/table/?table={table}#token={token}"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")


def open_own_seat(page: Page, room: RoomServer, table: str, seat: int) -> None:
    page.set_viewport_size(PANEL)
    options = ("--room", ROOM, "--table", table, "--seat", str(seat))
    token = room.token("player", *options)
    page.goto(room.address(f"/seat/?table={table}&seat={seat}#token={token}"))
    expect(page.locator("seat-panel")).to_have_attribute("data-freshness", "fresh")


@pytest.fixture
def raw_socket(room: RoomServer) -> Iterator[Talk]:
    """A websocket without any client of ours, with the floor's rights."""
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    with connect(
        f"ws://127.0.0.1:{room.port}/v1/ws",
        subprotocols=[Subprotocol("livebutton.v1.json")],
        compression=None,
        proxy=None,
    ) as connection:
        talk = Talk(connection)
        talk.say(type="hello", token=room.token("floor", "--room", ROOM), client="raw/1")
        talk.hear("welcome")
        yield talk


def test_a_raw_websockets_command_reaches_the_screen_as_a_delta(
    page: Page, room: RoomServer, raw_socket: Talk
) -> None:
    table = room.seated(seats=6)
    open_display(page, room, table)
    before = discs(page)
    snapshots: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: snapshots.append(str(frame))),
    )
    assert raw_socket.command(table, "raw-1", type="deal")["type"] == "accepted"
    expect(page.locator("#hand")).to_have_text("Hand 2")
    assert discs(page) == before == {"button": [2], "small": [3], "big": [4]}
    assert raw_socket.command(table, "raw-2", type="end_hand")["type"] == "accepted"
    expect(page.locator("#plan")).to_have_text("Button 3 · Small 4 · Big 5")
    assert raw_socket.command(table, "raw-3", type="sit_out", seat=5)["type"] == "accepted"
    expect(page.locator("seat-tile[data-seat='5'] .status")).to_have_text("Away")
    assert snapshots == []  # No new socket, so no new snapshot: these were deltas.


def shown(page: Page) -> dict[str, Any]:
    """What the display says of the hand, in the plan's own words."""
    lying = discs(page)
    out = page.eval_on_selector_all(
        "seat-tile[data-state=taken][data-out]", "nodes => nodes.map(n => Number(n.dataset.seat))"
    )
    return {
        "button": lying.get("button", []),
        "small": sorted(lying.get("small", [])),
        "big": sorted(lying.get("big", [])),
        "dead": sorted(lying.get("small dead", []) + lying.get("big dead", [])),
        "out": sorted(out),
    }


def planned(view: View) -> dict[str, Any]:
    plan = view["plan"]

    def seats(kind: str) -> list[int]:
        return sorted(post["seat"] for post in plan.get("posts", []) if post["kind"] == kind)

    return {
        "button": [plan["button"]],
        "small": seats("small"),
        "big": seats("big"),
        "dead": sorted(dead["seat"] for dead in plan.get("dead_blinds", [])),
        "out": sorted(out["seat"] for out in plan.get("not_dealt", [])),
    }


class Screen:
    """One scenario, played at a live table and read off its display."""

    def __init__(self, page: Page, room: RoomServer, scenario: dict[str, Any]) -> None:
        self.page, self.room = page, room
        more = {key: scenario[key] for key in ("house", "game", "stakes") if key in scenario}
        self.table = room.open_table(seats=scenario["seats"], rules=scenario["rules"], **more)
        for seat, name in scenario["players"].items():
            room.command(self.table, "take_seat", seat=int(seat), player=name.lower(), name=name)
        room.command(self.table, "start_game", button=scenario["button"])
        open_display(page, room, self.table)

    def play(self, step: dict[str, Any]) -> None:
        """One step of the scenario; whatever it checks is looked up on the screen."""
        if "do" in step:
            self.do(step["do"])
        elif "refuse" in step:
            with pytest.raises(RefusedByServer):
                self.do(step["refuse"])
        elif "hand" in step or "deal" in step:
            if self.room.view(self.table)["phase"] == "between_hands":
                self.room.command(self.table, "shuffle")
            self.room.command(self.table, "deal")
            self.look(step["hand"] if "hand" in step else step["deal"])
            if "hand" in step:
                self.room.command(self.table, "end_hand")
        elif "plan" in step:
            self.look(step["plan"])

    def do(self, command: dict[str, Any]) -> None:
        fields = {key: value for key, value in command.items() if key != "type"}
        self.room.command(self.table, command["type"], **fields)

    def look(self, check: dict[str, Any]) -> None:
        view = self.room.view(self.table)
        offset = str(self.room.offset(self.table))
        expect(self.page.locator("#felt")).to_have_attribute("data-offset", offset)
        if "none" in view["plan"]:
            expect(self.page.locator("#hand")).to_have_text(view["plan"]["none"]["text"])
            return
        on_screen = shown(self.page)
        assert on_screen == planned(view)
        for key in ("small", "big", "out", "dead"):
            if key in check:
                assert on_screen[key] == sorted(check[key]), (check, on_screen)
        if "button" in check:
            assert on_screen["button"] == [check["button"]]
        self.look_at_the_reason(view)

    def look_at_the_reason(self, view: View) -> None:
        """The why-line is one of the plan's rulings, whole: its sentence, rule and seats."""
        line = self.page.locator("why-line")
        told = [
            [line.locator("span").nth(1).inner_text(), line.get_attribute("data-seats")],
            line.locator(".rule").inner_text().strip("[]"),
        ]
        rulings = view["plan"]["rulings"]
        known = [[[r["text"], " ".join(map(str, r.get("seats", [])))], r["rule"]] for r in rulings]
        assert told in known, (told, known)


@pytest.mark.parametrize("name", SHOWN)
def test_a_scenario_is_seen_as_its_plan_says(page: Page, room: RoomServer, name: str) -> None:
    scenario = tomllib.loads((SCENARIOS / f"{name}.toml").read_text())
    screen = Screen(page, room, scenario)
    for step in scenario["steps"]:
        screen.play(step)


def test_a_player_answers_his_question_and_sees_what_became_of_it(
    page: Page, room: RoomServer
) -> None:
    table = room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 5: "Eve", 6: "Fay"}, seats=9)
    room.command(table, "take_seat", seat=7, player="hal", name="Hal")
    open_own_seat(page, room, table, 7)
    offered = next(q for q in room.view(table)["plan"]["questions"] if q["seat"] == 7)["choices"]
    expect(page.locator("button.choice")).to_have_count(len(offered))
    for index, offer in enumerate(offered):
        text = page.locator("button.choice").nth(index).inner_text()
        wait = f"in {offer['hands']} hand" if offer["hands"] else "next hand"
        assert wait in text, offer
        assert f"{offer['live']} plays" in text, offer
    assert axe(page) == []
    page.locator("button[data-key=wait_big_blind]").click()
    expect(page.locator("button.choice")).to_have_count(0)
    assert room.view(table)["seats"]["7"]["choice"] == "wait_big_blind"


def test_away_and_back_are_one_tap_each(page: Page, room: RoomServer) -> None:
    table = room.seated(seats=6)
    open_own_seat(page, room, table, 5)
    page.get_by_role("button", name="I'm away").click()
    expect(page.locator(".headline").first).to_have_text("You are away")
    assert room.view(table)["seats"]["5"]["sitting_out"] is True
    page.get_by_role("button", name="I'm back").click()
    expect(page.locator(".headline").first).to_have_text("Dealt in")
    assert "sitting_out" not in room.view(table)["seats"]["5"]


def test_the_server_restarts_under_open_screens(page: Page, own_room: RoomServer) -> None:
    table = own_room.seated(seats=6)
    open_display(page, own_room, table)
    seat = page.context.new_page()
    open_own_seat(seat, own_room, table, 5)
    for screen in (page, seat):
        screen.evaluate("window.loadedOnce = true")
    own_room.stop()
    for screen in (page, seat):
        expect(screen.locator("freshness-bar")).to_contain_text("Not live")
    own_room.start()
    own_room.hand(table)
    for screen, plan in ((page, "#plan"), (seat, ".plan")):
        expect(screen.locator("freshness-bar")).to_have_text("Live")
        expect(screen.locator(plan)).to_have_text("Button 3 · Small 4 · Big 5")
        assert screen.evaluate("window.loadedOnce") is True


def test_a_screen_is_paired_by_its_code_and_can_be_sent_away(page: Page, room: RoomServer) -> None:
    table = room.seated(seats=6)
    page.goto(room.address("/table/"))
    expect(page.locator("#notice-say")).to_have_text("This screen is not paired.")
    told = page.locator("#notice-next")
    expect(told).to_contain_text("Tell the floor this code:")
    assert axe(page) == []
    code = told.inner_text().rpartition(" ")[2]
    floor = {"Authorization": f"Bearer {room.token('floor', '--room', ROOM)}"}
    base = room.address("/v1")
    with httpx.Client(headers=floor, trust_env=False) as http:
        wanted = {"role": "display", "room": ROOM, "tables": [table]}
        paired = http.post(f"{base}/pairings/{code}", json=wanted).raise_for_status().json()
        expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
        expect(page.locator("#plan")).to_have_text("Button 2 · Small 3 · Big 4")
        assert f"table={table}" in page.url
        http.request("DELETE", f"{base}/tokens", json={"id": paired["id"]}).raise_for_status()
        expect(page.locator("#notice-say")).to_have_text("This screen is not paired.")
        # Made another table's, and switched off and on where it was first started.
        expect(told).not_to_contain_text(code)
        expect(told).to_contain_text("Tell the floor this code:")
        code = told.inner_text().rpartition(" ")[2]
        wanted["tables"] = [room.seated(seats=9)]
        http.post(f"{base}/pairings/{code}", json=wanted).raise_for_status()
        expect(page.locator("seat-tile")).to_have_count(9)
    page.goto("about:blank")
    page.goto(room.address("/table/"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    expect(page.locator("seat-tile")).to_have_count(9)


def test_a_table_that_is_closed_says_what_to_do(page: Page, room: RoomServer) -> None:
    table = room.open_table()
    open_display(page, room, table)
    room.command(table, "close_table")
    expect(page.locator("#notice-say")).to_have_text("This table is closed.")


def test_a_seat_of_another_player_cannot_be_touched(page: Page, room: RoomServer) -> None:
    table = room.seated(seats=6)
    options = ("--room", ROOM, "--table", table, "--seat", "4")
    page.set_viewport_size(PANEL)
    page.goto(room.address(f"/seat/?table={table}&seat=5#token={room.token('player', *options)}"))
    expect(page.locator("seat-panel")).to_have_attribute("data-freshness", "fresh")
    expect(page.locator(".wishes button")).to_have_count(0)
    until(lambda: page.locator("header .name").inner_text() == "Eve")


def test_a_cold_load_over_the_wire_is_small(page: Page, room: RoomServer) -> None:
    table = room.seated(seats=9)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    sizes: list[int] = []
    cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    open_display(page, room, table)
    assert sum(sizes) <= 60 * 1024, sizes
