"""The floor's picture of a room: tables, screens, waiting list; once a second at most."""

import asyncio
import logging
from collections.abc import Awaitable

import msgspec

from livebutton.gateway.client import Client
from livebutton.gateway.hub import Hub
from livebutton.gateway.rooms import Rooms
from livebutton.gateway.summary import summary, waiting_list
from livebutton.rules.events import HandDealt
from livebutton.store.contract import StoreError
from livebutton.tables.changes import At, Change, Reset
from livebutton.tables.clock import Clock
from livebutton.tables.registry import Registry
from livebutton.wire.messages import Room, Screen, TableSummary

log = logging.getLogger(__name__)

# Of the shortest time between two pictures: how often is looked whether one is due, and how often
# for tables opened elsewhere and screens of other processes.
TICKS = 4
LOOK_UP = 2


class _Watched(msgspec.Struct):
    """One room that somebody watches."""

    watchers: set[Client]
    tables: dict[str, None]
    others: list[Screen]
    is_due: bool = True
    sent_ms: int = 0
    looked_up_ms: int = 0


class RoomFeed:
    """The rooms that this process's staff watch."""

    def __init__(
        self, registry: Registry, clock: Clock, hub: Hub, rooms: Rooms, shortest_s: float = 1.0
    ) -> None:
        """`shortest_s` is the least time between two pictures of a room."""
        self.problem = ""
        self._shortest_ms = round(shortest_s * 1000)
        self._look_up_ms = LOOK_UP * self._shortest_ms
        self._tick_s = shortest_s / TICKS
        self._registry = registry
        self._clock = clock
        self._hub = hub
        self._rooms = rooms
        self._watched: dict[str, _Watched] = {}
        self._summaries: dict[str, TableSummary] = {}
        self._dealt_ms: dict[str, int] = {}
        self._shown_ms = 0
        self._task: asyncio.Task[None] | None = None
        rooms.listen_given(self._given)
        registry.listen(self._changed)
        registry.listen_resets(self._was_reset)

    def start(self) -> None:
        """Begin to tell."""
        self._task = asyncio.get_running_loop().create_task(self._tell_for_ever())
        self._task.add_done_callback(self._ended)

    async def stop(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def watch(self, socket: Client, room: str) -> None:
        """Send this room's picture to a socket from now on, the first one at once."""
        watched = self._watched.setdefault(room, _Watched(set(), {}, []))
        watched.watchers.add(socket)
        watched.is_due = True
        watched.sent_ms = 0

    def unwatch(self, socket: Client, room: str) -> None:
        """Send it no more."""
        watched = self._watched.get(room)
        if watched is None:
            return
        watched.watchers.discard(socket)
        if not watched.watchers:
            del self._watched[room]
            for table in watched.tables:
                self._let_go(table)

    def leave(self, socket: Client) -> None:
        """A socket is gone."""
        for room in list(socket.session.rooms if socket.session else ()):
            self.unwatch(socket, room)

    def screens(self, room: str) -> list[Screen]:
        """The screens of a room that are connected to this process."""
        return [
            screen_of(socket, self._hub, self._rooms, self._clock.now_ms())
            for socket in self._hub.clients
            if socket.credential is not None and self._is_in(socket, room)
        ]

    def _is_in(self, socket: Client, room: str) -> bool:
        own = socket.credential.room if socket.credential else None
        if own is not None:
            return own == room
        rooms = {self._hub.room_of(table) for table in socket.tables} - {None}
        return room in (rooms or {""})

    async def _tell_for_ever(self) -> None:
        while True:
            await self._clock.sleep(self._tick_s)
            now_ms = self._clock.now_ms()
            await self._try(self._show(now_ms))
            for room, watched in list(self._watched.items()):
                await self._try(self._tell(room, watched, now_ms))

    async def _try(self, work: Awaitable[None]) -> None:
        """Do it, for one room: what goes wrong with it holds up none of the others."""
        try:
            await work
        except StoreError as error:
            log.warning("a room could not be looked up: %s", error)
        except Exception:
            log.exception("a room could not be shown")

    async def _tell(self, room: str, watched: _Watched, now_ms: int) -> None:
        if now_ms - watched.looked_up_ms >= self._look_up_ms:
            watched.looked_up_ms = now_ms
            watched.is_due = True
            await self._rooms.say_watched(room)
            watched.others = await self._rooms.other_screens(room)
            await self._look_up(room, watched)
        if not watched.is_due or now_ms - watched.sent_ms < self._shortest_ms:
            return
        watched.is_due = False
        watched.sent_ms = now_ms
        picture = self.picture(room, watched, now_ms)
        frames: dict[str, bytes] = {}
        for socket in list(watched.watchers):
            if socket.is_behind:
                continue
            if socket.codec.name not in frames:
                frames[socket.codec.name] = socket.codec.frame(picture)
            socket.write(frames[socket.codec.name])

    def picture(self, room: str, watched: _Watched, now_ms: int) -> Room:
        """What the floor sees now."""
        ats = [at for table in watched.tables if (at := self._registry.peek(table)) is not None]
        return Room(
            room=room,
            tables=[self._summary(at) for at in ats],
            screens=[*self.screens(room), *watched.others],
            waiting=waiting_list(ats),
            now_ms=now_ms,
            stale=not self._registry.ready()[0],
        )

    def _summary(self, at: At) -> TableSummary:
        name = at.table.setup.table
        kept = self._summaries.get(name)
        if kept is None or (kept.epoch, kept.offset) != (at.position.epoch, at.position.offset):
            kept = summary(at, self._dealt_ms.get(name, 0))
            self._summaries[name] = kept
        if self._registry.is_current(name):
            return kept
        return msgspec.structs.replace(kept, stale=True)

    async def _look_up(self, room: str, watched: _Watched) -> None:
        """Take in the tables that were opened, let go of those that were closed."""
        listed = await self._registry.tables(room)
        for table in [table for table in watched.tables if table not in listed]:
            del watched.tables[table]
            self._let_go(table)
        for table in listed:
            if table not in watched.tables and await self._registry.current(table) is not None:
                self._registry.watch(table)
                watched.tables[table] = None
        if self._watched.get(room) is not watched:
            # Everybody left while the store was asked.
            for table in watched.tables:
                self._let_go(table)

    def _let_go(self, table: str) -> None:
        self._registry.unwatch(table)
        self._summaries.pop(table, None)
        self._dealt_ms.pop(table, None)

    async def _show(self, now_ms: int) -> None:
        """Show our screens to other processes, where one of them asks."""
        if now_ms - self._shown_ms < self._look_up_ms:
            return
        self._shown_ms = now_ms
        rooms = {
            room
            for socket in self._hub.clients
            if socket.credential is not None
            for room in (
                [socket.credential.room]
                if socket.credential.room is not None
                else [self._hub.room_of(table) for table in socket.tables]
            )
            if room is not None
        }
        for room in sorted(rooms):
            if await self._rooms.is_watched_elsewhere(room):
                await self._rooms.show_screens(room, self.screens(room))

    def _changed(self, change: Change) -> None:
        watched = self._watched.get(change.after.setup.room)
        if watched is None:
            return
        watched.is_due = True
        if change.table not in watched.tables:
            watched.looked_up_ms = 0
        if any(isinstance(event, HandDealt) for event in change.events):
            self._dealt_ms[change.table] = change.at_ms

    def _given(self) -> None:
        for watched in self._watched.values():
            watched.is_due = True

    def _was_reset(self, reset: Reset) -> None:
        for watched in self._watched.values():
            if reset.table in watched.tables:
                watched.is_due = True

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.problem = "the task of the rooms ended"
            log.error("%s", self.problem, exc_info=task.exception())


def screen_of(socket: Client, hub: Hub, rooms: Rooms, now_ms: int) -> Screen:
    """A connected client, as the floor sees it, with the name and set-up it was given, if any."""
    session, credential = socket.session, socket.credential
    assert session is not None
    assert credential is not None
    program, _, version = session.client.partition("/")
    tables = sorted(socket.tables)
    table = tables[0] if len(tables) == 1 else ""
    position = None if socket.is_behind or not table else hub.position(table)
    return Screen(
        id=session.id,
        name=rooms.names.of(credential.id) or credential.name or program or credential.id,
        role=credential.role,
        last_seen_ms=now_ms - round(socket.silent_s * 1000),
        table=table,
        seat=credential.seat,
        position=(position.epoch, position.offset) if position else None,
        version=version,
        token=credential.id,
        setup=rooms.setups.of(credential.id),
    )
