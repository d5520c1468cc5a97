"""Merging the files of parts of a request, as from several machines: the bytes of one run, no hand twice."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments import tournament
from cirulla_sim.experiments.checkpoints import Checkpoint, Span, gaps_between


@pytest.fixture(autouse=True)
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure costs in a moment: they change no result."""
    monkeypatch.setattr(tournament, "_MEASURED_SECONDS", 0.002)
    monkeypatch.chdir(tmp_path)


ARGUMENTS: dict[str, dict[str, Any]] = {
    "simulate": {"policy": "greedy", "hands": 3000},
    "simulate side by side": {"policy": ["greedy", "random"], "hands": 1000, "controls": False},
    "simulate known cards": {"policy": "greedy", "hands": 1000, "at": "me: K* K*; table: 2-5d", "players": 2},
    "games": {"policy": "greedy", "games": 300, "rule": ["target=31", "cards_point=2"]},
    "games, every score": {"win_table": True, "policy": "us=greedy, them=random", "hands": 3000, "rule": "target=11"},
    "games, a score": {"at": "score: 18-11; i am: first; me: 7h", "policy": "greedy", "hands": 3000},
    "compare": {"policy": "greedy", "hands": 1000, "house": ["no-matta", "table-nine"], "players": 2},
    "tournament": {"policy": ["random", "greedy"], "hands": 3000, "players": 2},
}


def part(name: str, file: str, first: int, number: int, **options: Any) -> Path:
    """Play part of a request: a number of trials from ``first`` on."""
    unit = "games" if "games" in ARGUMENTS[name] else "hands"
    function: Callable[..., cs.Result] = getattr(cs, re.match(r"\w+", name)[0])  # type: ignore[index]
    function(**ARGUMENTS[name] | {unit: number, f"first_{unit[:-1]}": first} | options, output=file, progress=False)
    return Path(file)


def span(start: int, end: int) -> Span:
    return Span(start, end, Path(f"{start}.parquet"))


def test_an_overlap_of_one_hand_is_an_error_and_a_gap_of_one_is_named() -> None:
    assert gaps_between([span(0, 10), span(10, 11), span(11, 20)], "hands", 0, 20) == ()
    assert gaps_between([span(5, 10), span(11, 20), span(22, 30)], "hands", 5, 25) == ((10, 11), (20, 22))
    for second, twice in ((span(9, 20), "hands 9 to 9"), (span(0, 1), "hands 0 to 0"), (span(3, 7), "hands 3 to 6")):
        with pytest.raises(InputError, match=rf"^{twice} are in 0.parquet and in {second.path} \(each may be counted"):
            gaps_between([span(0, 10), second], "hands", 0, 20)
    for first, end, message in (
        (5, 9, "--hands '9' is less than the 10 hands of"),
        (4, 20, "begins with hand 5 there"),
    ):
        with pytest.raises(InputError, match=message):
            gaps_between([span(5, 15)], "hands", first, end)


def test_the_hands_in_a_file_are_those_between_its_gaps() -> None:
    held = Checkpoint(Path("5.parquet"), {"first": 5, "hands": 8, "gaps": [[7, 8], [10, 12]]}, {}).spans("hands")
    assert [(each.start, each.end) for each in held] == [(5, 7), (8, 10), (12, 16)]
    assert gaps_between(held, "hands", 5, 11) == ((7, 8), (10, 12))
    for wrong in ({"hands": 0}, {}, {"hands": 8, "gaps": [[3, 3], [3, 4]]}, {"hands": 8, "gaps": 3}):
        with pytest.raises(InputError, match=r"^x: its checkpoint is damaged"):
            Checkpoint(Path("x"), wrong, {}).spans("hands")


@pytest.mark.parametrize("name", ARGUMENTS)
def test_parts_in_any_order_merge_to_the_bytes_of_one_run(name: str) -> None:
    number = ARGUMENTS[name].get("hands") or ARGUMENTS[name]["games"]
    whole = part(name, "whole.parquet", 0, number)
    cuts = [0, number // 3, number] if name == "tournament" else [0, 13, number // 2, number]
    parts = [part(name, f"{since}.parquet", since, until - since) for since, until in pairwise(cuts)]
    every = Path("every.parquet")
    cs.combine(reversed(parts), output=every)
    assert every.read_bytes() == whole.read_bytes()
    with pytest.raises(SystemExit):
        main([*shlex.split(cs.read(parts[-1]).command)[1:], "-o", "again.parquet"])
    assert Path("again.parquet").read_bytes() == parts[-1].read_bytes()
    with pytest.raises(InputError, match=rf"0 to {cuts[1] - 1:_} are in .* and in .*\(each may be counted once"):
        cs.combine([parts[0], every])


@pytest.mark.parametrize("name", ["simulate", "games, every score", "games, a score"])
def test_gaps_are_named_and_can_be_filled_later(name: str) -> None:
    """Parts of a few hands; what the file with a gap says is of the hands in it alone."""
    cuts = [0, 13, 710, 711, 1000]
    a, b, c, d = (part(name, f"{since}.parquet", since, until - since) for since, until in pairwise(cuts))
    merged = cs.combine([d, a, b], output="gapped.parquet")
    assert [merged.metadata[key] for key in ("hands", "stopped", "gaps")] == [999, "gaps", [[710, 711]]]
    assert "Left out, since no file holds them: hands 710 to 710." in merged.remarks
    frame = merged.frame.filter(quantity="points", side="all") if name == "simulate" else merged.frame
    assert set(frame["n"]) == {999}
    with pytest.raises(InputError, match="hands 710 to 710 are missing among those it holds"):
        part(name, "gapped.parquet", 0, 1000)
    cs.combine(["gapped.parquet", c], output="every.parquet")
    assert Path("every.parquet").read_bytes() == part(name, "whole.parquet", 0, 1000).read_bytes()


OTHERS: list[tuple[str, str, dict[str, Any], str]] = [
    ("simulate", "simulate", {"seed": 2}, "seed is 2 there and 1 here"),
    ("simulate", "simulate", {"house": "no-matta"}, "matta is"),
    ("simulate", "simulate", {"policy": "random"}, "holds results of 'random', and you asked for 'greedy'"),
    ("simulate known cards", "simulate known cards", {"at": "me: K*"}, "at is"),
    ("compare", "compare", {"house": "table-nine"}, "house is"),
    ("simulate", "games", {}, r"holds a table of 'games/2' \(valid: a file of cirulla-sim simulate\)"),
    ("games, a score", "games, a score", {"at": "score: 19-11; i am: first; me: 7h"}, "at is"),
    ("games, a score", "games, a score", {"at": "score: 18-11; i am: dealer; me: 7h"}, "at is"),
    ("games, a score", "games, a score", {"at": "score: 18-11; i am: first"}, "at is"),
    ("games, a score", "games, every score", {}, "holds a table of 'win-table/2'"),
]


@pytest.mark.parametrize(("name", "other", "options", "message"), OTHERS)
def test_files_of_other_requests_are_refused(name: str, other: str, options: dict[str, Any], message: str) -> None:
    files = part(name, "a.parquet", 0, 100), part(other, "b.parquet", 100, 100, **options)
    with pytest.raises(InputError, match=f"^b.parquet: {message}"):
        cs.combine(files)


def test_what_is_no_two_parts_is_refused() -> None:
    a, b = part("simulate", "a.parquet", 0, 100), part("simulate", "b.parquet", 100, 100)
    with pytest.raises(InputError, match="is one of the files to merge"):
        cs.combine([a, b], output=b)
    with pytest.raises(InputError, match="exists already"):
        cs.combine([a, b], output=part("simulate", "c.parquet", 200, 100))
    with pytest.raises(InputError, match="valid: two files or more"):
        cs.combine([a])
    with pytest.raises(InputError, match="was made with --unpaired, which requires one run"):
        cs.combine([part("compare", "unpaired.parquet", 0, 100, unpaired=True), a])


@pytest.mark.parametrize(
    ("name", "other"),
    [("simulate", {"precision": 0.1}), ("compare", {"unpaired": True}), ("compare", {"games": 10}),
     ("tournament", {"until_decided": True})],
)  # fmt: skip
def test_runs_that_need_all_trials_cannot_be_merged(name: str, other: dict[str, Any]) -> None:
    flag = next(iter(other)).replace("_", "-")
    with pytest.raises(InputError, match=f"--first-hand '5' cannot be used with --{flag}"):
        part(name, "x.parquet", 5, 1000, **other)
