"""Check 22: every shared scenario, through a live dealer's screen on a real server."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.room_server import RefusedByServer, RoomServer
from tests.browser.screens import discs

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real]

FOLDER = Path(__file__).parents[1] / "scenarios"
SHARED = [
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


class Play:
    """A scenario on a real table, looked at through the screen after every step."""

    def __init__(self, page: Page, room: RoomServer, scenario: dict[str, Any]) -> None:
        self.room = room
        self.page = page
        more = {key: scenario[key] for key in ("stakes", "game", "house") if key in scenario}
        self.table = room.open_table(seats=scenario["seats"], rules=scenario["rules"], **more)
        for seat, name in scenario["players"].items():
            room.command(self.table, "take_seat", seat=int(seat), player=name, name=name)
        room.command(self.table, "start_game", button=scenario["button"])
        self.desk = Desk(page, room, self.table)

    def step(self, step: dict[str, Any]) -> None:
        if "do" in step:
            self.do(step["do"])
        elif "refuse" in step:
            with pytest.raises(RefusedByServer):
                self.do(step["refuse"])
        elif "seat" in step:
            self.look_at_seat(step)
        else:
            [kind] = [kind for kind in ("hand", "deal", "plan") if kind in step]
            if kind != "plan":
                self.do({"type": "deal"})
            self.look(step[kind])
            if kind == "hand":
                self.do({"type": "end_hand"})

    def do(self, command: dict[str, Any]) -> None:
        fields = {key: value for key, value in command.items() if key != "type"}
        self.room.command(self.table, command["type"], **fields)

    def look(self, check: dict[str, Any]) -> None:
        """The screen shows what the scenario says, and what the server's plan says."""
        self.desk.settle()
        plan = self.room.view(self.table)["plan"]
        lying = discs(self.page)
        if "button" in check:
            assert lying["button"] == [check["button"]]
        for kind in ("small", "big"):
            if kind in check:
                assert sorted(lying.get(kind, [])) == sorted(check[kind])
        if "dead" in check:
            dead = [
                seat for kind, seats in lying.items() if kind.endswith(" dead") for seat in seats
            ]
            assert sorted(dead) == sorted(check["dead"])
        if check.get("none"):
            expect(self.page.locator("plan-board .none")).to_have_text(plan["none"]["text"])
            return
        if "out" in check:
            assert sorted(self.out()) == sorted(check["out"])
        if "ask" in check:
            asked = self.page.locator("seat-tile[data-question]")
            expect(asked).to_have_count(len(check["ask"]))
        self.look_at_why(plan)

    def out(self) -> list[int]:
        """The seats that the screen shows as taken and not dealt in."""
        found: list[int] = self.page.eval_on_selector_all(
            "seat-tile[data-out][data-state='taken']",
            "nodes => nodes.map(n => Number(n.dataset.seat))",
        )
        return found

    def look_at_why(self, plan: dict[str, Any]) -> None:
        """Every why-line is a ruling: its sentence, its seats, its rule."""
        told = self.page.eval_on_selector_all(
            ".whys why-line",
            """nodes => nodes.map(n => [n.querySelector(".rule").dataset.rule, n.dataset.seats,
                n.textContent])""",
        )
        assert told
        rulings = {ruling["rule"]: ruling for ruling in plan["rulings"]}
        rule, seats, text = told[-1]
        assert rule in rulings
        known = [ruling for ruling in plan["rulings"] if ruling["text"] in text]
        assert [" ".join(map(str, ruling["seats"])) for ruling in known] == [seats]

    def look_at_seat(self, step: dict[str, Any]) -> None:
        self.desk.settle()
        tile = self.desk.tile(step["seat"])
        owes = step.get("owes_big") or step.get("owes_small")
        if owes is not None:
            expect(tile.locator("blind-marker")).to_be_visible(visible=bool(owes))
        if "player" in step:
            expect(tile).to_contain_text(step["player"])


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_scenario_shows_what_its_plan_says(
    page: Page, room: RoomServer, name: str
) -> None:
    scenario = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    play = Play(page, room, scenario)
    for step in scenario["steps"]:
        play.step(step)
