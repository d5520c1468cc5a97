"""The look of charts: every kind of file at every size, in every theme and language, with all texts translated."""

from __future__ import annotations

import ast
import itertools
import re
import string
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import study_views
from asking import bind
from click.testing import CliRunner
from drawn_charts import rows_of, texts
from every_kind import DRAWN, ENGLISH, QUESTIONS, STUDIED, without_version
from layouts import check_chart
from matplotlib.figure import Figure
from PIL import Image

import cirulla_sim as cs
from cirulla_sim.cli.commands import command_of
from cirulla_sim.core import locale
from cirulla_sim.core.errors import InputError
from cirulla_sim.questions.answers import FIRST_DEAL
from cirulla_sim.questions.spaces import Place
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.charts.look import AXES, NARROWEST, Look, chosen
from cirulla_sim.reporting.charts.style import MOST_COLOURS
from cirulla_sim.reporting.charts.themes import THEMES, contrast
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import labels as words
from cirulla_sim.reporting.text import quantity_names as quantities
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import RuleSet, choose
from cirulla_sim.ruleset.rules_model import FIELDS
from cirulla_sim.situation.line_up import PLACES
from cirulla_sim.situation.people import RELATIVE
from cirulla_sim.storage.request import Request

REPORTING, WORDS = Path(figures.__file__).parent.parent, Path(locale.__file__).parent / locale.CATALOGUES["it"]
VIEWS = Path(study_views.__file__).parent
ANALYSES = VIEWS.parent
"""The views of studies, with a catalogue of their own."""


def test_a_result_of_every_kind_is_drawn(results: dict[str, Result]) -> None:
    assert {results[kind].metadata["schema"] for kind in DRAWN} == set(figures.FIGURES)


def charts(result: Result, look: Look) -> list[Figure]:
    """All sheets of the figures of a result that have data."""
    drawn: list[Figure] = []
    for name in figures.names(result.metadata):
        with suppress(InputError):
            figure = figures.draw(result.frame, result.metadata, name, look)
            drawn += [figure, *figure.rest]
    return drawn


@pytest.mark.parametrize("kind", DRAWN)
def test_charts_are_in_italian(results: dict[str, Result], kind: str) -> None:
    result, look = results[kind], chosen(lang="it", dpi=50)
    quoted = [word.rpartition(" quantile of ")[2] for word in result.frame["quantity"]] if kind in QUESTIONS else []
    quoted += result.frame["by"].drop_nulls().to_list() if "by" in result.frame.columns else []
    for figure in charts(result, look):
        check_italian(figure, sorted(quoted, key=len, reverse=True))


# ------------------------------------------------------------------------------------------------ languages


def check_italian(figure: Figure, quoted: list[str]) -> None:
    """Check that only quoted questions and the command have English words, and that decimals have a comma."""
    for content in texts(figure):
        if content.endswith("…"):  # a question cut short
            continue
        for question in quoted:
            content = content.replace(question, "")
        assert not ENGLISH & set(re.findall(r"[a-z]+", content.lower())), content
        assert not re.search(r"\d\.\d(?!\d\d)", without_version(content)), content


def italian(folder: Path = WORDS) -> dict[str, str]:
    """The sentences of the package, or of the studies, but for whole messages and those of the server, tested there."""
    paths = [path for path in sorted(folder.glob("*.toml")) if not path.name.startswith(("server", locale.MESSAGES))]
    catalogues = [tomllib.loads(path.read_text("utf-8")) for path in paths]
    return {english: text for catalogue in catalogues for part in catalogue.values() for english, text in part.items()}


SENTENCE_AT = {"say": 0, "stated": 0, "counted": 1, "extreme": 1}
"""Which argument of a function is a sentence of the catalogue."""


def called(node: ast.Call) -> str:
    """The name of the function, or of the method, that is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def sentences_in_code(folder: Path = REPORTING) -> set[str]:
    """All literal sentences that code passes to ``say``, or a study to a claim."""
    sentences = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and (place := SENTENCE_AT.get(called(node))) is not None:
                sentence = node.args[place]
                both = [sentence.body, sentence.orelse] if isinstance(sentence, ast.IfExp) else [sentence]
                sentences |= {text.value for text in both if isinstance(text, ast.Constant)}
    return {str(text) for text in sentences}


def texts_of(folder: Path) -> set[str]:
    """All string literals of the code."""
    nodes = (node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def sentences_on_pages() -> set[str]:
    """All sentences of the templates of pages."""
    templates = (REPORTING / "page" / "templates").glob("*.html")
    return {text for path in templates for text in re.findall(r'\bsay\("([^"]+)"', path.read_text("utf-8"))}


def names_of_rules() -> set[str]:
    """Names of rule sets, house rules, fields and values."""
    entries = catalogue()
    names = {words.name_of(name) for name in [*entries["preset"], *entries["house"]]} | set(FIELDS) | {"true", "false"}
    return names | {
        f"{name}={word}"
        for name, field in entries["field"].items()
        for word in field.get("words", ())
        if name in FIELDS
    }


def names_of_trials() -> set[str]:
    """The trials that questions are about, with placeholders for numbers."""
    names = {FIRST_DEAL, "every way of dealing the cards not seen"}
    for text in ("low", "misdeal", "misdeals", "low and fifteen", "knocks", "wins(us)", "wins_game(us)"):
        for rules in (build(), build("cirullone")):
            names.add(bind(rules, [text.replace("low", "barsega")]).space.trial)
    four = build("scopa", players=4)
    for rules, score in ((build(players=2), (1, 2)), (build(players=3), (1, 2, 3)), (four, (1, 2, 3, 4))):
        place = Place(rules, 0, ("greedy",) * rules.sides, score=score)
        names.add(bind(rules, ["wins_game(us)"], place).space.trial)
    match = build(changes={"best_of": 3})
    for text in ("wins_game(us)", "wins_match(us)"):
        names.add(bind(match, [text], Place(match, 0, ("greedy",) * match.sides)).space.trial)
    names.add(bind(build(), ["captured"], Place(build(), 0, (), sizes=(20, 20))).space.trial)
    names |= {f"this hand played on ({who} to play)" for who in RELATIVE}
    names |= {trial.removesuffix(", misdeals too") for trial in names}
    numbered = {trial: itertools.count() for trial in names}
    return {re.sub(r"\d+", lambda _, n=n: f"{{{next(n)}}}", trial) for trial, n in numbered.items()}  # type: ignore[misc]


def named_in_tables() -> set[str]:
    """The names of quantities and kinds in tables for readers."""
    named = (quantities.QUANTITIES, quantities.PER, quantities.KINDS, quantities.DEALT)
    return {text for names in named for text in names.values()} - set(study_views.study_text.NAMES.values())


def test_the_catalogue_is_complete() -> None:
    texts = set(italian())
    assert (
        not (sentences_in_code() | sentences_on_pages() | names_of_trials() | names_of_rules() | named_in_tables())
        - texts
    )
    assert not set(PLACES) - texts
    own = set(italian(VIEWS))
    assert not (sentences_in_code(ANALYSES) | set(study_views.study_text.NAMES.values())) - texts - own
    assert not texts & own


def test_nothing_in_a_catalogue_is_unused() -> None:
    used = (
        texts_of(REPORTING) | sentences_on_pages() | names_of_trials() | names_of_rules() | set(PLACES) | PUT_TOGETHER
    )
    assert sorted(set(italian()) - used) == []
    assert not set(italian(VIEWS)) - texts_of(ANALYSES) - OF_STUDIES


PUT_TOGETHER = {
    "1 in {n}", "all but 1 in {n}", "never", "always", "none seen", "all seen", "{n} hands", "{n} hand", "{n} games",
    "{n} game", "{n} deals", "{n} deal", "{n} nights", "{n} night", "{n} matches", "{n} match",
    "matta=none", *(f"Of all holdings of {cards} cards" for cards in ("three", "six", "nine", "ten")),
    "random", "greedy", "careful", "search", "open", "prompt", "silent", "matta-low", "matta-high", "capture",
    "trail", "sees-next", "sees-partner", "sees-all", "game", "chain", "played out", "chain less played out",
}  # fmt: skip
"""Texts that the code composes: odds, counts, policies, methods."""

OF_STUDIES = {
    "sound", "never looks ahead", "fears no fifteen", "forgets", "sees no diamonds", "sees no sevens", "most cards",
    "equals", "good players", "anybody: random too",
    "How many points further ahead a side is with each card than without", "two players", "three players",
    "four players",
}  # fmt: skip
"""Players and titles in the files of studies."""


def test_translations_have_the_same_placeholders() -> None:
    """Words without a place may agree with a number, ``n``."""
    for english, text in (*italian().items(), *italian(VIEWS).items()):
        assert places(text) in ((places(english),) if places(english) else (set(), {"n"})), english


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_numbers_are_written_as_in_italian() -> None:
    look = Look(lang="it")
    assert look.odds(2 / 21) == "1 su 10,5"
    assert look.percent(0.0643) == "6,43%"
    assert look.numerals("1,234.5") == "1.234,5"
    changed = request(choose("cirulla", rule=["primiera=none", "target=26"]))
    assert words.changed_words(changed, look) == " Cambiate: senza primiera, traguardo = 26."
    assert words.rules_title(request(choose("cirulla")), look) == "Cirulla, 4 giocatori"


def request(rules: RuleSet) -> dict[str, Any]:
    """The metadata of a file with these rules."""
    return {"request": Request("simulate", rules).as_json(), "players": rules.fields.players}


# ------------------------------------------------------------------------------------------------ what is asked for


def test_custom_texts_replace_those_of_the_figure(results: dict[str, Result]) -> None:
    figure = results["two"].plot("points", title="Mine", subtitle="under", caption="below", footer=False)
    shown = [text.get_text() for text in figure.texts]
    assert shown[:2] == ["Mine", "under"]
    assert shown[-1] == "below"
    assert not any("--hands" in text for text in shown)


def test_titles_state_the_finding_with_numbers_of_the_file(results: dict[str, Result]) -> None:
    [row] = results["one rule"].frame.filter(quantity="points", side="all", kind="difference").to_dicts()
    title = results["one rule"].plot().texts[0].get_text().replace("\N{NO-BREAK SPACE}", " ")
    half = (row["ci_high"] - row["ci_low"]) / 2
    assert title == f"No matta lowers the points of a hand by {-row['estimate']:.1f} ± {half:.1f}"
    [row] = results["two"].frame.filter(quantity="margin", side="dealer", kind="mean").to_dicts()
    sure = not row["ci_low"] <= 0 <= row["ci_high"]
    title = results["two"].plot("scores").texts[0].get_text()
    assert ("is not significant" in title) != sure


def test_several_files_share_a_chart_and_are_labelled_by_their_differences(
    results: dict[str, Result], tmp_path: Path
) -> None:
    kinds = ("two", "changed", "cirullone")
    files = [results[kind].save(tmp_path / f"{kind}.parquet") for kind in kinds]
    look = chosen(lang="it", size="column", dpi=100)
    figure = cs.plot(files, lang="it", size="column", dpi=100)
    check_chart(figure, look)
    check_italian(figure, [])
    names = ["Cirulla, 2 giocatori", "Cirulla, senza primiera, 4 giocatori", "Cirullone, 4 giocatori"]
    wide = cs.plot(files, lang="it", width=20)
    assert [text.replace("a coppie = no, ", "") for text in texts(wide, "label")] == names
    shown = [row.marks[0].estimate for row in rows_of(wide)]
    rows = [results[kind].frame.filter(quantity="margin", side="dealer", kind="mean") for kind in kinds]
    assert shown == [row["estimate"][0] for row in rows]
    for wrong, message in (("odds", "not drawn together"), ("rules", "not drawn together")):
        with pytest.raises(InputError, match=message):
            cs.plot([results["two"], results[wrong]])
    with pytest.raises(InputError, match="unknown figure 'overview'"):
        cs.plot(files, figure="overview")


@pytest.mark.parametrize("theme", THEMES)
def test_a_png_has_few_colours_and_those_of_the_theme(results: dict[str, Result], theme: str, tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    cs.plot(results["map"], output=file, theme=theme, dpi=100, width="120mm")
    with Image.open(file) as picture:
        assert picture.mode == "P"
        assert picture.info["dpi"] == pytest.approx((100, 100), abs=0.1)
        assert picture.width == pytest.approx(100 * 120 / 25.4, abs=1)
        drawn = picture.convert("RGB")
        paper = "#{:02x}{:02x}{:02x}".format(*drawn.getpixel((0, 0)))  # type: ignore[misc]
        assert paper == THEMES[theme].paper
        assert len(drawn.getcolors(10**6) or ()) <= MOST_COLOURS


def test_a_map_goes_one_way_in_grey() -> None:
    steps = [contrast(colour, "#000000") for colour in THEMES["grey"].chances]
    assert steps == sorted(steps, reverse=True)  # the darker, the likelier


def test_svg_has_real_text(results: dict[str, Result], tmp_path: Path) -> None:
    file = tmp_path / "odds.svg"
    cs.plot(results["odds"], output=file, lang="it")
    text = file.read_text("utf-8")
    assert "1 su 10,5</text>" in text
    assert "Verdana" in text


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"size": "poster"}, ["--size: unknown size 'poster'", "column, page, screen, phone"]),
        ({"theme": "gray"}, ["--theme: unknown theme 'gray'", "did you mean 'grey'"]),
        ({"lang": "fr"}, ["--lang: unknown language 'fr'", "valid: en, it"]),
        ({"axis": "logs"}, ["--axis: unknown axis 'logs'", "did you mean 'log'"]),
        ({"width": "80mm"}, ["--width '80mm' is out of range", "90mm"]),
        ({"width": "ninety"}, ["--width 'ninety' is not a width"]),
        ({"dpi": 5}, ["--dpi '5' is out of range"]),
        ({"colour": 1}, ["unknown argument 'colour'"]),
    ],
)
def test_an_invalid_look_is_refused_in_one_line(arguments: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        chosen(**arguments)
    assert all(part in str(error.value) for part in parts), str(error.value)
    assert "\n" not in str(error.value)


def test_widths_are_inches_or_have_a_unit() -> None:
    assert chosen(width="90mm").width == pytest.approx(NARROWEST)
    assert chosen(width="12.7cm").width == pytest.approx(5)
    assert chosen(width="3.75in").width == chosen(width=3.75).width == 3.75
    assert chosen(size="phone", width=6).width == 6
    assert AXES == ("linear", "log")


def test_the_verbs_help_names_every_figure() -> None:
    shown = CliRunner().invoke(command_of("plot"), ["--help"]).output
    own = {schema: names for schema, names in figures.FIGURES.items() if schema.partition("/")[0] not in STUDIED}
    assert len(own) == 11
    for family in own.values():
        assert all(re.search(rf"\b{name}\b", shown) for name in family.names), family.names


# ------------------------------------------------------------------------------------------------ honest axes


def test_differences_are_drawn_on_a_linear_axis_with_zero_by_default(
    results: dict[str, Result],
) -> None:
    result = results["rules"]
    for axis, scale in (("linear", "linear"), ("log", "log")):
        [axes] = result.plot("points", axis=axis).axes
        assert axes.get_xscale() == scale
        low, high = axes.get_xlim()
        assert (low <= 0 <= high) == (axis == "linear")


@pytest.mark.parametrize("kind", ["rare", "by", "cirullone", "odds"])
def test_no_lone_dot_stands_on_a_logarithmic_axis(results: dict[str, Result], kind: str) -> None:
    for figure in charts(results[kind], Look()):
        for axes in figure.axes:
            assert axes.get_xscale() == "linear"
            low, high = axes.get_xlim()
            assert low < high


def test_a_look_is_a_value() -> None:
    assert replace(Look(), lang="it") == chosen(lang="it")
    assert hash(Look()) == hash(chosen())
