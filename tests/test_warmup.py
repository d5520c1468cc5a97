"""Compiling ahead of time, and what is said while code is being compiled."""

from __future__ import annotations

import pkgutil
import sys

import pytest

from cirulla_sim.kernel import entries, jit
from cirulla_sim.machine import warmup


def test_every_entry_point_is_compiled_ahead_of_time() -> None:
    names = [name for group in warmup._groups() for name in group]
    assert sorted(names) == sorted(module.name for module in pkgutil.iter_modules(entries.__path__))


def test_a_process_that_fails_is_told_in_a_line() -> None:
    with pytest.raises(RuntimeError, match="compiling nothing failed: ModuleNotFoundError") as raised:
        warmup._compile(("nothing",))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("at_terminal", [True, False])
def test_compiling_is_announced_once_and_only_at_a_terminal(
    at_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: at_terminal, raising=False)
    jit._say_once.cache_clear()
    for _ in range(2):
        jit._say_once()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("Compiling") == at_terminal
