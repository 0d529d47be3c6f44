"""Every distinct state that commands without free fields lead to, found breadth first.

Two tables are one state when nothing but their history tells them apart: the offset, what could
be undone, and the number of the hand.
"""

from collections.abc import Iterator

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.invariants import of_plan, problems
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table
from tests.rules.orbits import Dealt, unfair
from tests.rules.walker import CHOICES, Fields, play

replace = msgspec.structs.replace

MOVES = ("", "wait", "post", "wait_button", "wait_big_blind", "pass")


class Found(msgspec.Struct):
    """The states by depth, how many commands were accepted on the way, and what was broken."""

    by_depth: list[int]
    accepted: int
    broken: list[str]

    @property
    def states(self) -> int:
        return sum(self.by_depth)


def running_game(seats: int, house: Fields) -> Table:
    """A full table after its first hand, under `caro-cooke` but for some house rules."""
    opening = {
        "type": "open_table",
        "name": "states",
        "seats": seats,
        "rules": "caro-cooke",
        "stakes": {"small": 5, "big": 10},
        "house": house,
    }
    sitting = [
        {"type": "take_seat", "seat": seat, "player": f"p{seat}"} for seat in range(1, seats + 1)
    ]
    start: list[Fields] = [{"type": "start_game", "button": 1}, {"type": "deal"}]
    *_, last = play([opening, *sitting, *start, {"type": "end_hand"}])
    return last.after


def explored(table: Table, steps: int) -> Found:
    """Every state within so many commands of a table, each looked at once."""
    found = Found([1], 0, [])
    seen = {key(table)}
    edge = [table]
    for _ in range(steps):
        beyond: list[Table] = []
        for at in edge:
            for command, after in ways_on(at):
                found.accepted += 1
                state = key(after)
                if state in seen:
                    continue
                seen.add(state)
                beyond.append(after)
                for sentence in broken(after):
                    found.broken.append(f"{cmd.encode_command(command)}: {sentence}")
        found.by_depth.append(len(beyond))
        edge = beyond
    return found


def key(table: Table) -> bytes:
    """What makes two tables one state."""
    play = table.play
    hand = play.plan and replace(play.plan, hand=0)
    before = play.before_deal and replace(play.before_deal, hand=0)
    bare = replace(play, hand=0, plan=hand, before_deal=before)
    seats = tuple(
        seat if not seat.not_before else replace(seat, not_before=seat.not_before - play.hand)
        for seat in table.seats
    )
    return msgspec.msgpack.encode(replace(table, offset=0, undo=(), play=bare, seats=seats))


def broken(table: Table) -> Iterator[str]:
    yield from problems(table)
    yield from of_plan(plan(table), len(table.seats))


def ways_on(table: Table) -> Iterator[tuple[cmd.AnyCommand, Table]]:
    """The commands that are accepted, and the table after each."""
    for command in commands(table):
        try:
            events = decide(table, command)
        except Refused:
            continue
        yield command, record(table, command, events)


def commands(table: Table) -> Iterator[cmd.AnyCommand]:
    """Every command without free fields; who takes a seat is somebody new.

    `undo` leads back to a state that is known, and a lock-up that names nobody is only a note.
    """
    yield from (cmd.Shuffle(), cmd.Cut(), cmd.Deal(), cmd.EndHand(), cmd.Misdeal())
    yield cmd.CloseTable()
    here = {seat.player for seat in table.seats}
    stranger = next(f"n{no}" for no in range(len(here) + 1) if f"n{no}" not in here)
    seats = range(1, len(table.seats) + 1)
    empty = [seat_no for seat_no in seats if not table.seat(seat_no).player]
    for seat_no in seats:
        yield cmd.StartGame(seat_no)
        yield cmd.CorrectButton(seat_no)
        if seat_no in empty:
            yield cmd.TakeSeat(seat_no, stranger)
            continue
        yield from (cmd.Leave(seat_no), cmd.SitIn(seat_no), cmd.DealMeIn(seat_no))
        yield from (cmd.SitOut(seat_no), cmd.SitOut(seat_no, "next_big_blind"))
        yield from (cmd.Straddle(seat_no), cmd.Sleeper(seat_no))
        yield from (cmd.Choose(seat_no, choice) for choice in CHOICES)  # type: ignore[arg-type]
        yield cmd.ReportUnposted(seat_no, looked=False, action=False)
        yield from (cmd.Elect(seat_no, post=False), cmd.Elect(seat_no, post=True))
        for to in empty:
            for choice in MOVES:
                yield cmd.ChangeSeat(seat_no, to, choice)  # type: ignore[arg-type]


# -- who leaves and comes back within an orbit --------------------------------------------------


class Orbit(msgspec.Struct):
    """Every set of up to two players who leave, and perhaps come back, within an orbit."""

    hands: int
    broken: list[str]


class Node(msgspec.Struct):
    table: Table
    dealt: list[Dealt]
    # Who has been away, or left, so far: two at the most.
    movers: frozenset[str]


def comings_and_goings(seats: int, house: Fields) -> Orbit:
    """Deal an orbit and one hand more from a full table, with every such set; states once each."""
    found = Orbit(0, [])
    edge = [Node(running_game(seats, house), [], frozenset())]
    for _ in range(seats + 1):
        beyond: dict[bytes, Node] = {}
        for node in edge:
            for table, movers, kinds in _turns(node.table, node.movers):
                after = _dealt(table)
                if after is None:
                    continue
                found.hands += 1
                hand = plan(after)
                dealt = Dealt(hand, table.seats, after, kinds, set(), set())
                pair = [*node.dealt[-1:], dealt]
                sentences = [*broken(after)]
                if after.house.button in ("no_dead_button", "moving_button"):
                    sentences += unfair(pair)
                found.broken += [f"{hand}: {sentence}" for sentence in sentences]
                ended = record(after, cmd.EndHand(), decide(after, cmd.EndHand()))
                beyond[key(ended) + b" ".join(sorted(m.encode() for m in movers))] = Node(
                    ended, pair, movers
                )
        edge = list(beyond.values())
    return found


def _dealt(table: Table) -> Table | None:
    try:
        return record(table, cmd.Deal(), decide(table, cmd.Deal()))
    except Refused:
        return None


Turn = tuple[Table, frozenset[str], set[str]]


def _turns(table: Table, movers: frozenset[str]) -> Iterator[Turn]:
    """What may happen between two hands: nothing, or each of the two goes or comes back."""
    turns: list[Turn] = [(table, movers, set())]
    for seat_no in range(1, len(table.seats) + 1):
        for before, gone, kinds in list(turns):
            player = before.seat(seat_no).player
            if not player or (player not in gone and len(gone) == 2):
                continue
            for commands in _for_one(before, seat_no):
                after = before
                for command in commands:
                    after = record(after, command, decide(after, command))
                turns.append((after, gone | {player}, kinds | {type(c).__name__ for c in commands}))
    yield from turns


def _for_one(table: Table, seat_no: int) -> Iterator[list[cmd.AnyCommand]]:
    seat = table.seat(seat_no)
    if not seat.sitting_out:
        if seat.standing == "in":
            yield [cmd.SitOut(seat_no)]
            yield [cmd.Leave(seat_no)]
        return
    yield [cmd.SitIn(seat_no)]
    if seat.owes:
        yield [cmd.SitIn(seat_no), cmd.Choose(seat_no, "post")]
        yield [cmd.SitIn(seat_no), cmd.Choose(seat_no, "wait_button")]
