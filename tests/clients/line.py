"""A core without a socket, and a way to say things to it at times."""

from typing import Any

from livebutton_client.core import Core
from livebutton_client.effects import Effect, Followed, Send
from livebutton_client.ledger import OpenCommand
from livebutton_client.messages import parse

# The server's clock is this far ahead of the client's.
AHEAD_MS = 1_000_000
WELCOME = {"type": "welcome", "session": "s", "heartbeat_s": 2.0, "reconnect_window_ms": 800}


class Line:
    """A core, and a way to say things to it at times."""

    def __init__(self) -> None:
        self.core = Core(client="test/1", draw=lambda: 0.5)
        self.now_ms = 10_000
        self.generation = 0

    def open(self) -> list[Effect]:
        self.generation += 1
        hello = self.core.opened(self.generation, "token", self.now_ms)
        assert sent(hello) == [{"type": "hello", "token": "token", "client": "test/1"}]
        return self.hear(WELCOME | {"now_ms": self.now_ms + AHEAD_MS})

    def hear(self, message: dict[str, Any]) -> list[Effect]:
        return self.core.receive(self.generation, parse(message), self.now_ms)

    def hear_snapshot(self, epoch: str = "e1", offset: int = 5, **view: Any) -> list[Effect]:
        where = {"table": "t1", "epoch": epoch, "offset": offset}
        return self.hear({"type": "snapshot", "view": view, **where})

    def hear_delta(self, offset: int, epoch: str = "e1", **patch: Any) -> list[Effect]:
        where = {"table": "t1", "epoch": epoch, "offset": offset}
        return self.hear({"type": "delta", "patch": patch, "events": [], **where})

    def hear_live(self) -> list[Effect]:
        return self.hear({"type": "live", "table": "t1", "recovered": True})

    def hear_heartbeat(self, **tables: Any) -> list[Effect]:
        now_ms = self.now_ms + AHEAD_MS
        return self.hear({"type": "heartbeat", "tables": tables, "now_ms": now_ms})

    def lose(self, code: int = 1006, *, can_renew: bool = False) -> list[Effect]:
        return self.core.closed(self.generation, code, "", self.now_ms, can_renew=can_renew)

    def pass_time(self, seconds: float) -> list[Effect]:
        """Seconds that pass as they do on a machine that is awake."""
        effects: list[Effect] = []
        for _ in range(round(seconds * 4)):
            self.now_ms += 250
            effects += self.core.tick(self.now_ms)
        return effects

    def give(self, command_id: str = "c1", deadline_s: float = 10) -> list[Effect]:
        give_up_ms = self.now_ms + int(deadline_s * 1000)
        asked = OpenCommand(command_id, "t1", {"type": "shuffle"}, None, give_up_ms)
        return self.core.command(asked, self.now_ms)

    @property
    def freshness(self) -> str:
        return self.core.freshness("t1", self.now_ms)


def sent(effects: list[Effect]) -> list[dict[str, Any]]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def of_type(effects: list[Effect], kind: type) -> list[Any]:
    return [effect for effect in effects if isinstance(effect, kind)]


def view(line: Line) -> Any:
    return line.core.tables["t1"].view


def live_line() -> Line:
    """A line with table t1 live at (e1, 5)."""
    line = Line()
    line.open()
    assert sent(line.core.follow("t1", line.now_ms)) == [{"type": "subscribe", "table": "t1"}]
    line.hear_snapshot(hand=7)
    assert line.hear_live() == [Followed("t1")]
    return line
