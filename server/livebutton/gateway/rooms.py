"""What processes share besides tables: tokens taken back, screens paired, named and set up.

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
from typing import Any, assert_never

import msgspec

from livebutton.gateway.given import Given
from livebutton.gateway.revocations import Revocations
from livebutton.store.contract import StoreError
from livebutton.store.keys import EVERYWHERE
from livebutton.tables.clock import Clock
from livebutton.tables.registry import Registry
from livebutton.wire.messages import DisplaySetup, Screen

log = logging.getLogger(__name__)

SHELF_CHECK_S = 5.0
PAIRING_LIMIT_MS = 10 * 60_000
COLLECT_LIMIT_MS = 5 * 60_000
MAX_PAIRINGS = 200
# Longer than any token lives that nobody renews.
GIVEN_KEPT_MS = 400 * 24 * 3600 * 1000
TAKEN_KEPT_MS = 10 * 60_000
MAX_GIVEN = 10_000
SCREENS_KEPT_MS = 6_000
# How long is waited for word from another process that it has the screen.
RELOAD_LIMIT_S = 3.0
MAX_RELOADS = 64
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


class SetUp(msgspec.Struct, frozen=True):
    """News: a display was set up, by the id of its token; an empty set-up takes that back."""

    token: str
    setup: DisplaySetup


class ReloadAsked(msgspec.Struct, frozen=True):
    """News: the floor wants the screens of a token to reload. `by` is the asking process, `ask`
    its number for this, `room` the only one in which it may ask, if there is one."""

    ask: str
    by: str
    reload: str
    room: str | None


class ReloadTold(msgspec.Struct, frozen=True):
    """News: a process had such a screen, and told it."""

    told: str


News = Revoked | Named | SetUp | ReloadAsked | ReloadTold
_KINDS: tuple[type[News], ...] = (Revoked, Named, SetUp, ReloadAsked, ReloadTold)
# Which news lie on a shelf too, should they be lost on the way.
_SHELVES: dict[str, type[News]] = {"revocations": Revoked, "names": Named, "setups": SetUp}


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
        self._on_given: list[Callable[[], None]] = []
        self._on_set_up: list[Callable[[str], None]] = []
        self.names = Given("", MAX_GIVEN)
        self.setups = Given[DisplaySetup | None](None, MAX_GIVEN)
        self._tell_reload: Callable[[str, str | None], int] = lambda _token, _room: 0
        self._reloads: dict[str, asyncio.Future[None]] = {}
        self._answers: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        registry.listen_rooms(self._hear)

    async def start(self) -> None:
        """Read what was taken back before, and hear of what is from now on."""
        await self._store.subscribe_room(EVERYWHERE)
        await self._read_shelves()
        self._task = asyncio.get_running_loop().create_task(self._check_shelf())
        self._task.add_done_callback(self._ended)

    async def stop(self) -> None:
        """End the task."""
        tasks = [*self._answers, *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

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
        await self._give("names", token_id, Named(token_id, name), is_nothing=not name)

    async def set_up(self, token_id: str, setup: DisplaySetup) -> None:
        """Set up the display that shows this token, now and when it comes again.

        OverflowError when too many are set up already.
        """
        is_nothing = setup == DisplaySetup()
        await self._give("setups", token_id, SetUp(token_id, setup), is_nothing=is_nothing)

    async def _give(
        self, shelf: str, token_id: str, news: Named | SetUp, *, is_nothing: bool
    ) -> None:
        packed = msgspec.msgpack.encode(news)
        there = await self._store.shelf(EVERYWHERE, shelf)
        if token_id not in there and len(there) >= MAX_GIVEN:
            raise OverflowError(f"too many screens have {shelf} of their own")
        # That it was taken back is kept until every process has looked.
        keep_ms = TAKEN_KEPT_MS if is_nothing else GIVEN_KEPT_MS
        await self._store.put(EVERYWHERE, shelf, token_id, packed, keep_ms)
        self._learn(news)
        await self._store.tell_room(EVERYWHERE, packed)

    def listen_given(self, callback: Callable[[], None]) -> None:
        """Be told when a screen was named or set up."""
        self._on_given.append(callback)

    def listen_setups(self, callback: Callable[[str], None]) -> None:
        """Be told, by the id of its token, when a display was set up."""
        self._on_set_up.append(callback)

    def tell_reloads(self, tell: Callable[[str, str | None], int]) -> None:
        """`tell(token_id, room)` tells this process's screens of a token to reload.

        It answers how many there were. With a `room`, only those that this room's floor may tell.
        """
        self._tell_reload = tell

    async def reload(self, token_id: str, room: str | None) -> bool:
        """Let the screens that show this token load their page anew, on every process.

        Whether there was one. What is lost on the way is not told later, as a revocation would
        be: a page that has just come must not be sent away again. OverflowError when too many
        are waited for.
        """
        if len(self._reloads) >= MAX_RELOADS:
            raise OverflowError("too many screens are being reloaded")
        ask = secrets.token_hex(8)
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reloads[ask] = told
        try:
            has_own = self._tell_reload(token_id, room) > 0
            asked = ReloadAsked(ask, self.process_id, token_id, room)
            await self._store.tell_room(EVERYWHERE, msgspec.msgpack.encode(asked))
            if not has_own:
                async with asyncio.timeout(RELOAD_LIMIT_S):
                    await told
        except TimeoutError:
            return False
        finally:
            del self._reloads[ask]
        return True

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
        for kind in _KINDS:
            with contextlib.suppress(msgspec.DecodeError):
                self._learn(msgspec.msgpack.decode(payload, type=kind))
                return
        log.warning("news that could not be read")

    def _learn(self, news: News) -> None:
        match news:
            case Revoked():
                self._take_back(news)
            case Named(token, name):
                if self.names.give(token, name):
                    self._tell_given()
            case SetUp(token, setup):
                if self.setups.give(token, setup if setup != DisplaySetup() else None):
                    self._tell_given()
                    for callback in self._on_set_up:
                        callback(token)
            case ReloadAsked():
                self._reload_here(news)
            case ReloadTold(told):
                asked = self._reloads.get(told)
                if asked is not None and not asked.done():
                    asked.set_result(None)
            case _:
                assert_never(news)

    def _tell_given(self) -> None:
        for callback in self._on_given:
            callback()

    def _reload_here(self, asked: ReloadAsked) -> None:
        """Tell our screens, if another process asks, and it that there were some."""
        if asked.by == self.process_id or self._tell_reload(asked.reload, asked.room) == 0:
            return
        if len(self._answers) >= MAX_RELOADS:
            log.warning("a reload is not answered: too many are")
            return
        answer = asyncio.get_running_loop().create_task(self._answer(ReloadTold(asked.ask)))
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)

    async def _answer(self, told: ReloadTold) -> None:
        try:
            await self._store.tell_room(EVERYWHERE, msgspec.msgpack.encode(told))
        except StoreError as error:
            log.warning("a reload could not be answered: %s", error)

    def _take_back(self, revoked: Revoked) -> None:
        if not self._revocations.is_revoked(revoked.id):
            self._revocations.revoke(revoked.id, revoked.exp)
            self._on_revoked(revoked.id)

    async def _read_shelves(self) -> None:
        for shelf, kind in _SHELVES.items():
            for packed in (await self._store.shelf(EVERYWHERE, shelf)).values():
                try:
                    self._learn(msgspec.msgpack.decode(packed, type=kind))
                except msgspec.DecodeError:
                    log.warning("what lies among the %s could not be read", shelf)

    async def _check_shelf(self) -> None:
        while True:
            await self._clock.sleep(SHELF_CHECK_S)
            try:
                await self._read_shelves()
            except StoreError as error:
                log.warning("the shelves could not be read: %s", error)
            except Exception:
                log.exception("the shelves could not be read")
            self._revocations.forget_expired(self._clock.now_ms() / 1000)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.problem = "the task that reads the shelves ended"
            log.error("%s", self.problem, exc_info=task.exception())


def is_secret_of(pairing: Pairing, secret: str) -> bool:
    """Whether this is the secret that the screen was given with its code."""
    return hmac.compare_digest(pairing.secret_digest, _digest(secret))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
