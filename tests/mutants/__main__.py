"""Try the mutants of the rules: `python -m tests.mutants [PART] [--draw N] [--seed SEED]`.

Every mutant, or those whose module and function contain PART, or N drawn ones. What was found is
kept in `.cache`, so that a run that was ended goes on. Fails when a mutant survives that is not
in survivors.toml, and when fewer than 90 % of all are killed; entries of the list that are out of
date are told.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import time
from itertools import islice

import pytest

from tests.mutants.hunting import OPTIONS, SUITE, SURVIVED, Hunt, Tried
from tests.mutants.making import ROOT, Change, Mutant, all_sites, distinct
from tests.mutants.survivors import entries_for, read_list

KEPT = ROOT / ".cache" / "mutants.jsonl"
# What the outcome hangs on; anything else changed leaves it as it was.
SOURCES = (
    "server/livebutton/*.py",
    "server/livebutton/rules/*.py",
    "tests/hands/*",
    "tests/model/*.py",
    "tests/mutants/*.py",
    "tests/rules/*.py",
    "tests/scenarios/*.toml",
)
LEAST_KILLED = 0.9


def main(words: list[str]) -> int:
    asked = parsed(words)
    sites = [site for site in all_sites() if asked.part in f"{site.module}.{site.name}"]
    listed = read_list()
    if asked.draw:
        seed = asked.seed or commit()
        say(f"{asked.draw} of {len(sites)} mutants, drawn with --seed {seed}")
        random.Random(seed).shuffle(sites)
        killable = (mutant for mutant in distinct(sites) if mutant.change not in listed)
        return verdict(hunt(list(islice(killable, asked.draw)), {}, keep=False), listed)
    mutants = list(distinct(sites))
    known, killers = recall(digest())
    left = [mutant for mutant in mutants if mutant.change not in known]
    # What nobody has tried yet first, and last what takes longest: what survived before.
    left.sort(key=lambda mutant: (mutant.change in killers, not killers.get(mutant.change)))
    say(f"{len(mutants)} mutants, {len(mutants) - len(left)} of them tried before")
    known |= hunt(left, killers, keep=True)
    tried = {mutant.change: known[mutant.change] for mutant in mutants}
    return verdict(tried, listed, is_whole=not asked.part)


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("part", nargs="?", default="", help="only where module.function has this")
    parser.add_argument("--draw", type=int, default=0, help="try so many, drawn by chance")
    parser.add_argument("--seed", default="", help="of the drawing; else the commit")
    return parser.parse_args(words)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def commit() -> str:
    """The commit checked out, or the day where this is no checkout."""
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or time.strftime("%Y-%m-%d")


def digest() -> str:
    """Names the state of everything that the outcome hangs on."""
    summed = hashlib.sha256()
    found = {path for pattern in SOURCES for path in ROOT.glob(pattern) if path.is_file()}
    for path in sorted(found):
        summed.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return summed.hexdigest()[:16]


def recall(state: str) -> tuple[dict[Change, str], dict[Change, str]]:
    """What is known of this state, and who killed what in any state before."""
    known: dict[Change, str] = {}
    killers: dict[Change, str] = {}
    for line in KEPT.read_text("utf-8").splitlines() if KEPT.exists() else ():
        of_state, change, killer = json.loads(line)
        killers[Change(*change)] = killer
        if of_state == state:
            known[Change(*change)] = killer
    return known, killers


def hunt(mutants: list[Mutant], killers: dict[Change, str], *, keep: bool) -> dict[Change, str]:
    """Try mutants and tell how it goes; `keep` writes each outcome down at once."""
    tried: dict[Change, str] = {}
    state, began = digest(), time.monotonic()
    KEPT.parent.mkdir(exist_ok=True)

    def tell(one: Tried) -> None:
        tried[one.change] = one.killer
        if keep:
            with KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps([state, one.change, one.killer]) + "\n")
        if one.killer == SURVIVED:
            say(f"survived: {one.change}")
        if len(tried) % 50 == 0:
            say(f"{len(tried)} of {len(mutants)} tried in {time.monotonic() - began:.0f} s")

    if mutants:
        pytest.main([*OPTIONS, *SUITE], plugins=[Hunt(mutants, tell, say, killers)])
        if len(tried) < len(mutants):
            sys.exit("the hunt broke off: see above")
    return tried


def verdict(tried: dict[Change, str], listed: dict[Change, str], *, is_whole: bool = False) -> int:
    """Say what came of it; 0 when all is well. `is_whole`: judge too the list and the share."""
    alive = [change for change, killer in tried.items() if killer == SURVIVED]
    strays = [change for change in alive if change not in listed]
    ok = not strays
    if strays:
        say(f"\nNo test kills these. Write one, or list them with a reason:\n{entries_for(strays)}")
    for module in dict.fromkeys(change.module for change in tried):
        of_it = [change for change in tried if change.module == module]
        killed = sum(tried[change] != SURVIVED for change in of_it)
        say(f"{module}: {killed} of {len(of_it)} killed, {len(of_it) - killed} survive")
    share = 1 - len(alive) / max(1, len(tried))
    say(f"all: {len(tried) - len(alive)} of {len(tried)} killed, {share:.1%}")
    if is_whole:
        stale = [change for change in listed if change not in alive]
        for change in stale:
            what = "is killed" if change in tried else "is no mutant any more"
            say(f"On the list, but {what}:\n{change}")
        ok = ok and share >= LEAST_KILLED
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
