"""The HTTP door."""

import asyncio
from typing import Any

import httpx
import pytest

from livebutton.gateway import door
from livebutton.gateway.limits import Limits, Rate
from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import HANG_LIMIT_S, OPEN_TABLE, raw, served, until


async def test_a_table_is_opened_listed_shown_and_commanded(caller: Caller) -> None:
    opened = await caller.ask("POST", "/v1/tables", {**OPEN_TABLE, "table": "t7"})
    assert opened.status_code == 201
    assert opened.headers["location"] == "/v1/tables/t7"
    body = {"type": "take_seat", "seat": 4, "player": "dan"}
    accepted = await caller.ask("POST", "/v1/tables/t7/commands", body)
    assert (accepted.status_code, accepted.json()["offset"]) == (200, 2)
    body = {"command": {**body, "seat": 5, "player": "eve"}, "expected": ["x", 1]}
    is_problem(await caller.ask("POST", "/v1/tables/t7/commands", body), 409, "stale")
    listed = (await caller.ask("GET", "/v1/tables", role="display")).json()["tables"]
    assert [(table["table"], table["seated"], table["offset"]) for table in listed] == [
        ("t7", 1, 2)
    ]
    shown = await caller.ask("GET", "/v1/tables/t7", role="display")
    assert shown.json()["view"]["seats"]["4"]["player"] == "dan"
    assert "allowed" not in shown.json()["view"]
    assert "allowed" in (await caller.ask("GET", "/v1/tables/t7")).json()["view"]


@pytest.mark.parametrize("table", ["a?b", "a#b", "%41", "x y", "ä", "a;b", "..."])
async def test_where_a_table_was_opened_is_where_it_is_found(caller: Caller, table: str) -> None:
    opened = await caller.ask("POST", "/v1/tables", {**OPEN_TABLE, "table": table})
    assert opened.status_code == 201
    found = await caller.ask("GET", opened.headers["location"])
    assert (found.status_code, found.json()["table"]) == (200, table)


@pytest.mark.parametrize("name", ["a/b", "/", ".", ".."])
async def test_a_name_that_no_path_can_have_is_no_tables_and_no_rooms(
    caller: Caller, name: str
) -> None:
    for named in ({"table": name}, {"table": "t7", "room": name}):
        answer = await caller.ask("POST", "/v1/tables", {**OPEN_TABLE, **named})
        is_problem(answer, 422, "bad_fields")
    assert (await caller.ask("GET", "/v1/tables")).json()["tables"] == []


@pytest.mark.parametrize("body", [None, {}, {"seat": 4}, {"type": None}, {"command": {}}])
async def test_a_command_without_a_type_is_told_what_it_lacks(caller: Caller, body: Any) -> None:
    await caller.server.open_table()
    found = is_problem(
        await caller.ask("POST", "/v1/tables/t7/commands", body), 422, "unknown_command"
    )
    assert found["detail"] == "a command needs a `type`, which is a text"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/tables", {"GET", "HEAD", "POST"}),
        ("DELETE", "/v1/tables/t7", {"GET", "HEAD"}),
        ("GET", "/v1/tables/t7/commands", {"POST"}),
        ("GET", "/v1/tokens", {"POST", "DELETE"}),
        ("PUT", "/v1/pairings", {"GET", "HEAD", "POST"}),
        ("PUT", "/v1/pairings/ABCDEF", {"GET", "HEAD", "POST"}),
    ],
)
async def test_a_wrong_method_is_told_of_the_right_ones(
    caller: Caller, method: str, path: str, allowed: set[str]
) -> None:
    answer = await caller.ask(method, path)
    is_problem(answer, 405, "wrong_method")
    assert set(answer.headers["allow"].split(", ")) == allowed


async def test_a_head_is_answered_as_a_get_without_its_body(caller: Caller) -> None:
    answer = await caller.ask("HEAD", "/v1/tables")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_the_websocket_says_that_it_is_one(caller: Caller) -> None:
    answer = await caller.ask("GET", "/v1/ws", role=None)
    found = is_problem(answer, 426, "upgrade")
    assert "livebutton.v1.json" in found["detail"]
    assert answer.headers["upgrade"] == "websocket"


async def test_a_picture_that_has_not_changed_is_not_sent_again(caller: Caller) -> None:
    await caller.server.open_table()
    first = await caller.ask("GET", "/v1/tables/t7")
    headers = {"If-None-Match": first.headers["etag"]}
    assert (await caller.ask("GET", "/v1/tables/t7", headers=headers)).status_code == 304
    public = await caller.ask("GET", "/v1/tables/t7", headers=headers, role="display")
    assert public.status_code == 200
    await caller.server.command("t7", type="take_seat", seat=1, player="ann")
    assert (await caller.ask("GET", "/v1/tables/t7", headers=headers)).status_code == 200


async def test_an_idempotency_key_acts_once(caller: Caller) -> None:
    key = {"Idempotency-Key": "k-1"}
    first = await caller.ask("POST", "/v1/tables", OPEN_TABLE, headers=key)
    again = await caller.ask("POST", "/v1/tables", OPEN_TABLE, headers=key)
    assert first.status_code == 201
    assert again.json() == first.json()
    other = {**OPEN_TABLE, "name": "Another"}
    is_problem(await caller.ask("POST", "/v1/tables", other, headers=key), 409, "id_conflict")
    assert len((await caller.ask("GET", "/v1/tables")).json()["tables"]) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "shout"}, 422, "unknown_command"),
        ({"type": "take_seat"}, 422, "bad_fields"),
        ({"type": "take_seat", "seat": 77, "player": "x"}, 404, "no_seat"),
        ({"type": "leave", "seat": 1}, 409, "seat_empty"),
        ({"command": {"type": "deal"}, "hat": 1}, 422, "bad_fields"),
        ({"command": {"type": "deal"}, "deadline_ms": 1}, 409, "late"),
        ([], 422, "bad_fields"),
        ("deal", 422, "bad_fields"),
        ({"type": "take_seat", "seat": 2**60, "player": "x"}, 422, "bad_fields"),
        ({"type": "take_seat", "seat": 1, "player": "x", "name": "a\nb"}, 422, "bad_fields"),
        ({"type": "join_list", "player": "\x1b[2J"}, 422, "bad_fields"),
        ({"type": "set_stakes", "stakes": {"blinds": []}}, 422, "bad_fields"),
    ],
)
async def test_a_command_that_cannot_be_is_a_problem_and_changes_nothing(
    caller: Caller, body: Any, status: int, code: str
) -> None:
    await caller.server.open_table()
    is_problem(await caller.ask("POST", "/v1/tables/t7/commands", body), status, code)
    assert (await caller.ask("GET", "/v1/tables/t7")).json()["offset"] == 1


async def test_a_refusal_carries_its_rule_and_where_the_table_stands(caller: Caller) -> None:
    await caller.server.play()
    body = {"type": "change_seat", "seat": 1, "to": 5}
    found = is_problem(await caller.ask("POST", "/v1/tables/t7/commands", body), 409, "wrong_phase")
    assert found["reason"] == "wrong_phase"
    assert found["table"] == "t7"
    assert found["offset"] == 6


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/tables/nowhere", 404, "no_table"),
        ("GET", "/v1/tables/a%7Bb%7D", 404, "no_table"),
        ("GET", "/v1/tables/" + "x" * 200, 404, "no_table"),
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/nothing", 404, "not_found"),
        ("PUT", "/v1/tables", 405, "wrong_method"),
        ("GET", "/v1/tables/t7/events?after=x", 422, "bad_fields"),
        ("GET", "/v1/tables/t7/events?after=-1", 422, "bad_fields"),
        ("GET", "/v1/tables/t7/events?limit=0", 422, "bad_fields"),
        ("GET", "/v1/tables/t7/hands?limit=0", 422, "bad_fields"),
        ("GET", "/v1/tables/t7/events?wait_s=9999", 422, "bad_fields"),
        ("GET", "/v1/tables/t7/events?after=99", 410, "gone"),
        ("GET", "/v1/tables/t7/events?epoch=other", 410, "gone"),
    ],
)
async def test_what_is_not_there_is_a_problem(
    caller: Caller, method: str, path: str, status: int, code: str
) -> None:
    await caller.server.open_table()
    is_problem(await caller.ask(method, path), status, code)


async def test_a_body_that_is_not_json_or_too_large_is_refused(caller: Caller) -> None:
    headers = {"Authorization": f"Bearer {caller.server.token()}"}
    async with httpx.AsyncClient(
        base_url=caller.server.url, trust_env=False, timeout=HANG_LIMIT_S
    ) as http:
        for content, status, code in (
            (b"{", 400, "not_json"),
            (b"\xff", 400, "not_json"),
            (b"[" * 50_000, 400, "not_json"),
            (b" " * 70_000, 413, "too_large"),
        ):
            answer = await http.post("/v1/tables", content=content, headers=headers)
            is_problem(answer, status, code)


async def test_a_body_that_does_not_come_is_waited_for_a_while_only(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "BODY_LIMIT_S", 0.1)

    head = (
        f"POST /v1/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n"
        f"Authorization: Bearer {caller.server.token()}\r\n\r\n"
    )
    reader, writer = await raw(caller.server.port, head.encode() + b'{"type":')
    try:
        async with asyncio.timeout(HANG_LIMIT_S):
            answer = await reader.readuntil(b"}")
    finally:
        writer.close()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"too_slow","retry":true' in answer


async def test_a_caller_who_hangs_up_amid_a_body_is_no_fault_of_ours(caller: Caller) -> None:
    head = (
        f"POST /v1/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n"
        f"Authorization: Bearer {caller.server.token()}\r\n\r\n"
    )
    answers = caller.server.gateway.metrics.http_answers
    _, writer = await raw(caller.server.port, head.encode() + b'{"type":')
    writer.close()

    def counted(status: str) -> float:
        return float(answers.labels(status)._value.get())

    await until(lambda: counted("408") + counted("500") == 1, "it is noticed")
    assert counted("500") == 0


@pytest.mark.parametrize("header", [None, "", "Basic eA==", "Bearer", "Bearer x", "Bearer a.b.c"])
async def test_without_a_valid_token_there_is_nothing_to_see(
    caller: Caller, header: str | None
) -> None:
    await caller.server.open_table()
    headers = {} if header is None else {"Authorization": header}
    for method, path in (("GET", "/v1/tables"), ("POST", "/v1/tokens"), ("GET", "/v1/tables/t7")):
        answer = await caller.ask(method, path, role=None, headers=headers)
        is_problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_is_good_only_within_its_scope(caller: Caller) -> None:
    await caller.server.open_table("t7", room="west")
    east = {"room": "east"}
    is_problem(await caller.ask("GET", "/v1/tables/t7", **east), 403, "forbidden")
    is_problem(await caller.ask("GET", "/v1/tables/t7", tables=("t8",)), 403, "forbidden")
    is_problem(await caller.ask("GET", "/v1/tables?room=west", **east), 403, "forbidden")
    is_problem(await caller.ask("GET", "/v1/rooms/west/waiting", **east), 403, "forbidden")
    deal = {"type": "deal"}
    for scope in (east, {"tables": ("t8",)}, {"role": "display"}):
        answer = await caller.ask("POST", "/v1/tables/t7/commands", deal, **scope)
        is_problem(answer, 403, "forbidden")
    assert (await caller.ask("GET", "/v1/tables", **east)).json() == {"tables": []}
    body = {**OPEN_TABLE, "room": "west"}
    is_problem(await caller.ask("POST", "/v1/tables", body, **east), 403, "forbidden")
    opened = await caller.ask("POST", "/v1/tables", OPEN_TABLE, **east)
    assert opened.status_code == 201
    listed = (await caller.ask("GET", "/v1/tables", **east)).json()["tables"]
    assert [table["table"] for table in listed] == [opened.json()["table"]]


async def test_events_are_read_on_from_a_position_and_waited_for(caller: Caller) -> None:
    await caller.server.open_table()
    first = (await caller.ask("GET", "/v1/tables/t7/events")).json()
    assert [entry["offset"] for entry in first["entries"]] == [1]
    path = f"/v1/tables/t7/events?epoch={first['epoch']}&after=1&wait_s=20"
    waiting = asyncio.create_task(caller.ask("GET", path, role="display"))
    await asyncio.sleep(0)
    await caller.server.command("t7", type="take_seat", seat=1, player="ann", stack=300)
    told = (await waiting).json()["entries"]
    assert [entry["offset"] for entry in told] == [2]
    assert told[0]["events"][0]["type"] == "seat_taken"
    assert "stack" not in told[0]["events"][0]
    assert "command" not in told[0]
    staff = (await caller.ask("GET", "/v1/tables/t7/events?after=1")).json()["entries"]
    assert staff[0]["command"]["stack"] == 300
    assert staff[0]["role"] == "floor"
    empty = await caller.ask("GET", "/v1/tables/t7/events?after=2")
    assert empty.json()["entries"] == []


async def test_who_waits_for_events_is_answered_when_the_server_stops(caller: Caller) -> None:
    await caller.server.open_table()
    path = "/v1/tables/t7/events?after=1&wait_s=30"
    waiting = asyncio.create_task(caller.ask("GET", path))
    gateway = caller.server.gateway
    await until(lambda: gateway.movers.waiting_count == 1, "it waits")
    await gateway.drain(5)
    # At once, or the stopping server would wait for it, and then tear it off.
    answer = await waiting
    assert (answer.status_code, answer.json()["entries"]) == (200, [])
    assert (await caller.ask("GET", path)).json()["entries"] == []


async def test_hands_tell_who_was_there_and_what_was_posted(caller: Caller) -> None:
    await caller.server.play()
    await caller.server.command("t7", type="end_hand")
    await caller.server.command("t7", type="deal")
    page = (await caller.ask("GET", "/v1/tables/t7/hands")).json()
    assert [(hand["hand"], hand.get("end")) for hand in page["hands"]] == [(1, "ended"), (2, None)]
    first = page["hands"][0]
    assert first["players"]["1"] == {"player": "ann", "name": "ann", "stack": 500}
    assert {(post["kind"], post["live"]) for post in first["plan"]["posts"]} == {
        ("small", 5),
        ("big", 10),
    }
    await caller.server.command("t7", type="misdeal")
    rest = await caller.ask("GET", f"/v1/tables/t7/hands?after={page['next_after']}")
    assert [(hand["hand"], hand["end"]) for hand in rest.json()["hands"]] == [(2, "misdealt")]
    is_problem(await caller.ask("GET", "/v1/tables/t7/hands", role="display"), 403, "forbidden")


async def test_a_room_has_one_waiting_list(caller: Caller) -> None:
    for table in ("t7", "t8"):
        await caller.server.open_table(table, room="west")
        await caller.server.command(table, type="join_list", player="gus")
    await caller.server.command("t8", type="join_list", player="jo")
    waiting = (await caller.ask("GET", "/v1/rooms/west/waiting")).json()["waiting"]
    assert [(entry["player"], len(entry["games"])) for entry in waiting] == [("gus", 2), ("jo", 1)]
    assert waiting[1]["games"][0]["place"] == 2
    gus, jo = (entry["joined_ms"] for entry in waiting)
    assert 0 < gus == waiting[0]["games"][0]["joined_ms"] <= jo


async def test_limits_are_by_credential_and_say_when_to_come_back() -> None:
    limits = Limits({"floor": Rate(0.001, 2), "display": Rate(0.001, 2)})
    async with (
        served(limits=limits) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=HANG_LIMIT_S) as http,
    ):
        caller = Caller(server, http)
        one, other = server.token(), server.token()
        for _ in range(2):
            assert (await caller.ask("GET", "/v1/tables", token=one)).status_code == 200
        refused = await caller.ask("GET", "/v1/tables", token=one)
        assert is_problem(refused, 429, "too_many")["retry"] is True
        assert refused.headers["retry-after"]
        assert (await caller.ask("GET", "/v1/tables", token=other)).status_code == 200


async def test_strangers_are_limited_by_address(caller: Caller) -> None:
    # However long these take, no time passes in which a stranger earns another.
    now_s = caller.server.gateway.tick_s()
    caller.server.gateway.tick_s = lambda: now_s
    answers = [await caller.ask("GET", "/v1/tables", role=None) for _ in range(80)]
    assert {answer.status_code for answer in answers} == {401, 429}
    assert (await caller.ask("GET", "/v1/tables")).status_code == 200


async def test_health_and_metrics_need_no_token(caller: Caller) -> None:
    await caller.server.open_table()
    assert (await caller.ask("GET", "/health/live", role=None)).json() == {"status": "alive"}
    assert (await caller.ask("GET", "/health/ready", role=None)).json() == {"status": "ready"}
    metrics = (await caller.ask("GET", "/metrics", role=None)).text
    assert 'livebutton_commands_total{verdict="accepted"} 1.0' in metrics
    assert "livebutton_ready 1.0" in metrics


async def test_readiness_says_why_it_is_red(caller: Caller) -> None:
    caller.server.gateway.is_draining = True
    answer = await caller.ask("GET", "/health/ready", role=None)
    assert (answer.status_code, answer.json()["reason"]) == (503, "draining")


async def test_a_request_that_drips_in_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("livebutton.gateway.listener.HttpConnection.head_limit_s", 0.2)
    async with served() as server:
        for start in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            reader, writer = await raw(server.port, start)
            async with asyncio.timeout(HANG_LIMIT_S):
                data = b"x"
                while data:
                    try:
                        data = await reader.read(100)
                    except ConnectionResetError:
                        break
            writer.close()
        counted = server.gateway.metrics.bad_input.labels("slow_request")._value
        await until(lambda: counted.get() == 2, "both are counted")
