"""Every connection to the store, and the way of a question to the node that can answer it.

Questions find their node by key; when a node is gone, demoted, or says that the key is
elsewhere, the topology is looked at again and the question asked anew, until it is answered or
the patience for it is at an end. That is safe because every write here may be asked twice.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    ResponseError,
    TryAgainError,
)

from livebutton.store.contract import StoreDeaf, StoreError, StoreUnreachable
from livebutton.store.ear import Ear
from livebutton.store.ending import end
from livebutton.store.pipe import Durability, Pipe, TooLate, Words
from livebutton.store.scripts import Script
from livebutton.store.timeouts import Timeouts
from livebutton.store.topology import topology_of

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.02
MAX_PAUSE_S = 0.5
# What a server says that another moment may mend.
PASSING = ("NOREPLICAS", "LOADING", "BUSY", "UNBLOCKED", "MASTERDOWN")


class Lines:
    """The pipes and ears to every node of one topology."""

    def __init__(
        self,
        url: str,
        *,
        timeouts: Timeouts,
        durability: Durability,
        hear: Callable[[str, bytes], None],
        doubt: Callable[[], None],
    ) -> None:
        """Raises ValueError for a URL that names no store."""
        self.timeouts = timeouts
        self._durability = durability
        self._hear = hear
        self._doubt = doubt
        self._topology = topology_of(url, timeouts)
        self._pipes: dict[tuple[str, bool], Pipe] = {}
        self._ears: dict[str, Ear] = {}
        self._wanted: set[str] = set()
        self._placing: asyncio.Task[None] | None = None
        self._to_place = False
        self._to_look = False
        self._is_open = False

    @property
    def publish_word(self) -> str:
        """The command that publishes: sharded on a cluster."""
        return "SPUBLISH" if self._topology.is_cluster else "PUBLISH"

    @property
    def ears(self) -> list[Ear]:
        """One for each node."""
        return list(self._ears.values())

    @property
    def pipes(self) -> list[Pipe]:
        """At most two for each node: one for writes, one for reads."""
        return list(self._pipes.values())

    async def open(self) -> None:
        """Find the nodes and begin to listen. Raises StoreUnreachable."""
        self._is_open = True
        await self._topology.open()
        if not await self._place():
            self._place_ears()

    async def close(self) -> None:
        """Let go of every connection and task."""
        self._is_open = False
        await end(self._placing)
        for ear in self._ears.values():
            await ear.close()
        for pipe in self._pipes.values():
            await pipe.close()
        self._ears.clear()
        self._pipes.clear()
        await self._topology.close()

    async def ask(
        self, key: str, *words: str | bytes | int, patience_s: float | None = None
    ) -> Any:
        """The reply of whichever node has the key, on the connection for reads."""
        return await self._ask(key, words, False, patience_s)

    async def run(
        self,
        script: Script,
        keys: Iterable[str],
        *rest: str | bytes | int,
        patience_s: float | None = None,
    ) -> Any:
        """The reply of a script that writes, once what it wrote is durable."""
        keys = tuple(keys)
        words = ("EVALSHA", script.sha, len(keys), *keys, *rest)
        try:
            return await self._ask(keys[0], words, True, patience_s)
        except NoScriptError:  # Forgotten since the connection was made: send it whole.
            whole = ("EVAL", script.source, *words[2:])
            return await self._ask(keys[0], whole, True, patience_s)

    async def write(self, key: str, *words: str | bytes | int) -> Any:
        """The reply of a command that writes, once what it wrote is durable."""
        return await self._ask(key, words, True, None)

    async def write_all(self, key: str, commands: Sequence[Words]) -> None:
        """Send commands on one node's keys together, in order; a ResponseError is raised.

        Not asked again when there is no answer: StoreUnreachable, and some may have been done.
        """
        await self._pipe(self._topology.node_of(key), True).ask(*commands)

    async def subscribe(self, channel: str) -> None:
        """Hear a channel, on the node that has it."""
        self._wanted.add(channel)
        with contextlib.suppress(StoreError):
            if ear := self._ears.get(self._topology.node_of(channel)):
                await ear.add([channel])

    async def unsubscribe(self, channel: str) -> None:
        """Hear it no more."""
        self._wanted.discard(channel)
        for ear in self.ears:
            await ear.drop([channel])

    def nodes(self) -> list[str]:
        """The nodes that take writes, by name."""
        return self._topology.nodes()

    def name_on(self, node: str, names: Iterable[str]) -> str:
        """The first of some names that is a key of that node. StoreDeaf when there is none."""
        for name in names:
            if self._topology.node_of(name) == node:
                return name
        raise StoreDeaf(f"no canary can be sent to {node}")

    async def look_again(self) -> None:
        """Ask where everything is now, and move there what is elsewhere."""
        if await self._topology.refresh():
            log.warning("the store's nodes have changed")
            await self._leave_nodes()
            self._place_ears()

    async def redial(self, node: str) -> None:
        """Make every connection to a node anew: they may be connected to something deaf."""
        await self.look_again()
        if ear := self._ears.get(node):
            await ear.redial()
        else:
            self._place_ears()
        await self._close_pipes(node)

    async def _ask(self, key: str, words: Words, is_write: bool, patience_s: float | None) -> Any:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (patience_s or self.timeouts.patience_s)
        pause_s = FIRST_PAUSE_S
        error: Exception = StoreUnreachable("the store does not answer in time")
        while True:
            try:
                return await self._ask_once(key, words, is_write, deadline)
            except TooLate:
                raise StoreUnreachable(str(error)) from None
            except (MovedError, AskError, StoreUnreachable, ClusterDownError, TryAgainError) as e:
                error = e
            except NoScriptError:
                raise
            except ResponseError as e:
                if not str(e).startswith(PASSING):
                    raise StoreUnreachable(f"the store refuses: {e}") from e
                error = e
            if not self._is_open or loop.time() + pause_s > deadline:
                raise StoreUnreachable(str(error)) from error
            await asyncio.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311 - a pause
            pause_s = min(2 * pause_s, MAX_PAUSE_S)
            with contextlib.suppress(StoreUnreachable):
                await self.look_again()

    async def _ask_once(self, key: str, words: Words, is_write: bool, deadline_s: float) -> Any:
        node = self._topology.node_of(key)
        try:
            return await self._pipe(node, is_write).ask(words, deadline_s=deadline_s)
        except MovedError as error:
            self._topology.moved(error)
            raise
        except AskError as error:
            # The slot is on its way: this one question goes to where it is going.
            target = f"{error.host}:{error.port}"
            pipe = self._pipe(target, is_write)
            return await pipe.ask(("ASKING",), words, deadline_s=deadline_s)

    def _pipe(self, node: str, is_write: bool) -> Pipe:
        pipe = self._pipes.get((node, is_write))
        if pipe is None:
            if not self._is_open:
                raise StoreUnreachable("the store is closed")
            pipe = Pipe(
                lambda: self._topology.dial(node),
                self.timeouts,
                self._durability,
                writes=is_write,
            )
            self._pipes[node, is_write] = pipe
        return pipe

    async def _close_pipes(self, node: str) -> None:
        for is_write in (False, True):
            if pipe := self._pipes.pop((node, is_write), None):
                await pipe.close()

    async def _leave_nodes(self) -> None:
        """Close what leads to nodes that take no writes any more, or are another server now."""
        nodes = set(self._topology.nodes())
        for node, _ in list(self._pipes):
            if node not in nodes or not self._topology.is_cluster:
                await self._close_pipes(node)
        for node in [node for node in self._ears if node not in nodes]:
            await self._ears.pop(node).close()
        if not self._topology.is_cluster:
            for ear in self.ears:
                await ear.redial()

    def _place_ears(self, *, looks: bool = False) -> None:
        """See to it, in a task, that each channel is heard on the node that has it.

        With `looks`, look first where everything is.
        """
        self._to_place = True
        self._to_look = self._to_look or looks
        if self._is_open and (self._placing is None or self._placing.done()):
            self._placing = asyncio.get_running_loop().create_task(self._place_until_done())

    async def _place_until_done(self) -> None:
        """Try until every channel has its place: one without it would be deaf in silence."""
        pause_s = FIRST_PAUSE_S
        while self._to_place:
            looks, self._to_place, self._to_look = self._to_look, False, False
            try:
                if looks:
                    await self._look()
                is_placed = await self._place()
            except Exception:
                log.exception("the ears could not be placed")
                is_placed = False
            if not is_placed:
                self._to_place = self._to_look = True
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, MAX_PAUSE_S)

    async def _place(self) -> bool:
        """Let each channel be heard where it is; whether all of them have a place now."""
        is_placed = True
        for node in self._topology.nodes():
            if node not in self._ears:
                self._ears[node] = self._ear(node)
        places: dict[str, set[str]] = {node: set() for node in self._ears}
        for channel in self._wanted:
            try:
                places.setdefault(self._topology.node_of(channel), set()).add(channel)
            except StoreError:
                is_placed = False
        for node, channels in places.items():
            if ear := self._ears.get(node):
                await ear.drop(ear.wanted - channels)
                await ear.add(channels)
            else:
                is_placed = False
        return is_placed

    def _ear(self, node: str) -> Ear:
        return Ear(
            lambda: self._topology.dial(node),
            self.timeouts,
            is_cluster=self._topology.is_cluster,
            hear=self._hear,
            doubt=self._doubt,
            displaced=self._displaced,
        )

    def _displaced(self) -> None:
        """An ear lost its node, or a channel: look where it is now."""
        self._place_ears(looks=True)

    async def _look(self) -> None:
        with contextlib.suppress(StoreError):
            if await self._topology.refresh():
                await self._leave_nodes()
