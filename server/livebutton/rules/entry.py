"""New and returning players, and movers: who may be dealt in besides, where, and at what price.

Entrants come in only in the *arc*: after the last big blind posted in turn, before the button.
Whatever an entrant chose except `wait_button`, he posts the big blind when it reaches his seat;
that is the walk's business (`rotation`), and clears what he owes.
"""

import msgspec

from livebutton.rules import ring
from livebutton.rules.dues import position
from livebutton.rules.situation import Move, Situation
from livebutton.rules.table import Chips, Choice, PostKind, Seat, SeatNo, Why


class Entry(msgspec.Struct, gc=False):
    """A post out of turn with which an entrant is dealt in; 0 and 0 is a free hand."""

    seat: SeatNo
    kind: PostKind
    live: Chips
    dead: Chips


def takes_big_in_turn(now: Situation, seat_no: SeatNo) -> bool:
    """Whether an entrant posts the big blind when it reaches his seat (posting-blinds 2)."""
    seat = now.seats[seat_no]
    return (
        now.present[seat_no]
        and seat.standing != "in"
        and not now.house.tournament
        and seat.choice not in ("wait_button", "pass")
    )


def is_short_handed(now: Situation) -> bool:
    """Few enough in the rotation for newcomers to come in free (short-handed)."""
    if not now.house.short_handed:
        return False
    limits = now.house.short_handed_at
    limit = limits.draw if now.family == "draw" else limits.holdem
    few = sum(now.rotates)
    if few <= limit:
        # Who came in between the blinds (pot-limit) is of the rotation, though no position yet.
        few += sum(
            s.button_forfeited and here for s, here in zip(now.seats, now.present, strict=True)
        )
    return few <= limit


def comes_in_free(now: Situation, seat: Seat) -> bool:
    """Whether a new player needs no post: the house, the floor, or the size of the game says so."""
    if seat.standing != "new":
        return False
    return (
        not now.house.new_player_posts
        or seat.free_entry
        or now.free_hands != 0
        or is_short_handed(now)
    )


def is_asked(now: Situation, seat: Seat) -> bool:
    """Whether an entrant who is there has yet to say how (making-up-blinds, new-players)."""
    if seat.barred:
        return False
    if seat.choice and not (seat.choice == "free" and not comes_in_free(now, seat)):
        return False
    if now.drawn or now.house.tournament:
        return False
    return not (seat.standing == "new" and (not now.house.new_player_posts or seat.free_entry))


def price(now: Situation, seat: Seat, choice: Choice) -> tuple[PostKind, Chips, Chips]:
    """What an entrant puts out to come in that way, out of turn: kind, live and dead."""
    chain = now.blinds.chain
    if choice == "straddle":
        return "straddle", 2 * chain[0], 0
    if choice == "buy_button":
        small = chain[-1] if len(chain) > 1 else 0
        return "make_up" if seat.owes else "entry", chain[0], small
    if choice in ("pass", "wait") or now.house.tournament:
        return "entry", 0, 0
    if seat.standing == "new" and comes_in_free(now, seat) and choice in ("", "post", "free"):
        return "entry", 0, 0
    if seat.standing in ("new", "mover") or now.house.makeup == "big_only":
        return "make_up" if seat.owes else "entry", chain[0], 0
    smaller = sum(_owed_amounts(now, seat))
    if seat.owes.big:
        return "make_up", chain[0], smaller
    if now.house.missed_small == "live":
        return "make_up", smaller, 0
    return "make_up", 0, smaller


def _owed_amounts(now: Situation, seat: Seat) -> list[Chips]:
    """The blinds below the big one that a player owes."""
    owed = {"small": seat.owes.small, "middle": seat.owes.middle}
    depths = range(1, len(now.blinds.chain))
    return [now.blinds.chain[d] for d in depths if owed.get(now.blinds.kind(d))]


def dead_beside_big(now: Situation, seat: Seat) -> Chips:
    """What a returning player adds, dead, to a big blind that reaches him in turn.

    A new game's first card clears his debts (new-game).
    """
    is_cleared = now.drawn or now.house.returning_in_big_blind == "cleared"
    if is_cleared or seat.standing != "returning":
        return 0
    return sum(_owed_amounts(now, seat))


def beside(now: Situation, seat: Seat, depth: int) -> Chips:
    """All that a returning player puts out beside a blind of that depth posted in turn."""
    if depth == 0:
        return dead_beside_big(now, seat)
    if seat.standing != "returning" or now.drawn:
        return 0
    _, live, dead = price(now, seat, "post")
    return live + dead


def entries(now: Situation, found: Move) -> tuple[list[Entry], dict[SeatNo, Why]]:
    """The entrants dealt in out of turn, and why each of those present who gets no hand does not.

    Walks from the seat after the last big blind round to it, so that "first after the big blind"
    is known when a straddle asks for it.
    """
    dealt: list[Entry] = []
    held: dict[SeatNo, Why] = {}
    nobody_yet = True
    big, bigs, seats, rotates = found.big, found.bigs, now.seats, now.rotates
    arc = ring.distance(now.count, big, found.button)
    for steps, seat_no in enumerate(ring.around(now.count, big)[:-1], 1):
        seat = seats[seat_no]
        if rotates[seat_no] and seat.standing == "in":
            nobody_yet = False
            continue
        if not now.present[seat_no] or seat_no in bigs:
            continue
        choice, why = _comes_in(now, found, seat_no, steps < arc, nobody_yet)
        if why is not None:
            held[seat_no] = why
            continue
        nobody_yet = False
        if choice is not None:
            dealt.append(Entry(seat_no, *price(now, seat, choice)))
    if big not in bigs and _is_outside(now, big):
        held[big] = "waiting"  # the button is bought, and the big blind does not come
    return dealt, held


def _is_outside(now: Situation, seat_no: SeatNo) -> bool:
    """Whether somebody sits there whom neither the rotation nor a forfeited button deals in."""
    return (
        now.present[seat_no]
        and not now.rotates[seat_no]
        and not now.seats[seat_no].button_forfeited
    )


def _comes_in(
    now: Situation, found: Move, seat_no: SeatNo, in_arc: bool, nobody_yet: bool
) -> tuple[Choice | None, Why | None]:
    """How a player outside the rotation comes in and pays, or why he does not."""
    seat = now.seats[seat_no]
    if seat.button_forfeited:
        return None, "between_blinds" if _button_jumps(now, found, seat_no) else None
    if now.house.tournament:
        if _behind_the_small(now, found, seat_no):
            return None, "between_blinds"
        return None if _posts_small(found, seat_no) else "free", None
    if _posts_small(found, seat_no):
        # He came third to two and posts the small blind in turn: that clears no debt.
        return "post" if seat.standing == "returning" else None, None
    choice = _way_in(now, found, (seat_no, seat.choice), in_arc, nobody_yet)
    return choice, _why_held(now, seat, in_arc) if choice is None else None


def comes_in(
    now: Situation, found: Move, dealt: list[SeatNo], answer: tuple[SeatNo, Choice]
) -> bool:
    """Whether an entrant who gave that answer is dealt in on a hand that was worked out without.

    In doubt False: where the hand would have been another one, had he given it before.
    """
    seat_no, choice = answer
    if not now.present[seat_no]:
        return False
    if seat_no in found.bigs:
        return choice != "wait_button"
    if seat_no in dealt:
        return choice in ("post", "free")
    big = found.big
    place = ring.distance(now.count, big, seat_no)
    in_arc = place < ring.distance(now.count, big, found.button)
    before = dealt if choice == "straddle" else ()
    nobody_yet = all(ring.distance(now.count, big, s) >= place or s == big for s in before)
    return _way_in(now, found, answer, in_arc, nobody_yet) is not None


def _way_in(
    now: Situation, found: Move, answer: tuple[SeatNo, Choice], in_arc: bool, nobody_yet: bool
) -> Choice | None:
    """How an entrant who answers so comes in on this hand, or None when he does not."""
    seat_no, choice = answer
    seat = now.seats[seat_no]
    if seat.barred or seat_no == found.button:
        return None
    if seat.standing == "mover" and choice in ("", "wait"):
        return "wait" if in_arc and seat_no in now.ready else None
    if choice in ("", "free"):
        return "free" if in_arc and comes_in_free(now, seat) else None
    if choice == "post":
        return "post" if in_arc or now.house.entry_between_blinds else None
    if seat_no == found.buyer:
        return "buy_button"
    if not in_arc:
        return None
    if seat.behind_only and choice == "wait_button":
        return "wait_button" if now.hand >= seat.not_before else None
    if choice in ("wait_button", "pass"):
        return choice if button_passes(now, found, seat_no) else None
    if choice == "straddle":
        return "straddle" if nobody_yet and now.house.straddles else None
    return None


def button_passes(now: Situation, found: Move, seat_no: SeatNo) -> bool:
    """Whether the button moves from that seat, or from before it, to a seat after it."""
    return _from_old_button(now, seat_no) < found.advanced


def _button_jumps(now: Situation, found: Move, seat_no: SeatNo) -> bool:
    """Whether the button goes past a seat on this very hand, from before it."""
    return 0 < _from_old_button(now, seat_no) < found.advanced


def _from_old_button(now: Situation, seat_no: SeatNo) -> int:
    assert now.last is not None  # to a first hand nobody comes in
    return ring.distance(now.count, now.last.button, seat_no)


def _posts_small(found: Move, seat_no: SeatNo) -> bool:
    return seat_no in [due for due, _ in found.dues]


def held_out(now: Situation, found: Move) -> list[SeatNo]:
    """Tournaments: the newcomers who get no hand, though everybody with chips is dealt in."""
    posting = [*found.bigs, *[seat_no for seat_no, _ in found.dues]]
    return [
        seat_no
        for seat_no, here in enumerate(now.rotates)
        if here
        and now.seats[seat_no].standing != "in"
        and seat_no not in posting
        and _behind_the_small(now, found, seat_no)
    ]


def _behind_the_small(now: Situation, found: Move, seat_no: SeatNo) -> bool:
    """Tournaments: whether a newcomer sits between the button and the smallest blind's place.

    Heads-up that is the button's own: then only who is in the arc makes it three.
    """
    if found.heads_up:
        return ring.is_between(now.count, found.button, seat_no, found.big)
    places = [position(now, seat_no, depth) for seat_no, depth in found.dues]
    places += [place for place, _ in found.dead]
    before_big = [
        ring.distance(now.count, found.button, place)
        for place in places
        if ring.is_between(now.count, found.button, place, found.big)
    ]
    return 0 < ring.distance(now.count, found.button, seat_no) < min(before_big, default=0)


def _why_held(now: Situation, seat: Seat, in_arc: bool) -> Why:
    if seat.choice in ("post", "free", "straddle", "buy_button"):
        return "waiting" if in_arc else "between_blinds"
    if seat.choice or seat.standing == "mover":
        return "waiting"
    if seat.standing == "returning":
        return "owes"
    return "between_blinds" if comes_in_free(now, seat) else "new"
