"""The page of known answers agrees with its tables, and these with the simulation and with new counts."""

from __future__ import annotations

import runpy
from pathlib import Path

import polars as pl
import pytest

from cirulla_sim.storage.tables import read

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "known_answers.py"))
LINES = [(game, ask) for question in SCRIPT["QUESTIONS"] for game, _, ask in question.lines]


@pytest.fixture(scope="module")
def answers() -> pl.DataFrame:
    return read(ROOT / "results" / "known_answers.parquet")[0]


def test_the_page_has_every_answer_in_order(answers: pl.DataFrame) -> None:
    page = (ROOT / "docs" / "reference" / "known_answers.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if line.startswith("|") and "`cirulla-sim odds " in line]
    assert len(lines) == len(LINES) == answers.height
    assert page.count("\n## ") == 20 + 1
    for line, row, (game, ask) in zip(lines, answers.to_dicts(), LINES, strict=True):
        assert (row["exact"] is None) == ("simulated" in line)
        assert row["exact"] is None or f"| `{row['exact']}` |" in line
        assert line.startswith(f"| {game.title} |")
        assert ask.words == [] or f"odds {SCRIPT['shlex'].join(ask.words)}" in line


def test_exact_answers_agree_with_twenty_million_deals(answers: pl.DataFrame) -> None:
    check, metadata = read(ROOT / "results" / "known_answers_check.parquet")
    assert check["exact"].to_list() == answers["exact"].drop_nulls().to_list()
    assert metadata["hands"] == 20_000_000
    assert check["difference"].abs().max() < 4


def test_quick_answers_are_counted_again(answers: pl.DataFrame) -> None:
    """All except those of whole deals, which take long."""
    again = 0
    for row, (game, ask) in zip(answers.to_dicts(), LINES, strict=True):
        assert ask.inquiry(game.rules)  # which is refused if it cannot be asked
        if row["exact"] is not None and row["per"] != "hand":
            assert ask.exact(game.rules)["exact"].item() == row["exact"]
            again += 1
    assert again >= 30
