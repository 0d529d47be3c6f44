"""The blind structure: which blinds a table has, from its stakes and its house rules."""

from functools import lru_cache

import msgspec

from livebutton.rules.house import HouseRules
from livebutton.rules.table import BlindKind, Chips, Stakes


class SideBlind(msgspec.Struct, frozen=True, gc=False):
    """A blind on the button (`at` 0) or behind it (-1, -2), paid by whoever sits there."""

    at: int
    kind: BlindKind
    amount: Chips


class Structure(msgspec.Struct, frozen=True, gc=False):
    """The chain left of the button by depth (0 is the big blind), and what lies beside it.

    `heads_up` has the two largest blinds of all: the big one, and the one on the button.
    """

    chain: tuple[Chips, ...]
    sides: tuple[SideBlind, ...]
    heads_up: tuple[Chips, Chips]

    @property
    def big(self) -> Chips:
        return self.chain[0]

    def kind(self, depth: int) -> BlindKind:
        """The name of the blind at that depth: big, small at the end, middle between."""
        if depth == 0:
            return "big"
        return "small" if depth == len(self.chain) - 1 else "middle"

    def amount(self, depth: int, *, heads_up: bool) -> Chips:
        return self.heads_up[depth] if heads_up else self.chain[depth]


@lru_cache(maxsize=256)
def structure(stakes: Stakes, house: HouseRules) -> Structure:
    """The blinds of a table. The stakes' own list goes before the house's."""
    if stakes.blinds:
        blinds = [(blind.at, blind.amount) for blind in stakes.blinds]
    elif house.blinds:
        blinds = [(blind.at, getattr(stakes, blind.stake)) for blind in house.blinds]
    else:
        blinds = [(1, stakes.small), (2, stakes.big)]
    chain = tuple(amount for at, amount in sorted(blinds, reverse=True) if at > 0)
    sides = tuple(
        SideBlind(at, "button" if at == 0 else "behind", amount)
        for at, amount in sorted(blinds)
        if at <= 0
    )
    largest = sorted((amount for _, amount in blinds), reverse=True)
    second = largest[1] if len(largest) > 1 else 0
    return Structure(chain, sides, (largest[0], second))
