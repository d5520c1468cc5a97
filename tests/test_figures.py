"""Charts show the table's own numbers and are the same to the byte; invalid input is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import polars as pl
import pytest
from drawn_charts import (
    DrawnMark,
    Ends,
    is_near,
    line_of,
    number_in,
    rows_of,
    texts,
    ticks_of,
    upright_whiskers,
)
from every_kind import DRAWN

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.core.numerals import odds_words
from cirulla_sim.experiments.tally import is_main
from cirulla_sim.reporting.charts import figures
from cirulla_sim.reporting.charts.draw import draw_all
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.sheet import Chart
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import labels as words
from cirulla_sim.reporting.text.answers import answers_of
from cirulla_sim.reporting.text.labels import format_names, rules_words
from cirulla_sim.reporting.text.sentences import players_name, row_name
from cirulla_sim.reporting.text.studies import StudyView
from cirulla_sim.storage.tables import write_table

Row = dict[str, Any]
NAMES = {name: english for name, (english, _) in words.WORDS["names"].items()}

WIDE = Look(width=20.0, all=True)
"""So wide that every name has one line, and with every row."""


class Shown(NamedTuple):
    """What a figure shows: rows of the table, what the chart calls each, and how much its axis multiplies them."""

    where: Mapping[str, Any]
    label: str
    scale: float = 1.0


def _label(name: str, row: Row, metadata: Mapping[str, Any]) -> str:
    """What a row is called by ``name``: a column, or what several of them say."""
    quantity = NAMES.get(row["quantity"], "")
    english = language("en")
    match name:
        case "quantity":
            return quantity
        case "rules":
            return rules_words(row["rules"])
        case "category":
            rival = metadata["request"]["question"].get("house") or metadata["request"]["question"].get("against") or ()
            return quantity if len(rival) == 1 else f"{rules_words(row['rules'])}: {words.lower(quantity)}"
        case "line-up":
            return row_name(row, english)
        case "player" | "opponent":
            return players_name(row["policy" if name == "player" else name], english)
        case "method":
            return "We win"
        case "format":
            return format_names(metadata, language("en"))[row["rules"]]
        case "study":
            return StudyView(metadata, language("en")).name(row, ("rules", "players", "quantity", "value"))
        case "policy" if metadata["schema"] == "study/2":
            return StudyView(metadata, language("en")).name(row, ("policy",))
        case "value" if " quantile of " in row["quantity"]:
            return f"{row['quantity'].partition(' quantile of ')[0]} of the time at most"
        case "value" if row["value"] is None:
            questions = list(metadata["request"].get("question", {}).get("expressions") or ())
            if quantity or not questions:
                return quantity or "yes"
            frame = pl.DataFrame([{**row, "quantity": question} for question in questions])
            return next(one.label for one in answers_of(frame, metadata, english) if one.name == row["quantity"])
        case "value":
            return f"{row['value']:g}" if isinstance(row["value"], float) else str(row["value"])
    return str(row[name])


CHANGE = {"kind": "difference"}
LEVEL = {"kind": ("mean", "probability", "spread"), "value": None}
POINTS = {"quantity": "points_*", "kind": "mean", "per": "hand"}
SHOWN: dict[str, dict[str, Shown]] = {
    "simulate": {
        "points": Shown({**POINTS, "side": "all"}, "quantity"),
        "bonuses": Shown({"kind": "probability", "per": ("table", "hand", "holding"), "value": None}, "quantity"),
    },
    "compare": {
        "points": Shown({**CHANGE, "quantity": "points", "side": "all", "per": "hand"}, "rules"),
        "categories": Shown({**CHANGE, "quantity": "points_*", "side": "all", "per": "hand"}, "category"),
        "margin": Shown({**CHANGE, "quantity": "margin", "side": "dealer", "per": "hand"}, "rules"),
        "wins": Shown({**CHANGE, "quantity": "wins_hand", "side": "dealer"}, "rules", 100),
        "spread": Shown({**CHANGE, "quantity": "margin_spread", "side": "dealer"}, "rules"),
        "games": Shown({**CHANGE, "quantity": "wins_game", "side": "dealer"}, "rules", 100),
        "hands": Shown({**CHANGE, "quantity": "hands", "per": "game"}, "rules"),
        "leads": Shown({**CHANGE, "quantity": "lead_changes", "per": "game"}, "rules"),
        "winners": Shown({"quantity": "winner_changed"}, "rules"),
        "changed": Shown({"quantity": "changed"}, "rules"),
    },
    "simulate-line-ups": {
        "margin": Shown({**LEVEL, "quantity": "margin", "side": "dealer"}, "line-up"),
        "points": Shown({**LEVEL, "quantity": "points", "side": "all"}, "line-up"),
        "categories": Shown({**LEVEL, **POINTS, "side": "all"}, "quantity"),
    },
    "games-line-ups": {
        "hands": Shown({**LEVEL, "quantity": "hands", "kind": "mean"}, "line-up"),
        "leads": Shown({**LEVEL, "quantity": "lead_changes", "kind": "mean"}, "line-up"),
    },
    "tournament": {
        "strength": Shown({"quantity": "strength", "side": "all"}, "player"),
        "pairs": Shown({"quantity": "margin", "side": "all"}, "opponent"),
    },
    "compare-nights": {
        "wins": Shown({**LEVEL, "quantity": "wins_night"}, "format", 100),
        "undefeated": Shown({**LEVEL, "quantity": "undefeated"}, "format", 100),
        "hands": Shown({**LEVEL, "quantity": "hands_played"}, "format"),
        "misdeals": Shown({**LEVEL, "quantity": "misdeal_run_3"}, "format", 100),
        "cappotti": Shown({**LEVEL, "quantity": "cappotti"}, "format"),
    },
    "odds": {"odds": Shown({"kind": ("probability", "mean", "quantile")}, "value")},
    "win-chance": {"chance": Shown({"quantity": "wins_game"}, "method")},
    "study": {
        "games": Shown({"quantity": "games_until_ahead"}, "policy"),
        "aim": Shown({**CHANGE, "quantity": "wins_game"}, "score", 100),
        "answers": Shown({"kind": "probability"}, "study"),
    },
}
SHOWN["compare-line-ups"] = SHOWN["compare"]
"""What the rows of figures of marks stand for, by the kind of file; of bars, curves and maps there are tests below."""


ALONG = ("many", "histogram")
"""Answers that stand along an axis instead of below each other."""

SECTIONS = ("per", "players", "rules", "value")
"""What tells rows apart that have the same name."""


def _chosen(frame: pl.DataFrame, where: Mapping[str, Any]) -> list[Row]:
    """The rows of a table that a figure shows."""
    for name, value in where.items():
        column = pl.col(name)
        if isinstance(value, str) and value.endswith("*"):
            frame = frame.filter(column.str.starts_with(value[:-1]))
        else:
            frame = frame.filter(column.is_in(value) if isinstance(value, tuple) else column.eq_missing(pl.lit(value)))
    return frame.to_dicts()


def _interval(row: Row, scale: float = 1.0) -> Ends:
    """What a whisker shows: of exact numbers that were checked, the simulated interval."""
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    return scale * low, scale * high


def _draw(result: Result, name: str | None = None, look: Look | None = None) -> Chart:
    """A figure of a result, with metadata as read from a file."""
    return draw_all([(result.frame, json.loads(json.dumps(result.metadata)))], name, look)


def _numeric(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers."""
    numbers = frame["value"].cast(pl.Float64, strict=False)
    return frame.with_columns(numbers) if numbers.null_count() == frame["value"].null_count() else frame


@pytest.mark.parametrize("kind", DRAWN)
def test_marks_whiskers_numbers_and_axes_are_those_of_the_table(results: dict[str, Result], kind: str) -> None:
    """Every mark stands at the estimate of the row that its name is of, with its whisker, its number beside it."""
    result = results[kind]
    shown = SHOWN.get(result.metadata["schema"].partition("/")[0], {})
    read = 0
    for name in figures.figures_of(result.metadata):
        try:
            figure = _draw(result, name, WIDE)
        except InputError:  # nothing to show
            continue
        if name in shown and kind not in ALONG:
            _check_rows(figure, name, shown[name], result)
        read += _check_ticks(figure)
    assert read


def _check_rows(figure: Chart, name: str, shown: Shown, result: Result) -> None:
    """Every row of a figure is of one row of the table, or one a series; what is left out may be; the footer counts."""
    groups: dict[str, dict[tuple[Any, ...], list[Row]]] = {}
    for row in _chosen(_numeric(result.frame), shown.where):
        section = tuple(row.get(column) for column in SECTIONS)
        groups.setdefault(_label(shown.label, row, result.metadata), {}).setdefault(section, []).append(row)
    drawn_rows = [(figure.axes[0].get_xlim(), row) for row in rows_of(figure)]
    assert drawn_rows
    for ends, drawn in drawn_rows:
        matching = [
            section
            for section, rows in groups[drawn.label].items()
            if len(drawn.marks) == len(rows)
            and all(_is_of(mark, row, shown.scale, ends) for mark, row in zip(drawn.marks, rows, strict=True))
        ]
        assert matching, (name, drawn, groups[drawn.label])
        del groups[drawn.label][matching[0]]
    unseen = [row for sections in groups.values() for rows in sections.values() for row in rows]
    assert all(_may_be_missing(row, name) for row in unseen), unseen
    tested = [row for row in result.frame.to_dicts() if row.get("p_holm") is not None]
    family = [row for row in tested if is_main(row) != (name == "categories")] or tested
    number = len(family) if result.metadata["schema"].startswith("compare") else len(drawn_rows)
    assert re.findall(r"(\d+) tested", " ".join(texts(figure, "method"))) in ([], [str(number)]), name


def _check_ticks(figure: Chart) -> int:
    """The marks of all axes stand at their numbers; how many there are."""
    ticks = list(ticks_of(figure))
    for text, at in ticks:
        assert number_in(text) in (pytest.approx(at, abs=1e-9), pytest.approx(at / 100, abs=1e-9)), text
    return len(ticks)


def _is_of(mark: DrawnMark, row: Row, scale: float, ends: Ends) -> bool:
    """Whether a mark is of a row: its place, its whisker as far as the axis goes, and its numbers."""
    scale = 100 if row["kind"] in ("probability", "share") else scale  # shares are in percent
    low, high = (min(max(end, ends[0]), ends[1]) for end in _interval(row, scale))
    here = mark.estimate == scale * row["estimate"] or (mark.estimate is None and row["estimate"] == 0)
    if row.get("p_holm") is not None and mark.hollow != (row["p_holm"] > 0.05):
        return False
    return here and mark.whisker == ((low, high) if low < high else None) and _is_written(mark.numbers[0], row, scale)


def _is_written(text: str, row: Row, scale: float) -> bool:
    """Whether a printed number is of a row, with half of its interval where that is printed."""
    if number_in(text) is None:
        return row["estimate"] == 0 and text.startswith(("none seen", "no difference"))
    low, high = _interval(row, scale)
    _, plus_minus, half = text.strip("()").replace(" pp", "").partition("±")
    shown = 100 * (number_in(text) or 0) if "%" in text and scale == 100 else number_in(text)
    share = "%" in text and scale == 1
    return is_near(text, row["estimate"] * (1 if share or "%" in text else scale)) and (
        not plus_minus or shown is None or is_near(half.strip(), (high - low) / 2 / (100 if "%" in half else 1))
    )


def _may_be_missing(row: Row, name: str) -> bool:
    """What a figure leaves out: what is 0 and cannot be otherwise, bonuses without their rule, what is not tested."""
    if name == "pairs":  # the margin of the weaker over the stronger is the same
        return bool(row["estimate"] <= 0)
    return row["estimate"] == 0 or row["quantity"] not in NAMES or (name == "odds" and row["kind"] == "mean")


@pytest.mark.parametrize(
    ("kind", "name", "unit"),
    [("three", "wins", "hand"), ("line-ups", "wins", "hand"), ("games by line-up", "games", "game")],
)
def test_bars_are_won_tied_and_lost(results: dict[str, Result], kind: str, name: str, unit: str) -> None:
    frame = results[kind].frame.filter(pl.col("kind") != "difference")
    tables = frame.partition_by("policy", maintain_order=True) if "policy" in frame.columns else [frame]
    drawn = rows_of(_draw(results[kind], name, WIDE))
    for row, table in zip(drawn, tables, strict=True):
        [won] = table.filter(quantity=f"wins_{unit}", side="dealer").to_dicts()
        tied = table.filter(quantity=f"ties_{unit}")["estimate"].to_list() or [0]
        shares = [won["estimate"], tied[0], 1 - won["estimate"] - tied[0]]
        if kind.startswith("games"):  # nobody ties a game
            assert not shares.pop(1)
        assert row.parts == pytest.approx(shares, abs=1e-12)
        assert _interval(won) in row.ends
        others = table.filter(quantity=f"wins_{unit}", side="others").to_dicts()
        if others and others[0]["estimate"] == pytest.approx(shares[-1]):
            low, high = _interval(others[0])
            assert any(ends == pytest.approx((1 - high, 1 - low)) for ends in row.ends)
        if "policy" in frame.columns:
            assert row.label == row_name(won, language("en"))
        assert all(is_near(text, share) for text, share in zip(row.numbers, shares, strict=True))


def test_bars_of_the_primiera_match_rows_of_the_table(results: dict[str, Result]) -> None:
    kind = "three"
    split = _numeric(results[kind].frame).filter(pl.col("value").is_not_null())
    names = words.side_names(results[kind].metadata, language("en"))
    named = {side: text.partition(" (")[0] for side, text in names.items()}
    wanted: list[tuple[str, list[float]]] = []
    for sevens in sorted(split.filter(quantity="primiera_won")["value"].unique().to_list(), reverse=True):
        for side in ("dealer", "others"):
            ends = ("won", "tied", "lost")
            rows = [split.filter(quantity=f"primiera_{end}", value=sevens, side=side) for end in ends]
            if all(row.height for row in rows):
                label = f"{sevens:.0f} seven{'s' if sevens != 1 else ''}, {words.lower(named[side])}"
                wanted.append((label, [row["estimate"][0] for row in rows]))
    for row, (label, parts) in zip(rows_of(_draw(results[kind], "primiera", WIDE)), wanted, strict=True):
        assert row.label == label
        assert row.parts == pytest.approx(parts, abs=1e-12)
        written = [100 * (number_in(text) or 0.0) for text in row.numbers]
        assert all(abs(whole - 100 * share) <= 0.5 for whole, share in zip(written, parts, strict=True))


@pytest.mark.parametrize("kind", ["two", "three"])
def test_scores_match_rows_of_the_table_and_means_are_marked(results: dict[str, Result], kind: str) -> None:
    frame = _numeric(results[kind].frame)
    figure = _draw(results[kind], "scores")
    for side in ("dealer", "others"):
        rows = frame.filter(quantity="points_distribution", side=side)
        assert line_of(figure, f"scores-{side}-dots") == (rows["value"].to_list(), rows["estimate"].to_list())
        [band] = [area for area in figure.axes[0].collections if area.get_gid() == f"scores-{side}-band"]
        corners = {(round(float(x), 9), round(float(y), 9)) for x, y in band.get_paths()[0].vertices}
        ends = rows.select("value", pl.col("ci_low", "ci_high").round(9)).rows()
        assert all({(value, low), (value, high)} <= corners for value, low, high in ends)
        mean = frame.filter(quantity="points", side=side, kind="mean")["estimate"][0]
        assert line_of(figure, f"scores-{side}-mean")[0] == [mean, mean]
        hidden = rows.filter(pl.col("value") > figure.axes[0].get_xlim()[1])["estimate"].sum()
        assert hidden <= 0.001


@pytest.mark.parametrize(
    ("kind", "name"),
    [*(("games", name) for name in ("hands", "winning_margin", "lead_changes", "comeback")),
     *((kind, "odds") for kind in ALONG)],
)  # fmt: skip
def test_bars_along_an_axis_match_rows_of_the_table(results: dict[str, Result], kind: str, name: str) -> None:
    frame = _numeric(results[kind].frame)
    figure = _draw(results[kind], name)
    rows = (
        (frame.filter(quantity=f"{name}_distribution") if kind == "games" else frame).drop_nulls("value").sort("value")
    )
    bars = [bar for bar in figure.axes[0].patches if bar.get_gid() == "part-0"]
    assert [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in bars] == [
        (pytest.approx(value), estimate) for value, estimate in rows.select("value", "estimate").rows()
    ]
    assert upright_whiskers(figure) == rows.select("value", "ci_low", "ci_high").rows()
    assert ticks_of(figure)


@pytest.mark.parametrize("dealer", ["us", "them"])
def test_a_map_shows_the_chance_of_every_score(results: dict[str, Result], dealer: str) -> None:
    frame = results["map"].frame.filter(dealer=dealer)
    figure = _draw(results["map"], {"us": "we-deal", "them": "they-deal"}[dealer])
    [image] = figure.axes[0].images
    grid = image.get_array()
    assert grid is not None
    for us, them, p in frame.select("us", "them", "estimate").rows():
        assert grid[them, us] == p
    assert image.get_extent()[0] == pytest.approx(-0.5)


def test_dots_match_rows_of_the_table(results: dict[str, Result]) -> None:
    frame = results["reading"].frame.filter(event="can_sweep", kind="share")
    figure = _draw(results["reading"], "can_sweep")
    for number, part in enumerate(frame.partition_by("dealing", maintain_order=True)):
        dots = list(zip(*line_of(figure, f"dots-{number}"), strict=True))
        assert dots == part.select("told", "estimate").rows()
    assert upright_whiskers(figure) == sorted(frame.select("told", "ci_low", "ci_high").rows())


def test_bonuses_are_grouped_by_kind_of_trial(results: dict[str, Result]) -> None:
    figure = _draw(results["two"], "bonuses", WIDE)
    knocks = ["Any bonus", "Barsega, 9 or less", "Boña di misci, no ace", "Barsegon, three equal"]
    assert [row.label for row in rows_of(figure)] == ["Misdeal", "Table totals 15", "Table totals 30", *knocks, *knocks]
    assert texts(figure, "heading") == [
        "Of all tables dealt", "Of all hands, on the table", "Of all holdings of 3 cards",
        "Of all hands, somebody at least once",
    ]  # fmt: skip


def test_what_several_others_win_together_is_not_of_each(results: dict[str, Result]) -> None:
    assert "Each other player" not in " ".join(texts(_draw(results["three"], "wins", WIDE)))


def test_numbers_of_different_kinds_are_not_ranked() -> None:
    """A maximum has no error, and is no rival of a correlation."""
    questions = ["max(points(us))", "correlation(points(us), points(them))", "mean(sweeps(me))"]
    result = cs.odds(questions, players=2, policy="greedy", hands=200, progress=False)
    heading = texts(_draw(result, look=WIDE), "title")[0]
    assert heading == "I score 23 points at the most in 200 hands"


def test_answers_say_whether_they_are_counted_or_simulated(results: dict[str, Result]) -> None:
    figure = _draw(results["odds"], look=WIDE)
    assert {"= 47/4940", "= 4/247", "1 in 105"} <= set(texts(figure))
    for drawn in rows_of(figure):
        [mark] = drawn.marks
        assert mark.estimate is not None
        assert float(mark.numbers[0].rstrip("%")) == pytest.approx(mark.estimate, abs=0.06)
        assert mark.numbers[1] == odds_words(mark.estimate / 100, exact=True)
    assert len({len(row.marks[0].numbers[0].partition(".")[2]) for row in rows_of(figure)}) == 1, "as many decimals"
    for options, labels in (
        ({"question": "low and matta", "check": 1000, "progress": False}, ["I hold a low set and the matta"]),
        ({"question": "low", "by": "matta"}, ["yes", "no"]),
        ({"question": "mean(bonus_points)"}, ["The number of bonus points I hold"]),
    ):
        result = cs.odds(**options)  # type: ignore[arg-type]
        figure = _draw(result, look=WIDE)
        assert [row.label for row in rows_of(figure)] == labels
        levels = result.frame.filter(pl.col("kind") != "probability difference")
        scale = 100 if "probability" in levels["kind"] else 1
        assert [row.marks[0].estimate for row in rows_of(figure)] == (scale * levels["estimate"]).to_list()
        said = " ".join(texts(figure))
        assert ("no sampling error" in said) == ("check" not in options)
        assert ("Dots: exact" in said and "95% intervals" in said) == ("check" in options)


def test_the_same_file_gives_the_same_bytes_whatever_the_users_settings(
    results: dict[str, Result], tmp_path: Path, run: Any
) -> None:
    file = results["two"].save(tmp_path / "run.parquet")
    assert run("plot", file)[0] == run("plot", file, "-o", tmp_path / "run.svg")[0] == 0
    for form, head in {"png": b"\x89PNG", "svg": b"<?xml"}.items():
        one, two = file.with_suffix(f".{form}"), tmp_path / f"two.{form}"
        odd = {"font.size": 30, "lines.linewidth": 9, "axes.grid": True, "savefig.bbox": "tight"}
        with matplotlib.rc_context(odd):  # type: ignore[arg-type]
            cs.plot(file, output=two)
        assert one.read_bytes() == two.read_bytes()
        assert one.read_bytes().startswith(head)


def test_invalid_input_is_refused_in_one_line(results: dict[str, Result], tmp_path: Path, run: Any) -> None:
    file, strange = results["two"].save(tmp_path / "run.parquet"), tmp_path / "odd.parquet"
    write_table(pl.DataFrame({"hand": [0]}), strange, {"schema": "simulate/2"})
    for arguments, message in (
        ((strange,), "its table has a column 'hand'"),
        ((file, "-o", tmp_path / "x.gif"), "valid: .png, .svg, .pdf"),
        ((file, "--figure", "bonus"), "did you mean 'bonuses'"),
        ((results["two"].save(tmp_path / "own.png"),), "name another file"),
    ):
        code, out, err = run("plot", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    assert {path.name for path in tmp_path.iterdir()} == {"run.parquet", "odd.parquet", "own.png"}
