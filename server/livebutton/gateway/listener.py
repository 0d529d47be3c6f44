"""uvicorn with our doors in its frame: who drips a request in is cut off; we say when to stop."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any, cast

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from livebutton.gateway.gateway import Gateway
from livebutton.gateway.socket import protocol_class

HEAD_LIMIT_S = 10.0
KEEP_ALIVE_S = 30
GRACE_S = 5
BACKLOG = 4096


class HttpConnection(H11Protocol):
    """HTTP/1.1 in which a request's head must come whole within a limit."""

    gateway: Gateway
    head_limit_s = HEAD_LIMIT_S

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch_head()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._unwatch_head()
        super().handle_websocket_upgrade(event)
        # What follows in this connection is not for h11 any more.
        self._head_timer = None

    def _watch_head(self) -> None:
        is_waiting = self.conn.their_state is h11.IDLE and not self.transport.is_closing()
        if not is_waiting:
            self._unwatch_head()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_limit_s, self._give_up)

    def _unwatch_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        self.gateway.metrics.bad_input.labels("slow_request").inc()
        self.transport.abort()


class Listener(uvicorn.Server):
    """uvicorn's server, without its signal handlers: the process that runs it has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to whoever runs this."""
        yield


def listener(gateway: Gateway, app: Starlette) -> Listener:
    """A server for the gateway's sockets and HTTP on one port."""
    config = uvicorn.Config(
        app,
        http=type("GatewayHttp", (HttpConnection,), {"gateway": gateway}),
        ws=protocol_class(gateway),
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
        backlog=BACKLOG,
    )
    return Listener(config)
