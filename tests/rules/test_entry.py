"""New and returning players: where they may come in, when, and at what price."""

import pytest

from livebutton.rules.table import Owes
from tests.rules.game import Game, blinds


def full(**house: object) -> Game:
    """Seven of the rotation and a free seat 8, one hand dealt: b1 s2 B3; next b2 s3 B4."""
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7), **house)  # type: ignore[arg-type]
    game.hand()
    return game


def offers(game: Game, seat: int) -> dict[str, tuple[int, int]]:
    (question,) = (q for q in game.plan.questions if q.seat == seat)
    return {offer.choice: (offer.live, offer.dead) for offer in question.choices}


def test_a_new_player_is_asked_and_pays_one_big_blind() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    assert game.questions() == [8]
    assert offers(game, 8) == {
        "post": (10, 0),
        "wait_big_blind": (10, 0),
        "wait_button": (10, 0),
    }
    assert game.why(8) == "new"
    game.do("choose", 8, choice="post")
    assert blinds(game.plan) == "b2 s3 B4 +8:10/0"
    game.hand()
    assert game.seat(8).standing == "in"


def test_a_returning_player_pays_big_live_and_small_dead() -> None:
    game = full()
    game.do("sit_out", 4)
    game.hand()
    game.do("sit_in", 4)
    assert offers(game, 4)["post"] == (10, 5)
    assert offers(game, 4)["straddle"] == (20, 0)
    assert game.why(4) == "owes"


@pytest.mark.parametrize(
    ("house", "owes", "price"),
    [
        ({}, ["small"], (0, 5)),
        ({"missed_small": "live"}, ["small"], (5, 0)),
        ({"missed_small": "live"}, ["big"], (10, 5)),
        ({"makeup": "big_only"}, ["small"], (10, 0)),
        ({"makeup": "big_only"}, ["big"], (10, 0)),
    ],
)
def test_the_house_sets_the_price_of_making_up(
    house: dict[str, object], owes: list[str], price: tuple[int, int]
) -> None:
    game = full(**house)
    game.do("set_owes", 6, owes=owes, reason="he was away")
    assert offers(game, 6)["post"] == price


def test_a_big_blind_in_turn_clears_what_is_owed() -> None:
    game = full()
    game.do("set_owes", 4, owes=["big"], reason="he was away")
    assert blinds(game.plan) == "b2 s3 B4"
    game.hand()
    assert game.seat(4).owes == Owes()


def test_some_houses_want_the_dead_small_blind_beside_it() -> None:
    game = full(returning_in_big_blind="dead_small_too")
    game.do("set_owes", 4, owes=["big"], reason="he was away")
    assert offers(game, 4)["wait_big_blind"] == (10, 5)
    (big,) = (post for post in game.plan.posts if post.kind == "big")
    assert (big.seat, big.live, big.dead) == (4, 10, 5)


def test_nobody_comes_in_between_button_and_big_blind() -> None:
    game = full()
    game.do("set_owes", 3, owes=["big"], reason="he was away")
    game.do("choose", 3, choice="post")
    assert blinds(game.plan) == "b2 x3 B4"
    assert game.why(3) == "between_blinds"


def test_a_straddle_makes_up_for_the_first_after_the_big_blind_only() -> None:
    game = full()
    for seat in (5, 6):
        game.do("set_owes", seat, owes=["big"], reason="he was away")
        game.do("choose", seat, choice="straddle")
    assert blinds(game.plan) == "b2 s3 B4 +5:20/0"
    assert game.plan.to_call == 20
    assert game.plan.first_to_act == 7
    assert game.why(6) == "waiting"


def test_wait_button_pays_on_the_hand_that_the_button_passes() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="wait_button")
    game.hands(6)
    assert game.seat(8).standing == "new"
    assert game.why(8) == ""
    assert blinds(game.hand()) == "b1 s2 B3 +8:10/0"


def test_a_short_handed_newcomer_comes_in_free_in_the_arc() -> None:
    game = Game(players=(1, 2, 3, 4))
    game.hand()
    game.do("take_seat", 5, player="eve")
    assert offers(game, 5)["free"] == (0, 0)
    assert blinds(game.plan) == "b2 s3 B4 +5:0/0"
    game.do("choose", 5, choice="wait_button")
    assert 5 not in game.plan.dealt


@pytest.mark.parametrize(("family", "is_free"), [("holdem", True), ("draw", False)])
def test_draw_games_are_short_handed_with_fewer(family: str, *, is_free: bool) -> None:
    game = Game(players=(1, 2, 3, 4, 5), game=family)
    game.hand()
    game.do("take_seat", 6, player="fay")
    assert (6 in game.plan.dealt) is is_free


def test_the_floor_may_let_a_player_in_free() -> None:
    game = full()
    game.do("take_seat", 8, player="hal", entry="free")
    assert game.questions() == []
    assert blinds(game.plan) == "b2 s3 B4 +8:0/0"
    assert game.refused("choose", 8, choice="post").reason == "not_offered"


def test_a_house_may_let_everybody_in_free() -> None:
    game = full(new_player_posts=False)
    game.do("take_seat", 8, player="hal")
    assert game.questions() == []
    assert 8 in game.plan.dealt


def test_a_new_game_has_free_hands_for_a_while() -> None:
    game = full(new_game_free_hands=2)
    game.do("take_seat", 8, player="hal")
    assert 8 in game.plan.dealt
    game.do("leave", 8)
    game.hands(2)
    game.do("take_seat", 8, player="hal")
    assert 8 not in game.plan.dealt


def test_or_until_the_table_is_full() -> None:
    game = full(new_game_free_hands="until_full")
    game.hands(3)
    game.do("take_seat", 8, player="hal")
    assert "+8:0/0" in blinds(game.hand())
    game.do("leave", 8)
    game.hands(2)
    game.do("take_seat", 8, player="ivy")
    assert "+8:0/0" not in blinds(game.plan)
    assert game.questions() == [8]


def test_who_lets_big_blind_and_button_pass_is_picked_up_for_the_list() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.do("sit_out", 8)
    game.do("join_list", player="ivy")
    events = [e for _ in range(7) for e in [*game.do("deal"), *game.do("end_hand")]]
    assert "player_picked_up" in [type(e).__struct_config__.tag for e in events]
    assert (game.seat(8).player, game.seat(8).held_for) == ("", "ivy")


def test_with_no_list_he_keeps_the_seat_and_owes_both() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.do("sit_out", 8)
    game.hands(7)
    seat = game.seat(8)
    assert (seat.player, seat.absent, seat.sitting_out) == ("hal", True, True)
    assert seat.owes == Owes(big=True, small=True)
    game.do("sit_in", 8)
    assert not game.seat(8).absent


def test_one_dealt_in_unposted_may_elect_to_post() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.deal()
    assert game.refused("elect", 8, post=True).reason == "not_offered"
    assert game.refused("report_unposted", 1, looked=False, action=False).reason == "not_due"
    game.do("report_unposted", 8, looked=False, action=False)
    assert game.refused("report_unposted", 8, looked=False, action=False).reason == "no_change"
    game.do("elect", 8, post=True)
    assert 8 in game.plan.dealt
    assert 8 in game.plan.options
    assert game.seat(8).standing == "in"


def test_if_he_declines_only_the_big_blind_is_left_to_him() -> None:
    game = full()
    game.do("set_owes", 7, owes=["big"], reason="he was away")
    game.deal()
    game.do("report_unposted", 7, looked=False, action=False)
    game.do("elect", 7, post=False)
    assert game.refused("report_unposted", 7, looked=False, action=False).reason == "no_change"
    game.do("end_hand")
    for choice in ("post", "wait_button", "straddle"):
        assert game.refused("choose", 7, choice=choice).reason == "not_offered"
    assert [blinds(game.hand()).split()[-1] for _ in range(3)] == ["B5", "B6", "B7"]
    assert game.seat(7).standing == "in"


@pytest.mark.parametrize(("looked", "action"), [(True, False), (False, True)])
def test_a_hand_looked_at_or_acted_on_is_dead(*, looked: bool, action: bool) -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.deal()
    game.do("report_unposted", 8, looked=looked, action=action)
    assert game.refused("elect", 8, post=True).reason == "not_offered"
    assert game.refused("report_unposted", 8, looked=looked, action=False).reason == "no_change"
    game.do("end_hand")
    game.deal()
    game.do("report_unposted", 8, looked=looked, action=action)


def test_buying_the_button_posts_both_and_has_it_next() -> None:
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live")
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="buy_button")
    assert game.questions() == []
    hand = game.hand()
    assert blinds(hand) == "b2 +3:10/5"
    assert hand.first_to_act == 4
    assert blinds(game.hand()) == "b3 s4 B5"


def test_in_pot_limit_one_may_come_in_between_the_blinds_and_forfeits_the_button() -> None:
    game = Game(seats=6, players=(1, 2, 4, 5, 6), rules="pot-limit")
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="post")
    hand = game.hand()
    assert 3 in hand.dealt
    assert game.seat(3).button_forfeited
    buttons = [game.hand().button for _ in range(4)]
    assert 3 not in buttons


def test_in_a_tournament_an_entrant_plays_at_once_but_behind_the_small_blind() -> None:
    game = Game(seats=9, players=(1, 2, 5, 6, 7), rules="tournament")
    game.hand()
    game.do("take_seat", 9, player="ivy")
    game.do("take_seat", 3, player="cat")
    assert 9 in game.plan.dealt
    assert game.questions() == []


THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}


@pytest.mark.parametrize(
    ("owes", "price"),
    [
        (["big"], (20, 15)),
        (["middle"], (0, 10)),
        (["small"], (0, 5)),
        (["small", "middle"], (0, 15)),
    ],
)
def test_of_three_blinds_each_that_was_missed_is_made_up(
    owes: list[str], price: tuple[int, int]
) -> None:
    game = full(stakes=THREE)
    game.do("set_owes", 7, owes=owes, reason="he was away")
    assert offers(game, 7)["post"] == price


def test_who_has_said_how_he_comes_in_is_asked_no_more_unless_free_is_over() -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    game.hand()
    game.do("take_seat", 6, player="fay")
    game.do("choose", 6, choice="free")
    assert game.questions() == []
    game.do("set_house", short_handed=False)
    assert game.questions() == [6]


def test_who_elects_to_post_does_so_by_the_hand_as_dealt_wherever_the_button_belonged() -> None:
    game = full()
    game.do("leave", 7)
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="wait_big_blind")
    first = game.deal().first_to_act
    game.do("correct_button", button=4)
    game.do("report_unposted", 8, looked=False, action=False)
    game.do("elect", 8, post=True)
    assert game.plan.first_to_act == first
    assert 8 in game.plan.dealt


def test_who_may_not_post_where_he_sits_may_not_because_the_button_is_put_right() -> None:
    """b4 s5 B7: seat 6 lies between the blinds of the hand as dealt."""
    game = Game(7, (3, 4, 5, 6), button=3, rules="pokerstars")
    game.deal()
    game.do("sit_out", 6, at="next_big_blind")
    game.do("end_hand")
    game.do("take_seat", 7, player="gus")
    assert blinds(game.deal()) == "b4 s5 B7"
    game.do("correct_button", button=7)
    game.do("report_unposted", 6, looked=False, action=False)
    assert game.refused("elect", 6, post=True).reason == "not_offered"


def test_in_pot_limit_who_elects_to_post_between_the_blinds_forfeits_the_button() -> None:
    game = Game(9, (1, 2, 4, 5, 6, 7, 8), rules="pot-limit")
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.deal()
    game.do("report_unposted", 3, looked=False, action=False)
    game.do("elect", 3, post=True)
    game.do("end_hand")
    assert game.plan.button == 4
    assert game.why(3) == "between_blinds"


def test_a_choice_stands_though_the_floor_sets_what_is_owed() -> None:
    game = full()
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="wait_button")
    game.do("set_owes", 8, owes=["small"], reason="he left the other table so")
    assert game.questions() == []
    assert game.seat(8).choice == "wait_button"
    game.do("set_owes", 8, owes=[], reason="he did not")
    assert game.seat(8).choice == "wait_button"
    assert game.seat(8).standing == "new"


def test_who_has_nothing_to_post_with_cannot_elect_to() -> None:
    game = full(short_stack="full_blind_or_no_hand", short_handed=False)
    game.do("take_seat", 8, player="hal", stack=9)
    game.deal()
    game.do("report_unposted", 8, looked=False, action=False)
    assert game.refused("elect", 8, post=True).reason == "not_offered"
    game.do("end_hand")
    game.do("set_stack", 8, stack=10)
    game.do("choose", 8, choice="wait_button")
    game.deal()
    game.do("report_unposted", 8, looked=False, action=False)
    game.do("set_stack", 8, stack=0)
    assert game.refused("elect", 8, post=True).reason == "not_allowed"
    game.do("set_stack", 8, stack=10)
    game.do("elect", 8, post=True)
    assert 8 in game.plan.dealt
