"""The command line: errors, output and exit codes; files are complete or absent."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

import cirulla_sim
from cirulla_sim.cli import VERBS, main
from cirulla_sim.engine.engines import carry_out
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments.game_quantities import played
from cirulla_sim.reporting.text.labels import rules_of
from cirulla_sim.ruleset.catalogue import house_names, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import read
from cirulla_sim.verbs import bench

COLUMNS = [
    "quantity", "per", "side", "kind", "value", "estimate", "std_error", "ci_low", "ci_high", "n", "exact",
]  # fmt: skip  # of the contract
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(cirulla_sim.__file__).parents[1])}
RANDOM = ("simulate", "--policy", "random")
SHOW = ("show", "--policy", "random")
SIMULATE = (*RANDOM, "--hands", "100")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run every command in a new folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command in this process: exit code, stdout, stderr."""

    def run_command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return run_command


def subprocess_of(program: str, *arguments: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a program in a new Python process and capture its output."""
    settings = {"env": ENVIRONMENT, "encoding": "utf-8", "capture_output": True, "check": False, **options}
    return subprocess.run([sys.executable, "-c", program, *arguments], **settings)


PROGRAM = "from cirulla_sim.__main__ import main; main()"


def refused(result: tuple[int, str, str], *fragments: str, code: int = 2) -> str:
    """Check that a command printed one line of error with all the fragments and nothing else; return the line."""
    exit_code, out, err = result
    assert (exit_code, out) == (code, ""), err
    assert err.startswith("cirulla-sim: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    for fragment in fragments:
        assert fragment in err
    return err


COUNT = "(valid: a whole number from 1 to 1_000_000_000_000, as 10_000_000, 10M or 1e7)"

REFUSED = [
    # names
    ([], ["no verb given", "simulate"]),
    (["rules"], ["no verb given (valid: diff, list, show"]),
    (["simlate"], ["unknown verb 'simlate'", "did you mean 'simulate'?", "odds"]),
    (["rules", "shw"], ["unknown verb 'shw'", "did you mean 'show'?", "(valid: diff, list, show)"]),
    (["compare", "no-matta"], ["'no-matta' belongs to no option: did you mean --house no-matta?"]),
    (["simulate", "--hnds", "3"], ["unknown option '--hnds'", "did you mean --hands?"]),
    (["simulate", "more"], ["'more' belongs to no option"]),
    (["simulate", "--hands"], ["--hands", "requires an argument"]),
    (["simulate", "--rules", "cirula"],
     ["preset 'cirula'", "did you mean 'cirulla'?", "(valid: cirulla, ", "scopone-scientifico"]),
    (["simulate", "--rules", ""], ["preset ''", "(valid: cirulla, "]),
    (["simulate", "--house", "nomatta"], ["house rule 'nomatta'", "did you mean 'no-matta'?", "short-game"]),
    (["simulate", "--rule", "tagret=26"], ["--rule", "field 'tagret'", "did you mean 'target'?", "piccola_max"]),
    (["odds", "low", "-o", "low.csv"], ["-o 'low.csv'", "parquet", "(valid: FILE.parquet)"]),
    (["simulate", "-o", "x.xyz"], ["-o 'x.xyz' is not valid", "parquet", "(valid: FILE.parquet)"]),
    (["simulate", "--records", "x.csv"], ["--records 'x.csv' is not valid", "(valid: FILE.parquet)"]),
    (["compare", "--all-houses", "-o", "x.2"], ["-o 'x.2' is not valid", "(valid: FILE.parquet)"]),
    (["games", "-o", "x.feather"], ["-o 'x.feather' is not valid", "(valid: FILE.parquet)"]),
    (["tournament", "-o", "x.db"], ["-o 'x.db' is not valid", "(valid: FILE.parquet)"]),
    (["advise", "-o", "x.json"], ["-o 'x.json' is not valid", "(valid: FILE.parquet)"]),
    (["simulate", "--precision-of", "knock"], ["--precision-of 'knock' needs --precision"]),
    (["games", "--precision-of", "wins_game"], ["--precision-of 'wins_game' needs --precision"]),
    (["compare", "--all-houses", "--precision-of", "margin"], ["--precision-of 'margin' needs --precision"]),
    (["simulate", "--rule", "target"], ["--rule 'target' has no value", "valid: FIELD=VALUE"]),
    (["simulate", "--rule", "=5"], ["--rule", "field ''", "target"]),
    (["play", "--me", "7"], ["--me: unknown seat '7' (valid: first, second, third, dealer)"]),
    (["simulate", "--policy", "gredy"], ["policy 'gredy'", "did you mean 'greedy'?", "(valid: random, greedy"]),
    (["simulate", "--policy", ""], ["policy ''", "(valid: random, greedy, careful"]),
    (["simulate", "--policy", "random,greedy,random"], ["'random,greedy,random'", "did you mean 'first=random, "]),
    (["simulate", "--engine", "thread"], ["--engine", "'thread'", "did you mean 'threads'?", "serial"]),
    (["simulate", "--format", "jsn"], ["--format", "'jsn'", "did you mean 'json'?", "markdown"]),
    (["simulate", "--precision", "1", "--precision-of", "pints"], ["--precision-of", "'pints'", "mean 'points'?"]),
    (["rules", "show", "shortgame"], ["'shortgame'", "did you mean 'short-game'?", "scopa"]),
    (["rules", "diff", "cirulla", "scpa"], ["preset or house rule 'scpa'", "did you mean 'scopa'?"]),
    (["rules", "diff", "cirulla"], ["Missing argument 'SECOND'"]),
    (["odds", "low", "--rules", "cirullone"], ["low is of three cards, and 9 are held", "contains_low"]),
    (["odds", "cappotto", "--sizes", "30,30"], ["--sizes '30,30'", "add up to 40 or less"]),
    (["odds", "cappotto", "--sizes", "a,b"], ["--sizes 'a,b'", "whole numbers"]),
    (["odds", "low", "--sizes", "20,20"], ["low is not of two piles alone", "without it: odds "]),
    (["odds", "cappotto", "--sizes", "9,9", "--players", "3"], ["3 sides are too many"]),
    (["odds", "cappotto", "--sizes", "9,9", "--policy", "greedy"], ["nobody plays for this answer"]),
    (["odds", "low", "--policy", "greedy"], ["--policy 'greedy': nobody plays for this answer"]),
    (["odds", "wins(us)", "--policy", "gredy"], ["'gredy'", "did you mean 'greedy'?"]),
    (["odds", "low", "--check", "ten"], ["--check 'ten' is not a number"]),
    (["odds", "--check", "5"], ["--check '5' requires a question"]),
    (["odds", "fifteen", "--rules", "scopone-scientifico"], ["no cards are laid on the table"]),
    (["odds", "can_sweep"], ["can_sweep is asked in mid-hand", "--at 'table: 3c 5d; me: "]),
    (["odds", "wins_night"], ["wins_night is about a night", "--at 'night: "]),
    (["odds", "misdeal and wins(us)"], ["misdeal is of the first table", "one at a time"]),
    (["odds", "wins(us)", "--at", "score: 38-41"], ["'score: 38-41' is of a game", "odds 'wins_game(us)'"]),
    (["odds", "won_us"], ["unknown word 'won_us': did you mean 'wins(us)'?"]),
    (["odds", "low = 'x'"], ["compares what is true or false with a text"]),
    (["odds", "LOWE"], ["'LOWE'", "did you mean 'low'"]),
    (["odds", "count(*) > 1"], ["'count(*) > 1'", "unknown word 'count'"]),
    (["odds", "mean(total * 1000000)"], ["too large to be added up"]),
    (["odds", "low", "--mean", "total"], ["--mean is part of the question now"]),
    (["odds", "low", "--top", "3"], ["--top '3' requires --by"]),
    (["odds", "low", "--in", "2", "--in-a-row", "3"], ["--in '2' is less than --in-a-row '3'"]),
    (["odds", "max(total)", "--in", "2"], ["--in '2' cannot be combined with 'max(total)'"]),
    (["odds", "low", "--by", "sevens", "--in", "3"], ["--in '3' cannot be combined with --by 'sevens'"]),
    (["odds", "low", "--in", "0"], ["--in '0'", "from 1"]),
    (["odds", "low", "--precision", "-1"], ["--precision '-1'", "above 0"]),
    (["odds", "sweep", "--table", "3c", "--holding=2c", "--seat", "2"],
     ["--table is part of --at now (valid: --at 'table: 3c; me: 2c; i am: second; to play: next')"]),
    (["simulate", "--deal", "me: 7h"], ["--deal is part of --at now (valid: --at 'me: 7h; i am: dealer')"]),
    (["games", "--from", "38-41", "--dealer", "them"],
     ["--from is part of --at now (valid: --at 'score: 38-41; i am: first')"]),
    (["odds", "--rules", "scopp"], ["preset 'scopp'", "did you mean 'scopa'?"]),
    # numbers
    *((["simulate", "--hands", n], [f"--hands {n!r} is out of range", COUNT])
      for n in ("0", "1.5", "1e40", "1e13", "0k", "1e9999999999")),
    *((["simulate", "--hands", n], [f"--hands {n!r} is not a number", COUNT])
      for n in ("-5", "nan", "inf", "", " ", "_", "1e", "5kk", "ten", "٣")),
    (["show", "--hand", "-1"], ["--hand '-1'", "from 0"]),
    (["show", "--hands", "0"], ["--hands '0'", "from 1"]),
    (["bench", "--hands", "5"], ["--hands '5'", "from 1000"]),
    (["simulate", "--threads", "0"], ["--threads '0'", "from 1 to 1_024"]),
    (["simulate", "--seed", "-1"], ["--seed '-1'", "from 0"]),
    (["simulate", "--seed", "18446744073709551616"], ["--seed '18446744073709551616' is out of range"]),
    (["simulate", "--players", "5"], ["--players '5'", "from 2 to 4"]),
    *((["simulate", "--precision", x], [f"--precision {x!r} is not valid", "valid: a number above 0"])
      for x in ("0", "-1", "nan", "inf", "x", "")),
    # rules
    (["simulate", "--rule", "matta=7x"], ["matta '7x' is not valid", "a card as 7h, none"]),
    (["simulate", "--rule", "target=0"], ["target '0' is not valid", "1 to 1000"]),
    (["simulate", "--rule", "target=5\n6"], ["target '5\\n6' is not valid"]),
    (["simulate", "--rule", "target=26", "--rule", "target=51"], ["--rule target is given twice", "'26'", "'51'"]),
    (["simulate", "--players", "2", "--rule", "players=4"], ["--players '2'", "players='4'"]),
    (["simulate", "--house", "no-matta", "--house", "queen-matta"], ["'no-matta' and 'queen-matta' clash", "matta"]),
    (["simulate", "--rule", "deal_plan=3,3"], ["deal_plan '3,3'", "28 cards", "40"]),
    (["simulate", "--rule", "partnership=true", "--players", "3"], ["partnership 'true'", "not 3"]),
    (["simulate", "--rules", "scopone", "--players", "3"], ["players '3'", "'scopone'", "(valid: 4)"]),
    (["rules", "diff", "cirulla", "scopone", "--players", "3"], ["players '3'", "'scopone'", "(valid: 4)"]),
    # files
    (["simulate", "-o", "/nowhere/x.parquet"], ["/nowhere/x.parquet", "folder '/nowhere' does not exist"]),
    (["simulate", "--records", "/nowhere/x.parquet"], ["/nowhere/x.parquet", "folder '/nowhere' does not exist"]),
    (["simulate", "-o", "a\nb/x"], ["'a\\nb' does not exist"]),
    (["simulate", "-o", "plain/x"], ["plain/x", "folder 'plain' does not exist"]),
    (["simulate", "-o", "."], ["is a folder", "name a file"]),
    (["simulate", "-o", "x" * 300], ["cannot be written", "too long"]),
    (["simulate", "-o", "same", "--records", "./same"], ["--records 'same'", "-o", "two files"]),
    (["simulate", "--resume", "missing"], ["missing: there is no such file", "valid: a parquet file written by"]),
    (["simulate", "--resume", "plain"], ["plain: no result of cirulla-sim (it has no digest"]),
    (["simulate", "--resume", "foreign.parquet"], ["foreign.parquet: no result of cirulla-sim (it has no digest"]),
    (["simulate", "--resume", "plain", "--records", "x"], ["--records", "--resume"]),
    (["odds", "--rules", "missing.toml"], ["missing.toml: cannot be read", "No such file", "valid"]),
    (["rules", "show", "deep.toml"], ["deep.toml: is not valid TOML: nested too deep"]),
    (["plot", "."], ["'.' is a folder", "name a result file"]),
    (["odds", "\udcff"], ["'\\udcff' is no text", "valid: UTF-8"]),
    (["rules", "show", "folder.toml"], ["folder.toml: cannot be read", "Is a directory", "valid"]),
    (["simulate", "--policy", f"search:{'9' * 5000}"], ["is no number of samples", "valid: 1 to"]),
    (["simulate", "--policy", f"{'search:16:' * 500}careful"], ["too many opponents within opponents", "valid: up to"]),
    (["odds", "--seat", "9" * 5000], ["--seat is part of --at now", "valid: --at"]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "fragments"), REFUSED, ids=lambda value: " ".join(value)[:50])
def test_invalid_input_is_one_line_that_names_quotes_and_lists_valid_values(arguments, fragments, run, folder):
    (folder / "plain").write_text("a plain file", "utf-8")
    (folder / "folder.toml").mkdir()
    (folder / "deep.toml").write_text("x = " + "[\n" * 5000 + "]\n" * 5000, "utf-8")
    pl.DataFrame({"a": [1]}).write_parquet(folder / "foreign.parquet")
    before = sorted(folder.iterdir())
    refused(run(*arguments), *fragments)
    assert sorted(folder.iterdir()) == before, "nothing is left behind"
    assert (folder / "plain").read_text("utf-8") == "a plain file"


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (b'preset = "cirula"\n', ["unknown preset 'cirula'", "did you mean 'cirulla'?"]),
        (b"preset = 5\n", ["unknown preset '5'", "(valid: cirulla"]),
        (b"preset = [1]\n", ["unknown preset '[1]'"]),
        (b"taget = 26\n", ["unknown field 'taget'", "did you mean 'target'?"]),
        (b"target = 26.0\n", ["target '26.0' is not valid", "1 to 1000"]),
        (b"target = true\n", ["target 'true' is not valid"]),
        (b"target = nan\n", ["target 'nan' is not valid"]),
        (b"target = inf\n", ["target 'inf' is not valid"]),
        (b"target = 2020-01-01\n", ["target '2020-01-01' is not valid"]),
        (b"[target]\nx = 1\n", ["target", "is not valid", "1 to 1000"]),
        (b"partnership = 1\n", ["partnership '1' is not valid", "true, false"]),
        (b"capture_by = [[1]]\n", ["capture_by '[1]' is not valid", "equal,sum,fifteen"]),
        (b'deal_plan = ["x"]\n', ["deal_plan 'x' is not valid"]),
        (b'hand_both = "a\\nb"\n', ["hand_both 'a\\nb' is not valid", "best, sum, 0 to 20"]),
        (b"target = 26\ntarget = 27\n", ["is not valid TOML", "line 2"]),
        (b"x = [\n", ["is not valid TOML"]),
        (b"target = " + b"9" * 5000, ["a line of more than 1_000 characters"]),
        (b"a" + b".a" * 20_000 + b" = 1\n", ["a line of more than 1_000 characters"]),
        (b"# a comment\n" * 10_000, ["more than 65_536 bytes"]),
        (b"\xff\xfe\x00", ["is not text in UTF-8", "valid: a TOML file"]),
    ],
)
def test_an_invalid_file_of_rules_is_named(content, fragments, run, folder):
    (folder / "mine.toml").write_bytes(content)
    refused(run("rules", "show", "mine.toml"), "mine.toml: ", *fragments)
    refused(run(*SIMULATE, "--rules", "mine.toml", "-o", "x.parquet"), "mine.toml: ", *fragments)
    assert [path.name for path in folder.iterdir()] == ["mine.toml"]


def test_resuming_another_run_is_refused_with_the_difference(run, folder):
    assert run(*SIMULATE, "-o", "a.parquet", "--records", "r.parquet")[0] == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = (*SIMULATE, "--resume", "a.parquet", "-o", "a.parquet")
    refused(run(*again, "--seed", "2"), "a.parquet", "seed is 1 there and 2 here")
    greedy = [word.replace("random", "greedy") for word in again]
    refused(run(*greedy), "a.parquet", "holds results of 'random', and you asked for 'greedy'")
    refused(run(*again, "--rule", "target=3"), "a.parquet", "target is 51 there and 3 here")
    refused(
        run(*RANDOM, "--hands", "99", "--resume", "a.parquet"),
        "--hands '99'",
        "100 hands",
        "a.parquet",
    )
    refused(run(*RANDOM, "--resume", "r.parquet"), "r.parquet", "no result of cirulla-sim", "a file of records")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder here that even root cannot write to")
@pytest.mark.parametrize("flag", ["-o", "--records"])
def test_an_unwritable_folder_is_refused_before_any_hand_is_played(flag, run, monkeypatch):
    monkeypatch.setattr("cirulla_sim.engine.trials.Experiment.play", lambda *_, **__: pytest.fail("a hand was played"))
    refused(
        run(*RANDOM, flag, "/proc/self/x.parquet"),
        "/proc/self/x.parquet: cannot be written",
        "a folder you may",
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_device_is_not_replaced_by_a_file(run, folder):
    os.mkfifo(folder / "pipe")  # like /dev/null, but harmless if it goes wrong
    refused(run(*SIMULATE, "-o", "pipe"), "pipe: is no regular file", "name another file")
    assert (folder / "pipe").is_fifo()
    assert len(list(folder.iterdir())) == 1


@pytest.fixture(params=["a limit", "a full disk"])
def full(request, folder):
    """A folder in which files are limited to 4 kB; it holds an older result."""
    place = folder / "full"
    place.mkdir()
    if request.param == "a limit":
        resource = pytest.importorskip("resource")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        (place / "x.parquet").write_bytes(b"old")
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            yield place, "File too large"
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(place)]
    if getattr(os, "geteuid", lambda: 1)() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        (place / "x.parquet").write_bytes(b"old")
        (place / "filling").write_bytes(bytes(8192))
        yield place, "No space left on device"
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("flags", [["-o"], ["--records"], ["-o", "--records"]], ids=" ".join)
def test_a_full_disk_is_one_line_and_keeps_existing_files(flags, full, run):
    place, reason = full
    before = sorted(place.iterdir())
    files = [word for n, flag in enumerate(flags) for word in (flag, place / ("y.parquet" if n else "x.parquet"))]
    refused(run(*RANDOM, "--hands", "2000", "--force", *files), ".parquet: ", reason, code=1)
    assert sorted(place.iterdir()) == before
    assert (place / "x.parquet").read_bytes() == b"old"


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full here")
def test_a_stdout_that_is_full_is_one_line():
    with Path("/dev/full").open("w", encoding="utf-8") as nowhere:
        done = subprocess_of(PROGRAM, "rules", "list", stdout=nowhere, stderr=subprocess.PIPE, capture_output=False)
    assert (done.returncode, done.stderr) == (1, "cirulla-sim: No space left on device\n")


def test_a_closed_pipe_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = subprocess_of(PROGRAM, "rules", "list", stdout=pipe, stderr=subprocess.PIPE, capture_output=False)
    assert done.stderr == ""
    assert done.returncode in (0, 1)


def test_ctrl_c_while_the_command_line_is_parsed_is_silent():
    program = """if True:
        import importlib.abc, signal, sys
        class Struck(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == "click":
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Struck())
        from cirulla_sim.__main__ import main
        main()
    """
    done = subprocess_of(program, "rules", "list")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_help_and_rules_import_nothing_heavy():
    program = """if True:
        import sys
        from cirulla_sim.cli import main
        for line in sys.argv[1:]:
            try:
                main(line.split())
            except SystemExit as stop:
                assert stop.code == 0, line
            heavy = {"numba", "polars", "matplotlib", "pandas"} & set(sys.modules)
            print(sorted(heavy), file=sys.stderr)
    """
    lines = ["--help", "--version", "rules --help", "rules list", "rules show scopa", "rules diff cirulla scopa"]
    done = subprocess_of(program, *lines)
    assert (done.returncode, done.stderr) == (0, "[]\n" * len(lines))


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_is_on_stdout_and_has_its_options(verb, run):
    code, out, err = run(verb, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: cirulla-sim {verb}")
    if verb in ("simulate", "show", "odds"):
        assert all(option in out for option in ("--rules", "--rule", "--house", "--players"))
    assert verb in run("--help")[1]


def test_rules_list_shows_every_preset_house_rule_and_source(run):
    code, out, err = run("rules", "list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    for name in (*preset_names(), *house_names()):
        assert [line for line in lines if line.split()[:1] == [name] and re.search(r"\[00[0-4]", line)], name
    assert all(
        any(line.startswith(f"  {number}  ") for line in lines) for number in ("000", "001", "002", "003", "004")
    )
    assert re.search(r"^    piccola_max +0, 5, 6, 7, 10\n +6 \[000, 001, 002, 003\] .* 10 \[004\] ", out, re.MULTILINE)


@pytest.mark.parametrize("preset", preset_names())
def test_rules_show_cites_sources_and_can_be_saved_as_toml(preset, run, folder):
    code, page, err = run("rules", "show", preset)
    assert (code, err) == (0, "")
    assert page.startswith(f"{preset}: ")
    sentences = [line for line in page.splitlines() if line.startswith("  ")]
    assert len(sentences) > 25
    assert all(re.search(r"\. \[00[0-4][^\]]*\]$", line) for line in sentences)
    (folder / "mine.toml").write_text(run("rules", "show", preset, "--format", "toml")[1], "utf-8")
    assert build("mine.toml") == build(preset)
    shown = json.loads(run("rules", "show", "mine.toml", "--format", "json")[1])
    assert {name: tuple(v) if isinstance(v, list) else v for name, v in shown.items()} == vars(build(preset))


def test_rules_show_marks_changes_to_the_preset(run):
    _, page, _ = run(
        "rules", "show", "simple-primiera", "--rules", "scopa", "--rule", "target=21", "--house", "bury-table"
    )
    assert "with bury-table, simple-primiera\n" in page
    assert "The game is played to 21 points. [your own]" in page
    assert "Primiera in its simple form: most sevens. [003 (a variant)]" in page
    assert "only the table cards are buried in the stock and replaced. [004]" in page
    assert "No card is wild." in page
    assert "In a low holding" not in page, "what means nothing without a matta is not said"


def test_rules_diff_shows_both_values(run, folder):
    code, out, err = run("rules", "diff", "cirulla", "scopa", "--players", "2")
    assert (code, err) == (0, "")
    named = re.findall(r"^(\w+) +cirulla: (.+) · scopa: (.+)$", out, re.MULTILINE)
    assert {name for name, _, _ in named} == set(build(players=2).differences(build("scopa")))
    assert ("target", "51", "11") in named
    assert ("matta", "7h", "none") in named
    assert "The game is played to 11 points." in out
    (folder / "mine.toml").write_text("target = 26\n", "utf-8")
    assert run("rules", "diff", "mine.toml", "short-game")[1] == "mine.toml and short-game are the same rules.\n"


def test_every_format_carries_the_same_data_and_remarks_go_to_stderr(run):
    tables = {}
    for form in ("table", "json", "csv", "markdown", "latex", "html"):
        raw = ("--raw",) if form not in ("table", "json") else ()
        code, tables[form], err = run(
            "simulate", "--policy", "random", "--hands", "2000", "--format", form, *raw, "--force", "-o", "x.parquet"
        )
        assert code == 0
        assert err == "Written: x.parquet\n"
    rows = json.loads(tables["json"])
    constant = {"rules": "cirulla", "players": 4, "policy": "random", "seed": 1}
    assert all(list(row) == [*COLUMNS, *constant] for row in rows)
    frame, _ = read(Path("x.parquet"))
    assert frame.columns == COLUMNS
    assert [row | constant for row in frame.to_dicts()] == rows
    assert [row["side"] for row in rows if row["side"] not in ("all", "dealer", "others")] == []
    assert all(row["ci_low"] <= row["estimate"] <= row["ci_high"] for row in rows)
    lines = list(csv.DictReader(io.StringIO(tables["csv"])))
    assert list(lines[0]) == [*COLUMNS, *constant]
    assert [(line["quantity"], float(line["estimate"])) for line in lines] == [
        (r["quantity"], r["estimate"]) for r in rows
    ]
    quantities = [row["quantity"] for row in rows]
    markdown = [[cell.strip() for cell in line.strip("|").split("|")] for line in tables["markdown"].splitlines()]
    assert markdown[0] == [*COLUMNS, *constant]
    assert [cells[0] for cells in markdown[2:]] == quantities
    shown = tables["latex"].replace(r"\_", "_").replace(r"\allowbreak{}", "")
    assert tables["latex"].startswith("% Requires")
    assert set(quantities) <= set(re.findall(r"^(\w+)", shown, re.M))
    assert tables["html"].startswith("<table")
    assert re.findall(r"<tr><th scope=\"row\"[^>]*>(\w+)</th>", tables["html"]) == quantities
    assert all("nan" not in re.findall(r"\w+", text.lower()) for text in tables.values()), "nulls are blank"


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "html"])
def test_a_single_hand_can_be_shown_though_its_errors_are_unknown(form, run):
    code, out, err = run(*RANDOM, "--hands", "1", "--format", form)
    assert (code, err) == (0, "")
    assert "points" in out.lower()
    if form not in ("json", "csv"):
        assert "inf" not in out
        assert "nan" not in out
    if form == "json":
        json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_uneven_intervals_are_shown_by_their_ends(run):
    """± would name numbers that cannot be: more settebelli than one. What has no most and was not seen has no end."""
    few = ["simulate", "--rules", "cirulla-tournament", "--hands", "20", "--policy", "greedy"]
    assert "1.000 (0.861–1.000)" in run(*few)[1]
    assert "mean(misdeals): 0 ± ?." in run("odds", "mean(misdeals)", "--hands", "3")[1]


def test_a_mean_of_a_single_deal_has_no_interval(run):
    command = ("odds", "mean(captured(us, sevens))", "--policy", "greedy", "--players", "2", "--hands", "1")
    code, out, _ = run(*command)
    assert code == 0
    assert " ± ?" in out


def test_odds_are_exact_rows_of_the_same_table(run):
    code, out, err = run("odds", "--format", "json")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert all(list(row) == [*COLUMNS, "rules", "players", "policy", "seed", "trial"] for row in rows)
    assert all(row["std_error"] == 0 and row["n"] is None and row["exact"] for row in rows)
    assert run("odds")[2] == ""


def test_show_prints_a_record_per_line_and_the_same_hand_by_any_option(run):
    code, out, err = run(
        "show", "--policy", "random", "--hand", "7", "--hands", "3", "--format", "json", "--seed", "5", "--players", "2"
    )
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["hand"] for record in records] == [7, 8, 9]
    assert all(record["players"] == 2 and record["seed"] == 5 for record in records)
    alone = run(*SHOW, "--hand", "8", "--format", "json", "--seed", "5", "--players", "2")[1]
    assert json.loads(alone) == records[1]
    text = run(*SHOW, "--hand", "8", "--seed", "5", "--players", "2")[1]
    assert text.startswith("Hand 8 of seed 5 · cirulla")
    assert f"Dealer: {records[1]['points'][1]['total']} points" in text


HANDS = 300_000
"""More than a checkpoint, and no whole number of chunks."""


def test_files_are_the_same_bytes_for_any_engine_threads_and_spelling_of_numbers(run, folder):
    ways = [
        ["--hands", "300k", "--engine", "serial"],
        ["--hands", "3e5", "--threads", "1"],
        ["--hands", "300_000", "--threads", "2", "--engine", "threads"],
    ]
    for n, way in enumerate(ways):
        assert (
            run(
                "simulate",
                "--policy",
                "random",
                *way,
                "--seed",
                "9",
                "-o",
                f"{n}.parquet",
                "--records",
                f"r{n}.parquet",
            )[0]
            == 0
        )
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(files) == 6
    assert files["0.parquet"] == files["1.parquet"] == files["2.parquet"]
    assert files["r0.parquet"] == files["r1.parquet"] == files["r2.parquet"]
    _, metadata = read(Path("0.parquet"))
    assert (metadata["hands"], metadata["seed"], metadata["stopped"], metadata["players"]) == (HANDS, 9, "hands", 4)
    rules = rules_of(metadata)
    assert rules is not None
    assert rules.fields == build()
    words = shlex.split(metadata["command"])
    assert run(*words[1:], "-o", "again.parquet")[0] == 0
    assert (folder / "again.parquet").read_bytes() == files["0.parquet"]
    assert pl.read_parquet("r0.parquet")["hand"].to_list() == list(range(HANDS))


INTERRUPTED = """if True:
    import signal, sys
    from cirulla_sim.cli import main
    from cirulla_sim.engine.trials import Experiment
    play, calls = Experiment.play, []
    def counted(*arguments, **named):
        calls.append(arguments)
        if len(calls) == 9:  # with two threads at most four chunks are under way: some are done by now
            signal.raise_signal(signal.SIGINT)
        return play(*arguments, **named)
    Experiment.play = counted
    main(sys.argv[1:])
"""


@pytest.mark.parametrize("engine", ["threads", "serial"])
def test_ctrl_c_keeps_the_hands_played_and_prints_the_command_to_resume(engine, run, folder):
    options = [
        "--rules",
        "scopa",
        "--players",
        "4",
        "--house",
        "simple-primiera",
        "--policy",
        "dealer=greedy, others=random",
    ]
    done = subprocess_of(
        INTERRUPTED, "simulate", *options, "--hands", "10G", "--engine", engine, "--threads", "2", "-o",
        "my run.parquet", "--records", "my rows.parquet",
    )  # fmt: skip
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["my rows.parquet", "my run.parquet"]
    frame, metadata = read(folder / "my run.parquet")
    hands = metadata["hands"]
    assert 0 < hands < 10 << 16
    assert metadata["stopped"] == "interrupted"
    assert set(frame.filter(pl.col("quantity") == "points")["n"]) == {hands}
    assert f"after {hands:,} of 10,000,000,000 hands" in done.stderr
    command = shlex.split(re.search(r"^To resume, give the same command again: (.*)$", done.stderr, re.MULTILINE)[1])
    assert command[0] == "cirulla-sim"
    assert command[command.index("-o") + 1] == "my run.parquet"
    command[command.index("--hands") + 1] = str(hands + 50_001)
    assert run(*command[1:], "--threads", "1")[0] == 0
    assert run("simulate", *options, "--hands", str(hands + 50_001), "-o", "whole.parquet")[0] == 0
    assert (folder / "my run.parquet").read_bytes() == (folder / "whole.parquet").read_bytes()
    assert len(pl.read_parquet(folder / "my rows.parquet")) == hands + 50_001


def test_ctrl_c_before_any_hand_is_done_leaves_nothing(run, folder, monkeypatch):
    """The run does not wait for the end of a chunk."""

    def endless(*_, **__):
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)

    monkeypatch.setattr("cirulla_sim.engine.trials.Experiment.play", endless)
    code, out, err = run(*RANDOM, "--engine", "serial", "-o", "x", "--records", "y")
    refused((code, out, err.removeprefix("\n")), "interrupted", code=130)  # the line of the ^C is ended first
    assert list(folder.iterdir()) == []


def test_ctrl_c_while_records_are_written_keeps_each_hand_once(run, monkeypatch):
    write, calls = pq.ParquetWriter.write_table, []

    def interrupted(self, *arguments, **options):
        write(self, *arguments, **options)
        calls.append(arguments)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(pq.ParquetWriter, "write_table", interrupted)
    code, _, err = run(
        "simulate", "--policy", "random", "--hands", "10G", "--engine", "serial", "--records", "r.parquet"
    )
    assert code == 130
    played = int(re.search(r"after ([0-9,]+) of", err)[1].replace(",", ""))
    assert pl.read_parquet("r.parquet")["hand"].to_list() == list(range(played))


def test_a_requested_precision_is_reached_or_its_absence_is_an_exit_code(run):
    command = (*RANDOM, "--precision-of", "sweeps", "-o", "x.parquet", "--format", "json", "--verbose")
    code, out, err = run(*command, "--hands", "1M", "--precision", "0.02")
    assert code == 0
    assert "the requested precision is reached" in err
    rows = [row for row in json.loads(out) if row["quantity"] == "sweeps" and row["value"] is None]
    assert rows
    assert all((row["ci_high"] - row["ci_low"]) / 2 <= 0.02 for row in rows)
    _, metadata = read(Path("x.parquet"))
    assert metadata["stopped"] == "precision"
    assert metadata["hands"] < 1_000_000
    code, out, _ = run(*command, "--hands", "1000", "--precision", "1e-4", "--force")
    assert code == 3
    assert json.loads(out)
    assert read(Path("x.parquet"))[1]["stopped"] == "hands"


def test_a_precision_not_reached_is_reported(run):
    assert "precision" in run(*SIMULATE, "--precision", "1e-4")[2]


def test_a_run_stopped_by_its_precision_can_be_resumed_to_a_finer_one(run, folder):
    command = (*RANDOM, "--rule", "target=26", "--hands", "400k", "-o")
    assert run(*command, "a.parquet", "--precision", "0.05")[0] == 0
    assert read(Path("a.parquet"))[1]["hands"] < 400_000
    assert run(*command, "a.parquet", "--precision", "1e-5", "--resume", "a.parquet")[0] == 3
    assert run(*command, "b.parquet", "--precision", "1e-5")[0] == 3
    assert (folder / "a.parquet").read_bytes() == (folder / "b.parquet").read_bytes()


def test_the_answer_comes_first_and_the_method_only_if_wanted(folder):
    together = {"capture_output": False, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    plain, verbose = (
        subprocess_of(PROGRAM, *SIMULATE, "-o", "x.parquet", "--force", *flags, **together).stdout.splitlines()
        for flags in ((), ("-v",))
    )
    assert plain[0].startswith("A hand brings ")
    assert plain[-1] == "Written: x.parquet"
    method = [line for line in verbose if line not in plain]
    assert verbose[: len(plain) - 1] == plain[:-1]
    assert [line.split()[0] for line in method] == ["Players:", "Control"]


def test_verbose_belongs_to_verbs(run):
    code, _, err = run("--verbose", *SIMULATE)
    assert (code, err) == (2, "cirulla-sim: --verbose comes after the verb (valid: cirulla-sim simulate --verbose)\n")


def test_verbose_shows_what_the_package_logs(run, monkeypatch):
    calls = []

    def logging_play(*arguments, **named):
        calls.append(arguments)
        logging.getLogger("cirulla_sim.kernel").info("compiled without %s", "whole")
        return play(*arguments, **named)

    play = Experiment.play
    monkeypatch.setattr(Experiment, "play", logging_play)
    assert "compiled without" not in run(*SIMULATE)[2]
    for _ in range(2):
        calls.clear()
        lines = run(*SIMULATE, "--verbose")[2].splitlines()
        assert lines.count("cirulla-sim: compiled without whole") == len(calls) > 0
    logging.getLogger("cirulla_sim").handlers.clear()


def test_an_impossible_cache_folder_breaks_nothing(run, folder):
    (folder / "file").write_text("a file where a folder should be", "utf-8")
    # A verb that compiles little: it does so anew where nothing can be kept.
    command = ("odds", "can_sweep", "--at", "table: 3c 5d; me: 7d Ks; cards: next 3; to play: next", "--players", "2")
    done = subprocess_of(PROGRAM, *command, env={**ENVIRONMENT, "NUMBA_CACHE_DIR": str(folder / "file" / "cache")})
    assert done.returncode == 0
    assert (0, done.stdout, done.stderr) == run(*command)


def test_bench_has_a_row_per_case_with_the_columns_of_the_contract(run, monkeypatch):
    monkeypatch.setattr("cirulla_sim.verbs.bench.ROUNDS", 1)
    monkeypatch.setattr("cirulla_sim.verbs.bench.SECONDS", 1e-4)
    monkeypatch.setattr("cirulla_sim.experiments.budget._MEASURED_SECONDS", 1e-4)
    monkeypatch.setattr("cirulla_sim.verbs.bench._first_results", lambda folder: iter(()))
    code, out, _ = run("bench", "--hands", "1000", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert all(set(row) >= {"case", "threads", "hands_per_second", "ns_per_hand"} for row in rows)
    assert all(row["hands_per_second"] * row["ns_per_hand"] == pytest.approx(1e9, rel=0.02) for row in rows)
    cases = {row["case"] for row in rows if row["threads"] == 1}
    policies = ("random", "greedy", "careful", "search:16", "open", "whole games, random", "whole games, greedy")
    policies += ("a playout of search:16",)
    assert all(row["times_random"] == 1 for row in rows if row["case"].startswith("random, "))
    assert cases == {f"{policy}, {n} players" for policy in policies for n in (2, 4)} | {
        "dealing and bonuses alone, 4 players"
    }
    for lang, heads, case in (
        ("en", ["What", "Threads", "Hands a second", "Microseconds a hand", "Times random"], "random, 2 players"),
        ("it", ["Che cosa", "Thread", "Smazzate al secondo", "Microsecondi a smazzata"], "random, 2 giocatori"),
    ):
        first, *others = bench.for_readers(rows, lang).iter_rows(), *bench.for_readers(rows, lang).columns
        assert others[: len(heads)] == heads
        assert next(first)[0] == case
    assert run("bench", "--hands", "1000")[1].startswith("What  ")


def test_whole_games_are_measured_by_the_hands_they_play(monkeypatch):
    monkeypatch.setattr(bench, "POLICIES", ())
    for case in bench._cases(1000):
        if case.name.startswith("whole games"):
            [games] = [value for value in case.play.args if isinstance(value, Games)]
            table = played(carry_out(games))
            [mean] = table.filter(pl.col("value").is_null(), quantity="hands", kind="mean")["estimate"]
            assert case.hands == round(mean * games.games)


@pytest.mark.parametrize("text", ["x" * 100_000, "'\"" * 50_000], ids=["letters", "quotation marks"])
@pytest.mark.parametrize(
    "words",
    ["simulate --policy", "simulate --rules", "simulate --rule", "simulate --hands", "simulate --at", "simulate -o",
     "simulate --scheduler", "simulate", "compare --house", "compare --against", "odds", "odds --by", "odds --sizes",
     "tournament --policy", "advise --at", "show --at", "plot", "describe", "table"],
)  # fmt: skip
def test_long_arguments_are_not_quoted_at_length(words: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), text])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n")) == (2, 1)
    assert len(error) < 500
