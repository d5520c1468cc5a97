"""The command line: errors, output and exit codes; files are complete or absent."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.records import Records
from cirulla_sim.storage.tables import read_table

RANDOM = ("simulate", "--policy", "random")
SIMULATE = (*RANDOM, "--hands", "100")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run every command in a new folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(result: tuple[int, str, str], *fragments: str, code: int = 2) -> None:
    """Check that a command printed one line of error with all the fragments and nothing else."""
    exit_code, out, err = result
    assert (exit_code, out, err.count("\n")) == (code, "", 1), err
    assert err.startswith("cirulla-sim: ")
    for fragment in fragments:
        assert fragment in err


COUNT = "(valid: a whole number from 1 to 1_000_000_000_000, as 10_000_000, 10M or 1e7)"

REFUSED = [
    ([], ["no verb given", "simulate"]),
    (["simlate"], ["unknown verb 'simlate'", "did you mean 'simulate'?", "odds"]),
    (["--verbose", *SIMULATE], ["--verbose comes after the verb (valid: cirulla-sim simulate --verbose)"]),
    (["simulate", "--hnds", "3"], ["unknown option '--hnds'", "did you mean --hands?"]),
    (["simulate", "--hands"], ["--hands", "requires an argument"]),
    (["simulate", "--rules", "cirula"], ["preset 'cirula'", "did you mean 'cirulla'?", "scopone-scientifico"]),
    (["simulate", "--rule", "tagret=26"], ["--rule", "field 'tagret'", "did you mean 'target'?", "piccola_max"]),
    (["simulate", "--policy", "gredy"], ["policy 'gredy'", "did you mean 'greedy'?", "(valid: random, greedy"]),
    (["simulate", "--policy", "random,greedy,random"], ["'random,greedy,random'", "did you mean 'first=random, "]),
    (["simulate", "--policy", f"{'search:16:' * 500}careful"], ["too many opponents within opponents", "valid: up to"]),
    (["simulate", "--policy", "search:8:carefull"], ["unknown opponent 'carefull': did you mean 'careful'?"]),
    (["simulate", "--format", "jsn"], ["--format", "'jsn'", "did you mean 'json'?", "markdown"]),
    (["simulate", "--precision-of", "knock"], ["--precision-of 'knock' needs --precision"]),
    (["rules", "diff", "cirulla"], ["Missing argument 'SECOND'"]),
    (["odds", "cappotto", "--sizes", "30,30"], ["--sizes '30,30'", "add up to 40 or less"]),
    (["odds", "low", "--policy", "greedy"], ["--policy 'greedy': nobody plays for this answer"]),
    (["odds", "wins(us)", "--at", "score: 38-41"], ["'score: 38-41' is of a game", 'odds "wins_game(us)"']),
    (["odds", "low", "--top", "3"], ["--top '3' requires --by"]),
    (["odds", "low", "--times", "3"], ["--times '3' requires --in"]),
    (["odds", "mean(sweeps)", "--in", "4", "--times", "3"], ["--times '3' cannot be combined with 'mean(sweeps)'"]),
    (["odds", "low", "--in", "2", "--in-a-row", "3"], ["--in '2' is less than --in-a-row '3'"]),
    *((["simulate", "--hands", n], [f"--hands {n!r} is out of range", COUNT]) for n in ("0", "-5", "1e9999999999")),
    *((["simulate", "--hands", n], [f"--hands {n!r} is not a number", COUNT]) for n in ("nan", "")),
    (["simulate", "--threads", "0"], ["--threads '0'", "from 1 to 1_024"]),
    (["simulate", "--seed", "18446744073709551616"], ["--seed '18446744073709551616' is out of range"]),
    *((["simulate", "--precision", x], [f"--precision {x!r} is not valid", "a number above 0"]) for x in ("0", "nan")),
    (["simulate", "--rule", "matta=7x"], ["matta '7x' is not valid", "a card as 7h, none"]),
    (["simulate", "--rule", "target=26", "--rule", "target=51"], ["--rule target is given twice", "'26'", "'51'"]),
    (["simulate", "--players", "2", "--rule", "players=4"], ["--players '2'", "players='4'"]),
    (["simulate", "-o", "x.xyz"], ["-o 'x.xyz' is not valid", "parquet", "(valid: FILE.parquet)"]),
    (["simulate", "-o", "/nowhere/x.parquet"], ["/nowhere/x.parquet", "folder '/nowhere' does not exist"]),
    (["simulate", "-o", "."], ["is a folder", "name a file"]),
    (["odds", "'sevens", ">=", "2'"], ['this shell leaves single quotes: write "sevens >= 2"']),
    *(([*words, "-"], ["'-' is not the path of a file"])
      for words in (("simulate", "-o"), ("simulate", "--records"), ("simulate", "--resume"), ("describe",))),
    (["simulate", "-o", "same", "--records", "./same"], ["--records 'same'", "-o", "two files"]),
    (["simulate", "--resume", "missing"], ["missing: there is no such file", "valid: a parquet file written by"]),
    (["odds", "--rules", "missing.toml"], ["missing.toml: cannot be read", "No such file", "valid"]),
    (["plot", "."], ["'.' is a folder", "name a result file"]),
    (["odds", "\udcff"], ["'\\udcff' is no text", "valid: UTF-8"]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "fragments"), REFUSED, ids=lambda value: " ".join(value)[:50])
def test_invalid_input_is_one_line_that_names_quotes_and_lists_valid_values(
    arguments: list[str], fragments: list[str], run: Run, folder: Path
) -> None:
    refused(run(*arguments), *fragments)
    assert not list(folder.iterdir()), "nothing is left behind"


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (b"\ntarget = 26.0\n", ["mine.toml, line 2: target '26.0' is not valid", "1 to 1000"]),
        (b"x = " + b"[\n" * 5000 + b"]\n" * 5000, ["mine.toml: is not valid TOML: nested too deep"]),
        (b"# a comment\n" * 10_000, ["mine.toml: has more than 65_536 bytes"]),
        (b"\xff\xfe\x00", ["mine.toml: is not text in UTF-8", "valid: a TOML file"]),
    ],
)
def test_an_invalid_file_of_rules_is_named(content: bytes, fragments: list[str], run: Run, folder: Path) -> None:
    (folder / "mine.toml").write_bytes(content)
    refused(run("rules", "show", "mine.toml"), *fragments)


def test_a_refused_run_changes_no_file(run: Run, folder: Path) -> None:
    assert run(*SIMULATE, "-o", "a.parquet", "--records", "r.parquet")[0] == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = (*SIMULATE, "--resume", "a.parquet", "-o", "a.parquet", "--seed", "2")
    refused(run(*again), "a.parquet", "seed is 1 there and 2 here")
    refused(run(*RANDOM, "--resume", "r.parquet"), "r.parquet", "no result of cirulla-sim", "a file of records")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder here that even root cannot write to")
def test_an_unwritable_folder_is_refused_before_any_hand_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Experiment, "play", lambda *_, **__: pytest.fail("a hand was played"))
    refused(
        run(*RANDOM, "--records", "/proc/self/x.parquet"), "/proc/self/x.parquet: cannot be written", "another file"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_device_is_not_replaced_by_a_file(run: Run, folder: Path) -> None:
    os.mkfifo(folder / "pipe")  # like /dev/null, but harmless if it goes wrong
    refused(run(*SIMULATE, "-o", "pipe"), "pipe: is no regular file", "name another file")
    assert (folder / "pipe").is_fifo()
    assert len(list(folder.iterdir())) == 1


def strikes(call: int, play: Callable[..., Any], before: bool = False) -> Callable[..., Any]:
    """A function that sends Ctrl-C at one of its calls, before or after it does its work."""
    calls = []

    def counted(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        if before and len(calls) == call:
            signal.raise_signal(signal.SIGINT)
        done = play(*arguments, **named)
        if not before and len(calls) == call:
            signal.raise_signal(signal.SIGINT)
        return done

    return counted


def test_ctrl_c_keeps_the_hands_played_and_prints_the_command_to_resume(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--rules", "scopa", "--players", "4", "--house", "simple-primiera"]
    options += ["--policy", "dealer=greedy, others=random"]
    files = ("-o", "my run.parquet", "--records", "my rows.parquet")
    with monkeypatch.context() as patched:  # with two threads at most four chunks are under way: some are done by now
        patched.setattr(Experiment, "play", strikes(9, Experiment.play, before=True))
        code, _, err = run("simulate", *options, "--hands", "10G", "--threads", "2", *files)
    assert code == 130, err
    frame, metadata, _ = read_table(folder / "my run.parquet")
    hands = metadata["hands"]
    assert 0 < hands < 10 << 16
    assert metadata["stopped"] == "interrupted"
    assert set(frame.filter(quantity="points")["n"]) == {hands}
    assert f"after {hands:,} of 10,000,000,000 hands" in err
    found = re.search(r"^To resume, give the same command again: (.*)$", err, re.MULTILINE)
    assert found is not None
    command = shlex.split(found[1])
    command[command.index("--hands") + 1] = str(hands + 50_001)
    assert run(*command[1:], "--threads", "1")[0] == 0
    assert run("simulate", *options, "--hands", str(hands + 50_001), "-o", "whole.parquet")[0] == 0
    assert (folder / "my run.parquet").read_bytes() == (folder / "whole.parquet").read_bytes()
    assert len(pl.read_parquet(folder / "my rows.parquet")) == hands + 50_001


def test_ctrl_c_before_any_hand_is_done_leaves_nothing(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run does not wait for the end of a chunk."""
    monkeypatch.setattr(Experiment, "play", strikes(1, lambda *_, **__: time.sleep(60), before=True))
    code, out, err = run(*RANDOM, "--engine", "serial", "-o", "x", "--records", "y")
    refused((code, out, err.removeprefix("\n")), "interrupted", code=130)  # the line of the ^C is ended first
    assert list(folder.iterdir()) == []


def test_ctrl_c_while_records_are_written_keeps_each_hand_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Records, "_encoded", strikes(3, Records._encoded))
    code, _, err = run(*RANDOM, "--hands", "10G", "--engine", "serial", "--records", "r.parquet")
    assert code == 130
    found = re.search(r"after ([0-9,]+) of", err)
    assert found is not None
    assert pl.read_ipc_stream("r.parquet.partial")["hand"].to_list() == list(range(int(found[1].replace(",", ""))))


def test_a_precision_is_reached_and_can_be_resumed_to_a_finer_one(run: Run, folder: Path) -> None:
    command = (*RANDOM, "--precision-of", "sweeps", "--hands", "40k", "-o")
    code, out, err = run(*command, "a.parquet", "--precision", "0.05", "--format", "json", "--verbose")
    assert (code, "the requested precision is reached" in err) == (0, True)
    rows = [row for row in json.loads(out) if row["quantity"] == "sweeps" and row["value"] is None]
    assert rows
    assert all((row["ci_high"] - row["ci_low"]) / 2 <= 0.05 for row in rows)
    _, metadata, _ = read_table(Path("a.parquet"))
    assert metadata["stopped"] == "precision"
    assert metadata["hands"] < 40_000
    for name, more in (("a.parquet", ("--resume", "a.parquet")), ("b.parquet", ())):
        code, _, err = run(*command, name, "--precision", "1e-5", *more)
        assert (code, "precision" in err) == (3, True)
        assert read_table(Path(name))[1]["stopped"] == "hands"
    assert (folder / "a.parquet").read_bytes() == (folder / "b.parquet").read_bytes()


@pytest.mark.parametrize("preset", preset_names())
def test_rules_show_cites_sources_and_can_be_saved_as_toml(preset: str, run: Run, folder: Path) -> None:
    page = run("rules", "show", preset)[1]
    assert page.startswith(f"{preset}: ")
    sentences = [line for line in page.splitlines() if line.startswith("  ")]
    assert len(sentences) > 25
    assert all(re.search(r"\. \[00[0-4][^\]]*\]$", line) for line in sentences)
    (folder / "mine.toml").write_text(run("rules", "show", preset, "--format", "toml")[1], "utf-8")
    shown = json.loads(run("rules", "show", "mine.toml", "--format", "json")[1])
    assert {name: tuple(v) if isinstance(v, list) else v for name, v in shown.items()} == vars(build(preset))


def test_rules_show_marks_changes_to_the_preset(run: Run) -> None:
    changes = ("--rules", "scopa", "--rule", "target=21", "--house", "bury-table")
    page = run("rules", "show", "simple-primiera", *changes)[1]
    assert "with bury-table, simple-primiera\n" in page
    assert "The game is played to 21 points. [your own]" in page
    assert "Primiera in its simple form: most sevens. [003 (a variant), 012]" in page
    assert "In a low holding" not in page, "what means nothing without a matta is not said"


def test_rules_diff_shows_both_values(run: Run, folder: Path) -> None:
    out = run("rules", "diff", "cirulla", "scopa", "--players", "2")[1]
    named = re.findall(r"^(\w+) +cirulla: (.+) · scopa: (.+)$", out, re.MULTILINE)
    assert {name for name, _, _ in named} == set(build(players=2).differences(build("scopa")))
    assert ("target", "51", "11") in named
    assert "The game is played to 11 points." in out
    (folder / "mine.toml").write_text("target = 26\n", "utf-8")
    assert run("rules", "diff", "mine.toml", "short-game")[1] == "mine.toml and short-game are the same rules.\n"


def test_a_single_hand_can_be_shown_though_its_errors_are_unknown(run: Run) -> None:
    for form in ("table", "markdown", "latex", "html"):
        out = run(*RANDOM, "--hands", "1", "--format", form)[1]
        assert "points" in out.lower()
        assert not re.search("inf|nan", out)
    text = run(*RANDOM, "--hands", "1", "--format", "json")[1]
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    question = ("odds", "mean(captured(us, sevens))", "--policy", "greedy", "--players", "2", "--hands", "1")
    assert " ± ?" in run(*question)[1]


def test_uneven_intervals_are_shown_by_their_ends(run: Run) -> None:
    """± would name numbers that cannot be: fewer sweeps than none. What has no most and was not seen has no end.

    What the rules make certain has no interval: somebody takes the settebello in every hand.
    """
    few = ["simulate", "--rules", "cirulla-tournament", "--hands", "20", "--policy", "greedy"]
    shown = run(*few)[1]
    assert re.search(r"\d \(\d[\d.]*–\d[\d.]*\)", shown)
    assert re.search(r"Settebello +hand +mean +1, always", shown)
    assert re.search(r" 0 ± \? +3\n", run("odds", "mean(misdeals * wins(us))", "--hands", "3")[1])


def test_show_prints_a_record_per_line_and_the_same_hand_by_any_option(run: Run) -> None:
    show = ("show", "--policy", "random", "--seed", "5", "--players", "2")
    records = [
        json.loads(line) for line in run(*show, *["--hand", "7", "--hands", "3", "--format", "json"])[1].splitlines()
    ]
    assert [record["hand"] for record in records] == [7, 8, 9]
    assert all(record["players"] == 2 and record["seed"] == 5 for record in records)
    assert json.loads(run(*show, "--hand", "8", "--format", "json")[1]) == records[1]
    text = run(*show, "--hand", "8")[1]
    assert text.startswith("Hand 8 of seed 5 · cirulla")
    assert f"Dealer: {records[1]['points'][1]['total']} points" in text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("comp", ["plain,compare"]),
        ("simulate --rules scopo", ["plain,scopone", "plain,scopone-scientifico"]),
        ("simulate --rule targ", ["plain,target="]),
        ("table out", ["file,out"]),
        ("simulate --policy sea", ["plain,search", "plain,search:4", "plain,search:16", "plain,search:64"]),
        ("odds barseg", ["plain,barsega", "plain,barsegon"]),
        ("odds not(settebel", ["plain,not(settebello"]),
        ("odds vince_p", ["plain,vince_partita"]),
    ],
)
def test_shells_complete_names(line: str, expected: list[str], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_CIRULLA_SIM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"cirulla-sim {line}")
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ") + 1))
    assert run()[1].splitlines() == expected


def test_an_unknown_backend_of_matplotlib_is_refused_in_one_line(tmp_path: Path) -> None:
    program = "from cirulla_sim.cli import main; main()"
    words = [sys.executable, "-c", program, "plot", "x.parquet"]
    ran = subprocess.run(
        words, env=os.environ | {"MPLBACKEND": "nonsense"}, cwd=tmp_path, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("cirulla-sim: MPLBACKEND 'nonsense' is no backend of matplotlib")
    assert ran.stderr.count("\n") == 1


def test_help_rules_and_completion_import_nothing_heavy() -> None:
    program = """if True:
        import os, sys
        from cirulla_sim.cli import main
        for line in ("--help", "games --help", "rules list", "rules diff cirulla scopa", "complete"):
            if line == "complete":
                os.environ |= dict(_CIRULLA_SIM_COMPLETE="zsh_complete", COMP_WORDS="x games --policy ", COMP_CWORD="3")
            try:
                main(line.split())
            except SystemExit as stop:
                assert not stop.code, line
        print(sorted({"numba", "numpy", "polars", "matplotlib", "pandas"} & set(sys.modules)), file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert "careful" in done.stdout
