"""How fast this machine plays: hands a second by case, beside a C yardstick, and the time to a first result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from .engines import carry_out
from .errors import InputError
from .experiment import Experiment
from .rules import build

ROUNDS = 5
YARDSTICK_HANDS = 500_000
_FIRST_RESULT = "import sys; from cirulla_sim.cli import main; main(['simulate', '--hands', '1000', '--format', 'csv'])"

Row = dict[str, Any]


def measure(
    yardstick: Path | None = None, hands: int = 400_000, progress: Callable[[str], None] = lambda text: None
) -> list[Row]:
    """Measure every case.

    Rows have ``case``, ``threads``, ``hands_per_second``, ``ns_per_hand``, ``ratio_to_yardstick``, ``seconds``.

    Each figure is the median of several rounds; in a round every case runs once, the yardstick before each, so that a
    machine that changes its speed does not change the ratio. ``yardstick`` is a C source that prints
    ``hands_per_second`` when called with ``tuned HANDS``.

    Raises ``InputError`` if the yardstick is not there or does not compile.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = _compile(yardstick, Path(folder)) if yardstick is not None else None
        cases = list(_cases(hands))
        speeds: dict[tuple[str, int], list[float]] = {(name, threads): [] for name, threads, _, _ in cases}
        ratios: dict[tuple[str, int], list[float]] = {(name, threads): [] for name, threads, _, _ in cases}
        for number in range(ROUNDS):
            for name, threads, count, play in cases:
                progress(f"round {number + 1} of {ROUNDS}: {name}, {threads} threads")
                limit = _yardstick_speed(program) if program else None
                start = time.perf_counter()
                play()
                speed = count / (time.perf_counter() - start)
                speeds[name, threads].append(speed)
                if limit:
                    ratios[name, threads].append(speed / limit)
        rows = [_speed_row(*key, median(speeds[key]), ratios[key]) for key in speeds]
        if program:
            rows.append(_speed_row("C yardstick, tuned", 1, median(_yardstick_speed(program) for _ in range(3)), [1.0]))
        progress("time to a first result")
        rows += _first_results(Path(folder))
    return rows


def _cases(hands: int) -> Iterator[tuple[str, int, int, Callable[[], object]]]:
    from .experiment import play_chunk
    from .kernel.deals import COUNTS, run_deals
    from .kernel.flat import flatten
    from .kernel.hand import new_work

    threads = os.cpu_count() or 1
    for policy in ("random", "greedy"):
        for players in (2, 4):
            experiment = Experiment(build("cirulla", players=players), (policy,), hands, 1)
            play_chunk(experiment, 0, 1000)
            name = f"{policy}, {players} players"
            yield name, 1, hands, lambda e=experiment: carry_out(e, engine="serial")  # type: ignore[misc]
            if threads > 1:
                many = Experiment(experiment.rules, (policy,), hands * threads, 1)
                yield name, threads, many.hands, lambda e=many: carry_out(e, threads=threads)  # type: ignore[misc]
    flat, work, counts = flatten(build("cirulla")), new_work(), np.zeros(len(COUNTS), np.int64)
    deals = hands * 10
    yield (
        "dealing and bonuses alone, 4 players",
        1,
        deals,
        lambda: run_deals(flat, np.uint64(1), np.uint64(0), np.uint64(deals), work, counts),
    )


def _speed_row(case: str, threads: int, speed: float, ratios: list[float]) -> Row:
    return {
        "case": case,
        "threads": threads,
        "hands_per_second": round(speed),
        "ns_per_hand": round(1e9 / speed, 1),
        "ratio_to_yardstick": round(median(ratios), 3) if ratios else None,
        "seconds": None,
    }


def _first_results(folder: Path) -> Iterator[Row]:
    """Seconds from the prompt to the table of a thousand hands, with nothing compiled yet and with all compiled."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
    for case in ("first result, cold cache", "first result, warm cache"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", _FIRST_RESULT], env=environment, check=True, capture_output=True)
        seconds = round(time.perf_counter() - start, 2)
        yield dict.fromkeys(("case", "threads", "hands_per_second", "ns_per_hand", "ratio_to_yardstick")) | {
            "case": case,
            "seconds": seconds,
        }


def _compile(source: Path, folder: Path) -> Path:
    if not source.is_file():
        raise InputError(f"--yardstick {str(source)!r}: there is no such file (valid: a C source)")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise InputError("--yardstick needs a C compiler on the path (cc, gcc or clang)")
    program = folder / "yardstick"
    done = subprocess.run(
        [compiler, "-O3", "-march=native", str(source), "-o", str(program)], capture_output=True, text=True
    )
    if done.returncode:
        raise InputError(f"--yardstick {str(source)!r} does not compile: {done.stderr.splitlines()[0]}")
    return program


def _yardstick_speed(program: Path) -> float:
    done = subprocess.run([str(program), "tuned", str(YARDSTICK_HANDS)], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["hands_per_second"])
