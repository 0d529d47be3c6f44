"""Changing seats at the same table: what a player takes with him, waits for, or pays.

The next hand is planned without the mover; that says what his new seat is due. *Distance* is the
number of hands until the big blind reaches a seat, if nobody moves. The numbers below are those of
the rule text.
"""

from typing import Literal

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules import ring
from livebutton.rules.checks import occupied, require, seat_of
from livebutton.rules.hands_ahead import hands_until_big, horizon, work_out
from livebutton.rules.outcome import Outcome
from livebutton.rules.refusals import Refused
from livebutton.rules.settle import in_seat_order
from livebutton.rules.situation import Situation, copy, rotates, situation
from livebutton.rules.table import VACANT, Choice, LastHand, Ruling, Seat, SeatNo, Table

replace = msgspec.structs.replace

Due = Literal["button", "small", "big", "nothing"]
RULE = "seat-changes"
# How much further away the button's and Las Vegas's movers may go without a price.
NEAR = 2


def change_seat(table: Table, command: cmd.ChangeSeat) -> list[ev.AnyEvent]:
    """A player moves to an empty seat, and how he comes in there.

    Refused: `wrong_phase` in a hand, `not_due` where the rule forbids it, `not_offered` where the
    choice is not his to make.
    """
    seat = occupied(table, command.seat)
    to = seat_of(table, command.to)
    require(
        table.play.phase != "in_hand", "wrong_phase", "seats are changed between hands", rule=RULE
    )
    require(command.to != command.seat, "no_change", f"{seat.name} sits there already")
    require(not to.player, "seat_taken", f"seat {command.to} is taken by {to.name}")
    require(
        to.held_for in ("", seat.player),
        "seat_locked",
        f"seat {command.to} is held for {to.held_for}",
    )
    after, text, last = _moved(table, command, seat)
    after = replace(after, left_by=to.left_by, left_owing=to.left_owing)
    ruling = Ruling(
        RULE, (command.seat, command.to), text, {"from": command.seat, "to": command.to}
    )
    left = replace(VACANT, left_by=seat.left_by, left_owing=seat.left_owing)
    return [
        ev.SeatChanged(
            seat=command.seat,
            to=command.to,
            after=after,
            left_behind=left,
            last=last,
            rulings=(ruling,),
        )
    ]


def _moved(table: Table, command: cmd.ChangeSeat, seat: Seat) -> tuple[Seat, str, LastHand | None]:
    """The mover's seat as it is in the new place, and why; and the last hand if it moves too."""
    name, choice = seat.name, command.choice
    # What he posted last hand goes with him; its place on the felt stays where it was.
    if seat.posted >= 0 and not seat.posted_from:
        seat = replace(seat, posted_from=command.seat)
    if table.play.phase == "no_game" or table.play.drawn or table.house.tournament:
        return *_free(seat, choice, f"{name} moves freely."), None
    if seat.standing != "in":
        return *_free(seat, choice, f"{name} is not in the rotation and stays what he is."), None
    now = situation(table)
    _put(now, command.seat, replace(seat, sitting_out=False, deal_me_in=False))
    planned = work_out(copy(now))
    if planned is None or len(planned.dealt) == 2:
        # Two players: button and blinds are remembered by player, so they move with him.
        text = f"Heads-up {name} moves freely."
        last = _moved_along(table.play.last, command.seat, command.to)
        return *_free(replace(seat, posted_from=0), choice, text), last
    if table.house.seat_change == "as_new_player":
        after = replace(_entrant(seat, "", -1), standing="new")
        offered: tuple[Choice, ...] = ("post", "wait_big_blind", "wait_button")
        return *_chosen(after, choice, offered, f"{name} is new there."), None
    return *_by_distance(now, planned, command, seat), None


def _moved_along(last: LastHand | None, seat_no: SeatNo, to: SeatNo) -> LastHand | None:
    """The last hand with the mover's places on the felt taken along."""
    if last is None:
        return None

    def moved(place: SeatNo) -> SeatNo:
        return to if place == seat_no else place

    places = [replace(place, seat=moved(place.seat)) for place in last.places]
    return replace(
        last, button=moved(last.button), big=moved(last.big), places=in_seat_order(places)
    )


def _by_distance(
    now: Situation, planned: Outcome, command: cmd.ChangeSeat, seat: Seat
) -> tuple[Seat, str]:
    """The eight rules for a player of the rotation, the more particular ones first."""
    name, choice = seat.name, command.choice
    due = what_is_due(now, command.seat, command.to)
    if planned.found.button == command.seat:
        raise _refused(f"{name} is due the button: he takes a hand and deals off first")
    if any(s == command.seat for s, _ in planned.found.dues):
        if due in ("button", "big"):
            raise _refused(f"{name} is due the small blind: he posts it where he is and deals off")
        return _free(seat, choice, f"{name} takes his small blind along.")
    if seat.had_button:
        if choice == "pass" and due != "button":
            after = replace(_entrant(seat, "pass", -1), pass_free=True)
            return after, f"{name} dealt off: the blinds pass his new seat once."
        if due == "nothing":
            return _free(seat, choice, f"{name} dealt off and moves freely.")
    if due == "big":
        return _into_big(seat, choice)
    if due == "small":
        after = _entrant(seat, "wait_button", -1)
        return _chosen(after, choice, ("wait_button",), f"{name} comes in behind the button.")
    before = hands_until_big(now, command.seat)
    further = _new_distance(now, command) - (before or 0)
    if due == "button":
        return _into_button(now, seat, choice, before or 0, further)
    if further <= (NEAR if now.house.seat_change == "las_vegas" else 0):
        return _free(seat, choice, f"{name} moves no further from the big blind.")
    text = f"{name} moves further from the big blind: he waits as long as before, or posts."
    return _chosen(_entrant(seat, "", before or 0), choice, ("wait", "post"), text)


def _into_big(seat: Seat, choice: Choice) -> tuple[Seat, str]:
    """Rule 3: he takes the big blind that his new seat is due, or waits for the button."""
    if choice in ("", "wait_big_blind"):
        return seat, f"{seat.name} moves into the big blind and posts it."
    after = _entrant(seat, "", -1)
    return _chosen(after, choice, ("wait_button",), f"{seat.name} comes in behind the button.")


def _into_button(
    now: Situation, seat: Seat, choice: Choice, before: int, further: int
) -> tuple[Seat, str]:
    """Rule 3: he waits one hand; from further away he pays behind the button, or waits on."""
    if further <= NEAR:
        after = replace(_entrant(seat, "wait", horizon(now)), not_before=now.hand + 1)
        return _chosen(after, choice, ("wait",), f"{seat.name} waits one hand for the button.")
    text = f"{seat.name} posts behind the button, or waits as long as before."
    after = replace(_entrant(seat, "", before), not_before=now.hand + 1, behind_only=True)
    return _chosen(after, choice, ("wait_button", "wait"), text)


def what_is_due(now: Situation, seat_no: SeatNo, to: SeatNo) -> Due:
    """What the seat moved to is due next hand, planned without the mover."""
    without = copy(now)
    last = now.last
    _put(without, seat_no, VACANT)
    done = work_out(without)
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


def _new_distance(now: Situation, command: cmd.ChangeSeat) -> int:
    """Hands until the big blind reaches the mover in his new seat; far if it never does."""
    moved = copy(now)
    seat = now.seats[command.seat]
    _put(moved, command.seat, VACANT)
    _put(moved, command.to, replace(seat, standing="mover", choice="wait_big_blind", posted=-1))
    hands = hands_until_big(moved, command.to)
    return hands if hands is not None else 4 * now.count


def _put(now: Situation, seat_no: SeatNo, seat: Seat) -> None:
    now.seats[seat_no] = seat
    now.present[seat_no] = bool(seat.player) and seat.stack != 0
    now.rotates[seat_no] = rotates(seat, now.present[seat_no], now.house)


def _entrant(seat: Seat, choice: Choice, wait_distance: int) -> Seat:
    """The mover out of the rotation until he has waited or paid."""
    return replace(
        seat,
        standing="mover",
        choice=choice,
        wait_distance=wait_distance,
        posted=-1,
        posted_from=0,
    )


def _free(seat: Seat, choice: Choice, text: str) -> tuple[Seat, str]:
    """He moves as he is, and there is nothing to choose."""
    if choice:
        raise Refused("not_offered", f"there is nothing to choose: {text}", rule=RULE)
    return seat, text


def _chosen(
    after: Seat, choice: Choice, offered: tuple[Choice, ...], text: str
) -> tuple[Seat, str]:
    """The mover with the answer he gave with the move, if he gave one."""
    if not choice:
        return after, text
    if choice not in offered:
        raise Refused(
            "not_offered",
            f"{choice} is not open to {after.name}: {', '.join(offered)}",
            rule=RULE,
            params={"choices": list(offered)},
        )
    return replace(after, choice=choice), text


def _refused(message: str) -> Refused:
    return Refused("not_due", message, rule=RULE)
