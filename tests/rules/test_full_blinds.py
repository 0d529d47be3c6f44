"""Where the house wants a full blind from everybody: what it must cover, and who has it."""

import pytest

from tests.rules.game import Game, blinds

FULL = {"short_stack": "full_blind_or_no_hand"}


@pytest.mark.parametrize(("stack", "plan", "why"), [(15, "B4", ""), (14, "B1", "short_stack")])
def test_who_returns_in_the_big_blind_needs_the_dead_small_one_too(
    stack: int, plan: str, why: str
) -> None:
    game = Game(5, (1, 2, 3, 4), returning_in_big_blind="dead_small_too", **FULL)
    game.hand()
    game.do("set_owes", 4, owes=["big"], reason="he was away")
    game.do("choose", 4, choice="wait_big_blind")
    game.do("set_stack", 4, stack=stack)
    assert blinds(game.plan) == f"b2 s3 {plan}"
    assert game.why(4) == why


@pytest.mark.parametrize("stack", [10, 9])
def test_or_not_where_that_clears_his_debts(stack: int) -> None:
    game = Game(5, (1, 2, 3, 4), **FULL)
    game.hand()
    game.do("set_owes", 4, owes=["big"], reason="he was away")
    game.do("choose", 4, choice="wait_big_blind")
    game.do("set_stack", 4, stack=stack)
    assert game.why(4) == ("" if stack == 10 else "short_stack")


@pytest.mark.parametrize(("stack", "comes_in"), [(20, True), (19, False)])
def test_who_returns_in_the_small_blind_as_a_third_needs_his_debts_too(
    stack: int, comes_in: bool
) -> None:
    game = Game(4, (1, 2, 3), heads_up_growth="forward", short_handed=False, **FULL)
    game.hand()
    game.do("sit_out", 2)
    game.hands(3)
    game.do("sit_in", 2)
    game.do("set_stack", 2, stack=stack)
    assert (blinds(game.plan) == "b1 s2 B3 +2:10/5") == comes_in
    assert game.why(2) == ("" if comes_in else "short_stack")


@pytest.mark.parametrize(("stack", "comes_in"), [(5, True), (4, False)])
def test_who_is_new_and_third_needs_the_small_blind_alone(stack: int, comes_in: bool) -> None:
    game = Game(4, (1, 3), heads_up_growth="forward", short_handed=False, **FULL)
    assert blinds(game.hand()) == "b1 s1 B3"
    game.do("take_seat", 4, player="new", stack=stack)
    assert (blinds(game.plan) == "b3 s4 B1") == comes_in
    assert game.why(4) == ("" if comes_in else "short_stack")


@pytest.mark.parametrize(("button", "stack"), [(1, 10), (2, 5)])
def test_a_new_games_first_hand_asks_nothing_beside_the_blind(button: int, stack: int) -> None:
    game = Game(4, (1, 2, 3), returning_in_big_blind="dead_small_too", **FULL)
    game.hand()
    game.do("set_owes", 2, owes=["big"], reason="he was away")
    game.do("sit_out", 3)
    game.do("start_game", button=button)
    game.do("set_stack", 2, stack=stack)
    assert blinds(game.plan) == f"b{button} s{button} B{3 - button}"
    game.do("set_stack", 2, stack=stack - 1)
    assert game.plan.none is not None
