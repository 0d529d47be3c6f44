"""Running benches one after the other, each within its time."""

from collections.abc import Callable
from typing import Literal

import msgspec

from livebutton.bench import commands, engine, fanout, recovery
from livebutton.bench.report import Figure, Report, load, machine

Name = Literal["engine", "fanout", "commands", "recovery"]
Found = tuple[list[Figure], list[str]]


class Scale(msgspec.Struct, frozen=True):
    """How long each bench may measure, and how many clients it has; 0: what suits the bench."""

    seconds: float = 10.0
    clients: int = 0


def _engine(scale: Scale, say: Callable[[str], None]) -> Found:
    return engine.measure(scale.seconds, say)


def _commands(scale: Scale, say: Callable[[str], None]) -> Found:
    return commands.measure(scale.seconds, say)


def _fanout(scale: Scale, say: Callable[[str], None]) -> Found:
    return fanout.measure(scale.seconds, say, scale.clients)


def _recovery(scale: Scale, say: Callable[[str], None]) -> Found:
    return recovery.measure(scale.seconds, say, scale.clients)


BENCHES: dict[Name, Callable[[Scale, Callable[[str], None]], Found]] = {
    "engine": _engine,
    "fanout": _fanout,
    "commands": _commands,
    "recovery": _recovery,
}


def run(name: Name, scale: Scale, say: Callable[[str], None]) -> Report:
    """Run one bench. `say` is told what it is at, a line at a time."""
    before = load()
    figures, notes = BENCHES[name](scale, lambda line: say(f"{name} · {line}"))
    return Report(
        bench=name,
        figures=figures,
        notes=notes,
        machine=machine(),
        load_before=before,
        load_after=load(),
    )
