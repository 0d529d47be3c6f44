"""What a report says of two sides, and how it is shown."""

import pytest

from livebutton.bench.report import Report, alone, beside, table


def test_a_ratio_is_the_median_of_the_rounds_and_takes_both_sides() -> None:
    figure = beside("x", "µs", [2, 2, 100], [10, 12, 200], against="y", means="baseline / ours")
    assert figure.ratio == 5
    assert (figure.ours, figure.baseline) == (2, 12)


def test_a_cost_is_told_the_other_way_round() -> None:
    figure = beside("x", "µs", [3.0], [2.0], against="y", means="ours / baseline")
    assert figure.ratio == 1.5


@pytest.mark.parametrize(("ours", "met"), [([1.0], True), ([2.0], True), ([2.1], False)])
def test_a_limit_of_the_ratio_is_kept_or_not(ours: list[float], met: bool) -> None:
    figure = beside("x", "µs", ours, [10.0], against="y", means="baseline / ours", at_least=5)
    assert figure.met is met
    assert figure.target == "≥ 5×"


def test_rounds_that_do_not_pair_are_no_comparison() -> None:
    with pytest.raises(ValueError, match="zip"):
        beside("x", "µs", [1.0], [1.0, 2.0], against="y", means="baseline / ours")


def test_the_table_names_both_sides_the_limit_and_the_load() -> None:
    report = Report(
        bench="engine",
        figures=[
            alone("one event", "µs", [70.0, 50.0, 60.0], at_most=50),
            beside("a hand", "µs", [10.0], [55.0], against="PokerKit", means="baseline / ours"),
        ],
        notes=["a note"],
        machine={"cores": 2},
        load_before=0.5,
        load_after=1.25,
    )
    shown = table(report)
    assert "load 0.5 before, 1.25 after" in shown
    assert "60 µs" in shown
    assert "≤ 50 µs MISSED" in shown
    assert "55 µs" in shown
    assert "5.50×" in shown
    assert "against PokerKit; baseline / ours" in shown
    assert "  a note" in shown
