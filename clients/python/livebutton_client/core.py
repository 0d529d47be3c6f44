"""The whole client as a state machine: what the server says and what time it is go in, effects out.

Nothing here touches a socket or a clock. The door (`connection.py`) opens sockets, numbers them
(a *generation* each) and carries out the effects; what comes from an older generation is ignored,
so that a half-dead socket's last words cannot harm the session after it.

Times are milliseconds of one local clock that runs on while the machine sleeps.
"""

from collections.abc import Callable, Iterable
from typing import Any

from livebutton_client.copy_of_table import CopyOfTable, Freshness
from livebutton_client.effects import (
    Changed,
    Drop,
    Effect,
    Followed,
    Foreseen,
    Reconnect,
    RoomSeen,
    Send,
    Settled,
    Stop,
    Told,
    Unfollowed,
    Welcomed,
)
from livebutton_client.errors import (
    Refused,
    Revoked,
    Stopped,
    SubscriptionRefused,
    Unauthorized,
)
from livebutton_client.ledger import Ledger, OpenCommand
from livebutton_client.messages import (
    Accepted,
    Delta,
    Drain,
    ErrorSaid,
    Heartbeat,
    Live,
    Message,
    Previewed,
    RoomPicture,
    Snapshot,
    Unheard,
    Welcome,
)
from livebutton_client.pacing import Pacing

# Freshness: heartbeats that may be missed, and how long a stale view is worth showing.
HEARTBEATS_PATIENCE = 2.5
STALE_LIMIT_MS = 60_000
# Shorter than the server waits for a hello: its close code for that would end us for good.
WELCOME_PATIENCE_MS = 8_000
# Pictures of a room come every two seconds; after such a silence it is subscribed to again.
ROOM_PATIENCE_MS = 10_000
# A probe that nobody answers by then ends the session.
PROBE_PATIENCE_MS = 2_000
# Two looks at the clock further apart than this: the machine slept, or the loop was blocked.
SLEPT_MS = 5_000


class Core:
    """A client's memory through all its sessions."""

    def __init__(
        self, *, client: str, draw: Callable[[], float], presence_s: float | None = None
    ) -> None:
        """`client` names this program in the server's logs; `draw` gives numbers from 0 to 1.

        `presence_s` is how often a screen says that it is still there, for the floor's list of
        screens; None for a program that nobody watches.
        """
        self.tables: dict[str, CopyOfTable] = {}
        # Each room that is followed, and when it was last asked for or heard of.
        self.rooms: dict[str, int] = {}
        self.ledger = Ledger()
        self._client = client
        self._presence_ms = None if presence_s is None else presence_s * 1000
        self._present_at_ms = 0
        self._pacing = Pacing(draw)
        self._generation = 0
        self._is_open = False
        self._welcome: Welcome | None = None
        self._edition: str | None = None
        self._opened_at_ms = 0
        self._heard_at_ms: int | None = None
        self._probed_at_ms: int | None = None
        self._looked_at_ms: int | None = None
        self._server_ahead_ms = 0
        self._stopped: Stopped | None = None

    # What the door asks.

    @property
    def is_welcome(self) -> bool:
        """Whether a session stands now."""
        return self._welcome is not None

    def server_ms(self, now_ms: int) -> int:
        """The server's clock, at most one message's travel behind."""
        return now_ms + self._server_ahead_ms

    def freshness(self, table: str, now_ms: int) -> Freshness:
        """How far the view may be trusted: see `Freshness` in the package's description."""
        copy = self.tables.get(table)
        if copy is None or copy.position is None or self._heard_at_ms is None or self._stopped:
            return "unknown"
        silence_ms = now_ms - self._heard_at_ms
        if silence_ms > STALE_LIMIT_MS:
            return "unknown"
        is_heard = self._welcome is not None and silence_ms < self._patience_ms()
        return "fresh" if is_heard and copy.is_current(now_ms) else "stale"

    # What the program wants.

    def follow(self, table: str, now_ms: int) -> list[Effect]:
        """Keep a copy of this table from now on."""
        copy = self.tables.setdefault(table, CopyOfTable(table))
        return [Send(copy.ask(now_ms))] if self.is_welcome else []

    def unfollow(self, table: str) -> list[Effect]:
        """Forget this table."""
        was_followed = self.tables.pop(table, None) is not None
        is_told = was_followed and self.is_welcome
        return [Send({"type": "unsubscribe", "table": table})] if is_told else []

    def follow_room(self, room: str, now_ms: int) -> list[Effect]:
        """Keep receiving this room's picture."""
        self.rooms[room] = now_ms
        return [_ask_for_room(room)] if self.is_welcome else []

    def unfollow_room(self, room: str) -> list[Effect]:
        """Forget this room."""
        was_followed = self.rooms.pop(room, None) is not None
        is_told = was_followed and self.is_welcome
        return [Send({"type": "unsubscribe", "room": room})] if is_told else []

    def command(self, command: OpenCommand, now_ms: int) -> list[Effect]:
        """Take a command on its way. Overloaded when too many are open."""
        self.ledger.add(command)
        if not self.is_welcome:
            return []
        return [Send(command.message(now_ms, self.server_ms(now_ms)))]

    def ask(self, table: str, command_id: str) -> list[Effect]:
        """Ask for an old command's verdict; answered by `Told`, if this session lasts."""
        question = {"type": "verdict", "id": command_id, "table": table}
        return [Send(question)] if self.is_welcome else []

    def preview(self, message: dict[str, Any]) -> list[Effect]:
        """Ask what a command would do; answered by `Foreseen` or `Told`, if this session lasts."""
        return [Send(message)] if self.is_welcome else []

    def refresh(self, token: str) -> list[Effect]:
        """Put a new token in the place of the old one, on the same session."""
        return [Send({"type": "refresh", "token": token})] if self.is_welcome else []

    # What happens.

    def opened(self, generation: int, token: str, now_ms: int) -> list[Effect]:
        """A socket is up: it is the present one, whatever older ones still do."""
        self._generation = generation
        self._is_open = True
        self._welcome = None
        self._opened_at_ms = now_ms
        self._probed_at_ms = None
        return [Send({"type": "hello", "token": token, "client": self._client})]

    def receive(self, generation: int, message: Message | None, now_ms: int) -> list[Effect]:
        """One message of a socket; None is a message of a kind not known here."""
        if generation != self._generation or not self._is_open:
            return []
        self._heard_at_ms = now_ms
        self._probed_at_ms = None
        if self._welcome is None:
            return self._on_first(message, now_ms)
        match message:
            case Snapshot() | Delta() | Live():
                return self._on_table(message, now_ms)
            case Heartbeat():
                return self._on_heartbeat(message, now_ms)
            case Accepted() | Refused():
                return self._on_verdict(message)
            case Previewed():
                return [Foreseen(message)]
            case Unheard():
                return self._on_unheard(message, now_ms)
            case RoomPicture():
                return self._on_room(message, now_ms)
            case ErrorSaid():
                return self._on_error(message, now_ms)
            case Drain():
                self._pacing.draining(message.reconnect_in_ms, now_ms)
                return []
            case Welcome() | None:
                return []

    def closed(
        self,
        generation: int,
        code: int,
        reason: str,
        now_ms: int,
        *,
        can_renew: bool = False,
        nobody_there: bool = False,
    ) -> list[Effect]:
        """A socket is gone, or could not be opened (code 1006).

        `can_renew`: the next session can have a newer token than this one had. `nobody_there`:
        it could not be opened because nobody listens at the address.
        """
        if generation < self._generation:
            return []
        can_renew = can_renew and self.is_welcome
        self._is_open = False
        self._welcome = None
        for copy in self.tables.values():
            copy.session_lost()
        error = _terminal(code, reason)
        if error is not None and not (can_renew and isinstance(error, Unauthorized)):
            self._stopped = error
            return [Stop(error)]
        return [Reconnect(self._pacing.wait_ms(now_ms, code, nobody_there=nobody_there))]

    def tick(self, now_ms: int) -> list[Effect]:
        """Time has passed; to be called a few times a second."""
        effects: list[Effect] = [
            Settled(command_id, error) for command_id, error in self.ledger.given_up(now_ms)
        ]
        slept = self._looked_at_ms is not None and now_ms - self._looked_at_ms > SLEPT_MS
        self._looked_at_ms = now_ms
        if not self._is_open:
            return effects
        if self._welcome is None:
            if now_ms - self._opened_at_ms > WELCOME_PATIENCE_MS:
                effects.append(Drop("no welcome"))
            return effects
        effects += self._probe(now_ms, slept)
        if self._presence_ms is not None and now_ms - self._present_at_ms >= self._presence_ms:
            self._present_at_ms = now_ms
            effects.append(Send({"type": "ping"}))
        effects += [Send(question) for question in self.ledger.overdue(now_ms)]
        effects += self._ask_for_silent_rooms(now_ms)
        for copy in self.tables.values():
            if copy.is_hopeless(now_ms):
                effects.append(Drop(f"table {copy.table} cannot be brought up to date"))
            elif copy.needs_ask(now_ms):
                effects.append(Send(copy.ask(now_ms)))
        return effects

    # The parts.

    def _patience_ms(self) -> float:
        heartbeat_s = self._welcome.heartbeat_s if self._welcome is not None else 2.0
        return HEARTBEATS_PATIENCE * heartbeat_s * 1000

    def _probe(self, now_ms: int, slept: bool) -> Iterable[Effect]:
        """Ask for a sign of life after a silence or a sleep; no sign, no session."""
        if self._probed_at_ms is not None:
            if now_ms - self._probed_at_ms > PROBE_PATIENCE_MS:
                yield Drop("silence")
            return
        silence_ms = now_ms - (self._heard_at_ms or 0)
        if slept or silence_ms > self._patience_ms():
            self._probed_at_ms = now_ms
            yield Send({"type": "ping"})

    def _on_first(self, message: Message | None, now_ms: int) -> list[Effect]:
        if isinstance(message, Welcome):
            return self._on_welcome(message, now_ms)
        if isinstance(message, ErrorSaid):
            return []  # the close code that follows says what it means
        return [Drop("the first message was no welcome")]

    def _on_welcome(self, message: Welcome, now_ms: int) -> list[Effect]:
        self._welcome = message
        if self._edition is not None and message.edition != self._edition:
            for copy in self.tables.values():
                copy.begin_anew()
        self._edition = message.edition
        self._server_ahead_ms = message.now_ms - now_ms
        self._pacing.welcomed(message.reconnect_window_ms, now_ms)
        effects: list[Effect] = [Welcomed(message.heartbeat_s)]
        effects += [Send(copy.ask(now_ms)) for copy in self.tables.values()]
        self.rooms = dict.fromkeys(self.rooms, now_ms)
        effects += [_ask_for_room(room) for room in self.rooms]
        server_ms = self.server_ms(now_ms)
        effects += [Send(said) for said in self.ledger.welcomed(now_ms, server_ms)]
        return effects

    def _on_table(self, message: Snapshot | Delta | Live, now_ms: int) -> list[Effect]:
        copy = self.tables.get(message.table)
        if copy is None:
            return []
        effects: list[Effect] = []
        match message:
            case Live():
                copy.live(recovered=message.recovered)
                if copy.is_live:
                    effects.append(Followed(copy.table))
            case Snapshot():
                change = copy.snapshot(message)
                effects += [Changed(change)] if change else []
            case Delta():
                change = copy.delta(message)
                effects += [Changed(change)] if change else []
        if copy.is_hopeless(now_ms):
            effects.append(Drop(f"table {copy.table} cannot be brought up to date"))
        elif copy.needs_ask(now_ms):
            effects.append(Send(copy.ask(now_ms)))
        return effects

    def _on_room(self, picture: RoomPicture, now_ms: int) -> list[Effect]:
        if picture.room in self.rooms:
            self.rooms[picture.room] = now_ms
        return [RoomSeen(picture)]

    def _ask_for_silent_rooms(self, now_ms: int) -> Iterable[Effect]:
        for room, heard_ms in self.rooms.items():
            if now_ms - heard_ms > ROOM_PATIENCE_MS:
                self.rooms[room] = now_ms
                yield _ask_for_room(room)

    def _on_heartbeat(self, message: Heartbeat, now_ms: int) -> list[Effect]:
        self._server_ahead_ms = message.now_ms - now_ms
        effects: list[Effect] = []
        for copy in self.tables.values():
            copy.heartbeat(message.tables.get(copy.table), now_ms)
            if copy.needs_ask(now_ms):
                effects.append(Send(copy.ask(now_ms)))
        return effects

    def _on_verdict(self, verdict: Accepted | Refused) -> list[Effect]:
        was_open = self.ledger.settle(verdict)
        return [Settled(verdict.id, verdict) if was_open else Told(verdict.id, verdict)]

    def _on_unheard(self, message: Unheard, now_ms: int) -> list[Effect]:
        server_ms = self.server_ms(now_ms)
        again = self.ledger.unheard(message.id, now_ms, server_ms)
        if again is not None:
            return [Send(again)]
        late = self.ledger.late(message.id, server_ms)
        return [Settled(message.id, late) if late else Told(message.id, None)]

    def _on_error(self, message: ErrorSaid, now_ms: int) -> list[Effect]:
        """A message of ours that could not be obeyed: a command's, a table's or a room's."""
        if message.id:
            return self._on_failed_command(message)
        copy = self.tables.get(message.table)
        if copy is not None and message.retry:
            copy.put_off(now_ms)
            return []
        if copy is not None:
            del self.tables[message.table]
        elif message.room in self.rooms:
            if message.retry:
                return []
            del self.rooms[message.room]
        else:
            return []
        name = message.table or message.room
        return [Unfollowed(SubscriptionRefused(name, message.code, message.message, message.retry))]

    def _on_failed_command(self, message: ErrorSaid) -> list[Effect]:
        if message.retry:
            # Not judged, or nobody knows: its verdict is asked for when it is overdue.
            return []
        refused = Refused(message.id, message.table, message.code, message.message)
        return self._on_verdict(refused)


def _ask_for_room(room: str) -> Send:
    return Send({"type": "subscribe", "room": room})


def _terminal(code: int, reason: str) -> Stopped | None:
    """What ends it for good: the token, or that we do not speak the server's language."""
    match code:
        case 4001:
            return Unauthorized(code, reason or "the token is missing, wrong or expired")
        case 4003:
            return Revoked(code, reason or "the token was taken back")
        case 4000 | 4009:
            return Stopped(code, reason or "the server does not take what this client sends")
        case _:
            return None
