"""The picture of a room: its tables in short, and the one waiting list that theirs add up to."""

from typing import Any

from livebutton import views
from livebutton.rules.plan import plan
from livebutton.tables.changes import At
from livebutton.wire.messages import TableSummary, WaitingEntry


def summary(at: At, dealt_ms: int) -> TableSummary:
    """One table in short. `dealt_ms` is when its last hand was seen to begin, 0 if never."""
    table = at.table
    play = table.play
    hand: dict[str, Any] = views.plain(plan(table))
    last_button = play.drawn or (play.last.button if play.last is not None else 0)
    seated = {str(no): seat for no, seat in enumerate(table.seats, 1) if seat.player}
    away = {no: seat.away_since_ms for no, seat in seated.items() if seat.sitting_out}
    return TableSummary(
        table=table.setup.table,
        name=table.setup.name,
        epoch=at.position.epoch,
        offset=at.position.offset,
        phase=play.phase,
        stakes=views.plain(table.setup.stakes),
        seats=len(table.seats),
        seated=len(seated),
        in_rotation=sum(seat.standing == "in" for seat in seated.values()),
        hand=play.hand,
        button=hand.get("button") or last_button,
        posts=hand.get("posts", []),
        none=hand.get("none", {}),
        questions=[question["seat"] for question in hand.get("questions", [])],
        owing=[int(no) for no, seat in seated.items() if seat.owes],
        away={no: since_ms for no, since_ms in away.items() if since_ms},
        waiting=len(table.waiting),
        players={no: seat.name or seat.player for no, seat in seated.items()},
        stood_ms=at.at_ms,
        dealt_ms=dealt_ms,
    )


def waiting_list(tables: list[At]) -> list[WaitingEntry]:
    """Who waits in a room, each once, with the games he waits for, in the order of the tables."""
    games: dict[str, list[dict[str, Any]]] = {}
    for at in tables:
        setup = at.table.setup
        for place, waiting in enumerate(at.table.waiting, 1):
            games.setdefault(waiting.player, []).append(
                {
                    "table": setup.table,
                    "name": setup.name,
                    "stakes": views.plain(setup.stakes),
                    "place": place,
                    "joined_ms": waiting.since_ms,
                }
            )
    return [
        WaitingEntry(
            player, entries, min((ms for e in entries if (ms := e["joined_ms"])), default=0)
        )
        for player, entries in games.items()
    ]
