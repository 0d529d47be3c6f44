"""The questions every judge asks first: is there such a seat, and is it as the command says?"""

import re
from typing import Any

from livebutton.rules.refusals import Reason, Refused
from livebutton.rules.table import Seat, SeatNo, Table

LONGEST_NAME = 256
LONGEST_ID = 256
# What every reader of JSON can still count exactly.
MAX_STACK = 2**52
# What ends a line or steers a terminal. The joiners and marks of other scripts are letters.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def require(holds: bool, reason: Reason, message: str, *, rule: str = "", **params: Any) -> None:
    """Refuse unless it holds."""
    if not holds:
        raise Refused(reason, message, rule=rule, params=params)


def is_one_line(text: str) -> bool:
    """Whether a text is one line of what people read, wherever it is shown."""
    return _STEERING.search(text) is None


def check_text(what: str, text: str, longest: int = LONGEST_NAME) -> None:
    """Refuse (`bad_fields`) a text that says nothing, too much for any screen, or no one line."""
    require(bool(text.strip()), "bad_fields", f"{what} must not be empty", what=what)
    require(
        len(text) <= longest,
        "bad_fields",
        f"{what} has {longest} characters at the most",
        what=what,
        most=longest,
    )
    require(
        is_one_line(text),
        "bad_fields",
        f"{what} is one line, without control characters",
        what=what,
    )


def seat_of(table: Table, seat_no: SeatNo) -> Seat:
    """That seat. Refused: `no_seat`."""
    if not 1 <= seat_no <= len(table.seats):
        raise Refused(
            "no_seat", f"there is no seat {seat_no} at this table", params={"seat": seat_no}
        )
    return table.seats[seat_no - 1]


def occupied(table: Table, seat_no: SeatNo) -> Seat:
    """That seat, which somebody holds. Refused: `no_seat`, `seat_empty`."""
    seat = seat_of(table, seat_no)
    if not seat.player:
        raise Refused("seat_empty", f"nobody sits in seat {seat_no}", params={"seat": seat_no})
    return seat


def vacant(table: Table, seat_no: SeatNo) -> Seat:
    """That seat, which nobody holds. Refused: `no_seat`, `seat_taken`."""
    seat = seat_of(table, seat_no)
    if seat.player:
        raise Refused(
            "seat_taken",
            f"seat {seat_no} is taken by {seat.name}",
            params={"seat": seat_no, "name": seat.name},
        )
    return seat
