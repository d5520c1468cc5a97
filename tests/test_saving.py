"""Checkpoints: written regularly and on every exit, resumed by the same command, one writer per file."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError, NotWritten
from cirulla_sim.experiments import checkpoints, runner, tournament
from cirulla_sim.storage.atomic_files import sole_writer
from cirulla_sim.storage.tables import read_table


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure costs in a moment: they change no result."""
    monkeypatch.setattr(tournament, "_MEASURED_SECONDS", 0.002)


NIGHT = "night: 4 pairs greedy, "
ARGUMENTS: dict[str, dict[str, Any]] = {
    "simulate": {"policy": "greedy", "hands": 10_000},
    "games": {"policy": "greedy", "games": 1500},
    "games of a map": {"win_table": True, "rule": "target=11", "policy": "us=greedy, them=random", "hands": 10_000},
    "games from a score": {"at": "score: 30-41; i am: dealer", "policy": "greedy", "hands": 20_000},
    "compare": {"policy": "greedy", "hands": 3000, "house": "no-matta"},
    "compare rare deals of line-ups": {"policy": ["greedy", "random"], "hands": 3000, "house": "table-nine"},
    "compare nights": {
        "at": NIGHT + "swiss, 2 rounds of 2 hands",
        "against": NIGHT + "knock-out, 2 hands a round",
        "players": 2,
        "hands": 2000,
    },
    "tournament": {"policy": ["random", "greedy"], "hands": 2000, "players": 2},
    "odds": {"question": ["wins(us)", "max(points)"], "by": "sweeps(us)", "policy": "greedy", "hands": 10_000},
    "advise": {"at": "table: 5h 2c Kd; me: 7d 2s Jh", "players": 2, "policy": "greedy", "samples": 9000},
}


def run_verb(verb: str, file: Path, **options: Any) -> cs.Result:
    function: Callable[..., cs.Result] = getattr(cs, verb.split()[0])
    return function(**ARGUMENTS[verb] | options, output=file, progress=False)


def unit_of(verb: str) -> str:
    return next(unit for unit in ("games", "samples", "hands") if unit in ARGUMENTS[verb])


def done_in(file: Path, verb: str) -> int:
    return int(read_table(file)[1][unit_of(verb)])


def fails_after(parts: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a function of the package fail after it has played some parts."""
    module, _, function = name.rpartition(".")
    play, played = getattr(sys.modules[module], function), []

    def failing(*arguments: Any) -> Any:
        played.append(arguments)
        if len(played) > parts:
            raise RuntimeError("a fault")
        return play(*arguments)

    monkeypatch.setattr(name, failing)


@pytest.mark.parametrize("verb", ARGUMENTS)
def test_after_a_fault_the_same_command_resumes_to_the_same_bytes(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, other = tmp_path / "whole.parquet", tmp_path / "other.parquet"
    run_verb(verb, whole)
    with monkeypatch.context() as during:
        during.setattr("cirulla_sim.experiments.tournament.PART_SECONDS", 1e-4)
        games = verb == "tournament"
        playing, parts = ("experiments.tournament.play_deals", 9) if games else ("engine.engines._timed", 2)
        fails_after(parts, f"cirulla_sim.{playing}", during)
        with pytest.raises(RuntimeError, match="a fault"):
            run_verb(verb, other, threads=1)
    done = done_in(other, verb)
    assert 0 < done < ARGUMENTS[verb][unit_of(verb)]
    assert read_table(other)[1]["stopped"] == "interrupted"
    assert str(cs.read(other)).strip()
    resumed = run_verb(verb, other)
    if verb != "tournament":
        assert any(remark.startswith(f"Resumed after {done:_} ") for remark in resumed.remarks)
    assert other.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [other, whole]


@pytest.mark.parametrize("verb", ARGUMENTS)
def test_a_complete_run_is_not_repeated_and_can_be_extended(verb: str, tmp_path: Path) -> None:
    unit = unit_of(verb)
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    run_verb(verb, file)
    before = file.read_bytes()
    again = run_verb(verb, file)
    assert file.read_bytes() == before
    if verb != "tournament":
        assert any("nothing was played" in remark for remark in again.remarks)
    extended = {unit: ARGUMENTS[verb][unit] + 1500}
    run_verb(verb, file, **extended)
    run_verb(verb, whole, **extended)
    assert file.read_bytes() == whole.read_bytes()
    with pytest.raises(InputError, match=r"less than the .* \(give --force to replace it, or name another file\)"):
        run_verb(verb, file)
    with pytest.raises(InputError, match=r"-o .*: seed is 1 there and 2 here \(give --force"):
        run_verb(verb, file, seed=2, **extended)
    assert file.read_bytes() == whole.read_bytes()
    assert run_verb(verb, file, seed=2, force=True).metadata["seed"] == read_table(file)[1]["seed"] == 2


@pytest.mark.parametrize("job", [{"at": "score: 3-4"}, {"win_table": True}])
def test_hands_without_a_result_yet_are_saved(job: dict[str, Any], tmp_path: Path) -> None:
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    question: dict[str, Any] = {"rules": "scopa", "policy": "random", "progress": False} | job
    with pytest.raises(InputError, match="in 1 hands nothing has broken a tie"):
        cs.games(**question, hands=1, output=file)
    assert cs.read(file).frame.is_empty()
    assert "1 hand before an interruption" in cs.read(file).describe()
    assert "Resumed after 1 hands." in cs.games(**question, hands=100, output=file).remarks
    cs.games(**question, hands=100, output=whole)
    assert file.read_bytes() == whole.read_bytes()


def test_a_run_with_a_changed_policy_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command with another policy under the same name, as after an edit of its file."""
    monkeypatch.chdir(tmp_path)
    policy, file = tmp_path / "mine.py", tmp_path / "x.parquet"
    policy.write_text("def first(view, plays):\n    return 0\n", "utf-8")
    question: dict[str, Any] = {"policy": "mine.py:first", "progress": False, "output": file}
    cs.simulate(**question, hands=1000)
    policy.write_text("def first(view, plays):\n    return len(plays) - 1\n", "utf-8")
    with pytest.raises(InputError, match=r"-o .*: fingerprint is .* \(give --force to replace it, or name another"):
        cs.simulate(**question, hands=2000)


def test_a_run_is_resumed_by_versions_with_the_same_hands_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier, whole = tmp_path / "earlier.parquet", tmp_path / "whole.parquet"
    with monkeypatch.context() as then:
        for module in (checkpoints, runner):
            then.setattr(module, "VERSION", "0.0.earlier")
        run_verb("simulate", earlier, hands=5000)
    with pytest.raises(InputError, match=r"version is '0\.0\.earlier' there"):
        run_verb("simulate", earlier)
    monkeypatch.setattr(checkpoints, "SAME_HANDS", (checkpoints.VERSION, "0.0.earlier"))
    run_verb("simulate", earlier)
    run_verb("simulate", whole)
    assert earlier.read_bytes() == whole.read_bytes()


def test_a_signal_while_a_table_is_computed_loses_no_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, file = tmp_path / "whole.parquet", tmp_path / "file.parquet"
    run_verb("tournament", whole)
    with monkeypatch.context() as during:
        during.setattr("cirulla_sim.experiments.tournament.game_chance", lambda *_: signal.raise_signal(signal.SIGTERM))
        with pytest.raises(KeyboardInterrupt):
            run_verb("tournament", file)
    assert read_table(file)[1]["hands"] == ARGUMENTS["tournament"]["hands"]
    run_verb("tournament", file)
    assert file.read_bytes() == whole.read_bytes()


def test_records_are_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints after every chunk, two failures; hands after the last checkpoint are played again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cirulla_sim.storage.records.ROW_GROUP", 1000)
    whole, rows, other, other_rows = (Path(f"{name}.parquet") for name in ("whole", "rows", "other", "others"))
    run_verb("simulate", whole, records=rows)
    with monkeypatch.context() as during:
        fails_after(3, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            run_verb("simulate", other, records=other_rows, engine="serial", save_every=1e-9)
    done = read_table(other)[1]["hands"]
    with pa.ipc.open_stream("others.parquet.partial") as stream:
        assert json.loads(stream.schema.metadata[b"cirulla_sim"])["stopped"] == "interrupted"
        assert len(batches := list(stream)) > 1
    assert pl.read_ipc_stream("others.parquet.partial")["hand"].to_list() == list(range(done))
    assert pa.Table.from_batches(batches)["hand"].to_pylist() == list(range(done))
    before = other.read_bytes()
    with monkeypatch.context() as during:  # killed after a part was ended and before the run was saved
        fails_after(4, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            run_verb("simulate", other, records=other_rows, engine="serial")
    other.write_bytes(before)
    with pytest.raises(InputError, match=r"'others.parquet.partial' is there already \(give --force"):
        run_verb("simulate", Path("new.parquet"), records=other_rows)
    run_verb("simulate", other, records=other_rows)
    assert (other.read_bytes(), other_rows.read_bytes()) == (whole.read_bytes(), rows.read_bytes())
    run_verb("simulate", other, records=other_rows)
    extended = {"hands": ARGUMENTS["simulate"]["hands"] + 5000}
    run_verb("simulate", other, records=other_rows, **extended)
    run_verb("simulate", whole, records=rows, force=True, **extended)
    assert (other.read_bytes(), other_rows.read_bytes()) == (whole.read_bytes(), rows.read_bytes())
    assert sorted(os.listdir()) == ["other.parquet", "others.parquet", "rows.parquet", "whole.parquet"]
    rows.unlink()
    with pytest.raises(InputError, match=r"the rows of hands 0 to .* are not there \(give --force to begin again\)"):
        run_verb("simulate", whole, records=rows, **extended)


def test_records_alone_are_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file for the table there is a checkpoint beside the rows, until all are there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cirulla_sim.storage.records.ROW_GROUP", 2000)
    question: dict[str, Any] = {"policy": "greedy", "hands": 20_000, "progress": False}
    whole, rows = Path("whole.parquet"), Path("rows.parquet")
    cs.simulate(**question, records=whole)
    with monkeypatch.context() as during:
        fails_after(3, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            cs.simulate(**question, records=rows, engine="serial")
    assert sorted(os.listdir()) == ["rows.parquet.checkpoint", "rows.parquet.partial", "whole.parquet"]
    assert any("Resumed after" in remark for remark in cs.simulate(**question, records=rows).remarks)
    assert rows.read_bytes() == whole.read_bytes()
    assert sorted(os.listdir()) == ["rows.parquet", "whole.parquet"]


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    dead = tmp_path / ".x.parquet.abc.part"
    dead.write_bytes(b"half")
    with sole_writer(file):
        assert not dead.exists()
        with pytest.raises(InputError, match="another run is writing it"):
            run_verb("simulate", file)
    run_verb("simulate", file)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", [b"x" * 247, b"\xff\xfe", "è – ‘7♥’\n".encode(), b"*?[a] {b}"])
def test_files_have_any_name_that_the_system_allows(
    name: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Locks, temporary files, checkpoints and rows of runs under way have names of their own, none too long."""
    monkeypatch.chdir(tmp_path)
    file, rows = os.fsdecode(name + b".parquet"), os.fsdecode(name[:-1] + b"y.parquet")
    words = ["simulate", "--policy", "greedy", "--hands", "300", "--threads", "1", "--records", rows]
    with monkeypatch.context() as during:
        fails_after(2, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            main(words)
    assert len(os.listdir()) == 2
    for command in (words, [*words, "--force", "-o", file], ["table", file]):
        with pytest.raises(SystemExit) as end:
            main(command)
        assert end.value.code in (None, 0), capfd.readouterr().err
    assert sorted(os.listdir()) == sorted([file, rows])


def test_a_full_disk_does_not_take_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The table is printed, the last line says what is not written, and a checkpoint that was written stays."""
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "--policy", "greedy", "--hands", "300", "-o", "x.parquet"]
    with pytest.raises(SystemExit):
        main([*command[:-2], "--raw"])
    table = capfd.readouterr().out

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        with pytest.raises(SystemExit) as end:
            main([*command, "--raw"])
        assert (end.value.code, capfd.readouterr()) == (
            1, (table, f"cirulla-sim: x.parquet: {os.strerror(errno.ENOSPC)}\n")
        )  # fmt: skip
        with pytest.raises(NotWritten) as unwritten:
            cs.simulate(policy="greedy", hands=300, output="x.parquet", progress=False)
    assert unwritten.value.result.metadata["hands"] == 300
    assert os.listdir() == []


PROGRAM = "from cirulla_sim.cli import main; main()"


def test_the_first_checkpoint_comes_soon_and_later_ones_further_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on a second a growth; seldom where writing takes long."""
    now, saved = [0.0], list[float]()
    monkeypatch.setattr(checkpoints, "monotonic", lambda: now[0])

    def times(every: float, takes: float = 0.0) -> list[float]:
        now[0] = 0.0
        saved.clear()
        autosave = checkpoints.Autosave(lambda run: write(takes), every, False)
        for _ in range(300):
            now[0] += 1
            autosave.on_growth("a run")
        return saved[:]

    def write(takes: float) -> None:
        saved.append(now[0])
        now[0] += takes

    assert times(60.0) == [3, 9, 21, 45, 93, 153, 213, 273]
    assert times(2.0)[:3] == [2, 4, 6]
    assert times(60.0, 1.0)[:4] == [3, 10, 111, 212]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="programs cannot be sent signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGHUP"])
def test_a_killed_run_loses_only_hands_after_its_last_checkpoint(name: str, tmp_path: Path) -> None:
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    command = ["simulate", "--policy", "greedy", "--save-every", "0.1", "-o", str(file)]
    run = subprocess.Popen([sys.executable, "-c", PROGRAM, *command, "--hands", "10G"], stderr=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)  # fmt: skip
    while not file.exists():
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(getattr(signal, name))
    assert run.wait() == (-signal.SIGKILL if name == "SIGKILL" else 130)
    hands = read_table(file)[1]["hands"]
    assert hands > 0
    cs.simulate(policy="greedy", hands=hands + 1000, output=file, progress=False)
    cs.simulate(policy="greedy", hands=hands + 1000, output=whole, progress=False)
    assert file.read_bytes() == whole.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["file.parquet", "whole.parquet"]


ENDLESS = """
from pathlib import Path
Path("read").touch()
def endless(view, plays):
    while len(plays) > 0:
        pass
    return 0
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="programs cannot be sent signals")
def test_an_endless_policy_is_stopped_by_a_signal(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ENDLESS, "utf-8")
    command = ["simulate", "--policy", "mine.py:endless", "-o", "x.parquet"]
    run = subprocess.Popen([sys.executable, "-c", PROGRAM, *command], cwd=tmp_path, stderr=subprocess.PIPE,
                           stdout=subprocess.DEVNULL, encoding="utf-8")  # fmt: skip
    while not (tmp_path / "read").exists():
        assert run.poll() is None
        time.sleep(0.02)
    time.sleep(2)  # it is compiled by now, or soon
    run.send_signal(signal.SIGINT)
    output = run.communicate(timeout=60)[1].strip()
    assert (run.returncode, output) == (130, "cirulla-sim: interrupted")
