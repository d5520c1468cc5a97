"""Every operation on files fails in turn: one line says why, what was complete is kept, the same command continues.

A layer over Python's own functions counts the operations of an undisturbed run, then fails one of them, or all from
one on, as a full or broken disk does.
"""

from __future__ import annotations

import errno
import io
import itertools
import json
import math
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.engine.engines import Even
from cirulla_sim.experiments import tournament
from cirulla_sim.reporting.page.site import site
from cirulla_sim.storage import records
from cirulla_sim.storage.tables import read_table

GREEDY = "--policy greedy --players 2"
POSITION = "table: 5h 2c Kd; me: 7d 2s Jh"
COMMANDS = {
    "simulate": f"simulate {GREEDY} --hands 1000 --save-every 1e-9 -o out.parquet",
    "combine": "combine a.parquet b.parquet -o out.parquet",
    "records": f"simulate {GREEDY} --hands 2000 --save-every 1e-9 -o out.parquet --records rows.parquet",
    "records alone": f"simulate {GREEDY} --hands 2000 --records rows.parquet",
    "compare games": f"compare {GREEDY} --house short-game --games 50 --hands 200 -o out.parquet",
    "tournament": "tournament --policy greedy --policy random --players 2 --hands 1000 -o out.parquet",
    "odds, counted and simulated": "odds barsega --check 2000 -o out.parquet",
    "advise": f"advise --at '{POSITION}' --players 2 --policy greedy --samples 64 -o out.parquet",
    "play": "play --policy greedy --seed 8 -o out.jsonl",
    "plot": "plot a.parquet -o out.png",
    "report": "report a.parquet -o out",
    "report again": "report a.parquet -o old",
}
QUICK = ("simulate", "combine")
"""The others write their files in the same ways."""

CAUSES = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EACCES)
DRAWING = ("plot", "report", "report again")
"""Commands that draw: the first and the last operation of each kind fail, once."""

ANSWERS = 2
"""Choices of a person at the table, each saved by itself."""


class Faults:
    """Operations on the files of a folder, counted by kind; those from ``first`` to ``last`` of a kind fail."""

    def __init__(self, folder: Path, kind: str = "", first: int = 0, last: float = 0, cause: int = 0) -> None:
        self.folder, self.kind, self.first, self.last, self.cause = str(folder), kind, first, last, cause
        self.seen: Counter[str] = Counter()

    def happens(self, kind: str, path: str | os.PathLike[str] | int) -> None:
        """Count an operation on a file, and fail if it is its turn; a file that is open already is a number."""
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}")
        if not os.path.abspath(path).startswith(self.folder):
            return
        number = self.seen[kind]
        self.seen[kind] += 1
        if kind == self.kind and self.first <= number <= self.last:
            raise OSError(self.cause, os.strerror(self.cause), None if kind in ("write", "fsync") else str(path))


class Handle:
    """An open file whose writing may fail."""

    def __init__(self, handle: Any, path: Any, faults: Faults) -> None:
        self._handle, self._path, self._faults = handle, path, faults

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()

    def write(self, data: Any) -> Any:
        self._faults.happens("write", self._path)
        return self._handle.write(data)


@contextmanager
def failing(faults: Faults) -> Iterator[None]:
    opened, opened_low, replaced, synced, mkdir = io.open, os.open, os.replace, os.fsync, os.mkdir

    def open_high(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+"):
            return opened(path, mode, *arguments, **options)
        faults.happens("open", path)
        return Handle(opened(path, mode, *arguments, **options), path, faults)

    def open_low(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            faults.happens("open", path)
        return opened_low(path, flags, *arguments, **options)

    def replace(source: Any, target: Any, **options: Any) -> None:
        faults.happens("rename", source)
        replaced(source, target, **options)

    def make(path: Any, *arguments: Any, **options: Any) -> None:
        faults.happens("mkdir", path)
        mkdir(path, *arguments, **options)

    def sync(handle: int) -> None:
        faults.happens("fsync", handle)
        synced(handle)

    with pytest.MonkeyPatch.context() as patched:
        for place, name, function in (
            (io, "open", open_high), (os, "open", open_low), (os, "replace", replace), (os, "fsync", sync),
            (os, "mkdir", make),
        ):  # fmt: skip
            patched.setattr(place, name, function)
        yield


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, first in (("a", 0), ("b", 200)):
        words = f"simulate {GREEDY} --hands 200 --first-hand {first} -o {folder / name}.parquet"
        with pytest.raises(SystemExit):
            main(words.split())
    cs.report([folder / "b.parquet"], output=folder / "old")
    return folder


Run = Callable[[str], tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    pages: dict[str, str] = {}
    monkeypatch.setattr(tournament, "_MEASURED_SECONDS", 0.002)
    monkeypatch.setattr(records, "ROW_GROUP", 500)
    monkeypatch.setattr(records, "MOST_WAITING", 1000)
    monkeypatch.setattr("cirulla_sim.experiments.checkpoints.MOST", 0)
    monkeypatch.setattr("cirulla_sim.engine.engines.Pace", lambda *_: Even(1000))

    monkeypatch.setattr("cirulla_sim.reporting.charts.sheet._as_png", lambda *_: b"a picture")
    monkeypatch.setattr("cirulla_sim.verbs.report.site", lambda *given: pages or pages.update(site(*given)) or pages)
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, file, **__: file.write(b"<svg></svg>"))

    def run(command: str) -> tuple[int, str]:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * (ANSWERS - choices_in(Path("out.jsonl")))))
        with pytest.raises(SystemExit) as end:
            main([*shlex.split(command), *(["--threads", "1"] if "--hands" in command else [])])
        return int(end.value.code or 0), capsys.readouterr().err

    return run


def choices_in(file: Path) -> int:
    """The choices of a person in a saved game."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return sum(len(json.loads(line)["person"]["choices"]) for line in lines)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are named by /proc")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in COMMANDS]
)
def test_each_operation_fails_in_turn(
    name: str, run: Run, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, folder = COMMANDS[name], tmp_path / "work"

    def afresh() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(inputs, folder)
        monkeypatch.chdir(folder)

    afresh()
    before, counting = contents(folder), Faults(folder)
    with failing(counting):
        assert run(command)[0] == 0
    whole = contents(folder)
    assert whole != before
    assert set(counting.seen) >= {"open", "write", "rename", "fsync"}
    causes = itertools.cycle(CAUSES)
    for kind, many in counting.seen.items():
        step = max(1, many - 1 if name in DRAWING else many // 5)  # pyarrow writes each page by itself
        for first in range(0, many, step):
            for last in (first, math.inf) if kind == "write" and name not in DRAWING else (first,):
                cause = next(causes)
                afresh()
                with failing(Faults(folder, kind, first, last, cause)):
                    code, error = run(command)
                where = f"{name}: {kind} {first} to {last}: {os.strerror(cause)}: {code} {error}"
                if code:
                    assert code == 1 or (code == 2 and cause == errno.EACCES), where
                    assert error.count("\n") == 1, where
                    assert error.startswith("cirulla-sim: "), where
                    assert os.strerror(cause) in error, where
                    assert not re.search(r"\.part\b", error), where
                assert not [left for left in folder.rglob("*") if left.name.startswith(".")], where
                after = contents(folder)
                for file in folder.glob("out.parquet"):
                    read_table(file)
                if name == "report again" and after != whole:
                    assert after == before, where
                if code and after != whole:  # it may all be there, and not be known to outlast a loss of power
                    assert run(command)[0] == 0, where
                assert contents(folder) == whole, where
