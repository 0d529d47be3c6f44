"""The demo's room: which tables it has, and the clients that keep them going."""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from livebutton.demo.bots import play
from livebutton.demo.pace import Pace
from livebutton.demo.replaying import replay
from livebutton.demo.sessions import Command, RecordedSession, open_table, recorded_session
from livebutton.gateway.auth import Role
from livebutton_client import Connection, NotConnected, NoVerdict, Refused, SubscriptionRefused

log = logging.getLogger(__name__)

ROOM = "main"
BOT_TABLES = 6
BOT_SEATS = 9
# A dealer terminal says every two seconds that it is there.
PRESENCE_S = 2.0
BOT_STAKES = ((100, 200), (100, 300), (200, 500), (500, 1_000), (1_000, 2_000), (50, 100))
# After a table's client has failed, and before it tries again.
PAUSE_S = 2.0

# A role and the tables it is limited to, to a token.
Tokens = Callable[[Role, tuple[str, ...]], str]


@dataclass(frozen=True)
class DemoTable:
    """One table: `session` is what it replays, None where bots play."""

    id: str
    name: str
    about: str
    opening: Command
    session: RecordedSession | None = None


def tables() -> list[DemoTable]:
    """The twelve tables: those that replay, then those of the bots."""
    return [*_replayed(), *_of_bots()]


def _replayed() -> list[DemoTable]:
    lines = (files("livebutton.demo") / "sessions.jsonl").read_text("utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        session = recorded_session(msgspec.json.decode(line))
        name = str(number)
        opening = open_table(session, table=f"t{number}", name=name) | {"room": ROOM}
        about = f"replays {len(session.hands)} hands played at {session.site}"
        found.append(DemoTable(f"t{number}", name, about, opening, session))
    return found


def _of_bots() -> list[DemoTable]:
    first = len(_replayed()) + 1
    found = []
    for number, (small, big) in enumerate(BOT_STAKES[:BOT_TABLES], first):
        name = str(number)
        opening: Command = {
            "type": "open_table",
            "table": f"t{number}",
            "name": name,
            "seats": BOT_SEATS,
            "rules": "caro-cooke",
            "stakes": {"small": small, "big": big},
            "room": ROOM,
        }
        found.append(DemoTable(f"t{number}", name, "bots, caro-cooke rules", opening))
    return found


async def run(
    url: str,
    token: Tokens,
    *,
    speed: float,
    seed: int | None = None,
    on_open: Callable[[], None] = lambda: None,
) -> None:
    """Open what is not open, and play at every table until cancelled.

    `url` is the server's socket address. `seed` makes the dice fall the same way each time.
    `on_open` is called once, when every table is open.
    """
    chance = random.Random(seed)  # noqa: S311 - people's habits, not secrets
    room = tables()
    await _open(url, lambda: token("floor", ()), room)
    on_open()
    async with asyncio.TaskGroup() as group:
        for table in room:
            pace = Pace(speed, random.Random(chance.random()))  # noqa: S311
            group.create_task(_keep_playing(url, token, table, pace))


async def _open(url: str, token: Callable[[], str], room: list[DemoTable]) -> None:
    async with Connection(url, token=token, client="livebutton-demo-floor/1") as floor:
        for table in room:
            try:
                await floor.subscribe(table.id)
            except SubscriptionRefused:
                await floor.command(table.id, table.opening)
            else:
                await floor.unsubscribe(table.id)


async def _keep_playing(url: str, token: Tokens, table: DemoTable, pace: Pace) -> None:
    """One table's dealer, who starts again when something went wrong."""

    def dealers_token() -> str:
        return token("dealer", (table.id,))

    while True:
        try:
            name = f"livebutton-demo-{table.id}/1"
            async with Connection(
                url, token=dealers_token, client=name, presence_s=PRESENCE_S
            ) as connection:
                followed = await connection.subscribe(table.id)
                # Twelve dealers do not shuffle in step.
                await pace.take(0.0, 15.0)
                if table.session is None:
                    await play(followed, pace)
                else:
                    await replay(followed, table.session, pace)
                return
        except (NotConnected, NoVerdict, Refused, SubscriptionRefused, TimeoutError) as error:
            log.warning("table %s: %r; its dealer starts again", table.id, error)
            await asyncio.sleep(PAUSE_S)
