"""The page that other programs are written from says what is so."""

import json
import re
from importlib.resources import files

import msgspec
import pytest

from livebutton.wire.codec import JSON, MSGPACK
from livebutton.wire.codes import ERROR_CODES, MAY_RETURN, CloseCode, may_retry
from livebutton.wire.messages import (
    CLIENT_TYPES,
    AnyServerMessage,
    ServerMessage,
)

PAGE = (files("livebutton.wire") / "PROTOCOL.md").read_text("utf-8")


def examples(kind: str) -> list[str]:
    blocks = re.findall(rf"^```json {kind}\n(.*?)^```$", PAGE, re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line]


@pytest.mark.parametrize("line", examples("client"))
def test_what_the_page_lets_a_client_say_is_understood_in_both_codecs(line: str) -> None:
    fields = json.loads(line)
    message = JSON.decode(line.encode())
    assert msgspec.json.decode(msgspec.json.encode(message)) == fields
    assert MSGPACK.decode(msgspec.msgpack.encode(fields)) == message


@pytest.mark.parametrize("line", examples("server"))
def test_what_the_page_lets_the_server_say_is_what_its_messages_are(line: str) -> None:
    fields = json.loads(line)
    message = msgspec.convert(fields, AnyServerMessage)
    assert json.loads(JSON.encode(message)) == fields
    assert msgspec.msgpack.decode(MSGPACK.encode(message)) == fields


def test_the_page_shows_every_message() -> None:
    shown = {json.loads(line)["type"] for line in examples("client")}
    assert shown == CLIENT_TYPES
    told = {json.loads(line)["type"] for line in examples("server")}
    assert told == {str(kind.__struct_config__.tag) for kind in ServerMessage.__subclasses__()}


def test_the_page_lists_every_close_code_with_its_verdict() -> None:
    rows = re.findall(r"^\| (\d{4}) \| .* \| (yes|no|with another token).* \|$", PAGE, re.M)
    assert {CloseCode(int(code)): verdict == "yes" for code, verdict in rows} == MAY_RETURN


def test_the_page_lists_every_error_code_with_its_verdict() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (true|false) \|$", PAGE, re.M)
    assert {code for code, _ in rows} == ERROR_CODES
    assert all(may_retry(code) == (retry == "true") for code, retry in rows)  # type: ignore[arg-type]
