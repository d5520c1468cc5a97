"""Compiling ahead of time, the messages meanwhile, and compiling without private parts of numba."""

from __future__ import annotations

import ctypes
import os
import pkgutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba import types

from cirulla_sim.kernel import entries, jit
from cirulla_sim.verbs import warmup


def test_every_entry_point_is_compiled_ahead_of_time() -> None:
    names = [name for group in warmup._groups() for name in group]
    assert sorted(names) == sorted(module.name for module in pkgutil.iter_modules(entries.__path__))


def test_a_process_that_fails_is_reported_in_one_line() -> None:
    with pytest.raises(RuntimeError, match="compiling nothing failed: ModuleNotFoundError") as raised:
        warmup._compile(("nothing",))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("at_terminal", [True, False])
def test_compiling_is_announced_once_and_only_at_a_terminal(
    at_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: at_terminal, raising=False)
    jit._announce_once.cache_clear()
    for _ in range(2):
        jit._announce_once()
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("Compiling") == at_terminal


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


def test_changed_sources_are_not_compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise code loaded before and after a change would be cached as one state."""
    monkeypatch.setattr(jit, "digest_of_sources", lambda: "another state")
    with pytest.raises(OSError, match=r"has changed on the disk since this began \(start it again\)"):
        jit.entry(types.uint64(types.uint64))(twice)
    assert not list(folder.rglob("*.nb*"))


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 0.5])
def test_a_damaged_file_of_compiled_code_is_compiled_again(kind: str, left: float, folder: Path) -> None:
    compiled = jit.entry(types.uint64(types.uint64))
    compiled(twice)
    [file] = jit._files(folder, twice, kind)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(left * len(whole))])
    assert compiled(twice)(21) == 42
    [file] = jit._files(folder, twice, kind)
    assert len(file.read_bytes()) > 0.9 * len(whole)


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


_BROKEN = {
    "missing": "del typed_passes.NativeLowering",
    "part": "from cirulla_sim.kernel import whole; whole._Part.finalize = None",
    "entry point": "from cirulla_sim.kernel import whole; whole._Whole.finalize = None",
}
"""Ways in which ``kernel/whole.py`` can fail: when it is imported, at the first function, or after some."""

_LOGGED = """
import logging
from numba import types
from numba.core import typed_passes
logging.basicConfig(level=logging.INFO)
{broken}
from cirulla_sim.kernel import jit
"""


def run_broken(broken: str, program: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a process where ``kernel/whole.py`` fails, with a cache folder of its own."""
    return subprocess.run(
        [sys.executable, "-c", _LOGGED.format(broken=_BROKEN[broken]) + program],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)}, capture_output=True, text=True, check=True,
    )  # fmt: skip


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


def test_hands_are_the_same_without_private_parts_of_numba(tmp_path: Path) -> None:
    program = """
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.rules_model import Rules
print(play_chunk(Experiment(Rules(), ("random",), 1, 5), 0, 500)[0].tolist())
"""
    usual = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run_broken("missing", program, tmp_path).stdout == usual.stdout
