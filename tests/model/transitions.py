"""Plays the recorded transitions against the model, under the preset that plays each site's rules.

Run as `python -m tests.model.transitions [SITE]`: accuracy per site weighted by how often a
transition was seen, and each miss.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.model.play import Model
from tests.model.scenario import must, summary

ROWS = Path(__file__).parents[1] / "hands" / "transitions.jsonl"
SMALL, BIG = 5, 10
OWED = {
    ("bb",): None,
    ("sb+bb",): {"big": True, "small": True},
    ("bb", "dead"): {"big": True, "small": True},
    ("sb",): {"small": True},
    ("dead",): {"small": True},
}


def preset_of(site: str, tournament: bool) -> tuple[str, dict[str, Any]]:
    """The preset and overrides for a site; what plays ring and tournament alike comes first."""
    if site in ("PokerStars", "GGPoker") or (site == "iPoker" and not tournament):
        return "pokerstars", {}
    if site == "PokerNow":
        return "pokernow", {}
    if tournament:
        return "tournament", {}
    if site == "Bovada":
        return "las-vegas", {"missed_small": "live", "short_handed": False}
    return "las-vegas", {}


def rows() -> Iterator[dict[str, Any]]:
    with ROWS.open() as lines:
        for line in lines:
            yield json.loads(line)


def seat(relative: int) -> int:
    """Recorded seats count from the old button, which is 0."""
    return relative + 1


def commands(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The table after `prev`, and the seat events that lead to `next`, as commands."""
    rules, house = preset_of(row["site"], row["tournament"])
    opening = {"type": "open_table", "name": "t", "seats": row["ring"], "rules": rules}
    opening |= {"stakes": {"small": SMALL, "big": BIG}, "house": house}
    prev, following, new = row["prev"], row["next"], row["new"]
    owes = {no: owes_before(row, no) for no in new if no not in prev["dealt"]}
    back = [no for no, owed in owes.items() if owed or comes_back_free(row, no)]
    joining = [no for no in new if no not in back]
    adopt = {"type": "adopt_game", "button": seat(prev["button_pos"])}
    adopt |= {"small": seat(prev["sb_pos"]), "big": seat(prev["bb"])}
    adopt |= {"owes": {str(seat(no)): owes[no] for no in back if owes[no]}}
    gone = [no for no in prev["dealt"] if no not in following["dealt"] or no in new]
    posting = [no for no in [*back, *joining] if str(no) in row["entry"]]
    return [
        opening,
        *(sit(no, "p") for no in [*prev["dealt"], *back]),
        *({"type": "sit_out", "seat": seat(no)} for no in back),
        adopt,
        *({"type": "leave", "seat": seat(no)} for no in gone),
        *({"type": "sit_in", "seat": seat(no)} for no in back),
        *(sit(no, "n") | ({"entry": "free"} if joins_free(row, no) else {}) for no in joining),
        *(
            {"type": "choose", "seat": seat(no), "choice": "post"}
            for no in posting
            if no != following["bb"] and (rules != "pokernow" or owes.get(no))
        ),
    ]


def sit(relative: int, letter: str) -> dict[str, Any]:
    return {"type": "take_seat", "seat": seat(relative), "player": f"{letter}{relative}"}


def set_up(row: dict[str, Any]) -> Model:
    model = Model()
    for command in commands(row):
        must(model, command, str(row))
    return model


def owes_before(row: dict[str, Any], relative: int) -> dict[str, bool] | None:
    posted = row["entry"].get(str(relative))
    if posted is None:
        return None
    if relative == row["next"]["bb"]:
        return {"big": True, "small": True}
    return OWED[tuple(posted)]


def comes_back_free(row: dict[str, Any], relative: int) -> bool:
    """Dealt in on the button or small blind without posting: of the rotation, nothing missed."""
    following = row["next"]
    if row["tournament"] or str(relative) in row["entry"] or row["site"] == "PokerNow":
        return False
    return relative != following["bb"] and relative in (following["button"], following["sb"])


def joins_free(row: dict[str, Any], relative: int) -> bool:
    """Dealt in behind the big blind without posting where a newcomer would have had to."""
    return str(relative) not in row["entry"] and relative != row["next"]["bb"]


def expected(row: dict[str, Any]) -> dict[str, Any]:
    following = row["next"]
    entries = {}
    for relative, posted in row["entry"].items():
        live = BIG if {"bb", "sb+bb"} & set(posted) else 0
        dead = SMALL if {"sb+bb", "dead", "sb"} & set(posted) else 0
        if row["site"] == "Bovada" and posted == ["sb"]:
            live, dead = SMALL, 0
        if int(relative) == following["bb"]:
            live = BIG
        entries[seat(int(relative))] = (live, dead)
    return {
        "button": seat(following["button_pos"]),
        "small": [] if following["sb"] is None else [seat(following["sb"])],
        "big": [seat(following["bb"])],
        "dealt": sorted(seat(relative) for relative in following["dealt"]),
        "entries": entries,
    }


def got(model: Model, want: dict[str, Any]) -> dict[str, Any]:
    plan = model.plan()
    if "none" in plan:
        return {"none": plan["none"]}
    assert model.table is not None
    seen = summary(plan, model.table.seat_count)
    entries = {
        post["seat"]: (post["live"], post["dead"])
        for post in plan["posts"]
        if (post["kind"] != "small" and post["seat"] in want["entries"])
        or (post["kind"] in ("make_up", "entry") and post["live"] + post["dead"])
    }
    return {
        "button": plan["button"],
        "small": seen["small"],
        "big": seen["big"],
        "dealt": sorted(plan["dealt"]),
        "entries": entries,
    }


def accuracy(site: str | None = None) -> tuple[dict[tuple[str, bool], tuple[int, int]], list[Any]]:
    """({(site, tournament): (right, all)}, misses as (row, expected, got)), weighted by n."""
    counts: dict[tuple[str, bool], list[int]] = defaultdict(lambda: [0, 0])
    misses = []
    for row in rows():
        if site is not None and row["site"] != site:
            continue
        want = expected(row)
        have = got(set_up(row), want)
        key = (row["site"], row["tournament"])
        counts[key][1] += row["n"]
        if have == want:
            counts[key][0] += row["n"]
        else:
            misses.append((row, want, have))
    return {key: (right, total) for key, (right, total) in counts.items()}, misses


def say(*words: object) -> None:
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")


def main() -> None:
    counts, misses = accuracy(sys.argv[1] if len(sys.argv) > 1 else None)
    for row, want, have in misses:
        say(row["site"], row["tournament"], "n", row["n"], "prev", row["prev"])
        say("   next", row["next"], "new", row["new"], "entry", row["entry"])
        say("   want", want)
        say("   got ", have)
    for (site, tournament), (right, total) in sorted(counts.items()):
        kind = "tournament" if tournament else "ring"
        say(f"{site:12} {kind:10} {right:6} of {total:6}  {100 * right / total:.2f} %")


if __name__ == "__main__":
    main()
