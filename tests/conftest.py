"""What several test files share."""

from __future__ import annotations

import pytest
from every_kind import results_of_every_kind

from cirulla_sim.reporting.result import Result


@pytest.fixture(scope="session")
def results() -> dict[str, Result]:
    """A result of every kind by name."""
    return results_of_every_kind()
