"""A command's way to its one verdict, whatever becomes of the sessions it is sent on."""

import pytest

from livebutton_client import StreamPosition
from livebutton_client.effects import Settled, Told
from livebutton_client.errors import NoVerdict, Overloaded, Refused
from livebutton_client.ledger import MAX_OPEN
from livebutton_client.messages import Accepted
from tests.clients.line import AHEAD_MS, Line, live_line, of_type, sent


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def live() -> Line:
    return live_line()


def test_a_command_before_the_welcome_is_sent_after_it_with_the_servers_time(line: Line) -> None:
    assert line.give(deadline_s=10) == []
    line.now_ms += 4_000
    (said,) = sent(line.open())
    assert said["type"] == "command"
    assert said["deadline_ms"] == line.now_ms + AHEAD_MS + 6_000


def test_after_a_loss_the_verdict_is_asked_for_before_anything_is_sent_again(live: Line) -> None:
    (first,) = sent(live.give())
    live.lose()
    questions = [said for said in sent(live.open()) if said["type"] != "subscribe"]
    assert questions == [{"type": "verdict", "id": "c1", "table": "t1"}]
    unknown = {"type": "unknown", "id": "c1", "table": "t1"}
    assert sent(live.hear(unknown)) == [first]


def test_a_verdict_that_was_given_meanwhile_settles_it(live: Line) -> None:
    live.give()
    live.lose()
    live.open()
    accepted = {"type": "accepted", "id": "c1", "table": "t1", "epoch": "e1", "offset": 6}
    verdict = Accepted("c1", "t1", StreamPosition("e1", 6))
    assert live.hear(accepted) == [Settled("c1", verdict)]
    assert live.hear(accepted) == [Told("c1", verdict)]


def test_a_command_unheard_of_after_its_deadline_is_not_sent_again_but_late(live: Line) -> None:
    live.give(deadline_s=1)
    live.lose()
    live.now_ms += 1_500
    live.open()
    unknown = {"type": "unknown", "id": "c1", "table": "t1"}
    # It may be under way on a server that judged it in time.
    assert sent(live.hear(unknown)) == []
    assert {"type": "verdict", "id": "c1", "table": "t1"} in sent(live.pass_time(2))
    live.now_ms += 500
    (settled,) = of_type(live.hear(unknown), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "late"


def test_a_command_never_sent_is_late_at_its_deadline(line: Line) -> None:
    line.give(deadline_s=1)
    (settled,) = of_type(line.pass_time(1.25), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "late"


def test_a_command_that_nobody_can_tell_of_ends_without_a_verdict(live: Line) -> None:
    live.give(deadline_s=1)
    live.lose()
    assert of_type(live.pass_time(5.5), Settled) == []
    (settled,) = of_type(live.pass_time(1), Settled)
    assert isinstance(settled.verdict, NoVerdict)


def test_a_slow_verdict_is_asked_for_on_the_same_session(live: Line) -> None:
    live.give()
    live.now_ms += 4_000
    live.hear_heartbeat(t1=["e1", 5])
    assert {"type": "verdict", "id": "c1", "table": "t1"} in sent(live.pass_time(1.25))


def test_an_error_about_a_command_settles_it_unless_it_may_pass(live: Line) -> None:
    live.give("c1")
    live.give("c2")
    error = {"type": "error", "code": "unavailable", "message": "", "retry": True, "table": "t1"}
    assert live.hear(error | {"id": "c1"}) == []
    final = error | {"code": "bad_fields", "retry": False, "id": "c2"}
    (settled,) = of_type(live.hear(final), Settled)
    assert isinstance(settled.verdict, Refused)
    assert settled.verdict.reason == "bad_fields"


def test_too_many_open_commands_are_refused_here(live: Line) -> None:
    for number in range(MAX_OPEN):
        live.give(f"c{number}")
    with pytest.raises(Overloaded):
        live.give("one more")
