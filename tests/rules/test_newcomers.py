"""Newcomers where few are left, where the button is bought or put right, and in tournaments."""

import pytest

from livebutton.rules.table import Owes
from tests.rules.game import Game, blinds

ONE_BLIND = {"blinds": [{"at": 1, "amount": 10}]}


def left_with_a_newcomer(seat: int, players: tuple[int, ...], **house: object) -> Game:
    """A game taken over with the button on 1 and the big blind on the last player, both of whom
    leave: two or three of the rotation are left, and somebody new takes that seat."""
    game = Game(seats=8, players=players, button=0, **house)  # type: ignore[arg-type]
    game.do("adopt_game", button=1, big=players[-1])
    game.do("leave", 1)
    game.do("leave", players[-1])
    game.do("take_seat", seat, player="new")
    return game


# -- two of the rotation are left ------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 5])
def test_a_newcomer_behind_the_two_who_are_left_posts_no_blind_in_turn(seat: int) -> None:
    game = Game()
    game.hand()
    game.do("leave", 1)
    game.do("leave", 3)
    game.do("take_seat", seat, player="new")
    assert blinds(game.plan) == f"b2 s2 B4 +{seat}:0/0"


def test_nor_does_one_whom_the_big_blind_has_passed() -> None:
    game = left_with_a_newcomer(4, (1, 2, 3, 5))
    assert blinds(game.plan) == "b3 s3 B2"
    assert game.why(4) == "between_blinds"


def test_a_newcomer_between_the_two_makes_it_three_who_post_and_the_button_posts_too() -> None:
    game = left_with_a_newcomer(3, (1, 2, 4, 5))
    assert blinds(game.plan) == "b2 x5 B3 B4 B2"


def test_where_skipped_blinds_are_forgiven_he_is_short_of_the_target_and_comes_in_free() -> None:
    game = left_with_a_newcomer(3, (1, 2, 4, 5), skipped_blinds="forgiven")
    assert blinds(game.plan) == "b4 s4 B2 +3:0/0"


# -- the button is bought --------------------------------------------------------------------------


def bought(**house: object) -> Game:
    """Seat 3 is due to buy the button: else the next hand is b2 s4 B5."""
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live", **house)  # type: ignore[arg-type]
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="buy_button")
    assert blinds(game.plan) == "b2 +3:10/5"
    return game


def test_who_chose_to_buy_the_button_waits_once_the_house_sells_it_no_more() -> None:
    game = bought()
    game.do("set_house", buy_button=False)
    assert blinds(game.plan) == "b2 s4 B5"
    assert game.why(3) == "between_blinds"


def test_beside_a_bought_button_one_comes_in_behind_the_button_as_ever() -> None:
    game = bought()
    game.do("set_owes", 1, owes=["big"], reason="he was away")
    game.do("choose", 1, choice="wait_button")
    assert blinds(game.plan) == "b2 +3:10/5 +1:10/5"


def test_the_button_may_be_bought_as_a_third_comes_in() -> None:
    game = Game(players=(1, 5), heads_up_growth="button_stays", buy_button=True, short_handed=False)
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("take_seat", 6, player="dan")
    assert blinds(game.plan) == "b1 s5 B6"
    game.do("choose", 3, choice="buy_button")
    assert blinds(game.plan) == "b1 +3:10/5"
    game.do("set_house", buy_button=False)
    assert blinds(game.plan) == "b1 s5 B6"


def test_with_one_blind_the_button_is_sold_for_that_blind_alone() -> None:
    game = Game(seats=7, players=(1, 2, 4, 5, 6), stakes=ONE_BLIND, buy_button=True)
    game.hand()
    game.do("take_seat", 3, player="cat")
    (question,) = game.plan.questions
    (offer,) = (offer for offer in question.choices if offer.choice == "buy_button")
    assert (offer.live, offer.dead) == (10, 0)


# -- the button is put right -----------------------------------------------------------------------

BOTH = Owes(big=True, small=True)


@pytest.mark.parametrize(
    ("away", "button", "plan", "owes"),
    [
        (1, 5, "b5 s6 B2", BOTH),
        (6, 4, "b4 s5 B1", BOTH),
        (5, 3, "b3 s4 B6", BOTH),
        (4, 3, "b3 s5 B6", Owes()),
    ],
)
def test_a_button_put_right_passes_the_big_blind_by_who_is_away_between_the_blinds(
    away: int, button: int, plan: str, owes: Owes
) -> None:
    game = Game(players=(1, 2, 3, 4, 5, 6))
    game.hand()
    game.do("sit_out", away)
    game.do("correct_button", button=button)
    assert blinds(game.hand()) == plan
    assert game.seat(away).owes == owes


@pytest.mark.parametrize(("away", "owes"), [(5, Owes(big=True)), (3, Owes())])
def test_of_one_blind_whoever_is_away_between_the_button_and_it(away: int, owes: Owes) -> None:
    game = Game(players=(1, 2, 3, 4, 5, 6), stakes=ONE_BLIND)
    game.hand()
    game.do("sit_out", away)
    game.do("correct_button", button=4)
    game.hand()
    assert game.seat(away).owes == owes


def test_a_button_put_right_onto_a_later_seat_passes_whom_it_goes_past() -> None:
    game = Game(players=(1, 2, 4, 5, 6))
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="wait_button")
    game.do("correct_button", button=4)
    assert blinds(game.plan) == "b4 s5 B6 +3:10/0"


# -- tournaments -----------------------------------------------------------------------------------


def tournament(**house: object) -> Game:
    """Next hand: b2 s5 B6."""
    game = Game(seats=9, players=(1, 2, 5, 6, 7), rules="tournament", **house)  # type: ignore[arg-type]
    game.hand()
    return game


def test_in_a_tournament_whoever_comes_is_dealt_in_but_between_button_and_small_blind() -> None:
    game = tournament()
    for seat in (3, 4, 8, 9):
        game.do("take_seat", seat, player=f"n{seat}")
    assert blinds(game.plan) == "b2 s5 B6 +8:0/0 +9:0/0"
    assert [game.why(seat) for seat in (3, 4)] == ["between_blinds"] * 2


def test_in_a_tournament_a_newcomer_in_the_small_blinds_seat_posts_it_and_nothing_else() -> None:
    game = tournament()
    game.do("leave", 5)
    game.do("take_seat", 5, player="new")
    assert blinds(game.plan) == "b2 s5 B6"
    assert 5 in game.plan.dealt


def test_in_a_tournament_a_newcomer_may_have_the_button() -> None:
    game = tournament()
    game.do("leave", 2)
    game.do("take_seat", 2, player="new")
    assert blinds(game.plan) == "b2 s5 B6 +2:0/0"


def test_in_a_tournament_of_one_blind_nobody_waits() -> None:
    game = tournament(stakes=ONE_BLIND)
    game.do("take_seat", 3, player="new")
    game.do("take_seat", 8, player="newer")
    assert blinds(game.plan) == "b2 B3 +8:0/0"


# -- how one comes in ------------------------------------------------------------------------------


def test_who_posted_between_the_blinds_plays_on_until_the_button_would_reach_him() -> None:
    game = Game(players=(1, 2, 3, 5, 6), button=0, rules="pot-limit")
    game.do("adopt_game", button=1, big=5)
    game.do("take_seat", 4, player="cat")
    game.do("choose", 4, choice="post")
    hands = [game.hand() for _ in range(3)]
    assert [(hand.button, 4 in hand.dealt) for hand in hands] == [(2, True), (3, True), (5, False)]


def test_who_chose_to_post_pays_nothing_once_newcomers_come_in_free() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="post")
    assert blinds(game.plan) == "b2 s3 B4 +8:10/0"
    for seat in (1, 6, 7):
        game.do("leave", seat)
    assert blinds(game.plan) == "b2 s3 B4 +8:0/0"


def test_who_declined_to_post_waits_for_the_big_blind_even_where_others_come_in_free() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.deal()
    game.do("report_unposted", 8, looked=False, action=False)
    game.do("elect", 8, post=False)
    game.do("end_hand")
    for seat in (1, 6, 7):
        game.do("leave", seat)
    assert blinds(game.plan) == "b3 s4 B5"
    assert game.why(8) == "waiting"


def test_nobody_comes_in_free_between_the_blinds() -> None:
    game = Game(players=(1, 2, 4, 5))
    game.hand()
    game.do("take_seat", 3, player="eve")
    game.do("choose", 3, choice="free")
    assert blinds(game.plan) == "b2 s4 B5"
    assert game.why(3) == "between_blinds"


def test_a_mover_who_says_nothing_waits_as_long_as_before_and_comes_in() -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("change_seat", 5, to=8)
    got = [blinds(game.hand()) for _ in range(3)]
    assert got == ["b2 s3 B4", "b3 s4 B6", "b4 s6 B7 +8:0/0"]


def test_nobody_comes_in_on_the_seat_of_a_dead_button() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7), policy="dead_button")
    game.hand()
    game.do("leave", 2)
    game.do("take_seat", 2, player="cat")
    game.do("choose", 2, choice="post")
    assert blinds(game.plan) == "b2 s3 B4"
    game.do("set_house", entry_between_blinds=True)
    assert blinds(game.plan) == "b2 s3 B4"
    assert game.why(2) == "between_blinds"


@pytest.mark.parametrize(
    ("seat", "away_for", "plan"), [(2, 3, "b1 s2 B3 +2:10/5"), (3, 4, "b2 s3 B1 +3:10/5")]
)
def test_a_third_who_posts_the_small_blind_in_turn_pays_his_debts_beside_it(
    seat: int, away_for: int, plan: str
) -> None:
    game = Game(players=(1, 2, 3), heads_up_growth="forward", short_handed=False)
    game.hand()
    game.do("sit_out", seat)
    game.hands(away_for)
    game.do("sit_in", seat)
    assert blinds(game.plan) == plan


def test_who_came_in_between_the_blinds_and_stepped_away_gets_no_hand_on_the_button() -> None:
    """Not dealt in for a hand, he still owes the button that has yet to pass him."""
    three = [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]
    game = Game(10, (1, 2, 3, 5, 7, 8, 9, 10), stakes={"blinds": three}, entry_between_blinds=True)
    game.hand()
    game.do("take_seat", 4, player="dan")
    game.do("choose", 4, choice="post")
    assert blinds(game.hand()) == "b2 s3 m5 B7 +4:20/0"
    game.do("sit_out", 4)
    assert blinds(game.hand()) == "b3 s5 m7 B8"
    game.do("sit_in", 4)
    assert blinds(game.plan) == "b5 s7 m8 B9"
    assert game.why(4) == "between_blinds"
    game.hand()
    assert 4 in game.hand().dealt
