"""What clients are told while the store is away: that, and not where it runs or how it failed."""

from typing import Any

import httpx
import pytest

from livebutton.store.contract import StoreUnreachable
from livebutton.store.memory_store import MemoryStore
from tests.gateway.callers import Caller, is_problem
from tests.gateway.doors import HANG_LIMIT_S, served

SAID = "the store does not answer"


async def _away(*_: Any, **__: Any) -> None:
    raise StoreUnreachable("Error 111 connecting to vault.internal:6379")


@pytest.mark.parametrize("method", ["commit", "verdict", "load", "marks"])
async def test_no_client_hears_where_the_store_runs(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    store = MemoryStore()
    async with (
        served(store=store) as server,
        httpx.AsyncClient(base_url=server.url, timeout=HANG_LIMIT_S, trust_env=False) as http,
    ):
        await server.open_table()
        client, caller = await server.client("floor"), Caller(server, http)
        monkeypatch.setattr(store, method, _away)
        sit = {"type": "take_seat", "seat": 1, "player": "p1"}
        told = []
        await client.say(type="command", id="c1", table="t7", command=sit)
        told.append(await client.hear("accepted", "error"))
        await client.say(type="verdict", id="c1", table="t7")
        told.append(await client.hear("accepted", "unknown", "error"))
        await client.say(type="subscribe", table="t8")
        told.append(await client.hear("error"))
        errors = [each for each in told if each["type"] == "error" and each["code"] != "no_table"]
        problems = [
            await caller.ask("GET", "/v1/tables/t8"),
            await caller.ask("GET", "/v1/tables/t7/events"),
            await caller.ask("POST", "/v1/tables/t7/commands", sit),
        ]
        silent = [answer for answer in problems if answer.status_code == 503]
        assert errors or silent, "something asks the store this"
        assert "vault" not in str(told) + "".join(answer.text for answer in problems)
        for error in errors:
            assert (error["code"], error["retry"]) == ("unavailable", True)
            assert error["message"].startswith(SAID)
        for answer in silent:
            assert is_problem(answer, 503, "unavailable")["detail"].startswith(SAID)
