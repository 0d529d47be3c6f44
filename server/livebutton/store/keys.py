"""Every Redis key and channel is spelt here, and nowhere else.

All keys of a table share its hash tag, so that on a cluster they lie on one node and one Lua
step can touch them all. A room's keys share the room's.
"""

from typing import NamedTuple

MAX_NAME_LENGTH = 128
# The room whose shelves are every room's.
EVERYWHERE = ""
# The shelves whose values outlive what put them there, and go into a backup.
LASTING_SHELVES = ("revocations", "names", "setups")
_OTHER_KEYS = ("room:", "canary:", "lease:")


class TableKeys(NamedTuple):
    """The keys of one table: its checkpoint, its stream, its verdicts and their ages."""

    state: str
    events: str
    verdicts: str
    verdict_ages: str


def is_table_id(table: object) -> bool:
    """Whether a string may name a table: printable, no braces, not the look of another key."""
    return is_room_id(table) and table != "" and not str(table).startswith(_OTHER_KEYS)


def is_room_id(room: object) -> bool:
    """Whether a string may name a room: printable, without braces; the empty one is a room.

    It is one segment of a path in HTTP, so there is no slash in it and it is not a dot or two.
    """
    return (
        isinstance(room, str)
        and len(room) <= MAX_NAME_LENGTH
        and room.isprintable()
        and not any(mark in room for mark in "{}/")
        and room not in (".", "..")
    )


def of_table(table: str) -> TableKeys:
    """The keys of a table."""
    tag = f"lb:{{{table}}}"
    return TableKeys(f"{tag}:state", f"{tag}:events", f"{tag}:verdicts", f"{tag}:verdict_ages")


def link(offset: int, named: bytes) -> bytes:
    """A commit's link as a field of the state, with its offset: a server that writes none leaves
    an older one standing, which is then known to be that."""
    return b"%d:%b" % (offset, named)


def channel(table: str) -> str:
    """The channel on which a table's commits are hinted at."""
    return f"lb:{{{table}}}"


def name_of(channel_name: str) -> str:
    """What a channel is of: a table's id, or `room:` or `canary:` and a name."""
    return channel_name[len("lb:{") : -1]


def room_shelf(room: str, shelf: str) -> str:
    """The key of one of a room's shelves: its tables, screens, revocations and the like."""
    return f"lb:{{room:{room}}}:{shelf}"


def room_channel(room: str) -> str:
    """The channel on which a room's news goes round."""
    return f"lb:{{room:{room}}}"


def lease(name: str) -> str:
    """The key of a lease that one process has at a time."""
    return f"lb:{{lease:{name}}}"


def rooms() -> str:
    """The key of the set of rooms."""
    return "lb:{rooms}"


def canary(name: str) -> str:
    """The key, and the channel, of one process's canary on one node."""
    return f"lb:{{canary:{name}}}"
