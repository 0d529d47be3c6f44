"""Who holds in one room learns nothing of another's tables, and leaves nothing behind there."""

from typing import Any

import pytest

from livebutton.gateway.auth import Role
from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import Client

SIT = {"type": "lock_up", "seat": 4}
STANDING: dict[str, Any] = {"type": "refused", "reason": "forbidden", "retry": False}


async def heard(client: Client, **said: Any) -> dict[str, Any]:
    await client.say(**said)
    return await client.hear("accepted", "refused", "previewed", "unknown", "error")


@pytest.mark.parametrize("role", ["backend", "floor", "dealer"])
async def test_a_command_from_another_room_learns_no_position_and_takes_no_id(
    caller: Caller, role: Role
) -> None:
    server = caller.server
    await server.open_table(room="west")
    east = await server.client(role, room="east")
    west = await server.client("floor", room="west")
    asked = {"id": "hand-1", "table": "t7", "command": SIT}
    for kind in ("command", "preview"):
        answer = await heard(east, type=kind, **asked)
        assert answer.items() >= STANDING.items()
        assert not {"epoch", "offset"} & set(answer)
    # The id is still whoever's it was.
    unknown = await heard(west, type="verdict", id="hand-1", table="t7")
    assert unknown["type"] == "unknown"
    done = await heard(west, type="command", id="hand-1", table="t7", command={"type": "shuffle"})
    assert done["reason"] == "wrong_phase"
    assert done["offset"] == 1
    # And what became of it is not for the other room, whether it guesses the id or the command.
    told = await heard(east, type="verdict", id="hand-1", table="t7")
    assert (told["type"], told["code"], told["id"]) == ("error", "forbidden", "hand-1")
    again = await heard(east, type="command", **{**asked, "command": {"type": "shuffle"}})
    assert again.items() >= STANDING.items()
    path = "/v1/tables/t7/commands"
    for query in ("", "?dry_run=true"):
        answer = await caller.ask("POST", path + query, SIT, role=role, room="east")
        problem = is_problem(answer, 403, "forbidden")
        assert not {"epoch", "offset"} & set(problem)


async def test_a_table_that_is_nowhere_is_nobodys(caller: Caller) -> None:
    east = await caller.server.client("backend", room="east")
    answer = await heard(east, type="command", id="c", table="t9", command=SIT)
    assert answer["reason"] == "no_table"
    unknown = await heard(east, type="verdict", id="never", table="t9")
    assert unknown["type"] == "unknown"
