"""Asking the HTTP door of a served gateway, with a token or none."""

from typing import Any

import httpx

from tests.gateway.doors import Served


class Caller:
    """Asks over HTTP, with a token or none."""

    def __init__(self, server: Served, http: httpx.AsyncClient) -> None:
        self.server = server
        self._http = http

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        role: Any = "floor",
        token: str | None = None,
        headers: dict[str, str] | None = None,
        **scope: Any,
    ) -> httpx.Response:
        sent = dict(headers or {})
        if token is None and role is not None:
            token = self.server.token(role, **scope)
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        return await self._http.request(method, path, json=body, headers=sent)


def is_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem in the answer, checked for its form."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    assert found["type"] == f"urn:livebutton:problem:{code}"
    assert (found["status"], found["code"]) == (status, code)
    assert found["title"]
    assert code != "bad_fields" or "command" not in found["title"]  # It may be a query's field.
    assert found["detail"]
    assert isinstance(found["retry"], bool)
    return found
