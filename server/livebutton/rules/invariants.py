"""What must hold of every table after every step."""

from livebutton.rules.structure import structure
from livebutton.rules.table import HandPlan, Table

LONGEST_CHAIN = 3


def problems(table: Table) -> list[str]:
    """Every broken invariant, as a sentence; empty for a sound table."""
    return [*_seats(table), *_play(table)]


def _seats(table: Table) -> list[str]:
    found: list[str] = []
    chain = structure(table.setup.stakes, table.setup.house).chain
    players = [seat.player for seat in table.seats if seat.player]
    if len(set(players)) != len(players):
        found.append("a player sits in two seats")
    for seat_no, seat in enumerate(table.seats, 1):
        where = f"seat {seat_no}"
        if seat.owes.big and not seat.owes.small and len(chain) > 1:
            found.append(f"{where} owes only the big blind")
        if seat.owes and seat.standing in ("in", "new"):
            found.append(f"{where} owes and is {seat.standing}")
        if seat.standing == "returning" and seat.player and not seat.owes:
            found.append(f"{where} returns and owes nothing")
        if seat.player and seat.locked:
            found.append(f"{where} is taken and locked up")
        if not seat.player and (seat.owes or seat.choice or seat.sitting_out or seat.posted >= 0):
            found.append(f"{where} is empty and remembers a player")
        if seat.deal_me_in and not seat.sitting_out:
            found.append(f"{where} is at the table and asked to be dealt in")
    return found


def _play(table: Table) -> list[str]:
    play = table.play
    found: list[str] = []
    if (play.phase == "in_hand") != (play.plan is not None):
        found.append(f"phase {play.phase} and the committed plan do not agree")
    if play.phase not in ("no_game", "closed") and play.last is None and not play.drawn:
        found.append("a game without a last hand or a drawn button")
    if play.plan is not None:
        chain = structure(table.setup.stakes, table.setup.house).chain
        found += of_plan(play.plan, len(table.seats), len(chain))
    return found


def of_plan(plan: HandPlan, count: int, chain: int = LONGEST_CHAIN) -> list[str]:
    """What must hold of any plan: who posts is dealt in, one blind in turn each, and so on.

    With so many blinds left of the button the scan meets at most one position for each, and the
    button itself where it starts on that.
    """
    if plan.none is not None:
        return []
    found: list[str] = []
    if len(set(plan.dealt)) != len(plan.dealt) or len(plan.dealt) < 2:
        found.append(f"dealt in: {plan.dealt}")
    bigs = [post.seat for post in plan.posts if post.kind == "big"]
    in_turn = [post.seat for post in plan.posts if post.kind in ("small", "middle", "big")]
    # Nobody posts in turn on the hand on which the button is bought.
    if len(bigs) > chain + 1 or (in_turn and not bigs):
        found.append(f"{len(bigs)} big blinds")
    if len(set(in_turn)) != len(in_turn):
        found.append(f"two blinds in turn from one seat: {in_turn}")
    for post in plan.posts:
        if post.seat not in plan.dealt:
            found.append(f"seat {post.seat} posts and is not dealt in")
        if post.live < 0 or post.dead < 0:
            found.append(f"seat {post.seat} posts less than nothing")
    found += [
        f"seat {seat_no} is to act and not dealt in"
        for seat_no in (plan.first_to_act, plan.first_to_act_after)
        if seat_no and seat_no not in plan.dealt
    ]
    if not 1 <= plan.button <= count:
        found.append(f"the button is on seat {plan.button}")
    if {n.seat for n in plan.not_dealt} & set(plan.dealt):
        found.append("a seat is dealt in and not dealt in")
    return found
