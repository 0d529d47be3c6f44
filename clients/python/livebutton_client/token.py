"""Where a connection's token comes from, and when it wants a newer one."""

import base64
import binascii
import inspect
import json
from collections.abc import Awaitable, Callable

Token = str | Callable[[], str | Awaitable[str]]


async def fetched(token: Token) -> str:
    """The token itself, or what its callback gives now."""
    if isinstance(token, str):
        return token
    given = token()
    return await given if inspect.isawaitable(given) else given


def expiry_ms(token: str) -> int | None:
    """When a signed token says it ends, in milliseconds since 1970; None where it does not say.

    Only read, not checked: whether it is any good is the server's to judge.
    """
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError):
        return None
    expires_s = claims.get("exp") if isinstance(claims, dict) else None
    return int(expires_s * 1000) if isinstance(expires_s, int | float) else None
