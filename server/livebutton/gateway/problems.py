"""Errors over HTTP: RFC 9457 problem details, with a stable code and whether to try again."""

from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from livebutton.wire.codes import ErrorCode
from livebutton.wire.messages import Error, Refused

CONTENT_TYPE = "application/problem+json"
# What a client is told when the store is away. Where it runs and how it failed is for the log.
NO_ANSWER = "the store does not answer"

# The status of each refusal and error; what is not here is 409: the table is not as it would
# have to be.
STATUSES: dict[str, int] = {
    "bad_fields": 422,
    "unknown_command": 422,
    "unknown_type": 422,
    "no_table": 404,
    "no_seat": 404,
    "forbidden": 403,
    "too_many": 429,
    "unavailable": 503,
    "unauthorized": 401,
    "not_found": 404,
    "not_json": 400,
    "too_large": 413,
    "too_slow": 408,
    "gone": 410,
    "wrong_method": 405,
    "upgrade": 426,
}
TITLES: dict[str, str] = {
    "unauthorized": "No valid token",
    "forbidden": "Not allowed to this token",
    "bad_fields": "A field is missing, wrong or not known",
    "not_json": "The body is not JSON",
    "too_large": "The body is too large",
    "too_slow": "The body did not come in time",
    "not_found": "There is nothing here",
    "no_table": "There is no such table",
    "gone": "These events are no longer kept",
    "too_many": "Too much at once",
    "unavailable": "No answer now",
    "stale": "The table has changed since",
    "late": "After the deadline",
    "id_conflict": "This id was used for another command",
    "wrong_method": "Not with this method",
    "upgrade": "Only as a websocket",
    "not_connected": "No such screen is connected",
}


class Problem(Exception):
    """An answer that is an error. `facts` are further members of the problem's map."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        retry: bool = False,
        headers: dict[str, str] | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.retry = retry
        self.headers = headers or {}
        self.facts = facts

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUSES.get(self.code, 409)

    def response(self) -> Response:
        """The problem as it is sent."""
        body: dict[str, Any] = {
            "type": f"urn:livebutton:problem:{self.code}",
            "title": TITLES.get(self.code, "The command was refused"),
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "retry": self.retry,
            **self.facts,
        }
        headers = dict(self.headers)
        if self.status == 401:
            headers.setdefault("WWW-Authenticate", 'Bearer realm="livebutton"')
        if self.status in (429, 503):
            headers.setdefault("Retry-After", "1")
        return Response(msgspec.json.encode(body), self.status, headers, CONTENT_TYPE)


def of_refusal(refused: Refused) -> Problem:
    """A refused command: its reason is the code."""
    facts: dict[str, Any] = {"reason": refused.reason, "id": refused.id, "table": refused.table}
    if refused.rule:
        facts["rule"] = refused.rule
    if refused.params:
        facts["params"] = refused.params
    if refused.epoch:
        facts |= {"epoch": refused.epoch, "offset": refused.offset}
    return Problem(refused.reason, refused.message, retry=refused.retry, **facts)


def of_error(error: Error) -> Problem:
    """An error that is no verdict."""
    code: ErrorCode = error.code
    facts: dict[str, Any] = {"id": error.id} if error.id else {}
    return Problem(code, error.message, retry=error.retry, **facts)


def of_http_error(request: Request, error: HTTPException) -> Problem:
    """No such path, or not with this method."""
    path = request.url.path
    if error.status_code == 405:
        headers = dict(error.headers or {})
        return Problem("wrong_method", f"{request.method} is not for {path}", headers=headers)
    return Problem("not_found", f"there is nothing at {path}")
