"""What a scrape shows: every no is counted, and what is counted elsewhere is counted once."""

import re
import shutil
from pathlib import Path

from livebutton.app import _note, _watch_disk
from livebutton.metrics import Metrics
from livebutton.store.archive import Archived
from livebutton.store.contract import StoreDeaf
from tests.gateway.callers import Caller
from tests.gateway.doors import served, until


def value(metrics: Metrics, sample: str) -> float:
    """The value of one sample, as a scrape shows it; 0 when it shows none."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", metrics.text().decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_a_command_that_a_role_may_not_give_is_counted_by_its_refusal() -> None:
    async with served() as server:
        metrics = server.gateway.metrics
        await server.open_table()
        client = await server.client(role="display")
        refused = await client.command("t7", {"type": "shuffle"})
        assert refused["reason"] == "forbidden"
        assert value(metrics, 'livebutton_commands_total{verdict="forbidden"}') == 1


async def test_an_error_that_leaves_the_socket_open_is_counted_by_its_code() -> None:
    async with served() as server:
        client = await server.client(role="display", tables=("t8",))
        await client.say(type="subscribe", table="t7")
        assert (await client.hear("error"))["code"] == "forbidden"
        assert value(server.gateway.metrics, 'livebutton_errors_total{code="forbidden"}') == 1


async def test_answers_over_http_are_counted_by_their_status(caller: Caller) -> None:
    await caller.ask("GET", "/v1/tables")
    for _ in range(2):
        await caller.ask("GET", "/v1/tables", role=None)
    metrics = caller.server.gateway.metrics
    assert value(metrics, 'livebutton_http_answers_total{status="200"}') == 1
    assert value(metrics, 'livebutton_http_answers_total{status="401"}') == 2


async def test_a_canary_that_does_not_come_back_is_counted(caller: Caller) -> None:
    server = caller.server
    lost = "livebutton_canaries_lost_total"
    assert value(server.gateway.metrics, lost) == 0

    async def deaf() -> float:
        raise StoreDeaf("nothing came back")

    server.gateway.registry.store.probe = deaf  # type: ignore[method-assign]
    await until(lambda: value(server.gateway.metrics, lost) >= 1, "a lost canary is counted")


def test_a_count_that_is_kept_elsewhere_is_counted_once_however_often_it_is_read() -> None:
    metrics = Metrics()
    kept = [0.0]
    metrics.count("livebutton_kept", "Kept elsewhere", lambda: kept[0])
    for now in (2.0, 2.0, 5.0):
        kept[0] = now
        metrics.sample()
        assert value(metrics, "livebutton_kept_total") == now


def test_only_a_whole_round_of_ones_own_says_that_everything_old_is_archived() -> None:
    metrics = Metrics()
    whole = "livebutton_archive_whole_timestamp_seconds"
    for round_ in (Archived(is_ours=False), Archived(moved_count=2, failed_count=1)):
        _note(metrics, round_, 5_000)
        assert value(metrics, whole) == 0
    _note(metrics, Archived(moved_count=3), 7_000)
    assert value(metrics, whole) == 7
    assert value(metrics, "livebutton_archived_total") == 5
    assert value(metrics, "livebutton_archive_failures_total") == 1


def test_the_disk_is_told_of_before_the_data_folder_is_made(tmp_path: Path) -> None:
    metrics = Metrics()
    _watch_disk(metrics, tmp_path / "not" / "yet")
    size = value(metrics, "livebutton_data_size_bytes")
    assert size == shutil.disk_usage(tmp_path).total
    assert 0 <= value(metrics, "livebutton_data_free_bytes") <= size


def test_a_process_tells_its_version_its_memory_and_its_time() -> None:
    metrics = Metrics()
    assert re.search(
        r'^livebutton_build_info\{version="[^"]+"\} 1.0$', metrics.text().decode(), re.M
    )
    assert value(metrics, "livebutton_processes") == 1
    assert value(metrics, "livebutton_cpu_seconds_total") > 0
