"""A process forked from one that has used the package: its threads are gone, so every verb says what to do instead."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs

FILE = "odds.parquet"
CALLS: dict[str, Callable[[], Any]] = {
    "simulate": lambda: cs.simulate(hands=100, policy="random", progress=False),
    "odds": lambda: cs.odds("barsega"),
    "compare": lambda: cs.compare(house="no-matta", hands=100, policy="random", progress=False),
    "games": lambda: cs.games(games=10, policy="random", progress=False),
    "tournament": lambda: cs.tournament(policy=["random", "greedy"], hands=1000, progress=False),
    "advise": lambda: cs.advise("me: 7h 2c 3d; table: 4c; to play: me"),
    "hand": cs.hand,
    "combine": lambda: cs.combine([FILE]),
    "plot": lambda: cs.plot(FILE),
    "report": lambda: cs.report("folder"),
    "read": lambda: cs.read(FILE),
    "presets": cs.presets,
    "Game": cs.Game,
}


def answers(connection: Any) -> None:
    """Send what each call in this process says."""
    for name, call in CALLS.items():
        try:
            call()
        except cs.InputError as error:
            connection.send((name, str(error)))
        else:
            connection.send((name, "answered"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_refuses_every_verb_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cs.odds("barsega").save(FILE)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=answers, args=(theirs,))
    child.start()
    try:
        for name in CALLS:
            assert ours.poll(60), f"{name} hangs"
            called, answer = ours.recv()
            assert called == name
            assert "'spawn'" in answer, (name, answer)
            assert "\n" not in answer
    finally:
        child.kill()
        child.join()
