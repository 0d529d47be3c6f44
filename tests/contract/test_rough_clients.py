"""Clients that flood, stall, drip and break frames: refused, counted, and nobody else notices."""

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.contract.doors import HANG_LIMIT_S, Message, ServerProcess, Socket
from tests.servers import wait_until

pytestmark = pytest.mark.real

UPGRADE = (
    b"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: livebutton.v1.json\r\n"
)


def raw(server: ServerProcess, data: bytes) -> socket.socket:
    """A connection that has sent these bytes."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=HANG_LIMIT_S)
    connection.sendall(data)
    return connection


def rest(connection: socket.socket) -> bytes:
    """All that still comes, until it is hung up."""
    data = b""
    try:
        while some := connection.recv(65_536):
            data += some
    except ConnectionResetError:
        pass
    connection.close()
    return data


def refused_handshake(server: ServerProcess, **options: Any) -> None:
    with pytest.raises(InvalidStatus):
        Socket(server.url, **options)


def closed_by(server: ServerProcess, data: str) -> None:
    with server.socket() as client:
        client.raw.send(data)
        client.close_code()


def compressed(server: ServerProcess) -> None:
    """A frame with the bit of permessage-deflate, which was not agreed to."""
    connection = raw(server, UPGRADE + b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    assert b"101" in head
    assert b"Sec-WebSocket-Extensions" not in head
    connection.sendall(b"\xc1\x8f\0\0\0\0" + b'{"type":"ping"}')
    frame = rest(connection)
    assert (frame[0], int.from_bytes(frame[2:4], "big")) == (0x88, 1002)


def unknown_token(server: ServerProcess) -> None:
    with Socket(server.url) as client:
        client.send(type="hello", token="x.y.z", client="c")
        assert client.close_code() == 4001


def said(server: ServerProcess, **message: Any) -> None:
    with server.socket() as client:
        client.send(**message)
        client.next()


def forbidden(server: ServerProcess) -> None:
    table = server.open_table(1)
    with server.socket("display", [table]) as client:
        assert client.ask(table, type="sit_out", seat=1)["reason"] == "forbidden"


def nobody(server: ServerProcess) -> None:
    with server.stranger() as http:
        assert http.get("/v1/tables").status_code == 401


COUNTED: dict[str, tuple[Callable[[ServerProcess], None], str, dict[str, str]]] = {
    "subprotocol": (
        lambda server: refused_handshake(server, subprotocols=["other"]),
        "livebutton_handshakes_refused_total",
        {"status": "400"},
    ),
    "origin": (
        lambda server: refused_handshake(server, origin="http://elsewhere.example"),
        "livebutton_handshakes_refused_total",
        {"status": "403"},
    ),
    "no-message": (
        lambda server: closed_by(server, "{"),
        "livebutton_bad_input_total",
        {"code": "bad_message"},
    ),
    "oversized": (
        lambda server: closed_by(server, "x" * 100_000),
        "livebutton_sockets_closed_total",
        {"code": "4009"},
    ),
    "compressed": (compressed, "livebutton_bad_input_total", {"code": "bad_frame"}),
    "token": (unknown_token, "livebutton_sockets_closed_total", {"code": "4001"}),
    "unknown-type": (
        lambda server: said(server, type="fly"),
        "livebutton_bad_input_total",
        {"code": "unknown_type"},
    ),
    "no-table": (
        lambda server: said(server, type="subscribe", table="nowhere"),
        "livebutton_errors_total",
        {"code": "no_table"},
    ),
    "forbidden": (forbidden, "livebutton_commands_total", {"verdict": "forbidden"}),
    "nobody": (nobody, "livebutton_http_answers_total", {"status": "401"}),
}


@pytest.mark.parametrize("kind", COUNTED)
def test_what_is_refused_is_counted(server: ServerProcess, kind: str) -> None:
    do, name, labels = COUNTED[kind]
    before = server.metric(name, **labels)
    do(server)
    wait_until(lambda: server.metric(name, **labels) > before, f"{name} {labels} went up")


def test_a_flood_is_too_much_for_its_token_alone_and_changes_nothing(server: ServerProcess) -> None:
    table = server.open_table(1)
    counted = {"pings": ("livebutton_errors_total", {"code": "too_many"})}
    counted["commands"] = ("livebutton_commands_total", {"verdict": "too_many"})
    before = {kind: server.metric(name, **labels) for kind, (name, labels) in counted.items()}
    with server.socket("player", [table], seat=1) as flood, server.socket("display") as calm:
        at = calm.subscribe(table)
        # Far more than is granted at once, far sooner than more is granted.
        for _ in range(1_000):
            flood.send(type="ping")
        error = flood.until("error")
        assert (error["code"], error["retry"]) == ("too_many", True)
        for number in range(500):
            # Another's seat: whatever is let through is forbidden.
            command = {"type": "leave", "seat": 2}
            flood.send(type="command", id=f"{table}-{number}", table=table, command=command)
        refused = flood.until("refused")
        while refused["reason"] != "too_many":
            assert refused["reason"] == "forbidden"
            refused = flood.until("refused")
        assert refused["retry"] is True
        calm.send(type="ping")
        calm.take("heartbeat")
        assert calm.subscribe(table)["offset"] == at["offset"]
    for kind, (name, labels) in counted.items():
        assert server.metric(name, **labels) > before[kind], kind


def test_whoever_drips_a_handshake_or_says_no_hello_is_hung_up_on(server: ServerProcess) -> None:
    before = server.metric("livebutton_bad_input_total", code="slow_request")
    with Socket(server.url) as mute:
        dripping = [raw(server, UPGRADE), raw(server, b"GET /v1/wa"), raw(server, b"")]
        assert [rest(connection) for connection in dripping] == [b"", b"", b""]
        assert mute.close_code() == 4001
    after = server.metric("livebutton_bad_input_total", code="slow_request")
    assert after >= before + len(dripping)
    with server.socket() as client:
        client.send(type="ping")
        client.take("heartbeat")


@pytest.fixture
def logging_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of this test's own, whose log is read."""
    with ServerProcess(tmp_path / "data", "--log", "json") as server:
        yield server


def narrow(server: ServerProcess, name: str) -> Socket:
    """A display with little room for what it does not read: sixteen frames, and 32 KiB."""
    token = server.token("backend", name=name)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 * 1024)
    connection.connect(("127.0.0.1", server.port))
    client = Socket(server.url, sock=connection)
    client.send(type="hello", token=token, client="contract/1.0")
    client.take("welcome")
    return client


def change(server: ServerProcess, driver: Socket, table: str, number: int) -> None:
    """One commit at the table, with a long name in it."""
    taking = {"type": "take_seat", "seat": 1, "player": f"{number}-" + "x" * 60}
    command = {"type": "leave", "seat": 1} if number % 2 else taking
    assert driver.ask(table, **command)["type"] == "accepted"


def test_a_reader_that_stalls_gets_the_newest_state_and_the_others_every_change(
    logging_server: ServerProcess,
) -> None:
    server = logging_server
    table = server.open_table(0)
    with (
        narrow(server, "wall") as slow,
        server.socket("display", [table]) as quick,
        server.socket("backend") as driver,
    ):
        slow.subscribe(table)
        quick.subscribe(table)
        number = 0
        while server.metric("livebutton_coalesced_total") < 20:
            for _ in range(50):
                change(server, driver, table, number)
                number += 1
                assert quick.take("delta")["offset"] == number + 1
            assert number < 10_000
        assert server.metric("livebutton_queue_bytes") > 0
        assert server.metric("livebutton_view_staleness_seconds") > 0
        newest = slow.next()
        while newest["type"] == "delta":
            newest = slow.next()
        assert (newest["type"], newest["offset"]) == ("snapshot", number + 1)
        change(server, driver, table, number)
        assert slow.until("delta")["offset"] == number + 2


def test_a_reader_that_asks_on_and_reads_nothing_is_closed_with_4004_and_the_log_says_who(
    logging_server: ServerProcess,
) -> None:
    server = logging_server
    table = server.open_table(6)
    with narrow(server, "wall") as slow:
        while not server.metric("livebutton_sockets_closed_total", code="4004"):
            for _ in range(200):
                slow.send(type="subscribe", table=table)
        assert slow.close_code() == 4004
    lines: list[Message] = [json.loads(line) for line in server.log.read_text().splitlines()]
    (told,) = [line for line in lines if "does not read" in line["message"]]
    assert told["level"] == "warning"
    assert "backend:wall" in told["client"]
    assert told["tables"] == [table]
    assert told["backlog_bytes"] > 500_000
