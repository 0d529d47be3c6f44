"""Sessions over time: scopes, expiry, refresh, revocation, limits, slow readers, two processes."""

from typing import Any

import pytest

from livebutton.gateway.auth import Signer
from livebutton.gateway.gateway import Bounds
from livebutton.gateway.limits import Limits, Rate
from livebutton.store.memory_store import MemoryShelves
from livebutton.tables.clock import SystemClock
from tests.gateway.doors import (
    OPEN_TABLE,
    SECRET,
    served,
    until,
)

QUICK = Bounds(heartbeat_s=0.1, room_s=0.1)


class AheadClock(SystemClock):
    """The system's clock, put forward as a test pleases."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms


@pytest.mark.parametrize(
    ("role", "scope", "command"),
    [
        ("display", {}, {"type": "deal"}),
        ("player", {"tables": ("t7",), "seat": 1}, {"type": "sit_out", "seat": 2}),
        ("player", {"tables": ("t7",), "seat": 1}, {"type": "deal"}),
        ("dealer", {"tables": ("t8",)}, {"type": "deal"}),
        ("dealer", {}, {"type": "set_stakes", "stakes": {"small": 1, "big": 2}}),
        ("dealer", {"room": "east"}, {"type": "end_hand"}),
        ("dealer", {}, {"type": "correct_button", "button": 2}),
        ("floor", {"room": "east"}, {"type": "end_hand"}),
        ("backend", {"room": "east"}, {"type": "end_hand"}),
        ("backend", {"room": "east"}, {**OPEN_TABLE, "room": "west"}),
    ],
)
async def test_what_a_role_may_not_is_forbidden_and_changes_nothing(
    role: Any, scope: dict[str, Any], command: dict[str, Any]
) -> None:
    async with served() as server:
        await server.play(room="west")
        before = server.gateway.registry.peek("t7")
        client = await server.client(role, **scope)
        refused = await client.command("t7", command)
        assert (refused["type"], refused["reason"]) == ("refused", "forbidden")
        assert server.gateway.registry.peek("t7") == before
        assert await server.gateway.registry.tables() == ["t7"]


async def test_a_player_acts_for_his_own_seat_and_sees_his_own_choices() -> None:
    async with served() as server:
        await server.play()
        client = await server.client("player", tables=("t7",), seat=2)
        view = (await client.subscribe("t7"))[0]["view"]
        assert {entry["seat"] for entry in view["own"]["allowed"]} == {2}
        assert "allowed" not in view
        accepted = await client.command("t7", {"type": "sit_out", "seat": 2})
        assert accepted["type"] == "accepted"


@pytest.mark.parametrize(
    ("scope", "table"), [({"room": "east"}, "t7"), ({"tables": ("t8",)}, "t7")]
)
async def test_a_table_out_of_scope_is_not_shown(scope: dict[str, Any], table: str) -> None:
    async with served() as server:
        await server.open_table(room="west")
        client = await server.client("display", **scope)
        heard = await client.subscribe("t7")
        assert [(m["type"], m["code"], m["table"]) for m in heard] == [("error", "forbidden", "t7")]
        assert server.gateway.hub.watcher_count == 0


async def test_the_rooms_picture_is_for_its_staff_and_says_who_is_connected() -> None:
    async with served(bounds=QUICK) as server:
        await server.play(room="west")
        display = await server.connect()
        await display.hello(server.token("display", tables=("t7",), name="Rail"), "table/1.2")
        await display.subscribe("t7")
        await display.say(type="subscribe", room="west")
        assert (await display.hear())["code"] == "forbidden"
        floor = await server.client("floor", room="west")
        await floor.say(type="subscribe", room="east")
        assert (await floor.hear())["code"] == "forbidden"
        await floor.say(type="subscribe", room="west")
        picture = await floor.hear("room")
        (table,) = picture["tables"]
        assert (table["table"], table["phase"], table["seated"]) == ("t7", "in_hand", 3)
        (screen,) = [each for each in picture["screens"] if each["name"] == "Rail"]
        assert (screen["role"], screen["table"], screen["version"]) == ("display", "t7", "1.2")
        assert screen["position"] == [table["epoch"], table["offset"]]
        await server.command("t7", type="join_list", player="gus")
        while not picture["waiting"]:
            picture = await floor.hear("room")
        assert picture["waiting"][0]["player"] == "gus"
        await server.open_table("t8", room="west")
        while len(picture["tables"]) < 2:
            picture = await floor.hear("room")


async def test_heartbeats_say_where_quiet_tables_stand() -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table()
        await server.open_table("t8")
        client = await server.client("display")
        for table in ("t7", "t8"):
            await client.subscribe(table)
        beat = await client.hear("heartbeat")
        while len(beat["tables"]) < 2:
            beat = await client.hear("heartbeat")
        assert [beat["tables"][table][1] for table in ("t7", "t8")] == [1, 1]


async def test_heartbeats_prove_nothing_while_the_store_is_not_heard() -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table()
        client = await server.client("display")
        await client.subscribe("t7")
        registry = server.gateway.registry
        registry.ready = lambda: (False, "deaf")  # type: ignore[method-assign]
        beat = await client.hear("heartbeat")
        while beat["tables"]:
            beat = await client.hear("heartbeat")


async def test_a_token_that_expires_ends_the_socket_and_commands_before_that() -> None:
    clock = AheadClock()
    async with served(bounds=QUICK, clock=clock) as server:
        await server.open_table()
        watching, commanding = await server.client("display"), await server.client("floor")
        await watching.subscribe("t7")
        clock.ahead_ms = 601_000
        await commanding.say(type="command", id="late", table="t7", command={"type": "close_table"})
        assert (await commanding.closed())[0] == 4001
        assert (await watching.closed())[0] == 4001
        at = server.gateway.registry.peek("t7")
        assert at is not None
        assert at.position.offset == 1


async def test_a_refreshed_token_keeps_the_socket_without_a_gap() -> None:
    clock = AheadClock()
    async with served(bounds=QUICK, clock=clock) as server:
        await server.open_table()
        client = await server.client("display")
        await client.subscribe("t7")
        newer, newer_one = server.signer.mint("display", ttl_s=10_000)
        await client.say(type="refresh", token=newer)
        (socket,) = server.gateway.hub.clients
        await until(lambda: socket.credential == newer_one, "the newer token holds")
        clock.ahead_ms = 601_000
        await server.command("t7", type="take_seat", seat=1, player="ann")
        assert (await client.hear("delta"))["offset"] == 2
        beat = await client.hear("heartbeat")
        # A canary that is late on a loaded machine makes a heartbeat say nothing.
        while not beat["tables"]:
            beat = await client.hear("heartbeat")
        assert beat["tables"]["t7"][1] == 2


@pytest.mark.parametrize("kind", ["forged", "expired", "garbage"])
@pytest.mark.parametrize("where", ["hello", "refresh"])
async def test_a_token_that_is_not_ours_closes_with_4001(kind: str, where: str) -> None:
    async with served() as server:
        foreign = Signer(b"the secret of some other server here", lambda: 2e9)
        past = Signer(SECRET, lambda: 1_000.0)
        token = {
            "forged": foreign.mint("floor", ttl_s=60)[0],
            "expired": past.mint("floor", ttl_s=60)[0],
            "garbage": "a.b.c",
        }[kind]
        client = await (server.connect() if where == "hello" else server.client())
        await client.say(type=where, token=token)
        assert (await client.closed())[0] == 4001


async def test_a_refresh_cannot_change_who_one_is() -> None:
    async with served() as server:
        await server.open_table()
        client = await server.client("display")
        await client.say(type="refresh", token=server.token("floor"))
        assert (await client.hear())["code"] == "forbidden"
        refused = await client.command("t7", {"type": "close_table"})
        assert refused["reason"] == "forbidden"


async def test_a_refresh_to_fewer_tables_ends_the_others() -> None:
    async with served() as server:
        for table in ("t7", "t8"):
            await server.open_table(table)
        client = await server.client("display")
        for table in ("t7", "t8"):
            await client.subscribe(table)
        await client.say(type="refresh", token=server.token("display", tables=("t8",)))
        error = await client.hear()
        assert (error["code"], error["table"]) == ("forbidden", "t7")
        await server.command("t7", type="take_seat", seat=1, player="ann")
        await server.command("t8", type="take_seat", seat=1, player="ann")
        assert (await client.hear("delta"))["table"] == "t8"


async def test_a_revoked_token_ends_its_sockets_on_every_process_at_once() -> None:
    shelves = MemoryShelves()
    async with served(shelves=shelves) as one, served(shelves=shelves, name="two") as two:
        token, credential = one.signer.mint("display", ttl_s=600)
        clients = [await server.connect() for server in (one, two)]
        for client in clients:
            await client.hello(token)
        other = await two.client("display")
        await one.gateway.rooms.revoke(credential.id, credential.exp)
        for client in clients:
            assert (await client.closed())[0] == 4003
        late = await two.connect()
        await late.say(type="hello", token=token)
        assert (await late.closed())[0] == 4003
        await other.say(type="ping")
        await other.hear("heartbeat")


async def test_a_process_that_starts_later_knows_what_was_revoked() -> None:
    shelves = MemoryShelves()
    async with served(shelves=shelves) as one:
        token, credential = one.signer.mint("display", ttl_s=600)
        await one.gateway.rooms.revoke(credential.id, credential.exp)
        async with served(shelves=shelves, name="two") as two:
            client = await two.connect()
            await client.say(type="hello", token=token)
            assert (await client.closed())[0] == 4003


async def test_too_much_at_once_is_refused_for_that_credential_alone() -> None:
    limits = Limits({"floor": Rate(0.001, 3)})
    async with served(limits=limits) as server:
        await server.open_table()
        loud, quiet = await server.client("floor"), await server.client("floor")
        for _ in range(3):
            await loud.say(type="ping")
            await loud.hear("heartbeat")
        await loud.say(type="ping")
        error = await loud.hear()
        assert (error["code"], error["retry"]) == ("too_many", True)
        refused = await loud.command("t7", {"type": "close_table"})
        assert (refused["reason"], refused["retry"]) == ("too_many", True)
        await quiet.say(type="ping")
        await quiet.hear("heartbeat")
