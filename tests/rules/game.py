"""A table for short tests: players named by their seats, commands in a word or two."""

from typing import Any

import msgspec
import pytest

from livebutton.rules.citations import RULES
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.events import AnyEvent
from livebutton.rules.evolve import record
from livebutton.rules.invariants import problems
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import HandPlan, Seat, Table

PLAIN = {"small": 5, "big": 10}
_read = msgspec.msgpack.Decoder(list[AnyEvent]).decode


class Game:
    """A table that is opened, seated and started; `button=0` leaves the game to be started.

    `policy` is the house's button policy, other house rules go by their names.
    """

    def __init__(
        self,
        seats: int = 6,
        players: tuple[int, ...] = (1, 2, 3, 4),
        button: int = 1,
        rules: str = "caro-cooke",
        stakes: dict[str, Any] | None = None,
        game: Any = "holdem",
        policy: str = "",
        **house: Any,
    ) -> None:
        if policy:
            house["button"] = policy
        self._table: Table | None = None
        self.now_ms = 0
        self.do(
            "open_table",
            name="game",
            seats=seats,
            rules=rules,
            stakes=stakes or PLAIN,
            game=game,
            house=house,
        )
        for seat in players:
            self.do("take_seat", seat, player=f"p{seat}")
        if button:
            self.do("start_game", button=button)

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def plan(self) -> HandPlan:
        return plan(self.table)

    def do(self, kind: str, seat: int | None = None, **fields: Any) -> list[AnyEvent]:
        """Put a command that must be accepted."""
        named = {"type": kind} | ({} if seat is None else {"seat": seat}) | fields
        command = decode_command(named)
        events = decide(self._table, command, self.now_ms)
        assert _read(msgspec.msgpack.encode(events)) == events
        self._table = record(self._table, command, events)
        assert problems(self._table) == []
        for ruling in [*self.plan.rulings, *(said for event in events for said in event.rulings)]:
            assert ruling.rule in RULES
            assert isinstance(ruling.text, str)
        return events

    def refused(self, kind: str, seat: int | None = None, **fields: Any) -> Refused:
        """Put a command that must be refused; the table stays as it is."""
        before = self._table
        with pytest.raises(Refused) as caught:
            self.do(kind, seat, **fields)
        refused = caught.value
        assert self._table is before
        assert isinstance(refused.message, str)
        assert refused.rule == "" or refused.rule in RULES
        return refused

    def deal(self) -> HandPlan:
        """The first card: the plan committed."""
        self.do("deal")
        return self.plan

    def hand(self) -> HandPlan:
        """Deal a hand and end it."""
        hand = self.deal()
        self.do("end_hand")
        return hand

    def hands(self, count: int) -> HandPlan:
        for _ in range(count):
            hand = self.hand()
        return hand

    def seat(self, seat_no: int) -> Seat:
        return self.table.seat(seat_no)

    def questions(self) -> list[int]:
        return [question.seat for question in self.plan.questions]

    def why(self, seat_no: int) -> str:
        return next((n.why for n in self.plan.not_dealt if n.seat == seat_no), "")


def blinds(hand: HandPlan) -> str:
    """A plan in short: `b1 s2 B3`, dead blinds as `x2`, entries as `+5:10/5`."""
    letters = {"small": "s", "middle": "m", "big": "B"}
    words = [f"b{hand.button}"]
    words += [f"x{dead.seat}" for dead in hand.dead_blinds]
    for kind, letter in letters.items():
        words += [f"{letter}{post.seat}" for post in hand.posts if post.kind == kind]
    for post in hand.posts:
        if post.kind not in letters:
            words.append(f"+{post.seat}:{post.live}/{post.dead}")
    return " ".join(words)
