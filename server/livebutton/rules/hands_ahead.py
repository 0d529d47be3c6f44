"""Hands nobody has dealt yet: the next one, and those after it if nobody moves."""

from collections.abc import Iterator

import msgspec

from livebutton.rules.memo import per_table
from livebutton.rules.outcome import Outcome, work_out_once
from livebutton.rules.settle import carry_on
from livebutton.rules.situation import Situation, copy, rotates, situation
from livebutton.rules.table import SeatNo, Table


class Hand(msgspec.Struct, frozen=True, gc=False):
    """One of the coming hands: as things stood `before` it, and how it was worked out.

    In `now` whoever it finds unwilling or unable to post has stood down.
    """

    before: Situation
    now: Situation
    done: Outcome


class ComingHands:
    """The coming hands if nobody moves, each worked out once, as far as anybody has asked.

    `now` and `done` are the next one's, `done` None where it cannot be dealt. Iterating ends
    where no hand can be dealt, or at the horizon. Readers change nothing: they play on with copies.
    """

    __slots__ = ("_hands", "_horizon", "done", "now", "start")

    def __init__(self, start: Situation) -> None:
        self.start = start
        self.now = copy(start)
        self.done = work_out(self.now)
        self._horizon = horizon(start)
        self._hands = [] if self.done is None else [Hand(start, self.now, self.done)]

    def __iter__(self) -> Iterator[Hand]:
        for hands in range(self._horizon if self._hands else 0):
            if hands == len(self._hands) and not self._one_more():
                return
            yield self._hands[hands]

    def _one_more(self) -> bool:
        """Work out one hand more, and whether there is one."""
        last = self._hands[-1]
        before = copy(last.now)
        carry_on(before, last.done)
        now = copy(before)
        done = work_out(now)
        if done is not None:
            self._hands.append(Hand(before, now, done))
        return done is not None


@per_table
def coming_hands(table: Table) -> ComingHands:
    """The coming hands at a table, from its next one on."""
    return ComingHands(situation(table))


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
    return hands_until_big(now, seat_no, seat.wait_distance) is not None


def hands_until_big(now: Situation, seat_no: SeatNo, within: int | None = None) -> int | None:
    """A seat's distance: hands until the big blind reaches it, if nobody moves.

    It is a matter of seats: that he is out of chips, or will sit out then, changes nothing.
    None where it does not come within two orbits, or `within` so many hands.
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
    for hands in range(horizon(now) if within is None else within + 1):
        done = work_out_once(ahead)
        if done is None:
            return None
        if seat_no in done.found.bigs:
            return hands
        carry_on(ahead, done)
    return None
