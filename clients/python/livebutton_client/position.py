"""A stream position: which stream, and how many commits of it are known."""

from collections.abc import Sequence
from typing import NamedTuple


class StreamPosition(NamedTuple):
    """The pair (epoch, offset). The two are never stored, sent or compared apart.

    `epoch` is never empty; `offset` counts commits from 1, and 0 is a table with none.
    """

    epoch: str
    offset: int

    @classmethod
    def of(cls, pair: Sequence[object]) -> "StreamPosition":
        """From the wire's two-item list. ValueError when it is anything else."""
        match list(pair):
            case [str(epoch), int(offset)] if epoch and offset >= 0:
                return cls(epoch, offset)
            case _:
                raise ValueError(f"not a position: {pair!r}")

    def is_behind(self, other: "StreamPosition | None") -> bool:
        """Whether `other` is later in the same stream."""
        return other is not None and self.epoch == other.epoch and self.offset < other.offset
