"""The picture of a room: its tables in short, and the one waiting list that theirs add up to."""

from typing import Any

from livebutton import views
from livebutton.tables.changes import At
from livebutton.wire.messages import TableSummary, WaitingEntry


def summary(at: At, dealt_ms: int) -> TableSummary:
    """One table in short. `dealt_ms` is when its last hand was seen to begin, 0 if never."""
    table = at.table
    view = views.view(table, "staff")
    plan: dict[str, Any] = view.get("plan", {})
    seated = {no: seat for no, seat in view.get("seats", {}).items() if seat.get("player")}
    return TableSummary(
        table=table.setup.table,
        name=table.setup.name,
        epoch=at.position.epoch,
        offset=at.position.offset,
        phase=table.play.phase,
        stakes=view.get("stakes", {}),
        seats=len(table.seats),
        seated=len(seated),
        in_rotation=sum(bool(seat.get("in_rotation")) for seat in seated.values()),
        hand=table.play.hand,
        button=plan.get("button", 0) or view.get("button", 0),
        posts=plan.get("posts", []),
        none=plan.get("none", {}),
        questions=[question["seat"] for question in plan.get("questions", [])],
        owing=[int(no) for no, seat in seated.items() if seat.get("owes")],
        away={
            no: seat["away_since_ms"] for no, seat in seated.items() if seat.get("away_since_ms")
        },
        waiting=len(table.waiting),
        players={no: seat["name"] for no, seat in seated.items()},
        stood_ms=at.at_ms,
        dealt_ms=dealt_ms,
    )


def waiting_list(tables: list[At]) -> list[WaitingEntry]:
    """Who waits in a room, each once, with the games he waits for, in the order of the tables."""
    games: dict[str, list[dict[str, Any]]] = {}
    for at in tables:
        setup = at.table.setup
        view = views.view(at.table, "staff")
        for place, waiting in enumerate(at.table.waiting, 1):
            games.setdefault(waiting.player, []).append(
                {
                    "table": setup.table,
                    "name": setup.name,
                    "stakes": view.get("stakes", {}),
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
