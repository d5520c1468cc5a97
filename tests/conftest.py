"""Fixtures shared by several test files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from every_kind import advice_of_every_kind, results_of_every_kind

from cirulla_sim.reporting.result import Result

sys.path.insert(0, str(Path(__file__).parent.parent / "analyses"))

import study_views  # noqa: F401 (registers the charts and texts of studies, in whatever order tests run)


@pytest.fixture(scope="session")
def results() -> dict[str, Result]:
    """Results of every kind, by name."""
    return results_of_every_kind() | advice_of_every_kind()
