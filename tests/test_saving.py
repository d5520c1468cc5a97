"""Checkpoints: written on the way and on any way out, resumed by the same command, by one writer at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments import budget
from cirulla_sim.storage.atomic_files import sole_writer
from cirulla_sim.storage.tables import read


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs are measured in a moment: they change no result."""
    monkeypatch.setattr(budget, "_MEASURED_SECONDS", 0.002)


ASKED: dict[str, dict[str, Any]] = {
    "simulate": {"policy": "greedy", "hands": 20_000},
    "games": {"policy": "greedy", "games": 3000},
    "games of a map": {"win_table": True, "policy": "us=greedy, them=random", "hands": 20_000, "players": 2},
    "games from a score": {"from_": "30-41", "policy": "greedy", "hands": 20_000},
    "games among three": {"from_": "30-41-20", "policy": "greedy", "games": 3000, "players": 3},
    "compare": {"policy": "greedy", "hands": 6000, "house": "no-matta"},
    "tournament": {"policy": ["random", "greedy"], "hands": 2000, "players": 2},
    "advise": {"table": "5h 2c Kd", "holding": "7d 2s Jh", "players": 2, "policy": "greedy", "samples": 9000},
}


def asked(verb: str, file: Path, **more: Any) -> cs.Result:
    function: Callable[..., cs.Result] = getattr(cs, verb.split()[0])
    return function(**ASKED[verb] | more, output=file, progress=False)


def unit_of(verb: str) -> str:
    return next(unit for unit in ("games", "samples", "hands") if unit in ASKED[verb])


def done_in(file: Path, verb: str) -> int:
    return int(read(file)[1][unit_of(verb)])


def fails_after(parts: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What plays a part of a run fails from then on."""
    module, _, function = name.rpartition(".")
    play, played = getattr(sys.modules[module], function), []

    def failing(*arguments: Any) -> Any:
        played.append(arguments)
        if len(played) > parts:
            raise RuntimeError("a fault")
        return play(*arguments)

    monkeypatch.setattr(name, failing)


@pytest.mark.parametrize("verb", ASKED)
def test_a_fault_loses_nothing_and_the_same_command_ends_in_the_same_bytes(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, other = tmp_path / "whole.parquet", tmp_path / "other.parquet"
    asked(verb, whole)
    with monkeypatch.context() as during:
        during.setattr("cirulla_sim.experiments.tournament_pairings.PART_SECONDS", 1e-4)
        playing, parts = (
            ("experiments.tournament_pairings.play", 9) if verb == "tournament" else ("engine.engines._timed", 2)
        )
        fails_after(parts, f"cirulla_sim.{playing}", during)
        with pytest.raises(RuntimeError, match="a fault"):
            asked(verb, other, threads=1)
    done, unit = done_in(other, verb), unit_of(verb)
    assert 0 < done < ASKED[verb][unit]
    assert read(other)[1]["stopped"] == "interrupted"
    assert str(cs.read(other)).strip()
    resumed = asked(verb, other)
    if verb != "tournament":
        assert f"Resumed after {done:_} {unit}." in resumed.remarks
    assert other.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [other, whole]


@pytest.mark.parametrize("verb", ASKED)
def test_what_is_complete_is_not_played_again_and_of_more_goes_on(verb: str, tmp_path: Path) -> None:
    unit = unit_of(verb)
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    asked(verb, file)
    before = file.read_bytes()
    again = asked(verb, file)
    assert file.read_bytes() == before
    if verb != "tournament":
        assert any("nothing was played" in remark for remark in again.remarks)
    more = {unit: ASKED[verb][unit] + 1500}
    asked(verb, file, **more)
    asked(verb, whole, **more)
    assert file.read_bytes() == whole.read_bytes()
    with pytest.raises(InputError, match=r"less than the .* \(give --force to replace it, or name another file\)"):
        asked(verb, file)
    with pytest.raises(InputError, match=r"-o .*: seed is 1 there and 2 here \(give --force"):
        asked(verb, file, seed=2, **more)
    assert file.read_bytes() == whole.read_bytes()
    assert asked(verb, file, seed=2, force=True).metadata["seed"] == read(file)[1]["seed"] == 2


def test_a_chain_and_the_games_that_check_it_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands first, then games: broken off in either, extended in either."""
    whole, other = tmp_path / "whole.parquet", tmp_path / "other.parquet"
    question: dict[str, Any] = {"check": 2000, "engine": "serial"}
    asked("games from a score", whole, **question)
    states = []
    for playing, parts in (("engine.engines._timed", 2), ("experiments.win_chance.won", 2)):
        with monkeypatch.context() as during:
            fails_after(parts, f"cirulla_sim.{playing}", during)
            with pytest.raises(RuntimeError, match="a fault"):
                asked("games from a score", other, **question)
        metadata = read(other)[1]
        states.append((metadata["hands"], metadata["check"]))
        assert metadata["stopped"] == "interrupted"
        assert str(cs.read(other)).strip()
    assert 0 < states[0][0] < states[1][0] == 20_000
    assert 0 == states[0][1] < states[1][1] < 2000
    resumed = asked("games from a score", other, **question).remarks
    assert f"Resumed after 20_000 hands and {states[1][1]} games." in resumed
    assert other.read_bytes() == whole.read_bytes()
    there = asked("games from a score", other, **question).remarks
    assert "All 20_000 hands and 2_000 games were there: nothing was played." in there
    for more in ({"check": 3000}, {"hands": 30_000, "check": 3000}):
        resumed = asked("games from a score", other, **more).remarks
        assert any(remark.startswith("Resumed after 20_000 hands and ") for remark in resumed)
        asked("games from a score", whole, **more, force=True)
        assert other.read_bytes() == whole.read_bytes()
    for fewer in ({"check": 100}, {}):
        with pytest.raises(InputError, match=r"-o .*: holds 3000 games played out, more than --check asks for \(give"):
            asked("games from a score", other, hands=30_000, **fewer)
    assert other.read_bytes() == whole.read_bytes()
    unchecked = tmp_path / "unchecked.parquet"
    asked("games from a score", unchecked, hands=30_000)
    asked("games from a score", unchecked, hands=30_000, check=3000)
    assert unchecked.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("job", [{"from_": "3-4"}, {"win_table": True}])
def test_hands_that_tell_nothing_yet_are_kept(job: dict[str, Any], tmp_path: Path) -> None:
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    question: dict[str, Any] = {"rules": "scopa", "policy": "random", "progress": False} | job
    with pytest.raises(InputError, match="in 1 hands nothing has broken a tie"):
        cs.games(**question, hands=1, output=file)
    assert cs.read(file).frame.is_empty()
    assert "1 hand before an interruption" in cs.read(file).describe()
    assert "Resumed after 1 hands." in cs.games(**question, hands=100, output=file).remarks
    cs.games(**question, hands=100, output=whole)
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"from_": "31-41"}, "from_ is"), ({"dealer": "them"}, "dealer is"),
     ({"policy": "random"}, "holds results of 'greedy', and you asked for 'random'"),
     ({"deal": "me: 7h"}, "deal is"), ({"house": "no-matta"}, "matta is")],
)  # fmt: skip
def test_a_chance_from_a_score_goes_on_for_the_same_question_only(
    changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.parquet"
    asked("games from a score", file, hands=200)
    before = file.read_bytes()
    with pytest.raises(InputError, match=rf"-o .*: {said} .*\(give --force to replace it, or name another file\)"):
        asked("games from a score", file, hands=300, **changed)
    assert file.read_bytes() == before
    asked("games from a score", tmp_path / "y.parquet", hands=300, resume=file)
    asked("games from a score", file, hands=300)
    assert (tmp_path / "y.parquet").read_bytes() == file.read_bytes()


def test_what_plays_otherwise_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command with another policy under the same name, as after an edit of its file."""
    monkeypatch.chdir(tmp_path)
    policy, file = tmp_path / "mine.py", tmp_path / "x.parquet"
    policy.write_text("def first(view, plays):\n    return 0\n")
    question: dict[str, Any] = {"policy": "mine.py:first", "progress": False, "output": file}
    cs.simulate(**question, hands=1000)
    policy.write_text("def first(view, plays):\n    return len(plays) - 1\n")
    with pytest.raises(InputError, match="fingerprint is"):
        cs.simulate(**question, hands=2000)


def test_questions_that_are_simulated_go_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"of": "hand", "by": "scope_us", "policy": "greedy", "threads": 1, "progress": False}
    questions, whole, other = ("won_us", "points_us > 3"), tmp_path / "whole.parquet", tmp_path / "other.parquet"
    cs.odds(questions, **asked, hands=20_000, output=whole)
    with monkeypatch.context() as during:
        fails_after(3, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            cs.odds(questions, **asked, hands=20_000, output=other)
    done = read(other)[1]["hands"]
    assert 0 < done < 20_000
    resumed = cs.odds(questions, **asked, hands=20_000, output=other)
    assert f"Resumed after {done:_} hands." in resumed.remarks
    assert other.read_bytes() == whole.read_bytes()
    for changed in ({"by": "captures_us"}, {"policy": "random"}, {"seed": 2}, {"hands": 100}):
        with pytest.raises(InputError, match="give --force"):
            cs.odds(questions, **{**asked, "hands": 20_000, **changed}, output=other)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_a_table_is_made_loses_no_deal(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, file = tmp_path / "whole.parquet", tmp_path / "file.parquet"
    asked("tournament", whole)
    with monkeypatch.context() as during:
        ended = getattr(signal, name)
        during.setattr("cirulla_sim.experiments.tournament_table.games_won", lambda *_: signal.raise_signal(ended))
        with pytest.raises(KeyboardInterrupt):
            asked("tournament", file)
    assert read(file)[1]["hands"] == ASKED["tournament"]["hands"]
    asked("tournament", file)
    assert file.read_bytes() == whole.read_bytes()


def test_records_go_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved after every chunk, failing twice; rows of hands beyond what was saved are played again."""
    monkeypatch.chdir(tmp_path)
    whole, rows, other, others = (Path(f"{name}.parquet") for name in ("whole", "rows", "other", "others"))
    asked("simulate", whole, records=rows)
    with monkeypatch.context() as during:
        fails_after(3, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            asked("simulate", other, records=others, engine="serial", save_every=1e-9)
    done, parts = read(other)[1]["hands"], sorted(Path("others.parquet.parts").iterdir())
    assert len(parts) > 1
    assert pl.read_parquet(parts)["hand"].to_list() == list(range(done))
    made = json.loads(pl.read_parquet_metadata(parts[0])["cirulla_sim"])
    assert made["stopped"] == "interrupted"
    before = other.read_bytes()
    with monkeypatch.context() as during:  # killed after a part was ended and before the run was saved
        fails_after(4, "cirulla_sim.engine.engines._timed", during)
        with pytest.raises(RuntimeError, match="a fault"):
            asked("simulate", other, records=others, engine="serial")
    other.write_bytes(before)
    with pytest.raises(InputError, match=r"'others.parquet.parts' is there already \(give --force"):
        asked("simulate", Path("new.parquet"), records=others)
    asked("simulate", other, records=others)
    assert (other.read_bytes(), others.read_bytes()) == (whole.read_bytes(), rows.read_bytes())
    asked("simulate", other, records=others)
    more = {"hands": ASKED["simulate"]["hands"] + 70_000}
    asked("simulate", other, records=others, **more)
    asked("simulate", whole, records=rows, force=True, **more)
    assert (other.read_bytes(), others.read_bytes()) == (whole.read_bytes(), rows.read_bytes())
    assert sorted(os.listdir()) == ["other.parquet", "others.parquet", "rows.parquet", "whole.parquet"]
    rows.unlink()
    with pytest.raises(InputError, match=r"the rows of hands 0 to .* are not there \(give --force to begin again\)"):
        asked("simulate", whole, records=rows, **more)


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    dead = tmp_path / ".x.parquet.abc.part"
    dead.write_bytes(b"half")
    with sole_writer(file):
        assert not dead.exists()
        with pytest.raises(InputError, match="another run is writing it"):
            asked("simulate", file)
    asked("simulate", file)
    assert list(tmp_path.iterdir()) == [file]


def test_a_lock_on_a_removed_lock_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B has opened the lock file of A and not locked it yet; A ends and removes it; C begins: B must not begin too."""
    fcntl = pytest.importorskip("fcntl")
    file, flock = tmp_path / "x.parquet", fcntl.flock
    opened, go_on, inside = threading.Event(), threading.Event(), []

    def pausing(handle: int, operation: int) -> None:
        if threading.current_thread().name == "B" and not opened.is_set():
            opened.set()
            assert go_on.wait(60)
        flock(handle, operation)

    def write_in_b() -> None:
        try:
            with sole_writer(file):
                inside.append("B")
        except InputError as error:
            inside.append(str(error))

    monkeypatch.setattr(fcntl, "flock", pausing)
    b = threading.Thread(target=write_in_b, name="B")
    with sole_writer(file):  # A
        b.start()
        assert opened.wait(60)
    with sole_writer(file):  # C
        go_on.set()
        b.join(60)
        assert len(inside) == 1
        assert "another run is writing it" in inside[0]
    with sole_writer(file):
        pass
    assert not list(tmp_path.iterdir())


PROGRAM = "from cirulla_sim.cli import main; main()"


@pytest.mark.parametrize("name", ["SIGKILL", "SIGHUP"])
def test_a_killed_run_loses_no_more_than_since_it_was_saved(name: str, tmp_path: Path) -> None:
    file, whole = tmp_path / "file.parquet", tmp_path / "whole.parquet"
    command = ["simulate", "--policy", "greedy", "--save-every", "0.1", "-o", str(file)]
    run = subprocess.Popen([sys.executable, "-c", PROGRAM, *command, "--hands", "10G"], stderr=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)  # fmt: skip
    while not file.exists():
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(getattr(signal, name))
    assert run.wait() == (-signal.SIGKILL if name == "SIGKILL" else 130)
    hands = read(file)[1]["hands"]
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


def test_a_policy_without_an_end_is_ended_by_a_signal(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ENDLESS)
    command = ["simulate", "--policy", "mine.py:endless", "-o", "x.parquet"]
    run = subprocess.Popen([sys.executable, "-c", PROGRAM, *command], cwd=tmp_path, stderr=subprocess.PIPE,
                           stdout=subprocess.DEVNULL, text=True)  # fmt: skip
    while not (tmp_path / "read").exists():
        assert run.poll() is None
        time.sleep(0.02)
    time.sleep(2)  # it is compiled by now, or soon
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=60)[1].strip()
    assert (run.returncode, said) == (130, "cirulla-sim: interrupted")


def test_a_file_that_is_not_as_it_was_written_is_not_believed(tmp_path: Path) -> None:
    """Of every bit flipped, evenly through the file, it is told; or what is read is what was written."""
    file = tmp_path / "x.parquet"
    frame, made = asked("simulate", file).frame, read(file)[1]
    whole, told = file.read_bytes(), 0
    for place in range(4, len(whole), len(whole) // 150):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        try:
            found = read(file)
        except InputError:
            told += 1
        else:
            assert found[0].equals(frame)
            assert found[1] == made
    assert told > 100


@pytest.mark.parametrize(("place", "value"), [(-446, 21), (-443, 127)])
def test_a_file_of_others_that_is_damaged_is_refused(place: int, value: int, tmp_path: Path) -> None:
    """It has no seal. What polars raises for such bytes is no ``Exception``, and others end the process."""
    file, metadata = tmp_path / "rows.parquet", {"cirulla_sim": '{"schema": "simulate/2"}'}
    pl.DataFrame({"quantity": ["a"], "estimate": [0.5]}).write_parquet(file, metadata=metadata)
    assert read(file)[0]["estimate"].item() == 0.5
    spoilt = bytearray(file.read_bytes())
    spoilt[place] = value
    file.write_bytes(spoilt)
    with pytest.raises(InputError, match="not a result file"):
        read(file)


def test_no_run_is_saved_whose_rows_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal while the rows are put on the disk drops them: what is saved then is not beyond them."""
    from cirulla_sim.storage import records

    asked: dict[str, Any] = {"hands": 20_000, "policy": "greedy", "progress": False}
    file, rows = tmp_path / "a.parquet", tmp_path / "rows.parquet"

    def broken_off(writer: Any, made: Any) -> None:
        writer.drop()
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(records._Writer, "finish", broken_off)
        with pytest.raises(KeyboardInterrupt):
            cs.simulate(**asked, output=file, records=rows)
    assert not file.exists()
    assert cs.simulate(**asked, output=file, records=rows).exit_code == 0
    assert len(pl.read_parquet(rows)) == asked["hands"]
