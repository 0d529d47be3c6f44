"""The HTTP door: every endpoint once, as a route and in the OpenAPI description."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from livebutton.gateway import pages, rules_http, tables_http, tokens_http
from livebutton.gateway.door import Answer, Door, json
from livebutton.gateway.gateway import Gateway
from livebutton.gateway.problems import Problem, of_http_error
from livebutton.gateway.schemas import Endpoint, asyncapi, openapi
from livebutton.gateway.socket import PATH as WEBSOCKET_PATH
from livebutton.metrics import CONTENT_TYPE
from livebutton.rules.citations import Citation
from livebutton.wire.codec import BY_SUBPROTOCOL
from livebutton.wire.messages import Accepted, Previewed

_PAGE = {
    "epoch": "which stream; the newest when left out",
    "after": "the offset to go on after; 0 is the beginning",
    "limit": "how many at most",
}

ENDPOINTS: list[tuple[Endpoint, Answer]] = [
    (
        Endpoint(
            "GET",
            "/v1/tables",
            "The tables that this token may see",
            reply=tables_http.TableList,
            query={"room": "only this room's"},
        ),
        tables_http.list_tables,
    ),
    (
        Endpoint(
            "POST",
            "/v1/tables",
            "Open a table: the body is the `open_table` command",
            body=dict[str, Any],
            reply=Accepted,
            status=201,
            is_command=True,
        ),
        tables_http.open_table,
    ),
    (
        Endpoint(
            "GET",
            "/v1/tables/{table}",
            "A table as this token's audience sees it",
            reply=tables_http.TableView,
        ),
        tables_http.see_table,
    ),
    (
        Endpoint(
            "POST",
            "/v1/tables/{table}/commands",
            "Put a command to a table; the bare command map will do as body",
            body=tables_http.CommandBody,
            reply=Accepted | Previewed,
            query={"dry_run": "`true`: do nothing, and answer what it would do"},
            is_command=True,
        ),
        tables_http.command_table,
    ),
    (
        Endpoint(
            "GET",
            "/v1/tables/{table}/events",
            "Commits after a position: never missed, never twice",
            reply=tables_http.EventPage,
            query={**_PAGE, "wait_s": "how long to wait for the next one, up to 30"},
        ),
        tables_http.see_events,
    ),
    (
        Endpoint(
            "GET",
            "/v1/tables/{table}/hands",
            "The hands that were dealt",
            reply=tables_http.HandPage,
            query=_PAGE,
        ),
        tables_http.see_hands,
    ),
    (
        Endpoint(
            "GET",
            "/v1/rooms/{room}/waiting",
            "A room's waiting list",
            reply=tables_http.WaitingList,
        ),
        tables_http.see_waiting,
    ),
    (
        Endpoint(
            "GET",
            "/v1/rules",
            "Every rule that a ruling may cite, in plain words",
            reply=rules_http.RuleList,
            is_open=True,
        ),
        rules_http.see_rules,
    ),
    (
        Endpoint(
            "GET", "/v1/rules/{rule}", "One rule in plain words", reply=Citation, is_open=True
        ),
        rules_http.see_rule,
    ),
    (
        Endpoint(
            "POST",
            "/v1/tokens",
            "Make a token within one's own scope; an empty body renews the one shown",
            body=tokens_http.TokenRequest,
            reply=tokens_http.TokenReply,
            status=201,
        ),
        tokens_http.make_token,
    ),
    (
        Endpoint(
            "DELETE",
            "/v1/tokens",
            "Take a token back, on every process at once",
            body=tokens_http.Revocation,
            status=204,
        ),
        tokens_http.revoke_token,
    ),
    (
        Endpoint(
            "PATCH",
            "/v1/tokens/{token}",
            "Name or set up the screens that show a token, by its id; both stay",
            body=tokens_http.ScreenGiven,
            status=204,
        ),
        tokens_http.give_screen,
    ),
    (
        Endpoint(
            "POST",
            "/v1/tokens/{token}/reload",
            "Let the screens that show a token load their page anew; 409 when none is connected",
            status=204,
        ),
        tokens_http.reload_screen,
    ),
    (
        Endpoint(
            "POST",
            "/v1/pairings",
            "A screen without a token asks for a code to show",
            body=tokens_http.PairingRequest,
            reply=tokens_http.PairingReply,
            status=201,
            is_open=True,
        ),
        tokens_http.begin_pairing,
    ),
    (
        Endpoint(
            "GET",
            "/v1/pairings",
            "The screens that wait to be told what they are",
            reply=tokens_http.WaitingScreens,
        ),
        tokens_http.see_pairings,
    ),
    (
        Endpoint(
            "GET",
            "/v1/pairings/{code}",
            "A screen collects its token, with its secret as bearer; 202 while nobody has said",
            reply=tokens_http.TokenReply,
        ),
        tokens_http.collect_pairing,
    ),
    (
        Endpoint(
            "POST",
            "/v1/pairings/{code}",
            "The floor says what a screen is",
            body=tokens_http.TokenRequest,
            reply=dict[str, str],
        ),
        tokens_http.confirm_pairing,
    ),
]


def application(gateway: Gateway, embedders: tuple[str, ...] = ()) -> Starlette:
    """The HTTP side of a gateway, as an ASGI app."""
    door = Door(gateway)
    routes: list[BaseRoute] = [
        Route(path, _by_method(door, answers), methods=list(answers))
        for path, answers in _answers_by_path().items()
    ]
    described = msgspec.json.encode(openapi([endpoint for endpoint, _ in ENDPOINTS]))
    spoken = msgspec.json.encode(asyncapi())

    async def live(request: Request) -> Response:  # noqa: ARG001
        return json({"status": "alive"})

    async def ready(request: Request) -> Response:  # noqa: ARG001
        is_ready, why = gateway.ready()
        if is_ready:
            return json({"status": "ready"})
        return json({"status": "not ready", "reason": why}, 503, {"Retry-After": "1"})

    async def metrics(request: Request) -> Response:  # noqa: ARG001
        return Response(gateway.metrics.text(), media_type=CONTENT_TYPE)

    async def describe(request: Request) -> Response:  # noqa: ARG001
        return Response(described, media_type="application/json")

    async def describe_socket(request: Request) -> Response:  # noqa: ARG001
        return Response(spoken, media_type="application/json")

    async def upgrade(request: Request) -> Response:
        text = f"{request.url.path} is a websocket: ask for one of {', '.join(BY_SUBPROTOCOL)}"
        headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
        return Problem("upgrade", text, headers=headers).response()

    routes += [
        Route(WEBSOCKET_PATH, upgrade),
        Route("/health/live", live),
        Route("/health/ready", ready),
        Route("/metrics", metrics),
        Route("/openapi.json", describe),
        Route("/asyncapi.json", describe_socket),
        *pages.routes(embedders),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _not_found})


def _answers_by_path() -> dict[str, dict[str, Answer]]:
    """One route for each path, so that a wrong method is told of all the right ones."""
    found: dict[str, dict[str, Answer]] = {}
    for endpoint, answer in ENDPOINTS:
        found.setdefault(endpoint.path, {})[endpoint.method] = answer
    return found


def _by_method(door: Door, answers: dict[str, Answer]) -> Callable[[Request], Awaitable[Response]]:
    doors = {method: door.endpoint(answer) for method, answer in answers.items()}

    async def handle(request: Request) -> Response:
        return await doors["GET" if request.method == "HEAD" else request.method](request)

    return handle


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return of_http_error(request, error).response()
