"""A player moves to another seat of the same table, between hands."""

from tests.model.commands import Command, require_phase
from tests.model.draft import draft
from tests.model.forecast import distance
from tests.model.ring import strictly_between
from tests.model.seating import may_sit, occupied
from tests.model.table import Draft, Move, Refused, Seat, Table

TOO_FAR = 2  # seat-changes 3 and the alternate of 2: more than two players away


def change_seat(t: Table, c: Command) -> None:
    require_phase(t, "no_game", "between_hands", "shuffling", "cut")
    no, to, choice = c["seat"], c["to"], c.get("choice")
    seat = occupied(t, no)
    if to == no:
        raise Refused("no_change")
    may_sit(t, to, seat.player)
    with_him = as_if_there(t, no)
    if seat.entrant or is_free_move(t, draft(t)) or is_free_move(t, with_him):
        no_choice(choice)
        sit_elsewhere(t, no, to)
        if not seat.entrant and t.last is not None and (draft(t).heads_up or with_him.heads_up):
            keep_memory(t, seat, to)
        return
    if t.house["seat_change"] == "as_new_player":
        if choice not in (None, "post", "wait_big_blind", "wait_button"):
            raise Refused("not_offered")
        sit_elsewhere(t, no, to)
        seat.status, seat.choice = "new", choice
        return
    if with_him.button == no:
        raise Refused("not_allowed", "due the button: he must take his hand and deal off")
    zone = zone_of(t, no, to)
    if with_him.turn.get(no, "big") != "big":
        carry_small_blind(t, no, to, zone, choice)
        if t.carried is None or t.carried[0] != seat.player:
            t.carried = (seat.player, no, with_him.turn[no])
        if t.carried[1] == to:
            t.carried = None  # back in his own seat
    elif choice == "pass":
        pass_the_blinds(t, no, to, zone)
    elif zone == "arc":
        into_the_arc(t, no, to, choice)
    else:
        into_a_blind(t, no, to, zone, choice)


def as_if_there(t: Table, no: int) -> Draft:
    """The next hand with him at the table: what he is due he is due whether he is there or not."""
    trial = t.clone()
    seat = trial.seats[no]
    seat.sitting_out, seat.out_at_big, seat.stack = False, False, None
    return draft(trial)


def no_choice(choice: str | None) -> None:
    if choice is not None:
        raise Refused("not_offered")


def is_free_move(t: Table, with_him: Draft) -> bool:
    """heads-up a move is free; so it is without a game, before a game's first hand, in
    tournaments."""
    if t.last is None or t.fresh_button is not None or t.house["tournament"]:
        return True
    return with_him.none is not None or with_him.heads_up


def keep_memory(t: Table, seat: Seat, to: int) -> None:
    """heads-up: memory of button and blinds is by player, so the seats of the last hand follow
    him."""
    last = t.last
    assert last is not None
    if last.button_player == seat.player:
        last.chain_seats = [to if no == last.button else no for no in last.chain_seats]
        last.button = to
    if last.big_player == seat.player:
        last.chain_seats[-1] = to
    for due in last.due:
        if due.player == seat.player:
            at = len(last.chain_seats) - due.depth  # the place of the blind he has posted
            if at >= 0 and last.chain_seats[at] == due.seat:
                last.chain_seats[at] = to
            due.seat = to


def sit_elsewhere(t: Table, no: int, to: int) -> None:
    """Pot-limit: elsewhere he is not between the blinds any more."""
    t.seats[to] = t.seats.pop(no)
    t.seats[to].between = False
    t.lock_ups.pop(to, None)


def zone_of(t: Table, no: int, to: int) -> str:
    """Which part of the next hand, planned without the mover, the new seat lies in."""
    trial = t.clone()
    del trial.seats[no]
    trial.raises = []
    d = draft(trial)
    n = t.seat_count
    assert t.last is not None
    if d.none:
        return "arc"
    old = t.last.button
    if to == d.button or (old != d.button and strictly_between(n, old, d.button, to)):
        return "button"
    small = small_blinds_seat(t, d)
    if small != d.button and (to == small or strictly_between(n, d.button, small, to)):
        return "small"
    return "big" if strictly_between(n, small, d.last_big, to) else "arc"


def small_blinds_seat(t: Table, d: Draft) -> int:
    """The last small (or middle) blind's seat before the big blind, dead ones too; else the
    button."""
    n = t.seat_count
    lesser = [no for no, kind in d.turn.items() if kind != "big"] + [no for no, _ in d.dead]
    before = [no for no in lesser if strictly_between(n, d.button, d.last_big, no)]
    return max(before, key=lambda no: (no - d.button) % n, default=d.button)


def carry_small_blind(t: Table, no: int, to: int, zone: str, choice: str | None) -> None:
    """Rule 4: he may carry his small blind anywhere but to the button or the big blind."""
    if zone in ("button", "big"):
        raise Refused("not_allowed", "he posts the small blind where he is and deals off")
    no_choice(choice)
    sit_elsewhere(t, no, to)


def pass_the_blinds(t: Table, no: int, to: int, zone: str) -> None:
    """Rule 8: having dealt off he may let the blinds pass once and come in behind the button,
    free."""
    if not dealt_off(t, t.seats[no]) or zone == "button":
        raise Refused("not_offered")
    sit_elsewhere(t, no, to)
    become_mover(t, to, Move("passing", 0, []))


def dealt_off(t: Table, seat: Seat) -> bool:
    assert t.last is not None
    return t.last.button_player == seat.player


def become_mover(t: Table, no: int, move: Move, choice: str | None = None) -> None:
    seat = t.seats[no]
    seat.status, seat.move, seat.choice = "mover", move, choice


def distances(t: Table, no: int, to: int) -> tuple[int, int]:
    """(his distance where he sits, the distance of the new seat); never reached counts as an
    orbit."""
    before = distance(t, no)
    trial = t.clone()
    trial.raises = []
    sit_elsewhere(trial, no, to)
    become_mover(trial, to, Move("far", 0, ["wait"]), "wait")
    after = distance(trial, to)
    far = t.seat_count
    return far if before is None else before, far if after is None else after


def into_the_arc(t: Table, no: int, to: int, choice: str | None) -> None:
    """Rules 5, 1 and 2: free after dealing off, free when closer or the same; else wait or post.
    The Las Vegas alternate forgives up to two."""
    before, after = distances(t, no, to)
    slack = TOO_FAR if t.house["seat_change"] == "las_vegas" else 0
    if dealt_off(t, t.seats[no]) or after - before <= slack:
        no_choice(choice)
        sit_elsewhere(t, no, to)
        return
    if choice not in (None, "wait", "post"):
        raise Refused("not_offered")
    sit_elsewhere(t, no, to)
    become_mover(t, to, Move("far", before, ["wait", "post"]), choice)


def into_a_blind(t: Table, no: int, to: int, zone: str, choice: str | None) -> None:
    """Rule 3: the big blind he takes, or waits for the button; the small blind means waiting for
    the button with a big blind; the button means waiting a hand, and if his distance grew by more
    than two, then a big blind behind the button or the old distance."""
    if zone == "big":
        if choice not in (None, "wait_big_blind", "wait_button"):
            raise Refused("not_offered")
        sit_elsewhere(t, no, to)
        if choice == "wait_button":
            become_mover(t, to, Move("big", 0, ["wait_big_blind", "wait_button"]), choice)
        return
    if zone == "small":
        if choice not in (None, "wait_button"):
            raise Refused("not_offered")
        sit_elsewhere(t, no, to)
        become_mover(t, to, Move("small", 0, ["wait_button"]), "wait_button")
        return
    before, after = distances(t, no, to)
    grew = after - before > TOO_FAR
    offered = ["wait_button", "wait"] if grew else []
    if choice is not None and choice not in (offered or ["wait"]):
        raise Refused("not_offered")
    sit_elsewhere(t, no, to)
    become_mover(t, to, Move("button", before, offered, wait_hands=1), choice)
