"""A player's place in a hand, by the name it is called at the table."""

from livebutton.rules.table import HandPlan, SeatNo

_FROM_THE_BUTTON = ("cutoff", "hijack", "lojack")


def places(plan: HandPlan) -> dict[SeatNo, str]:
    """The place of every seat dealt in: `button`, `small_blind`, `under_the_gun` … `cutoff`.

    The button's name goes before a blind's. Three places are counted back from the button; the
    rest forward from the big blind, `under_the_gun` first.
    """
    named: dict[SeatNo, str] = {}
    for post in plan.posts:
        if post.kind in ("small", "middle", "big"):
            named[post.seat] = f"{post.kind}_blind"
    if plan.button in plan.dealt:
        named[plan.button] = "button"
    others = [seat_no for seat_no in plan.dealt if seat_no not in named]
    bigs = [at for at, seat_no in enumerate(plan.dealt) if named.get(seat_no) == "big_blind"]
    if bigs:
        # Players before the big blind in dealing order act after those behind it.
        behind = plan.dealt[bigs[-1] + 1 :]
        others.sort(key=lambda seat_no: (seat_no not in behind, plan.dealt.index(seat_no)))
    for at, seat_no in enumerate(others):
        from_end = len(others) - 1 - at
        if at == 0:
            named[seat_no] = "under_the_gun"
        elif from_end < len(_FROM_THE_BUTTON):
            named[seat_no] = _FROM_THE_BUTTON[from_end]
        else:
            named[seat_no] = f"under_the_gun_{at}"
    return named
