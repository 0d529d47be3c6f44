"""What goes into a table's runner and what comes out of it."""

from collections.abc import Callable
from typing import Any

import msgspec

from livebutton.rules.events import AnyEvent
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table
from livebutton.store.records import StreamPosition


class CommandRequest(msgspec.Struct, frozen=True):
    """A client's wish, as it came in.

    `command` is its map, not yet decoded. `expected` is the position it was decided from: when
    the table stands elsewhere it is `stale`. After `deadline_ms` (server time, milliseconds
    since 1970) it is `late`. `client` and `role` say who, for the record. `permit` says why the
    sender may not do this to the table as it stands: it is asked in the very step that decides.
    """

    id: str
    table: str
    command: dict[str, Any]
    expected: StreamPosition | None = None
    deadline_ms: int | None = None
    client: str = ""
    role: str = ""
    permit: Callable[[Table], Refused | None] | None = None


class Foreseen(msgspec.Struct, frozen=True):
    """What a command would do to the table as it stands at `position`, None for no table.

    Nothing was done, and another command may come first.
    """

    table: str
    position: StreamPosition | None
    events: list[AnyEvent]
    after: Table


class At(msgspec.Struct, frozen=True):
    """A table and where its stream stands. `command_id` made the newest commit, at `at_ms`.

    `link` names that commit and all before it; empty where that is not known.
    """

    position: StreamPosition
    table: Table
    at_ms: int
    command_id: str
    link: bytes = b""


class Change(msgspec.Struct, frozen=True):
    """One commit, made here or elsewhere: `before` is the table at the offset before it.

    `before` is None for a table's first commit.
    """

    table: str
    position: StreamPosition
    events: list[AnyEvent]
    before: Table | None
    after: Table
    at_ms: int
    command: dict[str, Any]
    command_id: str
    client: str = ""
    role: str = ""


class Reset(msgspec.Struct, frozen=True):
    """The table is no longer what was told so far, and no run of changes leads there.

    The store was emptied or fell back (a new epoch), or the commits between are gone. `at` is
    the table now, None when there is none any more. Whoever shows it needs a snapshot.
    """

    table: str
    at: At | None
