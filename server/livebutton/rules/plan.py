"""The plan of a hand: a pure function of the table and the house rules.

Until the first card every seat event makes a new one; the first card commits it.
"""

from collections.abc import Sequence, Set

from livebutton.rules import sentences
from livebutton.rules.entry import is_asked
from livebutton.rules.hands_ahead import ComingHands, coming_hands
from livebutton.rules.memo import per_table
from livebutton.rules.offers import offers, waits
from livebutton.rules.outcome import Outcome
from livebutton.rules.posts import antes, collect, nominal, open_betting, to_call
from livebutton.rules.situation import Situation
from livebutton.rules.table import (
    DeadBlind,
    HandPlan,
    NoHand,
    NotDealt,
    Post,
    Question,
    SeatNo,
    Table,
    Why,
)


def plan(table: Table) -> HandPlan:
    """The hand being played, once its first card is out; else the next hand as it stands now."""
    if table.play.phase == "in_hand" and table.play.plan is not None:
        return table.play.plan
    return next_hand(table)[0]


WorkedOut = tuple[HandPlan, Situation, Outcome | None]


@per_table
def next_hand(table: Table) -> WorkedOut:
    """The next hand's plan, with the situation it was made from and how it was worked out."""
    return _next_hand(table, coming_hands(table))


def _next_hand(table: Table, coming: ComingHands) -> WorkedOut:
    play = table.play
    now, done = coming.now, coming.done
    hand = play.hand + 1
    if play.phase in ("no_game", "closed"):
        text = "No game yet: start one, or take over a running one."
        return _no_hand(hand, "no_game", text), now, None
    if done is None:
        there = sum(now.present) if now.drawn else sum(now.rotates)
        text = f"Needs two players in the rotation; {there} there now."
        return _no_hand(hand, "too_few_players", text), now, None
    questions = _questions(coming) if now.has_entrants() else ()
    return dress(table, now, done, hand, questions), now, done


def _questions(coming: ComingHands) -> tuple[Question, ...]:
    now = coming.now
    asked = [
        seat_no
        for seat_no, seat in enumerate(now.seats)
        if now.present[seat_no] and seat.standing != "in" and is_asked(now, seat)
    ]
    waiting = waits(coming, asked) if asked else {}
    return tuple([Question(s, offers(now, s, waiting)) for s in asked])


def _no_hand(hand: int, reason: str, text: str) -> HandPlan:
    return HandPlan(hand=hand, none=NoHand(reason, text))


def dress(
    table: Table, now: Situation, done: Outcome, hand: int, questions: tuple[Question, ...]
) -> HandPlan:
    """Prices and words on a hand worked out."""
    found = done.found
    due = nominal(now, done)
    betting = open_betting(now, done, due)
    posts = collect(now, done, due + antes(now, done))
    all_in = {post.seat for post in posts if post.all_in}
    return HandPlan(
        hand=hand,
        button=found.button,
        posts=posts,
        dead_blinds=tuple([DeadBlind(s, now.blinds.kind(depth)) for s, depth in found.dead]),
        dealt=tuple(done.dealt),
        not_dealt=_not_dealt(now, done),
        first_to_act=next_to_act(done.dealt, betting.opener, all_in),
        first_to_act_after=next_to_act(done.dealt, found.button, all_in),
        to_call=to_call(done.dealt, posts, betting.level, all_in),
        options=options(posts, capped=betting.capped),
        capped=betting.capped,
        questions=questions,
        rulings=sentences.of_plan(table, now, done),
    )


def next_to_act(order: list[SeatNo], start: SeatNo, all_in: Set[SeatNo]) -> SeatNo:
    """The first dealt-in player left of a seat who still has chips to act with; 0 for none.

    `start` is dealt in, or the button, which is the end of the dealing order even when dead.
    """
    at = order.index(start) + 1 if start in order else 0
    for seat_no in order[at:] + order[:at]:
        if seat_no not in all_in:
            return seat_no
    return 0


def options(posts: Sequence[Post], *, capped: bool) -> tuple[SeatNo, ...]:
    """Who may still raise when it comes back unraised: live posts, unless betting is capped."""
    if capped:
        return ()
    asleep = {post.seat for post in posts if post.kind == "sleeper"}
    seats = [p.seat for p in posts if p.live and not p.all_in and p.seat not in asleep]
    return tuple(dict.fromkeys(seats))


def _not_dealt(now: Situation, done: Outcome) -> tuple[NotDealt, ...]:
    if len(done.dealt) == now.count:
        return ()
    others = sorted(set(range(1, now.count + 1)).difference(done.dealt))
    return tuple([NotDealt(s, _why(now, done, s)) for s in others if now.seats[s].player])


def _why(now: Situation, done: Outcome, seat_no: SeatNo) -> Why:
    seat = now.seats[seat_no]
    if seat.stack == 0:
        return "no_chips"
    if seat_no in now.too_short:
        return "short_stack"
    if not now.present[seat_no]:
        return "sitting_out"
    return done.held[seat_no]
