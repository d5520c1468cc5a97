"""Runs: the same numbers for any threads, chunks, engines and lost machines, resumed or not, and as in the records."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import play_trials

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import cluster
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.engines import FIRST, Engine, Even, Folded, chunks, executor, run_in_order
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import runner
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import SCHEMA
from cirulla_sim.verbs.functions import simulate

GREEDY = Experiment(build(), ("greedy",), 30_000, 51)
ARGUMENTS: dict[str, Any] = {"policy": "greedy", "hands": 30_000, "seed": 51, "progress": False}


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 5000), st.integers(0, 3000), st.integers(1, 700), st.lists(st.integers(0, 9000)).map(sorted))
def test_chunks_cover_every_hand_once_and_end_where_a_run_may_stop(
    first: int, number: int, size: int, ends: list[int]
) -> None:
    parts = list(chunks(first, first + number, Even(size), ends))
    hands = [hand for start, length in parts for hand in range(start, start + length)]
    assert hands == list(range(first, first + number))
    assert not any(start < end < start + length for start, length in parts for end in ends)


@pytest.mark.slow
@pytest.mark.skipif(multiprocessing.current_process().daemon, reason="workers cannot have workers")
@pytest.mark.filterwarnings("default")
def test_the_cluster_agrees_with_threads_and_requires_one_build(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    whole, rows = play_chunk(GREEDY, 0, GREEDY.hands, rows=True)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as machines:
        engine, rows_of = Engine(f"dask@{machines.scheduler_address}"), []
        monkeypatch.setattr("cirulla_sim.engine.engines.WITH_ROWS", GREEDY.chunk // 100)  # several chunks a message
        assert (play_trials(GREEDY, engine, keep=rows_of.append).tally == whole).all()
        assert (np.concatenate(rows_of) == rows).all()
        with monkeypatch.context() as many:  # as many workers as make a tree of two levels worth while
            many.setattr(cluster, "FAN", 2)
            many.setattr(cluster, "lot_of", lambda cores: 5)
            states: list[Folded[Any]] = []
            assert (play_trials(GREEDY, engine, on_growth=states.append).tally == whole).all()
            assert states[0].done == 5 * FIRST
        monkeypatch.setattr(cluster, "build_text", lambda: "0.0.9 (another)")
        with pytest.raises(InputError, match=r"has .*, here is 0.0.9 \(another\) \(install the same\)"):
            play_trials(GREEDY, engine)


def test_files_are_the_same_bytes_for_any_threads_and_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for engine, threads, chunk in (("threads", 1, 5000), ("threads", 2, 1234), ("serial", None, 64)):
        monkeypatch.setattr(runner, "Engine", partial(Engine, chunk=chunk))
        out, rows = tmp_path / f"{chunk}.parquet", tmp_path / f"{chunk}-rows.parquet"
        simulate(**ARGUMENTS, engine=engine, threads=threads, output=out, records=rows)
        files.append((out.read_bytes(), rows.read_bytes()))
    assert files[0] == files[1] == files[2]
    part, resumed = tmp_path / "part.parquet", tmp_path / "resumed.parquet"
    simulate(**ARGUMENTS | {"hands": 11_111}, output=part)
    simulate(**ARGUMENTS, output=resumed, resume=part)
    assert resumed.read_bytes() == files[0][0]


def test_a_run_closed_early_waits_for_the_parts_under_way() -> None:
    """Compiled code that still runs while the program ends would crash it."""
    ended = []

    def slow(number: int) -> int:
        time.sleep(0.05 * number)
        ended.append(number)
        return number

    with executor("threads", 2) as (pool, _):
        results = run_in_order([partial(slow, number) for number in (0, 4, 4, 4)], pool, 2)
        assert next(results) == 0
        results.close()
        under_way = ended.count(4)
    assert under_way in (1, 2)
    time.sleep(0.3)
    assert ended.count(4) == under_way


@pytest.mark.parametrize(
    ("preset", "players"), [("cirulla", 3), ("cirulla-tournament", 4), ("cirullone", 4), ("scopa", 4)]
)
def test_the_table_agrees_with_the_records(preset: str, players: int, tmp_path: Path) -> None:
    """Every mean and proportion of the tally, computed again from the records of the hands."""
    rules, hands = build(preset, players=players), 4000
    arguments: dict[str, Any] = {"policy": "greedy", "hands": hands, "seed": 53, "controls": False, "progress": False}
    frame = simulate(preset, players=players, **arguments, records=tmp_path / "rows.parquet").frame
    assert dict(frame.schema) == SCHEMA
    rows = pl.read_parquet(tmp_path / "rows.parquet")
    assert rows["hand"].to_list() == list(range(hands))
    dealer, others = rules.dealer_side, [side for side in range(rules.sides) if side != rules.dealer_side]

    def column(side: int, name: str) -> np.ndarray:
        return rows[f"side{side}_{name}"].to_numpy().astype(float)

    def find_row(quantity: str, per: str, side: str, kind: str, value: float | None = None) -> dict[str, float]:
        match = pl.col("value").is_null() if value is None else pl.col("value") == f"{value:g}"
        return frame.filter(match, quantity=quantity, per=per, side=side, kind=kind).row(0, named=True)

    def agrees(row: dict[str, float], numbers: np.ndarray) -> bool:
        expected = numbers.mean(), numbers.std(ddof=1) / len(numbers) ** 0.5
        return (row["estimate"], row["std_error"]) == pytest.approx(expected)

    for side, of in (("dealer", [dealer]), ("others", others)):
        columns = {"points": "total", "points_primiera": "primiera", "sweeps": "scope", "captures": "captures"}
        for quantity, name in columns.items():
            numbers = np.mean([column(seat, name) for seat in of], axis=0)
            assert agrees(find_row(quantity, "hand", side, "mean"), numbers), quantity
        won, tied = (np.mean([column(seat, f"primiera_{end}") for seat in of], axis=0) for end in ("won", "tied"))
        for outcome, numbers in {"won": won, "tied": tied, "lost": 1 - won - tied}.items():
            assert agrees(find_row(f"primiera_{outcome}", "side", side, "share"), numbers), outcome
        won = np.mean([column(seat, "wins") for seat in of], axis=0)
        assert agrees(find_row("wins_hand", "side", side, "share"), won)
    margin = column(dealer, "total") - np.mean([column(side, "total") for side in others], axis=0)
    assert agrees(find_row("margin", "hand", "dealer", "mean"), margin)
    played = rows.filter(won_at_deal=0).height
    if rules.hand_bonuses:
        knocks = np.sum([column(side, "knock") for side in range(rules.sides)], axis=0)
        assert find_row("knock", "hand", "all", "mean")["estimate"] == pytest.approx(knocks.mean())
        assert find_row("knock", "hand", "all", "probability")["estimate"] == pytest.approx((knocks > 0).mean())
        by_stage = [find_row("knock", "stage", "all", "mean", stage + 1) for stage in range(len(rules.deal_plan))]
        assert sum(row["estimate"] for row in by_stage) * played == pytest.approx(knocks.sum())
        fifteen = (rows["table_bonus_kind"] == 1).sum()
        assert find_row("table_15", "hand", "dealer", "probability")["estimate"] == pytest.approx(fifteen / played)
    misdeals, lost = rows["misdeals"].sum(), (rows["won_at_deal"] == 2).sum()
    tables = misdeals + hands - lost
    assert find_row("misdeal", "table", "all", "probability")["estimate"] == pytest.approx(misdeals / tables)
    for sevens in range(5):
        held = np.concatenate([column(side, "sevens") for side in others]) == sevens
        won = np.concatenate([column(side, "primiera_won") for side in others])[held]
        if held.any():
            assert find_row("primiera_won", "side", "others", "share", sevens)["estimate"] == pytest.approx(won.mean())
    for side, of in (("dealer", [dealer]), ("others", others)):
        points = np.concatenate([column(seat, "total") for seat in of])
        for row in frame.filter(quantity="points_distribution", side=side).iter_rows(named=True):
            assert row["estimate"] == pytest.approx((points == int(row["value"])).mean())


@pytest.mark.slow
@pytest.mark.skipif(multiprocessing.current_process().daemon, reason="workers cannot have workers")
@pytest.mark.filterwarnings("default")
def test_chunks_of_a_killed_worker_are_played_again_and_counted_once() -> None:
    distributed = pytest.importorskip("distributed")
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
    pytest.importorskip("distributed")
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
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(InputError, match=r"--scheduler 'tcp://127\.0\.0\.1:1': .*encryption required"),
    ):
        play_trials(GREEDY, Engine("dask@tcp://127.0.0.1:1"))
