"""Compiling ahead of time, the messages meanwhile, and compiling without private parts of numba."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cirulla_sim.kernel import jit, machine_code, types


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
        ENTRY(twice).load()
    assert not list(folder.iterdir())


def test_what_is_compiled_once_is_loaded_by_everybody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ENTRY(twice)(21) == 42
    monkeypatch.setattr(jit, "_compiled", lambda *arguments: pytest.fail("compiled again"))
    assert ENTRY(twice)(2**63 + 4) == 8


def lacking(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    has = machine_code.has
    monkeypatch.setattr(machine_code, "has", lambda feature: feature != "avx2" and has(feature))


def damaged(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1] + b"x")


def of_other_sources(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    file.parent.rename(file.parents[1] / "0123456789abcdef-x86-64-v3")


def for_another(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    machine_code.processor.cache_clear()


@pytest.mark.skipif(not machine_code.fits_baseline(), reason="wheels bring no code for this processor")
@pytest.mark.parametrize("spoil", [None, lacking, damaged, of_other_sources, for_another])
def test_the_code_of_a_wheel_is_used_where_it_fits(
    spoil: Callable[..., None] | None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "compiled" / jit.shipped_folder().name
    shipped.mkdir(parents=True)
    file = shipped / "test_warmup.twice.o"
    machine_code.save_code(jit._compiled(twice, ENTRY(twice)._signature), file)
    monkeypatch.setattr(jit, "shipped_folder", lambda: shipped)
    compiled, compile_it = [], jit._compiled
    monkeypatch.setattr(jit, "_compiled", lambda *given: compiled.append(1) or compile_it(*given))
    if spoil is not None:
        spoil(monkeypatch, file)
    assert ENTRY(twice)(21) == 42
    assert len(compiled) == (spoil is not None)
    machine_code.processor.cache_clear()


@pytest.mark.parametrize("left", [0, 31, 32, 0.5, 0.999])
def test_a_damaged_file_of_compiled_code_is_compiled_again(left: float, folder: Path) -> None:
    ENTRY(twice).load()
    [file] = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: int(left * len(whole)) if left < 1 else left])
    assert machine_code.read_code(file) is None
    assert ENTRY(twice)(21) == 42
    assert machine_code.read_code(file)


def test_code_under_the_name_of_another_entry_is_compiled_again(folder: Path) -> None:
    ENTRY(twice).load()
    [file] = folder.iterdir()
    moved = file.rename(file.with_name("another.o"))
    assert machine_code.read_code(moved) is None
    assert machine_code.read_code(moved.rename(file))


def test_code_of_another_processor_is_not_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ENTRY(twice).load()
    monkeypatch.setattr(machine_code, "processor", lambda: "another")
    ENTRY(twice).load()
    assert len(list(folder.iterdir())) == 2


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
