"""The page of known answers agrees with its tables, and these with the simulation and with new counts."""

from __future__ import annotations

import runpy
from pathlib import Path

import polars as pl
import pytest

from cirulla_sim.storage.tables import read_table

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "known_answers.py"))
LINES = SCRIPT["LINES"]


@pytest.fixture(scope="module")
def answers() -> pl.DataFrame:
    return read_table(ROOT / "results" / "known_answers.parquet")[0]


def test_the_page_is_made_of_its_tables(answers: pl.DataFrame) -> None:
    check, metadata, _ = read_table(ROOT / "results" / "known_answers_check.parquet")
    page = (ROOT / "docs" / "reference" / "known_answers.md").read_text("utf-8")
    assert SCRIPT["page"](answers, check, metadata["hands"]) == page
    assert answers.height == len(LINES)


def test_exact_answers_agree_with_twenty_million_deals(answers: pl.DataFrame) -> None:
    check, metadata, _ = read_table(ROOT / "results" / "known_answers_check.parquet")
    assert check["exact"].to_list() == answers["exact"].drop_nulls().to_list()
    assert metadata["hands"] == 20_000_000
    assert check["difference"].abs().max() < 4


def test_quick_answers_are_counted_again(answers: pl.DataFrame) -> None:
    """All except those of whole deals, which take long."""
    again = 0
    for row, line in zip(answers.to_dicts(), LINES, strict=True):
        if row["exact"] is not None and row["per"] != "hand":
            assert line.answer()["exact"].item() == row["exact"]
            again += 1
    assert again >= 30
