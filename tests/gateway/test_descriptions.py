"""OpenAPI and AsyncAPI say what there is, and hold together."""

import json
from typing import Any, get_args

from livebutton.gateway.http import ENDPOINTS
from livebutton.gateway.schemas import asyncapi, openapi
from livebutton.wire.messages import AnyClientMessage, AnyServerMessage


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        found = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return found | {ref for inner in value.values() for ref in references(inner)}
    if isinstance(value, list):
        return {ref for inner in value for ref in references(inner)}
    return set()


def resolved(document: dict[str, Any], reference: str) -> Any:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_openapi_has_every_endpoint_and_no_loose_reference() -> None:
    document = json.loads(json.dumps(openapi([endpoint for endpoint, _ in ENDPOINTS])))
    told = {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    }
    assert told == {(endpoint.method, endpoint.path) for endpoint, _ in ENDPOINTS}
    ids = [
        operation["operationId"]
        for methods in document["paths"].values()
        for operation in methods.values()
    ]
    assert len(ids) == len(set(ids))
    for reference in references(document):
        assert resolved(document, reference)


def test_asyncapi_has_every_message_and_no_loose_reference() -> None:
    document = json.loads(json.dumps(asyncapi()))
    kinds = {
        str(kind.__struct_config__.tag)
        for kind in (*get_args(AnyClientMessage), *get_args(AnyServerMessage))
    }
    assert set(document["components"]["messages"]) == kinds
    for reference in references(document):
        assert resolved(document, reference)
    assert all(message["summary"] for message in document["components"]["messages"].values())
