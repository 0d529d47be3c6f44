"""The codes of the wire: why a socket was closed, why a message failed, and whether to try again.

Each code has one retry verdict, so that a client needs no list of its own.
"""

from enum import IntEnum
from typing import Literal, get_args

from livebutton.rules.refusals import Reason


class CloseCode(IntEnum):
    """Why the server closed a socket."""

    BAD_MESSAGE = 4000
    UNAUTHORIZED = 4001
    REVOKED = 4003
    SLOW = 4004
    TOO_LARGE = 4009
    DRAIN = 1012


# Whether a client that was closed so should come back by itself.
MAY_RETURN: dict[CloseCode, bool] = {
    CloseCode.BAD_MESSAGE: False,
    CloseCode.UNAUTHORIZED: False,
    CloseCode.REVOKED: False,
    CloseCode.SLOW: True,
    CloseCode.TOO_LARGE: False,
    CloseCode.DRAIN: True,
}

ErrorCode = Literal[
    "bad_fields",
    "unknown_type",
    "hello_again",
    "no_table",
    "forbidden",
    "too_many",
    "unavailable",
]
ERROR_CODES: frozenset[str] = frozenset(get_args(ErrorCode))

# Errors and refusals that the very same message may outlive.
_PASSING: frozenset[str] = frozenset({"too_many", "unavailable"})


def may_retry(code: ErrorCode | Reason) -> bool:
    """Whether sending the same message again, later, can succeed."""
    return code in _PASSING
