"""What people are called: one line that can be read, in any script."""

import pytest

from tests.rules.game import Game

NO_LINE = ["a\nb", "\x1b[2J", "\x00", "bell\x07", "a\x7f", "\x9b1m", "two\u2028lines", "a\tb"]


@pytest.mark.parametrize("text", NO_LINE)
def test_a_text_that_is_no_line_is_refused_wherever_it_is_given(text: str) -> None:
    game = Game()
    game.do("leave", seat=2)
    before = game.table
    for kind, fields in {
        "rename": {"seat": 1, "name": text},
        "take_seat": {"seat": 2, "player": "new", "name": text},
        "join_list": {"player": text},
        "set_owes": {"seat": 1, "owes": ["big"], "reason": text},
    }.items():
        assert game.refused(kind, **fields).reason == "bad_fields", kind
    assert game.table == before


@pytest.mark.parametrize("name", ["علی\u200cرضا", "👩\u200d🚀", "Ơn Đỗ", "Konstantin Weber", "<b>"])
def test_a_name_in_any_script_is_a_name(name: str) -> None:
    game = Game()
    game.do("rename", seat=1, name=name)
    assert game.table.seats[0].name == name


def test_stakes_that_say_nothing_are_told_what_to_say() -> None:
    for stakes in ({}, {"blinds": []}):
        refused = Game().refused("set_stakes", stakes=stakes)
        assert refused.reason == "bad_fields"
        assert "at least one of blinds" in refused.message
