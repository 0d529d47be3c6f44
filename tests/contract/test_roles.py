"""Who may command what: each role against each command, over the socket."""

from typing import Any

import pytest

from tests.contract.doors import Message, ServerProcess, Socket

pytestmark = pytest.mark.real

OWN: list[Message] = [
    {"type": "sit_out", "seat": 1},
    {"type": "sit_in", "seat": 1},
    {"type": "deal_me_in", "seat": 1},
    {"type": "choose", "seat": 1, "choice": "post"},
    {"type": "straddle", "seat": 1},
    {"type": "sleeper", "seat": 1},
    {"type": "leave", "seat": 1},
]
OTHERS = [command | {"seat": 2} for command in OWN]
FOR_STAFF: list[Message] = [
    {"type": "take_seat", "seat": 3, "player": "x"},
    {"type": "lock_up", "seat": 3},
    {"type": "release", "seat": 3},
    {"type": "rename", "seat": 1, "name": "Z"},
    {"type": "change_seat", "seat": 1, "to": 5},
    {"type": "set_stack", "seat": 1, "stack": 5},
    {"type": "join_list", "player": "w"},
    {"type": "leave_list", "player": "w"},
    {"type": "start_game", "button": 1},
    {"type": "adopt_game", "button": 1, "big": 2},
    {"type": "shuffle"},
    {"type": "cut"},
    {"type": "deal"},
    {"type": "end_hand"},
    {"type": "misdeal"},
    {"type": "report_unposted", "seat": 1, "looked": True, "action": False},
    {"type": "elect", "seat": 1, "post": True},
    {"type": "correct_button", "button": 2},
    {"type": "undo"},
]
FOR_THE_FLOOR: list[Message] = [
    {"type": "set_house", "straddles": False},
    {"type": "set_stakes", "stakes": {"small": 10, "big": 20}},
    {"type": "set_owes", "seat": 1, "owes": {"big": True}, "reason": "left in the hand"},
    {"type": "take_seat", "seat": 4, "player": "y", "entry": "free"},
]


def verdicts(socket: Socket, table: str, commands: list[Message]) -> list[Any]:
    """The reason each is refused for, or None."""
    return [socket.ask(table, **command).get("reason") for command in commands]


def test_a_display_commands_nothing(server: ServerProcess) -> None:
    table = server.open_table(2)
    with server.socket("display", [table]) as screen:
        at = screen.subscribe(table)
        every = OWN + OTHERS + FOR_STAFF + FOR_THE_FLOOR + [{"type": "close_table"}]
        assert set(verdicts(screen, table, every)) == {"forbidden"}
        assert screen.subscribe(table)["offset"] == at["offset"]


def test_a_player_commands_his_own_seat_and_nothing_else(server: ServerProcess) -> None:
    table = server.open_table(2)
    with server.socket("player", [table], seat=1) as player:
        at = player.subscribe(table)
        forbidden = OTHERS + FOR_STAFF + FOR_THE_FLOOR
        assert set(verdicts(player, table, forbidden)) == {"forbidden"}
        assert player.subscribe(table)["offset"] == at["offset"]
        assert "forbidden" not in verdicts(player, table, OWN)


def test_a_dealer_runs_his_table_but_sets_no_rules_stakes_or_debts(server: ServerProcess) -> None:
    table = server.open_table(2)
    with server.socket("dealer", [table]) as dealer:
        assert set(verdicts(dealer, table, FOR_THE_FLOOR)) == {"forbidden"}
        assert "forbidden" not in verdicts(dealer, table, OWN + FOR_STAFF[:-1])


@pytest.mark.parametrize("role", ["display", "dealer", "player"])
def test_another_table_is_neither_seen_nor_commanded(server: ServerProcess, role: str) -> None:
    own, other = server.open_table(1), server.open_table(1)
    limits: dict[str, Any] = {"seat": 1} if role == "player" else {}
    with server.socket(role, [own], **limits) as socket, server.http(role, [own], **limits) as http:
        socket.send(type="subscribe", table=other)
        assert socket.take("error")["code"] == "forbidden"
        assert socket.ask(other, type="sit_out", seat=1)["reason"] == "forbidden"
        assert http.get(f"/v1/tables/{other}").status_code == 403
        assert http.get(f"/v1/tables/{other}/events").status_code == 403
        assert [row["table"] for row in http.get("/v1/tables").json()["tables"]] == [own]


def test_a_backend_is_kept_to_its_room(server: ServerProcess) -> None:
    inside, outside = server.open_table(1, room="own"), server.open_table(1, room="other")
    with server.socket("backend", room="own") as socket:
        assert socket.ask(inside, type="sit_out", seat=1)["type"] == "accepted"
        assert socket.ask(outside, type="sit_out", seat=1)["reason"] == "forbidden"
        for subject in ({"table": outside}, {"room": "other"}):
            socket.send(type="subscribe", **subject)
            assert socket.take("error")["code"] == "forbidden"


def test_the_dealer_corrects_the_button_before_the_first_card_only(server: ServerProcess) -> None:
    table = server.open_table(4)
    with server.socket("dealer", [table]) as dealer, server.socket() as floor:
        ask = dealer.ask
        assert ask(table, type="start_game", button=1)["type"] == "accepted"
        assert ask(table, type="correct_button", button=2)["type"] == "accepted"
        assert ask(table, type="deal")["type"] == "accepted"
        assert ask(table, type="correct_button", button=3)["reason"] == "forbidden"
        assert floor.ask(table, type="correct_button", button=3)["type"] == "accepted"


def test_only_the_floor_undoes_the_end_of_a_hand(server: ServerProcess) -> None:
    table = server.open_table(4)
    with server.socket("dealer", [table]) as dealer, server.socket() as floor:
        for command in ({"type": "start_game", "button": 1}, {"type": "deal"}):
            assert dealer.ask(table, **command)["type"] == "accepted"
        assert dealer.ask(table, type="undo")["type"] == "accepted"
        for kind in ("deal", "end_hand", "shuffle", "undo"):
            assert dealer.ask(table, type=kind)["type"] == "accepted"
        assert dealer.ask(table, type="undo")["reason"] == "forbidden"
        assert floor.ask(table, type="undo")["type"] == "accepted"
        assert floor.subscribe(table)["view"]["phase"] == "in_hand"
