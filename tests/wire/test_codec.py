"""Bytes to messages and back: what fits is understood, what does not is told apart."""

import json

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from livebutton.wire.codec import JSON, MAX_DEPTH, MSGPACK, BadFields, BadMessage, Codec, problem
from livebutton.wire.messages import Command, Delta, Heartbeat, Ping, Subscribe

CODECS = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.name)


def packed(codec: Codec, fields: object) -> bytes:
    """Encoded by somebody else's encoder."""
    if codec is JSON:
        return json.dumps(fields).encode()
    data: bytes = msgpack.packb(fields)
    return data


@CODECS
def test_a_client_message_becomes_a_struct(codec: Codec) -> None:
    fields = {"type": "subscribe", "table": "t7", "since": ["e", 3]}
    assert codec.decode(packed(codec, fields)) == Subscribe("t7", ("e", 3))
    assert codec.decode(packed(codec, {"type": "ping"})) == Ping()


@CODECS
def test_a_server_message_is_read_by_another_reader(codec: Codec) -> None:
    message = Delta("t7", "e", 2, {"seats": {"4": {"stack": None}}}, [{"type": "sat_out"}])
    data = codec.encode(message)
    fields = json.loads(data) if codec is JSON else msgpack.unpackb(data)
    assert fields == {
        "type": "delta",
        "table": "t7",
        "epoch": "e",
        "offset": 2,
        "patch": {"seats": {"4": {"stack": None}}},
        "events": [{"type": "sat_out"}],
    }


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_has_the_header_that_websockets_gives_it(length: int) -> None:
    for codec, opcode in ((MSGPACK, Opcode.BINARY), (JSON, Opcode.TEXT)):
        message = Heartbeat({"t" * length: ("e", 1)}, 0)
        payload = codec.encode(message)
        assert codec.frame(message) == Frame(opcode, payload).serialize(mask=False)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"not json",
        b'"text"',
        b"[1]",
        b"17",
        b'{"type":"ping"}x',
        b'{"type":"ping"',
        b'{"type":"verdict","id":"\xff","table":"t"}',
        b'{"type":"verdict","id":"\\ud800","table":"t"}',
        b"[" * 100_000,
        b'{"type":"command","id":"a","command":{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}}",
    ],
)
def test_what_is_no_map_in_json_is_a_bad_message(data: bytes) -> None:
    with pytest.raises(BadMessage):
        JSON.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x81\xa4type",
        b"\x91" * 100_000,
        b"\xde\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b'{"type":"ping"}',
        msgpack.packb([1, 2]),
        msgpack.packb(17),
        msgpack.packb({"type": "ping"}) + b"\x00",
        b"\x83\xa4type\xa7verdict\xa2id\xa1\xff\xa5table\xa1t",
    ],
)
def test_what_is_no_map_in_messagepack_is_a_bad_message(data: bytes) -> None:
    with pytest.raises(BadMessage):
        MSGPACK.decode(data)


@CODECS
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad_fields"),
        ({"type": 5}, "unknown_type"),
        ({"type": "shout"}, "unknown_type"),
        ({"type": "welcome"}, "unknown_type"),
        ({"type": "ping", "loud": True}, "bad_fields"),
        ({"type": "hello"}, "bad_fields"),
        ({"type": "hello", "token": 7}, "bad_fields"),
        ({"type": "hello", "token": "x" * 5_000}, "bad_fields"),
        ({"type": "subscribe", "table": "t", "since": ["e"]}, "bad_fields"),
        ({"type": "subscribe", "table": "t", "since": ["", 1]}, "bad_fields"),
        ({"type": "subscribe", "table": "t", "since": ["e", -1]}, "bad_fields"),
        ({"type": "subscribe", "table": "t", "since": ["e", True]}, "bad_fields"),
        ({"type": "subscribe", "table": ""}, "bad_fields"),
        ({"type": "command", "id": "", "command": {}}, "bad_fields"),
        ({"type": "command", "id": "a", "command": []}, "bad_fields"),
        ({"type": "command", "id": "a", "command": {}, "deadline_ms": 1.5}, "bad_fields"),
    ],
)
def test_a_map_that_cannot_be_obeyed_says_what_is_wrong(
    codec: Codec, fields: dict[str, object], code: str
) -> None:
    with pytest.raises(BadFields) as found:
        codec.decode(packed(codec, fields))
    assert found.value.code == code
    assert found.value.message


@CODECS
def test_a_malformed_command_still_says_which_it_was(codec: Codec) -> None:
    with pytest.raises(BadFields) as found:
        codec.decode(packed(codec, {"type": "command", "id": "a", "table": "t7", "x": 1}))
    assert (found.value.kind, found.value.id, found.value.table) == ("command", "a", "t7")


def nested(depth: int) -> object:
    return [nested(depth - 1)] if depth else 1


@CODECS
@pytest.mark.parametrize(
    ("value", "is_fit"),
    [
        (2**53, True),
        (2**53 + 1, False),
        (-(2**53) - 1, False),
        (1.5, True),
        (None, True),
        (nested(MAX_DEPTH - 1), True),
        (nested(MAX_DEPTH), False),
        ({"a": {"b": "c"}}, True),
    ],
)
def test_a_command_holds_only_what_both_codecs_can_carry(
    codec: Codec, value: object, is_fit: bool
) -> None:
    data = packed(codec, {"type": "command", "id": "a", "command": {"x": value}})
    if is_fit:
        assert codec.decode(data) == Command("a", {"x": value})
        return
    with pytest.raises(BadFields):
        codec.decode(data)


@pytest.mark.parametrize(
    "value",
    [b"bytes", msgpack.ExtType(4, b"x"), msgpack.Timestamp(1), float("nan"), float("inf"), {1: 2}],
)
def test_what_only_messagepack_can_say_is_refused(value: object) -> None:
    with pytest.raises(BadFields):
        MSGPACK.decode(packed(MSGPACK, {"type": "command", "id": "a", "command": {"x": value}}))


def test_only_plain_data_has_no_problem() -> None:
    assert problem({"a": [1, "b", None, True, 2.5]}) == ""
    assert "key" in problem({1: 2})
    assert "set" in problem({"a": {1}})


@given(st.binary(max_size=200), st.sampled_from([MSGPACK, JSON]))
def test_no_bytes_do_anything_but_decode_or_be_refused(data: bytes, codec: Codec) -> None:
    try:
        message = codec.decode(data)
    except (BadMessage, BadFields):
        return
    assert isinstance(message, msgspec.Struct)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["type", "id", "table", "command", "since"]), json_values))
def test_no_map_does_anything_but_decode_or_be_refused(fields: dict[str, object]) -> None:
    try:
        JSON.decode(json.dumps(fields).encode())
    except (BadMessage, BadFields):
        return
