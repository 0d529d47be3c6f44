"""Random tables: what must hold of every step and from hand to hand, whatever anybody commands.

`WALKS` in the environment multiplies how many are walked.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest

from tests.rules import orbits, promises
from tests.rules.walker import POLICIES, STAKES, Fields, Step, Walk, play, shortened, told

MANY = int(os.environ.get("WALKS", "1"))
# Each of these many walks; a batch is one test, so that a failing one is named.
BATCHES = 8
WALKS = 12
# Of how many steps one is compared with everything that could be commanded.
SAMPLED = 40

Broken = Callable[[Iterable[Step]], Iterator[str]]


def of_every_step(steps: Iterable[Step]) -> Iterator[str]:
    """What any step breaks; of a sample also what `allowed` gets wrong."""
    for at, step in enumerate(steps):
        yield from promises.broken(step)
        if at % SAMPLED == SAMPLED - 1:
            yield from promises.misjudged(step.after)


def from_hand_to_hand(steps: Iterable[Step]) -> Iterator[str]:
    """What two or three hands in a row break, under a policy without a dead button."""
    for dealt in orbits.hands(steps):
        yield from orbits.unfair(dealt)
        yield from orbits.unpaid(dealt)


def by_coming_in(steps: Iterable[Step]) -> Iterator[str]:
    for dealt in orbits.hands(steps):
        yield from orbits.let_in_between(dealt[-1])


def first_broken(steps: Iterable[Step], broken: Broken) -> str:
    """The first sentence that is broken; a crash is one too."""
    try:
        return next(broken(steps), "")
    except Exception as error:  # noqa: BLE001 - any crash is what a walk is after
        return f"crashed: {error!r}"


def assert_whole(walk: Walk, broken: Broken) -> None:
    """The walk breaks nothing; a failing one is told by the commands that it takes."""
    found = first_broken(walk, broken)
    if not found:
        return
    kind = re.sub(r"\d+", "#", found)

    def fails(commands: Sequence[Fields]) -> bool:
        return re.sub(r"\d+", "#", first_broken(play(commands), broken)) == kind

    short = shortened(walk.commands, fails) if fails(walk.commands) else walk.commands
    pytest.fail(f"{found}\n{told(short)}")


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_command_breaks_a_promise(batch: int) -> None:
    for seed in range(batch * 10_000, batch * 10_000 + WALKS * MANY):
        assert_whole(Walk(seed), of_every_step)


# Without what the floor decides over the rules' heads, and with the plain blinds.
OVER_THE_RULES = frozenset({"set_house", "set_stakes", "set_owes", "close_table"})
FAIR = frozenset({"button", "tournament", "buy_button", "entry_between_blinds", "heads_up_growth"})


def fair_walk(seed: int, policy: str) -> Walk:
    """A walk under one policy. Nobody is all in: who is has no turn, and it passes to the next."""
    return Walk(
        seed,
        length=120,
        but=OVER_THE_RULES,
        rules="caro-cooke",
        house={"button": policy},
        without=FAIR,
        stakes=STAKES[:1],
        stacks=(),
        seats=(3, 10),
    )


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("policy", ["no_dead_button", "moving_button"])
def test_button_first_action_and_blinds_go_round_fairly(policy: str) -> None:
    for seed in range(60 * MANY):
        assert_whole(fair_walk(seed, policy), from_hand_to_hand)


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_comes_in_between_button_and_big_blind(policy: str) -> None:
    for seed in range(1000, 1000 + 30 * MANY):
        assert_whole(fair_walk(seed, policy), by_coming_in)


def test_a_failing_walk_is_told_by_the_commands_that_it_takes() -> None:
    walk = Walk(1, length=40)
    list(walk)
    leaves = [fields for fields in walk.commands if fields["type"] == "leave"]
    assert leaves

    def fails(commands: Sequence[Fields]) -> bool:
        return any(fields == leaves[0] for fields in commands)

    assert shortened(walk.commands, fails) == [walk.commands[0], leaves[0]]


def test_the_same_seed_walks_the_same_way() -> None:
    one, two = Walk(7), Walk(7)
    assert [step.fields for step in one] == [step.fields for step in two]
    assert one.table == two.table
