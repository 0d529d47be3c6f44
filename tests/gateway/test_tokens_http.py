"""The HTTP door: tokens made, renewed, revoked; screens paired."""

from typing import Any

import pytest

from tests.gateway.callers import Caller, is_problem


async def test_a_token_is_made_within_its_makers_scope(caller: Caller) -> None:
    body = {"role": "player", "tables": ["t7"], "seat": 4, "ttl_s": 60}
    made = await caller.ask("POST", "/v1/tokens", body, room="west")
    assert made.status_code == 201
    assert made.json()["room"] == "west"
    told = caller.server.signer.verify(made.json()["token"])
    assert (told.role, told.seat, told.tables, told.room) == ("player", 4, ("t7",), "west")


@pytest.mark.parametrize(
    ("maker", "body", "code"),
    [
        ({"role": "dealer"}, {"role": "display"}, "forbidden"),
        ({"role": "floor"}, {"role": "backend"}, "forbidden"),
        ({"role": "floor", "room": "west"}, {"role": "display", "room": "east"}, "forbidden"),
        (
            {"role": "floor", "tables": ("t7",)},
            {"role": "display", "tables": ["t8"]},
            "forbidden",
        ),
        ({"role": "floor"}, {"role": "player"}, "bad_fields"),
        ({"role": "floor"}, {"role": "owner"}, "bad_fields"),
        ({"role": "floor"}, {"role": "display", "ttl_s": 2**40}, "bad_fields"),
        ({"role": "floor"}, {"role": "display", "hat": 1}, "bad_fields"),
    ],
)
async def test_a_token_that_would_be_wider_is_not_made(
    caller: Caller, maker: dict[str, Any], body: dict[str, Any], code: str
) -> None:
    answer = await caller.ask("POST", "/v1/tokens", body, **maker)
    is_problem(answer, 403 if code == "forbidden" else 422, code)


async def test_a_maker_limited_to_tables_makes_no_token_without_that_limit(caller: Caller) -> None:
    made = await caller.ask("POST", "/v1/tokens", {"role": "display"}, tables=("t7",))
    assert made.json()["tables"] == ["t7"]


async def test_a_token_is_renewed_and_its_revocation_ends_both(caller: Caller) -> None:
    first = caller.server.token("display", ttl_s=60)
    second = (await caller.ask("POST", "/v1/tokens", token=first)).json()["token"]
    assert (await caller.ask("GET", "/v1/tables", token=second)).status_code == 200
    gone = await caller.ask("DELETE", "/v1/tokens", {"token": first})
    assert gone.status_code == 204
    for token in (first, second):
        is_problem(await caller.ask("GET", "/v1/tables", token=token), 401, "unauthorized")
    is_problem(
        await caller.ask("DELETE", "/v1/tokens", {"id": "x"}, role="dealer"), 403, "forbidden"
    )
    is_problem(await caller.ask("DELETE", "/v1/tokens", {}), 422, "bad_fields")


async def test_a_screen_is_paired_by_a_code_that_the_floor_confirms(caller: Caller) -> None:
    begun = (await caller.ask("POST", "/v1/pairings", {"name": "Table 7"}, role=None)).json()
    path = f"/v1/pairings/{begun['code']}"
    secret = begun["secret"]
    assert (await caller.ask("GET", path, token=secret)).status_code == 202
    is_problem(await caller.ask("GET", path, token="another"), 401, "unauthorized")
    is_problem(await caller.ask("GET", "/v1/pairings/AAAAAA", token=secret), 404, "not_found")
    listed = (await caller.ask("GET", "/v1/pairings")).json()["pairings"]
    assert [(each["code"], each["name"]) for each in listed] == [(begun["code"], "Table 7")]
    wanted = {"role": "display", "tables": ["t7"]}
    is_problem(await caller.ask("POST", path, wanted, role="dealer"), 403, "forbidden")
    confirmed = await caller.ask("POST", path.lower().replace("/V1", "/v1"), wanted)
    assert confirmed.status_code == 200
    assert "token" not in confirmed.json()
    collected = await caller.ask("GET", path, token=secret)
    told = caller.server.signer.verify(collected.json()["token"])
    assert (told.role, told.tables, told.name) == ("display", ("t7",), "Table 7")
    is_problem(await caller.ask("GET", path, token=secret), 404, "not_found")
