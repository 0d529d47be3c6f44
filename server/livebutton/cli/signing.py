"""The command that makes a token."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from livebutton.cli import fail
from livebutton.gateway.auth import Role, Signer, Unauthorized, load_secret
from livebutton.settings import BadSettings, load, seconds

Tables = Annotated[tuple[str, ...], Parameter(name="--table", negative=())]


def token(
    *,
    role: Role,
    room: str | None = None,
    table: Tables = (),
    seat: int = 0,
    ttl: str = "12h",
    name: str = "",
    data: Path | None = None,
) -> int:
    """Print a token, signed with the server's secret.

    Parameters
    ----------
    role
        display (sees), player (one seat), dealer (own tables), floor (all), backend (a room).
    room
        The room it is limited to; every room without.
    table
        A table it is limited to; may be given more than once.
    seat
        A player's seat.
    ttl
        How long it holds: 90s, 15m, 12h or 30d.
    name
        What logs and the floor's screen call it.
    data
        The server's data folder.
    """
    try:
        settings = load(data=data)
        secret = load_secret(settings.data, settings.secret)
        made, _ = Signer(secret, time.time).mint(
            role, ttl_s=seconds(ttl), room=room, tables=table, seat=seat, name=name
        )
    except (BadSettings, Unauthorized, ValueError, OSError) as error:
        return fail(str(error))
    print(made)
    return 0
