"""One socket after the other: opens them, pumps the core's messages through, waits in between."""

import asyncio
import logging
import math
import random
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from livebutton_client.codec import MAX_FRAME_BYTES, Codec
from livebutton_client.core import Core
from livebutton_client.effects import Drop, Effect, Reconnect, Send, Stop, Welcomed
from livebutton_client.errors import NotConnected, ProtocolBroken, Stopped
from livebutton_client.messages import parse
from livebutton_client.token import Token, expiry_ms, fetched

log = logging.getLogger("livebutton_client")

TICK_S = 0.25
CONNECT_LIMIT_S = 10.0
CLOSE_LIMIT_S = 1.0
# Messages that wait for the socket; a peer that takes none of so many is not there.
MAX_OUTGOING = 4_096
# Part of its remaining life after which a token is renewed, drawn evenly from this span.
RENEW_AFTER = (0.7, 0.85)
RENEW_AGAIN_S = 5.0
# The close codes of a socket that never was, or ended without one.
ABNORMAL = 1006
UNAUTHORIZED = 4001


def now_ms() -> int:
    """Milliseconds of a clock that nobody sets and that, where there is one, runs on in sleep."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) // 1_000_000


class Lifeline:
    """The sockets of one connection, of which at most one is open."""

    def __init__(
        self,
        url: str,
        token: Token,
        codec: Codec,
        core: Core,
        tell: Callable[[Effect], None],
        give_up_s: float | None = None,
    ) -> None:
        """`tell` is given every effect that is not about the socket.

        After `give_up_s` without a session it tries no more. ValueError for what is no address of
        a websocket.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a socket: use ws://HOST:PORT/v1/ws")
        self._give_up_s = give_up_s
        self._url = url
        self._token = token
        self._codec = codec
        self._core = core
        self._tell = tell
        self._generation = 0
        self._socket: ClientConnection | None = None
        self._outgoing: asyncio.Queue[bytes | str] = asyncio.Queue(MAX_OUTGOING)
        self._token_in_use = ""
        self._renewing: asyncio.Task[None] | None = None
        self._after_ms = 0
        self._stopped: Stopped | None = None
        # Why there is no session, in words, and since when (None while there is one).
        self.problem = ""
        self._lost_s: float | None = None

    def perform(self, effects: Iterable[Effect]) -> None:
        """Carry out what the core wants. Never waits."""
        for effect in effects:
            match effect:
                case Send(message):
                    self._send(self._codec.encode(message))
                case Drop(reason):
                    self._abort(reason)
                case Reconnect(after_ms):
                    self._after_ms = after_ms
                case Stop(error):
                    self._stopped = error
                case Welcomed():
                    self.problem, self._lost_s = "", None
                    self._renewing = asyncio.create_task(self._renew(self._token_in_use))
                    self._tell(effect)
                case _:
                    self._tell(effect)

    async def run(self) -> Stopped | NotConnected:
        """Live until the server ends it for good, or we give up; return why."""
        ticking = asyncio.create_task(self._tick())
        self._lost_s = time.monotonic()
        try:
            while self._stopped is None:
                code, reason, nobody_there = await self._session()
                self._lost_s = self._lost_s or time.monotonic()
                self.problem = reason or f"close code {code}"
                effects = self._core.closed(
                    self._generation,
                    code,
                    reason,
                    now_ms(),
                    can_renew=callable(self._token),
                    nobody_there=nobody_there,
                )
                self.perform(effects)
                if self._stopped is None:
                    wait_s = self._after_ms / 1000
                    left_s = self._left_s()
                    if left_s <= wait_s:
                        await asyncio.sleep(left_s)
                        return NotConnected(f"no session for {self._give_up_s:g} s: {self.problem}")
                    log.info("session lost: %s %s; again in %.1f s", code, reason, wait_s)
                    await asyncio.sleep(wait_s)
        finally:
            ticking.cancel()
        return self._stopped

    def _left_s(self) -> float:
        """How long it may still be tried."""
        if self._give_up_s is None or self._lost_s is None:
            return math.inf
        return max(0.0, self._lost_s + self._give_up_s - time.monotonic())

    async def _session(self) -> tuple[int, str, bool]:
        """One socket from its opening to its end: its close code and reason, and whether it could
        not be opened because nobody is there."""
        self._generation += 1
        self._outgoing = asyncio.Queue(MAX_OUTGOING)
        try:
            async with asyncio.timeout(CONNECT_LIMIT_S):
                token = await fetched(self._token)
            socket = await self._connect()
        except InvalidStatus as error:
            status = error.response.status_code
            code = UNAUTHORIZED if status in (401, 403) else ABNORMAL
            return code, f"HTTP status {status}", False
        except (OSError, TimeoutError, WebSocketException) as error:
            nobody_there = isinstance(error, OSError) and not isinstance(error, TimeoutError)
            return ABNORMAL, str(error) or repr(error), nobody_there
        except Exception as error:  # the token callback is the program's own, and may raise all
            log.exception("the token callback failed")
            return ABNORMAL, repr(error), False
        self._socket, self._token_in_use = socket, token
        self.perform(self._core.opened(self._generation, token, now_ms()))
        writing = asyncio.create_task(self._write(socket, self._outgoing))
        try:
            return (*await self._read(socket), False)
        finally:
            self._socket = None
            writing.cancel()
            if self._renewing is not None:
                self._renewing.cancel()
            await socket.close()

    async def _connect(self) -> ClientConnection:
        return await connect(
            self._url,
            subprotocols=[Subprotocol(self._codec.subprotocol)],
            compression=None,
            ping_interval=None,  # the server's heartbeats and our probes prove more
            open_timeout=CONNECT_LIMIT_S,
            close_timeout=CLOSE_LIMIT_S,
            max_size=MAX_FRAME_BYTES,
        )

    async def _read(self, socket: ClientConnection) -> tuple[int, str]:
        generation = self._generation
        try:
            while True:
                message = parse(self._codec.decode(await socket.recv()))
                self.perform(self._core.receive(generation, message, now_ms()))
        except ConnectionClosed as closed:
            if closed.rcvd is None:
                return ABNORMAL, "the line was cut"
            return closed.rcvd.code, closed.rcvd.reason
        except ProtocolBroken as error:
            log.warning("session %d dropped: %s", generation, error)
            return ABNORMAL, str(error)

    async def _write(
        self, socket: ClientConnection, outgoing: "asyncio.Queue[bytes | str]"
    ) -> None:
        try:
            while True:
                await socket.send(await outgoing.get())
        except ConnectionClosed:
            return  # the reader learns of it too, with the close code
        except Exception:
            # A session that only listens would leave every command without an answer.
            log.exception("a message could not be sent")
            self._abort("a message could not be sent")

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            try:
                self.perform(self._core.tick(now_ms()))
            except Exception:
                # Without its ticks nobody would notice a silence. A new session starts clean.
                log.exception("a tick broke")
                self._abort("a tick broke")

    async def _renew(self, token: str) -> None:
        """Put a newer token in the place of one that will end, before it does."""
        while callable(self._token):
            expires_ms = expiry_ms(token)
            if expires_ms is None:
                return
            left_s = max(0.0, (expires_ms - self._core.server_ms(now_ms())) / 1000)
            await asyncio.sleep(left_s * random.SystemRandom().uniform(*RENEW_AFTER))
            try:
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    newer = await fetched(self._token)
                self.perform(self._core.refresh(newer))
            except Exception:
                log.exception("the token could not be renewed")
            else:
                token = newer
            await asyncio.sleep(RENEW_AGAIN_S)

    def _send(self, frame: bytes | str) -> None:
        if self._socket is None:
            return
        try:
            self._outgoing.put_nowait(frame)
        except asyncio.QueueFull:
            self._abort(f"{MAX_OUTGOING} messages wait for the socket")

    def _abort(self, reason: str) -> None:
        """End the socket at once; the reader sees it, and the next session follows."""
        if self._socket is not None:
            log.warning("session %d dropped: %s", self._generation, reason)
            self._socket.transport.abort()
