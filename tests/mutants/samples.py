"""What kills mutants besides the unit tests: scenarios, short random tables, hands people played.

Not collected by name: `tests.mutants` names this file to pytest. The engine's answers are held
against the model's once, before any mutant is tried; a mutant must give the same ones.
"""

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
from tests.model.test_against_engine import SCENARIOS, scenario_commands
from tests.model.walk import walk
from tests.rules import transitions
from tests.rules.test_transitions import EXPLAINED, described
from tests.rules.walker import Fields, Walk

EVERY = 40  # of the real transitions, one in so many
WALKS = 24  # of each kind of random table


def played(commands: list[Fields]) -> Iterator[Table | None]:
    """The table after each command, None where it is refused."""
    table: Table | None = None
    for fields in commands:
        try:
            command = decode_command(fields)
            before = None if isinstance(command, OpenTable) else table
            table = record(before, command, decide(before, command))
        except Refused:
            yield None
        else:
            yield table


def told(table: Table | None) -> dict[str, Any]:
    """What of a replay's answer is compared with the model's."""
    if table is None:
        return {"refused": {}}
    answer = {"plan": whole_plan(plan(table)), "view": view(table, "public")}
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return told


def answer(table: Table | None) -> Any:
    """The same in short."""
    if table is None:
        return None
    hand = plan(table)
    assert all(ruling.rule in RULES and ruling.text for ruling in hand.rulings)
    return (
        [
            (s.player, s.sitting_out, s.owes, s.absent, s.locked, s.standing == "in")
            for s in table.seats
        ],
        hand.none is not None,
        (hand.hand, hand.button, hand.dealt, hand.first_to_act, hand.first_to_act_after),
        (hand.to_call, hand.capped, set(hand.options), set(hand.posts)),
        (set(hand.dead_blinds), set(hand.not_dealt)),
        {question.seat: set(question.choices) for question in hand.questions},
    )


def agreed(commands: list[Fields]) -> list[Any]:
    """The engine's answers; none where the model says otherwise, so that the sample fails."""
    tables = list(played(commands))
    if first_difference(commands, [told(table) for table in tables]) is not None:
        return []
    return [answer(table) for table in tables]


def tables() -> Iterator[tuple[str, list[Fields]]]:
    """Names and commands of the tables that the model and the engine are both put to."""
    for path in SCENARIOS:
        yield path.stem, scenario_commands(path)
    for seed in range(WALKS):
        yield f"walk-{seed}", [fields for _, fields in walk(seed, 60)]
        made = Walk(seed, length=60, overrides=2, but=frozenset({"adopt_game"}))
        list(made)
        yield f"house-{seed}", made.commands


TABLES = dict(tables())
AGREED = {name: agreed(commands) for name, commands in TABLES.items()}
ROWS = [row for row in list(transitions.rows())[::EVERY] if described(row) not in EXPLAINED]


@pytest.mark.parametrize("name", TABLES)
def test_the_engine_answers_there_as_the_model_does(name: str) -> None:
    # Not shown at length: only whether it passes is asked.
    got = map(answer, played(TABLES[name]))
    is_same = all(one == other for one, other in zip(got, AGREED[name], strict=True))
    assert is_same


@pytest.mark.parametrize("chunk", range(10))
def test_people_were_dealt_these_hands(chunk: int) -> None:
    for row in ROWS[chunk::10]:
        assert transitions.misses(row, transitions.played(row)) == []
