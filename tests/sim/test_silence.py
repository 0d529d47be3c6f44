"""How long a server puts up with silence, in virtual time."""

import asyncio
import itertools
import json
import random

from websockets.client import ClientProtocol
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from livebutton.store.memory_store import MemoryShelves
from tests.sim import virtual_time
from tests.sim.line import Line
from tests.sim.process import Process
from tests.sim.truth import Truth
from tests.sim.virtual_time import LoopClock
from tests.sim.weather import Weather

PING = 0x89


class Mute:
    """A websocket that has said hello, and then only what it is made to say."""

    def __init__(self, process: Process) -> None:
        self.frames: list[int] = []
        self.is_lost = False
        self.line = Line(random.Random(0), Weather(), self._heard, self._lost)
        assert process.accept(self.line)
        self._protocol = ClientProtocol(
            parse_uri("ws://simulated/v1/ws"), subprotocols=[Subprotocol("livebutton.v1.json")]
        )
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def say(self, text: str) -> None:
        self._protocol.send_text(text.encode())
        self._flush()

    def _heard(self, data: bytes) -> None:
        self.frames.append(data[0])
        if data[0] != PING:
            self._protocol.receive_data(data)

    def _lost(self) -> None:
        self.is_lost = True

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self.line.up(data)


async def silence() -> None:
    truth, weather = Truth(), Weather()
    process = Process(
        "red",
        MemoryShelves(LoopClock().now_ms),
        random.Random(0),
        weather,
        truth,
        itertools.count(),
    )
    await process.start()
    token, _ = process.signer.mint("display", ttl_s=900, room="north")
    talks, mute = Mute(process), Mute(process)
    await asyncio.sleep(1)
    for client in (talks, mute):
        client.say(json.dumps({"type": "hello", "token": token, "client": "test/1"}))
    for _ in range(20):
        await asyncio.sleep(10)
        talks.say('{"type":"ping"}')
    assert PING not in talks.frames
    assert not talks.is_lost
    assert mute.frames.count(PING) == 1
    assert mute.is_lost
    await process.crash()


def test_whoever_says_anything_is_not_pinged_and_whoever_is_silent_is_let_go() -> None:
    virtual_time.run(silence())
