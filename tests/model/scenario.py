"""Runs one scenario file against a Model; the first thing that is not so is a ScenarioFailed."""

import tomllib
from pathlib import Path
from typing import Any

from tests.model.play import Model


class ScenarioFailed(AssertionError):
    """Which step, what was expected, what came."""


def run_scenario(path: Path) -> None:
    case = tomllib.loads(path.read_text())
    model = Model()
    opening: dict[str, Any] = {
        "type": "open_table",
        "name": case["name"],
        "seats": case["seats"],
        "rules": case["rules"],
        "stakes": case["stakes"],
    }
    for key in ("game", "house"):
        if key in case:
            opening[key] = case[key]
    must(model, opening, "opening")
    for seat, player in case["players"].items():
        must(model, {"type": "take_seat", "seat": int(seat), "player": player}, "players")
    if "button" in case:
        must(model, {"type": "start_game", "button": case["button"]}, "start")
    for number, step in enumerate(case["steps"], start=1):
        run_step(model, step, f"step {number} {step}")


def must(model: Model, command: dict[str, Any], where: str) -> None:
    answer = model.command(command)
    if "refused" in answer:
        raise ScenarioFailed(f"{where}: {command} was refused: {answer}")


def run_step(model: Model, step: dict[str, Any], where: str) -> None:
    if "do" in step:
        must(model, step["do"], where)
    elif "refuse" in step:
        answer = model.command(step["refuse"])
        code = step.get("code", answer.get("refused"))
        if "refused" not in answer or answer["refused"] != code:
            raise ScenarioFailed(f"{where}: got {answer}")
    elif "seat" in step:
        check_seat(model, step, where)
    elif "plan" in step:
        check_plan(model, step["plan"], where)
    else:
        ends = "hand" in step
        assert model.table is not None
        if model.table.phase == "between_hands":
            must(model, {"type": "shuffle"}, where)
        must(model, {"type": "deal"}, where)
        check_plan(model, step["hand"] if ends else step["deal"], where)
        if ends:
            must(model, {"type": "end_hand"}, where)


def check_seat(model: Model, step: dict[str, Any], where: str) -> None:
    seat = model.seats().get(step["seat"], {"player": None, "marks": []})
    got = {
        "marks": seat["marks"],
        "owes_big": seat.get("owes_big", False),
        "owes_small": seat.get("owes_small", False),
        "empty": seat["player"] is None,
        "player": seat["player"],
        "in_rotation": seat.get("in_rotation", False),
    }
    compare({key: value for key, value in step.items() if key != "seat"}, got, where)


def check_plan(model: Model, check: dict[str, Any], where: str) -> None:
    plan = model.plan()
    if "none" in plan or check.get("none"):
        compare(check, {"none": "none" in plan}, where)
        return
    assert model.table is not None
    compare(check, summary(plan, model.table.seat_count), where)


def summary(plan: dict[str, Any], seat_count: int) -> dict[str, Any]:
    """A plan in the words of a CHECK."""
    button = plan["button"]

    def from_left(seats: list[int]) -> list[int]:
        return sorted(seats, key=lambda no: (no - button) % seat_count or seat_count)

    in_turn = {
        kind: from_left([post["seat"] for post in plan["posts"] if post["kind"] == kind])
        for kind in ("small", "middle", "big")
    }
    return {
        "button": button,
        **in_turn,
        "dead": [dead["seat"] for dead in plan["dead_blinds"]],
        "entries": {
            str(post["seat"]): [post["live"], post["dead"]]
            for post in plan["posts"]
            if post["kind"] in ("make_up", "entry", "straddle")
        },
        "dealt": plan["dealt"],
        "out": sorted(out["seat"] for out in plan["not_dealt"]),
        "first": plan["first_to_act"],
        "after": plan["first_to_act_after"],
        "ask": [question["seat"] for question in plan["questions"]],
        "to_call": plan["to_call"],
        "options": plan["options"],
        "capped": plan["capped"],
        "all_in": from_left(list({post["seat"] for post in plan["posts"] if post["all_in"]})),
        "antes": amounts(plan, "ante", "dead"),
        "sleepers": amounts(plan, "sleeper", "live"),
    }


def amounts(plan: dict[str, Any], kind: str, part: str) -> dict[str, int]:
    return {str(one["seat"]): one[part] for one in plan["posts"] if one["kind"] == kind}


def compare(expected: dict[str, Any], got: dict[str, Any], where: str) -> None:
    for key, value in expected.items():
        if key not in got:
            raise ScenarioFailed(f"{where}: nothing to compare {key} with in {got}")
        if got[key] != value:
            raise ScenarioFailed(f"{where}: {key} should be {value}, is {got[key]}; all: {got}")
