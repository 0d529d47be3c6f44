"""One subscriber's connection to one node.

It owns its reconnects: whatever ends the connection, or a silence that no ping breaks, it dials
again, subscribes to all that is wanted, and says that hints may have been lost.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterable
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from livebutton.store.contract import StoreUnreachable
from livebutton.store.ending import end
from livebutton.store.timeouts import Timeouts

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.05
MAX_PAUSE_S = 1.0

Hear = Callable[[str, bytes], None]


class Ear:
    """Hears the channels it wants on one node. `doubt` is called after every loss."""

    def __init__(
        self,
        dial: Callable[[], AbstractConnection],
        timeouts: Timeouts,
        *,
        is_cluster: bool,
        hear: Hear,
        doubt: Callable[[], None],
        displaced: Callable[[], None],
    ) -> None:
        """`displaced`: the node says that a channel belongs to another."""
        self.wanted: set[str] = set()
        self.connects_count = 0
        self.pings_count = 0
        self._is_cluster = is_cluster
        self._dial = dial
        self._timeouts = timeouts
        self._hear = hear
        self._doubt = doubt
        self._displaced = displaced
        self._connection: AbstractConnection | None = None
        self._confirmed: dict[str, asyncio.Future[None]] = {}
        self._returning: set[str] = set()
        self._task = asyncio.get_running_loop().create_task(self._listen())

    async def add(self, channels: Iterable[str]) -> None:
        """Hear these too, and return once the node has said so, or after a while."""
        new = [channel for channel in channels if channel not in self.wanted]
        self.wanted.update(new)
        if not new:
            return
        loop = asyncio.get_running_loop()
        confirmations = [
            self._confirmed.setdefault(channel, loop.create_future()) for channel in new
        ]
        await self.say("SUBSCRIBE", *new)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._timeouts.connect_s):
                await asyncio.wait(confirmations)

    async def drop(self, channels: Iterable[str]) -> None:
        """Hear these no more."""
        gone = [channel for channel in channels if channel in self.wanted]
        self.wanted.difference_update(gone)
        self._returning.difference_update(gone)
        for channel in gone:
            self._settle(channel)
        if gone:
            await self.say("UNSUBSCRIBE", *gone)

    async def redial(self) -> None:
        """Drop the connection: it may be connected and hear nothing."""
        if self._connection is not None:
            await _hang_up(self._connection)

    async def close(self) -> None:
        """Hear nothing more."""
        await end(self._task)
        for channel in list(self._confirmed):
            self._settle(channel)

    async def _listen(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            connection = None
            try:
                connection = self._dial()
                async with asyncio.timeout(self._timeouts.connect_s + self._timeouts.command_s):
                    await connection.connect()  # type: ignore[no-untyped-call]
                self.connects_count += 1
                self._connection = connection
                if self.wanted:
                    self._returning = set(self.wanted) if self.connects_count > 1 else set()
                    await self.say("SUBSCRIBE", *self.wanted)
                pause_s = FIRST_PAUSE_S
                await self._hear_from(connection)
            except (RedisError, OSError, StoreUnreachable) as error:
                log.warning("the subscriber's connection was lost: %s", error)
            except Exception:
                # redis-py trips over itself when it is hung up in the midst of a send. Whatever
                # it was, an ear that listens no more would be deaf for good.
                log.exception("the subscriber's connection broke")
            finally:
                self._connection = None
                if connection is not None:
                    await _hang_up(connection)
            self._displaced()
            await asyncio.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311 - a pause
            pause_s = min(2 * pause_s, MAX_PAUSE_S)

    async def _hear_from(self, connection: AbstractConnection) -> None:
        was_asked = False
        while True:
            # None past the time: a subscriber may hear nothing for long.
            limit_s = self._timeouts.command_s if was_asked else self._timeouts.subscriber_s
            reply = await connection.read_response(timeout=limit_s)
            if reply is not None:
                was_asked = False
                self._take(reply)
            elif was_asked:
                raise StoreUnreachable("the node does not answer a ping")
            else:
                was_asked = True
                self.pings_count += 1
                await _send(connection, ("PING",))

    def _take(self, reply: Any) -> None:
        if not isinstance(reply, list):
            return  # The answer to a ping outside of any subscription.
        match reply[0]:
            case b"message" | b"smessage":
                self._hear(reply[1].decode(), reply[2])
            case b"subscribe" | b"ssubscribe":
                self._heard_again(reply[1].decode())
            case b"unsubscribe" | b"sunsubscribe":
                if reply[1] is not None and reply[1].decode() in self.wanted:
                    self._displaced()
            case _:
                pass

    def _heard_again(self, channel: str) -> None:
        """The node confirmed a channel; after a loss, the last one of all ends the doubt."""
        self._settle(channel)
        if channel in self._returning:
            self._returning.discard(channel)
            if not self._returning:
                self._doubt()

    async def say(self, word: str, *channels: str) -> None:
        """Send SUBSCRIBE or UNSUBSCRIBE, if connected."""
        connection = self._connection
        if connection is None:
            return  # Not connected: all that is wanted goes along when it is.
        commands: list[tuple[str, ...]] = [(word, *channels)]
        if self._is_cluster:
            # Channels of different slots do not go into one command.
            commands = [(f"S{word}", channel) for channel in channels]
        with contextlib.suppress(RedisError, OSError, StoreUnreachable):
            await _send(connection, *commands)

    def _settle(self, channel: str) -> None:
        confirmation = self._confirmed.pop(channel, None)
        if confirmation is not None and not confirmation.done():
            confirmation.set_result(None)


async def _send(connection: AbstractConnection, *commands: tuple[str, ...]) -> None:
    """Send them, unless the connection was hung up: redis-py would dial anew and hear nothing."""
    if not connection.is_connected:
        raise StoreUnreachable("the connection was hung up")
    await connection.send_packed_command(connection.pack_commands(commands), check_health=False)


async def _hang_up(connection: AbstractConnection) -> None:
    with contextlib.suppress(RedisError, OSError):
        await connection.disconnect(nowait=True)
