"""The embedded Valkey and its data folder."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from livebutton.store.embedded import EmbeddedFailed, EmbeddedValkey, FolderInUse
from tests.servers import HANG_LIMIT_S, wait_until
from tests.store.waiting import until

pytestmark = pytest.mark.real

# Starts one in the folder, says so, and then waits to be killed.
OWNER = """
import sys, time
from pathlib import Path
from livebutton.store.embedded import EmbeddedValkey
valkey = EmbeddedValkey(Path(sys.argv[1]))
valkey.start()
print(valkey.pid, flush=True)
time.sleep(600)
"""


def ask(valkey: EmbeddedValkey, command: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(HANG_LIMIT_S)
        connection.connect(valkey.url.removeprefix("unix://"))
        connection.sendall(f"{command}\r\n".encode())
        return connection.recv(65_536).decode()


def answers(valkey: EmbeddedValkey) -> bool:
    try:
        return ask(valkey, "PING").startswith("+PONG")
    except OSError:
        return False


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and ") Z " in stat.read_text())


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Another process that runs a Valkey in `tmp_path / "data"`: the process, Valkey's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "data")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    yield process, pid
    process.kill()
    process.wait(HANG_LIMIT_S)
    process.stdout.close()
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_what_was_written_is_there_after_a_stop_and_a_start(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / "not" / "yet" / "there")
    valkey.start()
    assert ask(valkey, "SET button 3").startswith("+OK")
    assert "always" in ask(valkey, "CONFIG GET appendfsync")
    assert "noeviction" in ask(valkey, "CONFIG GET maxmemory-policy")
    valkey.stop()
    assert not valkey.is_running
    valkey.start()
    assert ask(valkey, "GET button") == "$1\r\n3\r\n"
    valkey.stop()


def test_it_listens_to_nobody_but_the_owner_of_the_folder(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / "data")
    valkey.start()
    assert ask(valkey, "CONFIG GET port").endswith("$1\r\n0\r\n")
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert (tmp_path / "data" / "valkey.sock").stat().st_mode & 0o077 == 0
    valkey.stop()


def test_a_folder_with_a_long_path_will_do(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / ("long" * 30))
    valkey.start()
    assert ask(valkey, "PING").startswith("+PONG")
    short = Path(valkey.url.removeprefix("unix://")).parent
    valkey.stop()
    assert not short.exists()


def test_a_second_server_on_the_folder_is_refused_with_the_folder_and_the_process(
    tmp_path: Path, owner: tuple[subprocess.Popen[str], int]
) -> None:
    second = EmbeddedValkey(tmp_path / "data")
    with pytest.raises(FolderInUse, match=f"process {owner[0].pid}.*{tmp_path}/data") as refusal:
        second.start()
    assert "\n" not in str(refusal.value)
    assert is_alive(owner[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_valkey_ends_when_its_server_is_killed(
    owner: tuple[subprocess.Popen[str], int],
) -> None:
    owner[0].kill()
    owner[0].wait(HANG_LIMIT_S)
    wait_until(lambda: not is_alive(owner[1]), "the Valkey of a killed server ends")


def test_a_start_right_after_the_server_was_killed_keeps_the_data(
    tmp_path: Path, owner: tuple[subprocess.Popen[str], int]
) -> None:
    valkey = EmbeddedValkey(tmp_path / "data")
    assert ask(valkey, "SET button 3").startswith("+OK")
    owner[0].kill()
    owner[0].wait(HANG_LIMIT_S)
    valkey.start()
    assert ask(valkey, "GET button") == "$1\r\n3\r\n"
    valkey.stop()


@pytest.mark.parametrize("frozen", [False, True])
def test_a_valkey_that_outlived_its_server_is_ended_first(
    tmp_path: Path, frozen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livebutton.store.embedded.STOP_LIMIT_S", 1.0)
    monkeypatch.setattr("livebutton.store.embedded.ANSWER_LIMIT_S", 0.2)
    left = EmbeddedValkey(tmp_path / "data")
    left.start()
    assert ask(left, "SET button 3").startswith("+OK")
    orphan = left.pid
    assert left._lock is not None
    left._lock.close()  # As if its server had died: the lock is free, the Valkey runs.
    if frozen:
        os.kill(orphan, signal.SIGSTOP)
    valkey = EmbeddedValkey(tmp_path / "data")
    valkey.start()
    assert valkey.pid != orphan
    assert ask(valkey, "GET button") == "$1\r\n3\r\n"
    valkey.stop()
    left.stop()


async def test_a_valkey_that_is_killed_is_started_again(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / "data")
    valkey.start()
    assert ask(valkey, "SET button 3").startswith("+OK")
    keeper = asyncio.create_task(valkey.keep_running())
    os.kill(valkey.pid, signal.SIGKILL)
    await until(lambda: valkey.restarts_count > 0 and answers(valkey), "it answers again")
    assert ask(valkey, "GET button") == "$1\r\n3\r\n"
    keeper.cancel()
    await asyncio.gather(keeper, return_exceptions=True)
    valkey.stop()


def test_a_valkey_that_cannot_start_says_why_and_lets_go_of_the_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "appendonlydir").mkdir(parents=True)
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(EmbeddedFailed, match="AOF"):
        EmbeddedValkey(data).start()
    (data / "appendonlydir" / "appendonly.aof.manifest").unlink()
    valkey = EmbeddedValkey(data)
    valkey.start()
    valkey.stop()
