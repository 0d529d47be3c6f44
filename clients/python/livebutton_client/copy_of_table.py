"""One table as this client knows it: a view, always the server's view at its position.

The copy is a pure function of the last snapshot and the contiguous deltas after it. Whatever else
arrives (a frame twice, a frame of an older session, a frame beyond a gap) changes nothing but
what the copy asks for next. It outlives sessions: each new one resumes from the position.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from livebutton_client.messages import Delta, Snapshot, View
from livebutton_client.patch import merged
from livebutton_client.position import StreamPosition

Freshness = Literal["fresh", "stale", "unknown"]

# Deltas may still be on their way when a heartbeat overtakes them; after this they are lost.
BEHIND_PATIENCE_MS = 1_000
# Resumes in a row that left a gap, before a whole snapshot is asked for instead.
RESUMES_TRIED = 3
# As many again, and it is the session that is broken.
ASKS_TRIED = 6
# How long to leave a server alone that said "not now".
PUT_OFF_MS = 1_000
# An answer that has not come by then will not come on this session.
ANSWER_PATIENCE_MS = 10_000


@dataclass(frozen=True, slots=True)
class Change:
    """What one message made of a table.

    `events` are the facts of this commit as this client may see them, empty after a snapshot.
    `skipped` counts the changes that nobody fetched in time and that `view` includes: a reader
    who needs every event fetches them from the stream by offset.
    """

    table: str
    position: StreamPosition
    view: View
    events: tuple[Mapping[str, Any], ...]
    is_snapshot: bool
    skipped: int = 0


class CopyOfTable:
    """The state of one subscription."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.position: StreamPosition | None = None
        self.view: View = {}
        self.is_live = False
        self._asks_open = 0
        self._asks_in_vain = 0
        self._has_snapshot = False
        # Whether the view is as a server of another version made it.
        self._is_foreign = False
        self._asked_at_ms = 0
        self._ask_after_ms = 0
        self._newest: StreamPosition | None = None
        self._behind_since_ms: int | None = None

    def session_lost(self) -> None:
        """The socket is gone: what it was still to say will not come."""
        self.is_live = False
        self._asks_open = 0
        self._asks_in_vain = 0
        self._has_snapshot = False
        self._newest = None
        self._behind_since_ms = None

    def begin_anew(self) -> None:
        """The server makes views otherwise than the one before: ours is nothing to go on from."""
        self._is_foreign = self.position is not None

    def ask(self, now_ms: int) -> dict[str, Any]:
        """The subscribe message to send now: from the position, or for a snapshot."""
        self._asks_open += 1
        self._asked_at_ms = now_ms
        self._behind_since_ms = None
        message: dict[str, Any] = {"type": "subscribe", "table": self.table}
        can_resume = not self._is_foreign and self._asks_in_vain < RESUMES_TRIED
        if self.position is not None and can_resume:
            message["since"] = list(self.position)
        return message

    def put_off(self, now_ms: int) -> None:
        """The server cannot answer just now: ask again in a while."""
        self._asks_open = 0
        self._ask_after_ms = now_ms + PUT_OFF_MS

    def is_hopeless(self, now_ms: int) -> bool:
        """Whether asking again on this session is no use."""
        is_late = now_ms - self._asked_at_ms > ANSWER_PATIENCE_MS
        return self._asks_in_vain >= ASKS_TRIED or (self._asks_open > 0 and is_late)

    def snapshot(self, message: Snapshot) -> Change | None:
        """Replace the view; None for a snapshot that says nothing new, or is older."""
        self._has_snapshot = True
        if message.position.is_behind(self.position):
            return None
        self._is_foreign = False
        self._heard_of(message.position)
        if message.position == self.position and message.view == self.view:
            return None
        self.position, self.view = message.position, message.view
        return Change(self.table, self.position, self.view, (), is_snapshot=True)

    def delta(self, message: Delta) -> Change | None:
        """Take the next delta; None for one known already or beyond a gap."""
        self._heard_of(message.position)
        known = self.position
        if known is None or message.position != (known.epoch, known.offset + 1):
            return None
        self.position, self.view = message.position, merged(self.view, message.patch)
        return Change(self.table, self.position, self.view, message.events, is_snapshot=False)

    def live(self, *, recovered: bool) -> None:
        """The answer to an ask is complete: a snapshot, or what was missed if `recovered`."""
        is_lost = not recovered and not self._has_snapshot
        self._has_snapshot = False
        self._asks_open = max(0, self._asks_open - 1)
        if self._asks_open:
            return
        if is_lost or self._has_gap():
            self._asks_in_vain += 1
        else:
            self.is_live = True
            self._asks_in_vain = 0

    def heartbeat(self, position: StreamPosition | None, now_ms: int) -> None:
        """Where the server says the table is; None when its heartbeat leaves the table out."""
        if position is None or self.position is None or position.epoch != self.position.epoch:
            is_behind = True
        else:
            is_behind = self.position.is_behind(position)
        if not is_behind:
            self._behind_since_ms = None
        elif self._behind_since_ms is None:
            self._behind_since_ms = now_ms

    def needs_ask(self, now_ms: int) -> bool:
        """Whether something was lost and no answer is under way that would bring it."""
        if self._asks_open or now_ms < self._ask_after_ms:
            return False
        return self._has_gap() or not self.is_live or self._was_left_behind(now_ms)

    def is_current(self, now_ms: int) -> bool:
        """Whether the view is all that the server has told of the table."""
        is_settled = self.is_live and not self._asks_open and not self._has_gap()
        return is_settled and not self._was_left_behind(now_ms)

    def _heard_of(self, position: StreamPosition) -> None:
        # Of another stream than the newest heard of: the later message is of the later stream.
        if self._newest is None or not position.is_behind(self._newest):
            self._newest = position

    def _has_gap(self) -> bool:
        if self.position is None:
            return True
        if self._newest is None:
            return False
        return self._newest.epoch != self.position.epoch or self.position.is_behind(self._newest)

    def _was_left_behind(self, now_ms: int) -> bool:
        since_ms = self._behind_since_ms
        return since_ms is not None and now_ms - since_ms >= BEHIND_PATIENCE_MS
