"""A page of the report: a question with its answer in every language, and the files that show it with their tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from ...core.locale import Language, language
from ..charts.figures import graphic_of
from ..charts.graphic import Graphic
from ..charts.look import SIZES as LOOKS
from ..charts.look import THEMES, Look, read_look
from ..charts.sheet import alt_text, draw_figure, style
from ..result import Result, read
from ..text.findings import Sentence
from ..text.labels import WORDS, Metadata, how_much, line_up_names, play_words, rules_title
from ..text.tables import ReadersTable, readers_table

UNITS = ("Per", "As")
"""Columns that say what a number of a row is, besides its name."""

ABOUT = ("Side", "What", *UNITS)
"""Columns that need not stand in every row of a narrow table if they are the same in all."""

NARROW = 9
"""Columns that fit a printed page."""


class PageTable(NamedTuple):
    """Headings, rows in groups of one unit, how many rows are shown and the file has, what marks mean.

    ``about`` is what is the same in all rows, where no column has it.
    """

    head: list[str]
    groups: list[list[list[str]]]
    shown: int
    every: int
    marks: str
    about: str = ""


def page_table(table: ReadersTable, most: int, locale: Language, narrow: bool = False) -> PageTable:
    """The first rows of a table for readers; rows of one unit, such as points a hand, stand together.

    Shares of all kinds are one unit, means are if they are of one quantity. In a table of rules the first row has
    levels, the others differences from them.

    A ``narrow`` table has no columns that say nothing in these rows, and no more than fit a printed page.

    >>> names = {"What": ["Points", "Hands", "Sweeps"], "Per": ["hand", "game", "hand"], "All": ["1", "2", "3"]}
    >>> from cirulla_sim.core.locale import language
    >>> import polars as pl
    >>> page_table(ReadersTable(pl.DataFrame(names), 0, ""), 9, language("en")).groups
    [[['Points', 'hand', '1'], ['Sweeps', 'hand', '3']], [['Hands', 'game', '2']]]
    """
    shown, about = table.texts.head(most), ""
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
    return PageTable(
        columns, list(groups.values()), shown.height, table.texts.height + table.hidden, table.marks, about
    )


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
    def shown(self) -> list[Result]:
        """The files, read."""
        return [read(path) for path, _ in self.charts]

    def sentences(self, lang: str) -> list[Sentence]:
        """The answer, sentence by sentence."""
        answer = self.answer[lang]
        return ([answer] if answer else []) if isinstance(answer, str) else list(answer)


def heading(metadata: Metadata, locale: Language) -> str:
    """What a file is of, as the heading of its page.

    >>> heading({"schema": "odds/2"}, language("it"))
    'Probabilità'
    """
    kind = re.split("[-/]", str(metadata["schema"]))[0]
    parts = game_and_players(metadata, locale) if "request" in metadata else []
    return ": ".join(filter(None, (locale.say(WORDS["files"].get(kind, kind.capitalize())), ", ".join(parts))))


def game_and_players(metadata: Metadata, locale: Language) -> list[str]:
    """The rules of a file, and who plays."""
    about = (rules_title(metadata, locale), play_words(metadata, locale) or line_up_names(metadata, locale))
    return [part for part in about if part]


class PageChart(NamedTuple):
    """A chart as a page has it: its finding, what it shows, its numbers in words, pictures by size, and its file.

    Of the file it has the game with its players, the command, and the readers' table in full and for print.
    """

    title: str
    shown: str
    alt: str
    pictures: Mapping[str, str]
    whom: str
    file: str
    command: str
    table: PageTable
    printed: PageTable


def charts_of(section: Section, lang: str, prefix: str) -> list[PageChart]:
    """The charts of a page in a language; what they name within themselves begins with ``prefix``."""
    locale, look = language(lang), read_look(lang=lang, footer=False, title="", subtitle="")
    charts = []
    for number, (result, (path, figure)) in enumerate(zip(section.shown, section.charts, strict=True)):
        graphic = graphic_of(result.frame, result.metadata, figure, locale)
        pictures = {
            size: _inlined(graphic, replace(look, **LOOKS[size]), f"{prefix}-{number}{size[0]}") for size in SIZES
        }
        whom = [*game_and_players(result.metadata, locale), how_much(result.metadata, locale)]
        command = result.command  # that of a study names its file
        command += f" -o {path.name}" if command.startswith("cirulla-sim ") else ""
        charts.append(PageChart(
            graphic.title, graphic.shown, alt_text(graphic.title, graphic.shown, graphic.body.chosen(look), look),
            pictures, " · ".join(filter(None, whom)), path.name, command, *tables_of(result, locale),
        ))  # fmt: skip
    return charts


def tables_of(result: Result, locale: Language) -> tuple[PageTable, PageTable]:
    """The readers' table of a result in groups of rows that can be compared, and the lines that readers want most."""
    frame, metadata = result.selected(), result.metadata
    every, brief = (readers_table(frame, metadata, locale, brief=brief) for brief in (False, True))
    printed = page_table(brief._replace(marks=every.marks), PRINTED_ROWS, locale, narrow=True)
    return page_table(every, MOST_ROWS, locale), printed


# ------------------------------------------------------------------------------------------------ pictures


_LIGHT, _DARK = ((theme.ink, theme.muted, theme.hair, theme.paper, *theme.series)
                 for theme in (THEMES["light"], THEMES["dark"]))  # fmt: skip
_OTHER = dict(zip(_LIGHT, _DARK, strict=True))
"""The colours of a dark page, by those of a light one."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_NEEDLESS = re.compile(
    r'<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>|font-family: [^;"]*; ?'
    r'|\s*transform="rotate\(-?0 [^)]*\)"|(?<=>)\s+|\n',
    re.S,
)
"""What a page does not need: it has a style sheet of its own."""


def _inlined(graphic: Graphic, look: Look, prefix: str) -> str:
    """A chart as one element with the colours of a light and a dark page; a map, which is an image, as two."""
    written = BytesIO()
    with style(look):
        draw_figure(graphic, look).savefig(written, format="svg", metadata={"Date": None})
    svg = written.getvalue().decode("utf-8")
    if "<image" not in svg:
        return _COLOUR.sub(lambda match: f"light-dark({match[0]},{_OTHER[match[0]]})", _cleaned(svg, prefix))
    if look.theme is THEMES["dark"]:
        return f'<div class="dark">{_cleaned(svg, f"{prefix}d")}</div>'
    dark = _inlined(graphic, replace(look, theme=THEMES["dark"]), prefix)
    return f'<div class="light">{_cleaned(svg, f"{prefix}l")}</div>{dark}'


def _cleaned(svg: str, prefix: str) -> str:
    """An svg file as an element of a page: as wide as there is room, in its type, with no names but those it uses.

    >>> _cleaned('<?xml?><svg width="10pt" height="5pt" viewBox="0 0 10 5"><path id="a" d="M 1.234 5"/>'
    ...          '<use xlink:href="#a"/><g id="b"/></svg>', "p")
    '<svg aria-hidden="true" viewBox="0 0 10 5"><path id="p0" d="M 1.23 5"/><use href="#p0"/><g/></svg>'
    """
    head, body = svg[svg.index("<svg") :].split(">", 1)
    view = re.search(r'viewBox="[^"]*"', head)
    body = _NEEDLESS.sub("", body)
    used = dict.fromkeys(re.findall(r'(?:url\(#|href="#)([^)"]+)', body))
    names = {name: f"{prefix}{number}" for number, name in enumerate(used)}
    body = re.sub(r'\sid="([^"]*)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", body)
    body = re.sub(r'(?:xlink:)?(url\(#|href="#)([^)"]+)', lambda m: m[1] + names[m[2]], body)
    body = re.sub(r"(?<=\.\d\d)\d+(?=[^<>]*/?>)", "", body)
    return f'<svg aria-hidden="true" {view[0] if view else ""}>{body}'
