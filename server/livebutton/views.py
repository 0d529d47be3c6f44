"""What each audience may see of a table, and the difference between two views.

A view is plain data for the wire: maps with string keys, lists, strings, numbers and True. It
holds no null and leaves out what is false or empty, so that a merge patch (RFC 7386) can always
say "gone" with a null. `public` is what lies on the felt; `staff` also sees stacks, prices,
minutes away, whom a seat is held for and what may be commanded.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from livebutton.rules.allowed import allowed
from livebutton.rules.entry import price
from livebutton.rules.events import AnyEvent, PlayerPickedUp, SeatLockedUp, StackSet, public_event
from livebutton.rules.forecast import Forecast, forecast
from livebutton.rules.hands_ahead import coming_hands
from livebutton.rules.memo import per_commit, per_table
from livebutton.rules.places import places
from livebutton.rules.plan import plan
from livebutton.rules.prices import other_answers, priced_moves, raise_to
from livebutton.rules.table import Chips, HandPlan, Seat, SeatNo, Table

Audience = Literal["public", "staff"]
View = dict[str, Any]

# What a player's own socket is told it may command, for its own seat.
PLAYER_COMMANDS = frozenset(
    {"choose", "sit_out", "sit_in", "deal_me_in", "straddle", "sleeper", "leave"}
)


def view(table: Table, audience: Audience) -> View:
    """The table as that audience may see it. Callers must not change it."""
    return _staff(table) if audience == "staff" else _public(table)


@per_commit
def _public(table: Table) -> View:
    return _seen(table, "public")


@per_commit
def _staff(table: Table) -> View:
    seen = _seen(table, "staff")
    seen["allowed"] = _allowed(table)
    if answers := plain(other_answers(table)):
        seen["answers"] = answers
    if moves := plain(priced_moves(table)):
        seen["moves"] = moves
    return seen


@per_commit
def _allowed(table: Table) -> list[View]:
    found: list[View] = plain(allowed(table))
    return found


def _seen(table: Table, audience: Audience) -> View:
    setup, play = table.setup, table.play
    hand = plan(table)
    named = places(hand)
    ahead = _forecast(table)
    is_staff = audience == "staff"
    seen: View = {
        "table": setup.table,
        "name": setup.name,
        "game": plain(setup.game),
        "stakes": plain(setup.stakes),
        "rules": setup.rules,
        "phase": play.phase,
        "hand": play.hand,
        "seat_count": len(table.seats),
        "plan": plan_view(hand, audience),
    }
    if to := raise_to(table):
        seen["plan"]["raise_to"] = to
    owed = debts(table) if any(seat.owes for seat in table.seats) else {}
    seats = {
        str(seat_no): _seat(seat, named.get(seat_no, ""), ahead.get(seat_no), is_staff)
        for seat_no, seat in enumerate(table.seats, 1)
    }
    for seat_no, (live, dead) in owed.items():
        seats[str(seat_no)]["debt"] = {"live": live, "dead": dead}
    if any(seats.values()):
        seen["seats"] = {seat_no: seat for seat_no, seat in seats.items() if seat}
    if play.drawn:
        seen["button"] = play.drawn
    elif play.last is not None:
        seen["button"] = play.last.button
    if setup.room:
        seen["room"] = setup.room
    if play.corrected or play.put_right:
        seen["corrected"] = True
    if table.waiting:
        seen["waiting"] = [waiting.player for waiting in table.waiting]
    return seen


@per_table
def _forecast(table: Table) -> dict[SeatNo, Forecast]:
    if table.play.phase in ("no_game", "closed"):
        return {}
    return forecast(coming_hands(table))


@per_table
def debts(table: Table) -> dict[SeatNo, tuple[Chips, Chips]]:
    """What each player who owes would put out to be dealt in out of turn: live and dead.

    Public as the missed blind button is: everybody at the table can count it.
    """
    now = coming_hands(table).start
    return {
        seat_no: price(now, seat, "post")[1:]
        for seat_no, seat in enumerate(table.seats, 1)
        if seat.player and seat.owes
    }


def _seat(seat: Seat, place: str, ahead: Forecast | None, is_staff: bool) -> View:
    """One seat; empty for a chair that nobody holds: the view leaves it out."""
    seen: View = {}
    marks = marks_of(seat)
    if marks:
        seen["marks"] = marks
    if seat.locked and seat.held_for and is_staff:
        seen["held_for"] = seat.held_for
    if not seat.player:
        return seen
    seen |= _player(seat, is_staff)
    if place:
        seen["place"] = place
    if ahead is not None:
        counts = {k: v for k, v in msgspec.structs.asdict(ahead).items() if v is not None}
        if counts:
            seen["forecast"] = counts
    return seen


def _player(seat: Seat, is_staff: bool) -> View:
    """The player of a seat: presence, what he owes, what he chose."""
    seen: View = {"player": seat.player, "name": seat.name or seat.player}
    told: View = {
        "sitting_out": seat.sitting_out,
        "deal_me_in": seat.deal_me_in,
        "out_at_big_blind": seat.out_at_big_blind,
        "owes": msgspec.to_builtins(seat.owes),
        "in_rotation": seat.standing == "in",
        "choice": seat.choice,
    }
    if is_staff:
        told["away_since_ms"] = seat.away_since_ms if seat.sitting_out else 0
    seen |= {key: value for key, value in told.items() if value}
    if is_staff and seat.stack is not None:
        seen["stack"] = seat.stack
    return seen


def marks_of(seat: Seat) -> list[str]:
    """The buttons that lie at a seat besides the dealer button."""
    marks = []
    if seat.owes.big:
        marks.append("missed_blind")
    elif seat.owes:
        marks.append("missed_little_blind")
    if seat.absent:
        marks.append("absent")
    if seat.locked and not seat.player:
        marks.append("lock_up")
    return marks


def plan_view(hand: HandPlan, audience: Audience) -> View:
    """A plan as plain data; only staff see what each answer to a question costs."""
    seen: View = plain(hand)
    if audience != "staff" and "questions" in seen:
        seen["questions"] = [{"seat": question["seat"]} for question in seen["questions"]]
    return seen


def plain(value: Any) -> Any:
    """Plain data without nulls, falsehoods and empties; zeros stay, they are amounts."""
    return _pruned(msgspec.to_builtins(value, str_keys=True))


def _pruned(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        pruned = {}
        for key, item in value.items():
            # Told apart by type first: most items are numbers and texts.
            kind = type(item)
            if kind is dict or kind is list or kind is tuple:
                item = _pruned(item)
            if item or (kind is int) or (kind is float):
                pruned[key] = item
        return pruned
    if kind is list or kind is tuple:
        return [_pruned(item) for item in value]
    return value


def own(table: Table, seat_no: SeatNo) -> View:
    """What a player's socket gets beside the public view: what he may do, and his question.

    `allowed` has only his own seat's commands; `questions` his own, with prices, and `answers`
    those that he may still give instead of the one he gave.
    """
    seen: View = {}
    if not 1 <= seat_no <= len(table.seats):
        return seen
    mine = [
        entry
        for entry in _allowed(table)
        if entry.get("seat") == seat_no and entry["type"] in PLAYER_COMMANDS
    ]
    if mine:
        seen["allowed"] = mine
    questions = [plain(question) for question in plan(table).questions if question.seat == seat_no]
    if questions:
        seen["questions"] = questions
    answers = [plain(given) for given in other_answers(table) if given.seat == seat_no]
    if answers:
        seen["answers"] = answers
    return seen


def event_for(event: AnyEvent, audience: Audience) -> View | None:
    """An event as that audience is told it, or None when it is none of its business."""
    if audience == "public":
        if isinstance(event, StackSet):
            return None
        fields = public_event(event)
        if isinstance(event, SeatLockedUp):
            fields.pop("player", None)
        if isinstance(event, PlayerPickedUp):
            fields.pop("held_for", None)
        return _without_prices(fields)
    return _pruned_event(public_event(event))


def _without_prices(fields: View) -> View:
    for key in ("stack", "at_ms", "reason"):
        fields.pop(key, None)
    hand = fields.get("plan")
    if isinstance(hand, dict) and hand.get("questions"):
        fields["plan"] = {
            **hand,
            "questions": [{"seat": question["seat"]} for question in hand["questions"]],
        }
    back = fields.get("back")
    if isinstance(back, dict):
        of = {k: v for k, v in back["of"].items() if k in ("type", "seat", "to")}
        fields["back"] = {**back, "of": of}
    return _pruned_event(fields)


def _pruned_event(fields: View) -> View:
    pruned: View = _pruned(fields)
    return pruned


# -- the merge patch ---------------------------------------------------------------------------


# Patches between two maps by the identities of both, which are held so that they stay theirs.
Known = dict[tuple[int, int], tuple[View, View, View]]


def merge_patch(
    before: Mapping[str, Any], after: Mapping[str, Any], known: Known | None = None
) -> View:
    """The RFC 7386 patch that makes `after` of `before`. Lists are replaced whole.

    `known` is for patches between several views of the same two tables: the maps that they share
    are compared once.
    """
    patch: View = {}
    known = {} if known is None else known
    for key, new in after.items():
        if key not in before:
            patch[key] = new
            continue
        old = before[key]
        if old is new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            pair = (id(old), id(new))
            if pair not in known:
                known[pair] = (old, new, merge_patch(old, new, known))
            if inner := known[pair][2]:
                patch[key] = inner
        elif old != new or type(old) is not type(new):
            patch[key] = new
    for key in before:
        if key not in after:
            patch[key] = None
    return patch


def apply_patch(target: Any, patch: Any) -> Any:
    """`target` with an RFC 7386 patch applied; neither is changed."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = apply_patch(result.get(key), value)
    return result
