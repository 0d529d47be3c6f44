"""Changing seats at the same table: what a player takes with him, waits for, or pays.

The next hand is planned without the mover; that says what his new seat is due. *Distance* is the
number of hands until the big blind reaches a seat, if nobody moves. The numbers below are those of
the rule text.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules import ring
from livebutton.rules.checks import occupied, require, seat_of, vacant
from livebutton.rules.hands_ahead import coming_hands, hands_until_big, horizon, work_out
from livebutton.rules.memo import per_commit
from livebutton.rules.outcome import Outcome
from livebutton.rules.refusals import Refused
from livebutton.rules.settle import in_seat_order
from livebutton.rules.situation import Situation, copy, rotates
from livebutton.rules.table import (
    VACANT,
    Choice,
    LastHand,
    Place,
    Ruling,
    Seat,
    SeatNo,
    Table,
)

replace = msgspec.structs.replace

Due = Literal["button", "small", "big", "nothing"]
RULE = "seat-changes"
# How much further away the button's and Las Vegas's movers may go without a price.
NEAR = 2
# No distance to wait for: the place behind the button alone.
BEHIND = -2


class Moved(msgspec.Struct, frozen=True):
    """The mover's seat as it is in the new place, and why; the last hand, if it moves along."""

    after: Seat
    text: str
    last: LastHand | None = None


# What a mover may say about how he comes in: "" is to say nothing.
Ways = dict[Choice, Moved]


class Leaving:
    """A player who would change seats: what is the same wherever he goes, worked out once."""

    def __init__(self, table: Table, seat_no: SeatNo) -> None:
        self.table = table
        self.seat_no = seat_no
        seat = table.seat(seat_no)
        # What he posted last hand goes with him; its place on the felt stays where it was.
        if seat.posted >= 0 and not seat.posted_from:
            seat = replace(seat, posted_from=seat_no)
        # Elsewhere he is not between the blinds any more: what the new seat is due is his.
        self.seat = replace(seat, button_forfeited=False)

    @cached_property
    def now(self) -> Situation:
        """Before the next hand, with him at the table: he is due what he is due, there or not."""
        now = copy(coming_hands(self.table).start)
        there = replace(
            self.seat,
            sitting_out=False,
            deal_me_in=False,
            out_at_big_blind=False,
            stack=None,
            button_forfeited=self.table.seat(self.seat_no).button_forfeited,
        )
        _put(now, self.seat_no, there)
        return now

    @cached_property
    def planned(self) -> Outcome | None:
        """The next hand, with him in his old seat."""
        return work_out(copy(self.now))

    @cached_property
    def without(self) -> Outcome | None:
        """The next hand without him, which says what each other seat is due."""
        without = copy(self.now)
        _put(without, self.seat_no, VACANT)
        return work_out(without)

    @cached_property
    def distance(self) -> int:
        """His old seat's: hands until the big blind reaches it."""
        hands = hands_until_big(self.now, self.seat_no)
        return self.now.count if hands is None else hands


def change_seat(table: Table, command: cmd.ChangeSeat) -> list[ev.AnyEvent]:
    """A player moves to an empty seat, and how he comes in there.

    Refused: `wrong_phase` in a hand, `not_due` where the rule forbids it, `not_offered` where the
    choice is not his to make.
    """
    open_to_him = ways(table, command.seat, command.to)
    if command.choice not in open_to_him:
        said = [choice for choice in open_to_him if choice]
        name = table.seat(command.seat).name
        raise Refused(
            "not_offered",
            f"{name} may not move so; open to him: {', '.join(said) or 'to say nothing'}",
            rule=RULE,
            params={"choices": said},
        )
    return [seat_changed(table, command.seat, command.to, open_to_him[command.choice])]


def seat_changed(table: Table, seat_no: SeatNo, to: SeatNo, moved: Moved) -> ev.SeatChanged:
    """That one of the ways to move there was taken."""
    left, taken = table.seat(seat_no), table.seat(to)
    ruling = Ruling(RULE, (seat_no, to), moved.text, {"from": seat_no, "to": to})
    return ev.SeatChanged(
        seat=seat_no,
        to=to,
        after=replace(moved.after, left_by=taken.left_by, left_owing=taken.left_owing),
        left_behind=replace(VACANT, left_by=left.left_by, left_owing=left.left_owing),
        last=moved.last,
        rulings=(ruling,),
    )


@per_commit
def every_way(table: Table) -> dict[SeatNo, dict[SeatNo, Ways]]:
    """The ways to move of each player, for each seat that he may move to."""
    players = [seat_no for seat_no, seat in enumerate(table.seats, 1) if seat.player]
    return {seat_no: dict(_ways_to_each(table, seat_no)) for seat_no in players}


def _ways_to_each(table: Table, seat_no: SeatNo) -> Iterator[tuple[SeatNo, Ways]]:
    leaving = Leaving(table, seat_no)
    for to, place in enumerate(table.seats, 1):
        if not place.player:
            try:
                yield to, _ways(leaving, to)
            except Refused:
                continue


def ways(table: Table, seat_no: SeatNo, to: SeatNo) -> Ways:
    """Every way to move there, by the choice that is said with it. Raises what refuses them all."""
    occupied(table, seat_no)
    return _ways(Leaving(table, seat_no), to)


def _ways(leaving: Leaving, to: SeatNo) -> Ways:
    table, seat_no, seat = leaving.table, leaving.seat_no, leaving.seat
    place = seat_of(table, to)
    hand_on = table.play.phase == "in_hand"
    require(not hand_on, "wrong_phase", "seats are changed between hands", rule=RULE)
    require(
        to != seat_no, "no_change", f"{seat.name} sits there already", seat=seat_no, name=seat.name
    )
    vacant(table, to)
    held = place.held_for not in ("", seat.player)
    require(
        not held,
        "seat_locked",
        f"seat {to} is held for {place.held_for}",
        seat=to,
        player=place.held_for,
    )
    name = seat.name
    last = table.play.last
    if last is None or table.play.drawn:
        return {"": Moved(seat, f"{name} moves freely.")}
    if seat.standing != "in" and not table.house.tournament:
        return {"": Moved(seat, f"{name} is not in the rotation and stays what he is.")}
    played, planned = coming_hands(table).done, leaving.planned
    if any(done is not None and done.found.heads_up for done in (played, planned)):
        # Two players: button and blinds are remembered by player, so they move with him.
        along = _moved_along(last, seat, to)
        return {"": Moved(replace(seat, posted_from=0), f"Heads-up {name} moves freely.", along)}
    if table.house.tournament or played is None or planned is None:
        return {"": Moved(seat, f"{name} moves freely.")}
    if table.house.seat_change == "as_new_player":
        new = replace(_entrant(seat, -1), standing="new")
        return _said(new, ("", "post", "wait_big_blind", "wait_button"), f"{name} is new there.")
    return _by_distance(leaving, planned, to)


def _said(after: Seat, choices: tuple[Choice, ...], text: str) -> Ways:
    """The mover with each answer he may give with the move."""
    return {choice: Moved(replace(after, choice=choice), text) for choice in choices}


def _moved_along(last: LastHand, seat: Seat, to: SeatNo) -> LastHand:
    """The last hand with the mover's places on the felt taken along."""

    def moved(place: Place) -> Place:
        is_his = seat.posted == place.depth and seat.posted_from == place.seat
        return replace(place, seat=to) if is_his else place

    places = [moved(place) for place in last.places]
    return replace(
        last,
        button=to if seat.had_button else last.button,
        big=moved(Place(last.big, 0)).seat,
        places=in_seat_order(places),
    )


def _by_distance(leaving: Leaving, planned: Outcome, to: SeatNo) -> Ways:
    """The eight rules for a player of the rotation, the more particular ones first."""
    seat_no, seat = leaving.seat_no, leaving.seat
    name = seat.name
    due = _what_is_due(leaving, to)
    if planned.found.button == seat_no:
        raise _refused(f"{name} is due the button: he takes a hand and deals off first")
    depth = next((depth for s, depth in planned.found.dues if s == seat_no), 0)
    if depth:
        if due in ("button", "big"):
            raise _refused(f"{name} is due the small blind: he posts it where he is and deals off")
        return {"": _with_his_blind(leaving.now.last, seat, seat_no, depth)}
    found: Ways = {}
    if seat.had_button and due != "button":
        passing = replace(_entrant(seat, -1), choice="pass", pass_free=True)
        found["pass"] = Moved(passing, f"{name} dealt off: the blinds pass his new seat once.")
    if seat.had_button and due == "nothing":
        return {"": Moved(seat, f"{name} dealt off and moves freely."), **found}
    if due == "big":
        behind = replace(_entrant(seat, -1), choice="wait_button")
        takes = Moved(seat, f"{name} moves into the big blind and posts it.")
        late = Moved(behind, f"{name} comes in behind the button.")
        return {"": takes, "wait_big_blind": takes, "wait_button": late, **found}
    if due == "small":
        # Nothing else is his to choose there, later on either.
        behind = replace(_entrant(seat, BEHIND), choice="wait_button")
        late = Moved(behind, f"{name} comes in behind the button.")
        return {"": late, "wait_button": late, **found}
    return _further(leaving, to, due) | found


def _with_his_blind(last: LastHand | None, seat: Seat, seat_no: SeatNo, depth: int) -> Moved:
    """He takes the blind he is due along; the seat he leaves keeps its position (rule 4).

    Where the policy makes it his without his having posted the one before it, he is now down for
    it all the same.
    """
    text = f"{seat.name} takes his small blind along."
    if seat.posted == depth - 1 or last is None:
        return Moved(replace(seat, carries=True), text)
    places = [*last.places, Place(seat_no, depth - 1)]
    down = replace(seat, posted=depth - 1, posted_from=seat_no, carries=True)
    return Moved(down, text, replace(last, places=in_seat_order(places)))


def _further(leaving: Leaving, to: SeatNo, due: Due) -> Ways:
    """Rules 1, 2 and the button's of rule 3: what the distance asks of him."""
    now, seat, before = leaving.now, leaving.seat, leaving.distance
    name = seat.name
    further = _new_distance(now, leaving.seat_no, to) - before
    if due == "button" and further <= NEAR:
        waits = replace(_entrant(seat, horizon(now)), not_before=now.hand + 1, choice="wait")
        once = Moved(waits, f"{name} waits one hand for the button.")
        return {"": once, "wait": once}
    if due == "button":
        after = replace(_entrant(seat, before), not_before=now.hand + 1, behind_only=True)
        text = f"{name} posts behind the button, or waits as long as before."
        return _said(after, ("", "wait_button", "wait"), text)
    if further <= (NEAR if now.house.seat_change == "las_vegas" else 0):
        return {"": Moved(seat, f"{name} moves no further from the big blind.")}
    text = f"{name} moves further from the big blind: he waits as long as before, or posts."
    return _said(_entrant(seat, before), ("", "wait", "post"), text)


def _what_is_due(leaving: Leaving, to: SeatNo) -> Due:
    """What the seat moved to is due next hand, planned without the mover."""
    now, done = leaving.now, leaving.without
    last = now.last
    if done is None or last is None:
        return "nothing"
    found, count = done.found, now.count
    if to == found.button or (found.advanced and _within(count, last.button, to, found.button)):
        return "button"
    if any(to == dead for dead, _ in found.dead):
        return "small"
    chain = [s for s, _ in (*found.dues, *found.dead)]
    smalls = [s for s in chain if _within(count, found.button, s, found.big)]
    small = max(smalls, key=lambda s: ring.distance(count, found.button, s), default=found.button)
    if _within(count, found.button, to, small):
        return "small"
    if _within(count, small, to, found.big):
        return "big"
    return "nothing"


def _within(count: int, start: SeatNo, seat_no: SeatNo, end: SeatNo) -> bool:
    """Strictly between two seats, clockwise; nothing lies between a seat and itself."""
    return start != end and ring.is_between(count, start, seat_no, end)


def _new_distance(now: Situation, seat_no: SeatNo, to: SeatNo) -> int:
    """Hands until the big blind reaches the mover in his new seat; far if it never does."""
    moved = copy(now)
    seat = replace(now.seats[seat_no], button_forfeited=False)
    _put(moved, seat_no, VACANT)
    _put(moved, to, replace(seat, standing="mover", choice="wait_big_blind"))
    hands = hands_until_big(moved, to)
    return now.count if hands is None else hands


def _put(now: Situation, seat_no: SeatNo, seat: Seat) -> None:
    """Have that seat so in what follows, and its player there whatever his stack."""
    now.seats[seat_no] = seat
    now.present[seat_no] = bool(seat.player)
    now.rotates[seat_no] = rotates(seat, now.present[seat_no], now.house)


def _entrant(seat: Seat, wait_distance: int) -> Seat:
    """The mover out of the rotation until he has waited or paid."""
    return replace(seat, standing="mover", wait_distance=wait_distance, posted=-1, posted_from=0)


def _refused(message: str) -> Refused:
    return Refused("not_due", message, rule=RULE)
