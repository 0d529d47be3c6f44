"""Changing seats: the eight rules, their alternates, and what a mover waits for."""

from typing import Any

import pytest

from tests.rules.game import Game, blinds


def table(**house: object) -> Game:
    """Seven players and seats 8 and 9 free, one hand dealt: b1 s2 B3; next b2 s3 B4."""
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7), **house)  # type: ignore[arg-type]
    game.hand()
    return game


def test_nobody_changes_seats_in_a_hand() -> None:
    game = table()
    game.deal()
    refused = game.refused("change_seat", 6, to=8)
    assert (refused.reason, refused.rule) == ("wrong_phase", "seat-changes")


@pytest.mark.parametrize(
    ("to", "reason", "facts"),
    [
        (6, "no_change", {"seat": 6, "name": "p6"}),
        (5, "seat_taken", {"seat": 5, "name": "p5"}),
        (10, "no_seat", {"seat": 10}),
        (9, "seat_locked", {"seat": 9, "player": "zoe"}),
    ],
)
def test_a_move_needs_an_empty_seat_that_is_free_for_him(
    to: int, reason: str, facts: dict[str, Any]
) -> None:
    game = table()
    game.do("lock_up", 9, player="zoe")
    refused = game.refused("change_seat", 6, to=to)
    assert (refused.reason, refused.params) == (reason, facts)


def test_before_the_first_hand_everybody_moves_freely() -> None:
    game = Game(seats=9)
    game.do("change_seat", 2, to=8)
    assert game.refused("change_seat", 3, to=9, choice="post").reason == "not_offered"
    assert 8 in game.plan.dealt


def test_1_closer_to_the_blinds_is_free() -> None:
    game = table()
    game.do("leave", 5)
    game.do("change_seat", 7, to=5)
    assert game.seat(5).standing == "in"
    assert 5 in game.plan.dealt
    assert game.refused("change_seat", 6, to=7, choice="wait").reason == "not_offered"


def test_2_further_away_he_waits_as_long_as_before_or_posts() -> None:
    game = table()
    game.do("change_seat", 5, to=8)
    assert game.questions() == [8]
    assert game.why(8) == "waiting"
    game.do("choose", 8, choice="post")
    assert blinds(game.plan).endswith("+8:10/0")
    game.do("choose", 8, choice="wait")
    waited = 0
    while 8 not in game.plan.dealt:
        game.hand()
        waited += 1
    assert waited == 2
    assert blinds(game.plan).endswith("+8:0/0")
    game.hand()
    assert game.seat(8).standing == "in"


def test_2_the_choice_may_come_with_the_move() -> None:
    game = table()
    game.do("change_seat", 5, to=8, choice="post")
    assert game.questions() == []
    assert 8 in game.hand().dealt


@pytest.mark.parametrize(("seat", "standing"), [(6, "in"), (5, "mover")])
def test_2_in_las_vegas_two_further_is_free(seat: int, standing: str) -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7, 8), seat_change="las_vegas")
    game.hand()
    game.do("change_seat", seat, to=9)
    assert game.seat(9).standing == standing


def test_2_some_houses_make_a_mover_new() -> None:
    game = table(seat_change="as_new_player")
    game.do("change_seat", 6, to=8)
    assert game.seat(8).standing == "new"
    assert game.refused("change_seat", 5, to=9, choice="wait").reason == "not_offered"
    game.do("change_seat", 5, to=9, choice="post")
    assert 9 in game.plan.dealt


def test_3_into_the_big_blind_he_takes_it_or_waits_for_the_button() -> None:
    game = table()
    game.do("leave", 4)
    game.do("change_seat", 6, to=4)
    assert blinds(game.plan) == "b2 s3 B4"
    game.do("undo")
    game.do("change_seat", 6, to=4, choice="wait_button")
    assert blinds(game.plan) == "b2 s3 B5"
    assert game.why(4) == "waiting"


def test_3_into_the_button_he_waits_one_hand() -> None:
    game = table()
    game.do("leave", 2)
    game.do("change_seat", 7, to=2, choice="wait")
    first = game.hand()
    assert 2 not in first.dealt


def test_4_due_the_small_blind_he_carries_it_along() -> None:
    game = table()
    game.do("change_seat", 3, to=8)
    hand = game.hand()
    assert [post.seat for post in hand.posts if post.kind == "small"] == [8]
    assert hand.dead_blinds == ()
    assert [post.seat for post in hand.posts if post.kind == "big"] == [4]


def test_4_but_not_into_the_big_blind() -> None:
    game = table()
    game.do("leave", 4)
    refused = game.refused("change_seat", 3, to=4)
    assert (refused.reason, refused.rule) == ("not_due", "seat-changes")


def test_5_having_dealt_off_he_moves_freely() -> None:
    game = table()
    game.do("change_seat", 1, to=8)
    assert game.seat(8).standing == "in"
    assert 8 in game.plan.dealt


def test_6_due_the_button_he_stays() -> None:
    refused = table().refused("change_seat", 2, to=8)
    assert (refused.reason, refused.rule) == ("not_due", "seat-changes")


def test_8_having_dealt_off_he_may_let_the_blinds_pass_once() -> None:
    game = table()
    game.do("change_seat", 1, to=8, choice="pass")
    assert game.why(8) == "waiting"
    for _ in range(9):
        hand = game.hand()
        if 8 in hand.dealt:
            break
    assert {post.seat: (post.live, post.dead) for post in hand.posts}[8] == (0, 0)
    assert game.seat(8).standing == "in"


def test_an_entrant_stays_what_he_is() -> None:
    game = table()
    game.do("take_seat", 8, player="hal")
    game.do("change_seat", 8, to=9)
    assert (game.seat(9).player, game.seat(9).standing) == ("hal", "new")
    assert game.questions() == [9]


def test_heads_up_a_move_is_free_and_remembers_the_button() -> None:
    game = Game(players=(1, 4), button=1)
    game.hand()
    game.do("change_seat", 1, to=6)
    assert blinds(game.plan) == "b4 s4 B6"


def test_heads_up_a_small_blind_goes_along_and_the_dead_button_follows_it() -> None:
    """Two have chips left as he moves; the one who comes then makes it a hand of three again."""
    game = Game(seats=5, rules="tournament", button=1)
    game.hand()
    game.do("set_stack", 2, stack=0)
    game.do("leave", 1)
    game.do("change_seat", 2, to=1)
    game.do("take_seat", 5, player="hal")
    assert blinds(game.plan) == "b1 s3 B4 +5:0/0"


def test_heads_up_who_will_sit_out_takes_the_button_along_all_the_same() -> None:
    game = Game(seats=5, players=(1, 2, 4), button=2)
    game.hand()
    game.do("leave", 1)
    game.do("sit_out", 2, at="next_big_blind")
    assert game.plan.none is not None
    game.do("change_seat", 2, to=5)
    assert game.table.play.last is not None
    assert game.table.play.last.button == 5


def test_a_small_blind_carried_onto_the_button_leaves_two_big_blinds() -> None:
    """The player due the button leaves: who has it now posts the small blind on it."""
    game = Game(seats=9, players=(1, 2, 5, 6, 7), button=1)
    game.hand()
    game.do("change_seat", 5, to=4)
    assert blinds(game.plan) == "b2 s4 B6"
    game.do("leave", 2)
    assert blinds(game.plan) == "b4 s4 B6 B7"


def test_simplified_knows_no_small_blind_to_carry_but_the_plans() -> None:
    """He was due the big blind again: that he posted the last one gives him nothing to carry."""
    chain = {"blinds": [{"at": at, "amount": 5 * 2 ** (at - 1)} for at in (1, 2, 3)]}
    game = Game(seats=5, players=(1, 2, 3, 4, 5), button=2, stakes=chain, policy="simplified")
    game.hand()
    game.do("sit_out", 1, at="next_big_blind")
    game.do("leave", 2)
    assert blinds(game.plan) == "b3 m4 B5"
    game.do("change_seat", 5, to=2)
    assert blinds(game.plan) == "b3 s4 m1 B2"
    assert set(game.plan.dealt) == {1, 2, 3, 4}


def test_in_a_tournament_a_move_is_the_directors_business() -> None:
    game = Game(seats=9, rules="tournament")
    game.hand()
    game.do("change_seat", 4, to=8)
    assert 8 in game.plan.dealt


def test_a_move_says_why_and_leaves_an_empty_seat() -> None:
    game = table()
    (moved, *_) = game.do("change_seat", 6, to=8)
    (ruling,) = moved.rulings
    assert (ruling.rule, ruling.seats) == ("seat-changes", (6, 8))
    assert ruling.text.startswith("p6")
    assert (game.seat(6).player, game.seat(6).locked) == ("", False)


def test_who_came_in_between_the_blinds_is_of_the_rotation_where_he_moves_to() -> None:
    game = Game(9, (1, 2, 5, 6, 7, 8), rules="pot-limit", short_handed=False)
    game.hand()
    game.do("take_seat", 4, player="dan")
    game.do("choose", 4, choice="post")
    assert "+4:10/0" in blinds(game.hand())
    game.do("change_seat", 4, to=9)
    assert [blinds(game.hand()).split()[-2] for _ in range(3)] == ["B7", "B8", "B9"]
