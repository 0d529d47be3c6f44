"""What may be commanded now, as the screens are told it."""

from livebutton.rules.allowed import allowed
from tests.rules.game import Game
from tests.rules.promises import misjudged


def listed(game: Game, kind: str, seat: int | None = None) -> list[dict[str, object]]:
    return [e for e in allowed(game.table) if e["type"] == kind and e.get("seat") == seat]


def test_what_is_listed_is_accepted_and_what_is_not_is_refused_from_first_to_last() -> None:
    game = Game(seats=5, players=(1, 2, 3), button=0)
    assert list(misjudged(game.table)) == []
    game.do("start_game", button=1)
    for kind in ("shuffle", "cut", "deal", "end_hand"):
        assert list(misjudged(game.table)) == []
        game.do(kind)
    game.do("sit_out", 2)
    game.do("take_seat", 4, player="dan")
    assert list(misjudged(game.table)) == []


def test_a_closed_table_offers_only_its_undo() -> None:
    game = Game()
    game.do("close_table")
    assert allowed(game.table) == [{"type": "undo", "of": {"type": "close_table"}}]


def test_a_table_just_opened_offers_no_undo() -> None:
    game = Game(players=(), button=0)
    assert not listed(game, "undo")
    assert listed(game, "take_seat", 1)


def test_an_entrant_is_listed_with_his_answers() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    assert listed(game, "choose", 8)[0]["choices"] == ["post", "wait_big_blind", "wait_button"]
    game.do("choose", 8, choice="post")
    assert listed(game, "choose", 8)[0]["choices"] == ["wait_big_blind", "wait_button"]


def test_who_is_away_and_owes_is_told_the_prices_of_sitting_in() -> None:
    game = Game()
    game.hand()
    game.do("sit_out", 4)
    game.hand()
    (entry,) = listed(game, "sit_in", 4)
    prices = {c["choice"]: (c["live"], c["dead"]) for c in entry["choices"]}  # type: ignore[attr-defined]
    assert prices["post"] == (10, 5)
    assert prices["straddle"] == (20, 0)


def test_before_the_first_hand_there_is_no_price() -> None:
    game = Game()
    game.do("sit_out", 4)
    assert listed(game, "sit_in", 4) == [{"type": "sit_in", "seat": 4}]


def test_a_seat_held_for_one_who_sits_elsewhere_is_not_offered() -> None:
    game = Game()
    game.do("lock_up", 5, player="p1")
    assert not listed(game, "take_seat", 5)
    assert listed(game, "release", 5)
    assert listed(game, "take_seat", 6)


def test_one_dealt_in_unposted_may_be_reported_and_then_elects() -> None:
    game = Game(seats=8, players=(1, 2, 3, 4, 5, 6, 7))
    game.hand()
    game.do("take_seat", 8, player="hal")
    game.deal()
    assert listed(game, "report_unposted", 8)
    game.do("report_unposted", 8, looked=False, action=False)
    assert listed(game, "elect", 8)
    assert not listed(game, "report_unposted", 8)


def test_nobody_changes_seats_in_a_hand() -> None:
    game = Game()
    game.hand()
    assert listed(game, "change_seat", 4)
    game.deal()
    assert not listed(game, "change_seat", 4)


def test_a_move_that_needs_a_word_is_listed_with_it() -> None:
    game = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7))
    game.hands(2)
    for entry in listed(game, "change_seat", 7):
        for to in entry["to"]:  # type: ignore[attr-defined]
            for choice in entry.get("choices", [""]):  # type: ignore[attr-defined]
                moved = Game(seats=9, players=(1, 2, 3, 4, 5, 6, 7))
                moved.hands(2)
                said = {"choice": choice} if choice else {}
                moved.do("change_seat", 7, to=to, **said)


def test_in_a_tournament_the_floor_sets_no_debts() -> None:
    game = Game(rules="tournament")
    assert not listed(game, "set_owes", 1)
    assert game.refused("set_owes", 1, owes=["small"], reason="why").reason == "not_allowed"
