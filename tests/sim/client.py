"""One client: the SDK's core behind a door onto simulated lines, and all that it was told."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from livebutton.gateway.auth import Credential
from livebutton_client.codec import Codec, CodecName
from livebutton_client.copy_of_table import Change
from livebutton_client.core import Core
from livebutton_client.effects import (
    Changed,
    Drop,
    Effect,
    Reconnect,
    RoomSeen,
    Send,
    Settled,
    Stop,
    Unfollowed,
    Welcomed,
)
from livebutton_client.errors import LivebuttonError, Revoked, Stopped
from livebutton_client.ledger import OpenCommand
from livebutton_client.messages import Accepted, RoomPicture, parse
from livebutton_client.position import StreamPosition
from tests.sim.line import Line
from tests.sim.privacy import leaks
from tests.sim.truth import Truth
from tests.sim.weather import Weather

TICK_S = 0.25
DIAL_LIMIT_S = 10.0
ABNORMAL = 1006
_URI = parse_uri("ws://simulated/v1/ws")

# A token, and what it says: the first one, or one in the place of an older one.
Mint = Callable[[Credential | None], tuple[str, Credential]]
Dial = Callable[[Line], bool]


class SimClient:
    """A client through all its sessions. `mint` gives tokens, `dial` finds a process."""

    def __init__(
        self,
        name: str,
        codec: CodecName,
        chance: random.Random,
        weather: Weather,
        truth: Truth,
        mint: Mint,
        dial: Dial,
    ) -> None:
        self.name = name
        self.token, self.credential = mint(None)
        self.core = Core(client=f"{name}/1", draw=chance.random)
        self.given: dict[str, dict[str, Any]] = {}
        self.verdicts: dict[str, Accepted | LivebuttonError] = {}
        self.picture: RoomPicture | None = None
        self.stopped: Stopped | None = None
        self.sessions = 0
        self._codec = Codec(codec)
        self._chance = chance
        self._weather = weather
        self._truth = truth
        self._mint = mint
        self._dial = dial
        self._is_off = False
        self._loop = asyncio.get_running_loop()
        # Its clock began at another moment than the server's.
        self._began_ms = chance.randint(0, 10**9)
        self._generation = 0
        self._line: Line | None = None
        self._protocol: ClientProtocol | None = None
        self._last: dict[str, Change] = {}
        self._renewal: asyncio.TimerHandle | None = None

    @property
    def audience(self) -> str:
        """Whose views it gets."""
        return self.credential.audience

    @property
    def has_long_token(self) -> bool:
        """Whether its token outlives the simulation."""
        return self.credential.exp - self.credential.iat > 600

    @property
    def line(self) -> Line | None:
        """The line that it is on now."""
        return self._line

    def now_ms(self) -> int:
        """This machine's own clock, which nobody sets."""
        return self._began_ms + int(self._loop.time() * 1000)

    def start(self, tables: list[str], room: str = "") -> None:
        """Begin to follow, and to live."""
        for table in tables:
            self._perform(self.core.follow(table, self.now_ms()))
        if room:
            self._perform(self.core.follow_room(room, self.now_ms()))
        self._connect()
        self._tick()

    def give(self, command_id: str, table: str, command: dict[str, Any], **more: Any) -> None:
        """Give a command. `expected` is a position, `limit_ms` how long it may take."""
        self.given[command_id] = command
        give_up_ms = self.now_ms() + more.get("limit_ms", 10_000)
        asked = OpenCommand(command_id, table, command, more.get("expected"), give_up_ms)
        self._perform(self.core.command(asked, self.now_ms()))

    def leave(self) -> None:
        """Switched off: nothing is said and nothing is heard any more."""
        self._generation += 1
        if self._line is not None:
            self._line.hang_up()
            self._line = None
        self._is_off = True

    def freshness(self, table: str) -> str:
        """Whether it would show the table as it is as the truth."""
        return self.core.freshness(table, self.now_ms())

    def position(self, table: str) -> StreamPosition | None:
        """How far it has come."""
        copy = self.core.tables.get(table)
        return copy.position if copy else None

    # The door.

    def _connect(self) -> None:
        if self.stopped is not None or self._is_off:
            return
        self._generation += 1
        generation = self._generation
        protocol = ClientProtocol(_URI, subprotocols=[Subprotocol(self._codec.subprotocol)])

        def heard(data: bytes) -> None:
            self._heard(generation, protocol, data)

        def lost() -> None:
            self._closed(generation, ABNORMAL, "the line was cut")

        line = Line(self._chance, self._weather, heard, lost)
        self._line, self._protocol = line, protocol
        if not self._dial(line):
            self._loop.call_later(0.01, lost)
            return
        protocol.send_request(protocol.connect())
        self._flush(line, protocol)
        self._loop.call_later(DIAL_LIMIT_S, self._not_open_yet, generation, protocol)

    def _not_open_yet(self, generation: int, protocol: ClientProtocol) -> None:
        if generation == self._generation and protocol.state is State.CONNECTING:
            self._closed(generation, ABNORMAL, "no handshake in time")

    def _heard(self, generation: int, protocol: ClientProtocol, data: bytes) -> None:
        line = self._line if generation == self._generation else None
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Response):
                self._handshaken(generation, protocol, line)
            elif isinstance(event, Frame):
                self._frame(generation, event)
        if line is not None and line is self._line:
            self._flush(line, protocol)

    def _handshaken(self, generation: int, protocol: ClientProtocol, line: Line | None) -> None:
        if line is None:
            return
        if protocol.handshake_exc is not None:
            self._closed(generation, ABNORMAL, str(protocol.handshake_exc))
            return
        line.opened()
        self.sessions += 1
        # As the SDK's door does: a new token for each session.
        self.token, self.credential = self._mint(self.credential)
        self._perform(self.core.opened(generation, self.token, self.now_ms()))

    def _frame(self, generation: int, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            code = int.from_bytes(frame.data[:2], "big") if frame.data else 1005
            self._closed(generation, code, bytes(frame.data[2:]).decode())
        elif frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            data = bytes(frame.data)
            is_text = frame.opcode is Opcode.TEXT
            message = self._codec.decode(data.decode() if is_text else data)
            self._check_rights(message)
            self._perform(self.core.receive(generation, parse(message), self.now_ms()))

    def _check_rights(self, message: dict[str, Any]) -> None:
        kind, about = message["type"], message.get("id")
        if kind in ("accepted", "refused", "unknown") and about not in self.given:
            self._truth.fault(f"{self.name} was told the verdict on another's {about}")
        if self.credential.is_staff:
            return
        for leak in leaks(message, self.credential.seat):
            self._truth.fault(f"{self.name} was told {leak} in a {message['type']}")

    def _closed(self, generation: int, code: int, reason: str) -> None:
        if generation != self._generation or self._line is None:
            return  # each socket ends once
        self._line.hang_up()
        self._line = None
        if self._renewal is not None:
            self._renewal.cancel()
        effects = self.core.closed(generation, code, reason, self.now_ms(), can_renew=True)
        self._perform(effects)

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message):
                    self._send(message)
                case Drop(reason):
                    self._closed(self._generation, ABNORMAL, reason)
                case Reconnect(after_ms):
                    self._loop.call_later(after_ms / 1000, self._connect)
                case Stop(error):
                    self._stop(error)
                case Welcomed():
                    self._plan_renewal()
                case Changed(change):
                    self._changed(change)
                case Settled(command_id, verdict):
                    self._settled(command_id, verdict)
                case RoomSeen(picture):
                    self.picture = picture
                case Unfollowed(error):
                    self._truth.fault(f"{self.name}: {error}")
                case _:
                    pass

    def _send(self, message: dict[str, Any]) -> None:
        line, protocol = self._line, self._protocol
        if line is None or protocol is None or protocol.state is not State.OPEN:
            return
        data = self._codec.encode(message)
        if isinstance(data, str):
            protocol.send_text(data.encode())
        else:
            protocol.send_binary(data)
        self._flush(line, protocol)

    def _flush(self, line: Line, protocol: ClientProtocol) -> None:
        for data in protocol.data_to_send():
            if data:
                line.up(data)

    def _tick(self) -> None:
        if self.stopped is None and not self._is_off:
            self._perform(self.core.tick(self.now_ms()))
            self._loop.call_later(TICK_S, self._tick)

    def _plan_renewal(self) -> None:
        """A newer token takes the old one's place before it ends, now and then too late."""
        left_s = self.credential.exp - self.core.server_ms(self.now_ms()) / 1000
        wait_s = max(0.0, left_s * self._chance.uniform(0.7, 1.05))
        self._renewal = self._loop.call_later(wait_s, self._renew)

    def _renew(self) -> None:
        self.token, self.credential = self._mint(self.credential)
        self._perform(self.core.refresh(self.token))
        self._plan_renewal()

    def _stop(self, error: Stopped) -> None:
        self.stopped = error
        if not isinstance(error, Revoked):
            self._truth.fault(f"{self.name} was stopped for good: {error!r}")

    # What it was told, held against the truth.

    def _settled(self, command_id: str, verdict: Accepted | LivebuttonError) -> None:
        if command_id in self.verdicts:
            self._truth.fault(f"{self.name}: a second verdict on {command_id}")
        self.verdicts[command_id] = verdict

    def _changed(self, change: Change) -> None:
        epoch, offset = change.position
        last = self._last.get(change.table)
        self._last[change.table] = change
        name, table = self.name, change.table
        if self._truth.at(table, epoch, offset) is None:
            self._truth.fault(f"{name} saw {table} at {change.position}, which was never stored")
            return
        if change.view != self._truth.view(table, offset, self.audience):
            self._truth.fault(f"{name} has a wrong view of {table} at {change.position}")
        if change.is_snapshot:
            if last is not None and last.position.epoch == epoch and offset < last.position.offset:
                self._truth.fault(f"{name}: {table} went back from {last.position} to {offset}")
            return
        if last is None or change.position != (last.position.epoch, last.position.offset + 1):
            self._truth.fault(f"{name}: a delta of {table} to {change.position} after {last}")
        if list(change.events) != self._truth.events(table, offset, self.audience):
            self._truth.fault(f"{name} was told other events of {table} at {change.position}")
