"""The model on seat-changes: each rule of it, one short table each."""

import pytest

from tests.model.felt import Felt

TEN = [1, 2, 3, 5, 6, 8, 9]  # of ten seats; b1 s2 B3 is the first hand, b2 s3 B5 the next


def felt_after_one(rules: str = "caro-cooke", **more: object) -> Felt:
    felt = Felt(rules, 10, TEN, 1, **more)
    felt.hand()
    return felt


def test_closer_to_the_blinds_is_dealt_at_once() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=8, to=7)
    seen = felt.hand()
    assert (seen["button"], seen["big"], seen["out"], seen["entries"]) == (2, [5], [], {})
    assert felt.seat(7)["in_rotation"]


def test_further_and_not_chosen_is_asked_and_waits() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=5, to=7)
    assert felt.see()["ask"] == [7]
    # without him the big blind goes 6, 7: one hand to wait, since his was the next
    assert felt.waits(7) == {"wait": 1, "post": 0}
    felt.do("choose", seat=7, choice="post")
    seen = felt.hand()
    assert (seen["big"], seen["entries"]) == ([6], {"7": [10, 0]})


@pytest.mark.parametrize(("to", "entrant"), [(7, False), (10, True)])
def test_las_vegas_forgives_two(to: int, entrant: bool) -> None:
    felt = felt_after_one("las-vegas")
    felt.do("change_seat", seat=5, to=to)
    assert felt.seat(to)["in_rotation"] is not entrant


def test_as_new_player() -> None:
    felt = felt_after_one("pokerstars")
    felt.do("change_seat", seat=8, to=7)
    assert felt.waits(7) == {"post": 0, "wait_big_blind": 2, "wait_button": 4}


def test_into_the_big_blind_takes_it() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=8, to=4)
    assert felt.hand()["big"] == [4]


def test_into_the_big_blind_or_waits_for_the_button() -> None:
    felt = felt_after_one()
    assert felt.refused("change_seat", seat=8, to=4, choice="post") == "not_offered"
    felt.do("change_seat", seat=8, to=4, choice="wait_button")
    assert felt.hand()["big"] == [5]
    felt.hand()  # b3
    seen = felt.hand()  # b5 has passed 4
    assert (seen["button"], seen["entries"]) == (5, {"4": [10, 0]})


def test_into_the_small_blind_waits_for_the_button_with_a_big_blind() -> None:
    felt = Felt("caro-cooke", 10, [1, 2, 4, 5, 6, 8, 9], 1)
    felt.hand()  # b1 s2 B4; next b2 s4 B5
    felt.do("change_seat", seat=8, to=3)
    assert felt.see()["ask"] == []
    assert felt.hand()["out"] == [3]
    seen = felt.hand()  # b4 has passed 3
    assert (seen["button"], seen["entries"]) == (4, {"3": [10, 0]})


def test_into_the_button_waits_one_hand() -> None:
    felt = Felt("caro-cooke", 10, [1, 3, 4, 5, 6, 8, 9], 1)
    felt.hand()  # b1 s3 B4; next b3 s4 B5
    felt.do("change_seat", seat=9, to=2)
    assert felt.hand()["out"] == [2]
    seen = felt.hand()
    assert (seen["out"], seen["entries"]) == ([], {"2": [0, 0]})


def test_into_the_button_from_far_off_posts_or_waits() -> None:
    felt = Felt("caro-cooke", 10, [1, 3, 4, 5, 6, 8, 9], 1)
    felt.hand()
    felt.do("change_seat", seat=5, to=2)
    assert set(felt.waits(2)) == {"wait_button", "wait"}
    felt.do("choose", seat=2, choice="wait_button")
    assert felt.hand()["out"] == [2]
    assert felt.hand()["entries"] == {"2": [10, 0]}


def test_the_small_blind_is_carried_to_another_seat() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=3, to=7)
    seen = felt.hand()
    assert (seen["button"], seen["small"], seen["big"], seen["dead"]) == (2, [7], [5], [])
    assert felt.blinds()[0] == 5


def test_the_small_blind_is_not_carried_to_the_big_blind() -> None:
    felt = felt_after_one()
    assert felt.refused("change_seat", seat=3, to=4) == "not_allowed"


def test_due_the_button_may_not_move() -> None:
    felt = felt_after_one()
    assert felt.refused("change_seat", seat=2, to=7) == "not_allowed"


def test_having_dealt_off_he_moves_free_anywhere_behind() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=1, to=10)
    assert felt.seat(10)["in_rotation"]


def test_having_dealt_off_he_may_let_the_blinds_pass() -> None:
    felt = felt_after_one()
    felt.do("change_seat", seat=1, to=7, choice="pass")
    for big in (5, 6, 8, 9):
        assert felt.hand()["big"] == [big]
    seen = felt.hand()
    assert (seen["button"], seen["entries"]) == (8, {"7": [0, 0]})


def test_heads_up_a_move_is_free_and_memory_goes_with_him() -> None:
    felt = Felt("caro-cooke", 6, [1, 5], 1)
    felt.hand()
    felt.do("change_seat", seat=1, to=3)
    assert felt.blinds() == (5, [5], [3])


def test_nobody_moves_in_a_hand() -> None:
    felt = felt_after_one()
    felt.do("deal")
    assert felt.refused("change_seat", seat=8, to=7) == "wrong_phase"
