"""Who may command what, judged before the rules are asked.

`refusal` looks at the role and its scope, `refusal_at` at the table as it stands: the runner asks
it again in the very step that decides, so nobody slips through between a look and a commit.
"""

from collections.abc import Mapping
from typing import Any

from livebutton.gateway.auth import Credential
from livebutton.rules.commands import COMMAND_TYPES
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table

# What a player may do, for his own seat.
PLAYERS_COMMANDS = frozenset(
    {"choose", "sit_out", "sit_in", "deal_me_in", "straddle", "sleeper", "leave"}
)
# What takes a floor person, or the room's own backend.
FLOORS_COMMANDS = frozenset({"open_table", "set_house", "set_stakes", "set_owes"})


def _forbidden(message: str, **params: object) -> Refused:
    return Refused("forbidden", message, params=params)


def refusal(credential: Credential, table: str, command: Mapping[str, Any]) -> Refused | None:
    """Why this credential may not send this command at all; None when its role allows it."""
    kind = command.get("type")
    role = credential.role
    if role == "display":
        return _forbidden("a display only shows", role=role)
    if not credential.covers_table(table):
        return _forbidden("this token is for other tables", table=table)
    if not isinstance(kind, str):
        return Refused("unknown_command", "a command needs a `type`, which is a text")
    if kind not in COMMAND_TYPES:
        return None  # The rules name what is wrong with it.
    if kind == "open_table" and not credential.covers_room(command.get("room", "")):
        return _forbidden("this token is for another room", room=credential.room)
    if role == "player":
        return _players_refusal(credential, kind, command)
    if role == "dealer":
        if kind in FLOORS_COMMANDS:
            return _forbidden(f"{kind} is the floor's", role=role, command=kind)
        if kind == "take_seat" and command.get("entry", "normal") != "normal":
            return _forbidden("a free entry is the floor's", role=role, command=kind)
    return None


def _players_refusal(
    credential: Credential, kind: str, command: Mapping[str, Any]
) -> Refused | None:
    if kind not in PLAYERS_COMMANDS:
        return _forbidden(f"{kind} is not for players", role="player", command=kind)
    seat = command.get("seat")
    if isinstance(seat, int) and seat != credential.seat:
        return _forbidden("that is another player's seat", seat=seat, own=credential.seat)
    return None


def refusal_at(credential: Credential, table: Table, command: Mapping[str, Any]) -> Refused | None:
    """Why this credential may not send this command to this table as it stands; None if it may."""
    if not credential.covers_room(table.setup.room):
        return _forbidden("this token is for another room", table=table.setup.table)
    if credential.role != "dealer":
        return None
    kind = command.get("type")
    if kind == "correct_button" and table.play.phase == "in_hand":
        return _forbidden("once the first card is out, the floor puts the button right")
    if kind == "undo" and table.undo and table.undo[-1].of.get("type") == "end_hand":
        return _forbidden("only the floor may go back past the end of a hand")
    return None


def may_watch(credential: Credential, table: Table) -> bool:
    """Whether this credential may see this table."""
    return credential.covers_table(table.setup.table) and credential.covers_room(table.setup.room)
