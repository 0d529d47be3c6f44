"""What may be commanded now, found by asking the judge.

Every entry names its command; `seat` for whom, `to` the seats or `choices` the answers that are
open, `of` what an undo would take back. Free fields (names, stacks, reasons) are not enumerated.
"""

from typing import Any

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import seat_changes
from livebutton.rules.decide import decide
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.offers import offers_if_asked, open_answers
from livebutton.rules.plan import next_hand
from livebutton.rules.refusals import Refused
from livebutton.rules.situation import copy, is_present, rotates
from livebutton.rules.table import SeatNo, Table

Allowed = dict[str, Any]
_FREE_OF_RULES = ("rename", "set_stack", "set_owes")
# What refuses a command for these reasons refuses it at every seat of the table.
_ABOUT_THE_TABLE = ("wrong_phase", "no_hand", "not_allowed", "capped")


def is_allowed(table: Table, command: cmd.AnyCommand) -> bool:
    """Whether the judge would accept it."""
    try:
        decide(table, command)
    except Refused:
        return False
    return True


class _Asker:
    """Asks the judge about one kind of command at seat after seat, and no oftener than need be."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._refused: set[type[cmd.AnyCommand]] = set()

    def is_allowed(self, command: cmd.AnyCommand) -> bool:
        """Whether the judge would accept it. A kind refused at every seat is not put again."""
        kind = type(command)
        if kind in self._refused:
            return False
        try:
            decide(self._table, command)
        except Refused as refused:
            if refused.reason in _ABOUT_THE_TABLE:
                self._refused.add(kind)
            return False
        return True


def allowed(table: Table) -> list[Allowed]:
    """Every command that would be accepted now, by seat, then the table's own."""
    found: list[Allowed] = []
    if table.play.phase != "closed":
        asker = _Asker(table)
        for seat_no, seat in enumerate(table.seats, 1):
            if seat.player:
                found += _for_player(table, seat_no, asker)
            else:
                found += _for_empty(table, seat_no)
    found += _for_table(table)
    if table.undo:
        found.append({"type": "undo", "of": table.undo[-1].of})
    return found


def _for_empty(table: Table, seat_no: SeatNo) -> list[Allowed]:
    held_for = table.seat(seat_no).held_for
    found: list[Allowed] = []
    if not held_for or all(seat.player != held_for for seat in table.seats):
        found.append({"type": "take_seat", "seat": seat_no})
    found.append({"type": "lock_up", "seat": seat_no})
    if table.seat(seat_no).locked:
        found.append({"type": "release", "seat": seat_no})
    return found


def _for_player(table: Table, seat_no: SeatNo, asker: _Asker) -> list[Allowed]:
    seat = table.seat(seat_no)
    found: list[Allowed] = []
    simple: tuple[cmd.AnyCommand, ...] = (
        cmd.SitOut(seat_no),
        cmd.SitOut(seat_no, "next_big_blind"),
        cmd.SitIn(seat_no),
        cmd.DealMeIn(seat_no),
        cmd.Straddle(seat_no),
        cmd.Sleeper(seat_no),
    )
    found += [cmd.encode_command(command) for command in simple if asker.is_allowed(command)]
    if seat.sitting_out and seat.standing != "in" and {"type": "sit_in", "seat": seat_no} in found:
        prices = _prices_when_back(table, seat_no)
        if prices:
            found[found.index({"type": "sit_in", "seat": seat_no})]["choices"] = prices
    answers = _answers(table, seat_no)
    if answers:
        found.append({"type": "choose", "seat": seat_no, "choices": answers})
    found += _moves(table, seat_no)
    found.append({"type": "leave", "seat": seat_no})
    by_the_floor = ("rename", "set_stack") if table.house.tournament else _FREE_OF_RULES
    found += [{"type": name, "seat": seat_no} for name in by_the_floor]
    if asker.is_allowed(cmd.ReportUnposted(seat_no, looked=False, action=False)):
        found.append({"type": "report_unposted", "seat": seat_no})
    if asker.is_allowed(cmd.Elect(seat_no, post=False)):
        found.append({"type": "elect", "seat": seat_no})
    return found


def _answers(table: Table, seat_no: SeatNo) -> list[str]:
    """The choices open to an entrant, besides the one he has made."""
    found = open_answers(next_hand(table)[1], seat_no)
    return [c for c in found if c and is_allowed(table, cmd.Choose(seat_no, c))]


def _prices_when_back(table: Table, seat_no: SeatNo) -> list[dict[str, Any]]:
    """A player who is away and owes: what he could choose if he sat in now, with prices."""
    now = copy(coming_hands(table).start)
    seat = msgspec.structs.replace(now.seats[seat_no], sitting_out=False, deal_me_in=False)
    if table.play.phase == "no_game" or now.drawn:
        return []
    now.seats[seat_no] = seat
    now.present[seat_no] = is_present(seat, now.house)
    now.rotates[seat_no] = rotates(seat, now.present[seat_no], now.house)
    return [msgspec.to_builtins(offer) for offer in offers_if_asked(now, seat_no)]


def _moves(table: Table, seat_no: SeatNo) -> list[Allowed]:
    """Where a player may move, and what he may say about how he comes in there."""
    if table.play.phase == "in_hand":
        return []
    by_choices: dict[tuple[str, ...], list[SeatNo]] = {}
    for to, ways in seat_changes.every_way(table)[seat_no].items():
        by_choices.setdefault(tuple(ways), []).append(to)
    found: list[Allowed] = []
    for said, seats in by_choices.items():
        # Whoever may move there may also do so and say nothing.
        found.append({"type": "change_seat", "seat": seat_no, "to": seats})
        answers = [choice for choice in said if choice]
        if answers:
            found.append({"type": "change_seat", "seat": seat_no, "to": seats, "choices": answers})
    return found


def _for_table(table: Table) -> list[Allowed]:
    found: list[Allowed] = []
    if table.play.phase == "closed":
        return found
    plain: tuple[cmd.AnyCommand, ...] = (
        cmd.Shuffle(),
        cmd.Cut(),
        cmd.Deal(),
        cmd.EndHand(),
        cmd.Misdeal(),
        cmd.CloseTable(),
    )
    found += [cmd.encode_command(command) for command in plain if is_allowed(table, command)]
    numbers = range(1, len(table.seats) + 1)
    asker = _Asker(table)
    for kind, build in (("start_game", cmd.StartGame), ("correct_button", cmd.CorrectButton)):
        to = [seat_no for seat_no in numbers if asker.is_allowed(build(button=seat_no))]
        if to:
            found.append({"type": kind, "to": to})
    if table.play.phase in ("no_game", "between_hands"):
        found.append({"type": "adopt_game"})
    found += [{"type": "set_house"}, {"type": "set_stakes"}, {"type": "join_list"}]
    if table.waiting:
        found.append({"type": "leave_list"})
    return found
