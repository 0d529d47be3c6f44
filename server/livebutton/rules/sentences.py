"""Why: one plain sentence for each decision, with the rule that made it."""

from livebutton.rules.outcome import Outcome
from livebutton.rules.settle import missed_the_big
from livebutton.rules.situation import Situation
from livebutton.rules.table import Ruling, SeatNo, Table


def names(table: Table, seats: list[SeatNo] | tuple[SeatNo, ...]) -> str:
    """Names as they are said aloud: "Ann", "Ann and Bob", "Ann, Bob and Cat"."""
    said = [table.name_at(seat_no) for seat_no in seats]
    if len(said) < 2:
        return "".join(said)
    return f"{', '.join(said[:-1])} and {said[-1]}"


def of_plan(table: Table, now: Situation, done: Outcome) -> tuple[Ruling, ...]:
    """The rulings of a plan, the one that gives button and blinds first."""
    found = done.found
    rulings = [_main(table, done)]
    for seat_no, depth in found.dead:
        kind = now.blinds.kind(depth)
        text = f"The {kind} blind of seat {seat_no} is dead this hand."
        rulings.append(
            Ruling("leaving-on-small-blind", (seat_no,), text, {"kind": kind, "seat": seat_no})
        )
    if len(found.bigs) > 1:
        text = f"The button has moved on, so {names(table, found.bigs)} each post a big blind."
        rulings.append(Ruling("posting-blinds", tuple(found.bigs), text, {"big": list(found.bigs)}))
    if found.passed and now.last is not None:
        rulings += _missed(table, now, done)
    for entry in done.entries:
        rulings.append(_entered(table, now, entry.seat, entry.live, entry.dead))
    return tuple(rulings)


def _main(table: Table, done: Outcome) -> Ruling:
    found = done.found
    smalls = [seat_no for seat_no, _ in found.dues]
    small = f"small blind {names(table, smalls)}, " if smalls else ""
    text = f"Button {table.name_at(found.button)}, {small}big blind {names(table, found.bigs)}."
    return Ruling(
        found.rule,
        (found.button, *smalls, *found.bigs),
        text,
        {"button": found.button, "small": smalls, "big": list(found.bigs)},
    )


def _missed(table: Table, now: Situation, done: Outcome) -> list[Ruling]:
    big = done.found.big
    rulings = []
    for seat_no in missed_the_big(now, done.found):
        text = f"{table.name_at(seat_no)} missed the big blind; it passed to {table.name_at(big)}."
        rulings.append(Ruling("missed-blinds", (seat_no, big), text, {"seat": seat_no, "to": big}))
    return rulings


def _entered(table: Table, now: Situation, seat_no: SeatNo, live: int, dead: int) -> Ruling:
    seat = now.seats[seat_no]
    rule = "making-up-blinds"
    if seat.standing == "new":
        rule = "new-players" if live or dead else "short-handed"
    elif seat.standing == "mover":
        rule = "seat-changes"
    name = table.name_at(seat_no)
    if not live and not dead:
        text = f"{name} comes in free."
    elif not dead:
        text = f"{name} comes in with {live}, which plays."
    elif not live:
        text = f"{name} comes in with {dead}, which goes to the middle."
    else:
        text = f"{name} comes in with {live}, which plays, and {dead} to the middle."
    return Ruling(rule, (seat_no,), text, {"seat": seat_no, "live": live, "dead": dead})
