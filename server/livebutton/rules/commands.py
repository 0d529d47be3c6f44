"""Commands: wishes about a table, in the imperative, any of which may be refused.

A command travels as a map with `type` and its fields; `decode_command` makes it a struct, or
refuses it. Unknown fields are refused: a misspelt option must not be silently dropped.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from livebutton.rules.refusals import Refused
from livebutton.rules.table import Chips, Game, SeatNo, Stakes

MAX_SEATS = 23


class Command(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What every command is: a tagged, immutable struct."""


class OpenTable(Command, frozen=True, tag="open_table"):
    name: str
    seats: int
    rules: str
    stakes: Stakes
    table: str = ""
    game: Game | Literal["holdem", "omaha", "draw"] | None = None
    room: str = ""
    house: dict[str, Any] = {}


class CloseTable(Command, frozen=True, tag="close_table"):
    pass


class SetStakes(Command, frozen=True, tag="set_stakes"):
    stakes: Stakes
    game: Game | Literal["holdem", "omaha", "draw"] | None = None


class LockUp(Command, frozen=True, tag="lock_up"):
    seat: SeatNo
    player: str = ""


class Release(Command, frozen=True, tag="release"):
    seat: SeatNo


class TakeSeat(Command, frozen=True, tag="take_seat"):
    seat: SeatNo
    player: str
    name: str = ""
    stack: Chips | None = None
    entry: Literal["normal", "free"] = "normal"


class Rename(Command, frozen=True, tag="rename"):
    seat: SeatNo
    name: str


class Leave(Command, frozen=True, tag="leave"):
    seat: SeatNo


class SitOut(Command, frozen=True, tag="sit_out"):
    seat: SeatNo
    at: Literal["now", "next_big_blind"] = "now"


class SitIn(Command, frozen=True, tag="sit_in"):
    seat: SeatNo


class DealMeIn(Command, frozen=True, tag="deal_me_in"):
    seat: SeatNo


class Choose(Command, frozen=True, tag="choose"):
    seat: SeatNo
    choice: Literal[
        "post", "wait_big_blind", "wait_button", "straddle", "free", "buy_button", "wait", "pass"
    ]


class ChangeSeat(Command, frozen=True, tag="change_seat"):
    seat: SeatNo
    to: SeatNo
    choice: Literal["", "wait", "post", "wait_button", "wait_big_blind", "pass"] = ""


class SetStack(Command, frozen=True, tag="set_stack"):
    seat: SeatNo
    stack: Chips


class SetOwes(Command, frozen=True, tag="set_owes"):
    seat: SeatNo
    owes: dict[str, bool | int] | list[str]
    reason: str


class JoinList(Command, frozen=True, tag="join_list"):
    player: str


class LeaveList(Command, frozen=True, tag="leave_list"):
    player: str


class StartGame(Command, frozen=True, tag="start_game"):
    """`button`: the seat drawn. The runner draws when it is left out; the rules take the lowest."""

    button: SeatNo | None = None


class AdoptGame(Command, frozen=True, tag="adopt_game"):
    """Where the last hand dealt had its button and blinds, for hands that nobody entered."""

    button: SeatNo
    big: SeatNo | list[SeatNo]
    small: SeatNo | list[SeatNo] | None = None
    owes: dict[str, dict[str, bool | int] | list[str]] = {}


class Shuffle(Command, frozen=True, tag="shuffle"):
    pass


class Cut(Command, frozen=True, tag="cut"):
    pass


class Deal(Command, frozen=True, tag="deal"):
    pass


class EndHand(Command, frozen=True, tag="end_hand"):
    pass


class Misdeal(Command, frozen=True, tag="misdeal"):
    pass


class Straddle(Command, frozen=True, tag="straddle"):
    seat: SeatNo


class Sleeper(Command, frozen=True, tag="sleeper"):
    seat: SeatNo


class ReportUnposted(Command, frozen=True, tag="report_unposted"):
    seat: SeatNo
    looked: bool
    action: bool


class Elect(Command, frozen=True, tag="elect"):
    seat: SeatNo
    post: bool


class CorrectButton(Command, frozen=True, tag="correct_button"):
    """`acted`: how many players have acted, when the first card is out."""

    button: SeatNo
    acted: int | None = None


class Undo(Command, frozen=True, tag="undo"):
    offset: int | None = None


class SetHouse(msgspec.Struct, frozen=True, gc=False):
    """New house rules from the next hand: `set_house` carries any fields of the house rules.

    It may name `rules`, a preset to start from. Not a tagged struct, because its fields are open.
    """

    overrides: dict[str, Any]


TaggedCommand = (
    OpenTable
    | CloseTable
    | SetStakes
    | LockUp
    | Release
    | TakeSeat
    | Rename
    | Leave
    | SitOut
    | SitIn
    | DealMeIn
    | Choose
    | ChangeSeat
    | SetStack
    | SetOwes
    | JoinList
    | LeaveList
    | StartGame
    | AdoptGame
    | Shuffle
    | Cut
    | Deal
    | EndHand
    | Misdeal
    | Straddle
    | Sleeper
    | ReportUnposted
    | Elect
    | CorrectButton
    | Undo
)
AnyCommand = TaggedCommand | SetHouse

_TYPES: dict[str, type[Command]] = {
    str(struct.__struct_config__.tag): struct for struct in Command.__subclasses__()
}
_FIELDS: dict[type, tuple[tuple[str, Any], ...]] = {
    struct: tuple((field.name, field.default) for field in msgspec.structs.fields(struct))
    for struct in Command.__subclasses__()
}
_PLAIN = (str, int)
COMMAND_TYPES: frozenset[str] = frozenset(_TYPES) | {"set_house"}


def decode_command(fields: Mapping[str, Any]) -> AnyCommand:
    """A command from its map. Refused: `unknown_command`, or `bad_fields` with what is wrong."""
    kind = fields.get("type")
    if not isinstance(kind, str) or kind not in COMMAND_TYPES:
        said = (
            f"there is no command {kind!r}" if isinstance(kind, str) else "a command has a `type`"
        )
        params = {"type": kind} if isinstance(kind, str) else {}
        raise Refused("unknown_command", said, params=params)
    if kind == "set_house":
        return SetHouse({key: value for key, value in fields.items() if key != "type"})
    try:
        return msgspec.convert(fields, _TYPES[kind])  # type: ignore[return-value]
    except msgspec.ValidationError as error:
        raise Refused("bad_fields", f"{kind}: {error}", params={"type": kind}) from None


def _as_sent(value: Any) -> Any:
    """A field as it comes back from the wire or the store: lists, not tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def encode_command(command: AnyCommand) -> dict[str, Any]:
    """The map of a command, without the fields left at their defaults."""
    if isinstance(command, SetHouse):
        return {"type": "set_house", **command.overrides}
    encoded: dict[str, Any] = {"type": command.__struct_config__.tag}
    for name, default in _FIELDS[type(command)]:
        value = getattr(command, name)
        if value != default:
            encoded[name] = value if isinstance(value, _PLAIN) else _as_sent(value)
    return encoded
