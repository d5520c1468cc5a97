"""Compiling ahead of time, the messages meanwhile, and compiling without private parts of numba."""

from __future__ import annotations

import ctypes
import os
import pkgutil
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import NamedTuple

import numpy as np
import pytest

from cirulla_sim.core import compiling
from cirulla_sim.core.locale import language
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import progress
from cirulla_sim.kernel import compiler, entries, jit, machine_code, types
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.verbs import warmup


def test_every_entry_point_is_compiled_ahead_of_time() -> None:
    names = [name for group in warmup._groups() for name in group]
    assert sorted(names) == sorted(module.name for module in pkgutil.iter_modules(entries.__path__))


def test_a_process_that_fails_is_reported_in_one_line() -> None:
    with pytest.raises(RuntimeError, match="compiling nothing failed: ModuleNotFoundError") as raised:
        warmup._compile([], ("nothing",))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("at_terminal", [True, False])
def test_compiling_is_announced_once_and_only_at_a_terminal(
    at_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = []
    monkeypatch.setattr(compiler, "compiled_entry", lambda *_: seen.append(compiling.under_way.is_set()))
    monkeypatch.setattr(compiling, "_begun", Event())
    monkeypatch.setattr(compiling, "_message", language("it").message)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: at_terminal, raising=False)
    for _ in range(2):
        jit._compiled(None, None)
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("Compilo quel che serve (una volta sola, ") == at_terminal
    assert (seen, compiling.under_way.is_set()) == ([True, True], False)


def test_the_bar_begins_with_the_first_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that compiling is in neither the rate nor the time left."""
    calls: list[tuple[int, int]] = []

    class Bar:
        def __init__(self, total: int, initial: int, **others: object) -> None:
            calls.append((initial, total))

        def update(self, number: int) -> None:
            calls.append((number, 0))

        def close(self) -> None:
            calls.append((0, 0))

    monkeypatch.setattr(progress, "_bar_class", lambda: Bar)
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    with progress.progress_bar(100, 10, True) as played:
        assert calls == []
        played(5)
        assert calls == [(15, 100)]
        played(7)
    assert calls == [(15, 100), (7, 0), (0, 0)]
    with progress.progress_bar(100, 10, True):  # nothing was played
        pass
    assert len(calls) == 3


def test_an_interruption_that_a_callback_swallows_is_raised_after_it() -> None:
    called_back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

    def compiling() -> None:
        with jit.interrupts_heard():
            called_back()
            for _ in range(1000):  # one long sleep would end before it is heard
                time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        compiling()


def twice(x):  # type: ignore[no-untyped-def]
    return x + x


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of compiled code of its own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    jit.cache_folder.cache_clear()
    path = jit.cache_folder()
    assert path is not None
    yield path
    jit.cache_folder.cache_clear()


ENTRY = jit.entry(types.uint64(types.uint64))


def test_changed_sources_are_not_compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise code loaded before and after a change would be cached as one state."""
    monkeypatch.setattr(jit, "digest_of_sources", lambda: "another state")
    with pytest.raises(OSError, match=r"has changed on the disk since this began \(start it again\)"):
        ENTRY(twice)
    assert not list(folder.iterdir())


def test_what_is_compiled_once_is_loaded_by_everybody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ENTRY(twice)(21) == 42
    monkeypatch.setattr(jit, "_compiled", lambda *arguments: pytest.fail("compiled again"))
    assert ENTRY(twice)(2**63 + 4) == 8


@pytest.mark.parametrize("left", [0, 31, 32, 0.5, 0.999])
def test_a_damaged_file_of_compiled_code_is_compiled_again(left: float, folder: Path) -> None:
    ENTRY(twice)
    [file] = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: int(left * len(whole)) if left < 1 else left])
    assert machine_code.read(file) is None
    assert ENTRY(twice)(21) == 42
    assert machine_code.read(file)


def test_code_of_another_processor_is_not_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ENTRY(twice)
    monkeypatch.setattr(machine_code, "processor", lambda: "another")
    ENTRY(twice)
    assert len(list(folder.iterdir())) == 2


def test_a_folder_that_goes_away_is_not_needed(folder: Path) -> None:
    folder.rmdir()
    assert ENTRY(twice)(21) == 42


def test_code_is_not_generated_for_another_calling_convention(folder: Path) -> None:
    with pytest.raises(TypeError, match="takes i64, not ptr, ptr, i64"):
        machine_code.generate("define i32 @f(i64 %x) { ret i32 0 }", ("ptr", "ptr", "i64"))


def test_code_that_calls_other_libraries_is_not_generated() -> None:
    text = "declare float @sqrtf(float)\ndefine float @f(float %x) {\n%y = call float @sqrtf(float %x)\nret float %y\n}"
    with pytest.raises(TypeError, match="calls sqrtf, which is not compiled here"):
        machine_code.generate(text, ("float",))


WORDS = types.uint64[:, ::1]
PAIR = np.dtype([("a", np.uint64), ("b", np.float32)], align=True)


class Both(NamedTuple):
    """A number and an array."""

    number: int
    words: np.ndarray


def everything(truth, real, record, words, both):  # type: ignore[no-untyped-def]
    if truth:
        record.a += np.uint64(words[1, 2]) + both.words[0, 0]
    record.b = np.float32(real)
    return record.a, np.uint64(both.number)


def test_arguments_of_every_kind_reach_compiled_code(folder: Path) -> None:
    taken = (types.boolean, types.float64, types.Record(PAIR), WORDS, types.NamedTuple((types.int64, WORDS), Both))
    called = jit.entry(types.UniTuple(types.uint64, 2)(*taken))(everything)
    record = np.zeros(1, np.dtype((np.record, PAIR)))[0]
    words = np.arange(6, dtype=np.uint64).reshape(2, 3)
    assert called(True, 0.5, record, words, Both(7, words + np.uint64(10))) == (15, 7)
    assert (record.a, record.b) == (15, 0.5)


@pytest.mark.parametrize(
    "wrong", [np.zeros((2, 3)), np.zeros(6, np.uint64), np.zeros((3, 2), np.uint64).T, [[1, 2, 3]], None, 3]
)
def test_arguments_of_other_types_are_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        WORDS.flatten(wrong)
    with pytest.raises(TypeError):
        types.Record(PAIR).flatten(wrong)
    with pytest.raises(TypeError):
        types.NamedTuple((types.int64, WORDS), Both).flatten(wrong)


def test_an_array_that_cannot_be_written_is_refused_unless_it_is_only_read() -> None:
    words = np.zeros(2, np.uint64)
    words.flags.writeable = False
    with pytest.raises(TypeError):
        types.uint64[::1].flatten(words)
    assert types.Array(types.uint64, 1, readonly=True).flatten(words)[2:4] == (2, 8)


@pytest.mark.parametrize(("mode", "read"), [(0o700, True), (0o755, True), (0o775, False), (0o707, False)])
def test_a_cache_that_others_can_write_is_not_read(
    mode: int, read: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.chmod(mode)
    jit.cache_folder.cache_clear()
    assert (jit.cache_folder() == folder) is read
    output = capsys.readouterr().err
    assert output.count("\n") == (not read)
    assert read or "can be written by others: what is compiled there is not used" in output


_WARM = """
import sys
from cirulla_sim.cli import main
try:
    main(sys.argv[1:])
except SystemExit as stop:
    assert stop.code == 0
heavy = {"numba", "scipy", "pandas", "matplotlib", "tqdm", "asyncio"} & set(sys.modules)
print(sorted(heavy), file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "simulate --hands 100",
        "odds barsega --given matta",
        "odds can_sweep --at 'table: 3c 5d; me: 7d Ks; to play: next'",
        "describe FILE",
    ],
)
def test_a_start_with_everything_compiled_imports_neither_numba_nor_scipy(command: str, tmp_path: Path) -> None:
    file = str(tmp_path / "result.parquet")
    for line in (f"simulate --policy random --hands 100 -o {file}", command, command):  # the first two may compile
        words = [word.replace("FILE", file) for word in shlex.split(line)]
        done = subprocess.run([sys.executable, "-c", _WARM, *words], capture_output=True, encoding="utf-8", check=True)
    assert done.stderr.splitlines()[-1] == "[]"


_BROKEN = {
    "missing": "del typed_passes.NativeLowering",
    "part": "from cirulla_sim.kernel import whole; whole._Part.finalize = None",
    "entry point": "from cirulla_sim.kernel import whole; whole._Whole.finalize = None",
}
"""Ways in which ``kernel/whole.py`` can fail: when it is imported, at the first function, or after some."""

_LOGGED = """
import logging
from numba.core import typed_passes
logging.basicConfig(level=logging.INFO)
{broken}
from cirulla_sim.kernel import jit, types
"""


def run_broken(broken: str, program: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a process where ``kernel/whole.py`` fails, with a cache folder of its own."""
    return subprocess.run(
        [sys.executable, "-c", _LOGGED.format(broken=_BROKEN[broken]) + program],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)}, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("broken", _BROKEN)
def test_functions_compile_without_private_parts_of_numba(broken: str, tmp_path: Path) -> None:
    program = """
@jit.noinline
def twice(x):
    return x + x

@jit.inline
def four_times(x):
    return twice(x) + twice(x)

def eight_times(x):
    return four_times(x) + four_times(x)

print(jit.entry(types.uint64(types.uint64))(eight_times)(5))
"""
    done = run_broken(broken, program, tmp_path)
    assert done.stdout == "40\n"
    assert done.stderr.count("INFO:cirulla_sim:") == done.stderr.count("\n") == 1
    assert "so compiling takes two to five times as long" in done.stderr


@pytest.mark.slow
def test_hands_are_the_same_without_private_parts_of_numba(tmp_path: Path) -> None:
    program = """
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.rules_model import Rules
print(play_chunk(Experiment(Rules(), ("random",), 1, 5), 0, 500)[0].tolist())
"""
    usual = play_chunk(Experiment(Rules(), ("random",), 1, 5), 0, 500)[0].tolist()
    assert run_broken("missing", program, tmp_path).stdout == f"{usual}\n"
