"""A table of the demo replays its session: whole, from the middle, and over again."""

from typing import cast

import pytest

from livebutton.demo import room
from livebutton.demo.replaying import names, replay
from livebutton.demo.sessions import expectation
from livebutton_client import FollowedTable
from tests.demo.felt import EnoughSeen, Felt, no_time

REPLAYED = [table for table in room.tables() if table.session is not None]


def felt_of(table: room.DemoTable) -> Felt:
    # What may be commanded is much to work out, and a replay does not ask.
    return Felt(table.opening, 0, "public")


async def go_on(felt: Felt, table: room.DemoTable, hands: int) -> None:
    felt.hands = hands
    assert table.session is not None
    with pytest.raises(EnoughSeen):
        await replay(cast("FollowedTable", felt), table.session, no_time(1))


def differences(felt: Felt, table: room.DemoTable, first: int) -> list[int]:
    """The hands from `first` on that came out otherwise than on the site, counted from 0."""
    session = table.session
    assert session is not None
    different = []
    for number, plan in enumerate(felt.plans[first:], first):
        expected = expectation(session, number % len(session.hands))
        bigs = [post.seat for post in plan.posts if post.kind == "big"]
        if bigs != [expected.big] or tuple(sorted(plan.dealt)) != expected.dealt:
            different.append(number)
    return different


@pytest.mark.parametrize("table", REPLAYED, ids=lambda table: table.id)
async def test_a_session_is_dealt_as_it_was(table: room.DemoTable) -> None:
    assert table.session is not None
    hands = len(table.session.hands)
    felt = felt_of(table)
    await go_on(felt, table, hands)
    # A new game has no blinds missed in the hands before it: its first orbits may differ.
    assert len(differences(felt, table, 0)) <= 0.15 * hands
    assert [plan.hand for plan in felt.plans] == list(range(1, hands + 1))


async def test_after_the_last_hand_the_first_comes_again() -> None:
    table = REPLAYED[0]
    assert table.session is not None
    hands = len(table.session.hands)
    felt = felt_of(table)
    await go_on(felt, table, hands + 20)
    once = [plan.dealt for plan in felt.plans[:20]]
    assert [plan.dealt for plan in felt.plans[hands:]] == once


@pytest.mark.parametrize("stopped", [1, 7, 30])
async def test_a_table_goes_on_where_it_stood(stopped: int) -> None:
    table = REPLAYED[0]
    whole, broken = felt_of(table), felt_of(table)
    await go_on(whole, table, 40)
    await go_on(broken, table, stopped)
    await go_on(broken, table, 40)
    assert [plan.dealt for plan in broken.plans] == [plan.dealt for plan in whole.plans]
    assert [plan.button for plan in broken.plans] == [plan.button for plan in whole.plans]


async def test_a_stranger_at_the_table_does_not_stop_the_replay() -> None:
    table = REPLAYED[0]
    felt = felt_of(table)
    await go_on(felt, table, 10)
    felt.hands = 11
    await felt.command({"type": "end_hand"})
    sat = felt.table.seats
    empty = next(number for number, seat in enumerate(sat, 1) if not seat.player)
    await felt.command({"type": "take_seat", "seat": empty, "player": "a passer-by"})
    taken = next(number for number, seat in enumerate(sat, 1) if seat.player)
    await felt.command({"type": "sit_out", "seat": taken})
    await go_on(felt, table, 30)
    assert len(felt.plans) == 30
    assert "a passer-by" not in {seat.player for seat in felt.table.seats}


def test_every_player_of_a_session_has_a_name_of_his_own() -> None:
    for table in REPLAYED:
        assert table.session is not None
        named = names(table.session)
        assert len(set(named.values())) == len(named)


def test_half_of_twelve_tables_replay_under_their_sites_rules() -> None:
    tables = room.tables()
    assert len(tables) == 12
    assert len({table.id for table in tables}) == 12
    assert [table.opening["rules"] for table in REPLAYED] == [
        "pokerstars",
        "pokernow",
        "las-vegas",
        "pokerstars",
        "pokernow",
        "pokerstars",
    ]
