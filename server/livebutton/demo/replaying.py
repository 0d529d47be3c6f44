"""A table that replays a recorded session, over and over, from wherever the table stands."""

from collections.abc import Iterator, Mapping
from typing import Any

from livebutton.demo.dealing import HAND_S, PUSH_POT_S, deal, end_hand, say_all
from livebutton.demo.names import name_for
from livebutton.demo.pace import Pace
from livebutton.demo.sessions import (
    Chair,
    Chairs,
    Command,
    RecordedSession,
    before_hand,
    players,
    take_seat,
)
from livebutton_client import FollowedTable


async def replay(table: FollowedTable, session: RecordedSession, pace: Pace) -> None:
    """Play the session's hands for ever.

    The table's own hand number says which comes next, so a demo that was stopped goes on there,
    whatever was said at the table meanwhile.
    """
    named = names(session)
    while table.view["phase"] != "closed":
        await end_hand(table)
        await say_all(table, _named(before_next(session, table.view), named), pace)
        if not await deal(table, pace):
            await say_all(table, _named(afresh(session, table.view), named), pace)
            await deal(table, pace)
        await pace.take(*HAND_S)
        await end_hand(table)
        await pace.take(*PUSH_POT_S)


def before_next(session: RecordedSession, view: Mapping[str, Any]) -> list[Command]:
    """What to say before the next hand, given how the table is."""
    index = next_hand(session, view)
    if index == 0 or view["phase"] == "no_game":
        return afresh(session, view)
    commands, _ = before_hand(session, index, chairs(view))
    return commands


def next_hand(session: RecordedSession, view: Mapping[str, Any]) -> int:
    """Which hand of the session the table deals next, from 0; after the last the first again."""
    hand: int = view.get("hand", 0)
    return hand % len(session.hands)


def afresh(session: RecordedSession, view: Mapping[str, Any]) -> list[Command]:
    """A new game with the players of the next hand, its button where the site had it."""
    index = next_hand(session, view)
    hand = session.hands[index]
    leaving: list[Command] = [{"type": "leave", "seat": seat} for seat in chairs(view)]
    seating = [take_seat(seat, player) for seat, player in players(session, index).items()]
    button = hand.button if hand.button in hand.dealt else min(hand.dealt)
    return [*leaving, *seating, {"type": "start_game", "button": button}]


def chairs(view: Mapping[str, Any]) -> Chairs:
    """Who sits where, from a view."""
    return {
        int(number): Chair(seat["player"], bool(seat.get("sitting_out")))
        for number, seat in view.get("seats", {}).items()
        if "player" in seat
    }


def names(session: RecordedSession) -> dict[str, str]:
    """A first name for each of the session's players, in the order they appear."""
    seen: dict[str, str] = {}
    for index in range(len(session.hands)):
        for player in players(session, index).values():
            seen.setdefault(player, name_for(len(seen)))
    return seen


def _named(commands: list[Command], named: Mapping[str, str]) -> Iterator[Command]:
    for command in commands:
        if command["type"] == "take_seat":
            yield command | {"name": named[command["player"]]}
        else:
            yield command
