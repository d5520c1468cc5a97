"""A part of a page: a question with its answer in every language, and the files that show it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ...core.locale import language
from ..charts.draw import draw
from ..charts.look import chosen
from ..charts.style import save
from ..result import Result
from ..result_files import read
from ..text.labels import how_much, line_up_names, play_words, rules_title
from ..text.layouts import readers_table

SIZES = ("screen", "phone")
"""The sizes that every chart is drawn in; the page shows the one that fits."""

MOST_ROWS = 60
"""Rows of a table that a page shows; the file has all."""


@dataclass(frozen=True)
class Section:
    """A question and its answer, each by language (``en``, ``it``), and the result files with the figures to show.

    A figure is named as ``plot --figure`` names it, None for the first.
    """

    question: Mapping[str, str]
    answer: Mapping[str, str]
    charts: tuple[tuple[Path, str | None], ...]

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """The files, read and drawn."""
        return tuple(Shown(read(path), path.name, figure) for path, figure in self.charts)


class Chart(NamedTuple):
    """A chart as an element of a page, and what it says of itself."""

    title: str
    svg: str


@dataclass(frozen=True)
class Shown:
    """A result as a page shows it: its chart in every language and size, its table, for whom it holds."""

    result: Result
    file: str
    figure: str | None

    def chart(self, lang: str, size: str, prefix: str) -> Chart:
        """The chart in a language and a size; what it names within itself begins with ``prefix``."""
        look = chosen(lang=lang, size=size, footer=False)
        drawn = draw(self.result.frame, self.result.metadata, self.figure, look)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chart.svg"
            save(drawn, path)
            title = str(drawn.get_label()).partition("\n")[0]
            return Chart(title, inlined(path.read_text("utf-8"), prefix, title))

    @property
    def command(self) -> str:
        """The command that makes the file; a verb's names the file, a study's writes it itself."""
        command = self.result.command
        return f"{command} -o {self.file}" if command.startswith("cirulla-sim ") else command

    def whom(self, lang: str) -> str:
        """The game, who plays, how many hands and which seed."""
        locale, metadata = language(lang), self.result.metadata
        players = play_words(metadata, locale) or line_up_names(metadata, locale)
        parts = [rules_title(metadata, locale), players, how_much(metadata, locale)]
        return " · ".join(part for part in parts if part)

    def table(self, lang: str) -> pl.DataFrame:
        """The readers' table in a language, of texts."""
        return readers_table(self.result.selected(), self.result.metadata, language(lang))


def inlined(svg: str, prefix: str, title: str) -> str:
    """An svg file as an element of a page: as wide as there is room, its names told apart from others'.

    >>> inlined('<?xml?><svg width="10pt" height="5pt" viewBox="0 0 10 5"><g id="a"/></svg>', "p-", "A")
    '<svg role="img" aria-label="A" viewBox="0 0 10 5"><g id="p-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    head, rest = svg.split(">", 1)
    view = re.search(r'viewBox="[^"]*"', head)
    label = title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    head = f'<svg role="img" aria-label="{label}" {view[0] if view else ""}'
    names: set[str] = set()

    def prefixed(match: re.Match[str]) -> str:
        if match[1] in names:  # marks of a row share a name
            return ""
        names.add(match[1])
        return f' id="{prefix}{match[1]}"'

    rest = re.sub(r'\sid="([^"]*)"', prefixed, rest)
    rest = re.sub(r"url\(#", f"url(#{prefix}", rest)
    rest = re.sub(r'href="#', f'href="#{prefix}', rest)
    rest = re.sub(r'\bd="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), rest)  # never in a text
    return re.sub(r"\n\s*", "\n", f"{head}>{rest}")
