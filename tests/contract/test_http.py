"""Every route, from outside: what it answers, and problem details for what is wrong."""

from typing import Any

import httpx
import pytest

from tests.contract.doors import ServerProcess

pytestmark = pytest.mark.real

OPEN: dict[str, Any] = {"type": "open_table", "name": "N", "seats": 6, "rules": "caro-cooke"}
OPEN |= {"stakes": {"small": 5, "big": 10}}


def problem(reply: httpx.Response, status: int) -> dict[str, Any]:
    """The problem details of a reply that must be one."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"].startswith("application/problem+json")
    body: dict[str, Any] = reply.json()
    assert body["status"] == status
    assert {"type", "title", "detail"} <= set(body)
    return body


def test_health_metrics_and_descriptions_need_no_token(server: ServerProcess) -> None:
    with server.stranger() as http:
        for path in ("/health/live", "/health/ready", "/metrics", "/asyncapi.json"):
            assert http.get(path).status_code == 200, path
        paths = http.get("/openapi.json").json()["paths"]
    assert {
        "/v1/tables",
        "/v1/tables/{table}",
        "/v1/tables/{table}/commands",
        "/v1/tables/{table}/events",
        "/v1/tables/{table}/hands",
        "/v1/rooms/{room}/waiting",
        "/v1/tokens",
        "/v1/pairings",
    } <= set(paths)


def test_each_route_of_a_table_wants_a_token(server: ServerProcess) -> None:
    table = server.open_table(1)
    with server.stranger() as http:
        for path in ("", f"/{table}", f"/{table}/events", f"/{table}/hands"):
            problem(http.get(f"/v1/tables{path}"), 401)
        problem(http.post(f"/v1/tables/{table}/commands", json={"type": "shuffle"}), 401)
        problem(http.get("/v1/rooms/main/waiting"), 401)
        problem(http.post("/v1/tokens", json={"role": "display"}), 401)
        forged = {"Authorization": "Bearer x.y.z"}
        problem(http.get("/v1/tables", headers=forged), 401)


def test_a_table_opened_twice_with_one_key_is_one_table(server: ServerProcess) -> None:
    with server.http() as http:
        key = {"Idempotency-Key": "open-once"}
        first = http.post("/v1/tables", json=OPEN, headers=key)
        assert first.status_code == 201
        assert http.get(first.headers["location"]).json()["offset"] == 1
        assert http.post("/v1/tables", json=OPEN, headers=key).json() == first.json()


def test_a_key_with_another_body_is_a_conflict(server: ServerProcess) -> None:
    table = server.open_table(2)
    with server.http() as http:
        url, key = f"/v1/tables/{table}/commands", {"Idempotency-Key": f"{table}-k"}
        sent = [http.post(url, json={"type": "sit_out", "seat": n}, headers=key) for n in (1, 1, 2)]
        assert sent[0].json() == sent[1].json()
        assert problem(sent[2], 409)["reason"] == "id_conflict"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b'{"type":"fly"}'])
def test_a_body_that_is_no_command_is_a_problem(server: ServerProcess, body: bytes) -> None:
    table = server.open_table(0)
    with server.http() as http:
        reply = http.post(f"/v1/tables/{table}/commands", content=body)
        problem(reply, reply.status_code)
        assert reply.status_code in (400, 422)
        assert http.get(f"/v1/tables/{table}").json()["offset"] == 1


def test_a_body_over_the_limit_is_a_problem(server: ServerProcess) -> None:
    with server.http() as http:
        problem(http.post("/v1/tables", content=b"x" * 200_000), 413)


@pytest.mark.parametrize(
    "fields",
    [
        {"seats": 0},
        {"seats": "6"},
        {"rules": "nonsense"},
        {"stakes": {}},
        {"stakes": {"small": -5, "big": 10}},
        {"house": {"nonsense": 1}},
        {"game": "chess"},
        {"table": "{x}"},
        {"extra": 1},
    ],
)
def test_a_table_with_a_bad_field_is_not_opened(
    server: ServerProcess, fields: dict[str, Any]
) -> None:
    with server.http() as http:
        assert problem(http.post("/v1/tables", json=OPEN | fields), 422)["reason"] == "bad_fields"


def test_what_is_not_there_is_a_problem(server: ServerProcess) -> None:
    with server.http() as http:
        for path in ("", "/events", "/hands"):
            problem(http.get(f"/v1/tables/nowhere{path}"), 404)
        problem(http.post("/v1/tables/nowhere/commands", json={"type": "shuffle"}), 404)
        problem(http.get("/nowhere"), 404)
        problem(http.delete("/v1/tables"), 405)


def test_events_are_read_after_an_offset_of_an_epoch(server: ServerProcess) -> None:
    table = server.open_table(3)
    with server.http() as http:
        url = f"/v1/tables/{table}/events"
        epoch = http.get(f"/v1/tables/{table}").json()["epoch"]
        reply = http.get(url, params={"epoch": epoch, "after": 2})
        assert [entry["offset"] for entry in reply.json()["entries"]] == [3, 4]
        nothing = http.get(url, params={"epoch": epoch, "after": 4, "wait_s": 1})
        assert nothing.json()["entries"] == []
        problem(http.get(url, params={"epoch": "another", "after": 0}), 410)
        for bad in ({"after": "x"}, {"after": -1}, {"wait_s": "x"}):
            problem(http.get(url, params=bad), 422)


def test_hands_list_what_was_dealt(server: ServerProcess) -> None:
    table = server.open_table(3)
    with server.http() as http:
        server.do(http, table, type="start_game", button=1)
        for kind in ("deal", "end_hand", "deal"):
            server.do(http, table, type=kind)
        hands = http.get(f"/v1/tables/{table}/hands").json()["hands"]
    assert len(hands) == 2


def test_the_waiting_list_is_the_rooms(server: ServerProcess) -> None:
    one, other = server.open_table(0, room="wait"), server.open_table(0, room="wait")
    with server.http() as http:
        server.do(http, one, type="join_list", player="w1")
        server.do(http, other, type="join_list", player="w1")
        waiting = http.get("/v1/rooms/wait/waiting").json()["waiting"]
    assert [entry["player"] for entry in waiting] == ["w1"]
    assert {game["table"] for game in waiting[0]["games"]} == {one, other}


def test_a_screen_is_paired_by_a_code_that_the_floor_confirms(server: ServerProcess) -> None:
    table = server.open_table(1)
    with server.stranger() as screen, server.http() as floor:
        made = screen.post("/v1/pairings", json={"name": "wall"}).json()
        secret = {"Authorization": f"Bearer {made['secret']}"}
        url = f"/v1/pairings/{made['code']}"
        problem(screen.get(url), 401)
        assert "token" not in screen.get(url, headers=secret).json()
        problem(screen.post(url, json={"role": "floor"}), 401)
        asked = {"role": "display", "tables": [table]}
        assert floor.post(url, json=asked).is_success
        token = screen.get(url, headers=secret).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        assert screen.get(f"/v1/tables/{table}", headers=bearer).status_code == 200
