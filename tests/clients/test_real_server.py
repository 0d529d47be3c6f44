"""The SDK against the real server, which is stopped, killed and started again under it."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from livebutton_client import Accepted, Connection, FollowedTable, NoVerdict, Refused
from livebutton_client.codec import CodecName
from tests import servers

LIVEBUTTON = str(Path(sys.executable).with_name("livebutton"))
# A start takes seconds of both cores where several suites run at once.
HANG_LIMIT_S = 240.0

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(300)]


class Server:
    """`livebutton serve` on a port and data folder that stay the same."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.port = servers.free_port()
        self.url = f"ws://127.0.0.1:{self.port}/v1/ws"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and return when it says that it is ready."""
        command = [LIVEBUTTON, "serve", "--port", str(self.port), "--data", str(self.data)]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, process_group=0
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("livebutton ready on"), self._log.read_text()[-2000:]

    def kill(self) -> None:
        """As a crash would: no goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As a deploy would."""
        self._end(signal.SIGTERM)

    def token(self, role: str) -> str:
        command = [LIVEBUTTON, "token", "--role", role, "--data", str(self.data)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        self._process.wait(HANG_LIMIT_S)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


async def open_table(connection: Connection, table: str = "t1") -> FollowedTable:
    opening = {"type": "open_table", "name": "One", "seats": 9, "rules": "caro-cooke"}
    await connection.command(table, opening | {"stakes": {"small": 5, "big": 10}})
    return await connection.subscribe(table)


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_a_hand_is_dealt_and_every_change_is_seen(server: Server, codec: CodecName) -> None:
    token = server.token("floor")
    async with (
        asyncio.timeout(HANG_LIMIT_S),
        Connection(server.url, token=token, codec=codec) as room,
        Connection(server.url, token=server.token("display")) as display,
    ):
        table = await open_table(room)
        seen = await display.subscribe("t1")
        for seat in (1, 4, 7):
            await table.command({"type": "take_seat", "seat": seat, "player": f"p{seat}"})
        await table.command({"type": "start_game", "button": 4})
        await table.command({"type": "shuffle"})
        dealt = await table.command({"type": "deal"})
        with pytest.raises(Refused) as refused:
            await table.command({"type": "deal"})
        assert refused.value.reason == "wrong_phase"
        view = await seen.reach(dealt.position)
        assert view["plan"]["button"] == 4
        assert view["phase"] == "in_hand"
        assert "allowed" not in view
        assert "allowed" in table.view
        offsets = [(await anext(seen)).position.offset for _ in range(7)]
        assert offsets == [1, 2, 3, 4, 5, 6, 7]
        assert await room.verdict("t1", dealt.id) == dealt
        assert await room.verdict("t1", "never given") is None


async def test_a_server_killed_in_the_middle_of_traffic_loses_no_command_and_repeats_none(
    server: Server,
) -> None:
    token = server.token("floor")
    async with asyncio.timeout(HANG_LIMIT_S), Connection(server.url, token=token) as room:
        table = await open_table(room)
        accepted: list[Accepted] = []
        unknown: list[str] = []

        async def rename(number: int) -> None:
            # Each command is a commit of its own: a repeated one would be one offset too many.
            wish = {"type": "join_list", "player": f"p{number}"}
            try:
                accepted.append(await table.command(wish, deadline_s=120, command_id=f"c{number}"))
            except NoVerdict as lost:
                unknown.append(lost.id)

        for crash in range(2):
            under_way = [asyncio.create_task(rename(crash * 40 + each)) for each in range(40)]
            await asyncio.sleep(0.005 * crash)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await asyncio.gather(*under_way)
        assert unknown == []
        offsets = sorted(each.position.offset for each in accepted)
        assert offsets == list(range(2, 82))
        assert len({each.position.epoch for each in accepted}) == 1
        last = max(accepted, key=lambda each: each.position.offset)
        view = await table.reach(last.position)
        assert sorted(view["waiting"]) == sorted(f"p{number}" for number in range(80))
        assert table.position == last.position


async def test_a_server_that_is_restarted_is_fresh_again_without_help(server: Server) -> None:
    token = server.token("floor")
    async with asyncio.timeout(HANG_LIMIT_S), Connection(server.url, token=token) as room:
        table = await open_table(room)
        before = table.position
        await asyncio.to_thread(server.stop)
        assert table.freshness == "stale"
        await asyncio.to_thread(server.start)
        while table.freshness != "fresh":  # noqa: ASYNC110 - freshness is time's, and has no event
            await asyncio.sleep(0.02)
        assert table.position == before
        await table.command({"type": "take_seat", "seat": 1, "player": "ann"})


async def test_watch_shows_a_table_in_the_terminal_as_it_changes(server: Server) -> None:
    token = server.token("floor")
    async with asyncio.timeout(HANG_LIMIT_S), Connection(server.url, token=token) as room:
        table = await open_table(room)
        where = f"http://127.0.0.1:{server.port}"
        watching = await asyncio.create_subprocess_exec(
            *(LIVEBUTTON, "watch", "t1", "--url", where, "--token", token),
            stdout=asyncio.subprocess.PIPE,
        )
        assert watching.stdout is not None
        try:
            await watching.stdout.readuntil(b"1   -")
            await table.command({"type": "take_seat", "seat": 1, "player": "ann", "name": "Ann"})
            await watching.stdout.readuntil(b"1   Ann")
        finally:
            watching.send_signal(signal.SIGINT)
            await watching.communicate()
        assert watching.returncode == 0
