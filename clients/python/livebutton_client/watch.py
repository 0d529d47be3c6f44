"""A table in the terminal, live: who sits where, has the button, posts and owes, and why."""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from livebutton_client.connection import Connection
from livebutton_client.copy_of_table import Freshness
from livebutton_client.following import FollowedTable
from livebutton_client.messages import View
from livebutton_client.position import StreamPosition
from livebutton_client.token import Token

LOOK_S = 0.5
CLEAR = "\x1b[H\x1b[2J"
POST_WORDS = {
    "small": "Small",
    "middle": "Middle",
    "big": "Big",
    "button": "Button blind",
    "behind": "Behind the button",
    "make_up": "Makes up",
    "entry": "Enters",
    "straddle": "Straddle",
    "sleeper": "Sleeper",
    "ante": "Ante",
}
MARK_WORDS = {
    "missed_blind": "Missed big+small",
    "missed_little_blind": "Missed small",
    "absent": "Absent",
    "lock_up": "Held",
}
NOT_LIVE = {"stale": "NOT LIVE: the server is not heard", "unknown": "NOT LIVE: use the discs"}


async def watch(url: str, token: Token, table: str, out: TextIO) -> None:
    """Show a table until it is interrupted. On a terminal it is redrawn, else appended.

    `url` is the server's socket address. Raises what `Connection` and `subscribe` raise.
    """
    async with Connection(url, token=token, client="livebutton-watch/0.1") as connection:
        followed = await connection.subscribe(table)
        shown: tuple[StreamPosition, Freshness] | None = None
        moved = asyncio.Event()
        reading = asyncio.create_task(_drain(followed, moved))
        try:
            while not reading.done():
                now = (followed.position, followed.freshness)
                if now != shown:
                    shown = now
                    out.write(CLEAR if out.isatty() else "\n")
                    out.write("\n".join(lines(followed.view, *now)) + "\n")
                    out.flush()
                moved.clear()
                # asyncio.wait_for would lose a Ctrl-C that comes together with a change.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await moved.wait()
            await reading
        finally:
            reading.cancel()


async def _drain(followed: FollowedTable, moved: asyncio.Event) -> None:
    """Read the changes away: only the newest view is drawn."""
    try:
        async for _ in followed:
            moved.set()
    finally:
        moved.set()


def plain(text: str) -> str:
    """A line without what would steer the terminal: a name is whatever somebody called himself."""
    return "".join(character if character.isprintable() else " " for character in text)


def lines(view: View, position: StreamPosition, freshness: Freshness) -> Iterator[str]:
    """The table as lines of text, fit for a terminal."""
    yield from map(plain, _lines(view, position, freshness))


def _lines(view: View, position: StreamPosition, freshness: Freshness) -> Iterator[str]:
    stakes = view.get("stakes", {})
    blinds = [stakes["small"], stakes["big"]] if "big" in stakes else []
    said = [str(view.get("name", "")), "/".join(map(str, blinds)), str(view.get("rules", ""))]
    yield "  ".join(word for word in said if word)
    live = NOT_LIVE.get(freshness, "Live")
    phase = str(view.get("phase", "")).replace("_", " ")
    yield f"Hand {view.get('hand', 0)}, {phase}.  {live}  (offset {position.offset})"
    yield ""
    plan = view.get("plan", {})
    seats = view.get("seats", {})
    for number in range(1, view.get("seat_count", 0) + 1):
        yield _seat_line(number, seats.get(str(number), {}), plan)
    yield ""
    yield from _plan_lines(plan, is_dealt=view.get("phase") == "in_hand")


def _seat_line(number: int, seat: Mapping[str, Any], plan: Mapping[str, Any]) -> str:
    disc = "D" if plan.get("button") == number else " "
    words = [_post_words(post) for post in plan.get("posts", ()) if post["seat"] == number]
    words += [MARK_WORDS.get(mark, mark) for mark in seat.get("marks", ())]
    if seat.get("sitting_out"):
        words.append("Away")
    if any(question["seat"] == number for question in plan.get("questions", ())):
        words.append("Post or wait?")
    reasons = [each["why"] for each in plan.get("not_dealt", ()) if each["seat"] == number]
    words += [f"Not dealt: {why.replace('_', ' ')}" for why in reasons]
    if plan.get("first_to_act") == number:
        words.append("First to act")
    name = seat.get("name") or seat.get("player") or "-"
    return f"{number:>3} {disc} {name:<16.16} {', '.join(words)}".rstrip()


def _post_words(post: Mapping[str, Any]) -> str:
    amounts = [str(post["live"])] if post.get("live") else []
    if post.get("dead"):
        amounts.append(f"{post['dead']} dead")
    return f"{POST_WORDS.get(post['kind'], post['kind'])} {' + '.join(amounts) or 'free'}"


def _plan_lines(plan: Mapping[str, Any], *, is_dealt: bool) -> Iterator[str]:
    if "none" in plan:
        yield f"No hand: {plan['none'].get('text', '')}"
    for dead in plan.get("dead_blinds", ()):
        yield f"Dead {dead['kind']} blind at seat {dead['seat']}"
    rulings = plan.get("rulings", ())
    if rulings:
        yield "This hand:" if is_dealt else "Next hand:"
    for ruling in rulings:
        yield f"  {ruling['text']} [{ruling['rule']}]"
