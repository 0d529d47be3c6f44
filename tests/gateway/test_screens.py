"""The floor's hand on screens: named, set up, told to reload, on whichever process they are."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from livebutton.gateway.gateway import Bounds
from livebutton.store.memory_store import MemoryShelves
from livebutton.store.redis_store import RedisStore
from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import HANG_LIMIT_S, Client, Served, served
from tests.servers import ValkeyProcess

QUICK = Bounds(heartbeat_s=0.1, room_s=0.1)
RAIL = {"table": "t7", "size": "l", "theme": "light", "rotate": 4, "names": False, "chime": True}


async def ask(
    server: Served, method: str, path: str, body: Any = None, role: Any = "floor", **scope: Any
) -> httpx.Response:
    async with httpx.AsyncClient(
        base_url=server.url, timeout=HANG_LIMIT_S, trust_env=False
    ) as http:
        return await Caller(server, http).ask(method, path, body, role=role, **scope)


async def screen(server: Served, **scope: Any) -> tuple[Client, str]:
    """A connected display, and the id of its token."""
    token, credential = server.signer.mint("display", ttl_s=600, **scope)
    client = await server.connect()
    await client.hello(token)
    return client, credential.id


async def said_until_now(client: Client) -> list[str]:
    """The types of what it was told before the answer to a ping, heartbeats left out."""
    await client.say(type="subscribe", table="nowhere")
    said = []
    while not said or said[-1] != "error":
        said.append((await client.hear())["type"])
    return said[:-1]


@pytest_asyncio.fixture
async def two() -> AsyncIterator[tuple[Served, Served]]:
    """Two processes of one room."""
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as other,
    ):
        yield one, other


# ── reload ───────────────────────────────────────────────────────────────────────────────────


async def test_every_screen_of_a_token_is_told_to_reload_once_wherever_it_is(
    two: tuple[Served, Served],
) -> None:
    one, other = two
    token, credential = one.signer.mint("display", ttl_s=600, room="west")
    here, there, later = await one.connect(), await other.connect("msgpack"), await other.connect()
    stranger, _ = await screen(other, room="west")
    await here.hello(token)
    await there.hello(one.signer.renew(credential)[0])
    path = f"/v1/tokens/{credential.id}/reload"
    assert (await ask(one, "POST", path, room="west")).status_code == 204
    assert await here.hear() == {"type": "reload"}
    assert await there.hear() == {"type": "reload"}
    # Once: neither an echo of the news nor a later look at a shelf tells anybody again.
    await later.hello(token)
    for client in (here, there, later, stranger):
        assert await said_until_now(client) == []


async def test_a_screen_of_another_process_alone_is_told_and_that_is_known(
    two: tuple[Served, Served],
) -> None:
    one, other = two
    display, token_id = await screen(other, room="west")
    answer = await ask(one, "POST", f"/v1/tokens/{token_id}/reload", role="backend", room="west")
    assert answer.status_code == 204
    assert await display.hear() == {"type": "reload"}


@pytest.mark.parametrize("role", ["display", "dealer"])
async def test_only_floor_and_backend_reload_screens(caller: Caller, role: str) -> None:
    display, token_id = await screen(caller.server)
    answer = await caller.ask("POST", f"/v1/tokens/{token_id}/reload", role=role)
    is_problem(answer, 403, "forbidden")
    assert await said_until_now(display) == []


async def test_who_is_not_there_cannot_be_reloaded(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livebutton.gateway.rooms.RELOAD_LIMIT_S", 0.05)
    gone, token_id = await screen(caller.server, room="west")
    elsewhere, other_id = await screen(caller.server, room="east")
    await gone.connection.close()
    for unknown in (token_id, other_id, "never-made"):
        path = f"/v1/tokens/{unknown}/reload"
        problem = is_problem(await caller.ask("POST", path, room="west"), 409, "not_connected")
        assert problem["retry"] is True
    is_problem(await caller.ask("POST", f"/v1/tokens/{'x' * 129}/reload"), 404, "not_found")
    is_problem(await caller.ask("GET", f"/v1/tokens/{token_id}/reload"), 405, "wrong_method")
    assert await said_until_now(elsewhere) == []


async def test_only_so_many_reloads_are_waited_for(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livebutton.gateway.rooms.RELOAD_LIMIT_S", HANG_LIMIT_S)
    monkeypatch.setattr("livebutton.gateway.rooms.MAX_RELOADS", 1)
    waiting = asyncio.create_task(caller.ask("POST", "/v1/tokens/nobody/reload"))
    rooms = caller.server.gateway.rooms
    while not rooms._reloads:  # noqa: ASYNC110 - a task of the server's fills it
        await asyncio.sleep(0.005)
    problem = is_problem(await caller.ask("POST", "/v1/tokens/nobody/reload"), 429, "too_many")
    assert problem["retry"] is True
    next(iter(rooms._reloads.values())).set_result(None)
    assert (await waiting).status_code == 204
    assert rooms._reloads == {}


# ── set-up ───────────────────────────────────────────────────────────────────────────────────


async def test_a_display_is_set_up_now_and_whenever_it_comes_again(
    two: tuple[Served, Served],
) -> None:
    one, other = two
    token, credential = other.signer.mint("display", ttl_s=600, room="west", name="Rail")
    display = await other.connect()
    await display.hello(token)
    path = f"/v1/tokens/{credential.id}"
    assert (await ask(one, "PATCH", path, {"setup": RAIL}, room="west")).status_code == 204
    assert await display.hear() == {"type": "setup", "setup": RAIL}
    await display.connection.close()
    for server in (one, other):
        again = await server.connect()
        await again.hello(other.signer.renew(credential)[0])
        assert await again.hear() == {"type": "setup", "setup": RAIL}
        await again.connection.close()
    floor = await one.client("floor", room="west")
    assert await said_until_now(floor) == []
    await floor.say(type="subscribe", room="west")
    display = await one.connect()
    await display.hello(token)
    seen: dict[str, Any] = {}
    while "Rail" not in seen:
        seen = {each["name"]: each for each in (await floor.hear("room"))["screens"]}
    assert seen["Rail"]["setup"] == RAIL
    # Named in the same breath; what is left out of a set-up is left to its address again.
    both = {"name": "Door", "setup": {"size": "s"}}
    assert (await ask(one, "PATCH", path, both)).status_code == 204
    while "Door" not in seen:
        seen = {each["name"]: each for each in (await floor.hear("room"))["screens"]}
    assert seen["Door"]["setup"] == {"size": "s"}
    assert (await ask(other, "PATCH", path, {"setup": {}})).status_code == 204
    heard = [await display.hear() for _ in range(3)]
    assert [each["setup"] for each in heard] == [RAIL, {"size": "s"}, {}]
    late = await other.connect()
    await late.hello(token)
    assert await said_until_now(late) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"setup": {"size": "xl"}},
        {"setup": {"table": ""}},
        {"setup": {"theme": ""}},
        {"setup": {"rotate": -1}},
        {"setup": {"rotate": 2.5}},
        {"setup": {"names": "off"}},
        {"setup": {"colour": "red"}},
        {"setup": None},
        {"setup": RAIL, "name": "two\nlines"},
        {"name": "\x1b[2J"},
        {"name": "x" * 129},
    ],
)
async def test_a_wrong_set_up_or_name_is_refused_and_changes_nothing(
    caller: Caller, body: dict[str, Any]
) -> None:
    display, token_id = await screen(caller.server)
    is_problem(await caller.ask("PATCH", f"/v1/tokens/{token_id}", body), 422, "bad_fields")
    is_problem(
        await caller.ask("PATCH", f"/v1/tokens/{token_id}", {"setup": RAIL}, role="dealer"),
        403,
        "forbidden",
    )
    assert caller.server.gateway.rooms.setups.of(token_id) is None
    assert await said_until_now(display) == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/tokens", {"role": "display", "name": "\x07"}),
        ("POST", "/v1/pairings", {"name": "two\nlines"}),
    ],
)
async def test_no_screen_gets_a_name_that_cannot_be_printed(
    caller: Caller, method: str, path: str, body: dict[str, Any]
) -> None:
    is_problem(await caller.ask(method, path, body), 422, "bad_fields")


async def test_what_is_done_to_screens_is_in_the_log_with_who_did_it(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "livebutton.gateway.tokens_http")
    _, token_id = await screen(caller.server)
    by: dict[str, Any] = {"name": "Fay"}
    await caller.ask("PATCH", f"/v1/tokens/{token_id}", {"name": "Rail", "setup": RAIL}, **by)
    await caller.ask("POST", f"/v1/tokens/{token_id}/reload", **by)
    await caller.ask("DELETE", "/v1/tokens", {"id": token_id}, **by)
    told = [(each.getMessage(), vars(each)["client"]) for each in caplog.records]
    assert told == [
        ("a screen was named", "floor:Fay"),
        ("a screen was set up", "floor:Fay"),
        ("a screen was told to reload", "floor:Fay"),
        ("a token was taken back", "floor:Fay"),
    ]
    assert {vars(each)["token_id"] for each in caplog.records} == {token_id}


# ── at a real Valkey ─────────────────────────────────────────────────────────────────────────


@pytest.mark.real
async def test_at_a_real_valkey_two_processes_reload_and_set_up_each_others_screens(
    shared_valkey: ValkeyProcess,
) -> None:
    url = shared_valkey.url
    async with (
        served(store=RedisStore(url), bounds=QUICK) as one,
        served(store=RedisStore(url), bounds=QUICK) as other,
    ):
        display, token_id = await screen(other, room="west")
        path = f"/v1/tokens/{token_id}"
        assert (await ask(one, "PATCH", path, {"setup": RAIL}, room="west")).status_code == 204
        assert await display.hear() == {"type": "setup", "setup": RAIL}
        assert (await ask(one, "POST", f"{path}/reload", room="west")).status_code == 204
        assert await display.hear() == {"type": "reload"}
    async with served(store=RedisStore(url), bounds=QUICK) as later:
        assert later.gateway.rooms.setups.of(token_id) is not None
