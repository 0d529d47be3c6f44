"""Puts the same commands to the model and to the product's `replay`, and says where they part.

Run as `python -m tests.model.compare FIRST LAST [LENGTH] [PRESET]` (seeds of `walk`). Only the
command line is used: nothing of the product is imported.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.model.play import Model
from tests.model.walk import walk

Command = dict[str, Any]
PRODUCT = str(Path(sys.executable).with_name("livebutton"))
WHOLE = ("hand", "button", "dealt", "first_to_act", "first_to_act_after", "to_call")


def replay(commands: list[Command]) -> list[dict[str, Any]]:
    """One answer of the product a command; fewer where it fell over."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(command) + "\n" for command in commands)
        file.flush()
        done = subprocess.run(
            [PRODUCT, "replay", file.name], capture_output=True, text=True, timeout=600, check=False
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def tidy(plan: dict[str, Any]) -> dict[str, Any]:
    """What of a plan is compared; lists whose order means nothing are sorted."""
    if "none" in plan:
        return {"none": True}
    posts = sorted(
        (
            [
                post["seat"],
                post["kind"],
                post.get("live", 0),
                post.get("dead", 0),
                bool(post.get("all_in")),
            ]
            for post in plan.get("posts") or []
        ),
    )
    return {key: plan.get(key) for key in WHOLE} | {
        "posts": posts,
        "dead_blinds": sorted([d["seat"], d["kind"]] for d in plan.get("dead_blinds") or []),
        "not_dealt": sorted([out["seat"], out["why"]] for out in plan.get("not_dealt") or []),
        "options": sorted(plan.get("options") or []),
        "capped": bool(plan.get("capped")),
        "questions": {
            question["seat"]: sorted(
                [one["choice"], one.get("live", 0), one.get("dead", 0), one.get("hands")]
                for one in question["choices"]
            )
            for question in plan.get("questions") or []
        },
    }


def seats_of_view(view: dict[str, Any]) -> dict[int, dict[str, Any]]:
    found = {}
    for no, seat in (view.get("seats") or {}).items():
        owes = seat.get("owes") or {}
        found[int(no)] = {
            "player": seat.get("player"),
            "sitting_out": bool(seat.get("sitting_out")),
            "owes_big": bool(owes.get("big")),
            "owes_small": bool(owes.get("small") or owes.get("middle")),
            "marks": sorted(seat.get("marks") or []),
            "in_rotation": bool(seat.get("in_rotation")),
        }
    return {no: seat for no, seat in found.items() if seat["player"] or seat["marks"]}


def seats_of_model(model: Model) -> dict[int, dict[str, Any]]:
    return {
        no: {
            "player": seat["player"],
            "sitting_out": seat.get("sitting_out", False),
            "owes_big": seat.get("owes_big", False),
            "owes_small": seat.get("owes_small", False),
            "marks": sorted(seat["marks"]),
            "in_rotation": seat.get("in_rotation", False),
        }
        for no, seat in model.seats().items()
    }


def first_difference(
    commands: list[Command], answers: list[dict[str, Any]], reasons: bool = False
) -> tuple[int, str, Any, Any] | None:
    """(index, what, model's, product's) of the first command after which the two differ."""
    model = Model()
    for index, command in enumerate(commands):
        mine = model.command(command)
        if index == len(answers):
            return index, "crash", mine, "no answer"
        answer = answers[index]
        theirs = answer.get("refused")
        if ("refused" in mine) != (theirs is not None):
            return index, "refused", mine, theirs or "accepted"
        if theirs is not None:
            if reasons and mine["refused"] != theirs["reason"]:
                return index, "reason", mine["refused"], theirs
            continue
        plans = tidy(model.plan()), tidy(answer.get("plan") or {"none": True})
        for key in {**plans[0], **plans[1]}:
            if plans[0].get(key) != plans[1].get(key):
                return index, key, plans[0].get(key), plans[1].get(key)
        seats = seats_of_model(model), seats_of_view(answer["view"])
        for no in sorted({*seats[0], *seats[1]}):
            if seats[0].get(no) != seats[1].get(no):
                return index, f"seat {no}", seats[0].get(no), seats[1].get(no)
    return None


def walks(first: int, last: int, length: int, rules: str | None) -> Iterator[list[Command]]:
    for seed in range(first, last):
        yield [command for _, command in walk(seed, length, rules)]


def main() -> None:
    first, last, length = (int(word) for word in (*sys.argv[1:4], "60")[:3])
    rules = sys.argv[4] if len(sys.argv) > 4 else None
    kinds: Counter[str] = Counter()
    for seed, batch in enumerate(walks(first, last, length, rules), start=first):
        found = first_difference(batch, replay(batch))
        if found is None:
            kinds["same"] += 1
            continue
        index, what, mine, theirs = found
        kinds[what.split()[0]] += 1
        sys.stdout.write(
            f"seed {seed} {batch[0]['rules']} seats {batch[0]['seats']} {what} after"
            f" {index}: {json.dumps(batch[index])}\n   model   {mine}\n   product {theirs}\n"
        )
    sys.stdout.write(f"{dict(kinds)}\n")


if __name__ == "__main__":
    main()
