"""What may never be in a message to one who is not staff.

Fields are looked for by name, wherever they stand; and the amounts that the simulation gives
to stacks, which no blind can come near, by their value: under whatever name they would leak.
"""

from collections.abc import Iterator
from typing import Any

SECRET_STACKS = (7_340_033, 91_818_173)
STAFF_ONLY = frozenset(
    {"stack", "away_since_ms", "held_for", "at_ms", "choices", "screens", "answers"}
)


def leaks(message: dict[str, Any], seat: int) -> Iterator[str]:
    """What is in this message that its reader may not see. `seat` is a player's, 0 for others."""
    seen = dict(message)
    field = {"snapshot": "view", "delta": "patch"}.get(message["type"], "")
    if field:
        seen[field] = view = dict(message[field])
        yield from _not_own(view.pop("own", None) or {}, seat)
        if view.get("allowed"):
            yield "allowed"
    if message["type"] == "refused":
        # What he himself could have chosen instead.
        seen["params"] = {k: v for k, v in message.get("params", {}).items() if k != "choices"}
    yield from _found(seen, "")
    if message["type"] == "room":
        yield "a room's picture"


def _not_own(own: dict[str, Any], seat: int) -> Iterator[str]:
    """What is in `own` that is another's."""
    if own and not seat:
        yield "own"
    for part in ("allowed", "questions", "answers"):
        for entry in own.get(part) or []:
            if entry.get("seat") != seat:
                yield f"own: {entry}"
    yield from _amounts(own, "/own")


def _found(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in STAFF_ONLY and item is not None:
                yield f"{path}/{key}"
            if key == "type" and item == "stack_set":
                yield f"{path}: a stack"
            yield from _found(item, f"{path}/{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _found(item, f"{path}/{at}")
    elif value in SECRET_STACKS:
        yield f"{path}: {value}"


def _amounts(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _amounts(item, f"{path}/{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _amounts(item, f"{path}/{at}")
    elif value in SECRET_STACKS:
        yield f"{path}: {value}"
