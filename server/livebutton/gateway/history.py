"""The newest deltas of one view, so that a client that was away can go on where it was.

Kept as MessagePack bytes: a delta is some hundred bytes so, and kilobytes as Python objects.
"""

from collections import deque

import msgspec

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

    def newest(self, count: int) -> list[Delta] | None:
        """The last `count` deltas, oldest first; None unless all of them are still here."""
        if count > len(self._deltas):
            return None
        kept = list(self._deltas)[len(self._deltas) - count :]
        return [_decoder.decode(packed) for packed in kept]
