"""Figures of result files, by the schema of the file: drawn from a table and its metadata alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ...core.errors import InputError
from ...storage.tables import SCHEMA
from ..text.labels import Metadata, titled
from ..text.readings import readings
from . import figures
from . import several_files as several
from .figure_parts import Graphic
from .figures import chart_names as chart_names
from .look import Chart, Look, style
from .sheet import Block, Pen, stack, text_block


def graphic_of(frame: pl.DataFrame, metadata: Metadata, name: str | None, look: Look) -> Graphic:
    """A figure before it is drawn: its finding, what it shows, its rows.

    Raises ``InputError`` for a name that has no figure, and where there is nothing to show.
    """
    return figures.graphic_of(_ready(titled(frame, metadata)), metadata, name, look.language)


def draw_all(
    parts: Sequence[tuple[pl.DataFrame, Metadata]], name: str | None = None, look: Look | None = None
) -> Chart:
    """The figure of a result table, or of several of one kind in one chart, as wide as a page or as asked.

    It is the first that has something to show unless named. What does not fit is on further sheets, in its ``rest``.

    Raises ``InputError`` for a kind of file or a name that has no figure, where there is nothing to show, and for
    tables that do not go together.
    """
    look = look or Look()
    if len(parts) > 1:
        tables = [(_ready(titled(frame, metadata)), metadata) for frame, metadata in parts]
        graphic = several.graphic(tables, name, look.language)
    else:
        [(frame, metadata)] = parts
        graphic = graphic_of(frame, metadata, name, look)
        if not metadata["schema"].startswith("odds/"):  # the subtitle of which is the reading
            graphic = replace(graphic, shown=" ".join([graphic.shown, *readings(metadata, look.language, about=False)]))
    first, *rest = sheets(graphic, look)
    first.rest = tuple(rest)
    return first


def sheets(graphic: Graphic, look: Look) -> list[Chart]:
    """The figure of a chart; of one that does not fit, several.

    Raises ``InputError`` for rows, names or an axis that the chart does not have.
    """
    around = 0.12 if look.narrow else 0.2 * look.scale
    wide, margin = look.width - 2 * around, 1.4 * around
    if look.axis == "log" and not graphic.body.has_scale:
        raise InputError("--axis log: this figure has no scale of sizes (valid: linear)")
    body = graphic.body.chosen(look)
    title = graphic.title if look.title is None else look.title
    subtitle = graphic.shown if look.subtitle is None else look.subtitle
    whiskers = graphic.whiskers and body.has_whiskers
    sentence = "Whiskers: 95% intervals, which allow for how many are compared." if graphic.corrected else (
        "Whiskers: 95% intervals, where they are wide enough to be seen.")  # fmt: skip
    intervals = look.language.say(sentence) if whiskers else ""
    tested = ""
    if graphic.tested:
        sentence = "Hollow, in parentheses: not significant ({n} tested; Holm, 5%)." if body.has_hollow else (
            "Significant among {n} tested (Holm, 5%).")  # fmt: skip
        tested = look.language.say(sentence, n=look.language.numerals(f"{graphic.tested:,}"))
    method = " ".join(filter(None, (graphic.about, intervals, tested, graphic.notes))) if look.footer else ""

    def sheet(part: Block, number: str = "") -> Block:
        texts = {"title": title, "subtitle": number + subtitle, "caption": look.caption or "", "method": method}
        above, below = 0.12 * look.scale, 0.08 * look.scale
        head_1, head_2, *foot = (text_block(text, kind, wide, look) for kind, text in texts.items())
        return stack(head_1, head_2, Block(above), part, Block(below), *foot, gap=0.02)

    with style(look):
        room = look.tallest - margin - sheet(Block(0.0), "(99/99) ").height
        parts = body.blocks(wide, room, look)
        drawn = []
        for number, part in enumerate(parts, 1):
            whole = sheet(part, f"({number}/{len(parts)}) " if len(parts) > 1 else "")
            figure = Chart(figsize=(look.width, whole.height + margin), dpi=look.dots)
            figure.look = look
            figure.set_label(f"{title}\n{graphic.command}")
            FigureCanvasAgg(figure)
            whole.draw(Pen(figure, look, around, 0.7 * around))
            drawn.append(figure)
    return drawn


def _ready(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers, and without intervals that one trial does not give."""
    if missing := [column for column in SCHEMA if column not in frame.columns]:
        raise InputError("the table has no column {column!r} (valid: a table written by cirulla-sim)", missing[0])
    numbers = frame["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == frame["value"].null_count():
        frame = frame.with_columns(numbers)
    single = pl.col("std_error").is_infinite().fill_null(False)
    return frame.with_columns(
        pl.when(single).then(pl.col("estimate")).otherwise(pl.col(end)).alias(end) for end in ("ci_low", "ci_high")
    )
