"""The script that compares two versions: it lists every number that differs, and counts changed labels."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "same_numbers.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("same_numbers", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["same_numbers"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ROW = {"policy": "greedy,greedy", "value": "3", "exact": "1/3", "estimate": 0.5, "n": 10, "ci_high": None}


def folder(place: Path, name: str, row: dict[str, Any], code: int = 0, **metadata: Any) -> Path:
    """The output of a version for one command: JSON, and a file."""
    printed = place / name
    printed.mkdir(parents=True)
    (printed / "000.txt").write_text(f"odds --format json\nexit {code}\nA remark.\n\n{json.dumps([row])}\n", "utf-8")
    pl.DataFrame([row]).write_parquet(place / "x.parquet", metadata={"cirulla_sim": json.dumps(metadata)})
    return place


@pytest.mark.parametrize(
    ("changed", "numbers"),
    [({}, 0), ({"policy": "greedy"}, 0), ({"value": "4"}, 2), ({"exact": "1/4"}, 2), ({"estimate": 0.5000000001}, 2),
     ({"n": 11}, 2), ({"n": 10.0}, 2), ({"ci_high": 0.5}, 2), ({"estimate": None}, 2), ({"policy": "3"}, 2)],
)  # fmt: skip
def test_numbers_that_differ_are_listed_and_labels_counted(
    changed: dict[str, Any], numbers: int, script: ModuleType, tmp_path: Path
) -> None:
    before = folder(tmp_path / "before", "printed", ROW, rules={"target": 51}, seed=1)
    after = folder(tmp_path / "after", "printed", ROW | changed, request={}, seed=1)
    differences, alone = script.compare_folders(before, after)
    assert len(differences.numbers) >= numbers
    assert bool(differences.numbers) == bool(numbers)
    assert alone == []
    assert differences.labels["metadata rules: removed"] == differences.labels["metadata request: added"] == 1
    if changed == {"policy": "greedy"}:
        assert differences.labels["column policy: 'greedy,greedy' -> 'greedy'"] == 1


def test_exit_codes_rows_and_columns_are_compared_too(script: ModuleType, tmp_path: Path) -> None:
    before = folder(tmp_path / "before", "printed", ROW)
    other = folder(tmp_path / "code", "printed", ROW, code=2)
    assert "exit 0 before and exit 2 after" in script.compare_folders(before, other)[0].numbers[0]
    less = folder(tmp_path / "less", "printed", {name: value for name, value in ROW.items() if name != "n"})
    assert any("column n" in line for line in script.compare_folders(before, less)[0].numbers)
    twice = folder(tmp_path / "twice", "printed", ROW)
    pl.DataFrame([ROW, ROW]).write_parquet(twice / "x.parquet")
    assert "x.parquet: 1 rows before and 2 after" in script.compare_folders(before, twice)[0].numbers
    (twice / "x.parquet").unlink()
    assert script.compare_folders(before, twice)[1] == ["x.parquet"]
