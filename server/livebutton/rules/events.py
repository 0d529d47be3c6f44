"""Events: facts about a table, in the past tense, each with all that `evolve` needs to record it.

An event says what was decided, never what has yet to be judged. `rulings` say why, where a rule
had a hand in it.
"""

from typing import Any, Literal

import msgspec

from livebutton.rules.table import (
    BeforeDeal,
    Chips,
    Choice,
    HandPlan,
    LastHand,
    Owes,
    Ruling,
    Seat,
    SeatNo,
    Setup,
    Standing,
    Undoable,
)

Rulings = tuple[Ruling, ...]


class Event(
    msgspec.Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True, kw_only=True
):
    """What every event is: a tagged, immutable struct with its rulings."""

    rulings: Rulings = ()


class OfOneSeat(Event, frozen=True):
    """What every event is that changes one seat and nothing else of the hand."""

    seat: SeatNo


class TableOpened(Event, frozen=True, tag="table_opened"):
    setup: Setup
    seats: int


class TableClosed(Event, frozen=True, tag="table_closed"):
    pass


class SetupChanged(Event, frozen=True, tag="setup_changed"):
    """New house rules, stakes or game. `at_once` between hands, else when the hand ends."""

    setup: Setup
    at_once: bool


class SeatLockedUp(OfOneSeat, frozen=True, tag="seat_locked_up"):
    player: str = ""


class SeatReleased(OfOneSeat, frozen=True, tag="seat_released"):
    pass


class SeatTaken(OfOneSeat, frozen=True, tag="seat_taken"):
    player: str
    name: str
    stack: Chips | None = None
    free_entry: bool = False
    standing: Standing = "new"
    owes: Owes = Owes()


class PlayerRenamed(OfOneSeat, frozen=True, tag="player_renamed"):
    name: str


class SeatLeft(OfOneSeat, frozen=True, tag="seat_left"):
    player: str
    # What he owed, kept should he come back before the big blind has passed his seat.
    owes: Owes = Owes()


class SatOut(OfOneSeat, frozen=True, tag="sat_out"):
    at_ms: int = 0


class OutAtBigBlind(OfOneSeat, frozen=True, tag="out_at_big_blind"):
    pass


class SatIn(OfOneSeat, frozen=True, tag="sat_in"):
    pass


class DealtInByWord(OfOneSeat, frozen=True, tag="dealt_in_by_word"):
    """He is away, but told the dealer to deal him in, for one hand."""


class ChoiceMade(OfOneSeat, frozen=True, tag="choice_made"):
    choice: Choice


class SeatChanged(Event, frozen=True, tag="seat_changed"):
    """A player moved. `after` is his seat as it stands in the new place."""

    seat: SeatNo
    to: SeatNo
    after: Seat
    left_behind: Seat
    # The last hand's places, where the small blind he carries keeps its old position.
    last: LastHand | None = None


class StackSet(OfOneSeat, frozen=True, tag="stack_set"):
    stack: Chips


class DebtSet(OfOneSeat, frozen=True, tag="debt_set"):
    """The floor's discretion: what a player owes from now on, and the reason given."""

    owes: Owes
    standing: Standing
    reason: str


class ListJoined(Event, frozen=True, tag="list_joined"):
    player: str
    at_ms: int = 0


class ListLeft(Event, frozen=True, tag="list_left"):
    player: str


class GameStarted(Event, frozen=True, tag="game_started"):
    button: SeatNo


class GameAdopted(Event, frozen=True, tag="game_adopted"):
    last: LastHand
    hand: int
    seats: dict[int, Seat]


class DeckShuffled(Event, frozen=True, tag="deck_shuffled"):
    pass


class DeckCut(Event, frozen=True, tag="deck_cut"):
    pass


class BlindMissed(OfOneSeat, frozen=True, tag="blind_missed"):
    owes: Owes


class PlayerPickedUp(OfOneSeat, frozen=True, tag="player_picked_up"):
    """A new player let blinds and button pass him: his seat goes to the head of the list.

    With nobody waiting (`kept`) he keeps it, sitting out, and owes both blinds.
    """

    player: str
    kept: bool
    held_for: str = ""
    owes: Owes = Owes()
    at_ms: int = 0


class HandDealt(Event, frozen=True, tag="hand_dealt"):
    """The first card: the plan is committed. `after` are the seats that it changed."""

    plan: HandPlan
    last: LastHand
    after: dict[int, Seat]
    before: BeforeDeal
    free_hands: int = 0


class HandEnded(Event, frozen=True, tag="hand_ended"):
    pass


class HandMisdealt(Event, frozen=True, tag="hand_misdealt"):
    """The hand is void; `after` are the seats as the deal found them, with what came since."""

    before: BeforeDeal
    after: dict[int, Seat]


class RaisedBlind(Event, frozen=True, tag="raised_blind"):
    seat: SeatNo
    kind: Literal["straddle", "sleeper"]


class RaiseDropped(Event, frozen=True, tag="raise_dropped"):
    """A straddle or sleeper whose ground fell away when the plan changed."""

    seat: SeatNo
    kind: Literal["straddle", "sleeper"]


class UnpostedReported(Event, frozen=True, tag="unposted_reported"):
    seat: SeatNo
    hand_dead: bool


class Elected(Event, frozen=True, tag="elected"):
    """He was dealt in without posting and has said whether he posts now."""

    seat: SeatNo
    post: bool
    plan: HandPlan
    after: Seat


class ButtonCorrected(Event, frozen=True, tag="button_corrected"):
    """`put_right` plans the next hand from there; 0 where the hand now dealt stands."""

    button: SeatNo
    put_right: SeatNo = 0
    last: LastHand | None = None
    after: dict[int, Seat] = {}


class Undone(Event, frozen=True, tag="undone"):
    """A compensating event: what the command at `back.offset` changed is as it was before it."""

    back: Undoable


SeatEvent = (
    SeatLockedUp
    | SeatReleased
    | SeatTaken
    | PlayerRenamed
    | SeatLeft
    | SatOut
    | OutAtBigBlind
    | SatIn
    | DealtInByWord
    | ChoiceMade
    | StackSet
    | DebtSet
    | BlindMissed
    | PlayerPickedUp
)
HandEvent = (
    GameStarted
    | GameAdopted
    | DeckShuffled
    | DeckCut
    | HandDealt
    | HandEnded
    | HandMisdealt
    | RaisedBlind
    | RaiseDropped
    | UnpostedReported
    | Elected
    | ButtonCorrected
    | Undone
)
AnyEvent = (
    TableOpened
    | TableClosed
    | SetupChanged
    | SeatChanged
    | ListJoined
    | ListLeft
    | SeatEvent
    | HandEvent
)

# What stays between the engine and the store: how to record it, not what happened.
_BOOKKEEPING = frozenset({"after", "before", "last", "setup", "seats", "left_behind"})


def public_event(event: AnyEvent) -> dict[str, Any]:
    """The event as clients are told it: what happened and why, without our bookkeeping."""
    fields: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    if isinstance(event, Undone):
        fields["back"] = {"offset": event.back.offset, "of": event.back.of}
    return {key: value for key, value in fields.items() if key not in _BOOKKEEPING}
