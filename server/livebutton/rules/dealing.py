"""A hand from start to first card: starting and taking over a game, shuffling, dealing."""

from typing import Literal

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules import ring
from livebutton.rules.checks import occupied, require, seat_of
from livebutton.rules.discretion import owes_from
from livebutton.rules.evolve import evolve
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.memo import per_table
from livebutton.rules.outcome import Outcome
from livebutton.rules.plan import next_hand
from livebutton.rules.posts import Betting, nominal, open_betting, refusal_of_raise
from livebutton.rules.refusals import Refused
from livebutton.rules.settle import (
    all_owed,
    free_hands_after,
    in_seat_order,
    last_hand,
    picked_up,
    settle,
)
from livebutton.rules.situation import Situation
from livebutton.rules.table import (
    NOTHING_OWED,
    BeforeDeal,
    HandPlan,
    LastHand,
    Owes,
    Place,
    Raise,
    Ruling,
    Seat,
    SeatNo,
    Table,
)

replace = msgspec.structs.replace
BEFORE_FIRST_CARD = ("between_hands", "shuffling", "cut")


def start_game(table: Table, command: cmd.StartGame) -> list[ev.AnyEvent]:
    """A new game with the button drawn (new-game). The draw comes with the command.

    Without one the lowest seat has it. Once a game is on, only where the rotation has died out.
    """
    phase = table.play.phase
    require(phase != "in_hand", "wrong_phase", "a hand is being played")
    now = coming_hands(table).start
    there = [seat_no for seat_no in range(1, now.count + 1) if now.present[seat_no]]
    if phase != "no_game" and not table.play.drawn:
        going = len(now.rotation()) >= 2
        require(not going, "wrong_phase", "the rotation goes on: nothing to start", rule="new-game")
    require(len(there) >= 2, "no_hand", "a game needs two players at the table", rule="new-game")
    button = there[0] if command.button is None else command.button
    occupied(table, button)
    require(
        now.present[button],
        "not_due",
        f"{table.name_at(button)} is away: the button is drawn for among those at the table",
        seat=button,
        name=table.name_at(button),
        rule="new-game",
    )
    require(button != table.play.drawn, "no_change", "the button was drawn there")
    return [ev.GameStarted(button=button)]


def adopt_game(table: Table, command: cmd.AdoptGame) -> list[ev.AnyEvent]:
    """A running game is taken over: where the last hand dealt had its button and blinds."""
    phase = table.play.phase
    require(phase in ("no_game", "between_hands"), "wrong_phase", "a hand is on")
    now = coming_hands(table).start
    bigs = _seats(table, command.big)
    require(bool(bigs), "bad_fields", "the big blind's seat is missing")
    smalls = _seats(table, command.small)
    seat_of(table, command.button)
    once = len({*bigs, *smalls}) == len(bigs) + len(smalls)
    require(once, "bad_fields", "each seat had one blind: no seat is named twice")
    chain = len(now.blinds.chain)
    owing = {}
    for key, fields in command.owes.items():
        require(key.isdigit(), "bad_fields", f"owes: {key!r} is not a seat", seat=key)
        occupied(table, int(key))
        owing[int(key)] = owes_from(fields, chain)
    seats = {
        seat_no: _adopted(now, seat_no, owing.get(seat_no, NOTHING_OWED), phase == "no_game")
        for seat_no in range(1, now.count + 1)
        if now.seats[seat_no].player
    }
    dealt = [seat_no for seat_no, seat in seats.items() if seat.dealt]
    # Counted from the button; on the button itself only where nobody else posted one.
    big = max(bigs, key=lambda seat_no: ring.distance(now.count, command.button, seat_no))
    places = [Place(seat_no, 0) for seat_no in bigs]
    if not smalls and len(dealt) == 2 and command.button in dealt:
        smalls = [command.button]
    others = [seat_no for seat_no in dealt if seat_no not in bigs]
    places += _smaller_blinds(now, (command.button, big), smalls, others)
    for place in places:
        if place.seat in seats and seats[place.seat].standing == "in":
            seats[place.seat] = replace(seats[place.seat], posted=place.depth)
    if command.button in seats:
        seats[command.button] = replace(seats[command.button], had_button=True)
    last = LastHand(command.button, big, in_seat_order(places), len(dealt))
    return [ev.GameAdopted(last=last, hand=table.play.hand, seats=seats)]


def _smaller_blinds(
    now: Situation, ends: tuple[SeatNo, SeatNo], named: list[SeatNo], others: list[SeatNo]
) -> list[Place]:
    """Where the blinds between the `ends` were, the button and the last big blind.

    With none named they were the next players', as in an ordinary hand. Of three blinds the
    nearest to the big one was the middle: who was dealt in behind the only one named, if anybody.
    """
    button, big = ends
    chain = len(now.blinds.chain)

    def dealt_before_big(start: SeatNo) -> list[SeatNo]:
        around = ring.around(now.count, start)
        return [s for s in around if s in others and ring.is_between(now.count, start, s, big)]

    if not named and chain > 1:
        named = dealt_before_big(button)[: chain - 1]
        named = named or [ring.step(now.count, big, -1)]  # dead, or on the button
    elif len(named) == 1 and chain > 2 and len(others) > 1:
        named = named + dealt_before_big(named[0])[:1]
    named = sorted(named, key=lambda seat_no: ring.distance(now.count, seat_no, big))
    return [Place(seat_no, 1 if chain < 3 or not at else 2) for at, seat_no in enumerate(named)]


def _seats(table: Table, given: SeatNo | list[SeatNo] | None) -> list[SeatNo]:
    seats = [] if given is None else [given] if isinstance(given, int) else given
    for seat_no in seats:
        seat_of(table, seat_no)
    return seats


def _adopted(now: Situation, seat_no: SeatNo, owes: Owes, is_first: bool) -> Seat:
    """A seat of a game taken over: in the rotation, unless he owes or came in since."""
    seat = now.seats[seat_no]
    standing = seat.standing
    if owes and not now.house.tournament:
        standing = "returning"
    elif is_first or standing == "returning":
        standing = "in"
    return replace(
        seat,
        standing=standing,
        owes=owes if standing == "returning" else NOTHING_OWED,
        posted=-1,
        posted_from=0,
        had_button=False,
        dealt=standing == "in" and now.present[seat_no],
    )


def shuffle(table: Table) -> list[ev.AnyEvent]:
    """The deck is shuffled for the next hand. Refused when none can be dealt."""
    require(
        table.play.phase == "between_hands", "wrong_phase", "the deck is shuffled between hands"
    )
    _worked_out(table)
    return [ev.DeckShuffled()]


def _worked_out(table: Table) -> tuple[HandPlan, Situation, Outcome]:
    plan, now, done = next_hand(table)
    if done is None:
        raise Refused("no_hand", plan.none.text if plan.none else "no hand can be dealt")
    return plan, now, done


def deal(table: Table, now_ms: int) -> list[ev.AnyEvent]:
    """The first card: the plan is committed, with all that it leaves behind."""
    phase = table.play.phase
    require(phase in BEFORE_FIRST_CARD, "wrong_phase", "a hand is dealt after the last one ended")
    plan, now, done = _worked_out(table)
    after = settle(now, done)
    for seat_no in now.stood_down:
        after[seat_no] = replace(after[seat_no], away_since_ms=now_ms)
    still_asked = tuple(q for q in plan.questions if q.seat not in done.dealt)
    plan = replace(plan, questions=still_asked)
    play = table.play
    events: list[ev.AnyEvent] = [
        ev.HandDealt(
            plan=plan,
            last=last_hand(now, done),
            after=after,
            before=BeforeDeal(
                table.seats,
                play.hand,
                play.last,
                play.drawn,
                play.put_right,
                play.free_hands,
                play.raises,
            ),
            free_hands=free_hands_after(now),
            rulings=plan.rulings,
        )
    ]
    events += _missed(table, after)
    events += _picked_up(table, now, done, now_ms)
    return events


def _missed(table: Table, after: dict[SeatNo, Seat]) -> list[ev.AnyEvent]:
    """A fact for everyone who owes more than before."""
    return [
        ev.BlindMissed(seat=seat_no, owes=seat.owes)
        for seat_no, seat in after.items()
        if seat.owes and seat.owes != table.seat(seat_no).owes
    ]


def _picked_up(table: Table, now: Situation, done: Outcome, now_ms: int) -> list[ev.AnyEvent]:
    """New players who let the big blind and then the button pass them (new-players)."""
    events: list[ev.AnyEvent] = []
    held = [waiting.player for waiting in table.waiting]
    for seat_no in picked_up(now, done):
        seat = now.seats[seat_no]
        text = f"{table.name_at(seat_no)} let the big blind and the button pass without posting."
        events.append(
            ev.PlayerPickedUp(
                seat=seat_no,
                player=seat.player,
                kept=not held,
                held_for=held.pop(0) if held else "",
                owes=all_owed(len(now.blinds.chain)),
                at_ms=seat.away_since_ms or now_ms,
                rulings=(Ruling("new-players", (seat_no,), text, {"seat": seat_no}),),
            )
        )
    return events


def dropped_raises(table: Table, events: list[ev.AnyEvent]) -> list[ev.AnyEvent]:
    """The straddles and sleepers that no longer stand once these events are recorded."""
    after = table
    for event in events:
        after = evolve(after, event)
    if after.play.phase not in BEFORE_FIRST_CARD:
        return []
    _, now, done = next_hand(after)
    dropped = after.play.raises
    if done is not None:
        dropped = tuple(open_betting(now, done, nominal(now, done)).dropped)
    return [
        ev.RaiseDropped(seat=wish.seat, kind=wish.kind, rulings=(_falls_away(after, wish),))
        for wish in dropped
    ]


def _falls_away(table: Table, wish: Raise) -> Ruling:
    text = f"{table.name_at(wish.seat)}'s {wish.kind} falls away: the blinds have moved."
    return Ruling("straddles-sleepers", (wish.seat,), text, {"seat": wish.seat, "kind": wish.kind})


@per_table
def _opened(table: Table) -> tuple[Situation, Outcome, Betting]:
    """How the betting of the next hand opens, as every seat is asked about a raise of its own."""
    _, now, done = _worked_out(table)
    return now, done, open_betting(now, done, nominal(now, done))


def raise_blind(
    table: Table, seat_no: SeatNo, kind: Literal["straddle", "sleeper"]
) -> list[ev.AnyEvent]:
    """A straddle or a sleeper, before the first card (straddles-sleepers)."""
    seat = occupied(table, seat_no)
    rule = "straddles-sleepers"
    require(table.house.straddles, "not_allowed", "this house has no straddles", rule=rule)
    phase = table.play.phase
    require(phase in BEFORE_FIRST_CARD, "wrong_phase", "blinds are raised before the first card")
    now, done, betting = _opened(table)
    refusal = refusal_of_raise(now, done, betting, Raise(seat_no, kind))
    require(
        seat_no not in betting.raised,
        "no_change",
        f"{seat.name} has raised blind already",
        seat=seat_no,
        name=seat.name,
    )
    if refusal == "capped":
        raise Refused("capped", "the betting is capped: no blind raise is open", rule=rule)
    if refusal is not None:
        raise Refused(
            "not_due",
            f"{seat.name} may not post a {kind} from here",
            rule=rule,
            params={"seat": seat_no, "next": betting.next_straddle},
        )
    return [ev.RaisedBlind(seat=seat_no, kind=kind)]
