"""Policies that other packages bring: found by their metadata, imported only when they play."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.engine import plugins
from cirulla_sim.ruleset import installed_presets

ENTRY_POINTS = """
[cirulla_sim.policies]
cautious = theirs_policies:last

[cirulla_sim.presets]
our-club = theirs:club.toml
wrong-club = theirs:wrong.toml
no-club = theirs:none.toml
outside = theirs:../club.toml
cirulla = theirs:club.toml
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that somebody installed, which notes that it is imported."""
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, "utf-8")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "__init__.py").write_text("raise AssertionError('imported')\n", "utf-8")
    (tmp_path / "theirs" / "club.toml").write_text('preset = "cirulla"\nplayers = 2\ntarget = 31\n', "utf-8")
    (tmp_path / "theirs" / "wrong.toml").write_text("targt = 31\n", "utf-8")
    (tmp_path / "theirs_policies.py").write_text("def last(turn):\n    return turn.choices[-1]\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.installed.cache_clear()
    installed_presets.installed.cache_clear()
    yield tmp_path
    plugins.installed.cache_clear()
    installed_presets.installed.cache_clear()
    sys.modules.pop("theirs_policies", None)


def test_a_policy_of_another_package(package: Path) -> None:
    with pytest.raises(cs.InputError, match="did you mean 'cautious'"):
        cs.simulate(policy="cautius", hands=10)
    assert "theirs_policies" not in sys.modules
    theirs = cs.simulate(policy="cautious", hands=100)
    assert theirs.metadata["sources"].keys() == {"cautious"}
    by_file = cs.simulate(policy=f"{package / 'theirs_policies.py'}:last", hands=100)
    assert theirs.frame.drop("policy", strict=False).equals(by_file.frame.drop("policy", strict=False))


def test_a_file_imports_no_package_that_is_not_named(package: Path) -> None:
    game = cs.Game(players=2, policy="careful", seed=2)
    file = game.save(package / "game.jsonl")
    line = json.loads(file.read_text("utf-8"))
    line["request"]["line_ups"] = [{"all": "cautious"}]
    file.write_text(json.dumps(line), "utf-8")
    with pytest.raises(cs.InputError, match="a policy of your own: it is imported only if --policy names it"):
        cs.Game.from_records(file)
    assert "theirs_policies" not in sys.modules


def test_a_preset_of_another_package(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a rule file that has a name; a result stores all its fields, and is read without the package."""
    theirs = cs.rules("our-club")
    by_file = cs.rules(package / "theirs" / "club.toml")
    assert theirs == by_file
    assert (theirs.fields.players, theirs.fields.target) == (2, 31)
    assert cs.rules("cirulla").fields.target == 51
    for wrong, line in (
        ("our-clb", "did you mean 'our-club'"),
        ("wrong-club", "wrong.toml: unknown field 'targt': did you mean 'target'"),
        ("no-club", "none.toml: cannot be read"),
        ("outside", "unknown preset 'outside'"),
    ):
        with pytest.raises(cs.InputError, match=line):
            cs.rules(wrong)
    with pytest.raises(SystemExit) as end:
        main(["rules", "diff", "cirulla", "our-club"])
    assert end.value.code in (0, None)
    assert "target       cirulla: 51 · our-club: 31" in " ".join(capsys.readouterr().out.split("\n"))
    listed = {
        "en": ("2 players", "not valid", "From another package"),
        "it": ("2 giocatori", "non valido", "Da un altro"),
    }
    for lang, (seats, wrong, origin) in listed.items():
        with pytest.raises(SystemExit):
            main(["rules", "list", "--lang", lang])
        lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")}
        assert all(part in lines["our-club"] for part in (seats, origin, "[theirs:club.toml]"))
        assert wrong in lines["wrong-club"]
        assert "[000]" in lines["cirulla"]
    assert cs.presets()["our-club"] == "theirs:club.toml"
    assert cs.presets()["cirulla"] == "Cirulla as most people play it"
    file = package / "found.parquet"
    found = cs.simulate("our-club", policy="greedy", hands=100, output=file)
    (package / "theirs" / "club.toml").unlink()
    (package / "theirs-1.0.dist-info" / "entry_points.txt").unlink()
    installed_presets.installed.cache_clear()
    assert str(cs.read(file)) == str(found)
