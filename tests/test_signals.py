"""Signals end a run soon, whatever it does, and lose nothing; those that are ignored from outside stay ignored."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playing import play_trials

import cirulla_sim as cs
from cirulla_sim.core import signals
from cirulla_sim.engine.engines import Engine
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import read_table

RUN = ["simulate", "--policy", "greedy", "--hands", "10G", "--save-every", "0.1", "-o", "x.parquet"]


def started(folder: Path, *words: str, ignores_hangup: bool = False, **more: str) -> subprocess.Popen[str]:
    def ignore() -> None:
        if ignores_hangup:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    return subprocess.Popen(
        [sys.executable, "-c", STOPPING, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        encoding="utf-8", preexec_fn=ignore, env=os.environ | {"PYTHONPATH": str(Path(cs.__file__).parents[1])} | more,
    )  # fmt: skip


def wait_until(true: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    while not true():
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)


@pytest.mark.parametrize("number", signals.ENDING)
def test_a_signal_while_a_chart_is_drawn_ends_the_program(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from cirulla_sim.cli import main

    handlers = [signal.getsignal(number) for number in signals.ENDING]
    monkeypatch.setattr("cirulla_sim.verbs.functions.plot", lambda *_, **__: signal.raise_signal(number))
    with pytest.raises(SystemExit) as end:
        main(["plot", "x.parquet"])
    assert end.value.code == 130
    assert [signal.getsignal(number) for number in signals.ENDING] == handlers


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP")
def test_a_signal_that_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals.raise_on_signals():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_that_no_handler_reported_is_raised_at_the_end() -> None:
    with pytest.raises(KeyboardInterrupt), signals.note_signals():
        signal.raise_signal(signal.SIGTERM)
    with signals.note_signals() as interrupted:
        signal.raise_signal(signal.SIGTERM)
        assert interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signals.ENDING[-1])


def test_a_signal_during_the_last_hands_does_not_begin_anything_else() -> None:
    experiment = Experiment(build(players=2), ("random", "random"), 2000, 1)
    progress_seen: list[Any] = []

    def last(state: Any) -> None:
        progress_seen.append(state.done)
        if state.done == experiment.hands:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        play_trials(experiment, Engine(chunk=500, threads=1), on_growth=last)
    assert progress_seen[-1] == 2000


STOPPING = """
import importlib, sys, time
from pathlib import Path
from cirulla_sim import __main__

[module, _, name], words = sys.argv[1].rpartition("."), sys.argv[2:]

def stop():
    if not Path("here").exists():
        Path("here").touch()
        while not Path("go on").exists():  # one long sleep would end before a signal is heard
            time.sleep(0.01)

class Finder:
    def find_spec(self, full, path=None, target=None):
        if name == "import" and full == module:
            stop()

if name == "import":
    sys.meta_path.insert(0, Finder())
else:
    place = importlib.import_module(module)
    function = getattr(place, name)
    setattr(place, name, lambda *given, **named: (stop(), function(*given, **named))[1])
sys.argv[1:] = words
__main__.main()
"""
"""The command line, which stops where a function is first called, or a module first imported, until a signal comes."""

PHASES = {
    "import": ("cirulla_sim.engine.engines.import", " ".join(RUN)),
    "compile": ("cirulla_sim.kernel.jit._compiled", " ".join(RUN)),
    "plan": ("cirulla_sim.experiments.runner._saving", " ".join(RUN)),
    "run": ("cirulla_sim.engine.engines._timed", " ".join(RUN)),
    "save": ("cirulla_sim.experiments.runner.write_table", " ".join(RUN)),
    "draw": ("cirulla_sim.reporting.charts.sheet._as_png", "plot a.parquet -o chart.png"),
}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP")
@pytest.mark.parametrize("phase", PHASES)
def test_a_signal_is_heard_in_every_phase(phase: str, tmp_path: Path) -> None:
    """Not SIGHUP where ``nohup`` ignores it."""
    ignored = phase in ("compile", "run", "save")
    cs.simulate(players=2, policy="greedy", hands=200, output=tmp_path / "a.parquet", progress=False)
    place, command = PHASES[phase]
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} if phase == "compile" else {}
    run = started(tmp_path, place, *command.split(), ignores_hangup=ignored, **cache)
    wait_until((tmp_path / "here").exists, run)
    if ignored:
        run.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        assert run.poll() is None
    run.send_signal(signal.SIGTERM if ignored else signal.SIGHUP)
    if phase == "save":  # is not interrupted, but the last thing that is done
        (tmp_path / "go on").touch()
    errors = run.communicate(timeout=60)[1]
    assert run.returncode == 130
    assert "Traceback" not in errors
    assert not [file for file in tmp_path.rglob(".*") if file.is_file()]
    if phase == "save":
        assert "To resume, give the same command again" in errors
        assert read_table(tmp_path / "x.parquet")[1]["stopped"] == "interrupted"
