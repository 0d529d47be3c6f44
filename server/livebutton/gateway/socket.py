"""The websocket door: websockets' protocol, without I/O, as uvicorn's websocket protocol class.

A received frame is handled where it arrives, and a frame to send goes straight to the transport:
no ASGI, no task and no queue per socket. What uvicorn's classes expect of such a class is little
(the constructor, `shutdown`, a place in `connections`) and is held by a test.
"""

import asyncio
import logging
import socket as sockets
from typing import TYPE_CHECKING, Any, cast

from websockets.exceptions import NegotiationError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from livebutton.gateway.auth import Credential
from livebutton.gateway.handshake import Handshake
from livebutton.gateway.session import Session
from livebutton.wire.codec import BY_SUBPROTOCOL, MSGPACK, BadFields, BadMessage, Codec
from livebutton.wire.codes import CloseCode

if TYPE_CHECKING:
    from livebutton.gateway.gateway import Gateway

log = logging.getLogger(__name__)

PATH = "/v1/ws"
PING_AFTER_S = 20.0
SILENCE_LIMIT_S = 120.0
CLOSE_LIMIT_S = 5.0
# What is still read, and dropped, of one that sent too much: if we hung up on bytes that we have
# not read, the kernel would reset the connection and the close code would be lost.
LINGER_BYTES = 64 * 1024 * 1024
# A slow one must first read what lies before the close code.
SLOW_CLOSE_LIMIT_S = 30.0
# Commands of one socket that may be on their way at once; past that it is not read.
MAX_IN_FLIGHT = 64
# What the kernel keeps for a socket that does not read: small, so that we notice.
SEND_BUFFER_BYTES = 64 * 1024
GONE_LIMIT_MS = 60_000
_USER_TIMEOUT: int | None = getattr(sockets, "TCP_USER_TIMEOUT", None)
_PING = b"\x89\x00"


class Socket(asyncio.Protocol):
    """One websocket. Made by uvicorn when a connection asks for an upgrade."""

    __slots__ = (
        "_behind",
        "_close_timer",
        "_connections",
        "_fragments",
        "_heard_s",
        "_in_flight",
        "_is_closing",
        "_is_pinged",
        "_is_read",
        "_linger_bytes",
        "_paused_s",
        "_protocol",
        "_transport",
        "codec",
        "session",
    )
    gateway: "Gateway"

    def __init__(
        self,
        config: Any,  # noqa: ARG002
        server_state: Any,
        app_state: dict[str, Any],  # noqa: ARG002
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._connections: set[Any] = server_state.connections
        self._transport: asyncio.Transport = None  # type: ignore[assignment]
        self._protocol = Handshake(self.gateway.origins, self.gateway.max_message_bytes)
        self.codec: Codec = MSGPACK
        self.session: Session | None = None
        self._fragments: bytearray | None = None
        # In the order in which it fell behind.
        self._behind: dict[str, None] | None = None
        # Seconds of the clock that nobody sets; 0 while it reads.
        self._paused_s = 0.0
        self._heard_s = 0.0
        self._in_flight = 0
        self._is_read = True
        self._is_pinged = False
        self._is_closing = False
        # How much more is dropped before we hang up; 0 while everything is listened to.
        self._linger_bytes = 0
        self._close_timer: asyncio.TimerHandle | None = None

    # What the transport says.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connections.add(self)
        self._transport = cast("asyncio.Transport", transport)
        raw = transport.get_extra_info("socket")
        if raw is not None and raw.family in (sockets.AF_INET, sockets.AF_INET6):
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, SEND_BUFFER_BYTES)
            if _USER_TIMEOUT is not None:
                # A machine that is gone acknowledges nothing, our heartbeats least of all.
                raw.setsockopt(sockets.IPPROTO_TCP, _USER_TIMEOUT, GONE_LIMIT_MS)
        self._heard_s = self.gateway.tick_s()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._is_closing = True
        self._connections.discard(self)
        if self._close_timer is not None:
            self._close_timer.cancel()
        if self.session is not None:
            self.gateway.closed(self)

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self._paused_s = self.gateway.tick_s()

    def resume_writing(self) -> None:
        self._paused_s = 0.0
        self._catch_up()

    def data_received(self, data: bytes) -> None:
        protocol = self._protocol
        if self._linger_bytes:
            self._drop(data)
            return
        if self._is_closing and protocol.state is not State.CLOSING:
            return
        self._heard_s = self.gateway.tick_s()
        self._is_pinged = False
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Request):
                self._open(event)
            elif isinstance(event, Frame):
                self._frame(event)
        self._flush(is_failed=protocol.parser_exc is not None)

    def shutdown(self) -> None:
        """uvicorn is stopping: whoever is still here after the drain is told so."""
        self.close(CloseCode.DRAIN, "the server is stopping")

    # The handshake.

    def _open(self, request: Request) -> None:
        response = self._answer(request)
        self._protocol.send_response(response)
        if response.status_code != 101:
            self.gateway.metrics.handshakes_refused.labels(str(response.status_code)).inc()
            self._is_closing = True
            return
        self.codec = BY_SUBPROTOCOL[str(self._protocol.subprotocol)]
        self.session = self.gateway.opened(self)

    def _answer(self, request: Request) -> Response:
        refusal = self.gateway.refuse_socket()
        if request.path.partition("?")[0] != PATH:
            return self._protocol.reject(404, f"the websocket is at {PATH}\n")
        if refusal:
            response = self._protocol.reject(503, refusal + "\n")
            response.headers["Retry-After"] = "2"
            return response
        response = self._protocol.accept(request)
        if isinstance(self._protocol.handshake_exc, NegotiationError):
            names = ", ".join(BY_SUBPROTOCOL)
            return self._protocol.reject(400, f"ask for one of the subprotocols {names}\n")
        return response

    # Frames in.

    def _frame(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT | Opcode.BINARY:
                if frame.fin:
                    self._message(bytes(frame.data))
                else:
                    self._fragments = bytearray(frame.data)
            case Opcode.CONT:
                if self._fragments is None:
                    return
                self._fragments += frame.data
                if frame.fin:
                    whole, self._fragments = bytes(self._fragments), None
                    self._message(whole)
            case Opcode.CLOSE:
                self._is_closing = True
            case _:
                pass  # websockets has answered a ping; a pong was heard.

    def _message(self, data: bytes) -> None:
        session = self.session
        if self._is_closing or session is None:
            return
        now_ms = self.gateway.clock.now_ms()
        metrics = self.gateway.metrics
        try:
            message = self.codec.decode(data)
        except BadMessage as error:
            metrics.bad_input.labels("bad_message").inc()
            self.close(CloseCode.BAD_MESSAGE, str(error))
            return
        except BadFields as error:
            metrics.bad_input.labels(error.code).inc()
            self.gateway.carry_out(self, session.malformed(error, now_ms, self._heard_s))
            return
        metrics.received.labels(type(message).__name__).inc()
        self.gateway.carry_out(self, session.receive(message, now_ms, self._heard_s))

    # Frames out.

    def write(self, frame: bytes) -> None:
        """Write what only this socket gets. A backlog past the cap closes it, to come back."""
        if self._is_closing:
            return
        backlog = self._transport.get_write_buffer_size()
        if backlog + len(frame) > self.gateway.max_backlog_bytes:
            self._close_slow(f"{backlog} bytes not read")
            return
        self._transport.write(frame)

    def deliver(self, table: str, frame: bytes) -> None:
        """Write a change of a table; a socket that does not read gets the newest one later."""
        if self._is_closing:
            return
        if self._paused_s:
            if self._behind is None:
                self._behind = {}
            self._behind[table] = None
            self.gateway.metrics.coalesced.inc()
            return
        self._transport.write(frame)

    def _catch_up(self) -> None:
        """It reads again: the newest state of each table that it fell behind on."""
        while self._behind and not self._paused_s and not self._is_closing:
            table = next(iter(self._behind))
            del self._behind[table]
            if table in self.tables:
                frame = self.gateway.hub.newest(self, table)
                if frame is not None:
                    self.write(frame)
        if not self._behind:
            self._behind = None

    def close(self, code: CloseCode, reason: str) -> None:
        """End the conversation with a code; the connection follows soon."""
        if self._is_closing:
            return
        self._is_closing = True
        self.gateway.metrics.closed.labels(str(int(code))).inc()
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code, _short(reason))
            self._flush(is_failed=False)
        self._end_within(SLOW_CLOSE_LIMIT_S if code == CloseCode.SLOW else CLOSE_LIMIT_S)

    def _end_within(self, limit_s: float) -> None:
        if self._close_timer is None:
            loop = asyncio.get_running_loop()
            self._close_timer = loop.call_later(limit_s, self._transport.abort)

    def _flush(self, *, is_failed: bool) -> None:
        if is_failed and not self._is_closing:
            self._is_closing = True
            sent = self._protocol.close_sent
            code = str(int(sent.code)) if sent else "1006"
            self.gateway.metrics.closed.labels(code).inc()
            self.gateway.metrics.bad_input.labels("bad_frame").inc()
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            elif is_failed and not self._transport.is_closing():
                self._linger()
            else:
                self._transport.close()

    def _linger(self) -> None:
        """Nothing more is said; what still comes is dropped until the other side hangs up."""
        self._linger_bytes = LINGER_BYTES
        self._transport.write_eof()
        self._end_within(CLOSE_LIMIT_S)

    def _drop(self, data: bytes) -> None:
        self._linger_bytes -= len(data)
        if self._linger_bytes <= 0:
            self._linger_bytes = 1
            self._transport.abort()

    def _close_slow(self, why: str) -> None:
        session = self.session
        log.warning(
            "closed a socket that does not read: %s",
            why,
            extra={
                "client": session.label if session else "",
                "tables": sorted(self._behind or self.tables)[:8],
                "backlog_bytes": self._transport.get_write_buffer_size(),
            },
        )
        self.close(CloseCode.SLOW, "too far behind: come back")

    # What the hub asks.

    @property
    def tables(self) -> set[str]:
        """The tables it watches."""
        return self.session.tables if self.session else set()

    @property
    def credential(self) -> Credential | None:
        """Whose it is, None before its hello."""
        return self.session.credential if self.session else None

    @property
    def audience(self) -> str:
        """Which view of a table it gets."""
        credential = self.credential
        return credential.audience if credential else "public"

    @property
    def is_behind(self) -> bool:
        """Whether it has not read what was written to it."""
        return bool(self._paused_s)

    @property
    def silent_s(self) -> float:
        """How long ago anything last came from it."""
        return self.gateway.tick_s() - self._heard_s

    @property
    def backlog_bytes(self) -> int:
        """What was written and it has not taken."""
        return self._transport.get_write_buffer_size()

    @property
    def stale_s(self) -> float:
        """How long it has not read what was written to it."""
        return self.gateway.tick_s() - self._paused_s if self._paused_s else 0.0

    def sweep(self, now_ms: int) -> bool:
        """Look at expiry, silence and backlog; False when it was closed for one."""
        if self._is_closing or self.session is None:
            return False
        ended = self.session.check(now_ms)
        if ended:
            self.gateway.carry_out(self, ended)
            return False
        if self.stale_s > self.gateway.slow_limit_s:
            self._close_slow(f"nothing read for {self.stale_s:.1f} s")
            return False
        if self.silent_s > SILENCE_LIMIT_S:
            log.info("a socket went silent", extra={"client": self.session.label})
            self._is_closing = True
            self._transport.abort()
            return False
        if self.silent_s > PING_AFTER_S and not self._is_pinged and not self._paused_s:
            self._is_pinged = True
            self.write(_PING)
        return True

    # Back-pressure: a socket with too many commands on their way is not read for a while.

    def taken(self) -> None:
        """One more of its commands is on its way."""
        self._in_flight += 1
        if self._in_flight >= MAX_IN_FLIGHT and self._is_read and not self._is_closing:
            self._is_read = False
            self._transport.pause_reading()

    def settled(self) -> None:
        """One fewer."""
        self._in_flight -= 1
        if self._in_flight < MAX_IN_FLIGHT // 2 and not self._is_read and not self._is_closing:
            self._is_read = True
            self._transport.resume_reading()


def protocol_class(gateway: "Gateway") -> type[Socket]:
    """The class that uvicorn is given: it makes sockets of this gateway."""
    return type("GatewaySocket", (Socket,), {"__slots__": (), "gateway": gateway})


def _short(reason: str) -> str:
    """A close reason has at most 123 bytes."""
    return reason.encode()[:120].decode(errors="ignore")
