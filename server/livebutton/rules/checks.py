"""The questions every judge asks first: is there such a seat, and is it as the command says?"""

from typing import Any

from livebutton.rules.refusals import Reason, Refused
from livebutton.rules.table import Seat, SeatNo, Table


def require(holds: bool, reason: Reason, message: str, *, rule: str = "", **params: Any) -> None:
    """Refuse unless it holds."""
    if not holds:
        raise Refused(reason, message, rule=rule, params=params)


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
