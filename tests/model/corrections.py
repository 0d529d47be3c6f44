"""What went wrong at the table: a hand dealt to one who had not posted, a misplaced button."""

from tests.model.buttons import ordinary
from tests.model.commands import Command, require_phase
from tests.model.draft import draft
from tests.model.entry import offers, present, price, rotation
from tests.model.house import chain
from tests.model.plan import first_to_act, options, to_call
from tests.model.ring import in_order, strictly_between
from tests.model.seating import occupied
from tests.model.straddles import level_after
from tests.model.table import Due, Last, Refused, Table


def report_unposted(t: Table, c: Command) -> None:
    """making-up-blinds: dealt in without posting. Looked, or action: the hand is dead; else he may
    elect to post where posting is allowed, otherwise it is dead too."""
    require_phase(t, "in_hand")
    no = c["seat"]
    seat = occupied(t, no)
    assert t.committed is not None
    if no in t.committed["dealt"] or not seat.entrant or t.house["tournament"]:
        raise Refused("not_due")
    if no in t.unposted:
        raise Refused("no_change")
    alive = not c["looked"] and not c["action"] and may_post(t, no)
    t.unposted[no] = "may_elect" if alive else "dead"


def may_post(t: Table, no: int) -> bool:
    """In the arc of the hand that is being played, and not barred from posting."""
    assert t.last is not None
    offered = offers(t, no, {})
    in_arc = in_arc_as_dealt(t, no)
    return (
        can_pay(t, no)
        and not t.seats[no].barred
        and ("post" in offered or "free" in offered)
        and (in_arc or t.house["entry_between_blinds"])
    )


def can_pay(t: Table, no: int) -> bool:
    """Present, that is with chips too; with a full blind or no hand, chips enough."""
    stack = t.seats[no].stack
    full = t.house["short_stack"] == "full_blind_or_no_hand"
    short = full and stack is not None and stack < sum(price(t, no, "post", {})[1:])
    return present(t, no, {}) and not short


def in_arc_as_dealt(t: Table, no: int) -> bool:
    """By the hand's own button and last big blind, wherever the button belonged."""
    assert t.committed is not None
    return strictly_between(t.seat_count, big_as_dealt(t), t.committed["button"], no)


def big_as_dealt(t: Table) -> int:
    assert t.committed is not None
    assert t.last is not None
    bigs = [one["seat"] for one in t.committed["posts"] if one["kind"] == "big"]
    left = [no for no in bigs if no != t.committed["button"]]
    return int((left or bigs or [t.last.big])[-1])


def elect(t: Table, c: Command) -> None:
    """He posts and plays; or his hand is dead and he must wait for the big blind."""
    require_phase(t, "in_hand")
    no = c["seat"]
    seat = occupied(t, no)
    if t.unposted.get(no) != "may_elect":
        raise Refused("not_offered")
    if not c["post"]:
        t.unposted[no] = "dead"
        seat.barred, seat.choice = True, "wait_big_blind"
        return
    if not can_pay(t, no):
        raise Refused("not_allowed")
    del t.unposted[no]
    assert t.last is not None
    in_arc = in_arc_as_dealt(t, no)
    add_post(t, no)
    seat.status, seat.owes, seat.choice, seat.move = "rotation", frozenset(), None, None
    seat.free_entry = seat.barred = seat.absent_mark = False
    seat.let_big_pass, seat.dealt_before, seat.between = None, True, not in_arc
    t.last.dealt.append(seat.player)


def add_post(t: Table, no: int) -> None:
    """The committed plan gains his post and his place in the deal."""
    plan = t.committed
    assert plan is not None
    choice = "post" if "post" in offers(t, no, {}) else "free"
    kind, live, dead = price(t, no, choice, {})
    stack = t.seats[no].stack
    if stack is not None:
        live = min(live, stack)
        dead = min(dead, stack - live)
    all_in = stack is not None and live + dead == stack
    n, button = t.seat_count, plan["button"]
    plan["dealt"] = in_order(n, button, [*plan["dealt"], no])
    order = plan["dealt"]
    mine = {"seat": no, "kind": kind, "live": live, "dead": dead, "all_in": all_in}
    plan["posts"] = sorted([*plan["posts"], mine], key=lambda one: order.index(one["seat"]))
    plan["not_dealt"] = [one for one in plan["not_dealt"] if one["seat"] != no]
    plan["questions"] = [one for one in plan["questions"] if one["seat"] != no]
    broke = {one["seat"] for one in plan["posts"] if one["all_in"]}
    raises = [one for one in plan["posts"] if one["kind"] in ("straddle", "sleeper")]
    straddlers = [one["seat"] for one in raises if one["kind"] == "straddle"]
    assert t.last is not None
    opener = straddlers[-1] if straddlers else big_as_dealt(t)
    plan["first_to_act"] = first_to_act(t, opener, order, broke)
    plan["first_to_act_after"] = first_to_act(t, button, order, broke)
    plan["to_call"] = to_call(level_after(t, len(raises)), plan["posts"], order, broke)
    if not plan["capped"]:
        plan["options"] = options(plan["posts"], order, broke)


def correct_button(t: Table, c: Command) -> None:
    """misplaced-button. Before the first card the hand is planned with the button there; after it
    the hand stands and the next is planned as after an ordinary hand with the button there."""
    require_phase(t, "between_hands", "shuffling", "cut", "in_hand")
    button = c["button"]
    if t.phase != "in_hand":
        players = rotation(t, {})
        may_have_button(t, button, players)
        d = draft(t)
        if d.none:
            raise Refused("no_hand")
        if d.button == button:
            raise Refused("no_change")
        if t.fresh_button is not None:
            t.fresh_button = button
        else:
            t.forced_button = button
        return
    assert t.last is not None
    assert t.committed is not None
    if t.last.button == button:
        raise Refused("no_change")
    may_have_button(t, button, rotation(t, {}))
    d = ordinary(t, button, t.committed["dealt"])
    kinds = chain(t)

    def dealt_there(no: int) -> str | None:
        seat = t.seats.get(no)
        assert t.last is not None
        return seat.player if seat is not None and seat.player in t.last.dealt else None

    due = [Due(dealt_there(no), no, len(kinds) - kinds.index(kind)) for no, kind in d.turn.items()]
    holder, big_player = dealt_there(button), dealt_there(d.last_big)
    t.last = Last(button, holder, d.chain_seats, big_player, due, t.last.dealt)


def may_have_button(t: Table, button: int, players: list[int]) -> None:
    """The disc lies at a player of the rotation; only dead_button leaves it elsewhere."""
    if t.fresh_button is not None:
        if not present(t, button, {}):
            raise Refused("not_due")
    elif button not in players and t.house["button"] != "dead_button":
        raise Refused("seat_empty" if button not in t.seats else "not_allowed")
