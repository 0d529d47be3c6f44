"""`livebutton bench`, as a person runs it."""

import json

import pytest

from tests.app.processes import run

pytestmark = pytest.mark.slow


def test_results_are_json_on_the_output_and_progress_goes_elsewhere() -> None:
    done = run("bench", "engine", "--seconds", "0.001", "--json")
    assert done.returncode == 0, done.stderr
    (report,) = json.loads(done.stdout)
    assert report["bench"] == "engine"
    assert {"machine", "load_before", "load_after", "notes"} < set(report)
    hand = next(each for each in report["figures"] if each["name"].startswith("whole hand"))
    assert hand["ratio"] == pytest.approx(hand["baseline"] / hand["ours"])
    assert "engine · whole hand: 20 timed on each side" in done.stderr


def test_results_are_a_table_for_people() -> None:
    done = run("bench", "engine", "--seconds", "0.001")
    assert done.returncode == 0, done.stderr
    assert "baseline" in done.stdout
    assert "≤ 60 µs" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("nothing",), ("engine", "--seconds", "0"), ("fanout", "--clients", "20001")]
)
def test_what_cannot_be_measured_is_refused_with_a_line(arguments: tuple[str, ...]) -> None:
    refused = run("bench", *arguments)
    assert refused.returncode == 2
    assert refused.stdout or refused.stderr
    assert "Traceback" not in refused.stdout + refused.stderr
