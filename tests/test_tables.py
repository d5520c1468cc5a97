"""Tables to paste: csv for spreadsheets, html, markdown and LaTeX, with all text escaped."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
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


@pytest.mark.parametrize("kind", KINDS)
def test_html_markdown_and_latex_have_as_many_cells(results: dict[str, Result], kind: str) -> None:
    table = ElementTree.fromstring(results[kind].text("html"))
    assert [element.tag for element in table] == ["caption", "thead", "tbody"]
    heads, lines = table.findall("thead/tr/th"), table.findall("tbody/tr")
    assert all(line[0].tag == "th" and line[0].get("scope") == "row" for line in lines)
    grid, _caption = results[kind].text("markdown").split("\n\n")
    assert {len(re.split(r"(?<!\\)\|", row)) for row in grid.split("\n")} == {len(heads) + 2}
    assert len(grid.split("\n")) == len(lines) + 2
    text = results[kind].text("latex", lang="it")
    assert not {sign for sign in text if sign > "\u017f"} - set("–—’‘“”…")  # that pdflatex does not know
    assert len({line.count(" & ") for line in text.splitlines() if line.endswith(r" \\")}) == 1


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
