"""A livebutton server with tables, and who drives them: what fan-out and recovery start from."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from livebutton.bench.commands import opening, wishes
from livebutton.bench.crowd import Client, Crowd, Lost
from livebutton.gateway.auth import Role, Signer, load_secret

TOKEN_TTL_S = 3600


class Backend:
    """A program of the room, on one socket: it opens tables and makes changes at them."""

    def __init__(self, port: int, signer: Signer) -> None:
        self._crowd = Crowd(port, self._hear)
        self._wishes: dict[str, Iterator[dict[str, Any]]] = {}
        self._settled_count = 0
        self._sent_count = 0
        self._crowd.join([[hello(signer, "backend", "driver")]])
        self._crowd.pump_open()

    def open(self, table: str) -> int:
        """Open a ten-seat table, fill it and play a hand; the offset it is at then."""
        first = opening()
        for wish in first:
            self._send(table, wish)
            self.settle()
        self._wishes[table] = wishes()
        return len(first)

    def change(self, table: str) -> None:
        """Make one seat event happen there. Does not wait for its verdict."""
        self._send(table, next(self._wishes[table]))

    def settle(self) -> None:
        """Wait until every command sent was accepted. Raises Lost."""
        self._crowd.pump(lambda: self._settled_count == self._sent_count, "a verdict")

    def close(self) -> None:
        """Hang up."""
        self._crowd.close()

    def _send(self, table: str, wish: dict[str, Any]) -> None:
        self._sent_count += 1
        message = {
            "type": "command", "id": f"bench-{self._sent_count}", "table": table, "command": wish,
        }  # fmt: skip
        self._crowd.say(self._crowd.clients[0], json.dumps(message).encode())

    def _hear(self, client: Client, payload: bytes) -> None:  # noqa: ARG002
        if payload.startswith((b'{"type":"refused"', b'{"type":"error"')):
            raise Lost(f"the server says {payload.decode()}")
        self._settled_count += payload.startswith(b'{"type":"accepted"')


def signer_of(folder: Path) -> Signer:
    """What signs tokens that the server of that data folder takes."""
    return Signer(load_secret(folder), time.time)


def hello(signer: Signer, role: Role, name: str) -> bytes:
    """A client's first message, with a token of its own."""
    token, _ = signer.mint(role, ttl_s=TOKEN_TTL_S, name=name)
    return json.dumps({"type": "hello", "token": token, "client": "bench/1"}).encode()


def subscribe(table: str, since: tuple[str, int] | None = None) -> bytes:
    """The message that asks for a table."""
    message: dict[str, Any] = {"type": "subscribe", "table": table}
    if since is not None:
        message["since"] = since
    return json.dumps(message).encode()
