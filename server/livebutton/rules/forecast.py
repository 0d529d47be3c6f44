"""What the coming hands bring, if nobody moves: found by playing them, never by a formula."""

import msgspec

from livebutton.rules.hands_ahead import ComingHands, Hand
from livebutton.rules.situation import Situation, copy
from livebutton.rules.table import Choice, SeatNo


class Forecast(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Hands dealt before the one in which a seat posts the big blind, the small, has the button.

    0 is the next hand. None where it does not come within two orbits.
    """

    big: int | None = None
    small: int | None = None
    button: int | None = None


def forecast(coming: ComingHands) -> dict[SeatNo, Forecast]:
    """When button and blinds reach each seat that is present or on its way in."""
    big: dict[SeatNo, int] = {}
    small: dict[SeatNo, int] = {}
    button: dict[SeatNo, int] = {}
    seats = [seat_no for seat_no, here in enumerate(coming.start.present) if here]
    wanted = set(seats)
    for hands, hand in enumerate(coming):
        _note(hand, hands, big, small, button)
        if wanted <= button.keys() and wanted <= big.keys() and wanted <= small.keys():
            break
    return {s: Forecast(big.get(s), small.get(s), button.get(s)) for s in seats}


def _note(
    hand: Hand,
    hands: int,
    big: dict[SeatNo, int],
    small: dict[SeatNo, int],
    button: dict[SeatNo, int],
) -> None:
    found = hand.done.found
    for seat_no in found.bigs:
        big.setdefault(seat_no, hands)
    for seat_no, depth in found.dues:
        if found.heads_up or hand.now.blinds.kind(depth) == "small":
            small.setdefault(seat_no, hands)
    if found.button in hand.done.dealt:
        button.setdefault(found.button, hands)


def hands_until_dealt(before: Situation, seat_no: SeatNo, choice: Choice) -> int | None:
    """How many hands are dealt before he gets one if he answers so; None where he never does."""
    ahead = copy(before)
    ahead.seats[seat_no] = msgspec.structs.replace(ahead.seats[seat_no], choice=choice)
    for hands, hand in enumerate(ComingHands(ahead)):
        if seat_no in hand.done.dealt:
            return hands
    return None
