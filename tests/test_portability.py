"""What differs on Windows and macOS, simulated: signals, open files, encodings, paths, media types."""

from __future__ import annotations

import ctypes
import errno
import mimetypes
import os
import subprocess
import sys
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from browsing import client

import cirulla_sim as cs
from cirulla_sim.cli import _texts
from cirulla_sim.core import locale
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import policies
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.storage import atomic_files

ROOT = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-X", "warn_default_encoding", "-m", "cirulla_sim"]
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""An environment in which Python takes pipes and files for ASCII, as it takes them for cp1252 on Windows."""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_pipe_gets_the_same_bytes_in_every_locale(form: str, tmp_path: Path) -> None:
    command = [*PROGRAM, "simulate", "--policy", "greedy", "--hands", "200", "--format", form, "--lang", "it"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    utf_8, ascii = (
        subprocess.run(command, capture_output=True, env=environment | more, cwd=tmp_path, check=True)
        for more in ({}, ASCII)
    )
    assert (ascii.stdout, ascii.stderr) == (utf_8.stdout, utf_8.stderr)
    assert ascii.stdout.decode("utf-8").isascii() == (form == "json")


@pytest.mark.slow
def test_files_are_read_and_written_in_utf_8_in_every_locale(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('preset = "cirulla"\n# più veloce\n', "utf-8")
    for words in ("simulate --rules mine.toml --policy greedy --hands 50 -o x.parquet", "report x.parquet -o pages",
                  "plot x.parquet -o x.svg", "play --players 2 -o game.jsonl"):  # fmt: skip
        done = subprocess.run([*PROGRAM, *words.split()], capture_output=True, env=os.environ | ASCII, cwd=tmp_path,
                              stdin=subprocess.DEVNULL)  # fmt: skip
        assert done.returncode == 0, done.stderr
        warned = [line for line in done.stderr.decode("utf-8").splitlines() if "EncodingWarning" in line]
        assert not [line for line in warned if "cirulla_sim" in line]
    written = [path for path in tmp_path.rglob("*") if path.suffix in (".html", ".css", ".svg", ".jsonl")]
    assert len(written) > 5
    assert not any(b"\r" in path.read_bytes() or not path.read_text("utf-8") for path in written)


def refusing(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows, where a file is open in another program for so many attempts to replace it."""
    replaced, left = Path.replace, iter(range(times))

    def replace(path: Path, target: Any) -> Path:
        if next(left, None) is not None:
            raise PermissionError(errno.EACCES, "The process cannot access the file", str(path))
        return replaced(path, target)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(atomic_files, "REPLACE_SECONDS", 0.2)


def test_a_file_open_in_another_program_is_replaced_when_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.txt"
    file.write_text("old", "utf-8")
    with monkeypatch.context() as windows:
        refusing(3, windows)
        with atomic_files.whole_file(file) as part:
            part.write_text("new", "utf-8")
    assert file.read_text("utf-8") == "new"
    with monkeypatch.context() as windows:
        refusing(10**6, windows)
        with pytest.raises(InputError, match=r"x.txt: cannot be written"), atomic_files.whole_file(file) as part:
            part.write_text("newer", "utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


def test_no_file_is_open_when_it_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are cut, merged and moved while none of them is open or mapped, by the list of the system."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("open files are named by /proc")
    replaced = Path.replace

    def replace(path: Path, target: Any) -> Path:
        opened = [os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
        for name in (str(path), str(target)):
            assert name not in opened
            assert name not in maps.read_text("utf-8")
        return replaced(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr("cirulla_sim.storage.records.ROW_GROUP", 100)
    run: dict[str, Any] = {"policy": "greedy", "players": 2, "output": tmp_path / "x.parquet", "progress": False}
    run["records"] = tmp_path / "r.parquet"
    cs.simulate(**run, hands=350)
    cs.simulate(**run, hands=950)
    rows = pl.read_parquet(run["records"])
    assert rows["hand"].to_list() == list(range(950))
    run |= {"output": tmp_path / "y.parquet", "records": tmp_path / "s.parquet"}
    cs.simulate(**run, hands=950)
    assert rows.equals(pl.read_parquet(run["records"]))


def test_a_policy_in_a_file_with_a_drive_letter() -> None:
    name = r"C:\cards\mine.py:play"
    policies.check_policy(name)
    assert policies.is_own(name)
    assert policies.in_file(name)
    assert policies._module(name) == r"C:\cards\mine.py"
    assert LineUp.parse(f"us={name}, them=careful").policies == (("us", name), ("them", "careful"))
    with pytest.raises(InputError, match="is not valid"):
        policies.check_policy(r"C:\cards\mine.py")


def test_wildcards_are_expanded_where_no_shell_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.parquet", "a.parquet", "c.txt"):
        Path(name).touch()
    words = ["report", "*.parquet", "x?.parquet", "points * 2", "*"]
    assert _texts(words) == words
    monkeypatch.setattr(sys, "platform", "win32")
    assert _texts(words) == ["report", "a.parquet", "b.parquet", *words[2:]]


def test_the_language_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert locale.preferred_language({}) == "en"
    monkeypatch.setattr(sys, "platform", "win32")
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: 0x0410)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert (locale.preferred_language({}), locale.preferred_language({"LANG": "en_GB.UTF-8"})) == ("it", "en")


def test_static_files_have_their_types_whatever_the_registry_says(monkeypatch: pytest.MonkeyPatch) -> None:
    mimetypes.init()
    monkeypatch.setitem(mimetypes._db.types_map[True], ".js", "text/plain")  # type: ignore[attr-defined]
    assert client().get("/static/page.js").headers["content-type"].startswith("text/javascript")


def test_names_of_files_of_the_package_are_valid_on_windows() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False).stdout
    names = [name for name in listed.splitlines() if name]
    assert len({name.casefold() for name in names}) == len(names)
    assert not [name for name in names if PureWindowsPath(name).is_reserved() or set(name) & set('<>:"|?*\\')]
