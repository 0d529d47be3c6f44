"""What processes share besides tables: tokens taken back, screens paired and named, who watches.

It lies on the shelves of rooms in the store; news goes round on a channel and, should that be
lost, is found on the shelf a few seconds later.
"""

import asyncio
import contextlib
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from livebutton.gateway.names import Names
from livebutton.gateway.revocations import Revocations
from livebutton.store.contract import StoreError
from livebutton.store.keys import EVERYWHERE
from livebutton.tables.clock import Clock
from livebutton.tables.registry import Registry
from livebutton.wire.messages import Screen

log = logging.getLogger(__name__)

SHELF_CHECK_S = 5.0
PAIRING_LIMIT_MS = 10 * 60_000
COLLECT_LIMIT_MS = 5 * 60_000
MAX_PAIRINGS = 200
# Longer than any token lives that nobody renews.
NAMES_KEPT_MS = 400 * 24 * 3600 * 1000
NO_NAME_KEPT_MS = 10 * 60_000
MAX_NAMES = 10_000
SCREENS_KEPT_MS = 6_000
# Without the letters and digits that look alike on a screen across the room.
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6


class Revoked(msgspec.Struct, frozen=True):
    """News: a token was taken back. `exp` is when it would have expired, in seconds."""

    id: str
    exp: int


class Named(msgspec.Struct, frozen=True):
    """News: a screen was given a name, by the id of its token; an empty one takes that back."""

    token: str
    name: str


class Pairing(msgspec.Struct, frozen=True):
    """A screen that shows its code and waits for the floor to say what it is."""

    code: str
    name: str
    client: str
    since_ms: int
    secret_digest: str


class Rooms:
    """The shelves, as the doors use them. Every method but those of `Revocations` may raise
    StoreError."""

    def __init__(
        self,
        registry: Registry,
        clock: Clock,
        revocations: Revocations,
        on_revoked: Callable[[str], None],
    ) -> None:
        self.problem = ""
        self.process_id = secrets.token_hex(4)
        self._store = registry.store
        self._clock = clock
        self._revocations = revocations
        self._on_revoked = on_revoked
        self._on_named: list[Callable[[], None]] = []
        self.names = Names(MAX_NAMES)
        self._task: asyncio.Task[None] | None = None
        registry.listen_rooms(self._hear)

    async def start(self) -> None:
        """Read what was taken back before, and hear of what is from now on."""
        await self._store.subscribe_room(EVERYWHERE)
        await self._read_revocations()
        await self._read_names()
        self._task = asyncio.get_running_loop().create_task(self._check_shelf())
        self._task.add_done_callback(self._ended)

    async def stop(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def revoke(self, token_id: str, exp: int) -> None:
        """Take a token back, on every process. `exp`: seconds since 1970 when it would expire."""
        keep_ms = max(exp * 1000 - self._clock.now_ms(), 1_000)
        packed = msgspec.msgpack.encode(Revoked(token_id, exp))
        self._take_back(Revoked(token_id, exp))
        await self._store.put(EVERYWHERE, "revocations", token_id, packed, keep_ms)
        await self._store.tell_room(EVERYWHERE, packed)

    async def rename(self, token_id: str, name: str) -> None:
        """Call the screen that shows this token so, on every process and when it comes again.

        OverflowError when too many have a name already.
        """
        named = Named(token_id, name)
        packed = msgspec.msgpack.encode(named)
        there = await self._store.shelf(EVERYWHERE, "names")
        if token_id not in there and len(there) >= MAX_NAMES:
            raise OverflowError("too many screens have a name of their own")
        # That a name was taken back is kept until every process has looked.
        keep_ms = NAMES_KEPT_MS if name else NO_NAME_KEPT_MS
        await self._store.put(EVERYWHERE, "names", token_id, packed, keep_ms)
        self._name(named)
        await self._store.tell_room(EVERYWHERE, packed)

    def listen_names(self, callback: Callable[[], None]) -> None:
        """Be told when a screen was given a name."""
        self._on_named.append(callback)

    async def begin_pairing(self, name: str, client: str) -> tuple[Pairing, str]:
        """A new code for a screen to show, and the secret with which it collects its token.

        OverflowError when too many screens wait already.
        """
        if len(await self._store.shelf(EVERYWHERE, "pairings")) >= MAX_PAIRINGS:
            raise OverflowError("too many screens are waiting to be paired")
        code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(CODE_LENGTH))
        secret = secrets.token_urlsafe(24)
        pairing = Pairing(code, name, client, self._clock.now_ms(), _digest(secret))
        packed = msgspec.msgpack.encode(pairing)
        await self._store.put(EVERYWHERE, "pairings", code, packed, PAIRING_LIMIT_MS)
        return pairing, secret

    async def pairings(self) -> list[Pairing]:
        """The screens that wait, the longest waiting first."""
        shelf = await self._store.shelf(EVERYWHERE, "pairings")
        waiting = [msgspec.msgpack.decode(packed, type=Pairing) for packed in shelf.values()]
        oldest_ms = self._clock.now_ms() - PAIRING_LIMIT_MS
        return sorted(
            (each for each in waiting if each.since_ms >= oldest_ms), key=lambda each: each.since_ms
        )

    async def pairing(self, code: str) -> Pairing | None:
        """The screen that shows this code."""
        return next((each for each in await self.pairings() if each.code == code), None)

    async def pair(self, pairing: Pairing, told: dict[str, Any]) -> None:
        """Let a screen collect what it is to be (its token and where it holds)."""
        packed = msgspec.msgpack.encode(told)
        await self._store.put(EVERYWHERE, "paired", pairing.code, packed, COLLECT_LIMIT_MS)

    async def collect(self, pairing: Pairing) -> dict[str, Any] | None:
        """What the screen was made, once; None while nobody has said."""
        packed = await self._store.take(EVERYWHERE, "paired", pairing.code)
        if packed is None:
            return None
        await self._store.take(EVERYWHERE, "pairings", pairing.code)
        told: dict[str, Any] = msgspec.msgpack.decode(packed)
        return told

    async def show_screens(self, room: str, screens: list[Screen]) -> None:
        """Tell other processes which screens of a room are connected here."""
        packed = msgspec.msgpack.encode(screens)
        await self._store.put(room, "screens", self.process_id, packed, SCREENS_KEPT_MS)

    async def other_screens(self, room: str) -> list[Screen]:
        """The screens of a room that are connected to other processes."""
        shelf = await self._store.shelf(room, "screens")
        return [
            screen
            for process_id, packed in sorted(shelf.items())
            if process_id != self.process_id
            for screen in msgspec.msgpack.decode(packed, type=list[Screen])
        ]

    async def say_watched(self, room: str) -> None:
        """Ask other processes to show the room's screens."""
        now = str(self._clock.now_ms()).encode()
        await self._store.put(room, "watched", self.process_id, now, SCREENS_KEPT_MS)

    async def is_watched_elsewhere(self, room: str) -> bool:
        """Whether another process asks for the room's screens."""
        return any(each != self.process_id for each in await self._store.shelf(room, "watched"))

    def _hear(self, room: str, payload: bytes) -> None:
        if room != EVERYWHERE:
            return
        with contextlib.suppress(msgspec.DecodeError):
            self._take_back(msgspec.msgpack.decode(payload, type=Revoked))
            return
        try:
            self._name(msgspec.msgpack.decode(payload, type=Named))
        except msgspec.DecodeError:
            log.warning("news that could not be read")

    def _name(self, named: Named) -> None:
        if self.names.give(named.token, named.name):
            for callback in self._on_named:
                callback()

    def _take_back(self, revoked: Revoked) -> None:
        if not self._revocations.is_revoked(revoked.id):
            self._revocations.revoke(revoked.id, revoked.exp)
            self._on_revoked(revoked.id)

    async def _read_revocations(self) -> None:
        for packed in (await self._store.shelf(EVERYWHERE, "revocations")).values():
            try:
                self._take_back(msgspec.msgpack.decode(packed, type=Revoked))
            except msgspec.DecodeError:
                log.warning("a revocation that could not be read")

    async def _read_names(self) -> None:
        for packed in (await self._store.shelf(EVERYWHERE, "names")).values():
            try:
                self._name(msgspec.msgpack.decode(packed, type=Named))
            except msgspec.DecodeError:
                log.warning("a name that could not be read")

    async def _check_shelf(self) -> None:
        while True:
            await self._clock.sleep(SHELF_CHECK_S)
            try:
                await self._read_revocations()
                await self._read_names()
            except StoreError as error:
                log.warning("revocations and names could not be read: %s", error)
            except Exception:
                log.exception("revocations and names could not be read")
            self._revocations.forget_expired(self._clock.now_ms() / 1000)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.problem = "the task that reads revocations ended"
            log.error("%s", self.problem, exc_info=task.exception())


def is_secret_of(pairing: Pairing, secret: str) -> bool:
    """Whether this is the secret that the screen was given with its code."""
    return hmac.compare_digest(pairing.secret_digest, _digest(secret))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
