"""`livebutton demo`: the server, the room that plays itself, and where to look at it."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from livebutton.demo import room
from livebutton.gateway.auth import Role, Signer, load_secret
from livebutton.serving import serve
from livebutton.settings import Settings

log = logging.getLogger(__name__)

DAY_S = 24 * 3600
# What is printed is for people, who leave a screen open; what plays renews its own.
SCREEN_TTL_S = 7 * DAY_S
PLAYER_TTL_S = 3600
JOIN_LIMIT_S = 10.0
SHOWN_TABLE, SHOWN_SEAT = "t7", 3


def main(settings: Settings, out: TextIO, *, speed: float = 1.0) -> None:
    """Serve and play until told to stop. Raises CannotServe as `serve` does, ValueError for speed.

    `speed` 1 is a card room's: a hand in 20 to 40 s.
    """
    if not 0 < speed <= 1_000:
        raise ValueError("the speed is a number above 0, at most 1000")
    # At the end everybody loses his session, which is no news.
    logging.getLogger("livebutton_client").setLevel(logging.WARNING)
    signer = Signer(load_secret(settings.data, settings.secret), time.time)
    players = Players(signer, speed)

    def on_ready(where: str) -> None:
        out.write(f"livebutton ready on {where}\n\n")
        out.flush()

        def on_open() -> None:
            # Not before: who is quick would find no table at them.
            out.writelines(f"{line}\n" for line in addresses(where, signer))
            out.flush()

        players.begin(where, on_open)

    try:
        serve(settings, on_ready)
    finally:
        players.end()


def addresses(where: str, signer: Signer) -> Iterator[str]:
    """What to open in a browser, as lines. Tokens stand in the fragment, which is never sent."""

    def token(role: Role, seat: int = 0) -> str:
        tables = (SHOWN_TABLE,) if seat else ()
        made, _ = signer.mint(
            role, ttl_s=SCREEN_TTL_S, room=room.ROOM, tables=tables, seat=seat, name=f"demo {role}"
        )
        return made

    here = f"table={SHOWN_TABLE}"
    yield f"Room screen      {where}/room/?room={room.ROOM}#token={token('floor')}"
    yield f"Dealer terminal  {where}/dealer/?{here}#token={token('dealer')}"
    yield f"Table display    {where}/table/?{here}#token={token('display')}"
    seat = token("player", SHOWN_SEAT)
    yield f"Seat display     {where}/seat/?{here}&seat={SHOWN_SEAT}#token={seat}"
    yield ""
    yield "The first three work for every table: put its id in the place of t7."
    for table in room.tables():
        yield f"  {table.id:<4} Table {table.name:<4} {table.about}"
    yield ""
    yield "Ctrl-C stops it; started again, it goes on from here."


class Players:
    """The thread in which everybody at the tables lives, as clients of the server."""

    def __init__(self, signer: Signer, speed: float) -> None:
        self._signer = signer
        self._speed = speed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._playing: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None

    def begin(self, where: str, on_open: Callable[[], None]) -> None:
        """Start to play at the server of that address; `on_open` once there are tables to see."""
        url = f"ws{where.removeprefix('http')}/v1/ws"
        self._thread = threading.Thread(
            target=asyncio.run, args=(self._play(url, on_open),), daemon=True
        )
        self._thread.start()

    def end(self) -> None:
        """Stop playing, and return once that is done."""
        if self._thread is None:
            return
        if self._loop is not None and self._playing is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._playing.cancel)
        self._thread.join(JOIN_LIMIT_S)

    async def _play(self, url: str, on_open: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._playing = asyncio.create_task(
            room.run(url, self._token, speed=self._speed, on_open=on_open)
        )
        try:
            await self._playing
        except asyncio.CancelledError:
            return
        except Exception:
            log.exception("the players have left the tables; the server goes on")

    def _token(self, role: Role, tables: tuple[str, ...]) -> str:
        made, _ = self._signer.mint(
            role, ttl_s=PLAYER_TTL_S, room=room.ROOM, tables=tables, name="demo"
        )
        return made
