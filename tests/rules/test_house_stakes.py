"""What the floor may set: seats, stakes, house rules, debts; and what it is warned of."""

from typing import Any

import pytest

from livebutton.rules.house import PRESETS, preset
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Owes
from tests.rules.game import Game

BAD_STAKES: list[dict[str, Any]] = [
    {"small": 20, "big": 10},
    {"small": 5, "big": 10, "blinds": [{"at": 1, "amount": 5}]},
    {"blinds": [{"at": 1, "amount": 0}]},
    {"blinds": [{"at": 1, "amount": 5}, {"at": 1, "amount": 10}]},
    {"blinds": [{"at": 4, "amount": 5}]},
    {"blinds": [{"at": 0, "amount": 5}]},
    {"blinds": [{"at": 1, "amount": 10}, {"at": 2, "amount": 5}]},
    {},
]
BAD_HOUSE: list[dict[str, Any]] = [
    {"straddle_cap": 1},
    {"new_game_free_hands": -1},
    {"ante": {"by": "all", "amount": 0}},
    {"ante": {"by": "nobody", "amount": 1}},
    {"button": "flying"},
]


@pytest.mark.parametrize("stakes", BAD_STAKES, ids=str)
def test_impossible_stakes_are_refused(stakes: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        Game(stakes=stakes or {"small": 0, "big": 0})
    assert caught.value.reason == "bad_fields"


@pytest.mark.parametrize("house", BAD_HOUSE, ids=str)
def test_impossible_house_rules_are_refused(house: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        Game(**house)
    assert caught.value.reason == "bad_fields"


@pytest.mark.parametrize("seats", [1, 24])
def test_a_table_has_two_to_twenty_three_seats(seats: int) -> None:
    with pytest.raises(Refused) as caught:
        Game(seats=seats, players=())
    assert caught.value.reason == "bad_fields"


def test_there_is_a_preset_for_each_name_and_no_other() -> None:
    assert {preset(name).button for name in PRESETS} == {
        "no_dead_button",
        "moving_button",
        "simplified",
        "dead_button",
    }
    with pytest.raises(Refused):
        preset("bridge")


@pytest.mark.parametrize(("small", "is_warned"), [(3, True), (4, False), (6, False), (7, True)])
def test_a_small_blind_in_limit_is_a_third_to_two_thirds_of_the_bet(
    small: int, is_warned: bool
) -> None:
    game = Game()
    events = game.do("set_stakes", stakes={"small": small, "big": 10})
    rules = [ruling.rule for event in events for ruling in event.rulings]
    assert rules == (["blind-structures"] if is_warned else [])


@pytest.mark.parametrize("stakes", [{"small": 10, "big": 10}, {"blinds": [{"at": 1, "amount": 9}]}])
def test_two_big_blinds_or_one_blind_are_no_odd_structure(stakes: dict[str, Any]) -> None:
    assert all(not event.rulings for event in Game().do("set_stakes", stakes=stakes))


def test_no_limit_has_no_such_warning() -> None:
    game = Game(betting="no_limit")
    assert all(not e.rulings for e in game.do("set_stakes", stakes={"small": 1, "big": 10}))


@pytest.mark.parametrize(
    "owes", [{"big": True}, ["big"], {"big": True, "small": True}, {"big": 1, "small": 0}]
)
def test_who_owes_the_big_blind_owes_them_all(owes: Any) -> None:
    game = Game()
    game.hand()
    game.do("set_owes", 2, owes=owes, reason="he was away")
    assert game.seat(2).owes == Owes(big=True, small=True)
    assert game.seat(2).standing == "returning"


def test_the_floor_may_forgive_what_is_owed() -> None:
    game = Game()
    game.hand()
    game.do("set_owes", 2, owes=["small"], reason="he was away")
    game.do("set_owes", 2, owes=[], reason="he was not")
    assert game.seat(2).standing == "in"
