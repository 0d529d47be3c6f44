"""The command line. Each command is short: what it does is elsewhere, or is asked of a server."""

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

app = App(
    name="livebutton",
    help="Where the dealer button and the blinds go next, at every table, live.",
)


def main() -> None:
    """What the `livebutton` script runs."""
    app()


def fail(message: str) -> int:
    """Say what is wrong, and the exit status for it."""
    print(f"livebutton: {message}", file=sys.stderr)
    return 1


@app.command
def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    redis: str | None = None,
    data: Path | None = None,
    workers: int | None = None,
    house: Path | None = None,
    origins: str | None = None,
    embedders: str | None = None,
    drain_s: float | None = None,
    log: Literal["plain", "json"] | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
) -> int:
    """Serve tables: on a Valkey of its own in the data folder, or on the one at --redis.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 for every network of this machine.
    port
        0 takes a free one, which the ready line names.
    redis
        redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://; own Valkey without.
    data
        The folder of the own Valkey and of the secret that signs tokens.
    workers
        Processes that share the port.
    house
        A house file: tables that are opened without house rules of their own get these.
    origins
        Pages of other hosts that may open a socket, separated by commas.
    embedders
        Pages of other hosts that may show ours in a frame, separated by commas.
    drain_s
        How long a stopping server takes, at most, to send every screen away.
    log
        Plain for people, json for machines.
    log_level
        The least that is logged.
    """
    from livebutton import logs
    from livebutton.serving import CannotServe
    from livebutton.serving import serve as start
    from livebutton.settings import BadSettings, load

    try:
        settings = load(
            host=host,
            port=port,
            redis=redis,
            data=data,
            workers=workers,
            house=house,
            origins=origins,
            embedders=embedders,
            drain_s=drain_s,
            log=log,
            log_level=log_level,
        )
    except BadSettings as error:
        return fail(str(error))
    logs.begin(settings.log, settings.log_level)
    try:
        start(settings, lambda where: print(f"livebutton ready on {where}", flush=True))
    except CannotServe as error:
        return fail(str(error))
    return 0


@app.command
def check(paths: Annotated[tuple[str, ...], Parameter(negative=())], /) -> int:
    """Run scenario files and folders, and print each failure with its rule."""
    from livebutton.check import main as run

    return run(paths)


@app.command
def replay(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /) -> int:
    """Replay commands, one JSON object a line, from a file or - and print what came of each."""
    from livebutton.replay import main as run

    if file == "-":
        return run(sys.stdin.buffer, sys.stdout)
    try:
        with Path(file).open("rb") as lines:
            return run(lines, sys.stdout)
    except OSError as error:
        return fail(str(error))


@app.command
def house(house: str, /) -> int:
    """Validate a house file, or a preset by its name, and show by a hand what each rule changes."""
    from livebutton.house_lint import main as run

    return run(house)


@app.command
def explain(rule: str, /) -> int:
    """Print a rule in plain words, with its alternates and an example."""
    from livebutton.rules.citations import explain as cited
    from livebutton.rules.citations import write
    from livebutton.rules.refusals import Refused

    try:
        print(write(cited(rule)))
    except Refused as refused:
        return fail(refused.message)
    return 0


@app.command
def demo(
    *,
    host: str | None = None,
    port: int | None = None,
    data: Path | None = None,
    redis: str | None = None,
    speed: float = 1.0,
) -> int:
    """Serve a room of twelve tables that play themselves, and print where to look at them.

    Parameters
    ----------
    speed
        1 is a card room's pace, a hand in 20 to 40 seconds.
    """
    from livebutton import logs
    from livebutton.demo.start import main as run
    from livebutton.serving import CannotServe
    from livebutton.settings import BadSettings, load

    try:
        settings = load(host=host, port=port, data=data, redis=redis)
        logs.begin(settings.log, settings.log_level)
        run(settings, sys.stdout, speed=speed)
    except (BadSettings, CannotServe, ValueError) as error:
        return fail(str(error))
    return 0


# Each of these is imported when it is asked for: what it needs takes long to load. So what --help
# says of it is said here too, in its docstring's words.
LATER = {
    "signing:token": "Print a token, signed with the server's secret.",
    "asking:tables": "List the tables of a running server.",
    "asking:export": (
        "Print all that is kept of a table, oldest first, one JSON object a line.\n\n"
        "What was moved to the archive is told by the server; commits of a stream that was lost\n"
        "are read from the data folder, where that is here."
    ),
    "asking:watch": "Follow a table in the terminal until Ctrl-C.",
    "keeping:backup": (
        "Write all that is kept to a new file: tables, events, verdicts, revocations, screens.\n\n"
        "The server may go on."
    ),
    "keeping:restore": "Put a backup back; tables that are there already are left alone.",
    "measuring:bench": "Measure on this machine, each figure beside a baseline's of the same run.",
}
for where, help_line in LATER.items():
    app.command(f"livebutton.cli.{where}", help=help_line)
