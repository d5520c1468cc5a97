"""Charts show the table's own numbers and are the same to the byte; invalid input is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import polars as pl
import pytest
from drawn_charts import (
    DrawnMark,
    DrawnRow,
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
from study_views.study_text import together

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.core.numerals import odds, percent
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.rows import MOST
from cirulla_sim.reporting.charts.style import Chart
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import labels as words
from cirulla_sim.reporting.text.nights_layout import format_names
from cirulla_sim.reporting.text.quantity_names import NAMES
from cirulla_sim.storage.tables import write

Row = dict[str, Any]

WIDE = Look(width=20.0, all=True)
"""So wide that every name has one line, and with every row."""


# ------------------------------------------------------------------------------------------------ marks of rows


class Shown(NamedTuple):
    """What a figure shows: rows of the table, what the chart calls each, and how much its axis multiplies them."""

    where: Mapping[str, Any]
    label: str
    scale: float = 1.0


def _label(name: str, row: Row, metadata: Mapping[str, Any]) -> str:
    """What a row is called by ``name``: a column, or what several of them say."""
    quantity = NAMES.get(row["quantity"], "")
    match name:
        case "quantity":
            return quantity
        case "rules":
            return words.name_of(row["rules"])
        case "category":
            return f"{words.name_of(row['rules'])}: {words.lower(quantity)}"
        case "line-up":
            return words.line_up(row["policy"])
        case "player":
            return words.player(row["policy"])
        case "format":
            return format_names(metadata, language("en"))[row["rules"]]
        case "together":
            return together(row["policy"], language("en"))
        case "known":
            players = f", {row['players']}" if row["players"] else ""
            about = f"{words.name_of(row['rules'])}{players}: {row['quantity']}"
            return about if row["value"] is None else f"{about} {row['value']}"
        case "value" if " quantile of " in row["quantity"]:
            return str(row["quantity"].partition(" quantile of ")[0])
        case "value" if row["value"] is None:
            several = len(metadata["request"].get("question", {}).get("expressions") or ()) > 1
            return quantity or (row["quantity"] if several else "yes")
        case "value":
            return f"{row['value']:g}" if isinstance(row["value"], float) else str(row["value"])
    return str(row[name])


CHANGE = {"kind": "difference"}
LEVEL = {"kind": ("mean", "probability", "spread"), "value": None}
POINTS = {"quantity": "points_*", "kind": "mean", "per": "hand"}
SHOWN: dict[str, dict[str, Shown]] = {
    "simulate": {
        "points": Shown({**POINTS, "side": ("dealer", "others")}, "quantity"),
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
    "tournament": {"strength": Shown({"quantity": "strength", "side": "all"}, "player")},
    "compare-nights": {
        "wins": Shown({**LEVEL, "quantity": "wins_night"}, "format", 100),
        "undefeated": Shown({**LEVEL, "quantity": "undefeated"}, "format", 100),
        "hands": Shown({**LEVEL, "quantity": "hands_played"}, "format"),
        "misdeals": Shown({**LEVEL, "quantity": "misdeal_run_3"}, "format", 100),
        "cappotti": Shown({**LEVEL, "quantity": "cappotti"}, "format"),
    },
    "odds": {"odds": Shown({"kind": ("probability", "mean", "quantile")}, "value")},
    "win-chance": {"chance": Shown({"quantity": "wins_game"}, "method")},
    "luck": {"games": Shown({"quantity": "games_until_ahead"}, "together")},
    "aim": {"aim": Shown({**CHANGE, "quantity": "wins_game"}, "score", 100)},
    "known-answers": {"answers": Shown({"kind": "probability"}, "known")},
}
SHOWN["compare-line-ups"] = SHOWN["compare"]
"""What the rows of every figure of marks stand for, by the kind of file; of the others there are tests below."""

OTHERS = {
    "simulate": {"wins", "scores", "primiera"},
    "simulate-line-ups": {"wins", "games", "hands", "leads"},
    "tournament": {"matrix"},
    "games": {"wins", "hands", "winning_margin", "lead_changes", "comeback"},
    "games-line-ups": {"games", "margin", "wins", "points", "categories"},
    "win-table": {"we-deal", "they-deal"},
    "compare-nights": {"ties", "minutes"},
    "luck": {"shares"},
    "reading": {"can_sweep", "can_capture", "has_seven", "has_ace"},
}
"""Figures of bars, curves and maps, and those of files like these that have other columns."""

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
    return figures.draw(result.frame, json.loads(json.dumps(result.metadata)), name, look)


def _numeric(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers."""
    numbers = frame["value"].cast(pl.Float64, strict=False)
    return frame.with_columns(numbers) if numbers.null_count() == frame["value"].null_count() else frame


def test_every_figure_is_read_by_a_test(results: dict[str, Result]) -> None:
    for kind in DRAWN:
        schema = results[kind].metadata["schema"].partition("/")[0]
        for name in figures.names(results[kind].metadata):
            assert name in {*SHOWN.get(schema, {}), *OTHERS.get(schema, ())}, (schema, name)


@pytest.mark.parametrize("kind", DRAWN)
def test_marks_whiskers_numbers_and_axes_are_those_of_the_table(results: dict[str, Result], kind: str) -> None:
    """Every mark stands at the estimate of the row that its name is of, with its whisker, its number beside it."""
    result = results[kind]
    shown = SHOWN.get(result.metadata["schema"].partition("/")[0], {})
    read = 0
    for name in figures.names(result.metadata):
        try:
            figure = _draw(result, name, WIDE)
        except InputError:  # nothing to show
            continue
        if name in shown and kind not in ALONG:
            _check_rows(figure, name, shown[name], result)
        read += _check_ticks(figure) if name != "matrix" else 0
    assert read


def _check_rows(figure: Chart, name: str, shown: Shown, result: Result) -> None:
    """Every row of a figure is of one row of the table, or of one a series; what is left out may be."""
    groups: dict[str, dict[tuple[Any, ...], list[Row]]] = {}
    for row in _chosen(_numeric(result.frame), shown.where):
        section = tuple(row.get(column) for column in SECTIONS)
        groups.setdefault(_label(shown.label, row, result.metadata), {}).setdefault(section, []).append(row)
    drawn_rows = [(sheet.axes[0].get_xlim(), row) for sheet in (figure, *figure.rest) for row in rows_of(sheet)]
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


def _check_ticks(figure: Chart) -> int:
    """The marks of all axes stand at their numbers; how many there are."""
    ticks = [tick for sheet in (figure, *figure.rest) for tick in ticks_of(sheet)]
    for text, at in ticks:
        assert number_in(text) in (pytest.approx(at, abs=1e-9), pytest.approx(at / 100, abs=1e-9)), text
    return len(ticks)


def _is_of(mark: DrawnMark, row: Row, scale: float, ends: Ends) -> bool:
    """Whether a mark is of a row: its place, its whisker as far as the axis goes, and its numbers."""
    low, high = (min(max(end, ends[0]), ends[1]) for end in _interval(row, scale))
    here = mark.estimate == scale * row["estimate"] or (mark.estimate is None and row["estimate"] == 0)
    if row.get("p_holm") is not None and mark.hollow != (row["p_holm"] > 0.05):
        return False
    return here and mark.whisker == ((low, high) if low < high else None) and _is_written(mark.numbers[0], row, scale)


def _is_written(text: str, row: Row, scale: float) -> bool:
    """Whether a printed number is of a row, with half of its interval where that is printed."""
    if number_in(text) is None:
        return row["estimate"] == 0 and text.startswith("none seen")
    low, high = _interval(row, scale)
    _, plus_minus, half = text.strip("()").replace(" pp", "").partition("±")
    shown = 100 * (number_in(text) or 0) if "%" in text and scale == 100 else number_in(text)
    share = "%" in text and scale == 1
    return is_near(text, row["estimate"] * (1 if share or "%" in text else scale)) and (
        not plus_minus or shown is None or is_near(half.strip(), (high - low) / 2 / (100 if "%" in half else 1))
    )


def _may_be_missing(row: Row, name: str) -> bool:
    """What a figure leaves out: what is 0 and cannot be otherwise, bonuses without their rule, what is not tested."""
    if name == "categories" and "rules" in row:
        return row["p_holm"] is None or row["p_holm"] > 0.05 or row["quantity"] not in NAMES
    return row["estimate"] == 0 or row["quantity"] not in NAMES or (name == "odds" and row["kind"] == "mean")


# ------------------------------------------------------------------------------------------------ bars


BARS = {
    "wins": ("wins_hand", "ties_hand"),
    "games": ("wins_game", "ties_game"),
}


@pytest.mark.parametrize(
    ("kind", "name"),
    [("two", "wins"), ("three", "wins"), ("line-ups", "wins"), ("games", "wins"), ("games by line-up", "games")],
)  # fmt: skip
def test_bars_are_won_tied_and_lost(results: dict[str, Result], kind: str, name: str) -> None:
    frame = results[kind].frame.filter(pl.col("kind") != "difference")
    won, tied = BARS["games" if kind == "games" else name]
    tables = frame.partition_by("policy", maintain_order=True) if "policy" in frame.columns else [frame]
    drawn = rows_of(_draw(results[kind], name, WIDE))
    assert len(drawn) == len(tables)
    for row, table in zip(drawn, tables, strict=True):
        [first] = table.filter(quantity=won, side="dealer").to_dicts()
        ties = table.filter(quantity=tied).to_dicts()
        shares = [first["estimate"], *(tie["estimate"] for tie in ties[:1] or [{"estimate": 0}])]
        shares.append(1 - sum(shares))
        assert row.parts == pytest.approx(shares, abs=1e-12)
        assert _interval(first) in row.ends
        others = table.filter(quantity=won, side="others").to_dicts()
        if others and others[0]["estimate"] == pytest.approx(shares[2]):
            low, high = _interval(others[0])
            assert any(ends == pytest.approx((1 - high, 1 - low)) for ends in row.ends)
        if "policy" in frame.columns:
            assert row.label == words.line_up(table["policy"][0])
        assert all(is_near(text, share) for text, share in zip(row.numbers, shares, strict=True))


@pytest.mark.parametrize("kind", ["two", "three", "cirullone"])
def test_bars_of_the_primiera_match_rows_of_the_table(results: dict[str, Result], kind: str) -> None:
    split = _numeric(results[kind].frame).filter(pl.col("value").is_not_null())
    drawn = rows_of(_draw(results[kind], "primiera", WIDE))
    named = {side: text.partition(" (")[0] for side, text in words.side_names(results[kind].metadata).items()}
    wanted: list[DrawnRow] = []
    for sevens in sorted(split.filter(quantity="primiera_won")["value"].unique().to_list(), reverse=True):
        for side in ("dealer", "others"):
            ends = ("won", "tied", "lost")
            rows = [split.filter(quantity=f"primiera_{end}", value=sevens, side=side) for end in ends]
            if all(row.height for row in rows):
                label = f"{sevens:.0f} seven{'s' if sevens != 1 else ''}, {words.lower(named[side])}"
                wanted.append(DrawnRow(label, [], [row["estimate"][0] for row in rows], [], []))
    assert [row.label for row in drawn] == [row.label for row in wanted]
    for row, other in zip(drawn, wanted, strict=True):
        assert row.parts == pytest.approx(other.parts, abs=1e-12)
        assert all(is_near(text, share) for text, share in zip(row.numbers, other.parts, strict=True))


# ------------------------------------------------------------------------------------------------ curves and maps


@pytest.mark.parametrize("kind", ["two", "three", "changed"])
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


@pytest.mark.parametrize("name", ["hands", "winning_margin", "lead_changes", "comeback"])
def test_bars_of_games_match_rows_of_the_table(results: dict[str, Result], name: str) -> None:
    frame = _numeric(results["games"].frame)
    figure = _draw(results["games"], name)
    rows = frame.filter(quantity=f"{name}_distribution").sort("value")
    rows = rows.filter(pl.col("value") > 0) if name == "comeback" else rows
    bars = [bar for bar in figure.axes[0].patches if bar.get_gid() == "part-0"]
    assert [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in bars] == [
        (pytest.approx(value), estimate) for value, estimate in rows.select("value", "estimate").rows()
    ]
    assert upright_whiskers(figure) == rows.select("value", "ci_low", "ci_high").rows()


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


def test_cells_of_a_matrix_are_margins(results: dict[str, Result]) -> None:
    frame = results["tournament"].frame
    figure = _draw(results["tournament"], "matrix")
    axes = figure.axes[0]
    names = [label.get_text().partition(" ")[2] for label in axes.get_yticklabels()]
    written = {(round(text.get_position()[0]), round(text.get_position()[1])): text.get_text()
               for text in axes.texts if text.get_gid() == "number" and text.get_text()[0] in "+−("}  # fmt: skip
    signs = {(round(line.get_xdata()[0]), round(line.get_ydata()[0])): line.get_marker()
             for line in axes.lines if line.get_gid() == "sign"}  # fmt: skip
    for row in frame.filter(quantity="margin", side="all").to_dicts():
        place = names.index(words.player(row["opponent"])), names.index(words.player(row["policy"]))
        assert is_near(written[place], row["estimate"])
        assert signs.get(place) == (None if row["p_holm"] > 0.05 else "^" if row["estimate"] > 0 else "v")


@pytest.mark.parametrize(
    ("kind", "name", "where", "across", "series", "gid"),
    [
        *((kind, None, {}, "value", None, "mark") for kind in ALONG),
        ("reading", "can_sweep", {"event": "can_sweep", "kind": "share"}, "told", "dealing", "reading-{}"),
    ],
)
def test_dots_along_an_axis_match_rows_of_the_table(
    results: dict[str, Result], kind: str, name: str | None, where: Row, across: str, series: str | None, gid: str
) -> None:
    frame = _numeric(results[kind].frame).filter(**where)
    figure = _draw(results[kind], name)
    for part in frame.partition_by(series) if series else [frame]:
        dots = zip(*line_of(figure, gid.format(part[series][0] if series else "")), strict=True)
        assert sorted(dots) == sorted(part.select(across, "estimate").rows())
    whiskers = set(frame.select(across, "ci_low", "ci_high").rows())
    assert [ends for ends in upright_whiskers(figure) if ends[1] < ends[2]] == sorted(
        ends for ends in whiskers if ends[1] < ends[2]
    )
    if kind in ALONG:
        stems = upright_whiskers(figure, "stem")
        assert stems == [(value, 0, p) for value, p in frame.select("value", "estimate").rows()]


# ------------------------------------------------------------------------------------------------ what is said


def test_bonuses_are_grouped_by_kind_of_trial_and_only_those_of_the_rules(results: dict[str, Result]) -> None:
    figure = _draw(results["two"], "bonuses", WIDE)
    knocks = ["Any bonus (knock)", "Barsega, 9 or less", "Boña di misci, no ace", "Barsegon, three equal"]
    assert [row.label for row in rows_of(figure)] == ["Misdeal", "Table totals 15", "Table totals 30", *knocks, *knocks]
    assert texts(figure, "heading") == [
        "Of all tables dealt", "Of all hands, on the table", "Of all holdings of three cards",
        "Of all hands, somebody at least once",
    ]  # fmt: skip
    without = cs.simulate(rule=["hand_triple=0", "table_low=3"], hands=100, policy="random", progress=False)
    labels = [row.label for row in rows_of(_draw(without, "bonuses", WIDE))]
    assert "Barsegon, three equal" not in labels
    assert "Table totals 9 or less" in labels
    bare = cs.simulate("scopone-scientifico", hands=100, policy="random", progress=False)
    with pytest.raises(InputError, match=r"'bonuses' has nothing .* \(valid: points, wins, scores, "):
        bare.plot("bonuses")


def test_exact_odds_are_shown_with_their_fractions(results: dict[str, Result]) -> None:
    figure = _draw(results["odds"], look=WIDE)
    assert {"= 47/4940", "= 4/247", "1 in 105", "0.951%"} <= set(texts(figure))
    assert not [text for text in texts(figure) if text.startswith("= ") and len(text) > 20]
    for drawn in rows_of(figure):
        [mark] = drawn.marks
        assert mark.estimate is not None
        assert mark.numbers[:2] == [percent(mark.estimate), odds(mark.estimate, exact=True)]


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ({"question": "low and matta"}, ["yes"]),
        ({"question": "low", "by": "matta"}, ["true", "false"]),
        ({"question": "mean(bonus_points)"}, ["on average"]),
        ({"question": "total > 99"}, ["yes"]),
        ({"question": ["can_sweep(next)", "can_sweep(them)"], "at": "table: 3c 5d; me: 7d Ks; to play: next"}, None),
    ],
)
def test_answers_say_whether_they_are_counted_or_simulated(options: dict[str, Any], labels: list[str] | None) -> None:
    result = cs.odds(**options)
    figure = _draw(result, look=WIDE)
    drawn = rows_of(figure)
    assert labels is None or [row.label for row in drawn] == labels
    assert [row.marks[0].estimate for row in drawn] == result.frame["estimate"].to_list()
    assert "no sampling error" in " ".join(texts(figure))
    if labels == ["yes"]:
        checked = " ".join(texts(_draw(cs.odds(**options, check=1000, progress=False), look=WIDE)))
        assert "Dots: exact" in checked
        assert "95% intervals" in checked
        assert "no sampling error" not in checked


def test_of_many_rows_the_first_are_drawn_and_the_others_counted(results: dict[str, Result]) -> None:
    whole = _draw(results["known"], look=WIDE)
    labels = [row.label for sheet in (whole, *whole.rest) for row in rows_of(sheet)]
    few = results["known"].plot(width=20)
    assert [row.label for row in rows_of(few)] == labels[:MOST]
    assert texts(few, "others") == [f"{len(labels) - MOST} others are not shown"]


@pytest.mark.parametrize("verb", ["simulate", "games", "compare"])
def test_one_hand_or_game_is_drawn_without_an_interval(verb: str) -> None:
    arguments: dict[str, Any] = {"players": 2, "policy": "greedy", "progress": False}
    arguments |= {"games": 1} if verb == "games" else {"hands": 1}
    result = getattr(cs, verb)(**arguments, **({"house": "no-matta"} if verb == "compare" else {}))
    mean = result.frame.filter(pl.col("std_error").is_infinite(), kind="mean")
    assert mean.height > 0
    assert not mean["ci_high"].is_finite().any()
    result.plot().draw_without_rendering()


# ------------------------------------------------------------------------------------------------ the verb


def _plot(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["plot", *arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def result_file(results: dict[str, Result], tmp_path: Path) -> Path:
    return results["two"].save(tmp_path / "run.parquet")


def test_the_same_file_gives_the_same_bytes_whatever_the_users_settings(result_file: Path) -> None:
    for form, head in {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}.items():
        one, two = (result_file.with_name(f"{name}.{form}") for name in ("one", "two"))
        assert _plot(str(result_file), "-o", str(one)) == 0
        odd = {"font.size": 30, "lines.linewidth": 9, "axes.grid": True, "savefig.bbox": "tight"}
        with matplotlib.rc_context(odd):  # type: ignore[arg-type]
            before = dict(matplotlib.rcParams)
            cs.plot(result_file, output=two)
            assert dict(matplotlib.rcParams) == before
        assert one.read_bytes() == two.read_bytes()
        assert one.read_bytes().startswith(head)


@pytest.mark.slow
def test_another_process_gives_the_same_bytes(result_file: Path) -> None:
    one, two = (result_file.with_name(f"{name}.svg") for name in ("one", "two"))
    cs.plot(result_file, output=one)
    script = "import sys, cirulla_sim\ncirulla_sim.plot(sys.argv[1], output=sys.argv[2])"
    command = [sys.executable, "-c", script, str(result_file), str(two)]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": "5"})
    assert one.read_bytes() == two.read_bytes()


def test_the_chart_is_written_beside_the_file_by_default(result_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _plot(str(result_file), "--figure", "scores", "--width", "5") == 0
    captured = capsys.readouterr()
    assert captured.err == f"Written: {result_file.with_suffix('.png')}\n"
    assert captured.out == ""
    assert int.from_bytes(result_file.with_suffix(".png").read_bytes()[16:20], "big") == 1000
    assert sorted(path.name for path in result_file.parent.iterdir()) == ["run.parquet", "run.png"]


def test_invalid_input_is_refused_in_one_line(
    result_file: Path, results: dict[str, Result], capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = str(result_file), result_file.parent
    records, strange, bare = (folder / f"{name}.parquet" for name in ("rec", "odd", "bare"))
    write(pl.DataFrame({"hand": [0]}), records, {"schema": "records/2"})
    write(pl.DataFrame({"hand": [0]}), strange, {"schema": "simulate/2"})
    pl.DataFrame({"hand": [0]}).write_parquet(bare)
    chart = results["two"].save(folder / "own.png")
    text = folder / "notes.txt"
    text.write_text("not a table", "utf-8")
    before = {path.name for path in folder.iterdir()}
    for arguments, parts in (
        ((str(folder / "missing.parquet"),), ["missing.parquet", "no such file", "valid:"]),
        ((str(text),), ["notes.txt", "no result of cirulla-sim"]),
        ((str(bare),), ["bare.parquet", "no result of cirulla-sim"]),
        ((str(records),), ["rec.parquet", "holds no quantities"]),
        ((str(strange),), ["odd.parquet", "its table has no column 'quantity'"]),
        ((file, "-o", str(folder / "x.gif")), ["-o", "x.gif", "valid: .png, .svg, .pdf"]),
        ((file, "-o", str(folder / "no" / "x.png")), ["-o", "folder", "does not exist"]),
        ((file, "--figure", "bonus"), ["--figure", "'bonus'", "did you mean 'bonuses'", "primiera"]),
        ((file, "--width", "wide"), ["--width", "'wide'", "valid:"]),
        ((str(chart),), ["own.png", "name another file"]),
        ((), ["FILE"]),
    ):
        capsys.readouterr()
        assert _plot(*arguments) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("cirulla-sim: ")
        assert all(part in err for part in parts), err
    assert {path.name for path in folder.iterdir()} == before
    with pytest.raises(InputError, match=r"no column .estimate."):
        figures.draw(results["two"].frame.drop("estimate"), results["two"].metadata)
