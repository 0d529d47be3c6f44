"""People: seats, lock-ups, sitting out and in, choices, debts by the floor, the waiting list."""

from tests.model.commands import Command, owes_from
from tests.model.draft import draft
from tests.model.entry import offers, present
from tests.model.house import chain
from tests.model.table import Refused, Seat, Table


def occupied(t: Table, no: int) -> Seat:
    if no not in t.seats:
        raise Refused("seat_empty")
    return t.seats[no]


def lock_up(t: Table, c: Command) -> None:
    """missed-blinds: a note on an empty seat; one that names a player holds it for him."""
    if c["seat"] in t.seats:
        raise Refused("seat_taken")
    if c["seat"] in t.lock_ups and t.lock_ups[c["seat"]] == c.get("player"):
        raise Refused("no_change")
    t.lock_ups[c["seat"]] = c.get("player")


def release(t: Table, c: Command) -> None:
    if c["seat"] not in t.lock_ups:
        raise Refused("no_change")
    del t.lock_ups[c["seat"]]


def may_sit(t: Table, no: int, player: str) -> None:
    if no in t.seats:
        raise Refused("seat_taken")
    held_for = t.lock_ups.get(no)
    if held_for is not None and held_for != player:
        raise Refused("seat_locked")


def take_seat(t: Table, c: Command) -> None:
    """new-players; missed-blinds: who comes back before the big blind has passed his old seat keeps
    what he owed. The list and the lock-up lose him."""
    if t.seat_of(c["player"]) is not None:
        raise Refused("not_allowed", "the same player twice")
    may_sit(t, c["seat"], c["player"])
    seat = Seat(c["player"], str(c.get("name", c["player"])), c.get("stack"))
    seat.free_entry = c.get("entry") == "free"
    _, owed = t.departed.pop(c["player"], (0, frozenset()))
    if owed:
        seat.status, seat.owes, seat.dealt_before = "returning", owed, True
    t.seats[c["seat"]] = seat
    t.lock_ups.pop(c["seat"], None)
    if c["player"] in t.waiting:
        t.waiting.remove(c["player"])


def rename(t: Table, c: Command) -> None:
    seat = occupied(t, c["seat"])
    if seat.name == c["name"]:
        raise Refused("no_change")
    seat.name = c["name"]


def leave(t: Table, c: Command) -> None:
    """missed-blinds: a lock-up button on the seat; his debts are remembered for a while."""
    seat = occupied(t, c["seat"])
    if seat.owes:
        t.departed[seat.player] = (c["seat"], seat.owes)
    del t.seats[c["seat"]]
    forget(t, seat.player)
    t.lock_ups[c["seat"]] = None


def forget(t: Table, player: str) -> None:
    """Who comes back to the table is another player to it: what he posted stays with his seat."""
    last = t.last
    if last is None:
        return
    last.button_player = None if last.button_player == player else last.button_player
    last.big_player = None if last.big_player == player else last.big_player
    last.dealt = ["" if one == player else one for one in last.dealt]
    for due in last.due:
        due.player = None if due.player == player else due.player


def sit_out(t: Table, c: Command) -> None:
    seat = occupied(t, c["seat"])
    later = c.get("at") == "next_big_blind"
    if seat.sitting_out and seat.deal_me_in and not later:
        seat.deal_me_in = False  # he takes it back
        return
    if seat.sitting_out or (later and seat.out_at_big):
        raise Refused("no_change")
    if later:
        seat.out_at_big = True
    else:
        seat.sitting_out, seat.out_at_big = True, False


def sit_in(t: Table, c: Command) -> None:
    seat = occupied(t, c["seat"])
    if not seat.sitting_out and not seat.out_at_big:
        raise Refused("no_change")
    seat.sitting_out = seat.out_at_big = seat.deal_me_in = seat.absent_mark = False


def deal_me_in(t: Table, c: Command) -> None:
    """Words: sitting out, but he has told the dealer to deal him in, for one hand."""
    seat = occupied(t, c["seat"])
    if not seat.sitting_out or seat.deal_me_in:
        raise Refused("no_change")
    seat.deal_me_in = True


def choose(t: Table, c: Command) -> None:
    """making-up-blinds, new-players, seat-changes: only what he is offered."""
    no, choice = c["seat"], c["choice"]
    seat = occupied(t, no)
    if not seat.entrant or t.fresh_button is not None or t.phase == "no_game":
        raise Refused("not_offered", "he is in the rotation")
    if not present(t, no, {}):
        raise Refused("not_offered", "he is sitting out")
    if choice == "buy_button" and not t.house["buy_button"]:
        raise Refused("not_allowed")
    if choice == "straddle" and not t.house["straddles"]:
        raise Refused("not_allowed")
    offered = offers(t, no, draft(t).gone)  # as the next hand is planned
    if seat.barred and choice not in offered:
        raise Refused("not_allowed", "he declined to post and waits for the big blind")
    if choice not in offered and not (choice == "post" and "free" in offered):
        raise Refused("not_offered")
    if seat.choice == choice:
        raise Refused("no_change")
    seat.choice = choice


def set_stack(t: Table, c: Command) -> None:
    seat = occupied(t, c["seat"])
    if seat.stack == c["stack"]:
        raise Refused("no_change")
    seat.stack = c["stack"]


def set_owes(t: Table, c: Command) -> None:
    """The floor's: whoever owes is a returning player; who owes nothing more is in the rotation
    again if he has ever been dealt in, else new."""
    seat = occupied(t, c["seat"])
    if t.house["tournament"]:
        raise Refused("not_allowed", "nobody owes blinds in a tournament")
    owes = owes_from(c["owes"], chain(t))
    if owes == seat.owes:
        raise Refused("no_change")
    seat.owes = owes
    if owes:
        seat.choice = seat.choice if seat.status in ("returning", "new") else None
        seat.status, seat.move, seat.between = "returning", None, False
    else:
        seat.status = "rotation" if seat.dealt_before else "new"
        if seat.dealt_before or seat.choice == "straddle":
            seat.choice = None
        seat.barred = False


def join_list(t: Table, c: Command) -> None:
    if c["player"] in t.waiting or t.seat_of(c["player"]) is not None:
        raise Refused("no_change")
    t.waiting.append(c["player"])


def leave_list(t: Table, c: Command) -> None:
    if c["player"] not in t.waiting:
        raise Refused("no_change")
    t.waiting.remove(c["player"])


def drop_fallen_raises(t: Table) -> None:
    """straddles-sleepers: a raise whose ground falls away by a re-plan is dropped for good."""
    if not t.raises:
        return
    d = draft(t)
    standing = [] if d.none else d.raises
    t.raises = [one for one in t.raises if one in standing]
