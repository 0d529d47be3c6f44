"""What must hold of every step, whatever the table and the command: each broken one as a sentence.

`shallow` is cheap enough for every step; `deep` asks the judge about everything that could be
commanded, and is for a sample.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from livebutton import views
from livebutton.rules import notation
from livebutton.rules.allowed import allowed
from livebutton.rules.commands import Undo, decode_command, encode_command
from livebutton.rules.decide import decide
from livebutton.rules.events import AnyEvent
from livebutton.rules.evolve import UNDO_DEPTH, record
from livebutton.rules.invariants import of_plan, problems
from livebutton.rules.plan import plan
from livebutton.rules.refusals import REASONS, Refused
from livebutton.rules.table import HandPlan, Table
from tests.rules.walker import CHOICES, Fields, Step

replace = msgspec.structs.replace
_pack = msgspec.msgpack.encode
_table = msgspec.msgpack.Decoder(Table).decode
_events = msgspec.msgpack.Decoder(list[AnyEvent]).decode


def broken(step: Step) -> list[str]:
    """Everything that a step breaks."""
    if step.refused is not None:
        return [*_refusal(step)]
    found = [*problems(step.after), *of_plan(plan(step.after), len(step.after.seats))]
    found += [*_stored(step), *_noted(step)]
    if step.before is not None:
        found += _undone(step, step.before)
        found += _committed(step, step.before)
        found += _views(step, step.before)
    return found


def _refusal(step: Step) -> Iterator[str]:
    refused = step.refused
    assert refused is not None
    if refused.reason not in REASONS or not refused.message:
        yield f"a refusal without a known reason and a sentence: {refused.reason!r}"
    try:
        msgspec.json.encode(refused.params)
    except TypeError as error:
        yield f"refusal params that no client can be told: {error}"


def _stored(step: Step) -> Iterator[str]:
    """What the store writes down is read back as the same, and replays to the same table."""
    if _table(_pack(step.after)) != step.after:
        yield "the table written down is not the same table"
    command = decode_command(step.fields)
    if decode_command(encode_command(command)) != command:
        yield "the command written down is not the same command"
    told = _events(_pack(step.events))
    if told != step.events:
        yield "the events written down are not the same events"
    if record(step.before, command, told) != step.after:
        yield "replaying the events gives another table"


def _noted(step: Step) -> Iterator[str]:
    """The line of a table is read back as that table, but for what a line leaves out."""
    line = notation.write(step.after)
    if "\n" in line or notation.read(line) != notation.bare(step.after):
        yield f"the line does not read back: {line}"


def _undone(step: Step, before: Table) -> Iterator[str]:
    """Undo gives back exactly the table before, but for its offset and how far it remembers."""
    if step.fields["type"] == "undo":
        return
    undo = Undo()
    undone = record(step.after, undo, decide(step.after, undo))
    remembered = before.undo[1 - UNDO_DEPTH :]
    if undone != replace(before, offset=before.offset + 2, undo=remembered):
        yield "undo does not restore the table as it was"


def _committed(step: Step, before: Table) -> Iterator[str]:
    """The plan shown before the deal is the plan that the deal commits, with its open questions."""
    if step.fields["type"] != "deal":
        return
    shown, dealt = plan(before), plan(step.after)
    asked = tuple(q for q in shown.questions if q.seat not in shown.dealt)
    if dealt != replace(shown, questions=asked):
        yield f"the plan shown was {_but(shown, dealt)}, committed {_but(dealt, shown)}"


def _but(plan: HandPlan, other: HandPlan) -> dict[str, Any]:
    """The fields of a plan that another has otherwise."""
    fields = {name: getattr(plan, name) for name in plan.__struct_fields__}
    return {name: value for name, value in fields.items() if value != getattr(other, name)}


def _views(step: Step, before: Table) -> Iterator[str]:
    for audience in ("public", "staff"):
        old, new = views.view(before, audience), views.view(step.after, audience)
        patch = views.merge_patch(old, new)
        if _same(views.apply_patch(old, patch), new) is False:
            yield f"the {audience} patch does not make the new view"
        yield from (f"the {audience} view holds {where}" for where in empties(new))
        for event in step.events:
            seen = views.event_for(event, audience)
            yield from (f"an event holds {where}" for where in empties(seen or {"type": "hidden"}))


def _same(left: Any, right: Any) -> bool:
    """Equal as a client sees it: 1 and True are two things."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    return encode(left) == encode(right)


def empties(value: Any, path: str = "") -> Iterator[str]:
    """Where plain data holds a null, a falsehood or an empty."""
    if value is None or value is False or value == "":
        yield f"{value!r} at {path}"
    elif isinstance(value, dict):
        if not value:
            yield f"{{}} at {path}"
        for key, item in value.items():
            if not isinstance(key, str):
                yield f"the key {key!r} at {path}"
            yield from empties(item, f"{path}/{key}")
    elif isinstance(value, list):
        if not value:
            yield f"[] at {path}"
        for at, item in enumerate(value):
            yield from empties(item, f"{path}/{at}")
    elif not isinstance(value, str | int | bool):
        yield f"{type(value).__name__} at {path}"


# -- what allowed lists and omits ----------------------------------------------------------------

_MOVES = ("", "wait", "post", "wait_button", "wait_big_blind", "pass")
_OF_A_SEAT = ("sit_in", "deal_me_in", "straddle", "sleeper", "leave", "release", "lock_up")
_OF_THE_TABLE = ("shuffle", "cut", "deal", "end_hand", "misdeal", "close_table", "undo")


def candidates(table: Table) -> Iterator[Fields]:
    """Every command without free fields; those with free fields have them filled in aptly."""
    seats = range(1, len(table.seats) + 1)
    for kind in _OF_THE_TABLE:
        yield {"type": kind}
    for seat in seats:
        for kind in _OF_A_SEAT:
            yield {"type": kind, "seat": seat} | ({"player": "Zoe"} if kind == "lock_up" else {})
        yield {"type": "sit_out", "seat": seat}
        yield {"type": "sit_out", "seat": seat, "at": "next_big_blind"}
        yield {"type": "start_game", "button": seat}
        yield {"type": "correct_button", "button": seat}
        for choice in CHOICES:
            yield {"type": "choose", "seat": seat, "choice": choice}
        for post in (False, True):
            yield {"type": "elect", "seat": seat, "post": post}
        yield {"type": "report_unposted", "seat": seat, "looked": False, "action": False}
        held_for = table.seat(seat).held_for
        yield {"type": "take_seat", "seat": seat, "player": held_for or "Zoe"}
        yield {"type": "rename", "seat": seat, "name": "Zoe"}
        yield {"type": "set_stack", "seat": seat, "stack": 7654}
        owes = [] if table.seat(seat).owes else ["big"]
        yield {"type": "set_owes", "seat": seat, "owes": owes, "reason": "the floor"}
        for to in seats:
            for choice in _MOVES:
                move = {"type": "change_seat", "seat": seat, "to": to}
                yield move | ({"choice": choice} if choice else {})
    small = 1 if len(table.seats) == 2 else 2
    yield {"type": "adopt_game", "button": 1, "small": small, "big": len(table.seats)}
    yield {"type": "set_house", "straddle_cap": 17}
    yield {"type": "set_stakes", "stakes": {"small": 77, "big": 111}}
    yield {"type": "join_list", "player": "Zoe"}
    listed = table.waiting[0].player if table.waiting else "Zoe"
    yield {"type": "leave_list", "player": listed}


def is_listed(listed: list[Fields], fields: Fields) -> bool:
    """Whether `allowed` lists that command."""
    for entry in listed:
        if entry["type"] != fields["type"] or entry.get("at") != fields.get("at"):
            continue
        if "seat" in entry and entry["seat"] != fields.get("seat"):
            continue
        to = fields.get("to", fields.get("button"))
        if "to" in entry and to not in entry["to"]:
            continue
        choice = fields.get("choice")
        if choice and entry["type"] != "sit_in" and choice not in entry.get("choices", []):
            continue
        return True
    return False


def misjudged(table: Table) -> Iterator[str]:
    """Commands that `allowed` lists and the judge refuses, or the other way about."""
    listed = allowed(table)
    for fields in candidates(table):
        try:
            decide(table, decode_command(fields))
            accepted = True
        except Refused:
            accepted = False
        if accepted != is_listed(listed, fields):
            yield f"{fields} is {'accepted' if accepted else 'refused'}, allowed says otherwise"
