"""Hands nobody has dealt yet: the next one, and those after it if nobody moves."""

import msgspec

from livebutton.rules.outcome import Outcome, work_out_once
from livebutton.rules.settle import carry_on
from livebutton.rules.situation import Situation, copy, rotates
from livebutton.rules.table import SeatNo

__all__ = ["carry_on", "hands_until_big", "horizon", "work_out"]


def work_out(now: Situation) -> Outcome | None:
    """The next hand, or None when there is none, with the movers whose wait is over."""
    if now.has_movers:
        now.ready = tuple(
            seat_no
            for seat_no, seat in enumerate(now.seats)
            if seat.standing == "mover" and now.present[seat_no] and _wait_is_over(now, seat_no)
        )
    return work_out_once(now)


def horizon(now: Situation) -> int:
    """How many hands ahead is far enough: two orbits, and the wait for a dead button."""
    return 2 * now.count + 4


def _wait_is_over(now: Situation, seat_no: SeatNo) -> bool:
    """Whether a mover is as near the big blind again as he was before he moved (seat-changes)."""
    seat = now.seats[seat_no]
    if seat.choice not in ("", "wait") or now.hand < seat.not_before:
        return False
    hands = hands_until_big(now, seat_no)
    return hands is not None and hands <= seat.wait_distance


def hands_until_big(now: Situation, seat_no: SeatNo) -> int | None:
    """A seat's distance: hands until the big blind reaches it, if nobody moves.

    It is a matter of seats: that he is out of chips, or will sit out then, changes nothing.
    """
    ahead = copy(now)
    there = msgspec.structs.replace(
        ahead.seats[seat_no], sitting_out=False, out_at_big_blind=False, stack=None
    )
    ahead.seats[seat_no] = there
    ahead.present[seat_no] = True
    ahead.rotates[seat_no] = rotates(there, True, now.house)
    for other, seat in enumerate(ahead.seats):
        if seat.standing == "mover" and seat.choice in ("", "wait"):
            ahead.seats[other] = msgspec.structs.replace(seat, choice="wait_big_blind")
    for hands in range(horizon(now)):
        done = work_out_once(ahead)
        if done is None:
            return None
        if seat_no in done.found.bigs:
            return hands
        carry_on(ahead, done)
    return None
