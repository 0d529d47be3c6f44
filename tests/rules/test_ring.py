"""The ring of seats: counted clockwise, from 1."""

from livebutton.rules import ring


def test_a_step_past_the_last_seat_comes_to_the_first() -> None:
    assert [ring.step(6, 5, steps) for steps in (0, 1, 2, 7)] == [5, 6, 1, 6]


def test_a_step_back_from_the_first_seat_comes_to_the_last() -> None:
    assert ring.step(6, 1, -1) == 6


def test_distance_counts_clockwise_and_is_nothing_to_oneself() -> None:
    assert [ring.distance(6, 5, end) for end in (5, 6, 1, 4)] == [0, 1, 2, 5]


def test_once_around_begins_on_the_left_and_ends_at_home() -> None:
    assert list(ring.around(4, 2)) == [3, 4, 1, 2]


def test_between_is_strict_and_clockwise() -> None:
    assert [seat for seat in range(1, 7) if ring.is_between(6, 5, seat, 2)] == [1, 6]


def test_between_a_seat_and_itself_lies_all_the_rest() -> None:
    assert [seat for seat in range(1, 5) if ring.is_between(4, 2, seat, 2)] == [1, 3, 4]


def test_who_is_marked_comes_in_clockwise_order_home_last() -> None:
    assert ring.where([False, True, False, True, True], 3) == [4, 1, 3]
    assert ring.where([False, True, False, True, True], 2) == [3, 4, 1]
    assert ring.where([False, False, False], 1) == []
