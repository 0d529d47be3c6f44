"""One command id, one verdict: on the socket, over HTTP, on one socket or two."""

import pytest

from tests.contract.doors import ServerProcess

pytestmark = pytest.mark.real


@pytest.fixture(params=["json", "msgpack"])
def codec(request: pytest.FixtureRequest) -> str:
    """Each codec in turn."""
    name: str = request.param
    return name


def test_the_same_id_acts_once_on_any_door(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as one, server.socket() as other, server.http() as http:
        first = one.ask(table, f"{table}-1", type="sit_out", seat=1)
        assert first["type"] == "accepted"
        assert one.ask(table, f"{table}-1", type="sit_out", seat=1) == first
        assert other.ask(table, f"{table}-1", type="sit_out", seat=1) == first
        reply = http.post(
            f"/v1/tables/{table}/commands",
            json={"type": "sit_out", "seat": 1},
            headers={"Idempotency-Key": f"{table}-1"},
        )
        assert reply.json() == first
        assert http.get(f"/v1/tables/{table}").json()["offset"] == first["offset"]


def test_a_refusal_stands_though_the_table_has_changed(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as socket:
        refused = socket.ask(table, f"{table}-1", type="take_seat", seat=1, player="x")
        assert (refused["reason"], refused["retry"]) == ("seat_taken", False)
        assert socket.ask(table, type="leave", seat=1)["type"] == "accepted"
        again = socket.ask(table, f"{table}-1", type="take_seat", seat=1, player="x")
        assert again["reason"] == "seat_taken"
        socket.send(type="verdict", id=f"{table}-1", table=table)
        assert socket.take("refused")["reason"] == "seat_taken"


def test_an_id_with_another_body_is_a_conflict(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as socket:
        accepted = socket.ask(table, f"{table}-1", type="sit_out", seat=1)
        conflict = socket.ask(table, f"{table}-1", type="sit_out", seat=2)
        assert (conflict["type"], conflict["reason"]) == ("refused", "id_conflict")
        socket.send(type="verdict", id=f"{table}-1", table=table)
        assert socket.take("accepted") == accepted


def test_what_became_of_a_command_nobody_sent_is_unknown(server: ServerProcess, codec: str) -> None:
    table = server.open_table(1)
    with server.socket(codec=codec) as socket:
        socket.send(type="verdict", id="never", table=table)
        assert socket.next() == {"type": "unknown", "id": "never", "table": table}


def test_of_two_that_expect_the_same_table_one_is_stale(server: ServerProcess, codec: str) -> None:
    table = server.open_table()
    with server.socket(codec=codec) as one, server.socket(codec=codec) as other:
        at = one.subscribe(table)
        expected = [at["epoch"], at["offset"]]
        for seat, socket in enumerate((one, other), start=1):
            socket.send(
                type="command",
                id=f"{table}-{seat}",
                table=table,
                command={"type": "sit_out", "seat": seat},
                expected=expected,
            )
        verdicts = [one.verdict_of(f"{table}-1"), other.verdict_of(f"{table}-2")]
    assert sorted(verdict["type"] for verdict in verdicts) == ["accepted", "refused"]
    refused = next(verdict for verdict in verdicts if verdict["type"] == "refused")
    assert (refused["reason"], refused["retry"]) == ("stale", True)
    assert refused["offset"] == at["offset"] + 1


def test_rivals_without_expectation_each_get_an_offset_of_their_own(server: ServerProcess) -> None:
    table = server.open_table(0)
    sockets = [server.socket(codec=codec) for codec in ("json", "msgpack", "json")]
    for number in range(10):
        for rival, socket in enumerate(sockets):
            command = {"type": "join_list", "player": f"w{rival}-{number}"}
            name = f"{table}-{rival}-{number}"
            socket.send(type="command", id=name, table=table, command=command)
    offsets = [
        socket.verdict_of(f"{table}-{rival}-{number}")["offset"]
        for rival, socket in enumerate(sockets)
        for number in range(10)
    ]
    for socket in sockets:
        socket.close()
    assert sorted(offsets) == list(range(2, 32))


def test_a_command_after_its_deadline_is_late(server: ServerProcess, codec: str) -> None:
    table = server.open_table(1)
    with server.socket(codec=codec) as socket:
        for when, kind in (
            (socket.welcome["now_ms"] - 1, "refused"),
            (socket.welcome["now_ms"] + 3_600_000, "accepted"),
        ):
            socket.send(
                type="command",
                id=f"{table}-{when}",
                table=table,
                command={"type": "sit_out", "seat": 1},
                deadline_ms=when,
            )
            verdict = socket.verdict_of(f"{table}-{when}")
            assert verdict["type"] == kind
            assert kind == "accepted" or verdict["reason"] == "late"


def test_a_refusal_names_its_rule_and_its_params(server: ServerProcess, codec: str) -> None:
    table = server.open_table(3, house={"straddles": False})
    with server.socket(codec=codec) as socket:
        assert socket.ask(table, type="start_game", button=1)["type"] == "accepted"
        refused = socket.ask(table, type="straddle", seat=1)
    assert (refused["reason"], refused["rule"]) == ("not_allowed", "straddles-sleepers")


def test_an_undo_takes_back_the_last_command_by_a_new_offset(server: ServerProcess) -> None:
    table = server.open_table()
    with server.socket() as socket:
        before = socket.subscribe(table)["view"]
        done = socket.ask(table, type="sit_out", seat=1)
        wrong = socket.ask(table, type="undo", offset=done["offset"] - 1)
        assert wrong["reason"] == "stale"
        undone = socket.ask(table, type="undo", offset=done["offset"])
        assert undone["offset"] == done["offset"] + 1
        with server.socket() as fresh:
            assert fresh.subscribe(table)["view"]["seats"] == before["seats"]


def test_open_table_by_socket_makes_up_an_id(server: ServerProcess, codec: str) -> None:
    command = {"type": "open_table", "name": "N", "seats": 4, "rules": "robert"}
    command |= {"stakes": {"small": 1, "big": 2}}
    with server.socket(codec=codec) as socket:
        socket.send(type="command", id=f"open-{codec}", table="", command=command)
        verdict = socket.next()
        assert verdict["type"] in ("accepted", "refused")
        if verdict["type"] == "refused":
            socket.send(type="command", id=f"open-{codec}-2", command=command)
            verdict = socket.next()
        assert verdict["type"] == "accepted", verdict
        assert socket.subscribe(verdict["table"])["view"]["rules"] == "robert"
