"""Putting things right: undo, misdeal, a button out of place, a hand dealt without a post."""

from collections.abc import Sequence

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules import ring
from livebutton.rules.checks import occupied, require, seat_of
from livebutton.rules.dealing import BEFORE_FIRST_CARD
from livebutton.rules.entry import price
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.offers import open_answers
from livebutton.rules.plan import next_hand, next_to_act, options, plan
from livebutton.rules.posts import one_bet_more, to_call
from livebutton.rules.refusals import Refused
from livebutton.rules.rotation import from_button
from livebutton.rules.settle import CLEARED, all_owed, in_seat_order, picked_up, settle
from livebutton.rules.situation import Situation, situation
from livebutton.rules.table import (
    BeforeDeal,
    Chips,
    HandPlan,
    LastHand,
    Owes,
    Place,
    Post,
    Ruling,
    Seat,
    SeatNo,
    Table,
)

replace = msgspec.structs.replace


def undo(table: Table, command: cmd.Undo) -> list[ev.AnyEvent]:
    """The last command not yet undone, by a compensating event."""
    require(bool(table.undo), "no_change", "there is nothing left to undo")
    back = table.undo[-1]
    if command.offset is not None and command.offset != back.offset:
        raise Refused(
            "stale",
            f"the last command is the one at offset {back.offset}",
            params={"offset": back.offset, "of": back.of},
        )
    return [ev.Undone(back=back)]


def misdeal(table: Table) -> list[ev.AnyEvent]:
    """The hand is void: the same hand number is planned again from the state before it."""
    require(table.play.phase == "in_hand", "wrong_phase", "no hand is being played")
    return [_void(table, "The hand is void and is dealt again.")]


def _void(table: Table, text: str) -> ev.HandMisdealt:
    before = table.play.before_deal
    assert before is not None  # a hand is being played
    dealt = table.play.plan.dealt if table.play.plan else ()
    owed = _owed_after_deal(table, before)
    after = {
        seat_no: _as_before(table.seat(seat_no), old, seat_no in dealt, owed[seat_no])
        for seat_no, old in enumerate(before.seats, 1)
    }
    after = {seat_no: seat for seat_no, seat in after.items() if seat != table.seat(seat_no)}
    return ev.HandMisdealt(
        before=before, after=after, rulings=(Ruling("misplaced-button", (), text),)
    )


def _owed_after_deal(table: Table, before: BeforeDeal) -> dict[SeatNo, Owes]:
    """What each seat owed when the hand's first card was out."""
    _, now, done = next_hand(replace(table, seats=before.seats, play=before.play()))
    assert done is not None  # it was dealt
    after = dict(enumerate(before.seats, 1)) | settle(now, done)
    owed = {seat_no: seat.owes for seat_no, seat in after.items()}
    return owed | dict.fromkeys(picked_up(now, done), all_owed(len(now.blinds.chain)))


def _as_before(seat: Seat, old: Seat, was_dealt: bool, owed: Owes) -> Seat:
    """A seat as the deal found it, with what its player did since.

    Who came or went during the hand has come or gone; who was picked up by the deal is back.
    """
    is_new = seat.standing == "new" and old.standing != "new"  # he got up and sat down again
    if seat.player != old.player or (seat.player and is_new):
        picked_up = not seat.player and old.player and seat.left_by != old.player
        return old if picked_up else seat
    if not seat.player:
        return replace(seat, left_by=old.left_by, left_owing=old.left_owing)
    if seat.owes != owed and (seat.owes or not was_dealt):
        # The floor has set this since; a post elected in the hand is void with it.
        untried = old.untried or seat.untried
        old = replace(old, standing=seat.standing, owes=seat.owes, untried=untried)
    if old.out_at_big_blind and not old.sitting_out and not was_dealt and seat.sitting_out:
        # The deal sat him out, as he had asked; without it he has not been asked for a blind.
        seat = replace(seat, sitting_out=False, away_since_ms=0, out_at_big_blind=True)
    return replace(
        old,
        name=seat.name,
        stack=seat.stack,
        sitting_out=old.sitting_out if seat.absent and not old.absent else seat.sitting_out,
        away_since_ms=seat.away_since_ms,
        absent=old.absent and seat.absent,
        deal_me_in=(seat.deal_me_in or old.deal_me_in) and seat.sitting_out,
        out_at_big_blind=seat.out_at_big_blind or (old.out_at_big_blind and seat.sitting_out),
        choice=old.choice if was_dealt else seat.choice or old.choice,
    )


def report_unposted(table: Table, command: cmd.ReportUnposted) -> list[ev.AnyEvent]:
    """An entrant was dealt in by mistake without having posted (making-up-blinds)."""
    seat = occupied(table, command.seat)
    rule = "making-up-blinds"
    played = _played(table)
    owing = seat.standing != "in" and not table.house.tournament
    require(
        owing, "not_due", f"{seat.name} owes nothing", seat=command.seat, name=seat.name, rule=rule
    )
    require(
        command.seat not in played.dealt,
        "not_due",
        f"{seat.name} has posted",
        seat=command.seat,
        name=seat.name,
        rule=rule,
    )
    reported = table.play.unposted + table.play.dead_hands
    require(command.seat not in reported, "no_change", "reported already", rule=rule)
    dead = command.looked or command.action or not _may_post(table, played, command.seat)
    text = f"{seat.name} was dealt in without posting"
    text += ": the hand is dead." if dead else " and may post now."
    ruling = Ruling(
        rule, (command.seat,), text, {"looked": command.looked, "action": command.action}
    )
    return [ev.UnpostedReported(seat=command.seat, hand_dead=dead, rulings=(ruling,))]


def _played(table: Table) -> HandPlan:
    if table.play.phase != "in_hand" or table.play.plan is None:
        raise Refused("wrong_phase", "no hand is being played")
    return table.play.plan


def _may_post(table: Table, played: HandPlan, seat_no: SeatNo) -> bool:
    """Whether he could have posted in this hand from where he sits."""
    now = _as_played(table)
    can = "post" in open_answers(now, seat_no) and _can_pay(now, seat_no)
    between = now.house.entry_between_blinds and seat_no != played.button
    return can and (between or _in_arc(table, played, seat_no))


def _can_pay(now: Situation, seat_no: SeatNo) -> bool:
    """Whether he is at the table with chips, and where the house wants a full blind, enough."""
    seat = now.seats[seat_no]
    _, live, dead = price(now, seat, "post")
    is_full = now.house.short_stack == "all_in" or seat.stack is None or seat.stack >= live + dead
    return now.present[seat_no] and is_full


def _in_arc(table: Table, played: HandPlan, seat_no: SeatNo) -> bool:
    assert table.play.last is not None  # a hand has been dealt
    big = _big_of(played) or table.play.last.big  # nobody posted one: the button was bought
    return ring.is_between(len(table.seats), big, seat_no, played.button)


def _big_of(played: HandPlan) -> SeatNo:
    """The last big blind posted in turn, as dealt, wherever the button belonged; 0 for none."""
    bigs = [post.seat for post in played.posts if post.kind == "big"]
    left = [seat_no for seat_no in bigs if seat_no != played.button]
    return (left or bigs or [0])[-1]


def _as_played(table: Table) -> Situation:
    """The situation under the rules of the hand being played: later ones wait for its end."""
    return situation(replace(table, play=replace(table.play, next_setup=None)))


def elect(table: Table, command: cmd.Elect) -> list[ev.AnyEvent]:
    """He posts now and plays the hand, or it is dead and only the big blind is left to him."""
    seat = occupied(table, command.seat)
    played = _played(table)
    rule = "making-up-blinds"
    require(command.seat in table.play.unposted, "not_offered", "nothing to elect", rule=rule)
    if not command.post:
        text = f"{seat.name} does not post: his hand is dead and he waits for the big blind."
        after = replace(seat, barred=True, choice="wait_big_blind")
    else:
        # He may have gone, or lost his chips, since it was reported.
        can_pay = _can_pay(_as_played(table), command.seat)
        require(
            can_pay,
            "not_allowed",
            f"{seat.name} has nothing to post with",
            seat=command.seat,
            name=seat.name,
            rule=rule,
        )
        text = f"{seat.name} posts now and plays the hand."
        between = not _in_arc(table, played, command.seat)
        after = replace(seat, **CLEARED, dealt=True, button_forfeited=between)
        played = _with_post(_as_played(table), played, seat, command.seat)
    ruling = Ruling(rule, (command.seat,), text, {"post": command.post})
    return [
        ev.Elected(
            seat=command.seat, post=command.post, plan=played, after=after, rulings=(ruling,)
        )
    ]


def _with_post(now: Situation, played: HandPlan, seat: Seat, seat_no: SeatNo) -> HandPlan:
    """The committed plan with one more player in it."""
    kind, live, dead = price(now, seat, "post")
    if seat.stack is not None:
        live = min(live, seat.stack)
        dead = min(dead, seat.stack - live)
    all_in = bool(live or dead) and live + dead == seat.stack
    dealt = _in_order(now.count, played.button, [*played.dealt, seat_no])
    posts = [*played.posts, Post(seat_no, kind, live, dead, all_in)]
    posts.sort(key=lambda post: dealt.index(post.seat))
    broke = {post.seat for post in posts if post.all_in}
    return replace(
        played,
        dealt=tuple(dealt),
        posts=tuple(posts),
        not_dealt=tuple(n for n in played.not_dealt if n.seat != seat_no),
        questions=tuple(q for q in played.questions if q.seat != seat_no),
        options=options(posts, capped=played.capped),
        to_call=to_call(dealt, posts, _level(now, posts), broke),
        first_to_act=next_to_act(dealt, _opener(now, played), broke),
        first_to_act_after=next_to_act(dealt, played.button, broke),
    )


def _level(now: Situation, posts: Sequence[Post]) -> Chips:
    """The nominal bet of a hand with these posts."""
    level = now.blinds.big
    for post in posts:
        if post.kind in ("straddle", "sleeper"):
            level += now.blinds.big if one_bet_more(now.house, now.betting) else level
    return level


def _opener(now: Situation, played: HandPlan) -> SeatNo:
    """The seat left of which the opening round of the hand being played begins."""
    assert now.last is not None  # a hand has been dealt
    straddlers = [post.seat for post in played.posts if post.kind == "straddle"]
    big = _big_of(played)
    if straddlers:
        # Each sits left of the one before him, from under the gun on.
        big = big or now.last.big
        return max(straddlers, key=lambda seat_no: ring.distance(now.count, big, seat_no))
    return big or now.last.rearmost  # the button was bought: nobody posted in turn


def _in_order(count: int, button: SeatNo, seats: list[SeatNo]) -> list[SeatNo]:
    """Dealing order: left of the button first, the button last."""
    return [seat_no for seat_no in ring.around(count, button) if seat_no in seats]


def correct_button(table: Table, command: cmd.CorrectButton) -> list[ev.AnyEvent]:
    """Where the disc belongs (misplaced-button), before or after the first card."""
    seat_of(table, command.button)
    phase = table.play.phase
    rule = "misplaced-button"
    require(phase in (*BEFORE_FIRST_CARD, "in_hand"), "wrong_phase", "no game is on", rule=rule)
    require(command.acted is None or command.acted >= 0, "bad_fields", "acted is 0 or more")
    current = plan(table)
    if current.none is not None:
        raise Refused("no_hand", current.none.text, rule=rule)
    lies = current.button
    if phase == "in_hand" and table.play.last is not None:
        lies = table.play.last.button  # it may have been put right before
    require(command.button != lies, "no_change", "the button is there", rule=rule)
    now = coming_hands(table).start
    holds = now.present[command.button] if table.play.drawn else now.rotates[command.button]
    may_be_dead = table.house.button == "dead_button" and not table.play.drawn
    require(
        holds or may_be_dead,
        "not_due",
        "the button lies with a player of the rotation who is there",
        rule="no-dead-button",
    )
    name = table.name_at(command.button)
    if phase != "in_hand":
        text = f"Corrected: the button belongs with {name}."
        ruling = Ruling(rule, (command.button,), text, {"button": command.button})
        return [
            ev.ButtonCorrected(button=command.button, put_right=command.button, rulings=(ruling,))
        ]
    if table.house.misplaced_after_deal == "misdeal" and (command.acted or 0) < 2:
        void = _void(table, f"Misdeal: the button belongs with {name}.")
        ruling = Ruling(rule, (command.button,), f"Corrected: the button belongs with {name}.")
        return [
            void,
            ev.ButtonCorrected(button=command.button, put_right=command.button, rulings=(ruling,)),
        ]
    return [_stands(table, now, command.button)]


def _stands(table: Table, now: Situation, button: SeatNo) -> ev.ButtonCorrected:
    """The hand stands as dealt; the next is planned as after an ordinary hand from there."""
    dealt = table.play.plan.dealt if table.play.plan else now.rotation()
    after = {
        seat_no: replace(seat, posted=-1, posted_from=0, had_button=seat_no == button)
        for seat_no, seat in enumerate(table.seats, 1)
        if seat.player
    }
    found = from_button(now, button, list(dealt), "misplaced-button")
    places = [Place(found.big, 0)] + [Place(seat_no, depth) for seat_no, depth in found.dues]
    for place in places:
        if place.seat in after and after[place.seat].dealt:
            after[place.seat] = replace(after[place.seat], posted=place.depth)
    text = (
        f"Corrected: the hand stands; the next goes on from the button at {table.name_at(button)}."
    )
    return ev.ButtonCorrected(
        button=button,
        last=LastHand(button, found.big, in_seat_order(places), len(dealt)),
        after=after,
        rulings=(Ruling("misplaced-button", (button,), text, {"button": button}),),
    )
