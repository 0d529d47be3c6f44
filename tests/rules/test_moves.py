"""What moves along with a player who changes seats, what stays behind, and what he is told."""

import pytest

from livebutton.rules.table import Owes
from tests.rules.game import Game, blinds
from tests.rules.test_seat_changes import table


def test_a_move_that_is_not_open_to_him_is_refused_with_those_that_are() -> None:
    refused = table().refused("change_seat", 5, to=8, choice="pass")
    assert (refused.reason, refused.rule) == ("not_offered", "seat-changes")
    assert refused.params == {"choices": ["wait", "post"]}
    assert refused.message.endswith("open to him: wait, post")


def test_where_there_is_nothing_to_choose_it_says_so() -> None:
    game = table()
    game.do("leave", 5)
    refused = game.refused("change_seat", 7, to=5, choice="post")
    assert refused.params == {"choices": []}
    assert refused.message.endswith("open to him: to say nothing")


def test_the_ruling_of_a_move_names_both_seats() -> None:
    (moved, *_) = table().do("change_seat", 6, to=8)
    (ruling,) = moved.rulings
    assert ruling.params == {"from": 6, "to": 8}


def test_before_the_first_hand_a_mover_is_told_that_he_moves_freely() -> None:
    for game in (Game(seats=9, button=0), Game(seats=9)):
        (moved, *_) = game.do("change_seat", 2, to=8)
        assert moved.rulings[0].text == "p2 moves freely."


@pytest.mark.parametrize(
    "later", [(), (5, 8)], ids=["kept where he sat down", "left with the seat"]
)
def test_who_left_owing_is_remembered_at_his_old_seat_whoever_moves_there(
    later: tuple[int, ...],
) -> None:
    game = table()
    game.do("set_owes", 5, owes=["big"], reason="he was away")
    game.do("leave", 5)
    game.do("change_seat", 6, to=5)
    if later:
        game.do("change_seat", later[0], to=later[1])
    game.do("take_seat", 9, player="p5")
    assert game.seat(9).standing == "returning"
    assert game.seat(9).owes == Owes(big=True, small=True)


@pytest.mark.parametrize("mover", [1, 4])
@pytest.mark.parametrize("third", [2, 3, 5, 6])
@pytest.mark.parametrize("growth", ["obligations", "button_stays", "forward"])
def test_heads_up_a_move_leaves_the_table_as_if_he_had_always_sat_there(
    mover: int, third: int, growth: str
) -> None:
    to = 7
    sat = {1: 1, 4: 4, mover: to}
    moved, always = (
        Game(seats=8, players=players, button=button, heads_up_growth=growth)
        for players, button in (((1, 4), 1), (tuple(sorted(sat.values())), sat[1]))
    )
    for game in (moved, always):
        game.hand()
    moved.do("change_seat", mover, to=to)
    for game in (moved, always):
        game.do("take_seat", third, player="third")
        game.do("choose", third, choice="wait_big_blind")
    assert [blinds(moved.hand()) for _ in range(4)] == [blinds(always.hand()) for _ in range(4)]


@pytest.mark.parametrize("away", ["sit_out", "set_stack"])
def test_what_a_mover_is_due_he_is_due_whether_he_is_there_or_not(away: str) -> None:
    fields = {"stack": 0} if away == "set_stack" else {}
    game = table()
    game.do(away, 2, **fields)
    assert game.refused("change_seat", 2, to=8).reason == "not_due"
    game = table()
    game.do(away, 3, **fields)
    (moved, *_) = game.do("change_seat", 3, to=8)
    assert moved.rulings[0].text == "p3 takes his small blind along."


@pytest.mark.parametrize("policy", ["no_dead_button", "moving_button", "simplified", "dead_button"])
def test_a_small_blind_carried_to_another_seat_leaves_the_others_where_they_are(
    policy: str,
) -> None:
    stayed, moved = table(policy=policy), table(policy=policy)
    moved.do("change_seat", 3, to=8)
    assert blinds(stayed.hand()) == "b2 s3 B4"
    assert blinds(moved.hand()) == "b2 s8 B4"
    assert moved.plan.dead_blinds == ()


THREE = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}


@pytest.mark.parametrize("policy", ["no_dead_button", "moving_button", "simplified", "dead_button"])
def test_of_three_blinds_the_middle_one_may_be_carried_too(policy: str) -> None:
    game = table(policy=policy, stakes=THREE)
    assert blinds(game.plan) == "b2 s3 m4 B5"
    game.do("change_seat", 4, to=8)
    assert blinds(game.plan) == "b2 s3 m8 B5"


@pytest.mark.parametrize("policy", ["no_dead_button", "moving_button", "simplified", "dead_button"])
def test_of_three_blinds_the_small_one_may_be_carried_too(policy: str) -> None:
    game = table(policy=policy, stakes=THREE)
    game.do("change_seat", 3, to=8)
    assert blinds(game.plan) == "b2 s8 m4 B5"


def test_due_the_small_blind_nobody_moves_into_the_button_or_the_big_blind() -> None:
    for to in (2, 4):
        game = table()
        game.do("leave", to)
        refused = game.refused("change_seat", 3, to=to)
        assert (refused.reason, refused.rule) == ("not_due", "seat-changes")


def test_having_dealt_off_nobody_takes_the_place_of_the_small_blind_for_nothing() -> None:
    """Rule 5 is for anywhere but the button and the blinds; there rule 3 holds."""
    game = table()
    game.do("leave", 3)
    game.do("change_seat", 1, to=3)
    assert game.seat(3).standing == "mover"
    assert game.seat(3).choice == "wait_button"
    assert 3 not in game.plan.dealt


def test_having_dealt_off_he_may_still_let_the_blinds_pass_where_he_is_due_one() -> None:
    for to in (3, 4):
        game = table()
        game.do("leave", to)
        game.do("change_seat", 1, to=to, choice="pass")
        assert game.why(to) == "waiting"


def test_into_the_small_blind_he_comes_in_behind_the_button_with_a_big_blind() -> None:
    game = table()
    game.do("leave", 3)
    assert game.refused("change_seat", 6, to=3, choice="post").params == {
        "choices": ["wait_button"]
    }
    game.do("change_seat", 6, to=3)
    hand = game.hand()
    assert 3 not in hand.dealt
    hand = game.hand()  # b4: the button has passed him
    assert blinds(hand).startswith("b4 ")
    assert {post.seat: (post.live, post.dead) for post in hand.posts}[3] == (10, 0)


def test_into_the_button_from_near_he_waits_one_hand_and_comes_in_free() -> None:
    game = table()
    game.do("leave", 2)
    game.do("change_seat", 7, to=2)
    assert game.questions() == []
    assert 2 not in game.hand().dealt
    hand = game.hand()
    assert 2 in hand.dealt
    assert {post.seat: (post.live, post.dead) for post in hand.posts}[2] == (0, 0)


def test_into_the_button_from_afar_he_posts_behind_it_or_waits_as_long_as_before() -> None:
    game = table()
    game.do("leave", 2)
    game.do("change_seat", 5, to=2)
    assert game.questions() == [2]
    game.do("choose", 2, choice="wait_button")
    assert 2 not in game.hand().dealt
    hand = game.hand()
    assert {post.seat: (post.live, post.dead) for post in hand.posts}[2] == (10, 0)


@pytest.mark.parametrize("seat", [6, 7])
def test_two_further_is_still_near_the_button(seat: int) -> None:
    game = table()
    game.do("leave", 2)
    game.do("change_seat", seat, to=2)
    assert game.questions() == []
    assert 2 not in game.hand().dealt
    assert 2 in game.hand().dealt


def test_the_choice_of_how_to_come_in_at_the_button_may_come_with_the_move() -> None:
    for choice in ("wait", "wait_button"):
        game = table()
        game.do("leave", 2)
        game.do("change_seat", 5, to=2, choice=choice)
        assert game.questions() == []


def test_into_the_big_blind_he_may_say_that_he_takes_it() -> None:
    game = table()
    game.do("leave", 4)
    game.do("change_seat", 6, to=4, choice="wait_big_blind")
    assert blinds(game.plan) == "b2 s3 B4"


def test_having_dealt_off_he_cannot_pass_the_button_he_moves_back_to() -> None:
    game = table()
    game.do("leave", 2)
    refused = game.refused("change_seat", 1, to=2, choice="pass")
    assert "pass" not in refused.params["choices"]


def test_who_lets_the_blinds_pass_may_take_the_big_one_after_all() -> None:
    game = table()
    game.do("change_seat", 1, to=8, choice="pass")
    assert game.refused("choose", 8, choice="post").reason == "not_offered"
    assert game.refused("choose", 8, choice="wait_button").reason == "not_offered"
    game.do("choose", 8, choice="wait_big_blind")


def test_who_passes_on_the_big_blind_he_moved_into_may_take_it_after_all_but_not_post() -> None:
    game = table()
    game.do("leave", 4)
    game.do("change_seat", 6, to=4, choice="wait_button")
    assert game.refused("choose", 4, choice="post").reason == "not_offered"
    assert game.refused("choose", 4, choice="wait").reason == "not_offered"
    game.do("choose", 4, choice="wait_big_blind")


def test_who_moved_into_the_small_blind_has_the_place_behind_the_button_alone() -> None:
    game = table()
    game.do("leave", 3)
    game.do("change_seat", 6, to=3)
    for choice in ("post", "wait", "wait_big_blind"):
        assert game.refused("choose", 3, choice=choice).reason == "not_offered"


# Of two players who moves after which last hand, and where that has its button and blinds then.
ALONG = {
    (4, (1, 4)): (1, 6, [(1, 1), (6, 0)]),
    (1, (1, 4)): (6, 4, [(4, 0), (6, 1)]),
    (3, (1, 3, 4)): (1, 4, [(4, 0), (6, 1)]),
}


@pytest.mark.parametrize(("seat", "players"), ALONG, ids=lambda value: str(value))
def test_heads_up_what_a_mover_had_last_hand_moves_with_him_and_nothing_else(
    seat: int, players: tuple[int, ...]
) -> None:
    game = Game(players=players)
    game.hand()
    if len(players) == 3:
        game.do("leave", 1)
    game.do("change_seat", seat, to=6)
    last = game.table.play.last
    assert last is not None
    places = [(place.seat, place.depth) for place in last.places]
    assert (last.button, last.big, places) == ALONG[seat, players]


def test_of_two_big_blinds_heads_up_only_the_movers_moves() -> None:
    game = Game(players=(1, 3, 4), button=0)
    game.do("adopt_game", button=1, big=[3, 4])
    game.do("leave", 1)
    game.do("change_seat", 4, to=6)
    last = game.table.play.last
    assert last is not None
    assert [place.seat for place in last.places if place.depth == 0] == [3, 6]


def test_who_may_not_move_is_named() -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    assert game.refused("change_seat", 2, to=8).message.startswith("p2 ")


def test_a_mover_who_waits_has_nothing_posted_and_who_moves_freely_keeps_no_old_seat() -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("change_seat", 5, to=8)
    assert (game.seat(8).posted, game.seat(8).posted_from) == (-1, 0)
    game.do("change_seat", 7, to=5)
    assert (game.seat(5).standing, game.seat(5).posted_from) == ("in", 0)
