"""The model and the product, put to the same tables: every plan and every seat must be the same.

Where they part the rules decide which is right (README.md, Readings); nothing is let pass.
`WALKS` in the environment multiplies how many random tables are put to both.
"""

import json
import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from livebutton.check import dealing, opening
from livebutton.replay import replay
from livebutton.rules.table import Table
from tests.model.compare import first_difference
from tests.model.walk import walk
from tests.rules.walker import POLICIES, STAKES, Fields, Walk, shortened, told

MANY = int(os.environ.get("WALKS", "1"))
SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*.toml"))
WALKS = 25


def answers(commands: Sequence[Fields]) -> list[dict[str, Any]]:
    """What `livebutton replay` prints for each command; fewer where it fell over."""
    table: Table | None = None
    found: list[dict[str, Any]] = []
    for fields in commands:
        try:
            table, answer = replay(table, fields)
        except Exception:  # noqa: BLE001 - a crash is a difference like any other
            break
        found.append(json.loads(json.dumps(answer)))
    return found


def parted(commands: Sequence[Fields]) -> str:
    """Where the two part first, as "what after which command: the model's, the product's"."""
    found = first_difference(list(commands), answers(commands))
    if found is None:
        return ""
    at, what, model, product = found
    return f"{what} after {commands[at]['type']}: model {model}, product {product}"


def kind(difference: str) -> str:
    return re.sub(r"\d+", "#", difference.split(":")[0])


def assert_same(commands: Sequence[Fields]) -> None:
    difference = parted(commands)
    if not difference:
        return
    short = shortened(commands, lambda some: kind(parted(some)) == kind(difference))
    pytest.fail(f"{parted(short)}\n{told(short)}")


def scenario_commands(path: Path) -> list[Fields]:
    """The commands of a scenario, as its runner sends them; those that must be refused too."""
    scenario = tomllib.loads(path.read_text("utf-8"))
    commands = opening(scenario)
    table: Table | None = None
    for fields in commands:
        table, _ = replay(table, fields)
    for step in scenario["steps"]:
        assert table is not None
        sent: list[Fields] = [step[key] for key in ("do", "refuse") if key in step]
        if "hand" in step or "deal" in step:
            sent = [*dealing(table.play.phase), *([{"type": "end_hand"}] if "hand" in step else [])]
        for fields in sent:
            table, _ = replay(table, fields)
        commands += sent
    return commands


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_both_plan_every_scenario_alike(path: Path) -> None:
    assert_same(scenario_commands(path))


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("batch", range(4))
def test_both_plan_the_models_random_tables_alike(batch: int) -> None:
    for seed in range(batch * 1000, batch * 1000 + WALKS * MANY):
        assert_same([fields for _, fields in walk(seed, 60)])


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("batch", range(4))
def test_both_plan_random_houses_alike(batch: int) -> None:
    for seed in range(batch * 1000, batch * 1000 + WALKS * MANY):
        made = Walk(seed, length=60, overrides=2, but=frozenset({"adopt_game"}))
        list(made)
        assert_same(made.commands)


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("policy", POLICIES)
def test_both_plan_other_blinds_alike(policy: str) -> None:
    """One and three blinds, and blinds on the button and behind it."""
    for at, stakes in enumerate(STAKES[1:]):
        for seed in range(at * 1000, at * 1000 + 2 * MANY):
            made = Walk(
                seed,
                but=frozenset({"adopt_game"}),
                rules="caro-cooke",
                house={"button": policy},
                overrides=1,
                stakes=[stakes],
            )
            list(made)
            assert_same(made.commands)
