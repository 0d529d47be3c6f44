"""Who may command what."""

from typing import Any

import msgspec
import pytest

from livebutton.gateway.auth import Credential, Role
from livebutton.gateway.rights import may_watch, refusal, refusal_at
from livebutton.rules.commands import COMMAND_TYPES, decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.table import Table


def credential(role: Role, **scope: Any) -> Credential:
    if role == "player":
        scope = {"tables": ("t7",), "seat": 4, **scope}
    return Credential(id="x", role=role, exp=0, **scope)


def may(who: Credential, table: str = "t7", **command: Any) -> bool:
    found = refusal(who, table, command)
    assert found is None or found.reason == "forbidden"
    return found is None


PLAYERS = {"choose", "sit_out", "sit_in", "deal_me_in", "straddle", "sleeper", "leave"}
FLOORS = {"open_table", "set_house", "set_stakes", "set_owes"}


@pytest.mark.parametrize("kind", sorted(COMMAND_TYPES))
def test_each_role_may_what_it_is_for(kind: str) -> None:
    assert not may(credential("display"), type=kind, seat=4)
    assert may(credential("player"), type=kind, seat=4) == (kind in PLAYERS)
    assert may(credential("dealer"), type=kind, seat=4) == (kind not in FLOORS)
    assert may(credential("floor"), type=kind, seat=4)
    assert may(credential("backend"), type=kind, seat=4)


@pytest.mark.parametrize("kind", sorted(PLAYERS))
def test_a_player_may_it_for_his_own_seat_and_table_only(kind: str) -> None:
    assert not may(credential("player"), type=kind, seat=5)
    assert not may(credential("player"), "t8", type=kind, seat=4)
    # Nonsense is the rules' to refuse.
    assert may(credential("player"), type=kind, seat="4")
    assert not may(credential("player"), type=kind, seat=True)


def test_a_dealer_may_it_at_his_own_tables_only() -> None:
    dealer = credential("dealer", tables=("t7", "t8"))
    assert may(dealer, type="deal")
    assert not may(dealer, "t9", type="deal")


def test_a_free_entry_is_the_floors() -> None:
    assert may(credential("dealer"), type="take_seat", seat=1, entry="normal")
    assert not may(credential("dealer"), type="take_seat", seat=1, entry="free")
    assert may(credential("floor"), type="take_seat", seat=1, entry="free")


def test_an_unknown_command_is_the_rules_to_refuse_and_one_without_a_name_is_ours() -> None:
    for role in ("player", "dealer", "floor", "backend"):
        assert may(credential(role), type="shout")
        for kind in (["deal"], None, 7):
            refused = refusal(credential(role), "t7", {"type": kind})
            assert refused is not None
            assert (refused.reason, "None" in refused.message) == ("unknown_command", False)


def table(room: str = "") -> Table:
    """Three players, nothing dealt yet."""
    opened = {
        "type": "open_table",
        "table": "t7",
        "name": "7",
        "seats": 6,
        "rules": "caro-cooke",
        "stakes": {"small": 5, "big": 10},
        "room": room,
    }
    made = played(None, opened)
    for seat in (1, 2, 3):
        made = played(made, {"type": "take_seat", "seat": seat, "player": f"p{seat}"})
    return played(made, {"type": "start_game", "button": 1})


def played(before: Table | None, fields: dict[str, Any]) -> Table:
    command = decode_command(fields)
    return record(before, command, decide(before, command))


CORRECT = {"type": "correct_button", "button": 2}


def test_the_dealer_puts_the_button_right_before_the_first_card_and_the_floor_always() -> None:
    before = table()
    during = played(before, {"type": "deal"})
    assert refusal_at(credential("dealer"), before, CORRECT) is None
    found = refusal_at(credential("dealer"), during, CORRECT)
    assert found is not None
    assert found.reason == "forbidden"
    assert refusal_at(credential("floor"), during, CORRECT) is None


def test_only_the_floor_takes_back_the_end_of_a_hand() -> None:
    during = played(table(), {"type": "deal"})
    after = played(during, {"type": "end_hand"})
    undo = {"type": "undo"}
    assert refusal_at(credential("dealer"), during, undo) is None
    found = refusal_at(credential("dealer"), after, undo)
    assert found is not None
    assert found.reason == "forbidden"
    assert refusal_at(credential("floor"), after, undo) is None
    assert refusal_at(credential("dealer"), msgspec.structs.replace(after, undo=()), undo) is None


@pytest.mark.parametrize("role", ["dealer", "floor", "backend"])
def test_a_token_of_one_room_is_nothing_in_another(role: Role) -> None:
    west = table("west")
    assert refusal_at(credential(role, room="west"), west, {"type": "deal"}) is None
    assert refusal_at(credential(role), west, {"type": "deal"}) is None
    assert refusal_at(credential(role, room="east"), west, {"type": "deal"}) is not None
    assert may_watch(credential(role, room="west"), west)
    assert not may_watch(credential(role, room="east"), west)
    assert not may_watch(credential(role, tables=("t8",)), west)
