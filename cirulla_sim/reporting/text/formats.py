"""Tables as text: aligned for the terminal, json, csv for spreadsheets, markdown, latex, html."""

from __future__ import annotations

import html
import json
import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import polars as pl
import polars.selectors as cs

from ...core.data import load_toml
from ...core.locale import Language, language
from ...core.numerals import UNKNOWN
from .cells import NUMBERS
from .labels import Metadata
from .tables import cells_of, pivot


def render(frame: pl.DataFrame, form: str) -> str:
    """A table as it is, with all its digits; on the terminal with six figures and without columns of nulls.

    >>> print(render(pl.DataFrame({"quantity": ["knock"], "estimate": [0.5]}), "csv"))
    quantity,estimate
    knock,0.5
    """
    if form == "json":
        finite = pl.when(cs.float().is_finite()).then(cs.float())  # JSON has no infinity
        frame = frame.with_columns(finite) if any(kind.is_float() for kind in frame.dtypes) else frame
        return json.dumps(frame.to_dicts(), indent=None, separators=(", ", ": "), ensure_ascii=False)
    if form == "csv":
        return frame.write_csv().rstrip("\n")
    if form == "table":
        return _aligned(frame)
    texts = pl.DataFrame({name: [_digits(value) for value in frame[name]] for name in frame.columns})
    return with_caption(texts, "", form, language("en"))


def with_caption(texts: pl.DataFrame, caption: str, form: str, locale: Language) -> str:
    r"""A table of texts in a format other than json, with its caption; in csv the caption is a column beside the rows.

    A file may hold no rows, as the first checkpoint of a run: what is left then is the caption.

    >>> texts = pl.DataFrame({"a_b": ["<i>"], "Share": ["50%"]})
    >>> '<td style="text-align: right">50%</td>' in with_caption(texts, "", "html", language("en"))
    True
    >>> print(with_caption(texts, "", "latex", language("en")))
    % Requires \usepackage[T1]{fontenc} and \usepackage{booktabs}.
    \begin{table}
    \centering\small
    \begin{tabular}{lr}
    \toprule
    a\_b & Share \\
    \midrule
    \textless{}i\textgreater{} & 50\% \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    if form == "csv":  # semicolons in a language with decimal commas
        below = [spreadsheet_text(caption, locale), *("" for _ in range(texts.height - 1))][: texts.height]
        texts = texts.with_columns(pl.Series(locale.say("Of what"), below, pl.String))
        texts = texts.rename(lambda name: spreadsheet_text(name, locale)).with_columns(pl.all().replace("", None))
        return texts.write_csv(separator=";" if locale.comma else ",").rstrip("\n")
    if not texts.width:
        return caption
    if form == "table":
        return f"{_aligned(texts)}\n\n{caption}".strip()
    numeric = []  # at least half of the cells that are not empty begin as numbers do
    for cells in texts:
        filled = cells.filter(cells != "")
        numeric.append(0 < filled.len() <= 2 * filled.str.contains(r"^\(?[+−-]?\d").sum())
    # As many of the first columns as no two rows have in common say what a row is about
    keys = next((n for n in range(1, texts.width) if texts[:, :n].is_unique().all()), 1)
    if form == "html":
        return _filled("table.html", head=texts.columns, rows=texts.rows(), numeric=numeric, keys=keys, caption=caption)
    if form == "latex":
        return _filled("table.tex", parts=_pages(texts, numeric, keys), caption=caption)
    columns = [[_in_markdown(cell) for cell in (name, *texts[name])] for name in texts.columns]
    head, *body = pad_columns(columns, numeric, least=3)
    rule = [f"{'-' * (len(cell) - right)}{':' * right}" for cell, right in zip(head, numeric, strict=True)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *body))
    return f"{table}\n\n{_in_markdown(caption)}".strip()


def pad_columns(columns: Sequence[Sequence[str]], numeric: Sequence[bool], least: int = 0) -> Iterator[list[str]]:
    """The rows of some columns, each as wide as its longest cell; numbers stand to the right."""
    widths = [max(least, *map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        aligned = zip(row, widths, numeric, strict=True)
        yield [cell.rjust(width) if right else cell.ljust(width) for cell, width, right in aligned]


def _in_markdown(text: str) -> str:
    """A text that is no mark-up.

    >>> print(_in_markdown("a|b*c"))
    a\\|b\\*c
    """
    return re.sub(r"([\\`*|<\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", text).replace("\n", " ")


def _filled(template: str, **values: Any) -> str:
    """A table by one of the ``templates``."""
    from jinja2 import Environment, PackageLoader  # here since the terminal's table does without

    loader = PackageLoader("cirulla_sim.reporting.text")
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"html": html.escape, "latex": escape_latex}
    return environment.get_template(template).render(values).rstrip()


def _digits(value: Any, decimal: str = "", whole: str = "") -> str:
    """A cell of a table, its numbers in a format."""
    if isinstance(value, float):
        return format(value, decimal) if math.isfinite(value) else UNKNOWN
    return "" if value is None else format(value, whole) if type(value) is int else str(value)


def _aligned(frame: pl.DataFrame) -> str:
    """The cells in aligned columns, numbers to the right; columns of nulls are left out."""
    shown = [name for name in frame.columns if frame[name].null_count() < frame.height]
    columns = [[name, *(_digits(value, ".6g", "_") for value in frame[name])] for name in shown]
    numeric = [frame[name].dtype.is_numeric() for name in shown]
    return "\n".join("  ".join(cells).rstrip() for cells in pad_columns(columns, numeric))


LATEX = load_toml(__package__, "latex.toml")
"""Signs, and what fits a page."""


def _pages(texts: pl.DataFrame, numeric: Sequence[bool], keys: int) -> list[dict[str, Any]]:
    """A table of texts as those of LaTeX that fit a page, each with the columns that say what a row is about.

    They have lines of headings, rows, and the ``kinds`` of their columns: ``numeric`` ones to the right.
    """
    longest = {name: max(map(len, texts[name])) for name in texts.columns}
    headings = {
        name: textwrap.wrap(name, max(12, longest[name]), break_long_words=False) or [""] for name in texts.columns
    }
    about = texts.columns[:keys]
    narrower = range(LATEX["cell"], 10, -1)
    cell = next((n for n in narrower if sum(min(longest[name], n) + 3 for name in about) <= LATEX["keys"]), 10)
    lines = max((-(-longest[name] // cell) for name in about), default=1)
    most = {name: cell if name in about else LATEX["cell"] for name in texts.columns}
    widths = {name: 3 + max(min(longest[name], most[name]), *map(len, headings[name])) for name in texts.columns}
    kinds = {
        name: f"p{{{most[name] / 2:g}em}}" if longest[name] > most[name] else "r" if right else "l"
        for name, right in zip(texts.columns, numeric, strict=True)
    }
    groups = [about]
    for name in texts.columns[keys:]:
        if len(groups[-1]) > keys and sum(widths[own] for own in (*groups[-1], name)) > LATEX["width"]:
            groups.append(about)
        groups[-1] = [*groups[-1], name]
    return [
        {"heads": list(zip_longest(*(headings[name] for name in names), fillvalue="")), "rows": part.rows(),
         "kinds": "".join(kinds[name] for name in names)}
        for names in groups for part in texts.select(names).iter_slices(max(1, LATEX["rows"] // lines))
    ]  # fmt: skip


def escape_latex(text: str) -> str:
    r"""A text in LaTeX.

    >>> print(escape_latex("50% of “a_b” − 1"), escape_latex("--lang"), escape_latex("████"))
    50\% of “a\_b” $-$ 1 -{}-lang \rule{0.4em}{1.4ex}
    """
    apart = re.sub(
        r"([-,])(?=\1)", r"\1{}", text.translate(str.maketrans(LATEX["signs"]))
    )  # two would become a dash or a quotation mark
    return re.sub("█+", lambda bar: rf"\rule{{{len(bar[0]) / 10:g}em}}{{1.4ex}}", apart)


def spreadsheet_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for spreadsheets: numbers without ± and marks, each kind and unit in a column of its own."""
    table: list[tuple[dict[str, str], str, str]] = []
    order: dict[str, tuple[int, str, int]] = {}  # columns with one heading stand together, by unit and kind
    headings: dict[str, int] = {}
    for about, heading, cell in cells_of(frame, metadata, locale, whole, typed=True):
        about = {head: spreadsheet_text(text, locale) for head, text in about.items()}
        first = headings.setdefault(heading, len(headings))
        if isinstance(cell, str):
            order[heading] = (first, "", 0)
            table.append((about, heading, "" if set(cell) <= {"█", "·"} else spreadsheet_text(cell, locale)))
            continue
        named = f"{heading} ({locale.say(cell.unit)})" if cell.unit else heading
        for place, part in enumerate(NUMBERS):
            column, number = f"{named}, {locale.say(part)}" if part else named, cell.numbers.get(part)
            plain = ".10f" if part == "adjusted p" else ".10g"  # readers of p-values take no exponents
            text = "" if number is None or not math.isfinite(number) else locale.numerals(f"{number:{plain}}")
            order[column] = (first, cell.unit, place)
            table.append((about, column, text.replace("−", "-")))
    texts = pivot(table)
    ordered = sorted(texts.columns, key=lambda name: order.get(name, (-1, "", 0)))
    return texts.select(name for name in ordered if (texts[name] != "").any())


def spreadsheet_text(text: str, locale: Language) -> str:
    """A text of which a spreadsheet makes neither a formula nor a date; a number is written as it reads one.

    >>> from cirulla_sim.core.locale import language
    >>> english = language("en")
    >>> [spreadsheet_text(text, english) for text in ("=1+1", "+best", "−0.5", "1/12", "47/4940", "10-8")]
    ["'=1+1", "'+best", '-0.5', "'1/12", '47/4940', '10–8']
    """
    if re.fullmatch(rf"[+−-]?\d+({'[,]' if locale.comma else '[.]'}\d+)?", text):
        return text.replace("−", "-")
    text = re.sub(r"^\d+(-\d+){1,2}$", lambda date: date[0].replace("-", "–"), text)
    is_date = re.fullmatch(r"([12]?\d|3[01])/([12]?\d|3[01])|(\d|1[0-2])/\d{4}", text)
    return f"'{text}" if is_date or text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
