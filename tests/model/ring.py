"""Seats in a ring. Seats are numbered 1..n clockwise; to the left is the next higher number."""

from collections.abc import Iterable


def walk(n: int, start: int) -> list[int]:
    """Every seat clockwise from the one after `start`; `start` itself comes last."""
    return [(start - 1 + step) % n + 1 for step in range(1, n + 1)]


def steps(n: int, a: int, b: int) -> int:
    """How many seats clockwise from `a` to `b`: 1..n, a whole turn when they are the same."""
    return (b - a) % n or n


def strictly_between(n: int, a: int, b: int, seat: int) -> bool:
    """Whether `seat` is met clockwise after `a` and before `b` (all but `a` when a == b)."""
    return seat not in (a, b) and steps(n, a, seat) < steps(n, a, b)


def first_after(n: int, start: int, seats: Iterable[int]) -> int | None:
    """The first of `seats` clockwise after `start` (`start` itself last), or None."""
    wanted = set(seats)
    return next((seat for seat in walk(n, start) if seat in wanted), None)


def in_order(n: int, start: int, seats: Iterable[int]) -> list[int]:
    """`seats` clockwise from the one after `start`."""
    return sorted(set(seats), key=lambda seat: steps(n, start, seat))
