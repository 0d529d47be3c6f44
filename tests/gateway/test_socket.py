"""The websocket door: who may come in, what may be said, and what is closed for."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
import websockets

from livebutton.gateway import socket
from livebutton.gateway.gateway import Bounds
from tests.gateway.doors import HANG_LIMIT_S, OPEN_TABLE, Served, handshake, masked, raw, served

LIMIT_BYTES = 4_096


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Served]:
    async with served(bounds=Bounds(max_message_bytes=LIMIT_BYTES, heartbeat_s=0.2)) as running:
        yield running


async def head(reader: asyncio.StreamReader) -> str:
    async with asyncio.timeout(HANG_LIMIT_S):
        return (await reader.readuntil(b"\r\n\r\n")).decode()


async def close_code(reader: asyncio.StreamReader) -> int:
    """The code in the close frame that the server sends next, and that it then hangs up."""
    async with asyncio.timeout(HANG_LIMIT_S):
        data = await reader.read()
    assert data[0] == 0x88
    return int.from_bytes(data[2:4], "big")


async def send_for_ever(writer: asyncio.StreamWriter) -> None:
    """Send until it is hung up on."""
    async with asyncio.timeout(HANG_LIMIT_S):
        while True:
            writer.write(b"x" * 50_000)
            await writer.drain()
            await asyncio.sleep(0)


async def still_serves(server: Served) -> None:
    """A new client gets its table as it was."""
    client = await server.client("display")
    heard = await client.subscribe("t7")
    assert [message["type"] for message in heard] == ["snapshot", "live"]
    assert heard[0]["offset"] == 1


@pytest.mark.parametrize("codec", ["json", "msgpack"])
async def test_a_table_is_shown_as_it_is_and_then_as_it_changes(server: Served, codec: str) -> None:
    await server.open_table()
    client = await server.connect(codec)
    welcome = await client.hello(server.token("display"))
    assert welcome["heartbeat_s"] == 0.2
    assert welcome["now_ms"] > 1_600_000_000_000
    snapshot, live = await client.subscribe("t7")
    assert (snapshot["type"], snapshot["offset"]) == ("snapshot", 1)
    assert live == {"type": "live", "table": "t7", "recovered": False}
    await server.command("t7", type="take_seat", seat=4, player="dan")
    delta = await client.hear("delta")
    assert delta["offset"] == 2
    assert delta["epoch"] == snapshot["epoch"]
    assert delta["patch"]["seats"] == {"4": {"player": "dan", "name": "dan"}}
    assert [event["type"] for event in delta["events"]] == ["seat_taken"]


async def test_a_command_gets_its_verdict_and_its_id_acts_once(server: Served) -> None:
    await server.open_table()
    client = await server.client("dealer")
    command = {"type": "take_seat", "seat": 4, "player": "dan"}
    first = await client.command("t7", command, id="c-1")
    assert (first["type"], first["offset"]) == ("accepted", 2)
    assert await client.command("t7", command, id="c-1") == first
    other = await client.command("t7", {**command, "seat": 5}, id="c-1")
    assert (other["type"], other["reason"]) == ("refused", "id_conflict")
    taken = await client.command("t7", {**command, "player": "eve"}, id="c-2")
    assert (taken["reason"], taken["offset"]) == ("seat_taken", 2)
    await client.say(type="verdict", id="c-2", table="t7")
    assert (await client.hear())["reason"] == "seat_taken"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ({"type": "shout"}, "unknown_command"),
        ({}, "unknown_command"),
        ({"type": "take_seat", "seat": 4}, "bad_fields"),
        ({"type": "take_seat", "seat": "four", "player": "dan"}, "bad_fields"),
        ({"type": "take_seat", "seat": 4, "player": "dan", "hat": 1}, "bad_fields"),
        ({"type": "take_seat", "seat": 77, "player": "dan"}, "no_seat"),
        ({"type": "leave", "seat": 4}, "seat_empty"),
        ({"type": "deal"}, "wrong_phase"),
    ],
)
async def test_a_command_that_cannot_be_is_refused_and_changes_nothing(
    server: Served, command: dict[str, object], reason: str
) -> None:
    await server.open_table()
    client = await server.client()
    refused = await client.command("t7", command)
    assert (refused["type"], refused["reason"]) == ("refused", reason)
    assert refused["message"]
    await still_serves(server)


async def test_a_command_for_no_table_is_refused(server: Served) -> None:
    client = await server.client()
    for table in ("nowhere", "a{b}"):
        refused = await client.command(table, {"type": "deal"})
        assert refused["type"] == "refused"
        assert refused["reason"] in ("no_table", "bad_fields")


async def test_a_late_or_stale_command_is_refused(server: Served) -> None:
    await server.open_table()
    client = await server.client()
    late = await client.command("t7", {"type": "close_table"}, deadline_ms=1)
    assert late["reason"] == "late"
    stale = await client.command("t7", {"type": "close_table"}, expected=["other", 1])
    assert (stale["reason"], stale["offset"], stale["retry"]) == ("stale", 1, True)
    await still_serves(server)


async def test_a_table_opened_without_an_id_is_opened_once_however_often_it_is_sent(
    server: Served,
) -> None:
    client = await server.client()
    command = OPEN_TABLE
    first = await client.command("", command, id="open-1")
    assert first["type"] == "accepted"
    assert first["table"]
    assert await client.command("", command, id="open-1") == first
    assert await server.gateway.registry.tables() == [first["table"]]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"type": "shout"}, "unknown_type"),
        ({"type": "ping", "loud": True}, "bad_fields"),
        ({"type": "subscribe"}, "bad_fields"),
        ({"type": "subscribe", "table": "t7", "room": ""}, "bad_fields"),
        ({"type": "unsubscribe"}, "bad_fields"),
        ({"type": "hello", "token": "x"}, "hello_again"),
        ({"type": "subscribe", "table": "nowhere"}, "no_table"),
        ({"type": "subscribe", "table": "a{b}"}, "no_table"),
        ({"type": "subscribe", "table": "room:x"}, "no_table"),
    ],
)
async def test_a_message_that_cannot_be_obeyed_gets_its_error_and_the_socket_lives(
    server: Served, said: dict[str, object], code: str
) -> None:
    await server.open_table()
    client = await server.client()
    await client.say(**said)
    error = await client.hear()
    assert (error["type"], error["code"]) == ("error", code)
    assert error["message"]
    assert (await client.subscribe("t7"))[-1]["type"] == "live"


async def test_a_malformed_command_is_refused_by_its_id(server: Served) -> None:
    client = await server.client()
    await client.say(type="command", id="c-1", table="t7", command={"type": "deal"}, hat=1)
    refused = await client.hear()
    assert (refused["type"], refused["id"], refused["reason"]) == ("refused", "c-1", "bad_fields")


@pytest.mark.parametrize("codec", ["json", "msgpack"])
@pytest.mark.parametrize("is_greeted", [True, False])
async def test_bytes_that_are_no_message_close_with_4000(
    server: Served, codec: str, is_greeted: bool
) -> None:
    await server.open_table()
    client = await (server.client(codec=codec) if is_greeted else server.connect(codec))
    await client.connection.send(b"\xc1\xff\x00")
    assert (await client.closed())[0] == 4000
    await still_serves(server)


async def test_a_message_over_the_limit_closes_with_4009(server: Served) -> None:
    await server.open_table()
    client = await server.client()
    await client.say(type="hello", token="x" * LIMIT_BYTES)
    assert (await client.closed())[0] == 4009
    await still_serves(server)


@pytest.mark.parametrize("size", [300_000, 4_000_000, 16_000_000])
async def test_a_message_far_over_the_limit_is_told_so_however_much_still_comes(
    server: Served, size: int
) -> None:
    await server.open_table()
    for _ in range(5):
        reader, writer = await raw(server.port, handshake())
        assert "101" in await head(reader)
        writer.write(masked(0x81, b"x" * size, b"\xff" + size.to_bytes(8, "big")))
        assert await close_code(reader) == 4009
        writer.close()
    await still_serves(server)


async def test_whoever_never_stops_sending_is_hung_up_on(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "LINGER_BYTES", 100_000)
    reader, writer = await raw(server.port, handshake())
    assert "101" in await head(reader)
    writer.write(masked(0x81, b"", b"\xff" + (2**40).to_bytes(8, "big")))
    assert await close_code(reader) == 4009
    with pytest.raises(ConnectionError):
        await send_for_ever(writer)


async def test_a_message_in_fragments_is_one_message_and_its_limit_holds(server: Served) -> None:
    client = await server.client()
    text = json.dumps({"type": "ping"})
    await client.connection.send([text[:3], text[3:7], "", text[7:]])
    assert (await client.hear("heartbeat"))["tables"] == {}
    await client.connection.send(["x" * 1_000] * 10)
    assert (await client.closed())[0] == 4009


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (masked(0xC1, b'{"type":"ping"}'), 1002),  # compressed, which was not agreed on
        (masked(0x83, b"x"), 1002),  # no such opcode
        (b"\x81\x02{}", 1002),  # not masked
        (masked(0x80, b"x"), 1002),  # goes on with nothing
        (masked(0x09, b"x"), 1002),  # a ping in fragments
        (masked(0x89, b"x" * 126), 1002),  # a ping that is too long
        (masked(0x81, b"", b"\xff" + (2**40).to_bytes(8, "big")), 4009),  # a terabyte announced
        (masked(0x82, b"\xff"), 4000),
        (masked(0x88, b"\x00"), 1002),  # half a close code
    ],
)
async def test_a_broken_frame_closes_with_its_code(server: Served, frame: bytes, code: int) -> None:
    await server.open_table()
    reader, writer = await raw(server.port, handshake())
    assert "101 Switching Protocols" in await head(reader)
    writer.write(frame)
    assert await close_code(reader) == code
    writer.close()
    await still_serves(server)


async def test_a_thousand_empty_fragments_cost_nothing_and_end_with_a_message(
    server: Served,
) -> None:
    reader, writer = await raw(server.port, handshake())
    assert "101" in await head(reader)
    hello = json.dumps({"type": "hello", "token": server.token()}).encode()
    writer.write(masked(0x01, hello) + masked(0x00, b"") * 1_000 + masked(0x80, b""))
    async with asyncio.timeout(HANG_LIMIT_S):
        assert b"welcome" in await reader.read(1_000)
    writer.close()


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (handshake(subprotocol=""), 400),
        (handshake(subprotocol="livebutton.v2.json"), 400),
        (handshake(subprotocol="chat, superchat"), 400),
        (handshake(path="/v1/other"), 404),
        (handshake(path="/"), 404),
        (handshake(Sec_WebSocket_Version="12"), 400),
        (handshake(Sec_WebSocket_Key="short"), 400),
        (handshake(Origin="http://elsewhere.example"), 403),
    ],
)
async def test_a_handshake_that_is_not_ours_is_refused(
    server: Served, request_bytes: bytes, status: int
) -> None:
    reader, writer = await raw(server.port, request_bytes)
    assert f" {status} " in (await head(reader)).splitlines()[0]
    writer.close()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("livebutton.v1.json", "livebutton.v1.msgpack"),
        ("livebutton.v1.msgpack", "livebutton.v1.json"),
    ],
)
async def test_of_both_subprotocols_the_first_is_spoken_and_compression_is_not_agreed_to(
    server: Served, first: str, second: str
) -> None:
    async with websockets.connect(
        f"ws://127.0.0.1:{server.port}/v1/ws",
        subprotocols=[
            websockets.Subprotocol("other"),
            websockets.Subprotocol(first),
            websockets.Subprotocol(second),
        ],
        compression="deflate",
        proxy=None,
    ) as connection:
        assert connection.subprotocol == first
        assert connection.response is not None
        assert "Sec-WebSocket-Extensions" not in connection.response.headers


async def test_a_page_of_this_server_and_one_that_is_listed_may_connect() -> None:
    async with served(origins=frozenset({"https://room.example"})) as server:
        for origin in (f"http://127.0.0.1:{server.port}", "https://room.example"):
            client = await server.connect(origin=origin)
            await client.hello(server.token())
        with pytest.raises(websockets.InvalidStatus):
            await server.connect(origin="https://other.example")


@pytest.mark.parametrize("said", [{"type": "ping"}, {"type": "subscribe", "table": "t7"}])
async def test_whoever_does_not_say_hello_first_is_closed_with_4001(
    server: Served, said: dict[str, object]
) -> None:
    client = await server.connect()
    await client.say(**said)
    assert (await client.closed())[0] == 4001


@pytest.mark.parametrize("codec", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"type": "hello", "token": "good", "client": "c", "foo": 1}, "foo"),
        ({"type": "hello", "token": "good", "client": 7}, "client"),
        ({"type": "hello", "token": 7}, "token"),
        ({"type": "hello"}, "token"),
        ({"type": "shout"}, "shout"),
        ({"token": "good"}, "type"),
    ],
)
async def test_a_first_message_with_a_wrong_field_is_a_bad_message_and_not_a_bad_token(
    server: Served, codec: str, said: dict[str, object], named: str
) -> None:
    client = await server.connect(codec)
    await client.say(
        **{**said, **({"token": server.token()} if said.get("token") == "good" else {})}
    )
    code, reason = await client.closed()
    assert code == 4000
    assert named in reason


async def test_a_ping_frame_is_answered(server: Served) -> None:
    client = await server.connect()
    async with asyncio.timeout(HANG_LIMIT_S):
        await (await client.connection.ping())


async def test_a_full_server_refuses_sockets_and_goes_on() -> None:
    async with served(bounds=Bounds(max_sockets=1)) as server:
        first = await server.client()
        reader, writer = await raw(server.port, handshake())
        assert " 503 " in await head(reader)
        writer.close()
        await first.say(type="ping")
        await first.hear("heartbeat")
