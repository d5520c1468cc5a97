"""How fast this machine plays: hands a second by case, beside random players and a C yardstick; time to a first result.

python scripts/bench.py [--yardstick FILE] [--hands N] [--format table|json]

Each figure is the median of several rounds. In a round every case runs once, the yardstick before each, so that a
machine that changes its speed does not change the ratios. ``times_yardstick`` is how many hands of the yardstick take
as long as one of these, ``times_random`` is how many hands of random players, as many and on as many threads, take as
long as one of these, or as one playout: what search plays on from a play in one deal of the unseen cards. Slow
policies play fewer hands. JSON gives nanoseconds a hand, the table microseconds. Whole commands are measured in
seconds of the processor, of all its threads, with nothing compiled yet and with all compiled.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
import polars as pl

from cirulla_sim.engine.chunks import deal_hands, game_row_names, workspace
from cirulla_sim.engine.engines import Engine, Folded, fold
from cirulla_sim.engine.trials import CHUNK, Experiment, Games, Trials
from cirulla_sim.experiments.tournament import seconds_a_hand
from cirulla_sim.reporting.text.formats import render
from cirulla_sim.ruleset.presets import build

ROUNDS = 5
SECONDS = 0.4  # of a measurement of a thread, at most: the slower a policy, the fewer hands
POLICIES = ("random", "greedy", "wary", "careful", "search:16", "open")
GAMES_OF = ("random", "greedy")
PLAYOUTS_OF = "search:16"
HANDS_A_GAME = 10
YARDSTICK_HANDS = 500_000
COMMANDS = (
    "simulate --hands 1000",
    "simulate --hands 100 --policy search:16",
    "odds barsega",
    "advise --at 'table: Ad 5c 7h Kd; me: 7d 2s Jh'",
)
HEADINGS = {
    "case": "What", "threads": "Threads", "hands_per_second": "Hands a second", "ns_per_hand": "Microseconds a hand",
    "times_random": "Times random", "times_yardstick": "Times the yardstick", "seconds": "Processor seconds",
}  # fmt: skip
Row = dict[str, Any]


class Case(NamedTuple):
    """What is measured: a name, players, on how many threads, how many hands it plays, and how."""

    name: str
    players: int
    threads: int
    hands: int
    play: Callable[[], object]


def cases(hands: int) -> Iterator[Case]:
    """All that is measured."""
    for policy in POLICIES:
        for players in (2, 4):
            rules = build("cirulla", players=players)
            enough = max(1, min(hands, int(SECONDS / seconds_a_hand(rules, policy))))
            for threads in threads_of_machine():
                played = Experiment(rules, (policy,), enough * threads, 1)
                yield Case(policy, players, threads, played.hands, partial(play, played, threads))
    for policy in GAMES_OF:
        for players in (2, 4):
            for threads in threads_of_machine():
                games = Games(build("cirulla", players=players), (policy,), max(1, hands * threads // HANDS_A_GAME), 1)
                _, rows = games.play(0, games.games, rows=True)
                many = int(rows[:, game_row_names(games.rules).index("hands")].sum())
                yield Case(f"whole games, {policy}", players, threads, many, partial(play, games, threads))
    yield from map(playouts, (2, 4))
    deal = partial(deal_hands, build("cirulla"), 1, 0, hands, stages=3)
    yield Case("dealing and bonuses alone", 4, 1, hands, deal)


def threads_of_machine() -> list[int]:
    return sorted({1, os.cpu_count() or 1})


def play(trials: Trials, threads: int) -> None:
    chunk = max(1, min(CHUNK, trials.number // (8 * threads)))
    fold(trials.play, Folded(0, 0, ""), trials, Engine("serial" if threads == 1 else "threads", threads, chunk))


def playouts(players: int) -> Case:
    """The playouts of a policy; what it takes to choose and to score besides is shared among them."""
    rules = build("cirulla", players=players)
    played = Experiment(rules, (PLAYOUTS_OF,), max(1, int(SECONDS / seconds_a_hand(rules, PLAYOUTS_OF))), 1)
    search = workspace().mind.search
    before = int(search.playouts)
    in_this_thread = partial(played.play, 0, played.hands)
    in_this_thread()
    return Case(f"a playout of {PLAYOUTS_OF}", players, 1, int(search.playouts) - before, in_this_thread)


def measure(yardstick: Path | None, hands: int, on_progress: Callable[[str], None]) -> list[Row]:
    """The rows of all cases, with a number of hands a measurement and thread, or fewer where they take long."""
    with tempfile.TemporaryDirectory() as folder:
        program = None if yardstick is None else compiled(yardstick, Path(folder))
        on_progress("getting ready")
        measured = list(cases(hands))
        speeds: list[list[float]] = [[] for _ in measured]
        ratios: list[list[float]] = [[] for _ in measured]
        for number in range(ROUNDS):
            for case, speed, ratio in zip(measured, speeds, ratios, strict=True):
                on_progress(f"round {number + 1} of {ROUNDS}: {case.name}, {case.players} players, {case.threads}")
                limit = None if program is None else yardstick_speed(program)
                start = time.perf_counter()
                case.play()
                speed.append(case.hands / (time.perf_counter() - start))
                if limit is not None:
                    ratio.append(limit / speed[-1])
        random = {(c.players, c.threads): s for c, s in zip(measured, speeds, strict=True) if c.name == "random"}
        rows = []
        for case, speed, ratio in zip(measured, speeds, ratios, strict=True):
            bases = random.get((case.players, case.threads), ())
            times = [base / own for base, own in zip(bases, speed, strict=False)]
            rows.append(row(f"{case.name}, {case.players} players", case.threads, median(speed), times, ratio))
        if program is not None:
            rows.append(row("C yardstick, tuned", 1, median(yardstick_speed(program) for _ in range(3)), [], [1.0]))
        on_progress("whole commands")
        return rows + list(whole_commands(Path(folder)))


def row(case: str, threads: int, speed: float, times: list[float], ratios: list[float]) -> Row:
    beside, ratio = (float(f"{median(numbers):.3g}") if numbers else None for numbers in (times, ratios))
    values = (case, threads, round(speed), round(1e9 / speed, 1), beside, ratio, None)
    return dict(zip(HEADINGS, values, strict=True))


def whole_commands(folder: Path) -> Iterator[Row]:
    """Seconds of the processor that commands take, the first run of each with what it is the first to compile."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
    for runs, case in ((1, "{}, nothing compiled"), (ROUNDS, "{}, all compiled")):
        for command in COMMANDS:
            seconds = []
            for _ in range(runs):
                before = os.times()
                words = [sys.executable, "-m", "cirulla_sim", *shlex.split(command)]
                subprocess.run(words, env=environment, check=True, capture_output=True)
                after = os.times()
                seconds.append(sum(after[2:4]) - sum(before[2:4]))  # user and system, of children
            yield dict.fromkeys(HEADINGS) | {"case": case.format(command), "seconds": round(median(seconds), 2)}


def compiled(source: Path, folder: Path) -> Path:
    """The program of a yardstick: itself, or compiled from its C source."""
    if source.suffix != ".c":
        return source.absolute()
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise click.ClickException("--yardstick requires a C compiler on the path (cc, gcc or clang)")
    subprocess.run([compiler, "-O3", "-march=native", source, "-o", folder / "yardstick"], check=True)
    return folder / "yardstick"


def yardstick_speed(program: Path) -> float:
    done = subprocess.run([program, "tuned", str(YARDSTICK_HANDS)], capture_output=True, encoding="utf-8", check=True)
    return float(json.loads(done.stdout)["hands_per_second"])


@click.command(help=__doc__)
@click.option("--yardstick", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="A C source, or the program compiled from it, that prints JSON with hands_per_second when called "
              "with 'tuned HANDS'.")  # fmt: skip
@click.option("--hands", type=click.IntRange(1000), default=400_000, help="Hands a measurement, at most.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
def main(yardstick: Path | None, hands: int, form: str) -> None:
    def say(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{text:<70}", nl=False, err=True)

    rows = measure(yardstick, hands, say)
    say("\r")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if form == "table":
        frame = frame.with_columns((pl.col("ns_per_hand") / 1000).round_sig_figs(3)).rename(HEADINGS)
    click.echo(render(frame, form))
    click.echo(f"{platform.machine()}, Python {platform.python_version()}, {processor()}", err=True)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or "unknown processor"
    return f"{name}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
