"""Recording: one event, or all the events of one command, on a table. It judges nothing."""

from collections.abc import Iterable, Mapping
from itertools import compress, count
from operator import is_not
from typing import assert_never

import msgspec

from livebutton.rules import events as ev
from livebutton.rules.commands import AnyCommand, OpenTable, Undo, encode_command
from livebutton.rules.table import (
    NOTHING_OWED,
    VACANT,
    Choice,
    Play,
    Raise,
    Seat,
    SeatNo,
    Setup,
    Standing,
    Table,
    Undoable,
    Waiting,
)

replace = msgspec.structs.replace

# How many commands can be taken back. A checkpoint carries what each of them changed.
UNDO_DEPTH = 40


def record(table: Table | None, command: AnyCommand, events: Iterable[ev.AnyEvent]) -> Table:
    """The table after one accepted command: its events folded in, one offset further."""
    after = table
    for event in events:
        after = evolve(after, event)
    assert after is not None  # the first event of a table is table_opened
    if table is None or isinstance(command, OpenTable):
        return replace(after, offset=1)
    offset = table.offset + 1
    if isinstance(command, Undo):
        return replace(after, offset=offset)
    entry = _difference(table, after, offset, command)
    return replace(after, offset=offset, undo=(*table.undo[1 - UNDO_DEPTH :], entry))


def _difference(before: Table, after: Table, offset: int, command: AnyCommand) -> Undoable:
    """What the command changed, as it was before."""
    changed = compress(count(1), map(is_not, before.seats, after.seats))
    seats = {seat_no: before.seat(seat_no) for seat_no in changed}
    return Undoable(
        offset=offset,
        of=encode_command(command),
        seats=seats,
        play=None if before.play is after.play else before.play,
        setup=None if before.setup is after.setup else before.setup,
        waiting=None if before.waiting is after.waiting else before.waiting,
    )


def evolve(table: Table | None, event: ev.AnyEvent) -> Table:
    """The table with one fact recorded."""
    if isinstance(event, ev.TableOpened):
        return Table(setup=event.setup, seats=(VACANT,) * event.seats)
    assert table is not None
    match event:
        case ev.OfOneSeat():
            seats = list(table.seats)
            seats[event.seat - 1] = _seat_after(table.seat(event.seat), event)
            table = replace(table, seats=tuple(seats))
            if not table.waiting:
                return table
            if isinstance(event, ev.SeatTaken):
                return _off_the_list(table, event.player)
            return (
                _off_the_list(table, event.held_for)
                if isinstance(event, ev.PlayerPickedUp)
                else table
            )
        case ev.SeatChanged():
            table = _with_seats(table, {event.seat: event.left_behind, event.to: event.after})
            return table if event.last is None else _play(table, last=event.last)
        case ev.ListJoined():
            return replace(table, waiting=(*table.waiting, Waiting(event.player, event.at_ms)))
        case ev.ListLeft():
            return _off_the_list(table, event.player)
        case ev.TableClosed():
            return _play(table, phase="closed")
        case ev.SetupChanged():
            if event.at_once:
                return replace(table, setup=event.setup)
            return _play(table, next_setup=event.setup)
        case _:
            return _hand_after(table, event)


def _off_the_list(table: Table, player: str) -> Table:
    waiting = tuple(w for w in table.waiting if w.player != player)
    return table if len(waiting) == len(table.waiting) else replace(table, waiting=waiting)


def _hand_after(table: Table, event: ev.HandEvent) -> Table:  # noqa: C901 - one case for each
    """What happens to the hand: started, adopted, shuffled, dealt, ended, taken back."""
    play = table.play
    match event:
        case ev.GameStarted():
            return _play(table, phase="between_hands", drawn=event.button, put_right=0, raises=())
        case ev.GameAdopted():
            table = _with_seats(table, event.seats)
            return _play(
                table, phase="between_hands", last=event.last, drawn=0, put_right=0, raises=()
            )
        case ev.DeckShuffled():
            return _play(table, phase="shuffling")
        case ev.DeckCut():
            return _play(table, phase="cut")
        case ev.HandDealt():
            table = _with_seats(table, event.after)
            return replace(
                table,
                play=Play(
                    phase="in_hand",
                    hand=event.plan.hand,
                    last=event.last,
                    corrected=play.put_right != 0,
                    free_hands=event.free_hands,
                    plan=event.plan,
                    before_deal=event.before,
                    next_setup=play.next_setup,
                ),
            )
        case ev.HandEnded():
            setup: Setup = play.next_setup or table.setup
            ended = replace(
                play,
                phase="between_hands",
                plan=None,
                before_deal=None,
                next_setup=None,
                corrected=False,
                unposted=(),
                dead_hands=(),
            )
            return replace(table, setup=setup, play=ended)
        case ev.HandMisdealt():
            again = replace(event.before.play(), next_setup=play.next_setup)
            return replace(_with_seats(table, event.after), play=again)
        case ev.RaisedBlind():
            return _play(table, raises=(*play.raises, Raise(event.seat, event.kind)))
        case ev.RaiseDropped():
            raises = tuple(r for r in play.raises if r.seat != event.seat)
            return _play(table, raises=raises)
        case ev.UnpostedReported():
            if event.hand_dead:
                return _play(table, dead_hands=(*play.dead_hands, event.seat))
            return _play(table, unposted=(*play.unposted, event.seat))
        case ev.Elected():
            unposted = tuple(seat_no for seat_no in play.unposted if seat_no != event.seat)
            table = _with_seats(table, {event.seat: event.after})
            dead = play.dead_hands if event.post else (*play.dead_hands, event.seat)
            return _play(table, unposted=unposted, dead_hands=dead, plan=event.plan)
        case ev.ButtonCorrected():
            table = _with_seats(table, event.after)
            if event.last is not None:
                return _play(table, last=event.last, corrected=True)
            if play.drawn:
                return _play(table, drawn=event.button)
            return _play(table, put_right=event.button)
        case ev.Undone():
            return _undone(table, event.back)
        case _:
            assert_never(event)


def _seat_after(seat: Seat, event: ev.SeatEvent) -> Seat:  # noqa: C901 - one case for each
    """The one seat that a seat event is about, after it."""
    match event:
        case ev.SatOut():
            return replace(
                seat,
                sitting_out=True,
                away_since_ms=event.at_ms,
                deal_me_in=False,
                out_at_big_blind=False,
            )
        case ev.SatIn():
            return replace(
                seat,
                sitting_out=False,
                away_since_ms=0,
                deal_me_in=False,
                out_at_big_blind=False,
                absent=False,
            )
        case ev.DealtInByWord():
            return replace(seat, deal_me_in=True)
        case ev.ChoiceMade():
            return replace(seat, choice=event.choice)
        case ev.StackSet():
            return replace(seat, stack=event.stack)
        case ev.SeatTaken():
            return Seat(
                player=event.player,
                name=event.name,
                stack=event.stack,
                free_entry=event.free_entry,
                standing=event.standing,
                owes=event.owes,
                left_by=seat.left_by if seat.left_by != event.player else "",
                left_owing=seat.left_owing if seat.left_by != event.player else NOTHING_OWED,
            )
        case ev.SeatLeft():
            return Seat(locked=True, left_by=event.player, left_owing=event.owes)
        case ev.SeatLockedUp():
            return replace(seat, locked=True, held_for=event.player)
        case ev.SeatReleased():
            return replace(seat, locked=False, held_for="")
        case ev.PlayerRenamed():
            return replace(seat, name=event.name)
        case ev.OutAtBigBlind():
            return replace(seat, out_at_big_blind=True)
        case ev.DebtSet():
            return replace(
                seat,
                owes=event.owes,
                standing=event.standing,
                choice=_choice_that_stands(seat, event.standing),
                barred=False,
                button_forfeited=False,
                untried=bool(event.owes) and (seat.untried or seat.standing == "new"),
                wait_distance=-1,
                not_before=0,
                behind_only=False,
                pass_free=False,
            )
        case ev.BlindMissed():
            return replace(seat, owes=event.owes, standing="returning")
        case ev.PlayerPickedUp():
            if not event.kept:
                return Seat(locked=True, held_for=event.held_for)
            return replace(
                seat,
                sitting_out=True,
                away_since_ms=event.at_ms,
                standing="returning",
                owes=event.owes,
                choice="",
                absent=True,
                untried=True,
                let_big_pass=False,
            )
        case _:
            assert_never(event)


def _choice_that_stands(seat: Seat, standing: Standing) -> Choice:
    """What an entrant has chosen stands whatever he owes, if that is his to choose still."""
    if standing == "in" or seat.standing not in ("new", "returning"):
        return ""
    return "" if standing == "new" and seat.choice == "straddle" else seat.choice


def _undone(table: Table, back: Undoable) -> Table:
    """What one command changed, as it was before it; that command leaves the history."""
    table = _with_seats(table, back.seats)
    return replace(
        table,
        play=back.play if back.play is not None else table.play,
        setup=back.setup if back.setup is not None else table.setup,
        waiting=back.waiting if back.waiting is not None else table.waiting,
        undo=table.undo[:-1],
    )


def _with_seats(table: Table, changed: Mapping[SeatNo, Seat]) -> Table:
    if not changed:
        return table
    seats = list(table.seats)
    for seat_no, seat in changed.items():
        seats[seat_no - 1] = seat
    return replace(table, seats=tuple(seats))


def _play(table: Table, **changes: object) -> Table:
    return replace(table, play=replace(table.play, **changes))
