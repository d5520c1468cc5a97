"""Policies that other packages bring: found by their metadata, imported only when they play."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import cirulla_sim as cs
from cirulla_sim.engine import plugins


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that somebody installed, which notes that it is imported."""
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[cirulla_sim.policies]\ncautious = theirs_policies:last\n", "utf-8")
    (tmp_path / "theirs_policies.py").write_text("def last(turn):\n    return turn.choices[-1]\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.installed.cache_clear()
    yield tmp_path
    plugins.installed.cache_clear()
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
