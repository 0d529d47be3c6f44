"""Voluntary blind raises: straddles under the gun and on, sleepers from any other seat."""

from tests.model.house import amounts, betting
from tests.model.ring import in_order
from tests.model.table import Draft, Refused, Table


def step_mode(t: Table) -> str:
    """restraddle: as the house says, else one more bet in limit and spread, doubling elsewhere."""
    if t.house["restraddle"] is not None:
        return str(t.house["restraddle"])
    return "one_bet" if betting(t) in ("limit", "spread") else "double"


def level_after(t: Table, count: int) -> int:
    """The amount to call after `count` raises: 2, 3, 4... big blinds to the cap, or 2, 4, 8..."""
    big = amounts(t)["big"]
    if step_mode(t) == "double":
        return int(big * 2**count)
    return int(big * min(1 + count, t.house["straddle_cap"]))


def is_capped(t: Table, count: int) -> bool:
    """Only one_bet has a cap."""
    return count > 0 and step_mode(t) == "one_bet" and 1 + count >= t.house["straddle_cap"]


def next_straddler(t: Table, d: Draft, raises: list[tuple[str, int]]) -> int | None:
    """Under the gun, then the next dealt-in player, and so on up to the button."""
    order = [no for no in in_order(t.seat_count, d.last_big, d.dealt) if no != d.last_big]
    if d.heads_up and len(d.dealt) < 3:
        return None
    if d.button in order:
        order = order[: order.index(d.button) + 1]
    else:
        order = [no for no in order if behind_big(t, d, no)]
    straddlers = [no for kind, no in raises if kind == "straddle"]
    if not straddlers:
        return order[0] if order else None
    if straddlers[-1] not in order:
        return None
    after = order[order.index(straddlers[-1]) + 1 :]
    return after[0] if after else None


def behind_big(t: Table, d: Draft, no: int) -> bool:
    """With the button on an empty seat: seats from under the gun up to that seat."""
    order = in_order(t.seat_count, d.last_big, {no, d.button})
    return order[0] == no


def check_raise(t: Table, d: Draft, raises: list[tuple[str, int]], kind: str, no: int) -> None:
    """Refuses a straddle or sleeper that the rules do not allow here."""
    if not t.house["straddles"]:
        raise Refused("not_allowed", "straddles and sleepers are prohibited")
    if len(d.dealt) < 3:
        raise Refused("not_allowed", "three or more dealt in")
    if no not in d.dealt:
        raise Refused("not_due", "he is not dealt in")
    if no in [seat for _, seat in raises]:
        raise Refused("no_change", "one a seat")
    if is_capped(t, len(raises)):
        raise Refused("capped")
    due = next_straddler(t, d, raises)
    if (kind == "straddle") != (no == due):
        raise Refused("not_due")


def standing_raises(t: Table, d: Draft) -> list[tuple[str, int]]:
    """The raises whose ground still holds in this hand; the others are dropped. An entrant who
    comes in by a straddle (making-up-blinds) is under the gun, so his is the first."""
    kept = [("straddle", no) for no, entry in d.entries.items() if entry.kind == "straddle"]
    for kind, no in t.raises:
        try:
            check_raise(t, d, kept, kind, no)
        except Refused:
            continue
        kept.append((kind, no))
    return kept
