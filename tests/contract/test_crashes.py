"""Power cuts, drains and rivals: what was accepted is there, once, whatever dies."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.doors import HANG_LIMIT_S, Message, ServerProcess, Socket
from tests.servers import ValkeyProcess, wait_until

pytestmark = pytest.mark.real


def valkey_of(server: ServerProcess) -> int:
    """The process id of the server's own Valkey."""
    table = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True)
    rows = [row.split(None, 2) for row in table.stdout.splitlines()]
    own = [
        int(pid)
        for pid, parent, args in rows
        if int(parent) == server.process.pid
        if "valkey-server" in args
    ]
    assert len(own) == 1, own
    return own[0]


def entries(server: ServerProcess, table: str) -> list[Message]:
    """Every stored commit of the table, oldest first."""
    found: list[Message] = []
    with server.http() as http:
        while page := http.get(f"/v1/tables/{table}/events", params={"after": len(found)}).json()[
            "entries"
        ]:
            found += page
    return found


def traffic(server: ServerProcess, table: str, sent: list[str], accepted: dict[str, int]) -> None:
    """Join the table's waiting list, one player after another, until the socket dies."""
    socket = server.socket()
    try:
        while True:
            sent.append(name := f"{table}-{len(sent)}")
            command = {"type": "join_list", "player": name}
            socket.send(type="command", id=name, table=table, command=command)
            accepted[name] = socket.verdict_of(name)["offset"]
    except Exception:  # noqa: BLE001
        # It is killed under our feet: whatever the socket says of it.
        socket.close()


def test_a_kill_in_traffic_loses_no_accepted_command_and_repeats_none(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        tables = [server.open_table(0), server.open_table(0)]
        sent: dict[str, list[str]] = {table: [] for table in tables}
        accepted: dict[str, dict[str, int]] = {table: {} for table in tables}
        threads = [
            threading.Thread(target=traffic, args=(server, table, sent[table], accepted[table]))
            for table in tables
        ]
        for thread in threads:
            thread.start()
        wait_until(lambda: all(len(some) > 20 for some in accepted.values()), "traffic")
        server.kill()
        for thread in threads:
            thread.join(2 * HANG_LIMIT_S)
    with ServerProcess(tmp_path / "data") as server, server.socket() as socket:
        for table in tables:
            kept = {entry["command_id"]: entry["offset"] for entry in entries(server, table)}
            assert sorted(kept.values()) == list(range(1, len(kept) + 1))
            assert accepted[table].items() <= kept.items()
            for name in sent[table][-3:]:
                verdict = socket.ask(table, name, type="join_list", player=name)
                assert verdict["offset"] == kept.get(name, verdict["offset"])
            ids = [entry["command_id"] for entry in entries(server, table)]
            assert len(ids) == len(set(ids))
            assert set(sent[table]) <= set(ids)


def test_a_dead_valkey_of_its_own_is_started_again_and_loses_nothing(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server, server.http() as http:
        table = server.open_table(3)
        with server.socket() as watcher:
            offset = watcher.subscribe(table)["offset"]
            os.kill(valkey_of(server), signal.SIGKILL)
            key = {"Idempotency-Key": "start"}
            command = {"type": "start_game", "button": 1}

            def is_accepted() -> bool:
                url = f"/v1/tables/{table}/commands"
                return http.post(url, json=command, headers=key).status_code == 200

            wait_until(is_accepted, "the command is accepted")
            assert watcher.until("delta")["offset"] == offset + 1
            wait_until(lambda: http.get("/health/ready").status_code == 200, "ready again")


def test_a_stopping_server_drains_and_goes_on_from_the_same_state(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        table = server.open_table(2)
        with server.socket() as socket:
            at = socket.subscribe(table)
            server.process.send_signal(signal.SIGTERM)
            assert "reconnect_in_ms" in socket.take("drain")
            assert socket.close_code() == 1012
        assert server.process.wait(HANG_LIMIT_S) == 0
    with ServerProcess(tmp_path / "data") as server, server.socket() as socket:
        again = socket.subscribe(table)
        assert (again["epoch"], again["offset"]) == (at["epoch"], at["offset"])
        assert again["view"] == at["view"]


def rivals(sockets: list[Socket], watchers: list[Socket], table: str) -> None:
    """Both ends command one table at once; each watcher sees each offset once."""
    for number in range(15):
        for rival, socket in enumerate(sockets):
            command = {"type": "join_list", "player": f"r{rival}-{number}"}
            name = f"{rival}-{number}"
            socket.send(type="command", id=name, table=table, command=command)
    for number in range(15):
        for rival, socket in enumerate(sockets):
            assert socket.verdict_of(f"{rival}-{number}")["type"] == "accepted"
    total = 15 * len(sockets)
    for watcher in watchers:
        seen = [watcher.take("delta")["offset"] for _ in range(total)]
        assert seen == list(range(2, total + 2))


def test_two_servers_on_one_valkey_serve_the_halves_of_one_table(
    tmp_path: Path, start_valkey: Callable[..., ValkeyProcess]
) -> None:
    valkey = start_valkey()
    with (
        ServerProcess(tmp_path / "a", "--redis", f"{valkey.url}/0") as one,
        ServerProcess(tmp_path / "b", "--redis", f"{valkey.url}/0") as other,
    ):
        table = one.open_table(0)
        watchers = [one.socket(), other.socket(codec="msgpack")]
        for watcher in watchers:
            watcher.subscribe(table)
        sockets = [one.socket(codec="msgpack"), other.socket()]
        rivals(sockets, watchers, table)
        same = [socket.ask(table, "same", type="join_list", player="x") for socket in sockets]
        assert same[0] == same[1]
        views = [watcher.subscribe for watcher in sockets]
        assert views[0](table)["view"] == views[1](table)["view"]
        for socket in (*watchers, *sockets):
            socket.close()


def test_workers_share_the_port_and_tell_each_other(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", "--workers", "2") as server:
        table = server.open_table(0)
        watchers = [server.socket() for _ in range(6)]
        for watcher in watchers:
            watcher.subscribe(table)
        sockets = [server.socket() for _ in range(3)]
        rivals(sockets, watchers, table)
        for socket in (*watchers, *sockets):
            socket.close()
        assert server.stop() == 0
