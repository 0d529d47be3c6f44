"""One answer remembered per function: a table is asked the same things many times over.

Tables are immutable, so an answer holds as long as the same table is asked. Only the last one is
kept: between two commits a server asks about one table, for every audience and every judge.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from livebutton.rules.table import Table

Answer = TypeVar("Answer")


def per_table(function: Callable[[Table], Answer]) -> Callable[[Table], Answer]:
    """Remember the answer for the table last asked about. Callers must not change it."""
    remembered: tuple[Table, Answer] | None = None

    @wraps(function)
    def answer(table: Table) -> Answer:
        nonlocal remembered
        known = remembered
        if known is not None and known[0] is table:
            return known[1]
        found = function(table)
        remembered = (table, found)
        return found

    return answer
