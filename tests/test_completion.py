"""What shells complete: verbs, options, files and every name that an option takes; without heavy imports."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cirulla_sim as cs
from cirulla_sim.cli import VERBS, main
from cirulla_sim.cli.completed import FIGURES
from cirulla_sim.reporting.charts import draw
from cirulla_sim.ruleset.catalogue import check


def completed(*words: str, breaks: str = "") -> list[str]:
    """What bash gets for the last of some words, as ``plain,scopa``; ``breaks`` end words of bash."""
    variables = {"_CIRULLA_SIM_COMPLETE": "bash_complete", "COMP_LINE": " ".join(words), "COMP_WORDBREAKS": breaks}
    code = (
        "import sys; from cirulla_sim.__main__ import main\n"
        "try: main()\n"
        "finally: print([name for name in ('numpy', 'polars', 'matplotlib') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **variables},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
    return done.stdout.splitlines()


def names(*words: str, breaks: str = "") -> list[str]:
    return [item.removeprefix("plain,") for item in completed("cirulla-sim", *words, breaks=breaks)]


def test_verbs_and_options() -> None:
    assert names("") == list(VERBS)
    assert names("comp") == ["compare", "completion"]
    assert names("simulate", "--hand") == ["--hands"]
    assert names("completion", "") == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("simulate --rules scopo", ["scopone", "scopone-scientifico"]),
        ("simulate --rules ./mine", ["file,./mine"]),
        ("odds --house piccola", ["piccola-seven"]),
        ("compare --house no-matta+table", ["no-matta+table-nine"]),
        ("compare --against scopone-", ["scopone-scientifico"]),
        ("games --policy sea", ["search"]),
        ("games --rule target=2", ["target=26", "target=21"]),
        ("plot --figure comeb", ["comeback"]),
        ("plot --theme d", ["dark"]),
        ("odds --format la", ["latex"]),
        ("rules show --format to", ["toml"]),
        ("rules show cirullone-r", ["cirullone-rivarolo"]),
        ("odds --lang i", ["it"]),
        ("odds can_sw", ["can_sweep"]),
        ("simulate --engine das", ["dask"]),
        ("simulate --only margin,captu", ["margin,captures"]),
        ("simulate -o out", ["file,out"]),
        ("table out", ["file,out"]),
        ("report -o pag", ["dir,pag"]),
        ("simulate --hands lots --players 17 --rules scopa-t", ["scopa-team"]),
    ],
)
def test_names(words: str, expected: list[str]) -> None:
    found = names(*words.split())
    assert sorted(found) == sorted(expected)


SUFFIXED = ["search:4", "search:16", "search:64", "search:256"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("games --policy search", ["search", *SUFFIXED]),
        ("games --policy search:", ["4", "16", "64", "256"]),
        ("games --policy=search:6", ["64"]),
        ("games --policy 'search:6", ["search:64"]),
        ("games --policy search:16:c", ["careful"]),
        ("games --policy careful+matta", ["careful+matta-low", "careful+matta-high"]),
        ("games --policy 'dea", ["dealer="]),
        ("games --policy 'dealer=ca", ["dealer=careful"]),
        ("games --policy dealer=ca", ["careful"]),
        ("games --policy 'dealer=search, oth", ["dealer=search, others="]),
        ("games --policy 'dealer=search, others=search:", [f"dealer=search, others={name}" for name in SUFFIXED]),
        ("games --rule target=2", ["26", "21"]),
        ("games --house=piccola-s", ["piccola-seven"]),
        ("simulate --only margin,captu", ["margin,captures"]),
    ],
)
def test_what_bash_breaks_at_colons_and_equals_signs(line: str, expected: list[str]) -> None:
    """It replaces only what follows the last of them outside quotes."""
    assert sorted(names(*line.split(" "), breaks=" :=")) == sorted(expected)


def test_changed_fields_are_valid() -> None:
    changes = names("simulate", "--rule", "")
    assert len(changes) > 100
    for change in changes:
        field, _, value = change.partition("=")
        check(field, value)


def test_figures_are_those_that_are_drawn() -> None:
    of_verbs = {
        name for kind, family in draw.FIGURES.items() if re.match(r"[a-z-]+/2", kind) for name in family.figures
    }
    assert set(FIGURES) <= of_verbs
    assert {name for kind in ("simulate/2", "compare/2", "games/2") for name in draw.FIGURES[kind].figures} <= set(
        FIGURES
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_by_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["completion", "bash"])
    assert end.value.code == 0
    program = tmp_path / "cirulla-sim"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cirulla_sim "$@"\n', "utf-8")
    program.chmod(0o755)
    script = capsys.readouterr().out + (
        "\nCOMP_LINE='cirulla-sim odds --house table --lang it'; COMP_POINT=30\n"
        '_cirulla_sim_completion cirulla-sim\necho "${COMPREPLY[@]}"\ncomplete -p cirulla-sim'
    )
    home = Path(cs.__file__).parents[1]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(home)}
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, encoding="utf-8", env=environment)
    reply, registered = done.stdout.splitlines()
    assert (reply, done.stderr) == ("table-nine", "")
    assert "-F _cirulla_sim_completion cirulla-sim" in registered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_of_other_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", shell])
    script = capsys.readouterr().out
    assert f"_CIRULLA_SIM_COMPLETE={shell}_complete" in script
    assert shell != "fish" or "string split -m 1" in script


def test_other_shells_replace_whole_words() -> None:
    for shell, variables in (
        ("zsh", {"COMP_WORDS": "cirulla-sim games --policy=search:6", "COMP_CWORD": "2"}),
        ("fish", {"COMP_WORDS": "cirulla-sim games --policy=search:6", "COMP_CWORD": "--policy=search:6"}),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "cirulla_sim"], capture_output=True, encoding="utf-8", check=True,
            env={**os.environ, "_CIRULLA_SIM_COMPLETE": f"{shell}_complete", **variables},
        )  # fmt: skip
        assert "--policy=search:64" in re.split(r"[\n,]", done.stdout)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for lang, expected in (("en", "unknown shell 'zhs': did you mean 'zsh'?"), ("it", "shell 'zhs' non esiste")):
        with pytest.raises(SystemExit) as end:
            main(["completion", "zhs", "--lang", lang])
        assert end.value.code == 2
        assert expected in capsys.readouterr().err
