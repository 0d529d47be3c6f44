"""What a plan is made from: the seats as they stand, and where the last hand had its blinds.

A `Situation` is the part of a table that moves from hand to hand. The plan reads it, the
forecast carries it on through hands that nobody has dealt yet.
"""

from collections.abc import Sequence
from itertools import compress

import msgspec

from livebutton.rules.house import HouseRules
from livebutton.rules.structure import Structure, structure
from livebutton.rules.table import VACANT, Family, LastHand, Raise, Seat, SeatNo, Table


class Situation(msgspec.Struct, gc=False):
    """The rotation before a hand. The lists have an unused element 0.

    `rotates` marks who is in the rotation and present: button and blinds reach him now. In a
    tournament that is everybody with chips; who posted between the blinds (pot-limit) is no
    position until the button has passed him.
    """

    count: int
    seats: list[Seat]
    present: list[bool]
    rotates: list[bool]
    house: HouseRules
    blinds: Structure
    family: Family
    betting: str
    last: LastHand | None
    drawn: SeatNo = 0
    put_right: SeatNo = 0
    free_hands: int = 0
    raises: tuple[Raise, ...] = ()
    # Away from this hand on: the big blind reached them and they had asked to sit out then.
    stood_down: tuple[SeatNo, ...] = ()
    # Too short for a full blind, where the house wants one or no hand.
    too_short: tuple[SeatNo, ...] = ()
    # Movers whose wait is over.
    ready: tuple[SeatNo, ...] = ()
    has_movers: bool = False
    hand: int = 1

    def rotation(self) -> list[SeatNo]:
        """The seats in the rotation and present, in seat order."""
        return list(compress(range(self.count + 1), self.rotates))

    def has_entrants(self) -> bool:
        """Whether anybody is there whom button and blinds do not reach of themselves."""
        return self.present != self.rotates or self.house.tournament


class Move(msgspec.Struct, gc=False):
    """Button and blinds of one hand. Seats of `bigs` are in the order the walk met them.

    `dues` are (seat, depth) posted by who posted one step bigger last hand, `dead` the same where
    nobody posts. `passed` are the seats that the big blind went past, `jumped` says that the
    button moved by that many places (0: it stayed, or this is a first hand).
    """

    button: SeatNo
    bigs: list[SeatNo] = []
    dues: list[tuple[SeatNo, int]] = []
    dead: list[tuple[SeatNo, int]] = []
    # Places of blinds put off, that a dead button goes on to.
    kept: list[tuple[SeatNo, int]] = []
    # Who had a blind due and was away, with its depth.
    let_down: list[tuple[SeatNo, int]] = []
    passed: list[SeatNo] = []
    advanced: int = 0
    heads_up: bool = False
    rule: str = "posting-blinds"
    # Who buys the button this hand, so that nobody posts in turn; 0 for nobody.
    buyer: SeatNo = 0
    last_big: SeatNo = 0

    @property
    def big(self) -> SeatNo:
        """The seat of the last big blind posted in turn."""
        return self.bigs[-1] if self.bigs else self.last_big

    @property
    def opening(self) -> SeatNo:
        """The seat that the opening round is counted from."""
        return self.buyer or self.big


def are_present(seats: Sequence[Seat], house: HouseRules) -> list[bool]:
    """Who is at the table, or told the dealer to deal him in; with chips, where known.

    In a tournament whoever has chips is dealt in, present or not.
    """
    everybody = house.tournament
    return [
        bool(seat.player)
        and seat.stack != 0
        and (everybody or not seat.sitting_out or seat.deal_me_in)
        for seat in seats
    ]


def is_present(seat: Seat, house: HouseRules) -> bool:
    """Whether that player is."""
    return are_present((seat,), house)[0]


def are_reached(seats: Sequence[Seat], present: Sequence[bool], house: HouseRules) -> list[bool]:
    """Whom button and blinds reach now."""
    everybody = house.tournament
    return [
        here and not seat.button_forfeited and (everybody or seat.standing == "in")
        for seat, here in zip(seats, present, strict=True)
    ]


def rotates(seat: Seat, is_here: bool, house: HouseRules) -> bool:
    """Whether button and blinds reach that player now."""
    return are_reached((seat,), (is_here,), house)[0]


def situation(table: Table) -> Situation:
    """The situation of the next hand at a table."""
    play = table.play
    setup = play.next_setup or table.setup
    house = setup.house
    seats = [VACANT, *table.seats]
    present = are_present(seats, house)
    return Situation(
        count=len(table.seats),
        seats=seats,
        present=present,
        rotates=are_reached(seats, present, house),
        house=house,
        blinds=structure(setup.stakes, house),
        family=setup.game.family,
        betting=house.betting or setup.game.betting,
        last=play.last,
        drawn=play.drawn,
        put_right=play.put_right,
        free_hands=play.free_hands,
        raises=play.raises,
        hand=play.hand + 1,
        has_movers="mover" in [seat.standing for seat in seats],
    )


def step_down(now: Situation, seat_no: SeatNo) -> None:
    """From here on the plan treats that player as away."""
    now.present[seat_no] = False
    now.rotates[seat_no] = False


def copy(now: Situation) -> Situation:
    """A situation to play on with, leaving the original as it is."""
    return msgspec.structs.replace(
        now, seats=now.seats.copy(), present=now.present.copy(), rotates=now.rotates.copy()
    )
