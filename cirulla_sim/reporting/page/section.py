"""A page of the report: a question with its answer in every language, and the files that show it with their tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ...core.locale import Language, language
from ..charts.draw import graphic_of
from ..charts.look import SIZES as LOOKS
from ..charts.look import chosen
from ..charts.sheet import alt_text
from ..result import Result, read
from ..text.cells import explanation
from ..text.descriptions import Sentence
from ..text.findings import Finding, holds
from ..text.labels import WORDS, Metadata, how_much, line_up_names, play_words, rules_title
from ..text.tables import brief_table, readers_table
from .svg import inlined

UNITS = ("Per", "As")
"""Columns that say what a number of a row is, besides its name."""

ABOUT = ("Side", "What", *UNITS)
"""Columns that need not stand in every row of a narrow table if they are the same in all."""

NARROW = 9
"""Columns that fit a printed page."""


class PageTable(NamedTuple):
    """Headings, rows in groups of one unit, how many rows the file has, and what marks mean."""

    head: list[str]
    groups: list[list[list[str]]]
    every: int
    marks: str
    about: str = ""
    """What is the same in all rows, where no column has it."""

    @property
    def shown(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.groups))


def table_of(
    texts: pl.DataFrame, most: int, locale: Language, marks: str, every: int | None = None, narrow: bool = False
) -> PageTable:  # fmt: skip
    """The first rows of a table of texts; rows of one unit, such as points a hand, stand together.

    Shares of all kinds are one unit, means are if they are of one quantity. In a table of rules the first row has
    levels, the others differences from them.

    A ``narrow`` table has no columns that say nothing in these rows, and no more than fit a printed page.

    >>> names = {"What": ["Points", "Hands", "Sweeps"], "Per": ["hand", "game", "hand"], "All": ["1", "2", "3"]}
    >>> frame = pl.DataFrame(names)
    >>> from cirulla_sim.core.locale import language
    >>> table_of(frame, 9, language("en"), "").groups
    [[['Points', 'hand', '1'], ['Sweeps', 'hand', '3']], [['Hands', 'game', '2']]]
    """
    shown = texts.head(most)
    about = ""
    if narrow and shown.height > 1:
        keep = [name for name in shown.columns if (shown[name] != "").any()]
        same = [name for name in keep if name in map(locale.say, ABOUT) and shown[name].n_unique() == 1]
        about = ", ".join(shown[name][0] for name in same)
        shown = shown.select([name for name in keep if name not in same][:NARROW])
    columns, rules, what = shown.columns, locale.say("Rules"), locale.say("What")
    units = [name for name in map(locale.say, UNITS) if name in columns]
    levels = columns[0] == rules and not units
    repeated = what in columns and shown[what].n_unique() < shown.height
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    for number, row in enumerate(shown.iter_rows(named=True)):
        cells = list(row.values())
        is_share = rules not in columns and any("%" in cell for cell in cells)
        by = [*units, what] if repeated and not is_share else units
        key = (str(number == 0),) if levels else tuple(row[name] for name in by)
        groups.setdefault(key, []).append(cells)
    return PageTable(shown.columns, list(groups.values()), every or texts.height, marks, about)


SIZES = ("screen", "phone")
"""The sizes that every chart is drawn in; the page shows the one that fits."""

MOST_ROWS, PRINTED_ROWS = 40, 5
"""Rows of a table that a page shows on a screen and in print; the file has all."""


@dataclass(frozen=True)
class Section:
    """A question and its answer, each by language (``en``, ``it``), and the result files with the figures to show.

    An answer is a text, or sentences; findings can stand on the front page. A figure is named as
    ``plot --figure`` names it, None for the first. ``name`` is that of the page, by default the first file's.
    """

    question: Mapping[str, str]
    answer: Mapping[str, str | Sequence[Sentence]]
    charts: tuple[tuple[Path, str | None], ...]
    name: str = ""

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """The files, read."""
        return tuple(Shown(read(path), path.name, figure) for path, figure in self.charts)

    def sentences(self, lang: str) -> list[Sentence]:
        """The answer, sentence by sentence."""
        answer = self.answer[lang]
        return ([answer] if answer else []) if isinstance(answer, str) else list(answer)


MOST_FOUND = 5
"""Findings of a front page."""


def front_findings(sections: Sequence[Section], lang: str) -> list[tuple[int, int]]:
    """The first finding of each section that compares nothing or is significant, in the order of the sections.

    Each is the place of the section and that of the sentence in its answer.
    """
    found = []
    for place, section in enumerate(sections):
        for number, sentence in enumerate(section.sentences(lang)):
            if isinstance(sentence, Finding) and holds(sentence):
                found.append((place, number))
                break
    return found[:MOST_FOUND]


def heading(metadata: Metadata, locale: Language) -> str:
    """What a file is of, as the heading of its page.

    >>> heading({"schema": "odds/2"}, language("it"))
    'Probabilità'
    """
    kind = re.split("[-/]", str(metadata["schema"]))[0]
    parts = _played(metadata, locale) if "request" in metadata else []
    return ": ".join(filter(None, (locale.say(WORDS["files"].get(kind, kind.capitalize())), ", ".join(parts))))


def _played(metadata: Metadata, locale: Language) -> list[str]:
    """The game and who plays."""
    about = (rules_title(metadata, locale), play_words(metadata, locale) or line_up_names(metadata, locale))
    return [part for part in about if part]


class Drawn(NamedTuple):
    """A chart as a page has it: what it is of, its finding, what it shows, its numbers in words, pictures by size."""

    of: Shown
    title: str
    shown: str
    alt: str
    pictures: Mapping[str, str]


@dataclass(frozen=True)
class Shown:
    """A result as a page shows it: its chart in every language and size, its table, its players."""

    result: Result
    file: str
    figure: str | None

    def drawn(self, lang: str, prefix: str) -> Drawn:
        """The chart in a language; what it names within itself begins with ``prefix``."""
        look = chosen(lang=lang, footer=False, title="", subtitle="")
        graphic = graphic_of(self.result.frame, self.result.metadata, self.figure, look)
        pictures = {size: inlined(graphic, replace(look, **LOOKS[size]), f"{prefix}{size[0]}") for size in SIZES}
        alt = alt_text(graphic.title, graphic.shown, graphic.body.chosen(look), look)
        return Drawn(self, graphic.title, graphic.shown, alt, pictures)

    @property
    def command(self) -> str:
        """The command that makes the file; a verb's names the file, a study's writes it itself."""
        command = self.result.command
        return f"{command} -o {self.file}" if command.startswith("cirulla-sim ") else command

    def whom(self, lang: str) -> str:
        """The game, who plays, how many hands and which seed."""
        locale, metadata = language(lang), self.result.metadata
        return " · ".join(filter(None, [*_played(metadata, locale), how_much(metadata, locale)]))

    def table(self, lang: str) -> PageTable:
        """The readers' table in a language, in groups of rows that can be compared."""
        locale = language(lang)
        every = readers_table(self.result.selected(), self.result.metadata, locale)
        return table_of(every, MOST_ROWS, locale, self._marks(lang))

    def printed(self, lang: str) -> PageTable:
        """The lines that readers want most."""
        locale = language(lang)
        lines, hidden = brief_table(self.result.selected(), self.result.metadata, locale)
        return table_of(lines, PRINTED_ROWS, locale, self._marks(lang), lines.height + hidden, narrow=True)

    def _marks(self, lang: str) -> str:
        locale = language(lang)
        every = readers_table(self.result.selected(), self.result.metadata, locale)
        return explanation(every, self.result.frame.columns, self.result.metadata, locale)
