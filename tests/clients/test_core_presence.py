"""A screen that the floor watches says that it is there."""

from livebutton_client.core import Core
from tests.clients.line import Line, sent


def pings_in_six_seconds(presence_s: float | None) -> int:
    line = Line()
    line.core = Core(client="test/1", draw=lambda: 0.5, presence_s=presence_s)
    line.open()
    said = []
    for _ in range(3):
        said += sent(line.pass_time(2))
        line.hear_heartbeat()
    return said.count({"type": "ping"})


def test_a_screen_says_that_it_is_there_as_often_as_it_was_told() -> None:
    assert pings_in_six_seconds(2.0) == 3


def test_a_program_that_nobody_watches_is_quiet_while_it_hears_the_server() -> None:
    assert pings_in_six_seconds(None) == 0
