"""What may still be changed before the deal has its price."""

from collections.abc import Iterator
from typing import Any

import pytest

from livebutton.rules.allowed import allowed
from livebutton.rules.prices import other_answers, priced_moves, raise_to
from livebutton.rules.table import Offer, SeatNo
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


def test_who_has_answered_and_sits_out_again_is_offered_nothing_until_he_is_back() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    (asked,) = game.plan.questions
    game.do("choose", 8, choice="wait_button")
    game.do("sit_out", 8)
    assert other_answers(game.table) == ()
    assert game.refused("choose", 8, choice="post").reason == "not_offered"
    game.do("sit_in", 8)
    assert other_answers(game.table) == (asked,)
    game.do("choose", 8, choice="post")


def test_who_is_dealt_in_has_no_other_answer() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.do("choose", 8, choice="post")
    game.hand()
    assert other_answers(game.table) == ()


# ── moves ────────────────────────────────────────────────────────────────────────────────────

SEATED = [(1, 2, 3, 4, 6, 7, 9), (1, 3, 5, 7)]
MOVES = pytest.mark.parametrize("house", ["distance", "las_vegas", "as_new_player"])


def offered(game: Game) -> Iterator[tuple[SeatNo, SeatNo, Offer]]:
    """Who may move where, and one way to come in there."""
    for move in priced_moves(game.table):
        for to in move.to:
            for offer in move.choices:
                yield move.seat, to, offer


def after_hands(hands: int, players: tuple[SeatNo, ...], house: str) -> Game:
    game = Game(seats=10, players=players, seat_change=house)
    for _ in range(hands):
        game.hand()
    return game


@MOVES
@pytest.mark.parametrize("players", SEATED)
def test_a_move_costs_what_was_said_before_it(players: tuple[SeatNo, ...], house: str) -> None:
    """What is said of each choice is what a question says of it once he has moved."""
    told = set()
    for hands in range(1, 4):
        for seat, to, offer in offered(after_hands(hands, players, house)):
            game = after_hands(hands, players, house)
            choice = {"choice": offer.choice} if offer.choice else {}
            game.do("change_seat", seat, to=to, **choice)
            assert offer == said_now(game, to, offer)
            for _ in range(offer.hands or 0):
                assert to not in game.plan.dealt
                game.hand()
            assert to in game.plan.dealt
            told.add(offer.choice)
    assert told >= {"as_new_player": {"post", "wait_button"}}.get(house, {"", "pass", "wait"})


def said_now(game: Game, seat: SeatNo, offer: Offer) -> Offer:
    """What that choice costs by the table's own word, or by its plan for one of the rotation."""
    if game.seat(seat).standing == "in":
        posts = [post for post in game.plan.posts if post.seat == seat]
        live, dead = sum(post.live for post in posts), sum(post.dead for post in posts)
        return Offer(offer.choice, live, dead, 0)
    told = next(each for each in other_answers(game.table) if each.seat == seat)
    # Who is new in a short-handed game and posts comes in free: a question names that choice so.
    names = (offer.choice, "free" if offer.choice == "post" else "")
    found = next(each for each in told.choices if each.choice in names)
    return Offer(offer.choice, found.live, found.dead, found.hands)


@MOVES
@pytest.mark.parametrize("players", SEATED)
def test_every_choice_that_a_move_leaves_has_its_price(
    players: tuple[SeatNo, ...], house: str
) -> None:
    game = after_hands(2, players, house)
    priced = {(seat, to, offer.choice) for seat, to, offer in offered(game) if offer.choice}
    entries: list[dict[str, Any]] = [e for e in allowed(game.table) if e["type"] == "change_seat"]
    assert priced == {
        (entry["seat"], to, choice)
        for entry in entries
        for to in entry["to"]
        for choice in entry.get("choices", [])
    }


def test_nobody_moves_in_a_hand_and_nothing_is_priced() -> None:
    game = after_hands(1, SEATED[0], "distance")
    game.deal()
    assert priced_moves(game.table) == ()
