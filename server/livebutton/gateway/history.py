"""The newest deltas of one view, so that a client that was away can go on where it was.

Kept as MessagePack bytes: a delta is some hundred bytes so, and kilobytes as Python objects.
"""

import itertools
from collections import deque

import msgspec

from livebutton.wire.codec import MSGPACK, Codec
from livebutton.wire.messages import Delta

_decoder = msgspec.msgpack.Decoder(Delta)


class History:
    """A run of deltas without a gap, ending at the view's position.

    At most `most` of them, or as many as the longest run that was put back whole.
    """

    def __init__(self, most: int) -> None:
        self._deltas: deque[bytes] = deque(maxlen=most)

    def __len__(self) -> int:
        return len(self._deltas)

    def add(self, packed: bytes) -> None:
        """The delta of the next offset, as MessagePack."""
        self._deltas.append(packed)

    def recall(self, older: list[bytes]) -> None:
        """Put the deltas that came before these back in front."""
        count = len(older) + len(self._deltas)
        most = max(self._deltas.maxlen or 0, count)
        self._deltas = deque([*older, *self._deltas], maxlen=most)

    def clear(self) -> None:
        """Forget all: what comes next does not follow from what was."""
        self._deltas.clear()

    def newest(self, count: int, codec: Codec) -> list[bytes]:
        """The last `count` deltas as framed messages, oldest first; so many must be here."""
        kept = itertools.islice(self._deltas, len(self._deltas) - count, None)
        if codec is MSGPACK:
            return [codec.wrap(packed) for packed in kept]
        return [codec.frame(_decoder.decode(packed)) for packed in kept]
