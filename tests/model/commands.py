"""Commands as maps: the fields each may have, checked before any rule is asked."""

from typing import Any

from tests.model.house import is_int
from tests.model.table import Refused, Table

Command = dict[str, Any]

# name -> kind of value; a trailing ? marks what may be left out
FIELDS: dict[str, str] = {
    "open_table": "table?:text name:text seats:int rules:text stakes:any game?:any room?:text"
    " house?:map",
    "close_table": "",
    "set_stakes": "stakes:any game?:any",
    "lock_up": "seat:seat player?:text",
    "release": "seat:seat",
    "take_seat": "seat:seat player:text name?:text stack?:count entry?:entry",
    "rename": "seat:seat name:text",
    "leave": "seat:seat",
    "sit_out": "seat:seat at?:when",
    "sit_in": "seat:seat",
    "deal_me_in": "seat:seat",
    "choose": "seat:seat choice:choice",
    "change_seat": "seat:seat to:seat choice?:move",
    "set_stack": "seat:seat stack:count",
    "set_owes": "seat:seat owes:any reason:text",
    "join_list": "player:text",
    "leave_list": "player:text",
    "start_game": "button?:seat",
    "adopt_game": "button:seat small?:any big:any owes?:map",
    "shuffle": "",
    "cut": "",
    "deal": "",
    "end_hand": "",
    "misdeal": "",
    "straddle": "seat:seat",
    "sleeper": "seat:seat",
    "report_unposted": "seat:seat looked:flag action:flag",
    "elect": "seat:seat post:flag",
    "correct_button": "button:seat acted?:count",
    "undo": "offset?:int",
}
CHOICES = ("post", "wait_big_blind", "wait_button", "straddle", "free", "buy_button")
MOVES = ("wait", "post", "wait_button", "wait_big_blind", "pass")


def check_fields(command: Any) -> None:
    """unknown_command or bad_fields, whatever the table holds; seat numbers are checked later."""
    if not isinstance(command, dict) or not isinstance(command.get("type"), str):
        raise Refused("bad_fields", "a command is a map with a type")
    if command["type"] == "set_house":
        return
    if command["type"] not in FIELDS:
        raise Refused("unknown_command", command["type"])
    known = {}
    for item in FIELDS[command["type"]].split():
        name, kind = item.split(":")
        known[name.rstrip("?")] = kind
        if not name.endswith("?") and name not in command:
            raise Refused("bad_fields", f"{name} is missing")
    for name, value in command.items():
        if name == "type":
            continue
        if name not in known or not fits(known[name], value):
            raise Refused("bad_fields", f"{name}: {value!r}")


def fits(kind: str, value: Any) -> bool:
    match kind:
        case "int" | "seat":
            return is_int(value)
        case "count":
            return is_int(value) and value >= 0
        case "text":
            return isinstance(value, str) and value != ""
        case "flag":
            return isinstance(value, bool)
        case "map":
            return isinstance(value, dict)
        case "entry":
            return value in ("normal", "free")
        case "when":
            return value in ("now", "next_big_blind")
        case "choice":
            return value in CHOICES or value == "wait"
        case "move":
            return value in MOVES
        case _:
            return True


def check_seats(t: Table, command: Command) -> None:
    """no_seat: a seat number that the table does not have."""
    if command["type"] == "set_house":
        return
    for name in ("seat", "to", "button"):
        if name in command and not 1 <= command[name] <= t.seat_count:
            raise Refused("no_seat", f"{name} {command[name]}")


def require_phase(t: Table, *phases: str) -> None:
    if t.phase not in phases:
        raise Refused("wrong_phase", t.phase)


def owes_from(value: Any, kinds: list[str]) -> frozenset[str]:
    """{big: true, small: true} or a list of kinds; who owes the big blind owes them all."""
    if isinstance(value, dict) and all(isinstance(flag, bool) for flag in value.values()):
        value = [kind for kind, flag in value.items() if flag]
    if not isinstance(value, list) or not set(value) <= {"small", "middle", "big"}:
        raise Refused("bad_fields", "owes")
    if "big" not in value and not set(value) <= set(kinds):
        raise Refused("bad_fields", "no such blind at this table")
    return frozenset(kinds if "big" in value else value)
