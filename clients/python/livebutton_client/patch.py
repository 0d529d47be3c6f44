"""RFC 7386 merge patch: how a delta becomes the next view."""

from collections.abc import Mapping
from typing import Any


def merged(target: Any, patch: Any) -> Any:
    """`target` with `patch` merged in, as a new value; neither argument is changed.

    A map merges key by key, null takes the key away, anything else replaces. What the patch does
    not touch is shared with `target`, so a view handed out earlier stays as it was.
    """
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
