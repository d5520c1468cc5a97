"""Tables in LaTeX that fit a width.

Where one is too wide its text wraps, then type gets smaller, then there are fewer columns, then several tables. Widths
are estimated from those of Computer Modern, and rather too large than too small, so that no box is overfull.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import polars as pl

from ...core.arguments import PRINT
from ...core.locale import Language

POINTS_PER_MM = 72.27 / 25.4
TALLEST = 560.0
"""Points of the rows of one table, on a page with its caption."""

_WIDTHS = {
    "!',.:;[]`il|·’‘": 0.28, " fj-": 0.34, "Irst()": 0.4, "cez?–“”": 0.5, "$*/0123456789\\agoJkqvxyS{}": 0.54,
    "bdhnpuFL": 0.66, "EPBCTZ^~": 0.73, "#%mMW—": 1.03, "█": 0.1,
}  # fmt: skip
_WIDTH = {character: width for characters, width in _WIDTHS.items() for character in characters}
"""Widths of characters in Computer Modern, in ems; of others 0.78."""

_BROAD = {10: 1.0, 9: 1.028, 8: 1.063, 7: 1.139}
"""How much broader the letters of a size of type are than those of 10 points, beside its size."""

_GAP = {10: 6.0, 9: 5.0, 8: 4.0, 7: 3.0}
"""Points on either side of a column, by the size of type."""

_SIGNS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    '"': r"{\char34}", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\leq$", "≥": r"$\geq$",
    "→": r"$\rightarrow$", "·": r"$\cdot$", "–": "--", "—": "---",
    "…": r"\ldots{}", "\u00a0": "~", "\u202f": r"\,", "\n": " ", **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
"""Characters that LaTeX writes in another way."""

_BREAK = re.compile(r"(?<=[/(:=_,;+])(?=\S)")
"""Where a long word, as an expression, may break without a hyphen."""

_LONG = 12
"""Letters of a word that need not break."""

PACKAGES = r"\usepackage[T1]{fontenc} \usepackage{array,booktabs}"


def latex_table(
    frame: pl.DataFrame, caption: str, label: str, size: str, numeric: Sequence[bool], keys: int, locale: Language
) -> str:
    """A table of texts for LaTeX, at most as wide as a ``size`` of ``PRINT``; several if one cannot be.

    Columns that are ``numeric`` are aligned at the decimal mark. The first ``keys`` columns say what a row is about:
    they stand in each of several tables.
    """
    columns = [
        Column(name, tuple(frame[name]), right, locale.comma)
        for name, right in zip(frame.columns, numeric, strict=True)
    ]
    width = PRINT[size] * POINTS_PER_MM
    fitted, caption = _fitted(columns, keys, width, caption)
    needs = locale.say("Requires {packages}; at most {n} mm wide.", packages=PACKAGES, n=PRINT[size])
    tables: list[str] = []
    for fit in fitted:
        for rows in fit.pages():
            first = not tables
            again = r"\addtocounter{table}{-1}" + "\n" if not first else ""
            title = escaped(caption) if first else f"({locale.say('continued')})"
            above = f"{again}\\caption{{{title}}}\n" if caption else ""
            named = f"\\label{{tab:{label}}}\n" if first and caption else ""
            named += "\\smallskip\n" if caption else ""
            tables.append(f"\\begin{{table}}\n\\centering\n{above}{named}{fit.tabular(rows)}\n\\end{{table}}")
    return "\n\n".join([f"% {needs}", *tables]).replace("\n\n", "\n", 1)


@dataclass(frozen=True)
class Column:
    """The heading and the cells of a column, of numbers or of texts."""

    heading: str
    cells: tuple[str, ...]
    numeric: bool
    comma: bool

    def aligned(self, cell: str) -> bool:
        """Whether a cell is a number that is aligned with others, and not a text that wraps."""
        return self.numeric and is_number(cell) and re.search(r"[^\W\d]{4}", cell) is None

    @property
    def texts(self) -> list[str]:
        """The heading, and the cells that may wrap."""
        return [self.heading, *(cell for cell in self.cells if not self.aligned(cell))]

    @property
    def numbers(self) -> list[tuple[str, str]]:
        """The cells that do not wrap, each before and after the place at which numbers are aligned."""
        return [self.parts(cell) for cell in self.cells if self.aligned(cell)]

    @property
    def fraction(self) -> str:
        """The broadest part of a number after its whole digits."""
        return max((right for _, right in self.numbers), key=ems, default="")

    @property
    def natural(self) -> float:
        """Its width in ems if nothing wraps."""
        return max(self._of_numbers, *map(ems, self.texts))

    def least(self, lines: int) -> float:
        """Its width in ems if texts wrap into at most about so many lines, and no word is too long for it."""
        pieces = [ems(piece) for text in self.texts for word in text.split(" ") for piece in pieces_of(word)]
        return max(self._of_numbers, *pieces, *(1.2 * ems(text) / lines for text in self.texts if lines > 1))

    @property
    def _of_numbers(self) -> float:
        return max((ems(left) for left, _ in self.numbers), default=0.0) + ems(self.fraction)

    def parts(self, cell: str) -> tuple[str, str]:
        """A number up to its whole digits, and the rest."""
        found = re.match(r"\D*[\d.]*\d" if self.comma else r"\D*[\d,]*\d", cell)
        end = 0 if found is None else found.end()
        return cell[:end], cell[end:]

    def source(self, cell: str) -> str:
        """A cell in LaTeX: numbers with as much room after them as the broadest of the column takes."""
        if not self.aligned(cell):
            return escaped(cell)
        left, right = self.parts(cell)
        if math.isclose(ems(right), ems(self.fraction)):
            return _signs(cell)
        return f"{_signs(left)}\\rlap{{{_signs(right)}}}\\phantom{{{_signs(self.fraction)}}}"


@dataclass(frozen=True)
class Fit:
    """Columns with their widths in points, and the size of type."""

    columns: tuple[Column, ...]
    widths: tuple[float, ...]
    type: int

    def tabular(self, rows: slice) -> str:
        """The rows in LaTeX."""
        kinds = "".join(map(self._kind, self.columns, self.widths))
        heads = " & ".join(escaped(column.heading) for column in self.columns)
        cells = zip(*([column.source(cell) for cell in column.cells[rows]] for column in self.columns), strict=True)
        body = "\n".join(f"{' & '.join(row)} \\\\" for row in cells)
        leading = f"{1.2 * self.type:g}"
        return (
            f"\\fontsize{{{self.type}}}{{{leading}}}\\selectfont\n\\setlength{{\\tabcolsep}}{{{_GAP[self.type]:g}pt}}\n"
            f"\\begin{{tabular}}{{@{{}}{kinds}@{{}}}}\n\\toprule\n{heads} \\\\\n\\midrule\n{body}\n\\bottomrule\n"
            "\\end{tabular}"
        )

    def _kind(self, column: Column, width: float) -> str:
        if width >= points(column.natural, self.type) - 0.01:
            return "r" if column.numeric else "l"
        ragged = "left" if column.numeric else "right"
        return f">{{\\ragged{ragged}\\arraybackslash}}p{{{width:.1f}pt}}"

    def pages(self) -> Iterator[slice]:
        """The rows, as many at a time as a page holds."""
        lines = [
            max(
                lines_of(column.cells[row], width, self.type)
                for column, width in zip(self.columns, self.widths, strict=True)
            )
            for row in range(len(self.columns[0].cells))
        ]
        pages = [int(below * 1.2 * self.type / TALLEST) for below in accumulate(lines)]
        starts = [row for row, page in enumerate(pages) if row == 0 or page != pages[row - 1]] or [0]
        yield from map(slice, starts, [*starts[1:], len(lines)])


def _fitted(columns: list[Column], keys: int, width: float, caption: str) -> tuple[list[Fit], str]:
    """The columns as they fit a width, in one table or several, and the caption with what columns are left out."""
    about, rest = columns[:keys], columns[keys:]
    alike = [column for column in about if len(column.cells) > 1 and len(set(column.cells)) == 1]
    about = [column for column in about if column not in alike]
    more = " ".join([caption, *(f"{column.heading}: {column.cells[0]}." for column in alike)])
    joined = [_joined(about)] if len(about) > 1 else about
    for shown, sizes, words in (
        (columns, (10, 9, 8), caption), (about + rest, (9, 8, 7), more), (joined + rest, (8, 7), more),
    ):  # fmt: skip
        for size in sizes:
            if fit := _fit(shown, width, size, 4):
                return [fit], words
    fits = []
    while rest:
        count = next((n for n in range(len(rest), 1, -1) if _fit(joined + rest[:n], width, 7, 6)), 1)
        shown, rest = _filled(joined, rest[:count]), rest[count:]
        fits.append(_fit(shown, width, 7, 6) or _fit(shown, width, 7, 1, force=True))
    return [fit for fit in fits if fit], more


def _filled(about: list[Column], rest: list[Column]) -> list[Column]:
    """The columns without rows in which only what they are about is filled."""
    rows = [row for row, cells in enumerate(zip(*(column.cells for column in rest), strict=True)) if any(cells)]
    return [replace(column, cells=tuple(column.cells[row] for row in rows)) for column in about + rest]


def _joined(columns: list[Column]) -> Column:
    """Columns that say what a row is about as one."""
    cells = zip(*(column.cells for column in columns), strict=True)
    heading = "; ".join(column.heading for column in columns)
    return Column(heading, tuple("; ".join(filter(None, texts)) for texts in cells), False, columns[0].comma)


def _fit(columns: list[Column], width: float, size: int, lines: int, force: bool = False) -> Fit | None:
    """The columns at a size of type with texts of at most about so many lines, None where they are too wide."""
    room = width - 2 * _GAP[size] * (len(columns) - 1)
    natural = [points(column.natural, size) for column in columns]
    if sum(natural) <= room:
        return Fit(tuple(columns), tuple(natural), size)
    least = [min(n, points(column.least(lines), size)) for n, column in zip(natural, columns, strict=True)]
    spare = room - sum(least)
    if spare < 0 and not force:
        return None
    share = max(0.0, spare) / (sum(natural) - sum(least) or 1)
    widths = (low + share * (high - low) for low, high in zip(least, natural, strict=True))
    return Fit(tuple(columns), tuple(widths), size)


def is_number(cell: str) -> bool:
    """Whether a cell begins as a number does.

    >>> is_number("(−0.3 ± 0.4)"), is_number("none seen (at most 1.3%)")
    (True, False)
    """
    return re.match(r"\(?[+−-]?\d", cell) is not None


def ems(text: str) -> float:
    """The width of a text in ems of 10 points."""
    return sum(_WIDTH.get(sign, 0.78) for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def points(width: float, size: int) -> float:
    """The width in points of so many ems at a size of type."""
    return 1 + width * size * _BROAD[size]


def lines_of(text: str, width: float, size: int) -> int:
    """How many lines a text takes in so many points, at a size of type."""
    if points(ems(text), size) <= width:
        return 1
    lines, used = 1, 0.0
    for word in text.split(" "):
        for piece in pieces_of(word):
            long = size * _BROAD[size] * ems(piece)
            lines, used = (lines + 1, long) if used and used + long > width else (lines, used + long)
        used += size * _BROAD[size] * ems(" ")
    return lines


def pieces_of(word: str) -> list[str]:
    """The parts of a word between which it may break: of long expressions, at punctuation.

    >>> pieces_of("total(table)=12"), pieces_of("0.44960")
    (['total(', 'table)=', '12'], ['0.44960'])
    """
    if len(word) <= _LONG or "█" in word:
        return [word]
    pieces = _BREAK.split(word)
    return [piece[at : at + 2 * _LONG] for piece in pieces for at in range(0, len(piece), 2 * _LONG)]


def escaped(text: str) -> str:
    r"""A text in LaTeX, for pdflatex.

    >>> print(escaped("50% of “a_b” − 1"), escaped("--lang"), escaped("total(table)=12"))
    50\% of “a\_b” $-$ 1 -{}-lang total(\allowbreak{}table)=\allowbreak{}12
    """
    bars = re.sub("█+", lambda bar: f"\ue000{len(bar[0]) / 10:g}\ue001", text)
    words = (r"\allowbreak{}".join(_signs(piece) for piece in pieces_of(word)) for word in bars.split(" "))
    return " ".join(words).replace("\ue000", r"\rule{").replace("\ue001", "em}{1.4ex}")


def _signs(text: str) -> str:
    """The characters of a text; two that LaTeX would make one are kept apart."""
    apart = re.sub(r"([-,`'<>])(?=\1)", "\\1\ue002", text)
    return "".join(map(_sign, apart)).replace("\ue002", "{}")


def _sign(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if sign < "\u017f" or sign in "‘’“”" or "\ue000" <= sign <= "\ue002":  # Latin letters, quotes, our own marks
        return sign
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return "".join(_SIGNS.get(letter, letter) for letter in plain) or "?"
