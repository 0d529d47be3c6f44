"""What a view holds, for whom: played through hands with absentees, debts and questions."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.doors import Message, ServerProcess

pytestmark = pytest.mark.real

TOP = {"table", "name", "game", "stakes", "rules", "phase", "hand", "button", "seats", "plan"}
SEAT = {"player", "name", "sitting_out", "deal_me_in", "marks", "owes", "in_rotation", "place"}
MARKS = {"missed_blind", "missed_little_blind", "absent", "lock_up"}
HAND = ({"type": "shuffle"}, {"type": "cut"}, {"type": "deal"}, {"type": "end_hand"})

# Seat 2 misses its blinds and comes back owing, seat 5 is new, seat 6 is held for somebody.
STORY: tuple[Message, ...] = (
    {"type": "start_game", "button": 1},
    *HAND,
    {"type": "sit_out", "seat": 4},
    {"type": "take_seat", "seat": 5, "player": "new", "stack": 900},
    {"type": "lock_up", "seat": 6, "player": "secret-friend"},
    *HAND,
    {"type": "sit_out", "seat": 2},
    *HAND,
    *HAND,
    {"type": "join_list", "player": "w1"},
    {"type": "sit_in", "seat": 4},
    {"type": "leave", "seat": 3},
    {"type": "shuffle"},
    {"type": "deal"},
)


def parts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each value within, with its path."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            assert isinstance(key, str), f"{path}: {key!r}"
            yield from parts(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner, f"{path}[]")


@pytest.fixture(scope="module")
def told(server: ServerProcess) -> Iterator[dict[str, list[Message]]]:
    """Every message of the story, by audience and codec; snapshots are taken at every step."""
    table = server.open_table(4)
    audiences: dict[str, tuple[str, dict[str, Any]]] = {
        "display": ("display", {}),
        "player": ("player", {"seat": 4}),
        "dealer": ("dealer", {}),
        "floor": ("floor", {}),
    }
    sockets = {
        (name, codec): server.socket(role, [table], codec=codec, **limits)
        for name, (role, limits) in audiences.items()
        for codec in ("json", "msgpack")
    }
    messages: dict[str, list[Message]] = {f"{name} {codec}": [] for name, codec in sockets}
    with server.http() as http:
        for socket in sockets.values():
            socket.subscribe(table)
        for command in STORY:
            server.do(http, table, **command)
            for (name, codec), socket in sockets.items():
                messages[f"{name} {codec}"].append(socket.take("delta"))
                messages[f"{name} {codec}"].append(socket.subscribe(table))
    yield messages
    for socket in sockets.values():
        socket.close()


def views(told: dict[str, list[Message]], *names: str) -> list[Message]:
    """The views of the snapshots of these audiences."""
    return [
        message["view"]
        for key, messages in told.items()
        if key.split()[0] in names
        for message in messages
        if message["type"] == "snapshot"
    ]


def test_a_view_holds_no_null_and_nothing_false_or_empty(told: dict[str, list[Message]]) -> None:
    for view in views(told, "display", "player", "dealer", "floor"):
        for path, value in parts(view):
            if ".params" not in path:
                full = value is not None and value is not False and value not in ("", [], {})
                assert full, f"{path} = {value!r}"


def test_both_codecs_tell_the_same(told: dict[str, list[Message]]) -> None:
    for name in ("display", "player", "dealer", "floor"):
        assert told[f"{name} json"] == told[f"{name} msgpack"]


def test_no_public_view_or_patch_holds_what_is_for_the_staff(
    told: dict[str, list[Message]],
) -> None:
    hidden = {"away_since_ms", "stack", "secret-friend"}
    for key, messages in told.items():
        if key.startswith("display"):
            for path, value in parts(messages):
                assert path.rsplit(".", 1)[-1] not in hidden | {"allowed", "own", "choices"}, path
                assert value != "secret-friend", path
        if key.startswith("player"):
            for path, value in parts(messages):
                assert path.rsplit(".", 1)[-1] not in hidden, path
                assert not path.endswith((".allowed", ".choices")) or ".own." in path, path
                assert value != "secret-friend", path


def test_choices_with_prices_are_for_the_staff(told: dict[str, list[Message]]) -> None:
    asked = [
        question
        for view in views(told, "dealer", "floor")
        for question in view["plan"].get("questions", [])
    ]
    assert asked
    assert all(set(choice) >= {"choice", "live", "dead"} for q in asked for choice in q["choices"])
    for view in views(told, "display", "player"):
        assert all("choices" not in q for q in view["plan"].get("questions", []))


def test_a_player_sees_what_his_own_seat_may_do_and_choose(told: dict[str, list[Message]]) -> None:
    own = [view["own"] for view in views(told, "player") if "own" in view]
    assert own
    assert all(entry["seat"] == 4 for part in own for entry in part.get("allowed", []))
    asked = [question for part in own for question in part.get("questions", [])]
    assert asked
    assert all(q["seat"] == 4 and q["choices"] for q in asked)


def test_fields_have_the_names_of_the_contract(told: dict[str, list[Message]]) -> None:
    top = set().union(*views(told, "display"))
    assert TOP | {"waiting"} <= top
    assert set().union(*views(told, "floor")) >= TOP | {"waiting", "allowed"}
    seats = [seat for view in views(told, "floor") for seat in view["seats"].values()]
    assert set().union(*seats) >= (SEAT - {"deal_me_in"}) | {"stack", "forecast"}
    marks = {mark for seat in seats for mark in seat.get("marks", [])}
    assert {"missed_blind", "lock_up"} <= marks <= MARKS
    assert any(set(seat.get("owes", {})) == {"big", "small"} for seat in seats)
    forecasts = [seat["forecast"] for seat in seats if "forecast" in seat]
    assert forecasts
    assert all(set(forecast) <= {"big", "small", "button"} for forecast in forecasts)


def test_phases_and_the_committed_plan_follow_the_hand(told: dict[str, list[Message]]) -> None:
    by_step = views({"floor json": told["floor json"]}, "floor")
    assert [view["phase"] for view in by_step[:5]] == [
        "between_hands",
        "shuffling",
        "cut",
        "in_hand",
        "between_hands",
    ]
    in_hand = by_step[3]
    assert (in_hand["hand"], in_hand["button"], in_hand["plan"]["button"]) == (1, 1, 1)
    assert in_hand["plan"]["dealt"] == [2, 3, 4, 1]
    assert by_step[4]["plan"]["hand"] == 2


def test_every_ruling_says_rule_seats_and_sentence(told: dict[str, list[Message]]) -> None:
    rulings = [r for view in views(told, "display") for r in view["plan"].get("rulings", [])]
    assert rulings
    assert all(r["rule"] and r["text"] for r in rulings)
