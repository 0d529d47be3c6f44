"""What the floor gave screens (a name, a set-up), by the token that each of them shows."""

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Given(Generic[T]):
    """At most `most`; past that the one given longest ago goes."""

    def __init__(self, nothing: T, most: int) -> None:
        """`nothing` is what a screen has that was given nothing."""
        self._nothing = nothing
        self._most = most
        self._values: OrderedDict[str, T] = OrderedDict()

    def give(self, token_id: str, value: T) -> bool:
        """Let whoever shows this token have it from now on; `nothing` takes back what he had.

        Whether that is news.
        """
        if self.of(token_id) == value:
            return False
        self._values.pop(token_id, None)
        if value != self._nothing:
            self._values[token_id] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
        return True

    def of(self, token_id: str) -> T:
        """What was given; `nothing` when that was not."""
        return self._values.get(token_id, self._nothing)
