"""Whom the scan for the big blind meets: newcomers, places that are held, seats jumped over.

Each game is told in a line: who leaves, sits out or takes a seat before the next hands.
"""

import pytest

from livebutton.rules.table import Owes
from tests.rules.game import Game, blinds

THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}
ONE = {"blinds": [{"at": 1, "amount": 10}]}


def then(game: Game, told: str) -> Game:
    """What happens between two hands: `leave 1, out 5, in 5, take 4, move 3 6, hand`."""
    for word in told.split(", "):
        kind, *seats = word.split()
        numbers = [int(seat) for seat in seats]
        match kind:
            case "hand":
                game.hand()
            case "take":
                game.do("take_seat", numbers[0], player=f"n{numbers[0]}")
            case "move":
                game.do("change_seat", numbers[0], to=numbers[1])
            case _:
                game.do({"out": "sit_out", "in": "sit_in"}.get(kind, kind), numbers[0])
    return game


def coming(game: Game, hands: int = 2) -> list[str]:
    return [blinds(game.hand()) for _ in range(hands)]


# -- the old and the new button ------------------------------------------------------------------


def test_whoever_took_the_old_buttons_seat_was_not_jumped_over() -> None:
    for stakes, small in ((None, "s"), (THREE, "m")):
        game = Game(3, (1, 2, 3), button=3, stakes=stakes)
        game.hand()
        assert blinds(then(game, "leave 3, take 3").plan) == f"b1 {small}2 B3"


def test_who_sits_left_of_the_old_button_was_jumped_over() -> None:
    game = Game(8, (1, 3, 6), short_handed=False)
    assert blinds(game.hand()) == "b1 s3 B6"
    then(game, "hand, hand")
    then(game, "take 2, leave 1")
    assert blinds(game.plan) == "b3 s3 B6"


@pytest.mark.parametrize(
    ("policy", "gone", "plan"),
    [
        ("no_dead_button", "leave 1, leave 2", "b3 s3 B5 +6:0/0"),
        ("moving_button", "leave 1, leave 3", "b2 s2 B5 +6:0/0"),
    ],
)
def test_of_two_the_other_is_the_target_though_a_newcomer_sits_beyond_him(
    policy: str, gone: str, plan: str
) -> None:
    game = Game(6, (1, 2, 3, 5), policy=policy)
    assert blinds(game.hand()) == "b1 s2 B3"
    assert blinds(then(game, f"{gone}, take 6").plan) == plan


def test_a_dead_button_jumps_over_a_newcomer_who_would_have_the_big_blind() -> None:
    game = Game(5, (1, 2, 5), button=2, rules="wsop-live")
    assert blinds(game.hand()) == "b2 s5 B1"
    then(game, "out 2, take 3")
    assert coming(game) == ["b1 s1 B5", "b5 s1 B3"]


def test_on_the_seat_of_a_dead_button_nobody_buys_it() -> None:
    game = Game(9, (1, 2, 4, 7), rules="wsop-live")
    game.hand()
    then(game, "leave 2, take 2")
    game.do("choose", 2, choice="buy_button")
    assert blinds(game.plan) == "b2 s4 B7"
    assert game.why(2) == "between_blinds"


# What happens after b1 s2 B3, the hand then, and where the button goes as it may lie dead.
LEFT_BY_ANOTHER_POLICY = {
    "leave 3": ("b2 x3 B4", 3),
    "leave 2, hand": ("b4 s5 s4 B6", 5),
    "leave 2": ("b3 s3 B4 B5", 3),
    "leave 2, leave 3": ("b4 x3 B5 B6 B4", 5),
}


@pytest.mark.parametrize("told", LEFT_BY_ANOTHER_POLICY)
def test_a_dead_button_follows_the_small_blind_nearest_the_big_one(told: str) -> None:
    hand, button = LEFT_BY_ANOTHER_POLICY[told]
    game = Game(6, (1, 2, 3, 4, 5, 6))
    game.hand()
    assert blinds(then(game, told).hand()) == hand
    game.do("set_house", button="dead_button")
    assert game.plan.button == button


def test_a_dead_button_put_right_onto_a_newcomers_seat_has_not_passed_him_yet() -> None:
    game = Game(8, (1, 2, 3, 5, 6, 7), policy="dead_button", short_handed=False)
    game.hand()
    then(game, "take 4")
    game.do("choose", 4, choice="wait_button")
    assert blinds(game.hand()) == "b2 s3 B5"
    game.do("correct_button", button=4)
    assert coming(game) == ["b4 s5 B6", "b5 s6 B7 +4:10/0"]
    assert not game.seat(4).sitting_out


# -- the scan starts on the button itself --------------------------------------------------------

# Who plays b1 s3 m? B7, what happens then, and the next two hands.
FROM_THE_BUTTON = {
    ((1, 3, 7), "leave 1, take 4, take 6"): ["b3 B4 B6 B7 B3", "b4 m6 m7 m4 B3"],
    ((1, 3, 5, 7), "leave 1, leave 5, take 4, take 6"): ["b3 x5 m7 B4 B6 B3", "b4 m6 m4 B7 B3"],
    ((1, 3, 4, 7), "leave 1, leave 4, take 5, take 6"): ["b3 x4 m7 B5 B6 B3", "b5 m6 m5 B7 B3"],
}


@pytest.mark.parametrize(("players", "told"), FROM_THE_BUTTON, ids=lambda value: str(value))
def test_newcomers_before_the_other_of_two_make_it_three_blinds(
    players: tuple[int, ...], told: str
) -> None:
    game = Game(7, players, stakes=THREE)
    game.hand()
    assert coming(then(game, told)) == FROM_THE_BUTTON[players, told]


# The last hand had its button on 1, a small blind on 3, big blinds on 5 and 7.
TWO_BIGS: dict[tuple[str, str], list[str]] = {
    ("extra_big_blind", "leave 1, out 5, take 6"): ["b3 x5 s7 B6 B3", "b6 s6 B7 B3"],
    ("extra_big_blind", "leave 1, out 5, take 4"): ["b3 x5 B4 B7 B3", "b4 s7 s4 B3"],
    ("forgiven", "leave 1, out 5, take 6"): ["b3 x5 s7 B6", "b6 s6 B3"],
    ("forgiven", "leave 1, out 5, take 4"): ["b7 s7 B3 +4:0/0", "b3 s3 B7"],
}


@pytest.mark.parametrize(("skipped", "told"), TWO_BIGS, ids=lambda value: str(value))
def test_the_place_of_a_dead_small_blind_is_a_position_on_the_way(skipped: str, told: str) -> None:
    game = Game(7, (1, 3, 5, 7), button=0, skipped_blinds=skipped)
    game.do("adopt_game", button=1, small=3, big=[5, 7])
    assert coming(then(game, told)) == TWO_BIGS[skipped, told]
    assert game.seat(5).owes == Owes(big=True, small=True)


@pytest.mark.parametrize(
    ("skipped", "plan"), [("extra_big_blind", "b3 x5 m7 B4 B6 B3"), ("forgiven", "b3 x5 m7 B6")]
)
def test_of_three_blinds_a_dead_place_between_two_newcomers_counts_once(
    skipped: str, plan: str
) -> None:
    game = Game(7, (1, 3, 5, 7), button=0, stakes=THREE, skipped_blinds=skipped)
    game.do("adopt_game", button=1, small=3, big=[5, 7])
    then(game, "leave 1, out 5, take 4, take 6")
    assert blinds(game.plan) == plan


@pytest.mark.parametrize(
    ("bigs", "told", "plan"),
    [
        ((5, 7), "move 5 6, leave 1, leave 7, take 4", "b3 x7 B4 B6 B3"),
        ((5, 8), "move 5 7, leave 1, leave 8, take 6", "b3 x8 s7 B6 B3"),
    ],
)
def test_the_place_of_a_small_blind_taken_along_is_a_position_on_the_way(
    bigs: tuple[int, int], told: str, plan: str
) -> None:
    game = Game(8, (1, 3, *bigs), button=0)
    game.do("adopt_game", button=1, small=3, big=[*bigs])
    assert blinds(then(game, told).plan) == plan


# -- newcomers and three blinds ------------------------------------------------------------------

# Under which policy, who plays from which button, what happens then, and the next two hands.
GROWING: dict[tuple[str, tuple[int, ...], int, str], list[str]] = {
    ("no_dead_button", (1, 2, 4), 1, "take 5, take 6"): ["b2 s2 m4 B5 B6", "b4 s4 m5 m6 B1"],
    ("no_dead_button", (3, 5), 3, "take 6, take 1"): ["b5 m5 B6 B1 B3", "b6 m1 m3 m6 B5"],
    ("moving_button", (2, 3, 4), 3, "out 3, take 1"): ["b4 B1 B2 B4"],
    ("moving_button", (2, 3, 4), 3, "out 3, take 5, take 1"): ["b4 B5 B1 B2 B4"],
    ("dead_button", (1, 2, 3), 1, "leave 3, take 4"): ["b2 x3 B4", "b3 m4 B1"],
    ("simplified", (1, 3, 5), 1, "take 2"): ["b3 s5 m1 B2", "b5 s1 m2 B3"],
    ("simplified", (1, 3, 5), 1, "take 6"): ["b3 m5 B6", "b5 s6 m1 B3"],
}


@pytest.mark.parametrize(("policy", "players", "button", "told"), GROWING, ids=lambda v: str(v))
def test_each_newcomer_in_the_big_blind_may_make_it_one_blind_more(
    policy: str, players: tuple[int, ...], button: int, told: str
) -> None:
    game = Game(6, players, button=button, stakes=THREE, policy=policy)
    game.hand()
    hands = GROWING[policy, players, button, told]
    assert coming(then(game, told), len(hands)) == hands


def test_one_newcomer_with_two_players_makes_it_no_more_than_two_blinds() -> None:
    game = Game(7, (5, 6), button=0, stakes=THREE)
    game.do("adopt_game", button=5, big=1)
    assert blinds(then(game, "take 3").plan) == "b6 x1 B3"


def test_a_newcomer_who_makes_it_three_blinds_is_the_first_position_of_three() -> None:
    game = Game(9, (4, 6, 8), button=0, stakes=THREE)
    game.do("adopt_game", button=1, big=2)
    posts = then(game, "take 5, take 9").plan.posts
    assert [post.seat for post in posts if post.kind == "big"] == [5, 6, 8, 4]


@pytest.mark.parametrize(("third", "hands"), [(2, ["b4 B2", "b1 B4"]), (5, ["b1 B5", "b4 B1"])])
def test_with_one_blind_a_third_posts_it_and_nobody_a_small_one(
    third: int, hands: list[str]
) -> None:
    game = Game(5, (1, 4), stakes=ONE, heads_up_growth="button_stays")
    game.hand()
    assert coming(then(game, f"take {third}")) == hands


@pytest.mark.parametrize("growth", ["button_stays", "forward"])
def test_a_third_is_met_by_the_scan_where_neither_of_two_had_the_big_blind(growth: str) -> None:
    game = Game(5, (1, 4), button=0, heads_up_growth=growth)
    game.do("adopt_game", button=4, big=2)
    assert coming(then(game, "take 3")) == ["b1 x2 B3", "b3 s3 B4 B1"]


# -- carried blinds --------------------------------------------------------------------------------


def test_a_small_blind_is_carried_to_seat_1_too() -> None:
    game = Game(6, (1, 2, 3, 4, 6))
    game.hand()
    assert blinds(then(game, "leave 1, move 3 1").plan) == "b2 s1 B4"


def test_simplified_looks_past_who_brought_his_small_blind_along_for_the_next_one() -> None:
    game = Game(8, (1, 2, 3, 4, 5, 6), stakes=THREE, policy="simplified")
    game.hand()
    assert blinds(game.plan) == "b2 s3 m4 B5"
    assert blinds(then(game, "leave 4, move 3 4").plan) == "b2 s4 m5 B6"


def test_simplified_counts_no_blind_that_too_few_collect_for_a_newcomer_in_the_big_one() -> None:
    game = Game(8, (1, 2, 3, 4, 5, 6), stakes=THREE, policy="simplified")
    game.hand()
    then(game, "move 4 8, leave 1, leave 3, leave 5, leave 6, take 6")
    assert blinds(game.plan) == "b2 m8 B6"


def test_who_is_back_in_his_seat_takes_no_small_blind_along() -> None:
    game = Game(8, (1, 2, 4, 5, 6), policy="simplified")
    assert blinds(game.hand()) == "b1 s2 B4"
    assert blinds(then(game, "move 4 8, move 8 4, leave 2").plan) == "b4 s5 B6"


def test_who_came_in_between_the_blinds_has_no_big_blind_where_two_are_left_besides() -> None:
    game = Game(6, (1, 2, 4, 6), policy="simplified", entry_between_blinds=True)
    game.hand()
    then(game, "take 3")
    game.do("choose", 3, choice="post")
    assert blinds(game.hand()) == "b2 s4 B6 +3:0/0"
    assert blinds(then(game, "leave 1, leave 2").plan) == "b6 s6 B4"
    assert game.why(3) == "between_blinds"


@pytest.mark.parametrize("rules", ["caro-cooke", "las-vegas"])
def test_who_moved_to_where_the_small_blind_is_dead_does_not_post_it(rules: str) -> None:
    game = Game(6, (1, 2, 3, 4, 5), rules=rules)
    game.hand()
    # No hand can be planned without them, so that seat 5 moves freely.
    then(game, "leave 3, out 1, out 2, out 4, move 5 3, in 1, in 2, in 4")
    assert blinds(game.plan) == "b2 x3 B4"


def test_who_is_made_to_owe_the_small_blind_owes_no_other_for_letting_that_down() -> None:
    game = Game(6, (1, 2, 3, 4, 5, 6), stakes=THREE)
    assert blinds(game.hand()) == "b1 s2 m3 B4"
    game.do("set_owes", 4, owes=["small"], reason="the floor says so")
    assert blinds(game.hand()) == "b2 x4 s3 B5"
    assert game.seat(4).owes == Owes(small=True)


# -- tournaments -----------------------------------------------------------------------------------


def test_two_are_left_of_a_tournament_whose_button_is_never_dead() -> None:
    game = Game(3, (1, 2, 3), rules="tournament", policy="no_dead_button")
    game.hand()
    assert blinds(then(game, "leave 1").plan) == "b3 s3 B2"


def test_in_a_tournament_a_newcomer_behind_the_small_blind_does_not_make_it_three() -> None:
    game = Game(6, (1, 2, 5), rules="tournament")
    assert blinds(game.hand()) == "b1 s2 B5"
    assert blinds(then(game, "take 3, leave 2").plan) == "b5 s5 B1 +3:0/0"


def test_but_a_player_moved_to_there_does() -> None:
    game = Game(6, (1, 2, 5, 6), rules="tournament")
    assert blinds(game.hand()) == "b1 s2 B5"
    then(game, "leave 2, move 1 3")
    assert blinds(game.plan) == "b2 s5 B6"
    assert game.plan.dealt == (3, 5, 6)
