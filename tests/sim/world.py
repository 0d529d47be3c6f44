"""A room in one process and one thread: two servers, their store, the lines, and many clients."""

import asyncio
import itertools
import random
from collections.abc import Callable
from typing import Any

from livebutton.gateway.auth import Credential, Role
from livebutton.gateway.gateway import Gateway
from livebutton.gateway.judging import Answer
from livebutton.store.contract import StoreError
from livebutton.store.memory_store import MemoryShelves
from livebutton.store.records import Checkpoint
from livebutton.tables.changes import CommandRequest
from livebutton.wire.messages import Accepted, Refused
from livebutton_client.codec import CodecName
from tests.sim.client import SimClient
from tests.sim.line import Line
from tests.sim.players import Company
from tests.sim.process import Process
from tests.sim.truth import Truth
from tests.sim.virtual_time import LoopClock
from tests.sim.weather import Weather, stormy

ROOM = "north"
TABLES = ("t1", "t2")
SEATS_WITH_SCREENS = (1, 2, 4)
STORM_S = 24.0
SETTLE_LIMIT_S = 150.0
# Until every store is back, and then two heartbeats.
HEAL_S = 13.0
# Until the half-dead connections are gone, and the screens they showed.
QUIET_S = 20.0
# Until a server forgets the views that nobody watches.
FORGET_S = 150.0
# A screen may show as fresh what is not for the five seconds of silence that it puts up with: twice
# when the one message between two silences lay on the line for long, and a second of patience.
WRONG_LIMIT_S = 11.0
# Commands a second at each table.
PACE_PER_S = 1.5


# Who looks afterwards what became of a command.
ASKER = Credential(id="asker", role="floor", exp=2**40)


class World:
    """Everything of one seed. Made inside a running virtual loop."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.truth = Truth()
        self.weather = Weather()
        self.shelves = MemoryShelves(LoopClock().now_ms)
        self.clients: list[SimClient] = []
        self.asked_twice: dict[str, Accepted | Refused] = {}
        self.revoked: SimClient | None = None
        self.longest_wrong_s = 0.0
        # Since when each screen has shown each table as fresh, seconds of the loop.
        self._fresh_since_s: dict[tuple[str, str], float] = {}
        numbers = itertools.count(1)
        self.processes = [
            Process(name, self.shelves, self.fork(), self.weather, self.truth, numbers)
            for name in ("red", "blue")
        ]
        self.companies = [
            Company(table, seed * 100 + at, ROOM, self.truth) for at, table in enumerate(TABLES)
        ]
        self._tasks: set[asyncio.Task[None]] = set()

    def fork(self) -> random.Random:
        """Chance of one's own, so that one who draws more changes nothing for others."""
        return random.Random(self.chance.random())

    # The beginning.

    async def begin(self) -> None:
        """Servers up, tables open, everybody in."""
        for process in self.processes:
            await process.start()
        for company in self.companies:
            await self._open(company)
        floor = self._join("floor", "floor", ttl_s=900, room=ROOM)
        floor.start(list(TABLES), ROOM)
        for company in self.companies:
            table = company.table
            company.clients = [
                floor,
                self._join(f"dealer-{table}", "dealer", ttl_s=25, room=ROOM, tables=(table,)),
                self._join(f"screen-{table}", "display", ttl_s=900, room=ROOM),
                *(
                    self._join(
                        f"{table}-seat-{seat}", "player", ttl_s=40, tables=(table,), seat=seat
                    )
                    for seat in SEATS_WITH_SCREENS
                ),
            ]
            for client in company.clients[1:]:
                client.start([table])
        self._join("wall", "display", ttl_s=900, room=ROOM).start(list(TABLES))
        backend = self._join("backend", "backend", ttl_s=900, room=ROOM)
        backend.start(list(TABLES), ROOM)
        for company in self.companies:
            company.clients.append(backend)

    async def _open(self, company: Company) -> None:
        gateway = self.processes[0].gateway
        assert gateway is not None
        credential = Credential(id="opener", role="floor", exp=2**40)
        for at, command in enumerate(company.arrivals()):
            request = CommandRequest(f"early-{company.table}-{at}", company.table, command)
            answer = await gateway.judging.judge(request, credential)
            assert isinstance(answer, Accepted) or command["type"] == "start_game", answer

    def _join(self, name: str, role: Role, *, ttl_s: int, **scope: Any) -> SimClient:
        signer = self.processes[0].signer

        def mint(old: Credential | None) -> tuple[str, Credential]:
            if old is not None:
                return signer.renew(old)
            return signer.mint(role, ttl_s=ttl_s, name=name, **scope)

        codecs: tuple[CodecName, ...] = ("json", "msgpack")
        codec = self.chance.choice(codecs)
        client = SimClient(name, codec, self.fork(), self.weather, self.truth, mint, self._dial)
        self.clients.append(client)
        return client

    def _dial(self, line: Line) -> bool:
        return self.chance.choice(self.processes).accept(line)

    # The storm.

    async def storm(self) -> None:
        """A while of commands and blows, all at once."""
        weather = stormy(self.chance)
        for name in weather.__struct_fields__:
            setattr(self.weather, name, getattr(weather, name))
        loop = asyncio.get_running_loop()
        ends_s = loop.time() + STORM_S
        workers = [self._play(company, self.fork(), ends_s) for company in self.companies]
        workers += [self._befall(self.fork(), ends_s), self._watch(ends_s), self._revoke()]
        workers.append(self._ask_twice(self.fork(), ends_s))
        await asyncio.gather(*workers)

    async def _play(self, company: Company, chance: random.Random, ends_s: float) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() < ends_s:
            await asyncio.sleep(chance.expovariate(PACE_PER_S))
            company.act()

    async def _ask_twice(self, chance: random.Random, ends_s: float) -> None:
        """A backend over HTTP: the same command, with the same id, to both processes at once."""
        loop = asyncio.get_running_loop()
        while loop.time() < ends_s:
            await asyncio.sleep(chance.expovariate(0.5))
            company = chance.choice(self.companies)
            command, command_id = company.wish()
            self.run(self._ask_both(company.table, command_id, command, chance))

    async def _ask_both(
        self, table: str, command_id: str, command: dict[str, Any], chance: random.Random
    ) -> None:
        request = CommandRequest(command_id, table, command, client="backend", role="backend")
        processes = chance.sample(self.processes, 2)
        first, second = await asyncio.gather(*(self._ask(each, request) for each in processes))
        if first != second:
            self.truth.fault(f"two verdicts on {command_id}: {first} and {second}")
        self.asked_twice[command_id] = first

    async def _ask(self, process: Process, request: CommandRequest) -> Accepted | Refused:
        credential = Credential(id="http", role="backend", exp=2**40, room=ROOM)
        while True:
            if process.gateway is not None:
                # A task of the process's own, which ends with it.
                answer = await process.gateway.judging.judge(request, credential)
                if isinstance(answer, Accepted | Refused) and not (
                    isinstance(answer, Refused) and answer.reason == "too_many"
                ):
                    return answer
            await asyncio.sleep(0.3)

    async def ask_now(self, table: str, command_id: str) -> Answer:
        """What the servers say has become of a command."""
        gateway = self.processes[0].gateway
        assert gateway is not None
        return await gateway.judging.ask(table, command_id, ASKER)

    async def _revoke(self) -> None:
        """One wall screen is taken away in the middle of it."""
        await asyncio.sleep(STORM_S / 2)
        self.revoked = next(client for client in self.clients if client.name == "wall")
        credential = self.revoked.credential
        while True:
            gateway = self.chance.choice(self.processes).gateway
            if gateway is not None and await _is_done(gateway, credential):
                return
            await asyncio.sleep(0.5)

    async def _befall(self, chance: random.Random, ends_s: float) -> None:
        loop = asyncio.get_running_loop()
        blows: list[Callable[[random.Random], None]] = [
            self._crash,
            self._deploy,
            self._cut_off,
            self._stall,
            self._stall,
            self._stall,
            self._silence,
            self._silence,
            self._trim,
        ]
        while loop.time() < ends_s:
            await asyncio.sleep(chance.expovariate(self.weather.blows_per_s))
            chance.choice(blows)(chance)

    def _crash(self, chance: random.Random) -> None:
        self.run(self._restart(chance.choice(self.processes), 4 * chance.random(), drains=False))

    def _deploy(self, chance: random.Random) -> None:
        self.run(self._restart(chance.choice(self.processes), 1.0, drains=True))

    async def _restart(self, process: Process, after_s: float, *, drains: bool) -> None:
        if process.is_busy:
            return
        process.is_busy = True
        await (process.leave() if drains else process.crash())
        await asyncio.sleep(after_s)
        await process.start()
        process.is_busy = False

    def _cut_off(self, chance: random.Random) -> None:
        """The store is out of reach, for one process or for both."""
        for process in chance.sample(self.processes, chance.randint(1, 2)):
            if process.store is not None:
                process.store.go_out()
                wait_s = chance.choice([0.5, 3.0, 8.0]) * chance.random()
                loop = asyncio.get_running_loop()
                if chance.random() < 0.5:
                    loop.call_later(wait_s, self._trim, chance)
                loop.call_later(wait_s, process.store.come_back)

    def _stall(self, chance: random.Random) -> None:
        lines = [client.line for client in self.clients if client.line is not None]
        for line in chance.sample(lines, min(3, len(lines))):
            line.stall(12 * chance.random())

    def _silence(self, chance: random.Random) -> None:
        lines = [client.line for client in self.clients if client.line is not None]
        for line in chance.sample(lines, min(3, len(lines))):
            line.cut()

    def _trim(self, _chance: random.Random) -> None:
        """All but the newest state is taken away: who is behind can only be shown that."""
        for table, stream in self.shelves.streams.items():
            newest = self.truth.newest(table)
            stream.checkpoint = Checkpoint(stream.mark, newest.entry.at_ms, newest.after)
            stream.entries = []

    async def _watch(self, ends_s: float) -> None:
        """Look now and then whether a screen shows as fresh what is old."""
        loop = asyncio.get_running_loop()
        while loop.time() < ends_s:
            await asyncio.sleep(0.25)
            for client in self.clients:
                for table in client.core.tables:
                    self._look(client, table)

    def _look(self, client: SimClient, table: str) -> None:
        now_s = asyncio.get_running_loop().time()
        place = (client.name, table)
        if client.freshness(table) != "fresh":
            self._fresh_since_s.pop(place, None)
            return
        since_s = self._fresh_since_s.setdefault(place, now_s)
        position = client.position(table)
        assert position is not None
        stored = self.truth.stored[table]
        if position.offset == len(stored):
            return
        wrong_s = now_s - max(since_s, stored[position.offset].at_s)
        self.longest_wrong_s = max(self.longest_wrong_s, wrong_s)
        if wrong_s > WRONG_LIMIT_S:
            self.truth.fault(f"{client.name} has shown {table} as fresh for {wrong_s:.1f} s")

    # The end.

    async def settle(self) -> None:
        """The storm is over: in a while all must be well.

        Hints go on getting lost until the last command has its verdict: what the last ones said
        must be found without them, on tables where nothing happens any more.
        """
        hint_lost = self.weather.hint_lost
        self.weather.calm()
        self.weather.hint_lost = hint_lost
        await self._until(lambda: not self._tasks and not any(map(_open_commands, self.clients)))
        await asyncio.sleep(HEAL_S)
        for behind in (each for process in self.processes for each in process.behind()):
            self.truth.fault(f"{behind}, and nobody told it")
        self.weather.calm()
        await self._until(lambda: not self.unsettled())
        await asyncio.sleep(QUIET_S)
        await self._until(lambda: not self.unsettled())
        for what in self.unsettled():
            self.truth.fault(f"not settled: {what}")

    async def _until(self, is_so: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        limit_s = loop.time() + SETTLE_LIMIT_S
        while not is_so() and loop.time() < limit_s:  # noqa: ASYNC110 - in virtual time
            await asyncio.sleep(0.5)

    def unsettled(self) -> list[str]:
        """What is still under way."""
        found = [problem for process in self.processes if (problem := process.problem())]
        found += ["a task"] * len(self._tasks)
        for client in self.clients:
            found += self._unsettled(client)
        return found

    def _unsettled(self, client: SimClient) -> list[str]:
        if client is self.revoked:
            return [] if client.stopped else [f"{client.name} is still there"]
        found = _open_commands(client)
        for table in client.core.tables:
            newest = self.truth.newest(table).entry.position
            if client.position(table) != (newest.epoch, newest.offset):
                found.append(f"{client.name} is at {client.position(table)} of {table}")
            elif client.freshness(table) != "fresh":
                found.append(f"{client.name} is {client.freshness(table)} on {table}")
        return found

    async def leave(self) -> None:
        """Everybody goes home; in a while nothing is kept for them."""
        for client in self.clients:
            client.leave()
        await asyncio.sleep(FORGET_S)
        for process in self.processes:
            gateway = process.gateway
            assert gateway is not None
            left = {
                "sockets": len(gateway.hub.clients),
                "watchers": gateway.hub.watcher_count,
                "commands": gateway.judging.in_flight_count,
                "tables told": sum(gateway.hub.position(table) is not None for table in TABLES),
            }
            if any(left.values()):
                self.truth.fault(f"{process.name} still has {left}")

    async def end(self) -> None:
        """Take it all down."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in self.processes:
            await process.crash()

    def run(self, work: Any) -> None:
        """Something that goes on beside the rest. What it raises is a fault."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.truth.fault(f"{task.exception()!r}")


def _open_commands(client: SimClient) -> list[str]:
    if client.stopped is not None:
        return []
    return [f"{id_} of {client.name}" for id_ in client.given if id_ not in client.verdicts]


async def _is_done(gateway: Gateway, credential: Credential) -> bool:
    try:
        await gateway.rooms.revoke(credential.id, 2**40)
    except StoreError:
        return False
    return True
