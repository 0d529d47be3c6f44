"""The Procfile, started by honcho as its first line says."""

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.servers import HANG_LIMIT_S, ask, free_port, wait_until

pytestmark = [pytest.mark.real, pytest.mark.slow]

ROOT = Path(__file__).parents[2]


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def test_honcho_starts_a_valkey_and_a_server_on_it_and_ends_both(tmp_path: Path) -> None:
    valkey_port, server_port = free_port(), free_port()
    text = (ROOT / "Procfile").read_text()
    for old, new in {
        "data/": f"{tmp_path}/",
        "6390": str(valkey_port),
        "8080": str(server_port),
    }.items():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "Procfile").write_text(text)
    log = tmp_path / "honcho.log"
    command = [Path(sys.prefix) / "bin/honcho", "-f", tmp_path / "Procfile", "-d", ROOT, "start"]
    with log.open("wb") as out:
        honcho = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        line = f"livebutton ready on http://127.0.0.1:{server_port}"
        wait_until(
            lambda: (
                (is_ready(server_port) and line in log.read_text()) or honcho.poll() is not None
            ),
            "the server is ready and says so",
        )
        assert honcho.poll() is None, log.read_text()
        # It is ready once it can commit, so its Valkey is up.
        assert ask(valkey_port, "PING").startswith("+PONG")
    finally:
        honcho.send_signal(signal.SIGTERM)
        honcho.wait(HANG_LIMIT_S)
    assert ask(valkey_port, "PING") == ""
    assert not is_ready(server_port)
