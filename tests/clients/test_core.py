"""The core at the moments that matter, one by one; `test_core_pair.py` has all of them at once."""

from typing import Any

import pytest

from livebutton_client.effects import (
    Changed,
    Drop,
    Effect,
    Reconnect,
    RoomSeen,
    Stop,
    Unfollowed,
)
from livebutton_client.errors import ProtocolBroken, Revoked, Unauthorized
from livebutton_client.messages import parse
from tests.clients.line import WELCOME, Line, live_line, of_type, sent, view


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def live() -> Line:
    return live_line()


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


def test_a_snapshot_lost_before_its_live_is_asked_for_again(live: Line) -> None:
    live.lose()
    live.open()
    lost = live.hear({"type": "live", "table": "t1", "recovered": False})
    assert sent(lost) == [{"type": "subscribe", "table": "t1", "since": ["e1", 5]}]
    assert live.freshness == "stale"
    live.hear_snapshot(offset=9)
    live.hear({"type": "live", "table": "t1", "recovered": False})
    assert live.freshness == "fresh"


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


# Servers of two versions.


def test_a_server_that_makes_views_otherwise_is_asked_for_a_whole_one_until_it_sends_it(
    line: Line,
) -> None:
    line.core.follow("t1", line.now_ms)

    def subscribed_at(session: str) -> dict[str, object]:
        line.generation += 1
        line.core.opened(line.generation, "token", line.now_ms)
        effects = line.hear(WELCOME | {"session": session, "now_ms": line.now_ms})
        (ask,) = [said for said in sent(effects) if said["type"] == "subscribe"]
        return ask

    assert "since" not in subscribed_at("old.1")
    line.hear_snapshot(epoch="e1", offset=5, plan="as the old one says it")
    line.hear_live()
    assert subscribed_at("old.2")["since"] == ["e1", 5]
    assert "since" not in subscribed_at("new.1")
    assert "since" not in subscribed_at("new.2")  # the first one never answered
    (told,) = of_type(line.hear_snapshot(epoch="e1", offset=5, plan="as the new one does"), Changed)
    assert told.change.view == {"plan": "as the new one does"}
    assert subscribed_at("new.3")["since"] == ["e1", 5]


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


def test_a_drain_says_when_to_come_back(live: Line) -> None:
    live.hear({"type": "drain", "reconnect_in_ms": 6_000})
    live.now_ms += 2_000
    assert live.lose(1012) == [Reconnect(4_000)]
    assert live.core.closed(live.generation, 1006, "", live.now_ms) == [Reconnect(400)]


def test_a_stop_without_a_word_before_is_spread_as_any_loss(live: Line) -> None:
    assert live.lose(1012) == [Reconnect(400)]


def test_one_who_was_too_slow_comes_back_at_once(line: Line) -> None:
    line.open()
    line.now_ms += 60_000
    assert line.lose(4004) == [Reconnect(0)]


def test_a_server_that_is_not_there_is_tried_again_at_the_same_pace(line: Line) -> None:
    for _ in range(12):
        gone = line.core.closed(0, 1006, "refused", line.now_ms, nobody_there=True)
        assert gone == [Reconnect(500)]


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


def test_a_room_that_falls_silent_or_is_busy_is_asked_for_again(live: Line) -> None:
    ask = {"type": "subscribe", "room": "north"}
    assert sent(live.core.follow_room("north", live.now_ms)) == [ask]
    busy = {"type": "error", "code": "too_many", "message": "", "retry": True, "room": "north"}
    assert live.hear(busy) == []
    said: list[dict[str, Any]] = []
    for _ in range(11):
        live.hear_heartbeat(t1=["e1", 5])
        said += sent(live.pass_time(1))
    assert said == [ask]
    for _ in range(20):
        live.hear({"type": "room", "room": "north", "tables": [], "screens": [], "waiting": []})
        said += sent(live.pass_time(1))
    assert said == [ask]


def test_a_picture_of_a_room_says_whether_it_may_be_old(live: Line) -> None:
    live.core.follow_room("north", live.now_ms)
    picture = {"type": "room", "room": "north", "tables": [], "screens": [], "waiting": []}
    for said, is_stale in (({}, False), ({"stale": True}, True)):
        (seen,) = of_type(live.hear({**picture, **said}), RoomSeen)
        assert seen.picture.stale is is_stale


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


@pytest.mark.parametrize(
    "message",
    [
        {"type": "of the future"},
        # What is said to pages alone.
        {"type": "reload"},
        {"type": "setup", "setup": {"size": "l", "names": False}},
    ],
)
def test_a_message_of_a_kind_not_known_here_is_a_sign_of_life_and_no_more(
    live: Line, message: dict[str, Any]
) -> None:
    live.pass_time(4.75)
    assert live.hear(message) == []
    live.pass_time(1)
    assert live.freshness == "fresh"
