"""Corners of the rotation: what few hands come to, and the rules decide all the same."""

import pytest

from livebutton.rules.events import RaiseDropped
from livebutton.rules.house import preset
from livebutton.rules.prices import raise_to
from livebutton.rules.structure import structure
from livebutton.rules.table import NOTHING_OWED, Owes, Stakes
from tests.rules.game import Game, blinds

SIX = (1, 2, 3, 4, 5, 6)
BOTH = Owes(big=True, small=True)
# 5, 10 and 20 on the three places left of the button; 10 alone left of it.
THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}
ONE = {"blinds": [{"at": 1, "amount": 10}]}
ON_THE_BUTTON = {
    "blinds": [{"at": 0, "amount": 5}, {"at": 1, "amount": 5}, {"at": 2, "amount": 10}]
}


# -- two players, and a third -------------------------------------------------------------------


def test_of_two_the_last_big_blind_has_the_button_where_its_holder_is_gone() -> None:
    game = Game(3, (2, 3), button=3, rules="tournament")
    assert blinds(game.hand()) == "b3 s3 B2"
    game.do("leave", 3)
    game.do("take_seat", 3, player="other")
    assert blinds(game.hand()) == "b2 s2 B3"


def test_of_two_the_other_gets_the_button_though_the_last_big_blind_is_gone() -> None:
    game = Game(4, (1, 4), button=0, heads_up_growth="button_stays")
    game.do("adopt_game", button=4, big=2)
    assert blinds(game.hand()) == "b1 s1 B4"


def test_a_button_on_an_empty_seat_does_not_stay_there_as_a_third_comes_in() -> None:
    game = Game(4, (1, 4), button=0, heads_up_growth="button_stays")
    game.do("adopt_game", button=3, big=1)
    game.do("take_seat", 2, player="third")
    assert blinds(game.hand()) == "b4 s1 B2"


def test_with_one_blind_a_third_moves_the_button_to_the_last_big_blind() -> None:
    game = Game(4, (1, 3), stakes=ONE, heads_up_growth="forward")
    assert blinds(game.hand()) == "b1 B3"
    game.do("take_seat", 4, player="third")
    assert blinds(game.hand()) == "b3 B4"


def test_nobody_comes_in_behind_a_button_that_stays() -> None:
    game = Game(6, (1, 4), heads_up_growth="button_stays")
    assert blinds(game.hand()) == "b1 s1 B4"
    game.do("take_seat", 5, player="third")
    game.do("take_seat", 6, player="fourth")
    game.do("choose", 6, choice="wait_button")
    assert blinds(game.plan) == "b1 s4 B5"
    assert game.plan.dealt == (4, 5, 1)
    assert game.why(6) == "waiting"


def test_a_tournament_of_two_deals_in_the_newcomer_on_the_button() -> None:
    game = Game(3, (1, 2), rules="tournament")
    assert blinds(game.hand()) == "b1 s1 B2"
    game.do("take_seat", 3, player="new")
    game.do("leave", 2)
    assert blinds(game.plan) == "b3 s3 B1"
    assert game.plan.dealt == (1, 3)


def test_nobody_is_to_act_where_both_are_all_in() -> None:
    game = Game(2, (1, 2))
    game.do("set_stack", 1, stack=5)
    game.do("set_stack", 2, stack=10)
    assert blinds(game.plan) == "b1 s1 B2"
    assert (game.plan.first_to_act, game.plan.first_to_act_after) == (0, 0)
    assert game.plan.options == ()
    assert game.plan.to_call == 10


# -- dead buttons and blinds that drop out ------------------------------------------------------


def test_who_owes_a_blind_that_too_few_collect_owes_it_and_no_seat_is_dead() -> None:
    game = Game(4, (1, 2, 3, 4), stakes=THREE)
    assert blinds(game.hand()) == "b1 s2 m3 B4"
    game.do("sit_out", 3)
    assert blinds(game.hand()) == "b2 m4 B1"
    assert game.seat(3).owes == Owes(small=True)


def test_under_a_dead_button_who_is_due_both_blinds_posts_the_small_a_hand_later() -> None:
    game = Game(6, (1, 2, 3, 4), policy="dead_button")
    assert blinds(game.hand()) == "b1 s2 B3"
    game.do("change_seat", 3, to=5)
    game.do("leave", 4)
    # He has taken his small blind to seat 5, where the big one is due first.
    assert blinds(game.hand()) == "b2 B5"
    assert blinds(game.hand()) == "b3 s5 B1"


def test_a_newcomer_in_the_big_blind_makes_one_blind_more_to_collect() -> None:
    game = Game(6, (6, 1, 2), button=6, stakes=THREE)
    assert blinds(game.hand()) == "b6 m1 B2"
    game.do("take_seat", 4, player="new")
    # Four dealt in: the big blind belongs on the third place left of the button, at seat 6.
    assert blinds(game.hand()) == "b1 s1 m2 B4 B6"


def test_of_two_left_the_last_big_blind_has_the_button_over_a_dead_place_between_them() -> None:
    game = Game(6, SIX, stakes=THREE)
    assert blinds(game.hand()) == "b1 s2 m3 B4"
    game.do("leave", 2)
    assert blinds(game.hand()) == "b3 s3 m4 B5 B6"
    game.do("leave", 1)
    game.do("leave", 3)
    game.do("sit_out", 5)
    assert blinds(game.hand()) == "b6 s6 B4"


def test_a_small_blind_taken_along_counts_for_nothing_where_too_few_are_left_for_it() -> None:
    game = Game(8, (*SIX, 7), stakes=THREE, policy="simplified")
    assert blinds(game.hand()) == "b1 s2 m3 B4"
    game.do("sit_out", 3)
    assert blinds(game.plan) == "b2 s4 m5 B6"
    game.do("change_seat", 4, to=8)
    assert blinds(game.plan) == "b2 s8 m5 B6"
    for seat in (1, 5, 6, 7):
        game.do("leave", seat)
    game.do("sit_in", 3)
    assert blinds(game.hand()) == "b2 m3 B8"


def test_nobody_pays_the_blind_of_a_dead_button() -> None:
    game = Game(4, (1, 2, 3, 4), stakes=ON_THE_BUTTON, policy="dead_button")
    assert blinds(game.hand()) == "b1 s2 B3 +1:5/0"
    game.do("leave", 2)
    assert blinds(game.hand()) == "b2 s3 B4"
    assert blinds(game.hand()) == "b3 s4 B1 +3:5/0"


def test_straddles_go_up_to_a_dead_button_too() -> None:
    game = Game(4, (1, 2, 3, 4), policy="dead_button")
    game.hand()
    game.do("leave", 2)
    assert blinds(game.plan) == "b2 s3 B4"
    game.do("straddle", 1)
    assert game.refused("straddle", 3).reason == "not_due"


def test_a_corrected_button_goes_on_from_a_player_who_stepped_away() -> None:
    game = Game(5, (1, 2, 3, 4, 5))
    assert blinds(game.hand()) == "b1 s2 B3"
    game.do("correct_button", button=3)
    assert blinds(game.plan) == "b3 s4 B5"
    game.do("sit_out", 3)
    assert blinds(game.plan) == "b4 s5 B1"


def test_the_deepest_blind_of_one_is_the_big_blind() -> None:
    house = preset("caro-cooke")
    assert structure(Stakes(5, 10), house).kind(0) == "big"
    assert structure(Stakes(5, 10), house).kind(1) == "small"


# -- a hand put right after the first card -------------------------------------------------------


def test_who_left_during_a_hand_is_not_due_a_blind_as_its_button_is_put_right() -> None:
    game = Game(4, (1, 2, 3, 4))
    assert blinds(game.deal()) == "b1 s2 B3"
    game.do("leave", 3)
    game.do("correct_button", button=2)
    game.do("end_hand")
    # As after b2 s3 B4 with seat 3 empty: the button's hand falls to the small blind.
    assert blinds(game.hand()) == "b4 s4 B1 B2"


def test_a_misdeal_asks_again_whom_the_big_blind_had_sat_out() -> None:
    game = Game(4, (1, 2, 3, 4))
    game.hand()
    game.do("sit_out", 4, at="next_big_blind")
    assert blinds(game.deal()) == "b2 s3 B1"
    assert game.seat(4).owes == BOTH
    game.do("misdeal")
    assert not game.seat(4).sitting_out
    assert game.seat(4).out_at_big_blind
    assert game.seat(4).owes == NOTHING_OWED
    assert blinds(game.deal()) == "b2 s3 B1"
    assert game.seat(4).owes == BOTH


def test_a_misdeal_keeps_what_the_floor_has_set_since_the_first_card() -> None:
    game = Game(6, (1, 2, 3, 4))
    game.hand()
    assert blinds(game.deal()) == "b2 s3 B4"
    game.do("set_owes", 1, owes={"big": True, "small": True}, reason="seen")
    game.do("misdeal")
    assert game.seat(1).owes == BOTH
    assert game.questions() == [1]
    assert game.plan.dealt == (3, 4, 2)


def test_who_elects_to_post_after_a_straddle_is_the_first_to_act_behind_it() -> None:
    game = Game(5, (1, 2, 3, 4, 5))
    game.hand()
    game.do("sit_out", 4)
    assert blinds(game.hand()) == "b2 s3 B5"
    assert blinds(game.hand()) == "b3 s5 B1"
    game.do("sit_in", 4)
    game.do("straddle", 3)
    assert blinds(game.deal()) == "b5 s1 B2 +3:20/0"
    game.do("report_unposted", 4, looked=False, action=False)
    game.do("elect", 4, post=True)
    assert blinds(game.plan) == "b5 s1 B2 +3:20/0 +4:10/5"
    assert game.plan.to_call == 20
    assert game.plan.first_to_act == 4
    assert game.plan.options == (1, 2, 3, 4)


def test_who_elects_to_post_pays_the_stakes_of_the_hand_and_not_those_of_the_next() -> None:
    game = Game(5, (1, 2, 3, 4, 5))
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    game.hand()
    game.do("sit_in", 4)
    assert blinds(game.deal()) == "b5 s1 B2"
    game.do("set_stakes", stakes={"small": 50, "big": 100})
    game.do("report_unposted", 4, looked=False, action=False)
    game.do("elect", 4, post=True)
    assert blinds(game.plan) == "b5 s1 B2 +4:10/5"
    assert game.plan.to_call == 10


def test_who_elects_to_post_leaves_the_first_action_left_of_a_bought_button() -> None:
    game = Game(6, (1, 2, 4, 6), rules="wsop-live")
    assert blinds(game.hand()) == "b1 s2 B4"
    game.do("take_seat", 3, player="buyer")
    game.do("choose", 3, choice="buy_button")
    game.do("take_seat", 5, player="new")
    hand = game.deal()
    assert blinds(hand) == "b2 +3:10/5"
    assert hand.first_to_act == 4
    game.do("report_unposted", 5, looked=False, action=False)
    game.do("elect", 5, post=True)
    assert blinds(game.plan) == "b2 +3:10/5 +5:10/0"
    assert game.plan.dealt == (3, 4, 5, 6, 1, 2)
    assert game.plan.first_to_act == 4
    assert game.plan.to_call == 10


# -- blind raises --------------------------------------------------------------------------------


def dropped(events: list[object]) -> list[int]:
    return [event.seat for event in events if isinstance(event, RaiseDropped)]


def test_a_straddle_falls_away_where_no_hand_is_left() -> None:
    game = Game(4, (1, 2))
    assert blinds(game.hand()) == "b1 s1 B2"
    game.do("take_seat", 3, player="third")
    assert blinds(game.plan) == "b2 s2 B3 B1"
    game.do("straddle", 2)
    assert dropped([*game.do("leave", 1)]) == [2]
    assert game.plan.none is not None
    assert raise_to(game.table) == 0


def test_a_straddle_falls_away_where_the_house_has_none_any_more() -> None:
    game = Game(4, (1, 2, 3, 4))
    game.hand()
    assert blinds(game.plan) == "b2 s3 B4"
    game.do("straddle", 1)
    assert dropped([*game.do("set_house", straddles=False)]) == [1]
    assert game.plan.to_call == 10


# -- coming in -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("stack", "why"), [(10, ""), (9, "short_stack")])
def test_where_a_full_blind_is_asked_who_has_it_comes_in(stack: int, why: str) -> None:
    game = Game(8, SIX, short_stack="full_blind_or_no_hand")
    game.hand()
    game.do("take_seat", 7, player="new", stack=stack)
    game.do("choose", 7, choice="post")
    assert game.why(7) == why
    assert (7 in game.plan.dealt) == (not why)


def test_who_sits_out_at_the_next_big_blind_never_comes_in_by_waiting_for_it() -> None:
    game = Game(7, SIX)
    game.hand()
    game.do("take_seat", 7, player="new")
    game.do("sit_out", 7, at="next_big_blind")
    (question,) = game.plan.questions
    hands = {offer.choice: offer.hands for offer in question.choices}
    assert hands["post"] == 0
    assert hands["wait_big_blind"] is None


def test_who_waits_one_hand_for_the_button_has_nothing_else_to_choose() -> None:
    game = Game(6, (1, 3, 4, 5, 6))
    assert blinds(game.hand()) == "b1 s3 B4"
    game.do("change_seat", 6, to=2)
    assert game.refused("choose", 2, choice="post").reason == "not_offered"
    assert blinds(game.hand()) == "b3 s4 B5"
    assert not game.seat(2).dealt
    assert blinds(game.hand()) == "b4 s5 B1 +2:0/0"
    assert game.seat(2).dealt


def test_a_mover_who_waits_does_not_make_a_hand_where_one_player_is_left() -> None:
    game = Game(8, SIX)
    assert blinds(game.hand()) == "b1 s2 B3"
    game.do("change_seat", 5, to=7, choice="wait")
    assert blinds(game.plan) == "b2 s3 B4"
    for seat in (1, 2, 3, 4):
        game.do("sit_out", seat)
    assert game.plan.none is not None
    for seat in (1, 2, 3, 4):
        game.do("sit_in", seat)
    assert blinds(game.plan) == "b2 s3 B4"


def test_a_misdeal_keeps_what_the_floor_has_said_since_of_one_who_got_no_hand() -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    game.hand()
    game.do("sit_out", 1)
    game.do("sit_out", 4)
    game.deal()
    assert game.seat(4).owes == Owes(big=True, small=True)
    game.do("set_owes", 1, owes=["small"], reason="he left on his small blind elsewhere")
    game.do("misdeal")
    assert game.seat(1).owes == Owes(small=True)
    assert not game.seat(4).owes  # what the deal has charged is taken back
    game.deal()
    game.do("set_owes", 4, owes=[], reason="the floor was with him")
    game.do("misdeal")
    assert not game.seat(4).owes
    assert game.seat(4).standing == "in"
