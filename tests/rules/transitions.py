"""Real transitions: two hands in a row that people played, put to the rules engine.

A row has the seats of a table counted from the old button, which is 0; here the old button is
seat 1. Whoever is not dealt in any more has left; what an entry post says its poster owed is given
to `adopt_game`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import HandPlan, Table

HANDS = Path(__file__).parents[1] / "hands"
SMALL, BIG = 5, 10
Row = dict[str, Any]

# Site and kind of game -> preset and overrides (real sites' practice).
PRESETS: dict[tuple[str, bool], tuple[str, dict[str, Any]]] = {
    ("PokerStars", False): ("pokerstars", {}),
    ("PokerStars", True): ("pokerstars", {}),
    ("PokerNow", False): ("pokernow", {}),
    ("Bovada", False): ("las-vegas", {"missed_small": "live", "short_handed": False}),
    ("Bovada", True): ("tournament", {}),
    ("FullTilt", False): ("las-vegas", {}),
    ("FullTilt", True): ("tournament", {}),
    ("iPoker", False): ("pokerstars", {}),
    ("iPoker", True): ("tournament", {}),
    ("GGPoker", False): ("pokerstars", {}),
    ("GGPoker", True): ("pokerstars", {}),
}


def rows() -> Iterator[Row]:
    with (HANDS / "transitions.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def owed(posts: list[str]) -> list[str]:
    """What the poster of an entry post owed; nothing for a new player's live big blind."""
    has_big = "bb" in posts or "sb+bb" in posts
    has_small = bool({"sb", "dead", "sb+bb"} & set(posts))
    if has_small:
        return ["big", "small"] if has_big else ["small"]
    return []


def commands(row: Row) -> Iterator[dict[str, Any]]:
    """The row as commands, up to the deal."""
    rules, house = PRESETS[row["site"], row["tournament"]]
    yield {
        "type": "open_table",
        "name": "row",
        "seats": row["ring"],
        "rules": rules,
        "house": house,
        "stakes": {"small": SMALL, "big": BIG},
    }
    before, after = row["prev"], row["next"]
    entry = {int(seat): posts for seat, posts in row["entry"].items()}
    debts = {seat: owed(posts) for seat, posts in entry.items() if owed(posts)}
    new = [seat for seat in row["new"] if seat in after["dealt"]]
    free = [seat for seat in new if seat not in entry and is_old_player(row, seat)]
    debts = {seat: kinds for seat, kinds in debts.items() if seat not in before["dealt"]}
    for seat in [*before["dealt"], *debts, *free]:
        yield {"type": "take_seat", "seat": seat + 1, "player": f"p{seat}"}
    for seat in [*debts, *free]:
        yield {"type": "sit_out", "seat": seat + 1}
    adopt: dict[str, Any] = {
        "type": "adopt_game",
        "button": before["button_pos"] + 1,
        "big": before["bb"] + 1,
        "owes": {str(seat + 1): kinds for seat, kinds in debts.items()},
    }
    if before["sb_pos"] is not None:
        adopt["small"] = before["sb_pos"] + 1
    yield adopt
    for seat in before["dealt"]:
        if seat not in after["dealt"] or seat in row["new"]:
            yield {"type": "leave", "seat": seat + 1}
    for seat in new:
        if seat in debts or seat in free:
            yield {"type": "sit_in", "seat": seat + 1}
        else:
            entry_by = "free" if seat not in entry and comes_behind(row, seat) else "normal"
            yield {"type": "take_seat", "seat": seat + 1, "player": f"p{seat}", "entry": entry_by}
            if entry_by == "free":
                continue
        if row["site"] != "PokerNow" or seat in debts:
            if seat in free or row["tournament"]:
                continue
            choice = "wait_big_blind" if after["bb"] == seat else "post"
            yield {"type": "choose", "seat": seat + 1, "choice": choice}
    yield {"type": "deal"}


def comes_behind(row: Row, seat: int) -> bool:
    """Dealt in without a post where the button went past him, or into a tournament."""
    after = row["next"]
    if seat == after["bb"] or row["site"] == "PokerNow":
        return False
    return bool(row["tournament"]) or 0 < seat < after["button_pos"]


def is_old_player(row: Row, seat: int) -> bool:
    """Whether a player not dealt in last hand comes in owing nothing: he had missed nothing."""
    if comes_behind(row, seat):
        return False
    if row["tournament"] or row["site"] == "PokerNow":
        return False
    return row["next"]["bb"] != seat and seat not in row["prev"]["dealt"]


def played(row: Row) -> HandPlan | Refused:
    table: Table | None = None
    for fields in commands(row):
        command = decode_command(fields)
        try:
            table = record(table, command, decide(table, command))
        except Refused as refused:
            return refused
    assert table is not None
    return plan(table)


def misses(row: Row, got: HandPlan | Refused) -> list[str]:
    """What came out otherwise than it was played."""
    if isinstance(got, Refused):
        return [f"refused: {got.reason} {got.message}"]
    after = row["next"]
    found = []
    smalls = [p.seat - 1 for p in got.posts if p.kind == "small"]
    bigs = [p.seat - 1 for p in got.posts if p.kind == "big"]
    if after["button"] is None:
        if got.button in got.dealt:
            found.append(f"button {got.button - 1}, was dead")
    elif got.button - 1 != after["button"]:
        found.append(f"button {got.button - 1}, was {after['button']}")
    if smalls != ([] if after["sb"] is None else [after["sb"]]):
        found.append(f"small {smalls}, was {after['sb']}")
    if bigs != [after["bb"]]:
        found.append(f"big {bigs}, was {after['bb']}")
    for seat, posts in row["entry"].items():
        live = BIG if {"bb", "sb+bb"} & set(posts) else 0
        dead = SMALL if {"sb", "dead", "sb+bb"} & set(posts) else 0
        if row["site"] == "Bovada" and not live:
            live, dead = dead, 0
        in_turn = ("small", "big") if int(seat) != after["bb"] else ("small",)
        own = [p for p in got.posts if p.seat == int(seat) + 1 and p.kind not in in_turn]
        if int(seat) == after["bb"]:
            live = BIG
        if (sum(p.live for p in own), sum(p.dead for p in own)) != (live, dead):
            found.append(f"entry {seat}: {own}, was {posts}")
    if sorted(s - 1 for s in got.dealt) != after["dealt"]:
        found.append(f"dealt {got.dealt}")
    return found
