"""How long a file and a function may be. What is longer is named here, with its reason."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".js", ".css", ".lua"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

# path -> why it is better long
LONG_FILES: dict[str, str] = {}
# path::function -> why it is better long
LONG_FUNCTIONS: dict[str, str] = {
    "server/livebutton/rules/decide.py::_judged": "one case for each command there is",
    "server/livebutton/rules/evolve.py::_hand_after": "one case for each event of a hand",
    "server/livebutton/rules/evolve.py::_seat_after": "one case for each event of a seat",
}


def sources() -> list[Path]:
    folders = (ROOT / "server", ROOT / "clients", ROOT / "tests")
    return [path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES]


def long_functions(path: Path) -> Iterator[str]:
    """`path::name` of each function whose body, without its docstring, is too long."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node) is not None and len(node.body) > 1
            first = node.body[1] if has_docstring else node.body[0]
            assert node.end_lineno is not None
            if node.end_lineno - first.lineno + 1 > LONGEST_FUNCTION:
                yield f"{path.relative_to(ROOT)}::{node.name}"


def test_no_file_is_too_long_but_those_with_a_reason() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in sources()}
    long = {str(path.relative_to(ROOT)) for path, lines in lengths.items() if lines > LONGEST_FILE}
    assert long == set(LONG_FILES)


def test_no_function_is_too_long_but_those_with_a_reason() -> None:
    python = [path for path in sources() if path.suffix == ".py"]
    assert python
    assert {name for path in python for name in long_functions(path)} == set(LONG_FUNCTIONS)


@pytest.mark.parametrize(("lines", "is_long"), [(LONGEST_FUNCTION, False), (61, True)])
def test_a_function_is_measured_without_its_docstring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int, is_long: bool
) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    body = "    x = 1\n" * lines
    path = tmp_path / "ring.py"
    path.write_text(f'def step():\n    """One.\n\n    Two.\n    """\n{body}')
    assert list(long_functions(path)) == (["ring.py::step"] if is_long else [])
