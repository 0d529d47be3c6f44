"""The door: an asyncio connection that mends itself, around the core that decides everything."""

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from types import TracebackType
from typing import Any, TypeVar

from livebutton_client.codec import Codec, CodecName
from livebutton_client.copy_of_table import Freshness
from livebutton_client.core import Core
from livebutton_client.effects import (
    Changed,
    Effect,
    Followed,
    Foreseen,
    RoomSeen,
    Settled,
    Told,
    Unfollowed,
    Welcomed,
)
from livebutton_client.errors import (
    Closed,
    LivebuttonError,
    NotConnected,
    Refused,
    SubscriptionRefused,
)
from livebutton_client.following import FollowedRoom, FollowedTable
from livebutton_client.ledger import OpenCommand
from livebutton_client.lifeline import CONNECT_LIMIT_S, Lifeline, now_ms
from livebutton_client.messages import Accepted, Previewed, Verdict
from livebutton_client.position import StreamPosition
from livebutton_client.token import Token

MAX_COMMAND_BYTES = 32 * 1024

Value = TypeVar("Value")
Waiters = dict[str, list[asyncio.Future[None]]]


class Connection:
    """One client's link to a livebutton server, through any number of sockets.

        async with Connection("ws://127.0.0.1:8080/v1/ws", token=token) as room:
            table = await room.subscribe("t1")
            await table.command({"type": "shuffle"})
            async for change in table:
                show(change.view)

    It reconnects by itself, and what was followed and asked for goes on where it was. It ends for
    good only when it is closed, or when the server says so (`Unauthorized`, `Revoked`).
    """

    def __init__(
        self,
        url: str,
        *,
        token: Token,
        client: str = "livebutton-python/0.1",
        codec: CodecName = "msgpack",
        open_timeout_s: float | None = CONNECT_LIMIT_S,
        presence_s: float | None = None,
        give_up_s: float | None = None,
    ) -> None:
        """`url` is the server's socket address, `ws://HOST:PORT/v1/ws`.

        `token` is a text, or a function (async or not) that gives a token when one is needed: at
        each connect, and before the present one ends. `client` names this program to the server.
        `open_timeout_s` is how long `async with` waits for the first welcome; None: not at all.
        `give_up_s` is how long it tries to get a session, at first and after each loss, before it
        ends with NotConnected; None: for ever.
        `presence_s` is how often a screen says that it is there (the floor sees which are silent).
        """
        self._codec = Codec(codec)
        self._open_timeout_s = open_timeout_s
        self._core = Core(client=client, draw=random.SystemRandom().random, presence_s=presence_s)
        self._lifeline = Lifeline(url, token, self._codec, self._core, self._told, give_up_s)
        self._life: asyncio.Task[None] | None = None
        self._end: Exception | None = None
        self._tables: dict[str, FollowedTable] = {}
        self._rooms: dict[str, FollowedRoom] = {}
        # Who waits for what, by name or id; the first welcome has the empty name.
        self._for_tables: Waiters = {}
        self._for_rooms: Waiters = {}
        self._for_welcome: Waiters = {}
        self._for_verdicts: dict[str, asyncio.Future[Accepted | LivebuttonError]] = {}
        self._previews: dict[str, tuple[dict[str, Any], asyncio.Future[Previewed]]] = {}
        self._questions: dict[str, tuple[str, list[asyncio.Future[Verdict | None]]]] = {}

    # Opening and closing.

    async def __aenter__(self) -> "Connection":
        self._life = asyncio.create_task(self._live(), name="livebutton connection")
        if self._open_timeout_s is None:
            return self
        try:
            async with self._waiting(self._for_welcome, "") as welcome:
                await self._within(self._open_timeout_s, welcome, "no welcome from the server")
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End it: loops over tables end, and what still waits for a verdict raises `Closed`."""
        self._finish(Closed("the connection was closed"))
        if self._life is not None:
            self._life.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._life

    @property
    def is_connected(self) -> bool:
        """Whether a session stands now."""
        return self._core.is_welcome

    def server_ms(self) -> int:
        """The server's clock in milliseconds, as far as the last heartbeat tells."""
        return self._core.server_ms(now_ms())

    # Tables and rooms.

    async def subscribe(self, table: str, *, timeout_s: float = CONNECT_LIMIT_S) -> FollowedTable:
        """Follow a table; returns when its view is whole.

        Raises SubscriptionRefused, NotConnected (not within `timeout_s`), Stopped or Closed.
        """
        self._require_open()
        followed = self._tables.get(table)
        if followed is None:
            self._lifeline.perform(self._core.follow(table, now_ms()))
            followed = FollowedTable(self, self._core.tables[table])
            self._tables[table] = followed
        if self._core.tables[table].position is not None and self._core.tables[table].is_live:
            return followed
        async with self._waiting(self._for_tables, table) as whole:
            try:
                await self._within(timeout_s, whole, f"table {table} did not come")
            except NotConnected:
                await self.unsubscribe(table)
                raise
        return followed

    async def unsubscribe(self, table: str) -> None:
        """Follow a table no longer; its loop ends."""
        self._lifeline.perform(self._core.unfollow(table))
        followed = self._tables.pop(table, None)
        if followed is not None:
            followed.ended(Closed(f"table {table} is followed no longer"))

    async def subscribe_room(
        self, room: str, *, timeout_s: float = CONNECT_LIMIT_S
    ) -> FollowedRoom:
        """Follow a room's picture; returns with the first one. Raises as `subscribe`."""
        self._require_open()
        followed = self._rooms.get(room)
        if followed is None:
            followed = self._rooms[room] = FollowedRoom(room)
            self._lifeline.perform(self._core.follow_room(room, now_ms()))
        if followed.picture is None:
            async with self._waiting(self._for_rooms, room) as seen:
                try:
                    await self._within(timeout_s, seen, f"room {room} did not come")
                except NotConnected:
                    await self.unsubscribe_room(room)
                    raise
        return followed

    async def unsubscribe_room(self, room: str) -> None:
        """Follow a room no longer; its loop ends."""
        self._lifeline.perform(self._core.unfollow_room(room))
        followed = self._rooms.pop(room, None)
        if followed is not None:
            followed.ended(Closed(f"room {room} is followed no longer"))

    def freshness(self, table: str) -> Freshness:
        """Whether the server has lately said that our view of the table is all there is.

        `fresh`: it has. `stale`: not for some heartbeats, or something is on its way: the view
        was true. `unknown`: not for a minute, or never: do not rely on it.
        """
        return self._core.freshness(table, now_ms())

    # Commands.

    async def command(
        self,
        table: str,
        command: Mapping[str, Any],
        *,
        expected: StreamPosition | None = None,
        deadline_s: float = 10.0,
        command_id: str | None = None,
    ) -> Accepted:
        """Give one command and wait for its one verdict, through reconnects if need be.

        `expected`: refuse it as `stale` unless the table stands there. `deadline_s`: the server
        judges it within this time or never. `command_id`: to send an old command again (once
        judged, an id keeps its verdict); made up when absent.

        Raises Refused; NoVerdict when the deadline and some seconds passed with nobody to say
        what became of it; Overloaded; Stopped or Closed; ValueError for what cannot be sent.
        """
        self._require_open()
        if not table:
            raise ValueError("a command needs a table, `open_table` the name of the new one")
        if len(self._codec.encode({"command": dict(command)})) > MAX_COMMAND_BYTES:
            raise ValueError(f"a command of more than {MAX_COMMAND_BYTES} bytes")
        command_id = command_id or secrets.token_urlsafe(12)
        now = now_ms()
        asked = OpenCommand(command_id, table, command, expected, now + int(deadline_s * 1000))
        effects = self._core.command(asked, now)
        settled = asyncio.get_running_loop().create_future()
        self._for_verdicts[command_id] = settled
        try:
            self._lifeline.perform(effects)
            verdict = await settled
        finally:
            self._core.ledger.forget(command_id)
            del self._for_verdicts[command_id]
        if isinstance(verdict, Accepted):
            return verdict
        raise verdict

    async def verdict(
        self, table: str, command_id: str, *, timeout_s: float = CONNECT_LIMIT_S
    ) -> Verdict | None:
        """What became of an old command: None when the server has never heard of it.

        Raises NotConnected when nobody answers within `timeout_s`.
        """
        self._require_open()
        answered: asyncio.Future[Verdict | None] = asyncio.get_running_loop().create_future()
        _, waiting = self._questions.setdefault(command_id, (table, []))
        waiting.append(answered)
        try:
            self._lifeline.perform(self._core.ask(table, command_id))
            return await self._within(timeout_s, answered, f"no answer about {command_id}")
        finally:
            waiting.remove(answered)
            if not waiting:
                self._questions.pop(command_id, None)

    async def preview(
        self, table: str, command: Mapping[str, Any], *, timeout_s: float = CONNECT_LIMIT_S
    ) -> Previewed:
        """What a command would do to the table now. Nothing is done; another may come first.

        Raises Refused; NotConnected when nobody answers within `timeout_s`.
        """
        self._require_open()
        asked_id = secrets.token_urlsafe(12)
        asked = {"type": "preview", "id": asked_id, "table": table, "command": dict(command)}
        self._codec.encode(asked)  # What cannot be sent is the program's error.
        answered: asyncio.Future[Previewed] = asyncio.get_running_loop().create_future()
        self._previews[asked_id] = (asked, answered)
        try:
            self._lifeline.perform(self._core.preview(asked))
            return await self._within(
                timeout_s, answered, f"no answer about a {command.get('type')}"
            )
        finally:
            del self._previews[asked_id]

    # What happens.

    async def _live(self) -> None:
        """The whole life; however it ends, nobody is left waiting."""
        try:
            self._finish(await self._lifeline.run())
        except asyncio.CancelledError:
            self._finish(Closed("the connection was closed"))
            raise
        except Exception as error:
            self._finish(error)
            raise

    def _finish(self, error: Exception) -> None:
        if self._end is not None:
            return
        self._end = error
        for table in self._tables.values():
            table.ended(error)
        for room in self._rooms.values():
            room.ended(error)
        for waiters in (self._for_tables, self._for_rooms, self._for_welcome):
            for name in list(waiters):
                _fail(waiters.get(name, ()), error)
        _fail(self._for_verdicts.values(), error)
        for _, waiting in self._questions.values():
            _fail(waiting, error)
        _fail([answered for _, answered in self._previews.values()], error)

    def _require_open(self) -> None:
        if self._end is not None:
            raise self._end

    def _told(self, effect: Effect) -> None:
        """One effect of the core that concerns the program."""
        match effect:
            case Welcomed():
                _wake(self._for_welcome.get("", ()))
                for command_id, (table, _) in self._questions.items():
                    self._lifeline.perform(self._core.ask(table, command_id))
                for asked, _ in self._previews.values():
                    self._lifeline.perform(self._core.preview(asked))
            case Changed(change) if change.table in self._tables:
                self._tables[change.table].changed(change)
            case Followed(table):
                _wake(self._for_tables.get(table, ()))
            case Unfollowed(error):
                self._unfollowed(error)
            case RoomSeen(picture) if picture.room in self._rooms:
                self._rooms[picture.room].seen(picture)
                _wake(self._for_rooms.get(picture.room, ()))
            case Settled() | Foreseen() | Told():
                self._answered(effect)
            case _:
                pass  # about a table or room that is followed no longer

    def _answered(self, effect: Settled | Foreseen | Told) -> None:
        """What became of something that was asked."""
        match effect:
            case Settled(command_id, verdict):
                settled = self._for_verdicts.get(command_id)
                if settled is not None and not settled.done():
                    settled.set_result(verdict)
            case Foreseen(preview):
                _, foreseen = self._previews.get(preview.id, ({}, None))
                if foreseen is not None and not foreseen.done():
                    foreseen.set_result(preview)
            case Told(command_id, Refused() as refused) if command_id in self._previews:
                _fail([self._previews[command_id][1]], refused)
            case Told(command_id, told):
                _, waiting = self._questions.get(command_id, ("", []))
                for answered in waiting:
                    if not answered.done():
                        answered.set_result(told)

    def _unfollowed(self, error: SubscriptionRefused) -> None:
        followed = self._tables.pop(error.name, None) or self._rooms.pop(error.name, None)
        if followed is not None:
            followed.ended(error)
        _fail(self._for_tables.get(error.name, ()), error)
        _fail(self._for_rooms.get(error.name, ()), error)

    async def _within(self, limit_s: float, future: Awaitable[Value], what: str) -> Value:
        try:
            async with asyncio.timeout(limit_s):
                return await future
        except TimeoutError:
            why = f": {self._lifeline.problem}" if self._lifeline.problem else ""
            raise NotConnected(f"{what} within {limit_s:g} s{why}") from None

    @contextlib.asynccontextmanager
    async def _waiting(self, waiters: Waiters, name: str) -> AsyncIterator["asyncio.Future[None]"]:
        """A future among those who wait for this name, for as long as it is waited for."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiters.setdefault(name, []).append(future)
        try:
            yield future
        finally:
            waiters[name].remove(future)
            if not waiters[name]:
                del waiters[name]


def _wake(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)


def _fail(futures: Iterable[asyncio.Future[Any]], error: Exception) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)
