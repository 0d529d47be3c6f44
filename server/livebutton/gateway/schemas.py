"""OpenAPI for HTTP and AsyncAPI for the socket, both made from the messages themselves."""

import re
from importlib.metadata import version
from typing import Any, get_args

import msgspec

from livebutton.wire.codes import MAY_RETURN
from livebutton.wire.messages import (
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    AnyClientMessage,
    AnyServerMessage,
)

_REF = "#/components/schemas/{name}"


class ProblemBody(msgspec.Struct):
    """RFC 9457 problem details. `code` is stable; refusals add reason, rule and params."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retry: bool


class Endpoint(msgspec.Struct, frozen=True):
    """One method of one path: what goes in and what comes out."""

    method: str
    path: str
    summary: str
    body: Any = None
    reply: Any = None
    status: int = 200
    query: dict[str, str] = {}
    # Whether it takes an Idempotency-Key, and whether it needs no token.
    is_command: bool = False
    is_open: bool = False


def openapi(endpoints: list[Endpoint]) -> dict[str, Any]:
    """The OpenAPI 3.1 description of these endpoints."""
    kinds = [kind for each in endpoints for kind in (each.body, each.reply) if kind is not None]
    refs, components = msgspec.json.schema_components([*kinds, ProblemBody], ref_template=_REF)
    schema = dict(zip([str(kind) for kind in kinds], refs, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schema, refs[-1])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "livebutton",
            "version": version("livebutton"),
            "summary": "Where the dealer button and the blinds go next, at every table, live",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
        "security": [{"token": []}],
    }


def _operation(each: Endpoint, schema: dict[str, Any], problem: Any) -> dict[str, Any]:
    name = f"{each.method.lower()}{re.sub(r'[^a-z]+', '_', each.path)}".rstrip("_")
    operation: dict[str, Any] = {"operationId": name, "summary": each.summary}
    parameters: list[dict[str, Any]] = [
        {"name": found, "in": "path", "required": True, "schema": {"type": "string"}}
        for found in re.findall(r"{(\w+)}", each.path)
    ]
    parameters += [
        {"name": found, "in": "query", "description": text, "schema": {"type": "string"}}
        for found, text in each.query.items()
    ]
    if each.is_command:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "the command's id: the same key acts once",
                "schema": {"type": "string", "maxLength": 128},
            }
        )
    if parameters:
        operation["parameters"] = parameters
    if each.body is not None:
        content = {"application/json": {"schema": schema[str(each.body)]}}
        operation["requestBody"] = {"required": each.is_command, "content": content}
    good: dict[str, Any] = {"description": each.summary}
    if each.reply is not None:
        good["content"] = {"application/json": {"schema": schema[str(each.reply)]}}
    operation["responses"] = {
        str(each.status): good,
        "default": {
            "description": "What went wrong, and whether to try again",
            "content": {"application/problem+json": {"schema": problem}},
        },
    }
    if each.is_open:
        operation["security"] = []
    return operation


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 description of the socket."""
    said, told = get_args(AnyClientMessage), get_args(AnyServerMessage)
    _, components = msgspec.json.schema_components([*said, *told], ref_template=_REF)
    messages = {
        _tag(kind): {
            "name": _tag(kind),
            "summary": (kind.__doc__ or "").split("\n\n")[0].replace("\n    ", " "),
            "payload": {"$ref": _REF.format(name=kind.__name__)},
        }
        for kind in (*said, *told)
    }
    channel = {"$ref": "#/channels/socket"}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "livebutton",
            "version": version("livebutton"),
            "description": (
                f"Ask for the subprotocol {SUBPROTOCOL_MSGPACK} or {SUBPROTOCOL_JSON}. "
                "Close codes: "
                + "; ".join(
                    f"{int(code)} {code.name.lower()}" + (" (come back)" if back else "")
                    for code, back in MAY_RETURN.items()
                )
            ),
        },
        "channels": {
            "socket": {
                "address": "/v1/ws",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "say": {"action": "receive", "channel": channel, "messages": _refs(said)},
            "tell": {"action": "send", "channel": channel, "messages": _refs(told)},
        },
        "components": {"schemas": components, "messages": messages},
    }


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _refs(kinds: tuple[type[msgspec.Struct], ...]) -> list[dict[str, str]]:
    return [{"$ref": f"#/channels/socket/messages/{_tag(kind)}"} for kind in kinds]
