"""Answers found by dealing on, on a copy: when the big blind comes, when a choice gets a hand."""

from tests.model.draft import draft
from tests.model.ledger import record
from tests.model.table import Draft, Move, Table


def horizon(t: Table) -> int:
    """Three orbits and a little: what has not come by then never comes."""
    return 3 * t.seat_count + 3


def deal_on(t: Table, naive: bool) -> Draft:
    d = draft(t, naive)
    if not d.none:
        record(t, d)
    return d


def distance(t: Table, no: int) -> int | None:
    """seat-changes: hands until the big blind reaches a seat, if nobody moves (0: the next hand).

    For a player of the rotation as he sits; for one who moves or waits, as an entrant who would
    take it there, so that he changes nothing before it comes.
    """
    trial = t.clone()
    seat = trial.seats[no]
    seat.sitting_out, seat.out_at_big, seat.stack = False, False, None
    if seat.status == "mover":
        seat.move = Move("far", 0, ["wait"])
        seat.choice = "wait"
    for hands in range(horizon(t)):
        d = deal_on(trial, naive=True)
        if d.none or no not in trial.seats:
            return None
        if no in d.bigs:
            return hands
    return None


def hands_until_dealt(t: Table, no: int, choice: str) -> int | None:
    """Hands dealt before the one he plays, if he chose this now and nobody else did anything."""
    trial = t.clone()
    trial.seats[no].choice = choice
    for hands in range(horizon(t)):
        d = deal_on(trial, naive=False)
        if d.none or no not in trial.seats:
            return None
        if no in d.dealt:
            return hands
    return None
