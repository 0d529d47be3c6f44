"""Recorded sessions become commands: who went, who came, what they chose, and what is expected."""

from typing import Any

import msgspec
import pytest

from livebutton.demo.sessions import (
    Chair,
    Expectation,
    before_hand,
    commands_of,
    expectation,
    players,
    recorded_session,
)

FOUR = {1: "ann", 2: "bob", 3: "cyd", 4: "dee"}


def hand(seated: dict[int, str | None], button: int | None, **more: Any) -> dict[str, Any]:
    """A hand at 0.25/0.50: small and big are the next two dealt in, unless told otherwise."""
    dealt = sorted(seated)
    turn = [seat for seat in dealt if button is not None and seat > button] + dealt
    posts = more.pop("posts", [])
    return {
        "blinds": [0.25, 0.5],
        "seats": [[seat, player] for seat, player in sorted(seated.items())],
        "dealt": dealt,
        "button": button,
        "sb": turn[0],
        "bb": turn[1],
        "posts": posts,
        "first": turn[2 % len(turn)],
        **more,
    }


def session(*hands: dict[str, Any], site: str = "PokerStars", seats: int | None = 6) -> Any:
    return {"site": site, "max_seats": seats, "limit": "NL", "game": "holdem", "hands": [*hands]}


def between(*hands: dict[str, Any], **more: Any) -> list[str]:
    """The commands between the first two hands, short: "leave 3", "choose 2 post"."""
    recorded = recorded_session(session(*hands, **more))
    chairs = {seat: Chair(player) for seat, player in players(recorded, 0).items()}
    commands, _ = before_hand(recorded, 1, chairs)
    return [" ".join(str(value) for value in command.values()) for command in commands]


def without(seat: int) -> dict[int, str]:
    return {other: player for other, player in FOUR.items() if other != seat}


def test_who_vanishes_and_comes_back_to_his_chair_sat_out() -> None:
    assert between(hand(FOUR, 1), hand(without(3), 2), hand(FOUR, 4)) == ["sit_out 3"]


def test_who_never_comes_back_left() -> None:
    assert between(hand(FOUR, 1), hand(without(3), 2)) == ["leave 3"]


def test_who_comes_back_after_another_had_his_chair_left() -> None:
    another = FOUR | {3: "eve"}
    hands = [hand(FOUR, 1), hand(without(3), 2), hand(another, 4), hand(FOUR, 1)]
    assert between(*hands) == ["leave 3"]


def test_who_comes_back_to_another_chair_first_left() -> None:
    moved = without(3) | {5: "cyd"}
    hands = [hand(FOUR, 1), hand(without(3), 2), hand(moved, 4), hand(FOUR, 1)]
    assert between(*hands) == ["leave 3"]


def test_who_was_out_sits_in_when_he_is_dealt_in_again() -> None:
    recorded = recorded_session(session(hand(without(3), 1), hand(FOUR, 2)))
    chairs = {seat: Chair(player, sitting_out=seat == 3) for seat, player in FOUR.items()}
    commands, after = before_hand(recorded, 1, chairs)
    assert commands[0] == {"type": "sit_in", "seat": 3}
    assert after == {seat: Chair(player) for seat, player in FOUR.items()}


def test_who_stays_out_is_left_alone() -> None:
    recorded = recorded_session(session(hand(without(3), 1), hand(without(3), 2), hand(FOUR, 4)))
    chairs = {seat: Chair(player, sitting_out=seat == 3) for seat, player in FOUR.items()}
    assert before_hand(recorded, 1, chairs) == ([], chairs)


def test_an_entry_post_is_the_choice_to_post() -> None:
    entry = {"seat": 5, "kind": "bb", "amount": 0.5, "entry": True}
    came = hand(FOUR | {5: "eve"}, 1, posts=[entry])
    assert between(hand(FOUR, 4), came) == ["take_seat 5 eve", "choose 5 post"]


def test_a_newcomer_in_the_big_blind_waited_for_it() -> None:
    came = hand(FOUR | {5: "eve"}, 3)
    assert between(hand(FOUR, 2), came) == ["take_seat 5 eve", "choose 5 wait_big_blind"]


def test_a_dead_small_beside_the_big_blind_in_turn_is_no_choice_to_post() -> None:
    entry = {"seat": 5, "kind": "dead", "amount": 0.25, "entry": True}
    came = hand(FOUR | {5: "eve"}, 3, posts=[entry])
    assert between(hand(FOUR, 2), came) == ["take_seat 5 eve", "choose 5 wait_big_blind"]


def test_a_chair_changes_hands_in_one_go() -> None:
    changed = without(3) | {3: "eve"}
    assert between(hand(FOUR, 1), hand(changed, 2)) == ["leave 3", "take_seat 3 eve"]


def test_straddles_come_last_and_in_their_order() -> None:
    posts = [{"seat": seat, "kind": "straddle", "amount": 1.0 * seat} for seat in (1, 2)]
    straddled = hand(FOUR, 2, posts=posts)
    assert between(hand(FOUR, 1), straddled) == ["straddle 1", "straddle 2"]


def test_new_blinds_are_said_before_anybody_comes() -> None:
    dearer = hand(FOUR | {5: "eve"}, 2, blinds=[0.5, 1.0])
    said = between(hand(FOUR, 1), dearer)
    assert said == ["set_stakes {'small': 50, 'big': 100}", "take_seat 5 eve"]


def test_without_names_a_chair_that_stays_filled_is_the_same_player() -> None:
    nameless = dict.fromkeys(FOUR)
    three = dict.fromkeys((1, 2, 4))
    hands = [hand(nameless, 1), hand(nameless, 2), hand(three, 4), hand(nameless, 1)]
    recorded = recorded_session(session(*hands, site="Bovada"))
    first, second, third, fourth = (players(recorded, index) for index in range(4))
    assert first == second
    assert third == {seat: first[seat] for seat in (1, 2, 4)}
    assert fourth[3] != first[3]


def test_a_session_opens_its_table_and_takes_the_game_over() -> None:
    recorded = session(hand(FOUR, 1), hand(FOUR, 2), site="Bovada", seats=None)
    opened, *rest = commands_of(recorded, table="t7", name="Bovada 1")
    assert opened == {
        "type": "open_table",
        "table": "t7",
        "name": "Bovada 1",
        "seats": 4,
        "rules": "las-vegas",
        "house": {"missed_small": "live", "short_handed": False},
        "stakes": {"small": 25, "big": 50},
        "game": {"family": "holdem", "betting": "no_limit"},
    }
    assert kinds_of(rest) == [
        *["take_seat"] * 4, "adopt_game", "shuffle", "deal", "expected", "end_hand",
    ]  # fmt: skip
    assert rest[4] == {"type": "adopt_game", "button": 1, "small": 2, "big": 3}


def test_an_expectation_says_what_the_site_did() -> None:
    posts = [
        {"seat": 3, "kind": "sb", "amount": 0.25},
        {"seat": 4, "kind": "bb", "amount": 0.5},
        {"seat": 5, "kind": "dead", "amount": 0.25, "entry": True},
        {"seat": 5, "kind": "bb", "amount": 0.5, "entry": True},
        {"seat": 6, "kind": "sb+bb", "amount": 0.75, "entry": True},
        {"seat": 1, "kind": "straddle", "amount": 1.0},
    ]
    recorded = recorded_session(session(hand(FOUR | {5: "eve", 6: "fay"}, 2, posts=posts)))
    assert expectation(recorded, 0) == Expectation(
        hand=0,
        button=2,
        small=3,
        big=4,
        entries={5: (50, 25), 6: (50, 25)},
        straddles={1: 100},
        dealt=(1, 2, 3, 4, 5, 6),
        first=5,
    )


def test_a_missed_small_blind_is_live_where_the_house_says_so() -> None:
    posts = [{"seat": 1, "kind": "sb", "amount": 0.25, "entry": True}]
    bovada = recorded_session(session(hand(FOUR, 1, posts=posts), site="Bovada"))
    stars = recorded_session(session(hand(FOUR, 1, posts=posts)))
    assert expectation(bovada, 0).entries == {1: (25, 0)}
    assert expectation(stars, 0).entries == {1: (0, 25)}


def kinds_of(steps: Any) -> list[str]:
    return [step["type"] if isinstance(step, dict) else "expected" for step in steps]


def test_who_pays_for_what_he_missed_before_the_record_was_away_when_it_began() -> None:
    entry = {"seat": 5, "kind": "sb+bb", "amount": 0.75, "entry": True}
    came = hand(FOUR | {5: "eve"}, 3, bb=1, sb=4, posts=[entry])
    steps = list(commands_of(session(hand(FOUR, 1), hand(FOUR, 2), came)))
    seated = [step for step in steps if isinstance(step, dict)][5:8]
    assert seated == [
        {"type": "take_seat", "seat": 5, "player": "eve"},
        {"type": "sit_out", "seat": 5},
        {
            "type": "adopt_game",
            "button": 1,
            "big": 3,
            "small": 2,
            "owes": {"5": {"big": True, "small": True}},
        },
    ]
    assert {"type": "sit_in", "seat": 5} in steps


def test_who_comes_back_free_after_the_blinds_passed_him_had_left_where_newcomers_are_free() -> (
    None
):
    # The big blind goes from seat 2 past seat 3 to seat 4 while he is gone.
    hands = [hand(FOUR, 4), hand(without(3), 1, bb=4), hand(FOUR, 2)]
    hands[0]["bb"] = 2
    assert between(*hands, site="PokerNow") == ["leave 3"]
    assert between(*hands, site="PokerStars") == ["sit_out 3"]


def test_who_comes_back_and_pays_had_kept_his_chair() -> None:
    paid = [{"seat": 3, "kind": "dead", "amount": 0.25, "entry": True}]
    hands = [hand(FOUR, 4), hand(without(3), 1, bb=4), hand(FOUR, 2, posts=paid)]
    hands[0]["bb"] = 2
    assert between(*hands, site="PokerNow") == ["sit_out 3"]


def test_who_comes_back_before_the_blinds_reach_him_had_kept_his_chair() -> None:
    hands = [hand(FOUR, 2), hand(without(3), 4), hand(FOUR, 1)]
    assert between(*hands, site="PokerNow") == ["sit_out 3"]


def test_a_hand_that_the_record_lacks_is_dealt_without_an_expectation() -> None:
    steps = list(commands_of(session(hand(FOUR, 1), hand(FOUR, 2), hand(FOUR, 4), hand(FOUR, 1))))
    dealt = ["shuffle", "deal", "expected", "end_hand"]
    unseen = ["shuffle", "deal", "end_hand"]
    assert kinds_of(steps)[6:] == [*dealt, *unseen, *dealt, *dealt]


@pytest.mark.parametrize(
    "bad",
    [
        {},
        session(),
        session(hand(FOUR, 1), site="Nowhere"),
        {**session(hand(FOUR, 1)), "hands": [{"seats": "none"}]},
    ],
)
def test_what_is_no_session_is_refused(bad: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        list(commands_of(bad))
