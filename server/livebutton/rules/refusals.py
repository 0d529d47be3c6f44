"""Why a command was not accepted: a stable reason, the rule that says no, and a sentence."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

Reason = Literal[
    "unknown_command",
    "bad_fields",
    "no_table",
    "no_seat",
    "seat_empty",
    "seat_taken",
    "seat_locked",
    "wrong_phase",
    "not_offered",
    "not_due",
    "not_allowed",
    "forbidden",
    "capped",
    "no_hand",
    "no_change",
    "stale",
    "late",
    "id_conflict",
    "too_many",
]
REASONS: frozenset[str] = frozenset(get_args(Reason))


class Refused(Exception):
    """A rule said no; the table is unchanged.

    `reason` is stable and for programs, `rule` is an id of the rules (empty where no rule is
    the cause), `message` is one sentence for people, `params` are the facts in that sentence.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        rule: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.rule = rule
        self.message = message
        self.params: dict[str, Any] = dict(params or {})
