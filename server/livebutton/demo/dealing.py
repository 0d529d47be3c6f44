"""What a dealer's client does at every table of the demo: speak, wait to see it done, deal."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from livebutton.demo.pace import Pace
from livebutton_client import FollowedTable, Refused

log = logging.getLogger(__name__)

Wish = Mapping[str, Any]
# Seconds at speed 1: between two things said, the routine, and a hand's play.
BETWEEN_WISHES_S = (0.3, 1.5)
SHUFFLE_S = (3.0, 5.0)
CUT_S = (0.5, 1.5)
HAND_S = (13.0, 28.0)
PUSH_POT_S = (1.5, 3.0)


async def say(table: FollowedTable, wish: Wish) -> bool:
    """Give one command and see it in the view. False when it was refused: the table stands."""
    try:
        accepted = await table.command(wish)
    except Refused as refused:
        log.debug("table %s: %s: %s", table.name, wish, refused)
        return False
    await table.reach(accepted.position)
    return True


async def say_all(table: FollowedTable, wishes: Iterable[Wish], pace: Pace) -> None:
    """Give commands one after the other, as people speak. What is refused is left."""
    for wish in wishes:
        await pace.take(*BETWEEN_WISHES_S)
        await say(table, wish)


async def end_hand(table: FollowedTable) -> None:
    """End a hand that is being played, if there is one."""
    if table.view["phase"] == "in_hand":
        await say(table, {"type": "end_hand"})


async def deal(table: FollowedTable, pace: Pace) -> bool:
    """Shuffle, cut, deal. False when no hand could be dealt."""
    if table.view["phase"] == "between_hands":
        await say(table, {"type": "shuffle"})
        await pace.take(*SHUFFLE_S)
    if table.view["phase"] == "shuffling":
        await say(table, {"type": "cut"})
        await pace.take(*CUT_S)
    return await say(table, {"type": "deal"})
