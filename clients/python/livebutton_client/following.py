"""What a program holds of a table or a room that it follows."""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from livebutton_client.copy_of_table import Change, CopyOfTable, Freshness
from livebutton_client.errors import Closed
from livebutton_client.messages import Accepted, RoomPicture, View
from livebutton_client.position import StreamPosition

Item = TypeVar("Item")
# Changes that wait for a reader; past this the oldest are folded into the newest.
MAX_WAITING = 256


class Mailbox(Generic[Item]):
    """A bounded queue for one reader, which never makes its writer wait."""

    def __init__(self, limit: int = MAX_WAITING) -> None:
        self._items: deque[Item] = deque()
        self._limit = limit
        self._arrived = asyncio.Event()
        self._end: Exception | None = None

    @property
    def is_full(self) -> bool:
        """Whether the next item needs room to be made first."""
        return len(self._items) >= self._limit

    def clear(self) -> list[Item]:
        """Take out all that waits."""
        unread = list(self._items)
        self._items.clear()
        return unread

    def put(self, item: Item) -> None:
        """Add an item; the oldest goes when there is no room."""
        if self.is_full:
            self._items.popleft()
        self._items.append(item)
        self._arrived.set()

    def end(self, error: Exception) -> None:
        """Nothing more will come: after what waits, the reader gets this."""
        if self._end is None:
            self._end = error
        self._arrived.set()

    async def get(self) -> Item:
        """The next item. Raises what `end` was given, once all is read."""
        while not self._items:
            if self._end is not None:
                raise self._end
            self._arrived.clear()
            await self._arrived.wait()
        return self._items.popleft()


class Link(Protocol):
    """What a followed table needs of its connection."""

    async def command(
        self,
        table: str,
        command: Mapping[str, Any],
        *,
        expected: StreamPosition | None = None,
        deadline_s: float = 10.0,
        command_id: str | None = None,
    ) -> Accepted: ...

    def freshness(self, table: str) -> Freshness: ...

    async def unsubscribe(self, table: str) -> None: ...


class FollowedTable:
    """A table whose view is kept up to date for as long as it is followed.

    `async for change in table` gives each change once, from now on; one reader at a time. A
    reader that falls behind gets fewer, newer ones (`change.skipped`). The loop ends when the
    connection is closed, and raises `Stopped` when the server ended it for good.
    """

    def __init__(self, link: Link, copy: CopyOfTable) -> None:
        self._link = link
        self._copy = copy
        self._mailbox: Mailbox[Change] = Mailbox()
        self._moved = asyncio.Event()
        self._end: Exception | None = None

    @property
    def name(self) -> str:
        """The table's id."""
        return self._copy.table

    @property
    def view(self) -> View:
        """The newest view: read it, do not write to it. Each change brings another map."""
        return self._copy.view

    @property
    def position(self) -> StreamPosition:
        """Where the view stands."""
        assert self._copy.position is not None  # a table is handed out once it is whole
        return self._copy.position

    @property
    def freshness(self) -> Freshness:
        """Whether the server has lately said that this view is all there is."""
        return self._link.freshness(self.name)

    async def command(
        self,
        command: Mapping[str, Any],
        *,
        expected: StreamPosition | None = None,
        deadline_s: float = 10.0,
        command_id: str | None = None,
    ) -> Accepted:
        """As `Connection.command`, for this table."""
        return await self._link.command(
            self.name,
            command,
            expected=expected,
            deadline_s=deadline_s,
            command_id=command_id,
        )

    async def reach(self, position: StreamPosition, *, timeout_s: float = 10.0) -> View:
        """The view once it stands at `position` or later: to see what one's own command did.

        A view of another epoch counts as later. Raises TimeoutError, Stopped or Closed.
        """
        async with asyncio.timeout(timeout_s):
            while self.position.is_behind(position):
                if self._end is not None:
                    raise self._end
                self._moved.clear()
                await self._moved.wait()
        return self.view

    async def unsubscribe(self) -> None:
        """Follow it no longer."""
        await self._link.unsubscribe(self.name)

    def __aiter__(self) -> "FollowedTable":
        return self

    async def __anext__(self) -> Change:
        try:
            return await self._mailbox.get()
        except Closed:
            raise StopAsyncIteration from None

    def changed(self, change: Change) -> None:
        """The door's side: hand the change to the reader."""
        if self._mailbox.is_full:
            unread = self._mailbox.clear()
            change = replace(change, skipped=sum(1 + each.skipped for each in unread))
        self._mailbox.put(change)
        self._moved.set()

    def ended(self, error: Exception) -> None:
        """The door's side: there will be no more."""
        self._end = error
        self._mailbox.end(error)
        self._moved.set()


class FollowedRoom:
    """A room whose picture comes about once a second; only the newest is kept for its reader."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.picture: RoomPicture | None = None
        self._mailbox: Mailbox[RoomPicture] = Mailbox(limit=1)

    def __aiter__(self) -> "FollowedRoom":
        return self

    async def __anext__(self) -> RoomPicture:
        try:
            return await self._mailbox.get()
        except Closed:
            raise StopAsyncIteration from None

    def seen(self, picture: RoomPicture) -> None:
        """The door's side: a newer picture."""
        self.picture = picture
        self._mailbox.put(picture)

    def ended(self, error: Exception) -> None:
        """The door's side: there will be no more."""
        self._mailbox.end(error)
