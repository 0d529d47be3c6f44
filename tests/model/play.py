"""The model's door: commands in, plans and seats out; undo and misdeal by keeping old tables."""

import json
from copy import deepcopy
from typing import Any

from tests.model import corrections, dealing, seat_changes, seating
from tests.model.commands import Command, check_fields, check_seats, require_phase
from tests.model.house import check_field, check_game, check_stakes, is_int, make_house
from tests.model.plan import full_plan
from tests.model.table import Refusal, Refused, Table

HANDLERS = {
    "lock_up": seating.lock_up,
    "release": seating.release,
    "take_seat": seating.take_seat,
    "rename": seating.rename,
    "leave": seating.leave,
    "sit_out": seating.sit_out,
    "sit_in": seating.sit_in,
    "deal_me_in": seating.deal_me_in,
    "choose": seating.choose,
    "set_stack": seating.set_stack,
    "set_owes": seating.set_owes,
    "join_list": seating.join_list,
    "leave_list": seating.leave_list,
    "change_seat": seat_changes.change_seat,
    "start_game": dealing.start_game,
    "adopt_game": dealing.adopt_game,
    "shuffle": dealing.shuffle,
    "cut": dealing.cut,
    "deal": dealing.deal,
    "end_hand": dealing.end_hand,
    "straddle": dealing.raise_blind,
    "sleeper": dealing.raise_blind,
    "report_unposted": corrections.report_unposted,
    "elect": corrections.elect,
    "correct_button": corrections.correct_button,
}
MOST_SEATS = 12


def open_table(c: Command) -> Table:
    check_fields(c)
    if not is_int(c["seats"]) or not 2 <= c["seats"] <= MOST_SEATS:
        raise Refused("bad_fields", "seats")
    check_stakes(c["stakes"])
    overrides = dict(c.get("house", {}))
    house = make_house(c["rules"], overrides)
    game = check_game(c.get("game", {}))
    return Table(c["name"], c["seats"], c["rules"], house, overrides, c["stakes"], game)


def set_stakes(t: Table, c: Command) -> None:
    """From the next hand on: the committed plan stands as it is."""
    check_stakes(c["stakes"])
    game = check_game(c["game"]) if "game" in c else t.game
    if c["stakes"] == t.stakes and game == t.game:
        raise Refused("no_change")
    t.stakes, t.game = c["stakes"], game


def set_house(t: Table, c: Command) -> None:
    fields = {key: value for key, value in c.items() if key != "type"}
    if set(fields) == {"house"} and isinstance(fields["house"], dict):
        fields = fields["house"]
    if not fields:
        raise Refused("bad_fields", "no house rule named")
    for key, value in fields.items():
        check_field(key, value)
    changed = t.house | fields
    if changed == t.house:
        raise Refused("no_change")
    t.house, t.overrides = changed, t.overrides | fields


class Model:
    """One table after another (open_table begins a new one); speaks as the floor."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.offset = 0
        self.before_deal: Table | None = None
        self.since_deal: list[Command] = []
        self.history: list[tuple[int, Table, Table | None, list[Command]]] = []

    def command(self, cmd: Any) -> dict[str, Any] | Refusal:
        """{"accepted": offset}, or {"refused": reason} and nothing has changed."""
        try:
            return self.accept(cmd)
        except Refused as refused:
            return {"refused": refused.reason, "message": str(refused)}

    def accept(self, cmd: Command) -> dict[str, Any]:
        check_fields(cmd)
        if cmd["type"] == "open_table":
            self.__init__()  # type: ignore[misc]
            self.table = open_table(cmd)
            self.offset = 1
            return {"accepted": self.offset}
        if self.table is None:
            raise Refused("no_table")
        if self.table.phase == "closed" and cmd["type"] != "undo":
            raise Refused("wrong_phase", "closed")
        check_seats(self.table, cmd)
        if cmd["type"] == "undo":
            self.undo(cmd.get("offset"))
        else:
            self.carry_out(cmd)
        self.offset += 1
        return {"accepted": self.offset}

    def carry_out(self, cmd: Command) -> None:
        """Works on a copy, so that a refusal half way leaves nothing behind."""
        assert self.table is not None
        old = (self.offset + 1, self.table, self.before_deal, list(self.since_deal))
        t = self.table.clone()
        t.committed = deepcopy(t.committed)
        match cmd["type"]:
            case "misdeal":
                require_phase(t, "in_hand")
                t = self.redeal()
            case "close_table":
                require_phase(t, "no_game", "between_hands", "shuffling", "cut")
                t.phase = "closed"
            case "set_stakes":
                set_stakes(t, cmd)
            case "set_house":
                set_house(t, cmd)
            case "correct_button" if self.is_misdeal(t, cmd):
                corrections.correct_button(t, cmd)  # for what it refuses
                t = self.redeal()
                corrections.correct_button(t, cmd)
            case kind:
                HANDLERS[kind](t, cmd)
        if cmd["type"] == "deal":
            self.before_deal, self.since_deal = self.table, []
        elif t.phase == "in_hand":
            self.since_deal = [*self.since_deal, json.loads(json.dumps(cmd))]
        if t.phase != "in_hand":
            seating.drop_fallen_raises(t)
        self.table = t
        self.history.append(old)

    def is_misdeal(self, t: Table, cmd: Command) -> bool:
        """misplaced_after_deal = misdeal: while fewer than two have acted."""
        rule = t.house["misplaced_after_deal"] == "misdeal"
        return t.phase == "in_hand" and rule and cmd.get("acted", 0) < 2

    def redeal(self) -> Table:
        """misdeal: the table before the first card, with what people did since done to it again."""
        assert self.before_deal is not None
        t = self.before_deal.clone()
        t.phase = "between_hands"
        for cmd in self.since_deal:
            if cmd["type"] in ("report_unposted", "elect", "correct_button"):
                continue
            trial = t.clone()
            try:
                if cmd["type"] in ("set_stakes", "set_house"):
                    {"set_stakes": set_stakes, "set_house": set_house}[cmd["type"]](trial, cmd)
                else:
                    HANDLERS[cmd["type"]](trial, cmd)
            except Refused:
                continue
            t = trial
        return t

    def undo(self, offset: int | None) -> None:
        """The last command not yet undone; the floor may go past the last end_hand."""
        if offset is not None and (not self.history or self.history[-1][0] != offset):
            raise Refused("stale")
        if not self.history:
            raise Refused("no_change")
        _, self.table, self.before_deal, self.since_deal = self.history.pop()

    def plan(self) -> dict[str, Any]:
        """The committed plan in a hand, else the next hand's."""
        assert self.table is not None
        if self.table.phase == "closed":
            return {"none": {"reason": "no_game"}}
        if self.table.committed is not None:
            return deepcopy(self.table.committed)
        return full_plan(self.table)

    def seats(self) -> dict[int, dict[str, Any]]:
        """Every seat that holds a player or a lock-up."""
        assert self.table is not None
        t = self.table
        found: dict[int, dict[str, Any]] = {
            no: {"player": None, "marks": ["lock_up"], "held_for": held_for}
            for no, held_for in t.lock_ups.items()
        }
        for no, seat in t.seats.items():
            marks = []
            if seat.owes:
                marks.append("missed_blind" if "big" in seat.owes else "missed_little_blind")
            if seat.absent_mark:
                marks.append("absent")
            found[no] = {
                "player": seat.player,
                "sitting_out": seat.sitting_out,
                "owes_big": "big" in seat.owes,
                "owes_small": bool(seat.owes - {"big"}),
                "marks": marks,
                "in_rotation": seat.status == "rotation",
            }
        return dict(sorted(found.items()))
