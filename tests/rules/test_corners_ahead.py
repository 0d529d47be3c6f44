"""Corners of what is told of coming hands, and of a table in one line."""

from livebutton.rules.forecast import Forecast, forecast
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.notation import bare, read, write
from livebutton.rules.table import SeatNo
from tests.rules.game import Game, blinds

THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}


def ahead(game: Game) -> dict[SeatNo, Forecast]:
    return forecast(coming_hands(game.table))


def test_a_middle_blind_is_not_forecast_as_the_small_one() -> None:
    game = Game(4, (1, 2, 3, 4), stakes=THREE)
    assert blinds(game.hand()) == "b1 s2 m3 B4"
    assert ahead(game) == {
        1: Forecast(big=0, small=2, button=3),
        2: Forecast(big=1, small=3, button=0),
        3: Forecast(big=2, small=0, button=1),
        4: Forecast(big=3, small=1, button=2),
    }


def test_a_dead_button_is_forecast_for_nobody() -> None:
    game = Game(4, (1, 2, 3, 4), policy="dead_button")
    game.hand()
    game.do("leave", 2)
    assert blinds(game.plan) == "b2 s3 B4"
    assert ahead(game) == {
        1: Forecast(big=1, small=2, button=3),
        3: Forecast(big=2, small=0, button=1),
        4: Forecast(big=0, small=1, button=2),
    }


def test_the_forecast_ends_with_the_last_hand_that_two_will_play() -> None:
    game = Game(2, (1, 2))
    assert blinds(game.hand()) == "b1 s1 B2"
    game.do("sit_out", 2)
    game.do("deal_me_in", 2)
    assert ahead(game) == {1: Forecast(big=0), 2: Forecast(small=0, button=0)}


def test_a_line_says_which_blinds_are_raised() -> None:
    game = Game()
    game.hand()
    game.do("straddle", 1)
    game.do("sleeper", 3)
    line = write(game.table)
    assert " straddle=1 sleeper=3 " in line
    assert read(line) == bare(game.table)


def test_a_line_says_from_where_a_blind_was_taken_along() -> None:
    game = Game()
    game.hand()
    game.do("change_seat", 3, to=5)
    line = write(game.table)
    assert "p3@3b" in line
    assert read(line) == bare(game.table)


def test_a_line_says_that_who_moved_has_dealt_off_the_button() -> None:
    game = Game()
    game.hand()
    game.do("change_seat", 1, to=6)
    line = write(game.table)
    assert "p1{had_button}" in line
    assert read(line) == bare(game.table)
