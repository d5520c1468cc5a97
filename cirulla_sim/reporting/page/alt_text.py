"""What a chart shows, in words: its finding, and the rows that are drawn with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..charts.look import Look
from ..charts.rows import Row, Rows
from ..charts.sheet import Graphic

MOST = 12
"""Rows that are put in words."""


def alt_text(graphic: Graphic, look: Look, lines: Sequence[str]) -> str:
    """The finding, what is shown, and the rows as they are drawn: name, value ± half width.

    ``lines`` are said of a chart that has no rows, such as a curve or a map.
    """
    body = graphic.body.chosen(look)
    described = list(_rows(body)) if isinstance(body, Rows) else list(lines)
    left_out = len(described) - MOST
    described = described[:MOST] + ([look.say("{n} more rows", n=left_out)] if left_out > 0 else [])
    sentences = [graphic.title, graphic.shown, "; ".join(described)]
    return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)


def _rows(rows: Rows) -> Iterator[str]:
    for group in rows.groups:
        for number, row in enumerate(group.rows):
            heading = f"{group.heading}: " if group.heading and number == 0 else ""
            yield f"{heading}{row.label} {_values(row, rows)}"


def _values(row: Row, rows: Rows) -> str:
    """The numbers of a row, each named where there are several."""
    if row.parts:
        return ", ".join(f"{name} {part.text}" for name, part in zip(rows.parts, row.parts, strict=True) if part.text)
    heads = rows.heads or ("",) * max((len(mark.texts) for mark in row.marks), default=0)
    texts = []
    for mark in row.marks:
        named = [f"{head} {text}".strip() for head, text in zip(heads, mark.texts, strict=False) if text]
        series = f"{rows.series[mark.series]} " if len(rows.series) > 1 and mark.series < len(rows.series) else ""
        texts.append(series + ", ".join(named))
    return ", ".join(texts)
