"""The mutants of the rules' modules: mutmut's operators, each put into the running program at once.

A mutant is known by what it changes (module, function, the lines taken out and put in), never by
a line number or a count, so that it stays the same while the code around it is worked on.
"""

import difflib
import importlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import libcst
from mutmut.mutation.file_mutation import create_mutations

ROOT = Path(__file__).parents[2]
MODULES = ("rotation", "entry", "seat_changes", "plan", "heads_up", "dues")


class Change(NamedTuple):
    """What a mutant changes: lines without their indentation, joined by line ends."""

    module: str
    function: str
    was: str
    now: str

    def __str__(self) -> str:
        shown = [f"{self.module}.{self.function}"]
        shown += [f"  - {line}" for line in self.was.splitlines()]
        shown += [f"  + {line}" for line in self.now.splitlines()]
        return "\n".join(shown)


class Mutant(NamedTuple):
    """One change, with the whole function as it reads then."""

    change: Change
    source: str

    def install(self) -> None:
        """Make the function of this process the mutant. There is no way back: fork before."""
        module = importlib.import_module(f"livebutton.rules.{self.change.module}")
        named: dict[str, Any] = {}
        code = compile(self.source, f"<mutant of {module.__file__}>", "exec", dont_inherit=True)
        exec(code, vars(module), named)  # noqa: S102 - our own code with one thing changed
        function = attrgetter(self.change.function)(module)
        mutated = named[function.__name__]
        assert isinstance(function, FunctionType)
        # In place, since other modules have imported the function by its name.
        function.__code__ = mutated.__code__
        function.__defaults__ = mutated.__defaults__
        function.__kwdefaults__ = mutated.__kwdefaults__


class Site(NamedTuple):
    """A place in a function and what one operator makes of it; the text is made when asked for."""

    module: str
    name: str
    function: libcst.FunctionDef
    node: libcst.CSTNode
    mutated: libcst.CSTNode

    def mutant(self) -> Mutant:
        """The mutant that this makes."""
        mutated = self.function.deep_replace(self.node, self.mutated)
        assert isinstance(mutated, libcst.FunctionDef)
        text = _text(mutated)
        was, now = changed_lines(_text(self.function), text)
        return Mutant(Change(self.module, self.name, was, now), text)


def sites_of(module: str, source: str) -> list[Site]:
    """Every place in a module's functions that an operator changes.

    Left out is what mutmut leaves out: annotations, docstrings, decorated functions; and what
    lies outside functions.
    """
    tree, mutations, _, _ = create_mutations(module, source)
    names = dict(_functions(tree.body))
    return [
        Site(module, names[function], function, mutation.original_node, mutation.mutated_node)
        for mutation in mutations
        if (function := mutation.contained_by_top_level_function) in names
    ]


def _functions(
    body: Sequence[libcst.CSTNode], within: str = ""
) -> Iterator[tuple[libcst.CSTNode | None, str]]:
    """Functions and methods, with their names as Python qualifies them."""
    for node in body:
        if isinstance(node, libcst.FunctionDef):
            yield node, within + node.name.value
        elif isinstance(node, libcst.ClassDef) and isinstance(node.body, libcst.IndentedBlock):
            yield from _functions(node.body.body, f"{within}{node.name.value}.")


@lru_cache(maxsize=256)
def _text(function: libcst.FunctionDef) -> str:
    return libcst.Module([function.with_changes(leading_lines=())]).code


def changed_lines(before: str, after: str) -> tuple[str, str]:
    """The lines that only the one has and those that only the other has, indentation apart."""
    old, new = ([line.strip() for line in text.splitlines()] for text in (before, after))
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    was = [line for _, start, end, _, _ in changed for line in old[start:end]]
    now = [line for _, _, _, start, end in changed for line in new[start:end]]
    return "\n".join(was), "\n".join(now)


def all_sites() -> list[Site]:
    """Those of every module, in the modules' order."""
    folder = ROOT / "server" / "livebutton" / "rules"
    return [
        site
        for module in MODULES
        for site in sites_of(module, (folder / f"{module}.py").read_text("utf-8"))
    ]


def distinct(sites: Iterable[Site]) -> Iterator[Mutant]:
    """The mutants of those places, those that read alike once."""
    seen: set[Change] = set()
    for site in sites:
        mutant = site.mutant()
        if mutant.change not in seen:
            seen.add(mutant.change)
            yield mutant
