"""The real servers that the other suites stand on."""

import pytest

from tests.conftest import StartValkey
from tests.servers import ValkeyProcess, ask, wait_until

pytestmark = pytest.mark.real


def test_what_a_durable_valkey_acknowledged_is_there_after_a_kill(valkey: ValkeyProcess) -> None:
    assert ask(valkey.port, "SET seat ann").startswith("+OK")
    valkey.kill()
    assert ask(valkey.port, "GET seat") == ""
    valkey.start()
    assert ask(valkey.port, "GET seat") == "$3\r\nann\r\n"


def test_each_valkey_of_a_test_has_its_own_port_and_folder(start_valkey: StartValkey) -> None:
    one, two = start_valkey(), start_valkey()
    assert one.port != two.port
    assert ask(one.port, "SET seat ann").startswith("+OK")
    assert ask(two.port, "GET seat") == "$-1\r\n"


def test_a_frozen_valkey_answers_nobody_until_it_thaws(valkey: ValkeyProcess) -> None:
    valkey.freeze()
    assert ask(valkey.port, "PING", timeout_s=0.2) == ""
    valkey.thaw()
    wait_until(lambda: ask(valkey.port, "PING").startswith("+PONG"), "it answers again")


@pytest.mark.parametrize("seat", ["ann", "bob"])
def test_the_shared_valkey_is_empty_for_every_test(shared_valkey: ValkeyProcess, seat: str) -> None:
    assert ask(shared_valkey.port, "DBSIZE") == ":0\r\n"
    assert ask(shared_valkey.port, f"SET seat {seat}").startswith("+OK")


def test_a_valkey_that_cannot_start_says_why(start_valkey: StartValkey) -> None:
    with pytest.raises(RuntimeError, match="no-such-option"):
        start_valkey("--no-such-option", "1")
