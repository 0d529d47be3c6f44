"""The table of the screens' checks names tests that are there, and each check on its screens."""

import re
from pathlib import Path

BROWSER = Path(__file__).parents[1] / "browser"
TEXT = (BROWSER / "README.md").read_text()
ALL = set(range(1, 26))
# What is of one screen only, or cannot be on it.
DEALERS = ALL - {23, 24}
SEATS = {2, *range(4, 11), 13, 14, *range(16, 22), 24, 25}


def numbers(screen: str) -> set[int]:
    """The checks that have a row for a screen."""
    part = TEXT.partition(f"\n## {screen}\n")[2].partition("\n## ")[0]
    return {int(number) for number in re.findall(r"^\| (\d+) \| test_", part, re.M)}


def test_every_check_has_a_test_on_the_dealers_terminal_and_the_seat_display() -> None:
    assert numbers("Dealer's terminal") == DEALERS
    assert numbers("Seat display") >= SEATS


def test_every_test_that_the_table_of_checks_names_is_there() -> None:
    named = re.findall(r"(test_\w+)::(test_\w+)", TEXT)
    assert len(named) > len(DEALERS) + len(SEATS)
    missing = [
        f"{file}::{test}"
        for file, test in named
        if f"\ndef {test}(" not in (BROWSER / f"{file}.py").read_text()
    ]
    assert missing == []
