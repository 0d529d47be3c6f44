"""Check 22: every scenario, through a live dealer's screen.

The shared ones at a real server, command by command. All of them at the real rules behind the
scripted server, one page for all that are of one rule.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from livebutton.check import dealing, opening
from livebutton.replay import replay
from livebutton.rules.table import Table
from tests.browser.desk import TEN_INCH, Desk
from tests.browser.fake_server import FakeServer, View
from tests.browser.room_server import RefusedByServer, RoomServer
from tests.browser.screens import HANG_MS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOLDER = Path(__file__).parents[1] / "scenarios"
SCENARIOS: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))
}
RULES = sorted({scenario["rule"] for scenario in SCENARIOS.values()})
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

# ── what the screen says ─────────────────────────────────────────────────────────────────────


class Seen:
    """What a terminal shows once it has drawn a commit: read in one go, so that it is one state."""

    def __init__(self, page: Page, offset: int) -> None:
        told = page.evaluate(
            """async ([offset, limitMs]) => {
                const terminal = document.querySelector("dealer-terminal");
                const since = performance.now();
                while (terminal.dataset.offset !== offset) {
                    if (performance.now() - since > limitMs) throw new Error("never drawn");
                    await new Promise(requestAnimationFrame);
                }
                const tiles = [...terminal.querySelectorAll("seat-tile")];
                const seats = which => tiles.filter(which).map(n => Number(n.dataset.seat));
                const text = selector => [...terminal.querySelectorAll(selector)]
                    .filter(n => !n.hidden).map(n => n.textContent);
                return {
                    discs: tiles.flatMap(n => [...n.querySelectorAll("felt-disc")].map(disc => [
                        disc.dataset.kind + (disc.hasAttribute("data-dead") ? " dead" : ""),
                        Number(n.dataset.seat),
                    ])),
                    out: seats(n => n.dataset.state === "taken" && n.hasAttribute("data-out")),
                    asked: seats(n => n.hasAttribute("data-question")),
                    first: seats(n => n.hasAttribute("data-first")),
                    owing: seats(n => !n.querySelector("blind-marker").hidden),
                    aloud: Object.fromEntries(tiles.map(n =>
                        [n.dataset.seat, n.querySelector(".aloud").textContent])),
                    none: text("plan-board .none").join(),
                    lines: text("plan-board .rest p").join(" · "),
                    title: text(".head .name").join(),
                    whys: [...terminal.querySelectorAll(".whys why-line")].map(n =>
                        [n.querySelector(".rule").dataset.rule, n.dataset.seats, n.textContent]),
                };
            }""",
            [str(offset), HANG_MS],
        )
        self.__dict__.update(told)

    discs: list[tuple[str, int]]
    out: list[int]
    asked: list[int]
    first: list[int]
    owing: list[int]
    aloud: dict[str, str]
    none: str
    lines: str
    title: str
    whys: list[tuple[str, str, str]]

    def lying(self, kind: str) -> list[int]:
        return sorted(seat for each, seat in self.discs if each == kind)

    def posting(self, words: str) -> list[int]:
        """The seats said to post so."""
        return sorted(int(seat) for seat, said in self.aloud.items() if re.search(words, said))


def look(seen: Seen, check: dict[str, Any], view: View) -> None:
    """The screen shows what the scenario says of a plan, and why, as the plan has it."""
    plan = view["plan"]
    if check.get("none"):
        assert seen.none == plan["none"]["text"]
        return
    shown = {
        "button": seen.lying("button"),
        "small": seen.lying("small"),
        "big": seen.lying("big"),
        "dead": sorted(seat for kind, seat in seen.discs if kind.endswith(" dead")),
        "out": seen.out,
        "ask": seen.asked,
        "first": seen.first,
        "entries": seen.posting("(Posts|Straddle) [0-9]"),
        "sleepers": seen.posting("Sleeper [0-9]"),
        "all_in": seen.posting(" all in"),
    }
    for key in shown.keys() & check.keys():
        said = check[key]
        expected = [said] if isinstance(said, int) else sorted(int(seat) for seat in said)
        assert shown[key] == [seat for seat in expected if seat], key
    for seat, (live, dead) in check.get("entries", {}).items():
        price = f"{live}+{dead}" if live and dead else str(live or dead)
        assert re.search(rf"(Posts|Straddle) {re.escape(price)}\b(?!\+)", seen.aloud[seat])
    for seat, live in check.get("sleepers", {}).items():
        assert f"Sleeper {live}" in seen.aloud[seat]
    look_at_antes(seen, check.get("antes", {}))
    if view["phase"] == "in_hand":
        look_at_action(seen, check)
    look_at_why(seen, plan)


def look_at_antes(seen: Seen, antes: dict[str, int]) -> None:
    """Everybody's is said once, beside the stakes; one player's at his seat."""
    if len(antes) > 1:
        assert f"Ante {max(antes.values())}" in seen.title
    for seat, amount in antes.items() if len(antes) == 1 else ():
        assert f"Ante {amount}" in seen.aloud[seat]


def look_at_action(seen: Seen, check: dict[str, Any]) -> None:
    if check.get("to_call"):
        assert f"To call {check['to_call']}" in seen.lines
    if check.get("options"):
        assert f"Option: {', '.join(map(str, check['options']))}" in seen.lines
    if "capped" in check:
        assert ("Capped" in seen.lines) == check["capped"]


def look_at_why(seen: Seen, plan: dict[str, Any]) -> None:
    """Every why-line names the seats and the rule of a ruling, and the last is the plan's."""
    rulings = [(each["rule"], " ".join(map(str, each["seats"]))) for each in plan["rulings"]]
    assert seen.whys
    assert tuple(seen.whys[-1][:2]) in rulings
    known = {each["text"]: " ".join(map(str, each["seats"])) for each in plan["rulings"]}
    for _, seats, text in seen.whys:
        assert [known[said] for said in known if said in text] in ([seats], [])


def look_at_seat(seen: Seen, step: dict[str, Any], view: View) -> None:
    seat = step["seat"]
    for key in ("owes_big", "owes_small"):
        if step.get(key):
            assert seat in seen.owing
    if step.get("owes_big") is False and step.get("owes_small") is False:
        assert seat not in seen.owing
    if step.get("player"):
        name = view["seats"][str(seat)]["name"]
        assert f"Seat {seat}, {name}" in seen.aloud[str(seat)]
    if "empty" in step:
        is_empty = re.match(rf"Seat {seat}, (Empty|Held)", seen.aloud[str(seat)])
        assert bool(is_empty) == step["empty"]


# ── all of them, at the rules ────────────────────────────────────────────────────────────────


class Game:
    """A scenario at the real rules, shown by the scripted server when it is to be looked at."""

    def __init__(self, page: Page, server: FakeServer, scenario: dict[str, Any]) -> None:
        self.page = page
        self.server = server
        self.scenario = scenario
        self._table: Table | None = None
        self._view: View = {}
        self._told: list[dict[str, Any]] = []

    def play(self) -> None:
        for fields in opening(self.scenario):
            self.do(fields)
        for step in self.scenario["steps"]:
            self.step(step)

    def do(self, fields: dict[str, Any]) -> None:
        self._table, told = replay(self._table, fields)
        assert "refused" not in told, told
        self._view, self._told = told["view"], told["events"]

    def step(self, step: dict[str, Any]) -> None:
        if "do" in step:
            self.do(step["do"])
        elif "seat" in step:
            look_at_seat(self.see(), step, self._view)
        elif "plan" in step:
            look(self.see(), step["plan"], self._view)
        elif "refuse" not in step:
            [kind] = step.keys() & {"hand", "deal"}
            for fields in dealing(self._view["phase"]):
                self.do(fields)
            look(self.see(), step[kind], self._view)
            if kind == "hand":
                self.do({"type": "end_hand"})

    def see(self) -> Seen:
        self.server.commit(self._view, self._told)
        return Seen(self.page, self.server.offset)


@pytest.mark.parametrize("rule", RULES)
def test_a_scenario_of_each_rule_shows_what_its_plan_says(
    page: Page, server: FakeServer, rule: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(TEN_INCH)
    page.goto(server.address("/dealer/?table=t7#token=secret-token"))
    for name, scenario in SCENARIOS.items():
        if scenario["rule"] == rule:
            try:
                Game(page, server, scenario).play()
            except AssertionError as failure:
                raise AssertionError(name) from failure


# ── the shared ones, at a real server ────────────────────────────────────────────────────────


class Play:
    """A scenario on a real table, looked at through the screen after every step."""

    def __init__(self, page: Page, room: RoomServer, scenario: dict[str, Any]) -> None:
        self.room = room
        self.page = page
        more = {key: scenario[key] for key in ("stakes", "game", "house") if key in scenario}
        self.table = room.open_table(seats=scenario["seats"], rules=scenario["rules"], **more)
        for fields in opening(scenario)[1:]:
            self.do(fields)
        self.desk = Desk(page, room, self.table)

    def step(self, step: dict[str, Any]) -> None:
        if "do" in step:
            self.do(step["do"])
        elif "refuse" in step:
            with pytest.raises(RefusedByServer):
                self.do(step["refuse"])
        elif "seat" in step:
            look_at_seat(self.see(), step, self.room.view(self.table))
        else:
            [kind] = step.keys() & {"hand", "deal", "plan"}
            if kind != "plan":
                self.do({"type": "deal"})
            look(self.see(), step[kind], self.room.view(self.table))
            if kind == "hand":
                self.do({"type": "end_hand"})

    def do(self, command: dict[str, Any]) -> None:
        fields = {key: value for key, value in command.items() if key != "type"}
        self.room.command(self.table, command["type"], **fields)

    def see(self) -> Seen:
        return Seen(self.page, self.room.offset(self.table))


@pytest.mark.real
@pytest.mark.parametrize("name", SHARED)
def test_a_shared_scenario_shows_what_its_plan_says(
    page: Page, room: RoomServer, name: str
) -> None:
    scenario = SCENARIOS[name]
    play = Play(page, room, scenario)
    for step in scenario["steps"]:
        play.step(step)
