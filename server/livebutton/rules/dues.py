"""The blinds below the big one: who owes which from last hand, and who is not there to post it."""

from livebutton.rules import ring
from livebutton.rules.situation import Move, Situation
from livebutton.rules.table import LastHand, SeatNo


def next_in_rotation(now: Situation, start: SeatNo) -> SeatNo:
    """The first player clockwise of a seat whom button and blinds reach. There is one."""
    return next(seat_no for seat_no in ring.around(now.count, start) if now.rotates[seat_no])


def carrier(now: Situation, place: SeatNo, depth: int) -> SeatNo:
    """The seat of the player who posted there last hand, wherever he sits now; 0 if gone."""
    at_home = now.seats[place]
    if at_home.player and at_home.posted == depth and at_home.posted_from in (0, place):
        return place
    moved = 0
    for seat_no, seat in enumerate(now.seats):
        if seat.player and seat.posted == depth and seat.posted_from == place:
            moved = seat_no
    if now.house.tournament and now.present[place] and not now.present[moved]:
        return place  # who sits there now takes what is due at his seat
    return moved


def is_carried(now: Situation, place: SeatNo, depth: int) -> bool:
    """Whether a blind due at that place is brought along to another seat by who owes it."""
    seat_no = carrier(now, place, depth)
    return seat_no not in (0, place) and now.rotates[seat_no]


def position(now: Situation, seat_no: SeatNo, depth: int) -> SeatNo:
    """The place of a smaller blind: where he posted the one before, also if he has moved since."""
    seat = now.seats[seat_no]
    return seat.posted_from if seat.posted == depth - 1 and seat.posted_from else seat_no


def smallest_place(now: Situation, last: LastHand, chain: int) -> SeatNo:
    """Where last hand had the smallest blind of a chain that long: the button follows it.

    The button stays while one blind more is collected than last hand, as it does when a third
    comes to two. Another policy may have left two such blinds, or a dead one behind the button
    and a second big blind in its place.
    """
    reach = ring.distance(now.count, last.button, last.big) or now.count
    steps = [(ring.distance(now.count, place.seat, last.big), place.depth) for place in last.places]
    smallest = [at for at, depth in steps if depth == chain - 1]
    nearest = [at for at in smallest if at <= reach]
    if not nearest and chain == 2:
        nearest = [at for at, _ in steps if 0 < at < reach]
    nearest = nearest or smallest
    return ring.step(now.count, last.big, -min(nearest)) if nearest else last.button


def settle_dues(now: Situation, last: LastHand, found: Move, chain: int) -> None:
    """Fill in who posts a smaller blind, whose is dead, and who let one down.

    Who posted depth d last hand is due depth d+1 now (posting-blinds 1); who is due both posts
    the big blind only (posting-blinds 3). Depths beyond the chain have dropped out.
    """
    for place in last.places:
        depth = place.depth + 1
        if depth >= len(now.blinds.chain):
            continue
        seat_no = carrier(now, place.seat, place.depth)
        if seat_no and now.rotates[seat_no]:
            if depth < chain and seat_no not in found.bigs:
                found.dues.append((seat_no, depth))
            elif depth < chain and now.house.button == "dead_button":
                # He posts the big one now; the button follows the place all the same.
                found.kept.append((place.seat, depth))
            continue
        if depth < chain:
            found.dead.append((place.seat, depth))
        # As heads-up, an absentee owes also what so few players cannot collect.
        if seat_no and now.seats[seat_no].standing == "in":
            found.let_down.append((seat_no, depth))


def chain_length(now: Situation, dealt: int) -> int:
    """How many blinds of the chain are collected: with few players the smallest drop out."""
    return min(len(now.blinds.chain), max(2, dealt - 1))


def note_absentees(now: Situation, last: LastHand, found: Move) -> None:
    """Between the old big blind and the new one it was missed; its last poster misses the next."""
    ahead = ring.around(now.count, last.big)
    found.passed += ahead[: ahead.index(found.big)]
    for place in last.places:
        if place.depth + 1 >= len(now.blinds.chain):
            continue
        seat_no = carrier(now, place.seat, place.depth)
        if seat_no and now.seats[seat_no].standing == "in" and not now.present[seat_no]:
            found.let_down.append((seat_no, place.depth + 1))
