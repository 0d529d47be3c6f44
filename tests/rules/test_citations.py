"""What each rule says: whole, true of the house rules, and clear when there is no such rule."""

import msgspec
import pytest

from livebutton.rules.citations import RULES, WIDTH, explain, write
from livebutton.rules.house import PRESETS, HouseRules, preset
from livebutton.rules.refusals import Refused

# How a table is played at all, or which of two words the rulings have for it: no rule of its own.
NOT_AN_ALTERNATE = {"betting"}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_told_with_an_example(rule: str) -> None:
    citation = explain(rule)
    assert citation.rule == rule
    assert citation.title
    assert citation.text.endswith(".")
    assert citation.example.endswith(".")
    assert len(citation.text) > 150


@pytest.mark.parametrize("rule", RULES)
def test_every_alternate_is_a_house_rule_that_differs_from_the_main_rule(rule: str) -> None:
    for alternate in explain(rule).alternates:
        house = msgspec.convert({alternate.field: alternate.value}, HouseRules)
        assert house != HouseRules()
        assert alternate.text.endswith(".")


def test_every_house_rule_is_an_alternate_of_some_rule() -> None:
    told = {alternate.field for rule in RULES for alternate in explain(rule).alternates}
    assert told == set(HouseRules.__struct_fields__) - NOT_AN_ALTERNATE


def test_every_choice_of_a_house_rule_but_the_main_one_is_told() -> None:
    told = {
        (alternate.field, alternate.value)
        for rule in RULES
        for alternate in explain(rule).alternates
        if isinstance(alternate.value, str)
    }
    for field in msgspec.json.schema(HouseRules)["$defs"]["HouseRules"]["properties"].items():
        name, schema = field
        choices = {
            choice
            for option in schema.get("anyOf", [schema])
            for choice in option.get("enum", [])
            if choice is not None
        }
        if name in NOT_AN_ALTERNATE or not choices:
            continue
        # What a field left alone means is the main rule.
        main = HouseRules().growth if name == "heads_up_growth" else schema.get("default")
        expected = choices - {main} - ({"one_bet"} if name == "restraddle" else set())
        assert {value for field_name, value in told if field_name == name} == expected, name


def test_the_presets_of_an_alternate_are_those_that_have_it_so() -> None:
    by_value = {
        (alternate.field, str(alternate.value)): alternate.presets
        for rule in RULES
        for alternate in explain(rule).alternates
    }
    assert by_value["button", "simplified"] == ("california", "pokerstars")
    assert by_value["heads_up_growth", "forward"] == ("pokernow",)
    assert by_value["makeup", "big_only"] == ("pot-limit",)
    assert by_value["buy_button", "True"] == ("wsop-live",)
    assert by_value["skipped_blinds", "forgiven"] == ()


def test_what_a_preset_changes_is_told_as_its_alternate() -> None:
    for name in PRESETS:
        for field in set(HouseRules.__struct_fields__) - NOT_AN_ALTERNATE:
            if getattr(preset(name), field) == getattr(HouseRules(), field):
                continue
            told = [a for rule in RULES for a in explain(rule).alternates if a.field == field]
            assert any(name in alternate.presets for alternate in told), (name, field)


def test_a_rule_that_is_not_there_is_refused_with_the_rules_there_are() -> None:
    with pytest.raises(Refused) as refused:
        explain("headsup")
    assert refused.value.reason == "bad_fields"
    assert "did you mean heads-up?" in refused.value.message
    assert all(rule in refused.value.message for rule in RULES)
    with pytest.raises(Refused) as refused:
        explain("")
    assert "did you mean" not in refused.value.message


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_printed_within_the_line(rule: str) -> None:
    citation = explain(rule)
    lines = write(citation).splitlines()
    assert lines[0] == f"{citation.title} ({rule})"
    assert max(map(len, lines)) <= WIDTH
    assert all(alternate.field in write(citation) for alternate in citation.alternates)
