"""How fast this machine plays: hands a second by case, beside ``random`` and a C yardstick; time to a first result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..core.locale import language
from ..engine.chunks import game_row_names, workspace
from ..engine.engines import Engine, carry_out
from ..engine.pace import CHUNK
from ..engine.trials import Experiment, Games, Trials
from ..experiments.budget import seconds_a_hand
from ..ruleset.presets import build

ROUNDS = 5
POLICIES = ("random", "greedy", "careful", "search:16", "open")
GAMES_OF = ("random", "greedy")
"""The policies of the whole games measured."""

PLAYOUTS_OF = "search:16"
"""The policy whose playouts are measured: what it plays on from a play to look where it leads to."""

HANDS_A_GAME = 10
"""As many hands as a game has, or so."""

SECONDS = 0.4
"""How long a measurement of a thread takes at most: the slower a policy, the fewer hands."""

YARDSTICK_HANDS = 500_000
_FIRST_RESULT = "import sys; from cirulla_sim.cli import main; main(['simulate', '--hands', '1000', '--format', 'csv'])"

_COLUMNS = (
    "case", "threads", "hands_per_second", "ns_per_hand", "times_random", "ratio_to_yardstick", "seconds",
)  # fmt: skip
Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """What is measured: a name, players, on how many threads, how many hands it plays, and how."""

    name: str
    players: int
    threads: int
    hands: int
    play: Callable[[], object]

    @property
    def title(self) -> str:
        """Name and players."""
        return f"{self.name}, {self.players} players"


def measure(
    yardstick: Path | None = None, hands: int = 400_000, progress: Callable[[str], None] = lambda text: None
) -> list[Row]:
    """Measure every case, with a number of hands a measurement and thread, or fewer where they take long.

    Rows have ``case``, ``threads``, ``hands_per_second``, ``ns_per_hand``, ``times_random``, ``ratio_to_yardstick``,
    ``seconds``. ``times_random`` is how many random hands of as many players, on as many threads, take as long.

    Each figure is the median of several rounds; in a round every case runs once, the yardstick before each, so that a
    machine that changes its speed does not change the ratios. ``yardstick`` is a C source, or the program made of it,
    that prints ``hands_per_second`` when called with ``tuned HANDS``.

    Raises ``InputError`` if the yardstick is not there or does not compile.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = _compile(yardstick, Path(folder)) if yardstick is not None else None
        progress("getting ready")
        cases = list(_cases(hands))
        speeds: list[list[float]] = [[] for _ in cases]
        ratios: list[list[float]] = [[] for _ in cases]
        for number in range(ROUNDS):
            for case, speed, ratio in zip(cases, speeds, ratios, strict=True):
                progress(f"round {number + 1} of {ROUNDS}: {case.title}, {case.threads} threads")
                limit = _yardstick_speed(program) if program else None
                start = time.perf_counter()
                case.play()
                speed.append(case.hands / (time.perf_counter() - start))
                if limit:
                    ratio.append(speed[-1] / limit)
        random = {(c.players, c.threads): s for c, s in zip(cases, speeds, strict=True) if c.name == "random"}
        rows = []
        for case, speed, ratio in zip(cases, speeds, ratios, strict=True):
            bases = random.get((case.players, case.threads), ())
            times = [base / own for base, own in zip(bases, speed, strict=False)]
            rows.append(_speed_row(case.title, case.threads, median(speed), times, ratio))
        if program:
            limit = median(_yardstick_speed(program) for _ in range(3))
            rows.append(_speed_row("C yardstick, tuned", 1, limit, [], [1.0]))
        progress("time to a first result")
        rows += _first_results(Path(folder))
    return rows


HEADINGS = (
    "What", "Threads", "Hands a second", "Microseconds a hand", "Times random", "Ratio to the yardstick", "Seconds",
)  # fmt: skip
"""Of the table, in English."""


def for_readers(rows: list[Row], lang: str = "en") -> pl.DataFrame:
    """The rows as a table in words of a language, with microseconds a hand, to three figures."""
    locale = language(lang)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    values: dict[str, Any] = {
        "case": pl.Series("case", [locale.message(case, "bench") for case in frame["case"]]),
        "ns_per_hand": (pl.col("ns_per_hand") / 1000).round_sig_figs(3),
    }
    headings = zip(_COLUMNS, HEADINGS, strict=True)
    return frame.select(values.get(name, pl.col(name)).alias(locale.say(heading)) for name, heading in headings)


def _cases(hands: int) -> Iterator[Case]:
    for policy in POLICIES:
        for players in (2, 4):
            rules = build("cirulla", players=players)
            enough = max(1, min(hands, int(SECONDS / seconds_a_hand(rules, policy))))
            for threads in _threads():
                played = Experiment(rules, (policy,), enough * threads, 1)
                yield Case(policy, players, threads, played.hands, partial(_carry_out, played, threads))
    for policy in GAMES_OF:
        for players in (2, 4):
            for threads in _threads():
                games = Games(build("cirulla", players=players), (policy,), max(1, hands * threads // HANDS_A_GAME), 1)
                _, rows = games.play(0, games.games, rows=True)
                many = int(rows[:, game_row_names(games.rules).index("hands")].sum())
                yield Case(f"whole games, {policy}", players, threads, many, partial(_carry_out, games, threads))
    yield from map(_playouts, (2, 4))
    yield _dealing(hands * 10)


def _threads() -> list[int]:
    """One thread, and one a core."""
    return sorted({1, os.cpu_count() or 1})


def _carry_out(experiment: Trials, threads: int) -> None:
    chunk = max(1, min(CHUNK, experiment.number // (8 * threads)))
    carry_out(experiment, Engine("serial" if threads == 1 else "threads", threads, chunk))


def _playouts(players: int) -> Case:
    """The playouts of a policy; what it takes to choose and to score besides is shared among them."""
    rules = build("cirulla", players=players)
    played = Experiment(rules, (PLAYOUTS_OF,), max(1, int(SECONDS / seconds_a_hand(rules, PLAYOUTS_OF))), 1)
    search = workspace().mind.search
    before = int(search.playouts)
    in_this_thread = partial(played.play, 0, played.hands)
    in_this_thread()
    return Case(f"a playout of {PLAYOUTS_OF}", players, 1, int(search.playouts) - before, in_this_thread)


def _dealing(deals: int) -> Case:
    from ..kernel.entries.deals_entry import COUNTS, run_deals
    from ..kernel.entries.states_entry import flat_rules
    from ..kernel.game.hand import new_work

    flat, work, counts = flat_rules(build("cirulla")), new_work(), np.zeros(len(COUNTS), np.int64)
    play = partial(run_deals, flat, np.uint64(1), np.uint64(0), np.uint64(deals), work, counts)
    return Case("dealing and bonuses alone", 4, 1, deals, play)


def _speed_row(case: str, threads: int, speed: float, times: list[float], ratios: list[float]) -> Row:
    beside, ratio = (float(f"{median(numbers):.3g}") if numbers else None for numbers in (times, ratios))
    values = (case, threads, round(speed), round(1e9 / speed, 1), beside, ratio, None)
    return dict(zip(_COLUMNS, values, strict=True))


def _first_results(folder: Path) -> Iterator[Row]:
    """Seconds from the prompt to the table of a thousand hands, with nothing compiled yet and with all compiled."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
    for case in ("first result, cold cache", "first result, warm cache"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", _FIRST_RESULT], env=environment, check=True, capture_output=True)
        seconds = round(time.perf_counter() - start, 2)
        yield dict.fromkeys(_COLUMNS) | {"case": case, "seconds": seconds}


def _compile(source: Path, folder: Path) -> Path:
    if not source.is_file():
        raise InputError(f"--yardstick {str(source)!r}: there is no such file (valid: a C source or a program)")
    if source.suffix != ".c" and os.access(source, os.X_OK):
        return source.absolute()
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise InputError("--yardstick needs a C compiler on the path (cc, gcc or clang)")
    program = folder / "yardstick"
    done = subprocess.run(
        [compiler, "-O3", "-march=native", str(source), "-o", str(program)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise InputError(f"--yardstick {str(source)!r} does not compile: {done.stderr.splitlines()[0]}")
    return program


def _yardstick_speed(program: Path) -> float:
    done = subprocess.run(
        [str(program), "tuned", str(YARDSTICK_HANDS)], capture_output=True, encoding="utf-8", check=True
    )
    return float(json.loads(done.stdout)["hands_per_second"])
