"""The judge: what is refused, for which reason, by which rule; and what comes of the rest."""

from typing import Any

import pytest

from livebutton.rules import events as ev
from livebutton.rules.commands import COMMAND_TYPES, Deal, decode_command, encode_command
from livebutton.rules.decide import MAX_WAITING, decide
from livebutton.rules.refusals import Refused
from tests.rules.game import Game

SEATED = ("leave", "sit_in", "sit_out", "deal_me_in", "straddle", "sleeper")


def test_a_table_opens_once() -> None:
    opening = {"name": "again", "seats": 4, "rules": "robert", "stakes": {"small": 1, "big": 2}}
    assert Game().refused("open_table", **opening).reason == "no_change"


def test_there_is_nothing_to_command_before_a_table_opens() -> None:
    with pytest.raises(Refused) as caught:
        decide(None, Deal())
    assert caught.value.reason == "no_table"


def test_a_closed_table_takes_nothing_but_an_undo() -> None:
    game = Game()
    game.do("close_table")
    assert game.table.play.phase == "closed"
    assert game.refused("leave", 1).reason == "wrong_phase"
    game.do("undo")
    assert game.table.play.phase == "between_hands"


def test_a_table_is_not_closed_in_a_hand() -> None:
    game = Game()
    game.deal()
    assert game.refused("close_table").reason == "wrong_phase"


@pytest.mark.parametrize("fields", [{"type": "dance"}, {"type": 3}, {}, {"seat": 1}])
def test_what_is_no_command_is_unknown(fields: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        decode_command(fields)
    assert caught.value.reason == "unknown_command"


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "sit_out"},
        {"type": "sit_out", "seat": "1"},
        {"type": "sit_out", "seat": 1.5},
        {"type": "sit_out", "seat": True},
        {"type": "sit_out", "seat": 1, "colour": "red"},
        {"type": "sit_out", "seat": 1, "at": "noon"},
        {"type": "choose", "seat": 1, "choice": "fly"},
        {"type": "deal", "seat": 1},
    ],
)
def test_missing_extra_and_wrong_fields_are_bad(fields: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        decode_command(fields)
    assert caught.value.reason == "bad_fields"
    assert caught.value.params["type"] == fields["type"]


def test_a_command_is_written_without_its_defaults() -> None:
    fields = {"type": "take_seat", "seat": 2, "player": "ann"}
    assert encode_command(decode_command(fields | {"entry": "normal", "stack": None})) == fields


def test_house_rules_are_written_as_they_came() -> None:
    fields = {"type": "set_house", "straddles": False, "rules": "robert"}
    assert encode_command(decode_command(fields)) == fields


def test_every_command_of_the_contract_is_known() -> None:
    assert len(COMMAND_TYPES) == 31


@pytest.mark.parametrize("kind", SEATED)
@pytest.mark.parametrize(("seat", "reason"), [(0, "no_seat"), (7, "no_seat"), (6, "seat_empty")])
def test_a_seat_that_is_not_there_or_empty_is_named(kind: str, seat: int, reason: str) -> None:
    assert Game().refused(kind, seat).reason == reason


# What is commanded, with what came before it, and why it is refused.
REFUSED: list[tuple[list[dict[str, Any]], dict[str, Any], str, str]] = [
    ([], {"type": "take_seat", "seat": 1, "player": "zoe"}, "seat_taken", ""),
    ([], {"type": "take_seat", "seat": 5, "player": "p1"}, "seat_taken", ""),
    ([], {"type": "take_seat", "seat": 5, "player": " "}, "bad_fields", ""),
    ([], {"type": "take_seat", "seat": 5, "player": "zoe", "stack": -1}, "bad_fields", ""),
    (
        [{"type": "lock_up", "seat": 5, "player": "yan"}],
        {"type": "take_seat", "seat": 5, "player": "zoe"},
        "seat_locked",
        "missed-blinds",
    ),
    ([], {"type": "lock_up", "seat": 1}, "seat_taken", ""),
    ([{"type": "lock_up", "seat": 5}], {"type": "lock_up", "seat": 5}, "no_change", ""),
    ([], {"type": "release", "seat": 5}, "no_change", ""),
    ([], {"type": "rename", "seat": 1, "name": " "}, "bad_fields", ""),
    ([], {"type": "rename", "seat": 1, "name": "p1"}, "no_change", ""),
    ([], {"type": "set_stack", "seat": 1, "stack": -1}, "bad_fields", ""),
    (
        [{"type": "set_stack", "seat": 1, "stack": 9}],
        {"type": "set_stack", "seat": 1, "stack": 9},
        "no_change",
        "",
    ),
    ([], {"type": "sit_in", "seat": 1}, "no_change", ""),
    ([], {"type": "deal_me_in", "seat": 1}, "no_change", ""),
    ([{"type": "sit_out", "seat": 1}], {"type": "sit_out", "seat": 1}, "no_change", ""),
    (
        [{"type": "sit_out", "seat": 1}],
        {"type": "sit_out", "seat": 1, "at": "next_big_blind"},
        "no_change",
        "",
    ),
    ([], {"type": "join_list", "player": ""}, "bad_fields", ""),
    ([], {"type": "join_list", "player": "p1"}, "no_change", ""),
    (
        [{"type": "join_list", "player": "zoe"}],
        {"type": "join_list", "player": "zoe"},
        "no_change",
        "",
    ),
    ([], {"type": "leave_list", "player": "zoe"}, "no_change", ""),
    (
        [{"type": "deal"}],
        {"type": "choose", "seat": 1, "choice": "post"},
        "not_offered",
        "making-up-blinds",
    ),
    (
        [{"type": "take_seat", "seat": 5, "player": "zoe"}],
        {"type": "choose", "seat": 5, "choice": "post"},
        "not_offered",
        "new-game",
    ),
    ([], {"type": "cut"}, "wrong_phase", ""),
    ([], {"type": "end_hand"}, "wrong_phase", ""),
    ([{"type": "deal"}], {"type": "deal"}, "wrong_phase", ""),
    ([{"type": "deal"}], {"type": "shuffle"}, "wrong_phase", ""),
    ([{"type": "deal"}], {"type": "start_game"}, "wrong_phase", ""),
    ([{"type": "deal"}], {"type": "straddle", "seat": 4}, "wrong_phase", ""),
    ([{"type": "deal"}], {"type": "adopt_game", "button": 1, "big": 2}, "wrong_phase", ""),
    ([], {"type": "straddle", "seat": 2}, "not_due", "straddles-sleepers"),
    ([], {"type": "misdeal"}, "wrong_phase", ""),
    ([], {"type": "set_owes", "seat": 1, "owes": {}, "reason": " "}, "bad_fields", ""),
    ([], {"type": "set_owes", "seat": 1, "owes": {}, "reason": "why"}, "no_change", ""),
    ([], {"type": "set_owes", "seat": 1, "owes": ["ante"], "reason": "why"}, "bad_fields", ""),
    ([], {"type": "set_house", "straddles": True}, "no_change", ""),
    ([], {"type": "set_house", "colour": "red"}, "bad_fields", ""),
    ([], {"type": "set_house", "straddles": "yes"}, "bad_fields", ""),
    ([], {"type": "set_house", "rules": "bridge"}, "bad_fields", ""),
    ([], {"type": "set_stakes", "stakes": {"small": 5, "big": 10}}, "no_change", ""),
    ([], {"type": "set_stakes", "stakes": {"small": 0, "big": 10}}, "bad_fields", ""),
    ([], {"type": "set_stakes", "stakes": {"small": 5, "big": 0}}, "bad_fields", ""),
    ([], {"type": "report_unposted", "seat": 1, "looked": True, "action": True}, "wrong_phase", ""),
    ([], {"type": "elect", "seat": 1, "post": True}, "wrong_phase", ""),
]


@pytest.mark.parametrize(("before", "fields", "reason", "rule"), REFUSED)
def test_what_cannot_be_is_refused_with_its_reason_and_rule(
    before: list[dict[str, Any]], fields: dict[str, Any], reason: str, rule: str
) -> None:
    game = Game()
    for earlier in before:
        game.do(**{"kind" if key == "type" else key: value for key, value in earlier.items()})
    refused = game.refused(**{"kind" if k == "type" else k: v for k, v in fields.items()})
    assert (refused.reason, refused.rule) == (reason, rule) if rule else (reason, refused.rule)
    assert refused.reason == reason
    assert refused.message
    words = [value for value in refused.params.values() if isinstance(value, str)]
    assert all(word in refused.message for word in words), refused.params


def test_the_facts_of_a_refusal_stand_beside_its_sentence() -> None:
    game = Game()
    assert game.refused("take_seat", 1, player="zoe").params == {"seat": 1, "name": "p1"}
    assert game.refused("take_seat", 5, player="p2").params == {"seat": 2, "player": "p2"}
    assert game.refused("sit_in", 3).params == {"seat": 3, "name": "p3"}
    assert game.refused("set_house", colour="red").params == {"field": "colour"}


def test_an_absent_entrant_is_asked_when_he_sits_in() -> None:
    game = Game()
    game.hand()
    game.do("take_seat", 5, player="eve")
    game.do("sit_out", 5)
    assert game.refused("choose", 5, choice="post").reason == "not_offered"
    game.do("sit_in", 5)
    game.do("choose", 5, choice="wait_button")
    assert game.refused("choose", 5, choice="wait_button").reason == "no_change"
    refused = game.refused("choose", 5, choice="straddle")
    assert (refused.reason, refused.rule) == ("not_offered", "new-players")
    assert "wait_big_blind" in refused.params["choices"]


def test_the_waiting_list_has_an_end() -> None:
    game = Game()
    for number in range(MAX_WAITING):
        game.do("join_list", player=f"w{number}")
    assert game.refused("join_list", player="one more").reason == "too_many"


def test_who_takes_a_seat_leaves_the_list() -> None:
    game = Game()
    game.do("join_list", player="zoe")
    game.do("join_list", player="yan")
    game.do("take_seat", 5, player="zoe", name=" Zoë ")
    assert [waiting.player for waiting in game.table.waiting] == ["yan"]
    assert game.seat(5).name == "Zoë"
    game.do("leave_list", player="yan")
    assert game.table.waiting == ()


def test_a_lock_up_is_a_note_and_holds_the_seat_for_whom_it_names() -> None:
    game = Game()
    game.do("lock_up", 5)
    game.do("lock_up", 5, player="zoe")
    game.do("release", 5)
    game.do("lock_up", 5, player="zoe")
    game.do("take_seat", 5, player="zoe")
    assert not game.seat(5).locked


def test_one_who_was_dealt_in_by_word_may_sit_out_after_all() -> None:
    game = Game()
    game.now_ms = 1000
    game.do("sit_out", 1)
    game.do("deal_me_in", 1)
    game.now_ms = 2000
    game.do("sit_out", 1)
    assert not game.seat(1).deal_me_in
    assert game.seat(1).away_since_ms == 1000


def test_sitting_in_takes_back_the_wish_to_go_at_the_big_blind() -> None:
    game = Game()
    game.do("sit_out", 1, at="next_big_blind")
    game.do("sit_in", 1)
    assert not game.seat(1).out_at_big_blind


def test_a_player_who_comes_back_in_time_keeps_what_he_owed() -> None:
    game = Game(seats=6, players=(1, 2, 3, 4, 5, 6))
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    assert game.seat(4).owes.big
    game.do("leave", 4)
    game.do("take_seat", 4, player="p4")
    assert game.seat(4).standing == "returning"


def test_names_and_stacks_may_be_changed_at_any_time() -> None:
    game = Game()
    game.do("rename", 1, name=" Ann ")
    game.do("set_stack", 1, stack=0)
    assert (game.seat(1).name, game.seat(1).stack) == ("Ann", 0)
    events = game.do("set_stack", 1, stack=50)
    assert events == [ev.StackSet(seat=1, stack=50)]


def test_a_hand_goes_from_shuffle_to_cut_to_deal_to_end() -> None:
    game = Game()
    phases = []
    for kind in ("shuffle", "cut", "deal", "end_hand"):
        game.do(kind)
        phases.append(game.table.play.phase)
    assert phases == ["shuffling", "cut", "in_hand", "between_hands"]
