"""What the bots do, at a table where the rules judge at once."""

from collections import Counter
from typing import Any, cast

import pytest

from livebutton.demo import room
from livebutton.demo.bots import empty_seats, play, strangers
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton_client import FollowedTable
from tests.demo.felt import EnoughSeen, Felt, no_time

OPENING = room.tables()[-1].opening
HANDS = 70


async def played(seed: int, hands: int = HANDS) -> Felt:
    felt = Felt(OPENING, hands)
    with pytest.raises(EnoughSeen):
        await play(cast("FollowedTable", felt), no_time(seed))
    return felt


async def test_bots_do_all_that_people_do_and_keep_the_game_going() -> None:
    felts = [await played(seed) for seed in range(2)]
    said = sum((felt.said for felt in felts), start=Counter[str]())
    usual = {"take_seat", "leave", "sit_out", "sit_in", "choose", "straddle", "change_seat"}
    assert usual <= set(said)
    assert said["sit_out"] > 10
    assert said["choose"] > 10
    assert {"small", "big", "make_up", "entry", "straddle"} <= {
        post.kind for felt in felts for post in felt.posts()
    }
    for felt in felts:
        dealt = [len(plan.dealt) for plan in felt.plans]
        assert len(dealt) == HANDS
        assert min(dealt) >= 2
        assert sum(dealt) / len(dealt) > 4
        # Two people may wish for the same chair, and a table change before one has spoken.
        assert len(felt.refused) < felt.said.total() / 20, felt.refused


async def test_bots_take_up_a_table_in_the_middle_of_a_hand() -> None:
    felt = await played(1, hands=5)
    assert felt.table.play.phase == "in_hand" or felt.table.play.hand == 5
    felt.hands = 10
    with pytest.raises(EnoughSeen):
        await play(cast("FollowedTable", felt), no_time(2))
    assert [plan.hand for plan in felt.plans[5:]] == [6, 7, 8, 9, 10]


async def test_bots_rise_from_a_table_that_is_closed() -> None:
    felt = Felt(OPENING, 5)
    closing = decode_command({"type": "close_table"})
    felt.table = record(felt.table, closing, decide(felt.table, closing))
    await play(cast("FollowedTable", felt), no_time(1))
    assert felt.plans == []


def test_a_seat_that_is_held_for_somebody_is_not_free() -> None:
    view: dict[str, Any] = {
        "seat_count": 4,
        "seats": {"1": {"player": "ada"}, "2": {"held_for": "gus", "marks": ["lock_up"]}},
    }
    assert empty_seats(view) == [3, 4]
    assert "Ada" not in list(strangers(view, no_time(1)))
