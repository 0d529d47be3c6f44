"""The model on the spots that rulings.md names: one short table each."""

import pytest

from tests.model.felt import Felt

SIX = [1, 2, 3, 4, 5, 6]


def test_three_big_blinds_when_the_scan_starts_on_the_button() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("leave", seat=2)
    felt.do("leave", seat=3)
    seen = felt.hand()
    assert (seen["button"], seen["big"], seen["dead"]) == (4, [5, 6, 4], [3])


def test_a_forgiven_scan_charges_only_its_target() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1, house={"skipped_blinds": "forgiven"})
    felt.hand()
    felt.do("leave", seat=2)
    assert felt.blinds() == (3, [3], [5])


def test_moving_button_takes_the_second_big_blind_at_once() -> None:
    felt = Felt("robert", 6, SIX, 1)
    felt.hand()
    felt.do("leave", seat=3)
    seen = felt.hand()
    assert (seen["button"], seen["dead"], seen["big"]) == (2, [3], [4, 5])
    assert felt.blinds() == (4, [5, 4], [6])


def test_simplified_never_has_a_dead_small_blind() -> None:
    felt = Felt("california", 6, SIX, 1)
    felt.hand()
    felt.do("leave", seat=3)
    assert felt.blinds() == (2, [4], [5])


def test_newcomer_beyond_the_only_other_player_lies_in_the_arc() -> None:
    felt = Felt("caro-cooke", 6, [1, 5], 1)
    felt.hand()
    felt.do("take_seat", seat=3, player="new")
    seen = felt.hand()
    assert (seen["button"], seen["small"], seen["big"]) == (5, [5], [1])
    assert seen["entries"] == {"3": [0, 0]}
    assert seen["first"] == 3


@pytest.mark.parametrize(
    ("third", "expected"), [(3, (5, [1], [3])), (6, (1, [5], [6]))], ids=["between", "behind"]
)
def test_button_stays_when_the_third_sits_behind_the_big_blind(
    third: int, expected: tuple[int, list[int], list[int]]
) -> None:
    felt = Felt("california", 6, [1, 5], 1)
    felt.hand()
    felt.do("take_seat", seat=third, player="new")
    if third == 3:
        assert felt.blinds() == (5, [1], [3])
    assert felt.blinds() == expected


def test_choices_of_a_returning_player_and_their_waits() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.hand()  # b2 s3 B5
    felt.do("sit_in", seat=4)
    # B6: 4 lies between; B1: behind the button; B2; B3: he is first after it; B4
    assert felt.waits(4) == {
        "post": 1,
        "wait_big_blind": 4,
        "wait_button": 1,
        "straddle": 3,
    }


def test_a_returning_player_under_the_gun_may_straddle_his_debts_away() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.hands(3)  # B5, B6, B1
    felt.do("sit_in", seat=4)
    felt.hand()  # B2
    felt.do("choose", seat=4, choice="straddle")
    seen = felt.hand()  # b1 s2 B3, 4 is first
    assert seen["entries"] == {"4": [20, 0]}
    assert (seen["first"], seen["to_call"]) == (5, 20)
    assert felt.seat(4)["marks"] == []


def test_only_the_small_is_owed_by_who_leaves_on_it() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=3)
    felt.hand()
    assert felt.seat(3)["marks"] == ["missed_little_blind"]
    felt.do("sit_in", seat=3)
    felt.do("choose", seat=3, choice="post")
    felt.hand()  # the button passes him to 4
    assert felt.seat(3)["marks"] == []


def test_declining_to_post_leaves_only_the_big_blind() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.hands(2)
    felt.do("sit_in", seat=4)
    felt.do("deal")  # b5 s6 B1: 4 is behind the button
    felt.do("report_unposted", seat=4, looked=False, action=False)
    felt.do("elect", seat=4, post=False)
    assert felt.refused("choose", seat=4, choice="post") == "not_allowed"
    felt.do("end_hand")
    assert felt.waits(4) == {}


def test_electing_to_post_deals_him_in() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.hands(2)
    felt.do("sit_in", seat=4)
    felt.do("deal")
    felt.do("report_unposted", seat=4, looked=False, action=False)
    felt.do("elect", seat=4, post=True)
    assert felt.see()["entries"] == {"4": [10, 5]}
    assert felt.see()["dealt"] == [6, 1, 2, 3, 4, 5]
    assert felt.seat(4)["in_rotation"]


def test_a_new_player_who_let_both_pass_is_picked_up() -> None:
    felt = Felt("caro-cooke", 9, [1, 2, 3, 5, 6, 7, 8], 1)
    felt.hand()  # b1 s2 B3
    felt.do("take_seat", seat=4, player="new")
    felt.do("sit_out", seat=4)
    felt.do("join_list", player="next")
    felt.hand()  # b2 s3 B5: the big blind passes 4
    felt.hand()  # b3 s5 B6
    assert felt.seat(4)["player"] == "new"
    felt.hand()  # b5: the button passes 4
    assert felt.seat(4) == {"player": None, "marks": ["lock_up"], "held_for": "next"}
    assert felt.refused("take_seat", seat=4, player="other") == "seat_locked"
    felt.do("take_seat", seat=4, player="next")


def test_with_no_list_he_keeps_the_seat_and_owes() -> None:
    felt = Felt("caro-cooke", 9, [1, 2, 3, 5, 6, 7, 8], 1)
    felt.hand()
    felt.do("take_seat", seat=4, player="new")
    felt.do("sit_out", seat=4)
    felt.hands(3)
    assert felt.seat(4)["marks"] == ["missed_blind", "absent"]
    assert felt.seat(4)["sitting_out"]


def test_who_comes_back_in_time_keeps_his_debt() -> None:
    felt = Felt("caro-cooke", 9, [1, 2, 3, 4, 5, 6], 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.hand()
    felt.do("leave", seat=4)
    felt.do("take_seat", seat=8, player="p4")
    assert felt.seat(8)["marks"] == ["missed_blind"]


def test_pot_limit_entry_between_the_blinds_forfeits_the_button() -> None:
    felt = Felt("pot-limit", 6, [1, 2, 4, 5, 6], 1, house={"short_handed": False})
    felt.do("deal")  # b1 s2 B4
    felt.do("take_seat", seat=3, player="new")
    felt.do("end_hand")
    felt.do("choose", seat=3, choice="post")
    seen = felt.hand()
    assert (seen["button"], seen["small"], seen["big"]) == (2, [4], [5])
    assert seen["entries"] == {"3": [10, 0]}
    seen = felt.hand()
    assert (seen["button"], seen["small"], seen["big"], seen["out"]) == (4, [5], [6], [3])
    seen = felt.hand()
    assert (seen["button"], seen["dealt"]) == (5, [6, 1, 2, 3, 4, 5])


def test_pot_limit_posts_the_small_on_the_button_and_two_big_blinds() -> None:
    felt = Felt("pot-limit", 6, SIX, 1)
    posts = [(post["seat"], post["kind"], post["live"]) for post in felt.plan()["posts"]]
    assert posts == [(2, "small", 10), (3, "big", 10), (1, "button", 5)]


def test_pot_limit_heads_up_drops_the_button_blind() -> None:
    felt = Felt("pot-limit", 6, [1, 3], 1)
    posts = [(post["seat"], post["kind"], post["live"]) for post in felt.plan()["posts"]]
    assert posts == [(3, "big", 10), (1, "small", 10)]


def test_three_blinds_walk_down_the_chain() -> None:
    chain = [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]
    felt = Felt("caro-cooke", 6, SIX, 1, stakes={"blinds": chain})
    seen = felt.hand()
    assert (seen["small"], seen["middle"], seen["big"]) == ([2], [3], [4])
    felt.do("leave", seat=2)
    seen = felt.hand()  # 3 has the button and his small; two big blinds
    assert (seen["button"], seen["small"], seen["middle"], seen["big"]) == (3, [3], [4], [5, 6])


def test_a_sleeper_raises_the_call_and_has_no_option() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.do("sleeper", seat=6)
    plan = felt.plan()
    assert (plan["to_call"], plan["first_to_act"], plan["options"]) == (20, 4, [2, 3])
    assert felt.refused("straddle", seat=5) == "not_due"
    felt.do("straddle", seat=4)
    assert felt.plan()["to_call"] == 30


def test_no_limit_straddles_double_without_a_cap() -> None:
    game = {"family": "holdem", "betting": "no_limit"}
    felt = Felt("caro-cooke", 9, [1, 2, 3, 4, 5, 6, 7, 8, 9], 1, game=game)
    for no in (4, 5, 6, 7, 8, 9, 1):
        felt.do("straddle", seat=no)
    assert felt.plan()["to_call"] == 10 * 2**7
    assert felt.refused("straddle", seat=2) == "not_due"


def test_a_straddle_falls_when_its_ground_does() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("straddle", seat=5)
    felt.do("sit_out", seat=4)  # 5 is the big blind now
    assert (felt.plan()["to_call"], felt.plan()["first_to_act"]) == (10, 6)
    felt.do("sit_in", seat=4)
    assert felt.plan()["to_call"] == 10


def test_a_short_big_blind_is_called_in_full() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.do("set_stack", seat=3, stack=4)
    plan = felt.plan()
    assert (plan["to_call"], plan["options"]) == (10, [2])
    assert [post["live"] for post in plan["posts"] if post["all_in"]] == [4]


def test_everybody_else_all_in_for_less_is_called_for_that() -> None:
    felt = Felt("caro-cooke", 6, [1, 3], 1)
    felt.do("set_stack", seat=3, stack=7)
    assert felt.plan()["to_call"] == 7


def test_full_blind_or_no_hand() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1, house={"short_stack": "full_blind_or_no_hand"})
    felt.hand()
    felt.do("set_stack", seat=4, stack=9)
    seen = felt.hand()
    assert (seen["big"], seen["out"]) == ([5], [4])
    assert felt.seat(4)["marks"] == ["missed_blind"]


def test_tournament_absentees_are_dealt_in_and_the_ante_is_dead() -> None:
    ante = {"by": "big_blind", "amount": 10}
    felt = Felt("tournament", 6, SIX, 1, house={"ante": ante})
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.do("deal")
    plan = felt.plan()
    assert plan["dealt"] == [3, 4, 5, 6, 1, 2]
    assert [(post["kind"], post["live"], post["dead"]) for post in plan["posts"]] == [
        ("small", 5, 0),
        ("big", 10, 0),
        ("ante", 0, 10),
    ]


def test_buying_the_button() -> None:
    felt = Felt("wsop-live", 6, [1, 2, 4, 5, 6], 1)
    felt.hand()  # b1 s2 B4
    felt.do("take_seat", seat=3, player="new")
    felt.do("choose", seat=3, choice="buy_button")
    seen = felt.hand()  # b2; 3 posts both, nobody else
    assert (seen["button"], seen["small"], seen["big"]) == (2, [], [])
    assert (seen["entries"], seen["first"]) == ({"3": [10, 5]}, 4)
    assert felt.blinds() == (3, [4], [5])


def test_correcting_the_button_before_the_first_card() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("correct_button", button=4)
    assert felt.blinds() == (4, [5], [6])
    felt.hand()
    assert felt.blinds() == (5, [6], [1])


def test_correcting_the_button_after_the_first_card() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("deal")
    felt.do("correct_button", button=4)
    assert felt.blinds() == (2, [3], [4])
    felt.do("end_hand")
    assert felt.blinds() == (5, [6], [1])


def test_a_misdeal_plans_the_same_hand_again_with_what_people_did_since() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("deal")
    felt.do("leave", seat=2)
    felt.do("misdeal")
    assert felt.plan()["hand"] == 2
    assert felt.blinds() == (3, [3], [4, 5])


def test_undo_takes_back_a_mistaken_deal() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.do("sit_out", seat=3)
    felt.do("deal")
    offset = felt.model.offset
    assert felt.refused("undo", offset=offset - 1) == "stale"
    felt.do("undo", offset=offset)
    felt.do("undo")  # and the sit_out
    assert felt.see()["big"] == [3]


def test_sitting_out_at_the_next_big_blind() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.do("sit_out", seat=5, at="next_big_blind")
    felt.hands(2)
    assert felt.see()["big"] == [6]
    felt.hand()
    assert felt.seat(5)["sitting_out"]
    assert felt.seat(5)["marks"] == ["missed_blind"]


def test_deal_me_in_holds_for_one_hand() -> None:
    felt = Felt("caro-cooke", 6, SIX, 1)
    felt.hand()
    felt.do("sit_out", seat=4)
    felt.do("deal_me_in", seat=4)
    assert felt.hand()["big"] == [4]
    assert felt.see()["dead"] == [4]
