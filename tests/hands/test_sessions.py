"""Whole sessions that people played: button, blinds, posts, who plays and who is first.

Each is replayed under the preset of its site: six under `pokerstars`, six under `pokernow`, and
Bovada's under `las-vegas`. `las-vegas` is put to PokerNow's as well, for both have a dead button:
what differs there is what newcomers pay, which is checked by its own prices, and which of the last
two gets the button. PokerStars has another button policy, and nothing to say about `las-vegas`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from livebutton.demo.sessions import Expectation, commands_of
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.refusals import Refused
from livebutton.rules.table import HandPlan, Table

LINES = (Path(__file__).parent / "sessions.jsonl").read_text("utf-8").splitlines()
SESSIONS = [json.loads(line) for line in LINES]
# (session, hand): the site goes on where rulings.md says that there is no hand. Two of the last
# three players leave and a newcomer sits down, so one player of the rotation is left.
MISSES = {(7, 149)}
HANDS = 1_346
# Under `las-vegas`: the same one, and twice three become two where PokerNow's button goes forward
# (`button_forward`) to him whom `las-vegas` spares the big blind twice running.
LAS_VEGAS_MISSES = {(7, 149), (9, 180), (12, 35)}
DEAD_BUTTON_HANDS = 937
# Refused, all three, where there is no hand.
NO_HAND = ("shuffle", "deal", "end_hand")


def played(plan: HandPlan | None) -> dict[str, Any]:
    """A committed plan in the terms of an expectation."""
    if plan is None:
        return {}
    posts = plan.posts
    dead_beside_big = {p.seat: (0, p.dead) for p in posts if p.kind == "big" and p.dead}
    entries = {
        p.seat: (p.live, p.dead)
        for p in posts
        if p.kind in ("entry", "make_up") and p.live + p.dead
    }
    return {
        "button": plan.button,
        "small": [p.seat for p in posts if p.kind == "small"],
        "big": [p.seat for p in posts if p.kind == "big"],
        "entries": dead_beside_big | entries,
        "straddles": {p.seat: p.live for p in posts if p.kind == "straddle"},
        "dealt": tuple(sorted(plan.dealt)),
        "first": plan.first_to_act,
    }


def wanted(expected: Expectation, plan: HandPlan | None) -> dict[str, Any]:
    """What `played` has to give. A button on an empty seat has no number on the sites."""
    is_dead = expected.button is None and plan is not None and plan.button not in plan.dealt
    return {
        "button": plan.button if is_dead and plan is not None else expected.button,
        "small": [expected.small] if expected.small is not None else [],
        "big": [expected.big],
        "entries": expected.entries,
        "straddles": expected.straddles,
        "dealt": expected.dealt,
        "first": expected.first,
    }


def after(table: Table | None, step: dict[str, Any]) -> Table | None:
    """The table after a command, which may be refused only where the conversion says so."""
    command = decode_command(step)
    try:
        return record(table, command, decide(table, command))
    except Refused as refused:
        assert table is not None
        is_no_hand = table.play.phase == "between_hands" and step["type"] in NO_HAND
        if step["type"] != "choose" and not is_no_hand:
            raise AssertionError(f"{step}: {refused}") from refused
        return table


def misses(session: dict[str, Any]) -> tuple[int, dict[int, Any]]:
    """How many hands were compared, and those that came out differently."""
    table: Table | None = None
    compared = 0
    different: dict[int, Any] = {}
    for step in commands_of(session, table="t1"):
        if isinstance(step, Expectation):
            assert table is not None
            compared += 1
            plan = table.play.plan if table.play.phase == "in_hand" else None
            got, want = played(plan), wanted(step, plan)
            if got != want:
                different[step.hand] = {key: (want[key], got.get(key)) for key in want}
        else:
            table = after(table, step)
    return compared, different


@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_every_hand_of_a_session_comes_out_as_it_did(number: int) -> None:
    _, different = misses(SESSIONS[number])
    explained = {hand for session, hand in MISSES if session == number}
    assert set(different) == explained, different


def test_no_hand_is_left_out() -> None:
    compared = [misses(session)[0] for session in SESSIONS]
    assert len(SESSIONS) == 13
    assert sum(compared) == HANDS == sum(len(session["hands"]) - 1 for session in SESSIONS)


# -- las-vegas at every table with a dead button -------------------------------------------------


def prices(table: Table) -> dict[int, tuple[int, int]]:
    """What each who is not in the rotation pays to come in at once: live and dead.

    From the rule text: big live and small dead, a missed small dead; a newcomer a live big, where
    more than five play.
    """
    stakes = table.setup.stakes
    playing = [s for s in table.seats if s.standing == "in" and s.player and not s.sitting_out]
    found = {}
    for seat_no, seat in enumerate(table.seats, 1):
        if seat.owes:
            found[seat_no] = (stakes.big if seat.owes.big else 0, stakes.small)
        elif seat.standing == "new" and len(playing) > 5:
            found[seat_no] = (stakes.big, 0)
    return found


def all_post(table: Table) -> Table | None:
    """Everybody who could come in says that he posts."""
    asked = [
        seat_no
        for seat_no, seat in enumerate(table.seats, 1)
        if seat.player and seat.standing != "in" and not seat.sitting_out
    ]
    for seat_no in asked:
        if table.seat(seat_no).choice != "post":
            again = after(table, {"type": "choose", "seat": seat_no, "choice": "post"})
            assert again is not None
            table = again
    return table


def misses_under_las_vegas(session: dict[str, Any]) -> tuple[int, dict[int, Any]]:
    """As `misses`. Where the button went elsewhere the floor puts it right, and play goes on."""
    table: Table | None = None
    before: dict[int, tuple[int, int]] = {}
    compared = 0
    different: dict[int, Any] = {}
    for step in commands_of(session, table="t1"):
        if isinstance(step, Expectation):
            assert table is not None
            compared += 1
            plan = table.play.plan if table.play.phase == "in_hand" else None
            got, want = played(plan), wanted(step, plan)
            entered = {seat: price for seat, price in before.items() if seat in step.dealt}
            want["entries"] = {seat: p for seat, p in entered.items() if seat != step.big}
            if got != want:
                different[step.hand] = {key: (want[key], got.get(key)) for key in want}
            if plan is not None and got["button"] != want["button"]:
                table = after(table, {"type": "correct_button", "button": want["button"]})
            continue
        if step["type"] == "open_table":
            step = {key: value for key, value in step.items() if key != "house"}
            step["rules"] = "las-vegas"
        if table is not None and step["type"] == "shuffle":
            table = all_post(table)
            assert table is not None
            before = prices(table)
        table = after(table, step)
    return compared, different


def test_las_vegas_moves_the_button_as_every_dead_button_site_did() -> None:
    """Hand by hand; at least 99.5 % of them, and each of the others explained."""
    compared = 0
    different = set()
    for number, session in enumerate(SESSIONS):
        if session["site"] == "PokerStars":
            continue
        hands, missed = misses_under_las_vegas(session)
        compared += hands
        different |= {(number, hand) for hand in missed}
    assert different == LAS_VEGAS_MISSES
    assert compared == DEAD_BUTTON_HANDS
    assert len(different) <= compared * 0.005
