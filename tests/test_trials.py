"""The stress tests in short: a run killed and resumed, machines that fail, invalid input; and their page."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from test_pages import ROOT, of_name

from cirulla_sim.storage.tables import read as read_table


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return of_name("try_hard", monkeypatch, "scripts")


def test_a_run_with_records_killed_at_random_ends_in_the_same_bytes(trials: ModuleType) -> None:
    row = trials.kills("simulate", "simulate --policy greedy --hands 200k --records rows.parquet", 1, 5, 1)
    assert row["message"] == ""


@pytest.mark.parametrize("name", ["a folder that cannot be written", "two machines, one killed, merged"])
def test_a_failing_machine_loses_nothing(
    name: str, trials: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "EACH", 400_000)
    assert trials.FAILURES[name](tmp_path) == ""


def test_invalid_input_is_read_or_refused_in_one_line(trials: ModuleType, tmp_path: Path) -> None:
    for name, make, read in trials.fuzz.parsers(tmp_path, random.Random(7)):
        many = trials.fuzz.many_of(name, 120)
        refused, wrong = trials.fuzz.tried(name, make, read, many)
        assert wrong == [], name
        assert 0 < refused < many or many == 1


def test_failures_are_reported(trials: ModuleType) -> None:
    def reads(given: str) -> None:
        raise KeyError(given)

    assert trials.fuzz.tried("a text", lambda: "x", reads, 5) == (0, ["KeyError: 'x' for 'x'"])
    rows = [trials.row("spoilt", "a text", 5, ["KeyError"]), trials.row("killed", "simulate", 9, [], 1.25)]
    shown = trials.page(pl.DataFrame(rows, schema=trials.SCHEMA, orient="row"))
    assert "14 trials, of which 1 failed." in shown
    assert "| simulate | 9 | 0 | 1.2 |" in shown
    assert "- a text: KeyError" in shown


@pytest.mark.skipif(not (ROOT / "results" / "trials.md").exists(), reason="the long trials have not been made yet")
def test_the_page_of_trials_follows_from_its_file(trials: ModuleType) -> None:
    frame = pl.read_parquet(trials.TABLE)
    assert trials.page(frame, read_table(trials.TABLE)[1]["command"]) == trials.PAGE.read_text("utf-8")
    assert frame["wrong"].sum() == 0
