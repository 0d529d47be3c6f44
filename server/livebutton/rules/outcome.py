"""One hand worked out: who has the button, who posts in turn, who comes in, who gets cards.

This is the whole of the judging that a plan and the forecast share; `plan` puts prices and words
to it, `settle` what it leaves behind.
"""

import msgspec

from livebutton.rules import ring
from livebutton.rules.entry import Entry, beside, entries
from livebutton.rules.rotation import move
from livebutton.rules.situation import Move, Situation, step_down
from livebutton.rules.table import SeatNo, Why


class Outcome(msgspec.Struct, gc=False):
    """A hand that can be dealt. `dealt` is in dealing order: left of the button first.

    `held` are those who are there and get no hand, and why.
    """

    found: Move
    entries: list[Entry]
    held: dict[SeatNo, Why]
    dealt: list[SeatNo]


def work_out_once(now: Situation) -> Outcome | None:
    """The next hand, or None when there is none. May step players of `now` down (see below).

    Movers who wait come in only where `now.ready` names them; `hands_ahead` finds that out.
    """
    found = move(now)
    while found is not None:
        away = _stands_down(now, found)
        if not away:
            break
        step_down(now, away)
        found = move(now)
    if found is None:
        return None
    came_in: list[Entry] = []
    held: dict[SeatNo, Why] = {}
    if not now.drawn and now.has_entrants():
        came_in, held = entries(now, found)
        if now.house.short_stack == "full_blind_or_no_hand" and not now.house.tournament:
            came_in = _in_full(now, came_in, held)
    dealt = [s for s in ring.where(now.present, found.button) if s not in held]
    if len(dealt) < 2 and held and now.house.tournament:
        # Everybody with chips is dealt in, and without them there is no hand: nobody is held out.
        came_in = [Entry(seat_no, "entry", 0, 0) for seat_no in held]
        held, dealt = {}, ring.where(now.present, found.button)
    return Outcome(found, came_in, held, dealt) if len(dealt) > 1 else None


def _in_full(now: Situation, came_in: list[Entry], held: dict[SeatNo, Why]) -> list[Entry]:
    """Those who can pay all of what they come in with; the others are held out."""
    able = []
    for entry in came_in:
        stack = now.seats[entry.seat].stack
        if stack is None or stack >= entry.live + entry.dead:
            able.append(entry)
        else:
            held[entry.seat] = "short_stack"
    return able


def _stands_down(now: Situation, found: Move) -> SeatNo:
    """A player whom his blind finds unwilling or unable, so that it passes him; 0 for none.

    He asked to sit out when the big blind next reaches him, or the house wants a full blind from
    everybody (all-in-blind, `full_blind_or_no_hand`) and his stack is short of it.
    """
    if now.house.tournament:
        return 0  # everybody with chips is dealt in
    for seat_no in found.bigs:
        if now.seats[seat_no].out_at_big_blind:
            now.stood_down += (seat_no,)
            return seat_no
    if now.house.short_stack != "full_blind_or_no_hand":
        return 0
    due = [(seat_no, 0) for seat_no in found.bigs] + found.dues
    for seat_no, depth in due:
        seat, amount = now.seats[seat_no], now.blinds.amount(depth, heads_up=found.heads_up)
        if seat.stack is not None and seat.stack < amount + beside(now, seat, depth):
            now.too_short += (seat_no,)
            return seat_no
    return 0
