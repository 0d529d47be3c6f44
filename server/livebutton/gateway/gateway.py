"""What one process's doors share: who may come in, and the carrying out of what sessions want."""

import asyncio
import logging
import random
import secrets
import time
from typing import assert_never

import msgspec

from livebutton.gateway.auth import Credential, Signer
from livebutton.gateway.edition import edition
from livebutton.gateway.effects import (
    AskVerdict,
    Beat,
    Close,
    Effect,
    Foresee,
    Judge,
    Question,
    Send,
    Unwatch,
    UnwatchRoom,
    Watch,
    WatchRoom,
)
from livebutton.gateway.feed import RoomFeed
from livebutton.gateway.hub import Hub
from livebutton.gateway.judging import Judging
from livebutton.gateway.limits import Limits
from livebutton.gateway.movers import Movers
from livebutton.gateway.revocations import Revocations
from livebutton.gateway.rooms import Rooms
from livebutton.gateway.session import House, Session, Terms
from livebutton.gateway.socket import Socket
from livebutton.metrics import Metrics
from livebutton.store.archive import Archive
from livebutton.tables.clock import Clock
from livebutton.tables.registry import Registry
from livebutton.wire.codes import CloseCode
from livebutton.wire.messages import DisplaySetup, Drain, Error, Refused, Reload, Setup

log = logging.getLogger(__name__)

# Sockets closed a second while draining, and how far apart they are told to come back.
CLOSES_PER_S = 1_000
RETURNS_PER_S = 1_000
SHORTEST_WINDOW_MS = 1_000
LONGEST_WINDOW_MS = 30_000
CLOSE_TICK_S = 0.05


class Bounds(msgspec.Struct, frozen=True):
    """How much of everything. Bytes, milliseconds, seconds, counts, as the names say."""

    max_sockets: int = 50_000
    max_message_bytes: int = 64 * 1024
    max_backlog_bytes: int = 1024 * 1024
    slow_limit_s: float = 30.0
    heartbeat_s: float = 2.0
    history: int = 64
    room_s: float = 1.0


class Gateway:
    """The doors of one process. Start it inside a running loop, after the registry."""

    def __init__(
        self,
        registry: Registry,
        signer: Signer,
        clock: Clock,
        *,
        metrics: Metrics | None = None,
        limits: Limits | None = None,
        origins: frozenset[str] = frozenset(),
        bounds: Bounds | None = None,
        house: House | None = None,
        archive: Archive | None = None,
    ) -> None:
        """`house` is what tables get that are opened without house rules of their own, `archive`
        where old commits are read that the streams keep no more."""
        self.bounds = bounds or Bounds()
        self.registry = registry
        self.signer = signer
        self.clock = clock
        self.metrics = metrics or Metrics()
        self.limits = limits or Limits()
        self.origins = origins
        self.house = house
        self.archive = archive
        self.max_message_bytes = self.bounds.max_message_bytes
        self.max_backlog_bytes = self.bounds.max_backlog_bytes
        self.slow_limit_s = self.bounds.slow_limit_s
        # Seconds of a clock that nobody sets: for silence, backlogs and limits.
        self.tick_s = time.monotonic
        self.is_draining = False
        # Read now: by the first socket the files may be another version's, which is not ours.
        self._edition = edition()
        self.revocations = Revocations()
        self.judging = Judging(registry, self.metrics)
        self.movers = Movers(registry)
        self.hub = Hub(
            registry,
            clock,
            self.metrics,
            heartbeat_s=self.bounds.heartbeat_s,
            history=self.bounds.history,
        )
        self.rooms = Rooms(registry, clock, self.revocations, self.close_revoked)
        self.rooms.listen_setups(self.show_setup)
        self.rooms.tell_reloads(self.tell_reload)
        self.feed = RoomFeed(registry, clock, self.hub, self.rooms, self.bounds.room_s)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: set[Socket] = set()
        self._all_gone = asyncio.Event()
        self._all_gone.set()
        self._terms = Terms(
            signer=signer,
            limits=self.limits,
            revocations=self.revocations,
            setups=self.rooms.setups,
            heartbeat_s=self.bounds.heartbeat_s,
            reconnect_window_ms=SHORTEST_WINDOW_MS,
            house=house,
        )
        self._watch_gauges()

    async def start(self) -> None:
        """Begin to tell. Raises StoreError when the rooms' shelves cannot be read."""
        await self.rooms.start()
        self.hub.start()
        self.feed.start()

    async def stop(self) -> None:
        """End every task."""
        await self.feed.stop()
        await self.rooms.stop()
        await self.hub.stop()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def ready(self) -> tuple[bool, str]:
        """Whether this process can commit and deliver and takes new clients; if not, why."""
        if self.is_draining:
            return False, "draining"
        if self.hub.problem or self.feed.problem or self.rooms.problem:
            return False, self.hub.problem or self.feed.problem or self.rooms.problem
        return self.registry.ready()

    # What sockets ask.

    def refuse_socket(self) -> str:
        """Why no socket can be opened now; "" when one can."""
        if self.is_draining:
            return "draining"
        if len(self._sockets) >= self.bounds.max_sockets:
            return "full"
        return ""

    def opened(self, socket: Socket) -> Session:
        """A websocket is open; its session."""
        self._sockets.add(socket)
        self._all_gone.clear()
        self._terms.reconnect_window_ms = self._window_ms()
        self.hub.join(socket)
        name = f"{self._edition}.{secrets.token_hex(6)}"
        return Session(self._terms, name, self.clock.now_ms())

    def closed(self, socket: Socket) -> None:
        """A websocket is gone."""
        self._sockets.discard(socket)
        if not self._sockets:
            self._all_gone.set()
        self.feed.leave(socket)
        self.hub.leave(socket)

    def carry_out(self, socket: Socket, effects: list[Effect]) -> None:
        """Do what a session wants done."""
        for effect in effects:
            match effect:
                case Send():
                    self._count(effect.message)
                    socket.write(socket.codec.frame(effect.message))
                case Judge() | Foresee() | AskVerdict():
                    self._run(socket, effect)
                case Watch():
                    self.hub.watch(socket, effect.table, effect.since)
                case Unwatch():
                    self.hub.unwatch(socket, effect.table)
                case WatchRoom():
                    self.feed.watch(socket, effect.room)
                case UnwatchRoom():
                    self.feed.unwatch(socket, effect.room)
                case Beat():
                    self.hub.beat(socket)
                case Close():
                    socket.close(effect.code, effect.reason)
                case _:
                    assert_never(effect)

    def close_revoked(self, token_id: str) -> None:
        """Close every socket of a token that was taken back."""
        for socket, _ in self._shown_by(token_id):
            socket.close(CloseCode.REVOKED, "the token was revoked")

    def show_setup(self, token_id: str) -> None:
        """Tell every socket of a token how its display is set up now."""
        setup = Setup(self.rooms.setups.of(token_id) or DisplaySetup())
        for socket, _ in self._shown_by(token_id):
            socket.write(socket.codec.frame(setup))

    def tell_reload(self, token_id: str, room: str | None) -> int:
        """Tell every socket of a token that this room's floor may tell to reload; → how many."""
        told = 0
        for socket, credential in self._shown_by(token_id):
            if room is None or credential.covers_room(room):
                socket.write(socket.codec.frame(Reload()))
                told += 1
        return told

    def _shown_by(self, token_id: str) -> list[tuple[Socket, Credential]]:
        """The sockets that show this token."""
        return [
            (socket, credential)
            for socket in self._sockets
            if (credential := socket.credential) is not None and credential.id == token_id
        ]

    # The end.

    async def drain(self, limit_s: float) -> None:
        """Take nobody new, tell all when to come back, and close them at a pace, within a limit.

        Commands on their way get their verdict first.
        """
        self.is_draining = True
        self.movers.end()
        sockets = list(self._sockets)
        log.info("draining %d sockets", len(sockets))
        window_ms = self._window_ms()
        for socket in sockets:
            told = Drain(reconnect_in_ms=random.randint(0, window_ms))  # noqa: S311
            socket.write(socket.codec.frame(told))
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=limit_s / 2)
        per_tick = max(
            int(CLOSES_PER_S * CLOSE_TICK_S), int(len(sockets) * CLOSE_TICK_S / limit_s) + 1
        )
        for start in range(0, len(sockets), per_tick):
            for socket in sockets[start : start + per_tick]:
                socket.close(CloseCode.DRAIN, "this server is stopping: come back")
            await asyncio.sleep(CLOSE_TICK_S)
        try:
            async with asyncio.timeout(limit_s):
                await self._all_gone.wait()
        except TimeoutError:
            log.warning("%d sockets did not close in time", len(self._sockets))

    def _window_ms(self) -> int:
        wanted = len(self._sockets) * 1_000 // RETURNS_PER_S
        return min(max(wanted, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS)

    def _run(self, socket: Socket, effect: Question) -> None:
        socket.taken()
        task = asyncio.get_running_loop().create_task(self._answer(socket, effect))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, socket: Socket, effect: Question) -> None:
        credential = socket.credential
        assert credential is not None
        try:
            match effect:
                case AskVerdict():
                    answer = await self.judging.ask(effect.table, effect.id, credential)
                case Foresee():
                    answer = await self.judging.foresee(effect.request, credential)
                case Judge():
                    answer = await self.judging.judge(effect.request, credential)
        except Exception:
            # It may have been stored: the same id says, when it is asked again.
            log.exception("a command broke", extra={"client": credential.label})
            answer = self.judging.unanswered(effect)
        finally:
            socket.settled()
        socket.write(socket.codec.frame(answer))

    def _count(self, message: object) -> None:
        """A no that needed no table."""
        if isinstance(message, Refused):
            self.metrics.commands.labels(message.reason).inc()
        elif isinstance(message, Error):
            self.metrics.errors.labels(message.code).inc()

    def _watch_gauges(self) -> None:
        watch = self.metrics.watch
        watch("livebutton_sockets", "Open sockets", lambda: len(self._sockets))
        watch(
            "livebutton_queue_bytes",
            "Bytes written that sockets have not taken",
            lambda: sum(socket.backlog_bytes for socket in self._sockets),
        )
        watch(
            "livebutton_view_staleness_seconds",
            "How long the socket furthest behind has not been told the newest state",
            self._staleness_s,
            "livemax",
        )
        watch(
            "livebutton_canary_round_trip_seconds",
            "How long the last canary took through the store and back",
            lambda: self.registry.canary_round_trip_s,
            "livemax",
        )
        self.metrics.count(
            "livebutton_gaps_found",
            "Times that a table had missed commits, which were then read from the stream",
            lambda: self.registry.gaps_found_count,
        )
        self.metrics.count(
            "livebutton_canaries_lost",
            "Canaries that did not come back through the store in time",
            lambda: self.registry.canaries_lost_count,
        )
        watch(
            "livebutton_ready",
            "1 when it can commit and deliver",
            lambda: float(self.ready()[0]),
            "livemin",
        )
        watch("livebutton_tables", "Tables in memory", lambda: self.registry.loaded_count)
        watch(
            "livebutton_tables_in_doubt",
            "Tables in memory that could not be brought to where their stream stands",
            lambda: self.registry.doubtful_count,
        )
        watch("livebutton_watchers", "Subscriptions to tables", lambda: self.hub.watcher_count)
        watch(
            "livebutton_commands_in_flight",
            "Commands that have no verdict yet",
            lambda: self.judging.in_flight_count,
        )

    def _staleness_s(self) -> float:
        return max((socket.stale_s for socket in self._sockets), default=0.0)
