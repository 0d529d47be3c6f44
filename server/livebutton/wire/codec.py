"""Bytes to messages and back, in MessagePack or JSON: what is inside the server is never a map.

Two kinds of bad input are told apart. `BadMessage`: these bytes are no message, and whoever sent
them speaks another protocol, so the socket is closed. `BadFields`: a message, but not one that
can be obeyed; the sender is told, and the socket lives.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from livebutton.wire.codes import ErrorCode
from livebutton.wire.messages import (
    CLIENT_TYPES,
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    AnyClientMessage,
    AnyServerMessage,
    CodecName,
    Command,
    Preview,
)

MAX_DEPTH = 8
MAX_INT = 2**53

# The opcodes of RFC 6455, with the bit that says the message ends here.
_TEXT = 0x81
_BINARY = 0x82


class BadMessage(Exception):
    """The bytes are not one map in this codec."""


class BadFields(Exception):
    """A map, but not a message that can be obeyed; `id` and `table` where they could be read."""

    def __init__(self, code: ErrorCode, message: str, fields: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        known = fields or {}
        self.kind = _text(known.get("type"))
        self.id = _text(known.get("id"))
        self.table = _text(known.get("table"))


def _text(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= 128 else ""


class Codec:
    """One of the two encodings, as negotiated by subprotocol. Stateless: two serve all sockets."""

    def __init__(self, name: CodecName) -> None:
        self.name: CodecName = name
        if name == "json":
            self.subprotocol = SUBPROTOCOL_JSON
            self._first_byte = _TEXT
            self._encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
            self._decode: Callable[[bytes], AnyClientMessage]
            self._decode = msgspec.json.Decoder(AnyClientMessage).decode
            self._decode_any: Callable[[bytes], Any] = msgspec.json.Decoder().decode
            return
        self.subprotocol = SUBPROTOCOL_MSGPACK
        self._first_byte = _BINARY
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(AnyClientMessage).decode
        self._decode_any = msgspec.msgpack.Decoder().decode

    def encode(self, message: AnyServerMessage) -> bytes:
        """The bytes of a message, not yet framed."""
        return self._encode(message)

    def frame(self, message: AnyServerMessage) -> bytes:
        """The message as one websocket frame: encoded once, the same bytes for every socket."""
        return self.wrap(self._encode(message))

    def wrap(self, payload: bytes) -> bytes:
        """A message that is encoded already as one websocket frame."""
        length = len(payload)
        if length < 126:
            return bytes((self._first_byte, length)) + payload
        if length < 65_536:
            return bytes((self._first_byte, 126)) + length.to_bytes(2, "big") + payload
        return bytes((self._first_byte, 127)) + length.to_bytes(8, "big") + payload

    def decode(self, data: bytes) -> AnyClientMessage:
        """One message. BadMessage or BadFields, as above, when it is none."""
        try:
            message: AnyClientMessage = self._decode(data)
        except msgspec.ValidationError as error:
            raise self._bad_fields(data, str(error)) from None
        except (msgspec.DecodeError, RecursionError, UnicodeError, OverflowError) as error:
            raise BadMessage(f"not {self.name}: {error}") from None
        if type(message) is Command or type(message) is Preview:
            wrong = problem(message.command)
            if wrong:
                kind = type(message).__name__.lower()
                fields = {"type": kind, "id": message.id, "table": message.table}
                raise BadFields("bad_fields", f"{kind}: {wrong}", fields)
        return message

    def _bad_fields(self, data: bytes, why: str) -> BadFields:
        try:
            fields = self._decode_any(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError, OverflowError) as error:
            raise BadMessage(f"not {self.name}: {error}") from None
        if not isinstance(fields, dict):
            raise BadMessage(f"a message is a map, not a {type(fields).__name__}")
        kind = fields.get("type")
        if kind is None:
            return BadFields("bad_fields", "a message needs a `type`", fields)
        if not isinstance(kind, str) or kind not in CLIENT_TYPES:
            return BadFields("unknown_type", f"there is no message {_shown(kind)}", fields)
        return BadFields("bad_fields", f"{kind}: {why}", fields)


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def problem(value: object, depth: int = 0) -> str:
    """What makes a decoded value unfit for both codecs and for storage; "" when nothing does.

    Fit are maps with text keys, lists, texts, finite numbers up to 2**53, true, false and null,
    nested at most MAX_DEPTH deep.
    """
    match value:
        case None | bool() | str():
            return ""
        case int():
            return "" if -MAX_INT <= value <= MAX_INT else "a number is too large"
        case float():
            # Infinity and not-a-number have no JSON.
            return "" if value - value == 0 else "a number is not finite"
        case dict() | list() if depth == MAX_DEPTH:
            return f"nested more than {MAX_DEPTH} deep"
        case list():
            return next((why for each in value if (why := problem(each, depth + 1))), "")
        case dict():
            if not all(isinstance(key, str) for key in value):
                return "a key is not text"
            return next((why for each in value.values() if (why := problem(each, depth + 1))), "")
        case _:
            return f"a {type(value).__name__} is not allowed"


MSGPACK = Codec("msgpack")
JSON = Codec("json")
BY_SUBPROTOCOL: dict[str, Codec] = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
