"""One answer remembered per function: a table is asked the same things many times over.

Only the last answer is kept: between two commands a server asks about one table, for every
audience and every judge. What is about the next hand holds as long as that is made from the same:
to shuffle, to cut and to end a hand change nothing that it goes by.
"""

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import TypeVar

from livebutton.rules.table import Table

Answer = TypeVar("Answer")
NO_GAME = ("no_game", "closed")


def per_table(function: Callable[[Table], Answer]) -> Callable[[Table], Answer]:
    """Remember the answer for the next hand last asked about. Callers must not change it.

    The function may ask of a table only what `is_same_next_hand` compares.
    """
    return _remembered(function, is_same_next_hand)


def per_commit(function: Callable[[Table], Answer]) -> Callable[[Table], Answer]:
    """Remember the answer for the very table last asked about. Callers must not change it."""
    return _remembered(function, is_)


def _remembered(
    function: Callable[[Table], Answer], is_same: Callable[[Table, Table], bool]
) -> Callable[[Table], Answer]:
    remembered: tuple[Table, Answer] | None = None

    @wraps(function)
    def answer(table: Table) -> Answer:
        nonlocal remembered
        known = remembered
        if known is not None and is_same(known[0], table):
            return known[1]
        found = function(table)
        remembered = (table, found)
        return found

    return answer


def is_same_next_hand(one: Table, other: Table) -> bool:
    """Whether two tables have the same next hand: seats, setup, last hand, what is agreed on.

    By identity where recording leaves a part alone: unequal parts may be told apart too often,
    never too seldom.
    """
    if one is other:
        return True
    a, b = one.play, other.play
    return (
        one.seats is other.seats
        and (a.next_setup or one.setup) is (b.next_setup or other.setup)
        and a.last is b.last
        and (a.phase in NO_GAME) == (b.phase in NO_GAME)
        and a.hand == b.hand
        and a.drawn == b.drawn
        and a.put_right == b.put_right
        and a.free_hands == b.free_hands
        and a.raises == b.raises
    )
