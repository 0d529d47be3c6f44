"""A poker table as the rules see it: an immutable value, and nothing that does anything.

`Table` is what `decide` judges and `evolve` records on. Seats are numbered from 1, clockwise.
Amounts are `Chips`: integers in the smallest unit. Everything here is a msgspec struct, so that
a checkpoint is the same value written down. They are immutable and hold no cycles, so the garbage
collector need not look at them (`gc=False`): at this rate of allocation it shows.
"""

from typing import Any, Literal

import msgspec

from livebutton.rules.house import HouseRules

SeatNo = int
Chips = int

Phase = Literal["no_game", "between_hands", "shuffling", "cut", "in_hand", "closed"]
Family = Literal["holdem", "omaha", "draw"]
Betting = Literal["limit", "spread", "pot_limit", "no_limit"]

# What a player is to the rotation. `in`: button and blinds reach him in turn. The others are
# entrants: never dealt in before (`new`), owing (`returning`), or waiting after a seat change
# (`mover`).
Standing = Literal["in", "new", "returning", "mover"]
Choice = Literal[
    "", "post", "wait_big_blind", "wait_button", "straddle", "free", "buy_button", "wait", "pass"
]
BlindKind = Literal["small", "middle", "big", "button", "behind"]
PostKind = Literal[
    "small",
    "middle",
    "big",
    "button",
    "behind",
    "make_up",
    "entry",
    "straddle",
    "sleeper",
    "ante",
]
Why = Literal["sitting_out", "owes", "new", "waiting", "between_blinds", "no_chips", "short_stack"]


class Game(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What is played. It sets the short-handed limit and how straddles grow."""

    family: Family = "holdem"
    betting: Betting = "limit"


class Blind(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One blind of the structure: `at` is relative to the button (0), leftwards positive."""

    at: int
    amount: Chips


class Stakes(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The blinds: `small` and `big`, or a whole structure in `blinds`."""

    small: Chips = 0
    big: Chips = 0
    blinds: tuple[Blind, ...] = ()


class Owes(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Which blinds a player has missed. Never the big one alone; debts never add up."""

    big: bool = False
    small: bool = False
    middle: bool = False

    def __bool__(self) -> bool:
        return self.big or self.small or self.middle


NOTHING_OWED = Owes()


class Seat(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A chair, who holds it, and what the rotation remembers of him.

    `posted` is the depth in the chain of blinds (0 is the big blind, 1 the next smaller) that he
    posted in turn last hand, or -1: who posted depth 0 is due depth 1 next. It goes with the
    player when he moves; `posted_from` is then the seat it was posted from (0: this one).
    """

    player: str = ""
    name: str = ""
    stack: Chips | None = None
    sitting_out: bool = False
    away_since_ms: int = 0
    deal_me_in: bool = False
    # He asked to sit out when the big blind next reaches him.
    out_at_big_blind: bool = False
    standing: Standing = "new"
    owes: Owes = NOTHING_OWED
    choice: Choice = ""
    # The floor let him in free.
    free_entry: bool = False
    # He declined to post after he was dealt in unposted: only the big blind in turn is left.
    barred: bool = False
    # New players: the big blind reached his seat since he sat down, and he let it pass.
    let_big_pass: bool = False
    posted: int = -1
    posted_from: SeatNo = 0
    # He moved while he was due a smaller blind, and has taken it along.
    carries: bool = False
    dealt: bool = False
    had_button: bool = False
    # He was dealt in out of turn between the blinds (pot-limit): no hand on the button to come.
    button_forfeited: bool = False
    # Movers: the distance they wait for (-1: the big blind or the place behind the button, -2:
    # behind the button alone).
    wait_distance: int = -1
    # Movers into the button's way: the first hand they may be dealt in on.
    not_before: int = 0
    # Movers from further away into the button's way: they may pay only behind the button.
    behind_only: bool = False
    # He dealt off and lets the blinds pass his new seat once: behind the button he owes nothing.
    pass_free: bool = False
    absent: bool = False
    # He owes, by the floor's word or after he was picked up, but has never been dealt in.
    untried: bool = False
    locked: bool = False
    held_for: str = ""
    # Who left this seat last and what he owed, until the big blind has passed it.
    left_by: str = ""
    left_owing: Owes = NOTHING_OWED


VACANT = Seat()


class Ruling(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision and its reason: the rule's id, the seats it touches, one plain sentence."""

    rule: str
    seats: tuple[SeatNo, ...]
    text: str
    params: dict[str, Any] = {}


class Post(msgspec.Struct, frozen=True, gc=False):
    """What a seat puts out before the deal. Dead money counts for nothing in the betting."""

    seat: SeatNo
    kind: PostKind
    live: Chips
    dead: Chips = 0
    all_in: bool = False


class DeadBlind(msgspec.Struct, frozen=True, gc=False):
    """A blind nobody posts this hand, and the seat it would have come from."""

    seat: SeatNo
    kind: BlindKind


class NotDealt(msgspec.Struct, frozen=True, gc=False):
    """An occupied seat that gets no hand, and why."""

    seat: SeatNo
    why: Why


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One answer to a question: its price, and how many hands are dealt before he plays one.

    `hands` is None where the answer leads to no hand as things stand.
    """

    choice: Choice
    live: Chips
    dead: Chips
    hands: int | None


class Question(msgspec.Struct, frozen=True, gc=False):
    """An entrant who has not chosen yet."""

    seat: SeatNo
    choices: tuple[Offer, ...]


class NoHand(msgspec.Struct, frozen=True, gc=False):
    """Why no hand can be dealt."""

    reason: str
    text: str


class HandPlan(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What happens at the next first card: who has the button, who posts what, who is dealt in.

    `posts` and `dealt` are in dealing order. `none` is set, and the rest empty, when no hand can
    be dealt.
    """

    hand: int
    button: SeatNo = 0
    posts: tuple[Post, ...] = ()
    dead_blinds: tuple[DeadBlind, ...] = ()
    dealt: tuple[SeatNo, ...] = ()
    not_dealt: tuple[NotDealt, ...] = ()
    first_to_act: SeatNo = 0
    first_to_act_after: SeatNo = 0
    to_call: Chips = 0
    options: tuple[SeatNo, ...] = ()
    capped: bool = False
    questions: tuple[Question, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    none: NoHand | None = None


class Place(msgspec.Struct, frozen=True, gc=False):
    """A blind's place on the felt last hand: dead or posted, at that depth of the chain."""

    seat: SeatNo
    depth: int


class LastHand(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where the last hand dealt had its button and blinds: seats, perhaps empty by now.

    `big` is the last big blind posted in turn. `places` has every blind of the chain, dead ones
    too. These are places on the felt: who posted is on the `Seat`, and goes with the player.
    """

    button: SeatNo
    big: SeatNo
    places: tuple[Place, ...] = ()
    dealt_count: int = 0

    @property
    def rearmost(self) -> SeatNo:
        """The place of the smallest blind of the chain: the small blind's, usually."""
        deepest = max(self.places, key=lambda place: place.depth, default=None)
        return deepest.seat if deepest is not None else self.big


class Raise(msgspec.Struct, frozen=True, gc=False):
    """A straddle or sleeper agreed on before the deal."""

    seat: SeatNo
    kind: Literal["straddle", "sleeper"]


class BeforeDeal(msgspec.Struct, frozen=True, gc=False):
    """What a misdeal goes back to: the rotation as it stood before the first card."""

    seats: tuple[Seat, ...]
    hand: int
    last: LastHand | None
    drawn: SeatNo
    put_right: SeatNo
    free_hands: int = 0
    raises: tuple[Raise, ...] = ()

    def play(self) -> "Play":
        """Where the game stood then."""
        return Play(
            phase="between_hands",
            hand=self.hand,
            last=self.last,
            drawn=self.drawn,
            put_right=self.put_right,
            free_hands=self.free_hands,
            raises=self.raises,
        )


class Waiting(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One name on the waiting list; `since_ms` is when it was written there, 0 if not known."""

    player: str
    since_ms: int = 0


class Setup(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the floor decides: the game, the stakes, the house rules."""

    table: str
    name: str
    rules: str
    house: HouseRules
    stakes: Stakes
    game: Game = Game()
    room: str = ""


class Play(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where the game stands. `hand` is the hand being played, or the last one dealt.

    `drawn` is the button drawn for a new game's first hand; `put_right` where a misplaced button
    belongs; both are 0 once a hand was dealt. `free_hands` counts what is left of a new game's
    free entry (-1: until the table is full). `next_setup` waits for the end of the hand.
    """

    phase: Phase = "no_game"
    hand: int = 0
    last: LastHand | None = None
    drawn: SeatNo = 0
    put_right: SeatNo = 0
    corrected: bool = False
    free_hands: int = 0
    raises: tuple[Raise, ...] = ()
    plan: HandPlan | None = None
    before_deal: BeforeDeal | None = None
    next_setup: Setup | None = None
    # Seats reported dealt in without posting, waiting for an election to post.
    unposted: tuple[SeatNo, ...] = ()
    # Seats reported so whose hand is dead.
    dead_hands: tuple[SeatNo, ...] = ()


class Undoable(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One command that can be taken back: what it was, and what it changed, as it was before."""

    offset: int
    of: dict[str, Any]
    seats: dict[int, Seat] = {}
    play: Play | None = None
    setup: Setup | None = None
    waiting: tuple[Waiting, ...] | None = None


class Table(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The whole state of a table at an offset. `seats[0]` is seat 1: use `seat`."""

    setup: Setup
    seats: tuple[Seat, ...]
    play: Play = Play()
    waiting: tuple[Waiting, ...] = ()
    offset: int = 0
    undo: tuple[Undoable, ...] = ()

    def seat(self, seat_no: SeatNo) -> Seat:
        """The seat of that number; the number has been checked before."""
        return self.seats[seat_no - 1]

    @property
    def house(self) -> HouseRules:
        return self.setup.house

    def name_at(self, seat_no: SeatNo) -> str:
        """The name to say aloud: the player's, or "seat 4"."""
        seat = self.seats[seat_no - 1]
        return seat.name or seat.player or f"seat {seat_no}"
