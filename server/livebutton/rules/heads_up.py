"""Two players: who has the button, and what becomes of the blinds when a third comes in."""

from livebutton.rules import ring
from livebutton.rules.dues import next_in_rotation, note_absentees
from livebutton.rules.entry import takes_big_in_turn
from livebutton.rules.situation import Move, Situation
from livebutton.rules.table import LastHand, SeatNo


def heads_up(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move:
    """Two of the rotation are left: who has the button (heads-up)."""
    first, second = rotation
    if now.house.heads_up_shrink == "button_forward":
        button = next_in_rotation(now, last.button)
    else:
        button = _never_big_twice(now, last, first, second)
    big = second if button == first else first
    return _two_handed(now, last, button, big)


def _never_big_twice(now: Situation, last: LastHand, first: SeatNo, second: SeatNo) -> SeatNo:
    for one, other in ((first, second), (second, first)):
        if _had_button(now, one):
            return other
    for one in (first, second):
        if _posted_last_big(now, one):
            return one
    ahead = ring.distance(now.count, last.big, first) or now.count
    return second if ahead < (ring.distance(now.count, last.big, second) or now.count) else first


def _had_button(now: Situation, seat_no: SeatNo) -> bool:
    return now.seats[seat_no].had_button


def _posted_last_big(now: Situation, seat_no: SeatNo) -> bool:
    seat = now.seats[seat_no]
    last = now.last
    return seat.posted == 0 and last is not None and (seat.posted_from or seat_no) == last.big


def _two_handed(now: Situation, last: LastHand, button: SeatNo, big: SeatNo) -> Move:
    found = Move(button, bigs=[big], heads_up=True, rule="heads-up")
    found.dues.append((button, 1))
    found.advanced = ring.distance(now.count, last.button, button)
    note_absentees(now, last, found)
    return found


def growth(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move | None:
    """A third came in where two had played; None where the ordinary policy decides."""
    how = now.house.growth
    if how == "obligations" or last.dealt_count != 2:
        return None
    pair = [seat_no for seat_no in rotation if now.seats[seat_no].dealt]
    if len(pair) != 2:
        return None
    big = next((seat_no for seat_no in pair if _posted_last_big(now, seat_no)), 0)
    if not big:
        return None
    old_button = pair[0] if big == pair[1] else pair[1]
    if not _had_button(now, old_button):
        return None
    third = next(
        (
            seat_no
            for seat_no in ring.around(now.count, big)
            if seat_no not in pair and (now.rotates[seat_no] or takes_big_in_turn(now, seat_no))
        ),
        0,
    )
    if not third:
        return None
    chain = len(now.blinds.chain)
    if how == "forward":
        found = Move(big, rule="heads-up")
        before_big = big
        if chain > 1:
            before_big = next(s for s in ring.around(now.count, big) if s in (old_button, third))
            found.dues.append((before_big, 1))
        found.bigs.append(
            next(
                seat_no
                for seat_no in ring.around(now.count, before_big)
                if seat_no != big and (now.rotates[seat_no] or takes_big_in_turn(now, seat_no))
            )
        )
    elif ring.is_between(now.count, big, third, old_button):
        found = Move(old_button, bigs=[third], dues=[(big, 1)][: chain - 1], rule="heads-up")
    else:
        found = Move(big, bigs=[third], dues=[(old_button, 1)][: chain - 1], rule="heads-up")
    found.advanced = ring.distance(now.count, last.button, found.button)
    note_absentees(now, last, found)
    return found
