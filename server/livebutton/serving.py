"""`livebutton serve`: a store of our own or another's, one process or several on one port."""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import msgspec
from prometheus_client.multiprocess import mark_process_dead

from livebutton import app, logs, tracing
from livebutton.house_lint import HouseFileWrong
from livebutton.metrics import SHARED_FOLDER
from livebutton.settings import Settings
from livebutton.store.contract import StoreError
from livebutton.store.embedded import EmbeddedFailed, EmbeddedValkey, FolderInUse

log = logging.getLogger(__name__)

CHECK_S = 0.1
BACKLOG = 4096
RESTART_PAUSE_S = 1.0
# After the drain's own limit.
STOP_GRACE_S = 15.0


class CannotServe(Exception):
    """The server could not start; the text says why, for the person who started it."""


def serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve until told to stop. `on_ready` gets the address once. Raises CannotServe."""
    try:
        app.secret_of(settings)
        app.house_of(settings)
        if settings.tracing:
            tracing.begin()
        bound = app.bind(settings.host, settings.port)
    except ImportError:
        raise CannotServe("tracing needs OpenTelemetry: pip install 'livebutton[otel]'") from None
    except HouseFileWrong as wrong:
        mistakes = "; ".join(wrong.mistakes)
        raise CannotServe(f"{settings.house}: {mistakes}") from None
    except (ValueError, OSError, app.CannotListen) as error:
        raise CannotServe(str(error)) from None
    where = app.address(settings.host, bound)
    embedded = None if settings.redis else EmbeddedValkey(app.store_folder(settings))
    try:
        if embedded is not None:
            embedded.start()
        url = settings.redis or (embedded.url if embedded else "")
        if settings.workers == 1:
            work = _one(settings, url, bound, lambda: on_ready(where), embedded)
        else:
            work = _several(settings, url, bound, lambda: on_ready(where), embedded)
        asyncio.run(work)
    except (FolderInUse, EmbeddedFailed) as error:
        raise CannotServe(str(error)) from None
    except (StoreError, ValueError) as error:
        raise CannotServe(f"the store cannot be used: {error}") from None
    finally:
        bound.close()
        if embedded is not None:
            embedded.stop()


@contextlib.asynccontextmanager
async def _kept_running(embedded: EmbeddedValkey | None) -> AsyncIterator[None]:
    """While this lasts, an embedded Valkey that dies is started again."""
    if embedded is None:
        yield
        return
    keeping = asyncio.create_task(embedded.keep_running())
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _one(
    settings: Settings,
    url: str,
    bound: socket.socket,
    on_ready: Callable[[], None],
    embedded: EmbeddedValkey | None,
) -> None:
    async with _kept_running(embedded):
        await app.run(settings, url, bound, on_ready)


class _Worker(msgspec.Struct):
    process: SpawnProcess
    said: Connection
    is_ready: bool = False


def _work(settings: Settings, url: str, bound: socket.socket, said: Connection) -> None:
    """One of several processes."""
    logs.begin(settings.log, settings.log_level)
    if settings.tracing:
        tracing.begin()
    try:
        asyncio.run(app.run(settings, url, bound, lambda: said.send("ready"), parent=os.getppid()))
    except StoreError as error:
        log.error("the store cannot be used: %s", error)


async def _several(
    settings: Settings,
    url: str,
    bound: socket.socket,
    on_ready: Callable[[], None],
    embedded: EmbeddedValkey | None,
) -> None:
    """Watch over several processes that take connections from one listening socket."""
    bound.listen(BACKLOG)
    workers: list[_Worker] = []
    stop = app.stop_signal()
    has_told = False

    def begin() -> None:
        spawn = multiprocessing.get_context("spawn")
        hear, say = spawn.Pipe(duplex=False)
        process = spawn.Process(target=_work, args=(settings, url, bound, say))
        process.start()
        say.close()
        workers.append(_Worker(process, hear))

    async with _kept_running(embedded):
        try:
            os.environ[SHARED_FOLDER] = tempfile.mkdtemp(prefix="livebutton-metrics-")
            for _ in range(settings.workers):
                begin()
            while not stop.is_set():
                await asyncio.sleep(CHECK_S)
                for worker in workers:
                    worker.is_ready = worker.is_ready or _has_said(worker)
                if not has_told and all(worker.is_ready for worker in workers):
                    has_told = True
                    on_ready()
                gone = [worker for worker in workers if not worker.process.is_alive()]
                for worker in gone:
                    if not has_told:
                        raise CannotServe("a worker did not start; see its log above")
                    log.error("worker %s ended; starting another", worker.process.pid)
                    workers.remove(worker)
                    mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]
                    await asyncio.sleep(RESTART_PAUSE_S)
                    begin()
        finally:
            await _end(workers, settings.drain_s + STOP_GRACE_S)
            shutil.rmtree(os.environ.pop(SHARED_FOLDER), ignore_errors=True)


def _has_said(worker: _Worker) -> bool:
    try:
        return worker.said.poll() and worker.said.recv() == "ready"
    except (EOFError, OSError):
        return False


async def _end(workers: list[_Worker], limit_s: float) -> None:
    """Let every worker drain; kill what is left after the limit."""
    for worker in workers:
        if worker.process.pid is not None and worker.process.is_alive():
            os.kill(worker.process.pid, signal.SIGTERM)
    try:
        async with asyncio.timeout(limit_s):
            while any(worker.process.is_alive() for worker in workers):  # noqa: ASYNC110
                await asyncio.sleep(CHECK_S)
    except TimeoutError:
        for worker in workers:
            worker.process.kill()
    for worker in workers:
        worker.process.join()
        worker.said.close()
