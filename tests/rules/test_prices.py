"""What may still be changed before the deal has its price."""

from livebutton.rules.prices import other_answers, raise_to
from tests.rules.game import Game


def test_a_straddle_doubles_the_big_blind_and_the_next_adds_a_bet_or_doubles_again() -> None:
    for betting, second in (("limit", 30), ("no_limit", 40)):
        game = Game(seats=9, players=(1, 2, 3, 4, 5, 6), betting=betting)
        game.hand()
        assert raise_to(game.table) == 20
        game.do("straddle", 5)
        assert raise_to(game.table) == second


def test_what_it_makes_it_to_call_is_what_is_posted() -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6))
    game.hand()
    said = raise_to(game.table)
    game.do("sleeper", 3)
    assert sum(post.live for post in game.plan.posts if post.seat == 3) == said


def test_where_no_blind_raise_is_open_there_is_no_price() -> None:
    without = Game(seats=9, players=(1, 2, 3, 4, 5, 6), straddles=False)
    without.hand()
    assert raise_to(without.table) == 0
    two = Game(seats=9, players=(1, 2))
    two.hand()
    assert raise_to(two.table) == 0
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6))
    game.hand()
    game.deal()
    assert raise_to(game.table) == 0
    assert raise_to(Game(button=0).table) == 0


def test_an_entrant_who_has_answered_is_told_what_each_other_answer_costs() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    (asked,) = game.plan.questions
    assert other_answers(game.table) == ()
    game.do("choose", 8, choice="wait_big_blind")
    assert other_answers(game.table) == (asked,)


def test_who_is_dealt_in_has_no_other_answer() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="post")
    game.hand()
    assert other_answers(game.table) == ()
