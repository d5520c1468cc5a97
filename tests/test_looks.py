"""The look of charts: nothing overlaps or is cut at any size, in any theme, in Italian; options do what they say."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from drawn_charts import rows_of, texts
from every_kind import DRAWN, ENGLISH, QUESTIONS, STUDIED, without_version
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import check_chart, check_sheet, texts_of
from matplotlib.figure import Figure
from PIL import Image

import cirulla_sim as cs
from cirulla_sim.cli.commands import command_of
from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.keys import MARKERS, part_style
from cirulla_sim.reporting.charts.look import NARROWEST, SIZES, THEMES, chosen, contrast
from cirulla_sim.reporting.charts.rows import MOST, Group, Mark, Part, Row, Rows
from cirulla_sim.reporting.charts.sheet import Graphic, sheets
from cirulla_sim.reporting.charts.style import MOST_COLOURS
from cirulla_sim.reporting.result import Result

LONG = "an exceedingly long name of forty letters"

names = st.text(st.sampled_from("abcdefgh mnop"), min_size=1, max_size=40).map(str.strip).filter(bool)


@st.composite
def row_charts(draw: st.DrawFn) -> Rows:
    """Charts of up to 20 rows with up to five series, of differences, levels and bars."""
    count, series = draw(st.sampled_from((1, 2, 8, 12, 20))), draw(st.integers(1, 5))
    labels = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    if draw(st.booleans()):
        share = st.floats(0, 0.5)
        bars = [(draw(share), draw(share)) for _ in labels]
        drawn_rows = [Row(label, parts=(Part(a, a, a, f"{100 * a:.1f}%"), Part(b, b, b, f"{100 * b:.1f}%"),
                                  Part(1 - a - b, 1 - a - b, 1 - a - b, "100.0%")))
                for label, (a, b) in zip(labels, bars, strict=True)]  # fmt: skip
        return Rows((Group("", tuple(drawn_rows)),), parts=(draw(names), "tied", draw(names)))
    size = draw(st.sampled_from((1e-3, 1.0, 1e4)))

    def mark(number: int) -> Mark:
        at, half = size * draw(st.floats(-1, 1)), size * draw(st.floats(0, 1))
        text = f"({at:+.3f} ± {half:.3f})"
        return Mark(at - half, at, at + half, (text, draw(st.sampled_from(("", "a", "ab")))), number,
                    draw(st.booleans()), brief=f"{at:+.3g}")  # fmt: skip

    drawn_rows = [Row(label, tuple(mark(number) for number in range(series))) for label in labels]
    half = len(drawn_rows) // 2
    groups = [Group(draw(names), tuple(drawn_rows[:half])), Group("", tuple(drawn_rows[half:]))]
    return Rows(
        tuple(group for group in groups if group.rows), heads=("", draw(names)), optional=1,
        series=tuple(f"{LONG[: 8 * n]} {n}" for n in range(1, series + 1)),
        reference=draw(st.sampled_from((None, (0.0, LONG)))),
    )  # fmt: skip


@given(row_charts(), st.sampled_from(list(SIZES)), st.sampled_from(["en", "it"]), st.booleans(), names)
@settings(max_examples=30, deadline=None)
def test_charts_of_rows_cannot_break(rows: Rows, size: str, lang: str, every: bool, title: str) -> None:
    """Nothing overlaps, nothing is cut, and every number of the rows that are shown is there."""
    look = chosen(size=size, lang=lang, all=every)
    drawn = sheets(Graphic(f"{title} {LONG}", LONG, rows, f"{LONG}. {LONG}"), look)
    for sheet in drawn:
        check_sheet(sheet, look)
    written = {text for sheet in drawn for text in texts(sheet, "number")}
    shown = [row for group in rows.chosen(look).groups for row in group.rows]
    assert len(shown) == (len(rows.rows) if every else min(MOST, len(shown)))
    for row in shown:
        assert {part.text for part in row.parts} <= written
        assert all({mark.texts[0], mark.brief} & written for mark in row.marks)


@pytest.mark.parametrize("kind", DRAWN)
def test_every_figure_fits_a_column_in_italian(results: dict[str, Result], kind: str) -> None:
    result, look, drawn = results[kind], chosen(size="column", lang="it"), 0
    quoted = [word.rpartition(" quantile of ")[2] for word in result.frame["quantity"]] if kind in QUESTIONS else []
    quoted += result.frame["by"].drop_nulls().to_list() if "by" in result.frame.columns else []
    for name in figures.names(result.metadata):
        with suppress(InputError):  # nothing to show
            figure = figures.draw(result.frame, result.metadata, name, look)
            drawn += 1
            check_chart(figure, look)
            for sheet in (figure, *figure.rest):
                check_italian(sheet, sorted(quoted, key=len, reverse=True))
    assert drawn


def check_italian(figure: Figure, quoted: list[str]) -> None:
    """Check that only quoted questions and the command have English words, and that decimals have a comma."""
    for content in texts(figure):
        if content.endswith("…"):  # a question cut short
            continue
        for question in quoted:
            content = content.replace(question, "")
        assert not ENGLISH & set(re.findall(r"[a-z]+", content.lower())), content
        assert not re.search(r"\d\.\d(?!\d\d)", without_version(content)), content


@pytest.mark.parametrize("number", range(len(DRAWN)))
def test_every_row_fits_a_phone_a_page_or_a_screen(results: dict[str, Result], number: int) -> None:
    result = results[DRAWN[number]]
    size, theme = (("phone", "dark"), ("page", "grey"), ("screen", "light"))[number % 3]
    look = chosen(size=size, theme=theme, all=True)
    check_chart(figures.draw(result.frame, result.metadata, None, look), look)


def test_a_result_of_every_kind_is_drawn(results: dict[str, Result]) -> None:
    assert {results[kind].metadata["schema"] for kind in DRAWN} == set(figures.FIGURES)


# ------------------------------------------------------------------------------------------------ several files


def test_several_files_share_a_chart_and_are_labelled_by_their_differences(
    results: dict[str, Result], tmp_path: Path
) -> None:
    kinds = ("two", "changed", "cirullone")
    files = [results[kind].save(tmp_path / f"{kind}.parquet") for kind in kinds]
    figure = cs.plot(files, lang="it", size="column")
    check_chart(figure, chosen(lang="it", size="column"))
    check_italian(figure, [])
    wide = cs.plot(files, lang="it", width=20)
    assert [text.replace("a coppie = no, ", "") for text in texts(wide, "label")] == [
        "Cirulla, 2 giocatori", "Cirulla, senza primiera, 4 giocatori", "Cirullone, 4 giocatori",
    ]  # fmt: skip
    rows = [results[kind].frame.filter(quantity="margin", side="dealer", kind="mean") for kind in kinds]
    assert [row.marks[0].estimate for row in rows_of(wide)] == [row["estimate"][0] for row in rows]
    for wrong in ("odds", "rules"):
        with pytest.raises(InputError, match="not drawn together"):
            cs.plot([results["two"], results[wrong]])


def test_files_of_line_ups_share_a_chart(results: dict[str, Result]) -> None:
    look = chosen(size="page")
    parts = [results[kind] for kind in ("line-ups", "line-ups by side")]
    figure = figures.draw_all([(part.frame, part.metadata) for part in parts], "margin", look)
    check_chart(figure, look)
    assert texts(figure, "heading") == ["3 players", "2 players"]
    of_dealers = [part.frame.filter(quantity="margin", side="dealer", kind="mean") for part in parts]
    levels = [level for frame in of_dealers for level in frame["estimate"]]
    assert [row.marks[0].estimate for row in rows_of(cs.plot(parts, width=20))] == levels


def test_what_does_not_fit_is_in_several_files(results: dict[str, Result], tmp_path: Path) -> None:
    figure = cs.plot(results["known"], output=tmp_path / "chart.svg", size="column", all=True)
    count = 1 + len(figure.rest)
    assert count > 1
    names = ["chart.svg", *(f"chart-{n}.svg" for n in range(2, 1 + count))]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    shown = [texts(sheet, "subtitle")[0].partition(" ")[0] for sheet in (figure, *figure.rest)]
    assert shown == [f"({n}/{count})" for n in range(1, count + 1)]


# ------------------------------------------------------------------------------------------------ colours and axes


@pytest.mark.parametrize("theme", THEMES)
def test_neighbours_differ_by_three_to_one(theme: str) -> None:
    colours, look = THEMES[theme], chosen(theme=theme)
    for colour in (*colours.series, colours.muted, colours.ink):
        assert contrast(colour, colours.paper) >= 3
    for number in range(4):  # parts of bars
        one, other = (part_style(n, look) for n in (number, number + 1))
        assert contrast(one["facecolor"], other["facecolor"]) >= 3
        assert ("hatch" in one) != ("hatch" in other)
    steps = [contrast(colour, "#000000") for colour in THEMES["grey"].chances]
    assert steps == sorted(steps, reverse=True)  # the darker, the likelier


def test_series_and_signs_differ_by_shape_and_axes_are_honest(results: dict[str, Result]) -> None:
    assert len(set(MARKERS)) == len(MARKERS)
    for axis in ("linear", "log"):
        [axes] = results["rules"].plot("points", axis=axis).axes
        assert axes.get_xscale() == axis
        low, high = axes.get_xlim()
        assert (low <= 0 <= high) == (axis == "linear")
        if axis == "linear":
            signs = {line.get_xdata()[0] > 0: line.get_marker() for line in axes.lines if line.get_gid() == "mark"}
            assert signs == {True: "^", False: "v"}
    [axes] = results["rare"].plot().axes
    assert axes.get_xscale() == "linear", "a lone dot has no logarithmic axis"


@pytest.mark.parametrize("theme", THEMES)
def test_a_png_has_few_colours_and_those_of_the_theme(results: dict[str, Result], theme: str, tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    cs.plot(results["score"], output=file, theme=theme, width="120mm")
    with Image.open(file) as picture:
        assert picture.mode == "P"
        assert picture.width == pytest.approx(200 * 120 / 25.4, abs=1)
        drawn = picture.convert("RGB")
        paper = "#{:02x}{:02x}{:02x}".format(*drawn.getpixel((0, 0)))  # type: ignore[misc]
        assert paper == THEMES[theme].paper
        assert len(drawn.getcolors(10**6) or ()) <= MOST_COLOURS


def test_svg_has_real_text(results: dict[str, Result], tmp_path: Path) -> None:
    file = tmp_path / "odds.svg"
    cs.plot(results["odds"], output=file, lang="it")
    assert "1 su 10,5</text>" in file.read_text("utf-8")


# ------------------------------------------------------------------------------------------------ options


def test_texts_rows_and_names_are_those_that_are_given(results: dict[str, Result]) -> None:
    figure = results["two"].plot("points", title="Mine", subtitle="under", caption="below", footer=False)
    shown = [text.get_text() for text, _ in texts_of(figure)]
    assert {"Mine", "under", "below"} <= set(shown)
    assert not texts(figure, "method")
    figure = results["rules"].plot("points", rows="table-nine,no-matta", label=["no-matta=Senza", "Table nine=Nine"])
    assert texts(figure, "label") == ["Nine", "Senza"]
    assert "Mazziere" in texts(results["two"].plot("wins", label="Dealer=Mazziere"), "key")


def test_titles_state_the_finding_with_numbers_of_the_file(results: dict[str, Result]) -> None:
    [row] = results["one rule"].frame.filter(quantity="points", side="all", kind="difference").to_dicts()
    title = results["one rule"].plot().texts[0].get_text().replace("\N{NO-BREAK SPACE}", " ")
    half = (row["ci_high"] - row["ci_low"]) / 2
    assert title == f"No matta lowers the points of a hand by {-row['estimate']:.1f} ± {half:.1f}"
    [row] = results["two"].frame.filter(quantity="margin", side="dealer", kind="mean").to_dicts()
    sure = not row["ci_low"] <= 0 <= row["ci_high"]
    assert ("is not significant" in results["two"].plot("scores").texts[0].get_text()) != sure


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "poster"}, r"--size: unknown size 'poster'.*column, page, screen, phone"),
        ({"theme": "gray"}, "--theme: unknown theme 'gray': did you mean 'grey'"),
        ({"lang": "fr"}, "--lang: unknown language 'fr'.*en, it"),
        ({"axis": "logs"}, "--axis: unknown axis 'logs': did you mean 'log'"),
        ({"width": "80mm"}, "--width '80mm' is out of range.*90mm"),
        ({"width": "ninety"}, "--width 'ninety' is not a width"),
        ({"colour": 1}, "unknown argument 'colour'"),
        ({"rows": "no-mata"}, "--rows .*'no-mata': did you mean 'no-matta'"),
        ({"label": "No mata=X"}, "--label .*'No mata': did you mean 'No matta'"),
        ({"label": "No matta"}, "--label 'No matta' .*valid: OLD=NEW"),
    ],
)
def test_an_invalid_look_is_refused(results: dict[str, Result], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        results["rules"].plot("points", **options)


def test_widths_are_inches_or_have_a_unit() -> None:
    assert chosen(width="90mm").width == pytest.approx(NARROWEST)
    assert chosen(width="12.7cm").width == pytest.approx(5)
    assert chosen(width="3.75in").width == chosen(width=3.75).width == 3.75
    assert chosen(size="phone", width=6).width == 6


def test_the_verbs_help_names_every_figure() -> None:
    shown = CliRunner().invoke(command_of("plot"), ["--help"]).output
    own = {schema: family for schema, family in figures.FIGURES.items() if schema.partition("/")[0] not in STUDIED}
    assert len(own) == 11
    assert not [name for family in own.values() for name in family.figures if not re.search(rf"\b{name}\b", shown)]
