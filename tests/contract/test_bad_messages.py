"""What is not a message, or not a good one: its code, and the server and the table as before."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.contract.doors import SECRET, Message, ServerProcess, Socket

pytestmark = pytest.mark.real


@pytest.fixture(params=["json", "msgpack"])
def codec(request: pytest.FixtureRequest) -> str:
    """Each codec in turn."""
    name: str = request.param
    return name


def token(secret: str = SECRET, alg: str = "HS256", **claims: Any) -> str:
    """A JWT made by hand: a floor's for an hour, but for these claims."""
    now = int(time.time())
    good = {"jti": "by-hand", "role": "floor", "exp": now + 3600, "iat": now}
    good |= {"iss": "livebutton", "aud": "livebutton"} | claims

    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    signed = f"{part(json.dumps({'alg': alg}).encode())}.{part(json.dumps(good).encode())}"
    mac = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{'' if alg == 'none' else part(mac)}"


FORGED: dict[str, Callable[[], str]] = {
    "no-jwt": lambda: "x.y.z",
    "unsigned": lambda: token(alg="none"),
    "foreign": lambda: token(secret="somebody else's secret, of many letters"),
    "expired": lambda: token(exp=int(time.time()) - 1),
    "for-something-else": lambda: token(aud="another service"),
    "of-no-role": lambda: token(role="king"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_token_that_is_not_good_closes_4001(server: ServerProcess, kind: str) -> None:
    with Socket(server.url) as socket:
        socket.send(type="hello", token=FORGED[kind](), client="c")
        assert socket.close_code() == 4001


def test_a_token_made_by_hand_with_the_secret_is_good(server: ServerProcess) -> None:
    with Socket(server.url) as socket:
        socket.send(type="hello", token=token(), client="c")
        socket.take("welcome")


def test_who_does_not_say_hello_first_is_unauthorized(server: ServerProcess, codec: str) -> None:
    with Socket(server.url, codec) as socket:
        socket.send(type="ping")
        assert socket.close_code() == 4001


@pytest.mark.parametrize("offered", [None, ["other"], ["livebutton.v2.json"]])
def test_a_socket_without_our_subprotocol_is_refused(
    server: ServerProcess, offered: list[str] | None
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Socket(server.url, subprotocols=offered)
    assert refused.value.response.status_code == 400


def test_a_page_of_another_host_opens_no_socket(server: ServerProcess) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Socket(server.url, origin="http://elsewhere.example")
    assert refused.value.response.status_code == 403


NOT_MESSAGES = {
    "json": ["", "{", "[1]", '"x"', "null", "7", '{"a":NaN}', "[" * 60_000],
    "msgpack": [
        b"",
        b"\xc1",
        b"\x82\xa4type",
        b"\x91" * 60_000,
        msgpack.packb([1]),
        msgpack.packb(None),
        msgpack.packb({"type": "ping"}) + b"\x00",
        b"\x81\xa4type\xa2\xff\xfe",
        "text",
    ],
}


@pytest.mark.parametrize(
    ("codec", "frame"), [(codec, frame) for codec in NOT_MESSAGES for frame in NOT_MESSAGES[codec]]
)
def test_a_frame_that_is_no_message_closes_4000(
    server: ServerProcess, codec: str, frame: str | bytes
) -> None:
    with server.socket(codec=codec) as socket:
        socket.raw.send(frame)
        assert socket.close_code() == 4000


def test_a_message_over_the_limit_closes_4009_whole_or_in_fragments(server: ServerProcess) -> None:
    with server.socket() as socket:
        socket.raw.send("x" * 100_000)
        assert socket.close_code() == 4009
    with server.socket() as socket:
        socket.raw.send(["x" * 40_000, "x" * 40_000])
        assert socket.close_code() == 4009


def test_a_message_in_fragments_is_one_message(server: ServerProcess) -> None:
    with server.socket() as socket:
        socket.raw.send(['{"ty', 'pe":"pi', 'ng"}'])
        socket.take("heartbeat")


SOFT: dict[str, tuple[Message, str]] = {
    "unknown-type": ({"type": "zzz"}, "unknown_type"),
    "type-not-text": ({"type": 3}, "unknown_type"),
    "no-subject": ({"type": "subscribe"}, "bad_fields"),
    "table-not-text": ({"type": "subscribe", "table": 3}, "bad_fields"),
    "no-such-table": ({"type": "subscribe", "table": "nowhere"}, "no_table"),
    "since-not-a-pair": ({"type": "subscribe", "table": "x", "since": 7}, "bad_fields"),
    "since-below-0": ({"type": "subscribe", "table": "x", "since": ["e", -1]}, "bad_fields"),
    "extra": ({"type": "ping", "extra": 1}, "bad_fields"),
    "command-without-id": ({"type": "command", "table": "x", "command": {}}, "bad_fields"),
    "hello-again": ({"type": "hello", "token": "x", "client": "c"}, "hello_again"),
}


@pytest.mark.parametrize("kind", SOFT)
def test_a_bad_message_gets_an_error_and_the_socket_lives(
    server: ServerProcess, codec: str, kind: str
) -> None:
    message, code = SOFT[kind]
    with server.socket(codec=codec) as socket:
        socket.send_value(message)
        error = socket.take("error")
        assert (error["code"], error["retry"]) == (code, False)
        assert error["message"]
        socket.send(type="ping")
        socket.take("heartbeat")


BAD_COMMANDS: list[tuple[Any, str]] = [
    ({"type": "fly"}, "unknown_command"),
    ({"seat": 1}, "unknown_command"),
    ({"type": 1}, "unknown_command"),
    ("shuffle", "bad_fields"),
    ([], "bad_fields"),
    (None, "bad_fields"),
    ({"type": "sit_out"}, "bad_fields"),
    ({"type": "sit_out", "seat": 1, "extra": 1}, "bad_fields"),
    ({"type": "sit_out", "seat": "1"}, "bad_fields"),
    ({"type": "sit_out", "seat": 1.5}, "bad_fields"),
    ({"type": "sit_out", "seat": True}, "bad_fields"),
    ({"type": "sit_out", "seat": None}, "bad_fields"),
    ({"type": "sit_out", "seat": 0}, "no_seat"),
    ({"type": "sit_out", "seat": -1}, "no_seat"),
    ({"type": "sit_out", "seat": 7}, "no_seat"),
    ({"type": "sit_out", "seat": 5}, "seat_empty"),
    ({"type": "set_stack", "seat": 1, "stack": -1}, "bad_fields"),
    ({"type": "set_stack", "seat": 1, "stack": 2**63}, "bad_fields"),
    ({"type": "take_seat", "seat": 1, "player": "x"}, "seat_taken"),
    ({"type": "take_seat", "seat": 5, "player": "p1"}, "seat_taken"),
    ({"type": "take_seat", "seat": 5, "player": ""}, "bad_fields"),
    ({"type": "change_seat", "seat": 1, "to": 99}, "no_seat"),
    ({"type": "start_game", "button": 5}, "seat_empty"),
    ({"type": "deal"}, "wrong_phase"),
    ({"type": "end_hand"}, "wrong_phase"),
    ({"type": "set_house", "nonsense": 1}, "bad_fields"),
    ({"type": "set_stakes", "stakes": {"small": 10, "big": 5}}, "bad_fields"),
    ({"type": "undo", "offset": 0}, "stale"),
]


def test_a_bad_command_is_refused_with_its_reason_and_changes_nothing(
    server: ServerProcess, codec: str
) -> None:
    table = server.open_table(2)
    with server.socket(codec=codec) as socket:
        before = socket.subscribe(table)
        for number, (command, reason) in enumerate(BAD_COMMANDS):
            name = f"{table}-{number}"
            socket.send(type="command", id=name, table=table, command=command)
            verdict = socket.verdict_of(name)
            assert (verdict["type"], verdict.get("reason")) == ("refused", reason), command
            assert verdict["message"]
        assert socket.subscribe(table) == before


def test_a_command_for_a_table_that_is_not_there_is_no_table(
    server: ServerProcess, codec: str
) -> None:
    with server.socket(codec=codec) as socket:
        assert socket.ask("nowhere", type="shuffle")["reason"] == "no_table"


def test_an_expired_token_closes_an_open_socket_and_a_refresh_keeps_it(
    server: ServerProcess,
) -> None:
    for life_s in (2, 10, 40):
        exp = int(time.time()) + life_s
        short = token(role="display", jti=f"short-{life_s}", exp=exp)
        with Socket(server.url) as refreshed, Socket(server.url) as left:
            try:
                for socket in (refreshed, left):
                    socket.send(type="hello", token=short, client="c")
                    socket.take("welcome")
                refreshed.send(type="refresh", token=token(role="display", jti=f"long-{life_s}"))
                refreshed.send(type="ping")
                refreshed.take("heartbeat")
            except ConnectionClosed:
                # It ended before they had spoken: this machine needs a longer one.
                continue
            assert left.close_code() == 4001
            assert time.time() >= exp
            refreshed.send(type="ping")
            refreshed.take("heartbeat")
            return
    pytest.fail("no token lived long enough to be refreshed")


def test_a_revoked_token_closes_4003_and_is_good_for_nothing(server: ServerProcess) -> None:
    with server.http() as http:
        made = http.post("/v1/tokens", json={"role": "display"}).json()
        with Socket(server.url) as socket:
            socket.send(type="hello", token=made["token"], client="c")
            socket.take("welcome")
            assert http.request("DELETE", "/v1/tokens", json={"id": made["id"]}).is_success
            assert socket.close_code() == 4003
        with Socket(server.url) as again:
            again.send(type="hello", token=made["token"], client="c")
            assert again.close_code() in (4001, 4003)
        bearer = {"Authorization": f"Bearer {made['token']}"}
        assert http.get("/v1/tables", headers=bearer).status_code == 401
