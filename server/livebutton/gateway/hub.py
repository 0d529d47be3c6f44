"""Who watches what, and the telling of all of them.

A change is encoded once for each audience and codec and the same bytes go to every socket's
transport: no task and no queue per client. What a socket does not take is not kept for it: when
it reads again it gets the newest state.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine

from livebutton import tracing
from livebutton.gateway import rights
from livebutton.gateway.client import Client
from livebutton.gateway.problems import NO_ANSWER
from livebutton.gateway.recall import MAX_RECALL, past, recall
from livebutton.gateway.watching import HISTORY, WatchedTable
from livebutton.metrics import Metrics
from livebutton.rules import notation
from livebutton.rules.refusals import Refused
from livebutton.store import keys
from livebutton.store.contract import StoreError
from livebutton.store.records import StreamPosition
from livebutton.tables.changes import At, Change, Reset
from livebutton.tables.clock import Clock
from livebutton.tables.registry import Registry
from livebutton.wire.codes import ErrorCode, may_retry
from livebutton.wire.messages import Error, Heartbeat

log = logging.getLogger(__name__)

LOAD_LIMIT_S = 10.0
LINGER_MS = 120_000
# A beat is spread over so many slices, so that ten thousand heartbeats do not hold up a delta.
SLICES = 8


class Hub:
    """All sockets of this process and the tables they watch."""

    def __init__(
        self,
        registry: Registry,
        clock: Clock,
        metrics: Metrics,
        *,
        heartbeat_s: float = 2.0,
        history: int = HISTORY,
    ) -> None:
        self.clients: set[Client] = set()
        # Why heartbeats are not sent; empty while they are.
        self.problem = "not started"
        self._registry = registry
        self._clock = clock
        self._metrics = metrics
        self._heartbeat_s = heartbeat_s
        self._history = history
        self._watched: dict[str, WatchedTable] = {}
        self._loading: dict[str, dict[Client, tuple[str, int] | None]] = {}
        # Who waits for what the stream says of the past, and from where on.
        self._recalling: dict[str, dict[Client, tuple[str, int]]] = {}
        self._slices: list[set[Client]] = [set() for _ in range(SLICES)]
        self._next_slice = itertools.cycle(range(SLICES))
        self._tasks: set[asyncio.Task[None]] = set()
        registry.listen(self.changed)
        registry.listen_resets(self.was_reset)

    def start(self) -> None:
        """Begin to send heartbeats."""
        self.problem = ""
        self._run(self._beat_for_ever())

    async def stop(self) -> None:
        """End every task."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def join(self, client: Client) -> None:
        """A socket has opened."""
        self.clients.add(client)
        self._slices[next(self._next_slice)].add(client)

    def leave(self, client: Client) -> None:
        """A socket has closed."""
        self.clients.discard(client)
        for part in self._slices:
            part.discard(client)
        for table in client.tables:
            self.unwatch(client, table)

    def watch(self, client: Client, table: str, since: tuple[str, int] | None) -> None:
        """Show a table to a client: now if it is in memory, else as soon as it is loaded."""
        if not keys.is_table_id(table):
            self._refuse(client, table, "no_table", f"there can be no table {table!r}")
            return
        self._recalling.get(table, {}).pop(client, None)
        watched = self._watched.get(table) or self._remember(table, self._registry.peek(table))
        is_ahead = watched is not None and _is_ahead(since, watched.position)
        if watched is not None and not is_ahead:
            self._safely(self._attach, client, watched, since)
            return
        waiting = self._loading.get(table)
        if waiting is not None:
            waiting[client] = since
            return
        self._loading[table] = {client: since}
        self._run(self._load(table, is_ahead))

    def unwatch(self, client: Client, table: str) -> None:
        """Show it no more."""
        watched = self._watched.get(table)
        if watched is not None:
            watched.detach(client, self._clock.now_ms())
        if table in self._loading:
            self._loading[table].pop(client, None)
        self._recalling.get(table, {}).pop(client, None)

    @property
    def watcher_count(self) -> int:
        """How many subscriptions to tables there are."""
        return sum(watched.watcher_count for watched in self._watched.values())

    def position(self, table: str) -> StreamPosition | None:
        """How far the watchers of a table have been told."""
        watched = self._watched.get(table)
        return watched.position if watched else None

    def room_of(self, table: str) -> str | None:
        """The room of a watched table."""
        watched = self._watched.get(table)
        return watched.table.setup.room if watched else None

    def newest(self, client: Client, table: str) -> bytes | None:
        """The framed snapshot for a client that reads again; None when the table is gone."""
        watched = self._watched.get(table)
        if watched is None or client.audience not in watched.audiences:
            return None
        return watched.newest(client)

    def beat(self, client: Client, cache: dict[object, bytes] | None = None) -> None:
        """Send one heartbeat: where each of the client's tables stands.

        While this process cannot hear other processes' commits it proves nothing, so says none.
        """
        is_proof, _ = self._registry.ready()
        told: list[tuple[str, WatchedTable]] = []
        if is_proof:
            told = [
                (t, self._watched[t])
                for t in sorted(client.tables)
                if t in self._watched
                and client not in self._recalling.get(t, ())
                and self._registry.is_current(t)
            ]
        key = (client.codec.name, *(table for table, _ in told))
        frame = cache.get(key) if cache is not None else None
        if frame is None:
            tables = {t: (w.position.epoch, w.position.offset) for t, w in told}
            frame = client.codec.frame(Heartbeat(tables, self._clock.now_ms()))
            if cache is not None:
                cache[key] = frame
        client.write(frame)

    def changed(self, change: Change) -> None:
        """A table moved on: tell its watchers."""
        watched = self._watched.get(change.table)
        if watched is None:
            return
        try:
            self._tell(watched, change)
        except Exception:
            log.exception("a change could not be told", extra={"table": change.table})
            self._let_down(change.table)

    def _tell(self, watched: WatchedTable, change: Change) -> None:
        offset = change.position.offset
        with tracing.span("tell", table=change.table, offset=offset) as span:
            told = watched.change(change.position, change.events, change.after, change.at_ms)
            span.set_attribute("livebutton.sockets", told.sockets)
            span.set_attribute("livebutton.frames", told.frames)
        self._metrics.delivered.inc(told.sockets)
        self._metrics.encoded.inc(told.frames)
        if told.jumped:
            self._metrics.jumps.inc()
            log.warning(
                "a change did not follow the last one told",
                extra={
                    "table": change.table,
                    "offset": offset,
                    "stands": notation.write(change.after),
                },
            )

    def was_reset(self, reset: Reset) -> None:
        """A table is another than was told: begin anew, or say that it is gone."""
        watched = self._watched.get(reset.table)
        if watched is None:
            return
        self._metrics.jumps.inc()
        if reset.at is None:
            self._let_down(reset.table, "no_table", "this table is no more")
            return
        try:
            watched.replace(reset.at.position, reset.at.table, reset.at.at_ms)
        except Exception:
            log.exception("a table could not be told anew", extra={"table": reset.table})
            self._let_down(reset.table)

    def _let_down(
        self, table: str, code: ErrorCode = "unavailable", why: str = "this table cannot be shown"
    ) -> None:
        """Show a table no more: whoever watches it is told so, and may ask again."""
        if table in self._watched:
            self._forget(table)
        for client in [c for c in self.clients if table in c.tables]:
            self._refuse(client, table, code, why)

    async def _load(self, table: str, is_behind: bool) -> None:
        """Load a table, or bring it up to a client that has seen more, for all who wait."""
        at: At | None = None
        problem = ""
        try:
            async with asyncio.timeout(LOAD_LIMIT_S):
                if is_behind:
                    at = await self._registry.catch_up(table)
                else:
                    at = await self._registry.current(table)
        except (StoreError, TimeoutError) as error:
            problem = NO_ANSWER
            text = str(error) or NO_ANSWER
            log.warning("a table could not be loaded: %s", text, extra={"table": table})
        except Exception:
            problem = "this table cannot be shown"
            log.exception("a table could not be loaded", extra={"table": table})
        # What was loaded may have moved on by now; what is in memory is what is told.
        watched = self._watched.get(table)
        if watched is None and at is not None:
            watched = self._remember(table, self._registry.peek(table) or at)
        waiting = self._loading.pop(table)
        for client, since in waiting.items():
            if watched is not None:
                self._safely(self._attach, client, watched, since)
            elif problem:
                self._refuse(client, table, "unavailable", problem)
            else:
                self._refuse(client, table, "no_table", f"there is no table {table!r}")

    def _remember(self, table: str, at: At | None) -> WatchedTable | None:
        if at is None:
            return None
        watched = WatchedTable(table, at.position, at.table, at.at_ms, self._history)
        self._watched[table] = watched
        self._registry.watch(table)
        return watched

    def _forget(self, table: str) -> None:
        del self._watched[table]
        self._registry.unwatch(table)

    def _safely(
        self,
        show: Callable[[Client, WatchedTable, tuple[str, int] | None], None],
        client: Client,
        watched: WatchedTable,
        since: tuple[str, int] | None,
    ) -> None:
        """Show it to one of many, who gets an answer in any case and holds up none of the rest."""
        try:
            show(client, watched, since)
        except Exception:
            log.exception("a table could not be shown", extra={"table": watched.name})
            self._refuse(client, watched.name, "unavailable", "this table cannot be shown")

    def _attach(self, client: Client, watched: WatchedTable, since: tuple[str, int] | None) -> None:
        table = watched.name
        if client not in self.clients or client.credential is None:
            return
        if not rights.may_watch(client.credential, watched.table):
            self._refuse(client, table, "forbidden", "this token is for another room")
            return
        if since and 0 < watched.lacks(client.audience, since, self._clock.now_ms()) <= MAX_RECALL:
            self._recall_for(client, table, since)
            return
        self._show(client, watched, since)

    def _show(self, client: Client, watched: WatchedTable, since: tuple[str, int] | None) -> None:
        is_whole = watched.attach(client, since)
        outcome = "snapshot" if since and not is_whole else "whole" if since else "new"
        self._metrics.resumes.labels(outcome).inc()

    def _recall_for(self, client: Client, table: str, since: tuple[str, int]) -> None:
        """Show the table as soon as the stream has said what the client missed."""
        waiting = self._recalling.get(table)
        if waiting is not None:
            waiting[client] = since
            return
        self._recalling[table] = {client: since}
        self._run(self._recall(table))

    async def _recall(self, table: str) -> None:
        """Read once for all who wait, and again for those who come meanwhile."""
        try:
            while waiting := dict(self._recalling[table]):
                await self._read_past(table, waiting)
                for client, since in waiting.items():
                    # Still the same wish: it may have left, or asked anew.
                    if self._recalling[table].get(client) is not since:
                        continue
                    del self._recalling[table][client]
                    watched = self._watched.get(table)
                    if watched is None:
                        self._refuse(client, table, "no_table", "this table is no more")
                    else:
                        self._safely(self._show, client, watched, since)
        finally:
            del self._recalling[table]

    async def _read_past(self, table: str, waiting: dict[Client, tuple[str, int]]) -> None:
        epoch, after = min(waiting.values(), key=lambda since: since[1])
        try:
            async with asyncio.timeout(LOAD_LIMIT_S):
                found = await past(self._registry, table, epoch, after)
                if found is None:
                    return
                for audience in sorted({client.audience for client in waiting}):
                    told = await recall(found, table, audience)
                    if table in self._watched:
                        self._watched[table].recall(audience, told.deltas, told.views)
        except (StoreError, TimeoutError, Refused) as error:
            log.warning("what was missed could not be read: %s", error, extra={"table": table})
        except Exception:
            # They get a snapshot instead.
            log.exception("what was missed could not be told", extra={"table": table})

    def _refuse(self, client: Client, table: str, code: ErrorCode, message: str) -> None:
        client.tables.discard(table)
        self._recalling.get(table, {}).pop(client, None)
        error = Error(code=code, message=message, retry=may_retry(code), table=table)
        self._metrics.errors.labels(code).inc()
        client.write(client.codec.frame(error))

    async def _beat_for_ever(self) -> None:
        """Heartbeats, a slice at a time; each pass also looks at what has expired or is idle."""
        while True:
            for part in self._slices:
                await self._clock.sleep(self._heartbeat_s / SLICES)
                self._beat_slice(part)
            try:
                self._look_round()
            except Exception:
                log.exception("the hub could not look round")

    def _beat_slice(self, part: set[Client]) -> None:
        now_ms = self._clock.now_ms()
        cache: dict[object, bytes] = {}
        for client in list(part):
            try:
                if client.sweep(now_ms) and client.credential and not client.is_behind:
                    self.beat(client, cache)
            except Exception:
                # One socket that trips must not end the heartbeats of all the others.
                log.exception("a heartbeat broke")

    def _look_round(self) -> None:
        before_ms = self._clock.now_ms() - LINGER_MS
        for table, watched in list(self._watched.items()):
            if watched.forget_idle(before_ms):
                self._forget(table)
        self._metrics.sample()

    def _run(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.problem = "a task of the hub ended"
            log.error(self.problem, exc_info=task.exception())


def _is_ahead(since: tuple[str, int] | None, position: StreamPosition) -> bool:
    """Whether the client was told more, by another process, than this one has heard yet."""
    return since is not None and since[0] == position.epoch and since[1] > position.offset
