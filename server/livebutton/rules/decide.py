"""Judging: what a command comes to at this table, as events; or a refusal.

`decide` changes nothing and knows neither clock nor chance: the time comes in as `now_ms`, the
draw for the button comes in with the command. Commands about hands and corrections are judged in
`dealing` and `corrections`, changes of seat in `seat_changes`.
"""

from typing import assert_never

from livebutton.rules import commands as cmd
from livebutton.rules import corrections, dealing, discretion, seat_changes
from livebutton.rules import events as ev
from livebutton.rules.checks import (
    LONGEST_ID,
    LONGEST_NAME,
    MAX_STACK,
    check_text,
    occupied,
    require,
    seat_of,
    vacant,
)
from livebutton.rules.offers import open_answers
from livebutton.rules.plan import next_hand
from livebutton.rules.refusals import Refused
from livebutton.rules.situation import is_present
from livebutton.rules.table import NOTHING_OWED, Chips, Owes, Standing, Table

MAX_WAITING = 200


def decide(table: Table | None, command: cmd.AnyCommand, now_ms: int = 0) -> list[ev.AnyEvent]:
    """The events of one command, in order. Raises `Refused`; `table` is None before it opens."""
    if table is None:
        if isinstance(command, cmd.OpenTable):
            return discretion.open_table(command)
        raise Refused("no_table", "there is no such table")
    if table.play.phase == "closed" and not isinstance(command, cmd.Undo):
        raise Refused("wrong_phase", "the table is closed")
    events = _judged(table, command, now_ms)
    if table.play.raises:
        events += dealing.dropped_raises(table, events)
    return events


def _judged(  # noqa: C901 - one case for each
    table: Table, command: cmd.AnyCommand, now_ms: int
) -> list[ev.AnyEvent]:
    match command:
        case cmd.SitOut():
            return _sit_out(table, command, now_ms)
        case cmd.SitIn():
            return _sit_in(table, command)
        case cmd.DealMeIn():
            return _deal_me_in(table, command)
        case cmd.Choose():
            return _choose(table, command)
        case cmd.Straddle():
            return dealing.raise_blind(table, command.seat, "straddle")
        case cmd.Sleeper():
            return dealing.raise_blind(table, command.seat, "sleeper")
        case cmd.SetStack():
            seat = occupied(table, command.seat)
            _check_stack(command.stack)
            require(command.stack != seat.stack, "no_change", "the stack is that already")
            return [ev.StackSet(seat=command.seat, stack=command.stack)]
        case cmd.CorrectButton():
            return corrections.correct_button(table, command)
        case cmd.ReportUnposted():
            return corrections.report_unposted(table, command)
        case cmd.Elect():
            return corrections.elect(table, command)
        case cmd.TakeSeat():
            return _take_seat(table, command)
        case cmd.Leave():
            return _leave(table, command)
        case cmd.ChangeSeat():
            return seat_changes.change_seat(table, command)
        case cmd.Shuffle():
            return dealing.shuffle(table)
        case cmd.Cut():
            require(table.play.phase == "shuffling", "wrong_phase", "the deck is not shuffled")
            return [ev.DeckCut()]
        case cmd.Deal():
            return dealing.deal(table, now_ms)
        case cmd.EndHand():
            require(table.play.phase == "in_hand", "wrong_phase", "no hand is being played")
            return [ev.HandEnded()]
        case cmd.StartGame():
            return dealing.start_game(table, command)
        case cmd.Misdeal():
            return corrections.misdeal(table)
        case cmd.Undo():
            return corrections.undo(table, command)
        case cmd.AdoptGame():
            return dealing.adopt_game(table, command)
        case cmd.LockUp():
            return _lock_up(table, command)
        case cmd.Release():
            seat = seat_of(table, command.seat)
            require(seat.locked, "no_change", f"seat {command.seat} is not held", seat=command.seat)
            return [ev.SeatReleased(seat=command.seat)]
        case cmd.Rename():
            seat = occupied(table, command.seat)
            name = command.name.strip()
            check_text("a name", name)
            require(
                name != seat.name,
                "no_change",
                f"he is called {name} already",
                seat=command.seat,
                name=name,
            )
            return [ev.PlayerRenamed(seat=command.seat, name=name)]
        case cmd.JoinList():
            return _join_list(table, command, now_ms)
        case cmd.LeaveList():
            listed = any(w.player == command.player for w in table.waiting)
            require(
                listed, "no_change", f"{command.player} is not on the list", player=command.player
            )
            return [ev.ListLeft(player=command.player)]
        case cmd.SetOwes():
            return discretion.set_owes(table, command)
        case cmd.SetHouse():
            return discretion.set_house(table, command)
        case cmd.SetStakes():
            return discretion.set_stakes(table, command)
        case cmd.OpenTable():
            raise Refused("no_change", "this table is open already")
        case cmd.CloseTable():
            require(table.play.phase != "in_hand", "wrong_phase", "a hand is being played")
            return [ev.TableClosed()]
        case _:
            assert_never(command)


# -- players come and go -------------------------------------------------------------------------


def _take_seat(table: Table, command: cmd.TakeSeat) -> list[ev.AnyEvent]:
    seat = vacant(table, command.seat)
    player = command.player
    check_text("a player's id", player, LONGEST_ID)
    name = command.name.strip() or player[:LONGEST_NAME]
    check_text("a name", name)
    for seat_no, other in enumerate(table.seats, 1):
        require(
            other.player != player,
            "seat_taken",
            f"{player} sits at this table already",
            seat=seat_no,
            player=player,
        )
    require(
        seat.held_for in ("", player),
        "seat_locked",
        f"seat {command.seat} is held for {seat.held_for}",
        player=seat.held_for,
        rule="missed-blinds",
        seat=command.seat,
    )
    stack = command.stack
    if stack is not None:
        _check_stack(stack)
    owes = _still_owed(table, player)
    standing: Standing = "returning" if owes else "new"
    return [
        ev.SeatTaken(
            seat=command.seat,
            player=player,
            name=name,
            stack=stack,
            free_entry=command.entry == "free" and not owes,
            standing=standing,
            owes=owes,
        )
    ]


def _check_stack(stack: Chips) -> None:
    require(0 <= stack <= MAX_STACK, "bad_fields", f"a stack is 0 to {MAX_STACK}", most=MAX_STACK)


def _still_owed(table: Table, player: str) -> Owes:
    """What he owed when he left, if the big blind has not passed his old seat since."""
    for seat in table.seats:
        if seat.left_by == player:
            return seat.left_owing
    return NOTHING_OWED


def _leave(table: Table, command: cmd.Leave) -> list[ev.AnyEvent]:
    seat = occupied(table, command.seat)
    return [ev.SeatLeft(seat=command.seat, player=seat.player, owes=seat.owes)]


def _sit_out(table: Table, command: cmd.SitOut, now_ms: int) -> list[ev.AnyEvent]:
    seat = occupied(table, command.seat)
    if command.at == "next_big_blind":
        require(
            not seat.sitting_out and not seat.out_at_big_blind,
            "no_change",
            f"{seat.name} sits out already, or will",
            seat=command.seat,
            name=seat.name,
        )
        return [ev.OutAtBigBlind(seat=command.seat)]
    away = seat.sitting_out and not seat.deal_me_in
    require(
        not away, "no_change", f"{seat.name} sits out already", seat=command.seat, name=seat.name
    )
    return [ev.SatOut(seat=command.seat, at_ms=seat.away_since_ms or now_ms)]


def _sit_in(table: Table, command: cmd.SitIn) -> list[ev.AnyEvent]:
    seat = occupied(table, command.seat)
    require(
        seat.sitting_out or seat.out_at_big_blind,
        "no_change",
        f"{seat.name} is at the table already",
        seat=command.seat,
        name=seat.name,
    )
    return [ev.SatIn(seat=command.seat)]


def _deal_me_in(table: Table, command: cmd.DealMeIn) -> list[ev.AnyEvent]:
    seat = occupied(table, command.seat)
    require(
        seat.sitting_out and not seat.deal_me_in,
        "no_change",
        f"{seat.name} is dealt in already",
        seat=command.seat,
        name=seat.name,
    )
    return [ev.DealtInByWord(seat=command.seat)]


def _choose(table: Table, command: cmd.Choose) -> list[ev.AnyEvent]:
    seat = occupied(table, command.seat)
    rule = "new-players" if seat.standing == "new" else "making-up-blinds"
    name = seat.name
    require(
        seat.standing != "in",
        "not_offered",
        f"{name} owes nothing and is asked nothing",
        seat=command.seat,
        name=name,
        rule=rule,
    )
    require(
        is_present(seat, table.house),
        "not_offered",
        f"{name} is away: he is asked when he sits in",
        seat=command.seat,
        name=name,
        rule=rule,
    )
    in_game = table.play.phase != "no_game" and not table.play.drawn
    require(in_game, "not_offered", "everyone at the first hand comes in free", rule="new-game")
    offered = open_answers(next_hand(table)[1], command.seat)
    forbidden = {"straddle": not table.house.straddles, "buy_button": not table.house.buy_button}
    require(
        not forbidden.get(command.choice),
        "not_allowed",
        f"this house does not let a player come in by {command.choice}",
        choice=command.choice,
        rule=rule,
    )
    require(
        command.choice in offered,
        "not_offered",
        f"{name} may not choose {command.choice}: {', '.join(offered) or 'nothing'} is open to him",
        seat=command.seat,
        name=name,
        choice=command.choice,
        rule=rule,
        choices=list(offered),
    )
    require(
        command.choice != seat.choice,
        "no_change",
        f"{name} has chosen that already",
        seat=command.seat,
        name=name,
        choice=command.choice,
    )
    return [ev.ChoiceMade(seat=command.seat, choice=command.choice)]


def _lock_up(table: Table, command: cmd.LockUp) -> list[ev.AnyEvent]:
    seat = vacant(table, command.seat)
    if command.player:
        check_text("a player's id", command.player, LONGEST_ID)
    require(
        not seat.locked or seat.held_for != command.player,
        "no_change",
        f"seat {command.seat} is held already",
        seat=command.seat,
    )
    return [ev.SeatLockedUp(seat=command.seat, player=command.player)]


def _join_list(table: Table, command: cmd.JoinList, now_ms: int) -> list[ev.AnyEvent]:
    player = command.player
    check_text("a player's id", player, LONGEST_ID)
    listed = any(w.player == player for w in table.waiting)
    require(not listed, "no_change", f"{player} is on the list already", player=player)
    seated = any(seat.player == player for seat in table.seats)
    require(not seated, "no_change", f"{player} sits at this table already", player=player)
    require(len(table.waiting) < MAX_WAITING, "too_many", "the waiting list is full")
    return [ev.ListJoined(player=player, at_ms=now_ms)]
