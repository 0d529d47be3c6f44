"""What is shown to whom: one encoding for all, whole resumes, dense offsets, nothing hidden."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livebutton import views
from livebutton.gateway.watching import WatchedTable, view_for
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.events import AnyEvent
from livebutton.rules.evolve import record
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table
from livebutton.store.records import StreamPosition
from livebutton.wire.codec import JSON, MSGPACK, Codec

AUDIENCES = ("public", "staff", "seat:2")


class Screen:
    """A watcher that keeps what it was given, and a copy of the view as a client would."""

    def __init__(self, audience: str, codec: Codec = JSON) -> None:
        self.audience = audience
        self.codec = codec
        self.frames: list[bytes] = []
        self.view: Any = None
        self.offset = 0
        self.is_live = False

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)
        self._follow(decoded(frame, self.codec))

    def deliver(self, table: str, frame: bytes) -> None:
        assert table == "t7"
        self.write(frame)

    def _follow(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.view, self.offset = message["view"], message["offset"]
            case "delta":
                assert message["offset"] == self.offset + 1
                self.view = views.apply_patch(self.view, message["patch"])
                self.offset += 1
            case "live":
                self.is_live = True


def decoded(frame: bytes, codec: Codec) -> dict[str, Any]:
    skip = {126: 4, 127: 10}.get(frame[1], 2)
    fields: dict[str, Any] = codec._decode_any(frame[skip:])
    return fields


def kinds(screen: Screen) -> list[str]:
    return [decoded(frame, screen.codec)["type"] for frame in screen.frames]


class Play:
    """A table that is played, and watched."""

    def __init__(self, history: int = 64) -> None:
        self.table, events = step(
            None,
            {
                "type": "open_table",
                "table": "t7",
                "name": "Table 7",
                "seats": 6,
                "rules": "caro-cooke",
                "stakes": {"small": 5, "big": 10},
            },
        )
        assert events
        self.offset = 1
        self.watched = WatchedTable("t7", StreamPosition("e", 1), self.table, 0, history)

    def do(self, **command: Any) -> None:
        self.table, events = step(self.table, command)
        self.offset += 1
        self.watched.change(StreamPosition("e", self.offset), events, self.table, 0)


def step(table: Table | None, fields: dict[str, Any]) -> tuple[Table, list[AnyEvent]]:
    command = decode_command(fields)
    events = decide(table, command, 1_000)
    return record(table, command, events), events


def seated(play: Play) -> None:
    for seat, player in ((1, "ann"), (2, "bob"), (3, "cat")):
        play.do(type="take_seat", seat=seat, player=player, stack=300)


def test_all_who_see_the_same_get_the_very_same_bytes() -> None:
    play = Play()
    screens = [Screen("public") for _ in range(3)]
    for screen in screens:
        play.watched.attach(screen, None)
    play.do(type="take_seat", seat=1, player="ann")
    first = screens[0].frames
    assert all(screen.frames[0] is first[0] for screen in screens)
    assert all(screen.frames[-1] is first[-1] for screen in screens)


def test_seats_that_are_told_alike_get_the_very_same_bytes_and_others_their_own() -> None:
    play = Play()
    seated(play)
    screens = {
        audience: Screen(audience) for audience in ("public", "seat:1", "seat:2", "seat:3", "staff")
    }
    for screen in screens.values():
        play.watched.attach(screen, None)
    play.do(type="sit_out", seat=2)
    last = {audience: screen.frames[-1] for audience, screen in screens.items()}
    assert last["public"] is last["seat:1"] is last["seat:3"]
    assert len({last["public"], last["seat:2"], last["staff"]}) == 3
    for audience, screen in screens.items():
        assert screen.view == view_for(play.table, audience)


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.name)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_copy_kept_by_deltas_is_the_view(audience: str, codec: Codec) -> None:
    play = Play()
    screen = Screen(audience, codec)
    play.watched.attach(screen, None)
    seated(play)
    play.do(type="start_game", button=1)
    play.do(type="deal")
    play.do(type="sit_out", seat=2)
    play.do(type="end_hand")
    assert screen.view == view_for(play.table, audience)
    assert screen.offset == play.offset


def test_a_player_sees_what_he_may_do_and_others_do_not() -> None:
    play = Play()
    mine, other, public = Screen("seat:2"), Screen("seat:5"), Screen("public")
    for screen in (mine, other, public):
        play.watched.attach(screen, None)
    seated(play)
    assert {entry["seat"] for entry in mine.view["own"]["allowed"]} == {2}
    assert "own" not in other.view
    assert "own" not in public.view
    assert "allowed" not in mine.view


def test_what_may_not_be_seen_is_an_empty_delta_so_that_a_gap_always_means_loss() -> None:
    play = Play()
    screen = Screen("public")
    seated(play)
    play.watched.attach(screen, None)
    play.do(type="set_stack", seat=1, stack=999)
    delta = decoded(screen.frames[-1], JSON)
    assert (delta["offset"], delta["patch"], delta["events"]) == (play.offset, {}, [])
    assert b"999" not in b"".join(screen.frames)


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.name)
def test_a_resume_within_what_is_kept_is_whole(codec: Codec) -> None:
    play = Play()
    first = Screen("public", codec)
    play.watched.attach(first, None)
    seated(play)
    second = Screen("public", codec)
    second.view, second.offset = view_for(Play().table, "public"), 1
    assert play.watched.attach(second, ("e", 1))
    assert kinds(second) == ["delta", "delta", "delta", "live"]
    assert second.view == first.view
    assert decoded(second.frames[-1], codec)["recovered"] is True
    # The position moves on while replaying: asking again replays nothing.
    again = Screen("public", codec)
    assert play.watched.attach(again, ("e", second.offset))
    assert kinds(again) == ["live"]


@pytest.mark.parametrize(
    "since", [None, ("other", 2), ("e", 1), ("e", 99), ("e", 0)], ids=lambda since: str(since)
)
def test_a_resume_that_cannot_be_whole_is_a_snapshot(since: tuple[str, int] | None) -> None:
    play = Play(history=2)
    play.watched.attach(Screen("public"), None)
    seated(play)
    screen = Screen("public")
    assert not play.watched.attach(screen, since)
    assert kinds(screen) == ["snapshot", "live"]
    assert decoded(screen.frames[-1], JSON)["recovered"] is False


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
def test_many_who_come_back_from_one_place_cost_one_encoding(
    codec: Codec, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Play()
    seated(play)
    first = Screen("staff", codec)
    play.watched.attach(first, None)
    since = (play.watched.position.epoch, play.watched.position.offset)
    view = first.view
    for seat in (4, 5, 6):
        play.do(type="take_seat", seat=seat, player=f"p{seat}")
    count = 0
    encode = codec._encode

    def counting(message: Any) -> bytes:
        nonlocal count
        count += 1
        return encode(message)

    monkeypatch.setattr(codec, "_encode", counting)
    crowd = [Screen("staff", codec) for _ in range(500)]
    for screen in crowd:
        screen.view, screen.offset = view, since[1]
        assert play.watched.attach(screen, since)
    # Three deltas and `live`; those that lie there as MessagePack are not even encoded again.
    assert count == (1 if codec is MSGPACK else 4)
    assert [len(screen.frames) for screen in crowd] == [4] * 500
    assert all(screen.frames == crowd[0].frames for screen in crowd)
    assert all(screen.offset == since[1] + 3 and screen.is_live for screen in crowd)
    # And what was kept is not told once more after the next change.
    play.do(type="leave", seat=6)
    late = Screen("staff", codec)
    late.view, late.offset = view, since[1]
    assert play.watched.attach(late, since)
    assert late.offset == since[1] + 4
    assert late.view == first.view == view_for(play.table, "staff")


def test_deltas_are_kept_for_a_client_that_was_the_only_one() -> None:
    play = Play()
    screen = Screen("public")
    play.watched.attach(screen, None)
    play.watched.detach(screen, 1_000)
    seated(play)
    assert not play.watched.forget_idle(999)
    back = Screen("public")
    back.view, back.offset = screen.view, 1
    assert play.watched.attach(back, ("e", 1))
    assert back.view == view_for(play.table, "public")


def test_an_audience_that_nobody_watches_is_forgotten_in_the_end() -> None:
    play = Play()
    screen = Screen("public")
    play.watched.attach(screen, None)
    assert not play.watched.forget_idle(10_000)
    play.watched.detach(screen, 1_000)
    assert play.watched.forget_idle(10_000)
    assert play.watched.audiences == {}


def test_a_commit_told_twice_is_told_once() -> None:
    play = Play()
    screen = Screen("public")
    play.watched.attach(screen, None)
    before = play.watched.table
    play.do(type="take_seat", seat=1, player="ann")
    count = len(screen.frames)
    play.watched.change(StreamPosition("e", 2), [], before, 0)
    play.watched.change(StreamPosition("e", 1), [], before, 0)
    assert len(screen.frames) == count
    assert play.watched.table is play.table


@pytest.mark.parametrize("position", [StreamPosition("e", 5), StreamPosition("new", 2)])
def test_a_commit_that_does_not_follow_makes_every_view_new(position: StreamPosition) -> None:
    play = Play()
    screen = Screen("public")
    play.watched.attach(screen, None)
    after, events = step(play.table, {"type": "take_seat", "seat": 1, "player": "ann"})
    told = play.watched.change(position, events, after, 0)
    assert told.jumped
    assert kinds(screen) == ["snapshot", "live", "snapshot"]
    assert screen.view == view_for(after, "public")
    assert not play.watched.attach(Screen("public"), ("e", 1))


# What only staff may see, at any depth of a frame.
SECRET_KEYS = {"stack", "away_since_ms", "held_for", "at_ms"}
SECRET_WORDS = ("held-for-him", "the-floors-reason")


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys_in(inner)}
    if isinstance(value, list):
        return {key for inner in value for key in keys_in(inner)}
    return set()


COMMANDS = st.one_of(
    st.builds(
        lambda seat, stack: {
            "type": "take_seat",
            "seat": seat,
            "player": f"p{seat}",
            "stack": stack,
        },
        st.integers(1, 6),
        st.integers(0, 500),
    ),
    st.builds(
        lambda kind, seat: {"type": kind, "seat": seat},
        st.sampled_from(["leave", "sit_out", "sit_in", "straddle", "sleeper"]),
        st.integers(1, 6),
    ),
    st.builds(
        lambda seat: {"type": "lock_up", "seat": seat, "player": "held-for-him"}, st.integers(1, 6)
    ),
    st.builds(lambda seat: {"type": "set_stack", "seat": seat, "stack": 7_777}, st.integers(1, 6)),
    st.builds(
        lambda seat: {
            "type": "set_owes",
            "seat": seat,
            "owes": ["big", "small"],
            "reason": "the-floors-reason",
        },
        st.integers(1, 6),
    ),
    st.builds(
        lambda seat, choice: {"type": "choose", "seat": seat, "choice": choice},
        st.integers(1, 6),
        st.sampled_from(["post", "wait_big_blind", "wait_button"]),
    ),
    st.sampled_from(
        [
            {"type": kind}
            for kind in ("start_game", "shuffle", "deal", "end_hand", "misdeal", "undo")
        ]
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(COMMANDS, min_size=5, max_size=30))
def test_nothing_that_only_staff_may_see_is_ever_in_another_frame(
    commands: list[dict[str, Any]],
) -> None:
    play = Play()
    screens = [Screen("public"), Screen("seat:2")]
    for screen in screens:
        play.watched.attach(screen, None)
    for command in commands:
        try:
            play.do(**command)
        except Refused:
            continue
    for screen in screens:
        told = [decoded(frame, JSON) for frame in screen.frames]
        assert {key for message in told for key in keys_in(message)} & SECRET_KEYS == set()
        assert not any(word in str(told) for word in SECRET_WORDS)
        allowed = [message for message in told if "allowed" in keys_in(message)]
        assert screen.audience == "seat:2" or not allowed
        assert screen.view == view_for(play.table, screen.audience)
