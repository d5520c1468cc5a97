"""The look of charts: nothing overlaps or is cut at any size, in any theme, in Italian; options do what they say."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from html import escape
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from drawn_charts import boxes_of, check_chart, rows_of, texts
from every_kind import DRAWN, ENGLISH, QUESTIONS, without_version
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from matplotlib.contour import ContourSet

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.experiments.tally import MEASURES
from cirulla_sim.reporting.charts import figures
from cirulla_sim.reporting.charts.draw import draw_all
from cirulla_sim.reporting.charts.graphic import Graphic
from cirulla_sim.reporting.charts.look import MOST, SIZES, Look, read_look
from cirulla_sim.reporting.charts.rows import ChartRow, Mark, RowChart
from cirulla_sim.reporting.charts.sheet import Chart, draw_figure, save_figure
from cirulla_sim.reporting.kinds import KINDS
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.labels import quantity_name, rules_words, schema_of

ROOT = Path(__file__).parent.parent
LONG = "an exceedingly long name of forty letters"

names = st.text(st.sampled_from("abcdefgh mnop"), min_size=1, max_size=40).map(str.strip).filter(bool)


@st.composite
def row_charts(draw: st.DrawFn) -> RowChart:
    """Charts of up to 20 rows with up to five series, of differences, levels and bars."""
    count, series = draw(st.sampled_from((1, 2, 8, 12, 20))), draw(st.integers(1, 5))
    labels = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    if draw(st.booleans()):
        share = st.floats(0, 0.5)
        bars = [(draw(share), draw(share)) for _ in labels]
        drawn_rows = [ChartRow(label, tuple(Mark(part, part, part, (f"{100 * part:.1f}%",), number)
                                            for number, part in enumerate((a, b, 1 - a - b))))
                for label, (a, b) in zip(labels, bars, strict=True)]  # fmt: skip
        return RowChart(tuple(drawn_rows), series=(draw(names), "tied", draw(names)), stacked=True)
    size = draw(st.sampled_from((1e-3, 1.0, 1e4)))

    def mark(number: int) -> Mark:
        at, half = size * draw(st.floats(-1, 1)), size * draw(st.floats(0, 1))
        text = f"({at:+.3f} ± {half:.3f})"
        return Mark(at - half, at, at + half, (text, draw(st.sampled_from(("", "a", "ab")))), number,
                    draw(st.booleans()))  # fmt: skip

    heading, half = draw(names), count // 2
    drawn_rows = [
        ChartRow(label, tuple(mark(number) for number in range(series)), heading=heading if place < half else "")
        for place, label in enumerate(labels)
    ]
    return RowChart(
        tuple(drawn_rows), heads=("", draw(names)), optional=1,
        series=tuple(f"{LONG[: 8 * n]} {n}" for n in range(1, series + 1)),
        reference=draw(st.sampled_from((None, (0.0, LONG)))),
    )  # fmt: skip


@pytest.mark.slow
@given(row_charts(), st.sampled_from(list(SIZES)), st.sampled_from(["en", "it"]), st.booleans(), names)
@settings(max_examples=15, deadline=None, phases=[Phase.generate])  # to find the smallest failure takes minutes
def test_charts_of_rows_cannot_break(rows: RowChart, size: str, lang: str, every: bool, title: str) -> None:
    look = read_look(size=size, lang=lang, all=every)
    figure = draw_figure(Graphic(f"{title} {LONG}", LONG, rows, f"{LONG}. {LONG}"), look)
    check_chart(figure)
    written = set(texts(figure, "number"))
    shown = rows.chosen(look).rows
    assert len(shown) == len(rows.rows) if every else len(shown) <= MOST + 1
    for row in shown:
        assert all(mark.texts[0] in written for mark in row.marks)


@pytest.mark.parametrize(
    "number",
    [pytest.param(n, marks=[pytest.mark.slow] * (n % 2), id=name) for n, name in enumerate(DRAWN)],
)
def test_every_figure_fits_a_column_in_italian_and_another_size(results: dict[str, Result], number: int) -> None:
    kind = DRAWN[number]
    result, look, drawn = results[kind], read_look(size="column", lang="it"), 0
    quoted = [word.rpartition(" quantile of ")[2] for word in result.frame["quantity"]] if kind in QUESTIONS else []
    quoted += result.frame["by"].drop_nulls().to_list() if "by" in result.frame.columns else []
    for name in figures.figures_of(result.metadata):
        with suppress(InputError):  # nothing to show
            figure = draw_all([(result.frame, result.metadata)], name, look)
            drawn += 1
            check_chart(figure)
            check_italian(figure, sorted(quoted, key=len, reverse=True))
    assert drawn
    size, theme = (("phone", "dark"), ("page", "grey"), ("screen", "light"))[number % 3]
    look = read_look(size=size, theme=theme, all=True)
    check_chart(draw_all([(result.frame, result.metadata)], None, look))


def check_italian(figure: Chart, quoted: list[str]) -> None:
    """Check that only quoted questions and the command have English words, and that decimals have a comma."""
    for content in [*texts(figure), figure.alt]:
        if content.endswith("…"):  # a question cut short
            continue
        for question in quoted:
            content = content.replace(question, "")
        assert not ENGLISH & set(re.findall(r"[a-z]+", content.lower())), content
        assert not re.search(r"\d\.\d(?!\d\d)", without_version(content)), content


def test_a_result_of_every_kind_is_drawn(results: dict[str, Result]) -> None:
    drawn = {name for name, kind in KINDS.items() if any(view.mark for view in kind.views)}
    assert {schema_of(results[kind].metadata) for kind in DRAWN} == drawn | {"study"}


# ------------------------------------------------------------------------------------------------ several files


def test_several_files_share_a_chart_and_are_labelled_by_their_differences(
    results: dict[str, Result], tmp_path: Path
) -> None:
    kinds = ("two", "changed", "cirullone")
    files = [results[kind].save(tmp_path / f"{kind}.parquet") for kind in kinds]
    figure = cs.plot(files, lang="it", size="column")
    check_chart(figure)
    check_italian(figure, [])
    wide = cs.plot(files, lang="it", width=20)
    assert [text.replace("ognuno gioca per sé, ", "") for text in texts(wide, "label")] == [
        "Cirulla, 2 giocatori", "Cirulla, senza primiera, 4 giocatori", "Cirullone, 4 giocatori",
    ]  # fmt: skip
    rows = [results[kind].frame.filter(quantity="margin", side="dealer", kind="mean") for kind in kinds]
    assert [row.marks[0].estimate for row in rows_of(wide)] == [row["estimate"][0] for row in rows]
    chances = [cs.odds("low", rules=rules) for rules in ("cirulla", "cirullone")]
    for drawn in (cs.plot(files, figure="points", width=20), cs.plot(chances, width=20)):
        first = max(rows_of(drawn), key=lambda row: row.marks[0].estimate)
        assert re.search(rf"(with|in) {first.label.partition(',')[0]}\b", drawn.title), drawn.title
    with pytest.raises(InputError, match="not drawn together"):
        cs.plot([results["two"], results["rules"]])
    line_ups = [results[kind] for kind in ("line-ups", "line-ups by side")]
    of_dealers = [part.frame.filter(quantity="margin", side="dealer", kind="mean")["estimate"] for part in line_ups]
    assert [row.marks[0].estimate for row in rows_of(cs.plot(line_ups, width=20))] == [*of_dealers[0], *of_dealers[1]]


def test_answers_by_numbers_of_several_files_share_a_chart(results: dict[str, Result]) -> None:
    frame = results["by"].frame.filter(kind="probability")
    figure = cs.plot([results["by"], results["by"]], width=20)
    check_chart(figure)
    assert texts(figure, "heading") == frame["value"].to_list()
    assert len(rows_of(figure)) == 2 * frame.height


# ------------------------------------------------------------------------------------------------ little room


def test_a_ranking_in_a_column_of_print_has_the_matches() -> None:
    figure = cs.plot(ROOT / "results" / "tournament_cirulla_4.parquet", size="column")
    check_chart(figure)
    assert texts(figure, "head") == ["over the next, head to head"]


def test_every_line_of_a_map_in_a_column_of_print_has_its_number(results: dict[str, Result]) -> None:
    figure = results["map"].plot(size="column")
    [contour] = [lines for lines in figure.axes[0].collections if isinstance(lines, ContourSet)]
    crossed = (level for level, path in zip(contour.levels, contour.get_paths(), strict=True) if len(path.vertices))
    assert {text.get_text() for text in figure.axes[0].texts} == {f"{level:.0%}" for level in crossed if level != 0.5}


def test_whiskers_on_columns_hide_no_more_than_half_of_them(results: dict[str, Result]) -> None:
    figure = results["games"].plot("winning_margin", size="column")
    [axes] = figure.axes
    column = axes.transData.transform([(bar.get_width(), 0) for bar in axes.patches[:1]]) - axes.transData.transform(
        (0, 0)
    )
    widest = max(lines.get_linewidths()[0] for lines in axes.collections if lines.get_gid() == "whisker")
    assert widest <= 0.5 * 72 * column[0][0] / figure.dpi


# ------------------------------------------------------------------------------------------------ colours and axes


def test_signs_differ_by_shape_and_axes_are_honest(results: dict[str, Result]) -> None:
    figure = results["rules"].plot("margin", width=20)
    [axes] = figure.axes
    assert axes.get_xlim()[0] <= 0 <= axes.get_xlim()[1]
    rows = results["rules"].frame.filter(quantity="margin", side="dealer", kind="difference").to_dicts()
    marks = {row.label: row.marks[0] for row in rows_of(figure)}
    signs = {line.get_xdata()[0]: line.get_marker() for line in axes.lines if line.get_gid() == "mark"}
    for row in rows:
        if row["ci_high"]:
            mark = marks[rules_words(row["rules"])]
            assert (mark.estimate, mark.whisker) == (row["estimate"], (row["ci_low"], row["ci_high"]))
            assert signs[row["estimate"]] == ("^" if row["estimate"] > 0 else "v")


# ------------------------------------------------------------------------------------------------ options


def test_texts_rows_and_names_are_those_that_are_given(results: dict[str, Result]) -> None:
    figure = results["two"].plot("points", title="Mine", subtitle="under", caption="below", footer=False)
    shown = [text.get_text() for text, _ in boxes_of(figure)]
    assert {"Mine", "under", "below"} <= set(shown)
    assert not texts(figure, "method")
    figure = results["rules"].plot(
        "points", rows="table-nine,no-matta", label=["no-matta=Senza", "Table of nine or less=Nine"]
    )
    assert texts(figure, "label") == ["Nine", "Senza"]
    assert "Mazziere" in texts(results["two"].plot("wins", label="Dealer=Mazziere"), "key")


def test_rows_are_sorted_and_stand_out_as_asked(results: dict[str, Result]) -> None:
    """Within their groups; a row that stands out is shown even if it would be left out."""
    result = results["odds"]
    own, by_size, by_name = (rows_of(result.plot(width=20, sort=order)) for order in ("none", "size", "name"))
    for rows, key in ((by_size, lambda row: -row.marks[0].estimate), (by_name, lambda row: row.label.casefold())):
        assert Counter(row.label for row in rows) == Counter(row.label for row in own)
        groups = [rows[:4], rows[4:7], rows[7:]]  # three cards held, two kinds of tables
        assert [sorted(group, key=key) for group in groups] == groups
    figure = result.plot(width=20, highlight=["knock", "misdeal"])
    bold = [label.get_text() for label in figure.axes[0].get_yticklabels() if label.get_weight() == "bold"]
    assert bold == ["Any bonus", "Misdeal"]
    coloured = [line for line in figure.axes[0].lines if line.get_color() == Look().theme.series[0]]
    assert len(coloured) == len(bold)
    known = results["known"]
    left_out = known.plot(all=True, width=20), known.plot(width=20)
    missing = (set(texts(left_out[0], "label")) - set(texts(left_out[1], "label"))).pop()
    assert missing in texts(known.plot(width=20, highlight=missing), "label")


@pytest.mark.parametrize(
    ("kind", "name", "given", "at"),
    [("two", "wins", "50=even", 0.5), ("rules", "points", -1.25, -1.25), ("odds", None, "33,3%", 33.3),
     ("games", "hands", 20, 20), ("two", "scores", "9=nine", 9), ("games by line-up", "games", "45=less", 0.45)],
)  # fmt: skip
def test_a_reference_is_a_line_with_its_name(
    results: dict[str, Result], kind: str, name: str | None, given: str | float, at: float
) -> None:
    figure = results[kind].plot(name, reference=given, size="column")
    check_chart(figure)
    lines = [line.get_xdata()[0] for line in figure.axes[0].lines if line.get_gid() == "reference-line"]
    assert lines[-1] == pytest.approx(at)
    assert str(given).rpartition("=")[2] in texts(figure, "reference")
    low, high = figure.axes[0].get_xlim()
    assert low <= at <= high


def test_alternative_texts_say_what_is_drawn(
    results: dict[str, Result], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The numbers of every row; svg files have it, and ``plot --alt`` prints it."""
    result = results["rules"]
    figure = result.plot("points", title="Mine & yours")
    assert figure.alt.startswith("Mine & yours. Change of the mean points a hand. No matta −")
    for row in rows_of(result.plot("points", width=20)):
        assert f"{row.label} {row.marks[0].numbers[0]}" in figure.alt
    save_figure(figure, tmp_path / "chart.svg")
    assert f"<desc>{escape(figure.alt)}</desc>" in (tmp_path / "chart.svg").read_text("utf-8")
    file = result.save(tmp_path / "rules.parquet")
    for arguments, written in (([], []), (["-o", str(tmp_path / "x.png")], ["x.png"])):
        with pytest.raises(SystemExit) as ended:
            main(["plot", str(file), "--figure", "points", "--title", "Mine & yours", "--alt", *arguments])
        assert (ended.value.code or 0) == 0
        assert capsys.readouterr().out == f"{figure.alt}\n"
        assert [path.name for path in tmp_path.glob("*.png")] == written
    percentages = re.findall(r"(\d+): ([\d.]+)%", results["games"].plot("hands").alt)
    rows = results["games"].frame.filter(quantity="hands_distribution").cast({"value": float}).sort("value")
    assert [float(n) for n, _ in percentages] == rows["value"].to_list()
    assert [float(p) for _, p in percentages] == pytest.approx((100 * rows["estimate"]).to_list(), abs=0.5)


def test_what_is_left_out_is_said_and_all_rows_are_shown(results: dict[str, Result]) -> None:
    result = results["rules"]
    tested = result.frame.filter(pl.col("p_holm").is_not_null(), side="all", per="hand", kind="difference")
    rows = tested.filter(
        pl.col("quantity").str.starts_with("points_"), pl.any_horizontal(pl.col("estimate", "ci_low", "ci_high") != 0)
    )
    few, every = result.plot("categories", width=20), result.plot("categories", all=True, width=20)
    counts = [len(rows_of(chart)) for chart in (few, every)]
    assert counts[1] == rows.height > counts[0]
    assert texts(few, "others")[0].startswith(f"{rows.height - counts[0]} others")
    assert not texts(every, "others")
    assert len(rows_of(results["two"].plot("points", width=20))) == 9  # table bonuses too


def test_the_footer_explains_whiskers_where_there_are_any(results: dict[str, Result]) -> None:
    figures_of = {("rules", "points"): True, ("games", "hands"): True, ("odds", None): False, ("many", None): False}
    for (kind, name), any_are in figures_of.items():
        assert ("Whiskers: 95% intervals" in " ".join(texts(results[kind].plot(name), "method"))) == any_are


def test_a_chart_has_the_font_that_is_asked_for(results: dict[str, Result], tmp_path: Path) -> None:
    look = read_look(font="dejavu serif", size="column")
    figure = draw_all([(results["two"].frame, results["two"].metadata)], "points", look)
    check_chart(figure)
    assert {text.get_fontname() for text, _ in boxes_of(figure)} == {"DejaVu Serif"}
    save_figure(figure, tmp_path / "chart.svg")
    assert "DejaVu Serif" in (tmp_path / "chart.svg").read_text("utf-8")
    with pytest.raises(InputError, match=r"--font: .*'DejaVu Sarif'.*did you mean 'DejaVu Serif'"):
        read_look(font="DejaVu Sarif")


def test_an_invalid_look_is_refused(results: dict[str, Result]) -> None:
    for options, message in (
        ({"size": "poster"}, r"--size: unknown size 'poster'.*column, page, screen, phone"),
        ({"width": "80mm"}, "--width '80mm' is not a width.*90mm"),
        ({"rows": "no-mata"}, "--rows .*'no-mata': did you mean 'no-matta'"),
        ({"label": "No matta"}, "--label 'No matta' .*valid: OLD=NEW"),
        ({"sort": "sizes"}, "--sort: unknown order 'sizes': did you mean 'size'"),
        ({"highlight": "no-mata"}, "--highlight .*'no-mata': did you mean 'no-matta'"),
        ({"reference": "half"}, "--reference 'half' is not a number .*valid: a number of the axis"),
    ):
        with pytest.raises(InputError, match=message):
            results["rules"].plot("points", **options)
    for options, message in (
        ({"rows": "40"}, "--rows: this figure has no rows"),
        ({"sort": "size"}, "--sort: this figure has no rows"),
        ({"reference": 30}, "--reference: this figure has no axis"),
        ({"label": "us=we"}, "--label .*'us'"),
    ):
        with pytest.raises(InputError, match=message):
            results["map"].plot(**options)


def test_a_subtitle_names_no_other_measure() -> None:
    views = {view.name: view.shown.lower() for view in KINDS["compare"].views}
    names = {one.name: quantity_name(one.quantity, language("en")).lower() for one in MEASURES}
    for name, other in product(names, names):
        assert name == other or names[other] in ("points", "hands") or names[other] not in views[name], (name, other)


@pytest.mark.parametrize("question", ["until(barsegon)", "histogram(aces(me))", "mean(aces(me))"])
def test_a_chart_of_a_question_is_titled_by_what_it_means(question: str) -> None:
    result = cs.odds(question)
    graphic = figures.graphic_of(result.frame, result.metadata, None, language("en"))
    assert graphic.title
    assert "(" not in graphic.title + graphic.shown


def test_the_footer_says_what_stands_behind_the_rows_that_are_shown(results: dict[str, Result]) -> None:
    """Hands behind points, games behind games, of a file that has as many of both, too."""
    assert "50 games," in " ".join(texts(results["rules of games"].plot("hands"), "method"))
    result = cs.read(ROOT / "results" / "fairer_search_careful.parquet")
    for figure, much in (("games", "4,000 games"), ("points", "4,000 hands"), ("leads", "4,000 games")):
        footer = " ".join(texts(result.plot(figure)))
        assert much in footer, figure
        assert ("4,000 hands" in footer) == (figure == "points")
