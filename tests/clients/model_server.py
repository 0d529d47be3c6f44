"""A livebutton server small enough to be right: the other half of the pair tests."""

from copy import deepcopy
from typing import Any

from livebutton_client.patch import merged

Message = dict[str, Any]


def patch_between(before: Any, after: Any) -> dict[str, Any]:
    """The RFC 7386 patch from one map to another."""
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = patch_between(old, value)
            if inner:
                patch[key] = inner
        elif value != old or key not in before:
            patch[key] = deepcopy(value)
    return patch


class ModelServer:
    """One table, every view it ever had, every verdict; sessions are numbers."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.epoch = "e1"
        self.views: dict[str, list[dict[str, Any]]] = {"e1": [{"offset": 0, "seats": {}}]}
        self.verdicts: dict[str, Message] = {}
        self.applied: list[str] = []
        # How many commits the process that answers has yet to hear of.
        self.lag = 0
        self.greeted: set[int] = set()
        self.watching: set[int] = set()
        self.down: dict[int, list[Message]] = {}

    @property
    def offset(self) -> int:
        return len(self.views[self.epoch]) - 1

    def commit(self, seat: int, *, told: bool = True) -> None:
        """One more offset: somebody sits down, or stands up again, at this seat.

        Not `told`: the store's word of it is lost on the way to the sessions.
        """
        views = self.views[self.epoch]
        after = deepcopy(views[-1])
        after["offset"] += 1
        if str(seat) in after["seats"]:
            del after["seats"][str(seat)]
        else:
            after["seats"][str(seat)] = {"player": f"p{after['offset']}", "owes": {"big": True}}
        views.append(after)
        for session in self.watching if told else ():
            self.down[session].append(self._delta(self.offset))

    def lose_the_past(self) -> None:
        """The store is new: another epoch, whose first view is the last one of the old."""
        view = deepcopy(self.views[self.epoch][-1])
        self.epoch = f"e{len(self.views) + 1}"
        view["offset"] = 0
        self.views[self.epoch] = [view]
        for session in self.watching:
            self.down[session].append(self._snapshot(0))

    def heartbeat(self) -> None:
        for session in self.greeted:
            frames = self.down[session]
            tables = {"t1": [self.epoch, self.offset]} if session in self.watching else {}
            frames.append({"type": "heartbeat", "tables": tables, "now_ms": self.now_ms})

    def hang_up(self, session: int) -> None:
        self.greeted.discard(session)
        self.watching.discard(session)
        self.down.pop(session, None)

    def receive(self, session: int, message: Message) -> None:
        frames = self.down.setdefault(session, [])
        match message["type"]:
            case "hello":
                self.greeted.add(session)
                frames.append(self._welcome())
            case "subscribe":
                frames += self._since(message.get("since"))
                self.watching.add(session)
            case "command":
                frames.append(self._judge(message))
            case "verdict":
                unknown = {"type": "unknown", "id": message["id"], "table": message["table"]}
                frames.append(self.verdicts.get(message["id"], unknown))
            case "ping":
                self.heartbeat()

    def _judge(self, message: Message) -> Message:
        command_id = message["id"]
        if command_id not in self.verdicts:
            verdict: Message = {"id": command_id, "table": "t1"}
            if self.now_ms > message["deadline_ms"]:
                verdict |= {"type": "refused", "reason": "late", "message": "late", "retry": False}
            elif message["command"]["seat"] == 0:
                verdict |= {"type": "refused", "reason": "no_seat", "message": "", "retry": False}
            else:
                self.applied.append(command_id)
                self.commit(message["command"]["seat"])
                verdict |= {"type": "accepted", "epoch": self.epoch, "offset": self.offset}
            self.verdicts[command_id] = verdict
        return self.verdicts[command_id]

    def _since(self, since: list[Any] | None) -> list[Message]:
        """What answers a subscribe, and what a process that lags is told right after."""
        known = max(0, self.offset - self.lag)
        late = [self._delta(offset) for offset in range(known + 1, self.offset + 1)]
        if since is None or since[0] != self.epoch or since[1] > known:
            snapshot = self._snapshot(known)
            return [snapshot, {"type": "live", "table": "t1", "recovered": False}, *late]
        missed = [self._delta(offset) for offset in range(since[1] + 1, known + 1)]
        return [*missed, {"type": "live", "table": "t1", "recovered": True}, *late]

    def _welcome(self) -> Message:
        return {
            "type": "welcome",
            "session": "s",
            "heartbeat_s": 2.0,
            "reconnect_window_ms": 1_000,
            "now_ms": self.now_ms,
        }

    def _snapshot(self, offset: int) -> Message:
        view = self.views[self.epoch][offset]
        where = {"epoch": self.epoch, "offset": offset}
        return {"type": "snapshot", "table": "t1", "view": view, **where}

    def _delta(self, offset: int) -> Message:
        before, after = self.views[self.epoch][offset - 1 : offset + 1]
        patch = patch_between(before, after)
        assert merged(before, patch) == after
        where = {"epoch": self.epoch, "offset": offset}
        return {"type": "delta", "table": "t1", "patch": patch, "events": [], **where}
