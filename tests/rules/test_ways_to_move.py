"""What is open to a mover and what he is told, where that is seldom asked."""

from tests.rules.game import Game, blinds
from tests.rules.test_seat_changes import table

THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}


def told(game: Game, seat: int, to: int) -> str:
    """The sentence that a move is noted with."""
    (moved, *_) = game.do("change_seat", seat, to=to)
    return moved.rulings[0].text


def test_an_entrant_is_told_that_he_stays_what_he_is() -> None:
    game = table()
    game.do("take_seat", 8, player="hal")
    assert told(game, 8, 9) == "hal is not in the rotation and stays what he is."


def test_where_no_hand_can_be_dealt_he_moves_freely_though_with_him_there_could() -> None:
    game = Game(6, (1, 2, 3))
    game.hand()
    game.do("leave", 1)
    game.do("sit_out", 3)
    game.do("take_seat", 5, player="new")
    assert game.plan.none is not None
    assert game.plan.none.text == "Needs two players in the rotation; 1 there now."
    assert told(game, 3, 6) == "p3 moves freely."


def test_who_is_refused_a_way_to_move_is_named() -> None:
    refused = table().refused("change_seat", 5, to=8, choice="pass")
    assert refused.message.startswith("p5 may not move so")


def test_the_seats_between_the_small_blinds_are_counted_from_the_button() -> None:
    game = Game(9, (1, 2, 3, 4, 5, 6), button=4, stakes=THREE)
    assert blinds(game.hand()) == "b4 s5 m6 B1"
    assert blinds(game.plan) == "b5 s6 m1 B2"
    refused = game.refused("change_seat", 3, to=8, choice="wait_big_blind")
    assert refused.params == {"choices": ["wait_button"]}


def test_a_seat_that_the_big_blind_never_reaches_is_far() -> None:
    game = Game(7, (1, 3, 5), stakes=THREE, policy="moving_button", skipped_blinds="forgiven")
    game.hand()
    refused = game.refused("change_seat", 1, to=2, choice="post")
    assert refused.params == {"choices": ["wait_button", "wait"]}


def test_who_posted_a_blind_that_drops_out_moves_without_it() -> None:
    game = Game(6, (1, 2, 3, 6), stakes=THREE)
    assert blinds(game.hand()) == "b1 s2 m3 B6"
    game.do("sit_out", 1)
    game.do("change_seat", 3, to=4)
    mover = game.seat(4)
    assert (mover.standing, mover.posted, mover.posted_from) == ("mover", -1, 0)
