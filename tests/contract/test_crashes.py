"""Power cuts, drains and rivals: what was accepted is there, once, whatever dies."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.contract.doors import HANG_LIMIT_S, Message, ServerProcess, Socket
from tests.servers import ValkeyProcess, wait_until

pytestmark = pytest.mark.real


def children(server: ServerProcess, word: str) -> list[int]:
    """The process ids of what the server started with this word in its command line."""
    table = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True)
    rows = [row.split(None, 2) for row in table.stdout.splitlines()]
    return [
        int(pid) for pid, parent, args in rows if int(parent) == server.process.pid if word in args
    ]


def valkey_of(server: ServerProcess) -> int:
    """The process id of the server's own Valkey."""
    (own,) = children(server, "valkey-server")
    return own


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


class Patient:
    """A client that joins a table's list and leaves it again and again, until it is told to stop.

    Where its socket dies it comes back, and asks again with the same command id.
    """

    def __init__(self, server: ServerProcess, table: str, name: str) -> None:
        self.accepted: dict[str, int] = {}
        self.losses_count = 0
        self._server, self._table, self._name = server, table, name
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped = True
        self._thread.join(2 * HANG_LIMIT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        while not self._is_stopped:
            try:
                with self._server.socket() as socket:
                    self._talk(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
                self.losses_count += 1

    def _talk(self, socket: Socket) -> None:
        while not self._is_stopped:
            # Now on the list, now off it: it has an end.
            count = len(self.accepted)
            name, kind = f"{self._name}-{count}", "leave_list" if count % 2 else "join_list"
            verdict = socket.ask(self._table, name, type=kind, player=self._name)
            if verdict["type"] == "refused":
                assert verdict["retry"], verdict
            else:
                self.accepted[name] = verdict["offset"]


def test_a_worker_killed_in_traffic_loses_no_accepted_command_and_no_change(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data", "--workers", "2") as server:
        table = server.open_table(0)
        server.token("floor")
        clients = [Patient(server, table, f"r{number}") for number in range(6)]
        try:
            wait_until(lambda: all(len(each.accepted) > 10 for each in clients), "traffic")
            workers = children(server, "spawn_main")
            assert len(workers) == 2
            os.kill(workers[0], signal.SIGKILL)
            before = [len(each.accepted) for each in clients]
            wait_until(
                lambda: all(
                    len(each.accepted) > count + 10
                    for each, count in zip(clients, before, strict=True)
                ),
                "the traffic of all goes on",
            )
        finally:
            for each in clients:
                each.stop()
        wait_until(lambda: len(children(server, "spawn_main")) == 2, "another worker has come")
        stored = entries(server, table)
        kept = {entry["command_id"]: entry["offset"] for entry in stored}
        assert [entry["offset"] for entry in stored] == list(range(1, len(stored) + 1))
        assert len(kept) == len(stored)
        for each in clients:
            assert each.accepted.items() <= kept.items()
        # Whichever worker they come to, each is told the same from the beginning on.
        for _ in range(4):
            with server.socket() as watcher:
                since = [watcher.subscribe(table)["epoch"], len(stored) - 5]
                watcher.send(type="unsubscribe", table=table)
                watcher.send(type="subscribe", table=table, since=since)
                told = [watcher.take("delta")["offset"] for _ in range(5)]
                assert told == list(range(len(stored) - 4, len(stored) + 1))
                assert watcher.take("live")["recovered"] is True


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
        with ExitStack() as closing:
            sockets = [closing.enter_context(server.socket()) for _ in range(40)]
            window_ms = sockets[-1].welcome["reconnect_window_ms"]
            *_, at = [socket.subscribe(table) for socket in sockets]
            server.process.send_signal(signal.SIGTERM)
            paces = [socket.take("drain")["reconnect_in_ms"] for socket in sockets]
            # Each is told another moment within the window: they do not all come at once.
            assert all(0 <= pace <= window_ms for pace in paces)
            assert len(set(paces)) > 10
            assert {socket.close_code() for socket in sockets} == {1012}
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
