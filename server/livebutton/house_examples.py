"""Hands that show what a house rule does: one situation, played by the engine under two houses."""

from collections.abc import Sequence
from typing import Any

import msgspec

from livebutton.rules.commands import OpenTable, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.house import HouseRules
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import HandPlan, Post, SeatNo, Table

Fields = dict[str, Any]

# Kinds that come out of turn, and how a seat that posts one is said to.
_OUT_OF_TURN = ("make_up", "entry")
_RAISES = ("straddle", "sleeper")
_COUNTS = (
    "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
)  # fmt: skip
_GAMES = {"holdem": "hold'em", "draw": "draw"}


class Situation(msgspec.Struct, frozen=True):
    """Players, what happens after their first hand, and how many hands to look at then.

    `said` tells it in words; the first hand (button 1) is played before `steps` unless there
    are none of it (`opens`: the situation is about the first hand itself).
    """

    said: str
    players: Sequence[SeatNo]
    steps: Sequence[Fields] = ()
    hands: int = 1
    opens: bool = False
    family: str = "holdem"


def _do(kind: str, seat: SeatNo | None = None, **fields: Any) -> Fields:
    return {"type": kind} | ({} if seat is None else {"seat": seat}) | fields


# A hand between the steps of a situation.
_HAND: Sequence[Fields] = (_do("shuffle"), _do("deal"), _do("end_hand"))


def _newcomer(count: int, family: str = "holdem") -> Situation:
    """A newcomer beyond the big blind of a game with so many players."""
    return Situation(
        f"{_COUNTS[count - 2]} play {_GAMES[family]}; a newcomer sits down in seat {count + 2}",
        range(1, count + 1),
        (_do("take_seat", count + 2, player="newcomer"),),
        family=family,
    )


def _away(*after: Fields, said: str, hands: int = 1) -> Situation:
    """Four play; seat 4 misses his blinds, and is back two hands before his big blind."""
    steps = (_do("sit_out", 4), *_HAND, *_HAND, _do("sit_in", 4), *after)
    return Situation(
        f"Four play; seat 4 is away for his blinds, comes back, {said}", range(1, 5), steps, hands
    )


def _gone(seat: SeatNo, players: Sequence[SeatNo], said: str, hands: int = 1) -> Situation:
    return Situation(said, players, (_do("leave", seat),), hands)


def _straddles(last: SeatNo) -> Situation:
    steps = tuple(_do("straddle", seat) for seat in range(4, last + 1))
    who = "seat 4 straddles" if last == 4 else f"seats 4 to {last} straddle, one after the other"
    return Situation(
        f"Twelve play; {who}",
        range(1, 13),
        (_do("shuffle"), *steps),
        opens=True,
    )


def _moves(seat: SeatNo, to: SeatNo, count: int) -> Situation:
    return Situation(
        f"{_COUNTS[count - 2]} play; seat {seat} moves to seat {to}",
        range(1, count + 1),
        (_do("change_seat", seat, to=to),),
        hands=2,
    )


_SIX = range(1, 7)
_BETWEEN = (1, 2, 4, 5, 6, 7, 8)
_SITS_BETWEEN = _do("take_seat", 3, player="newcomer")

# Field -> situations in which it shows; the first that comes out differently is told.
SITUATIONS: dict[str, tuple[Situation, ...]] = {
    "button": (_gone(3, _SIX, "Six play; seat 3, who is due the small blind, leaves", hands=2),),
    "skipped_blinds": (_gone(2, _SIX, "Six play; seat 2, who is due the button, leaves"),),
    "makeup": (_away(_do("choose", 4, choice="post"), said="and posts"),),
    "missed_small": (
        Situation(
            "Six play; seat 3 is away for his small blind, comes back, and posts",
            _SIX,
            (_do("sit_out", 3), *_HAND, _do("sit_in", 3), _do("choose", 3, choice="post")),
            hands=2,
        ),
    ),
    "returning_in_big_blind": (
        _away(
            _do("choose", 4, choice="wait_big_blind"), said="and waits for the big blind", hands=2
        ),
    ),
    "new_player_posts": (_newcomer(6),),
    "new_game_free_hands": (_newcomer(6),),
    "short_handed": (_newcomer(5), _newcomer(4, "draw")),
    "short_handed_at": tuple(
        _newcomer(count, family) for family in ("holdem", "draw") for count in range(2, 13)
    ),
    "heads_up_shrink": tuple(
        _gone(seat, (1, 3, 5), f"Three play, in seats 1, 3 and 5; seat {seat} leaves")
        for seat in (1, 3, 5)
    ),
    "heads_up_growth": tuple(
        Situation(
            f"Two play, in seats 1 and 5; a third sits down in seat {seat}",
            (1, 5),
            (_do("take_seat", seat, player="newcomer"),),
        )
        for seat in (6, 3)
    ),
    "short_stack": (
        Situation(
            "Six play; seat 4, who is due the big blind, has 7 left",
            _SIX,
            (_do("set_stack", 4, stack=7),),
        ),
    ),
    "blinds": (Situation("Six play their first hand", _SIX, opens=True),),
    "entry_between_blinds": (
        Situation(
            "Seven play; a newcomer sits down in seat 3, before the small blind, and posts",
            _BETWEEN,
            (_SITS_BETWEEN, _do("choose", 3, choice="post")),
        ),
    ),
    "buy_button": (
        Situation(
            "Seven play; a newcomer sits down in seat 3 and wants to buy the button",
            _BETWEEN,
            (_SITS_BETWEEN, _do("choose", 3, choice="buy_button")),
            hands=2,
        ),
    ),
    "straddles": (_straddles(4),),
    "straddle_cap": tuple(_straddles(last) for last in range(4, 13)),
    "restraddle": (_straddles(5), _straddles(8)),
    "seat_change": (_moves(5, 8, 7), _moves(7, 9, 7), _moves(5, 9, 8)),
    "misplaced_after_deal": (
        Situation(
            "Six play; in hand 2 one has acted when the button turns out to belong to seat 3",
            _SIX,
            (_do("shuffle"), _do("deal"), _do("correct_button", button=3, acted=1)),
        ),
    ),
    "tournament": (
        Situation(
            "Six play; seat 4, who is due the big blind, is away", _SIX, (_do("sit_out", 4),)
        ),
    ),
    "ante": (Situation("Six play their first hand", _SIX, opens=True),),
    "betting": (_straddles(5), _straddles(8)),
}


def outcome(house: HouseRules, situation: Situation) -> list[str]:
    """What comes of the situation under those house rules, a sentence for each hand or refusal.

    The table has twelve seats or more, and blinds of 5 and 10.
    """
    table = _opened(house, situation)
    said: list[str] = []
    for fields in situation.steps if situation.opens else (*_HAND, *situation.steps):
        try:
            table = _next(table, fields)
        except Refused as refused:
            said.append(f"refused: {refused.message}")
    for _ in range(situation.hands):
        if table.play.phase == "in_hand":
            table = _next(table, _do("end_hand"))
        planned = plan(table)
        said.append(told(planned))
        if planned.none is not None:
            break
        for fields in _HAND if table.play.phase == "between_hands" else _HAND[1:]:
            table = _next(table, fields)
    return said


def _opened(house: HouseRules, situation: Situation) -> Table:
    """A table of that house on which everyone is seated and the button is drawn: seat 1."""
    opening: Fields = {
        "type": "open_table",
        "name": "example",
        "seats": max(12, *situation.players) + 2,
        "rules": "caro-cooke",
        "stakes": {"small": 5, "big": 10},
        "game": situation.family,
        "house": msgspec.to_builtins(house),
    }
    table = _next(None, opening)
    for seat in situation.players:
        table = _next(table, _do("take_seat", seat, player=f"player {seat}"))
    return _next(table, _do("start_game", button=situation.players[0]))


def _next(table: Table | None, fields: Fields) -> Table:
    command = decode_command(fields)
    before = None if isinstance(command, OpenTable) else table
    return record(before, command, decide(before, command))


def told(hand: HandPlan) -> str:
    """A plan in words: "hand 2: button 2, small 3, big 4; seat 8 comes in with 10"."""
    if hand.none is not None:
        return f"no hand: {hand.none.text}"
    in_turn = [f"button {hand.button}"]
    for kind in ("button", "behind", "small", "middle", "big"):
        posts = [post for post in hand.posts if post.kind == kind]
        name = {"button": "button blind", "behind": "blind behind the button"}.get(kind, kind)
        if posts:
            in_turn.append(f"{name} {' and '.join(_amounts(post) for post in posts)}")
    parts = [", ".join(in_turn)]
    parts += [f"dead {blind.kind} at seat {blind.seat}" for blind in hand.dead_blinds]
    parts += [_entry(post) for post in hand.posts if post.kind in _OUT_OF_TURN]
    raises = [post for post in hand.posts if post.kind in _RAISES]
    if raises:
        parts += [f"{post.kind} of {post.live} from seat {post.seat}" for post in raises]
        parts.append(f"{hand.to_call} to call, seat {hand.first_to_act} opens")
    parts += _antes(hand)
    parts += [f"seat {out.seat} gets no hand" for out in hand.not_dealt]
    return f"hand {hand.hand}: {'; '.join(parts)}"


def _antes(hand: HandPlan) -> list[str]:
    posts = [post for post in hand.posts if post.kind == "ante"]
    if len(posts) == len(hand.dealt) and len({post.dead for post in posts}) == 1:
        return [f"ante {posts[0].dead} from everyone"]
    return [f"ante {post.dead} from seat {post.seat}" for post in posts]


def _amounts(post: Post) -> str:
    """Seat and amount of a blind: "4 (10)", with what is dead beside it."""
    beside = f" and {post.dead} dead" if post.dead else ""
    return f"{post.seat} ({post.live}{beside})"


def _entry(post: Post) -> str:
    if not post.live and not post.dead:
        return f"seat {post.seat} comes in free"
    prices = [f"{post.live} live"] if post.live else []
    prices += [f"{post.dead} dead"] if post.dead else []
    return f"seat {post.seat} comes in with {' and '.join(prices)}"
