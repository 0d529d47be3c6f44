"""The table of what has failed elsewhere names tests that there are, and leaves no row out."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROWS = re.findall(r"^\| ([\d, ]+) \| .* \| (.+) \|$", (TESTS / "FAILURES.md").read_text(), re.M)


def test_every_failure_has_its_row() -> None:
    numbers = [int(number) for row, _ in ROWS for number in row.split(",")]
    assert numbers == list(range(1, 57))


def test_every_test_that_is_named_exists() -> None:
    there = {
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    named = {name for _, told in ROWS for name in re.findall(r"`(test_\w+)`", told)}
    assert named
    assert named - there == set()


def test_a_row_without_a_test_says_why() -> None:
    assert all("`test_" in told or told.startswith("none: ") for _, told in ROWS)
