"""The next hand, bare: which policy speaks, and the fixpoint over players who fall out of it."""

from dataclasses import replace

from tests.model.buttons import button_path, last_hand, ordinary, policy_draft
from tests.model.entry import (
    add_entrants,
    dead_beside_big,
    effective_choice,
    held_out,
    present,
    price,
    rotation,
)
from tests.model.heads_up import growth, shrink
from tests.model.house import amounts, heads_up_amounts
from tests.model.ring import first_after, in_order, strictly_between
from tests.model.straddles import standing_raises
from tests.model.table import Draft, Entry, Table


def draft(t: Table, naive: bool = False) -> Draft:
    """The hand that would be dealt now. naive: movers who wait only come in by the big blind.

    A player who wished to sit out at the next big blind goes when it would be his; with
    full_blind_or_no_hand a player who cannot post in full is treated as sitting out. Each time one
    such player is found (the first in dealing order) the hand is planned again without him.
    """
    gone: dict[int, str] = {}
    while True:
        d = draft_without(t, gone, naive)
        if d.none:
            return d
        leaver = next_to_go(t, d)
        if leaver is None:
            return d
        gone = {**gone, leaver[0]: leaver[1]}


def next_to_go(t: Table, d: Draft) -> tuple[int, str] | None:
    costs = amounts(t)
    if t.house["tournament"]:
        return None  # everybody with chips is dealt in
    bigs = d.bigs  # as the big blind reaches them
    for no in bigs:
        if t.seats[no].out_at_big:
            return no, "sitting_out"
    others = [no for no in in_order(t.seat_count, d.button, d.dealt) if no not in bigs]
    for no in [*bigs, *others]:
        seat = t.seats[no]
        kind = d.turn.get(no)
        if t.house["short_stack"] == "full_blind_or_no_hand" and seat.stack is not None:
            entry = d.entries.get(no)
            due = costs[kind] if kind else 0
            if d.heads_up and no in d.players:
                due = heads_up_amounts(t)[0 if no == d.last_big else 1]
            due += entry.live + entry.dead if entry else 0
            if kind and seat.status == "returning" and t.fresh_button is None:
                due += (
                    dead_beside_big(t, seat)
                    if kind == "big"
                    else sum(price(t, no, "post", d.gone)[1:])
                )
            if seat.stack < due:
                return no, "short_stack"
    return None


def draft_without(t: Table, gone: dict[int, str], naive: bool) -> Draft:
    n = t.seat_count
    if t.fresh_button is not None:
        # new-game: everyone seated and present is in; a drawn seat that emptied passes it on
        players = [no for no in sorted(t.seats) if present(t, no, gone)]
        if len(players) < 2:
            return Draft(none="too_few_players", gone=gone)
        button = t.fresh_button
        if button not in players:
            button = first_after(n, button, players) or 0
        d = ordinary(t, button, players)
        d.passed = []
        d.gone = gone
        d.raises = standing_raises(t, d)
        return d
    rot = rotation(t, gone)
    if t.last is None:
        return Draft(none="no_game", gone=gone)
    if len(rot) < 2:
        return Draft(none="too_few_players", gone=gone)
    d = forced(t, rot) if t.forced_button is not None else in_turn(t, rot, gone, naive)
    d.gone = gone
    d.button_passed = button_path(t, d.button)
    if t.forced_button is None:
        buy_the_button(t, d, rot)
    add_entrants(t, d, naive)
    if t.house["tournament"] and len(d.dealt) < 2:
        # no hand without those between button and small blind: nobody is held out then
        d.entries |= {no: Entry("entry", 0, 0) for no in rot if no not in d.players}
    d.raises = standing_raises(t, d)
    return d


def forced(t: Table, rot: list[int]) -> Draft:
    """misplaced-button: the button there (or, if he has gone since, on the next), blinds as after
    an ordinary hand."""
    button = t.forced_button
    assert button is not None
    if button not in rot and (t.house["button"] != "dead_button" or len(rot) == 2):
        button = first_after(t.seat_count, button, rot) or 0
    return ordinary(t, button, rot)


def in_turn(t: Table, rot: list[int], gone: dict[int, str], naive: bool) -> Draft:
    """heads-up growth if a third comes in, else the policy; two players left: heads-up decides."""
    d = growth(t, rot, gone)
    if d is None:
        d = policy_draft(t, rot, gone)
        held = [no for no in rot if t.house["tournament"] and held_out(t, d, no)]
        if held and len(rot) - len(held) >= 2:
            # whom the chain holds out is no player of this hand: of two he makes no three
            rot = [no for no in rot if no not in held]
            d = policy_draft(t, rot, gone)
        if d.heads_up or (len(d.players) == 2 and not third_in_dead_arc(t, d, gone, naive)):
            d = shrink(t, rot)
    n, old_big = t.seat_count, last_hand(t).big
    d.passed = [no for no in t.seats if strictly_between(n, old_big, d.last_big, no)]
    return d


def third_in_dead_arc(t: Table, d: Draft, gone: dict[int, str], naive: bool) -> bool:
    """dead_button: with an entrant dealt in behind the big blind it is a hand of three, and places
    of the chain stay dead (what the sites that play this policy do)."""
    if t.house["button"] != "dead_button" or d.last_big == d.button:
        return False
    trial = replace(d, entries={}, gone=gone, button_passed=button_path(t, d.button))
    add_entrants(t, trial, naive)
    return len(trial.dealt) > 2


def buy_the_button(t: Table, d: Draft, rot: list[int]) -> None:
    """wsop-live: an entrant between the button and the player due the small blind posts both there,
    nobody else posts in turn, and the action starts on his left."""
    if not t.house["buy_button"] or d.heads_up or len(d.chain_seats) < 2:
        return
    n, old_big = t.seat_count, last_hand(t).big
    smalls = [no for no, kind in d.turn.items() if kind != "big" and no != d.button]
    due_at = first_after(n, d.button, smalls)
    if due_at is None:
        return
    buyers = [
        no
        for no, seat in t.seats.items()
        if seat.status in ("new", "returning")
        and no not in d.turn
        and present(t, no, d.gone)
        and effective_choice(t, no, d.gone) == "buy_button"
        and strictly_between(n, d.button, due_at, no)
    ]
    buyer = first_after(n, d.button, buyers)
    if buyer is None:
        return
    costs = amounts(t)
    kind = "make_up" if t.seats[buyer].status == "returning" else "entry"
    d.bought = buyer
    d.entries[buyer] = Entry(kind, costs["big"], costs["small"])
    d.players = sorted(rot)
    d.turn, d.dead, d.passed = {}, [], []
    d.last_big = old_big
    d.chain_seats = [buyer, old_big]
