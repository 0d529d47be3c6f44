"""The tables that this process has in memory, and its ears on the store.

A table is loaded once, however many ask for it at the same time, and stays while it is watched
or recently used. Commits of other processes come as hints, which may be lost: every heartbeat
the positions are compared with the store's, and what was missed is read from the stream.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from random import SystemRandom

from livebutton import tracing
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.refusals import Refused
from livebutton.store import keys
from livebutton.store.contract import Store, StoreBusy, StoreError
from livebutton.store.ending import end
from livebutton.store.records import Accepted, Entry, Hint, Mark, Rejected, Verdict
from livebutton.tables.changes import At, Change, CommandRequest, Foreseen, Reset
from livebutton.tables.clock import Clock, SystemClock
from livebutton.tables.follower import Follower, Record
from livebutton.tables.runner import Decide, Draw, Judge, Runner, check_names

log = logging.getLogger(__name__)

HEARTBEAT_S = 2.0
CANARY_S = 1.0
# Canaries that may fail in a row before the process says that it is not ready.
MAX_SILENT_CANARIES = 2
CAPACITY = 4096
# Tables compared with the store in one question.
COMPARE_COUNT = 512

OnChange = Callable[[Change], None]
OnReset = Callable[[Reset], None]
OnRoom = Callable[[str, bytes], None]


class Registry:
    """Every table this process serves. Start it before use, inside a running loop."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock | None = None,
        decide: Decide = decide,
        record: Record = record,
        draw: Draw | None = None,
        heartbeat_s: float = HEARTBEAT_S,
        canary_s: float = CANARY_S,
        capacity: int = CAPACITY,
    ) -> None:
        """`decide` and `record` are the rules' own unless given; `draw` is chance unless given."""
        self.store = store
        self.canary_round_trip_s = 0.0
        self.gaps_found_count = 0
        self.canaries_lost_count = 0
        self._clock = clock or SystemClock()
        self._judge = Judge(decide, record, draw or SystemRandom().choice)
        self._heartbeat_s = heartbeat_s
        self._canary_s = canary_s
        self._capacity = capacity
        self._runners: OrderedDict[str, Runner] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Runner]] = {}
        self._watched: dict[str, int] = {}
        self._on_change: list[OnChange] = []
        self._on_reset: list[OnReset] = []
        self._on_room: list[OnRoom] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._doubt = asyncio.Event()
        self._unready = "not started"
        # A task that ended for good: only a new process mends that.
        self._broken = ""
        self._silent_canary_count = 0
        # Tables that could not be brought to where their stream stands.
        self._doubtful: set[str] = set()

    async def start(self) -> None:
        """Connect the store and begin to listen. Raises StoreError when it cannot be reached."""
        await self.store.open(self)
        self._unready = "no canary has come back yet"
        self._tasks = [
            self._run("positions", self._compare_each_heartbeat),
            self._run("doubts", self._compare_on_doubt),
            self._run("canary", self._send_canaries),
        ]

    async def stop(self) -> None:
        """End every task and let go of the store. May be called twice."""
        self._unready = "stopped"
        tasks, self._tasks = [*self._tasks, *self._loading.values()], []
        await end(*tasks)
        for runner in self._runners.values():
            await runner.follower.stop()
        await self.store.close()

    async def command(self, request: CommandRequest) -> Verdict:
        """The whole path of one command; its one verdict. Raises StoreError: ask again, same id."""
        try:
            check_names(request)
        except Refused as refused:
            return Rejected(request.id, request.table, refused.reason, message=refused.message)
        runner = await self._runner(request.table)
        if request.command.get("type") == "open_table" and runner.at is None:
            # Listed first: a table that a crash left unlisted would never be found again.
            await self._list(request)
        verdict = await runner.command(request)
        if isinstance(verdict, Accepted) and request.command.get("type") == "close_table":
            await self._unlist(runner)
        return verdict

    async def foresee(self, request: CommandRequest) -> Foreseen | Rejected:
        """What a command would do to the table as it stands; nothing is done. StoreError."""
        try:
            check_names(request)
        except Refused as refused:
            return Rejected(request.id, request.table, refused.reason, message=refused.message)
        return (await self._runner(request.table)).foresee(request)

    async def verdict(self, table: str, command_id: str) -> Verdict | None:
        """What became of a command, whoever settled it; None when that is not known."""
        return await self.store.verdict(table, command_id)

    async def current(self, table: str) -> At | None:
        """The table as it stands, loaded if need be; None when there is none."""
        return (await self._runner(table)).at

    async def catch_up(self, table: str) -> At | None:
        """The table as the store has it, for a client that has seen more than we. StoreError."""
        runner = await self._runner(table)
        await runner.follower.heal()
        return runner.at

    def peek(self, table: str) -> At | None:
        """The table as it is in memory now; None when it is not there."""
        runner = self._runners.get(table)
        return runner.at if runner else None

    def watch(self, table: str) -> None:
        """Keep this table in memory until `unwatch` was called as often as `watch`."""
        self._watched[table] = self._watched.get(table, 0) + 1

    def unwatch(self, table: str) -> None:
        """Let go of one `watch`."""
        count = self._watched.get(table, 0) - 1
        if count > 0:
            self._watched[table] = count
        else:
            self._watched.pop(table, None)

    def listen(self, callback: OnChange) -> None:
        """Be told of every change of a loaded table: at once, in offset order, once each."""
        self._on_change.append(callback)

    def listen_resets(self, callback: OnReset) -> None:
        """Be told when a loaded table is no longer what its changes led to."""
        self._on_reset.append(callback)

    def listen_rooms(self, callback: OnRoom) -> None:
        """Be told the news of rooms: (room, payload), for rooms the store was told to hear."""
        self._on_room.append(callback)

    async def entries(
        self, table: str, epoch: str, after: int, limit: int = 1000, *, earlier: bool = False
    ) -> list[Entry] | None:
        """The commits after an offset, oldest first; [] when none was missed.

        None when the epoch is another, the offset is ahead, or some are no longer there. A stream
        that was restored or fell back keeps what it has under a new epoch: `earlier` counts that
        as there. Whoever resumes saw none of it under this epoch.
        """
        (mark,) = await self.store.marks([table])
        if mark is None or mark.position.epoch != epoch or after > mark.position.offset:
            return None
        if after == mark.position.offset:
            return []
        entries = await self.store.entries(table, after, limit)
        if not entries or entries[0].offset != after + 1:
            return None
        is_whole = earlier or all(entry.epoch == epoch for entry in entries)
        return entries if is_whole else None

    async def tables(self, room: str | None = None) -> list[str]:
        """The ids of the tables of a room, or of all, sorted; closed ones are not listed."""
        listed = await self.store.tables(room)
        marks = await self.store.marks(listed)
        return [table for table, mark in zip(listed, marks, strict=True) if mark is not None]

    def ready(self) -> tuple[bool, str]:
        """Whether this process can commit and deliver, and if not, why."""
        reason = self._broken or self._unready
        return not reason, reason

    def is_current(self, table: str) -> bool:
        """Whether the table in memory is, as far as we know, the one that the store has."""
        return table not in self._doubtful

    @property
    def doubtful_count(self) -> int:
        """How many tables could not be brought to where their stream stands."""
        return len(self._doubtful)

    @property
    def loaded_count(self) -> int:
        """How many tables are in memory."""
        return len(self._runners)

    def on_hint(self, table: str, hint: Hint) -> None:
        """The store heard of a commit."""
        if runner := self._runners.get(table):
            try:
                with tracing.span_from(hint.trace, "follow", table=table):
                    runner.follower.hear(hint)
            except Exception:
                # Whoever hears for us hears for every table: one that trips is healed apart.
                log.exception("a hint could not be followed", extra={"table": table})
                runner.follower.heal_soon()

    def on_room(self, room: str, payload: bytes) -> None:
        """The store heard a room's news."""
        _tell(self._on_room, room, payload)

    def on_doubt(self) -> None:
        """The store was deaf for a while: every table may have missed something."""
        self._doubt.set()

    def changed(self, change: Change) -> None:
        """A runner's table moved on by one offset."""
        _tell(self._on_change, change)

    def was_reset(self, reset: Reset) -> None:
        """A runner's table is another than was told so far."""
        _tell(self._on_reset, reset)

    async def _runner(self, table: str) -> Runner:
        runner = self._runners.get(table)
        if runner is not None:
            self._runners.move_to_end(table)
            return runner
        task = self._loading.get(table)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(table))
            self._loading[table] = task
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(task)

    async def _load(self, table: str) -> Runner:
        await self._make_room()
        runner = Runner(table, self.store, self._judge, self._clock, self)
        await self.store.subscribe(table)
        try:
            await runner.follower.load()
        except BaseException:
            await self.store.unsubscribe(table)
            raise
        self._runners[table] = runner
        return runner

    async def _make_room(self) -> None:
        while len(self._runners) + len(self._loading) > self._capacity:
            table = next((table for table in self._runners if self._is_idle(table)), None)
            if table is None:
                raise StoreBusy("every table in memory is in use")
            await self._runners.pop(table).follower.stop()
            self._doubtful.discard(table)
            await self.store.unsubscribe(table)

    def _is_idle(self, table: str) -> bool:
        return table not in self._watched and self._runners[table].waiting_count == 0

    async def _list(self, request: CommandRequest) -> None:
        room = request.command.get("room", "")
        if keys.is_room_id(room):
            await self.store.put_table(room, request.table)

    async def _unlist(self, runner: Runner) -> None:
        if runner.at is not None:
            await self.store.close_table(runner.at.table.setup.room, runner.follower.table)

    def _run(
        self, name: str, work: Callable[[], Coroutine[None, None, None]]
    ) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work(), name=f"registry {name}")
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        self._broken = f"the task {task.get_name()} ended"
        log.error("%s", self._broken, exc_info=task.exception())

    async def _compare_each_heartbeat(self) -> None:
        while True:
            await self._clock.sleep(self._heartbeat_s)
            await self._compare_all()

    async def _compare_on_doubt(self) -> None:
        while True:
            await self._doubt.wait()
            self._doubt.clear()
            await self._compare_all()

    async def _compare_all(self) -> None:
        """Compare every loaded table with its stream, and heal those that are behind."""
        tables = list(self._runners)
        for start in range(0, len(tables), COMPARE_COUNT):
            some = {
                table: (runner, runner.at)
                for table in tables[start : start + COMPARE_COUNT]
                # A command under way compares by itself, and more exactly.
                if (runner := self._runners.get(table)) and not runner.waiting_count
            }
            try:
                marks = await self.store.marks(list(some))
            except StoreError as error:
                log.warning("positions could not be compared: %s", error)
                continue
            except Exception:
                log.exception("positions could not be compared")
                continue
            for (runner, seen), mark in zip(some.values(), marks, strict=True):
                await self._compare(runner.follower, seen, mark)

    async def _compare(self, follower: Follower, seen: At | None, mark: Mark | None) -> None:
        """Heal one table if it is behind. What is wrong with it holds up no other."""
        try:
            if await follower.compare(seen, mark):
                self.gaps_found_count += 1
        except Exception as error:
            if follower.table not in self._doubtful:
                is_ours = not isinstance(error, StoreError)
                log.error(
                    "a table could not be brought up to date: %r",
                    error,
                    exc_info=is_ours,
                    extra={"table": follower.table},
                )
            self._doubtful.add(follower.table)
        else:
            self._doubtful.discard(follower.table)

    async def _send_canaries(self) -> None:
        while True:
            try:
                self.canary_round_trip_s = await self.store.probe()
            except Exception as error:
                if not isinstance(error, StoreError):
                    log.exception("the canary broke")
                self.canaries_lost_count += 1
                self._silent_canary_count += 1
                if self._silent_canary_count >= MAX_SILENT_CANARIES or self._unready:
                    self._unready = str(error) or type(error).__name__
            else:
                self._silent_canary_count = 0
                self._unready = ""
            await self._clock.sleep(self._canary_s)


def _tell(callbacks: list[Callable[..., None]], *news: object) -> None:
    """Tell everybody, whatever one of them makes of it: what happened has happened."""
    for callback in callbacks:
        try:
            callback(*news)
        except Exception:
            log.exception("the news was not taken well")
