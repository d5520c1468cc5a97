"""Runs that end before their first hand, for tests of arguments alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cirulla_sim.experiments.checkpoints import Saving


def stop_before_the_first_hand(monkeypatch: pytest.MonkeyPatch, end: BaseException) -> None:
    """Let every run end so when its files are opened, which comes after everything that may be refused."""
    opened = Saving.open

    @contextmanager
    def opened_and_left(saving: Saving, *given: Any, **named: Any) -> Iterator[Any]:
        with opened(saving, *given, **named):
            raise end
            yield

    monkeypatch.setattr(Saving, "open", opened_and_left)
