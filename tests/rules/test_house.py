"""House files: every mistake is named, every deviation is told and shown by hands of the engine."""

import io
import tomllib
from pathlib import Path

import pytest

from livebutton.house_examples import SITUATIONS, outcome
from livebutton.house_lint import (
    FIELDS,
    HouseFileWrong,
    explain_house,
    load_house,
    main,
)
from livebutton.rules.citations import RULES, WIDTH
from livebutton.rules.house import PRESETS, HouseRules, preset, with_overrides
from livebutton.rules.refusals import Refused

# A value of each field that no preset but this one has, so that it deviates.
OTHERWISE = """
button = "dead_button"
skipped_blinds = "forgiven"
makeup = "big_only"
missed_small = "live"
returning_in_big_blind = "dead_small_too"
new_player_posts = false
new_game_free_hands = 4
short_handed = false
short_handed_at = { holdem = 7, draw = 6 }
heads_up_shrink = "button_forward"
heads_up_growth = "forward"
short_stack = "full_blind_or_no_hand"
blinds = [{ at = 1, stake = "big" }]
entry_between_blinds = true
buy_button = true
straddles = false
straddle_cap = 3
restraddle = "double"
seat_change = "as_new_player"
misplaced_after_deal = "misdeal"
tournament = true
ante = { by = "all", amount = 2 }
betting = "no_limit"
"""


def house_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text)
    return path


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(HouseFileWrong) as wrong:
        explain_house(house_file(tmp_path, text))
    return wrong.value.mistakes


def printed(argument: str) -> tuple[int, str]:
    out = io.StringIO()
    return main(argument, out), out.getvalue()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_told_by_the_fields_in_which_it_differs(name: str) -> None:
    deviations = explain_house(name)
    assert {deviation.field for deviation in deviations} == {
        field for field in FIELDS if getattr(preset(name), field) != getattr(HouseRules(), field)
    }
    for deviation in deviations:
        assert deviation.base == "caro-cooke"
        assert deviation.rule in RULES
        assert deviation.example is not None
        assert deviation.example.before != deviation.example.after


@pytest.mark.parametrize("field", FIELDS)
def test_every_house_rule_alone_is_shown_by_a_hand_that_comes_out_otherwise(
    tmp_path: Path, field: str
) -> None:
    [line] = [line for line in OTHERWISE.splitlines() if line.startswith(f"{field} =")]
    [deviation] = explain_house(house_file(tmp_path, f'preset = "caro-cooke"\n{line}\n'))
    assert deviation.field == field
    assert deviation.text.endswith(".")
    assert deviation.example is not None
    assert not deviation.example.alone
    assert deviation.example.before != deviation.example.after


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_taken_back_to_the_main_rules_is_told_too(tmp_path: Path, name: str) -> None:
    back = {
        "button": '"no_dead_button"',
        "heads_up_growth": '"obligations"',
        "short_handed": "true",
        "straddles": "true",
        "seat_change": '"distance"',
        "tournament": "false",
    }
    text = "".join(f"{field} = {value}\n" for field, value in back.items())
    deviations = explain_house(house_file(tmp_path, f'preset = "{name}"\n{text}'))
    house = with_overrides(preset(name), tomllib.loads(text))
    assert {deviation.field for deviation in deviations} == {
        field for field in back if getattr(preset(name), field) != getattr(house, field)
    }
    assert all(deviation.base == name for deviation in deviations)
    main_rules = [d for d in deviations if d.field in ("button", "short_handed", "straddles")]
    assert all(deviation.text.startswith("The main rule: ") for deviation in main_rules)


def test_the_example_hands_are_those_of_the_engine() -> None:
    [button, growth] = explain_house("california")
    assert button.example is not None
    # Rule text: the small blind leaves; main rule, and "advance per California rules".
    assert button.example.before == [
        "hand 2: button 2, big 4 (10); dead small at seat 3",
        "hand 3: button 4, small 4 (5), big 5 (10) and 6 (10)",
    ]
    assert button.example.after == [
        "hand 2: button 2, small 4 (5), big 5 (10)",
        "hand 3: button 4, small 5 (5), big 6 (10)",
    ]
    assert growth.example is not None
    # Where the button policy is simplified, growth is button_stays unless it is said.
    assert growth.example.alone
    assert growth.example.after == ["hand 2: button 1, small 5 (5), big 6 (10)"]


def test_live_and_dead_money_is_told_apart() -> None:
    [told] = [d for d in explain_house("pokernow") if d.field == "returning_in_big_blind"]
    assert told.example is not None
    # Real sites: who waits for the big blind still pays the dead small (46 of 46).
    assert "big 4 (10);" not in told.example.before[1]
    assert told.example.before[1].endswith("big 4 (10)")
    assert told.example.after[1].endswith("big 4 (10 and 5 dead)")


def test_a_field_that_the_rest_of_the_house_makes_idle_is_said_to_be_idle(tmp_path: Path) -> None:
    text = 'preset = "pokerstars"\nstraddle_cap = 3\nrestraddle = "double"\n'
    deviations = explain_house(house_file(tmp_path, text))
    # No straddles at PokerStars: neither alone nor together do these change a hand.
    assert [deviation.example for deviation in deviations] == [None, None]
    code, out = printed(str(house_file(tmp_path, text)))
    assert code == 0
    assert out.count("With the other rules of this house it changes nothing.") == 2


def test_every_mistake_of_a_file_gets_its_sentence(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        'preset = "robbert"\n'
        'buton = "dead_button"\n'
        'button = "dead_buton"\n'
        'straddle_cap = "five"\n'
        'straddles = "no"\n'
        "short_handed_at = 4\n"
        "xyzzy = 1\n",
    )
    assert len(found) == 7
    assert found[0].startswith('preset = "robbert" (did you mean robert?): one of caro-cooke,')
    assert found[1] == "there is no house rule buton (did you mean button?)"
    assert found[2].startswith('button = "dead_buton" (did you mean dead_button?): it takes ')
    assert all(f'"{policy}"' in found[2] for policy in ("no_dead_button", "simplified"))
    assert found[3] == 'straddle_cap = "five": it takes a whole number'
    assert found[4] == 'straddles = "no": it takes true or false'
    assert "holdem (a whole number), draw (a whole number)" in found[5]
    assert found[6].startswith("there is no house rule xyzzy: there are preset, button,")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("straddle_cap = 1", "straddle_cap is 2 bets or more"),
        ("new_game_free_hands = -1", "new_game_free_hands is 0 or more"),
        ('new_game_free_hands = "full"', 'a whole number or "until_full"'),
        ('heads_up_growth = "stays"', '"button_stays", "forward" or "obligations"'),
        ('ante = { by = "all", amount = 0 }', "an ante is above 0"),
        ('ante = { by = "dealer", amount = 1 }', 'by ("all" or "big_blind"), amount'),
        ("ante = { amount = 1 }", 'by ("all" or "big_blind"), amount'),
        ('blinds = [{ at = 0, stake = "big" }]', "one blind at least lies left of the button"),
        (
            'blinds = [{ at = 1, stake = "big" }, { at = 2, stake = "small" }]',
            "the biggest blind lies furthest from the button",
        ),
        ('blinds = [{ at = 1, stake = "huge" }]', "a list, each of it a table of at (a "),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_can(
    tmp_path: Path, line: str, said: str
) -> None:
    [found] = mistakes(tmp_path, f'preset = "caro-cooke"\n{line}\n')
    assert said in found
    assert found.startswith(line.split(" =", maxsplit=1)[0])


def test_a_file_must_name_its_preset(tmp_path: Path) -> None:
    [found] = mistakes(tmp_path, "short_handed = false\n")
    assert found.startswith("preset is missing: name one of caro-cooke, robert,")
    [found] = mistakes(tmp_path, "preset = 3\n")
    assert found.startswith("preset = 3: one of caro-cooke")


def test_a_file_that_is_not_there_or_not_toml_is_said_so(tmp_path: Path) -> None:
    [found] = mistakes(tmp_path, "preset = robert\n")
    assert found.startswith("this is not TOML: ")
    with pytest.raises(HouseFileWrong) as wrong:
        load_house("pokerstar")
    assert "did you mean pokerstars?" in wrong.value.mistakes[0]
    with pytest.raises(HouseFileWrong) as wrong:
        load_house(tmp_path)
    assert wrong.value.mistakes[0].startswith("the file cannot be read: ")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(HouseFileWrong):
        load_house(binary)


def test_a_house_file_gives_what_a_table_is_opened_with(tmp_path: Path) -> None:
    path = house_file(tmp_path, 'preset = "las-vegas"\nmissed_small = "live"\n')
    assert load_house(path) == ("las-vegas", {"missed_small": "live"})
    assert load_house("las-vegas") == ("las-vegas", {})


def test_a_house_is_printed_within_the_line_and_mistakes_exit_with_1(tmp_path: Path) -> None:
    for name in PRESETS:
        code, out = printed(name)
        assert code == 0
        assert max(map(len, out.splitlines())) <= WIDTH
    assert printed("caro-cooke") == (0, "caro-cooke: the main rules throughout\n")
    path = str(house_file(tmp_path, 'preset = "robert"\n'))
    assert printed(path) == (0, f"{path}: robert, nothing changed\n")
    path = str(house_file(tmp_path, 'preset = "robert"\nmakeup = "none"\n'))
    code, out = printed(path)
    assert code == 1
    assert out.startswith(f'{path}: makeup = "none"')
    assert (
        "one house rule differs from robert"
        in printed(str(house_file(tmp_path, 'preset = "robert"\nmakeup = "big_only"\n')))[1]
    )


def test_every_house_rule_has_its_situations_and_every_situation_can_be_played() -> None:
    assert set(SITUATIONS) == set(FIELDS)
    for name in PRESETS:
        for situations in SITUATIONS.values():
            for situation in situations:
                assert outcome(preset(name), situation)


def test_a_preset_that_is_not_there_and_an_unknown_field_are_refused_by_the_rules() -> None:
    with pytest.raises(Refused) as refused:
        preset("roberts")
    assert refused.value.reason == "bad_fields"
    with pytest.raises(Refused) as refused:
        with_overrides(HouseRules(), {"buton": "dead_button"})
    assert refused.value.reason == "bad_fields"
    with pytest.raises(Refused):
        with_overrides(HouseRules(), {"button": "sideways"})


def test_growth_that_is_not_said_is_the_button_policys() -> None:
    assert {
        policy: with_overrides(HouseRules(), {"button": policy}).growth
        for policy in ("no_dead_button", "moving_button", "simplified", "dead_button")
    } == {
        "no_dead_button": "obligations",
        "moving_button": "obligations",
        "simplified": "button_stays",
        "dead_button": "button_stays",
    }
