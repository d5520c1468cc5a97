"""Result tables as readers want them: words for names, sensible digits, ± for intervals, "1 in n" for chances.

The terminal shows the lines that readers want most, other formats all but distributions, and a whole table all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from ...core.locale import Language
from ...storage.tables import headlines
from ..kinds import Kind, kind_of
from . import facts, labels, lines, nights
from .cells import Cells, in_columns
from .labels import Metadata


def readers_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for readers, of texts, its headings too: a line for what a number is of, columns to compare.

    Distributions are left out unless the ``whole`` table is wanted or there is nothing else.
    """
    return _texts(cells_of(frame, metadata, locale, whole), locale)


def cells_of(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool) -> Iterator[Cells]:
    """The cells of a table with headings in a language."""
    kind = kind_of(metadata)
    yield from _cells(_rows(kind, frame, whole), kind, metadata, locale)


def brief_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> tuple[pl.DataFrame, int]:
    """The lines of ``readers_table`` for the terminal, and how many lines there are besides."""
    kind = kind_of(metadata)
    every = {tuple(about.items()): None for about, _, _ in cells_of(frame, metadata, locale, False) if about}
    rows = [frame.filter(view.rows) for view in kind.views if view.table] if frame.height else []
    brief = pl.concat(rows).unique(maintain_order=True) if rows else frame
    brief = _rows(kind, brief, False) if brief.height else _rows(kind, frame, False)
    shown = _texts(_cells(brief, kind, metadata, locale), locale, kind.most)
    first = list(dict.fromkeys(head for about in every for head, _ in about))[:1] or shown.columns[:1]
    shown = shown.select(name for name in shown.columns if name in first or (shown[name] != "").any())
    return shown, len(every) - shown.height


def _rows(kind: Kind, frame: pl.DataFrame, whole: bool) -> pl.DataFrame:
    """The rows that a kind's table has: those of its views where it has no others, all but few where not ``whole``."""
    if frame.is_empty():
        return frame
    if kind.only_views:
        own = pl.concat([frame.filter(view.rows) for view in kind.views]).unique(maintain_order=True)
        return own if own.height else frame
    if whole or not kind.without:
        return frame
    if kind.without == "distributions":
        return headlines(frame)
    every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
    return frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)


def _cells(frame: pl.DataFrame, kind: Kind, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    shown = labels.titled(frame, metadata)
    for about, heading, cell in kind.lines(shown, metadata, locale) if frame.height else ():
        yield {locale.say(head): text for head, text in about.items()}, locale.say(heading), cell


def _texts(every: Iterable[Cells], locale: Language, most: int | None = None) -> pl.DataFrame:
    """The first lines of a table; the decimals of a column are those that these ask for."""
    typed = locale.say(lines.EXPRESSION)  # for spreadsheets alone
    cells = [
        ({head: words for head, words in about.items() if head != typed}, head, cell) for about, head, cell in every
    ]
    first = [*dict.fromkeys(tuple(about.items()) for about, _, _ in cells if about)][:most]
    shown = (cell for cell in cells if not cell[0] or tuple(cell[0].items()) in first)
    return pivoted(in_columns(shown, locale))


def pivoted(every: Iterable[tuple[dict[str, str], str, str]]) -> pl.DataFrame:
    """Lines of what is about the same thing, a column for each heading, in the order they come."""
    table: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    about_names: dict[str, None] = {}
    names: dict[str, None] = {}
    for about, heading, cell in every:
        names[heading] = None
        if about:
            table.setdefault(tuple(about.items()), dict(about))[heading] = cell
            about_names |= dict.fromkeys(about)
    order = [*about_names, *(name for name in names if name not in about_names)]
    rows = [[line.get(name, "") for name in order] for line in table.values()]
    return pl.DataFrame(rows, schema=dict.fromkeys(order, pl.String), orient="row")


def caption(metadata: Metadata, locale: Language, trial: bool = True, frame: pl.DataFrame | None = None) -> str:
    """What a table is about and for which players, in a line; without what one ``trial`` is if a reading says it.

    Of the ``frame`` of a comparison it says which rules other numbers of sides play.
    """
    one = labels.trial_words(metadata.get("trial") or "", locale) if trial else ""
    players = nights.pairs_words(metadata, locale) or labels.play_words(metadata, locale)
    parts = [one, labels.rules_title(metadata, locale), players, labels.how_much(metadata, locale)]
    shown = (part if part.startswith("cirulla-sim") else labels.capital(part) for part in parts if part)
    sides = ""
    if frame is not None and "rules" in frame.columns:
        sides = facts.sides_words(facts.other_sides(frame.to_dicts(), metadata), locale)
    return " ".join(
        filter(
            None,
            (". ".join(shown) + "." + labels.changed_words(metadata, locale), sides, labels.highest(metadata, locale)),
        )
    )
