"""Tables to paste: LaTeX that compiles and fits, csv for spreadsheets, html and markdown."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from click.testing import CliRunner
from every_kind import KINDS

from cirulla_sim.cli import app
from cirulla_sim.core.arguments import FORMATS, PRINT
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.formats import with_caption

PDFLATEX = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{array,booktabs}
\setlength{\textwidth}{%dmm}
\setlength{\textheight}{240mm}
\begin{document}
%s
\end{document}
"""
HOSTILE = r"""\ % & $ # _ { } ~ ^ < > | " ' ` -- << ,, − ± – — ’ “q” … · × ≤ ≥ → è Ñ ü 牌 ♠ =1+1 <b>*x*</b>"""


def problems(tables: list[str], millimetres: int, folder: Path) -> list[str]:
    """What pdflatex complains of when it sets tables in a column so wide."""
    (folder / "t.tex").write_text(DOCUMENT % (millimetres, "\n\\clearpage\n".join(tables)), "utf-8")
    command = [str(PDFLATEX), "-draftmode", "-interaction=nonstopmode", "t.tex"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "t.log").read_text("utf-8", errors="replace")
    assert "Output written" in log or "draftmode" in log.lower() or "No pages" not in log
    return re.findall(r"^(?:! .*|Overfull .*|.*Float too large.*)$", log, re.M)


@pytest.mark.skipif(PDFLATEX is None, reason="requires pdflatex")
@pytest.mark.parametrize("size", list(PRINT))
def test_latex_of_every_kind_compiles_and_fits(results: dict[str, Result], size: str, tmp_path: Path) -> None:
    tables = [results[kind].text("latex", lang=lang, size=size) for kind in KINDS for lang in ("en", "it")]
    assert problems(tables, PRINT[size], tmp_path) == []
    assert problems(tables, PRINT[size] // 2, tmp_path), "a column half as wide is too narrow"


@pytest.mark.skipif(PDFLATEX is None, reason="requires pdflatex")
def test_every_character_compiles_and_fits(tmp_path: Path) -> None:
    words = pl.DataFrame({"What %": [HOSTILE, "x" * 60], "Much_": ["−1.5 ± 0.2", "none seen (at most 2%)"]})
    table = with_caption(words, HOSTILE, "latex", language("en"), "column", "t")
    assert problems([table], 90, tmp_path) == []
    assert r"What \% & Much\_ \\" in table
    assert "$-$1.5 $\\pm$ 0.2" in table


def test_latex_numbers_are_aligned_at_the_decimal_mark() -> None:
    words = pl.DataFrame({"What": ["a", "b", "c"], "N": ["10,25 ± 0,10", "−1.000,5 ± 0,2", "7"]})
    table = with_caption(words, "", "latex", language("it"), "page", "t")
    assert [line.split(" & ")[1] for line in table.splitlines() if re.match("[abc] & ", line)] == [
        r"10,25 $\pm$ 0,10 \\", r"$-$1.000\rlap{,5 $\pm$ 0,2}\phantom{,25 $\pm$ 0,10} \\",
        r"7\rlap{}\phantom{,25 $\pm$ 0,10} \\",
    ]  # fmt: skip


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


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_html_is_a_table_with_heads_and_markdown_has_as_many_cells(
    results: dict[str, Result], kind: str, lang: str
) -> None:
    table = ElementTree.fromstring(results[kind].text("html", lang=lang))
    assert table.tag == "table"
    assert [element.tag for element in table] == ["caption", "thead", "tbody"]
    heads = table.findall("thead/tr/th")
    assert {cell.get("scope") for cell in heads} == {"col"}
    lines = table.findall("tbody/tr")
    assert all(line[0].tag == "th" and line[0].get("scope") == "row" for line in lines)
    assert any(cell.get("style") == "text-align: right" for cell in lines[0])
    below = results[kind].text("markdown", lang=lang).split("\n\n")
    head, rule, *rows = below[0].split("\n")
    assert len(below) == 2
    assert {len(re.split(r"(?<!\\)\|", row)) for row in (head, rule, *rows)} == {len(heads) + 2}
    assert "-:" in rule
    assert len(rows) == len(lines)


def test_text_is_no_markup_in_html_and_markdown() -> None:
    words = pl.DataFrame({"<i>": ["a|b", "<b>"], "N": ["1", "2"]})
    page = with_caption(words, "&", "html", language("en"))
    assert ElementTree.fromstring(page).findtext("caption") == "&"
    assert [cell.text for cell in ElementTree.fromstring(page).iter("th")] == ["<i>", "N", "a|b", "<b>"]
    assert r"| a\|b " in with_caption(words, "", "markdown", language("en"))


def test_a_size_is_of_latex(results: dict[str, Result], tmp_path: Path) -> None:
    file = str(results["two"].save(tmp_path / "two.parquet"))
    with pytest.raises(InputError, match="--size 'column': requires --format latex"):
        results["two"].text("html", size="column")
    narrow = CliRunner().invoke(app, ["table", file, "--format", "latex", "--size", "column"])
    assert narrow.output == results["two"].text("latex", size="column") + "\n"
    assert narrow.output != results["two"].text("latex") + "\n"
    wrong = CliRunner().invoke(app, ["simulate", "--size", "page"])
    assert "--size 'page': requires --format latex" in str(wrong.exception)


def test_a_file_without_rows_is_shown(results: dict[str, Result]) -> None:
    """As a checkpoint of too few hands for an estimate is."""
    for result in results.values():
        empty = replace(result, frame=result.frame.clear())
        for lang in ("en", "it"):
            assert isinstance(empty.describe(lang), str)
            for form in FORMATS:
                assert isinstance(empty.text(form, lang=lang), str)
        with pytest.raises(InputError):
            empty.plot()
