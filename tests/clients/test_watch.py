"""The terminal's picture of a table."""

from typing import Any

from livebutton_client import StreamPosition
from livebutton_client.copy_of_table import Freshness
from livebutton_client.watch import lines

VIEW: dict[str, Any] = {
    "name": "Table 7",
    "rules": "caro-cooke",
    "stakes": {"small": 100, "big": 200},
    "phase": "between_hands",
    "hand": 12,
    "seat_count": 6,
    "seats": {
        "1": {"player": "ann", "name": "Ann"},
        "2": {"player": "bob", "name": "Bob"},
        "3": {"player": "cyd", "marks": ["missed_blind"], "sitting_out": True},
        "4": {"player": "dee", "name": "Dee"},
        "5": {"marks": ["lock_up"]},
    },
    "plan": {
        "button": 1,
        "posts": [
            {"seat": 2, "kind": "small", "live": 100, "dead": 0},
            {"seat": 4, "kind": "make_up", "live": 200, "dead": 100},
        ],
        "not_dealt": [{"seat": 3, "why": "sitting_out"}],
        "questions": [{"seat": 4}],
        "first_to_act": 2,
        "rulings": [{"rule": "missed-blinds", "text": "Cyd missed the big blind."}],
    },
}


def drawn(view: dict[str, Any], freshness: Freshness = "fresh") -> list[str]:
    return list(lines(view, StreamPosition("e1", 41), freshness))


def test_a_name_does_not_steer_the_terminal() -> None:
    seats = {"1": {"player": "ann", "name": "\x1b[2JAnn\n\u009b7m"}}
    text = drawn(VIEW | {"name": "\x1b]0;mine\x07Table\r7", "seats": seats, "plan": {}})
    assert text[0] == " ]0;mine Table 7  100/200  caro-cooke"
    assert text[3] == "  1    [2JAnn  7m"


def test_each_seat_says_its_disc_its_posts_its_debts_and_why() -> None:
    assert drawn(VIEW) == [
        "Table 7  100/200  caro-cooke",
        "Hand 12, between hands.  Live  (offset 41)",
        "",
        "  1 D Ann",
        "  2   Bob              Small 100, First to act",
        "  3   cyd              Missed big+small, Away, Not dealt: sitting out",
        "  4   Dee              Makes up 200 + 100 dead, Post or wait?",
        "  5   -                Held",
        "  6   -",
        "",
        "Next hand:",
        "  Cyd missed the big blind. [missed-blinds]",
    ]


def test_a_view_that_is_not_live_says_so() -> None:
    assert "NOT LIVE" in drawn(VIEW, "stale")[1]
    assert "use the discs" in drawn(VIEW, "unknown")[1]


def test_a_table_without_a_hand_says_why() -> None:
    view = {"phase": "no_game", "plan": {"none": {"reason": "too_few", "text": "Too few."}}}
    assert "No hand: Too few." in drawn(view)
