"""The two encodings of the wire, by their subprotocol names."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import msgpack  # type: ignore[import-untyped]

from livebutton_client.errors import ProtocolBroken

CodecName = Literal["msgpack", "json"]

# A snapshot of the largest table is some tens of kilobytes; a room's picture is the longest.
MAX_FRAME_BYTES = 4 * 2**20


@dataclass(frozen=True)
class Codec:
    """Messages to frames and back; a frame is bytes for MessagePack and text for JSON."""

    name: CodecName

    @property
    def subprotocol(self) -> str:
        """What the handshake asks for."""
        return f"livebutton.v1.{self.name}"

    def encode(self, message: dict[str, Any]) -> bytes | str:
        """One message as one frame. TypeError for what the wire cannot carry."""
        if self.name == "json":
            return json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        packed: bytes = msgpack.packb(message)
        return packed

    def decode(self, frame: bytes | str) -> dict[str, Any]:
        """One frame as a map. ProtocolBroken for anything else."""
        try:
            message = json.loads(frame) if self.name == "json" else _unpack(frame)
        except (ValueError, TypeError, RecursionError, msgpack.exceptions.UnpackException) as error:
            raise ProtocolBroken(f"a frame that is not {self.name}: {error}") from error
        if not isinstance(message, dict):
            raise ProtocolBroken(f"a frame that is no map but {type(message).__name__}")
        return message


def _unpack(frame: bytes | str) -> object:
    if isinstance(frame, str):
        raise ProtocolBroken("a text frame on a MessagePack session")
    return msgpack.unpackb(frame, max_str_len=MAX_FRAME_BYTES)
