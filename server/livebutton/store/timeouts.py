"""How long each kind of connection may wait. Nothing is left to a library's default."""

from typing import Any

import msgspec
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff


class Timeouts(msgspec.Struct, frozen=True):
    """Seconds, by role.

    `command_s` is for one exchange of commands and replies; `durable_s`, within it, for a write
    to reach the disk or the replicas. A subscriber may hear nothing for `subscriber_s` before it
    asks whether the line still lives. `patience_s` is for one question in all, with every
    reconnect and retry on the way.
    """

    connect_s: float = 2.0
    command_s: float = 5.0
    durable_s: float = 2.0
    subscriber_s: float = 4.0
    sentinel_s: float = 1.0
    patience_s: float = 8.0
    probe_s: float = 2.0


def for_commands(timeouts: Timeouts) -> dict[str, Any]:
    """What redis-py is told of every connection that carries commands or hints."""
    return {
        "socket_connect_timeout": timeouts.connect_s,
        "socket_timeout": timeouts.command_s,
        "health_check_interval": 0,
        "protocol": 2,
        "decode_responses": False,
        "retry": Retry(NoBackoff(), 0),
    }


def for_sentinels(timeouts: Timeouts) -> dict[str, Any]:
    """What redis-py is told of every connection to a Sentinel."""
    return {
        "socket_connect_timeout": timeouts.sentinel_s,
        "socket_timeout": timeouts.sentinel_s,
        "health_check_interval": 0,
        "protocol": 2,
        "retry": Retry(NoBackoff(), 0),
    }
