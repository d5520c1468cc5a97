"""Requests: JSON gives back what it was made from; what is damaged or of an older format is refused."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments.checkpoints import TALLY, Checkpoint, pack
from cirulla_sim.ruleset.catalogue import house_names, preset_names
from cirulla_sim.ruleset.rule_set import RuleSet, choose
from cirulla_sim.situation.line_up import ALL, PLACES, LineUp
from cirulla_sim.storage.request import UNITS, Effort, Request, rules_as_json, rules_from_json
from cirulla_sim.storage.tables import read_table, write_table

TEXT = st.text(string.ascii_letters + string.digits + " :;,.=><()+-èì", min_size=1, max_size=30)
POLICIES = st.sampled_from(["careful", "greedy", "search:8", "search:16:search:4", "search+game", "my players.py:best"])
NUMBERS = st.integers(0, 2**64 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6,
)  # fmt: skip
LINE_UPS = st.one_of(
    POLICIES.map(lambda policy: LineUp(((ALL, policy),))),
    st.dictionaries(st.sampled_from(PLACES), POLICIES, min_size=1).map(lambda named: LineUp(tuple(named.items()))),
)
EFFORTS = st.builds(
    Effort,
    unit=st.sampled_from(UNITS), number=NUMBERS, first=NUMBERS, seed=st.none() | NUMBERS,
    precision=st.none() | st.floats(1e-9, 1e9), precision_of=st.none() | TEXT,
) | st.builds(Effort, seed=st.none() | NUMBERS)  # fmt: skip


@st.composite
def rule_sets(draw: Any) -> RuleSet:
    preset = draw(st.sampled_from(sorted(preset_names())))
    try:
        return choose(preset, None, draw(st.lists(st.sampled_from(sorted(house_names())), max_size=1)))
    except InputError:  # a house rule that this preset cannot have
        return choose(preset)


REQUESTS = st.builds(
    Request,
    verb=st.sampled_from(["simulate", "games", "compare", "tournament", "odds", "advise"]),
    rules=rule_sets().map(lambda rules: rules_from_json(rules_as_json(rules))),
    line_ups=st.lists(LINE_UPS, max_size=3).map(tuple),
    situation=st.dictionaries(TEXT, TEXT, max_size=2),
    question=st.dictionaries(TEXT, DATA, max_size=3),
    effort=EFFORTS,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(REQUESTS)
def test_a_request_survives_json(request: Request) -> None:
    value = json.loads(json.dumps(request.as_json()))
    assert Request.from_json(value) == request
    assert Request.from_json(value).as_json() == value
    assert "\n" not in request.command()
    same = request.identity()
    assert request.resized(7, 3).identity() == json.loads(json.dumps(same)) == same
    assert [LineUp.parse(str(line_up)) for line_up in request.line_ups] == list(request.line_ups)


def test_rules_survive_json_without_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('preset = "scopa"\ntarget = 21\n', "utf-8")
    for rules in (choose("mine.toml"), choose("cirulla", 2, "no-matta")):
        value, parts = json.loads(json.dumps(rules_as_json(rules))), (rules.fields, rules.preset, rules.name)
        Path("mine.toml").unlink(missing_ok=True)
        again = rules_from_json(value)
        assert (again.fields, again.preset, again.name) == parts


ODD: list[Any] = [None, True, -1, 2**64, float("nan"), "", "x", [], [[]], {}, {"x": 1}, 0.5, [0] * 2000]


def forged(rng: random.Random, value: Any) -> Any:
    """A value of JSON types with one part of it replaced or left out."""
    if isinstance(value, (dict, list)) and value and rng.random() < 0.9:
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        at = rng.choice(list(copy)) if isinstance(copy, dict) else rng.randrange(len(copy))
        if rng.random() < 0.1:
            del copy[at]
        else:
            copy[at] = forged(rng, copy[at])
        return copy
    return rng.choice(ODD)


def test_a_forged_request_is_read_or_refused_in_one_line() -> None:
    rng, refused = random.Random(7), list[str]()
    line_up, effort = LineUp.parse("dealer=search, others=my.py:best"), Effort("hands", 1000, 3, 1, 0.1, "points")
    request = Request("simulate", choose("cirulla"), (line_up,), {"at": "me: 7h"}, {"controls": False}, effort)
    for value in [*ODD, *(forged(rng, request.as_json()) for _ in range(1000))]:
        try:
            again = Request.from_json(value)
        except InputError as error:
            refused.append(str(error))
        else:
            assert Request.from_json(json.loads(json.dumps(again.as_json()))).command() == again.command()
    assert 350 < len(refused) < 970
    assert not [line for line in refused if "\n" in line]


@pytest.mark.parametrize("effort", [{"seed": 2**64}, {"seed": -1}, {"precision": 0}, {"precision": -0.1}])
def test_a_request_for_an_effort_that_cannot_be_is_refused(effort: dict[str, Any]) -> None:
    asked = Request(
        "simulate", choose("cirulla"), (LineUp.parse("careful"),), {}, {}, Effort("hands", 9, 3, 1, 0.1)
    ).as_json()
    Request.from_json(asked)
    with pytest.raises(InputError):
        Request.from_json(asked | {"effort": asked["effort"] | effort})


GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}


def test_a_forged_tally_is_refused_in_one_line(tmp_path: Path) -> None:
    """Also one that is packed and sealed as any other, but that no hands add up to."""
    file = tmp_path / "file.parquet"
    cs.simulate(**GREEDY, hands=200, output=file)
    frame, metadata, stored = read_table(file)
    length = len(Checkpoint(file, metadata, stored).numbers(TALLY, "<i8", (-1,)))
    numbers = [np.zeros(3), *(np.full(length, number) for number in (0, -3, 2**62, -(2**63)))]
    for text in ("", "~~~~~", *(pack(each, "<i8") for each in numbers)):
        write_table(frame, file, metadata, {TALLY: text})
        for hands in (200, 400):
            with pytest.raises(InputError, match=r"^/.*file.parquet: its checkpoint is damaged"):
                cs.simulate(**GREEDY, hands=hands, resume=file)


def test_a_file_of_an_older_format_names_the_version_that_wrote_it(tmp_path: Path) -> None:
    file = tmp_path / "old.parquet"
    write_table(pl.DataFrame({"quantity": ["knock"]}), file, {"schema": "simulate/1", "version": "0.1.0"})
    with pytest.raises(
        InputError, match=r"\(it was written by cirulla-sim '0.1.0', in a format that this version does"
    ):
        cs.combine([file, file])
