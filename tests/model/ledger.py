"""What the first card settles: who owes, who is in the rotation, who is picked up, who is due
next."""

from tests.model.entry import effective_choice, present
from tests.model.house import chain
from tests.model.ring import strictly_between
from tests.model.table import Draft, Due, Last, Seat, Table


def record(t: Table, d: Draft) -> None:
    """Commits a draft: t becomes the table as it stands once the first card is out."""
    t.hand += 1
    if t.fresh_button is not None:
        begin_game(t, d)
    elif not t.house["tournament"]:
        miss_big_blinds(t, d)
        miss_small_blinds(t, d)
        watch_new_players(t, d)
    send_away(t, d)
    forget_departed(t, d)
    last = next_last(t, d)
    for no in d.dealt:
        settle(t, d, no)
    for no, seat in t.seats.items():
        if seat.between and no in d.button_passed:
            seat.between = False
        if seat.move is not None:
            seat.move.wait_hands = max(0, seat.move.wait_hands - 1)
            seat.move.button_passed = seat.move.button_passed or no in d.button_passed
        seat.deal_me_in = False
    t.last = last
    if len(t.seats) == t.seat_count:
        t.free_period = False  # new-game: free hands until the game has filled
    t.raises, t.fresh_button, t.forced_button, t.carried = [], None, None, None


def begin_game(t: Table, d: Draft) -> None:
    """new-game: who is there for the first card is in the rotation, all debts go, who is away is
    new."""
    for no, seat in t.seats.items():
        seat.owes, seat.choice, seat.move, seat.barred = frozenset(), None, None, False
        seat.between, seat.let_big_pass = False, None
        if no not in d.dealt:
            seat.status = "new"


def miss_big_blinds(t: Table, d: Draft) -> None:
    """missed-blinds: of the rotation or returning, not present, passed by the scan: owes every
    blind and is out of the rotation."""
    for no in d.passed:
        seat = t.seats[no]
        reached = seat.status in ("rotation", "returning") and not seat.between
        if reached and not present(t, no, d.gone):
            owe(seat, frozenset(chain(t)))


def miss_small_blinds(t: Table, d: Draft) -> None:
    """leaving-on-small-blind: who is due a smaller blind and is away owes it (and those below it),
    heads-up too. After a corrected button nobody is charged again."""
    if t.last is None or t.forced_button is not None:
        return
    for due in t.last.due:
        no = t.seat_of(due.player)
        if no is None or t.seats[no].status != "rotation" or present(t, no, d.gone):
            continue
        kinds = chain(t)
        if due.depth < len(kinds):
            owe(t.seats[no], frozenset(kinds[: len(kinds) - due.depth]))


def owe(seat: Seat, kinds: frozenset[str]) -> None:
    """Debts never add up: the larger debt covers the smaller."""
    if seat.status != "returning":
        seat.choice = None
    seat.status = "returning"
    seat.owes = seat.owes | kinds


def watch_new_players(t: Table, d: Draft) -> None:
    """new-players: who let the big blind pass his seat is picked up on a later hand when the
    button passes him too; the seat is held for the head of the list, or with no list he keeps it,
    owing."""
    for no in sorted(t.seats):
        seat = t.seats[no]
        if seat.status != "new" or no in d.dealt:
            continue
        if seat.let_big_pass is not None and no in d.button_passed:
            pick_up(t, no)
        elif no in d.passed and seat.let_big_pass is None and lets_pass(t, d, no):
            seat.let_big_pass = t.hand


def lets_pass(t: Table, d: Draft, no: int) -> bool:
    """He was away, or waits for the button."""
    if not present(t, no, d.gone):
        return True
    return effective_choice(t, no, d.gone) == "wait_button"


def pick_up(t: Table, no: int) -> None:
    if t.waiting:
        del t.seats[no]
        t.lock_ups[no] = t.waiting.pop(0)
        return
    seat = t.seats[no]
    owe(seat, frozenset(chain(t)))
    seat.absent_mark, seat.sitting_out, seat.choice = True, True, None
    seat.let_big_pass = None


def send_away(t: Table, d: Draft) -> None:
    """sit_out at the next big blind: it has come."""
    for no, why in d.gone.items():
        if why == "sitting_out" and no in t.seats:
            t.seats[no].sitting_out, t.seats[no].out_at_big = True, False


def forget_departed(t: Table, d: Draft) -> None:
    """missed-blinds: a departed player's debt is kept until the big blind has passed his seat."""
    for player, (old, _) in list(t.departed.items()):
        if t.last is None or t.fresh_button is not None or big_has_passed(t, d, old):
            del t.departed[player]


def big_has_passed(t: Table, d: Draft, old: int) -> bool:
    assert t.last is not None
    if d.bought is not None:
        return False
    return old == d.last_big or strictly_between(t.seat_count, t.last.big, d.last_big, old)


def next_last(t: Table, d: Draft) -> Last:
    """What this hand leaves behind. Who posted in turn works down the chain on the next hand."""
    dealt = [t.seats[no].player for no in sorted(d.dealt)]
    button = t.seats[d.button].player if d.button in d.dealt else None
    if d.bought is not None:
        # buy_button: the old big blind is still due the small, and the big goes on from there
        assert t.last is not None
        return Last(
            d.button, button, list(d.chain_seats), t.last.big_player, list(t.last.due), dealt
        )
    kinds = chain(t)
    due = [
        Due(t.seats[no].player, place_of(t, d, no, kind), len(kinds) - kinds.index(kind))
        for no, kind in d.turn.items()
    ]
    # a blind that was dead here is dead on the way down too: the next smaller one of that place
    due += [Due(None, no, len(kinds) - kinds.index(kind)) for no, kind in d.dead]
    big_player = t.seats[d.last_big].player
    return Last(d.button, button, list(d.chain_seats), big_player, due, dealt)


def place_of(t: Table, d: Draft, no: int, kind: str) -> int:
    """The seat a blind was posted from; a dead button goes on by the blind's own place."""
    if t.house["button"] != "dead_button" or kind == "big":
        return no
    return d.chain_seats[d.kinds.index(kind) - len(d.kinds)]


def settle(t: Table, d: Draft, no: int) -> None:
    """Dealt in: of the rotation, owing nothing, no choice open. pot-limit: who entered between the
    blinds is no position until the button has passed him."""
    seat = t.seats[no]
    if seat.between:
        return
    outside = not strictly_between(t.seat_count, d.last_big, d.button, no)
    entered = no in d.entries and no != d.bought and no not in d.turn
    seat.between = entered and outside and not t.house["tournament"]
    seat.status, seat.owes, seat.choice, seat.move = "rotation", frozenset(), None, None
    seat.free_entry = seat.barred = False
    seat.absent_mark = seat.absent_mark and seat.sitting_out  # dealt in by word, he is absent still
    seat.let_big_pass, seat.dealt_before = None, True
