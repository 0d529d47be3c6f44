"""The answers an entrant may give, each with its price and its wait (making-up-blinds)."""

from livebutton.rules.entry import comes_in, comes_in_free, dead_beside_big, price
from livebutton.rules.forecast import hands_until_dealt
from livebutton.rules.hands_ahead import carry_on, horizon, work_out
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


def _mover_choices(seat: Seat) -> tuple[Choice, ...]:
    """A mover's: wait for his old distance, post, or the place behind the button."""
    if seat.pass_free:
        return ("pass", "wait_big_blind")
    if seat.behind_only:
        return ("wait", "wait_button")
    if seat.not_before:
        return ("wait",)
    return ("wait", "post") if seat.wait_distance >= 0 else ("wait_button", "wait_big_blind")


Waits = dict[tuple[SeatNo, Choice], int]


def waits(now: Situation, asked: list[SeatNo]) -> Waits:
    """How many hands each answer of those asked waits, as far as one run of the hands can tell.

    Until an entrant is dealt in, what he has answered changes nothing for the others, unless he
    lets the big blind go by. So the coming hands are run once, with nobody answering, and each
    answer is tried on each hand. What that cannot settle is left out, for `hands_until_dealt`.
    """
    found: Waits = {}
    if sum(now.rotates) < 3 or now.house.buy_button or now.house.short_stack != "all_in":
        return found  # there an answer may change whose blind it is, or the price decide
    open_ones = [
        (seat_no, choice)
        for seat_no in asked
        if now.seats[seat_no].standing != "mover"
        for choice in choices(now, seat_no)
    ]
    ahead = copy(now)
    for hands in range(horizon(now)):
        done = work_out(ahead) if open_ones else None
        if done is None:
            break
        for seat_no, choice in open_ones:
            if comes_in(ahead, done.found, done.dealt, (seat_no, choice)):
                found[seat_no, choice] = hands
        open_ones = [each for each in open_ones if each not in found and each[0] not in done.dealt]
        carry_on(ahead, done)
    return found


def offers(now: Situation, seat_no: SeatNo, known: Waits | None = None) -> tuple[Offer, ...]:
    """Each choice with what it costs and how many hands are dealt before he plays one.

    `known` is what `waits` found. `hands` is None for a choice that leads to
    no hand as things stand.
    """
    seat = now.seats[seat_no]
    found = []
    for choice in choices(now, seat_no):
        hands = (known or {}).get((seat_no, choice))
        if hands is None:
            hands = hands_until_dealt(now, seat_no, choice)
        if choice == "wait_big_blind":
            live, dead = now.blinds.big, dead_beside_big(now, seat)
        else:
            _, live, dead = price(now, seat, choice)
        found.append(Offer(choice, live, dead, hands))
    return tuple(found)
