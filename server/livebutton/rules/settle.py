"""What the first card leaves behind: who is in the rotation now, who owes, who waits on.

`settle` is used twice: by the deal, to say what it changed, and by the forecast, to carry the
rotation on through hands nobody has dealt yet.
"""

import msgspec

from livebutton.rules import ring
from livebutton.rules.dues import position
from livebutton.rules.entry import button_passes
from livebutton.rules.outcome import Outcome
from livebutton.rules.situation import Move, Situation, are_reached
from livebutton.rules.table import NOTHING_OWED, LastHand, Owes, Place, Seat, SeatNo

replace = msgspec.structs.replace

CLEARED = {
    "standing": "in",
    "owes": NOTHING_OWED,
    "choice": "",
    "free_entry": False,
    "barred": False,
    "let_big_pass": False,
    "untried": False,
    "wait_distance": -1,
    "not_before": 0,
    "behind_only": False,
    "pass_free": False,
}


def last_hand(now: Situation, done: Outcome) -> LastHand:
    """Where this hand has its button and blinds, for the next one to start from."""
    found = done.found
    places = [Place(seat_no, 0) for seat_no in found.bigs]
    for seat_no, depth in found.dues:
        # A dead button goes on by the seat that a mover left, the others by where he sits.
        by_place = now.house.button == "dead_button" and found.rule != "heads-up"
        place = position(now, seat_no, depth) if by_place else seat_no
        places.append(Place(place, depth))
    places += [Place(seat_no, depth) for seat_no, depth in found.dead + found.kept]
    if found.buyer and now.last is not None:
        # The button was bought: next hand it is the buyer's, and the big blind goes on from
        # where it was.
        places = [p for p in now.last.places if p.depth == 0] + [Place(found.buyer, 1)]
    return LastHand(found.button, found.big, in_seat_order(places), len(done.dealt))


def in_seat_order(places: list[Place]) -> tuple[Place, ...]:
    """The blinds' places as a last hand keeps them: the same hand, the same value."""
    return tuple(sorted(places, key=lambda place: place.seat))


def settle(now: Situation, done: Outcome) -> dict[SeatNo, Seat]:
    """The seats that the first card changes, as they are after it."""
    found = done.found
    posted = dict.fromkeys(found.bigs, 0) | dict(found.dues)
    if found.buyer:
        posted = {s: 0 for s, seat in enumerate(now.seats) if seat.posted == 0}
    missed, drawn = _missed(now, done), now.drawn
    entered = {*found.bigs, *[entry.seat for entry in done.entries]}
    dealt = set(done.dealt)
    button = found.button if found.button in dealt else 0
    changed: dict[SeatNo, Seat] = {}
    for seat_no, seat in enumerate(now.seats):
        if not seat.player:
            continue
        is_dealt, depth = seat_no in dealt, posted.get(seat_no, -1)
        if (
            seat.posted != depth
            or seat.dealt != is_dealt
            or seat.had_button != (seat_no == button)
            or seat.posted_from
            or seat.carries
            or seat.deal_me_in
            or seat.button_forfeited
            or seat.out_at_big_blind
        ):
            after = _after(now, done, seat_no, is_dealt, depth)
        elif is_dealt and seat.standing == "in" and not drawn:
            continue  # most seats of most hands: nothing to record
        else:
            after = seat
        if seat_no in missed:
            # What he has chosen stands until he is dealt in.
            after = replace(after, standing="returning", owes=missed[seat_no], posted=-1)
        else:
            after = _as_dealt(now, done, seat_no, after, is_in=seat_no in entered)
        if after is not seat and after != seat:
            changed[seat_no] = after
    for seat_no in _forgotten(now, found):
        after = changed.get(seat_no, now.seats[seat_no])
        changed[seat_no] = replace(after, left_by="", left_owing=NOTHING_OWED)
    return changed


def _forgotten(now: Situation, found: Move) -> list[SeatNo]:
    """The seats that the big blind has passed since somebody left them: his debt is forgotten."""
    left = [seat_no for seat_no, seat in enumerate(now.seats) if seat.left_by]
    if now.last is None or now.drawn or not left:
        return left
    start = now.last.big
    return [s for s in left if s in found.bigs or ring.is_between(now.count, start, s, found.big)]


def _as_dealt(now: Situation, done: Outcome, seat_no: SeatNo, after: Seat, *, is_in: bool) -> Seat:
    """The seat with what being dealt in, or not, makes of his place in the rotation.

    `is_in`: he has posted a big blind, or come in.
    """
    if now.drawn and not after.dealt:
        return replace(after, **(CLEARED | {"standing": "new", "free_entry": after.free_entry}))
    if after.dealt and (now.drawn or is_in or after.standing != "in"):
        forfeited = after.button_forfeited or _between_blinds(now, done, seat_no)
        return replace(after, **CLEARED, button_forfeited=forfeited)
    if after.standing == "new" and seat_no in done.found.passed and _lets_pass(now, seat_no):
        return replace(after, let_big_pass=True)
    return after


def _lets_pass(now: Situation, seat_no: SeatNo) -> bool:
    """Away, or waiting for the button: the big blind was his to take."""
    return not now.present[seat_no] or now.seats[seat_no].choice == "wait_button"


def _after(now: Situation, done: Outcome, seat_no: SeatNo, is_dealt: bool, posted: int) -> Seat:
    """The seat with what every hand changes: what he posted, and words that held for one hand."""
    seat = now.seats[seat_no]
    has_button = is_dealt and seat_no == done.found.button
    is_carried = (posted > 0 and now.house.button == "dead_button") or done.found.buyer
    stood_down = seat_no in now.stood_down
    # Present or not: until the button has passed him it is not his.
    forfeited = (
        seat.button_forfeited and not now.drawn and not button_passes(now, done.found, seat_no)
    )
    return replace(
        seat,
        posted=posted,
        posted_from=seat.posted_from if is_carried else 0,
        carries=False,
        dealt=is_dealt,
        had_button=has_button,
        deal_me_in=False,
        button_forfeited=forfeited,
        sitting_out=seat.sitting_out or stood_down,
        out_at_big_blind=seat.out_at_big_blind and not stood_down,
    )


def _missed(now: Situation, done: Outcome) -> dict[SeatNo, Owes]:
    """Who owes what from this hand on (missed-blinds, leaving-on-small-blind)."""
    found = done.found
    owing: dict[SeatNo, Owes] = {}
    if now.house.tournament or now.drawn:
        return owing
    for seat_no, depth in found.let_down:
        # Out of the rotation he will not be asked for the blinds below it: he owes those too.
        kinds = {now.blinds.kind(d) for d in range(depth, len(now.blinds.chain))}
        owing[seat_no] = Owes(small="small" in kinds, middle="middle" in kinds)
    for seat_no in missed_the_big(now, found):
        owing[seat_no] = all_owed(len(now.blinds.chain))
    return owing


def missed_the_big(now: Situation, found: Move) -> list[SeatNo]:
    """Who was away as the big blind went past him, and owes for it (missed-blinds)."""
    if now.house.tournament:
        return []
    return [
        seat_no
        for seat_no in found.passed
        if now.seats[seat_no].player
        and not now.present[seat_no]
        and now.seats[seat_no].standing in ("in", "returning")
        and not now.seats[seat_no].button_forfeited
    ]


def all_owed(chain: int) -> Owes:
    """Every blind of a chain that long: nobody ever owes only the big one."""
    return Owes(big=True, small=chain > 1, middle=chain > 2)


def _between_blinds(now: Situation, done: Outcome, seat_no: SeatNo) -> bool:
    """He posted between the button and the big blind, so he gets no hand on the button."""
    found = done.found
    return (
        now.house.entry_between_blinds
        and seat_no not in found.bigs
        and not now.drawn
        and now.seats[seat_no].standing != "in"
        and ring.is_between(now.count, found.button, seat_no, found.big)
    )


def picked_up(now: Situation, done: Outcome) -> list[SeatNo]:
    """New players who let the big blind pass them, and now the button (new-players)."""
    if now.last is None or now.house.tournament:
        return []
    return [
        seat_no
        for seat_no, seat in enumerate(now.seats)
        if seat.let_big_pass
        and seat.player
        and seat.standing == "new"
        and seat_no not in done.dealt
        and button_passes(now, done.found, seat_no)
    ]


def free_hands_after(now: Situation) -> int:
    """How long newcomers to a new game still come in free after this hand.

    -1 is until every seat is taken; who took the last one has had his free hand by then.
    """
    left = now.free_hands - 1 if now.free_hands > 0 else now.free_hands
    if now.drawn:
        free = now.house.new_game_free_hands
        left = -1 if free == "until_full" else int(free)
    return 0 if left < 0 and all(seat.player for seat in now.seats[1:]) else left


def carry_on(now: Situation, done: Outcome) -> None:
    """Make `now` the situation after this hand has been dealt, if nobody moves."""
    free_hands = free_hands_after(now)
    last = last_hand(now, done)
    for seat_no in picked_up(now, done):
        now.present[seat_no] = False
    for seat_no, seat in settle(now, done).items():
        now.seats[seat_no] = seat
        if seat.sitting_out and not now.house.tournament:
            now.present[seat_no] = False
    now.rotates = are_reached(now.seats, now.present, now.house)
    now.last = last
    now.drawn = 0
    now.put_right = 0
    now.raises = ()
    now.hand += 1
    now.ready = ()
    now.free_hands = free_hands
