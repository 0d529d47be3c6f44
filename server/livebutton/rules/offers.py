"""The answers an entrant may give, each with its price and its wait (making-up-blinds)."""

from livebutton.rules.entry import comes_in_free, dead_beside_big, price
from livebutton.rules.forecast import hands_until_dealt
from livebutton.rules.situation import Situation
from livebutton.rules.table import Choice, Offer, Seat, SeatNo


def choices(now: Situation, seat_no: SeatNo) -> tuple[Choice, ...]:
    """What he may choose, most eager first. Empty for a player of the rotation."""
    seat = now.seats[seat_no]
    house = now.house
    if not seat.player or seat.standing == "in" or house.tournament:
        return ()
    if seat.standing == "mover":
        return _mover_choices(seat)
    if seat.standing == "new":
        if seat.free_entry or not house.new_player_posts:
            return ()
        eager: Choice = "free" if comes_in_free(now, seat) else "post"
        found: tuple[Choice, ...] = (eager, "wait_big_blind", "wait_button")
    elif seat.barred:
        return ("wait_big_blind",)
    else:
        found = ("post", "wait_big_blind", "wait_button")
        if house.straddles:
            found += ("straddle",)
    if house.buy_button:
        found += ("buy_button",)
    return found


def _mover_choices(seat: Seat) -> tuple[Choice, ...]:
    """A mover's: wait for his old distance, post, or the place behind the button."""
    if seat.pass_free:
        return ("pass", "wait_big_blind")
    if seat.behind_only:
        return ("wait", "wait_button")
    if seat.not_before:
        return ("wait",)
    return ("wait", "post") if seat.wait_distance >= 0 else ("wait_button", "wait_big_blind")


def offers(now: Situation, seat_no: SeatNo) -> tuple[Offer, ...]:
    """Each choice with what it costs and how many hands are dealt before he plays one.

    `hands` is None for a choice that leads to no hand as things stand.
    """
    seat = now.seats[seat_no]
    found = []
    for choice in choices(now, seat_no):
        hands = hands_until_dealt(now, seat_no, choice)
        if choice == "wait_big_blind":
            live, dead = now.blinds.big, dead_beside_big(now, seat)
        else:
            _, live, dead = price(now, seat, choice)
        found.append(Offer(choice, live, dead, hands))
    return tuple(found)
