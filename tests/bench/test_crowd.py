"""The clients that make the load, against the two baselines."""

import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection

import pytest

from livebutton.bench import sides
from livebutton.bench.crowd import Client, Crowd, Lost, TooFewFiles, make_room
from livebutton.bench.sides import Side

pytestmark = [pytest.mark.slow, pytest.mark.real]

# The three ways to write a length, on both sides of where they change.
PAYLOADS = [b"x" * length for length in (1, 125, 126, 65_535, 65_536)]
CLIENTS = 3


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    """What a test opens, closed at its end."""
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("work", [sides.bare, sides.websockets_broadcast])
def test_every_client_hears_what_a_baseline_is_told_to_send(
    work: Callable[[Connection], None], closing: ExitStack
) -> None:
    side = Side(work)
    closing.callback(side.stop)
    side.start()
    heard: list[list[bytes]] = [[] for _ in range(CLIENTS)]

    def hear(client: Client, payload: bytes) -> None:
        heard[client.number].append(payload)

    crowd = Crowd(side.port, hear)
    closing.callback(crowd.close)
    crowd.join([[]] * CLIENTS, sides.WATCH)
    driver = Crowd(side.port, lambda _client, _payload: None)
    closing.callback(driver.close)
    driver.join([[]], sides.DRIVE)
    crowd.pump_open()
    driver.pump_open()
    side.tell(PAYLOADS)
    for count in range(1, len(PAYLOADS) + 1):
        driver.say(driver.clients[0], b"next")
        crowd.pump(lambda due=count: all(len(each) == due for each in heard), "it")  # type: ignore[misc]
    assert heard == [PAYLOADS] * CLIENTS
    assert crowd.messages_count == CLIENTS * len(PAYLOADS)
    assert side.cpu_s() > 0


def test_a_server_that_is_gone_is_told_of_and_does_not_hang(closing: ExitStack) -> None:
    side = Side(sides.bare)
    side.start()
    crowd = Crowd(side.port, lambda _client, _payload: None)
    closing.callback(crowd.close)
    crowd.join([[]], sides.WATCH)
    crowd.pump_open()
    side.stop()
    with pytest.raises(Lost, match="socket"):
        crowd.pump(lambda: False, "nothing")


def test_more_sockets_than_a_process_may_have_are_refused_with_the_number() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        make_room(10)
        return
    with pytest.raises(TooFewFiles, match=f"{hard} are allowed"):
        make_room(hard + 1)
