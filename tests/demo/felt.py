"""A table without a server: the rules themselves, behind what the demo's clients hold."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from livebutton import views
from livebutton.demo.pace import Pace
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.invariants import problems
from livebutton.rules.refusals import Refused as NotAllowed
from livebutton.rules.table import HandPlan, Post, Table
from livebutton_client import Accepted, Refused, StreamPosition


class EnoughSeen(Exception):
    """So many hands were dealt."""


class Felt:
    """Has a FollowedTable's `view`, `command` and `reach`, and counts what is said."""

    def __init__(
        self, opening: Mapping[str, Any], hands: int, audience: views.Audience = "staff"
    ) -> None:
        """EnoughSeen is raised in the place of the command after the last of the hands."""
        self._audience = audience
        command = decode_command(opening)
        self.table: Table = record(None, command, decide(None, command))
        self._seen: Table | None = None
        self._view: dict[str, Any] = {}
        self.name = "t1"
        self.hands = hands
        self.plans: list[HandPlan] = []
        self.said: Counter[str] = Counter()
        self.refused: list[tuple[Mapping[str, Any], str]] = []

    @property
    def view(self) -> dict[str, Any]:
        if self._seen is not self.table:
            self._seen, self._view = self.table, views.view(self.table, self._audience)
        return self._view

    async def command(self, wish: Mapping[str, Any]) -> Accepted:
        await asyncio.sleep(0)
        if len(self.plans) >= self.hands:
            raise EnoughSeen
        command = decode_command(wish)
        try:
            self.table = record(self.table, command, decide(self.table, command))
        except NotAllowed as refused:
            self.refused.append((wish, refused.reason))
            raise Refused("c1", self.name, refused.reason, refused.message) from refused
        assert problems(self.table) == []
        self.said[wish["type"]] += 1
        if wish["type"] == "deal":
            assert self.table.play.plan is not None
            self.plans.append(self.table.play.plan)
        return Accepted("c1", self.name, StreamPosition("e1", self.table.offset))

    def posts(self) -> list[Post]:
        """All that was posted."""
        return [post for plan in self.plans for post in plan.posts]

    async def reach(self, position: StreamPosition) -> dict[str, Any]:
        assert position.offset == self.table.offset
        return self.view


class NoTime(Pace):
    """A pace at which nobody waits."""

    async def take(self, at_least_s: float, at_most_s: float) -> None:
        assert 0 <= at_least_s <= at_most_s
        await asyncio.sleep(0)


def no_time(seed: int) -> NoTime:
    """Everybody at once, and always the same."""
    return NoTime(1.0, random.Random(seed))
