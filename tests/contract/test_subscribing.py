"""Snapshot, live, deltas; resumes; heartbeats: what a socket may rely on, in both codecs."""

from typing import Any

import pytest

from tests.contract.doors import Message, ServerProcess, Socket

pytestmark = pytest.mark.real


@pytest.fixture(params=["json", "msgpack"])
def codec(request: pytest.FixtureRequest) -> str:
    """Each codec in turn."""
    name: str = request.param
    return name


def merged(view: Any, patch: Any) -> Any:
    """RFC 7386, written down from its text."""
    if not isinstance(patch, dict):
        return patch
    result = dict(view) if isinstance(view, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def play(socket: Socket, table: str, *kinds: str) -> None:
    """Commands without fields, each accepted."""
    for kind in kinds:
        verdict = socket.ask(table, type=kind)
        assert verdict["type"] == "accepted", verdict


def test_a_welcome_says_all_that_a_client_needs(server: ServerProcess, codec: str) -> None:
    with server.socket(codec=codec) as socket:
        assert set(socket.welcome) == {
            "type",
            "session",
            "heartbeat_s",
            "reconnect_window_ms",
            "now_ms",
        }


def test_deltas_carry_the_snapshot_to_the_view_that_is_read_afresh(
    server: ServerProcess, codec: str
) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as watcher, server.socket() as dealer:
        snapshot = watcher.subscribe(table)
        view, offset = snapshot["view"], snapshot["offset"]
        assert dealer.ask(table, type="start_game", button=1)["type"] == "accepted"
        play(dealer, table, "shuffle", "cut", "deal", "end_hand", "deal", "misdeal", "undo")
        for _ in range(8):
            delta = watcher.take("delta")
            assert (delta["epoch"], delta["offset"]) == (snapshot["epoch"], offset + 1)
            view, offset = merged(view, delta["patch"]), delta["offset"]
        with server.socket(codec=codec) as fresh:
            assert fresh.subscribe(table)["view"] == view


def test_a_resume_replays_each_missed_offset_and_then_says_live(
    server: ServerProcess, codec: str
) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as first:
        before = first.subscribe(table)
        assert first.ask(table, type="start_game", button=2)["type"] == "accepted"
        play(first, table, "shuffle", "cut", "deal")
    with server.socket(codec=codec) as again:
        since = [before["epoch"], before["offset"]]
        again.send(type="subscribe", table=table, since=since)
        view = before["view"]
        for step in range(1, 5):
            delta = again.take("delta")
            assert delta["offset"] == before["offset"] + step
            view = merged(view, delta["patch"])
        assert again.take("live") == {"type": "live", "table": table, "recovered": True}
        with server.socket(codec=codec) as fresh:
            assert fresh.subscribe(table)["view"] == view


def test_a_resume_with_nothing_missed_is_recovered(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as socket:
        at = socket.subscribe(table)
    with server.socket(codec=codec) as socket:
        socket.send(type="subscribe", table=table, since=[at["epoch"], at["offset"]])
        assert socket.take("live")["recovered"] is True


@pytest.mark.parametrize("ahead", [True, False], ids=["offset-to-come", "other-epoch"])
def test_a_resume_that_cannot_be_whole_is_a_snapshot(
    server: ServerProcess, codec: str, ahead: bool
) -> None:
    table = server.open_table(1)
    with server.socket(codec=codec) as socket:
        epoch = socket.subscribe(table)["epoch"]
    with server.socket(codec=codec) as socket:
        since = [epoch, 10**6] if ahead else ["another", 1]
        socket.send(type="subscribe", table=table, since=since)
        assert socket.take("snapshot")["offset"] == 2
        assert socket.take("live")["recovered"] is False


def test_each_table_on_a_socket_resumes_on_its_own(server: ServerProcess) -> None:
    tables = [server.open_table(1), server.open_table(1)]
    with server.socket() as socket:
        epochs = [socket.subscribe(table)["epoch"] for table in tables]
        assert socket.ask(tables[0], type="sit_out", seat=1)["type"] == "accepted"
    with server.socket() as socket:
        socket.send(type="subscribe", table=tables[0], since=[epochs[0], 2])
        socket.send(type="subscribe", table=tables[1], since=["another", 1])
        seen = [socket.next() for _ in range(4)]
    of_the_first = [m["type"] for m in seen if m["table"] == tables[0]]
    of_the_second = [m["type"] for m in seen if m["table"] == tables[1]]
    assert (of_the_first, of_the_second) == (["delta", "live"], ["snapshot", "live"])


def test_heartbeats_carry_the_position_of_each_subscribed_table(
    server: ServerProcess, codec: str
) -> None:
    table = server.open_table(1)
    with server.socket(codec=codec) as socket:
        at = socket.subscribe(table)
        socket.send(type="ping")
        beat = socket.take("heartbeat")
        # It says nothing of any table while a canary is late, as on a loaded machine.
        while not beat["tables"]:
            beat = socket.take("heartbeat")
        assert beat["tables"] == {table: [at["epoch"], at["offset"]]}
        assert isinstance(beat["now_ms"], int)


def test_after_unsubscribe_nothing_of_the_table_comes(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as socket:
        socket.subscribe(table)
        socket.send(type="unsubscribe", table=table)
        socket.send(type="ping")
        while socket.take("heartbeat")["tables"]:
            pass
        socket.send(
            type="command", id=f"{table}-x", table=table, command={"type": "sit_out", "seat": 1}
        )
        assert socket.next()["type"] == "accepted"
        socket.send(type="ping")
        assert socket.take("heartbeat")["tables"] == {}


def test_what_a_screen_may_not_see_is_an_empty_delta(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket("display", [table], codec=codec) as screen, server.socket() as floor:
        at = screen.subscribe(table)
        assert floor.ask(table, type="set_stack", seat=1, stack=77)["type"] == "accepted"
        delta = screen.take("delta")
    assert (delta["offset"], delta["patch"]) == (at["offset"] + 1, {})
    assert delta["events"] == []
    assert set(delta) == {"type", "table", "epoch", "offset", "patch", "events"}


def test_the_room_feed_shows_tables_screens_and_the_waiting_list(server: ServerProcess) -> None:
    table = server.open_table(1, room="feed")
    with (
        server.socket("display", [table], room="feed", name="door") as screen,
        server.socket() as floor,
    ):
        at = screen.subscribe(table)
        floor.send(type="subscribe", room="feed")
        while not (room := floor.take("room"))["screens"] or not room["screens"][0].get("position"):
            pass
    assert [row["table"] for row in room["tables"]] == [table]
    shown: Message = room["screens"][0]
    assert shown["table"] == table
    assert shown["role"] == "display"
    assert shown["position"] == [at["epoch"], at["offset"]]
    assert {"id", "name", "last_seen_ms", "version"} <= set(shown)
    assert "waiting" in room


@pytest.mark.parametrize("role", ["display", "player"])
def test_the_room_feed_is_for_staff(server: ServerProcess, role: str) -> None:
    table = server.open_table(1)
    limits: dict[str, Any] = {"seat": 1} if role == "player" else {}
    with server.socket(role, [table], **limits) as socket:
        socket.send(type="subscribe", room="main")
        assert socket.take("error")["code"] == "forbidden"
