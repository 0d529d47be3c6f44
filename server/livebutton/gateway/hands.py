"""Hands, read out of a table's stream: who was there, who posted what, how it ended."""

from typing import Any, Literal

import msgspec

from livebutton import views
from livebutton.rules.events import Elected, HandDealt, HandEnded, HandMisdealt, Undone
from livebutton.rules.table import Seat
from livebutton.store.records import Entry

End = Literal["ended", "misdealt", "undone", ""]


class HandRecord(msgspec.Struct, omit_defaults=True):
    """One hand. `plan` is what the first card committed, `players` who held which seat then.

    `end` says how it ended, empty while it is played; `offset` and `end_offset` are the commits.
    """

    hand: int
    offset: int
    at_ms: int
    plan: dict[str, Any]
    players: dict[str, dict[str, Any]]
    end: End = ""
    end_offset: int = 0
    ended_ms: int = 0


def hands_of(
    entries: list[Entry], limit: int, after: int, *, is_end: bool
) -> tuple[list[HandRecord], int]:
    """At most `limit` hands, and the offset to go on after.

    A hand that is not over where the entries end is told only when that `is_end` of the stream;
    else the next page begins before it, so that it is told whole.
    """
    hands: list[HandRecord] = []
    playing: HandRecord | None = None
    next_after = after
    for entry in entries:
        for event in entry.events:
            match event:
                case HandDealt():
                    playing = _dealt(entry, event)
                case Elected() if playing is not None:
                    playing.plan = views.plain(event.plan)
                case HandEnded() | HandMisdealt() | Undone() if playing is not None:
                    end = _end(event, playing)
                    if end:
                        playing.end, playing.end_offset = end, entry.offset
                        playing.ended_ms = entry.at_ms
                        hands.append(playing)
                        playing = None
                case _:
                    pass
        if playing is None:
            next_after = entry.offset
            if len(hands) == limit:
                return hands, next_after
    if playing is not None and is_end:
        hands.append(playing)
    return hands, next_after


def _dealt(entry: Entry, event: HandDealt) -> HandRecord:
    return HandRecord(
        hand=event.plan.hand,
        offset=entry.offset,
        at_ms=entry.at_ms,
        plan=views.plain(event.plan),
        players={
            str(number): _player(seat)
            for number, seat in enumerate(event.before.seats, 1)
            if seat.player
        },
    )


def _player(seat: Seat) -> dict[str, Any]:
    player: dict[str, Any] = {"player": seat.player, "name": seat.name or seat.player}
    if seat.stack is not None:
        player["stack"] = seat.stack
    return player


def _end(event: HandEnded | HandMisdealt | Undone, playing: HandRecord) -> End:
    match event:
        case HandEnded():
            return "ended"
        case HandMisdealt():
            return "misdealt"
        case Undone():
            return "undone" if event.back.offset == playing.offset else ""
