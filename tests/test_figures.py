"""Charts show the table's own numbers and are the same to the byte; invalid input is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import polars as pl
import pytest
from asking import bind, simulated
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
from matplotlib.backends.backend_agg import FigureCanvasAgg
from study_views.study_text import together

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.core.numerals import odds, percent
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.row_chart import MOST
from cirulla_sim.reporting.charts.style import Chart
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import labels as words
from cirulla_sim.reporting.text.nights_layout import format_names
from cirulla_sim.reporting.text.quantity_names import NAMES
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import SCHEMA, read, write

Table = tuple[pl.DataFrame, dict[str, Any]]
Row = dict[str, Any]

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

WIDE = Look(width=20.0, all=True)
"""So wide that every name has one line, and with every row."""


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
    values = pl.col("value").cast(pl.Int64).cast(pl.String)
    return result[0].with_columns(values), path, result[1]


def _rows(frame: pl.DataFrame, **columns: Any) -> pl.DataFrame:
    return frame.filter(*(pl.col(name).eq_missing(pl.lit(value)) for name, value in columns.items()))


# ------------------------------------------------------------------------------------------------ marks of rows


class Shown(NamedTuple):
    """What a figure shows: rows of the table, what the chart calls each, and how much its axis multiplies them."""

    where: Mapping[str, Any]
    label: Callable[[Row, Mapping[str, Any]], str]
    scale: float = 1.0


def _quantity(row: Row, metadata: Mapping[str, Any]) -> str:
    return NAMES.get(row["quantity"], "")


def _rule(row: Row, metadata: Mapping[str, Any]) -> str:
    return words.name_of(row["rules"])


def _category(row: Row, metadata: Mapping[str, Any]) -> str:
    return f"{_rule(row, metadata)}: {words.lower(_quantity(row, metadata))}"


def _line_up(row: Row, metadata: Mapping[str, Any]) -> str:
    return words.line_up(row["policy"])


def _player(row: Row, metadata: Mapping[str, Any]) -> str:
    return words.player(row["policy"])


def _format(row: Row, metadata: Mapping[str, Any]) -> str:
    return format_names(metadata, language("en"))[row["rules"]]


def _together(row: Row, metadata: Mapping[str, Any]) -> str:
    return together(row["policy"], language("en"))


def _value(row: Row, metadata: Mapping[str, Any]) -> str:
    if " quantile of " in row["quantity"]:
        return str(row["quantity"].partition(" quantile of ")[0])
    if row["value"] is not None:
        return f"{row['value']:g}" if isinstance(row["value"], float) else str(row["value"])
    several = len(metadata["request"].get("question", {}).get("expressions") or ()) > 1
    return NAMES.get(row["quantity"]) or (row["quantity"] if several else "yes")


def _known(row: Row, metadata: Mapping[str, Any]) -> str:
    players = f", {row['players']}" if row["players"] else ""
    value = f" {row['value']}" if row["value"] is not None else ""
    return f"{_rule(row, metadata)}{players}: {row['quantity']}{value}"


CHANGE = {"kind": "difference"}
LEVEL = {"kind": ("mean", "probability", "spread"), "value": None}
POINTS = {"quantity": "points_*", "kind": "mean", "per": "hand"}
SHOWN: dict[str, dict[str, Shown]] = {
    "simulate": {
        "points": Shown({**POINTS, "side": ("dealer", "others")}, _quantity),
        "bonuses": Shown({"kind": "probability", "per": ("table", "hand", "holding"), "value": None}, _quantity),
    },
    "compare": {
        "points": Shown({**CHANGE, "quantity": "points", "side": "all", "per": "hand"}, _rule),
        "categories": Shown({**CHANGE, "quantity": "points_*", "side": "all", "per": "hand"}, _category),
        "margin": Shown({**CHANGE, "quantity": "margin", "side": "dealer", "per": "hand"}, _rule),
        "wins": Shown({**CHANGE, "quantity": "wins_hand", "side": "dealer"}, _rule, 100),
        "spread": Shown({**CHANGE, "quantity": "margin_spread", "side": "dealer"}, _rule),
        "games": Shown({**CHANGE, "quantity": "wins_game", "side": "dealer"}, _rule, 100),
        "hands": Shown({**CHANGE, "quantity": "hands", "per": "game"}, _rule),
        "leads": Shown({**CHANGE, "quantity": "lead_changes", "per": "game"}, _rule),
        "winners": Shown({"quantity": "winner_changed"}, _rule),
        "changed": Shown({"quantity": "changed"}, _rule),
    },
    "simulate-line-ups": {
        "margin": Shown({**LEVEL, "quantity": "margin", "side": "dealer"}, _line_up),
        "points": Shown({**LEVEL, "quantity": "points", "side": "all"}, _line_up),
        "categories": Shown({**LEVEL, **POINTS, "side": "all"}, _quantity),
    },
    "games-line-ups": {
        "hands": Shown({**LEVEL, "quantity": "hands", "kind": "mean"}, _line_up),
        "leads": Shown({**LEVEL, "quantity": "lead_changes", "kind": "mean"}, _line_up),
    },
    "tournament": {"strength": Shown({"quantity": "strength", "side": "all"}, _player)},
    "compare-nights": {
        "wins": Shown({**LEVEL, "quantity": "wins_night"}, _format, 100),
        "undefeated": Shown({**LEVEL, "quantity": "undefeated"}, _format, 100),
        "hands": Shown({**LEVEL, "quantity": "hands_played"}, _format),
        "misdeals": Shown({**LEVEL, "quantity": "misdeal_run_3"}, _format, 100),
        "cappotti": Shown({**LEVEL, "quantity": "cappotti"}, _format),
    },
    "odds": {"odds": Shown({"kind": ("probability", "mean", "quantile")}, _value)},
    "win-chance": {"chance": Shown({"quantity": "wins_game"}, lambda row, _: str(row["method"]))},
    "luck": {"games": Shown({"quantity": "games_until_ahead"}, _together)},
    "aim": {"aim": Shown({**CHANGE, "quantity": "wins_game"}, lambda row, _: str(row["score"]), 100)},
    "known-answers": {"answers": Shown({"kind": "probability"}, _known)},
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
    "curve": {"curve"},
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


def _figure(result: Result, name: str, look: Look | None = None) -> Chart | None:
    """A figure of a result; None if the result has nothing to show in it."""
    with suppress(InputError):
        return figures.draw(result.frame, _of_file(result.metadata), name, look)
    return None


def _numeric(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers."""
    numbers = frame["value"].cast(pl.Float64, strict=False)
    return frame.with_columns(numbers) if numbers.null_count() == frame["value"].null_count() else frame


def test_every_figure_is_read_by_a_test(results: dict[str, Result]) -> None:
    for kind in DRAWN:
        schema = results[kind].metadata["schema"].partition("/")[0]
        for name in figures.names(results[kind].metadata):
            assert name in {"overview", *SHOWN.get(schema, {}), *OTHERS.get(schema, ())}, (schema, name)


@pytest.mark.parametrize("kind", [kind for kind in DRAWN if kind not in ALONG])
def test_marks_whiskers_and_numbers_are_those_of_the_table(results: dict[str, Result], kind: str) -> None:
    """Every mark stands at the estimate of the row that its name is of, with its whisker, its number beside it."""
    result = results[kind]
    for name, shown in SHOWN.get(result.metadata["schema"].partition("/")[0], {}).items():
        figure = _figure(result, name, WIDE)
        if figure is None:
            continue
        groups: dict[str, dict[tuple[Any, ...], list[Row]]] = {}
        for row in _chosen(_numeric(result.frame), shown.where):
            section = tuple(row.get(column) for column in SECTIONS)
            groups.setdefault(shown.label(row, result.metadata), {}).setdefault(section, []).append(row)
        labels = []
        for sheet in (figure, *figure.rest):
            ends = sheet.axes[0].get_xlim()
            for drawn in rows_of(sheet):
                labels.append(drawn.label)
                matching = [
                    section
                    for section, rows in groups[drawn.label].items()
                    if len(drawn.marks) == len(rows)
                    and all(_is_of(mark, row, shown.scale, ends) for mark, row in zip(drawn.marks, rows, strict=True))
                ]
                assert matching, (name, drawn, groups[drawn.label])
                del groups[drawn.label][matching[0]]
        assert labels
        unseen = [row for sections in groups.values() for rows in sections.values() for row in rows]
        assert all(_may_be_missing(row, name) for row in unseen), unseen


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


@pytest.mark.parametrize("kind", DRAWN)
def test_marks_of_axes_stand_at_their_numbers(results: dict[str, Result], kind: str) -> None:
    result, read_marks = results[kind], 0
    for name in figures.names(result.metadata):
        if name in ("matrix", "overview") or (figure := _figure(result, name)) is None:
            continue
        for text, at in (mark for sheet in (figure, *figure.rest) for mark in ticks_of(sheet)):
            number = number_in(text)
            assert number == pytest.approx(at, abs=1e-9) or number == pytest.approx(at / 100, abs=1e-9), text
            read_marks += 1
    assert read_marks


# ------------------------------------------------------------------------------------------------ bars


BARS = {
    "wins": ("wins_hand", "ties_hand"),
    "games": ("wins_game", "ties_game"),
}


@pytest.mark.parametrize(
    ("kind", "name"),
    [("two", "wins"), ("three", "wins"), ("cirullone", "wins"), ("line-ups", "wins"), ("games", "wins"),
     ("games by line-up", "games")],
)  # fmt: skip
def test_bars_are_won_tied_and_lost(results: dict[str, Result], kind: str, name: str) -> None:
    frame = results[kind].frame.filter(pl.col("kind") != "difference")
    won, tied = BARS["games" if kind == "games" else name]
    tables = frame.partition_by("policy", maintain_order=True) if "policy" in frame.columns else [frame]
    drawn = rows_of(figures.draw(results[kind].frame, _of_file(results[kind].metadata), name, WIDE))
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


@pytest.mark.parametrize("name", [name for name, have in HAVE.items() if "primiera" in have])
def test_bars_of_the_primiera_match_rows_of_the_table(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    split = frame.filter(pl.col("value").is_not_null())
    drawn = rows_of(figures.draw(frame, metadata, "primiera", WIDE))
    named = {side: text.partition(" (")[0] for side, text in words.side_names(metadata).items()}
    wanted: list[DrawnRow] = []
    for sevens in sorted(_rows(split, quantity="primiera_won")["value"].unique().to_list(), reverse=True):
        for side in ("dealer", "others"):
            rows = [
                _rows(split, quantity=f"primiera_{end}", value=sevens, side=side) for end in ("won", "tied", "lost")
            ]
            if all(row.height for row in rows):
                label = f"{sevens:.0f} seven{'s' if sevens != 1 else ''}, {words.lower(named[side])}"
                wanted.append(DrawnRow(label, [], [row["estimate"][0] for row in rows], [], []))
    assert [row.label for row in drawn] == [row.label for row in wanted]
    for row, other in zip(drawn, wanted, strict=True):
        assert row.parts == pytest.approx(other.parts, abs=1e-12)
        assert all(is_near(text, share) for text, share in zip(row.numbers, other.parts, strict=True))


def test_bars_of_luck_are_shares_of_variance(results: dict[str, Result]) -> None:
    frame = results["luck"].frame
    drawn = rows_of(figures.draw(frame, _of_file(results["luck"].metadata), "shares", WIDE))
    of_deals = frame.filter(pl.col("quantity") == "variance_deal")
    groups = [rows for _, rows in of_deals.group_by("policy", maintain_order=True) if rows["estimate"].min() != 1]
    deals = pl.concat(groups).to_dicts()
    assert [row.parts[0] for row in drawn] == pytest.approx([row["estimate"] for row in deals])
    assert [_interval(row) in bar.ends for row, bar in zip(deals, drawn, strict=True)] == [True] * len(deals)


# ------------------------------------------------------------------------------------------------ curves and maps


@pytest.mark.parametrize("name", RUNS)
def test_scores_match_rows_of_the_table_and_means_are_marked(runs: dict[str, Table], name: str) -> None:
    frame, metadata = runs[name]
    figure = figures.draw(frame, metadata, "scores")
    for side in ("dealer", "others"):
        rows = _rows(frame, quantity="points_distribution", side=side)
        assert line_of(figure, f"scores-{side}-dots") == (rows["value"].to_list(), rows["estimate"].to_list())
        [band] = [area for area in figure.axes[0].collections if area.get_gid() == f"scores-{side}-band"]
        corners = {(round(float(x), 9), round(float(y), 9)) for x, y in band.get_paths()[0].vertices}
        ends = rows.select("value", pl.col("ci_low", "ci_high").round(9)).rows()
        assert all({(value, low), (value, high)} <= corners for value, low, high in ends)
        mean = _rows(frame, quantity="points", side=side, kind="mean")["estimate"][0]
        assert line_of(figure, f"scores-{side}-mean")[0] == [mean, mean]
        hidden = rows.filter(pl.col("value") > figure.axes[0].get_xlim()[1])["estimate"].sum()
        assert hidden <= 0.001


@pytest.mark.parametrize("name", ["hands", "winning_margin", "lead_changes", "comeback"])
def test_bars_of_games_match_rows_of_the_table(results: dict[str, Result], name: str) -> None:
    frame = _numeric(results["games"].frame)
    figure = figures.draw(frame, _of_file(results["games"].metadata), name)
    rows = frame.filter(quantity=f"{name}_distribution").sort("value")
    rows = rows.filter(pl.col("value") > 0) if name == "comeback" else rows
    bars = [bar for bar in figure.axes[0].patches if bar.get_gid() == "part-0"]
    assert [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in bars] == [
        (pytest.approx(value), estimate) for value, estimate in rows.select("value", "estimate").rows()
    ]
    assert upright_whiskers(figure) == rows.select("value", "ci_low", "ci_high").rows()


@pytest.mark.parametrize("kind", ALONG)
def test_answers_along_an_axis_match_rows_of_the_table(results: dict[str, Result], kind: str) -> None:
    frame = _numeric(results[kind].frame)
    figure = figures.draw(frame, _of_file(results[kind].metadata))
    assert line_of(figure, "mark") == (frame["value"].to_list(), frame["estimate"].to_list())
    whiskers = frame.filter(pl.col("ci_high") > pl.col("ci_low")).select("value", "ci_low", "ci_high").rows()
    assert [whisker for whisker in upright_whiskers(figure) if whisker[1] < whisker[2]] == whiskers
    assert upright_whiskers(figure, "stem") == [(value, 0, p) for value, p in frame.select("value", "estimate").rows()]


@pytest.mark.parametrize("dealer", ["us", "them"])
def test_a_map_shows_the_chance_of_every_score(results: dict[str, Result], dealer: str) -> None:
    frame = results["map"].frame.filter(dealer=dealer)
    figure = figures.draw(
        results["map"].frame, _of_file(results["map"].metadata), {"us": "we-deal", "them": "they-deal"}[dealer]
    )
    [image] = figure.axes[0].images
    grid = image.get_array()
    assert grid is not None
    for us, them, p in frame.select("us", "them", "estimate").rows():
        assert grid[them, us] == p
    assert image.get_extent()[0] == pytest.approx(-0.5)


def test_cells_of_a_matrix_are_margins(results: dict[str, Result]) -> None:
    frame = results["tournament"].frame
    figure = figures.draw(frame, _of_file(results["tournament"].metadata), "matrix")
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


@pytest.mark.parametrize("event", ["can_sweep", "can_capture", "has_seven", "has_ace"])
def test_dots_of_reading_match_rows_of_the_table(results: dict[str, Result], event: str) -> None:
    frame = results["reading"].frame.filter(event=event, kind="share")
    figure = figures.draw(results["reading"].frame, _of_file(results["reading"].metadata), event)
    for (way,), rows in frame.group_by("dealing", maintain_order=True):
        assert line_of(figure, f"reading-{way}") == (rows["told"].to_list(), rows["estimate"].to_list())
    assert upright_whiskers(figure) == sorted(set(frame.select("told", "ci_low", "ci_high").rows()))


def test_the_curve_of_search_matches_rows_of_the_table(results: dict[str, Result]) -> None:
    frame = results["curve"].frame.filter(quantity="margin", kind="difference")
    figure = figures.draw(results["curve"].frame, _of_file(results["curve"].metadata))
    for (players,), rows in frame.group_by("players", maintain_order=True):
        drawn = rows.sort("took")
        assert line_of(figure, f"curve-{players}") == (drawn["took"].to_list(), drawn["estimate"].to_list())
    assert upright_whiskers(figure) == sorted(set(frame.select("took", "ci_low", "ci_high").rows()))


# ------------------------------------------------------------------------------------------------ what is said


def test_all_bonuses_of_cirulla_are_grouped_by_kind_of_trial(runs: dict[str, Table]) -> None:
    figure = figures.draw(*runs["cirulla"], "bonuses", WIDE)
    knocks = ["Any bonus (knock)", "Barsega, 9 or less", "Boña di misci, no ace", "Barsegon, three equal"]
    labels = [row.label for row in rows_of(figure)]
    assert labels == ["Misdeal", "Table totals 15", "Table totals 30", *knocks, *knocks]
    assert texts(figure, "heading") == [
        "Of all tables dealt", "Of all hands, on the table", "Of all holdings of three cards",
        "Of all hands, somebody at least once",
    ]  # fmt: skip


def test_a_bonus_that_the_rules_do_not_have_is_left_out(runs: dict[str, Table]) -> None:
    labels = [row.label for row in rows_of(figures.draw(*runs["changed"], "bonuses", WIDE))]
    assert "Barsegon, three equal" not in labels
    assert "Table totals 9 or less" in labels
    with pytest.raises(InputError, match=r"'bonuses' has nothing .* \(valid: points, wins, scores, "):
        figures.draw(*runs["scientifico"], "bonuses")


@pytest.mark.parametrize("name", RUNS)
def test_the_overview_has_every_panel_with_data(runs: dict[str, Table], name: str) -> None:
    shown = [text for text in texts(figures.draw(*runs[name], "overview")) if text in HEADINGS.values()]
    assert {heading for panel, heading in HEADINGS.items() if panel in HAVE[name]} == set(shown)


def test_exact_odds_are_shown_with_their_fractions(exact: Table) -> None:
    figure = figures.draw(*exact, look=WIDE)
    written = texts(figure)
    assert {"= 47/4940", "= 4/247", "1 in 105", "0.951%"} <= set(written)
    assert not [text for text in written if text.startswith("= ") and len(text) > 20]
    assert any("1883/4940" in text for text in written)
    for drawn in rows_of(figure):
        [mark] = drawn.marks
        assert mark.estimate is not None
        assert mark.numbers[:2] == [percent(mark.estimate), odds(mark.estimate, exact=True)]


ANSWERED: dict[str, tuple[dict[str, Any], list[str] | None]] = {
    "one": ({"question": "low and matta"}, ["yes"]),
    "by": ({"question": "low", "by": "sevens"}, ["0", "1", "2", "3"]),
    "by truth": ({"question": "low", "by": "matta"}, ["true", "false"]),
    "by text": ({"by": "suits"}, None),
    "mean": ({"question": "mean(bonus_points)"}, ["on average"]),
    "never": ({"question": "total > 99"}, None),
}


@pytest.mark.parametrize("method", ["exact", "simulated", "checked"])
@pytest.mark.parametrize("name", ANSWERED)
def test_answers_to_questions_are_drawn(name: str, method: str) -> None:
    options, labels = ANSWERED[name]
    result = cs.odds(**options, check=None if method == "exact" else 5000, progress=False)
    frame, metadata = result.frame, _of_file(result.metadata)
    if method == "simulated":
        questions = [options["question"]] if "question" in options else []
        frame = simulated(bind(build("cirulla"), questions, by=options.get("by")), 5000)
    figure = figures.draw(frame, metadata, look=WIDE)
    drawn = rows_of(figure)
    if name == "never":
        assert {"0%", "never" if method != "simulated" else "none seen"} <= set(texts(figure))
    elif labels and method != "simulated":
        assert [row.label for row in drawn] == labels
    for row, wanted in zip(drawn, frame.to_dicts(), strict=True):
        assert row.marks[0].estimate == (wanted["estimate"] or row.marks[0].estimate)
        if method == "checked" and wanted["simulated_low"] is not None:
            assert row.marks[0].whisker == (wanted["simulated_low"], wanted["simulated_high"])
    text = " ".join(texts(figure))
    assert ("no sampling error" in text) == (method == "exact")
    assert ("95% intervals" in text) == (method != "exact")
    assert ("Dots: exact" in text) == (method == "checked")


def test_questions_about_a_position_are_drawn() -> None:
    questions = [f"can_sweep({who})" for who in ("next", "partner", "previous", "them", "others")]
    result = cs.odds(questions, at="table: 3c 5d; me: 7d Ks; to play: next")
    drawn = rows_of(figures.draw(result.frame, result.metadata, look=WIDE))
    assert [row.marks[0].estimate for row in drawn] == result.frame["estimate"].to_list()


def test_of_many_rows_the_likeliest_are_drawn_and_the_others_counted() -> None:
    result = cs.odds("low", by="cards")
    figure = result.plot(width=20)
    largest = result.frame.sort("estimate", descending=True, maintain_order=True)["estimate"].head(MOST).to_list()
    assert [row.marks[0].estimate for row in rows_of(figure)] == largest
    assert texts(figure, "others") == ["9,872 others are not shown"]


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
    written = " ".join(texts(figures.draw(*runs["cirulla"]), "method"))
    assert "Cirulla, 4 players, greedy play. 2,000 hands, seed 7" in written


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
    text.write_text("not a table", "utf-8")
    before = {path.name for path in folder.iterdir()}
    cases = [
        ((str(folder / "missing.parquet"),), ["missing.parquet", "no such file", "valid:"]),
        ((str(text),), ["notes.txt", "no result of cirulla-sim"]),
        ((str(bare),), ["bare.parquet", "no result of cirulla-sim"]),
        ((str(records),), ["rec.parquet", "no result of cirulla-sim"]),
        ((str(strange),), ["odd.parquet", "its table has no column 'quantity'"]),
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
    assert "points, wins, scores, primiera" in message


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
