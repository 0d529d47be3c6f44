"""One table as it is being watched: a view for each audience, its newest deltas, who sees it.

No socket and no clock here: frames go to `Watcher.deliver`, which never blocks.
"""

from typing import Any, Protocol

import msgspec

from livebutton import views
from livebutton.gateway.history import History
from livebutton.rules.events import AnyEvent
from livebutton.rules.table import Table
from livebutton.store.records import StreamPosition
from livebutton.wire.codec import MSGPACK, Codec
from livebutton.wire.messages import Delta, Live, Snapshot

HISTORY = 64


class Watcher(Protocol):
    """A socket, as the fan-out sees it."""

    @property
    def codec(self) -> Codec:
        """The encoding it asked for."""

    @property
    def audience(self) -> str:
        """Which view of a table it gets."""

    def deliver(self, table: str, frame: bytes) -> None:
        """Write a change of this table, or note that the socket has fallen behind on it."""

    def write(self, frame: bytes) -> None:
        """Write something that only this socket gets."""


def view_for(table: Table, audience: str) -> dict[str, Any]:
    """The view of an audience: "staff", "public", or "seat:4", which has its `own` besides."""
    if not audience.startswith("seat:"):
        return views.view(table, "staff" if audience == "staff" else "public")
    view = views.view(table, "public")
    seat = int(audience.removeprefix("seat:"))
    own = views.own(table, seat) if 1 <= seat <= len(table.seats) else {}
    return {**view, "own": own} if own else view


def events_for(events: list[AnyEvent], audience: str) -> list[dict[str, Any]]:
    """What this audience is told of the events."""
    kind: Any = "staff" if audience == "staff" else "public"
    told = (views.event_for(event, kind) for event in events)
    return [event for event in told if event is not None]


def delta_of(
    name: str,
    position: StreamPosition,
    patch: dict[str, Any],
    events: list[AnyEvent],
    audience: str,
) -> Delta:
    """What an audience is told of one commit, when it happens and whenever it is told again."""
    return Delta(name, position.epoch, position.offset, patch, events_for(events, audience))


class Audience:
    """Those who see the same of one table."""

    __slots__ = ("_frames", "_replays", "history", "idle_since_ms", "key", "view", "watchers")

    def __init__(self, key: str, view: dict[str, Any], history: int) -> None:
        self.key = key
        self.view = view
        self.history = History(history)
        self.watchers: dict[Codec, set[Watcher]] = {}
        # When the last watcher left; kept a while, so that he can resume whole.
        self.idle_since_ms: int | None = None
        self._frames: dict[Codec, bytes] = {}
        # By how many of the newest deltas they tell again.
        self._replays: dict[tuple[Codec, int], list[bytes]] = {}

    def snapshot(self, table: str, position: StreamPosition, codec: Codec) -> bytes:
        """The framed snapshot, encoded once however many ask."""
        frame = self._frames.get(codec)
        if frame is None:
            frame = codec.frame(Snapshot(table, position.epoch, position.offset, self.view))
            self._frames[codec] = frame
        return frame

    def replay(self, codec: Codec, count: int) -> list[bytes]:
        """The last `count` deltas, framed: made once however many come back from there."""
        frames = self._replays.get((codec, count))
        if frames is None:
            frames = self.history.newest(count, codec)
            self._replays[codec, count] = frames
        return frames

    def move(self, view: dict[str, Any], known: views.Known | None = None) -> dict[str, Any]:
        """Put a newer view in place; the merge patch that leads there."""
        patch = views.merge_patch(self.view, view, known)
        self.view = view
        self._frames.clear()
        self._replays.clear()
        return patch

    def add(self, watcher: Watcher) -> None:
        """One more who sees this."""
        self.watchers.setdefault(watcher.codec, set()).add(watcher)
        self.idle_since_ms = None

    def discard(self, watcher: Watcher, now_ms: int) -> None:
        """One fewer."""
        group = self.watchers.get(watcher.codec)
        if group is None or watcher not in group:
            return
        group.remove(watcher)
        if not group:
            del self.watchers[watcher.codec]
        if not self.watchers:
            self.idle_since_ms = now_ms


class _Made:
    """One delta, encoded once in each way that somebody asks for."""

    __slots__ = ("_bytes", "delta", "is_staff")

    def __init__(self, delta: Delta, is_staff: bool) -> None:
        self.delta = delta
        self.is_staff = is_staff
        self._bytes: dict[Codec | None, bytes] = {}

    def framed(self, codec: Codec | None) -> bytes:
        """As a frame of that codec; for None as the history keeps it, in MessagePack, unframed."""
        made = self._bytes.get(codec)
        if made is None:
            made = self._bytes[codec] = self._make(codec)
        return made

    def _make(self, codec: Codec | None) -> bytes:
        if codec is None:
            return MSGPACK.encode(self.delta)
        return codec.wrap(self.framed(None)) if codec is MSGPACK else codec.frame(self.delta)


class Told(msgspec.Struct):
    """What one commit cost to tell."""

    frames: int = 0
    sockets: int = 0
    jumped: bool = False


class WatchedTable:
    """A table with its audiences, at a position."""

    __slots__ = ("_history", "_lives", "at_ms", "audiences", "name", "position", "table")

    def __init__(
        self,
        name: str,
        position: StreamPosition,
        table: Table,
        at_ms: int,
        history: int = HISTORY,
    ) -> None:
        self.name = name
        self.position = position
        self.table = table
        self.at_ms = at_ms
        self.audiences: dict[str, Audience] = {}
        self._history = history
        self._lives: dict[tuple[Codec, bool], bytes] = {}

    @property
    def watcher_count(self) -> int:
        """How many sockets watch it."""
        return sum(
            len(group) for each in self.audiences.values() for group in each.watchers.values()
        )

    def attach(self, watcher: Watcher, since: tuple[str, int] | None) -> bool:
        """Show the table to one more, from `since` on if that is whole, else by a snapshot.

        Returns whether it was whole. One step: no change can slip in between.
        """
        audience = self._audience(watcher.audience)
        missed = self._missed(audience, since)
        if missed is None:
            watcher.write(audience.snapshot(self.name, self.position, watcher.codec))
        else:
            for frame in audience.replay(watcher.codec, missed):
                watcher.write(frame)
        is_whole = missed is not None
        watcher.write(self._live(watcher.codec, is_whole))
        audience.add(watcher)
        return is_whole

    def _live(self, codec: Codec, is_whole: bool) -> bytes:
        frame = self._lives.get((codec, is_whole))
        if frame is None:
            frame = codec.frame(Live(self.name, is_whole))
            self._lives[codec, is_whole] = frame
        return frame

    def _audience(self, key: str) -> Audience:
        audience = self.audiences.get(key)
        if audience is None:
            audience = Audience(key, view_for(self.table, key), self._history)
            self.audiences[key] = audience
        return audience

    def lacks(self, key: str, since: tuple[str, int] | None, now_ms: int) -> int:
        """How many commits a client missed that are of this stream but not in memory; else 0.

        From now on this audience's deltas are kept, so that older ones can be put before them.
        """
        if since is None or since[0] != self.position.epoch or since[1] < 1:
            return 0
        audience = self._audience(key)
        if not audience.watchers:
            audience.idle_since_ms = now_ms
        return 0 if self._missed(audience, since) is not None else self.position.offset - since[1]

    def recall(self, key: str, deltas: list[Delta], told: list[dict[str, Any]]) -> None:
        """Put older deltas before those in memory, unless the two do not meet.

        `told` are the views that the deltas lead to. Where they meet now, they must be the same.
        """
        audience = self.audiences.get(key)
        if audience is None or not deltas:
            return
        oldest = self.position.offset - len(audience.history)
        count = oldest - deltas[0].offset + 1
        if deltas[0].epoch != self.position.epoch or not 0 < count <= len(deltas):
            return
        if oldest == self.position.offset and told[count - 1] != audience.view:
            return
        audience.history.recall([MSGPACK.encode(delta) for delta in deltas[:count]])

    def _missed(self, audience: Audience, since: tuple[str, int] | None) -> int | None:
        """How many deltas a client at `since` lacks; None when they cannot all be told."""
        if since is None or since[0] != self.position.epoch:
            return None
        count = self.position.offset - since[1]
        return count if 0 <= count <= len(audience.history) else None

    def detach(self, watcher: Watcher, now_ms: int) -> None:
        """Show it to one fewer."""
        audience = self.audiences.get(watcher.audience)
        if audience is not None:
            audience.discard(watcher, now_ms)

    def newest(self, watcher: Watcher) -> bytes:
        """The framed snapshot of what this watcher may see now."""
        return self.audiences[watcher.audience].snapshot(self.name, self.position, watcher.codec)

    def change(
        self, position: StreamPosition, events: list[AnyEvent], after: Table, at_ms: int
    ) -> Told:
        """Record the next commit and tell everybody. One already told is passed over.

        A commit that does not follow the last one told (`jumped`) makes every view new.
        """
        if position.epoch == self.position.epoch and position.offset <= self.position.offset:
            return Told()
        is_next = position == StreamPosition(self.position.epoch, self.position.offset + 1)
        if not is_next:
            return self.replace(position, after, at_ms)
        self.position, self.table, self.at_ms = position, after, at_ms
        told = Told()
        # What audiences see alike is compared, and encoded, once.
        known: views.Known = {}
        made: list[_Made] = []
        for audience in self.audiences.values():
            patch = audience.move(view_for(after, audience.key), known)
            news = self._made(made, audience.key, patch, events)
            audience.history.add(news.framed(None))
            for codec, group in audience.watchers.items():
                self._tell(group, news.framed(codec), told)
        return told

    def _made(
        self, made: list["_Made"], key: str, patch: dict[str, Any], events: list[AnyEvent]
    ) -> "_Made":
        """The delta of an audience: another's, where that is told the very same."""
        is_staff = key == "staff"
        for each in made:
            if each.is_staff == is_staff and each.delta.patch == patch:
                return each
        delta = delta_of(self.name, self.position, patch, events, key)
        made.append(_Made(delta, is_staff))
        return made[-1]

    def replace(self, position: StreamPosition, table: Table, at_ms: int) -> Told:
        """Begin anew from here: nothing told so far leads to it."""
        self.position, self.table, self.at_ms = position, table, at_ms
        told = Told(jumped=True)
        for audience in self.audiences.values():
            audience.move(view_for(table, audience.key))
            audience.history.clear()
            for codec, group in audience.watchers.items():
                self._tell(group, audience.snapshot(self.name, position, codec), told)
        return told

    def _tell(self, group: set[Watcher], frame: bytes, told: Told) -> None:
        told.frames += 1
        told.sockets += len(group)
        for watcher in list(group):
            watcher.deliver(self.name, frame)

    def forget_idle(self, before_ms: int) -> bool:
        """Let go of audiences nobody has watched since then. True when none is left."""
        for key in [
            key
            for key, each in self.audiences.items()
            if each.idle_since_ms is not None and each.idle_since_ms < before_ms
        ]:
            del self.audiences[key]
        return not self.audiences
