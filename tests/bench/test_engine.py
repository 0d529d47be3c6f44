"""The bench of the rules, tiny: that it measures what it names, and nothing of how long it took."""

import builtins
import sys
from typing import Any

import pytest

from livebutton.bench import engine
from livebutton.bench.in_pokerkit import with_cards, with_posts
from livebutton.bench.run import Scale, run
from livebutton.rules.plan import plan

TINY = 1e-6


def quiet(_: str) -> None:
    """Nobody reads the progress."""


@pytest.mark.parametrize("newcomers", [0, engine.NEWCOMERS])
def test_the_table_measured_on_is_full_and_asks_as_many_as_are_new(newcomers: int) -> None:
    table = engine.running(newcomers)
    assert all(seat.player for seat in table.seats)
    hand = plan(table)
    assert len(hand.questions) == newcomers
    assert len(hand.dealt) == engine.SEATS - newcomers


def test_every_seat_event_of_a_lap_is_accepted_and_counts() -> None:
    table = engine.running(0)
    count = 8 * engine.SEATS
    after, taken = engine.timed_events(table, engine.seat_events(engine.SEATS), count)
    assert after.offset == table.offset + count
    assert len(taken) == count
    assert after.seats == table.seats


def test_pokerkit_is_given_the_hand_that_the_rules_planned() -> None:
    hand = plan(engine.running(0))
    state = with_cards(hand, engine.STACK)
    assert hand.dealt[state.actor_index or 0] == hand.first_to_act
    assert sum(state.bets) == engine.SMALL + engine.BIG
    assert all(len(cards) == 2 for cards in state.hole_cards)
    posted = with_posts(hand, engine.STACK)
    assert list(posted.bets) == list(state.bets)
    assert not any(posted.hole_cards)


@pytest.mark.slow
def test_the_report_has_both_sides_of_a_whole_hand() -> None:
    report = run("engine", Scale(TINY), quiet)
    figures = {figure.name: figure for figure in report.figures}
    assert all(figure.ours > 0 for figure in figures.values())
    hand = figures["whole hand (shuffle, deal, end_hand)"]
    assert hand.baseline is not None
    assert hand.ratio == pytest.approx(hand.baseline / hand.ours)
    assert hand.target == "≥ 5×"
    assert figures["seat event, no question open"].target == "≤ 60 µs"
    assert figures["seat event, 3 questions open"].target == "≤ 1000 µs"


@pytest.mark.slow
def test_without_pokerkit_the_report_says_so_and_has_no_ratio(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("pokerkit"):
            raise ModuleNotFoundError("No module named 'pokerkit'", name="pokerkit")
        return real(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "livebutton.bench.in_pokerkit", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    report = run("engine", Scale(TINY), quiet)
    hand = next(figure for figure in report.figures if figure.name.startswith("whole hand"))
    assert hand.baseline is None
    assert hand.ratio is None
    assert any("PokerKit is not installed" in note for note in report.notes)
