"""The public functions give the same results as the command line, and the same errors in the same line."""

from __future__ import annotations

import json
import pickle
import shlex
from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest
from matplotlib.figure import Figure
from nbclient import NotebookClient

import cirulla_sim as cs
from cirulla_sim.reporting.kinds import result_kind
from cirulla_sim.reporting.result import as_text

NOTEBOOKS = sorted((Path(__file__).parent.parent / "analyses").glob("*.ipynb"))


Run = Callable[..., tuple[int, str, str]]
IN_PYTHON = "result.text(all=True) shows them, result.frame is the whole table."

SAME: dict[str, Any] = {
    "simulate --policy 'dealer=greedy, others=random' --hands 2000 --only points,margin": lambda: cs.simulate(
        policy="dealer=greedy, others=random", hands=2000, only="points,margin"
    ),
    "games --policy greedy --policy random --games 100": lambda: cs.games(policy=("greedy", "random"), games=100),
    "simulate --rules scopa --players 3 --rule target=21 --hands 500": lambda: cs.simulate(
        cs.rules("scopa", players=3, target=21), hands=5e2
    ),
    'odds "low and matta" --given "sevens<2"': lambda: cs.odds("low and matta", given="sevens<2"),
    "compare --house no-matta --policy greedy --hands 2k": lambda: cs.compare(
        house="no-matta", policy="greedy", hands="2k"
    ),
    "tournament --policy random --policy greedy --players 2 --hands 1k": lambda: cs.tournament(
        policy=["random", "greedy"], players=2, hands="1k"
    ),
    'advise --at "table: 5c 2h Kd; me: 7d 2s Jh" --players 2 --samples 64': lambda: cs.advise(
        at="table: 5c 2h Kd; me: 7d 2s Jh", players=2, samples=64
    ),
}


@pytest.mark.parametrize("command", SAME)
def test_functions_and_commands_give_the_same_result(command: str, run: Run) -> None:
    words = shlex.split(command)
    result = SAME[command]()
    assert run(*words)[1] == f"{as_text(result)}\n"
    assert json.loads(run(*words, "--format", "json")[1]) == json.loads(result.text("json"))
    assert repr(result) == str(result) == as_text(result).replace("--all shows them.", IN_PYTHON)
    assert result.label.count("\n") == 0
    assert len(result.label) <= 112
    assert "<table" in (page := result._repr_html_())
    assert "sevens<2" not in page
    drawn = len(result) > 1 and not result.only and any(view.mark for view in result_kind(result.metadata).views)
    assert page.count('src="data:image/png;base64,') == drawn
    assert result.metadata["command"] == result.command
    assert len(result.to_pandas()) == result.frame.height


WRONG: dict[str, Any] = {
    "simulate --hands 0": lambda: cs.simulate(hands=0),
    "simulate --resume x.parquet --records y.parquet": lambda: cs.simulate(resume="x.parquet", records="y.parquet"),
    "combine x.parquet": lambda: cs.combine("x.parquet"),
    "tournament --policy greedy": lambda: cs.tournament(policy="greedy"),
    "odds low --sizes 3,4": lambda: cs.odds("low", sizes=(3, 4)),
    "advise --at 'table: Ad'": lambda: cs.advise(at="table: Ad"),
    "plot missing.parquet": lambda: cs.plot("missing.parquet"),
}


@pytest.mark.parametrize("command", WRONG)
def test_functions_and_commands_give_the_same_error(command: str, run: Run) -> None:
    with pytest.raises(cs.InputError) as error:
        WRONG[command]()
    assert run(*shlex.split(command)) == (2, "", f"cirulla-sim: {error.value}\n")


def test_an_unknown_argument_gets_the_nearest_name() -> None:
    with pytest.raises(cs.InputError, match="unknown field 'piccola_mx': did you mean 'piccola_max'"):
        cs.rules(piccola_mx=7)
    with pytest.raises(cs.InputError, match=r"^simulate: unknown argument 'hnds': did you mean 'hands'"):
        cs.simulate(hnds=3)  # type: ignore[call-arg]
    with pytest.raises(cs.InputError, match=r"--players '2' comes after the rules \(valid: in cirulla_sim.rules\)"):
        cs.simulate(cs.rules(), players=2)


def test_a_result_and_its_file_give_the_same_output(tmp_path: Path) -> None:
    by_run, by_hand = tmp_path / "run.parquet", tmp_path / "hand.parquet"
    result = cs.simulate(policy="greedy", hands=2000, output=by_run)
    assert result.save(by_hand) == by_hand
    again = cs.read(by_run)
    assert str(again) == str(result)
    assert again.frame.equals(result.frame)
    assert by_run.read_bytes() == by_hand.read_bytes() == again.save(by_hand).read_bytes()
    assert isinstance(result.plot("bonuses"), Figure)
    drawn = [tmp_path / "one.png", tmp_path / "two.png"]
    for source, file in zip((result, by_run), drawn, strict=True):
        cs.plot(source, output=file, figure="points", width=6)
    assert drawn[0].read_bytes() == drawn[1].read_bytes()


def test_results_are_equal_by_request_and_rows() -> None:
    answer = cs.odds("matta")
    assert answer == cs.odds("matta")
    assert answer != cs.odds("settebello")
    assert answer != "matta"
    both = cs.odds(["matta", "barsega"])
    assert both != both["matta"]
    assert float(answer) == 0.075
    with pytest.raises(cs.InputError, match="the result has 2 answers"):
        float(both)


def test_rows_of_a_result_have_names_and_a_value() -> None:
    answers = cs.odds(["barsega and matta", "matta"])
    assert answers["barsega and matta"].fraction == Fraction(47, 2470)
    assert answers["matta"].interval == (answers["matta"].value,) * 2 == (0.075, 0.075)
    played = cs.compare(house="no-matta", policy="greedy", hands=2000)
    change = played["no-matta", "points", "all", "difference"]
    [row] = change
    assert row == played.frame.filter(rules="no-matta", quantity="points", side="all", kind="difference").row(
        0, named=True
    )
    assert (change.value, change.interval, change.fraction) == (row["estimate"], (row["ci_low"], row["ci_high"]), None)
    assert len(played["points"]) == played.frame.filter(quantity="points").height
    assert cs.odds("histogram(sevens(table))")[4].fraction == Fraction(1, 91390)
    for wrong, message in {
        "pionts": "^result: unknown name 'pionts': did you mean 'points'", ("points", "us"): "unknown name 'us'",
        None: "is no name", 1.5: "is no name", True: "is no name",
    }.items():  # fmt: skip
        with pytest.raises(cs.InputError, match=message):
            played[wrong]  # type: ignore[index]
    with pytest.raises(cs.InputError, match=r"2 answers, which differ in quantity \(valid: one, as result\['barsega "):
        _ = answers.value


def test_rules_and_hands_show_themselves(tmp_path: Path) -> None:
    rules = cs.rules("cirulla", players=2, house="piccola-seven", target=26)
    assert repr(rules) == "<rules cirulla, 2 players, piccola_max=7, target=26>"
    assert "your own" in str(rules)
    assert "<li>" in rules._repr_html_()
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert cs.rules("cirulla", players=2, rule=["target=26", "piccola_max=7"]).fields == rules.fields
    hand = cs.hand(rules, 3, policy="greedy")
    assert json.loads(hand.json()) == hand.record
    assert hand._repr_html_().count("<span") == sum(str(hand).count(suit) for suit in "♥♦")
    file = tmp_path / "hand.json"
    file.write_text(hand.json(), "utf-8")
    judged = cs.advise(at=f"{file}#0.1", samples=16)
    assert judged.frame.filter(quantity="margin").height


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_reproducible(path: Path) -> None:
    """Every cell is run, and its output equals the stored plain text."""
    assert path.stat().st_size < 150_000
    notebook = nbformat.read(StringIO(path.read_text("utf-8")), as_version=4)
    before = [texts(cell) for cell in notebook.cells]
    NotebookClient(notebook, timeout=120).execute()
    assert [texts(cell) for cell in notebook.cells] == before
    assert sum(map(bool, before)) >= 7


def texts(cell: Any) -> list[str]:
    outputs = cell.get("outputs", ())
    return [output["text"] if "text" in output else output["data"]["text/plain"] for output in outputs]
