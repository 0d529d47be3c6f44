"""Where the button and the blinds go next: the four policies, heads-up, and the first hand.

`move` answers one question: who has the button and who posts a blind *in turn*. It judges nobody
else: who may be dealt in besides is `entry`'s business, and what it all costs is `plan`'s.

The engine of the default policy is one walk (posting-blinds): from the seat after the last big
blind, clockwise, every player met owes a big blind, until the position is reached that is due it.
Everything the rule text works out by example (leaving on the button, leaving on the small blind)
falls out of that walk; there is no special case for it here, and none may be added.
"""

from livebutton.rules import ring
from livebutton.rules.dues import (
    carrier,
    chain_length,
    is_carried,
    next_in_rotation,
    note_absentees,
    settle_dues,
    smallest_place,
)
from livebutton.rules.entry import entries, held_out, takes_big_in_turn
from livebutton.rules.heads_up import growth, heads_up
from livebutton.rules.situation import Move, Situation, copy
from livebutton.rules.table import LastHand, SeatNo


def move(now: Situation) -> Move | None:
    """Button and blinds of the next hand, or None when fewer than two can play."""
    if now.drawn:
        return _first_hand(now)
    rotation = now.rotation()
    if now.last is None or len(rotation) < 2:
        return None
    last = now.last
    if now.put_right:
        return _put_right(now, last, rotation)
    grown = growth(now, last, rotation)
    if grown is not None:
        return _bought(now, last, grown) if now.house.buy_button else grown
    found = _by_policy(now, last, rotation)
    if found is not None and now.house.tournament:
        # Whom the chain holds out is no player of this hand, and makes of two no three.
        now = _without(now, held_out(now, found))
        if now.rotation() != rotation:
            rotation = now.rotation()
            found = _by_policy(now, last, rotation)
    if found is None or (len(rotation) == 2 and _is_two_handed(now, found)):
        return heads_up(now, last, rotation)
    return _bought(now, last, found) if now.house.buy_button else found


def _by_policy(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move | None:
    """What the house's policy makes of it. None where only heads-up can decide."""
    match now.house.button:
        case "simplified":
            return _simplified(now, last, rotation)
        case "dead_button":
            return _dead_button(now, last, rotation)
        case _:
            return _walk(now, last, rotation)


def _without(now: Situation, held: list[SeatNo]) -> Situation:
    """The same without these newcomers, if there is a hand without them."""
    if not held or sum(now.rotates) - len(held) < 2:
        return now
    rest = copy(now)
    for seat_no in held:
        rest.rotates[seat_no] = False
    return rest


def _bought(now: Situation, last: LastHand, found: Move) -> Move:
    """An entrant between the button and the player due the small blind may buy the button.

    He posts both blinds out of turn and nobody posts in turn; the next hand goes on from there.
    """
    due = {seat_no for seat_no, _ in found.dues} - {found.button}
    reach = min((ring.distance(now.count, found.button, seat_no) for seat_no in due), default=0)
    for steps in range(1, reach):
        seat_no = ring.step(now.count, found.button, steps)
        if now.present[seat_no] and now.seats[seat_no].choice == "buy_button":
            return Move(
                found.button,
                advanced=found.advanced,
                rule="making-up-blinds",
                buyer=seat_no,
                last_big=last.big,
            )
    return found


def _is_two_handed(now: Situation, found: Move) -> bool:
    """Whether nobody but the two of the rotation posts in turn, so that heads-up decides.

    A dead button asks who is dealt in: a third who posts to come in keeps the blinds' places.
    """
    if not all(now.rotates[seat_no] for seat_no in found.bigs):
        return False
    if now.house.button != "dead_button" or now.house.tournament:
        return True
    return not entries(now, found)[0]


# -- no_dead_button and moving_button -----------------------------------------------------------


def _walk(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move | None:
    """The walk of posting-blinds 2. None when it comes round without reaching its target."""
    count, rotates = now.count, now.rotates
    button = _next_button(now, last)
    to_button = ring.distance(count, last.button, button) or count
    to_big = ring.distance(count, last.button, last.big)
    chain = chain_length(now, len(rotation))
    found = Move(button, advanced=to_button)
    before = _positions_before(now, last, button, chain)
    reached = before
    entrants = 0
    only_target = now.house.skipped_blinds == "forgiven"
    for steps in range(to_big + 1, to_button + count):
        seat_no = ring.step(count, last.button, steps)
        if rotates[seat_no]:
            found.bigs.append(seat_no)
            if seat_no != button:
                reached += 1
        elif (
            not _is_jumped(now, found, seat_no)
            and takes_big_in_turn(now, seat_no)
            # Where only the target posts, an entrant short of it is held out: no position.
            and (not only_target or reached + 1 >= chain)
        ):
            found.bigs.append(seat_no)
            reached += 1
            entrants += 1
            longer = chain_length(now, len(rotation) + entrants)
            if longer > chain:
                # One blind more is collected: where it is dead its place counts too.
                chain = longer
                reached -= before
                before = _positions_before(now, last, button, chain)
                reached += before
        else:
            found.passed.append(seat_no)
            continue
        # Of two, the other one is all that there is to reach.
        is_only = len(rotation) == 2 and reached == 1 and rotates[seat_no] and seat_no != button
        if reached >= chain or is_only:
            break
    else:
        again = _past_the_button(now, last, found, rotation)
        if again is None:
            return None
        chain = again
    if only_target:
        found.bigs = found.bigs[-1:]
    settle_dues(now, last, found, chain)
    return found


def _next_button(now: Situation, last: LastHand) -> SeatNo:
    """The next of the rotation; nobody has it twice running, not even after a move ahead of it."""
    return next(
        seat_no
        for seat_no in ring.around(now.count, last.button)
        if now.rotates[seat_no] and not now.seats[seat_no].had_button
    )


def _past_the_button(
    now: Situation, last: LastHand, found: Move, rotation: list[SeatNo]
) -> int | None:
    """The walk met nobody on its way to the new button: it starts on the button itself.

    The button posts one too, and the walk goes on to its target. The length of the chain, or None
    where only one player besides the button posts, so that heads-up decides.
    """
    bigs, passed, entrants, reached = [found.button], [], 0, 0
    chain = chain_length(now, len(rotation))
    only_target = now.house.skipped_blinds == "forgiven"
    # The players of the rotation alone reach the target: the walk never comes round.
    for seat_no in ring.around(now.count, found.button):  # pragma: no branch
        if now.rotates[seat_no]:
            reached += 1
            is_only = len(rotation) == 2 and reached == 1
        elif _is_held_place(now, last, seat_no, found.button, chain):
            reached += 1
            passed.append(seat_no)
            continue
        elif (
            not _is_jumped(now, found, seat_no)
            and takes_big_in_turn(now, seat_no)
            and (not only_target or reached + 1 >= chain)
        ):
            reached += 1
            entrants += 1
            longer = chain_length(now, len(rotation) + entrants)
            # One blind more is collected: where it is dead its place counts too.
            for k, sign in ((longer, 1), (chain, -1)):
                held = [s for s in passed if _is_held_place(now, last, s, found.button, k)]
                reached += sign * len(held)
            chain = longer
            is_only = False
        else:
            passed.append(seat_no)
            continue
        bigs.append(seat_no)
        if reached >= chain or is_only:
            break
    if len(rotation) == 2 and not entrants:
        return None
    found.bigs = bigs
    found.passed += passed
    return chain


def _is_jumped(now: Situation, found: Move, seat_no: SeatNo) -> bool:
    """Whether a seat is the new button's, or the button has jumped over it on its way there."""
    assert now.last is not None  # a first hand has no old button
    return 0 < ring.distance(now.count, now.last.button, seat_no) <= found.advanced


def _positions_before(now: Situation, last: LastHand, button: SeatNo, chain: int) -> int:
    """How many positions lie between the new button and the old big blind: not met by the walk.

    A player of the rotation is one, and so is the seat of a blind that is dead or carried.
    """
    count = now.count
    reach = ring.distance(count, last.button, last.big)
    start = ring.distance(count, last.button, button) or count
    between = [ring.step(count, last.button, steps) for steps in range(start + 1, reach + 1)]
    return sum(
        now.rotates[seat_no] or _is_held_place(now, last, seat_no, button, chain)
        for seat_no in between
    )


def _is_held_place(
    now: Situation, last: LastHand, seat_no: SeatNo, button: SeatNo, chain: int
) -> bool:
    """Whether a seat counts as a position for a blind that nobody there posts."""
    return any(
        place.seat == seat_no
        and place.depth + 1 < chain
        and _holds_its_place(now, place.seat, place.depth, button)
        for place in last.places
    )


def _holds_its_place(now: Situation, place: SeatNo, depth: int, button: SeatNo) -> bool:
    """A blind due at that place counts as a position: carried to another seat, or dead.

    A carried one does not where his own seat does, left of the button before it, or where he has
    the button besides (leaving-on-button). A dead one counts only under no_dead_button.
    """
    seat_no = carrier(now, place, depth)
    if is_carried(now, place, depth):
        own = ring.distance(now.count, button, seat_no)
        return own > ring.distance(now.count, button, place)
    is_dead = not now.rotates[seat_no]  # where he is gone that seat is 0: not in the rotation
    return is_dead and now.house.button == "no_dead_button"


# -- dead_button and simplified -----------------------------------------------------------------


def _dead_button(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move:
    """Every blind's place follows the next bigger one's; the big blind goes on to a player."""
    # With a newcomer as the big blind one more is dealt in, and one more blind collected.
    longer, chain = chain_length(now, len(rotation) + 1), chain_length(now, len(rotation))
    found = _followed(now, last, longer)
    if longer == chain or not now.rotates[found.big]:
        return found
    return _followed(now, last, chain)


def _followed(now: Situation, last: LastHand, chain: int) -> Move:
    """Button and a chain of so many blinds."""
    count = now.count
    button = smallest_place(now, last, chain)
    to_button = ring.distance(count, last.button, button)
    found = Move(button, advanced=to_button)
    ahead = ring.around(count, last.big)
    big = next(s for s in ahead if now.rotates[s] or _takes_big(now, found, s))
    found.bigs.append(big)
    found.passed += ahead[: ahead.index(big)]
    settle_dues(now, last, found, chain)
    return found


def _takes_big(now: Situation, found: Move, seat_no: SeatNo) -> bool:
    """Whether an entrant posts the big blind there: the button is not his, nor jumped him."""
    jumped = seat_no == found.button or _is_jumped(now, found, seat_no)
    return not jumped and takes_big_in_turn(now, seat_no)


def _simplified(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move | None:
    """Button and smaller blinds to the next of the rotation, the big one to the next player."""
    # Here to have posted a bigger blind makes nobody due the next: a mover has one to carry only
    # where the plan had given it to him.
    carried = {
        place.depth + 1: place.seat
        for place in last.places
        if is_carried(now, place.seat, place.depth)
        and now.seats[carrier(now, place.seat, place.depth)].carries
    }
    # With a newcomer as the big blind one more is dealt in, and one more blind collected. Where
    # the seat that a mover left leaves no room for the others, it counts for nothing.
    for dealt, moved in (
        (len(rotation) + 1, carried),
        (len(rotation), carried),
        (len(rotation), {}),
    ):
        found = _forward(now, last, chain_length(now, dealt), moved)
        if found is not None and (dealt == len(rotation) or not now.rotates[found.big]):
            note_absentees(now, last, found)
            return found
    return None


def _forward(now: Situation, last: LastHand, chain: int, carried: dict[int, SeatNo]) -> Move | None:
    """Button and a chain of so many blinds, each to the next; None where it comes round.

    `carried` says from which seat a blind of that depth was brought along: the mover posts it,
    and the seat he left keeps its position.
    """
    count = now.count
    button = next_in_rotation(now, last.button)
    found = Move(button, advanced=ring.distance(count, last.button, button) or count)
    seat_no = button
    for depth in range(chain - 1, 0, -1):
        if depth in carried:
            seat_no = carried[depth]
            found.dues.append((carrier(now, seat_no, depth - 1), depth))
            continue
        due = [posts for posts, _ in found.dues]
        ahead = ring.around(count, seat_no)
        seat_no = next(s for s in ahead if now.rotates[s] and (s not in due or s == button))
        if seat_no == button:
            return None
        found.dues.append((seat_no, depth))
    ahead = ring.around(count, seat_no)
    big = next(s for s in ahead if now.rotates[s] or takes_big_in_turn(now, s))
    if big == button:
        return None
    found.bigs.append(big)
    # Who is due both posts the big one now.
    found.dues = [due for due in found.dues if due[0] != big]
    return found


# -- a first hand, and a button put right --------------------------------------------------------


def _first_hand(now: Situation) -> Move | None:
    """A new game: the button was drawn, everyone there is in the rotation (new-game)."""
    players = [seat_no for seat_no in range(1, now.count + 1) if now.present[seat_no]]
    if len(players) < 2:
        return None
    button = now.drawn
    if not now.present[button]:
        button = next(s for s in ring.around(now.count, button) if now.present[s])
    return from_button(now, button, players, "new-game")


def _put_right(now: Situation, last: LastHand, rotation: list[SeatNo]) -> Move:
    """The disc belongs there: blinds as after an ordinary hand (misplaced-button)."""
    button = now.put_right
    # Of two players the button posts the small blind: it does not lie dead.
    may_be_dead = now.house.button == "dead_button" and len(rotation) > 2
    if not now.rotates[button] and not may_be_dead:
        button = next_in_rotation(now, button)
    found = from_button(now, button, rotation, "misplaced-button")
    found.advanced = ring.distance(now.count, last.button, found.button)
    return found


def from_button(now: Situation, button: SeatNo, players: list[SeatNo], rule: str) -> Move:
    """The chain of blinds counted straight from the button, with no memory of a last hand."""
    order = [s for s in ring.around(now.count, button) if s in players and s != button]
    is_heads_up = len(players) == 2 and button in players
    chain = 1 if is_heads_up else min(len(now.blinds.chain), len(order))
    found = Move(button, bigs=[order[chain - 1]], heads_up=is_heads_up, rule=rule)
    if not now.drawn:
        before_big = order[chain - 2] if chain > 1 else button
        found.passed = [
            s
            for s in range(1, now.count + 1)
            if ring.is_between(now.count, before_big, s, found.big)
        ]
    found.dues = [
        (order[depth_from_button], chain - 1 - depth_from_button)
        for depth_from_button in range(chain - 1)
    ]
    if is_heads_up:
        found.dues = [(button, 1)]
    return found
