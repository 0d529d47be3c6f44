"""The answers an entrant may give, each with its price and its wait (making-up-blinds)."""

import msgspec

from livebutton.rules.entry import comes_in, comes_in_free, dead_beside_big, price
from livebutton.rules.forecast import hands_until_dealt
from livebutton.rules.hands_ahead import ComingHands, Hand
from livebutton.rules.situation import Situation, copy
from livebutton.rules.table import Choice, Offer, Seat, SeatNo


def choices(now: Situation, seat_no: SeatNo) -> tuple[Choice, ...]:
    """What he may choose, most eager first. Empty for a player of the rotation."""
    seat = now.seats[seat_no]
    house = now.house
    if not seat.player or seat.standing == "in" or house.tournament:
        return ()
    if seat.standing == "mover":
        return _mover_choices(seat)
    if seat.barred:
        return ("wait_big_blind",)
    if seat.standing == "new":
        if seat.free_entry or not house.new_player_posts:
            return ()
        eager: Choice = "free" if comes_in_free(now, seat) else "post"
        found: tuple[Choice, ...] = (eager, "wait_big_blind", "wait_button")
    else:
        found = ("post", "wait_big_blind", "wait_button")
        if house.straddles:
            found += ("straddle",)
    if house.buy_button:
        found += ("buy_button",)
    return found


def open_answers(now: Situation, seat_no: SeatNo) -> tuple[Choice, ...]:
    """What he may answer: who comes in free may also say that he posts."""
    offered = choices(now, seat_no)
    return (*offered, "post") if "free" in offered else offered


def _mover_choices(seat: Seat) -> tuple[Choice, ...]:
    """A mover's: wait for his old distance, post, or the place behind the button."""
    if seat.pass_free:
        return ("pass", "wait_big_blind")
    if seat.behind_only:
        return ("wait", "wait_button")
    if seat.not_before:
        return ("wait",)
    if seat.wait_distance < -1:
        return ("wait_button",)
    return ("wait", "post") if seat.wait_distance >= 0 else ("wait_button", "wait_big_blind")


Waits = dict[tuple[SeatNo, Choice], int | None]


def waits(coming: ComingHands, asked: list[SeatNo]) -> Waits:
    """How many hands are dealt before those asked get one, by seat and answer; None for never.

    Until an entrant is dealt in, what he has answered changes nothing for the others, unless he
    lets the big blind go by. So each answer is tried on the coming hands as they are if nobody
    answers; only from the hand on that it makes another one of do they go on by themselves.
    """
    found: Waits = {}
    answers = [(seat_no, choice) for seat_no in asked for choice in choices(coming.now, seat_no)]
    open_ones = answers if _wait_alone(coming.now) else []
    open_ones = [each for each in open_ones if coming.now.seats[each[0]].standing != "mover"]
    for hands, hand in enumerate(coming if open_ones else ()):
        dealt = hand.done.dealt
        for seat_no, choice in open_ones:
            if comes_in(hand.now, hand.done.found, dealt, (seat_no, choice)):
                found[seat_no, choice] = hands
            elif seat_no in dealt or _lets_go_by(hand, seat_no, choice):
                later = hands_until_dealt(hand.before, seat_no, choice)
                found[seat_no, choice] = None if later is None else hands + later
        open_ones = [each for each in open_ones if each not in found]
        if not open_ones:
            break
    for seat_no, choice in answers:
        if (seat_no, choice) not in found:
            found[seat_no, choice] = hands_until_dealt(coming.start, seat_no, choice)
    return found


def _lets_go_by(hand: Hand, seat_no: SeatNo, choice: Choice) -> bool:
    """Whether by that answer he lets the big blind go past him on a hand it passes him anyhow.

    A new player who does is picked up when the button passes him too (new-players).
    """
    return choice == "wait_button" and seat_no in hand.done.found.passed


def _wait_alone(now: Situation) -> bool:
    """Whether an answer changes nothing for the others, neither whose blind it is nor a price."""
    house = now.house
    return sum(now.rotates) >= 3 and not house.buy_button and house.short_stack == "all_in"


def offers(now: Situation, seat_no: SeatNo, waits: Waits) -> tuple[Offer, ...]:
    """Each choice with what it costs and how many hands are dealt before he plays one."""
    seat = now.seats[seat_no]
    return tuple(
        offer(now, seat, choice, waits[seat_no, choice]) for choice in choices(now, seat_no)
    )


def offer(now: Situation, seat: Seat, choice: Choice, hands: int | None) -> Offer:
    """An entrant's choice with what it costs; `hands` are dealt before he plays one."""
    if choice == "wait_big_blind":
        return Offer(choice, now.blinds.big, dead_beside_big(now, seat), hands)
    _, live, dead = price(now, seat, choice)
    return Offer(choice, live, dead, hands)


def offers_if_asked(now: Situation, seat_no: SeatNo) -> tuple[Offer, ...]:
    """What an entrant would be offered if he were asked, whatever he has answered before."""
    asked = copy(now)
    asked.seats[seat_no] = msgspec.structs.replace(now.seats[seat_no], choice="")
    coming = ComingHands(asked)
    return offers(coming.now, seat_no, waits(coming, [seat_no]))
