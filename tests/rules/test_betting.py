"""Where the hand is given to the betting, compared with PokerKit: who opens, who has the option.

Left out, with the reason: a big blind or straddle posted short (PokerKit opens left of the most
chips, the rules left of the nominal blind), sleepers (PokerKit knows no raise that does not open),
capped betting (a cap by straddles is no cap in PokerKit), and stacks that decide who can raise at
all: a poster too short for one, or fewer than two with chips behind.
"""

import os
from collections.abc import Iterator

import msgspec
import pytest
from pokerkit import Automation, NoLimitTexasHoldem, State

from livebutton.rules.plan import plan
from livebutton.rules.structure import structure
from livebutton.rules.table import HandPlan, Table
from tests.rules.walker import Walk

MANY = int(os.environ.get("WALKS", "1"))
WALKS = 40
DEEP = 100_000
STACKS = (0, 3, 5, 500, 500)
# A game taken over may have had its blinds anywhere.
NOT_ENTERED = frozenset({"adopt_game"})
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Opened(msgspec.Struct):
    """The first round played with nobody raising: who acted, and who might have raised."""

    first: int
    raisers: set[int]
    first_after: int


def is_comparable(table: Table, hand: HandPlan) -> bool:
    """Whether PokerKit's rules speak of such a hand (see above)."""
    if hand.none is not None or hand.capped:
        return False
    big = structure(table.setup.stakes, table.house)
    heads_up = len(hand.dealt) == 2
    for post in hand.posts:
        if post.kind == "sleeper" or (post.kind == "straddle" and post.all_in):
            return False
        if post.kind == "big" and post.live < big.amount(0, heads_up=heads_up):
            return False
    all_in = {post.seat for post in hand.posts if post.all_in}
    deep = {seat for seat in hand.dealt if table.seat(seat).stack in (None, 500)} - all_in
    return len(deep) >= 2 and {post.seat for post in hand.posts} <= deep | all_in


def in_pokerkit(table: Table, hand: HandPlan) -> State:
    """The hand set up in PokerKit: dealing order, live money as blinds and posts, dead as antes.

    A post is negative there: it is live and opens nothing. So is every blind but the big ones (a
    small one may be as big, and lie behind them), and a big one on the button besides others:
    PokerKit takes the last of them in dealing order, the rules the last that the scan met.
    """
    bigs = {post.seat for post in hand.posts if post.kind == "big"}
    live, dead, opens = (dict.fromkeys(hand.dealt, 0) for _ in range(3))
    for post in hand.posts:
        live[post.seat] += post.live
        dead[post.seat] += post.dead
        is_big = post.kind == "big" and (post.seat != hand.button or len(bigs) == 1)
        opens[post.seat] += is_big or post.kind == "straddle" or not bigs
    blinds = [live[seat] if opens[seat] else -live[seat] for seat in hand.dealt]
    if len(blinds) == 2:
        blinds.reverse()  # PokerKit takes the small blind first, and gives it to the button
    stacks = [table.seat(seat).stack for seat in hand.dealt]
    return NoLimitTexasHoldem.create_state(
        AUTOMATIC,
        False,
        [dead[seat] for seat in hand.dealt],
        blinds,
        max(10, hand.to_call),
        [DEEP if stack is None else stack for stack in stacks],
        len(hand.dealt),
    )


def opened(state: State, dealt: tuple[int, ...]) -> Opened:
    """Play the first round: everybody calls or checks."""
    found = Opened(0, set(), 0)
    while state.street_index == 0 and state.actor_index is not None:
        seat = dealt[state.actor_index]
        found.first = found.first or seat
        if state.can_complete_bet_or_raise_to():
            found.raisers.add(seat)
        state.check_or_call()
    if state.actor_index is not None:
        found.first_after = dealt[state.actor_index]
    return found


def dealt_hands(seeds: range) -> Iterator[tuple[Table, HandPlan]]:
    """The hands of some walks, each with its table before the deal."""
    for seed in seeds:
        walk = Walk(seed, length=100, stacks=STACKS, overrides=4, but=NOT_ENTERED)
        for step in walk:
            if step.refused is None and step.before and step.fields["type"] == "deal":
                yield step.before, plan(step.after)


@pytest.mark.slow
@pytest.mark.timeout(600 * MANY)
@pytest.mark.parametrize("batch", range(4))
def test_pokerkit_opens_with_the_same_player_and_gives_the_same_options(batch: int) -> None:
    compared = 0
    for table, hand in dealt_hands(range(batch * 1000, batch * 1000 + WALKS * MANY)):
        if not is_comparable(table, hand):
            continue
        compared += 1
        found = opened(in_pokerkit(table, hand), hand.dealt)
        posted = {post.seat for post in hand.posts if post.live}
        assert found.first == hand.first_to_act, hand
        assert found.raisers & posted == set(hand.options), hand
        if all(table.seat(seat).stack in (None, 500) for seat in hand.dealt):
            assert found.first_after in (0, hand.first_to_act_after), hand
    assert compared > 5 * WALKS * MANY
