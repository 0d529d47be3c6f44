"""What a command would do: told by the same rights, and nothing done."""

from typing import Any

import pytest

from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import Served, served


async def start(server: Served) -> None:
    """Three players between two hands, the button at seat 1."""
    await server.play()
    await server.command("t7", type="end_hand")


async def test_a_preview_tells_the_plan_and_the_events_and_changes_nothing() -> None:
    async with served() as server:
        await start(server)
        before = server.gateway.registry.peek("t7")
        assert before is not None
        floor, display = await server.client("floor"), await server.client("display")
        await display.subscribe("t7")
        put_right = {"type": "correct_button", "button": 3}
        await floor.say(type="preview", id="p-1", table="t7", command=put_right)
        seen = await floor.hear()
        assert (seen["type"], seen["id"], seen["table"]) == ("previewed", "p-1", "t7")
        assert (seen["epoch"], seen["offset"]) == (before.position.epoch, before.position.offset)
        assert server.gateway.registry.peek("t7") is before
        # What it foretold is what then happens, as the same audience sees it.
        staff = await server.client("dealer")
        await staff.subscribe("t7")
        accepted = await floor.command("t7", put_right, id="p-1")
        assert (accepted["type"], accepted["offset"]) == ("accepted", before.position.offset + 1)
        delta = await staff.hear("delta")
        assert delta["events"] == seen["events"]
        view = (await staff.subscribe("t7"))[0]["view"]
        assert view["plan"] == seen["plan"]
        assert view["plan"]["button"] == 3
        # The screens heard of the command alone.
        assert (await display.hear())["offset"] == before.position.offset + 1


async def test_a_preview_keeps_no_verdict() -> None:
    async with served() as server:
        await start(server)
        floor = await server.client("floor")
        for wish in ({"type": "leave", "seat": 2}, {"type": "leave", "seat": 9}):
            await floor.say(type="preview", id="p-1", table="t7", command=wish)
            await floor.hear("previewed", "refused")
            await floor.say(type="verdict", id="p-1", table="t7")
            assert (await floor.hear())["type"] == "unknown"


@pytest.mark.parametrize(
    ("role", "scope", "command", "reason"),
    [
        ("display", {}, {"type": "shuffle"}, "forbidden"),
        ("player", {"seat": 1, "tables": ("t7",)}, {"type": "sit_out", "seat": 2}, "forbidden"),
        ("dealer", {}, {"type": "set_owes", "seat": 1, "owes": {}, "reason": "x"}, "forbidden"),
        ("dealer", {}, {"type": "undo"}, "forbidden"),
        ("floor", {"room": "east"}, {"type": "shuffle"}, "forbidden"),
        ("floor", {}, {"type": "end_hand"}, "wrong_phase"),
        ("floor", {}, {"type": "fly"}, "unknown_command"),
        ("floor", {}, {"type": "leave", "seat": 9}, "seat_empty"),
    ],
)
async def test_what_would_be_refused_is_refused(
    role: Any, scope: dict[str, Any], command: dict[str, Any], reason: str
) -> None:
    async with served() as server:
        await start(server)
        client = await server.client(role, **scope)
        await client.say(type="preview", id="p-1", table="t7", command=command)
        seen = await client.hear()
        assert (seen["type"], seen["id"], seen["reason"]) == ("refused", "p-1", reason)


async def test_a_preview_from_an_older_table_is_stale_and_a_draw_is_not_foreseen() -> None:
    async with served() as server:
        await server.open_table()
        await server.command("t7", type="take_seat", seat=1, player="ann", stack=500)
        await server.command("t7", type="take_seat", seat=2, player="bob", stack=500)
        epoch = server.gateway.registry.peek("t7").position.epoch  # type: ignore[union-attr]
        floor = await server.client("floor")
        shown: dict[str, Any] = {"type": "preview", "id": "p", "table": "t7"}
        starts = {"type": "start_game", "button": 2}
        await floor.say(**shown, command=starts, expected=[epoch, 2])
        assert (await floor.hear())["reason"] == "stale"
        await floor.say(**shown, command={"type": "start_game"})
        assert (await floor.hear())["reason"] == "bad_fields"
        await floor.say(**shown, command=starts, expected=[epoch, 3])
        assert (await floor.hear())["plan"]["button"] == 2
        await floor.say(**shown, command={"type": "leave", "seat": 2**60})
        assert (await floor.hear())["reason"] == "bad_fields"


async def test_a_table_that_is_not_there_can_be_foreseen_and_is_not_opened() -> None:
    async with served() as server:
        floor = await server.client("floor")
        opens = {
            "type": "open_table",
            "name": "T",
            "seats": 9,
            "rules": "caro-cooke",
            "stakes": {"small": 5, "big": 10},
        }
        await floor.say(type="preview", id="p-1", table="t9", command=opens)
        seen = await floor.hear()
        assert (seen["type"], seen["epoch"], seen["offset"]) == ("previewed", "", 0)
        (error,) = await floor.subscribe("t9")
        assert error["code"] == "no_table"


async def test_a_dry_run_over_http_does_nothing(caller: Caller) -> None:
    await start(caller.server)
    before = caller.server.gateway.registry.peek("t7")
    path = "/v1/tables/t7/commands"
    wish = {"type": "correct_button", "button": 3}
    answer = await caller.ask("POST", f"{path}?dry_run=true", wish)
    assert answer.status_code == 200
    assert answer.json()["type"] == "previewed"
    assert answer.json()["plan"]["button"] == 3
    assert caller.server.gateway.registry.peek("t7") is before
    is_problem(await caller.ask("POST", f"{path}?dry_run=maybe", wish), 422, "bad_fields")
    is_problem(
        await caller.ask("POST", f"{path}?dry_run=true", {"type": "end_hand"}), 409, "wrong_phase"
    )
    is_problem(
        await caller.ask("POST", f"{path}?dry_run=true", wish, role="display"), 403, "forbidden"
    )
    done = await caller.ask("POST", f"{path}?dry_run=false", wish)
    assert done.json()["type"] == "accepted"
