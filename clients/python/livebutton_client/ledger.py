"""Commands on their way to exactly one verdict, across any number of sessions.

A command is sent once on the session that first takes it. When that session is lost, the next one
asks what became of it, and sends it again, under the same id, only when the server has never
heard of it and its deadline has not passed. After the deadline the server judges nothing, so the
question has an end.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from livebutton_client.errors import LivebuttonError, NoVerdict, Overloaded, Refused
from livebutton_client.messages import Accepted
from livebutton_client.position import StreamPosition

MAX_OPEN = 1_024
# How long a verdict may take before it is asked for.
REPLY_PATIENCE_MS = 5_000
# What a command that was judged at its deadline may need to become durable and be told.
GRACE_MS = 5_000


@dataclass(slots=True)
class OpenCommand:
    """One command without a verdict. `give_up_ms` is local time, `deadline_ms` the server's."""

    id: str
    table: str
    command: Mapping[str, Any]
    expected: StreamPosition | None
    give_up_ms: int
    deadline_ms: int | None = None
    said_at_ms: int = 0

    @property
    def was_sent(self) -> bool:
        """Whether any server may have heard of it."""
        return self.deadline_ms is not None

    def message(self, now_ms: int, server_ms: int) -> dict[str, Any]:
        """The command message; the same map each time, so that one id has one body."""
        self.said_at_ms = now_ms
        if self.deadline_ms is None:
            self.deadline_ms = server_ms + self.give_up_ms - now_ms
        message: dict[str, Any] = {
            "type": "command",
            "id": self.id,
            "table": self.table,
            "command": dict(self.command),
            "deadline_ms": self.deadline_ms,
        }
        if self.expected is not None:
            message["expected"] = list(self.expected)
        return message

    def question(self, now_ms: int) -> dict[str, Any]:
        """The message that asks what became of it."""
        self.said_at_ms = now_ms
        return {"type": "verdict", "id": self.id, "table": self.table}

    def too_late(self) -> Refused:
        """What its owner is told when the server has not done it and will not."""
        sentence = "it did not reach the server before its deadline"
        return Refused(self.id, self.table, "late", sentence, retry=True)


class Ledger:
    """All open commands of a connection, at most MAX_OPEN, in the order they were given."""

    def __init__(self) -> None:
        self._open: dict[str, OpenCommand] = {}

    def add(self, command: OpenCommand) -> None:
        """Overloaded when it is full; ValueError for an id that is open already."""
        if command.id in self._open:
            raise ValueError(f"a command of id {command.id!r} is open already")
        if len(self._open) >= MAX_OPEN:
            raise Overloaded(f"{MAX_OPEN} commands wait for their verdict")
        self._open[command.id] = command

    def forget(self, command_id: str) -> None:
        """Its owner no longer waits."""
        self._open.pop(command_id, None)

    def welcomed(self, now_ms: int, server_ms: int) -> Iterator[dict[str, Any]]:
        """What to say on a new session: old commands are asked about, unsent ones sent."""
        for command in self._open.values():
            if command.was_sent:
                yield command.question(now_ms)
            else:
                yield command.message(now_ms, server_ms)

    def settle(self, verdict: Accepted | Refused) -> bool:
        """Whether somebody still waits for it: the first verdict counts, copies do not."""
        return self._open.pop(verdict.id, None) is not None

    def unheard(self, command_id: str, now_ms: int, server_ms: int) -> dict[str, Any] | None:
        """The server has never heard of it: the command again, if there is time, else None."""
        command = self._open.get(command_id)
        if command is None or command.deadline_ms is None or server_ms >= command.deadline_ms:
            return None
        return command.message(now_ms, server_ms)

    def late(self, command_id: str, server_ms: int) -> Refused | None:
        """The refusal of one the server has never heard of, once nothing can be under way."""
        command = self._open.get(command_id)
        if command is None or command.deadline_ms is None:
            return None
        if server_ms < command.deadline_ms + GRACE_MS // 2:
            return None
        del self._open[command_id]
        return command.too_late()

    def overdue(self, now_ms: int) -> Iterator[dict[str, Any]]:
        """Questions about commands whose verdict is slow; for a session that is open."""
        for command in self._open.values():
            patience_ms = REPLY_PATIENCE_MS
            if now_ms >= command.give_up_ms:
                patience_ms = GRACE_MS // 4
            if command.was_sent and now_ms - command.said_at_ms >= patience_ms:
                yield command.question(now_ms)

    def given_up(self, now_ms: int) -> list[tuple[str, LivebuttonError]]:
        """Those whose time is over, and what to tell their owners."""
        ended: list[tuple[str, LivebuttonError]] = []
        for command in list(self._open.values()):
            if not command.was_sent and now_ms >= command.give_up_ms:
                ended.append((command.id, command.too_late()))
            elif now_ms >= command.give_up_ms + GRACE_MS:
                ended.append((command.id, NoVerdict(command.id, command.table)))
        for command_id, _ in ended:
            del self._open[command_id]
        return ended
