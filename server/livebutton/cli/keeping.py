"""The commands that look after what is kept: a backup in one file, and the way back."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from livebutton.app import store_folder
from livebutton.cli import fail
from livebutton.settings import BadSettings, Settings, load
from livebutton.store import backup as backups
from livebutton.store.contract import StoreError
from livebutton.store.embedded import EmbeddedFailed, EmbeddedValkey, FolderInUse
from livebutton.store.records import Hint
from livebutton.store.redis_store import RedisStore
from livebutton.tables.follower import new_epoch

Redis = Annotated[str | None, Parameter(help="The store, when it is not the data folder's own.")]
Data = Annotated[Path | None, Parameter(help="The server's data folder; it may be running.")]


class _Deaf:
    """Nobody listens to the store while it is copied."""

    def on_hint(self, table: str, hint: Hint) -> None:
        """Nothing follows a table here."""

    def on_room(self, room: str, payload: bytes) -> None:
        """Nothing follows a room here."""

    def on_doubt(self) -> None:
        """Nothing could be missed here."""


@contextlib.asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[RedisStore]:
    """The store of these settings: a running server's, or the folder's own, started for this."""
    embedded = None if settings.redis else EmbeddedValkey(store_folder(settings))
    url = settings.redis or (embedded.url if embedded else "")
    if embedded is not None:
        with contextlib.suppress(FolderInUse):  # A server runs on it: its Valkey answers us too.
            embedded.start()
    store = RedisStore(url)
    try:
        await store.open(_Deaf())
        yield store
    finally:
        await store.close()
        if embedded is not None:
            embedded.stop()


def backup(file: Path, /, *, redis: Redis = None, data: Data = None) -> int:
    """Write all that is kept to a new file: tables, events, verdicts, revocations, screens.

    The server may go on.
    """

    if file.exists():
        return fail(f"{file} is there already: a backup is a new file")

    async def work() -> int:
        async with _opened(load(redis=redis, data=data)) as store:
            return await backups.back_up(store, file, time.time_ns() // 1_000_000)

    try:
        count = asyncio.run(work())
    except (BadSettings, EmbeddedFailed, StoreError, OSError, ValueError) as error:
        return fail(str(error))
    print(f"{count} tables are in {file}")
    return 0


def restore(file: Path, /, *, redis: Redis = None, data: Data = None) -> int:
    """Put a backup back; tables that are there already are left alone."""

    async def work() -> tuple[int, list[str]]:
        async with _opened(load(redis=redis, data=data)) as store:
            now_ms = time.time_ns() // 1_000_000
            return await backups.restore(store, file, new_epoch(), now_ms)

    try:
        count, left = asyncio.run(work())
    except backups.BackupUnreadable as error:
        return fail(str(error))
    except (BadSettings, EmbeddedFailed, StoreError, OSError, ValueError) as error:
        return fail(str(error))
    print(f"{count} tables were put back from {file}")
    for table in left:
        print(f"left alone, it is there already: {table}")
    return 0
