"""`livebutton replay`: commands as JSON lines in, what each came to as JSON lines out."""

import json
from collections.abc import Iterable
from typing import Any, TextIO

import msgspec

from livebutton.rules.commands import OpenTable, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.plan import plan
from livebutton.rules.refusals import Refused
from livebutton.rules.table import HandPlan, Table
from livebutton.views import event_for, view


def main(lines: Iterable[str | bytes], out: TextIO) -> int:
    """Replay every line; 0, or 1 when a line was not a JSON object."""
    table: Table | None = None
    status = 0
    for line in lines:
        if not line.strip():
            continue
        try:
            table, answer = replay(table, read(line))
        except Refused as refused:
            answer = refusal(refused)
            status = 1
        out.write(json.dumps(answer, separators=(",", ":"), ensure_ascii=False) + "\n")
        out.flush()
    return status


def read(line: str | bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises Refused (`bad_fields`) when it is none."""
    try:
        fields = json.loads(line.decode() if isinstance(line, bytes) else line)
    except (ValueError, RecursionError) as error:
        why = str(error) or "nested too deeply"
        raise Refused("bad_fields", f"not JSON: {why}", params={"error": why}) from None
    if not isinstance(fields, dict):
        raise Refused("bad_fields", "a command is a JSON object")
    return fields


def replay(table: Table | None, fields: dict[str, Any]) -> tuple[Table | None, dict[str, Any]]:
    """One command on a table: the table after it, and what is printed for it.

    An `open_table` starts afresh. The rules take the lowest seat where no button was drawn.
    """
    try:
        command = decode_command(fields)
        before = None if isinstance(command, OpenTable) else table
        events = decide(before, command)
    except Refused as refused:
        return table, refusal(refused)
    table = record(before, command, events)
    return table, {
        "offset": table.offset,
        "events": [event_for(event, "staff") for event in events],
        "plan": whole_plan(plan(table)),
        "view": view(table, "staff"),
    }


def whole_plan(hand: HandPlan) -> dict[str, Any]:
    """A plan with every field there is, so that nothing has to be guessed; `none` stands alone."""
    fields: dict[str, Any] = msgspec.to_builtins(hand, str_keys=True)
    if hand.none is not None:
        return fields
    whole = {name: fields.get(name, getattr(hand, name)) for name in hand.__struct_fields__}
    del whole["none"]
    for name in ("first_to_act", "first_to_act_after"):
        whole[name] = whole[name] or None
    return whole


def refusal(refused: Refused) -> dict[str, Any]:
    """A refusal as it is printed."""
    answer: dict[str, Any] = {
        "reason": refused.reason,
        "rule": refused.rule,
        "message": refused.message,
    }
    if refused.params:
        answer["params"] = refused.params
    return {"refused": answer}
