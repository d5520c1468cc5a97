"""A cluster on the loopback that loses machines: processes are killed or frozen, connections are cut or go silent.

The connections of the client to the scheduler, and of the workers with it, go through relays. For the tests and for
try_hard.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cirulla_sim.storage.tables import read

PATIENCE = 120
"""Seconds that a process of the cluster may take to start."""

LIMIT = 180
"""Seconds in which a run must end after a fault, on a busy machine."""

SHORT = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "3s"}
"""The environment of a scheduler that gives up a silent worker soon."""

PROGRAM = [
    sys.executable,
    "-c",
    "from cirulla_sim.engine import cluster; cluster.EVERY, cluster.SILENCE, cluster.PATIENCE = 0.5, 5.0, 15\n"
    "from cirulla_sim.cli import main; main()",
]
"""The program with less patience."""


CAUSES = (
    "is lost", "has lost all workers", "were lost with several workers", "no scheduler answers there", "has no workers",
)  # fmt: skip
"""What a run says of a cluster that it has lost."""


class Relay:
    """Forwards connections to a port of the loopback, until it is silent or cut."""

    def __init__(self, port: int) -> None:
        self._target, self._silent = port, False
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._relayed, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def silence(self) -> None:
        """Forward nothing any more, and close nothing: new connections are accepted and not answered."""
        self._silent = True

    def cut(self) -> None:
        """Close all connections and refuse others."""
        self._call(self._cut())

    def close(self) -> None:
        """End the relay."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    async def _cut(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _relayed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: Any = asyncio.current_task()
        self._tasks.add(task)
        transports: list[asyncio.WriteTransport] = [writer.transport]
        try:
            there, here = await asyncio.open_connection("127.0.0.1", self._target)
            transports.append(here.transport)
            await asyncio.gather(self._forwarded(reader, here), self._forwarded(there, writer))
        except (OSError, asyncio.CancelledError):
            pass  # nobody listens there, or the relay is cut
        finally:
            self._tasks.discard(task)
            for transport in transports:
                transport.abort()

    async def _forwarded(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            if self._silent:
                await asyncio.Event().wait()
            writer.write(data)
            await writer.drain()
        writer.close()


@dataclass(frozen=True)
class Worker:
    """A worker's process, the relay of the scheduler's requests to it, and that of its own to the scheduler."""

    process: subprocess.Popen[bytes]
    inbound: Relay
    outbound: Relay

    @property
    def player(self) -> int:
        """The process that plays: the child of the nanny, or where there is none the process itself."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("utf-8").split()
        named = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        return next((child for child, words in named.items() if b"resource_tracker" not in words), self.process.pid)


@dataclass(frozen=True)
class Machines:
    """A scheduler, the relay of its client, and its workers."""

    scheduler: subprocess.Popen[bytes]
    client: Relay
    workers: tuple[Worker, ...]

    @property
    def address(self) -> str:
        """The scheduler's address for the client."""
        return f"tcp://127.0.0.1:{self.client.port}"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def machines(folder: Path, workers: int = 2, nanny: bool = False, **environment: str) -> Iterator[Machines]:
    """A scheduler with workers, each a process, that has them all."""
    processes: list[subprocess.Popen[bytes]] = []
    relays: list[Relay] = []

    def dask(*words: str) -> subprocess.Popen[bytes]:
        options: Any = {"cwd": folder, "env": os.environ | environment, "start_new_session": True}
        with (folder / f"{len(processes)}.log").open("wb") as log:
            command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, **options))
        return processes[-1]

    def relay(port: int) -> Relay:
        relays.append(Relay(port))
        return relays[-1]

    def worker(scheduler: int) -> Worker:
        port = _free_port()
        inbound, outbound = relay(port), relay(scheduler)
        kind = ["--nanny"] if nanny else ["--no-nanny"]
        process = dask(
            "worker", f"tcp://127.0.0.1:{outbound.port}", "--nthreads", "1", *kind, "--listen-address",
            f"tcp://127.0.0.1:{port}", "--contact-address", f"tcp://127.0.0.1:{inbound.port}",
        )  # fmt: skip
        return Worker(process, inbound, outbound)

    try:
        file = folder / "scheduler.json"
        scheduler = dask("scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file))
        port = int(_until(lambda: json.loads(file.read_text())["address"]).rpartition(":")[2])
        cluster = Machines(scheduler, relay(port), tuple(worker(port) for _ in range(workers)))
        from distributed import Client

        with Client(cluster.address, timeout=PATIENCE) as client:
            client.wait_for_workers(workers, timeout=PATIENCE)
        yield cluster
    finally:
        for process in processes:
            with suppress(OSError):  # with the children of a nanny
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for each in relays:
            each.close()


def _until(found: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError, KeyError):
            return found()
        time.sleep(0.02)
    raise TimeoutError


def _each(act: Callable[[Worker], None]) -> Callable[[Machines], None]:
    def acted(cluster: Machines) -> None:
        for worker in cluster.workers:
            act(worker)

    return acted


def _silent(worker: Worker) -> None:
    worker.inbound.silence()
    worker.outbound.silence()


def _cut(worker: Worker) -> None:
    worker.inbound.cut()
    worker.outbound.cut()


def _nanny_killed(worker: Worker) -> None:
    player = worker.player
    worker.process.kill()
    worker.process.wait()
    time.sleep(0.5)
    with suppress(OSError):  # it may have ended with its nanny
        os.kill(player, signal.SIGKILL)


FAULTS: Mapping[str, Callable[[Machines], None]] = {
    "a worker is killed": lambda cluster: cluster.workers[0].process.kill(),
    "a worker is frozen": lambda cluster: cluster.workers[0].process.send_signal(signal.SIGSTOP),
    "a nanny and its worker are killed": lambda cluster: _nanny_killed(cluster.workers[0]),
    "the network of a worker is silent": lambda cluster: _silent(cluster.workers[0]),
    "the network of a worker is cut": lambda cluster: _cut(cluster.workers[0]),
    "all workers are killed": _each(lambda worker: worker.process.kill()),
    "the network of all workers is silent": _each(_silent),
    "the network of all workers is cut": _each(_cut),
    "the scheduler is killed": lambda cluster: cluster.scheduler.kill(),
    "the scheduler is frozen": lambda cluster: cluster.scheduler.send_signal(signal.SIGSTOP),
    "the network of the client is silent": lambda cluster: cluster.client.silence(),
    "the network of the client is cut": lambda cluster: cluster.client.cut(),
}
"""What can happen to a cluster."""


def ended(run: subprocess.Popen[str]) -> tuple[int, str]:
    """How a run ends, in time, and what it says in the standard error."""
    try:
        errors = run.communicate(timeout=LIMIT)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        return run.wait(), f"does not end in {LIMIT} s"
    return run.returncode, errors.strip()


def outcome(folder: Path, command: str, fault: str, moment: float | None, resumed: str = "") -> tuple[str, str]:
    """What is wrong, if anything, when a fault comes in a run on a cluster, and what the run said.

    ``moment`` is in seconds after the start of the command, or None for that of the first checkpoint. A run that ends
    by the fault must say why in a line, and keep what was saved. It is then resumed with the options ``resumed``, on
    threads if there are none. The file must be that of an undisturbed run.
    """
    file, whole = folder / "file.parquet", folder / "whole.parquet"
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "cwd": folder}
    with machines(folder, nanny="nanny" in fault, **SHORT) as cluster:
        far = f"{command} --save-every 0.2 -o {file.name} --engine dask --scheduler {cluster.address}"
        run = subprocess.Popen([*PROGRAM, *far.split()], **quiet)
        since = time.monotonic()
        while run.poll() is None and not (file.exists() if moment is None else time.monotonic() - since > moment):
            time.sleep(0.02)
        before = _hands(file)
        FAULTS[fault](cluster)
        code, errors = ended(run)
    if code and (code not in (1, 2) or "\n" in errors or not any(cause in errors for cause in CAUSES)):
        return f"code {code}: {errors[-200:]}", errors
    if _hands(file) < before:
        return f"{before} hands were kept, and then {_hands(file)}", errors
    for path, options in ((file, resumed), (whole, "")):
        again = ended(subprocess.Popen([*PROGRAM, *f"{command} -o {path.name} {options}".split()], **quiet))
        if again[0]:
            return f"resumed: code {again[0]}: {again[1][-200:]}", errors
    return "" if file.read_bytes() == whole.read_bytes() else "other bytes when resumed", errors


def _hands(file: Path) -> int:
    """The hands or games that a file holds."""
    if not file.exists():
        return 0
    metadata = read(file)[1]
    return int(metadata.get("hands", metadata.get("games", 0)))
