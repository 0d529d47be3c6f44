"""Prices on a hand worked out: every post, straddles and antes, short stacks, what to call."""

from collections.abc import Sequence, Set

import msgspec

from livebutton.rules import ring
from livebutton.rules.entry import dead_beside_big
from livebutton.rules.house import HouseRules
from livebutton.rules.outcome import Outcome
from livebutton.rules.situation import Situation
from livebutton.rules.table import Chips, Post, PostKind, Raise, SeatNo


class Betting(msgspec.Struct):
    """How the opening round begins: what stands to be called, who opens, who has an option."""

    level: Chips
    opener: SeatNo
    bets: int = 1
    capped: bool = False
    # The next seat that may straddle, 0 when nobody may.
    next_straddle: SeatNo = 0
    raised: list[SeatNo] = []
    dropped: list[Raise] = []


Due = tuple[SeatNo, PostKind, Chips, Chips]


def nominal(now: Situation, done: Outcome) -> list[Due]:
    """What each seat would post with chips enough, before straddles and antes."""
    found = done.found
    due: list[Due] = [
        (
            s,
            "big",
            now.blinds.amount(0, heads_up=found.heads_up),
            dead_beside_big(now, now.seats[s]),
        )
        for s in found.bigs
    ]
    for seat_no, depth in found.dues:
        amount = now.blinds.amount(depth, heads_up=found.heads_up)
        if amount:
            kind = "small" if found.heads_up else now.blinds.kind(depth)
            due.append((seat_no, kind, amount, 0))
    due += [(e.seat, e.kind, e.live, e.dead) for e in done.entries if e.kind != "straddle"]
    if not found.heads_up:
        for side in now.blinds.sides:
            payer = found.button if side.at == 0 else _behind(done, -side.at)
            if payer in done.dealt:
                due.append((payer, side.kind, side.amount, 0))
    return due


def _behind(done: Outcome, places: int) -> SeatNo:
    """The dealt-in seat so many places to the right of the button."""
    order = done.dealt
    at = order.index(done.found.button) if done.found.button in order else len(order)
    return order[at - places] if at - places >= 0 else 0


def open_betting(now: Situation, done: Outcome, due: list[Due]) -> Betting:
    """Straddles and sleepers on top of the blinds; adds their posts to `due`.

    A raise whose ground has fallen away is left out and named in `dropped`.
    """
    big = now.blinds.amount(0, heads_up=done.found.heads_up)
    betting = Betting(level=big, opener=done.found.opening)
    betting.next_straddle = _next_straddle(now, done, betting)
    for entry in done.entries:
        if entry.kind == "straddle":
            _raise(now, done, betting, due, Raise(entry.seat, "straddle"))
    for wish in now.raises:
        if refusal_of_raise(now, done, betting, wish) is None:
            _raise(now, done, betting, due, wish)
        else:
            betting.dropped.append(wish)
    return betting


def refusal_of_raise(now: Situation, done: Outcome, betting: Betting, wish: Raise) -> str | None:
    """Why a blind raise may not stand: `not_allowed`, `capped`, `not_due`; None when it may."""
    if not now.house.straddles:
        return "not_allowed"
    if betting.capped:
        return "capped"
    if len(done.dealt) < 3 or wish.seat not in done.dealt or wish.seat in betting.raised:
        return "not_due"
    if wish.kind == "straddle" and wish.seat != betting.next_straddle:
        return "not_due"
    if wish.kind == "sleeper" and wish.seat == betting.next_straddle:
        return "not_due"
    return None


def _raise(now: Situation, done: Outcome, betting: Betting, due: list[Due], wish: Raise) -> None:
    betting.level = next_level(now, done, betting)
    betting.bets += 1
    one_bet = one_bet_more(now.house, now.betting)
    betting.capped = one_bet and betting.bets >= now.house.straddle_cap
    betting.raised.append(wish.seat)
    standing = sum(live for seat_no, _, live, _ in due if seat_no == wish.seat)
    due.append((wish.seat, wish.kind, betting.level - standing, 0))
    if wish.kind == "straddle":
        betting.opener = wish.seat
    betting.next_straddle = _next_straddle(now, done, betting)


def next_level(now: Situation, done: Outcome, betting: Betting) -> Chips:
    """What there is to call once one more has raised blind."""
    if one_bet_more(now.house, now.betting):
        return betting.level + now.blinds.amount(0, heads_up=done.found.heads_up)
    return betting.level * 2


def _next_straddle(now: Situation, done: Outcome, betting: Betting) -> SeatNo:
    """The next player to act after the last straddle, as far as the button; 0 past it.

    Where he sleeps already there is no re-straddle: one a seat, and nobody else is next.
    """
    button = done.found.button
    if betting.capped or len(done.dealt) < 3 or betting.opener == button:
        return 0
    ahead = ring.around(now.count, betting.opener)
    ahead = ahead[: ahead.index(button) + 1]
    due = next((s for s in ahead if s in done.dealt), 0)
    return 0 if due in betting.raised else due


def one_bet_more(house: HouseRules, betting: str) -> bool:
    """Whether a re-straddle adds one bet (with a cap) or doubles what stands (without)."""
    if house.restraddle is not None:
        return house.restraddle == "one_bet"
    return betting in ("limit", "spread")


def antes(now: Situation, done: Outcome) -> list[Due]:
    """Dead money of a tournament: the big blind's for all, or each his own."""
    ante = now.house.ante
    if ante is None:
        return []
    payers = [done.found.big] if ante.by == "big_blind" else done.dealt
    return [(seat_no, "ante", 0, ante.amount) for seat_no in payers]


def collect(now: Situation, done: Outcome, due: list[Due]) -> tuple[Post, ...]:
    """What really goes out: short stacks pay what they have, live before dead; dealing order."""
    dealt = done.dealt
    due = sorted(due, key=lambda item: dealt.index(item[0]) if item[0] in dealt else -1)
    owed: dict[SeatNo, Chips] = {}
    for seat_no, _, live, dead in due:
        owed[seat_no] = owed.get(seat_no, 0) + live + dead
    # What they have whom it takes all in; the others need not be counted.
    left: dict[SeatNo, Chips] = {}
    for seat_no, amount in owed.items():
        stack = now.seats[seat_no].stack
        if stack is not None and stack <= amount:
            left[seat_no] = stack
    if not left:
        return tuple([Post(s, kind, live, dead) for s, kind, live, dead in due])
    lives = [_take(left, seat_no, live) for seat_no, _, live, _ in due]
    deads = [_take(left, seat_no, dead) for seat_no, _, _, dead in due]
    posts = []
    for (seat_no, kind, live, dead), paid, paid_dead in zip(due, lives, deads, strict=True):
        if paid or paid_dead or not (live or dead):
            posts.append(Post(seat_no, kind, paid, paid_dead, seat_no in left))
    return tuple(posts)


def _take(left: dict[SeatNo, Chips], seat_no: SeatNo, amount: Chips) -> Chips:
    if seat_no not in left:
        return amount
    paid = min(left[seat_no], amount)
    left[seat_no] -= paid
    return paid


def to_call(
    dealt: Sequence[SeatNo], posts: Sequence[Post], level: Chips, all_in: Set[SeatNo]
) -> Chips:
    """The nominal bet; the largest that was posted where everybody else is all in."""
    if len(all_in) < len(dealt) - 1:
        return level
    lives: dict[SeatNo, Chips] = dict.fromkeys(all_in, 0)
    for post in posts:
        if post.seat in all_in:
            lives[post.seat] += post.live
    return max(lives.values(), default=level)
