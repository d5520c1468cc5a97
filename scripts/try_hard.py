"""Stress tests: runs killed at random, machines that fail, invalid input. Writes results/trials.parquet and trials.md.

python scripts/try_hard.py [--moments 50] [--number 100k] [--only TEXT] [--quick]

Every command is run whole once. Then it is run many times, half of them under ``nohup``, and killed at random moments
(by KILL, TERM, INT and HUP in turn), once or more, and resumed to its end: its files must be the same bytes, and there
must be no others. Trials that are in the table already are not run again unless ``--only`` names them or their part
(``--only killed``), so that an interrupted series is resumed. With ``--quick`` there are two moments a command and
little of the rest, and nothing is written.
"""

from __future__ import annotations

import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import click
import fuzz
import lost_machines
import polars as pl

from cirulla_sim import __version__
from cirulla_sim.core import arguments
from cirulla_sim.storage.tables import read, write

ROOT = Path(__file__).parent.parent
TABLE, PAGE = (ROOT / "results" / f"trials.{end}" for end in ("parquet", "md"))
COMMAND = "python scripts/try_hard.py"
PROGRAM = [sys.executable, "-m", "cirulla_sim"]
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

COMMANDS = {
    "simulate": "simulate --policy greedy --hands 2M",
    "simulate, with records": "simulate --policy greedy --hands 250k --records rows.parquet",
    "simulate, side by side": "simulate --policy greedy --policy random --hands 400k",
    "simulate, search": "simulate --policy search:8 --players 2 --hands 5k",
    "compare": "compare --policy greedy --house no-matta --house table-nine --hands 250k",
    "games": "games --policy greedy --games 120k",
    "games, chances from every score": "games --win-table --policy greedy --hands 400k",
    "games, the chance from a score": "games --at score:38-41 --policy greedy --hands 1M --check 40k",
    "games, from a score of three": "games --at score:10-20-30 --players 3 --policy greedy --games 120k",
    "advise": "advise --at table:5h,2c,Kd;me:7d,2s,Jh --players 2 --policy greedy --samples 150k",
    "odds, of hands played": "odds wins(us) --by accusi(us) --policy greedy --hands 400k",
    "odds, counted and simulated": "odds barsega --check 2M",
    "tournament": "tournament --policy random --policy greedy --hands 150k",
    "tournament, until decided": "tournament --policy careful --policy search:4 --hands 400k --until-decided",
}
"""A second or two each, besides the start."""

Wanted = Callable[[str, str], bool]
"""Whether a trial of a part is run, by its name."""

SCHEMA = {"part": pl.String, "trial": pl.String, "tried": pl.Int64, "wrong": pl.Int64, "slowest": pl.Float64,
          "message": pl.String}  # fmt: skip


class Ended(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    errors: str

    @property
    def is_one_line(self) -> bool:
        return "Traceback" not in self.errors and self.errors.strip().count("\n") == 0


def started(command: str, folder: Path, under: Sequence[str] = (), **settings: Any) -> subprocess.Popen[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": folder} | settings
    return subprocess.Popen([*under, *PROGRAM, *command.split()], **options)


def ended(run: subprocess.Popen[str]) -> Ended:
    out, errors = run.communicate(timeout=900)
    return Ended(run.returncode, out, errors)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ------------------------------------------------------------------------------------------------ killed


class Killed(NamedTuple):
    """A run that was killed: what was wrong, if anything, and the time that it continued after the signal."""

    wrong: str
    seconds: float


def killed(command: str, whole: dict[str, bytes], longest: float, number: int, seed: int) -> Killed:
    """Kill a command, once or more, resume it to the end, and compare its files with those of a complete run."""
    rng, slowest = random.Random(f"{seed} {number}"), 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for again in range(rng.choice((1, 1, 2, 3))):
            under = ("nohup",) if rng.random() < 0.5 else ()
            run = started(f"{command} --save-every 0.2 -o file.parquet", folder, under)
            ending = SIGNALS[(number + again) % len(SIGNALS)]
            codes = (0, 3) if under and ending == signal.SIGHUP else (0, 3, 130, -ending)
            time.sleep(rng.uniform(0.4, longest))
            run.send_signal(ending)
            since = time.monotonic()
            ended_run = ended(run)
            took = time.monotonic() - since
            slowest = max(slowest, took if ended_run.code == 130 else 0.0)
            if ended_run.code not in codes or "Traceback" in ended_run.errors:
                return Killed(
                    f"{' '.join(under)} {ending.name}: code {ended_run.code}: {ended_run.errors.strip()[-200:]}",
                    slowest,
                )
            if (file := folder / "file.parquet").exists():
                read(file)
        last = ended(started(f"{command} -o file.parquet", folder))
        if last.code != 0 and not (last.code == 3 and "until-decided" in command):
            return Killed(f"the end: code {last.code}: {last.errors.strip()[-200:]}", slowest)
        after = files(folder)
        if after != whole:
            apart = [name for name in {**after, **whole} if after.get(name) != whole.get(name)]
            return Killed(f"other bytes than a complete run: {', '.join(sorted(apart))}", slowest)
    return Killed("", slowest)


def kills(name: str, command: str, moments: int, seed: int, at_a_time: int = 2) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        ended(started(f"{command} -o file.parquet", Path(folder)))
        longest, whole = time.monotonic() - began, files(Path(folder))
    with ThreadPoolExecutor(at_a_time) as pool:
        results = list(pool.map(lambda number: killed(command, whole, longest, number, seed), range(moments)))
    wrong = [result.wrong for result in results if result.wrong]
    return row("killed", name, moments, wrong, max(result.seconds for result in results))


def share(command: str, moments: int) -> int:
    """The number of kills of a command: those of its verb, divided among its commands."""
    verbs = [other.split()[0] for other in COMMANDS.values()]
    return -(-moments // verbs.count(command.split()[0]))


def row(part: str, trial: str, tried: int, wrong: list[str], slowest: float | None = None) -> dict[str, Any]:
    return dict(zip(SCHEMA, (part, trial, tried, len(wrong), slowest, "; ".join(wrong[:3])), strict=True))


# ------------------------------------------------------------------------------------------------ machines that fail

SHORT = "simulate --policy greedy --hands 20k"


def alike(command: str, folder: Path, **settings: Any) -> str:
    """What is wrong with a command, if its file differs from that of an undisturbed run."""
    ended_run = ended(started(f"{command} -o file.parquet", folder, **settings))
    whole = ended(started(f"{command} -o whole.parquet", folder))
    same = (folder / "file.parquet").exists() and (folder / "file.parquet").read_bytes() == (
        folder / "whole.parquet"
    ).read_bytes()
    return (
        ""
        if same and ended_run.code == whole.code == 0
        else f"code {ended_run.code}: {ended_run.errors.strip()[-200:]}"
    )


def refused(ended_run: Ended, code: int) -> str:
    return (
        ""
        if ended_run.code == code and ended_run.is_one_line
        else f"code {ended_run.code}: {ended_run.errors.strip()[-200:]}"
    )


def a_full_disk(folder: Path) -> str:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    ended_run = ended(started(f"{SHORT} -o file.parquet", folder, preexec_fn=limited))
    return refused(ended_run, 1) or ("something is left" if files(folder) else "")


def a_disk_full_for_a_while(folder: Path) -> str:
    command = "simulate --policy greedy --hands 3M --save-every 0.1"
    run = started(f"{command} -o file.parquet", folder)
    time.sleep(1.5)
    resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    time.sleep(0.5)
    resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    ended_run = ended(run)
    whole = ended(started(f"{command} -o whole.parquet", folder))
    same = (folder / "file.parquet").read_bytes() == (folder / "whole.parquet").read_bytes()
    return "" if same and whole.code == 0 else f"code {ended_run.code}: {ended_run.errors.strip()[-200:]}"


def a_folder_that_cannot_be_written(folder: Path) -> str:
    return refused(ended(started(f"{SHORT} -o /proc/self/file.parquet", folder)), 2)


def a_folder_that_vanishes(folder: Path) -> str:
    inner = folder / "inner"
    inner.mkdir()
    run = started("simulate --policy greedy --hands 2M --save-every 0.1 -o inner/file.parquet", folder)
    time.sleep(1.5)
    shutil.rmtree(inner, ignore_errors=True)
    ended_run = ended(run)
    return (
        ""
        if ended_run.code in (1, 2) and "Traceback" not in ended_run.errors
        else f"code {ended_run.code}: {ended_run.errors[-200:]}"
    )


def a_home_that_cannot_be_written(folder: Path) -> str:
    without = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}
    return alike(SHORT, folder, env=without | nowhere)


def compiled_in(folder: Path) -> dict[str, str]:
    return dict(os.environ) | {"NUMBA_CACHE_DIR": str(folder / "cache")}


def torn_compiled_code(folder: Path) -> str:
    alone = folder / "alone"
    alone.mkdir()
    if wrong := alike(SHORT, alone, env=compiled_in(folder)):
        return wrong
    rng = random.Random(1)
    for file in (folder / "cache").rglob("*.nb*"):
        whole = file.read_bytes()
        file.write_bytes(whole[: rng.choice((0, len(whole) // 2, len(whole) - 1))])
    (alone / "file.parquet").unlink()
    (alone / "whole.parquet").unlink()
    return alike(SHORT, alone, env=compiled_in(folder))


def two_cold_starts_at_a_time(folder: Path) -> str:
    runs = [started(f"{SHORT} -o {name}.parquet", folder, env=compiled_in(folder)) for name in "ab"]
    both = [ended(run) for run in runs]
    same = len({(folder / f"{name}.parquet").read_bytes() for name in "ab"}) == 1
    return "" if same and all(end.code == 0 for end in both) else "; ".join(end.errors[-200:] for end in both)


def a_closed_output(folder: Path) -> str:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as gone:
        ended_run = ended(started(SHORT, folder, stdout=gone))
    return (
        ""
        if ended_run.code in (0, 1) and "Traceback" not in ended_run.errors
        else f"code {ended_run.code}: {ended_run.errors[-200:]}"
    )


def no_terminal(folder: Path) -> str:
    return alike(SHORT, folder, start_new_session=True, stdin=subprocess.DEVNULL)


def two_at_one_file(folder: Path) -> str:
    first = started("simulate --policy greedy --hands 3M -o file.parquet", folder)
    while not (folder / ".file.parquet.lock").exists() and first.poll() is None:
        time.sleep(0.02)
    second = refused(ended(started("simulate --policy greedy --hands 3M -o file.parquet", folder)), 2)
    return second or ("" if ended(first).code == 0 else "the first did not end")


EACH = 2_000_000
"""Hands of either part of a request."""


def merged(folder: Path, request: str) -> str:
    """Parts of one request in two folders, one killed after its first checkpoint and resumed, merged."""
    parts = []
    for number in range(2):
        place = folder / str(number)
        place.mkdir()
        parts.append(f"{request} --hands {EACH} --first-hand {number * EACH} --save-every 0.2 -o part.parquet")
    runs = [started(part, folder / str(number)) for number, part in enumerate(parts)]
    while not (folder / "1" / "part.parquet").exists() and runs[1].poll() is None:
        time.sleep(0.02)
    runs[1].kill()
    for run in runs:
        ended(run)
    ended(started(parts[1], folder / "1"))
    ended_run = ended(started("combine 1/part.parquet 0/part.parquet -o both.parquet", folder))
    ended(started(f"{request} --hands {2 * EACH} -o whole.parquet", folder))
    same = ended_run.code == 0 and (folder / "both.parquet").read_bytes() == (folder / "whole.parquet").read_bytes()
    return "" if same else f"code {ended_run.code}: {ended_run.errors.strip()[-200:]}"


def two_machines(folder: Path) -> str:
    return merged(folder, "simulate --policy greedy")


def two_machines_for_chances(folder: Path) -> str:
    return merged(folder, "games --win-table --policy greedy")


FAILURES: dict[str, Callable[[Path], str]] = {
    "a full disk": a_full_disk,
    "a disk full for a while": a_disk_full_for_a_while,
    "a folder that cannot be written": a_folder_that_cannot_be_written,
    "a folder that vanishes": a_folder_that_vanishes,
    "a home that cannot be written": a_home_that_cannot_be_written,
    "torn files of compiled code": torn_compiled_code,
    "two cold starts at a time": two_cold_starts_at_a_time,
    "output that nobody reads": a_closed_output,
    "no terminal": no_terminal,
    "two runs with one file": two_at_one_file,
    "two machines, one killed, merged": two_machines,
    "two machines, chances from every score": two_machines_for_chances,
}

SLOW = ("a home that", "torn files", "two cold")

FAR = {
    "simulate": "simulate --policy greedy --hands 1M",
    "odds": "odds wins(us) --by accusi(us) --policy greedy --hands 400k",
    "tournament": "tournament --policy random --policy greedy --hands 100k",
    "games": "games --policy greedy --games 100k",
}
"""Commands that are played on a cluster which loses machines, in turn."""

LAST = 12.0
"""Seconds after the start of such a command in which a fault comes."""


def all_kills(wanted: Wanted, moments: int, seed: int, quick: bool) -> Iterator[dict[str, Any]]:
    for name, command in COMMANDS.items():
        if wanted("killed", name):
            yield kills(name, command, 2 if quick else share(command, moments), seed)


def failures(wanted: Wanted, quick: bool) -> Iterator[dict[str, Any]]:
    for name, trial in FAILURES.items():
        if wanted("failed", name) and not (quick and name.startswith(SLOW)):
            with tempfile.TemporaryDirectory() as folder:
                wrong = trial(Path(folder))
            yield row("failed", name, 1, [wrong] if wrong else [])


def lost(wanted: Wanted, moments: int, seed: int, quick: bool, at_a_time: int = 3) -> Iterator[dict[str, Any]]:
    def tried(name: str, number: int) -> str:
        rng, (verb, command) = random.Random(f"{seed} {name} {number}"), list(FAR.items())[number % len(FAR)]
        moment, resumed = rng.uniform(0, LAST), rng.choice(("", "--engine dask"))
        with tempfile.TemporaryDirectory() as folder:
            wrong, _ = lost_machines.outcome(Path(folder), command, name, moment, resumed)
        return wrong and f"{verb} after {moment:.1f} s: {wrong}"

    for name in () if quick else lost_machines.FAULTS:
        if wanted("lost", name):
            with ThreadPoolExecutor(at_a_time) as pool:
                yield row("lost", name, moments, list(filter(None, pool.map(partial(tried, name), range(moments)))))


def fuzzed(wanted: Wanted, number: int, seed: int, seconds: float) -> Iterator[dict[str, Any]]:
    with fuzz.scratch() as folder:
        for name, make, parser in fuzz.parsers(Path(folder), random.Random(seed)):
            if wanted("spoilt", name):
                result = fuzz.tried(make, parser, number, seconds)
                yield row("spoilt", name, result.number, result.wrong, result.slowest)


# ------------------------------------------------------------------------------------------------ the page


def page(frame: pl.DataFrame, command: str = COMMAND) -> str:
    """The page, of its table."""
    parts = {
        "killed": "Runs killed",
        "failed": "Machines that fail",
        "lost": "Clusters that lose machines",
        "spoilt": "Invalid input",
    }
    captions = {
        "killed": "Each command was killed at random moments, by KILL, TERM, INT and HUP in turn, one to three times, "
        "half of the time under nohup, where HUP must not end it, and then resumed to its end. Its files must be those "
        "of an undisturbed run, byte for byte, with no others beside them. The seconds are the longest between TERM, "
        "INT or HUP and the end.",
        "failed": "Each must end in the bytes of an undisturbed run, or in one line of error without partial files.",
        "lost": "simulate, odds, tournament and games ran in turn on a Dask cluster of two workers, and the fault came "
        "at a random moment. Each run must go on, or end in one line that says what was lost, with its checkpoint. "
        "Resumed on threads or on new workers, it must end in the bytes of an undisturbed run.",
        "spoilt": "Texts, JSON, tables and files with letters removed, doubled or exchanged, other types, huge "
        "numbers, in most rows very long keys, values and lines too: each must be read, or refused in one line.",
    }
    wrong = int(frame["wrong"].sum())
    headline = f"{int(frame['tried'].sum()):,} trials, of which {wrong or 'none'} failed."
    blocks = ["# Stress tests", textwrap.fill(headline, 120)]
    for part, title in parts.items():
        rows = frame.filter(part=part).to_dicts()
        if not rows:
            continue
        seconds = part == "killed"
        head = ["", "trials", "failed", *(["seconds to the end"] if seconds else [])]
        lines = [head, ["---", *("---:" for _ in head[1:])]]
        lines += [
            [
                trial["trial"],
                f"{trial['tried']:,}",
                str(trial["wrong"]),
                *([f"{trial['slowest']:.1f}"] if seconds else []),
            ]
            for trial in rows
        ]
        blocks += [f"## {title}", textwrap.fill(captions[part], 120)]
        blocks += ["\n".join(f"| {' | '.join(line)} |" for line in lines)]
        blocks += [textwrap.fill(f"- {trial['trial']}: {trial['message']}", 120) for trial in rows if trial["wrong"]]
    blocks.append(f"Written by `{command}`.")
    return "\n\n".join(blocks) + "\n"


@click.command()
@click.option(
    "--moments", default=50, show_default=True, help="Moments at which each verb is killed, shared by its commands."
)
@click.option("--faults", default=5, show_default=True, help="Moments at which each fault of a cluster comes.")
@click.option("--number", default="100k", show_default=True, help="Invalid inputs for each parser; see fuzz.py.")
@click.option("--seconds", default=math.inf, help="The most seconds for each parser.", show_default=False)
@click.option("--seed", default=1, show_default=True)
@click.option("--only", default="", help="Run again the trials whose 'part: name' contains this text.")
@click.option("--quick", is_flag=True, help="Two moments a command and little of the rest; nothing is written.")
def main(moments: int, faults: int, number: str, seconds: float, seed: int, only: str, quick: bool) -> None:
    """Run all trials, and write the table and the page after each; others may do the same at the same time."""
    many = 300 if quick else arguments.count("--number", number, 1, 10**9)
    command = " ".join([COMMAND, *sys.argv[1:]])
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    frame = pl.DataFrame(schema=SCHEMA)

    def load() -> None:
        nonlocal command, rows
        if TABLE.exists() and not quick:
            stored, metadata = read(TABLE)
            command, rows = metadata["command"], {(row["part"], row["trial"]): row for row in stored.to_dicts()}

    load()

    def wanted(part: str, trial: str) -> bool:
        return only in f"{part}: {trial}" and (bool(only) or (part, trial) not in rows)

    parts = (
        all_kills(wanted, moments, seed, quick),
        failures(wanted, quick),
        lost(wanted, faults, seed, quick),
        fuzzed(wanted, many, seed, seconds),
    )
    for row in chain.from_iterable(parts):
        load()
        rows[row["part"], row["trial"]] = row
        click.echo(f"{row['trial']}: {row['tried']:,} tried, {row['wrong']} wrong {row['message']}", err=True)
        frame = pl.DataFrame(list(rows.values()), schema=SCHEMA, orient="row")
        if not quick:
            write(frame, TABLE, {"version": __version__, "command": command, "seed": seed, "schema": "trials/2"})
            PAGE.write_text(page(frame, command), "utf-8")
    if quick:
        click.echo(page(frame))
        raise SystemExit(int(frame["wrong"].sum() > 0))


if __name__ == "__main__":
    main()
