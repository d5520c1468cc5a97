"""The stress tests in short: invalid input, and tables that contradict themselves; and their page."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from every_kind import STUDIES
from test_pages import ROOT, of_name

import cirulla_sim as cs
from cirulla_sim.reporting.result import Result
from cirulla_sim.storage.atomic_files import whole_file
from cirulla_sim.storage.tables import read as read_table
from cirulla_sim.storage.tables import write_part

SLOW = {"a table to draw": 60, "a sealed table": 4, "hands gone through": 10, "a saved game": 10}
"""By how much fewer inputs some parsers get."""


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return of_name("try_hard", monkeypatch, "scripts")


@pytest.mark.slow
def test_invalid_input_is_read_or_refused_in_one_line(trials: ModuleType, tmp_path: Path) -> None:
    for name, make, read in trials.fuzz.parsers(tmp_path, random.Random(7)):
        many = 120 // SLOW.get(name, 1)
        _, refused, wrong, _ = trials.fuzz.tried(make, read, many)
        assert wrong == [], name
        assert 0 < refused < many or many < 20


@pytest.mark.skipif(not (ROOT / "results" / "trials.md").exists(), reason="the long trials have not been made yet")
def test_the_page_of_trials_follows_from_its_file(trials: ModuleType) -> None:
    frame = pl.read_parquet(trials.TABLE)
    assert trials.page(frame, read_table(trials.TABLE)[1]["command"]) == trials.PAGE.read_text("utf-8")
    assert frame["wrong"].sum() == 0


@pytest.mark.slow
def test_sealed_tables_that_contradict_themselves_are_shown_or_refused(
    trials: ModuleType, results: dict[str, Result], tmp_path: Path
) -> None:
    """Of every kind of a verb's file: rows or metadata are changed, and the file is sealed again."""
    rng, file, refused, shown = random.Random(3), tmp_path / "x.parquet", list[str](), 0
    for name, result in results.items():
        for number in range(0 if name in STUDIES else 8):
            frame, metadata = result.frame, dict(result.metadata)
            if number % 2:
                frame = trials.fuzz.spoilt_frame(rng, frame)
            elif number:
                metadata = trials.fuzz.spoilt_value(rng, metadata)
            with whole_file(file) as part:
                write_part(frame, part, metadata)
            try:
                again = cs.read(file)
            except cs.InputError as error:
                refused.append(f"{name} {number}: {error}")
            else:
                shown += 1
                for lang in ("en", "it"):
                    assert again.describe(lang), name
                    assert again.text(lang=lang), name
    assert len(refused) > shown > len(results) - len(STUDIES)
    assert not [message for message in refused if "\n" in message or " 0: " in message]
