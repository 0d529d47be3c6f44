"""Small tables looked through whole: every state within some commands, under each policy.

The counts are floors, so that a state that can no longer be reached is noticed. `EXHAUSTIVE` in
the environment goes the whole depth, which takes half an hour: `make exhaustive`.
"""

import os

import pytest

from tests.rules.states import Found, comings_and_goings, explored, running_game
from tests.rules.walker import POLICIES

IS_WHOLE = "EXHAUSTIVE" in os.environ

# (seats, steps) -> how many states each policy has at least.
SHORT = {
    (3, 4): {
        "no_dead_button": 4_700,
        "moving_button": 4_700,
        "simplified": 4_700,
        "dead_button": 4_900,
    },
    (4, 3): {
        "no_dead_button": 2_250,
        "moving_button": 2_250,
        "simplified": 2_200,
        "dead_button": 2_300,
    },
}
WHOLE = {
    (3, 6): {
        "no_dead_button": 97_500,
        "moving_button": 97_500,
        "simplified": 98_000,
        "dead_button": 107_000,
    },
    (4, 5): {
        "no_dead_button": 108_500,
        "moving_button": 108_000,
        "simplified": 102_800,
        "dead_button": 119_000,
    },
}
DEPTHS = SHORT | WHOLE if IS_WHOLE else SHORT
CASES = [(seats, steps, policy) for seats, steps in DEPTHS for policy in POLICIES]
TABLES = range(5, 11) if IS_WHOLE else range(4, 5)

# Sentences that the rules have yet to settle; each is gone from here once they have.
SETTLING: tuple[str, ...] = ()


def unsettled(broken: list[str]) -> list[str]:
    return [sentence for sentence in broken if not any(s in sentence for s in SETTLING)]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("seats", "steps", "policy"), CASES)
def test_no_state_within_reach_breaks_an_invariant(
    seats: int, steps: int, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Found = explored(running_game(seats, {"button": policy}), steps)
    with capsys.disabled():
        print(f"\n{seats} seats, {steps} steps, {policy}: {found.states} states")  # noqa: T201
    assert unsettled(found.broken) == []
    assert found.states >= DEPTHS[seats, steps][policy]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("policy", POLICIES)
def test_two_may_leave_and_come_back_whenever_they_like(seats: int, policy: str) -> None:
    found = comings_and_goings(seats, {"button": policy})
    assert unsettled(found.broken) == []
    assert found.hands > 1_000 * seats
