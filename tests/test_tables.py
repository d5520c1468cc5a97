"""Tables to paste: csv for spreadsheets, html, markdown and LaTeX, with all text escaped."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import polars as pl
import pytest
from every_kind import KINDS

from cirulla_sim.core.arguments import FORMATS
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.formats import with_caption
from cirulla_sim.reporting.text.latex import escaped


def test_latex_is_escaped_and_numbers_stand_to_the_right() -> None:
    words = pl.DataFrame({"What %": ["a_b & c", "[x] *"], "N": ["−1.5 ± 0.2", "none seen (at most 2%)"]})
    lines = with_caption(words, "#1 of {a}: 5 < 6", "latex", language("en")).splitlines()
    assert lines[3:-2] == [
        r"\caption{\#1 of \{a\}: 5 \textless{} 6}", r"\begin{tabular}{lr}", r"\toprule", r"What \% & N \\", r"\midrule",
        r"a\_b \& c & $-$1.5 $\pm$ 0.2 \\", r"{[}x] {*} & none seen (at most 2\%) \\", r"\bottomrule",
    ]  # fmt: skip
    assert escaped("\\input{x} $y$ ~^ |\"'`\n--,,>") == (
        r"\textbackslash{}input\{x\} \$y\$ \textasciitilde{}\textasciicircum{} \textbar{}\textquotedbl{}"
        r"\textquotesingle{}\textasciigrave{} -{}-,{},\textgreater{}"
    )


def test_latex_of_every_kind_has_only_characters_that_pdflatex_knows(results: dict[str, Result]) -> None:
    for kind in KINDS:
        text = results[kind].text("latex", lang="it", all=True)
        assert not {sign for sign in text if sign > "\u017f"} - set("–—’‘“”…"), kind
        rows = [line for line in text.splitlines() if line.endswith(r" \\")]
        assert len({line.count(" & ") for line in rows}) == 1


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_csv_has_plain_numbers_by_unit(results: dict[str, Result], kind: str, lang: str) -> None:
    """Every number is one of the file, in percent where the heading says so; no cell is a formula."""
    separator, mark = (";", ",") if lang == "it" else (",", ".")
    head, *rows = csv.reader(io.StringIO(results[kind].text("csv", lang=lang)), delimiter=separator)
    assert all(len(row) == len(head) == len(set(head)) for row in rows)
    frame = results[kind].frame
    own = {name: frame[name].drop_nulls().to_list() for name in ("estimate", "ci_low", "ci_high")}
    parts = {"95% from": "ci_low", "95% to": "ci_high", "95% da": "ci_low", "95% a": "ci_high"}
    checked = 0
    for place, heading in enumerate(head):
        cells = [row[place] for row in rows if row[place]]
        assert not any(re.match(r"[=@\t\r]|[+-](?!\d)", cell) for cell in (heading, *cells))
        name = next((column for part, column in parts.items() if heading.endswith(part)), "")
        if not name:
            continue
        scale = 100 if re.search(r"\((%|pp|p\.p\.|punti)", heading) else 1
        for cell in cells:
            number = float(cell.replace(mark, "."))
            assert any(number == pytest.approx(scale * x, rel=1e-8, abs=1e-12) for x in own[name] + (
                frame["simulated_low" if name == "ci_low" else "simulated_high"].drop_nulls().to_list()
                if "simulated" in frame.columns else [])), (heading, cell)  # fmt: skip
            checked += 1
    sampled = (frame["ci_low"] != frame["ci_high"]).any() and kind not in ("odds", "rare", "by", "many", "checked")
    assert checked or not sampled


def test_csv_texts_are_neither_formulas_nor_dates() -> None:
    words = pl.DataFrame({"=A": ["x"], "B": ["a;b"]})
    assert with_caption(words, "+c", "csv", language("it")) == "'=A;B;Riferito a\nx;\"a;b\";'+c"


@pytest.mark.parametrize("kind", KINDS)
def test_html_is_a_table_with_heads_and_markdown_has_as_many_cells(results: dict[str, Result], kind: str) -> None:
    table = ElementTree.fromstring(results[kind].text("html"))
    assert [element.tag for element in table] == ["caption", "thead", "tbody"]
    heads = table.findall("thead/tr/th")
    assert {cell.get("scope") for cell in heads} == {"col"}
    lines = table.findall("tbody/tr")
    assert all(line[0].tag == "th" and line[0].get("scope") == "row" for line in lines)
    assert any(cell.get("style") == "text-align: right" for cell in lines[0])
    grid, _caption = results[kind].text("markdown").split("\n\n")
    head, rule, *rows = grid.split("\n")
    assert {len(re.split(r"(?<!\\)\|", row)) for row in (head, rule, *rows)} == {len(heads) + 2}
    assert "-:" in rule
    assert len(rows) == len(lines)


def test_text_is_no_markup_in_html_and_markdown() -> None:
    words = pl.DataFrame({"<i>": ["a|b", "<b>"], "N": ["1", "2"]})
    page = with_caption(words, "&", "html", language("en"))
    assert ElementTree.fromstring(page).findtext("caption") == "&"
    assert [cell.text for cell in ElementTree.fromstring(page).iter("th")] == ["<i>", "N", "a|b", "<b>"]
    assert r"| a\|b " in with_caption(words, "", "markdown", language("en"))


def test_a_file_without_rows_is_shown(results: dict[str, Result]) -> None:
    """As a checkpoint of too few hands for an estimate is."""
    for kind in KINDS:
        empty = replace(results[kind], frame=results[kind].frame.clear())
        for lang in ("en", "it"):
            assert isinstance(empty.describe(lang), str)
            for form in FORMATS:
                assert isinstance(empty.text(form, lang=lang), str)
        with pytest.raises(InputError):
            empty.plot()
