"""What may still be changed before the next deal, priced: nothing is offered without its price."""

import msgspec

from livebutton.rules.dealing import BEFORE_FIRST_CARD
from livebutton.rules.evolve import evolve
from livebutton.rules.forecast import hands_until_dealt
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.memo import per_commit, per_table
from livebutton.rules.offers import offer, offers_if_asked
from livebutton.rules.plan import next_hand
from livebutton.rules.posts import next_level, nominal, open_betting
from livebutton.rules.seat_changes import Moved, Ways, every_way, seat_changed
from livebutton.rules.situation import situation
from livebutton.rules.table import Chips, Choice, Offer, Question, SeatNo, Table


class PricedMove(msgspec.Struct, frozen=True, gc=False):
    """The seats that a player may move to at the same prices, and how he may come in there."""

    seat: SeatNo
    to: tuple[SeatNo, ...]
    choices: tuple[Offer, ...]


def raise_to(table: Table) -> Chips:
    """What the next straddle or sleeper makes it to call (straddles-sleepers).

    0 where no blind raise is open: a house without, capped, or the first card is out.
    """
    is_open = table.house.straddles and table.play.phase in BEFORE_FIRST_CARD
    return _next_level(table) if is_open else 0


@per_table
def _next_level(table: Table) -> Chips:
    _, now, done = next_hand(table)
    if done is None:
        return 0
    betting = open_betting(now, done, nominal(now, done))
    if betting.capped or len(done.dealt) < 3 or set(done.dealt) <= set(betting.raised):
        return 0
    return next_level(now, done, betting)


@per_table
def other_answers(table: Table) -> tuple[Question, ...]:
    """The entrants that have answered, each with the price of every answer, as of a question.

    Until he is dealt in an entrant may answer otherwise, but not while he is away
    (making-up-blinds).
    """
    plan, _, done = next_hand(table)
    if done is None:
        return ()
    asked = {question.seat for question in plan.questions}
    start = coming_hands(table).start
    answered = [
        seat_no
        for seat_no, seat in enumerate(start.seats)
        if start.present[seat_no] and seat.choice and seat.standing != "in" and seat_no not in asked
    ]
    found = [Question(seat_no, offers_if_asked(start, seat_no)) for seat_no in answered]
    return tuple(question for question in found if question.choices)


@per_commit
def priced_moves(table: Table) -> tuple[PricedMove, ...]:
    """Each move that leaves a player a choice, every choice with its price (seat-changes).

    An offer without a choice is to say nothing, where he then stays in the rotation and no choice
    comes to the same.
    """
    if table.play.phase in ("in_hand", "closed"):
        return ()
    found: dict[tuple[SeatNo, tuple[Offer, ...]], list[SeatNo]] = {}
    for seat_no, ways_to_each in every_way(table).items():
        for to, ways in ways_to_each.items():
            if len(ways) > 1:
                priced = _price_of_each(table, seat_no, to, ways)
                found.setdefault((seat_no, priced), []).append(to)
    return tuple(PricedMove(seat_no, tuple(to), priced) for (seat_no, priced), to in found.items())


def _price_of_each(table: Table, seat_no: SeatNo, to: SeatNo, ways: Ways) -> tuple[Offer, ...]:
    silent = ways[""]
    said: list[tuple[Choice, Moved]] = [way for way in ways.items() if way[0]]
    if silent.after.standing == "in" and all(moved != silent for _, moved in said):
        said.insert(0, ("", silent))
    return tuple(_priced(table, seat_no, to, choice, moved) for choice, moved in said)


def _priced(table: Table, seat_no: SeatNo, to: SeatNo, choice: Choice, moved: Moved) -> Offer:
    after = evolve(table, seat_changed(table, seat_no, to, moved))
    start = situation(after)
    seat = start.seats[to]
    hands = hands_until_dealt(start, to, seat.choice)
    if seat.standing != "in":
        return offer(start, seat, choice, hands)
    # He stays in the rotation: he moves freely, or takes the big blind that is due there.
    return Offer(choice, start.blinds.big if choice else 0, 0, hands)
