"""What each audience sees of a table, and the patch between two views."""

from typing import Any

import msgspec
import pytest

from livebutton import views
from livebutton.rules import events as ev
from livebutton.rules.table import Owes, Ruling
from tests.rules.game import Game
from tests.rules.promises import empties

AUDIENCES: tuple[views.Audience, ...] = ("public", "staff")


def lively() -> Game:
    """A table with a bit of everything: away, owing, asked, held, on a list, with a stack."""
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6))
    game.hand()
    game.now_ms = 5000
    game.do("sit_out", 4)
    game.hand()
    game.do("sit_in", 4)
    game.do("take_seat", 7, player="gus", name="Gus", stack=300)
    game.do("lock_up", 8, player="hal")
    game.do("join_list", player="ivy")
    game.do("sit_out", 2)
    game.do("deal_me_in", 2)
    game.do("sit_out", 3, at="next_big_blind")
    return game


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_view_is_plain_data_without_null_false_or_empty(audience: views.Audience) -> None:
    seen = views.view(lively().table, audience)
    assert list(empties(seen)) == []
    assert msgspec.json.decode(msgspec.json.encode(seen)) == seen


def test_everybody_sees_what_lies_on_the_felt() -> None:
    game = lively()
    seen = views.view(game.table, "public")
    assert {key: seen[key] for key in ("table", "name", "rules", "phase", "hand")} == {
        "table": "game",
        "name": "game",
        "rules": "caro-cooke",
        "phase": "between_hands",
        "hand": 2,
    }
    assert seen["button"] == 2
    assert seen["stakes"] == {"small": 5, "big": 10}
    assert seen["game"]["family"] == "holdem"
    assert seen["waiting"] == ["ivy"]
    assert set(seen["seats"]) == {str(seat) for seat in range(1, 9)}
    assert seen["seats"]["4"]["marks"] == ["missed_blind"]
    assert seen["seats"]["4"]["owes"] == {"big": True, "small": True}
    assert seen["seats"]["8"] == {"marks": ["lock_up"]}
    assert seen["seats"]["2"]["deal_me_in"]
    assert seen["seats"]["1"]["in_rotation"]
    assert "in_rotation" not in seen["seats"]["4"]


def test_what_a_player_owes_has_the_price_that_the_house_asks() -> None:
    for house, debt in (
        ({}, {"live": 10, "dead": 5}),
        ({"makeup": "big_only"}, {"live": 10, "dead": 0}),
    ):
        game = Game(seats=9, players=(1, 2, 3, 4, 5, 6), **house)
        game.hand()
        game.do("sit_out", 4)
        game.hand()
        for audience in AUDIENCES:
            seats = views.view(game.table, audience)["seats"]
            assert seats["4"]["debt"] == debt
            assert "debt" not in seats["5"]


def test_only_staff_see_stacks_prices_and_whom_a_seat_is_held_for() -> None:
    game = lively()
    public, staff = (views.view(game.table, audience) for audience in AUDIENCES)
    assert staff["seats"]["7"]["stack"] == 300
    assert staff["seats"]["8"]["held_for"] == "hal"
    assert staff["seats"]["2"]["away_since_ms"] == 5000
    assert staff["allowed"]
    assert all("choices" in question for question in staff["plan"]["questions"])
    told = msgspec.json.encode(public).decode()
    for hidden in ("stack", "held_for", "hal", "away_since_ms", "allowed", "choices"):
        assert f'"{hidden}"' not in told
    assert [question["seat"] for question in public["plan"]["questions"]] == [4, 7]


def test_places_and_forecasts_are_on_the_seats() -> None:
    seen = views.view(Game(seats=6).table, "public")
    assert seen["seats"]["1"]["place"] == "button"
    assert seen["seats"]["1"]["forecast"] == {"big": 2, "small": 3, "button": 0}
    assert "5" not in seen["seats"]


def test_before_a_game_there_is_neither_button_nor_forecast() -> None:
    seen = views.view(Game(button=0).table, "staff")
    assert "button" not in seen
    assert "forecast" not in seen["seats"]["1"]
    assert seen["plan"]["none"]["reason"] == "no_game"


def test_a_room_and_a_corrected_button_are_said() -> None:
    game = Game()
    game.hand()
    game.do("correct_button", button=3)
    assert views.view(game.table, "public")["corrected"]
    assert "room" not in views.view(game.table, "public")


def test_marks_name_the_buttons_at_a_seat() -> None:
    game = Game()
    game.hand()
    seat = game.seat(1)
    small = msgspec.structs.replace(seat, owes=Owes(small=True), absent=True)
    assert views.marks_of(seat) == []
    assert views.marks_of(small) == ["missed_little_blind", "absent"]
    game.do("leave", 1)
    assert views.marks_of(game.seat(1)) == ["lock_up"]


# -- a player's own ------------------------------------------------------------------------------


def test_a_player_is_told_what_he_may_do_and_his_own_question() -> None:
    game = lively()
    own = views.own(game.table, 4)
    assert {entry["type"] for entry in own["allowed"]} <= views.PLAYER_COMMANDS
    assert {entry["seat"] for entry in own["allowed"]} == {4}
    assert [question["seat"] for question in own["questions"]] == [4]
    assert own["questions"][0]["choices"][0]["live"] == 10
    assert "questions" not in views.own(game.table, 1)


def test_an_answer_that_may_be_changed_has_its_price_for_him_and_the_staff_alone() -> None:
    game = lively()
    assert "answers" not in views.own(game.table, 4)
    (asked,) = [q for q in views.own(game.table, 4)["questions"] if q["seat"] == 4]
    game.do("choose", 4, choice="wait_big_blind")
    assert views.own(game.table, 4)["answers"] == [asked]
    assert asked in views.view(game.table, "staff")["answers"]
    assert "answers" not in views.view(game.table, "public")
    assert "answers" not in views.own(game.table, 1)


def test_staff_see_what_each_choice_of_a_move_costs() -> None:
    game = Game(seats=10, players=(1, 2, 3, 4, 6, 7, 9))
    game.hand()
    told = views.view(game.table, "staff")["moves"]
    waits = {"choice": "wait", "live": 0, "dead": 0, "hands": 2}
    posts = {"choice": "post", "live": 10, "dead": 0, "hands": 0}
    assert {"seat": 4, "to": [8], "choices": [waits, posts]} in told
    passes = {"choice": "pass", "live": 0, "dead": 0, "hands": 3}
    assert {"seat": 1, "to": [5], "choices": [{"live": 0, "dead": 0, "hands": 0}, passes]} in told
    assert "moves" not in views.view(game.table, "public")
    assert "moves" not in views.own(game.table, 4)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_everybody_sees_what_a_straddle_makes_it_to_call(audience: views.Audience) -> None:
    game = lively()
    assert views.view(game.table, audience)["plan"]["raise_to"] == 20
    game.do("deal")
    assert "raise_to" not in views.view(game.table, audience)["plan"]


@pytest.mark.parametrize("seat", [0, 9, 10])
def test_a_seat_without_a_player_has_nothing_of_its_own(seat: int) -> None:
    assert views.own(lively().table, seat) == {}


# -- events --------------------------------------------------------------------------------------


def test_the_public_is_not_told_stacks_reasons_nor_for_whom_a_seat_is_held() -> None:
    hidden = (
        ev.SeatTaken(seat=1, player="ann", name="Ann", stack=300),
        ev.SeatLockedUp(seat=2, player="bob"),
        ev.DebtSet(seat=1, owes=Owes(small=True), standing="returning", reason="he is late"),
        ev.PlayerPickedUp(seat=3, player="cat", kept=False, held_for="bob", at_ms=7),
    )
    for event in hidden:
        told = msgspec.json.encode(views.event_for(event, "public")).decode()
        assert not any(word in told for word in ("300", "bob", "late", "at_ms"))
        assert views.event_for(event, "staff") is not None
    assert views.event_for(ev.StackSet(seat=1, stack=5), "public") is None
    assert views.event_for(ev.StackSet(seat=1, stack=5), "staff") == {
        "type": "stack_set",
        "seat": 1,
        "stack": 5,
    }


def test_an_event_says_why() -> None:
    ruling = Ruling("seat-changes", (1,), "Ann moves.", {"to": 2})
    told = views.event_for(ev.TableClosed(rulings=(ruling,)), "public")
    assert told is not None
    assert told["rulings"][0]["text"] == "Ann moves."


def test_a_deal_is_told_with_its_plan_and_without_prices() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.do("set_owes", 7, owes=["big"], reason="late")
    (dealt, *_) = game.do("deal")
    public, staff = (views.event_for(dealt, audience) for audience in AUDIENCES)
    assert public is not None
    assert staff is not None
    assert public["plan"]["button"] == 2
    assert [list(question) for question in public["plan"]["questions"]] == [["seat"]] * 2
    assert "choices" in staff["plan"]["questions"][0]
    assert not {"after", "before", "last"} & set(staff)


def test_an_undo_says_what_it_took_back_and_hides_what_the_public_may_not_know() -> None:
    game = Game()
    game.do("set_stack", 1, stack=12345)
    (undone,) = game.do("undo")
    public, staff = (views.event_for(undone, audience) for audience in AUDIENCES)
    assert public is not None
    assert staff is not None
    assert staff["back"]["of"]["stack"] == 12345
    assert public["back"]["of"] == {"type": "set_stack", "seat": 1}


# -- the merge patch -----------------------------------------------------------------------------

PAIRS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"a": 1}, {"a": 1}, {}),
    ({"a": 1}, {"a": 2}, {"a": 2}),
    ({"a": 1}, {}, {"a": None}),
    ({}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, {"a": {"c": 3}}),
    ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": None}}),
    ({"a": [1, 2]}, {"a": [1, 3]}, {"a": [1, 3]}),
    ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
    ({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ({"a": 1}, {"a": True}, {"a": True}),
]


@pytest.mark.parametrize(("before", "after", "patch"), PAIRS)
def test_a_patch_holds_what_changed_and_makes_the_one_of_the_other(
    before: dict[str, Any], after: dict[str, Any], patch: dict[str, Any]
) -> None:
    assert views.merge_patch(before, after) == patch
    assert views.apply_patch(before, patch) == after


def test_a_patch_on_what_is_no_map_makes_one() -> None:
    assert views.apply_patch([1], {"a": {"b": 1, "c": None}}) == {"a": {"b": 1}}


def test_applying_a_patch_changes_neither() -> None:
    before, patch = {"a": {"b": 1}}, {"a": {"b": None, "c": 2}}
    views.apply_patch(before, patch)
    assert (before, patch) == ({"a": {"b": 1}}, {"a": {"b": None, "c": 2}})
