"""Arguments of any type are refused in one line: public functions raise ``InputError`` and nothing else."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.experiments.checkpoints import Saving
from cirulla_sim.experiments.runner import carry_out

TINY: dict[str, dict[str, Any]] = {
    "rules": {"base": "cirulla"},
    "hand": {"policy": "greedy"},
    "simulate": {"policy": "greedy", "hands": 20},
    "odds": {"question": "barsega"},
    "compare": {"house": "no-matta", "policy": "greedy", "hands": 20},
    "games": {"policy": "greedy", "games": 5},
    "tournament": {"policy": ["greedy", "random"], "players": 2, "hands": 1000},
    "advise": {"at": "table: 5c 2h Kd; me: 7d 2s Jh", "players": 2, "samples": 8},
    "read": {"path": "small.parquet"},
    "plot": {"result": "small.parquet"},
    "combine": {"files": ["small.parquet", "other.parquet"]},
    "report": {"sections": "small.parquet", "output": "pages"},
    **{name: {} for name in ("presets", "house_rules", "policies", "vocabulary")},
}  # fmt: skip
"""The functions, with arguments for which they take little time."""


class Anything:
    """An object that nobody expects."""


WRONG = (
    -1, 2.5, float("nan"), True, b"barsega", "", "a\0b", (), {}, [None], [["x"]], {"x": None}, {3: 4}, {1, 2},
    Anything(), len, Path("nowhere"), iter("ab"), None,
)  # fmt: skip


def arguments(function: Callable[..., Any]) -> Iterator[str]:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            yield parameter.name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("files")
    cs.simulate(policy="greedy", hands=200, output=place / "small.parquet")
    cs.simulate(policy="greedy", hands=200, first_hand=200, output=place / "other.parquet")
    return place


def test_every_function_is_tried() -> None:
    assert set(TINY) == {name for name in cs.__all__ if inspect.isfunction(getattr(cs, name))}


class Valid(Exception):
    """All arguments are valid: what would be simulated now does not depend on their types."""


def stop_before_the_first_hand(monkeypatch: pytest.MonkeyPatch, end: BaseException) -> None:
    """Let every run end so when its files are opened, which comes after everything that may be refused."""
    opened = Saving.open

    @contextmanager
    def opened_and_left(saving: Saving, *given: Any, **named: Any) -> Iterator[Any]:
        with opened(saving, *given, **named):
            raise end
            yield

    monkeypatch.setattr(Saving, "open", opened_and_left)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in ("plot", "hand"))) for name in TINY]
)
def test_arguments_of_wrong_types_are_invalid_input(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every wrong value for every argument; runs end when their files are opened, reports before they are drawn."""
    function, usual = getattr(cs, name), TINY[name]

    def drawn(*_: Any) -> None:
        raise Valid

    def carried_out(job: Any, execution: Any) -> Any:
        json.dumps(job.request.as_json())
        job.request.command()
        return carry_out(job, execution)

    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    stop_before_the_first_hand(monkeypatch, Valid())
    monkeypatch.setattr("cirulla_sim.verbs.report.site", drawn)
    if function.__module__ == "cirulla_sim.verbs.functions" and function is not cs.hand:
        monkeypatch.setattr(f"cirulla_sim.verbs.{name}.carry_out", carried_out, raising=False)
    failed = []
    for argument in arguments(function):
        for value in WRONG:
            if argument in usual and value in (None, (), [], {}):  # the default, which may take long
                continue
            try:
                function(**usual | {argument: value})
            except Valid:
                pass
            except cs.InputError as error:
                failed += [str(error)] if "\n" in str(error) else []
            except Exception as error:
                failed.append(f"{argument}={value!r}: {type(error).__name__}: {error}"[:200])
    assert not failed, "\n".join(failed)
