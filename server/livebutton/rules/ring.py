"""The ring of seats, clockwise. The only place that counts with a modulo."""

from collections.abc import Sequence
from functools import cache
from itertools import compress


def step(count: int, seat_no: int, steps: int) -> int:
    """The seat `steps` places clockwise of `seat_no` on a ring of `count`."""
    return (seat_no + steps - 1) % count + 1


def distance(count: int, start: int, end: int) -> int:
    """How many places clockwise from `start` to `end`: 0 for the same seat."""
    return (end - start) % count


@cache
def around(count: int, start: int) -> tuple[int, ...]:
    """Every seat once, clockwise, beginning left of `start` and ending on it."""
    return (*range(start + 1, count + 1), *range(1, start + 1))


def where(flags: Sequence[bool], start: int) -> list[int]:
    """The seats whose flag is set, clockwise, beginning left of `start` and ending on it.

    `flags` has an unused element 0.
    """
    clockwise = [*flags[start + 1 :], *flags[1 : start + 1]]
    return list(compress(around(len(clockwise), start), clockwise))


def is_between(count: int, start: int, seat_no: int, end: int) -> bool:
    """Whether a seat lies strictly between two others, clockwise.

    From a seat to itself is the whole ring but that seat.
    """
    reach = (end - start) % count or count
    return 0 < (seat_no - start) % count < reach
