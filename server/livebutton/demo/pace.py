"""Human time: how long people take, and a speed at which they take less."""

import asyncio
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """`speed` 1 is a card room's; 10 is ten times as fast. `chance` is whose dice are thrown."""

    speed: float
    chance: random.Random

    async def take(self, at_least_s: float, at_most_s: float) -> None:
        """Let some time pass, drawn evenly between the two."""
        await asyncio.sleep(self.chance.uniform(at_least_s, at_most_s) / self.speed)

    def happens(self, probability: float) -> bool:
        """Whether something that happens that often happens now."""
        return self.chance.random() < probability
