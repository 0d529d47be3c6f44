"""The hand of a plan, set up in PokerKit. Needs PokerKit, which only developers install."""

from pokerkit import Automation, NoLimitTexasHoldem, State

from livebutton.rules.table import HandPlan

_POSTS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
)
_CARDS = (*_POSTS, Automation.CARD_BURNING, Automation.HOLE_DEALING)


def with_posts(hand: HandPlan, stack: int) -> State:
    """Its blinds and antes posted, no card dealt: all that a plan says, but who acts first."""
    return _set_up(hand, stack, _POSTS)


def with_cards(hand: HandPlan, stack: int) -> State:
    """Its hole cards dealt besides, so that the first to act is known."""
    return _set_up(hand, stack, _CARDS)


def _set_up(hand: HandPlan, stack: int, automations: tuple[Automation, ...]) -> State:
    # PokerKit takes the seats in dealing order, as `dealt` is, three or more at the table.
    live = dict.fromkeys(hand.dealt, 0)
    dead = dict.fromkeys(hand.dealt, 0)
    for post in hand.posts:
        live[post.seat] += post.live
        dead[post.seat] += post.dead
    return NoLimitTexasHoldem.create_state(
        automations,
        False,
        list(dead.values()),
        list(live.values()),
        hand.to_call,
        [stack] * len(hand.dealt),
        len(hand.dealt),
    )
