"""The table of failures names each failure once, and tests that are there."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("README.md")
COUNT = 56


def rows() -> Iterator[tuple[int, str, list[str]]]:
    """Number, what is right, and the tests of each row."""
    for line in TABLE.read_text().splitlines():
        if found := re.fullmatch(r"\| (\d+) \| (.+) \| (.+) \|", line):
            yield int(found[1]), found[2], re.findall(r"`([^`]+)`", found[3])


def is_there(test: str) -> bool:
    path, _, name = test.partition("::")
    text = (ROOT / path).read_text() if (ROOT / path).is_file() else ""
    said = re.escape(name)
    python = rf"^(async )?def {said}\(|^{said} = "
    return re.search(python if path.endswith(".py") else rf'"{said}"', text, re.M) is not None


def test_every_failure_has_its_row_and_a_test_that_holds_it() -> None:
    assert [number for number, _, _ in rows()] == list(range(1, COUNT + 1))
    assert [number for number, right, tests in rows() if not right or not tests] == []


def test_every_test_that_the_table_names_is_there() -> None:
    assert [test for _, _, tests in rows() for test in tests if not is_there(test)] == []
