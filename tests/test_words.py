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

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from every_kind import ENGLISH, KINDS, QUESTIONS, without_version

import cirulla_sim as cs
from cirulla_sim.cli import app
from cirulla_sim.core.arguments import FORMATS
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.reporting.result import Result, as_text, row_constants
from cirulla_sim.reporting.text.cells import marked, number
from cirulla_sim.reporting.text.facts import readings
from cirulla_sim.reporting.text.formats import escape_latex, render, with_caption
from cirulla_sim.reporting.text.labels import WORDS as NAMED
from cirulla_sim.reporting.text.tables import caption, readers_table

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
    if "p_holm" in result.frame.columns:
        every += [0.001, *result.frame["p_holm"].drop_nulls().to_list()]
    return [*every, *(float(number) for number in re.findall(r"\d+", " ".join(result.frame["quantity"].unique())))]


def unquoted(text: str, result: Result, kind: str) -> str:
    """A text without its quoted questions."""
    quoted = [word.rpartition(" quantile of ")[2] for word in result.frame["quantity"]] if kind in QUESTIONS else []
    quoted = [word.removeprefix("mean of ") for word in quoted]
    quoted += [str(by) for by in result.frame["by"].unique()] if "by" in result.frame.columns else []
    quoted += [text for texts in NAMED["names"].values() for text in texts]  # which have numbers in them
    for words in sorted(set(quoted), key=len, reverse=True):
        text = text.replace(words, "")
    return re.sub(r"\S*…\S*", "", text)  # of long fractions the first and the last digits are shown


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_and_tables_use_words_and_numbers_of_the_file(results: dict[str, Result], kind: str) -> None:
    """Sentences say what holds and what does not; Italian ones have no English word."""
    result = results[kind]
    tables = [readers_table(result.frame, result.metadata, language(lang)).texts for lang in ("en", "it")]
    assert tables[0].shape == tables[1].shape  # no two headings have one translation
    for lang, holds, nothing in (("en", "holds", "not |nothing|others|other"), ("it", "vale", "non |altri")):
        *sentences, command = result.describe(lang).split("\n")
        assert command.endswith(result.command)
        text = "\n".join(sentences)
        assert 3 <= len(sentences) <= 10
        assert all(re.fullmatch(r"\S.*\.", sentence) for sentence in sentences)
        assert re.search(holds, text.lower())
        assert re.search(nothing, text.lower())
        table = readers_table(result.frame, result.metadata, language(lang)).texts
        assert table.height > 0
        cells = [cell for column in (pl.Series(table.columns), *table) for cell in column if "; leaves" not in cell]
        read = " ".join(readings(result.metadata, language(lang)))  # the numbers of which are those of the request
        for shown in (unquoted(text.replace(read, ""), result, kind), unquoted("\n".join(cells), result, kind)):
            own = numbers_of(result)
            for x, half in numbers(shown, lang):
                assert any(abs(abs(x) - other) <= max(half, 0.006 * other) for other in own), x
            assert not re.search("[a-z]_[a-z]", shown)
            if lang == "it":
                assert not ENGLISH & set(re.findall(r"[a-z]+", shown.lower())), shown
                assert not re.search(r"\d\.\d(?!\d\d)", without_version(shown)), shown


def test_events_never_or_always_seen_have_a_bound() -> None:
    row = {"quantity": "knock", "kind": "probability", "estimate": 0.0, "std_error": 0.0, "ci_low": 0.0,
           "ci_high": 0.01234, "n": 300, "exact": None}  # fmt: skip
    assert number(row, language("en")) == "none seen (at most 1.3%)"
    seen = {**row, "estimate": 1.0, "ci_low": 0.98766, "ci_high": 1.0}
    assert number(seen, language("it")) == "sempre osservato (almeno 98,7%)"
    few = {**row, "estimate": 0.001, "ci_low": 0.0002, "ci_high": 0.0036}
    assert number(few, language("en")) == "0.1% (0.02–0.36%)"
    assert number({**row, "exact": "0", "ci_high": 0.0}, language("it")) == "0%"


def test_parentheses_mark_what_is_not_significant_and_are_explained_where_they_occur(
    results: dict[str, Result],
) -> None:
    """Of differences with asymmetric p-values; one without a test is certain, one never seen says so itself."""
    row = {"quantity": "points", "kind": "difference", "estimate": 0.3, "std_error": 0.1, "ci_low": 0.1,
           "ci_high": 0.5, "per": "hand", "n": 300, "exact": None}  # fmt: skip
    texts = [marked({**row, "p_holm": p}, language("en")) for p in (0.05, 0.051, None)]
    assert texts == ["+0.30 ± 0.20", "(+0.30 ± 0.20)", "+0.30 ± 0.20"]
    assert marked({**row, "p_holm": None, "p_tukey": 0.2}, language("en")) == "(+0.30 ± 0.20)"
    unseen = {**row, "estimate": 0.0, "std_error": 0.0, "ci_low": -0.1, "ci_high": 0.1, "p_holm": 1.0}
    assert marked(unseen, language("en")) == "no difference"
    for level, noted in ((1.0, True), (0.001, False)):
        tested = pl.when(pl.col("p_holm").is_null()).then(None).otherwise(level)
        result = replace(results["rules"], frame=results["rules"].frame.with_columns(p_holm=tested))
        assert ("(Holm, 5%); in parentheses: may be 0" in result.text("html").replace("\xa0", " ")) == noted
        assert ("tra parentesi: può essere 0" in result.text(lang="it").replace("\xa0", " ")) == noted


def test_extremes_say_of_how_many_they_are() -> None:
    row = {"quantity": "comeback", "kind": "maximum", "estimate": 31.0, "std_error": None, "ci_low": None,
           "ci_high": None, "n": 5000, "exact": None}  # fmt: skip
    assert number(row, language("en")) == "31, the most of 5,000"
    assert number({**row, "kind": "minimum", "estimate": -2.0}, language("it")) == "−2, il minimo di 5.000"
    top, every = (cs.odds(by="total(table)", top=top) for top in (3, None))
    words = f"The 3 highest of {every.frame.height} values."
    assert words in top.describe()
    assert words in " ".join(text.get_text() for text in top.plot().texts)
    assert "highest" not in every.text() + every.describe()


def test_advice_calls_a_play_the_best_only_if_the_next_is_significantly_behind(results: dict[str, Result]) -> None:
    advice = results["advice"]
    plays = advice.frame["play"].unique(maintain_order=True)
    [behind] = advice.frame.filter(quantity="behind", play=plays[1]).to_dicts()
    is_open = behind["p_holm"] > 0.05
    assert ("Not distinguishable from the next" in advice.describe()) == is_open
    assert advice.describe().startswith(f"{'First' if is_open else 'Best'} of ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_in_every_format_has_the_same_cells(results: dict[str, Result], kind: str) -> None:
    result = results[kind]
    table = readers_table(result.frame, result.metadata, language("it")).texts
    rows = [table.columns, *(list(row) for row in table.rows())]
    page = ElementTree.fromstring(result.text("html", lang="it"))
    assert [[cell.text or "" for cell in row] for row in page.iter("tr")] == rows
    lines = result.text("markdown", lang="it").split("\n\n")[0].split("\n")
    cells = [re.split(r"(?<!\\)\|", line.strip("|")) for line in (lines[0], *lines[2:])]
    assert [[cell.strip().replace(r"\|", "|") for cell in line] for line in cells] == rows
    text = result.text("latex", lang="it")
    columns = {name: cells[: table.height] for name, cells in latex_columns(text).items() if name}  # without its bars
    assert columns == {name: cells for name, cells in table.to_dict(as_series=False).items() if name}
    assert not {sign for sign in text if sign > "\u017f"} - set("–—’‘“”…")  # that pdflatex does not know
    assert max(sum(map(len, line.split(" & "))) for line in text.splitlines() if line.endswith(r" \\")) < 160


def test_formats_name_rules_and_players(results: dict[str, Result]) -> None:
    result = results["two"]
    for form in ("markdown", "html", "latex"):
        assert "2 giocatori" in result.text(form, lang="it")
    head, *body = csv.reader(io.StringIO(result.text("csv", lang="it")), delimiter=";")
    assert head[-1] == "Riferito a"
    assert [row[-1] for row in body][:2] == [caption(result.metadata, language("it")), ""]


@pytest.mark.parametrize("kind", KINDS)
def test_the_terminal_shows_the_finding_and_counts_the_lines_it_leaves_out(
    results: dict[str, Result], kind: str
) -> None:
    result = results[kind]
    for lang, more in (("en", r"(\S+) more lines: --all"), ("it", r"Righe non mostrate: (\S+)")):
        finding, table, below = as_text(result, lang=lang).split("\n\n")
        described, plain = (re.sub(r"[\d.,\W]+", " ", text) for text in (result.describe(lang), finding))
        assert set(plain.split()[:3]) & set(described.split()), finding
        lines, rest = table.split("\n")[1:], re.search(more, below)
        left_out = 0 if rest is None else int(re.sub(r"\D", "", rest[1]))
        assert len(lines) + left_out == readers_table(result.frame, result.metadata, language(lang)).texts.height
        assert len(result.text(lang=lang, all=True).split("\n")) >= len(lines) + 3


def test_files_are_printed_and_described_again(results: dict[str, Result], tmp_path: Path) -> None:
    result = results["two"]
    file = str(result.save(tmp_path / "two.parquet"))
    described = CliRunner().invoke(app, ["describe", file, "--lang", "it"])
    assert (described.exit_code, described.output) == (0, result.describe("it") + "\n")
    some = CliRunner().invoke(app, ["table", file, "--only", "margin,wins_hand", "--format", "csv"]).output
    assert [line.split(",")[0] for line in some.splitlines()[1:]] == ["Points more than the others", "Hands won"]
    constants = [pl.lit(x).alias(name) for name, x in row_constants(result.metadata).items()]
    assert result.text("csv", raw=True) == render(result.frame.with_columns(constants), "csv")
    with pytest.raises(InputError, match=r"--lang: unknown language 'fr' \(valid: en, it\)"):
        result.text("csv", lang="fr")


# ------------------------------------------------------------------------------------------------ tables to paste


def test_latex_is_escaped_and_numbers_stand_to_the_right() -> None:
    words = pl.DataFrame({"What %": ["a_b & c", "[x] *"], "N": ["−1.5 ± 0.2", "none seen (at most 2%)"]})
    lines = with_caption(words, "#1 of {a}: 5 < 6", "latex", language("en")).splitlines()
    assert lines[3:-2] == [
        r"\caption{\#1 of \{a\}: 5 \textless{} 6}", r"\begin{tabular}{lr}", r"\toprule", r"What \% & N \\", r"\midrule",
        r"a\_b \& c & $-$1.5 $\pm$ 0.2 \\", r"{[}x] {*} & none seen (at most 2\%) \\", r"\bottomrule",
    ]  # fmt: skip
    assert escape_latex("\\input{x} $y$ ~^ |\"'`\n--,,>") == (
        r"\textbackslash{}input\{x\} \$y\$ \textasciitilde{}\textasciicircum{} \textbar{}\textquotedbl{}"
        r"\textquotesingle{}\textasciigrave{} -{}-,{},\textgreater{}"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_csv_has_plain_numbers_by_unit(results: dict[str, Result], kind: str) -> None:
    """Every number is one of the file, in percent where the heading says so; no cell is a formula."""
    lang = ("en", "it")[KINDS.index(kind) % 2]
    separator, mark = (";", ",") if lang == "it" else (",", ".")
    head, *rows = csv.reader(io.StringIO(results[kind].text("csv", lang=lang)), delimiter=separator)
    assert all(len(row) == len(head) == len(set(head)) for row in rows)
    frame = results[kind].frame
    parts = {"95% from": "ci_low", "95% to": "ci_high", "95% da": "ci_low", "95% a": "ci_high"}
    checked = 0
    for place, heading in enumerate(head):
        cells = [row[place] for row in rows if row[place]]
        assert not any(re.match(r"[=@\t\r]|[+-](?!\d)", cell) for cell in (heading, *cells))
        name = next((column for part, column in parts.items() if heading.endswith(part)), "")
        if name and cells:
            named = {name, name.replace("ci", "simulated")} & set(frame.columns)
            own = np.concatenate([frame[column].drop_nulls().to_numpy() for column in named])
            own *= 100 if re.search(r"\((%|pp|p\.p\.|punti)", heading) else 1
            numbers = np.array([float(cell.replace(mark, ".")) for cell in cells])
            assert np.isclose(numbers[:, None], own, rtol=1e-8, atol=1e-12).any(axis=1).all(), heading
            checked += len(cells)
    sampled = (frame["ci_low"] != frame["ci_high"]).any() and kind not in ("odds", "rare", "by", "many", "checked")
    assert checked or not sampled


def latex_columns(text: str) -> dict[str, list[str]]:
    """The cells below each heading, in all tables that have it."""
    signs = {r"\%": "%", "$-$": "−", r"$\pm$": "±", "~": "\N{NO-BREAK SPACE}", r"\_": "_", r"\textgreater{}": ">",
             r"$\clubsuit$": "♣"}  # fmt: skip
    for source, sign in signs.items():
        text = text.replace(source, sign)
    columns: dict[str, list[str]] = {}
    for part in text.split("\\toprule")[1:]:
        head, body = (
            [line.removesuffix(r" \\").split(" & ") for line in lines.split("\n") if line.endswith(r" \\")]
            for lines in part.split("\\midrule")
        )
        for name, cells in zip(zip(*head, strict=True), zip(*body, strict=True), strict=True):
            columns.setdefault(" ".join(filter(None, name)), []).extend(cells)
    return columns


def test_text_is_no_markup_or_formula() -> None:
    words = pl.DataFrame({"<i>": ["a|b", "<b>"], "N": ["1", "2"]})
    page = with_caption(words, "&", "html", language("en"))
    assert ElementTree.fromstring(page).findtext("caption") == "&"
    assert [cell.text for cell in ElementTree.fromstring(page).iter("th")] == ["<i>", "N", "a|b", "<b>"]
    assert r"| a\|b " in with_caption(words, "", "markdown", language("en"))
    sheet = pl.DataFrame({"=A": ["x"], "B": ["a;b"]})
    assert with_caption(sheet, "+c", "csv", language("it")) == "'=A;B;Riferito a\nx;\"a;b\";'+c"


@pytest.mark.parametrize("kind", ["two", "rules", "games", "tournament", "odds", "line-ups"])
def test_a_file_without_rows_is_shown(results: dict[str, Result], kind: str) -> None:
    """As a checkpoint of too few hands for an estimate is."""
    empty = replace(results[kind], frame=results[kind].frame.clear())
    assert isinstance(empty.describe("it"), str)
    assert all(isinstance(empty.text(form), str) for form in FORMATS)
    with pytest.raises(InputError):
        empty.plot()
