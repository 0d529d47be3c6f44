"""What our classes take from uvicorn and websockets: an update that moves it fails here."""

import inspect

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import PayloadTooBig
from websockets.protocol import Protocol
from websockets.server import ServerProtocol

from livebutton.gateway.handshake import Handshake
from livebutton.gateway.listener import HttpConnection, Listener
from livebutton.gateway.socket import Socket


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_uvicorn_makes_a_websocket_protocol_as_ours_wants_to_be_made() -> None:
    source = inspect.getsource(H11Protocol.handle_websocket_upgrade)
    assert "self.ws_protocol_class(" in source
    for name in ("config=", "server_state=", "app_state=", "connection_made", "data_received"):
        assert name in source
    assert parameters(Socket.__init__)[1:4] == ["config", "server_state", "app_state"]


def test_uvicorn_tells_each_connection_of_the_end_and_waits_for_it_to_leave() -> None:
    source = inspect.getsource(uvicorn.Server.shutdown)
    assert "connection.shutdown()" in source
    assert "self.server_state.connections" in source
    assert callable(Socket.shutdown)


def test_uvicorn_takes_classes_and_leaves_the_signals_to_us() -> None:
    config = uvicorn.Config("x:y", http=HttpConnection, ws=Socket, lifespan="off")
    assert config.http is HttpConnection
    assert "self.capture_signals()" in inspect.getsource(uvicorn.Server.serve)
    assert Listener.capture_signals is not uvicorn.Server.capture_signals


def test_h11_has_what_the_watch_over_the_head_looks_at() -> None:
    for name in ("conn", "loop", "transport"):
        assert f"self.{name}" in inspect.getsource(H11Protocol.__init__)
    assert "their_state" in inspect.getsource(H11Protocol)


def test_websockets_fails_a_connection_through_the_method_that_ours_replaces() -> None:
    assert parameters(Protocol.fail) == ["self", "code", "reason"]
    assert parameters(ServerProtocol.process_origin) == ["self", "headers"]
    source = inspect.getsource(Protocol.parse)
    assert PayloadTooBig.__name__ in source
    assert "self.fail(CloseCode.MESSAGE_TOO_BIG" in source
    assert Handshake.fail is not Protocol.fail
