"""Two players, and the way from three to two and back."""

from tests.model.buttons import last_hand
from tests.model.entry import comes_free, takes_big_in_turn
from tests.model.house import chain, growth_mode
from tests.model.ring import first_after, in_order, strictly_between
from tests.model.table import Draft, Table


def shrink(t: Table, pair: list[int]) -> Draft:
    """heads-up: the button posts the small blind, the other the big; there is no dead blind.

    never_big_twice: who had the button does not get it again; if neither had it, whoever posted the
    last big blind gets it; else the second of the two clockwise of the last big blind's seat.
    button_forward: the next of the two clockwise of the old button.
    """
    n = t.seat_count
    last = last_hand(t)
    one, two = in_order(n, last.big, pair)
    had_button = [no for no in pair if t.seats[no].player == last.button_player]
    had_big = [no for no in pair if t.seats[no].player == last.big_player]
    if t.house["heads_up_shrink"] == "button_forward":
        button = first_after(n, last.button, pair)
        assert button is not None
    elif had_button:
        button = two if had_button == [one] else one
    elif had_big:
        button = had_big[0]
    else:
        button = two
    other = one if button == two else two
    kinds = chain(t)[-2:]
    seats = [button, other][-len(kinds) :]
    return Draft(
        button=button,
        kinds=kinds,
        turn=dict(zip(seats, kinds, strict=True)),
        last_big=other,
        chain_seats=seats,
        players=sorted(pair),
        heads_up=True,
    )


def growth(t: Table, rot: list[int], gone: dict[int, str]) -> Draft | None:
    """heads-up growth, where it is not posting-blinds as it stands: the last hand had two players,
    both are still there, and a third comes in."""
    last = last_hand(t)
    mode = growth_mode(t)
    if mode == "obligations" or len(last.dealt) != 2:
        return None
    n = t.seat_count
    old_button, old_big = t.seat_of(last.button_player), t.seat_of(last.big_player)
    if old_button not in rot or old_big not in rot or old_button == old_big:
        return None
    assert old_button is not None
    assert old_big is not None
    thirds = [
        no
        for no, seat in t.seats.items()
        if (no in rot and seat.player not in last.dealt)
        or (no not in rot and takes_big_in_turn(t, no, gone))
    ]
    third = first_after(n, old_big, thirds)
    if third is None:
        return None
    kinds = chain(t)[-2:]
    if mode == "forward":
        # button to the old big blind, small and big to the next two who are dealt in; an entrant
        # who waits for the big blind is met by it on the way
        free = [no for no in thirds if no in rot or comes_free(t, t.seats[no], gone)]
        small = first_after(n, old_big, {*rot, third, *free} - {old_big})
        if len(kinds) == 1:
            small = old_big  # one blind: the big goes to the next
        assert small is not None
        big = first_after(n, small, {*rot, *thirds} - {old_big})
        assert big is not None
        button, seats = old_big, [small, big]
    elif strictly_between(n, old_big, old_button, third):
        button, seats = old_button, [old_big, third]
    else:
        button, seats = old_big, [old_button, third]
    seats = seats[-len(kinds) :]
    return Draft(
        button=button,
        kinds=kinds,
        turn=dict(zip(seats, kinds, strict=True)),
        last_big=seats[-1],
        chain_seats=seats,
        players=sorted({*rot, *seats}),
    )
