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
MOVES = [None, None, "wait", "post", "wait_button", "wait_big_blind", "pass"]
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
    assert model.table is not None
    t = model.table
    if t.phase == "no_game":
        return (
            {"type": "start_game"} if chance.random() < 0.5 else seat_event(chance, model, people)
        )
    if chance.random() < 0.45:
        return flow(chance, t.phase)
    if chance.random() < 0.08:
        return rare(chance, model)
    return seat_event(chance, model, people)


def flow(chance: random.Random, phase: str) -> Command:
    if phase == "in_hand":
        return {"type": "end_hand"}
    if chance.random() < 0.1:
        return {"type": {"between_hands": "shuffle", "shuffling": "cut"}.get(phase, "deal")}
    return {"type": "deal"}


def rare(chance: random.Random, model: Model) -> Command:
    assert model.table is not None
    any_seat = chance.randint(1, model.table.seat_count)
    kind = chance.choice(
        ["misdeal", "undo", "start_game", "correct_button", "set_owes", "report_unposted", "elect"]
    )
    match kind:
        case "correct_button":
            return {"type": kind, "button": any_seat}
        case "set_owes":
            owes = chance.choice([{}, {"small": True}, {"big": True, "small": True}])
            return {"type": kind, "seat": any_seat, "owes": owes, "reason": "floor"}
        case "report_unposted":
            looked = chance.random() < 0.3
            return {"type": kind, "seat": any_seat, "looked": looked, "action": False}
        case "elect":
            return {"type": kind, "seat": any_seat, "post": chance.random() < 0.5}
        case _:
            return {"type": kind}


def seat_event(chance: random.Random, model: Model, people: int) -> Command:
    assert model.table is not None
    t = model.table
    taken = sorted(t.seats)
    empty = [no for no in range(1, t.seat_count + 1) if no not in t.seats]
    entrants = [no for no in taken if t.seats[no].entrant]
    draw = chance.random()
    if empty and (draw < 0.2 or not taken):
        return {"type": "take_seat", "seat": chance.choice(empty), "player": f"p{people}"}
    if not taken:
        return {"type": "lock_up", "seat": 1}
    seat = chance.choice(taken)
    away = [no for no in taken if t.seats[no].sitting_out]
    if draw < 0.32:
        return {"type": "leave", "seat": seat}
    if draw < 0.5:
        if chance.random() < 0.15:
            return {"type": "sit_out", "seat": seat, "at": "next_big_blind"}
        return {"type": "sit_out", "seat": seat}
    if draw < 0.68 and away:
        kind = "deal_me_in" if chance.random() < 0.15 else "sit_in"
        return {"type": kind, "seat": chance.choice(away)}
    if draw < 0.85 and entrants:
        no = chance.choice(entrants)
        return {"type": "choose", "seat": no, "choice": chance.choice(CHOICES)}
    if draw < 0.9 and empty:
        move = {"type": "change_seat", "seat": seat, "to": chance.choice(empty)}
        choice = chance.choice(MOVES)
        return move | ({"choice": choice} if choice else {})
    if draw < 0.95:
        return {"type": chance.choice(["straddle", "sleeper"]), "seat": seat}
    return {"type": "set_stack", "seat": seat, "stack": chance.choice([0, 3, 5, 10, 12, 500])}
