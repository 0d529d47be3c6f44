"""The server as a process: it says when it is ready, keeps what it accepted, and stops in order."""

import json
import os
import re
import signal
import socket
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.app.processes import HANG_LIMIT_S, ServerProcess, Talk, run
from tests.servers import ValkeyProcess, wait_until

pytestmark = [pytest.mark.real, pytest.mark.slow]

Start = Callable[..., ServerProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server on a folder of this test, `data` unless another is named."""
    started: list[ServerProcess] = []

    def begin(*arguments: str, folder: str = "data") -> ServerProcess:
        server = ServerProcess(tmp_path / folder, *arguments)
        started.append(server)
        return server.start()

    yield begin
    for server in started:
        server.clear_away()


def get(server: ServerProcess, path: str) -> Any:
    with urllib.request.urlopen(server.url + path, timeout=HANG_LIMIT_S) as answer:  # noqa: S310
        return json.load(answer)


def closed_with(talk: Talk) -> int:
    try:
        while True:
            talk.connection.recv(HANG_LIMIT_S)
    except websockets.ConnectionClosed:
        pass
    assert talk.connection.close_code is not None
    return talk.connection.close_code


def test_it_says_one_line_when_it_is_ready_and_answers_there(start: Start) -> None:
    server = start()
    assert re.fullmatch(r"livebutton ready on http://127\.0\.0\.1:\d+\n", server.lines[0])
    assert get(server, "/health/live") == {"status": "alive"}
    assert get(server, "/health/ready") == {"status": "ready"}
    assert server.stop() == 0
    assert len(server.lines) == 1


def test_a_stop_sends_screens_away_with_1012_and_a_start_goes_on_from_there(start: Start) -> None:
    server = start()
    floor = server.client(server.token())
    assert floor.open_table("t7")["offset"] == 1
    assert floor.command("t7", "c-1", type="take_seat", seat=4, player="dan")["offset"] == 2
    before = floor.snapshot("t7")
    assert server.process is not None
    server.process.send_signal(signal.SIGINT)
    assert floor.hear("drain")["reconnect_in_ms"] >= 0
    assert closed_with(floor) == 1012
    assert server.stop() == 0
    server.start()
    floor = server.client(server.token())
    assert floor.snapshot("t7") == before
    floor.say(type="verdict", id="c-1", table="t7")
    assert floor.hear("accepted")["offset"] == 2


def test_killed_in_the_middle_of_traffic_it_loses_nothing_accepted_and_repeats_nothing(
    start: Start,
) -> None:
    server = start()
    token = server.token()
    floor = server.client(token)
    floor.open_table("t7")
    accepted: dict[str, int] = {}
    sent: list[tuple[str, dict[str, Any]]] = []
    for number in range(200):
        seat = number % 9 + 1
        kind = "take_seat" if number // 9 % 2 == 0 else "leave"
        command: dict[str, Any] = {"type": kind, "seat": seat}
        if kind == "take_seat":
            command["player"] = f"p{number}"
        sent.append((f"c-{number}", command))
        floor.say(type="command", id=f"c-{number}", table="t7", command=command)
        if number == 120:
            server.signal(signal.SIGKILL)
            break
        if number % 10 == 9:
            verdict = floor.hear("accepted")
            accepted[verdict["id"]] = verdict["offset"]
    try:
        while True:
            verdict = json.loads(floor.connection.recv(HANG_LIMIT_S))
            if verdict["type"] == "accepted":
                accepted[verdict["id"]] = verdict["offset"]
    except websockets.ConnectionClosed:
        pass
    assert len(accepted) >= 12
    server.start()
    floor = server.client(token)
    offsets = {}
    for command_id, command in sent:
        verdict = floor.command("t7", command_id, **command)
        assert verdict["type"] == "accepted", verdict
        offsets[command_id] = verdict["offset"]
    assert {each: offsets[each] for each in accepted} == accepted
    assert sorted(offsets.values()) == list(range(2, len(sent) + 2))
    assert floor.snapshot("t7")["offset"] == len(sent) + 1


def test_a_second_server_on_the_same_folder_is_refused_with_a_clear_line(
    start: Start, tmp_path: Path
) -> None:
    start()
    second = run("serve", "--port", "0", "--data", str(tmp_path / "data"))
    assert second.returncode == 1
    assert "is using the data folder" in second.stderr
    assert "Traceback" not in second.stderr


def test_an_address_that_is_taken_is_refused_with_a_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = run("serve", "--port", port, "--data", str(tmp_path))
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [("--redis", "redis://127.0.0.1:1"), ("--redis", "http://x"), ("--workers", "0")],
)
def test_settings_that_cannot_be_end_with_a_line_and_no_traceback(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    refused = run("serve", "--port", "0", "--data", str(tmp_path), *arguments)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith("livebutton: ")
    assert "Traceback" not in refused.stderr


def test_two_servers_over_one_valkey_show_the_same_table(
    start: Start, valkey: ValkeyProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEBUTTON_SECRET", "a secret that both of them share")
    one = start("--redis", valkey.url, folder="one")
    two = start("--redis", valkey.url, folder="two")
    first, second = one.client(one.token()), two.client(one.token("display"))
    assert first.open_table("t7")["type"] == "accepted"
    assert second.snapshot("t7")["offset"] == 1
    first.command("t7", "c-1", type="take_seat", seat=4, player="dan")
    delta = second.hear("delta")
    assert (delta["offset"], delta["patch"]["seats"]["4"]["player"]) == (2, "dan")


def test_several_workers_share_a_port_and_a_table_and_one_that_dies_is_replaced(
    start: Start,
) -> None:
    server = start("--workers", "2")
    token = server.token()
    first = server.client(token)
    first.open_table("t7")
    others = [server.client(token) for _ in range(8)]
    for other in others:
        other.snapshot("t7")
    first.command("t7", "c-1", type="take_seat", seat=4, player="dan")
    for other in others:
        assert other.hear("delta")["offset"] == 2
    url = f"{server.url}/metrics"
    for _ in range(4):
        with urllib.request.urlopen(url, timeout=HANG_LIMIT_S) as answer:  # noqa: S310
            assert b'livebutton_commands_total{verdict="accepted"} 2.0' in answer.read()
    assert server.process is not None
    workers = _children(server.process.pid, "spawn_main")
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    wait_until(
        lambda: (
            workers[0] not in (now := _children(server.process.pid, "spawn_main"))  # type: ignore[union-attr]
            and len(now) == 2
        ),
        "another worker has come",
    )
    assert server.client(token).snapshot("t7")["offset"] == 2
    assert server.stop() == 0
    assert not any(_is_alive(worker) for worker in workers)


def _children(parent: int, named: str) -> list[int]:
    """The processes that a process started, whose command line has a word."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes().decode()
            except OSError:
                continue
            if int(stat[1]) == parent and named in command:
                found.append(int(folder.name))
    return sorted(found)


def _is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_logs_are_json_lines_with_their_ids_when_asked(start: Start) -> None:
    server = start("--log", "json", "--log-level", "info")
    server.stop()
    lines = [json.loads(line) for line in server.log]
    assert any(line["message"] == "stopping" and line["level"] == "info" for line in lines)
    assert all({"at", "level", "logger", "message"} <= set(line) for line in lines)
