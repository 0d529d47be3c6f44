"""Sessions that people played, turned into the commands that a dealer would have given.

A recorded session says, hand after hand, who was dealt in and where button and blinds were. What
happened between two hands is what differs: who vanishes and comes back to his chair before
another takes it sat out, otherwise he left; an entry post means that he chose to post; a newcomer
in the big blind waited for it. Two things the posts themselves give away: who pays for blinds
missed before the record begins was away when it began, and who comes back free although the
blinds have passed him, where newcomers come free, had left and is a newcomer.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Literal

import msgspec

from livebutton.rules.house import preset
from livebutton.rules.ring import distance, is_between

Command = dict[str, Any]
PostKind = Literal["sb", "bb", "dead", "sb+bb", "straddle"]

# Amounts are in the site's money; ours are its hundredths.
UNITS = 100
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "PokerStars": ("pokerstars", {}),
    "PokerNow": ("pokernow", {}),
    "Bovada": ("las-vegas", {"missed_small": "live", "short_handed": False}),
    "iPoker": ("pokerstars", {}),
    "GGPoker": ("pokerstars", {}),
    "Full Tilt": ("las-vegas", {}),
}
BETTING = {"NL": "no_limit", "PL": "pot_limit", "FL": "limit", "SL": "spread"}


class RecordedPost(msgspec.Struct, frozen=True):
    """Money put out before the deal; `entry`: out of turn."""

    seat: int
    kind: PostKind
    amount: float
    entry: bool = False


class RecordedHand(msgspec.Struct, frozen=True):
    """One hand: `seats` are [seat, player] of those dealt in, [seat, player, "out"] of others."""

    blinds: tuple[float, float]
    seats: list[list[int | str | None]]
    dealt: list[int]
    bb: int
    posts: list[RecordedPost]
    first: int
    button: int | None = None
    button_dead: bool = False
    sb: int | None = None
    link: str = ""


class RecordedSession(msgspec.Struct, frozen=True):
    """Hands in a row at one table of one site."""

    site: str
    hands: list[RecordedHand]
    max_seats: int | None = None
    limit: str = "NL"
    game: str = "holdem"


class Expectation(msgspec.Struct, frozen=True):
    """What the hand just dealt was like on the site. Seats; amounts in the smallest unit.

    `button` None: on an empty seat. `small` None: dead. `entries`: seat = (live, dead) of what was
    posted out of turn. `dealt` in seat order. `hand` counts the session's hands from 0.
    """

    hand: int
    button: int | None
    small: int | None
    big: int
    entries: dict[int, tuple[int, int]]
    straddles: dict[int, int]
    dealt: tuple[int, ...]
    first: int


class Chair(msgspec.Struct, frozen=True):
    """Who holds a seat, and whether he sits out."""

    player: str
    sitting_out: bool = False


Chairs = dict[int, Chair]
Step = Command | Expectation


def commands_of(session: Mapping[str, Any], *, table: str = "", name: str = "") -> Iterator[Step]:
    """The whole session as commands, each hand's expectation right after its `deal`.

    The first hand with a button is where the game is taken over (`adopt_game`): it is not dealt.
    Every command but `choose` is to be accepted; a `choose` may be refused where the house rules
    have no question for that player. Raises msgspec.ValidationError for what is no session.
    """
    recorded = recorded_session(session)
    start = next(i for i, hand in enumerate(recorded.hands) if hand.button is not None)
    yield open_table(recorded, table=table, name=name or recorded.site)
    away = _away_from_the_start(recorded, start)
    chairs: Chairs = {}
    for seat, player in players(recorded, start).items():
        chairs[seat] = Chair(player)
        yield take_seat(seat, player)
    for seat, (player, _) in away.items():
        chairs[seat] = Chair(player, sitting_out=True)
        yield take_seat(seat, player)
        yield {"type": "sit_out", "seat": seat}
    owes = {str(seat): owed for seat, (_, owed) in away.items()}
    yield _taken_over(recorded.hands[start], owes)
    for index in range(start + 1, len(recorded.hands)):
        if _is_hand_missing(recorded, index):
            yield from ({"type": kind} for kind in ("shuffle", "deal", "end_hand"))
        commands, chairs = before_hand(recorded, index, chairs)
        yield from commands
        yield {"type": "shuffle"}
        yield {"type": "deal"}
        yield expectation(recorded, index)
        yield {"type": "end_hand"}


def recorded_session(session: Mapping[str, Any]) -> RecordedSession:
    """A session from its map, every player with a name of his own."""
    recorded = msgspec.convert(session, RecordedSession)
    if not recorded.hands:
        raise msgspec.ValidationError("a session without hands")
    return recorded


def open_table(session: RecordedSession, *, table: str, name: str) -> Command:
    """The command that opens a table for this session, under its site's preset."""
    rules, house = _house_of(session)
    game = {"family": session.game, "betting": BETTING[session.limit]}
    command: Command = {
        "type": "open_table",
        "name": name,
        "seats": _seats(session),
        "rules": rules,
        "stakes": stakes(session.hands[0]),
        "game": game,
    }
    if table:
        command["table"] = table
    if house:
        command["house"] = house
    return command


def stakes(hand: RecordedHand) -> dict[str, int]:
    """A hand's blinds in the smallest unit."""
    small, big = hand.blinds
    return {"small": _units(small), "big": _units(big)}


def take_seat(seat: int, player: str, name: str = "") -> Command:
    """The command that seats a player."""
    command: Command = {"type": "take_seat", "seat": seat, "player": player}
    if name:
        command["name"] = name
    return command


def players(session: RecordedSession, index: int) -> dict[int, str]:
    """Who was dealt in, by seat. Without names, a chair that stays filled is one person."""
    named: dict[int, str] = {}
    for seat, player, *rest in session.hands[index].seats:
        assert isinstance(seat, int)
        if "out" not in rest:
            named[seat] = str(player) if player is not None else _nameless(session, index, seat)
    return named


def before_hand(
    session: RecordedSession, index: int, chairs: Mapping[int, Chair]
) -> tuple[list[Command], Chairs]:
    """What was said between the hand before and this one, and who then holds which chair.

    `chairs` is how the table is now, which need not be what the session would have left.
    """
    wanted = players(session, index)
    after: Chairs = {}
    goes: list[Command] = []
    comes: list[Command] = []
    entrants: set[int] = set()
    for seat, chair in sorted(chairs.items()):
        if wanted.get(seat) == chair.player:
            after[seat] = Chair(chair.player)
            if chair.sitting_out:
                comes.append({"type": "sit_in", "seat": seat})
                entrants.add(seat)
        elif seat not in wanted and _comes_back(session, index, seat, chair.player):
            after[seat] = Chair(chair.player, sitting_out=True)
            if not chair.sitting_out:
                goes.append({"type": "sit_out", "seat": seat})
        else:
            goes.append({"type": "leave", "seat": seat})
    for seat, player in sorted(wanted.items()):
        if seat not in after:
            after[seat] = Chair(player)
            comes.append(take_seat(seat, player))
            entrants.add(seat)
    return [
        *goes,
        *_stakes_changed(session, index),
        *comes,
        *_wishes(session, index, entrants),
    ], after


def expectation(session: RecordedSession, index: int) -> Expectation:
    """What the site did in this hand."""
    hand = session.hands[index]
    entries: dict[int, tuple[int, int]] = {}
    straddles: dict[int, int] = {}
    for post in hand.posts:
        if post.kind == "straddle":
            straddles[post.seat] = _units(post.amount)
        elif post.entry:
            live, dead = entries.get(post.seat, (0, 0))
            more_live, more_dead = _live_and_dead(session, hand, post)
            entries[post.seat] = (live + more_live, dead + more_dead)
    return Expectation(
        hand=index,
        button=hand.button,
        small=hand.sb,
        big=hand.bb,
        entries=entries,
        straddles=straddles,
        dealt=tuple(sorted(hand.dealt)),
        first=hand.first,
    )


def _taken_over(hand: RecordedHand, owes: dict[str, dict[str, bool]]) -> Command:
    command: Command = {"type": "adopt_game", "button": hand.button, "big": hand.bb}
    if hand.sb is not None:
        command["small"] = hand.sb
    if owes:
        command["owes"] = owes
    return command


def _away_from_the_start(
    session: RecordedSession, start: int
) -> dict[int, tuple[str, dict[str, bool]]]:
    """Who must have been sitting out when the record begins, by seat, and what he owed.

    A newcomer owes no small blind: who is seen for the first time and puts a dead one out has
    missed it before. His chair has to be free until then.
    """
    away: dict[int, tuple[str, dict[str, bool]]] = {}
    used = set(players(session, start))
    seen = set(players(session, start).values())
    for index in range(start + 1, len(session.hands)):
        hand = session.hands[index]
        dead = {post.seat for post in hand.posts if post.entry and post.kind != "bb"}
        live = {post.seat for post in hand.posts if post.kind in ("bb", "sb+bb")}
        for seat, player in players(session, index).items():
            if seat in dead and player not in seen and seat not in used:
                owed = {"big": True, "small": True} if seat in live else {"small": True}
                away[seat] = (player, owed)
            seen.add(player)
            used.add(seat)
    return away


def _stakes_changed(session: RecordedSession, index: int) -> list[Command]:
    if index and session.hands[index].blinds != session.hands[index - 1].blinds:
        return [{"type": "set_stakes", "stakes": stakes(session.hands[index])}]
    return []


def _wishes(session: RecordedSession, index: int, entrants: set[int]) -> list[Command]:
    """What those who come in have chosen, and the straddles."""
    hand = session.hands[index]
    posters = {post.seat for post in hand.posts if post.entry}
    wishes: list[Command] = []
    for seat in sorted(entrants | posters):
        if seat == hand.bb:
            wishes.append({"type": "choose", "seat": seat, "choice": "wait_big_blind"})
        elif seat in posters:
            wishes.append({"type": "choose", "seat": seat, "choice": "post"})
    straddlers = [post.seat for post in hand.posts if post.kind == "straddle"]
    return wishes + [{"type": "straddle", "seat": seat} for seat in straddlers]


def _comes_back(session: RecordedSession, index: int, seat: int, player: str) -> bool:
    """Whether he who is not dealt in now keeps his chair and will be dealt in there again."""
    for later in range(index + 1, len(session.hands)):
        dealt = players(session, later)
        if seat in dealt:
            return dealt[seat] == player and not _came_free(session, index, later, seat)
        if player in dealt.values():
            return False
    return False


def _came_free(session: RecordedSession, gone: int, back: int, seat: int) -> bool:
    """Whether he came back for nothing though he had missed a blind: as newcomers may."""
    is_free = all(post.seat != seat for post in session.hands[back].posts if post.entry)
    newcomers_are_free = not preset(_house_of(session)[0]).new_player_posts
    return is_free and newcomers_are_free and _has_missed(session, gone, back, seat)


def _has_missed(session: RecordedSession, gone: int, back: int, seat: int) -> bool:
    """Whether a blind went past the seat in the hands from `gone` to before `back`."""
    count = _seats(session)
    bigs = [session.hands[index].bb for index in range(max(0, gone - 1), back)]
    # Who posted the big blind and was gone on the next hand has missed the small one.
    return bigs[0] == seat or any(
        is_between(count, before, seat, after) for before, after in pairwise(bigs)
    )


def _is_hand_missing(session: RecordedSession, index: int) -> bool:
    """Whether a hand was dealt before this one that the record lacks.

    The same players, and both button and big blind went on by two of them.
    """
    before, hand = session.hands[index - 1], session.hands[index]
    ring = sorted(hand.dealt)
    if players(session, index - 1) != players(session, index) or len(ring) < 3:
        return False
    if before.button is None or hand.button is None:
        return False
    if not {before.button, hand.button} <= set(ring):
        return False
    moves = ((before.button, hand.button), (before.bb, hand.bb))
    return all(distance(len(ring), ring.index(a), ring.index(b)) == 2 for a, b in moves)


def _nameless(session: RecordedSession, index: int, seat: int) -> str:
    first = index
    while first and seat in session.hands[first - 1].dealt:
        first -= 1
    return f"seat {seat} since {first + 1}"


def _live_and_dead(
    session: RecordedSession, hand: RecordedHand, post: RecordedPost
) -> tuple[int, int]:
    """How an entry post splits: a small one is dead, but where the house says live."""
    amount = _units(post.amount)
    is_small_live = _house_of(session)[1].get("missed_small") == "live"
    if post.kind == "bb" or (is_small_live and post.kind != "dead"):
        return amount, 0
    live = min(amount, _units(hand.blinds[1])) if post.kind == "sb+bb" else 0
    return live, amount - live


def _seats(session: RecordedSession) -> int:
    return session.max_seats or max(seat for hand in session.hands for seat in hand.dealt)


def _house_of(session: RecordedSession) -> tuple[str, dict[str, Any]]:
    """The preset of the session's site, and what differs from it there."""
    try:
        return PRESETS[session.site]
    except KeyError:
        raise msgspec.ValidationError(f"no house rules are known for {session.site!r}") from None


def _units(amount: float) -> int:
    return round(amount * UNITS)
