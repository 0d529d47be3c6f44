"""The bench of the commit path, tiny, on a real Valkey."""

import pytest

from livebutton.bench import commands
from livebutton.bench.commands import OneCallEach, Room
from livebutton.store.redis_store import RedisStore
from livebutton.tables.clock import SteppedClock
from livebutton.tables.registry import Registry
from tests.servers import ValkeyProcess
from tests.store.drafts import NOW_MS

pytestmark = pytest.mark.real


async def test_both_sides_commit_the_same_and_one_calls_redis_py_for_each(
    shared_valkey: ValkeyProcess,
) -> None:
    one_call = OneCallEach(shared_valkey.url)
    ended = []
    for store in (RedisStore(shared_valkey.url), one_call):
        registry = Registry(store, clock=SteppedClock(NOW_MS))
        await registry.start()
        try:
            room = Room(store.sender, registry, 2)
            await room.open()
            assert await room.drive(1e-6) > 0
            at = await registry.current(f"{store.sender}-0")
            assert at is not None
            ended.append((at.position.offset, at.table.seats, at.table.play))
            assert room.committed_count == 2 * (len(commands.opening()) + 1)
        finally:
            await registry.stop()
    assert ended[0] == ended[1]
    # Its canaries and listings go the same way.
    assert one_call.calls_count >= room.committed_count


@pytest.mark.slow
def test_the_report_has_both_sides_in_the_same_rounds() -> None:
    said: list[str] = []
    figures, notes = commands.measure(1e-6, said.append, in_flight=4)
    committed, cpu = figures
    for figure in figures:
        assert figure.ours > 0
        assert figure.baseline is not None
    assert committed.ratio == pytest.approx(committed.ours / (committed.baseline or 0))
    assert cpu.ratio == pytest.approx((cpu.baseline or 0) / cpu.ours)
    assert notes[0].startswith("4 in flight")
    assert said[0] == "starting a Valkey"
