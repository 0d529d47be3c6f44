"""The rules as data: every scenario comes out as it says, and together they leave no rule out."""

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest

from livebutton.check import main, run
from livebutton.rules.citations import RULES, citations
from livebutton.rules.house import PRESETS, preset

FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
FIELDS = {"name", "rule", "source", "rules", "seats", "stakes", "players", "button", "steps"}
OPTIONAL = {"game", "house"}


def scenario(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


SCENARIOS = {path.stem: scenario(path) for path in FILES}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_comes_out_as_it_says(name: str) -> None:
    assert [str(failure) for failure in run(SCENARIOS[name])] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_says_what_it_shows_and_where_the_answer_comes_from(name: str) -> None:
    fields = SCENARIOS[name]
    assert fields.keys() >= FIELDS
    assert fields.keys() <= FIELDS | OPTIONAL
    assert fields["rule"] in RULES
    assert fields["source"]
    # A scenario that checks nothing would always pass.
    assert any({"hand", "deal", "plan", "seat", "refuse"} & step.keys() for step in fields["steps"])


def test_every_rule_has_its_scenarios() -> None:
    assert {fields["rule"] for fields in SCENARIOS.values()} == set(RULES)


def test_every_preset_is_played() -> None:
    assert {fields["rules"] for fields in SCENARIOS.values()} == set(PRESETS)


def test_every_alternate_is_played() -> None:
    """By a scenario of a preset that has it, or of a house that chose that field."""
    fields_played = {field for fields in SCENARIOS.values() for field in fields.get("house", {})}
    values_played = {
        (field, str(getattr(preset(fields["rules"]), field)))
        for fields in SCENARIOS.values()
        for field in preset(fields["rules"]).__struct_fields__
    }
    alternates = [a for citation in citations().values() for a in citation.alternates]
    assert [
        (alternate.field, alternate.value)
        for alternate in alternates
        if alternate.field not in fields_played
        and (alternate.field, str(alternate.value)) not in values_played
        and not alternate.presets
    ] == [("short_handed_at", {"holdem": 3, "draw": 3})]


def test_two_scenarios_never_tell_the_same_hands() -> None:
    told = [
        tuple(str(fields.get(key)) for key in ("rules", "house", "game", "players", "steps"))
        for fields in SCENARIOS.values()
    ]
    assert len(set(told)) == len(told)


def test_the_readme_names_every_scenario() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in SCENARIOS if f"`{name}`" not in readme] == []


def test_a_scenario_that_comes_out_otherwise_fails_with_expected_and_got(tmp_path: Path) -> None:
    text = (FOLDER / "normal-orbit.toml").read_text("utf-8")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace("button = 3, small = [4]", "button = 3, small = [5]"))
    out = io.StringIO()
    assert main([str(wrong)], out) == 1
    assert "step 3: small: expected [5], got [4]" in out.getvalue()
    assert "0 passed, 1 failed" in out.getvalue()


def test_a_folder_without_scenarios_does_not_pass(tmp_path: Path) -> None:
    assert main([str(tmp_path)], io.StringIO()) == 1
