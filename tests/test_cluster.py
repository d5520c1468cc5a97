"""Machines of a cluster that are lost: nothing is counted twice, and what is done can be resumed."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import signal
import threading
import time
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from test_experiment import GREEDY
from test_pages import of_name

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import cluster
from cirulla_sim.engine.engines import Engine, carry_out

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.mark.skipif(multiprocessing.current_process().daemon, reason="workers cannot have workers")
@pytest.mark.filterwarnings("default")
def test_chunks_of_a_killed_worker_are_played_again_and_counted_once() -> None:
    whole, sizes = carry_out(GREEDY).tally, []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as machines:

        def on_growth(state: Any) -> None:
            if not sizes:
                os.kill(next(iter(machines.workers.values())).pid, signal.SIGKILL)
            sizes.append(state.done)

        run = carry_out(GREEDY, Engine(f"dask@{machines.scheduler_address}", chunk=500), on_growth=on_growth)
    assert sizes == [*range(500, GREEDY.hands, 500), GREEDY.hands]
    assert (run.tally == whole).all()


@pytest.fixture
def lost_machines(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return of_name("lost_machines", monkeypatch, "scripts")


@pytest.mark.parametrize(
    ("fault", "hands", "cause"),
    [
        ("a nanny and its worker are killed", "400k", ""),
        ("the network of a worker is silent", "400k", ""),
        ("the network of all workers is cut", "4M", "has lost all workers"),
        ("the network of the client is silent", "4M", "is lost"),
        ("the scheduler is killed", "4M", "is lost"),
    ],
)
def test_a_run_goes_on_or_ends_in_one_line_and_can_be_resumed(
    fault: str, hands: str, cause: str, lost_machines: ModuleType, tmp_path: Path
) -> None:
    command = f"simulate --policy random --players 2 --hands {hands}"
    wrong, errors = lost_machines.outcome(tmp_path, command, fault, None)
    assert wrong == ""
    if cause:
        assert re.fullmatch(f"cirulla-sim: scheduler 'tcp://[^']*' {cause} {re.escape(cluster.RESUMABLE)}", errors)
    else:
        assert errors.endswith("Written: file.parquet")


@pytest.mark.filterwarnings("default")
def test_the_start_ends_if_nothing_answers_and_hears_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    never, checked = threading.Event(), threading.Event()
    monkeypatch.setattr(cluster, "SILENCE", 0.3)
    here = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "protocol": "tcp", "dashboard_address": None}
    with distributed.LocalCluster(**here) as machines:
        address = machines.scheduler_address
        with monkeypatch.context() as silent:
            silent.setattr(cluster, "_survey", lambda client: never.wait())
            with pytest.raises(OSError, match="is lost"), cluster.cluster(address, None, None):
                pass
            with pytest.raises(KeyboardInterrupt), cluster.cluster(address, None, None, lambda: True):
                pass
            never.set()
        monkeypatch.setattr(cluster, "_check", lambda *_: checked.set())
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt), cluster.cluster(address, None, partial(time.sleep, 9), checked.is_set):
            pass
        assert time.monotonic() - began < 9


def test_a_silent_scheduler_and_one_without_workers_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    now, answers = 0.0, []

    def ask(coroutine: Any, loop: Any) -> Any:
        answers.append(Future())  # type: ignore[var-annotated]
        return answers[-1]

    monkeypatch.setattr(cluster, "monotonic", lambda: now)
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", ask)
    client = SimpleNamespace(
        status="running", loop=SimpleNamespace(asyncio_loop=None),
        scheduler=SimpleNamespace(ncores=lambda: None), get_executor=lambda pure: None,
    )  # fmt: skip
    workers = cluster.Workers(client, "the cluster")
    for found in ({"a worker": 1}, {"a worker": 1}, {}, {}, {}):  # seconds 20 to 100, staffed until 40
        answers[-1].set_result(found)
        now += 20
        workers.check()
    answers[-1].set_result({})
    now += 20
    with pytest.raises(OSError, match="the cluster has lost all workers"):
        workers.check()
    workers = cluster.Workers(client, "the cluster")
    now += cluster.SILENCE
    workers.check()
    now += 1
    with pytest.raises(CancelledError):
        workers.check()


def test_encryption_that_dask_requires_is_required_here() -> None:
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(InputError, match=r"--scheduler 'tcp://127\.0\.0\.1:1': .*encryption required"),
    ):
        carry_out(GREEDY, Engine("dask@tcp://127.0.0.1:1"))
