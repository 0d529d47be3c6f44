"""One server process: the store, the tables, the doors, put together and taken apart in order."""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from livebutton.gateway.auth import Signer, load_secret
from livebutton.gateway.gateway import Bounds, Gateway
from livebutton.gateway.http import application
from livebutton.gateway.listener import listener
from livebutton.house_lint import load_house
from livebutton.metrics import Metrics
from livebutton.settings import Settings, listed
from livebutton.store.archive import Archive, Archived, archive_all
from livebutton.store.contract import StoreError
from livebutton.store.pipe import Durability
from livebutton.store.redis_store import RedisStore
from livebutton.tables.clock import Clock, SystemClock
from livebutton.tables.registry import Registry

log = logging.getLogger(__name__)

READY_CHECK_S = 0.02
PARENT_CHECK_S = 1.0
ARCHIVE_EVERY_S = 600.0
# Ctrl-C reaches a worker from the terminal and again from its supervisor.
PATIENT_SIGNALS = 2


class CannotListen(Exception):
    """The address cannot be had."""


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to the address, not listening yet. Raises CannotListen."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise CannotListen(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return bound


def address(host: str, bound: socket.socket) -> str:
    """Where the server is reached, as `http://HOST:PORT`."""
    port = bound.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def gateway_for(settings: Settings, registry: Registry, clock: Clock, secret: bytes) -> Gateway:
    """The doors that these settings ask for."""
    return Gateway(
        registry,
        Signer(secret, lambda: clock.now_ms() / 1000),
        clock,
        origins=frozenset(listed(settings.origins)),
        house=house_of(settings),
        archive=archive_of(settings),
        bounds=Bounds(
            max_sockets=settings.max_sockets,
            max_message_bytes=settings.max_message_bytes,
            max_backlog_bytes=settings.max_backlog_bytes,
            slow_limit_s=settings.slow_s,
            heartbeat_s=settings.heartbeat_s,
        ),
    )


def store_folder(settings: Settings) -> Path:
    """Where a Valkey of our own keeps its tables."""
    return settings.data / "valkey"


def archive_of(settings: Settings) -> Archive:
    """Where commits go that are older than the stream keeps."""
    return Archive(settings.data / "archive")


def secret_of(settings: Settings) -> bytes:
    """The secret that signs tokens. ValueError when there is none to trust."""
    return load_secret(settings.data, settings.secret)


def house_of(settings: Settings) -> tuple[str, dict[str, Any]] | None:
    """The preset and the overrides of tables opened without. Raises HouseFileWrong."""
    return load_house(settings.house) if settings.house is not None else None


async def run(
    settings: Settings,
    store_url: str,
    bound: socket.socket,
    on_ready: Callable[[], None],
    parent: int | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then drain. Raises StoreError when the store is not there.

    With `parent`, a process id, it also ends when that is no longer its parent.
    """
    clock = SystemClock()
    durability = Durability(settings.durability, settings.replicas)
    store = RedisStore(store_url, durability=durability)
    registry = Registry(store, clock=clock, heartbeat_s=settings.heartbeat_s)
    gateway = gateway_for(settings, registry, clock, secret_of(settings))
    _watch_disk(gateway.metrics, settings.data)
    app = application(gateway, listed(settings.embedders))
    server = listener(gateway, app)
    await registry.start()
    try:
        await gateway.start()
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        stop = stop_signal()
        await _until_ready(gateway, serving, stop, lambda: server.started)
        if not serving.done() and not stop.is_set():
            on_ready()
        archiving = asyncio.create_task(_archive(settings, store, clock, gateway.metrics))
        await _first(serving, stop, parent)
        archiving.cancel()
        await asyncio.gather(archiving, return_exceptions=True)
        if not serving.done():
            await gateway.drain(settings.drain_s)
        server.should_exit = True
        await serving
    finally:
        await gateway.stop()
        await registry.stop()


def _watch_disk(metrics: Metrics, folder: Path) -> None:
    """The room on the disk of the data folder: the archive's, and that of a Valkey of our own."""
    # With another's store and secret the folder is made by the first commit that is archived.
    whole = folder.resolve()
    there = next(each for each in (whole, *whole.parents) if each.exists())
    metrics.watch(
        "livebutton_data_free_bytes",
        "Free bytes where the data folder lies",
        lambda: shutil.disk_usage(there).free,
        "livemin",
    )
    metrics.watch(
        "livebutton_data_size_bytes",
        "Size of the file system where the data folder lies",
        lambda: shutil.disk_usage(there).total,
        "livemin",
    )


async def _archive(settings: Settings, store: RedisStore, clock: Clock, metrics: Metrics) -> None:
    """Move old commits to the archive, now and then, whichever process gets to it."""
    keep_ms = settings.keep_events // timedelta(milliseconds=1)
    while True:
        try:
            before_ms = clock.now_ms() - keep_ms
            done = await archive_all(store, archive_of(settings), store.sender, before_ms)
        except StoreError as error:
            metrics.archive_failures.inc()
            log.warning("old commits could not be archived: %s", error)
        except Exception:
            metrics.archive_failures.inc()
            log.exception("old commits could not be archived")
        else:
            _note(metrics, done, clock.now_ms())
        await clock.sleep(ARCHIVE_EVERY_S)


def _note(metrics: Metrics, done: Archived, now_ms: int) -> None:
    """What came of one round of archiving, in the metrics and the log."""
    metrics.archived.inc(done.moved_count)
    metrics.archive_failures.inc(done.failed_count)
    if done.is_ours and not done.failed_count:
        metrics.archive_whole.set(now_ms / 1000)
    if done.moved_count:
        log.info("archived %d commits", done.moved_count)


def stop_signal() -> asyncio.Event:
    """Set at the first SIGTERM or SIGINT. A third one ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    count = 0

    def on_signal() -> None:
        nonlocal count
        count += 1
        if count > PATIENT_SIGNALS:
            os._exit(130)
        log.info("stopping")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    return stop


async def _until_ready(
    gateway: Gateway,
    serving: asyncio.Task[None],
    stop: asyncio.Event,
    has_started: Callable[[], bool],
) -> None:
    while not (has_started() and gateway.ready()[0]):
        if serving.done() or stop.is_set():
            return
        await asyncio.sleep(READY_CHECK_S)


async def _first(serving: asyncio.Task[None], stop: asyncio.Event, parent: int | None) -> None:
    """Return when told to stop, when the server ended, or when our parent process is gone."""
    stopping = asyncio.create_task(stop.wait())
    try:
        while not (stopping.done() or serving.done()):
            await asyncio.wait(
                {serving, stopping},
                timeout=PARENT_CHECK_S,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if parent is not None and os.getppid() != parent:
                log.warning("the process that started this one is gone")
                return
    finally:
        stopping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await stopping
