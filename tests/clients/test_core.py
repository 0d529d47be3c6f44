"""The core at the moments that matter, one by one; `test_core_pair.py` has all of them at once."""

from typing import Any

import pytest

from livebutton_client.core import Core
from livebutton_client.effects import (
    Changed,
    Drop,
    Effect,
    Followed,
    Reconnect,
    Send,
    Settled,
    Stop,
    Told,
    Unfollowed,
)
from livebutton_client.errors import (
    NoVerdict,
    Overloaded,
    ProtocolBroken,
    Refused,
    Revoked,
    Unauthorized,
)
from livebutton_client.ledger import MAX_OPEN, OpenCommand
from livebutton_client.messages import Accepted, parse

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


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def live(line: Line) -> Line:
    """A line with table t1 live at (e1, 5)."""
    line.open()
    assert sent(line.core.follow("t1", line.now_ms)) == [{"type": "subscribe", "table": "t1"}]
    line.hear_snapshot(hand=7)
    assert line.hear_live() == [Followed("t1")]
    return line


def sent(effects: list[Effect]) -> list[dict[str, Any]]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def of_type(effects: list[Effect], kind: type) -> list[Any]:
    return [effect for effect in effects if isinstance(effect, kind)]


def view(line: Line) -> Any:
    return line.core.tables["t1"].view


# Positions.


def test_a_delta_follows_only_the_view_before_it(live: Line) -> None:
    assert of_type(live.hear_delta(6, hand=8), Changed)
    assert view(live) == {"hand": 8}
    assert live.hear_delta(6, hand=9) == []
    assert live.hear_delta(5, hand=9) == []
    assert view(live) == {"hand": 8}


def test_a_gap_is_asked_for_from_the_position_and_once(live: Line) -> None:
    again = [{"type": "subscribe", "table": "t1", "since": ["e1", 5]}]
    assert sent(live.hear_delta(7, hand=9)) == again
    assert sent(live.hear_delta(8, hand=10)) == []
    assert view(live) == {"hand": 7}
    assert live.freshness == "stale"
    live.hear_delta(6, hand=8)
    live.hear_delta(7, hand=9)
    live.hear_delta(8, hand=10)
    live.hear_live()
    assert view(live) == {"hand": 10}
    assert live.freshness == "fresh"


def test_a_gap_that_resuming_does_not_close_is_closed_by_a_snapshot(live: Line) -> None:
    asks = sent(live.hear_delta(9))
    for _ in range(3):
        asks += sent(live.hear_live())
    assert [ask.get("since") for ask in asks] == [["e1", 5]] * 3 + [None]


def test_a_session_that_cannot_bring_a_table_up_to_date_is_dropped(live: Line) -> None:
    live.hear_delta(9)
    effects = [effect for _ in range(6) for effect in live.hear_live()]
    assert of_type(effects, Drop)


def test_a_session_that_does_not_answer_a_subscribe_is_dropped(line: Line) -> None:
    line.open()
    line.core.follow("t1", line.now_ms)
    effects: list[Effect] = []
    for _ in range(12):
        effects += [*line.hear_heartbeat(), *line.pass_time(1)]
    assert of_type(effects, Drop)


def test_another_epoch_is_another_table_and_replaces_all(live: Line) -> None:
    assert sent(live.hear_delta(6, epoch="e2")) == [
        {"type": "subscribe", "table": "t1", "since": ["e1", 5]}
    ]
    live.hear_snapshot("e2", 1, hand=1)
    live.hear_live()
    assert live.core.tables["t1"].position == ("e2", 1)
    assert view(live) == {"hand": 1}


def test_a_heartbeat_ahead_of_us_is_a_loss_if_nothing_comes_within_a_second(live: Line) -> None:
    assert sent(live.hear_heartbeat(t1=["e1", 6])) == []
    assert live.freshness == "fresh"
    ask = {"type": "subscribe", "table": "t1", "since": ["e1", 5]}
    assert ask in sent(live.pass_time(1.25))
    assert live.freshness == "stale"


def test_a_heartbeat_ahead_of_us_is_none_if_the_delta_comes(live: Line) -> None:
    live.hear_heartbeat(t1=["e1", 6])
    live.hear_delta(6)
    live.hear_heartbeat(t1=["e1", 6])
    assert sent(live.pass_time(1.5)) == []


def test_a_heartbeat_that_leaves_our_table_out_is_a_loss(live: Line) -> None:
    live.hear_heartbeat()
    asks = sent(live.pass_time(1.25))
    assert {"type": "subscribe", "table": "t1", "since": ["e1", 5]} in asks


def test_each_table_resumes_on_its_own_after_a_loss(live: Line) -> None:
    live.core.follow("t2", live.now_ms)
    live.lose()
    said = sent(live.open())
    assert {"type": "subscribe", "table": "t1", "since": ["e1", 5]} in said
    assert {"type": "subscribe", "table": "t2"} in said


# Freshness.


def test_silence_makes_a_view_stale_and_then_unknown(live: Line) -> None:
    live.pass_time(4.75)
    assert live.freshness == "fresh"
    live.pass_time(0.25)
    assert live.freshness == "stale"
    live.pass_time(55)
    assert live.freshness == "stale"
    live.pass_time(1)
    assert live.freshness == "unknown"


def test_a_lost_session_makes_a_view_stale_at_once_and_only_live_makes_it_fresh(live: Line) -> None:
    live.lose()
    assert live.freshness == "stale"
    live.open()
    assert live.freshness == "stale"
    live.hear_live()
    assert live.freshness == "fresh"


def test_a_table_never_seen_is_unknown(line: Line) -> None:
    line.open()
    line.core.follow("t1", line.now_ms)
    assert line.freshness == "unknown"
    assert line.core.freshness("t9", line.now_ms) == "unknown"


def test_the_servers_clock_is_known_from_its_heartbeats(live: Line) -> None:
    live.now_ms += 500
    live.hear({"type": "heartbeat", "tables": {"t1": ["e1", 5]}, "now_ms": 77})
    assert live.core.server_ms(live.now_ms + 3) == 80


# Silence and sleep.


def test_a_silent_server_is_probed_and_then_dropped(live: Line) -> None:
    assert {"type": "ping"} in sent(live.pass_time(5.25))
    assert of_type(live.pass_time(2.5), Drop)


def test_a_probe_that_is_answered_drops_nothing(live: Line) -> None:
    live.pass_time(5.25)
    live.hear_heartbeat(t1=["e1", 5])
    assert of_type(live.pass_time(2.5), Drop) == []


def test_waking_up_is_followed_by_a_probe_at_once(live: Line) -> None:
    live.pass_time(0.25)
    live.now_ms += 3_600_000
    assert {"type": "ping"} in sent(live.core.tick(live.now_ms))
    assert live.freshness == "unknown"


def test_a_server_that_welcomes_nobody_is_dropped(line: Line) -> None:
    line.core.opened(1, "token", line.now_ms)
    assert of_type(line.pass_time(11), Drop)


# Commands.


def test_a_command_before_the_welcome_is_sent_after_it_with_the_servers_time(line: Line) -> None:
    assert line.give(deadline_s=10) == []
    line.now_ms += 4_000
    (said,) = sent(line.open())
    assert said["type"] == "command"
    assert said["deadline_ms"] == line.now_ms + AHEAD_MS + 6_000


def test_after_a_loss_the_verdict_is_asked_for_before_anything_is_sent_again(live: Line) -> None:
    (first,) = sent(live.give())
    live.lose()
    questions = [said for said in sent(live.open()) if said["type"] != "subscribe"]
    assert questions == [{"type": "verdict", "id": "c1", "table": "t1"}]
    unknown = {"type": "unknown", "id": "c1", "table": "t1"}
    assert sent(live.hear(unknown)) == [first]


def test_a_verdict_that_was_given_meanwhile_settles_it(live: Line) -> None:
    live.give()
    live.lose()
    live.open()
    accepted = {"type": "accepted", "id": "c1", "table": "t1", "epoch": "e1", "offset": 6}
    verdict = Accepted("c1", "t1", live.core.tables["t1"].position._replace(offset=6))  # type: ignore[union-attr]
    assert live.hear(accepted) == [Settled("c1", verdict)]
    assert live.hear(accepted) == [Told("c1", verdict)]


def test_a_command_unheard_of_after_its_deadline_is_not_sent_again_but_late(live: Line) -> None:
    live.give(deadline_s=1)
    live.lose()
    live.now_ms += 1_500
    live.open()
    unknown = {"type": "unknown", "id": "c1", "table": "t1"}
    # It may be under way on a server that judged it in time.
    assert sent(live.hear(unknown)) == []
    assert {"type": "verdict", "id": "c1", "table": "t1"} in sent(live.pass_time(2))
    live.now_ms += 500
    (settled,) = of_type(live.hear(unknown), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "late"


def test_a_command_never_sent_is_late_at_its_deadline(line: Line) -> None:
    line.give(deadline_s=1)
    (settled,) = of_type(line.pass_time(1.25), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "late"


def test_a_command_that_nobody_can_tell_of_ends_without_a_verdict(live: Line) -> None:
    live.give(deadline_s=1)
    live.lose()
    assert of_type(live.pass_time(5.5), Settled) == []
    (settled,) = of_type(live.pass_time(1), Settled)
    assert isinstance(settled.verdict, NoVerdict)


def test_a_slow_verdict_is_asked_for_on_the_same_session(live: Line) -> None:
    live.give()
    live.now_ms += 4_000
    live.hear_heartbeat(t1=["e1", 5])
    assert {"type": "verdict", "id": "c1", "table": "t1"} in sent(live.pass_time(1.25))


def test_an_error_about_a_command_settles_it_unless_it_may_pass(live: Line) -> None:
    live.give("c1")
    live.give("c2")
    error = {"type": "error", "code": "unavailable", "message": "", "retry": True, "table": "t1"}
    assert live.hear(error | {"id": "c1"}) == []
    final = error | {"code": "bad_fields", "retry": False, "id": "c2"}
    (settled,) = of_type(live.hear(final), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "bad_fields"


def test_too_many_open_commands_are_refused_here(live: Line) -> None:
    for number in range(MAX_OPEN):
        live.give(f"c{number}")
    with pytest.raises(Overloaded):
        live.give("one more")


# The end of a session.


@pytest.mark.parametrize(("code", "kind"), [(4001, Unauthorized), (4003, Revoked)])
def test_a_terminal_close_code_stops_it(live: Line, code: int, kind: type) -> None:
    (stop,) = live.lose(code)
    assert isinstance(stop, Stop)
    assert isinstance(stop.error, kind)
    assert live.freshness == "unknown"


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1011, 1012, 4004])
def test_any_other_close_code_brings_it_back(live: Line, code: int) -> None:
    assert isinstance(live.lose(code)[0], Reconnect)


def test_an_expired_token_that_can_be_renewed_is_renewed_once(live: Line) -> None:
    assert isinstance(live.lose(4001, can_renew=True)[0], Reconnect)
    live.generation += 1
    live.core.opened(live.generation, "newer", live.now_ms)
    assert isinstance(live.lose(4001, can_renew=True)[0], Stop)


def test_waits_are_drawn_from_a_window_that_the_server_sizes_and_failures_double(
    line: Line,
) -> None:
    line.open()
    line.pass_time(5)
    waits = []
    for _ in range(8):
        (reconnect,) = line.lose()
        assert isinstance(reconnect, Reconnect)
        waits.append(reconnect.after_ms)
    assert waits == [400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000]


def test_a_drain_says_how_far_to_spread(live: Line) -> None:
    live.hear({"type": "drain", "reconnect_in_ms": 6_000})
    assert live.lose(1012) == [Reconnect(3_000)]


def test_a_session_that_ends_at_once_counts_as_a_failure(line: Line) -> None:
    line.open()
    line.lose(4004)
    line.open()
    assert line.lose(4004) == [Reconnect(800)]


# What is refused.


def test_a_refused_table_is_given_up(line: Line) -> None:
    line.open()
    line.core.follow("t1", line.now_ms)
    error = {"type": "error", "code": "no_table", "message": "m", "retry": False, "table": "t1"}
    (unfollowed,) = line.hear(error)
    assert isinstance(unfollowed, Unfollowed)
    assert unfollowed.error.code == "no_table"
    assert line.core.tables == {}


def test_a_table_that_cannot_be_had_just_now_is_asked_for_again(line: Line) -> None:
    line.open()
    line.core.follow("t1", line.now_ms)
    error = {"type": "error", "code": "unavailable", "message": "m", "retry": True, "table": "t1"}
    assert line.hear(error) == []
    assert sent(line.pass_time(0.75)) == []
    assert sent(line.pass_time(0.5)) == [{"type": "subscribe", "table": "t1"}]


def test_a_first_message_that_is_no_welcome_is_no_livebutton_server(line: Line) -> None:
    line.core.opened(1, "token", line.now_ms)
    line.generation = 1
    assert of_type(line.hear_heartbeat(), Drop)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": 3},
        {"type": "snapshot", "table": "t1"},
        {"type": "snapshot", "table": "t1", "epoch": "", "offset": 3, "view": {}},
        {"type": "snapshot", "table": "t1", "epoch": "e", "offset": -1, "view": {}},
        {"type": "delta", "table": "t1", "epoch": "e", "offset": 3, "patch": [], "events": []},
        {"type": "heartbeat", "tables": {"t1": ["e"]}, "now_ms": 3},
        {"type": "heartbeat", "tables": [], "now_ms": 3},
        {"type": "accepted", "id": "c1", "table": "t1", "epoch": "e"},
        {"type": "drain", "reconnect_in_ms": float("inf")},
        WELCOME | {"now_ms": 1, "heartbeat_s": 0},
        WELCOME | {"now_ms": 1, "heartbeat_s": float("nan")},
    ],
)
def test_a_malformed_message_is_told_from_an_unknown_one(message: dict[str, Any]) -> None:
    with pytest.raises(ProtocolBroken):
        parse(message)


def test_a_message_of_a_kind_not_known_here_is_a_sign_of_life_and_no_more(live: Line) -> None:
    live.pass_time(4.75)
    assert live.hear({"type": "of the future"}) == []
    live.pass_time(1)
    assert live.freshness == "fresh"
