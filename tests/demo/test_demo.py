"""The whole demo as a person has it: started, looked at, stopped with Ctrl-C, started again."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from livebutton.demo import room
from livebutton_client import Connection
from tests.servers import free_port

LIVEBUTTON = str(Path(sys.executable).with_name("livebutton"))
HANG_LIMIT_S = 240.0
ADDRESS = re.compile(r"^(Room screen|Dealer terminal|Table display|Seat display) +(\S+)$", re.M)

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(600)]


class Demo:
    """One run of the demo, from its start to Ctrl-C."""

    def __init__(self, port: int, data: Path, log: Path) -> None:
        with log.open("a") as errors:
            self._process = subprocess.Popen(
                [LIVEBUTTON, "demo", "--port", str(port), "--data", str(data), "--speed", "400"],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                process_group=0,
            )
        assert self._process.stdout is not None
        self.printed = ""
        while "Ctrl-C" not in self.printed:
            line = self._process.stdout.readline()
            if not line:
                self.end()
                raise AssertionError(log.read_text()[-3000:])
            self.printed += line

    def interrupt(self) -> int:
        """Ctrl-C, and the exit status."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(HANG_LIMIT_S)

    def end(self) -> None:
        """Whatever state it is in."""
        self._process.kill()
        self._process.wait(HANG_LIMIT_S)
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def demos(tmp_path: Path) -> Iterator[list[Demo]]:
    """Demos that are to be ended."""
    started: list[Demo] = []
    yield started
    for demo in started:
        demo.end()


async def hands_dealt(printed: str, at_least: dict[str, int]) -> dict[str, int]:
    """Each table's hand number, once it is at least so high everywhere."""
    address = dict(ADDRESS.findall(printed))["Room screen"]
    where, _, token = address.partition("#token=")
    url = where.replace("http", "ws", 1).partition("/room/")[0] + "/v1/ws"
    async with asyncio.timeout(HANG_LIMIT_S), Connection(url, token=token) as connection:
        hands: dict[str, int] = {}
        for table in room.tables():
            followed = await connection.subscribe(table.id, timeout_s=HANG_LIMIT_S)
            while followed.view["hand"] < at_least[table.id]:
                await anext(followed)
            hands[table.id] = followed.view["hand"]
        return hands


async def test_twelve_tables_play_and_go_on_after_a_stop(tmp_path: Path, demos: list[Demo]) -> None:
    port, data, log = free_port(), tmp_path / "data", tmp_path / "log"
    demos.append(await asyncio.to_thread(Demo, port, data, log))
    first = await hands_dealt(demos[0].printed, {table.id: 2 for table in room.tables()})
    assert len(first) == 12
    assert await asyncio.to_thread(demos[0].interrupt) == 0
    assert "Traceback" not in log.read_text()

    demos.append(await asyncio.to_thread(Demo, port, data, log))
    further = {table: hand + 1 for table, hand in first.items()}
    second = await hands_dealt(demos[1].printed, further)
    assert all(second[table] > first[table] for table in first)
    assert await asyncio.to_thread(demos[1].interrupt) == 0
    assert "Traceback" not in log.read_text()


async def test_the_addresses_carry_tokens_in_the_fragment_alone(
    tmp_path: Path, demos: list[Demo]
) -> None:
    demos.append(await asyncio.to_thread(Demo, free_port(), tmp_path / "data", tmp_path / "log"))
    found = dict(ADDRESS.findall(demos[0].printed))
    assert len(found) == 4
    for address in found.values():
        sent, _, fragment = address.partition("#")
        assert "token" not in sent
        assert fragment.startswith("token=ey")
    assert "/seat/?table=t7&seat=3#" in found["Seat display"]
