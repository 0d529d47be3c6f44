"""The model against the scenarios: rulings as data."""

from pathlib import Path

import pytest

from tests.model.scenario import run_scenario

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_model_gives_what_the_scenario_says(path: Path) -> None:
    run_scenario(path)
