"""Charts cannot break: nothing overlaps, nothing is cut, nothing is too high, and neighbours differ without colours."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from drawn_charts import texts
from every_kind import DRAWN
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import check_chart, check_sheet, texts_of

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.keys import MARKERS, part_style
from cirulla_sim.reporting.charts.look import SIZES, Look, chosen
from cirulla_sim.reporting.charts.rows import MOST, Group, Mark, Part, Row, Rows
from cirulla_sim.reporting.charts.sheet import Graphic, sheets
from cirulla_sim.reporting.charts.style import Chart
from cirulla_sim.reporting.charts.themes import THEMES, contrast
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
    groups = (
        (Group(draw(names), tuple(drawn_rows[:half])), Group("", tuple(drawn_rows[half:])))
        if half
        else (Group("", tuple(drawn_rows)),)
    )
    return Rows(
        groups, heads=("", draw(names)), optional=1, series=tuple(f"{LONG[: 8 * n]} {n}" for n in range(1, series + 1)),
        reference=draw(st.sampled_from((None, (0.0, LONG)))),
    )  # fmt: skip


@given(row_charts(), st.sampled_from(list(SIZES)), st.sampled_from(["en", "it"]), st.booleans(), names)
@settings(max_examples=60, deadline=None)
def test_charts_of_rows_cannot_break(rows: Rows, size: str, lang: str, every: bool, title: str) -> None:
    look = chosen(size=size, lang=lang, all=every)
    first, *rest = sheets(Graphic(f"{title} {LONG}", LONG, rows, f"{LONG}. {LONG}", "heading"), look)
    for sheet in (first, *rest):
        check_sheet(sheet, look)
    written = {text.get_text() for sheet in (first, *rest) for text, _ in texts_of(sheet) if text.get_gid() == "number"}
    shown = [row for group in rows.chosen(look).groups for row in group.rows]
    assert len(shown) == (len(rows.rows) if every else min(MOST, len(shown)))
    for row in shown:
        for part in row.parts:
            assert part.text in written
        for mark in row.marks:
            assert {mark.texts[0], mark.brief} & written


# ------------------------------------------------------------------------------------------------ results


def charts(result: Result, look: Look) -> list[Chart]:
    """All figures of a result that have something to show."""
    drawn = []
    for name in figures.names(result.metadata):
        with suppress(InputError):
            drawn.append(figures.draw(result.frame, result.metadata, name, look))
    assert drawn
    return drawn


@pytest.mark.parametrize("kind", DRAWN)
def test_figures_of_every_kind_fit_a_column_in_italian(results: dict[str, Result], kind: str) -> None:
    look = chosen(size="column", lang="it")
    for figure in charts(results[kind], look):
        check_chart(figure, look)


@pytest.mark.parametrize("kind", DRAWN)
def test_every_row_is_shown_on_a_phone_and_a_page(results: dict[str, Result], kind: str) -> None:
    result = results[kind]
    for size, theme in (("phone", "dark"), ("page", "grey"), ("screen", "light")):
        look = chosen(size=size, theme=theme, all=True)
        check_chart(figures.draw(result.frame, result.metadata, None, look), look)


@pytest.mark.parametrize("size", SIZES)
def test_files_of_line_ups_of_two_three_and_four_players_share_a_chart(size: str) -> None:
    look = chosen(size=size)
    results = [cs.simulate(players=n, policy=["random", "greedy", "careful"], hands=60, progress=False)
               for n in (2, 3, 4)]  # fmt: skip
    for name in ("margin", "wins", "points"):
        figure = figures.draw_all([(one.frame, one.metadata) for one in results], name, look)
        check_chart(figure, look)
        sheets_of = (figure, *figure.rest)
        headings = [
            text.get_text() for sheet in sheets_of for text, _ in texts_of(sheet) if text.get_gid() == "heading"
        ]
        assert list(dict.fromkeys(headings)) == ["2 players", "3 players", "4 players"]
        labels = [text.get_text() for sheet in sheets_of for text, _ in texts_of(sheet) if text.get_gid() == "label"]
        assert sorted(labels) == sorted(["random", "greedy", "careful"] * 3) or not look.all


# ------------------------------------------------------------------------------------------------ without colours


@pytest.mark.parametrize("theme", THEMES)
def test_neighbours_differ_by_three_to_one(theme: str) -> None:
    colours, look = THEMES[theme], chosen(theme=theme)
    for colour in (*colours.series, colours.muted, colours.ink):
        assert contrast(colour, colours.paper) >= 3
    for number in range(4):  # parts of bars
        one, other = (part_style(n, look) for n in (number, number + 1))
        assert contrast(one["facecolor"], other["facecolor"]) >= 3
        assert ("hatch" in one) != ("hatch" in other)


def test_series_and_signs_differ_by_shape(results: dict[str, Result]) -> None:
    assert len(set(MARKERS)) == len(MARKERS)
    figure = figures.draw(results["rules"].frame, results["rules"].metadata, "points")
    signs = {line.get_xdata()[0] > 0: line.get_marker() for line in figure.axes[0].lines if line.get_gid() == "mark"}
    assert signs == {True: "^", False: "v"}


# ------------------------------------------------------------------------------------------------ rows and names


def test_rows_and_names_are_those_that_are_given(results: dict[str, Result]) -> None:
    figure = results["rules"].plot("points", rows="table-nine,no-matta", label=["no-matta=Senza", "Table nine=Nine"])
    assert texts(figure, "label") == ["Nine", "Senza"]
    bars = results["two"].plot("wins", label="Dealer=Mazziere")
    assert "Mazziere" in texts(bars, "key")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"rows": "no-mata"}, ["--rows", "'no-mata'", "did you mean 'no-matta'"]),
        ({"label": "No mata=X"}, ["--label", "'No mata'", "did you mean 'No matta'"]),
        ({"label": "No matta"}, ["--label 'No matta'", "valid: OLD=NEW"]),
    ],
)
def test_a_row_or_name_that_there_is_not_is_refused(
    results: dict[str, Result], options: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(InputError) as error:
        results["rules"].plot("points", **options)
    assert all(part in str(error.value) for part in parts), str(error.value)


def test_what_does_not_fit_is_in_several_files(tmp_path: Path) -> None:
    rules = [
        "no-matta",
        "table-nine",
        "queen-matta",
        "piccola-seven",
        "matta-ace",
        "ace-must-sweep",
        "optional-capture",
    ]
    policies = ["random", "greedy", "careful", "dealer=greedy, others=random"]
    result = cs.compare(house=rules, players=2, policy=policies, hands=300, progress=False)
    target = tmp_path / "chart.png"
    figure = cs.plot(result, output=target, size="column", all=True)
    names = ["chart.png", *(f"chart-{n}.png" for n in range(2, 2 + len(figure.rest)))]
    assert figure.rest
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    shown = [texts(sheet, "subtitle")[0] for sheet in (figure, *figure.rest)]
    assert [text.partition(" ")[0] for text in shown] == [f"({n}/{len(shown)})" for n in range(1, len(shown) + 1)]
