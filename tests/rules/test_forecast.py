"""When button and blinds come to each seat, and how long an answer waits: found by dealing on."""

import os
from collections.abc import Iterator

import msgspec
import pytest

from livebutton.rules import commands as cmd
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.forecast import Forecast, forecast
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Choice, SeatNo, Table
from tests.rules.game import Game
from tests.rules.walker import Walk

MANY = int(os.environ.get("WALKS", "1"))
# A mover's wait and what the floor sets for one hand are told for the next hand alone.
NOT_ENTERED = frozenset({"adopt_game"})


def test_a_full_orbit_is_foreseen() -> None:
    ahead = forecast(coming_hands(Game().table))
    assert ahead == {
        1: Forecast(big=2, small=3, button=0),
        2: Forecast(big=3, small=0, button=1),
        3: Forecast(big=0, small=1, button=2),
        4: Forecast(big=1, small=2, button=3),
    }


def test_who_is_away_has_no_forecast() -> None:
    game = Game()
    game.do("sit_out", 4)
    assert set(forecast(coming_hands(game.table))) == {1, 2, 3}


def test_where_no_hand_can_be_dealt_nothing_comes() -> None:
    game = Game(players=(1, 2))
    game.hand()
    game.do("sit_out", 2)
    assert forecast(coming_hands(game.table)) == {1: Forecast()}


def test_a_place_that_never_comes_is_left_out() -> None:
    game = Game(stakes={"blinds": [{"at": 1, "amount": 10}]})
    ahead = forecast(coming_hands(game.table))
    assert all(seen.small is None and seen.big is not None for seen in ahead.values())


def test_who_would_let_the_big_blind_pass_and_be_picked_up_is_told_never() -> None:
    chain = {"blinds": [{"at": at, "amount": 5 * 2 ** (at - 1)} for at in (1, 2, 3)]}
    game = Game(seats=7, players=(3, 5), button=5, stakes=chain, policy="simplified")
    game.hand()
    game.do("take_seat", 2, player="gus")
    game.do("choose", 2, choice="wait_button")
    game.hand()
    game.do("take_seat", 1, player="ivy")
    game.do("take_seat", 6, player="hal")
    (_, question) = game.plan.questions
    assert {offer.choice: offer.hands for offer in question.choices}["wait_button"] is None
    game.do("choose", 6, choice="wait_button")
    assert not any(6 in game.hand().dealt for _ in range(8))
    assert game.seat(6).absent


def test_a_waiter_is_told_how_many_hands_he_waits() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    (question,) = game.plan.questions
    hands = {offer.choice: offer.hands for offer in question.choices}
    assert hands == {"post": 0, "wait_big_blind": 4, "wait_button": 6}


# -- whatever is told comes true, if nobody moves ------------------------------------------------


def dealt_on(table: Table) -> Table | None:
    """The next hand dealt and ended; None where none can be."""
    try:
        for command in (cmd.Deal(), cmd.EndHand()):
            table = record(table, command, decide(table, command))
    except Refused:
        return None
    return table


def asked(seeds: range) -> Iterator[Table]:
    """Tables before a deal at which somebody is asked."""
    for seed in seeds:
        for step in Walk(seed, length=70, but=NOT_ENTERED, overrides=2):
            table = step.after
            between = table.play.phase == "between_hands" and not table.play.drawn
            if step.refused is None and between and plan(table).questions:
                yield table


def waited(table: Table, seat_no: SeatNo, choice: Choice) -> int | None:
    """How many hands are really dealt before he plays one; None where he does not come to it."""
    command = cmd.Choose(seat_no, choice)  # type: ignore[arg-type]
    now: Table | None = record(table, command, decide(table, command))
    player = table.seat(seat_no).player
    for hands in range(2 * len(table.seats) + 4):
        assert now is not None
        hand = plan(now)
        if seat_no in hand.dealt:
            return hands
        now = dealt_on(now)
        if now is None or now.seat(seat_no).player != player:
            return None
    return None


@pytest.mark.slow
@pytest.mark.timeout(300 * MANY)
def test_every_wait_that_is_told_comes_true() -> None:
    compared = 0
    for table in asked(range(60 * MANY)):
        for question in plan(table).questions:
            for offer in question.choices:
                hands = waited(table, question.seat, offer.choice)
                assert offer.hands == hands, (table, question.seat, offer)
                compared += 1
    assert compared > 100


@pytest.mark.slow
@pytest.mark.timeout(300 * MANY)
def test_every_forecast_comes_one_hand_nearer_with_each_hand() -> None:
    compared = 0
    for seed in range(2000, 2000 + 40 * MANY):
        for step in Walk(seed, length=60, but=NOT_ENTERED, overrides=2):
            table = step.after
            if step.refused is not None or table.play.phase != "between_hands":
                continue
            before, after = forecast(coming_hands(table)), dealt_on(table)
            if after is None:
                continue
            later = forecast(coming_hands(after))
            for seat_no, seen in before.items():
                compared += _nearer(table, seen, later.get(seat_no))
    assert compared > 500


def _nearer(table: Table, seen: Forecast, later: Forecast | None) -> int:
    """How many of a seat's counts went down by one; each that is not the next hand must."""
    if later is None:
        return 0
    pairs = zip(msgspec.structs.astuple(seen), msgspec.structs.astuple(later), strict=True)
    counts = [(one, two) for one, two in pairs if one and two is not None]
    assert all(two == one - 1 for one, two in counts), (table, seen, later)
    return len(counts)
