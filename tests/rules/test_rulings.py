"""Which rule a plan cites for button and blinds, and what it says of them."""

from livebutton.rules.table import HandPlan, Ruling
from tests.rules.game import Game, blinds

STAKES = {"blinds": [{"at": 1, "amount": 5}, {"at": 2, "amount": 10}, {"at": 3, "amount": 20}]}


def main(hand: HandPlan) -> Ruling:
    return hand.rulings[0]


def test_a_first_hand_cites_the_new_game() -> None:
    ruling = main(Game().plan)
    assert ruling.rule == "new-game"
    assert ruling.params == {"button": 1, "small": [2], "big": [3]}
    assert main(Game(players=(1, 2)).plan).rule == "new-game"


def test_a_later_hand_cites_the_obligations() -> None:
    game = Game()
    game.hand()
    assert main(game.plan).rule == "posting-blinds"


def test_a_button_put_right_cites_that() -> None:
    game = Game()
    game.hand()
    game.do("correct_button", button=4)
    assert main(game.plan).rule == "misplaced-button"


def test_two_players_are_heads_up() -> None:
    game = Game(players=(1, 2, 3))
    game.hand()
    game.do("leave", 1)
    assert main(game.plan).rule == "heads-up"


def test_so_is_the_third_who_comes_to_two() -> None:
    for growth in ("button_stays", "forward"):
        for third in (2, 4):
            game = Game(players=(1, 3), heads_up_growth=growth, new_player_posts=False)
            game.hand()
            game.do("take_seat", third, player="third")
            assert main(game.plan).rule == "heads-up"


def test_a_button_bought_cites_the_making_up() -> None:
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live")
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="buy_button")
    assert main(game.plan).rule == "making-up-blinds"


def test_a_button_is_bought_with_the_smallest_blind_of_the_chain_dead() -> None:
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live", stakes=STAKES)
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="buy_button")
    assert blinds(game.plan) == "b2 +3:20/5"


def test_who_owes_and_buys_the_button_makes_up_with_it() -> None:
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live")
    game.hand()
    game.do("take_seat", 3, player="cat")
    game.do("set_owes", 3, owes=["big"], reason="he was away")
    game.do("choose", 3, choice="buy_button")
    (post,) = game.plan.posts
    assert (post.seat, post.kind, post.live, post.dead) == (3, "make_up", 10, 5)


def test_who_sits_where_the_big_blind_does_not_come_waits() -> None:
    """The last big blind has moved on with his small; who took his seat is met by no blind."""
    game = Game(seats=8, players=(1, 2, 4, 5, 6, 7), rules="wsop-live")
    assert blinds(game.hand()) == "b1 s2 B4"
    game.do("change_seat", 4, to=8)
    game.do("take_seat", 4, player="dan")
    game.do("take_seat", 3, player="cat")
    game.do("choose", 3, choice="buy_button")
    assert blinds(game.plan) == "b2 +3:10/5"
    assert game.why(4) == "waiting"
