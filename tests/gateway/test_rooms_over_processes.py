"""A room whose screens are connected to several processes is one room on the floor's screen."""

import asyncio
from typing import Any

import httpx

from livebutton.gateway.gateway import Bounds
from livebutton.store.memory_store import MemoryShelves
from tests.gateway.doors import HANG_LIMIT_S, Client, Served, served

QUICK = Bounds(heartbeat_s=0.1, room_s=0.1)


async def test_the_floor_sees_the_screens_of_every_process() -> None:
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as two,
    ):
        await one.open_table(room="west")
        display = await two.connect()
        await display.hello(two.token("display", room="west", name="Rail"))
        await display.subscribe("t7")
        stranger = await two.connect()
        await stranger.hello(two.token("display", room="east", name="Elsewhere"))
        floor = await one.client("floor", room="west", name="Floor")
        await floor.say(type="subscribe", room="west")
        names: set[str] = set()
        while "Rail" not in names:
            picture = await floor.hear("room")
            names = {screen["name"] for screen in picture["screens"]}
        assert names == {"Rail", "Floor"}


async def test_a_table_opened_on_another_process_comes_into_the_picture() -> None:
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as two,
    ):
        floor = await one.client("floor")
        await floor.say(type="subscribe", room="west")
        assert (await floor.hear("room"))["tables"] == []
        await two.open_table("t9", room="west")
        picture = await floor.hear("room")
        while not picture["tables"]:
            picture = await floor.hear("room")
        assert picture["tables"][0]["table"] == "t9"
        await two.command("t9", type="close_table")
        while picture["tables"]:
            picture = await floor.hear("room")


async def picture_with(floor: Client, name: str) -> dict[str, Any]:
    """The screen of that name in the first picture that has one."""
    async with asyncio.timeout(HANG_LIMIT_S):
        while True:
            picture = await floor.hear("room")
            for screen in picture["screens"]:
                if screen["name"] == name:
                    return dict(screen)


async def rename(server: Served, token_id: str, name: str, role: Any = "floor") -> int:
    async with httpx.AsyncClient(
        base_url=server.url, timeout=HANG_LIMIT_S, trust_env=False
    ) as http:
        answer = await http.patch(
            f"/v1/tokens/{token_id}",
            json={"name": name},
            headers={"Authorization": f"Bearer {server.token(role)}"},
        )
    return answer.status_code


async def test_a_screen_that_the_floor_names_keeps_its_name_when_it_comes_again_anywhere() -> None:
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as two,
    ):
        token, credential = two.signer.mint("display", ttl_s=600, room="west", name="Rail")
        display = await two.connect()
        await display.hello(token)
        floor = await one.client("floor", room="west", name="Floor")
        await floor.say(type="subscribe", room="west")
        assert (await picture_with(floor, "Rail"))["token"] == credential.id
        assert await rename(one, credential.id, "Door", role="dealer") == 403
        assert await rename(one, credential.id, "Door") == 204
        assert (await picture_with(floor, "Door"))["token"] == credential.id
        await display.connection.close()
        again = await one.connect()
        renewed, _ = one.signer.renew(credential)
        await again.hello(renewed)
        session = (await picture_with(floor, "Door"))["id"]
        await again.connection.close()
        async with served(shelves=shelves, bounds=QUICK, name="later") as later:
            moved = await later.connect()
            await moved.hello(token)
            screen = await picture_with(floor, "Door")
            async with asyncio.timeout(HANG_LIMIT_S):
                while screen["id"] == session:
                    screen = await picture_with(floor, "Door")
            assert await rename(two, credential.id, "") == 204
            assert (await picture_with(floor, "Rail"))["token"] == credential.id


async def test_names_are_told_from_the_shelf_where_the_news_of_them_was_lost(
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr("livebutton.gateway.rooms.SHELF_CHECK_S", 0.02)
    shelves = MemoryShelves()
    async with (
        served(shelves=shelves, bounds=QUICK) as one,
        served(shelves=shelves, bounds=QUICK, name="two") as two,
    ):
        for store in shelves.stores:
            store._rooms.clear()
        floor = await one.client("floor", room="west", name="Floor")
        await floor.say(type="subscribe", room="west")
        token_id = (await picture_with(floor, "Floor"))["token"]
        assert await rename(two, token_id, "Desk") == 204
        assert (await picture_with(floor, "Desk"))["token"] == token_id


async def test_only_so_many_screens_have_a_name_of_their_own(monkeypatch: Any) -> None:
    monkeypatch.setattr("livebutton.gateway.rooms.MAX_GIVEN", 2)
    async with served() as server:
        answers = [await rename(server, f"t-{number}", "Door") for number in (1, 2, 3)]
        assert answers == [204, 204, 429]
        assert await rename(server, "t-2", "Window") == 204


async def test_a_room_says_which_tables_may_have_moved_on_and_when_all_may() -> None:
    async with served(bounds=QUICK) as server:
        await server.open_table("t7", room="west")
        await server.open_table("t8", room="west")
        floor = await server.client("floor", room="west")
        await floor.say(type="subscribe", room="west")
        registry = server.gateway.registry

        async def told(*stale: str, is_all: bool = False) -> None:
            async with asyncio.timeout(HANG_LIMIT_S):
                while True:
                    picture = await floor.hear("room")
                    found = [each["table"] for each in picture["tables"] if each.get("stale")]
                    if (found, picture.get("stale", False)) == (list(stale), is_all):
                        return

        await told()
        registry.is_current = lambda table: table != "t8"  # type: ignore[method-assign]
        await told("t8")
        registry.ready = lambda: (False, "deaf")  # type: ignore[method-assign]
        await told("t8", is_all=True)
        del registry.is_current, registry.ready
        await told()
