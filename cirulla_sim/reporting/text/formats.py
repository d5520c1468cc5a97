"""Tables as text: aligned for the terminal, json, csv, markdown, latex, html.

Tables in LaTeX, with the lines of the package booktabs.

Result tables for spreadsheets: plain numbers, the ends of intervals and other units in columns of their own.
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
import polars.selectors as cs

from ...core.locale import Language, language
from ...core.numerals import UNKNOWN
from .cells import NUMBERS, NumberCell
from .labels import Metadata
from .layouts import cells_of, pivoted


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
    """A table of texts in a format other than json, with its caption; in csv the caption is a column.

    A file may hold no rows, as the first checkpoint of a run: what is left then is the caption.
    """
    if form == "csv":
        return comma_separated(texts, caption, locale)
    if not texts.width:
        return caption
    if form == "table":
        return f"{_aligned(texts)}\n\n{caption}".strip()
    numeric = [_is_numeric(texts[name]) for name in texts.columns]
    if form == "markdown":
        return f"{_markdown(texts, numeric)}\n\n{_in_markdown(caption)}".strip()
    if form == "latex":
        return latex_table(texts, caption, numeric)
    return _html(texts, caption, numeric, _keys(texts))


def _markdown(texts: pl.DataFrame, numeric: Sequence[bool]) -> str:
    """A table of pipes, columns of numbers to the right."""
    columns = [[_in_markdown(cell) for cell in (name, *texts[name])] for name in texts.columns]
    widths = [max(3, *map(len, column)) for column in columns]
    rule = ["-" * (width - 1) + ":" if right else "-" * width for width, right in zip(widths, numeric, strict=True)]
    padded = [
        [cell.rjust(width) if right else cell.ljust(width) for cell in column]
        for column, width, right in zip(columns, widths, numeric, strict=True)
    ]
    head, *body = zip(*padded, strict=True)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *body))


def _in_markdown(text: str) -> str:
    """A text that is no mark-up.

    >>> print(_in_markdown("a|b*c"))
    a\\|b\\*c
    """
    return re.sub(r"([\\`*|<\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", text).replace("\n", " ")


def _html(texts: pl.DataFrame, caption: str, numeric: Sequence[bool], keys: int) -> str:
    """A ``table`` element for any page, which needs no style sheet: cells that say what a row is of are its heads.

    >>> page = _html(pl.DataFrame({"a<b": ["<i>"], "c": ["&"]}), "<x>", [False, True], 1)
    >>> [sign in page for sign in ("a&lt;b<", ">&lt;i&gt;<", ">&amp;<", ">&lt;x&gt;<", "<i>", "<x>")]
    [True, True, True, True, False, False]
    """
    sides = ["right" if right else "left" for right in numeric]

    def line(cells: Sequence[str], heads: int, scope: str) -> str:
        tags = [f'th scope="{scope}"'] * heads + ["td"] * (len(cells) - heads)
        return "".join(
            f'<{tag} style="text-align: {side}">{html.escape(cell)}</{tag[:2]}>'
            for tag, side, cell in zip(tags, sides, cells, strict=True)
        )

    head = f"<thead>\n<tr>{line(texts.columns, texts.width, 'col')}</tr>\n</thead>"
    body = "\n".join(f"<tr>{line(row, keys, 'row')}</tr>" for row in texts.iter_rows())
    title = f"<caption>{html.escape(caption)}</caption>\n" if caption else ""
    return f"<table>\n{title}{head}\n<tbody>\n{body}\n</tbody>\n</table>"


def _is_numeric(cells: pl.Series) -> bool:
    """Whether at least half of the cells that are not empty are numbers."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and 2 * sum(map(_is_number, filled)) >= len(filled)


def _is_number(cell: str) -> bool:
    """Whether a cell begins as a number does.

    >>> _is_number("(−0.3 ± 0.4)"), _is_number("none seen (at most 1.3%)")
    (True, False)
    """
    return re.match(r"\(?[+−-]?\d", cell) is not None


def _keys(texts: pl.DataFrame) -> int:
    """How many of the first columns say what a row is about: as many as no two rows have in common."""
    return next((n for n in range(1, texts.width) if texts[:, :n].is_unique().all()), 1)


def _aligned(frame: pl.DataFrame) -> str:
    """The cells in aligned columns, numbers to the right; columns of nulls are left out."""
    shown = [name for name in frame.columns if frame[name].null_count() < frame.height]
    columns = [[name, *map(_cell, frame[name])] for name in shown]
    widths = [max(map(len, column)) for column in columns]
    numeric = [frame[name].dtype.is_numeric() for name in shown]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numeric, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else UNKNOWN
    return f"{value:_}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _digits(value: Any) -> str:
    """A value with all its digits."""
    if isinstance(value, float) and not math.isfinite(value):
        return UNKNOWN
    return "" if value is None else str(value)


_SIGNS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "[": "{[}", "*": "{*}", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\leq$",
    "≥": r"$\geq$", "→": r"$\rightarrow$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$",
    "♠": r"$\spadesuit$", "\u00a0": "~", "\u202f": r"\,", "\n": " ", **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
"""Characters that LaTeX takes for commands or does not have; brackets and stars are commands at the start of a row."""

_ESCAPES = str.maketrans(_SIGNS)


def latex_table(texts: pl.DataFrame, caption: str, numeric: Sequence[bool]) -> str:
    r"""A table of texts, columns that are ``numeric`` to the right.

    >>> print(latex_table(pl.DataFrame({"What": ["a_b"], "Share": ["50%"]}), "", [False, True]))
    % Requires \usepackage[T1]{fontenc} and \usepackage{booktabs}.
    \begin{table}
    \centering
    \begin{tabular}{lr}
    \toprule
    What & Share \\
    \midrule
    a\_b & 50\% \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    head, *body = (" & ".join(map(escaped, cells)) + r" \\" for cells in (texts.columns, *texts.iter_rows()))
    lines = [
        r"% Requires \usepackage[T1]{fontenc} and \usepackage{booktabs}.",
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{escaped(caption)}}}"] if caption else []),
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
        *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""A text in LaTeX.

    >>> print(escaped("50% of “a_b” − 1"), escaped("--lang"), escaped("████"))
    50\% of “a\_b” $-$ 1 -{}-lang \rule{0.4em}{1.4ex}
    """
    apart = re.sub(r"([-,])(?=\1)", r"\1{}", text.translate(_ESCAPES))  # two would become a dash or a quotation mark
    return re.sub("█+", lambda bar: rf"\rule{{{len(bar[0]) / 10:g}em}}{{1.4ex}}", apart)


def spreadsheet_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for spreadsheets: numbers without ± and marks, each kind and unit in a column of its own."""
    cells = list(cells_of(frame, metadata, locale, whole))
    table = pivoted(
        ({head: for_spreadsheet(text, locale) for head, text in about.items()}, column, text)
        for about, heading, cell in cells
        for column, text in _columns(heading, cell, locale)
    )
    headings = list(dict.fromkeys(heading for _, heading, _ in cells))
    place = {  # columns with one heading stand together
        column: (1 + headings.index(heading), "" if isinstance(cell, str) else cell.unit, number)
        for _, heading, cell in cells
        for number, (column, _) in enumerate(_columns(heading, cell, locale))
    }
    order = sorted(table.columns, key=lambda name: place.get(name, (0, "", 0)))
    return table.select(name for name in order if (table[name] != "").any())


def _columns(heading: str, cell: str | NumberCell, locale: Language) -> Iterator[tuple[str, str]]:
    """The columns of a spreadsheet that a cell fills, and what stands in each."""
    if isinstance(cell, str):
        yield heading, "" if set(cell) <= {"█", "·"} else for_spreadsheet(cell, locale)
        return
    named = f"{heading} ({locale.say(cell.unit)})" if cell.unit else heading
    for part in NUMBERS:
        number = cell.numbers.get(part)
        column = f"{named}, {locale.say(part)}" if part else named
        yield (
            column,
            "" if number is None or not math.isfinite(number) else locale.numerals(f"{number:.10g}").replace("−", "-"),
        )


def for_spreadsheet(text: str, locale: Language) -> str:
    """A text of which a spreadsheet makes neither a formula nor a date; a number is written as it reads one.

    >>> from cirulla_sim.core.locale import language
    >>> english = language("en")
    >>> [for_spreadsheet(text, english) for text in ("=1+1", "+best", "−0.5", "1/12", "10-8")]
    ["'=1+1", "'+best", '-0.5', '1⁄12', '10–8']
    """
    if re.fullmatch(rf"[+−-]?\d+({'[,]' if locale.comma else '[.]'}\d+)?", text):
        return text.replace("−", "-")
    text = re.sub(r"^\d+([/-]\d+){1,2}$", lambda date: date[0].replace("/", "⁄").replace("-", "–"), text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def comma_separated(texts: pl.DataFrame, caption: str, locale: Language) -> str:
    """A table of texts with its caption as the last column; semicolons in a language with decimal commas."""
    texts = texts.with_columns(pl.lit(for_spreadsheet(caption, locale)).alias(locale.say("Of what")))
    written = io.StringIO()
    lines = csv.writer(written, delimiter=";" if locale.comma else ",", lineterminator="\n")
    lines.writerow(for_spreadsheet(name, locale) for name in texts.columns)
    lines.writerows(texts.rows())
    return written.getvalue().rstrip("\n")
