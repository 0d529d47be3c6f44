"""The dict-backed store behind a bad network: late, failing, with hints lost, late and doubled."""

import asyncio
import random
from collections.abc import Callable, Sequence

import msgspec

from livebutton.store.contract import StoreDeaf, StoreListener, StoreUnreachable
from livebutton.store.memory_store import MemoryShelves, MemoryStore
from livebutton.store.records import (
    Checkpoint,
    Draft,
    Entry,
    Hint,
    Mark,
    Outcome,
    Settled,
    Verdict,
)
from tests.sim.weather import Weather

ANSWER_LIMIT_S = 1.0


class ShakyStore(MemoryStore):
    """One process's way to the shelves. `committed` is told of every commit at its moment."""

    def __init__(
        self,
        shelves: MemoryShelves,
        name: str,
        chance: random.Random,
        weather: Weather,
        committed: Callable[[Draft], None],
    ) -> None:
        super().__init__(shelves, name)
        self._chance = chance
        self._weather = weather
        self._committed = committed
        self._is_out = False
        self._ears: StoreListener | None = None

    def go_out(self) -> None:
        """Nothing gets through in either direction from now on."""
        self._is_out = True

    def come_back(self) -> None:
        """It does again; what was published meanwhile was not heard."""
        self._is_out = False
        if self._ears is not None:
            self._ears.on_doubt()

    async def open(self, listener: StoreListener) -> None:
        await self._ask()
        self._ears = listener
        await super().open(_Ears(self, listener, self._chance, self._weather))

    async def close(self) -> None:
        self._ears = None
        await super().close()

    async def commit(self, draft: Draft) -> Outcome:
        await self._ask()
        outcome = await super().commit(draft)
        if isinstance(outcome, Settled) and draft.entry is not None:
            self._committed(draft)
        # The commit is made; its answer may be lost all the same.
        await self._ask()
        return outcome

    async def verdict(self, table: str, command_id: str) -> Verdict | None:
        await self._ask()
        return await super().verdict(table, command_id)

    async def load(self, table: str) -> Checkpoint | None:
        await self._ask()
        return await super().load(table)

    async def marks(self, tables: Sequence[str]) -> list[Mark | None]:
        await self._ask()
        found = await super().marks(tables)
        await self._ask()
        return found

    async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
        await self._ask()
        found = await super().entries(table, after, limit)
        await self._ask()
        return found

    async def renew(self, table: str, mark: Mark, epoch: str) -> bool:
        await self._ask()
        return await super().renew(table, mark, epoch)

    async def subscribe(self, table: str) -> None:
        await self._ask()
        await super().subscribe(table)

    async def probe(self) -> float:
        await self._ask()
        if self._chance.random() < self._weather.hint_lost / 2:
            raise StoreDeaf("the canary did not come back")
        return await super().probe()

    async def tables(self, room: str | None = None, *, closed: bool = False) -> list[str]:
        await self._ask()
        return await super().tables(room, closed=closed)

    async def shelf(self, room: str, shelf: str) -> dict[str, bytes]:
        await self._ask()
        return await super().shelf(room, shelf)

    @property
    def hears(self) -> bool:
        """Whether anything that is published gets here."""
        return self._ears is not None and not self._is_out

    async def _ask(self) -> None:
        """One way to or from the store."""
        await asyncio.sleep(self._chance.random() * self._weather.store_delay_s)
        if self._is_out or self._chance.random() < self._weather.store_fails:
            await asyncio.sleep(self._chance.random() * ANSWER_LIMIT_S)
            raise StoreUnreachable("no answer")


class _Ears:
    """What is between the shelves' hints and the registry."""

    def __init__(
        self, store: ShakyStore, listener: StoreListener, chance: random.Random, weather: Weather
    ) -> None:
        self._store = store
        self._listener = listener
        self._chance = chance
        self._weather = weather

    def on_hint(self, table: str, hint: Hint) -> None:
        chance = self._chance
        if chance.random() < self._weather.hint_lost:
            return
        if chance.random() < self._weather.hint_lost / 2:
            hint = msgspec.structs.replace(hint, entry=None)
        for _ in range(2 if chance.random() < self._weather.hint_lost / 2 else 1):
            self._later(lambda: self._listener.on_hint(table, hint))

    def on_room(self, room: str, payload: bytes) -> None:
        if self._chance.random() >= self._weather.hint_lost:
            self._later(lambda: self._listener.on_room(room, payload))

    def on_doubt(self) -> None:
        self._listener.on_doubt()

    def _later(self, tell: Callable[[], None]) -> None:
        """Hints may overtake each other: a gap that the registry must see."""

        def arrive() -> None:
            if self._store.hears:
                tell()

        delay_s = self._chance.random() * self._weather.hint_delay_s
        asyncio.get_running_loop().call_later(delay_s, arrive)
