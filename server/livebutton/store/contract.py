"""What a store promises. Every store passes the same suite (tests/store)."""

from collections.abc import Sequence
from typing import Protocol

from livebutton.store.records import (
    Checkpoint,
    Draft,
    Entry,
    Hint,
    Mark,
    Outcome,
    Shelved,
    TableCopy,
    Verdict,
)


class StoreError(Exception):
    """The store cannot answer now. Nothing is known of what was asked: ask again, same id."""


class StoreUnreachable(StoreError):
    """No answer within the time allowed, or none that is durable yet."""


class StoreBusy(StoreError):
    """Too much is waiting for an answer already; nothing was sent."""


class StoreDeaf(StoreError):
    """What was published did not come back: commits of other processes would go unheard."""


class StoreBroken(StoreError):
    """What is stored is not whole: somebody else took something out of it."""


class StoreListener(Protocol):
    """Whom a store tells of what it hears. Called on the event loop; must return at once."""

    def on_hint(self, table: str, hint: Hint) -> None:
        """A commit was hinted at, by this process or another."""

    def on_room(self, room: str, payload: bytes) -> None:
        """News of a room that was subscribed to."""

    def on_doubt(self) -> None:
        """Hints may have been lost, and are heard again from now on."""


class Store(Protocol):
    """Tables' streams, checkpoints and verdicts, and the rooms' shelves.

    Every method may raise StoreError. A commit is compared, appended, checkpointed and
    published in one step, and durable when `commit` returns.
    """

    async def open(self, listener: StoreListener) -> None:
        """Connect and begin to listen."""

    async def close(self) -> None:
        """Let go of every connection and task. May be called twice."""

    async def commit(self, draft: Draft) -> Outcome:
        """Settle a verdict, with its commit. Safe to ask again: the command id acts once."""

    async def verdict(self, table: str, command_id: str) -> Verdict | None:
        """What became of a command, None when it has no verdict (or none any more)."""

    async def load(self, table: str) -> Checkpoint | None:
        """The table as it stands, None when there is none."""

    async def marks(self, tables: Sequence[str]) -> list[Mark | None]:
        """Where each stream stands, in the order asked; None for no table."""

    async def entries(self, table: str, after: int, limit: int) -> list[Entry]:
        """Commits from offset `after + 1` on, oldest first, at most `limit`, without a gap.

        Shorter, or empty, when they are not all there any more: compare the first offset.
        """

    async def renew(self, table: str, mark: Mark, epoch: str) -> bool:
        """Give the stream a new epoch, if it still stands at `mark`. Its offset stays."""

    async def subscribe(self, table: str) -> None:
        """Hear hints of this table. Best effort: the caller compares marks all the same."""

    async def unsubscribe(self, table: str) -> None:
        """Hear no more of this table."""

    async def probe(self) -> float:
        """Write and publish through the real path and hear it again: the round trip in seconds.

        StoreDeaf, or another StoreError, when that fails.
        """

    async def put_table(self, room: str, table: str) -> None:
        """List a table under a room."""

    async def close_table(self, room: str, table: str) -> None:
        """List it among the room's closed tables instead."""

    async def tables(self, room: str | None = None, *, closed: bool = False) -> list[str]:
        """The tables listed under a room, or under any, sorted; or the closed ones."""

    async def trim(self, table: str, through: int) -> None:
        """Take the commits up to an offset out of the stream, which stays as it is after it."""

    async def lease(self, name: str, holder: str, keep_ms: int) -> bool:
        """Whether this holder has the lease of that name now, for so long if nobody renews it."""

    async def copy(self, table: str) -> TableCopy | None:
        """All that is kept of a table; None when there is none."""

    async def paste(self, copy: TableCopy) -> bool:
        """Put a copy back, and whether that was done: not where there is such a table."""

    async def put(self, room: str, shelf: str, name: str, value: bytes, keep_ms: int) -> None:
        """Lay a value on a room's shelf, for so long."""

    async def take(self, room: str, shelf: str, name: str) -> bytes | None:
        """Take a value off the shelf: one caller gets it, once."""

    async def shelf(self, room: str, shelf: str) -> dict[str, bytes]:
        """All that lies on a room's shelf."""

    async def shelved(self, room: str, shelf: str) -> dict[str, Shelved]:
        """The same, with the time until which each is kept."""

    async def tell_room(self, room: str, payload: bytes) -> None:
        """Publish on the room's channel."""

    async def subscribe_room(self, room: str) -> None:
        """Hear a room's news."""

    async def unsubscribe_room(self, room: str) -> None:
        """Hear no more of it."""
