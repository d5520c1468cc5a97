"""Charts show the table's own numbers, fit their page and are the same to the byte; invalid input is refused."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import polars as pl
import pytest
from asking import bind, simulated
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.numerals import odds, percent
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.dots import Chance, limits
from cirulla_sim.reporting.charts.look import NARROWEST, Look
from cirulla_sim.reporting.text import labels as words
from cirulla_sim.reporting.text import quantity_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import SCHEMA, read, write

Table = tuple[pl.DataFrame, dict[str, Any]]

CHANGES = ("partnership=false", "hand_triple=0", "table_low=3", "primiera=none")
RUNS: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    "cirulla": ("cirulla", 4, "greedy", ()),
    "three": ("cirulla-tournament", 3, "dealer=greedy, others=random", ()),
    "cirullone": ("cirullone", 4, "dealer=greedy, others=random", ()),
    "scopa": ("scopa", 2, "greedy", ()),
    "scientifico": ("scopone-scientifico", 4, "random", ()),
    "changed": ("cirulla", 4, "random", CHANGES),
}
HAVE = {
    "cirulla": {"bonuses", "points", "scores", "primiera"},
    "three": {"bonuses", "points", "scores", "primiera"},
    "cirullone": {"bonuses", "points", "scores", "primiera"},
    "scopa": {"bonuses", "points", "scores", "primiera"},
    "scientifico": {"points", "scores", "primiera"},
    "changed": {"bonuses", "points", "scores"},
}
HEADINGS = {
    "bonuses": "How often bonuses come",
    "points": "Where the points come from",
    "scores": "How many points a hand brings",
    "primiera": "Primiera by sevens in the pile",
}


@pytest.fixture(scope="session")
def runs() -> dict[str, Table]:
    """Small runs of rule sets whose tables differ in kind."""
    tables = {}
    for name, (preset, players, policy, changes) in RUNS.items():
        result = cs.simulate(preset, players=players, policy=policy, rule=changes, hands=2000, seed=7, engine="serial",
                             progress=False)  # fmt: skip
        tables[name] = (result.frame.with_columns(pl.col("value").cast(pl.Float64)), _of_file(result.metadata))
    return tables


def _of_file(metadata: Any) -> dict[str, Any]:
    """Metadata as read from a file."""
    return dict(json.loads(json.dumps(metadata)))


@pytest.fixture(scope="session")
def exact() -> Table:
    """The table of ``odds`` for the tournament rules, which have one fraction too long to print."""
    result = cs.odds(rules="cirulla-tournament")
    return result.frame, _of_file(result.metadata)


@pytest.fixture
def result_file(runs: dict[str, Table], tmp_path: Path) -> Path:
    path = tmp_path / "run.parquet"
    write(*_swap(runs["cirulla"], path))
    return path


def _swap(result: Table, path: Path) -> tuple[pl.DataFrame, Path, dict[str, Any]]:
    return result[0], path, result[1]


def _dots(figure: Figure, gid: str) -> tuple[list[float], list[float]]:
    [line] = [line for axes in figure.axes for line in axes.findobj(Line2D) if line.get_gid() == gid]
    assert isinstance(line, Line2D)
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


def _whiskers(figure: Figure, gid: str) -> list[tuple[float, float]]:
    [lines] = [lines for axes in figure.axes for lines in axes.findobj(LineCollection) if lines.get_gid() == gid]
    assert isinstance(lines, LineCollection)
    return [(float(a[0]), float(b[0])) for a, b in lines.get_segments()]


def _words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def _rows(frame: pl.DataFrame, **columns: Any) -> pl.DataFrame:
    return frame.filter(*(pl.col(name).eq_missing(pl.lit(value)) for name, value in columns.items()))


# ------------------------------------------------------------------------------------------------ what is drawn


@pytest.mark.parametrize("name", RUNS)
def test_dots_and_whiskers_of_chances_match_rows_of_the_table(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    if "bonuses" not in HAVE[name]:
        with pytest.raises(InputError, match=r"'bonuses' has nothing .* \(valid: overview, points, scores, "):
            figures.draw(frame, metadata, "bonuses")
        return
    figure = figures.draw(frame, metadata, "bonuses")
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    drawn = _whiskers(figure, "bonuses-whiskers")
    rows = {
        (quantity_names.NAMES[row["quantity"]], row["ci_low"], row["ci_high"]): row["estimate"]
        for row in frame.filter((pl.col("kind") == "probability") & pl.col("value").is_null()).iter_rows(named=True)
        if row["quantity"] in quantity_names.NAMES and row["per"] in ("table", "hand", "holding")
    }
    estimates = [rows[label, low, high] for label, (low, high) in zip(labels, drawn, strict=True)]
    assert _dots(figure, "bonuses-dots")[0] == [estimate for estimate in estimates if estimate > 0]
    assert len(set(labels)) == len({quantity for quantity, _, _ in rows} & set(labels))
    texts = _words(figure)
    for estimate in estimates:
        assert percent(estimate) in texts
        assert odds(estimate) in texts


def test_all_bonuses_of_cirulla_are_grouped_by_kind_of_trial(runs: dict[str, Table]) -> None:
    figure = figures.draw(*runs["cirulla"], "bonuses")
    knocks = ["Any bonus (knock)", "Barsega, 9 or less", "Boña di misci, no ace", "Barsegon, three equal"]
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["Misdeal", "Table totals 15", "Table totals 30", *knocks, *knocks]
    trials = {"Of all tables dealt", "Of all holdings of three cards", "Of all hands, on the table"}
    assert trials <= set(_words(figure))


def test_a_bonus_that_the_rules_do_not_have_is_left_out(runs: dict[str, Table]) -> None:
    labels = [label.get_text() for label in figures.draw(*runs["changed"], "bonuses").axes[0].get_yticklabels()]
    assert "Barsegon, three equal" not in labels
    assert "Table totals 9 or less" in labels


@pytest.mark.parametrize("name", RUNS)
def test_mean_points_match_rows_of_the_table(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    figure = figures.draw(frame, metadata, "points")
    quantities = {label: quantity for quantity, label in quantity_names.NAMES.items()}
    order = [quantities[label.get_text()] for label in figure.axes[0].get_yticklabels()]
    totals = [_rows(frame, quantity=quantity, side="all", kind="mean")["estimate"][0] for quantity in order]
    assert totals == sorted(totals, reverse=True)
    assert min(totals) > 0
    for side in ("dealer", "others"):
        means = _rows(frame, side=side, kind="mean", per="hand")
        rows = [_rows(means, quantity=quantity).row(0, named=True) for quantity in order]
        assert _dots(figure, f"points-{side}-dots")[0] == [row["estimate"] for row in rows]
        assert _whiskers(figure, f"points-{side}-whiskers") == [(row["ci_low"], row["ci_high"]) for row in rows]


@pytest.mark.parametrize("name", RUNS)
def test_scores_match_rows_of_the_table_and_means_are_marked(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    figure = figures.draw(frame, metadata, "scores")
    for side in ("dealer", "others"):
        rows = _rows(frame, quantity="points_distribution", side=side)
        assert _dots(figure, f"scores-{side}-dots") == (rows["value"].to_list(), rows["estimate"].to_list())
        mean = _rows(frame, quantity="points", side=side, kind="mean")["estimate"][0]
        assert _dots(figure, f"scores-{side}-mean")[0] == [mean, mean]
        hidden = rows.filter(pl.col("value") > figure.axes[0].get_xlim()[1])["estimate"].sum()
        assert hidden <= 0.001


@pytest.mark.parametrize("name", [name for name, have in HAVE.items() if "primiera" in have])
def test_bars_of_the_primiera_match_rows_of_the_table(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    figure = figures.draw(frame, metadata, "primiera")
    split = frame.filter(pl.col("value").is_not_null())
    sevens = sorted(_rows(split, quantity="primiera_won")["value"].unique().to_list(), reverse=True)
    wanted = [(value, side) for value in sevens for side in ("dealer", "others")]
    for outcome in ("won", "tied", "lost"):
        bars = [patch for patch in figure.axes[0].patches if patch.get_gid() == f"primiera-{outcome}"]
        rows = [_rows(split, quantity=f"primiera_{outcome}", value=value, side=side) for value, side in wanted]
        estimates = [float(row["estimate"][0]) for row in rows if row.height]
        assert [bar.get_width() for bar in bars] == pytest.approx(estimates, abs=1e-12)  # type: ignore[attr-defined]
    ends = [bar.get_x() + bar.get_width() for bar in bars]  # type: ignore[attr-defined]
    assert ends == pytest.approx([1.0] * len(ends))


@pytest.mark.parametrize("name", RUNS)
def test_the_overview_has_every_panel_with_data(runs: dict[str, Table], name: str) -> None:
    shown = [text for text in _words(figures.draw(*runs[name])) if text in HEADINGS.values()]
    expected = HAVE[name] - ({"bonuses"} if name == "scopa" else set())  # a misdeal alone is no bonus
    assert shown == [heading for panel, heading in HEADINGS.items() if panel in expected]


def test_exact_odds_are_shown_with_their_fractions(exact: Table) -> None:
    frame, metadata = exact
    figure = figures.draw(frame, metadata)
    chances = frame.filter(pl.col("kind") == "probability")
    assert _dots(figure, "odds-dots")[0] == chances["estimate"].to_list()
    texts = _words(figure)
    assert {"= 47/4940", "= 4/247", "1 in 105", "0.951%"} <= set(texts)
    assert not [text for text in texts if text.startswith("= ") and len(text) > 20]
    assert any("1883/4940" in text for text in texts)


ANSWERED: dict[str, tuple[dict[str, Any], str, list[str] | None]] = {
    "one": ({"question": "low and matta"}, "odds-dots", ["yes"]),
    "by": ({"question": "low", "by": "sevens"}, "odds-dots", ["0", "1", "2", "3"]),
    "by truth": ({"question": "low", "by": "matta"}, "odds-dots", ["true", "false"]),
    "by text": ({"by": "suits"}, "odds-dots", None),
    "many": ({"by": "total(table)"}, "odds-dots", None),
    "mean": ({"question": "mean(bonus_points)"}, "odds-dots", ["on average"]),
    "means": ({"question": "mean(bonus_points)", "by": "sevens"}, "odds-dots", None),
    "never": ({"question": "total > 99"}, "odds-dots", None),
}


@pytest.mark.parametrize("method", ["exact", "simulated", "checked"])
@pytest.mark.parametrize("name", ANSWERED)
def test_answers_to_questions_are_drawn(name: str, method: str) -> None:
    options, gid, labels = ANSWERED[name]
    result = cs.odds(**options, check=None if method == "exact" else 5000, progress=False)
    frame, metadata = result.frame, _of_file(result.metadata)
    if method == "simulated":
        texts = [options["question"]] if "question" in options else []
        frame = simulated(bind(build("cirulla"), texts, by=options.get("by")), 5000)
    table = frame, metadata
    for width in (NARROWEST, 7.2):
        figure = figures.draw(*table, look=Look(width=width))
        _inside(figure)
        if name == "never":
            assert {"0%", "never" if method != "simulated" else "none seen"} <= set(_words(figure))
            continue
        across, up = _dots(figure, gid)
        along = name in ("many", "means")
        drawn = up if along else across
        wanted = [p for p in frame["estimate"].to_list() if p > 0 or along or name == "mean"]
        assert drawn == wanted
        if along:
            assert across == [float(value) for value in frame["value"]]
        elif labels and method != "simulated":
            assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == labels
        if method == "checked" and not along:
            ends = ("simulated", "ci")
            whiskers = [  # a value that never came up has the exact chance alone
                next((row[f"{end}_low"], row[f"{end}_high"]) for end in ends if row[f"{end}_low"] is not None)
                for row in frame.to_dicts()
            ]
            assert _whiskers(figure, "odds-whiskers") == whiskers
    text = " ".join(_words(figure))
    assert ("no sampling error" in text) == (method == "exact")
    assert ("95% intervals" in text) == (method != "exact")
    assert ("Dots: exact" in text) == (method == "checked")


def test_questions_about_a_position_are_drawn() -> None:
    texts = [f"can_sweep({who})" for who in ("next", "partner", "previous", "them", "others")]
    result = cs.odds(texts, at="table: 3c 5d; me: 7d Ks; to play: next")
    figure = figures.draw(result.frame, result.metadata)
    _inside(figure)
    assert _dots(figure, "odds-dots")[0] == result.frame["estimate"].to_list()


def test_only_the_likeliest_of_many_values_are_drawn() -> None:
    figure = cs.odds("low", by="cards").plot()
    assert len(_dots(figure, "odds-dots")[0]) == 40
    assert any("The 40 largest of 9,880 values." in text for text in _words(figure))


# ------------------------------------------------------------------------------------------------ the page


def _inside(figure: Figure) -> None:
    """Nothing leaves the page."""
    assert isinstance(figure.canvas, FigureCanvasAgg)
    renderer = figure.canvas.get_renderer()  # type: ignore[no-untyped-call]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in figure.texts]
    boxes += [(f"axes {i}", axes.get_tightbbox(renderer)) for i, axes in enumerate(figure.axes)]  # type: ignore[misc]
    for what, box in boxes:
        assert min(box.x0, box.y0) >= 0, what
        assert box.x1 <= figure.bbox.x1, what
        assert box.y1 <= figure.bbox.y1, what


@pytest.mark.parametrize("width", [NARROWEST, 7.2, 11.0])
@pytest.mark.parametrize("name", [*RUNS, "exact"])
def test_nothing_leaves_the_page_or_overlaps(runs: dict[str, Table], exact: Table, name: str, width: float) -> None:
    """The overview at every width; each panel alone, which has more space, in the narrowest."""
    frame, metadata = exact if name == "exact" else runs[name]
    long = {"command": metadata["command"] + " --rule some_field=" + "x" * 300 + " --and $more$ " * 20}
    alone = [] if name == "exact" or width > NARROWEST else sorted(HAVE[name])
    for figure_name in [None, *alone]:
        figure = figures.draw(frame, metadata | long, figure_name, Look(width=width))
        assert isinstance(figure.canvas, FigureCanvasAgg)
        renderer = figure.canvas.get_renderer()  # type: ignore[no-untyped-call]
        _inside(figure)
        command = [text for text in figure.texts if text.get_fontfamily() == ["DejaVu Sans Mono"]]
        bottom = min(axes.get_tightbbox(renderer).y0 for axes in figure.axes)  # type: ignore[union-attr]
        assert max(text.get_window_extent(renderer).y1 for text in command) < bottom
        if figure_name is None:
            _apart(figure)


def _apart(figure: Figure) -> None:
    """Marks of an axis and numbers do not overlap."""
    for axes in figure.axes:
        low, high = sorted(axes.get_xlim())
        marks = [
            label.get_window_extent()
            for label, at in zip(axes.get_xticklabels(), axes.get_xticks(), strict=True)
            if low <= at <= high
        ]
        assert len(marks) >= 2
        assert all(left.x1 < right.x0 for left, right in itertools.pairwise(marks))
        notes = [text.get_window_extent() for text in axes.texts]
        assert not [1 for i, note in enumerate(notes) for earlier in notes[:i] if _overlap(note, earlier)]


def _overlap(first: Any, second: Any) -> bool:
    """Whether boxes overlap by more than the blank margins of their letters."""
    across = min(first.x1, second.x1) - max(first.x0, second.x0)
    down = min(first.y1, second.y1) - max(first.y0, second.y0)
    return bool(across > 2 and down > 0.35 * min(first.height, second.height))


def test_titles_name_rules_play_and_sample_size(runs: dict[str, Table]) -> None:
    titles = {
        name: words.rules_title(metadata) + ", " + words.play_words(metadata) for name, (_, metadata) in runs.items()
    }
    assert titles == {
        "cirulla": "Cirulla, 4 players, greedy play",
        "three": "Cirulla tournament, 3 players, dealer greedy, each other player random",
        "cirullone": "Cirullone, 4 players, dealer’s side greedy, other side random",
        "scopa": "Scopa, 2 players, greedy play",
        "scientifico": "Scopone scientifico, 4 players, random play",
        "changed": "Cirulla with changed rules, 4 players each alone, random play",
    }
    assert words.how_much(runs["scopa"][1]).startswith("2,000 hands, seed 7, cirulla-sim ")
    assert "hand_triple = 0" in words.changed_words(runs["changed"][1])
    texts = " ".join(_words(figures.draw(*runs["cirulla"])))
    assert "Cirulla, 4 players, greedy play" in texts
    assert "--hands 2000 --seed 7" in texts


def test_the_axis_of_chances_includes_an_event_never_seen() -> None:
    never, rare = Chance("a", 0.0, 0.0, 0.002), Chance("b", 0.03, 0.02, 0.04)
    low, high = limits([never, rare])
    assert 0 < low < 0.002
    assert 0.04 < high <= 1
    assert odds(0) == "none seen"


def test_matplotlib_settings_of_the_user_have_no_effect_and_stay(runs: dict[str, Table], tmp_path: Path) -> None:
    plain, odd = tmp_path / "plain.png", tmp_path / "odd.png"
    figures.save(figures.draw(*runs["scopa"]), plain)
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.grid": True, "savefig.bbox": "tight"}):
        before = dict(matplotlib.rcParams)
        figures.save(figures.draw(*runs["scopa"]), odd)
        assert dict(matplotlib.rcParams) == before
    assert plain.read_bytes() == odd.read_bytes()


# ------------------------------------------------------------------------------------------------ the verb


def _plot(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["plot", *arguments])
    return int(ended.value.code or 0)


def test_the_same_file_gives_the_same_bytes(result_file: Path) -> None:
    heads = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for form in heads:
        assert _plot(str(result_file), "-o", str(result_file.with_name(f"one.{form}"))) == 0
    script = "import sys\nfrom cirulla_sim import plot\nfor name in sys.argv[2:]: plot(sys.argv[1], output=name)"
    two = [str(result_file.with_name(f"two.{form}")) for form in heads]
    command = [sys.executable, "-c", script, str(result_file), *two]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": "5"})
    for form, head in heads.items():
        first, second = (result_file.with_name(f"{name}.{form}").read_bytes() for name in ("one", "two"))
        assert first == second
        assert first.startswith(head)


def test_the_chart_is_written_beside_the_file_by_default(result_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _plot(str(result_file), "--figure", "scores", "--width", "5") == 0
    captured = capsys.readouterr()
    assert captured.err == f"Written: {result_file.with_suffix('.png')}\n"
    assert captured.out == ""
    assert int.from_bytes(result_file.with_suffix(".png").read_bytes()[16:20], "big") == 1000
    assert sorted(path.name for path in result_file.parent.iterdir()) == ["run.parquet", "run.png"]


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert _plot(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("cirulla-sim: ")
    return captured.err


def test_invalid_input_is_refused_in_one_line(
    result_file: Path, runs: dict[str, Table], capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = str(result_file), result_file.parent
    records, strange, bare = (folder / f"{name}.parquet" for name in ("rec", "odd", "bare"))
    chart = folder / "own.png"
    write(pl.DataFrame({"hand": [0]}), records, {"schema": "records/2"})
    write(pl.DataFrame({"hand": [0]}), strange, {"schema": "simulate/2"})
    pl.DataFrame({"hand": [0]}).write_parquet(bare)
    write(*_swap(runs["cirulla"], chart))
    text = folder / "notes.txt"
    text.write_text("not a table")
    before = {path.name for path in folder.iterdir()}
    cases = [
        ((str(folder / "missing.parquet"),), ["missing.parquet", "no such file", "valid:"]),
        ((str(text),), ["notes.txt", "not a result file", "valid:"]),
        ((str(bare),), ["bare.parquet", "not a result file", "valid:"]),
        ((str(records),), ["rec.parquet", "records/2", "valid:", "simulate", "odds"]),
        ((str(strange),), ["no column 'quantity'", "valid:"]),
        ((file, "-o", str(folder / "x.gif")), ["-o", "x.gif", "valid: .png, .svg, .pdf"]),
        ((file, "-o", str(folder / "x")), ["-o", "valid: .png, .svg, .pdf"]),
        ((file, "-o", str(folder / "no" / "x.png")), ["-o", "folder", "does not exist"]),
        ((file, "--figure", "bonus"), ["--figure", "'bonus'", "did you mean 'bonuses'", "overview", "primiera"]),
        ((file, "--figure", "odds"), ["--figure", "'odds'", "valid:"]),
        ((file, "--width", "wide"), ["--width", "'wide'", "valid:"]),
        ((file, "--width", "nan"), ["--width", "'nan'", "valid:"]),
        ((file, "--width", "2"), ["--width", "'2'", "valid: 90mm to 1016mm"]),
        ((str(chart),), ["own.png", "name another file"]),
        ((), ["FILE"]),
    ]
    for arguments, parts in cases:
        message = _refused(capsys, *arguments)
        assert all(part in message for part in parts), message
    assert {path.name for path in folder.iterdir()} == before
    assert read(chart)[1]["schema"] == "simulate/2"


def test_a_figure_with_nothing_to_show_is_refused(
    runs: dict[str, Table], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.parquet"
    write(*_swap(runs["scientifico"], path))
    message = _refused(capsys, str(path), "--figure", "bonuses")
    assert "--figure" in message
    assert "'bonuses'" in message
    assert "points, scores, primiera" in message


def test_tables_of_other_kinds_are_refused(runs: dict[str, Table]) -> None:
    frame, metadata = runs["cirulla"]
    assert list(frame.columns) == list(SCHEMA)
    with pytest.raises(InputError, match="unknown figure 'pie'"):
        figures.draw(frame, metadata, "pie")
    with pytest.raises(InputError, match=r"None.*valid"):
        figures.draw(frame, {})
    with pytest.raises(InputError, match=r"no column .estimate."):
        figures.draw(frame.drop("estimate"), metadata)
    with pytest.raises(InputError, match=r"width '3' is out of range \(valid: inches from 3.54 to 40\)"):
        figures.draw(frame, metadata, look=Look(width=3))


@pytest.mark.parametrize("verb", ["simulate", "games", "compare"])
def test_one_hand_or_game_is_drawn_without_an_interval(verb: str) -> None:
    arguments: dict[str, Any] = {"players": 2, "policy": "greedy", "progress": False}
    if verb == "games":
        result = cs.games(games=1, **arguments)
    else:
        result = (
            cs.simulate(hands=1, **arguments)
            if verb == "simulate"
            else cs.compare(house="no-matta", hands=1, **arguments)
        )
    mean = result.frame.filter(pl.col("std_error").is_infinite(), kind="mean")
    assert mean.height > 0
    assert not mean["ci_high"].is_finite().any()
    FigureCanvasAgg(result.plot()).draw()
