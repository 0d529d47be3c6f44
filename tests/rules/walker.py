"""Seeded walks over random tables: every preset, house rule and command, good ones and bad ones.

A walk asks the table only what it looks like; what comes of a command is for the reader to judge.
A failing walk is told as its commands, shortened to those that it takes.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from livebutton.rules.commands import OpenTable, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.events import AnyEvent
from livebutton.rules.evolve import record
from livebutton.rules.house import PRESETS
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table

Fields = dict[str, Any]

CHOICES = (
    "post",
    "wait_big_blind",
    "wait_button",
    "straddle",
    "free",
    "buy_button",
    "wait",
    "pass",
)
MOVES = ("", "", "", "wait", "post", "wait_button", "wait_big_blind", "pass")
STAKES: tuple[Fields, ...] = (
    {"small": 5, "big": 10},
    {"small": 10, "big": 10},
    {"blinds": [{"at": 1, "amount": 10}]},
    {"blinds": [{"at": 0, "amount": 5}, {"at": 1, "amount": 10}]},
    {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]},
    {"blinds": [{"at": 0, "amount": 5}, {"at": 1, "amount": 5}, {"at": 2, "amount": 10}]},
    {"blinds": [{"at": -1, "amount": 2}, {"at": 1, "amount": 5}, {"at": 2, "amount": 10}]},
)
POLICIES = ("no_dead_button", "moving_button", "simplified", "dead_button")
# Every house rule that is a choice among values, and values for those that are not.
HOUSE: dict[str, tuple[Any, ...]] = {
    "button": POLICIES,
    "skipped_blinds": ("extra_big_blind", "forgiven"),
    "makeup": ("both", "big_only"),
    "missed_small": ("dead", "live"),
    "returning_in_big_blind": ("cleared", "dead_small_too"),
    "new_player_posts": (True, False),
    "new_game_free_hands": (0, 3, "until_full"),
    "short_handed": (True, False),
    "short_handed_at": ({"holdem": 3, "draw": 6},),
    "heads_up_shrink": ("never_big_twice", "button_forward"),
    "heads_up_growth": ("obligations", "button_stays", "forward"),
    "short_stack": ("all_in", "full_blind_or_no_hand"),
    "entry_between_blinds": (True, False),
    "buy_button": (True, False),
    "straddles": (True, False),
    "straddle_cap": (2, 3, 5),
    "restraddle": ("one_bet", "double"),
    "seat_change": ("distance", "las_vegas", "as_new_player"),
    "misplaced_after_deal": ("play_on", "misdeal"),
    "tournament": (True, False),
    "ante": ({"by": "big_blind", "amount": 10}, {"by": "all", "amount": 1}),
    "betting": ("limit", "spread", "pot_limit", "no_limit"),
}
GAMES = ("holdem", "omaha", "draw", {"family": "holdem", "betting": "no_limit"})
STACKS = (0, 3, 5, 10, 12, 25, 500)


class Step(msgspec.Struct, frozen=True):
    """One command put to a table: what came of it, or why not: `after` is then as before."""

    fields: Fields
    before: Table | None
    after: Table
    events: list[AnyEvent]
    refused: Refused | None = None


def take(table: Table | None, fields: Fields, now_ms: int = 0) -> Step:
    """Put one command to a table. Whatever is raised besides a refusal is a fault."""
    try:
        command = decode_command(fields)
        before = None if isinstance(command, OpenTable) else table
        events = decide(before, command, now_ms)
    except Refused as refused:
        if table is None:
            raise  # a walk opens its table first
        return Step(fields, table, table, [], refused)
    return Step(fields, before, record(before, command, events), events)


def play(commands: Sequence[Fields]) -> Iterator[Step]:
    """Put commands to one table, one after the other."""
    table: Table | None = None
    for at, fields in enumerate(commands):
        step = take(table, fields, at)
        table = step.after
        yield step


class Walk:
    """A seeded walk. `but` are the commands that it never makes, `without` the house rules that it
    leaves as they are; `rules` and `house` fix the preset and some of its rules."""

    def __init__(
        self,
        seed: int,
        *,
        length: int = 60,
        but: frozenset[str] = frozenset(),
        rules: str | None = None,
        house: Fields | None = None,
        overrides: int = 3,
        seats: tuple[int, int] = (2, 10),
        stakes: Sequence[Fields] = STAKES,
        without: frozenset[str] = frozenset(),
        stacks: Sequence[int] = STACKS,
    ) -> None:
        self.chance = random.Random(seed)
        self.stacks = stacks
        self.length = length
        self.but = but
        self.people = 0
        self.commands: list[Fields] = []
        self.table: Table | None = None
        self.opening = self._opening(rules, house, overrides, seats, stakes, without)

    def _opening(
        self,
        rules: str | None,
        house: Fields | None,
        overrides: int,
        seats: tuple[int, int],
        stakes: Sequence[Fields],
        without: frozenset[str],
    ) -> Fields:
        chance = self.chance
        rules = rules or chance.choice(PRESETS)
        names = [name for name in HOUSE if name not in without]
        picked = chance.sample(names, chance.randint(0, overrides))
        changed = {name: chance.choice(HOUSE[name]) for name in picked} | (house or {})
        return {
            "type": "open_table",
            "name": "walk",
            "seats": chance.randint(*seats),
            "rules": rules,
            "stakes": stakes[0] if chance.random() < 0.7 else chance.choice(stakes),
            "game": chance.choice(GAMES),
            "house": changed,
        }

    def __iter__(self) -> Iterator[Step]:
        yield self._take(self.opening)
        for seat_no in range(1, self.opening["seats"] + 1):
            if self.chance.random() < 0.75:
                yield self._take(self._newcomer(seat_no))
        for _ in range(self.length):
            fields = self.next_command()
            if fields["type"] not in self.but:
                yield self._take(fields)

    def _take(self, fields: Fields) -> Step:
        self.commands.append(fields)
        step = take(self.table, fields, len(self.commands) * 1000)
        self.table = step.after
        return step

    def at(self) -> Table:
        assert self.table is not None  # the walk has begun
        return self.table

    def next_command(self) -> Fields:
        """What somebody at this table might want next."""
        chance, phase = self.chance, self.at().play.phase
        if phase == "no_game" and chance.random() < 0.5:
            return self._start()
        if phase == "closed" and chance.random() < 0.5:
            return {"type": "undo"}
        if phase != "no_game" and chance.random() < 0.42:
            return self._flow(phase)
        return self._rare() if chance.random() < 0.15 else self._seat_event()

    def _flow(self, phase: str) -> Fields:
        if phase == "in_hand":
            return {"type": "end_hand"}
        if self.chance.random() < 0.2:
            return {"type": {"between_hands": "shuffle", "shuffling": "cut"}.get(phase, "deal")}
        return {"type": "deal"}

    def _any_seat(self) -> int:
        return self.chance.randint(1, len(self.at().seats))

    def _start(self) -> Fields:
        if self.chance.random() < 0.85:
            button = {"button": self._any_seat()} if self.chance.random() < 0.5 else {}
            return {"type": "start_game"} | button
        return self._adopt()

    def _adopt(self) -> Fields:
        chance = self.chance
        fields: Fields = {"type": "adopt_game", "button": self._any_seat()}
        fields["big"] = self._any_seat()
        if chance.random() < 0.2:
            fields["big"] = [self._any_seat(), self._any_seat()]
        if chance.random() < 0.7:
            fields["small"] = self._any_seat()
        if chance.random() < 0.3:
            fields["owes"] = {str(self._any_seat()): chance.choice([["small"], ["big", "small"]])}
        return fields

    def _rare(self) -> Fields:
        chance, seat = self.chance, self._any_seat()
        match chance.randint(0, 9):
            case 0:
                return {"type": "misdeal"}
            case 1 | 2 | 3:
                return {"type": "undo"}
            case 4:
                return self._start()
            case 5:
                acted = {"acted": chance.randint(0, 3)} if chance.random() < 0.5 else {}
                return {"type": "correct_button", "button": seat} | acted
            case 6 | 7:
                looked, action = chance.random() < 0.2, chance.random() < 0.2
                return {"type": "report_unposted", "seat": seat, "looked": looked, "action": action}
            case 8:
                seats = self.at().play.unposted or (seat,)
                post = chance.random() < 0.6
                return {"type": "elect", "seat": chance.choice(seats), "post": post}
            case _:
                return self._of_the_floor(seat)

    def _of_the_floor(self, seat: int) -> Fields:
        """Over the rules' heads, and what has nothing to do with them."""
        chance = self.chance
        owes = chance.choice([{}, {"small": True}, {"big": True, "small": True}, ["big"]])
        name = chance.choice(list(HOUSE))
        commands: list[Fields] = [
            {"type": "set_owes", "seat": seat, "owes": owes, "reason": "the floor"},
            {"type": "set_owes", "seat": seat, "owes": owes, "reason": "the floor"},
            {"type": "set_house", name: chance.choice(HOUSE[name])},
            {"type": "set_stakes", "stakes": chance.choice(STAKES)},
            {"type": "join_list", "player": f"w{chance.randint(1, 4)}"},
            {"type": "join_list", "player": f"w{chance.randint(1, 4)}"},
            {"type": "leave_list", "player": f"w{chance.randint(1, 4)}"},
            {"type": "rename", "seat": seat, "name": f"name {chance.randint(1, 3)}"},
            {"type": "release", "seat": seat},
        ]
        return {"type": "close_table"} if chance.random() < 0.03 else chance.choice(commands)

    def _newcomer(self, seat_no: int) -> Fields:
        chance = self.chance
        self.people += 1
        fields: Fields = {"type": "take_seat", "seat": seat_no, "player": f"p{self.people}"}
        left = [seat.left_by for seat in self.at().seats if seat.left_by]
        if left and chance.random() < 0.3:
            fields["player"] = chance.choice(left)
        elif chance.random() < 0.1:
            fields["player"] = f"w{chance.randint(1, 4)}"
        if chance.random() < 0.08:
            fields["entry"] = "free"
        if self.stacks and chance.random() < 0.08:
            fields["stack"] = chance.choice(self.stacks)
        return fields

    def _seat_event(self) -> Fields:
        chance, table = self.chance, self.at()
        taken = [no for no, seat in enumerate(table.seats, 1) if seat.player]
        empty = [no for no, seat in enumerate(table.seats, 1) if not seat.player]
        draw = chance.random()
        if empty and (draw < 0.18 or not taken):
            return self._newcomer(chance.choice(empty))
        if not taken or (empty and draw < 0.2):
            player = {"player": f"w{chance.randint(1, 4)}"} if chance.random() < 0.5 else {}
            return {"type": "lock_up", "seat": chance.choice(empty)} | player
        seat = chance.choice(taken)
        away = [no for no in taken if table.seat(no).sitting_out]
        asked = [no for no in taken if table.seat(no).standing != "in"]
        if draw < 0.28:
            return {"type": "leave", "seat": seat}
        if draw < 0.47:
            at = {"at": "next_big_blind"} if chance.random() < 0.2 else {}
            return {"type": "sit_out", "seat": seat} | at
        if draw < 0.64:
            kind = "deal_me_in" if chance.random() < 0.15 else "sit_in"
            return {"type": kind, "seat": chance.choice(away or taken)}
        if draw < 0.82:
            who = chance.choice(asked or taken)
            return {"type": "choose", "seat": who, "choice": chance.choice(CHOICES)}
        if draw < 0.89:
            choice = chance.choice(MOVES)
            to = chance.choice(empty or taken)
            move: Fields = {"type": "change_seat", "seat": seat, "to": to}
            return move | ({"choice": choice} if choice else {})
        if draw < 0.96 or not self.stacks:
            return self._raise()
        return {"type": "set_stack", "seat": seat, "stack": chance.choice(self.stacks)}

    def _raise(self) -> Fields:
        kind = "straddle" if self.chance.random() < 0.6 else "sleeper"
        return {"type": kind, "seat": self._any_seat()}


def shortened(
    commands: Sequence[Fields], fails: Callable[[Sequence[Fields]], bool]
) -> list[Fields]:
    """The commands it still takes to fail, found by leaving out runs of them, then single ones."""
    left = list(commands)
    width = max(1, len(left) // 2)
    while width:
        at = 1  # the opening stays
        while at < len(left):
            shorter = left[:at] + left[at + width :]
            if fails(shorter):
                left = shorter
            else:
                at += width
        width //= 2
    return left


def told(commands: Sequence[Fields]) -> str:
    """Commands as JSON lines, to be put to `livebutton replay`."""
    return "\n".join(json.dumps(fields) for fields in commands)
