"""HTTP for the texts of the rules, which a screen opens from a why-line. They need no token."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from livebutton.gateway.door import Door, json
from livebutton.gateway.problems import Problem
from livebutton.rules.citations import Citation, citations


class RuleList(msgspec.Struct):
    """Every rule that a ruling may cite."""

    rules: list[Citation]


_KEEP = {"Cache-Control": "max-age=3600"}


async def see_rules(door: Door, request: Request) -> Response:  # noqa: ARG001 - one form for all
    """Every rule, in our own words."""
    return json(RuleList(list(citations().values())), headers=_KEEP)


async def see_rule(door: Door, request: Request) -> Response:  # noqa: ARG001
    """One rule: its text, its alternates, an example."""
    rule = request.path_params["rule"]
    found = citations().get(rule)
    if found is None:
        raise Problem("not_found", f"there is no rule {rule!r}")
    return json(found, headers=_KEEP)
