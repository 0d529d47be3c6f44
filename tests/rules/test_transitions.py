"""Hands that people played: how many of them the engine deals as the site did, and the others."""

from collections import Counter
from typing import Any

import pytest

from tests.rules import transitions
from tests.rules.transitions import Row, misses, played

Key = tuple[str, bool]

# The share of hands, weighted by how often each was seen, that come out exactly as played.
FLOORS: dict[Key, float] = {
    ("PokerStars", False): 0.999,
    ("PokerStars", True): 1.0,
    ("PokerNow", False): 0.9999,
    ("Bovada", False): 1.0,
    ("Bovada", True): 1.0,
    ("GGPoker", False): 1.0,
    ("GGPoker", True): 1.0,
    ("iPoker", False): 0.972,
    ("iPoker", True): 1.0,
    ("FullTilt", False): 1.0,
    ("FullTilt", True): 0.987,
}

HAND_MISSING = "the button moved past a player who was dealt in: a hand between is not recorded"
BIG_PASSED = "the big blind passed a player who was dealt in all the same: no policy does that"
SMALL_FOLLOWS = "after such a pass the site's small blind followed the big one, past a player"
NEW_TABLE = "four of six players are new and nothing moved: two tables' hands, read as one"
NO_ROTATION = "one player of the rotation and a newcomer: by rulings.md there is no hand"
FOUR_TO_TWO = "four to two with button and big blind gone: the site kept the small blind's turn"

# Every transition that comes out otherwise, and why it may.
EXPLAINED = {
    "iPoker b0 s1 B2 of 0123456 89 > b1 s2 B5 of 012 456 89": BIG_PASSED,
    "iPoker b0 s1 B3 of 01 3456789 > b1 s3 B6 of 01 34 6789": BIG_PASSED,
    "iPoker b0 s1 B2 of 01234567 9 > b1 s2 B4 of 01234567": BIG_PASSED,
    "iPoker b0 s2 B5 of 0 2 45 7 9 > b2 s5 B7 of 0 2 45 7 9": SMALL_FOLLOWS,
    "iPoker b0 s2 B4 of 0 2 45 7 > b4 s5 B7 of 0 2 45 7": HAND_MISSING,
    "iPoker b0 s1 B3 of 01 3 56 > b6 s8 B0 of 01 3 56 8": HAND_MISSING,
    "FullTilt b0 s4 B5 of 0 45678 > b0 s4 B5 of 0 45678": NEW_TABLE,
    "PokerNow b0 s1 B7 of 01 7 > b2 s2 B7 of 2 7": NO_ROTATION,
    "PokerStars b0 s1 B2 of 012345 8 > b2 s3 B5 of 0123 56 8": HAND_MISSING,
    "PokerStars b0 s1 B2 of 012 5678 > b2 s3 B4 of 012345678": HAND_MISSING,
    "PokerStars b0 s2 B3 of 0 23 5 > b5 s5 B2 of 2 5": FOUR_TO_TWO,
    "PokerStars b0 s1 B2 of 012 45678 > b2 s3 B4 of 012345678": HAND_MISSING,
    "PokerStars b0 s1 B2 of 012345678 > b2 s3 B4 of 012345678": HAND_MISSING,
    "PokerStars b0 s2 B3 of 0 2345678 > b3 s4 B5 of 0 2345678": HAND_MISSING,
}


def described(row: Row) -> str:
    """A transition in one line: where button and blinds were, and who was dealt in."""
    before, after = _hand(row["prev"]), _hand(row["next"])
    return f"{row['site']} {before} > {after}"


def _hand(hand: dict[str, Any]) -> str:
    runs = ""
    for seat in range(max(hand["dealt"]) + 1):
        if seat in hand["dealt"]:
            runs += str(seat)
        elif runs and not runs.endswith(" "):
            runs += " "
    return f"b{hand['button_pos']} s{hand['sb']} B{hand['bb']} of {runs}"


class Judged:
    """Every row put to the engine once: weights of all and of the right ones, and the misses."""

    def __init__(self) -> None:
        self.all: Counter[Key] = Counter()
        self.right: Counter[Key] = Counter()
        self.missed: dict[str, list[str]] = {}
        for row in transitions.rows():
            key = (row["site"], row["tournament"])
            self.all[key] += row["n"]
            found = misses(row, played(row))
            if found:
                self.missed[described(row)] = found
            else:
                self.right[key] += row["n"]


@pytest.fixture(scope="module")
def judged() -> Judged:
    return Judged()


@pytest.mark.parametrize("key", sorted(FLOORS), ids=lambda key: f"{key[0]}-{key[1]}")
def test_the_engine_deals_what_the_site_dealt(judged: Judged, key: Key) -> None:
    assert judged.right[key] / judged.all[key] >= FLOORS[key]


def test_every_site_of_the_record_is_judged(judged: Judged) -> None:
    assert set(judged.all) == set(FLOORS)
    assert judged.all.total() > 37_000


def test_every_miss_is_explained_and_nothing_explained_is_no_miss(judged: Judged) -> None:
    assert set(judged.missed) == set(EXPLAINED), judged.missed
