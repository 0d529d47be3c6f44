"""The reading of the rules, held against hands that people played."""

import pytest

from tests.model.transitions import accuracy

# Right hands per site as a share of all, weighted by how often each transition was seen. What
# misses
# are rows in which seats were entered or left without a trace in the record.
FLOORS = {
    ("PokerStars", False): 0.9994,
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


@pytest.fixture(scope="module")
def shares() -> dict[tuple[str, bool], float]:
    counts, _ = accuracy()
    return {key: right / total for key, (right, total) in counts.items()}


def test_every_site_of_the_record_is_judged(shares: dict[tuple[str, bool], float]) -> None:
    assert set(shares) == set(FLOORS)


@pytest.mark.parametrize("key", sorted(FLOORS), ids=str)
def test_the_model_deals_what_the_site_dealt(
    key: tuple[str, bool], shares: dict[tuple[str, bool], float]
) -> None:
    assert shares[key] >= FLOORS[key]
