"""Fixtures that every suite may ask for."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import servers
from tests.servers import DURABLE, LOOPBACK, ValkeyProcess

# Servers are started again and again: compiling all of their modules each time would take longer
# than the tests themselves.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell's background job ignores Ctrl-C, and so would every program that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more of the machine than of the code.
settings.register_profile("livebutton", deadline=None, print_blob=True)
settings.load_profile("livebutton")

StartValkey = Callable[..., ValkeyProcess]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests see the defaults, whatever the person who runs them has set."""
    for name in [name for name in os.environ if name.startswith("LIVEBUTTON_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def free_port() -> int:
    """A loopback port that nobody listens on."""
    return servers.free_port()


@pytest.fixture
def start_valkey(tmp_path: Path) -> Iterator[StartValkey]:
    """Start real Valkey servers: `start_valkey("--replicaof", …)`, durable unless told otherwise.

    Each call gives a running ValkeyProcess of its own; all are killed when the test ends.
    """
    started: list[ValkeyProcess] = []

    def start(*arguments: str, durable: bool = True) -> ValkeyProcess:
        folder = tmp_path / f"valkey-{len(started) + 1}"
        options = DURABLE if durable else ("--appendonly", "no", "--save", "")
        valkey = ValkeyProcess(folder, *arguments, *LOOPBACK, *options)
        started.append(valkey)
        valkey.start()
        return valkey

    yield start
    for valkey in started:
        valkey.kill()


@pytest.fixture
def valkey(start_valkey: StartValkey) -> ValkeyProcess:
    """A real, durable, empty Valkey for this test alone (about 50 ms)."""
    return start_valkey()


@pytest.fixture(scope="session")
def _valkey_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyProcess]:
    valkey = ValkeyProcess(tmp_path_factory.mktemp("valkey"), *LOOPBACK, *DURABLE)
    valkey.start()
    yield valkey
    valkey.kill()


@pytest.fixture
def shared_valkey(_valkey_of_the_session: ValkeyProcess) -> ValkeyProcess:
    """One durable Valkey for the whole run, emptied before each test: do not stop or freeze it."""
    assert servers.ask(_valkey_of_the_session.port, "FLUSHALL").startswith("+OK")
    return _valkey_of_the_session


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Debian's Chromium, for Playwright's `executable_path`."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("no chromium on PATH: `apt-get install chromium`, or name it in CHROMIUM")
    return path
