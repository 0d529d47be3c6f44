"""The four button policies: where the button goes, and who posts in turn."""

from tests.model.entry import present, takes_big_in_turn
from tests.model.house import chain
from tests.model.ring import first_after, in_order, steps, strictly_between, walk
from tests.model.table import Draft, Due, Last, Table


def policy_draft(t: Table, rot: list[int], gone: dict[int, str]) -> Draft:
    policy = t.house["button"]
    if policy == "simplified":
        return simplified(t, rot, gone)
    if policy == "dead_button":
        return dead_button(t, rot, gone)
    return no_dead_button(t, rot, gone, dead_counts=policy == "no_dead_button")


def last_hand(t: Table) -> Last:
    assert t.last is not None
    return t.last


def due_kind(t: Table, due: Due) -> str | None:
    """The blind he is due, by the structure as it is now; None where it has none so small."""
    kinds = chain(t)
    return kinds[-1 - due.depth] if due.depth < len(kinds) else None


def due_seat(t: Table, due: Due, rot: list[int]) -> int | None:
    """Where the player who is due a blind sits now, if he is of the rotation and present."""
    seat = t.seat_of(due.player)
    if t.house["tournament"] and seat not in rot and due.seat in rot:
        return due.seat  # tournaments: an entrant takes what is due at his seat
    return seat if seat in rot else None


def usable(kinds: list[str], count: int) -> list[str]:
    """blind-structures: at most one blind fewer than players; the smallest drops out."""
    return kinds[-max(1, min(len(kinds), count)) :]


def no_dead_button(t: Table, rot: list[int], gone: dict[int, str], dead_counts: bool) -> Draft:
    """no-dead-button, posting-blinds 1-3, leaving-on-small-blind (moving_button: dead_counts
    false).

    The button: the first present player of the rotation clockwise of the last one. Then the
    scan.
    """
    last = last_hand(t)
    n = t.seat_count
    # nobody has the button twice running, not even after a move ahead of it
    others = [no for no in rot if t.seats[no].player != last.button_player]
    button = first_after(n, last.button, others or rot)
    assert button is not None
    d = Draft(button=button)
    dead, carried = due_positions(t, rot, button)
    extra = carried + (dead if dead_counts else [])
    scanned = scan(t, d, rot, gone, extra)
    positions, target = scanned
    d.last_big = target
    d.chain_seats = positions[: positions.index(target) + 1][-len(d.kinds) :]
    if len(d.chain_seats) < 2 and len(chain(t)) > 1:
        d.chain_seats = [button, target]
    d.players = sorted(set(rot) | set(d.turn))
    add_small_posts(t, d, rot)
    return d


def due_positions(
    t: Table, rot: list[int], button: int
) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Seats that count as positions though nobody of the rotation sits there: (dead, carried).

    leaving-on-small-blind: a dead small blind's seat, unless the button has passed it. seat-changes
    4: the seat that a player who carries his small blind has left, unless he still sits left of the
    button before it (then his own seat counts).
    """
    n = t.seat_count
    old = last_hand(t).button
    dead, carried = [], []
    for due in last_hand(t).due:
        kind = due_kind(t, due)
        if kind is None:
            continue
        passed = due.seat == button or strictly_between(n, old, button, due.seat)
        if passed or due.seat in rot:
            continue
        now = due_seat(t, due, rot)
        if now is None:
            dead.append((due.seat, kind))
        elif now != button and not strictly_between(n, button, due.seat, now):
            carried.append((due.seat, kind))
    return dead, carried


def scan(
    t: Table, d: Draft, rot: list[int], gone: dict[int, str], extra: list[tuple[int, str]]
) -> tuple[list[int], int]:
    """posting-blinds 2: seat by seat from the one after the last big blind up to the target.

    Fills in d.turn (big blinds) and d.kinds; returns the positions in order and the target's seat.
    """
    n = t.seat_count
    last = last_hand(t)
    forgiven = t.house["skipped_blinds"] == "forgiven"
    posted: list[int] = []
    for no in walk(n, last.big):
        if no not in rot and not entrant_met(t, no, d.button, gone):
            continue
        people = [*rot, *(seat for seat in posted if seat not in rot)]
        if no not in rot:
            people.append(no)
        kinds = usable(chain(t), len(people) - 1)
        places = [seat for seat in people if seat != d.button]
        places += [seat for seat, kind in extra if kind in kinds[:-1]]
        positions = in_order(n, d.button, places)
        target = positions[min(len(kinds), len(positions)) - 1]
        if no != d.button and steps(n, d.button, no) > steps(n, d.button, target):
            target = no  # the scan starts past the place: it ends with the first it meets
        if not forgiven:
            posted.append(no)
        if no == target:
            posted = posted if not forgiven else [no]
            d.kinds = kinds
            d.turn = dict.fromkeys(posted, kinds[-1])
            return positions, target
    raise AssertionError("the scan met no target")


def entrant_met(t: Table, no: int, button: int, gone: dict[int, str]) -> bool:
    """posting-blinds 2: an entrant posts what is due at his seat, except where the button lies or
    has jumped over him."""
    if not takes_big_in_turn(t, no, gone):
        return False
    old = last_hand(t).button
    return no != button and not (old != button and strictly_between(t.seat_count, old, button, no))


def add_small_posts(t: Table, d: Draft, rot: list[int]) -> None:
    """posting-blinds 1 and 3: whoever posted last hand works down the chain, wherever he sits; who
    is due a big one too posts that. A player who is away or gone leaves a dead blind."""
    for due in last_hand(t).due:
        kind = due_kind(t, due)
        if kind is None or kind not in d.kinds:
            continue
        seat = due_seat(t, due, rot)
        if seat is None:
            d.dead.append((due.seat, kind))
        elif seat not in d.turn:
            d.turn[seat] = kind


def simplified(t: Table, rot: list[int], gone: dict[int, str]) -> Draft:
    """leaving-on-small-blind, policy simplified: the button to the next present player of the
    rotation, the small (and middle) to the next such, the big to the next present player at all.

    blind-structures: a newcomer in the big blind is dealt in, so one blind more may be posted.
    """
    more = simplified_with(t, rot, gone, len(rot) + 1)
    if more is not None and more.last_big not in rot:
        return more
    usual = simplified_with(t, rot, gone, len(rot))
    if usual is None or (usual.heads_up and len(rot) > 2):
        usual = simplified_with(t, rot, gone, len(rot), carries=False)  # no room for his old seat
    assert usual is not None
    return usual


def simplified_with(
    t: Table, rot: list[int], gone: dict[int, str], dealt: int, carries: bool = True
) -> Draft | None:
    n = t.seat_count
    button = first_after(n, last_hand(t).button, rot)
    assert button is not None
    d = Draft(button=button)
    d.kinds = usable(chain(t), max(2, dealt - 1))
    at = button
    for kind in d.kinds[:-1]:
        if carries and t.carried and t.carried[2] == kind and t.seat_of(t.carried[0]) in rot:
            # seat-changes 4: he posts it where he sits now, and the seat he left counts for it
            carrier = t.seat_of(t.carried[0])
            assert carrier is not None
            d.turn[carrier] = kind
            at = t.carried[1]
            continue
        following = first_after(n, at, [no for no in rot if no not in d.turn or no == button])
        if following == button and len(rot) > 2:
            return None
        assert following is not None
        at = following
        d.turn[at] = kind
    anybody = [no for no in t.seats if no in rot or takes_big_in_turn(t, no, gone)]
    big = first_after(n, at, anybody)
    assert big is not None
    d.turn[big] = d.kinds[-1]
    d.last_big = big
    d.chain_seats = list(d.turn)
    d.players = sorted({*rot, big})
    d.heads_up = big == button
    return d


def dead_button(t: Table, rot: list[int], gone: dict[int, str]) -> Draft:
    """leaving-on-small-blind, policy dead_button: every place moves up one seat of the chain,
    empty or not; the big blind goes to the next player the scan meets.

    blind-structures: a newcomer in the big blind is dealt in, so one blind more may be posted.
    """
    more = dead_button_with(t, rot, gone, len(rot) + 1)
    return more if more.last_big not in rot else dead_button_with(t, rot, gone, len(rot))


def dead_button_with(t: Table, rot: list[int], gone: dict[int, str], dealt: int) -> Draft:
    """The places are a row, button first, that grows by the new big blind's; the last of them are
    used. Where it is too short (a blind more than last hand) the button stays."""
    n = t.seat_count
    last = last_hand(t)
    kinds = usable(chain(t), max(2, dealt - 1))
    row = list(last.chain_seats)
    if len(row) < len(kinds):
        row = [last.button, *row]
    button = row[max(0, len(row) - len(kinds))]
    d = Draft(button=button, kinds=kinds)
    met = [no for no in t.seats if no in rot or entrant_met(t, no, button, gone)]
    big = first_after(n, last.big, met)
    assert big is not None
    d.last_big = big
    smaller = last.chain_seats[-(len(kinds) - 1) :] if len(kinds) > 1 else []
    d.chain_seats = [*smaller, big]
    d.turn[big] = kinds[-1]
    for kind, seat in zip(kinds[-1 - len(smaller) : -1], smaller, strict=True):
        poster = chain_poster(t, seat, kind, rot, gone)
        if poster is None:
            d.dead.append((seat, kind))
        elif poster not in d.turn:
            d.turn[poster] = kind
    d.players = sorted({*rot, *d.turn})
    return d


def chain_poster(
    t: Table, seat: int, kind: str, rot: list[int], gone: dict[int, str]
) -> int | None:
    """Who posts the blind of a place in the dead_button chain: the player who is due it, wherever
    he sits now; in a tournament whoever sits there takes what is due at his seat."""
    for due in last_hand(t).due:
        if due.seat == seat and due_kind(t, due) == kind:
            now = due_seat(t, due, rot)
            if now is not None:
                return now
    if t.house["tournament"] and present(t, seat, gone):
        return seat
    return None


def ordinary(t: Table, button: int, players: list[int]) -> Draft:
    """A hand with the button there and the blinds on the next players: a new game's first hand, or
    misplaced-button before the first card. Two players: heads-up."""
    n = t.seat_count
    order = in_order(n, button, players)
    d = Draft(button=button, players=sorted(players))
    others = [no for no in order if no != button]
    if len(players) == 2:
        d.heads_up = True
        d.kinds = chain(t)[-2:]
        seats = [button, others[0]][-len(d.kinds) :]
        if button not in players:
            seats = others[: len(d.kinds)]
    else:
        d.kinds = usable(chain(t), len(others) if button not in players else len(players) - 1)
        seats = others[: len(d.kinds)]
    d.turn = dict(zip(seats, d.kinds, strict=True))
    d.chain_seats = seats
    d.last_big = seats[-1]
    if len(seats) == 1:
        d.passed = [no for no in t.seats if strictly_between(n, button, seats[-1], no)]
    else:
        d.passed = [no for no in t.seats if strictly_between(n, seats[-2], seats[-1], no)]
    return d


def button_path(t: Table, button: int) -> list[int]:
    """Seats that the button passes on this hand: from the old one up to before the new one."""
    if t.last is None or t.last.button == button:
        return []
    old = t.last.button
    n = t.seat_count
    return [no for no in walk(n, old) if steps(n, old, no) < steps(n, old, button)] + [old]
