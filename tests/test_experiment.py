"""Runs: the same numbers for any threads, chunks and engines, resumed or not; records that agree with the table."""

from __future__ import annotations

import multiprocessing
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import cluster
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.engines import Engine, Folded, Run, carry_out, executor, in_order
from cirulla_sim.engine.pace import Even, Pace, chunks
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import runner
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.reporting.text.labels import rules_of
from cirulla_sim.ruleset.presets import build
from cirulla_sim.stats.sequential import looks
from cirulla_sim.storage.tables import SCHEMA, headlines, read
from cirulla_sim.verbs.odds import odds
from cirulla_sim.verbs.simulate import simulate

GREEDY = Experiment(build(), ("greedy",), 30_000, 51)
ARGUMENTS: dict[str, Any] = {"policy": "greedy", "hands": 30_000, "seed": 51, "progress": False}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 5000), st.integers(0, 3000), st.integers(1, 700), st.lists(st.integers(0, 9000)).map(sorted))
def test_chunks_cover_every_hand_once_and_end_where_a_run_may_stop(
    first: int, number: int, size: int, ends: list[int]
) -> None:
    parts = list(chunks(first, first + number, Even(size), ends))
    assert [hand for start, hands in parts for hand in range(start, start + hands)] == list(
        range(first, first + number)
    )
    assert not any(start < end < start + hands for start, hands in parts for end in ends)


def test_the_last_chunks_are_split_but_not_too_small() -> None:
    """Each chunk has a cost: with a millisecond a hand, chunks take between half a second and a 32nd of it."""
    pace = Pace(under_way=4)
    for _ in range(5):
        pace.measured(1000, 1.0)
    sizes = [hands for _, hands in chunks(0, 10_000, pace)]
    assert (sizes[0], sum(sizes)) == (500, 10_000)
    assert min(sizes[:-1]) == 500 // 32
    assert sizes[-8:] == sorted(sizes[-8:], reverse=True)


@pytest.mark.parametrize(
    ("engine", "threads", "chunk"),
    [("threads", 1, 1000), ("threads", 2, 777), ("threads", 3, 30_000), ("serial", None, 64)],
)
def test_any_engine_threads_and_chunks_give_the_same_tally(engine: str, threads: int | None, chunk: int) -> None:
    whole, _ = play_chunk(GREEDY, 0, GREEDY.hands)
    run = carry_out(GREEDY, Engine(engine, threads, chunk))
    assert (run.tally == whole).all()
    assert (run.done, run.stopped) == (GREEDY.hands, "hands")


@pytest.mark.skipif(multiprocessing.current_process().daemon, reason="workers cannot have workers")
@pytest.mark.filterwarnings("default")
def test_the_cluster_agrees_with_threads_and_requires_one_build(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    whole, rows = play_chunk(GREEDY, 0, GREEDY.hands, rows=True)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as machines:
        engine, rows_of = Engine(f"dask@{machines.scheduler_address}"), []
        run = carry_out(GREEDY, engine, keep=rows_of.append)
        assert (run.tally == whole).all()
        assert (np.concatenate(rows_of) == rows).all()
        assert (carry_out(GREEDY, replace(engine, chunk=9000)).tally == whole).all()
        with monkeypatch.context() as many:  # as many workers as make a tree of two levels worth while
            many.setattr(cluster, "FAN", 2)
            many.setattr(cluster, "lot_of", lambda cores: 5)
            states: list[Folded[Any]] = []
            assert (carry_out(GREEDY, engine, on_growth=states.append).tally == whole).all()
            assert states[0].done == 5 * 8
        for question in (
            {"question": "wins(us)", "policy": "greedy", "hands": 9000, "by": "sweeps(us)"},
            {"question": "wins(us)", "policy": "greedy", "hands": 9000, "precision": 0.9},
            {"question": "can_sweep", "at": "table: 3c 5d; me: 7d Ks; to play: next", "players": 2, "check": 9000},
        ):
            answers = [
                odds(**question, progress=False, **execution).frame  # type: ignore[arg-type]
                for execution in ({}, {"engine": "dask", "scheduler": machines.scheduler_address})
            ]
            assert answers[0].equals(answers[1])
        monkeypatch.setattr(cluster, "build", lambda: "0.0.9 (another)")
        with pytest.raises(InputError, match=r"has .*, here is 0.0.9 \(another\) \(install the same\)"):
            carry_out(GREEDY, engine)


def test_a_scheduler_that_does_not_answer_is_an_error_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    for address in ("nonsense", "tcp://127.0.0.1:1"):
        with pytest.raises(InputError, match=f"--scheduler '{address}': no scheduler answers there: ") as raised:
            carry_out(GREEDY, Engine(f"dask@{address}"))
        assert "\n" not in str(raised.value)


def test_files_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for name, threads, chunk in (("one", 1, 5000), ("two", 2, 1234)):
        monkeypatch.setattr(runner, "Engine", partial(Engine, chunk=chunk))
        out, rows = tmp_path / f"{name}.parquet", tmp_path / f"{name}-rows.parquet"
        simulate(**ARGUMENTS, threads=threads, output=out, records=rows)
        files.append((out.read_bytes(), rows.read_bytes()))
    assert files[0] == files[1]


def test_a_stop_for_precision_is_the_same_for_any_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments: dict[str, Any] = {"policy": "random", "seed": 52, "progress": False}
    results = []
    for chunk, threads in ((100, 2), (999, 1), (50_000, 2)):
        monkeypatch.setattr(runner, "Engine", partial(Engine, chunk=chunk))
        results.append(simulate(**arguments, hands=50_000, precision=0.25, threads=threads))
    assert {result.metadata["stopped"] for result in results} == {"precision"}
    [done] = {result.metadata["hands"] for result in results}
    before, at = [number for number in looks(50_000) if number <= done][-2:]
    assert 2000 < at == done < 50_000

    def width(frame: pl.DataFrame) -> float:
        rows = headlines(frame).filter(quantity="points")
        return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]

    assert width(results[0].frame) <= 0.25
    assert width(simulate(**arguments, hands=before, precision=1e-9).frame) > 0.25


def test_a_run_closed_early_waits_for_the_parts_under_way() -> None:
    """Compiled code that still runs while the program ends would crash it."""
    ended = []

    def slow(number: int) -> int:
        time.sleep(0.05 * number)
        ended.append(number)
        return number

    with executor("threads", 2) as (pool, _):
        results = in_order([partial(slow, number) for number in (0, 4, 4, 4)], pool, 2)
        assert next(results) == 0
        results.close()
        under_way = ended.count(4)
    assert under_way in (1, 2)
    time.sleep(0.3)
    assert ended.count(4) == under_way


def test_an_interrupted_run_keeps_a_prefix_and_goes_on_to_the_same_end() -> None:
    def stop_soon(run: Folded[Any]) -> None:
        if run.done == 4000:
            signal.raise_signal(signal.SIGINT)

    run = carry_out(GREEDY, Engine(threads=2, chunk=1000), on_growth=stop_soon)
    assert run.stopped == "interrupted"
    assert 4000 <= run.done < GREEDY.hands
    assert (run.tally == play_chunk(GREEDY, 0, run.done)[0]).all()
    rest = carry_out(GREEDY, resume=run)
    assert (rest.tally == play_chunk(GREEDY, 0, GREEDY.hands)[0]).all()


def test_a_resumed_file_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    part, whole, resumed = (tmp_path / f"{name}.parquet" for name in ("part", "whole", "resumed"))
    simulate(**ARGUMENTS | {"hands": 11_111}, output=part)
    simulate(**ARGUMENTS, output=whole)
    simulate(**ARGUMENTS, output=resumed, resume=part)
    assert resumed.read_bytes() == whole.read_bytes()


def test_a_file_of_another_request_is_not_resumed(tmp_path: Path) -> None:
    part = tmp_path / "part.parquet"
    simulate(**ARGUMENTS | {"hands": 1000}, output=part)
    for other, named in (
        ({"seed": 2}, "seed is 51 there and 2 here"),
        ({"policy": "random"}, "holds results of 'greedy', and you asked for 'random'"),
        ({"house": "piccola-seven"}, "piccola_max"),
        ({"hands": 500}, "less than the 1000 hands"),
    ):
        with pytest.raises(InputError, match=named):
            simulate(**ARGUMENTS | {"hands": 2000} | other, resume=part)


@pytest.mark.parametrize(
    ("preset", "players"), [("cirulla", 3), ("cirulla-tournament", 4), ("cirullone", 4), ("scopa", 4)]
)
def test_the_table_agrees_with_the_records(preset: str, players: int, tmp_path: Path) -> None:
    """Every mean and proportion of the tally, computed again from the records of the hands."""
    rules = build(preset, players=players)
    arguments: dict[str, Any] = {"policy": "greedy", "hands": 4000, "seed": 53, "controls": False, "progress": False}
    frame = simulate(preset, players=players, **arguments, records=tmp_path / "rows.parquet").frame
    assert dict(frame.schema) == SCHEMA
    rows = pl.read_parquet(tmp_path / "rows.parquet")
    assert rows["hand"].to_list() == list(range(4000))
    sides = range(rules.sides)
    dealer, others = rules.dealer_side, [side for side in sides if side != rules.dealer_side]

    def column(side: int, name: str) -> np.ndarray:
        return rows[f"side{side}_{name}"].to_numpy().astype(float)

    def find_row(quantity: str, per: str, side: str, kind: str, value: float | None = None) -> dict[str, float]:
        match = pl.col("value").is_null() if value is None else pl.col("value") == f"{value:g}"
        return frame.filter(match, quantity=quantity, per=per, side=side, kind=kind).row(0, named=True)

    for quantity, name in {
        "points": "total",
        "points_primiera": "primiera",
        "sweeps": "scope",
        "captures": "captures",
    }.items():
        of_others = np.mean([column(side, name) for side in others], axis=0)
        for side, numbers in (("dealer", column(dealer, name)), ("others", of_others)):
            row = find_row(quantity, "hand", side, "mean")
            assert row["estimate"] == pytest.approx(numbers.mean())
            assert row["std_error"] == pytest.approx(numbers.std(ddof=1) / len(numbers) ** 0.5)
    margin = column(dealer, "total") - np.mean([column(side, "total") for side in others], axis=0)
    row = find_row("margin", "hand", "dealer", "mean")
    assert (row["estimate"], row["std_error"]) == pytest.approx((margin.mean(), margin.std(ddof=1) / 4000**0.5))
    if rules.hand_bonuses:
        knocks = np.sum([column(side, "knock") for side in sides], axis=0)
        assert find_row("knock", "hand", "all", "mean")["estimate"] == pytest.approx(knocks.mean())
        played = rows.filter(won_at_deal=0).height
        assert find_row("knock", "hand", "all", "probability")["estimate"] == pytest.approx((knocks > 0).mean())
        total = sum(
            find_row("knock", "stage", "all", "mean", stage + 1.0)["estimate"] for stage in range(len(rules.deal_plan))
        )
        assert total * played == pytest.approx(knocks.sum())
        fifteen = (rows["table_bonus_kind"] == 1).sum()
        assert find_row("table_15", "hand", "dealer", "probability")["estimate"] == pytest.approx(fifteen / played)
    misdeals, lost = rows["misdeals"].sum(), (rows["won_at_deal"] == 2).sum()
    assert find_row("misdeal", "table", "all", "probability")["estimate"] == pytest.approx(
        misdeals / (misdeals + 4000 - lost)
    )
    for sevens in range(5):
        held = np.concatenate([column(side, "sevens") for side in others]) == sevens
        won = np.concatenate([column(side, "primiera_won") for side in others])[held]
        if held.any():
            assert find_row("primiera_won", "side", "others", "share", sevens)["estimate"] == pytest.approx(won.mean())
    for side, of in (("dealer", [dealer]), ("others", others)):
        got = {
            outcome: np.mean([column(side_name, f"primiera_{outcome}") for side_name in of], axis=0)
            for outcome in ("won", "tied")
        }
        got["lost"] = 1 - got["won"] - got["tied"]
        for outcome, numbers in got.items():
            row = find_row(f"primiera_{outcome}", "side", side, "share")
            error = numbers.std(ddof=1) / len(numbers) ** 0.5
            assert (row["estimate"], row["std_error"]) == pytest.approx((numbers.mean(), error))
    scores = frame.filter(quantity="points_distribution", side="dealer")
    assert scores["estimate"].sum() == pytest.approx(1)
    assert (scores["value"].cast(pl.Float64) * scores["estimate"]).sum() == pytest.approx(
        column(dealer, "total").mean()
    )


def test_metadata_holds_the_request_and_the_derived_command(tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"
    simulate(
        "scopa", players=3, house="simple-primiera", policy="greedy", hands=500, seed=9, output=out, progress=False
    )
    frame, metadata = read(out)
    assert metadata["command"] == (
        "cirulla-sim simulate --rules scopa --players 3 --rule primiera=sevens --policy greedy --hands 500 --seed 9"
    )
    assert (metadata["hands"], metadata["stopped"], metadata["seed"]) == (500, "hands", 9)
    assert (metadata["policies"], metadata["players"]) == (["greedy"], 3)
    rules = rules_of(metadata)
    assert rules is not None
    assert rules.fields.primiera == "sevens"
    experiment = Experiment(rules.fields, ("greedy",), 500, 9)
    assert frame.equals(simulated(Run(experiment, play_chunk(experiment, 0, 500)[0], 500, "hands")))


def test_an_invalid_experiment_is_refused() -> None:
    for wrong, message in (
        ({"policies": ("gredy",)}, "did you mean 'greedy'"),
        ({"policies": ("greedy", "random", "greedy")}, "one for each of the 2 sides"),
        ({"hands": 0}, "valid: 1 to"),
        ({"seed": -1}, "valid: 0 to"),
    ):
        with pytest.raises(InputError, match=message):
            Experiment(build(), **wrong)  # type: ignore[arg-type]
