"""A room whose screens are connected to several processes is one room on the floor's screen."""

from livebutton.gateway.gateway import Bounds
from livebutton.store.memory_store import MemoryShelves
from tests.gateway.doors import served

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
