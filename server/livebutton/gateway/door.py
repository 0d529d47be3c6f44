"""What every HTTP request goes through: the token, the limit, the body's size, the errors."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from livebutton.gateway.auth import Credential, Unauthorized
from livebutton.gateway.gateway import Gateway
from livebutton.gateway.limits import Limits, Rate
from livebutton.gateway.problems import NO_ANSWER, Problem
from livebutton.store.contract import StoreError
from livebutton.wire.codec import problem

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 64 * 1024
BODY_LIMIT_S = 15.0
# Of those who show no token, by address: a card room's screens pair a few times a day.
_STRANGERS = Rate(2, 60)

T = TypeVar("T")
Answer = Callable[["Door", Request], Awaitable[Response]]


class Door:
    """The gateway, as HTTP's handlers use it."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self._strangers = Limits({"display": _STRANGERS}, most=10_000)

    def endpoint(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """A handler for Starlette: problems become answers, and so does a store that is away."""

        async def handle(request: Request) -> Response:
            status = 500
            try:
                response = await self._answered(answer, request)
                status = response.status_code
            finally:
                self.gateway.metrics.http_answers.labels(str(status)).inc()
            return response

        return handle

    async def _answered(self, answer: Answer, request: Request) -> Response:
        try:
            return await answer(self, request)
        except Problem as found:
            return found.response()
        except StoreError as error:
            log.warning("no answer from the store: %s", str(error) or NO_ANSWER)
            return Problem("unavailable", NO_ANSWER, retry=True).response()

    def credential(self, request: Request) -> Credential:
        """Whose request it is. Problem `unauthorized` or `too_many`."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            self.stranger(request)
            raise Problem("unauthorized", "send a token: Authorization: Bearer …")
        try:
            credential = self.gateway.signer.verify(token.strip())
        except Unauthorized as error:
            self.stranger(request)
            raise Problem("unauthorized", str(error)) from None
        if self.gateway.revocations.is_revoked(credential.id):
            raise Problem("unauthorized", "the token was revoked")
        if not self.gateway.limits.allow(credential.id, credential.role, self.gateway.tick_s()):
            raise Problem("too_many", "too much at once: slow down", retry=True)
        return credential

    def stranger(self, request: Request) -> None:
        """Count a request without a valid token against its address. Problem `too_many`."""
        address = request.client.host if request.client else ""
        if not self._strangers.allow(address, "display", self.gateway.tick_s()):
            raise Problem("too_many", "too much at once from this address", retry=True)

    async def body(self, request: Request) -> Any:
        """The JSON in the body, an empty map when there is none. Problem when it is not fit."""
        try:
            async with asyncio.timeout(BODY_LIMIT_S):
                data = await _read_whole(request)
        except TimeoutError:
            text = f"a body comes within {BODY_LIMIT_S:g} s"
            raise Problem("too_slow", text, retry=True) from None
        except ClientDisconnect:
            # Nobody is there to read it: a caller who hung up is no fault of ours to log.
            raise Problem("too_slow", "the body broke off", retry=True) from None
        if not data:
            return {}
        try:
            value = msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError, OverflowError) as error:
            raise Problem("not_json", str(error)) from None
        wrong = problem(value)
        if wrong:
            raise Problem("bad_fields", wrong)
        return value

    async def read(self, request: Request, kind: type[T]) -> T:
        """The body as one of our structs."""
        try:
            return msgspec.convert(await self.body(request), kind)
        except msgspec.ValidationError as error:
            raise Problem("bad_fields", str(error)) from None


async def _read_whole(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_BODY_BYTES:
            raise Problem("too_large", f"a body has at most {MAX_BODY_BYTES} bytes")
    return bytes(data)


def json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer that nobody keeps."""
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(value), status, kept, "application/json")


def number(request: Request, name: str, default: int, most: int, least: int = 0) -> int:
    """A whole number of the query string, from `least` to `most`. Problem `bad_fields` else."""
    text = request.query_params.get(name)
    if text is None:
        return default
    is_whole = text.isascii() and text.isdigit() and len(text) < 17
    if not (is_whole and least <= int(text) <= most):
        raise Problem("bad_fields", f"{name}: a whole number from {least} to {most}")
    return int(text)
