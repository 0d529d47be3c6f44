"""A table of bots: people who come late, go out to eat, come back, owe, ask, straddle and leave."""

from collections.abc import Iterator, Mapping
from typing import Any

from livebutton.demo.dealing import HAND_S, PUSH_POT_S, Wish, deal, end_hand, say, say_all
from livebutton.demo.names import NAMES
from livebutton.demo.pace import Pace
from livebutton_client import FollowedTable

View = Mapping[str, Any]
# How often, for each hand: of every player, or of the table.
LEAVES, SITS_OUT, COMES_BACK, GIVES_UP_HIS_SEAT = 0.015, 0.04, 0.25, 0.02
JOINS, MOVES, STRADDLES, MISDEALS = 0.3, 0.02, 0.06, 0.01
ANSWERS, POSTS, AT_THE_BIG_BLIND = 0.7, 0.5, 0.4
FEWEST = 4
# Parts of a hand in which people may go, come and answer.
PARTS = 3


async def play(table: FollowedTable, pace: Pace) -> None:
    """Play for ever, beginning from wherever the table stands."""
    while table.view["phase"] != "closed":
        await end_hand(table)
        if table.view["phase"] == "no_game":
            await say_all(table, first_players(table.view, pace), pace)
            await say(table, {"type": "start_game"})
        await say_all(table, between_hands(table.view, pace), pace)
        if not await deal(table, pace):
            await say_all(table, more_players(table.view), pace)
            await say(table, {"type": "start_game"})
            continue
        await _hand(table, pace)
        await pace.take(*PUSH_POT_S)


async def _hand(table: FollowedTable, pace: Pace) -> None:
    for _ in range(PARTS):
        await pace.take(HAND_S[0] / PARTS, HAND_S[1] / PARTS)
        await say_all(table, in_a_hand(table.view, pace), pace)
    if pace.happens(MISDEALS):
        await say(table, {"type": "misdeal"})
    await end_hand(table)


def first_players(view: View, pace: Pace) -> Iterator[Wish]:
    """Enough people for a game."""
    wanted = pace.chance.randint(FEWEST + 1, view["seat_count"] - 1)
    for name, seat in zip(strangers(view, pace), empty_seats(view)[:wanted], strict=False):
        yield arrival(name, seat)


def more_players(view: View) -> Iterator[Wish]:
    """Everybody back from his break, for want of a hand."""
    for seat, player in sorted(seated(view).items()):
        if player.get("sitting_out"):
            yield {"type": "sit_in", "seat": seat}


def between_hands(view: View, pace: Pace) -> Iterator[Wish]:
    """What people say between two hands: come, go, move, straddle."""
    players = seated(view)
    present = [seat for seat, player in players.items() if not player.get("sitting_out")]
    if len(present) > FEWEST:
        yield from ({"type": "leave", "seat": seat} for seat in present if pace.happens(LEAVES))
    for seat, player in players.items():
        if player.get("sitting_out") and pace.happens(GIVES_UP_HIS_SEAT):
            yield {"type": "leave", "seat": seat}
    free = empty_seats(view)
    if free and (len(present) < FEWEST or pace.happens(JOINS)):
        name = next(strangers(view, pace))
        yield arrival(name, pace.chance.choice(free))
    for offer in view.get("allowed", ()):
        if offer["type"] == "change_seat" and pace.happens(MOVES):
            to = pace.chance.choice(offer["to"])
            yield {"type": "change_seat", "seat": offer["seat"], "to": to}
        elif offer["type"] == "straddle" and pace.happens(STRADDLES):
            yield {"type": "straddle", "seat": offer["seat"]}
    yield from in_a_hand(view, pace)


def in_a_hand(view: View, pace: Pace) -> Iterator[Wish]:
    """What people may say at any time: out, back, and what they choose when they are asked."""
    players = seated(view)
    present = [seat for seat, player in players.items() if not player.get("sitting_out")]
    if len(present) > FEWEST:
        for seat in present:
            if pace.happens(SITS_OUT / PARTS):
                at = "next_big_blind" if pace.happens(AT_THE_BIG_BLIND) else "now"
                yield {"type": "sit_out", "seat": seat, "at": at}
    for seat, player in players.items():
        if player.get("sitting_out") and pace.happens(COMES_BACK / PARTS):
            yield {"type": "sit_in", "seat": seat}
    for question in view.get("plan", {}).get("questions", ()):
        # The plan of a hand being played still has the questions that were open before it.
        is_open = "choice" not in players.get(question["seat"], {"choice": "gone"})
        if is_open and pace.happens(ANSWERS):
            yield answer(question, pace)


def answer(question: Mapping[str, Any], pace: Pace) -> Wish:
    """One of the answers that are open: the quick ones cost money, and some people wait."""
    offers = question["choices"]
    quick = [offer["choice"] for offer in offers if offer.get("hands", 0) == 0]
    every = [offer["choice"] for offer in offers]
    choice = pace.chance.choice(quick if quick and pace.happens(POSTS) else every)
    return {"type": "choose", "seat": question["seat"], "choice": choice}


def arrival(name: str, seat: int) -> Wish:
    """Somebody sits down."""
    return {"type": "take_seat", "seat": seat, "player": name.lower(), "name": name}


def strangers(view: View, pace: Pace) -> Iterator[str]:
    """Names of people who are not at this table, in no order."""
    known = {player["player"] for player in seated(view).values()}
    names = [name for name in NAMES if name.lower() not in known]
    pace.chance.shuffle(names)
    return iter(names)


def seated(view: View) -> dict[int, Mapping[str, Any]]:
    """The seats that somebody holds."""
    return {int(number): seat for number, seat in view.get("seats", {}).items() if "player" in seat}


def empty_seats(view: View) -> list[int]:
    """The seats that anybody may take."""
    seats = view.get("seats", {})
    known = {number: seats.get(str(number), {}) for number in range(1, view["seat_count"] + 1)}
    return [
        number for number, seat in known.items() if "player" not in seat and "held_for" not in seat
    ]
