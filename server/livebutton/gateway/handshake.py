"""websockets' protocol, without I/O, with our subprotocols, origins and code for too large."""

import logging
from collections.abc import Sequence
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.exceptions import InvalidOrigin, NegotiationError
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from livebutton.wire.codec import BY_SUBPROTOCOL
from livebutton.wire.codes import CloseCode

_quiet = logging.getLogger("livebutton.websockets")
_quiet.setLevel(logging.WARNING)

_TOO_BIG = 1009


class Handshake(ServerProtocol):
    """websockets' protocol with our subprotocols, our origins, our code for what is too large."""

    def __init__(self, origins: frozenset[str], max_bytes: int) -> None:
        super().__init__(
            subprotocols=[Subprotocol(name) for name in BY_SUBPROTOCOL],
            max_size=max_bytes,
            logger=_quiet,
        )
        self._our_origins = origins

    def process_origin(self, headers: Headers) -> Origin | None:
        """A page may connect to the server it came from, or from an origin that is listed."""
        origin = super().process_origin(headers)
        if origin is None or "*" in self._our_origins or origin in self._our_origins:
            return origin
        if urlsplit(origin).netloc != headers.get("Host"):
            raise InvalidOrigin(origin)
        return origin

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol:
        """The first of ours that the client names: the order is its wish."""
        for name in subprotocols:
            if name in BY_SUBPROTOCOL:
                return name
        raise NegotiationError("none of our subprotocols")

    def fail(self, code: int, reason: str = "") -> None:
        """Close for a broken frame; one that is too large has a code of ours."""
        super().fail(CloseCode.TOO_LARGE if code == _TOO_BIG else code, reason)
