"""The names that the floor gave screens, by the token that each of them shows."""

from collections import OrderedDict


class Names:
    """At most `most`; past that the one given longest ago goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._names: OrderedDict[str, str] = OrderedDict()

    def give(self, token_id: str, name: str) -> bool:
        """Call whoever shows this token so, or as its token says when the name is empty.

        Whether that is news.
        """
        if self.of(token_id) == name:
            return False
        self._names.pop(token_id, None)
        if name:
            self._names[token_id] = name
        if len(self._names) > self._most:
            self._names.popitem(last=False)
        return True

    def of(self, token_id: str) -> str:
        """The name given; empty when none was."""
        return self._names.get(token_id, "")
