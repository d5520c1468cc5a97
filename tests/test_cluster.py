"""Machines of a cluster that are lost: nothing is counted twice, and what is done can be resumed."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from concurrent.futures import CancelledError, Future
from types import SimpleNamespace
from typing import Any

import pytest
from playing import play_trials
from test_experiment import GREEDY

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import cluster
from cirulla_sim.engine.engines import Engine

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.skipif(multiprocessing.current_process().daemon, reason="workers cannot have workers")
@pytest.mark.filterwarnings("default")
def test_chunks_of_a_killed_worker_are_played_again_and_counted_once() -> None:
    whole, sizes = play_trials(GREEDY).tally, []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as machines:

        def on_growth(state: Any) -> None:
            if not sizes:
                os.kill(next(iter(machines.workers.values())).pid, signal.SIGKILL)
            sizes.append(state.done)

        run = play_trials(GREEDY, Engine(f"dask@{machines.scheduler_address}", chunk=500), on_growth=on_growth)
    assert sizes == [*range(500, GREEDY.hands, 500), GREEDY.hands]
    assert (run.tally == whole).all()


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
        play_trials(GREEDY, Engine("dask@tcp://127.0.0.1:1"))
