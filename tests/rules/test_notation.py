"""A table in one line: what it says, that it is read back, and what is no such line."""

import msgspec
import pytest

from livebutton.rules.notation import bare, read, write
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from tests.rules.game import Game
from tests.rules.walker import Walk

HEAD = "caro-cooke 5/10 h1 between_hands dealt=2"


def seats(game: Game) -> str:
    return write(game.table).split(" | ")[1]


def test_a_line_says_where_button_and_blinds_were() -> None:
    game = Game()
    game.hand()
    assert write(game.table).startswith("caro-cooke 5/10 h1 between_hands")
    assert seats(game) == "p1/D p2/s p3/B p4 . ."


def test_a_line_says_who_owes_is_away_has_chosen_or_is_expected() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    game.do("leave", 1)
    game.do("lock_up", 5, player="gus ström")
    game.do("take_seat", 6, player="fay", stack=200)
    game.do("choose", 6, choice="wait_button")
    said = seats(game)
    assert "p4!bs~" in said
    assert "fay^=wait_button$200" in said
    assert "#gus%20str" in said


@pytest.mark.parametrize("seed", range(12))
def test_every_table_of_a_walk_is_read_back_and_plans_the_same_hand(seed: int) -> None:
    for step in Walk(seed, length=40):
        again = read(write(step.after))
        assert again == bare(step.after)
        if step.after.play.phase != "in_hand":
            named = bare(step.after)
            assert msgspec.structs.replace(plan(again), rulings=()) == (
                msgspec.structs.replace(plan(named), rulings=())
            )


def test_names_of_any_letters_are_read_back() -> None:
    game = Game(players=(1, 2))
    for seat, player in ((3, "Zoë /D ~"), (4, "."), (5, "a{b}=c$1#2"), (6, "^&!@")):
        game.do("take_seat", seat, player=player)
    assert read(write(game.table)) == bare(game.table)


@pytest.mark.parametrize(
    "line",
    ["", "caro-cooke 5/10 h1 between_hands", f"{HEAD} | ann/Q", f"{HEAD} | ann!", f"{HEAD} |  "],
)
def test_what_is_no_line_is_no_table(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - which part is wrong is said in words
        read(line)


def test_a_line_of_another_preset_is_refused() -> None:
    with pytest.raises(Refused):
        read("bridge 5/10 h1 between_hands | ann bob")
