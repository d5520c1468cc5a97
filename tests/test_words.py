"""Tables and sentences for readers: numbers of the file, in both languages and every format."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from click.testing import CliRunner
from every_kind import ENGLISH, KINDS, QUESTIONS, without_version

import cirulla_sim as cs
from cirulla_sim.cli import app
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.core.numerals import one_in
from cirulla_sim.reporting.result import Result, at_terminal, row_constants
from cirulla_sim.reporting.text.cells import marked, number
from cirulla_sim.reporting.text.descriptions import describe
from cirulla_sim.reporting.text.formats import render
from cirulla_sim.reporting.text.layouts import caption, readers_table
from cirulla_sim.reporting.text.quantity_names import NAMES

NUMBER = re.compile(r"(?<![\w.,:/_])[+−]?\d+(?:[.,]\d+)*(?![\w/]*[:_/])")


def numbers(text: str, lang: str) -> Iterator[tuple[float, float]]:
    """The numbers of a text, each with its largest rounding error; bounds are rounded up."""
    text = without_version(text)
    for match in NUMBER.finditer(text):
        plain = match[0].replace("−", "-")
        plain = plain.replace(".", "").replace(",", ".") if lang == "it" else plain.replace(",", "")
        bound = text[: match.start()].endswith(("at most ", "al più "))
        yield float(plain), (1.02 if bound else 0.51) * 10.0 ** -len(plain.partition(".")[2])


def numbers_of(result: Result) -> list[float]:
    """All numbers that may appear in texts about a result: of its rows, in percent and as odds, and of its metadata."""
    every: list[float] = [95, 5, 0, 1, result.frame.height]
    for row in result.frame.to_dicts():
        for name in ("estimate", "ci_low", "ci_high", "simulated", "share", "told", "took"):
            x = row.get(name)
            if x is not None and math.isfinite(x):
                every += [abs(x), 100 * abs(x), 100 * (1 - x)]
                every += [1 / p for p in (x, 1 - x) if 1e-12 < p <= 1]
        for low, high in (("ci_low", "ci_high"), ("simulated_low", "simulated_high")):
            if row.get(low) is not None and math.isfinite(row[high] - row[low]):
                every += [(row[high] - row[low]) / 2, 50 * (row[high] - row[low])]
        every += [float(part) for name in ("value", "us", "them", "players", "score", "hand", "stage", "side")
                  if row.get(name) is not None
                  for part in re.findall(r"\d+", str(row[name]))]  # fmt: skip
        every += [row["play"]] if isinstance(row.get("play"), int) else []
        every += [abs(row["difference"])] if row.get("difference") is not None else []
        every += [row["n"], round(row["estimate"] * row["n"])] if row["n"] is not None else []
    metadata = {**result.metadata, "version": "", "command": ""}
    every += [float(part) for part in re.findall(r"\d+", json.dumps(metadata))]
    for name in ("p_holm", "play", "policy"):
        if name in result.frame.columns:
            every += [result.frame[name].len() - result.frame[name].null_count(), result.frame[name].n_unique()]
    return [*every, *(float(number) for number in re.findall(r"\d+", " ".join(result.frame["quantity"].unique())))]


def unexpected_numbers(text: str, result: Result, lang: str) -> list[float]:
    """The numbers of a text that are not numbers of a result."""
    every = numbers_of(result)
    return [
        x for x, half in numbers(text, lang) if not any(abs(abs(x) - own) <= max(half, 0.006 * own) for own in every)
    ]


def unquoted(text: str, result: Result, kind: str) -> str:
    """A text without its quoted questions."""
    quoted = [word.rpartition(" quantile of ")[2] for word in result.frame["quantity"]] if kind in QUESTIONS else []
    quoted = [word.removeprefix("mean of ") for word in quoted]
    quoted += [str(by) for by in result.frame["by"].unique()] if "by" in result.frame.columns else []
    quoted += [language("it").say(name) for name in NAMES.values()] + list(NAMES.values())  # which have numbers in them
    for words in sorted(set(quoted), key=len, reverse=True):
        text = text.replace(words, "")
    return re.sub(r"\S*…\S*", "", text)  # of long fractions the first and the last digits are shown


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_sentences_of_every_kind_use_numbers_of_the_file(results: dict[str, Result], kind: str, lang: str) -> None:
    text = results[kind].describe(lang)
    assert 3 <= len(text.split("\n")) <= 7
    assert all(re.fullmatch(r"\S.*\.", sentence) for sentence in text.split("\n"))
    assert not unexpected_numbers(unquoted(text, results[kind], kind), results[kind], lang)
    assert re.search("vale" if lang == "it" else "holds", text.lower())
    assert re.search("non " if lang == "it" else "not |nothing", text.lower())
    if lang == "it":
        in_italian(unquoted(text, results[kind], kind))


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_every_kind_have_words_and_numbers_of_the_file(
    results: dict[str, Result], kind: str, lang: str
) -> None:
    result = results[kind]
    table = readers_table(result.frame, result.metadata, language(lang))
    cells = "\n".join(
        cell for column in (pl.Series(table.columns), *table) for cell in column if "; leaves" not in cell
    )
    assert table.height > 0
    bare = unquoted(cells, result, kind)
    assert not re.search("[a-z]_[a-z]", bare)
    assert not unexpected_numbers(bare, result, lang)
    if lang == "it":
        in_italian(bare)


def in_italian(text: str) -> None:
    assert not ENGLISH & set(re.findall(r"[a-z]+", text.lower())), text
    assert not re.search(r"\d\.\d(?!\d\d)", without_version(text)), text


def test_sentences_agree_with_the_numbers(results: dict[str, Result]) -> None:
    frame = results["three"].frame
    margin = frame.filter(quantity="margin", side="dealer").row(0, named=True)
    assert margin["ci_low"] > 0
    text = results["three"].describe()
    assert f"The dealer (greedy) makes {margin['estimate']:.1f} ± " in text
    assert "more than each other player." in text
    assert "dealer greedy, each other player random" in text
    knock = frame.filter(quantity="knock", per="holding").row(0, named=True)
    assert one_in(knock["estimate"]) in text
    turned = frame.with_columns(
        pl.when(pl.col("quantity") == "margin").then(-pl.col(new)).otherwise(pl.col(old)).alias(old)
        for old, new in (("estimate", "estimate"), ("ci_low", "ci_high"), ("ci_high", "ci_low"))
    )
    less = describe(turned, results["three"].metadata, language("en"))
    assert f"The dealer (greedy) makes {margin['estimate']:.1f} ± " in less
    assert "less than each other player." in less
    unsure = frame.with_columns(ci_low=pl.when(pl.col("quantity") == "margin").then(-9.0).otherwise(pl.col("ci_low")))
    assert "between the dealer (greedy) and each other player is not significant" in describe(
        unsure, results["three"].metadata, language("en")
    )


def test_events_never_or_always_seen_have_a_bound() -> None:
    row = {"quantity": "knock", "kind": "probability", "estimate": 0.0, "std_error": 0.0, "ci_low": 0.0,
           "ci_high": 0.01234, "n": 300, "exact": None}  # fmt: skip
    assert number(row, language("en")) == "none seen (at most 1.3%)"
    seen = {**row, "estimate": 1.0, "ci_low": 0.98766, "ci_high": 1.0}
    assert number(seen, language("it")) == "sempre osservato (almeno 98,7%)"
    few = {**row, "estimate": 0.001, "ci_low": 0.0002, "ci_high": 0.0036}
    assert number(few, language("en")) == "0.1% (0.02–0.36%)"
    assert number({**row, "exact": "0", "ci_high": 0.0}, language("it")) == "0%"


def test_parentheses_mark_what_is_not_significant_and_are_explained_where_they_occur() -> None:
    """Of differences with asymmetric p-values; one without a test is certain, one never seen says so itself."""
    row = {"quantity": "points", "kind": "difference", "estimate": 0.3, "std_error": 0.1, "ci_low": 0.1,
           "ci_high": 0.5, "per": "hand", "n": 300, "exact": None}  # fmt: skip
    english = language("en")
    texts = [marked({**row, "p_holm": p}, english) for p in (0.04, 0.05, 0.051, None)]
    assert texts == ["+0.3 ± 0.2", "+0.3 ± 0.2", "(+0.3 ± 0.2)", "+0.3 ± 0.2"]
    assert marked({**row, "p_holm": None, "p_tukey": 0.2}, english) == "(+0.3 ± 0.2)"
    unseen = {**row, "estimate": 0.0, "std_error": 0.0, "ci_low": -0.1, "ci_high": 0.1, "p_holm": 1.0}
    assert marked(unseen, english) == "none seen"
    compared = cs.compare(house=["no-matta", "table-nine"], policy="greedy", hands=2000, seed=3, progress=False)
    for level, noted in ((1.0, True), (0.001, False)):
        tested = pl.when(pl.col("p_holm").is_null()).then(None).otherwise(level)
        result = replace(compared, frame=compared.frame.with_columns(p_holm=tested))
        for form in ("table", "markdown", "html", "latex"):
            assert ("Parentheses: not significant (Holm, 5" in result.text(form)) == noted
        assert "adjusted p" in result.text("csv")
        assert ("Tra parentesi: non significativo" in result.text(lang="it")) == noted


def test_extremes_say_of_how_many_they_are() -> None:
    row = {"quantity": "comeback", "kind": "maximum", "estimate": 31.0, "std_error": None, "ci_low": None,
           "ci_high": None, "n": 5000, "exact": None}  # fmt: skip
    assert number(row, language("en")) == "31, the most of 5,000"
    assert number({**row, "kind": "minimum", "estimate": -2.0}, language("it")) == "−2, il minimo di 5.000"
    assert number({**row, "n": None, "exact": "31"}, language("en")) == "31"  # of all cases
    top = cs.odds(by="total(table)", top=3)
    every = cs.odds(by="total(table)")
    words = f"The 3 highest of {every.frame.height} values."
    assert top.metadata["values"] == every.frame.height > 30
    assert words in top.text()
    assert words in top.describe()
    assert words in " ".join(text.get_text() for text in top.plot().texts)
    assert "highest" not in every.text() + every.describe()
    sampled = cs.odds(by="sweeps(us)", top=2, hands=200, policy="greedy", progress=False)
    every = cs.odds(by="sweeps(us)", hands=200, policy="greedy", progress=False)
    assert sampled.metadata["values"] == every.frame.height
    advice = cs.advise(at="table: Ad 5c 7h Kd; me: 7d 2s Jh", samples=16, progress=False)
    assert re.match(rf"(Best|First) of {advice.frame['play'].n_unique()}[:,] ", advice.describe())
    [behind] = advice.frame.filter(
        quantity="behind", play=advice.frame["play"].unique(maintain_order=True)[1]
    ).to_dicts()
    assert advice.describe().startswith("First") == (behind["p_holm"] > 0.05)


def test_a_table_in_every_format_has_the_same_cells(results: dict[str, Result]) -> None:
    result = results["two"]
    table = readers_table(result.frame, result.metadata, language("it"))
    rows = [table.columns, *(list(row) for row in table.rows())]
    head, *body = csv.reader(io.StringIO(result.text("csv", lang="it")), delimiter=";")
    assert [row[:3] for row in (head, *body)] == [row[:3] for row in rows]
    assert head[-1] == "Riferito a"
    assert {row[-1] for row in body} == {caption(result.metadata, language("it"))}  # rules and players
    page = ElementTree.fromstring(result.text("html", lang="it"))
    assert [[cell.text or "" for cell in row] for row in page.iter("tr")] == rows
    lines = result.text("markdown", lang="it").split("\n\n")[0].split("\n")
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])] == rows
    latex = result.text("latex", lang="it")
    body = latex[latex.index("toprule") :]
    assert all(rule in body for rule in ("toprule", "midrule", "bottomrule"))
    cells = [line.removesuffix(r" \\").split(" & ") for line in body.split("\n") if line.endswith(r"\\")]
    shown = [[_text_of(cell) for cell in row] for row in cells]
    assert [*shown[:1], *(row for row in shown if row != shown[0])] == rows  # headings again on a second page
    for form in ("markdown", "html", "latex"):
        assert "2 giocatori" in result.text(form, lang="it")  # rules and players


def _text_of(cell: str) -> str:
    """A cell of LaTeX as text."""
    cell = re.sub(r"\\phantom\{.*\}$", "", cell.strip().replace(r"\allowbreak{}", "")).replace(r"\%", "%")
    cell = re.sub(r"\\rlap\{(.*)\}$", r"\1", cell)
    return (
        cell.replace("~", "\N{NO-BREAK SPACE}")
        .replace(r"$\pm$", "±")
        .replace("$-$", "−")
        .replace("--", "–")
        .replace("'", "’")
    )


def test_the_raw_table_is_an_option(results: dict[str, Result]) -> None:
    result = results["two"]
    for form in ("csv", "markdown", "latex", "html"):
        constants = [pl.lit(x).alias(name) for name, x in row_constants(result.metadata).items()]
        assert result.text(form, raw=True) == render(result.frame.with_columns(constants), form)
        assert result.text(form) == result.text(form, lang="en")
    assert result.text("json", lang="it") == result.text("json")
    assert result.text() == result.text(lang="en")


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_terminal_shows_the_finding_and_the_first_lines(results: dict[str, Result], kind: str, lang: str) -> None:
    result = results[kind]
    finding, table, below = at_terminal(result, lang=lang).split("\n\n")
    assert result.describe(lang).replace("\n", " ").startswith(finding)
    every = readers_table(result.frame, result.metadata, language(lang))
    lines = table.split("\n")[1:]
    rest = re.search(r"(\S+) more lines: --all", below) or re.search(r"Righe non mostrate: (\S+)", below)
    assert len(lines) + (0 if rest is None else int(re.sub(r"\D", "", rest[1]))) == every.height
    assert len(lines) <= (60 if kind in (*QUESTIONS, "odds", "tournament", "advice") else 24)
    whole = result.text(lang=lang, all=True)
    assert len(whole.split("\n")) >= len(lines) + 3
    assert "--all" not in whole
    in_python = result.text(lang=lang)
    assert "--all" not in in_python
    assert ("result.text(all=True)" in in_python) == (rest is not None)
    assert repr(result) == result.text()


def test_files_are_printed_and_described_again(results: dict[str, Result], tmp_path: Path) -> None:
    file = str(results["two"].save(tmp_path / "two.parquet"))
    described = CliRunner().invoke(app, ["describe", file, "--lang", "it"])
    assert (described.exit_code, described.output) == (0, results["two"].describe("it") + "\n")
    printed = CliRunner().invoke(app, ["table", file, "--format", "latex", "--lang", "it"])
    assert (printed.exit_code, printed.output) == (0, results["two"].text("latex", lang="it") + "\n")
    some = CliRunner().invoke(app, ["table", file, "--only", "margin,wins_hand", "--format", "csv"]).output
    assert [line.split(",")[0] for line in some.splitlines()[1:]] == ["Points more than the others", "Hands won"]
    wrong = CliRunner().invoke(app, ["table", file, "--only", "margins"])
    assert "--only: unknown quantity 'margins': did you mean 'margin'?" in str(wrong.exception)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda result: result.text("csv", lang="fr"), "--lang: unknown language 'fr' (valid: en, it)"),
        (lambda result: result.text("xls"), "--format: unknown format 'xls'"),
        (lambda result: result.describe("ita"), "--lang: unknown language 'ita': did you mean 'it'?"),
    ],
)
def test_invalid_options_are_refused_in_one_line(results: dict[str, Result], call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as error:
        call(results["two"])
    assert message in str(error.value)


def test_the_chance_from_a_score_is_saved_in_a_file(results: dict[str, Result], tmp_path: Path) -> None:
    file = tmp_path / "score.parquet"
    written = cs.games(players=2, at="score: 30-40", me="dealer", hands=300, policy="us=greedy, them=random",
                       progress=False, output=file)  # fmt: skip
    assert written.remarks[-1] == f"Written: {file}"
    again = cs.read(file)
    assert again.frame.equals(results["score"].frame)
    assert again.metadata == json.loads(json.dumps(results["score"].metadata))
    with pytest.raises(InputError, match="does not exist"):
        cs.games(
            players=2,
            at="score: 30-40",
            me="dealer",
            hands=300,
            progress=False,
            output=tmp_path / "no" / "score.parquet",
        )


def test_records_are_not_described(tmp_path: Path) -> None:
    file = tmp_path / "hands.parquet"
    cs.simulate(hands=20, policy="random", records=file, progress=False)
    with pytest.raises(InputError, match=r"records|column"):
        cs.read(file).describe()
