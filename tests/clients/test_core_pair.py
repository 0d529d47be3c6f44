"""The client's core against a model server, over a line that does its worst.

Frames come one to five times, the line is cut at any message, deltas are lost, the store loses its
past, old sockets speak late. At every moment the client's view is the server's at its position,
and each command has been done at most once; in the end all is current and all is settled.
"""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from livebutton_client.copy_of_table import Change
from livebutton_client.core import Core
from livebutton_client.effects import Changed, Drop, Effect, Reconnect, Send, Settled, Stop
from livebutton_client.errors import NoVerdict, Refused
from livebutton_client.ledger import OpenCommand
from livebutton_client.messages import Accepted, parse
from tests.clients.model_server import ModelServer

COPIES = st.integers(1, 5)


class Pair(RuleBasedStateMachine):
    """One client and the server, with a queue of frames each way."""

    @initialize()
    def begin(self) -> None:
        self.server = ModelServer()
        self.core = Core(client="test/1", draw=lambda: 0.5)
        self.now_ms = 5_000
        self.generation = 0
        self.is_up = False
        self.up: list[dict[str, Any]] = []
        self.old_frames: list[tuple[int, dict[str, Any]]] = []
        self.given: dict[str, int] = {}
        self.settled: dict[str, Any] = {}
        self.changes: list[Change] = []
        self.take(self.core.follow("t1", self.now_ms))
        self.connect()

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message):
                    self.up.append(message)
                case Changed(change):
                    self.changes.append(change)
                case Settled(command_id, verdict):
                    assert command_id not in self.settled, "a second verdict"
                    self.settled[command_id] = verdict
                case Drop():
                    self.cut()
                case Stop():
                    raise AssertionError("nothing here ends it for good")

    @precondition(lambda self: not self.is_up)
    @rule()
    def connect(self) -> None:
        self.generation += 1
        self.is_up = True
        self.up = []
        self.server.down[self.generation] = []
        self.take(self.core.opened(self.generation, "token", self.now_ms))

    @precondition(lambda self: self.is_up)
    @rule()
    def cut(self) -> None:
        if not self.is_up:
            return
        self.is_up = False
        frames = self.server.down.get(self.generation, [])
        self.old_frames += [(self.generation, frame) for frame in frames]
        self.server.hang_up(self.generation)
        self.up = []
        effects = self.core.closed(self.generation, 1006, "cut", self.now_ms)
        assert [type(effect) for effect in effects] == [Reconnect]

    @precondition(lambda self: self.is_up and self.up)
    @rule(copies=COPIES)
    def server_hears(self, copies: int) -> None:
        message = self.up.pop(0)
        for _ in range(1 if message["type"] == "hello" else copies):
            self.server.receive(self.generation, message)

    @precondition(lambda self: self.is_up and self.server.down[self.generation])
    @rule(copies=COPIES)
    def client_hears(self, copies: int) -> None:
        frame = self.server.down[self.generation].pop(0)
        for _ in range(copies):
            self.take(self.core.receive(self.generation, parse(frame), self.now_ms))

    @precondition(lambda self: self.old_frames)
    @rule(data=st.data())
    def an_old_socket_speaks_late(self, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(self.old_frames) - 1))
        generation, frame = self.old_frames.pop(at)
        assert self.core.receive(generation, parse(frame), self.now_ms) == []
        # Of a socket opened since, it would be the newest one's close.
        if self.is_up:
            assert self.core.closed(generation, 1006, "late", self.now_ms) == []

    @rule(seat=st.integers(1, 9), told=st.booleans())
    def another_client_commits(self, seat: int, told: bool) -> None:
        self.server.commit(seat, told=told)

    @rule(lag=st.integers(0, 3))
    def another_process_answers(self, lag: int) -> None:
        self.server.lag = lag

    @precondition(lambda self: self.is_up)
    @rule(copies=COPIES)
    def all_arrives(self, copies: int) -> None:
        while self.is_up and (self.up or self.server.down[self.generation]):
            if self.up:
                self.server_hears(copies)
            else:
                self.client_hears(copies)

    @rule()
    def the_store_loses_its_past(self) -> None:
        self.server.lose_the_past()

    @rule(seat=st.integers(0, 9))
    def command(self, seat: int) -> None:
        command_id = f"c{len(self.given)}"
        self.given[command_id] = seat
        asked = OpenCommand(
            command_id, "t1", {"type": "leave", "seat": seat}, None, self.now_ms + 10_000
        )
        self.take(self.core.command(asked, self.now_ms))

    @rule(passed_ms=st.sampled_from([10, 250, 2_000, 9_000, 40_000]))
    def time_passes(self, passed_ms: int) -> None:
        self.now_ms += passed_ms
        self.server.now_ms += passed_ms
        self.take(self.core.tick(self.now_ms))

    @rule()
    def heartbeat(self) -> None:
        self.server.heartbeat()

    @invariant()
    def the_view_is_the_servers_at_that_position(self) -> None:
        if not hasattr(self, "core"):
            return
        copy = self.core.tables["t1"]
        if copy.position is not None:
            assert copy.view == self.server.views[copy.position.epoch][copy.position.offset]

    @invariant()
    def no_command_is_done_twice(self) -> None:
        if hasattr(self, "server"):
            assert len(set(self.server.applied)) == len(self.server.applied)

    def teardown(self) -> None:
        if not hasattr(self, "core"):
            return
        self.settle_all()
        self.every_change_was_told_in_its_order()
        self.every_command_has_the_servers_verdict()
        where = (self.server.epoch, self.server.offset)
        assert self.core.tables["t1"].position == where
        assert self.core.freshness("t1", self.now_ms) == "fresh"

    def settle_all(self) -> None:
        """A good line for a while: all that is under way arrives."""
        for _ in range(100):
            if not self.is_up:
                self.connect()
            self.server.heartbeat()
            self.all_arrives(1)
            self.time_passes(250)

    def every_change_was_told_in_its_order(self) -> None:
        for before, after in zip(self.changes, self.changes[1:], strict=False):
            if before.position.epoch == after.position.epoch:
                assert before.position.offset <= after.position.offset
            if not after.is_snapshot:
                assert after.position == (before.position.epoch, before.position.offset + 1)

    def every_command_has_the_servers_verdict(self) -> None:
        assert set(self.settled) == set(self.given)
        for command_id, verdict in self.settled.items():
            known = self.server.verdicts.get(command_id)
            match verdict:
                case Accepted():
                    assert command_id in self.server.applied
                case Refused(reason="late"):
                    # Said by the server, or by the client of what never reached it.
                    assert command_id not in self.server.applied
                case Refused():
                    assert known is not None
                    assert known["reason"] == verdict.reason
                case NoVerdict():
                    pass  # the line was down through deadline and grace
                case _:
                    raise AssertionError(verdict)


Pair.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
TestPair = Pair.TestCase
