"""The plan of a hand: who opens, what is to be called, who has the option, who is left out."""

import pytest

from tests.rules.game import Game, blinds


def test_before_a_game_there_is_no_hand() -> None:
    game = Game(button=0)
    assert game.plan.none is not None
    assert game.plan.none.reason == "no_game"
    assert game.refused("deal").reason == "wrong_phase"


def test_without_a_game_the_plan_says_how_one_begins() -> None:
    game = Game(button=0)
    assert game.plan.none is not None
    said = game.plan.none.text
    assert said == "No game yet: start one, or take over a running one."
    game.do("start_game", button=1)
    game.hand()
    game.do("close_table")
    assert game.plan.none is not None
    assert (game.plan.none.reason, game.plan.none.text) == ("no_game", said)


def test_with_too_few_the_plan_says_how_many_are_there() -> None:
    game = Game(players=(1, 2, 3), button=0)
    game.do("start_game", button=1)
    game.do("leave", 2)
    game.do("leave", 3)
    assert game.plan.none is not None
    assert game.plan.none.reason == "too_few_players"
    assert game.plan.none.text == "Needs two players in the rotation; 1 there now."


def test_with_one_player_left_there_is_no_hand_and_then_the_rotation_goes_on() -> None:
    game = Game(players=(1, 2, 3))
    game.hand()
    game.do("sit_out", 1)
    game.do("sit_out", 2)
    assert game.plan.none is not None
    assert game.refused("shuffle").reason == "no_hand"
    assert game.refused("deal").reason == "no_hand"
    game.do("sit_in", 1)
    assert game.plan.none is None


def test_the_first_hand_is_planned_from_the_button_drawn() -> None:
    hand = Game(button=3).plan
    assert blinds(hand) == "b3 s4 B1"
    assert hand.dealt == (4, 1, 2, 3)
    assert (hand.first_to_act, hand.first_to_act_after, hand.to_call) == (2, 4, 10)
    assert hand.options == (4, 1)


def test_a_button_drawn_for_one_who_leaves_goes_to_the_next() -> None:
    game = Game(button=3)
    game.do("leave", 3)
    assert game.plan.button == 4


def test_everybody_occupied_is_dealt_in_or_told_why_not() -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    game.hand()
    game.do("sit_out", 1)
    game.do("set_stack", 5, stack=0)
    game.do("take_seat", 6, player="fay")
    dealt, left_out = set(game.plan.dealt), {n.seat for n in game.plan.not_dealt}
    assert dealt | left_out == {1, 2, 3, 4, 5, 6}
    assert not dealt & left_out
    assert (game.why(1), game.why(5)) == ("sitting_out", "no_chips")


def test_a_short_stack_posts_what_it_has_and_the_others_call_the_blind() -> None:
    game = Game()
    game.do("set_stack", 3, stack=4)
    hand = game.plan
    assert [(p.seat, p.live, p.all_in) for p in hand.posts] == [(2, 5, False), (3, 4, True)]
    assert hand.to_call == 10
    assert hand.options == (2,)


def test_live_money_goes_out_before_dead() -> None:
    game = Game(players=(1, 2, 3, 4, 5, 6), seats=8)
    game.hand()
    game.do("set_owes", 6, owes=["big"], reason="he was away")
    game.do("choose", 6, choice="post")
    game.do("set_stack", 6, stack=12)
    post = next(post for post in game.plan.posts if post.seat == 6)
    assert (post.kind, post.live, post.dead, post.all_in) == ("make_up", 10, 2, True)


def test_whom_his_straddle_takes_all_in_is_so_in_the_post_of_nothing_he_came_in_with_too() -> None:
    game = Game(seats=9, rules="pokernow", players=(1, 2, 5, 8), button=1, straddles=True)
    for _ in range(3):
        game.hand()
    game.do("take_seat", 3, player="hal", stack=20)
    game.do("straddle", 3)
    posts = [post for post in game.plan.posts if post.seat == 3]
    assert [(post.kind, post.live, post.all_in) for post in posts] == [
        ("entry", 0, True),
        ("straddle", 20, True),
    ]


def test_if_everybody_else_is_all_in_the_most_they_posted_is_to_call() -> None:
    game = Game(players=(1, 2))
    game.do("set_stack", 2, stack=3)
    assert game.plan.to_call == 3
    assert game.plan.options == (1,)


def test_a_house_that_wants_full_blinds_passes_a_short_stack_by() -> None:
    game = Game(short_stack="full_blind_or_no_hand")
    game.hand()
    game.do("set_stack", 4, stack=4)
    assert game.why(4) == "short_stack"
    assert game.plan.posts[-1].seat == 1
    game.hand()
    assert game.seat(4).owes.big


@pytest.mark.parametrize(("by", "dead"), [("big_blind", [10]), ("all", [10, 10, 10, 10])])
def test_an_ante_is_dead_money(by: str, dead: list[int]) -> None:
    game = Game(ante={"by": by, "amount": 10})
    antes = [post for post in game.plan.posts if post.kind == "ante"]
    assert [post.dead for post in antes] == dead
    assert all(post.live == 0 for post in antes)


def test_a_button_blind_is_paid_by_who_sits_there() -> None:
    stakes = {"blinds": [{"at": -1, "amount": 2}, {"at": 0, "amount": 5}, {"at": 1, "amount": 10}]}
    hand = Game(stakes=stakes).plan
    assert {(post.kind, post.seat) for post in hand.posts} == {
        ("behind", 4),
        ("button", 1),
        ("big", 2),
    }


def test_three_blinds_lie_left_of_the_button_and_the_smallest_drops_out() -> None:
    stakes = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}
    assert blinds(Game(players=(1, 2, 3, 4), stakes=stakes).plan) == "b1 s2 m3 B4"
    assert blinds(Game(players=(1, 2, 3), stakes=stakes).plan) == "b1 m2 B3"


def test_every_plan_says_why() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    rules = [ruling.rule for ruling in game.plan.rulings]
    assert rules[0] == "posting-blinds"
    assert "missed-blinds" in rules
    assert all(ruling.text.endswith(".") for ruling in game.plan.rulings)


def test_until_the_first_card_each_seat_event_makes_a_new_plan() -> None:
    game = Game()
    game.hand()
    game.do("shuffle")
    before = game.plan
    game.do("sit_out", 2)
    assert game.plan.button == 3
    game.do("sit_in", 2)
    assert game.plan == before


def test_after_it_the_plan_stands_whatever_happens() -> None:
    game = Game()
    hand = game.deal()
    game.do("leave", 3)
    game.do("set_stakes", stakes={"small": 50, "big": 100})
    assert game.plan == hand


# -- straddles and sleepers ------------------------------------------------------------------------


def straddling(**house: object) -> Game:
    return Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7, 8), **house)


def test_straddles_grow_by_a_bet_until_the_cap() -> None:
    game = straddling()
    for seat in (4, 5, 6, 7):
        game.do("straddle", seat)
    hand = game.plan
    assert [(p.seat, p.live) for p in hand.posts if p.kind == "straddle"] == [
        (4, 20),
        (5, 30),
        (6, 40),
        (7, 50),
    ]
    assert hand.capped
    assert (hand.to_call, hand.options, hand.first_to_act) == (50, (), 8)
    assert game.refused("straddle", 8).reason == "capped"


def test_in_no_limit_each_straddle_doubles() -> None:
    game = straddling(betting="no_limit")
    for seat in (4, 5, 6, 7, 8, 1):
        game.do("straddle", seat)
    assert game.plan.to_call == 640
    assert not game.plan.capped
    assert game.refused("straddle", 2).reason == "not_due"


def test_a_sleeper_raises_the_call_and_has_no_option() -> None:
    game = straddling()
    game.do("sleeper", 7)
    hand = game.plan
    assert (hand.to_call, hand.first_to_act) == (20, 4)
    assert 7 not in hand.options
    assert game.refused("sleeper", 7).reason == "no_change"


def test_who_is_due_the_straddle_posts_no_sleeper() -> None:
    assert straddling().refused("sleeper", 4).reason == "not_due"


def test_two_players_have_no_straddles() -> None:
    assert Game(players=(1, 2)).refused("straddle", 2).reason == "not_due"


def test_a_house_may_prohibit_them() -> None:
    refused = straddling(straddles=False).refused("straddle", 4)
    assert (refused.reason, refused.rule) == ("not_allowed", "straddles-sleepers")


def test_a_straddle_whose_ground_falls_away_is_dropped_and_the_ruling_says_so() -> None:
    game = straddling()
    game.do("straddle", 4)
    events = game.do("leave", 3)
    said = [r.text for e in events for r in e.rulings] + [r.text for r in game.plan.rulings]
    assert all(post.kind != "straddle" for post in game.plan.posts)
    assert any("straddle" in text for text in said)
