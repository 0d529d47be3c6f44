"""One connection to one node, on which whatever is ready goes out in one write.

Questions that are asked in one turn of the event loop leave together, and in the order they
were asked; those that come while an exchange is under way make up the next. After the writes
of an exchange comes one wait for all of them to be durable, and only then are they answered.
"""

import asyncio
import contextlib
import logging
import math
from collections import deque
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ReadOnlyError, RedisError, ResponseError

from livebutton.store import scripts
from livebutton.store.contract import StoreBusy, StoreUnreachable
from livebutton.store.ending import end
from livebutton.store.timeouts import Timeouts

log = logging.getLogger(__name__)

# Questions that may wait for an answer on one connection, and go out in one exchange.
MAX_WAITING = 8192
MAX_EXCHANGE = 512

Words = tuple[str | bytes | int, ...]


class Durability(msgspec.Struct, frozen=True):
    """What it takes until a write is acknowledged.

    `always`: it is in the append-only file on the node's disk, where the node keeps one, and on
    `replicas` replicas. None asks for one, as long as the node has any: a master that lost its
    only replica goes on alone until the next one is there, which a number forbids. `relaxed`:
    the node has it in memory.
    """

    mode: Literal["always", "relaxed"] = "always"
    replicas: int | None = None


# The heads of words by their length; longer ones are written as they come.
_HEADS = [b"\r\n$%d\r\n" % length for length in range(512)]


class TooLate(StoreUnreachable):
    """No answer before the question's deadline."""


class _Question:
    __slots__ = ("answer", "deadline_s", "words")

    def __init__(self, words: tuple[Words, ...], deadline_s: float) -> None:
        self.words = words
        self.deadline_s = deadline_s
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Wait(msgspec.Struct, frozen=True):
    """A wait for the writes before it: the command, and the least counts that will do."""

    word: str
    numbers: tuple[int, ...]
    at_least: tuple[int, ...]


class Pipe:
    """Questions to one node. It connects when first asked, and again after every loss."""

    def __init__(
        self,
        dial: Callable[[], AbstractConnection],
        timeouts: Timeouts,
        durability: Durability,
        *,
        writes: bool,
    ) -> None:
        """`writes`: what is asked here writes, and has to be durable before it is answered."""
        self.writes = writes
        self._dial = dial
        self._timeouts = timeouts
        self._durability = durability
        self._connection: AbstractConnection | None = None
        self._waits: tuple[_Wait, ...] = ()
        # Whether the node is to be waited for alone, and asked each time if it still is.
        self._is_alone = False
        self._questions: list[_Question] = []
        # Those that have no answer yet, sent or not, and one timer for all of them: a timer for
        # each would cost more than the writing of a question.
        self._open: deque[_Question] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.exchanges_count = 0

    async def break_off(self) -> None:
        """Drop the connection under whatever goes on; the next question makes a new one."""
        await self._drop()

    @property
    def waiting_count(self) -> int:
        """How many questions have not been sent yet."""
        return len(self._questions)

    async def ask(self, *words: Words, deadline_s: float = math.inf) -> Any:
        """The last reply to a few commands that go out together; a ResponseError is raised.

        Raises StoreBusy when too many wait, StoreUnreachable when there is no reply: it may or
        may not have been done. TooLate when there is none by `deadline_s`, of the loop's clock.
        """
        if len(self._questions) >= MAX_WAITING:
            raise StoreBusy(f"{MAX_WAITING} questions are waiting for the store")
        question = _Question(words, deadline_s)
        self._questions.append(question)
        self._watch_deadline(question)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._pump())
        self._wake.set()
        return await question.answer

    async def close(self) -> None:
        """Drop the connection; whoever waits gets StoreUnreachable."""
        await end(self._task)
        self._task = None
        if self._timer is not None:
            self._timer.cancel()
        await self._drop()
        self._fail(self._questions, StoreUnreachable("the connection was closed"))
        self._questions = []

    async def _pump(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._questions[:MAX_EXCHANGE]
            self._questions = self._questions[MAX_EXCHANGE:]
            if not self._questions:
                self._wake.clear()
            batch = [question for question in batch if not question.answer.done()]
            if not batch:
                continue
            try:
                connection = self._connection or await self._connect()
                await self._exchange(connection, batch)
            except (RedisError, OSError, StoreUnreachable) as error:
                await self._drop()
                self._fail(batch, StoreUnreachable(str(error) or type(error).__name__))
            except Exception as error:
                # A pump that stopped would leave every later question without an answer.
                log.exception("the exchange broke")
                await self._drop()
                self._fail(batch, StoreUnreachable(f"the exchange broke: {error!r}"))
            except BaseException:
                self._fail(batch, StoreUnreachable("the connection was closed"))
                raise

    async def _exchange(self, connection: AbstractConnection, batch: list[_Question]) -> None:
        waits = self._waits
        commands = [words for question in batch for words in question.words]
        commands += [(wait.word, *wait.numbers) for wait in waits]
        if self._is_alone:
            commands.append(("ROLE",))
        self.exchanges_count += 1
        lacking = ""
        # One limit for the whole exchange, not one for each reply.
        async with asyncio.timeout(self._timeouts.command_s):
            await connection.send_packed_command(_packed(commands))
            replies = [await self._reply_to(connection, question) for question in batch]
            for wait in waits:
                lacking = lacking or _lacking(wait, await _read(connection))
            if self._is_alone and _has_replica(await _read(connection)):
                await self._learn_waits(connection)
                lacking = lacking or await self._wait_once_more(connection)
        is_demoted = False
        for question, reply in zip(batch, replies, strict=True):
            is_demoted = is_demoted or isinstance(reply, ReadOnlyError)
            if question.answer.done():
                continue
            if isinstance(reply, ReadOnlyError):
                question.answer.set_exception(StoreUnreachable(f"the node is read-only: {reply}"))
            elif isinstance(reply, ResponseError):
                question.answer.set_exception(reply)
            elif lacking:
                question.answer.set_exception(StoreUnreachable(lacking))
            else:
                question.answer.set_result(reply)
        if is_demoted or lacking:
            # The next connection finds out anew what this node is, and which replicas it has.
            await self._drop()

    async def _reply_to(self, connection: AbstractConnection, question: _Question) -> Any:
        replies = [await _read(connection) for _ in question.words]
        return replies[-1]

    async def _learn_waits(self, connection: AbstractConnection) -> None:
        """Ask the node what has to be waited for after a write."""
        if not self.writes or self._durability.mode == "relaxed":
            return
        self._waits = await _waits(connection, self._durability, self._timeouts)
        waits_for_replica = any(wait.word == "WAIT" for wait in self._waits)
        self._is_alone = self._durability.replicas is None and not waits_for_replica

    async def _wait_once_more(self, connection: AbstractConnection) -> str:
        """Wait for what was just written, by waits that were not known when it was."""
        waits = self._waits
        await connection.send_packed_command(_packed([(w.word, *w.numbers) for w in waits]))
        replies = [await _read(connection) for _ in waits]
        return next(filter(None, map(_lacking, waits, replies)), "")

    async def _connect(self) -> AbstractConnection:
        connection = self._dial()
        try:
            async with asyncio.timeout(self._timeouts.connect_s + self._timeouts.command_s):
                await connection.connect()  # type: ignore[no-untyped-call]
                for script in scripts.ALL:
                    await connection.send_command("SCRIPT", "LOAD", script.source)
                    await connection.read_response()
                await self._learn_waits(connection)
        except BaseException as error:
            await _hang_up(connection)
            if isinstance(error, TimeoutError):
                raise StoreUnreachable("the node does not answer") from error
            raise
        self._connection = connection
        return connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await _hang_up(connection)

    def _watch_deadline(self, question: _Question) -> None:
        while self._open and self._open[0].answer.done():
            self._open.popleft()
        self._open.append(question)
        if self._timer is None or question.deadline_s < self._timer.when():
            self._look_at(question.deadline_s)

    def _look_at(self, deadline_s: float) -> None:
        """Look for late questions then, and not before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if deadline_s < math.inf:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(deadline_s, self._end_late)

    def _end_late(self) -> None:
        now_s = asyncio.get_running_loop().time()
        self._open = deque(each for each in self._open if not each.answer.done())
        late = [each for each in self._open if each.deadline_s <= now_s]
        self._fail(late, TooLate("the store does not answer in time"))
        left = (each.deadline_s for each in self._open if each.deadline_s > now_s)
        self._look_at(min(left, default=math.inf))

    def _fail(self, questions: list[_Question], error: Exception) -> None:
        for question in questions:
            if not question.answer.done():
                question.answer.set_exception(error)


def _packed(commands: list[Words]) -> bytes:
    """Commands as Redis reads them: redis-py's own packing costs several times as much."""
    parts: list[bytes] = []
    for words in commands:
        parts.append(b"*%d" % len(words))
        for word in words:
            data = word if type(word) is bytes else str(word).encode()
            length = len(data)
            head = _HEADS[length] if length < len(_HEADS) else b"\r\n$%d\r\n" % length
            parts += (head, data)
        parts.append(b"\r\n")
    return b"".join(parts)


async def _read(connection: AbstractConnection) -> Any:
    """One reply, an error of the server's as a value, so that those after it are read too."""
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error


async def _waits(
    connection: AbstractConnection, durability: Durability, timeouts: Timeouts
) -> tuple[_Wait, ...]:
    """What has to be waited for on this node after a write."""
    await connection.send_command("INFO")
    info = _fields(await connection.read_response())
    wait_ms = round(timeouts.durable_s * 1000)
    waits = []
    keeps_file = info.get("aof_enabled") == "1"
    if keeps_file and not await _writes_at_once(connection):
        version = tuple(int(part) for part in info["redis_version"].split(".")[:2])
        if version >= (7, 2):
            waits.append(_Wait("WAITAOF", (1, 0, wait_ms), (1, 0)))
        else:
            log.warning("the append-only file is written within a second, not at once")
    replicas = durability.replicas
    if replicas is None:
        # `slave0:ip=…,state=online,…`: one that is still being sent the data does not count.
        replicas = int(any("state=online" in value for value in info.values()))
    if replicas:
        waits.append(_Wait("WAIT", (replicas, wait_ms), (replicas,)))
    if not keeps_file and not replicas:
        log.warning("the store has neither an append-only file nor a replica: nothing is durable")
    return tuple(waits)


def _has_replica(role: Any) -> bool:
    """Whether a node's role is a master's with a replica that has got all its data."""
    return isinstance(role, list) and role[0] == b"master" and bool(role[2])


async def _writes_at_once(connection: AbstractConnection) -> bool:
    await connection.send_command("CONFIG", "GET", "appendfsync")
    reply = await _read(connection)
    return isinstance(reply, list) and reply[1:] == [b"always"]


def _fields(info: bytes) -> dict[str, str]:
    lines = info.decode(errors="replace").splitlines()
    return {name: value for name, colon, value in (line.partition(":") for line in lines) if colon}


def _lacking(wait: _Wait, reply: Any) -> str:
    """What a wait did not bring about in time; "" when it did."""
    if isinstance(reply, ResponseError):
        return f"{wait.word}: {reply}"
    counts = reply if isinstance(reply, list) else [reply]
    if all(count >= least for count, least in zip(counts, wait.at_least, strict=True)):
        return ""
    return f"not durable yet: {wait.word} asks for {wait.at_least} and found {counts}"


async def _hang_up(connection: AbstractConnection) -> None:
    with contextlib.suppress(RedisError, OSError):
        await connection.disconnect(nowait=True)
