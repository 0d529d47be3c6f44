"""Plays the recorded transitions against the model, under the preset that plays each site's rules.

Run as `python -m tests.model.transitions [SITE]`: accuracy per site weighted by how often a transition
was seen, and each miss.
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


def set_up(row: dict[str, Any]) -> Model:
    """The table after `prev`, with the seat events that lead to `next`."""
    model = Model()
    rules, house = preset_of(row["site"], row["tournament"])
    opening = {"type": "open_table", "name": "t", "seats": row["ring"], "rules": rules}
    opening |= {"stakes": {"small": SMALL, "big": BIG}, "house": house}
    must(model, opening, "open")
    prev, following = row["prev"], row["next"]
    back, joining, owes = [], [], {}
    for relative in row["new"]:
        owed = owes_before(row, relative)
        if relative in prev["dealt"]:
            joining.append(relative)  # another player has taken the seat since
        elif owed is not None:
            owes[str(seat(relative))] = owed
            back.append(relative)
        elif comes_back_free(row, relative):
            back.append(relative)
        else:
            joining.append(relative)
    for relative in [*prev["dealt"], *back]:
        take = {"type": "take_seat", "seat": seat(relative), "player": f"p{relative}"}
        must(model, take, "seat")
    for relative in back:
        must(model, {"type": "sit_out", "seat": seat(relative)}, "out")
    adopt = {"type": "adopt_game", "button": seat(prev["button_pos"]), "owes": owes}
    adopt |= {"small": seat(prev["sb_pos"]), "big": seat(prev["bb"])}
    must(model, adopt, "adopt")
    for relative in prev["dealt"]:
        if relative not in following["dealt"] or relative in row["new"]:
            must(model, {"type": "leave", "seat": seat(relative)}, "leave")
    for relative in back:
        must(model, {"type": "sit_in", "seat": seat(relative)}, "in")
    for relative in joining:
        take = {"type": "take_seat", "seat": seat(relative), "player": f"n{relative}"}
        if joins_free(row, relative):
            take["entry"] = "free"
        must(model, take, "join")
    for relative in [*back, *joining]:
        if str(relative) in row["entry"] and relative != following["bb"]:
            choice = {"type": "choose", "seat": seat(relative), "choice": "post"}
            answer = model.command(choice)
            if "refused" in answer and rules != "pokernow":
                raise AssertionError(f"{answer}: {row}")
    return model


def owes_before(row: dict[str, Any], relative: int) -> dict[str, bool] | None:
    posted = row["entry"].get(str(relative))
    if posted is None:
        return None
    if relative == row["next"]["bb"]:
        return {"big": True, "small": True}
    return OWED[tuple(posted)]


def comes_back_free(row: dict[str, Any], relative: int) -> bool:
    """Dealt in on the button or the small blind, without posting: of the rotation, nothing missed."""
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


def main() -> None:
    counts, misses = accuracy(sys.argv[1] if len(sys.argv) > 1 else None)
    for row, want, have in misses:
        print(row["site"], row["tournament"], "n", row["n"], "prev", row["prev"])
        print("   next", row["next"], "new", row["new"], "entry", row["entry"])
        print("   want", want)
        print("   got ", have)
    for (site, tournament), (right, total) in sorted(counts.items()):
        kind = "tournament" if tournament else "ring"
        print(f"{site:12} {kind:10} {right:6} of {total:6}  {100 * right / total:.2f} %")


if __name__ == "__main__":
    main()
