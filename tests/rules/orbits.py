"""What must hold from one hand to the next, over a walk: the fairness that the policies promise.

The exceptions are those that the rules state, and no others.
"""

from collections.abc import Iterable, Iterator

import msgspec

from livebutton.rules.table import HandPlan, Seat, Table
from tests.rules.walker import Step

# What starts the rotation anew, so that nothing is owed to the hand before.
FRESH = frozenset({"start_game", "adopt_game", "correct_button", "misdeal"})


class Dealt(msgspec.Struct):
    """One hand as it was dealt, with what was commanded since the one before it."""

    hand: HandPlan
    seats: tuple[Seat, ...]
    after: Table
    between: set[str]
    moved: set[str]
    left: set[str]

    def player(self, seat_no: int) -> str:
        return self.seats[seat_no - 1].player if seat_no else ""

    def players(self, seats: Iterable[int]) -> set[str]:
        return {self.player(seat_no) for seat_no in seats}

    def posters(self, kind: str) -> set[str]:
        return self.players(post.seat for post in self.hand.posts if post.kind == kind)

    def dealt(self) -> set[str]:
        return self.players(self.hand.dealt)

    def seat_of(self, player: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.player == player), None)

    def newcomers(self) -> set[str]:
        """The players dealt in who were not in the rotation before this hand."""
        return {p for p in self.dealt() if (seat := self.seat_of(p)) and seat.standing != "in"}

    def is_first(self) -> bool:
        return self.hand.rulings[0].rule == "new-game"


def hands(steps: Iterable[Step]) -> Iterator[list[Dealt]]:
    """The hands dealt so far, each time one more was dealt; what was undone or void is gone."""
    dealt: list[Dealt] = []
    between: set[str] = set()
    moved: set[str] = set()
    left: set[str] = set()
    for step in steps:
        if step.refused is not None or step.before is None:
            continue
        kind = step.fields["type"]
        between.add(kind)
        if kind == "change_seat":
            mover = step.before.seat(step.fields["seat"]).player
            moved.add(mover)
            if step.before.house.seat_change == "as_new_player":
                left.add(mover)
        elif kind == "leave":
            left.add(step.before.seat(step.fields["seat"]).player)
        elif kind == "deal":
            hand = step.after.play.plan
            assert hand is not None
            while dealt and dealt[-1].hand.hand >= hand.hand:
                undone = dealt.pop()
                between, moved, left = (
                    between | undone.between,
                    moved | undone.moved,
                    left | undone.left,
                )
            dealt.append(Dealt(hand, step.before.seats, step.after, between, moved, left))
            between, moved, left = set(), set(), set()
            yield dealt


def unfair(dealt: list[Dealt]) -> Iterator[str]:
    """What the last two hands break, under the policies without a dead button."""
    if len(dealt) < 2:
        return
    before, now = dealt[-2], dealt[-1]
    if now.between & FRESH or now.is_first():
        return
    few = min(len(before.hand.dealt), len(now.hand.dealt))
    if few >= 3:
        yield from _button(before, now)
    if few >= 4:
        yield from _first_to_act(before, now)


def _button(before: Dealt, now: Dealt) -> Iterator[str]:
    button = now.hand.button
    player = now.player(button)
    if button not in now.hand.dealt:
        yield f"the button lies on seat {button}, which is not dealt in"
    elif player in now.newcomers():
        yield f"the button lies with {player}, who is not in the rotation"
    if player == before.player(before.hand.button):
        yield f"{player} has the button twice running"


def _first_to_act(before: Dealt, now: Dealt) -> Iterator[str]:
    first = now.player(now.hand.first_to_act)
    straddled = any(post.kind == "straddle" for post in before.hand.posts)
    came_in = now.dealt() - (before.dealt() - now.left)
    if straddled or now.moved or came_in:
        return
    if first == before.player(before.hand.first_to_act):
        yield f"{first} is first to act twice running"


def unpaid(dealt: list[Dealt]) -> Iterator[str]:
    """Each big blind in turn is followed by that player's small one, or he owes it."""
    if len(dealt) < 3:
        return
    first, now, later = dealt[-3:]
    if (now.between | later.between) & FRESH or now.is_first() or later.is_first():
        return
    if min(len(d.hand.dealt) for d in (first, now, later)) < 3:
        return
    for player in first.posters("big") - now.left:
        if player in now.posters("small"):
            continue
        if player in now.posters("big"):
            if player not in later.posters("small") | later.left and _was_there(later, player):
                yield f"{player} was due both blinds and never posted the small one"
        elif _was_there(now, player):
            yield f"{player} posted a big blind and no small one after it"
        elif not _owes(now, player):
            yield f"{player} was away for his small blind and owes nothing"


def _was_there(now: Dealt, player: str) -> bool:
    return player in now.dealt()


def _owes(now: Dealt, player: str) -> bool:
    seat = next((seat for seat in now.after.seats if seat.player == player), None)
    return seat is not None and seat.owes.small


def let_in_between(now: Dealt) -> Iterator[str]:
    """Entrants dealt in between the button and the big blind without a big blind in turn."""
    if now.is_first():
        return
    bigs = [post.seat for post in now.hand.posts if post.kind == "big"]
    order = now.hand.dealt
    if not bigs or now.hand.button not in order:
        return
    last_big = max(order.index(seat) for seat in bigs if seat != now.hand.button or len(bigs) == 1)
    for seat_no in order[:last_big]:
        if now.player(seat_no) in now.newcomers() and seat_no not in bigs:
            yield f"{now.player(seat_no)} is let in between the button and the big blind"
