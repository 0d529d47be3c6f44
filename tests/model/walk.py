"""Random tables: seeded commands that a table plausibly meets, good and bad ones, for any engine.

The walk asks the Model only what the plan and the seats are; what it yields can be put to another
engine and the two compared.
"""

import random
from collections.abc import Iterator
from typing import Any

from tests.model.house import PRESETS
from tests.model.play import Model

Command = dict[str, Any]
CHOICES = ["post", "wait_big_blind", "wait_button", "straddle", "free", "buy_button"]
MOVES = [None, None, None, None, "wait", "post", "wait_button", "wait_big_blind", "pass"]
STRUCTURES: list[Any] = [
    {"small": 5, "big": 10},
    {"blinds": [{"at": 1, "amount": 10}]},
    {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]},
    {"blinds": [{"at": 0, "amount": 5}, {"at": 1, "amount": 5}, {"at": 2, "amount": 10}]},
    {"blinds": [{"at": -1, "amount": 2}, {"at": 1, "amount": 5}, {"at": 2, "amount": 10}]},
]


def opening(chance: random.Random, rules: str | None = None) -> Command:
    rules = rules or chance.choice(list(PRESETS))
    stakes = STRUCTURES[0]
    if rules not in ("pokerstars", "pokernow", "pot-limit", "tournament") and chance.random() < 0.2:
        stakes = chance.choice(STRUCTURES)
    return {
        "type": "open_table",
        "name": "walk",
        "seats": chance.randint(2, 10),
        "rules": rules,
        "stakes": stakes,
    }


def walk(seed: int, length: int, rules: str | None = None) -> Iterator[tuple[Model, Command]]:
    """Yields (the model before it, the command): the reader puts the command to whatever it likes,
    the walk puts it to the model when it goes on."""
    chance = random.Random(seed)
    model = Model()
    first = opening(chance, rules)
    yield model, first
    model.command(first)
    people = 0
    for no in range(1, first["seats"] + 1):
        if chance.random() < 0.7:
            people += 1
            cmd = {"type": "take_seat", "seat": no, "player": f"p{people}"}
            yield model, cmd
            model.command(cmd)
    for _ in range(length):
        people += 1
        cmd = next_command(chance, model, people)
        yield model, cmd
        model.command(cmd)


def next_command(chance: random.Random, model: Model, people: int) -> Command:
    """Mostly sensible: a hand is dealt every few commands, choices are those that are offered."""
    assert model.table is not None
    t = model.table
    if t.phase == "no_game":
        return (
            {"type": "start_game"} if chance.random() < 0.5 else seat_event(chance, model, people)
        )
    draw = chance.random()
    if draw < 0.5:
        return flow(chance, model)
    if draw < 0.55:
        return rare(chance, model)
    if draw < 0.62 and t.phase != "in_hand":
        return voluntary(chance, model)
    return seat_event(chance, model, people)


def flow(chance: random.Random, model: Model) -> Command:
    assert model.table is not None
    phase = model.table.phase
    if phase == "in_hand":
        return {"type": "end_hand"}
    if "none" in model.plan():
        return arrival(chance, model)
    if chance.random() < 0.1:
        return {"type": {"between_hands": "shuffle", "shuffling": "cut"}.get(phase, "deal")}
    return {"type": "deal"}


def arrival(chance: random.Random, model: Model) -> Command:
    """No hand can be dealt: somebody comes back, chips are bought, or a game is started."""
    assert model.table is not None
    t = model.table
    away = [no for no in t.seats if t.seats[no].sitting_out]
    broke = [no for no in t.seats if t.seats[no].stack == 0]
    draw = chance.random()
    if broke and draw < 0.4:
        return {"type": "set_stack", "seat": chance.choice(broke), "stack": 500}
    if away and draw < 0.8:
        return {"type": "sit_in", "seat": chance.choice(away)}
    return {"type": "start_game"}


def rare(chance: random.Random, model: Model) -> Command:
    assert model.table is not None
    t = model.table
    any_seat = chance.randint(1, t.seat_count)
    out = [no for no, seat in t.seats.items() if seat.entrant]
    entrant = chance.choice(out) if out else any_seat
    match chance.choice(
        ["misdeal", "undo", "correct_button", "set_owes", "report", "report", "list"]
    ):
        case "correct_button":
            return {"type": "correct_button", "button": any_seat}
        case "set_owes":
            owes = chance.choice([{}, {"small": True}, {"big": True, "small": True}])
            return {"type": "set_owes", "seat": any_seat, "owes": owes, "reason": "floor"}
        case "report":
            if "may_elect" in t.unposted.values():
                seat = chance.choice(list(t.unposted))
                return {"type": "elect", "seat": seat, "post": chance.random() < 0.5}
            looked = chance.random() < 0.2
            return {"type": "report_unposted", "seat": entrant, "looked": looked, "action": False}
        case "list":
            return {"type": "join_list", "player": f"w{any_seat}"}
        case kind:
            return {"type": kind}


def voluntary(chance: random.Random, model: Model) -> Command:
    """A straddle by who would act first, or a sleeper; now and then by somebody else."""
    assert model.table is not None
    plan = model.plan()
    first = plan.get("first_to_act")
    dealt = plan.get("dealt") or [1]
    if first is not None and chance.random() < 0.7:
        return {"type": "straddle", "seat": first}
    return {"type": chance.choice(["straddle", "sleeper"]), "seat": chance.choice(dealt)}


def seat_event(chance: random.Random, model: Model, people: int) -> Command:
    assert model.table is not None
    t = model.table
    taken = sorted(t.seats)
    empty = [no for no in range(1, t.seat_count + 1) if no not in t.seats]
    away = [no for no in taken if t.seats[no].sitting_out]
    draw = chance.random()
    if empty and (draw < 0.16 or not taken):
        entry = {"entry": "free"} if chance.random() < 0.05 else {}
        no = chance.choice(empty)
        return {"type": "take_seat", "seat": no, "player": f"p{people}"} | entry
    if not taken:
        return {"type": "lock_up", "seat": 1}
    seat = chance.choice(taken)
    if draw < 0.24:
        return {"type": "leave", "seat": seat}
    if draw < 0.45:
        later = {"at": "next_big_blind"} if chance.random() < 0.15 else {}
        return {"type": "sit_out", "seat": seat} | later
    if draw < 0.65 and away:
        kind = "deal_me_in" if chance.random() < 0.15 else "sit_in"
        return {"type": kind, "seat": chance.choice(away)}
    if draw < 0.83 and (any(t.seats[no].entrant for no in taken) or draw < 0.66):
        return choice_of_somebody(chance, model, seat)
    if draw < 0.95 and empty and t.phase != "in_hand":
        move = {"type": "change_seat", "seat": seat, "to": chance.choice(empty)}
        choice = chance.choice(MOVES)
        return move | ({"choice": choice} if choice else {})
    stack = chance.choice([0, 3, 5, 10, 12, 500, 500, 500])
    return {"type": "set_stack", "seat": seat, "stack": stack}


def choice_of_somebody(chance: random.Random, model: Model, seat: int) -> Command:
    """Mostly an answer to an open question."""
    questions = model.plan().get("questions") or []
    if questions and chance.random() < 0.85:
        asked = chance.choice(questions)
        answer = chance.choice(asked["choices"])["choice"]
        return {"type": "choose", "seat": asked["seat"], "choice": answer}
    return {"type": "choose", "seat": seat, "choice": chance.choice(CHOICES)}
