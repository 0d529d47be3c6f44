"""`livebutton check`: scenario files, each a table, an order of steps, and what must come of it."""

import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import msgspec

from livebutton.rules.commands import OpenTable, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.invariants import problems
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.ring import around
from livebutton.rules.table import HandPlan, Table
from livebutton.views import marks_of


class Failure(msgspec.Struct, frozen=True):
    """One thing that came out otherwise than its scenario says."""

    step: str
    what: str
    expected: Any
    got: Any
    rule: str = ""

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.step}: {self.what}: expected {self.expected!r}, got {self.got!r}{rule}"


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The TOML files named, and those in the folders named."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found


def main(paths: Sequence[str], out: TextIO = sys.stdout) -> int:
    """Run scenario files and write each failure; 0 when all came out as they say."""
    files = scenario_files(Path(path) for path in paths)
    failed = 0
    for path in files:
        try:
            scenario = tomllib.loads(path.read_text("utf-8"))
            failures = run(scenario)
        except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            failures = [Failure("file", "cannot be read", "a scenario", f"{error!r}")]
        if failures:
            failed += 1
            out.write(f"FAILED {path}\n")
            for failure in failures:
                out.write(f"  {failure}\n")
    out.write(f"{len(files) - failed} passed, {failed} failed\n")
    return 0 if files and not failed else 1


SCENARIO_KEYS = {
    "name",
    "rule",
    "source",
    "rules",
    "seats",
    "stakes",
    "players",
    "button",
    "house",
    "game",
    "steps",
}
STEP_KINDS = {"do", "refuse", "hand", "deal", "plan", "seat"}


class _Stopped(Exception):
    """A step could not be carried out, so what follows means nothing."""


class Run:
    """A scenario being played: the table as it stands, and what has failed so far."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.failures: list[Failure] = []
        self.step = "opening"

    def do(self, fields: dict[str, Any]) -> None:
        """A command that must be accepted."""
        try:
            command = decode_command(fields)
            before = None if isinstance(command, OpenTable) else self.table
            self.table = record(before, command, decide(before, command))
        except Refused as refused:
            self.fail(f"{fields}", "accepted", f"{refused.reason}: {refused.message}", refused.rule)
            raise _Stopped from None
        for problem in problems(self.table):
            self.fail("invariant", "a sound table", problem)

    def fail(self, what: str, expected: Any, got: Any, rule: str = "") -> None:
        self.failures.append(Failure(self.step, what, expected, got, rule))

    def at(self) -> Table:
        assert self.table is not None  # the opening comes first
        return self.table


def opening(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands before the steps: the table, its players, the draw for the button."""
    fields = {
        "type": "open_table",
        "table": "scenario",
        "name": scenario["name"],
        "seats": scenario["seats"],
        "rules": scenario["rules"],
        "stakes": scenario["stakes"],
    }
    for key in ("house", "game"):
        if key in scenario:
            fields[key] = scenario[key]
    seats = [
        {"type": "take_seat", "seat": int(seat), "player": name}
        for seat, name in scenario["players"].items()
    ]
    return [fields, *seats, {"type": "start_game", "button": scenario["button"]}]


def run(scenario: dict[str, Any]) -> list[Failure]:
    """Play a scenario through the rules engine: what came out otherwise than it says."""
    playing = Run()
    for unknown in sorted(set(scenario) - SCENARIO_KEYS):
        playing.fail("file", f"one of {', '.join(sorted(SCENARIO_KEYS))}", unknown)
    try:
        for fields in opening(scenario):
            playing.do(fields)
        for at, step in enumerate(scenario["steps"], 1):
            playing.step = f"step {at}"
            _play(playing, step)
    except _Stopped:
        pass
    return playing.failures


def _play(playing: Run, step: dict[str, Any]) -> None:
    kinds = set(step) & STEP_KINDS
    stray = set() if "seat" in kinds else set(step) - STEP_KINDS - {"code"}
    if len(kinds) != 1 or stray:
        playing.fail("step", f"one of {', '.join(sorted(STEP_KINDS))}", sorted(step))
        return
    if "do" in step:
        playing.do(step["do"])
    elif "refuse" in step:
        _refused(playing, step["refuse"], step.get("code"))
    elif "plan" in step:
        compare(playing, step["plan"], plan(playing.at()))
    elif "seat" in step:
        _seat(playing, step)
    else:
        for fields in dealing(playing.at().play.phase):
            playing.do(fields)
        compare(playing, step["hand"] if "hand" in step else step["deal"], plan(playing.at()))
        if "hand" in step:
            playing.do({"type": "end_hand"})


def dealing(phase: str) -> list[dict[str, Any]]:
    """Shuffle, unless that is done, and deal."""
    shuffle = [{"type": "shuffle"}] if phase == "between_hands" else []
    return [*shuffle, {"type": "deal"}]


def _refused(playing: Run, fields: dict[str, Any], code: str | None) -> None:
    try:
        decide(playing.at(), decode_command(fields))
    except Refused as refused:
        if code is not None and refused.reason != code:
            playing.fail(f"refusal of {fields}", code, refused.reason, refused.rule)
        return
    playing.fail(f"{fields}", f"refused {code or ''}".strip(), "accepted")


def compare(playing: Run, check: dict[str, Any], hand: HandPlan) -> None:
    """Compare a plan with a check, key by key."""
    got = facts(hand, len(playing.at().seats), playing.at())
    for key, expected in check.items():
        value = got.get(key, "no such check")
        if key == "entries":
            expected = {int(seat): list(amounts) for seat, amounts in expected.items()}
        elif key in ("antes", "sleepers"):
            expected = {int(seat): amount for seat, amount in expected.items()}
        if value != expected:
            rule = hand.rulings[0].rule if hand.rulings else ""
            playing.fail(key, expected, value, rule)


def facts(hand: HandPlan, count: int, table: Table) -> dict[str, Any]:
    """What a scenario can ask of a plan, by its check key."""
    order = {seat_no: at for at, seat_no in enumerate(around(count, hand.button or count))}

    def posting(kind: str) -> list[int]:
        return sorted((p.seat for p in hand.posts if p.kind == kind), key=lambda s: order[s])

    out_of_turn = ("make_up", "entry", "straddle")
    return {
        "button": hand.button,
        "small": posting("small"),
        "big": posting("big"),
        "dead": [blind.seat for blind in hand.dead_blinds],
        "entries": {p.seat: [p.live, p.dead] for p in hand.posts if p.kind in out_of_turn},
        "dealt": list(hand.dealt),
        "out": [
            seat_no
            for seat_no, seat in enumerate(table.seats, 1)
            if seat.player and seat_no not in hand.dealt
        ],
        "first": hand.first_to_act,
        "after": hand.first_to_act_after,
        "ask": [question.seat for question in hand.questions],
        "to_call": hand.to_call,
        "options": list(hand.options),
        "capped": hand.capped,
        "all_in": sorted({p.seat for p in hand.posts if p.all_in}, key=lambda s: order[s]),
        "antes": {p.seat: p.dead for p in hand.posts if p.kind == "ante"},
        "sleepers": {p.seat: p.live for p in hand.posts if p.kind == "sleeper"},
        "none": hand.none is not None,
    }


def _seat(playing: Run, step: dict[str, Any]) -> None:
    seat_no = step["seat"]
    seat = playing.at().seat(seat_no)
    got = {
        "marks": marks_of(seat),
        "owes_big": seat.owes.big,
        "owes_small": seat.owes.small,
        "empty": not seat.player,
        "player": seat.player,
        "in_rotation": seat.standing == "in" and bool(seat.player),
    }
    for key, expected in step.items():
        if key != "seat" and got.get(key, "no such check") != expected:
            playing.fail(f"seat {seat_no} {key}", expected, got.get(key, "no such check"))
