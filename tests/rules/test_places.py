"""Places by name, as they are called at a full and at a short table."""

from livebutton.rules.places import places
from tests.rules.game import Game


def test_a_full_table_has_every_name() -> None:
    named = places(Game(seats=9, players=tuple(range(1, 10))).plan)
    assert named == {
        1: "button",
        2: "small_blind",
        3: "big_blind",
        4: "under_the_gun",
        5: "under_the_gun_1",
        6: "under_the_gun_2",
        7: "lojack",
        8: "hijack",
        9: "cutoff",
    }


def test_at_a_short_table_under_the_gun_goes_before_the_cutoff() -> None:
    assert places(Game(players=(1, 2, 3, 4)).plan)[4] == "under_the_gun"


def test_heads_up_there_are_a_button_and_a_big_blind() -> None:
    assert places(Game(players=(1, 2)).plan) == {1: "button", 2: "big_blind"}


def test_a_small_blind_on_the_button_is_called_the_button() -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    game.hand()
    game.do("leave", 2)
    named = places(game.plan)
    assert named[3] == "button"
    assert [seat for seat, name in named.items() if name == "big_blind"] == [4, 5]


def test_who_sits_between_the_blinds_acts_last_of_the_others() -> None:
    game = Game(seats=9, players=tuple(range(1, 10)), rules="pot-limit")
    game.hand()
    game.do("leave", 3)
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="post")
    named = places(game.plan)
    assert set(named) == set(game.plan.dealt)


def test_without_a_hand_nobody_has_a_place() -> None:
    assert places(Game(button=0).plan) == {}
