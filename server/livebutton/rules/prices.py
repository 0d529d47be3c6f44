"""What may still be changed before the next deal, priced: nothing is offered without its price."""

from livebutton.rules.dealing import BEFORE_FIRST_CARD
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.memo import per_table
from livebutton.rules.offers import offers_if_asked
from livebutton.rules.plan import next_hand
from livebutton.rules.posts import next_level, nominal, open_betting
from livebutton.rules.table import Chips, Question, Table


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

    Until he is dealt in an entrant may answer otherwise (making-up-blinds).
    """
    plan, now, done = next_hand(table)
    if done is None:
        return ()
    asked = {question.seat for question in plan.questions}
    answered = [
        seat_no
        for seat_no, seat in enumerate(now.seats)
        if seat.player and seat.choice and seat.standing != "in" and seat_no not in asked
    ]
    start = coming_hands(table).start
    found = [Question(seat_no, offers_if_asked(start, seat_no)) for seat_no in answered]
    return tuple(question for question in found if question.choices)
