"""The conversation in PROTOCOL.md, held with a real server."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from tests.gateway.doors import Client, served

PAGE = (files("livebutton.wire") / "PROTOCOL.md").read_text("utf-8")
ANYTHING = "…"


def lines() -> list[tuple[str, dict[str, Any]]]:
    """("→" or "←", the message), in the page's order."""
    (block,) = re.findall(r"^```conversation\n(.*?)^```$", PAGE, re.M | re.S)
    return [(line[0], json.loads(line[1:])) for line in block.splitlines()]


def fits(shown: Any, got: Any) -> bool:
    """Whether what came is what the page shows, where it shows something."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(got, dict):
        return shown.keys() == got.keys() and all(fits(shown[key], got[key]) for key in shown)
    if isinstance(shown, list) and isinstance(got, list):
        return len(shown) == len(got) and all(map(fits, shown, got))
    return bool(shown == got)


async def heard(client: Client, shown: dict[str, Any]) -> dict[str, Any]:
    if shown["type"] != "heartbeat":
        return await client.hear()
    message = await client.hear("heartbeat")
    # Those that come by themselves may have been on their way.
    while not fits(shown, message):
        message = await client.hear("heartbeat")
    return message


@pytest.mark.parametrize("codec", ["json", "msgpack"])
async def test_the_page_tells_what_happens(codec: str) -> None:
    async with served() as server:
        client = await server.connect(codec)
        for arrow, message in lines():
            if arrow == "→":
                if message.get("token") == ANYTHING:
                    message["token"] = server.token("floor")
                await client.say(**message)
            else:
                got = await heard(client, message)
                assert fits(message, got), f"the page shows {message}, the server said {got}"
