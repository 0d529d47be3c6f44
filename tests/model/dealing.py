"""The hand's own commands: start or adopt a game, shuffle, cut, deal, end, straddle, sleeper."""

from typing import Any

from tests.model.commands import Command, owes_from, require_phase
from tests.model.draft import draft
from tests.model.entry import present, rotation
from tests.model.house import chain, is_int
from tests.model.ledger import record
from tests.model.plan import dress
from tests.model.ring import in_order, steps, strictly_between, walk
from tests.model.straddles import check_raise
from tests.model.table import Due, Last, Refused, Table


def start_game(t: Table, c: Command) -> None:
    """new-game: no game yet, or fewer than two of the rotation are present; two seated and present.
    The button is drawn for; without a draw it falls on the lowest seat."""
    require_phase(t, "no_game", "between_hands", "shuffling", "cut")
    if t.phase != "no_game" and t.fresh_button is None and len(rotation(t, {})) >= 2:
        raise Refused("wrong_phase", "the game goes on")
    there = [no for no in sorted(t.seats) if present(t, no, {})]
    if len(there) < 2:
        raise Refused("no_hand")
    button = c.get("button", there[0])
    if button not in t.seats:
        raise Refused("seat_empty")
    if button not in there:
        raise Refused("not_allowed", "the button is drawn by players who are there")
    if button == t.fresh_button:
        raise Refused("no_change", "it was drawn there")
    t.fresh_button, t.game_started_at = button, t.hand
    t.free_period = True
    t.phase = "between_hands"


def seat_list(t: Table, value: Any) -> list[int]:
    seats = value if isinstance(value, list) else [value]
    if not all(is_int(no) for no in seats):
        raise Refused("bad_fields", "a seat or a list of seats")
    for no in seats:
        if not 1 <= no <= t.seat_count:
            raise Refused("no_seat")
    return seats


def adopt_game(t: Table, c: Command) -> None:
    """misplaced-button: hands that nobody entered. Everyone seated who owes nothing is of the
    rotation; those present were dealt the last hand."""
    require_phase(t, "no_game", "between_hands")
    bigs = seat_list(t, c["big"])
    smalls = seat_list(t, c["small"]) if "small" in c else None
    if not bigs:
        raise Refused("bad_fields", "big")
    owes = {}
    for key, value in c.get("owes", {}).items():
        no = int(key) if str(key).isdigit() else 0
        if not 1 <= no <= t.seat_count:
            raise Refused("no_seat")
        if no not in t.seats:
            raise Refused("seat_empty")
        owes[no] = owes_from(value, chain(t))
    for no, seat in t.seats.items():
        seat.owes = owes.get(no, frozenset())
        seat.status = "returning" if seat.owes else "rotation"
        seat.dealt_before = True
    t.fresh_button = t.forced_button = None
    t.last = adopted(t, c["button"], smalls, in_order(t.seat_count, c["button"], bigs))
    t.phase = "between_hands"


def adopted(t: Table, button: int, smalls: list[int] | None, bigs: list[int]) -> Last:
    """The last hand as told. The chain's places end with the last big blind, counted from the
    button, whose own seat is last of all only where it is alone."""
    here = {no: seat.player for no, seat in t.seats.items() if seat.status == "rotation"}
    dealt = [no for no in here if present(t, no, {})]
    kinds = chain(t)
    big = ([no for no in bigs if no != button] or bigs)[-1]
    if not smalls and len(dealt) == 2 and button in dealt:
        smalls = [button]
    others = [no for no in dealt if no not in bigs]
    smaller = smaller_places(t, button, smalls or [], big, others)
    due = [Due(here.get(no), no, 1) for no in bigs]
    due += [Due(here.get(no), no, 2 if no == smaller[0] or len(kinds) < 3 else 3) for no in smaller]
    smaller = smaller[: max(1, len(kinds) - 1)]
    places = [*reversed(smaller), big] if len(kinds) > 1 else [big]
    return Last(button, here.get(button), places, here.get(big), due, [here[no] for no in dealt])


def smaller_places(
    t: Table, button: int, smalls: list[int], big: int, others: list[int]
) -> list[int]:
    """The seats of the blinds below the big one, the biggest of them (nearest to it) first.

    Not told: the next players of the rotation left of the button (heads-up it was the button). Of
    three blinds one is told: the middle was the next player's, if there is one before the big.
    """
    n = t.seat_count
    before_big = [no for no in walk(n, button) if strictly_between(n, button, big, no)]
    if not smalls:
        smalls = [no for no in before_big if no in others][: max(1, len(chain(t)) - 1)]
        smalls = smalls or [before_big[-1] if before_big else button]
    elif len(smalls) == 1 and len(chain(t)) > 2 and len(others) > 1:
        after = [no for no in walk(n, smalls[0]) if strictly_between(n, smalls[0], big, no)]
        smalls = [*smalls, *[no for no in after if no in others][:1]]
    return sorted(smalls, key=lambda no: steps(n, no, big))


def shuffle(t: Table, c: Command) -> None:
    require_phase(t, "between_hands")
    if draft(t).none:
        raise Refused("no_hand")
    t.phase = "shuffling"


def cut(t: Table, c: Command) -> None:
    require_phase(t, "shuffling")
    t.phase = "cut"


def deal(t: Table, c: Command) -> None:
    """The first card commits the plan."""
    require_phase(t, "between_hands", "shuffling", "cut")
    d = draft(t)
    if d.none:
        raise Refused("no_hand")
    t.committed = dress(t, d)
    asked = t.committed["questions"]  # dealt in: asked no more
    t.committed["questions"] = [one for one in asked if one["seat"] not in d.dealt]
    t.unposted = {}
    record(t, d)
    t.phase = "in_hand"


def end_hand(t: Table, c: Command) -> None:
    require_phase(t, "in_hand")
    t.phase, t.committed, t.unposted = "between_hands", None, {}


def raise_blind(t: Table, c: Command) -> None:
    """straddle and sleeper: before the first card."""
    require_phase(t, "between_hands", "shuffling", "cut")
    if c["seat"] not in t.seats:
        raise Refused("seat_empty")
    d = draft(t)
    if d.none:
        raise Refused("no_hand")
    check_raise(t, d, d.raises, c["type"], c["seat"])
    t.raises.append((c["type"], c["seat"]))
