"""Recording: each event leaves its mark, and undo takes back exactly one command."""

import pytest

from livebutton.rules.evolve import UNDO_DEPTH
from livebutton.rules.table import NOTHING_OWED, Owes
from tests.rules.game import Game


def test_an_offset_counts_commands_and_not_events() -> None:
    game = Game(players=(), button=0)
    assert game.table.offset == 1
    game.do("take_seat", 1, player="ann")
    assert game.table.offset == 2


def test_what_was_done_last_is_undone_first() -> None:
    game = Game()
    game.do("sit_out", 1)
    game.do("rename", 2, name="Bob")
    game.do("undo")
    assert game.seat(2).name == "p2"
    assert game.seat(1).sitting_out
    game.do("undo")
    assert not game.seat(1).sitting_out


def test_an_undo_names_what_it_takes_back_or_is_stale() -> None:
    game = Game()
    game.do("sit_out", 1)
    offset = game.table.offset
    assert game.refused("undo", offset=offset - 1).reason == "stale"
    assert game.refused("undo", offset=offset - 1).params["offset"] == offset
    game.do("undo", offset=offset)


def test_with_nothing_left_there_is_nothing_to_undo() -> None:
    game = Game(players=(), button=0)
    assert game.refused("undo").reason == "no_change"


def test_a_mistaken_deal_is_undone_with_all_that_it_settled() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    before = game.table
    game.deal()
    game.do("undo")
    assert game.table.seats == before.seats
    assert game.table.play == before.play


def test_house_rules_list_and_stakes_are_undone_too() -> None:
    game = Game()
    before = game.table
    game.do("set_house", straddles=False)
    game.do("join_list", player="zoe")
    game.do("set_stakes", stakes={"small": 10, "big": 20})
    for _ in range(3):
        game.do("undo")
    assert game.table.setup == before.setup
    assert game.table.waiting == ()


def test_only_so_many_commands_are_remembered() -> None:
    game = Game()
    for _ in range(UNDO_DEPTH):
        game.do("sit_out", 1)
        game.do("sit_in", 1)
    assert len(game.table.undo) == UNDO_DEPTH


def test_house_rules_set_in_a_hand_hold_from_the_next_one() -> None:
    game = Game()
    game.deal()
    game.do("set_house", straddles=False)
    game.do("set_house", straddle_cap=3)
    assert game.table.house.straddles
    game.do("end_hand")
    assert not game.table.house.straddles
    assert game.table.house.straddle_cap == 3


def test_stakes_set_between_hands_hold_at_once() -> None:
    game = Game()
    game.do("set_stakes", stakes={"small": 10, "big": 20}, game="draw")
    assert game.plan.to_call == 20
    assert game.table.setup.game.family == "draw"


def test_house_rules_may_start_from_another_preset() -> None:
    game = Game()
    game.do("set_house", rules="robert", straddles=True)
    assert game.table.setup.rules == "robert"
    assert game.table.house.button == "moving_button"
    assert game.table.house.straddles


def test_a_seat_that_is_left_is_locked_up_and_remembers_the_debt() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    game.do("leave", 4)
    seat = game.seat(4)
    assert (seat.player, seat.locked, seat.left_by) == ("", True, "p4")
    assert seat.left_owing == Owes(big=True, small=True)


def test_the_debt_is_forgotten_once_the_big_blind_has_passed_the_seat() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    game.do("leave", 4)
    game.hands(3)
    assert game.seat(4).left_owing == NOTHING_OWED


@pytest.mark.parametrize("kind", ["straddle", "sleeper"])
def test_a_raised_blind_falls_with_the_hand(kind: str) -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    seat = 4 if kind == "straddle" else 5
    game.do(kind, seat)
    assert [wish.seat for wish in game.table.play.raises] == [seat]
    game.hand()
    assert game.table.play.raises == ()


def test_a_misdeal_plans_the_same_hand_again_from_the_state_before_it() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    before = game.plan
    game.deal()
    assert game.seat(4).owes.big
    game.do("misdeal")
    assert game.table.play.phase == "between_hands"
    assert game.plan == before
    assert not game.seat(4).owes


def test_what_people_did_in_a_void_hand_stays_done() -> None:
    game = Game(players=(1, 2, 3, 4, 5))
    game.hand()
    game.deal()
    game.do("leave", 5)
    game.do("take_seat", 6, player="fay")
    game.do("sit_out", 1)
    game.do("misdeal")
    assert (game.seat(5).player, game.seat(6).player) == ("", "fay")
    assert game.seat(1).sitting_out
