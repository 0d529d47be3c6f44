"""Who may come in, what he is asked, what it costs, and which entrants are dealt in."""

from tests.model.house import amounts, short_handed_limit
from tests.model.ring import first_after, strictly_between
from tests.model.table import Draft, Entry, Move, Seat, Table


def present(t: Table, no: int, gone: dict[int, str]) -> bool:
    """Words: at the table, or told the dealer to deal him in; a known stack of 0 is not present.

    tournaments: everybody with chips, at the table or not. short_stack and sit_out at the next big
    blind put a seat into `gone` for this hand.
    """
    seat = t.seats.get(no)
    if seat is None or no in gone or seat.stack == 0:
        return False
    return bool(t.house["tournament"]) or not seat.sitting_out or seat.deal_me_in


def rotation(t: Table, gone: dict[int, str]) -> list[int]:
    """Present players of the rotation whom button and blinds reach.

    tournaments: everybody with chips; an entrant takes what is due at his seat.
    """
    if t.house["tournament"]:
        return [no for no in sorted(t.seats) if present(t, no, gone)]
    return [
        no
        for no, seat in sorted(t.seats.items())
        if seat.status == "rotation" and not seat.between and present(t, no, gone)
    ]


def comes_free(t: Table, seat: Seat, gone: dict[int, str]) -> str | None:
    """Why a new player need not post in the arc: `dealt_in` (nobody asks him) or `free`, or None.

    new-players: new_player_posts = false, or the floor's free entry. new-game: free hands for a
    while. short-handed: at most five (draw: four) present in the rotation, newcomers not counted.
    """
    if seat.status != "new":
        return None
    if seat.free_entry or not t.house["new_player_posts"]:
        return "dealt_in"
    free_hands = t.house["new_game_free_hands"]
    if free_hands == "until_full":
        if t.free_period:
            return "free"
    elif 0 < t.hand - t.game_started_at <= free_hands:  # so many after the first, free to all
        return "free"
    if t.house["short_handed"] and how_many_rotate(t, gone) <= short_handed_limit(t):
        return "free"
    return None


def how_many_rotate(t: Table, gone: dict[int, str]) -> int:
    """In the rotation and present; who posted between the blinds is of it, though no position."""
    between = [no for no, seat in t.seats.items() if seat.between and present(t, no, gone)]
    return len(rotation(t, gone)) + len(between)


def offers(t: Table, no: int, gone: dict[int, str]) -> list[str]:
    """The choices an entrant has, whether or not he has made one.

    making-up-blinds: post, wait, behind the button, straddle. new-players: the first three.
    short-handed: free, wait for the big blind, or a big blind behind the button. elect: who
    declined can only wait for the big blind. wsop-live: buy the button.
    """
    seat = t.seats[no]
    if not seat.entrant or t.house["tournament"]:
        return []
    if seat.barred:
        return ["wait_big_blind"]
    if seat.status == "mover":
        assert seat.move is not None
        return seat.move.offers
    free = comes_free(t, seat, gone)
    if free == "dealt_in":
        return []
    if free == "free":
        choices = ["free", "wait_big_blind", "wait_button"]
    else:
        choices = ["post", "wait_big_blind", "wait_button"]
    if seat.status == "returning" and t.house["straddles"]:
        choices.append("straddle")
    if t.house["buy_button"]:
        choices.append("buy_button")
    return choices


def effective_choice(t: Table, no: int, gone: dict[int, str]) -> str:
    """What his choice means now. Unanswered: wait for the big blind, or free where that is free."""
    seat = t.seats[no]
    if seat.status == "mover":
        assert seat.move is not None
        if seat.move.zone == "passing":
            return "pass"
        if seat.move.zone == "small":
            return "wait_button"
        return seat.choice or "wait"
    free = comes_free(t, seat, gone)
    if free == "dealt_in":
        return "free"
    if free == "free" and seat.choice in (None, "post", "free"):
        return "free"
    if seat.choice in (None, "free"):
        return "wait_big_blind"
    return seat.choice


def is_asked(t: Table, no: int, gone: dict[int, str]) -> bool:
    """Asked from sitting in until he has chosen; a choice that no longer stands is asked again."""
    seat = t.seats[no]
    if not seat.entrant or not present(t, no, gone) or t.fresh_button is not None:
        return False
    choices = offers(t, no, gone)
    if not choices or seat.barred:
        return False
    if seat.choice is None:
        return seat.move is None or len(choices) > 1
    return seat.choice == "free" and "free" not in choices


def takes_big_in_turn(t: Table, no: int, gone: dict[int, str]) -> bool:
    """posting-blinds 2: a present entrant posts the big blind due at his seat unless he waits for
    the button (or lets the blinds pass)."""
    seat = t.seats.get(no)
    if seat is None or not seat.entrant or not present(t, no, gone):
        return False
    return t.house["tournament"] or effective_choice(t, no, gone) not in ("wait_button", "pass")


def price(t: Table, no: int, choice: str, gone: dict[int, str]) -> tuple[str, int, int]:
    """(kind, live, dead) of a choice.

    making-up-blinds: big live and small dead; only the small owed: that amount dead (live where the
    house says so); big_only: one live big blind whatever was missed. new-players and movers: a live
    big blind. Straddle: twice the big blind, live. buy_button: big live and small dead for anybody.
    """
    seat = t.seats[no]
    costs = amounts(t)
    big, small = costs["big"], costs.get("small", 0)
    if choice == "straddle":
        return "straddle", 2 * big, 0
    kind = "make_up" if seat.status == "returning" else "entry"
    if choice == "buy_button":
        return kind, big, small
    if choice in ("free", "wait", "pass"):
        return kind, 0, 0
    if choice == "wait_big_blind":
        return "big", big, dead_beside_big(t, seat)
    if choice == "post" and comes_free(t, seat, gone):
        return kind, 0, 0
    if seat.status != "returning":
        return kind, big, 0
    if t.house["makeup"] == "big_only":
        return kind, big, 0
    rest = sum(costs.get(owed, 0) for owed in seat.owes if owed != "big")
    if "big" in seat.owes:
        return kind, big, rest
    if t.house["missed_small"] == "live":
        return kind, rest, 0
    return kind, 0, rest


def dead_beside_big(t: Table, seat: Seat) -> int:
    """returning_in_big_blind = dead_small_too: the small blind lies dead beside the big one."""
    if t.house["returning_in_big_blind"] != "dead_small_too" or seat.status != "returning":
        return 0
    if t.fresh_button is not None:
        return 0  # new-game: the first card clears all debts
    costs = amounts(t)
    return sum(costs.get(owed, 0) for owed in seat.owes if owed != "big")


def add_entrants(t: Table, d: Draft, naive: bool) -> None:
    """Who is dealt in out of turn, seat by seat: only in the arc (or as the house rules say)."""
    n = t.seat_count
    straddler = None
    for no, seat in sorted(t.seats.items()):
        if seat.between and no not in d.turn:
            # pot-limit: he gets his hands between the blinds, none where the button passes him.
            if present(t, no, d.gone) and no not in d.button_passed:
                d.entries[no] = Entry("none", 0, 0)
            continue
        if t.house["tournament"]:
            posts = no in d.turn or (d.heads_up and no in d.players)
            if not posts and seat.entrant and present(t, no, d.gone):
                add_tournament_entrant(t, d, no)
            continue
        if no in d.players or not seat.entrant or not present(t, no, d.gone):
            continue
        if no == d.bought:
            continue
        in_arc = strictly_between(n, d.last_big, d.button, no)
        if seat.status == "mover":
            add_mover(t, d, no, in_arc, naive)
        else:
            choice = effective_choice(t, no, d.gone)
            if choice == "straddle" and in_arc:
                straddler = no
            elif enters(t, d, no, choice, in_arc):
                d.entries[no] = Entry(*price(t, no, choice, d.gone))
    if straddler is not None:
        add_straddling_entrant(t, d)


def enters(t: Table, d: Draft, no: int, choice: str, in_arc: bool) -> bool:
    """post: in the arc. wait_button: on the hand in which the button passes him, behind it."""
    if choice == "free" and t.seats[no].choice != "post":
        return in_arc
    if choice == "free":
        choice = "post"  # he said so: pot-limit lets him in between the blinds, free or not
    if choice == "post":
        return in_arc or (bool(t.house["entry_between_blinds"]) and no != d.button)
    return choice == "wait_button" and in_arc and no in d.button_passed


def add_straddling_entrant(t: Table, d: Draft) -> None:
    """making-up-blinds, fourth choice: first after the big blind, three or more dealt."""
    willing = [
        no
        for no, seat in t.seats.items()
        if seat.status == "returning"
        and no not in d.players
        and present(t, no, d.gone)
        and effective_choice(t, no, d.gone) == "straddle"
        and strictly_between(t.seat_count, d.last_big, d.button, no)
    ]
    first = first_after(t.seat_count, d.last_big, d.dealt | set(willing))
    if first in willing and len(d.dealt) + 1 >= 3:
        d.entries[first] = Entry(*price(t, first, "straddle", d.gone))


def add_tournament_entrant(t: Table, d: Draft, no: int) -> None:
    """tournaments: an entrant plays at once, unless he is held out."""
    if held_out(t, d, no):
        d.players = [other for other in d.players if other != no]
    else:
        d.entries[no] = Entry("entry", 0, 0)


def held_out(t: Table, d: Draft, no: int) -> bool:
    """tournaments: an entrant strictly between the button and the small blind; heads-up between
    the button and the big blind, for only those in the arc are dealt in as well."""
    if not t.seats[no].entrant or no in d.turn:
        return False
    if d.heads_up:
        return no not in d.players and strictly_between(t.seat_count, d.button, d.last_big, no)
    small_seat = d.chain_seats[0]
    return small_seat not in (d.button, d.last_big) and strictly_between(
        t.seat_count, d.button, small_seat, no
    )


def add_mover(t: Table, d: Draft, no: int, in_arc: bool, naive: bool) -> None:
    """seat-changes 2, 3 and 8: a mover comes back in the arc when his condition is met."""
    from tests.model.forecast import distance  # forecasts run drafts, drafts ask for distances

    seat = t.seats[no]
    move = seat.move
    assert isinstance(move, Move)
    choice = effective_choice(t, no, d.gone)
    between = choice == "post" and bool(t.house["entry_between_blinds"]) and no != d.button
    if not (in_arc or between) or move.wait_hands > 0:
        return
    # behind the button: as it passes him; into the button's way it did so while he waited
    button_behind = no in d.button_passed or (move.zone == "button" and move.button_passed)
    if choice in ("wait_button", "pass"):
        if button_behind:
            d.entries[no] = Entry(*price(t, no, choice, d.gone))
    elif choice == "post":
        d.entries[no] = Entry(*price(t, no, "post", d.gone))
    elif choice == "wait" and not naive:
        if move.zone == "button" and not move.offers:
            d.entries[no] = Entry("entry", 0, 0)
        else:
            away = distance(t, no)
            if away is not None and away <= move.old_distance:
                d.entries[no] = Entry("entry", 0, 0)
