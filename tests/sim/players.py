"""What people at the tables want next: good wishes and bad ones, sent by whom it may concern."""

import random
from collections.abc import Iterator
from typing import Any

from livebutton.gateway.rights import FLOORS_COMMANDS, PLAYERS_COMMANDS
from livebutton_client.position import StreamPosition
from tests.rules.walker import Fields, Walk
from tests.sim.client import SimClient
from tests.sim.privacy import SECRET_STACKS
from tests.sim.truth import Truth

STACKS = (0, 3, 10, 12, 500, *SECRET_STACKS)
NONSENSE: tuple[Fields, ...] = (
    {"type": "raise_blinds"},
    {"type": "leave"},
    {"type": "leave", "seat": "three"},
    {"type": "take_seat", "seat": 99, "player": "nobody"},
    {"type": "choose", "seat": 1, "choice": "everything"},
)


class Company:
    """Those who give commands at one table."""

    def __init__(self, table: str, seed: int, room: str, truth: Truth) -> None:
        self.table = table
        self.clients: list[SimClient] = []
        self._walk = Walk(seed, length=0, seats=(4, 9), stacks=STACKS)
        self._chance = random.Random(seed + 1)
        self._truth = truth
        self._count = 0
        self.opening: Fields = {**self._walk.opening, "table": table, "name": table, "room": room}

    def arrivals(self) -> Iterator[Fields]:
        """The first command, and then those who sit down before the storm."""
        yield self.opening
        for seat in range(1, self.opening["seats"] + 1):
            if self._chance.random() < 0.75:
                yield {"type": "take_seat", "seat": seat, "player": f"early-{seat}", "stack": 500}
        yield {"type": "start_game"}

    def wish(self) -> tuple[Fields, str]:
        """The next command and its id."""
        self._count += 1
        command_id = f"{self.table}-{self._count}"
        if self._chance.random() < 0.04:
            return self._chance.choice(NONSENSE), command_id
        self._walk.table = self._truth.newest(self.table).after
        return self._walk.next_command(), command_id

    def act(self) -> None:
        """Somebody gives a command, as a rule one who may."""
        command, command_id = self.wish()
        chance = self._chance
        client = self._who(command)
        more: dict[str, Any] = {}
        position = client.position(self.table)
        if position is not None and chance.random() < 0.15:
            more["expected"] = StreamPosition(*position)
        if chance.random() < 0.1:
            more["limit_ms"] = chance.choice([50, 400, 1_500])
        client.give(command_id, self.table, command, **more)

    def _who(self, command: Fields) -> SimClient:
        kind = command["type"]
        roles = {"floor"} if kind in FLOORS_COMMANDS else {"dealer", "floor", "backend"}
        able = [each for each in self.clients if each.credential.role in roles]
        if kind in PLAYERS_COMMANDS and self._chance.random() < 0.5:
            seat = command.get("seat")
            able = [each for each in self.clients if each.credential.seat == seat] or able
        if self._chance.random() < 0.06:
            able = self.clients
        return self._chance.choice(able)
