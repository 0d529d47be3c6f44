"""The state of one table, as the model keeps it: plain records, changed in place."""

from copy import copy
from dataclasses import dataclass, field
from typing import Any

Refusal = dict[str, str]


class Refused(Exception):
    """A rule or a check said no; `reason` is one of the contract's codes."""

    def __init__(self, reason: str, why: str = "") -> None:
        super().__init__(why or reason)
        self.reason = reason


@dataclass
class Move:
    """What a mover (seat-changes) has to wait for in his new seat."""

    zone: str  # far | big | small | button | passing
    old_distance: int
    offers: list[str]
    wait_hands: int = 0
    button_passed: bool = False


@dataclass
class Seat:
    """One player on one seat. `status`: rotation | new | returning | mover (the last three:
    entrants)."""

    player: str
    name: str
    stack: int | None = None
    status: str = "new"
    sitting_out: bool = False
    out_at_big: bool = False
    deal_me_in: bool = False
    owes: frozenset[str] = frozenset()
    choice: str | None = None
    free_entry: bool = False
    dealt_before: bool = False
    absent_mark: bool = False
    barred: bool = False  # declined to elect: must wait for the big blind
    between: bool = False  # pot-limit: entered between the blinds, the button has still to pass
    let_big_pass: int | None = None  # the hand in which a new player let the big blind pass
    move: Move | None = None

    @property
    def entrant(self) -> bool:
        return self.status != "rotation"


@dataclass
class Due:
    """A player who works down the chain: he posts `kind` on the next hand."""

    player: str | None
    seat: int  # where he posted the blind before it: the position that counts
    depth: int  # which one: 1 is the blind next below the big one


@dataclass
class Last:
    """What the hand before left behind: places by seat, memory by player."""

    button: int
    button_player: str | None
    chain_seats: list[int]  # seats of the chained blinds, smallest first, the big blind's last
    big_player: str | None
    due: list[Due]
    dealt: list[str]

    @property
    def big(self) -> int:
        return self.chain_seats[-1]


@dataclass
class Table:
    name: str
    seat_count: int
    rules: str
    house: dict[str, Any]
    overrides: dict[str, Any]
    stakes: dict[str, Any]
    game: dict[str, Any]
    phase: str = "no_game"
    hand: int = 0  # hands dealt so far
    seats: dict[int, Seat] = field(default_factory=dict)
    lock_ups: dict[int, str | None] = field(default_factory=dict)
    departed: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    last: Last | None = None
    fresh_button: int | None = None  # a new game was started; its first hand is not dealt yet
    carried: tuple[str, int, str] | None = None  # a mover's small blind: player, old seat, kind
    forced_button: int | None = None  # correct_button before the first card
    game_started_at: int = 0  # hands dealt before the running game began
    free_period: bool = False  # a new game's free hands still run (until_full)
    raises: list[tuple[str, int]] = field(default_factory=list)  # ("straddle" | "sleeper", seat)
    committed: dict[str, Any] | None = None  # the plan that the deal committed
    unposted: dict[int, str] = field(default_factory=dict)  # seat -> dead | may_elect

    def seat_of(self, player: str | None) -> int | None:
        return next((no for no, seat in self.seats.items() if seat.player == player), None)

    def clone(self) -> "Table":
        other = copy(self)
        other.seats = {}
        for no, seat in self.seats.items():
            other.seats[no] = copy(seat)
            if seat.move is not None:
                other.seats[no].move = copy(seat.move)
        other.lock_ups = dict(self.lock_ups)
        other.departed = dict(self.departed)
        other.waiting = list(self.waiting)
        other.raises = list(self.raises)
        other.unposted = dict(self.unposted)
        if self.last is not None:
            other.last = copy(self.last)
            other.last.due = [copy(due) for due in self.last.due]
            other.last.chain_seats = list(self.last.chain_seats)
        return other


@dataclass
class Entry:
    """A way in out of turn: what it is posted as, and whether the money is a straddle's."""

    kind: str  # make_up | entry | straddle
    live: int
    dead: int


@dataclass
class Draft:
    """The bare hand: button, blinds, who comes in. plan.py dresses it."""

    none: str | None = None
    button: int = 0
    kinds: list[str] = field(default_factory=list)  # chained kinds in use, smallest first
    turn: dict[int, str] = field(default_factory=dict)  # seat -> kind posted in turn
    dead: list[tuple[int, str]] = field(default_factory=list)
    last_big: int = 0
    chain_seats: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)  # the rotation, and who posts in the scan
    heads_up: bool = False
    passed: list[int] = field(default_factory=list)  # seats the big blind has gone past
    jumped: bool = True  # entrants between the old button and the new one are held out
    entries: dict[int, Entry] = field(default_factory=dict)
    bought: int | None = None  # the seat that bought the button
    button_passed: list[int] = field(default_factory=list)
    gone: dict[int, str] = field(default_factory=dict)  # seat -> why, though not sitting out
    raises: list[tuple[str, int]] = field(default_factory=list)

    @property
    def dealt(self) -> set[int]:
        return set(self.players) | set(self.entries)

    @property
    def bigs(self) -> list[int]:
        return [seat for seat, kind in self.turn.items() if kind == self.kinds[-1]]
