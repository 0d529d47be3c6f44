"""How long the rules take: one seat event, a whole hand, the views of a table.

A hand is measured against setting up the same hand in PokerKit: same seats, stacks and posts.
Both sides get what they need ready-made (commands decoded, amounts in lists), so that what is
timed is the work itself. The garbage collector runs as it does in a server.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from itertools import cycle

from livebutton import views
from livebutton.bench.report import Figure, alone, beside
from livebutton.rules import commands as cmd
from livebutton.rules.allowed import allowed
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.plan import plan
from livebutton.rules.table import HandPlan, Stakes, Table

Progress = Callable[[str], None]

SEATS = 10
NEWCOMERS = 3
RULES = "caro-cooke"
STACK = 1_000
SMALL, BIG = 5, 10
# Events or hands timed before the other side has its turn.
BATCH = 200
HANDS = 20
WARM_UP_HANDS = 50
SEAT_EVENT_LIMIT_US = 60.0
QUESTIONS_LIMIT_US = 1_000.0
HAND_AT_LEAST = 5.0

Hand = tuple[cmd.AnyCommand, ...]
A_HAND: Hand = (cmd.Shuffle(), cmd.Deal(), cmd.EndHand())


def step(table: Table | None, command: cmd.AnyCommand) -> Table:
    """One command decided, recorded and re-planned, as a server does it."""
    after = record(table, command, decide(table, command))
    plan(after)
    return after


def running(newcomers: int) -> Table:
    """A ten-seat table between two hands, with as many questions open as there are newcomers.

    It has played long enough that its list of what can be undone is full.
    """
    table: Table | None = None
    opening: list[cmd.AnyCommand] = [
        cmd.OpenTable(name="bench", seats=SEATS, rules=RULES, stakes=Stakes(small=SMALL, big=BIG)),
        *(
            cmd.TakeSeat(seat, f"player-{seat}", stack=STACK)
            for seat in range(1, SEATS + 1 - newcomers)
        ),
        cmd.StartGame(1),
    ]
    for command in (*opening, *A_HAND * WARM_UP_HANDS):
        table = step(table, command)
    for seat in range(SEATS + 1 - newcomers, SEATS + 1):
        table = step(table, cmd.TakeSeat(seat, f"player-{seat}", stack=STACK))
    assert table is not None
    return table


def seat_events(seats: int) -> Iterator[cmd.AnyCommand]:
    """Players who go, are dealt in by word, come back and rebuy: for ever, seat after seat."""
    for lap in cycle((0, 1)):
        for seat in range(1, seats + 1):
            yield cmd.SitOut(seat)
            yield cmd.DealMeIn(seat)
            yield cmd.SitIn(seat)
            yield cmd.SetStack(seat, STACK + 1 - lap)


def timed_events(
    table: Table, events: Iterator[cmd.AnyCommand], count: int
) -> tuple[Table, list[float]]:
    """So many seat events, each in µs, and the table after them."""
    taken = []
    clock = time.thread_time_ns
    for _ in range(count):
        command = next(events)
        started = clock()
        table = step(table, command)
        taken.append((clock() - started) / 1000)
    return table, taken


def measure(seconds: float, say: Progress) -> tuple[list[Figure], list[str]]:
    """The figures and notes of this bench, in about so many seconds."""
    figures = [
        _seat_event("seat event, no question open", 0, seconds / 4, SEAT_EVENT_LIMIT_US, say),
        _seat_event(
            f"seat event, {NEWCOMERS} questions open",
            NEWCOMERS,
            seconds / 4,
            QUESTIONS_LIMIT_US,
            say,
        ),
    ]
    hands, notes = _hands(seconds / 4, say)
    figures += hands
    figures += _views(seconds / 4, say)
    notes.insert(0, f"rules {RULES}, {SEATS} seats, commands decoded before; plan made after each")
    notes.insert(1, "CPU time of the thread, which equals the time taken on a core of its own")
    return figures, notes


def _seat_event(
    name: str, newcomers: int, seconds: float, limit_us: float, say: Progress
) -> Figure:
    table = running(newcomers)
    events = seat_events(SEATS - newcomers)
    taken: list[float] = []
    deadline = time.monotonic() + seconds
    while not taken or time.monotonic() < deadline:
        table, some = timed_events(table, events, BATCH)
        taken += some
        open_count = len(plan(table).questions)
        if open_count != newcomers:
            raise AssertionError(f"{open_count} questions are open, not {newcomers}")
        say(f"{name}: {len(taken)} timed")
    return alone(name, "µs", taken, at_most=limit_us)


def _hands(seconds: float, say: Progress) -> tuple[list[Figure], list[str]]:
    """Whole hands of ours, and the same hands set up in PokerKit, in turn."""
    table = running(0)
    try:
        from livebutton.bench.in_pokerkit import with_cards, with_posts
    except ModuleNotFoundError as missing:
        if missing.name != "pokerkit":
            raise
        _, ours = _our_hands(table, HANDS)
        return [alone("whole hand", "µs", ours)], [
            "PokerKit is not installed (pip install pokerkit): a whole hand has no baseline"
        ]
    ours, posts, cards = [], [], []
    deadline = time.monotonic() + seconds
    while not ours or time.monotonic() < deadline:
        before = table
        table, some = _our_hands(before, HANDS)
        ours.append(statistics.median(some))
        plans = _plans(before, HANDS)
        posts.append(statistics.median(_timed(with_posts, plans)))
        cards.append(statistics.median(_timed(with_cards, plans)))
        say(f"whole hand: {len(ours) * HANDS} timed on each side")
    how = "create_state of the same hand in PokerKit"
    return [
        beside(
            "whole hand (shuffle, deal, end_hand)",
            "µs",
            ours,
            cards,
            against=f"{how}, blinds posted and hole cards dealt, as far as the first to act",
            means="baseline / ours",
            at_least=HAND_AT_LEAST,
        ),
        beside(
            "the same, no card in PokerKit",
            "µs",
            ours,
            posts,
            against=f"{how}, blinds posted, no card dealt",
            means="baseline / ours",
        ),
    ], ["PokerKit deals cards and we do not, but without them it does not say who acts first"]


def _our_hands(table: Table, count: int) -> tuple[Table, list[float]]:
    """So many hands, each in µs, and the table after them."""
    taken = []
    clock = time.thread_time_ns
    for _ in range(count):
        started = clock()
        for command in A_HAND:
            table = step(table, command)
        taken.append((clock() - started) / 1000)
    return table, taken


def _plans(table: Table, count: int) -> list[HandPlan]:
    """The hands that `_our_hands` deals from that table on."""
    plans = []
    for _ in range(count):
        plans.append(plan(table))
        for command in A_HAND:
            table = step(table, command)
    return plans


def _timed(set_up: Callable[[HandPlan, int], object], plans: list[HandPlan]) -> list[float]:
    """How long PokerKit takes for each of these hands, in µs."""
    taken = []
    clock = time.thread_time_ns
    for hand in plans:
        started = clock()
        set_up(hand, STACK)
        taken.append((clock() - started) / 1000)
    return taken


def _views(seconds: float, say: Progress) -> list[Figure]:
    """What a server asks of a table after each commit, as information."""
    table = running(0)
    events = seat_events(SEATS)
    public: list[float] = []
    staff: list[float] = []
    commands: list[float] = []
    clock = time.thread_time_ns
    deadline = time.monotonic() + seconds
    while not public or time.monotonic() < deadline:
        for _ in range(HANDS):
            # Each is asked of a table of its own, planned as after a commit, not forecast yet.
            table = step(table, next(events))
            started = clock()
            views.view(table, "public")
            public.append((clock() - started) / 1000)
            table = step(table, next(events))
            started = clock()
            views.view(table, "staff")
            staff.append((clock() - started) / 1000)
            table = step(table, next(events))
            started = clock()
            allowed(table)
            commands.append((clock() - started) / 1000)
        say(f"views: {len(public)} timed")
    return [
        alone("view for the public", "µs", public),
        alone("view for staff", "µs", staff),
        alone("what is allowed", "µs", commands),
    ]
