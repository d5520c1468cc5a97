"""The stress tests in short: invalid input is refused; and their page."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from test_pages import ROOT, of_name

from cirulla_sim.storage.tables import read as read_table

SLOW = {"hands gone through": 10, "a saved game": 10}
"""By how much fewer inputs some parsers get."""

SEALED = ("a request", "a sealed table", "a table to draw")
"""What nobody but the program writes: its digest is checked, not each of its values."""


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return of_name("try_hard", monkeypatch, "scripts")


@pytest.mark.slow
def test_invalid_input_is_read_or_refused_in_one_line(trials: ModuleType, tmp_path: Path) -> None:
    for name, make, read in trials.fuzz.parsers(tmp_path, random.Random(7)):
        if name in SEALED:
            continue
        many = 120 // SLOW.get(name, 1)
        _, refused, wrong, _ = trials.fuzz.tried(make, read, many)
        assert wrong == [], name
        assert 0 < refused < many or many < 20


@pytest.mark.skipif(not (ROOT / "results" / "trials.md").exists(), reason="the long trials have not been made yet")
def test_the_page_of_trials_follows_from_its_file(trials: ModuleType) -> None:
    frame = pl.read_parquet(trials.TABLE)
    assert trials.page(frame, read_table(trials.TABLE)[1]["command"]) == trials.PAGE.read_text("utf-8")
    assert frame["wrong"].sum() == 0
