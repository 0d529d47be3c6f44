"""Trying mutants: each in a fork of a process that has everything imported and collected.

pytest collects the tests as ever; instead of running them once, `Hunt` runs them for one mutant
after the other until one fails. Only tests that reach the function changed are run, those first
that killed most of its mutants.
"""

import importlib
import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.making import MODULES, Change, Mutant

SURVIVED = ""
UNFIT = 3
# Tests that may fail without any mutant, while the code is worked on.
MOST_BROKEN = 5
# A mutant that runs on for ever is stopped by these; in processor time, so that load is no matter.
LONGEST_S = 60
# All the tests, once, with every call watched: far beyond what that takes on a slow machine.
WATCHED_S = 1800
MOST_BYTES = 2 << 30
SUITE = (
    "tests/rules/test_rotation.py",
    "tests/rules/test_corners.py",
    "tests/rules/test_entry.py",
    "tests/rules/test_newcomers.py",
    "tests/rules/test_scan.py",
    "tests/rules/test_ways_to_move.py",
    "tests/rules/test_full_blinds.py",
    "tests/rules/test_seat_changes.py",
    "tests/rules/test_moves.py",
    "tests/rules/test_plan.py",
    "tests/rules/test_rulings.py",
    "tests/mutants/samples.py",
)
OPTIONS = ("-q", "-s", "--tb=line", "--timeout=0", "-p", "no:cacheprovider", "--no-header")

Place = tuple[str, str]  # module and function


class Tried(NamedTuple):
    """A mutant and the test that killed it, or how else it ended; SURVIVED for nothing."""

    change: Change
    killer: str


class Hunt:
    """A pytest plugin that tries mutants with the tests collected.

    `killers` are the tests that killed a mutant before: they are tried first. `tell` hears of
    each mutant as it ends. A test that fails without any mutant is left out and told to `warn`:
    the suites that it is a sample of judge it. Raises RuntimeError when those are many.
    """

    def __init__(
        self,
        mutants: Iterable[Mutant],
        tell: Callable[[Tried], None],
        warn: Callable[[str], None],
        killers: dict[Change, str] | None = None,
    ) -> None:
        self.mutants = list(mutants)
        self.tell = tell
        self.warn = warn
        self.killers = killers or {}
        self._kills: Counter[tuple[str, str, str]] = Counter()
        self._reached: dict[Place, list[pytest.Item]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed or not session.items:
            raise RuntimeError("the tests cannot be collected")
        self._find_what_is_reached(session.items)
        for mutant in self.mutants:
            killer = self._killer(mutant)
            module, function, *_ = mutant.change
            self._kills.update([(module, function, killer), (module, "", killer)])
            self.tell(Tried(mutant.change, killer))
        return True

    def _find_what_is_reached(self, items: list[pytest.Item]) -> None:
        """Run every test without any mutant, and note which functions it calls."""
        by_name = {item.nodeid: item for item in items}
        told, ending = _forked(lambda write: _run_watched(items, write), WATCHED_S)
        if ending or len(told) < len(items):
            raise RuntimeError(f"without any mutant the tests end by {ending or 'themselves'}")
        broken = [name for name, failed, _ in told if failed]
        if len(broken) > MOST_BROKEN:
            raise RuntimeError(f"{len(broken)} tests fail without any mutant: {broken[:9]}")
        for name, failed, places in told:
            if failed:
                self.warn(f"left out, since it fails without any mutant: {name}")
                continue
            for module, function in places:
                self._reached.setdefault((module, function), []).append(by_name[name])

    def _killer(self, mutant: Mutant) -> str:
        items = self._in_order(mutant.change)
        told, ending = _forked(lambda write: _run_with(mutant, items, write))
        return ending or "".join(told)

    def _in_order(self, change: Change) -> list[pytest.Item]:
        """Who killed it before, who killed most in its function, in its module, then as listed."""
        before = self.killers.get(change)
        module, function, *_ = change

        def rank(item: pytest.Item) -> tuple[bool, int, int]:
            name = item.nodeid
            kills = [self._kills[module, there, name] for there in (function, "")]
            return name != before, -kills[0], -kills[1]

        return sorted(self._reached.get((module, function), []), key=rank)


def _forked(
    work: Callable[[Callable[[Any], None]], None], longest_s: int = LONGEST_S
) -> tuple[list[Any], str]:
    """What work writes in a process of its own, and how that ended if not as it should."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        with suppress(BaseException):
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_CPU, (longest_s, longest_s))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            work(lambda told: _write_line(writer, told))
            code = 0
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        lines = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == UNFIT:
        raise RuntimeError("that mutant cannot be put in")
    if os.WIFSIGNALED(status):
        return [], signal.Signals(os.WTERMSIG(status)).name
    return [json.loads(line) for line in lines], "a crash" if os.WEXITSTATUS(status) else ""


def _write_line(writer: int, told: Any) -> None:
    line = json.dumps(told).encode() + b"\n"
    while line:
        line = line[os.write(writer, line) :]


def _run_with(mutant: Mutant, items: list[pytest.Item], write: Callable[[Any], None]) -> None:
    """In the child: run tests until one fails, and name it."""
    try:
        mutant.install()
    except Exception:  # noqa: BLE001 - whatever it is, no test has killed the mutant
        os._exit(UNFIT)
    for item, following in _each_with_next(items):
        if _fails(item, following):
            write(item.nodeid)
            return


def _run_watched(items: list[pytest.Item], write: Callable[[Any], None]) -> None:
    """In the child: run all tests; tell of each whether it fails and what it calls."""
    code = _code_of_functions()
    for item, following in _each_with_next(items):
        with _watching(code) as called:
            failed = _fails(item, following)
        write([item.nodeid, failed, sorted(called)])


def _each_with_next(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    return any(report.failed for report in runtestprotocol(item, nextitem=following, log=False))


def _code_of_functions() -> dict[CodeType, Place]:
    """The code of each function that may be mutated."""
    found: dict[CodeType, Place] = {}
    for name in MODULES:
        module = importlib.import_module(f"livebutton.rules.{name}")
        classes = [each for each in vars(module).values() if isinstance(each, type)]
        for holder in (module, *classes):
            for value in vars(holder).values():
                if getattr(value, "__module__", "") == module.__name__ and hasattr(
                    value, "__code__"
                ):
                    found[value.__code__] = (name, value.__qualname__)
    return found


@contextmanager
def _watching(code: dict[CodeType, Place]) -> Iterator[set[Place]]:
    """Collect which of those functions are called."""
    called: set[Place] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in code:
            called.add(code[frame.f_code])

    sys.setprofile(watch)
    try:
        yield called
    finally:
        sys.setprofile(None)
