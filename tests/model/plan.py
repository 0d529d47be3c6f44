"""The plan in the contract's shape: money, order, who acts, who is asked, why somebody is out."""

from typing import Any

from tests.model.draft import draft
from tests.model.entry import dead_beside_big, effective_choice, is_asked, offers, present, price
from tests.model.forecast import hands_until_dealt
from tests.model.house import amounts, heads_up_amounts
from tests.model.ring import in_order, strictly_between
from tests.model.straddles import is_capped, level_after
from tests.model.table import Draft, Table

Post = dict[str, Any]
FREE = ("entry", "make_up")  # a free hand is an entry of nothing


def full_plan(t: Table) -> dict[str, Any]:
    """HandPlan for the next hand, or {none: {reason}}."""
    return dress(t, draft(t))


def dress(t: Table, d: Draft) -> dict[str, Any]:
    if d.none:
        return {"none": {"reason": d.none}}
    plan = lay_out(t, d)
    plan["questions"] = questions(t, d)
    return plan


def lay_out(t: Table, d: Draft) -> dict[str, Any]:
    """Everything but the questions (whose answers are themselves forecasts)."""
    posts = take_from_stacks(t, raw_posts(t, d))
    dealt = in_order(t.seat_count, d.button, d.dealt)
    all_in = {post["seat"] for post in posts if post["all_in"]}
    straddlers = [no for kind, no in d.raises if kind == "straddle"]
    opener = straddlers[-1] if straddlers else d.bought or d.last_big
    capped = is_capped(t, len(d.raises))
    level = level_after(t, len(d.raises))
    return {
        "hand": t.hand + 1,
        "button": d.button,
        "posts": posts,
        "dead_blinds": [{"seat": no, "kind": kind} for no, kind in in_place(t, d, d.dead)],
        "dealt": dealt,
        "not_dealt": [
            {"seat": no, "why": why(t, d, no)} for no in sorted(t.seats) if no not in d.dealt
        ],
        "first_to_act": first_to_act(t, opener, dealt, all_in),
        "first_to_act_after": first_to_act(t, d.button, dealt, all_in),
        "to_call": to_call(level, posts, dealt, all_in),
        "options": [] if capped else options(posts, dealt, all_in),
        "capped": capped,
    }


def in_place(t: Table, d: Draft, places: list[tuple[int, str]]) -> list[tuple[int, str]]:
    order = in_order(t.seat_count, d.button, [no for no, _ in places])
    return sorted(places, key=lambda place: order.index(place[0]))


def raw_posts(t: Table, d: Draft) -> list[Post]:
    """Who puts out what, in dealing order; a seat's own posts: blind, way in, button blind, raise,
    ante."""
    costs = amounts(t)
    posts = []
    order = in_order(t.seat_count, d.button, d.dealt)
    behind = order[-2] if d.button in d.dealt and len(order) > 1 else order[-1]
    live_so_far = dict.fromkeys(order, 0)
    for no in order:
        mine = in_turn(t, d, no)
        entry = d.entries.get(no)
        if entry is not None and entry.kind not in ("none", "straddle"):
            mine.append(post(no, entry.kind, entry.live, entry.dead))
        if not d.heads_up:
            # blind-structures: on or behind the button, on top of a chain blind; not heads-up
            if no == d.button and "button" in costs:
                mine.append(post(no, "button", costs["button"], 0))
            if no == behind and "behind" in costs:
                mine.append(post(no, "behind", costs["behind"], 0))
        live_so_far[no] = sum(one["live"] for one in mine)
        for count, (kind, seat) in enumerate(d.raises, start=1):
            if seat == no:
                mine.append(post(no, kind, level_after(t, count) - live_so_far[no], 0))
        ante = t.house["ante"]
        if ante and ante["amount"] and (ante["by"] == "all" or no == d.last_big):
            mine.append(post(no, "ante", 0, ante["amount"]))
        posts += mine
    return posts


def in_turn(t: Table, d: Draft, no: int) -> list[Post]:
    """His blind in turn; heads-up the two largest, and the button's is called the small."""
    big, small = heads_up_amounts(t)
    if d.heads_up and no in d.players and no != d.last_big:
        return [post(no, "small", small, 0)] if small else []
    if no not in d.turn:
        return []
    kind = d.turn[no]
    beside = dead_beside_big(t, t.seats[no]) if kind == "big" else 0
    mine = [post(no, kind, big if d.heads_up else amounts(t)[kind], beside)]
    if kind != "big" and t.seats[no].status == "returning" and t.fresh_button is None:
        mine.append(post(no, *price(t, no, "post", d.gone)))  # heads-up forward only
    return mine


def post(no: int, kind: str, live: int, dead: int) -> Post:
    return {"seat": no, "kind": kind, "live": live, "dead": dead, "all_in": False}


def take_from_stacks(t: Table, posts: list[Post]) -> list[Post]:
    """all-in-blind: live before dead, as far as a known stack goes."""
    free = [one for one in posts if one["live"] + one["dead"] == 0 and one["kind"] in FREE]
    left = {no: seat.stack for no, seat in t.seats.items() if seat.stack is not None}
    for part in ("live", "dead"):
        for one in posts:
            if one["seat"] in left:
                one[part] = min(one[part], left[one["seat"]])
                left[one["seat"]] -= one[part]
    for one in posts:
        one["all_in"] = left.get(one["seat"]) == 0
    return [one for one in posts if one["live"] + one["dead"] or one in free]


def first_to_act(t: Table, after: int, dealt: list[int], all_in: set[int]) -> int | None:
    """Left of the last big blind or straddler (later rounds: of the button), all-in players
    passed."""
    able = [no for no in dealt if no not in all_in]
    return in_order(t.seat_count, after, able)[0] if able else None


def to_call(level: int, posts: list[Post], dealt: list[int], all_in: set[int]) -> int:
    """all-in-blind: the nominal amount; if all others are all in, the largest that one of them put
    in."""
    if len(dealt) - len(all_in) > 1:
        return level
    put_in = dict.fromkeys(all_in, 0)
    for one in posts:
        if one["seat"] in put_in:
            put_in[one["seat"]] += one["live"]
    return max(put_in.values(), default=level)


def options(posts: list[Post], dealt: list[int], all_in: set[int]) -> list[int]:
    """blinds-are-live: every seat with a live post that is not all in; a sleeper has none."""
    live = {one["seat"] for one in posts if one["live"] > 0 and one["kind"] != "sleeper"}
    asleep = {one["seat"] for one in posts if one["kind"] == "sleeper"}
    return [no for no in dealt if no in live - asleep - all_in]


def why(t: Table, d: Draft, no: int) -> str:
    """Why an occupied seat gets no hand."""
    seat = t.seats[no]
    if seat.stack == 0:
        return "no_chips"
    if no in d.gone:
        return d.gone[no]
    if not present(t, no, d.gone):
        return "sitting_out"
    in_arc = strictly_between(t.seat_count, d.last_big, d.button, no)
    willing = ("post", "free", "straddle", "buy_button")
    if t.house["tournament"] or seat.between:
        return "between_blinds"  # where a newcomer waits; or the button passes him by
    if seat.entrant and not in_arc and effective_choice(t, no, d.gone) in willing:
        return "between_blinds"
    if seat.status == "mover" or (seat.choice is not None) or seat.barred:
        return "waiting"
    return "owes" if seat.status == "returning" else "new"


def questions(t: Table, d: Draft) -> list[dict[str, Any]]:
    """Open questions: what an entrant may choose, what it costs him, and how long he then waits."""
    asked = []
    for no in sorted(t.seats):
        if not is_asked(t, no, d.gone):
            continue
        choices = []
        for choice in offers(t, no, d.gone):
            _, live, dead = price(t, no, choice, d.gone)
            answer: dict[str, Any] = {"choice": choice, "live": live, "dead": dead}
            hands = hands_until_dealt(t, no, choice)
            if hands is not None:
                answer["hands"] = hands
            choices.append(answer)
        asked.append({"seat": no, "choices": choices})
    return asked
