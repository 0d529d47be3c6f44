"""The command that measures: what it costs, beside what is known, on this machine."""

import sys
from typing import Annotated

import msgspec
from cyclopts import Parameter, validators

from livebutton.bench import report as reports
from livebutton.bench.crowd import Lost, TooFewFiles
from livebutton.bench.run import BENCHES, Name, Scale, run
from livebutton.cli import fail
from livebutton.store.embedded import EmbeddedFailed


class _Progress:
    """One line on a terminal, rewritten as it goes; in a file, a line for each new thing."""

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty()
        self._last = ""

    def say(self, line: str) -> None:
        """Show what is being done."""
        if self._is_live:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
            return
        what = line.partition(": ")[0]
        if what != self._last:
            print(line, file=sys.stderr, flush=True)
            self._last = what

    def end(self) -> None:
        """Leave the terminal's line as it was."""
        if self._is_live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bench(
    which: Name | None = None,
    /,
    *,
    seconds: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=600))] = 10.0,
    clients: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=20_000))] = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Measure on this machine, each figure beside a baseline's of the same run.

    Parameters
    ----------
    which
        All of them when left out.
    seconds
        How long each one measures; setting up comes on top.
    clients
        How many clients the ones that have clients get; 0 for what suits each.
    json
        Print the results as JSON instead of a table.
    """
    progress = _Progress()
    found = []
    for name in [which] if which else BENCHES:
        try:
            found.append(run(name, Scale(seconds, clients), progress.say))
        except (Lost, TooFewFiles, EmbeddedFailed) as error:
            return fail(f"bench {name}: {error}")
        finally:
            progress.end()
        if not json:
            print(reports.table(found[-1]), end="\n\n")
    if json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return 0
