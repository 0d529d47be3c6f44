"""What `problems` finds: each broken invariant is made by hand and must be named."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from livebutton.rules.invariants import of_plan, problems
from livebutton.rules.table import HandPlan, NotDealt, Owes, Post, Seat, Table
from tests.rules.game import Game

replace = msgspec.structs.replace


def with_seat(table: Table, seat_no: int, **changes: Any) -> Table:
    seats = list(table.seats)
    seats[seat_no - 1] = replace(seats[seat_no - 1], **changes)
    return replace(table, seats=tuple(seats))


SEATS: list[tuple[int, dict[str, Any], str]] = [
    (2, {"player": "p1"}, "a player sits in two seats"),
    (2, {"owes": Owes(big=True), "standing": "returning"}, "owes only the big blind"),
    (2, {"owes": Owes(small=True)}, "owes and is in"),
    (2, {"standing": "returning"}, "returns and owes nothing"),
    (2, {"locked": True}, "is taken and locked up"),
    (6, {"choice": "post"}, "is empty and remembers a player"),
    (6, {"posted": 0}, "is empty and remembers a player"),
    (2, {"deal_me_in": True}, "is at the table and asked to be dealt in"),
]


@pytest.mark.parametrize(("seat_no", "changes", "sentence"), SEATS)
def test_an_unsound_seat_is_named(seat_no: int, changes: dict[str, Any], sentence: str) -> None:
    game = Game()
    game.hand()
    assert problems(game.table) == []
    assert any(sentence in found for found in problems(with_seat(game.table, seat_no, **changes)))


def test_a_phase_and_its_plan_go_together() -> None:
    game = Game()
    game.deal()
    unplanned = replace(game.table, play=replace(game.table.play, plan=None))
    assert any("do not agree" in found for found in problems(unplanned))


def test_a_game_has_a_last_hand_or_a_button_drawn() -> None:
    game = Game()
    adrift = replace(game.table, play=replace(game.table.play, drawn=0))
    assert any("without a last hand" in found for found in problems(adrift))


def test_a_committed_plan_is_looked_at_too() -> None:
    game = Game()
    hand = replace(game.deal(), dealt=(2, 3))
    unsound = replace(game.table, play=replace(game.table.play, plan=hand))
    assert any("is not dealt in" in found or "dealt in" in found for found in problems(unsound))


PLANS: list[tuple[Callable[[HandPlan], HandPlan], str]] = [
    (lambda hand: replace(hand, dealt=(2,)), "dealt in: (2,)"),
    (lambda hand: replace(hand, dealt=(2, 2, 3, 4, 1)), "dealt in: (2, 2, 3, 4, 1)"),
    (lambda hand: replace(hand, posts=hand.posts[:1]), "0 big blinds"),
    (
        lambda hand: replace(hand, posts=tuple(Post(s, "big", 10) for s in (1, 2, 3, 4))),
        "4 big blinds",
    ),
    (lambda hand: replace(hand, posts=(*hand.posts, Post(3, "small", 5))), "two blinds in turn"),
    (lambda hand: replace(hand, posts=(*hand.posts, Post(6, "entry", 5))), "not dealt in"),
    (lambda hand: replace(hand, posts=(*hand.posts, Post(4, "entry", -5))), "less than nothing"),
    (lambda hand: replace(hand, posts=(*hand.posts, Post(4, "entry", 5, -5))), "less than nothing"),
    (lambda hand: replace(hand, first_to_act=6), "seat 6 is to act"),
    (lambda hand: replace(hand, button=7), "the button is on seat 7"),
    (lambda hand: replace(hand, not_dealt=(NotDealt(2, "new"),)), "dealt in and not dealt in"),
]


@pytest.mark.parametrize(("change", "sentence"), PLANS)
def test_an_unsound_plan_is_named(change: Callable[[HandPlan], HandPlan], sentence: str) -> None:
    hand = Game().plan
    assert of_plan(hand, 6, 2) == []
    assert any(sentence in found for found in of_plan(change(hand), 6, 2))


def test_no_hand_breaks_nothing() -> None:
    assert of_plan(Game(button=0).plan, 6) == []


def test_one_blind_may_be_owed_alone_where_there_is_one() -> None:
    game = Game(stakes={"blinds": [{"at": 1, "amount": 10}]})
    game.hand()
    game.do("sit_out", 3)
    game.hand()
    assert game.seat(3).owes == Owes(big=True)


def test_an_empty_seat_is_no_player() -> None:
    assert Seat() == Seat(player="")
