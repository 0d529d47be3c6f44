"""Where button and blinds go under each policy, after each kind of leaving, and heads-up."""

import pytest

from livebutton.rules.table import Owes
from tests.rules.game import Game, blinds

SIX = (1, 2, 3, 4, 5, 6)


def six(**house: object) -> Game:
    """Six players, one hand dealt: b1 s2 B3."""
    game = Game(players=SIX, **house)  # type: ignore[arg-type]
    assert blinds(game.hand()) == "b1 s2 B3"
    return game


POLICIES = ["no_dead_button", "moving_button", "simplified", "dead_button"]


@pytest.mark.parametrize("policy", POLICIES)
def test_in_a_quiet_orbit_all_policies_agree(policy: str) -> None:
    game = six(policy=policy)
    got = [blinds(game.hand()) for _ in range(6)]
    assert got == ["b2 s3 B4", "b3 s4 B5", "b4 s5 B6", "b5 s6 B1", "b6 s1 B2", "b1 s2 B3"]


# Who leaves after b1 s2 B3, and the next three hands.
LEAVING = {
    ("no_dead_button", 2): ["b3 s3 B4 B5", "b4 s5 s4 B6", "b5 s6 B1"],
    ("moving_button", 2): ["b3 s3 B4 B5", "b4 s5 s4 B6", "b5 s6 B1"],
    ("simplified", 2): ["b3 s4 B5", "b4 s5 B6", "b5 s6 B1"],
    ("dead_button", 2): ["b2 s3 B4", "b3 s4 B5", "b4 s5 B6"],
    ("no_dead_button", 3): ["b2 x3 B4", "b4 s4 B5 B6", "b5 s6 s5 B1"],
    ("moving_button", 3): ["b2 x3 B4 B5", "b4 s5 s4 B6", "b5 s6 B1"],
    ("simplified", 3): ["b2 s4 B5", "b4 s5 B6", "b5 s6 B1"],
    ("dead_button", 3): ["b2 x3 B4", "b3 s4 B5", "b4 s5 B6"],
    ("no_dead_button", 4): ["b2 s3 B5", "b3 s5 B6", "b5 s6 B1"],
    ("moving_button", 4): ["b2 s3 B5", "b3 s5 B6", "b5 s6 B1"],
    ("simplified", 4): ["b2 s3 B5", "b3 s5 B6", "b5 s6 B1"],
    ("dead_button", 4): ["b2 s3 B5", "b3 s5 B6", "b5 s6 B1"],
}


@pytest.mark.parametrize(("policy", "seat"), LEAVING, ids=lambda value: str(value))
def test_one_who_leaves_for_good_moves_the_blinds_as_the_policy_says(
    policy: str, seat: int
) -> None:
    game = six(policy=policy)
    game.do("leave", seat)
    assert [blinds(game.hand()) for _ in range(3)] == LEAVING[policy, seat]


def test_who_is_away_for_his_big_blind_owes_both() -> None:
    game = six()
    game.do("sit_out", 4)
    assert blinds(game.hand()) == "b2 s3 B5"
    assert game.seat(4).owes == Owes(big=True, small=True)


def test_who_is_away_for_his_small_blind_owes_the_small_alone() -> None:
    game = six()
    game.do("sit_out", 3)
    game.hand()
    assert game.seat(3).owes == Owes(small=True)


def test_who_is_away_for_his_button_owes_nothing_and_has_forfeited_it() -> None:
    game = six()
    game.do("sit_out", 2)
    game.hand()
    game.do("sit_in", 2)
    assert game.seat(2).owes == Owes()
    assert blinds(game.plan) == "b4 s5 s4 B6"
    assert 2 in game.plan.dealt


@pytest.mark.parametrize("policy", ["no_dead_button", "moving_button"])
def test_skipped_blinds_may_be_forgiven(policy: str) -> None:
    game = six(policy=policy, skipped_blinds="forgiven")
    game.do("leave", 2)
    assert blinds(game.hand()) == "b3 s3 B5"
    assert blinds(game.hand()) == "b4 s5 B6"


def test_debts_never_add_up() -> None:
    game = six()
    game.do("sit_out", 4)
    game.hands(12)
    assert game.seat(4).owes == Owes(big=True, small=True)


# -- heads-up ------------------------------------------------------------------------------------


def test_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    hand = Game(players=(2, 5), button=5).plan
    assert blinds(hand) == "b5 s5 B2"
    assert hand.dealt == (2, 5)
    assert (hand.first_to_act, hand.first_to_act_after) == (5, 2)


@pytest.mark.parametrize(("gone", "next_hand"), [(1, "b3 s3 B2"), (2, "b3 s3 B1"), (3, "b2 s2 B1")])
def test_of_three_two_are_left_and_nobody_has_the_button_or_the_big_blind_twice(
    gone: int, next_hand: str
) -> None:
    game = Game(players=(1, 2, 3))
    game.hand()
    game.do("leave", gone)
    assert blinds(game.plan) == next_hand


def test_some_sites_send_the_button_forward_instead() -> None:
    game = Game(players=(1, 2, 3), rules="pokernow")
    game.hand()
    game.do("leave", 1)
    assert blinds(game.plan) == "b2 s2 B3"


def test_with_button_and_big_blind_gone_the_second_of_the_two_has_the_button() -> None:
    game = Game(players=(1, 2, 3, 4))
    game.hand()
    game.do("leave", 1)
    game.do("leave", 3)
    assert blinds(game.plan) == "b2 s2 B4"


GROWTH = {
    ("button_stays", 4): "b1 s2 B4",
    ("button_stays", 2): "b3 s1 B2",
    ("forward", 4): "b3 s4 B1",
    ("forward", 2): "b3 s1 B2",
}


@pytest.mark.parametrize(("growth", "third"), GROWTH, ids=lambda value: str(value))
def test_a_third_comes_in_as_the_house_grows(growth: str, third: int) -> None:
    button, big = 1, 3 if growth == "forward" or third == 2 else 2
    game = Game(players=(button, big), heads_up_growth=growth, new_player_posts=False)
    game.hand()
    game.do("take_seat", third, player="third")
    assert blinds(game.plan) == GROWTH[growth, third]


def test_by_obligations_the_third_is_met_by_the_scan() -> None:
    game = Game(players=(1, 2))
    game.hand()
    game.do("take_seat", 4, player="dan")
    assert blinds(game.plan) == "b2 s2 B4 B1"


# -- odd structures ------------------------------------------------------------------------------


def test_one_blind_goes_round_alone() -> None:
    game = Game(stakes={"blinds": [{"at": 1, "amount": 10}]})
    assert [blinds(game.hand()) for _ in range(3)] == ["b1 B2", "b2 B3", "b3 B4"]


def test_three_blinds_are_worked_down_one_a_hand() -> None:
    stakes = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}
    game = Game(players=SIX, stakes=stakes)
    assert [blinds(game.hand()) for _ in range(3)] == ["b1 s2 m3 B4", "b2 s3 m4 B5", "b3 s4 m5 B6"]
    game.do("sit_out", 6)
    game.hand()
    assert game.seat(6).owes.middle
    assert not game.seat(6).owes.big


# -- taking over a game, a button put right ------------------------------------------------------


def test_a_running_game_goes_on_from_where_it_is_told_it_was() -> None:
    game = Game(players=SIX, button=0)
    game.do("adopt_game", button=2, small=3, big=4)
    assert blinds(game.plan) == "b3 s4 B5"


def test_of_a_game_taken_over_some_may_owe() -> None:
    game = Game(players=SIX, button=0)
    game.do("adopt_game", button=2, small=3, big=4, owes={"6": ["big"]})
    assert game.seat(6).standing == "returning"
    assert game.questions() == [6]


def test_two_big_blinds_may_be_taken_over() -> None:
    game = Game(players=SIX, button=0)
    game.do("adopt_game", button=3, small=[3], big=[4, 5])
    assert blinds(game.plan) == "b4 s5 s4 B6"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"button": 9, "big": 4}, "no_seat"),
        ({"button": 2, "big": 9}, "no_seat"),
        ({"button": 2, "big": []}, "bad_fields"),
        ({"button": 2, "big": 4, "owes": {"six": ["big"]}}, "bad_fields"),
        ({"button": 2, "big": 4, "owes": {"7": ["big"]}}, "no_seat"),
        ({"button": 2, "big": 4, "owes": {"6": ["rent"]}}, "bad_fields"),
    ],
)
def test_a_game_that_cannot_have_been_is_not_taken_over(
    fields: dict[str, object], reason: str
) -> None:
    assert Game(players=SIX, button=0).refused("adopt_game", **fields).reason == reason


def test_heads_up_the_small_blind_of_a_game_taken_over_was_the_buttons() -> None:
    game = Game(players=(1, 4), button=0)
    game.do("adopt_game", button=1, big=4)
    assert blinds(game.plan) == "b4 s4 B1"


def test_a_button_put_right_before_the_deal_takes_the_blinds_along() -> None:
    game = six()
    game.do("correct_button", button=4)
    assert blinds(game.deal()) == "b4 s5 B6"
    assert game.table.play.corrected
    game.do("end_hand")
    assert blinds(game.plan) == "b5 s6 B1"


def test_a_dead_button_may_be_put_right_onto_an_empty_seat_while_three_play() -> None:
    game = Game(players=(1, 2, 3), policy="dead_button")
    game.hand()
    game.do("correct_button", button=5)
    assert blinds(game.plan) == "b5 s1 B2"


def test_a_button_drawn_may_be_put_right() -> None:
    game = Game(players=SIX)
    game.do("correct_button", button=4)
    assert blinds(game.plan) == "b4 s5 B6"


def test_after_the_deal_the_hand_stands_and_the_next_goes_on_from_there() -> None:
    game = six()
    game.deal()
    game.do("correct_button", button=4, acted=1)
    assert blinds(game.plan) == "b2 s3 B4"
    game.do("end_hand")
    assert blinds(game.plan) == "b5 s6 B1"


def test_or_it_is_a_misdeal_while_fewer_than_two_have_acted() -> None:
    game = six(misplaced_after_deal="misdeal")
    game.deal()
    game.do("correct_button", button=4, acted=1)
    assert game.table.play.phase == "between_hands"
    assert blinds(game.plan) == "b4 s5 B6"
    game.deal()
    game.do("correct_button", button=6, acted=2)
    assert game.table.play.phase == "in_hand"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"button": 9}, "no_seat"),
        ({"button": 2}, "no_change"),
        ({"button": 3, "acted": -1}, "bad_fields"),
        ({"button": 5}, "not_due"),
    ],
)
def test_a_button_cannot_be_put_just_anywhere(fields: dict[str, int], reason: str) -> None:
    game = six()
    game.do("sit_out", 5)
    assert game.refused("correct_button", **fields).reason == reason


def test_there_is_no_button_to_put_right_without_a_hand() -> None:
    assert Game(button=0).refused("correct_button", button=1).reason == "wrong_phase"
    game = Game(players=(1, 2))
    game.hand()
    game.do("sit_out", 2)
    assert game.refused("correct_button", button=1).reason == "no_hand"


# -- starting ------------------------------------------------------------------------------------


def test_a_game_needs_two_who_are_there() -> None:
    game = Game(button=0)
    for seat in (1, 2, 3):
        game.do("sit_out", seat)
    assert game.refused("start_game").reason == "no_hand"
    game.do("sit_in", 3)
    game.do("start_game")
    assert game.plan.button == 3


def test_a_button_is_drawn_for_those_who_are_there() -> None:
    game = Game(button=0)
    game.do("sit_out", 2)
    assert game.refused("start_game", button=2).reason == "not_due"
    assert game.refused("start_game", button=6).reason == "seat_empty"


def test_a_game_is_started_anew_once_the_rotation_has_died_out() -> None:
    game = Game(players=(1, 2))
    game.hand()
    assert game.refused("start_game").reason == "wrong_phase"
    game.do("leave", 2)
    game.do("take_seat", 3, player="cat")
    game.do("start_game", button=3)
    assert blinds(game.plan) == "b3 s3 B1"


def test_at_a_new_games_first_hand_all_debts_are_cleared_and_who_is_away_is_new() -> None:
    game = Game(players=(1, 2, 3))
    game.hand()
    game.do("set_owes", 2, owes=["big"], reason="he was away")
    game.do("sit_out", 3)
    game.do("start_game", button=1)
    game.hand()
    assert game.seat(2).owes == Owes()
    assert game.seat(3).standing == "new"


# -- three blinds, by policy -----------------------------------------------------------------------

THREE_BLINDS = {
    "blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]
}


@pytest.mark.parametrize("policy", POLICIES)
def test_three_blinds_go_round_alike_under_every_policy(policy: str) -> None:
    game = Game(players=SIX, stakes=THREE_BLINDS, policy=policy)
    got = [blinds(game.hand()) for _ in range(4)]
    assert got == ["b1 s2 m3 B4", "b2 s3 m4 B5", "b3 s4 m5 B6", "b4 s5 m6 B1"]


# Who leaves after b1 s2 m3 B4, and the next two hands.
LEAVING_THREE = {
    ("simplified", 3): ["b2 s4 m5 B6", "b4 s5 m6 B1"],
    ("simplified", 4): ["b2 s3 m5 B6", "b3 s5 m6 B1"],
    ("dead_button", 3): ["b2 x3 m4 B5", "b3 s4 m5 B6"],
    ("dead_button", 4): ["b2 x4 s3 B5", "b3 x4 m5 B6"],
    ("no_dead_button", 3): ["b2 x3 m4 B5", "b4 s4 m5 B6 B1"],
}


@pytest.mark.parametrize(("policy", "seat"), LEAVING_THREE, ids=lambda value: str(value))
def test_one_of_three_blinds_leaves(policy: str, seat: int) -> None:
    game = Game(players=SIX, stakes=THREE_BLINDS, policy=policy)
    game.hand()
    game.do("leave", seat)
    assert [blinds(game.hand()) for _ in range(2)] == LEAVING_THREE[policy, seat]


@pytest.mark.parametrize("policy", POLICIES)
def test_with_three_players_the_smallest_of_three_blinds_drops_out(policy: str) -> None:
    game = Game(players=(1, 2, 3), stakes=THREE_BLINDS, policy=policy)
    got = [blinds(game.hand()) for _ in range(4)]
    assert got == ["b1 m2 B3", "b2 m3 B1", "b3 m1 B2", "b1 m2 B3"]
