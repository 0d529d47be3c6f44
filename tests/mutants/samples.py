"""What kills mutants besides the unit tests: samples of the larger suites, short ones.

Not collected by name: `tests.mutants` names this file to pytest. What the model answers is worked
out once, before any mutant is tried.
"""

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from livebutton.replay import whole_plan
from livebutton.rules.citations import RULES
from livebutton.rules.commands import OpenTable, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table
from livebutton.views import view
from tests.model.compare import first_difference
from tests.model.play import Model
from tests.model.test_against_engine import SCENARIOS, scenario_commands
from tests.model.walk import walk
from tests.rules import transitions
from tests.rules.test_transitions import EXPLAINED, described
from tests.rules.walker import Fields, Walk

EVERY = 40  # of the real transitions, one in so many
WALKS = 30  # of each kind of random table


class Remembered:
    """A model that has been through the commands already, and says again what it said."""

    def __init__(self, commands: list[Fields]) -> None:
        model = Model()
        self._answers: list[Any] = []
        for fields in commands:
            said = model.command(fields)
            self._answers.append(copy.deepcopy((said, model.plan(), model.seats())))
        self._at = -1

    def command(self, _: Fields) -> Any:
        self._at += 1
        return self._answers[self._at][0]

    def plan(self) -> Any:
        return self._answers[self._at][1]

    def seats(self) -> Any:
        return self._answers[self._at][2]


def answers(commands: list[Fields]) -> list[dict[str, Any]]:
    """The engine's answers, without what a replay prints beside the plan and the seats."""
    table: Table | None = None
    found: list[dict[str, Any]] = []
    for fields in commands:
        try:
            command = decode_command(fields)
            before = None if isinstance(command, OpenTable) else table
            table = record(before, command, decide(before, command))
        except Refused as refused:
            found.append({"refused": {"reason": refused.reason}})
        else:
            assert all(ruling.rule in RULES and ruling.text for ruling in plan(table).rulings)
            answer = {"plan": whole_plan(plan(table)), "view": view(table, "public")}
            found.append(msgspec.json.decode(msgspec.json.encode(answer)))
    return found


def tables() -> Iterator[tuple[str, list[Fields]]]:
    """Names and commands of the tables that the model and the engine are both put to."""
    for path in SCENARIOS:
        yield path.stem, scenario_commands(path)
    for seed in range(WALKS):
        yield f"walk-{seed}", [fields for _, fields in walk(seed, 60)]
        made = Walk(seed, length=60, overrides=2, but=frozenset({"adopt_game"}))
        list(made)
        yield f"house-{seed}", made.commands


TABLES = {name: (commands, Remembered(commands)) for name, commands in tables()}
ROWS = [row for row in list(transitions.rows())[::EVERY] if described(row) not in EXPLAINED]


@pytest.mark.parametrize("name", TABLES)
def test_model_and_engine_plan_that_table_alike(name: str) -> None:
    commands, model = TABLES[name]
    assert first_difference(commands, answers(commands), model=model) is None


@pytest.mark.parametrize("chunk", range(10))
def test_people_were_dealt_these_hands(chunk: int) -> None:
    for row in ROWS[chunk::10]:
        assert transitions.misses(row, transitions.played(row)) == []
