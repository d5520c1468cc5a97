"""Result tables as readers want them: words for names, sensible digits, ± for intervals, "1 in n" for chances.

The terminal shows the lines that readers want most, other formats all but distributions, and a whole table all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import polars as pl

from ...core.locale import Language
from ...situation.night import Night
from ...stats.decisions import P_VALUES
from ...storage.tables import headlines
from ..kinds import result_kind
from . import facts, labels, lines
from .cells import Cells, in_columns
from .labels import Metadata


class ReadersTable(NamedTuple):
    """A table of texts, its headings too; how many lines of the result it leaves out; what its marks mean."""

    texts: pl.DataFrame
    hidden: int
    marks: str


def readers_table(
    frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False, brief: bool = False
) -> ReadersTable:
    """A result table for readers: a line for what a number is of, columns to compare.

    Distributions are left out unless the ``whole`` table is wanted or there is nothing else; a ``brief`` table has the
    lines that readers want most. The decimals of a column are those that its lines ask for.
    """
    kind = result_kind(metadata)
    rows = [frame.filter(view.rows) for view in kind.views if view.table] if brief and frame.height else []
    wanted = pl.concat(rows).unique(maintain_order=True) if rows else frame
    cells = list(cells_of(wanted if wanted.height else frame, metadata, locale, whole))
    first = dict.fromkeys(tuple(about.items()) for about, _, _ in cells if about)
    first = dict.fromkeys([*first][: kind.most]) if brief else first
    shown = (cell for cell in cells if not cell[0] or tuple(cell[0].items()) in first)
    texts, hidden = pivot(in_columns(shown, locale)), 0
    if brief:
        every = [about for about, _, _ in cells_of(frame, metadata, locale, False) if about]
        heads = list(dict.fromkeys(head for about in every for head in about))[:1] or texts.columns[:1]
        texts = texts.select(name for name in texts.columns if name in heads or (texts[name] != "").any())
        hidden = len({tuple(about.items()) for about in every}) - texts.height
    return ReadersTable(texts, hidden, _marks(texts, frame.columns, metadata, locale))


def cells_of(
    frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool, typed: bool = False
) -> Iterator[Cells]:  # fmt: skip
    """The cells of a table with headings in a language: the rows of its views where a kind has no others, all but few
    where not ``whole``; with what was ``typed`` for spreadsheets alone.
    """
    kind = result_kind(metadata)
    if frame.is_empty():
        return
    if kind.only_views:
        own = pl.concat([frame.filter(view.rows) for view in kind.views]).unique(maintain_order=True)
        no_view = frame.filter(~pl.col("quantity").is_in(own["quantity"].unique())) if whole else frame.clear()
        frame = pl.concat([own, no_view]) if own.height else frame
    elif not whole and kind.without == "distributions":
        frame = headlines(frame)
    elif not whole and kind.without:
        every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
        frame = frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)
    if frame.height:
        for about, heading, cell in kind.lines(labels.with_titles(frame, metadata), metadata, locale):
            shown = {locale.say(head): text for head, text in about.items() if typed or head != lines.EXPRESSION}
            yield shown, locale.say(heading), cell


def _marks(texts: pl.DataFrame, columns: Collection[str], metadata: Metadata, locale: Language) -> str:
    """How differences were tested, and what parentheses mean if a table of texts has any.

    ``columns`` are those of the result; of tournaments and advice intervals are not corrected.
    """
    in_parentheses = any(texts[name].str.contains(r"^\(.*\)$").any() for name in texts.columns)
    if metadata.get("levels") == "holm":
        if in_parentheses:
            return locale.say("± of differences allows for how many are compared (Holm, 5%); in parentheses: may be 0.")
        return locale.say("± of differences allows for how many are compared (Holm, 5%).")
    if not in_parentheses or not {*P_VALUES} & {*columns}:
        return ""
    if {*P_VALUES} <= {*columns}:
        return locale.say("Parentheses: not significant (margins: Holm, gaps in strength: Tukey–Kramer; 5%).")
    return locale.say("Parentheses: not significant (Holm, 5%).")


def pivot(every: Iterable[tuple[dict[str, str], str, str]]) -> pl.DataFrame:
    """Lines of what is about the same thing, a column for each heading, in the order they come."""
    table: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    heads, names = dict[str, None](), dict[str, None]()
    for about, heading, cell in every:
        names[heading] = None
        heads |= dict.fromkeys(about)
        if about:
            table.setdefault(tuple(about.items()), dict(about))[heading] = cell
    order = heads | names
    rows = [[line.get(name, "") for name in order] for line in table.values()]
    return pl.DataFrame(rows, schema=dict.fromkeys(order, pl.String), orient="row")


def caption(metadata: Metadata, locale: Language, trial: bool = True, frame: pl.DataFrame | None = None) -> str:
    """What a table is about and for which players, in a line; without what one ``trial`` is if a reading says it.

    Of the ``frame`` of a comparison it says which rules other numbers of sides play.
    """
    of_seat, anywhere, _ = (metadata.get("trial") or "" if trial else "").partition(", from any seat")
    _, is_night, night = of_seat.partition("a night, ")
    one = " / ".join(map(locale.phrase, of_seat.split(" / ")))
    one = locale.say("a night, {night}", night=Night.parse(night).text(locale.name)) if is_night else one
    one = locale.say("{trial}, from any seat", trial=one) if anywhere else one
    players = labels.play_words(metadata, locale)
    table = pl.DataFrame() if frame is None else frame
    parts = [one, labels.rules_title(metadata, locale), players, labels.how_much(metadata, locale, table.to_dicts())]
    shown = (part if part.startswith("cirulla-sim") else labels.capital(part) for part in parts if part)
    about = f"{'. '.join(shown)}.{labels.changed_words(metadata, locale)}"
    sides = facts.sides_words(table, metadata, locale)
    return " ".join(filter(None, (about, sides, labels.top_words(metadata, locale))))
