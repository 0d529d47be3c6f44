"""Checks 11 and 19: the dealer's tasks at a real server, by taps that are counted, and by keys."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.room_server import RoomServer

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real]

Sent = list[dict[str, Any]]
WAITS = {0: "next hand", 1: "in 1 hand"}


def away_and_owing(room: RoomServer) -> str:
    """A table where the player at seat 4 is away and owes both blinds."""
    table = room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 5: "Eve", 6: "Fay"}, seats=10)
    room.command(table, "sit_out", seat=4)
    room.hand(table)
    room.hand(table)
    assert room.view(table)["seats"]["4"]["owes"]
    return table


def new_at_nine(room: RoomServer) -> str:
    """A table with a newcomer at seat 9, who has not said whether he posts."""
    table = room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 6: "Fay", 7: "Gus"}, seats=10)
    room.command(table, "take_seat", seat=9, player="hal", name="Hal")
    assert [question["seat"] for question in room.view(table)["plan"]["questions"]] == [9]
    return table


def waiting_for_a_seat(room: RoomServer) -> str:
    table = room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan"}, seats=10)
    room.command(table, "join_list", player="jo")
    return table


def in_hand(room: RoomServer) -> str:
    table = new_at_nine(room)
    room.command(table, "deal")
    return table


def straddler(room: RoomServer, table: str) -> int:
    entries = [entry for entry in room.view(table)["allowed"] if entry["type"] == "straddle"]
    return int(entries[0]["seat"])


def plain_move(view: dict[str, Any]) -> tuple[int, int]:
    """A seat change that leaves no choice: from where, and to where."""
    asked = {(move["seat"], to) for move in view.get("moves", []) for to in move["to"]}
    entries = [entry for entry in view["allowed"] if entry["type"] == "change_seat"]
    return next(
        (entry["seat"], to)
        for entry in entries
        for to in entry["to"]
        if (entry["seat"], to) not in asked
    )


# ── by taps ──────────────────────────────────────────────────────────────────────────────────


def test_a_hand_is_dealt_and_ended_with_one_tap_each(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated())
    assert desk.sent_by(lambda: desk.tap(desk.primary)) == [{"type": "deal"}]
    expect(desk.primary).to_contain_text("Hand over")
    assert desk.sent_by(lambda: desk.tap(desk.primary)) == [{"type": "end_hand"}]
    expect(desk.primary).to_contain_text("Deal hand 3")
    assert desk.taps == 2


def test_with_the_rooms_option_each_shuffle_is_tapped(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated(), "&shuffle=on")
    sent = desk.sent_by(lambda: desk.tap(desk.primary))
    sent += desk.sent_by(lambda: desk.tap(desk.primary))
    assert sent == [{"type": "shuffle"}, {"type": "deal"}]


def test_a_player_steps_away_and_is_back_with_two_taps_each(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated())

    def away() -> None:
        desk.tap(desk.seat(4))
        desk.tap(desk.choice("Away"))

    def back() -> None:
        desk.tap(desk.seat(4))
        desk.tap(desk.choice("Back"))

    assert desk.sent_by(away) == [{"type": "sit_out", "seat": 4}]
    expect(desk.tile(4)).to_contain_text("Away")
    assert desk.sent_by(back) == [{"type": "sit_in", "seat": 4}]
    assert desk.taps == 4


def test_a_player_who_owes_is_back_and_posts_with_two_taps(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, away_and_owing(room))
    desk.tap(desk.seat(4))
    expect(desk.choice("Back: post 10+5")).to_contain_text("next hand")
    before = room.offset(desk.table)
    desk.tap(desk.choice("Back: post 10+5"))
    desk.settle_at(before + 2)
    assert room.commands_after(desk.table, before) == [
        {"type": "sit_in", "seat": 4},
        {"type": "choose", "seat": 4, "choice": "post"},
    ]
    assert desk.taps == 2


def test_an_open_question_is_answered_with_one_tap(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, new_at_nine(room))
    sent = desk.sent_by(lambda: desk.tap(desk.choice("Wait for big")))
    assert sent == [{"type": "choose", "seat": 9, "choice": "wait_big_blind"}]
    assert desk.taps == 1


def test_the_next_on_the_list_sits_down_and_answers_with_three_taps(
    page: Page, room: RoomServer
) -> None:
    desk = Desk(page, room, waiting_for_a_seat(room))
    before = room.offset(desk.table)
    desk.tap(desk.seat(8))
    desk.tap(desk.choice("jo"))
    desk.tap(desk.question_choices().first)
    desk.settle_at(before + 2)
    sent = room.commands_after(desk.table, before)
    assert sent[0] == {"type": "take_seat", "seat": 8, "player": "jo"}
    assert (sent[1]["type"], sent[1]["seat"]) == ("choose", 8)
    assert desk.taps == 3


def test_a_player_leaves_with_two_taps(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated())

    def leave() -> None:
        desk.tap(desk.seat(8))
        desk.tap(desk.choice("Leaves"))

    assert desk.sent_by(leave) == [{"type": "leave", "seat": 8}]
    expect(desk.tile(8)).not_to_have_attribute("data-state", "taken")
    assert desk.taps == 2


def test_a_straddle_is_one_tap_in_the_plan(page: Page, room: RoomServer) -> None:
    table = room.seated()
    seat = straddler(room, table)
    desk = Desk(page, room, table)
    sent = desk.sent_by(lambda: desk.tap(desk.choice("Straddle")))
    assert sent == [{"type": "straddle", "seat": seat}]
    expect(desk.tile(seat)).to_contain_text("Straddle 20")
    assert desk.taps == 1


def test_undo_takes_back_by_name_with_one_tap(page: Page, room: RoomServer) -> None:
    table = room.seated()
    room.command(table, "sit_out", seat=4)
    desk = Desk(page, room, table)
    expect(desk.bar("undo")).to_have_text("Undo: seat 4 away ")
    assert desk.sent_by(lambda: desk.tap(desk.bar("undo"))) == [{"type": "undo"}]
    assert "sitting_out" not in desk.view()["seats"]["4"]
    assert desk.taps == 1


def test_a_mistaken_deal_is_taken_back_with_one_tap(page: Page, room: RoomServer) -> None:
    table = room.seated()
    room.command(table, "deal")
    desk = Desk(page, room, table)
    desk.sent_by(lambda: desk.tap(desk.bar("undo")))
    expect(desk.primary).to_contain_text("Deal hand 2")


def test_a_seat_change_is_three_taps(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated({1: "Ann", 2: "Bob", 3: "Cat", 5: "Eve", 6: "Fay"}))
    seat, to = plain_move(desk.view())

    def move() -> None:
        desk.tap(desk.seat(seat))
        desk.tap(desk.choice("Move"))
        expect(desk.tile(to)).to_have_attribute("data-target", "")
        desk.tap(desk.seat(to))

    assert desk.sent_by(move) == [{"type": "change_seat", "seat": seat, "to": to}]
    assert desk.taps == 3


def test_a_seat_change_that_leaves_a_choice_shows_its_prices_and_is_four_taps(
    page: Page, room: RoomServer
) -> None:
    players = {1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 6: "Fay", 7: "Gus", 9: "Hal"}
    desk = Desk(page, room, room.seated(players))
    moves = desk.view()["moves"]
    move = next(m for m in moves if "post" in [offer.get("choice") for offer in m["choices"]])
    seat, to = move["seat"], move["to"][0]
    desk.tap(desk.seat(seat))
    desk.tap(desk.choice("Move"))
    desk.tap(desk.seat(to))
    expect(page.locator(".panel .heading")).to_contain_text(f"moves to {to}: how?")
    for offer in move["choices"]:
        words = {"wait": "Wait free", "post": "Post 10 10 plays"}[offer["choice"]]
        expect(desk.choice(words)).to_contain_text(WAITS.get(offer["hands"], "in "))
    sent = desk.sent_by(lambda: desk.tap(desk.choice("Post 10")))
    assert sent == [{"type": "change_seat", "seat": seat, "to": to, "choice": "post"}]
    assert to in desk.view()["plan"]["dealt"]
    assert desk.taps == 4


def test_the_button_is_put_right_with_two_taps_and_says_so(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated())

    def correct() -> None:
        desk.tap(desk.bar("button-is"))
        desk.tap(desk.seat(6))

    assert desk.sent_by(correct) == [{"type": "correct_button", "button": 6}]
    expect(page.locator("plan-board")).to_contain_text("Corrected:")
    expect(desk.tile(6).locator("felt-disc[data-kind='button']")).to_be_visible()
    assert desk.taps == 2


def test_a_misdeal_is_two_taps(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, in_hand(room))

    def misdeal() -> None:
        desk.tap(desk.bar("more"))
        desk.tap(desk.choice("Misdeal"))

    assert desk.sent_by(misdeal) == [{"type": "misdeal"}]
    assert desk.taps == 2


def test_dealt_in_without_posting_is_four_taps(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, in_hand(room))
    before = room.offset(desk.table)
    desk.tap(desk.seat(9))
    desk.tap(desk.choice("Dealt without posting"))
    desk.tap(desk.choice("Not looked"))
    desk.tap(desk.choice("Posts now"))
    desk.settle_at(before + 2)
    assert room.commands_after(desk.table, before) == [
        {"type": "report_unposted", "seat": 9, "looked": False, "action": False},
        {"type": "elect", "seat": 9, "post": True},
    ]
    assert desk.taps == 4


def test_hands_that_nobody_entered_are_caught_up_with(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated())

    def catch_up() -> None:
        desk.tap(desk.bar("more"))
        desk.tap(desk.choice("Catch up"))
        for seat in (4, 5, 6):
            desk.tap(desk.seat(seat))

    assert desk.sent_by(catch_up) == [{"type": "adopt_game", "button": 4, "small": 5, "big": 6}]


def test_somebody_who_is_not_on_the_list_is_written_in(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan"}))
    desk.tap(desk.seat(8))
    desk.tap(desk.choice("Other"))
    expect(page.locator("desk-form input")).to_be_focused()
    page.keyboard.type("<img onerror=alert(1)>")
    sent = desk.sent_by(lambda: page.keyboard.press("Enter"))
    assert sent == [{"type": "take_seat", "seat": 8, "player": "<img onerror=alert(1)>"}]
    expect(desk.tile(8)).to_contain_text("<img")


# ── by keys ──────────────────────────────────────────────────────────────────────────────────

KEYED: list[tuple[str, Callable[[RoomServer], str], list[str], Sent]] = [
    ("deal", RoomServer.seated, ["Enter"], [{"type": "deal"}]),
    ("hand over", in_hand, ["Enter"], [{"type": "end_hand"}]),
    ("away", RoomServer.seated, ["4", "a"], [{"type": "sit_out", "seat": 4}]),
    ("back", away_and_owing, ["4", "a"], [{"type": "sit_in", "seat": 4}]),
    (
        "back and post",
        away_and_owing,
        ["4", "p"],
        [{"type": "sit_in", "seat": 4}, {"type": "choose", "seat": 4, "choice": "post"}],
    ),
    ("post", new_at_nine, ["p"], [{"type": "choose", "seat": 9, "choice": "post"}]),
    ("wait", new_at_nine, ["w"], [{"type": "choose", "seat": 9, "choice": "wait_big_blind"}]),
    ("behind", new_at_nine, ["9", "n"], [{"type": "choose", "seat": 9, "choice": "wait_button"}]),
    ("leaves", RoomServer.seated, ["0", "l"], [{"type": "leave", "seat": 10}]),
    (
        "button is",
        RoomServer.seated,
        ["u", "6"],
        [{"type": "correct_button", "button": 6}],
    ),
    ("undo", in_hand, ["Backspace"], [{"type": "undo"}]),
    (
        "next on the list",
        waiting_for_a_seat,
        ["8", "Tab", "Enter"],
        [{"type": "take_seat", "seat": 8, "player": "jo"}],
    ),
]


@pytest.mark.parametrize(
    ("name", "prepare", "keys", "expected"), KEYED, ids=[case[0] for case in KEYED]
)
def test_the_tasks_are_done_by_keys_alone(
    page: Page,
    room: RoomServer,
    name: str,
    prepare: Callable[[RoomServer], str],
    keys: list[str],
    expected: Sent,
) -> None:
    desk = Desk(page, room, prepare(room))
    before = room.offset(desk.table)
    for key in keys:
        page.keyboard.press(key)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    desk.settle_at(before + len(expected))
    assert room.commands_after(desk.table, before) == expected


def test_a_straddle_and_a_move_go_by_keys(page: Page, room: RoomServer) -> None:
    table = room.seated({1: "Ann", 2: "Bob", 3: "Cat", 4: "Dan", 5: "Eve", 6: "Fay"})
    seat = straddler(room, table)
    desk = Desk(page, room, table)
    assert desk.sent_by(lambda: page.keyboard.press("t")) == [{"type": "straddle", "seat": seat}]
    seat, to = plain_move(desk.view())

    def keys() -> None:
        for key in (str(seat), "m", str(to % 10)):
            page.keyboard.press(key)

    assert desk.sent_by(keys) == [{"type": "change_seat", "seat": seat, "to": to}]


def test_single_keys_can_be_switched_off(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, room.seated(), "&keys=off")
    page.keyboard.press("Enter")
    page.keyboard.press("4")
    expect(desk.tile(4)).not_to_have_attribute("data-selected", "")
    desk.tap(desk.bar("more"))
    desk.tap(desk.choice("Single keys"))
    page.locator("body").click(position={"x": 1, "y": 1})
    page.keyboard.press("4")
    expect(desk.tile(4)).to_have_attribute("data-selected", "")
    assert desk.view()["phase"] == "between_hands"


def test_query_keys_only_speak(page: Page, room: RoomServer) -> None:
    desk = Desk(page, room, new_at_nine(room))
    before = room.offset(desk.table)
    status = page.locator("#status")
    plan = desk.view()["plan"]
    page.keyboard.press("q")
    expect(status).to_contain_text("Seat 9, Hal: Post 10, 10 plays, next hand")
    page.keyboard.press("b")
    expect(status).to_contain_text(f"Button {plan['button']}")
    page.keyboard.press("o")
    expect(status).to_have_text("Not dealt: 9 Hal (new).")
    page.keyboard.press("f")
    expect(status).to_contain_text("Live.")
    assert room.offset(desk.table) == before


def test_the_focus_is_always_to_be_seen_and_never_trapped(page: Page, room: RoomServer) -> None:
    Desk(page, room, new_at_nine(room))
    seen: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => {
                const node = document.activeElement;
                if (node === document.body) return "body";
                const style = getComputedStyle(node);
                return style.outlineStyle === "none" || !parseFloat(style.outlineWidth)
                    ? `no ring on ${node.textContent}` : node.textContent.trim();
            }"""
        )
        seen.append(focus)
        if focus == "body":
            break
    assert seen[-1] == "body", "the focus leaves the page at its end"
    assert not [name for name in seen if name.startswith("no ring")]
    assert len(seen) > 15
