"""Merging the files of parts of a request, as from several machines: the bytes of one run, no hand twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments import tournament_pairings


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure costs in a moment: they change no result."""
    monkeypatch.setattr(tournament_pairings, "_MEASURED_SECONDS", 0.002)


ARGUMENTS: dict[str, dict[str, Any]] = {
    "simulate": {"policy": "greedy", "hands": 5000},
    "simulate side by side": {"policy": ["greedy", "random"], "hands": 2000, "controls": False},
    "games": {"policy": "greedy", "games": 900, "rule": ["target=31", "cards_point=2"]},
    "games, every score": {"win_table": True, "policy": "us=greedy, them=random", "hands": 3000, "rule": "target=31"},
    "games, a score": {"at": "score: 18-11; i am: first; me: 7h", "policy": "greedy", "hands": 3000},
    "games, a score of three": {"at": "score: 3-4-5", "players": 3, "policy": "greedy", "games": 900},
    "compare": {"policy": "greedy", "hands": 3000, "house": ["no-matta", "table-nine"], "players": 2},
    "tournament": {"policy": ["random", "greedy"], "hands": 3000, "players": 2},
}


def part(name: str, file: Path, first: int, number: int, **options: Any) -> Path:
    """Play part of a request: a number of trials from ``first`` on."""
    unit = "games" if "games" in ARGUMENTS[name] else "hands"
    function: Callable[..., cs.Result] = getattr(cs, re.match(r"\w+", name)[0])  # type: ignore[index]
    function(**ARGUMENTS[name] | {unit: number, f"first_{unit[:-1]}": first} | options, output=file, progress=False)
    return file


@pytest.mark.parametrize("name", ARGUMENTS)
def test_parts_in_any_order_merge_to_the_bytes_of_one_run(name: str, tmp_path: Path) -> None:
    number = ARGUMENTS[name].get("hands") or ARGUMENTS[name]["games"]
    whole = part(name, tmp_path / "whole.parquet", 0, number)
    cuts = [0, number // 3, number] if name == "tournament" else [0, number // 3, number // 2, number]
    parts = [part(name, tmp_path / f"{since}.parquet", since, until - since) for since, until in pairwise(cuts)]
    every = tmp_path / "every.parquet"
    cs.combine(reversed(parts), output=every)
    assert every.read_bytes() == whole.read_bytes()
    with pytest.raises(InputError, match=rf"0 to {cuts[1] - 1:_} are in .* and in .*\(each may be counted once"):
        cs.combine([parts[0], every])
    if len(parts) > 2:
        some, alike = tmp_path / "some.parquet", part(name, tmp_path / "alike.parquet", cuts[1], number - cuts[1])
        cs.combine(parts[1:], output=some)
        assert some.read_bytes() == alike.read_bytes()


def test_gaps_are_named_and_can_be_filled_later(tmp_path: Path) -> None:
    a, b, c = (part("simulate", tmp_path / f"{k}.parquet", 1000 * k, 1000) for k in range(3))
    gapped, whole = tmp_path / "gapped.parquet", part("simulate", tmp_path / "whole.parquet", 0, 3000)
    merged = cs.combine([c, a], output=gapped)
    assert (merged.metadata["hands"], merged.metadata["stopped"], merged.metadata["gaps"]) == (
        2000,
        "gaps",
        [[1000, 2000]],
    )
    assert "Left out, since no file holds them: hands 1_000 to 1_999." in merged.remarks
    assert set(merged.frame.filter(quantity="points", side="all")["n"]) == {2000}
    with pytest.raises(InputError, match=r"hands 1_000 to 1_999 are missing among those it holds"):
        part("simulate", gapped, 0, 3000)
    cs.combine([gapped, b], output=tmp_path / "every.parquet")
    assert (tmp_path / "every.parquet").read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("name", ["games, every score", "games, a score"])
def test_chances_are_computed_from_the_hands_in_the_files(name: str, tmp_path: Path) -> None:
    """Parts of a few hands, not in every batch; the hands between them are merged later."""
    cuts = [0, 13, 710, 721, 3000]
    a, b, c, d = (part(name, tmp_path / f"{since}.parquet", since, until - since) for since, until in pairwise(cuts))
    gapped, every = tmp_path / "gapped.parquet", tmp_path / "every.parquet"
    merged = cs.combine([d, a], output=gapped)
    assert (merged.metadata["hands"], merged.metadata["stopped"], merged.metadata["gaps"]) == (
        2292,
        "gaps",
        [[13, 721]],
    )
    assert "Left out, since no file holds them: hands 13 to 720." in merged.remarks
    assert set(merged.frame["n"]) == {2292}
    with pytest.raises(InputError, match="hands 13 to 720 are missing among those it holds"):
        part(name, gapped, 0, 3000)
    cs.combine([c, gapped, b], output=every)
    assert every.read_bytes() == part(name, tmp_path / "whole.parquet", 0, 3000).read_bytes()


def test_an_interrupted_part_is_merged_and_resumed(tmp_path: Path) -> None:
    """One of two machines was stopped: the same command resumes its file, then both are merged."""
    first, second = (
        part("simulate", tmp_path / "1.parquet", 0, 700),
        part("simulate", tmp_path / "2.parquet", 2000, 3000),
    )
    part("simulate", first, 0, 2000)  # as after an interruption: the same command but for --hands
    cs.combine([first, second], output=tmp_path / "every.parquet")
    assert (tmp_path / "every.parquet").read_bytes() == part("simulate", tmp_path / "w.parquet", 0, 5000).read_bytes()


def test_files_of_other_requests_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    policy = Path("mine.py")
    policy.write_text("def first(view, plays):\n    return 0\n", "utf-8")
    a = part("simulate", Path("a.parquet"), 0, 1000, policy="mine.py:first")
    refused = {
        r"FILE c.parquet: seed is 2 there and 1 here": part("simulate", Path("c.parquet"), 1000, 10, seed=2),
        r"FILE d.parquet: matta is": part("simulate", Path("d.parquet"), 1000, 10, house="no-matta"),
        r"FILE e.parquet: holds a table of 'games/2' \(valid: a file of cirulla-sim simulate\)": part(
            "games", Path("e.parquet"), 1000, 10
        ),
        r"FILE f.parquet: holds results of 'random', and you asked for 'greedy'": part(
            "simulate", Path("f.parquet"), 1000, 10, policy="random"
        ),
    }
    b = part("simulate", Path("b.parquet"), 0, 1000)
    for message, other in refused.items():
        with pytest.raises(InputError, match=message):
            cs.combine([b, other])
    policy.write_text("def first(view, plays):\n    return len(plays) - 1\n", "utf-8")
    later = part("simulate", Path("later.parquet"), 1000, 1000, policy="mine.py:first")
    with pytest.raises(InputError, match=r"its source is not the one that made a.parquet"):
        cs.combine([a, later], policy="mine.py:first")
    with pytest.raises(InputError, match=r"its source is not the one that made a.parquet"):
        cs.combine([later, a], policy="mine.py:first")
    with pytest.raises(InputError, match="is one of the files to merge"):
        cs.combine([a, b], output=b)
    with pytest.raises(InputError, match="exists already"):
        cs.combine([a, b], output=later)
    with pytest.raises(InputError, match="valid: two files or more"):
        cs.combine([a])
    checked = Path("checked.parquet")
    part("games, a score", checked, 0, 100, check=10)
    with pytest.raises(InputError, match="was made with --check, which requires one run"):
        cs.combine([checked, a])
    score, other, map_ = (Path(f"{name}.parquet") for name in ("score", "other", "map"))
    part("games, a score", score, 0, 100)
    for elsewhere, message in (
        ({"at": "score: 19-11; i am: first; me: 7h"}, "at is"),
        ({"at": "score: 18-11; i am: dealer; me: 7h"}, "at is"),
        ({"at": "score: 18-11; i am: first"}, "at is"),
    ):
        part("games, a score", other, 100, 100, **elsewhere, force=True)
        with pytest.raises(InputError, match=rf"FILE other.parquet: {message}"):
            cs.combine([score, other])
    with pytest.raises(InputError, match=r"FILE map.parquet: holds a table of 'win-table/2'"):
        cs.combine([score, part("games, every score", map_, 100, 100)])
    unpaired = Path("unpaired.parquet")
    part("compare", unpaired, 0, 100, unpaired=True)
    with pytest.raises(InputError, match="was made with --unpaired, which requires one run"):
        cs.combine([unpaired, a])


@pytest.mark.parametrize(
    ("name", "other"),
    [("simulate", {"precision": 0.1}), ("compare", {"unpaired": True}), ("compare", {"games": 10}),
     ("tournament", {"until_decided": True}), ("games, a score", {"check": 10})],
)  # fmt: skip
def test_runs_that_need_all_trials_cannot_be_merged(name: str, other: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=f"--first-hand '5' cannot be used with --{next(iter(other))}".replace("_", "-")
    ):
        part(name, tmp_path / "x.parquet", 5, 1000, **other)
