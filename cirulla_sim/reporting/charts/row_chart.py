"""A chart of rows: which of its rows are shown, what they are called, and the parts it is drawn in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.errors import unknown
from .look import Look
from .row_drawing import page_block
from .row_layout import Strip, layout_of
from .rows import Group, Row, RowData
from .sheet import Block

MOST = 8
"""Rows of a figure, unless all of them are asked for."""


@dataclass(frozen=True)
class Rows(RowData):
    """A chart of rows."""

    def chosen(self, look: Look) -> Rows:
        """The rows that the look names, or the first that show an effect, called as the look has it.

        Raises ``InputError`` for rows and names that there are not.
        """
        rows = self.rows
        names = [name for row in rows for name in dict.fromkeys((row.key, row.label)) if name]
        headings = [group.heading for group in self.groups if group.heading]
        for flag, known, given in (
            ("--rows ", names, look.rows),
            ("--label ", [*names, *self.series, *self.parts, *headings], [old for old, _ in look.label]),
        ):
            if wrong := [name for name in given if name not in known]:
                raise unknown("row" if flag == "--rows " else "name", wrong[0], dict.fromkeys(known), where=flag)
        if look.rows:
            shown = [row for name in dict.fromkeys(look.rows) for row in rows if name in (row.key, row.label)]
            shown = list(dict.fromkeys(shown))
        elif look.all or len(rows) <= MOST:
            shown = rows
        else:
            telling = [row for row in rows if not row.dull] or rows
            shown = [row for row in rows if row in telling[:MOST]]
        groups = [Group(heading, tuple(row for row in own if row in shown)) for heading, own in self.groups]
        if look.rows and len(groups) == 1:
            groups = [Group(self.groups[0].heading, tuple(shown))]
        left_out, renamed = [row for row in rows if row not in shown], dict(look.label)
        return replace(
            self,
            groups=tuple(_renamed(group, look) for group in groups if group.rows),
            series=tuple(renamed.get(name, name) for name in self.series),
            parts=tuple(renamed.get(name, name) for name in self.parts),
            others="" if look.rows else _others(left_out, look),
        )

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have; every part has its axis."""
        layout = layout_of(self, wide, look)
        around = layout.top(self) + layout.bottom(self)
        pages: list[list[Strip]] = [[]]
        for strip in layout.strips:
            full = sum(one.height for one in pages[-1]) + strip.height + around > room
            if full and any(one.row for one in pages[-1]):
                heading = pages[-1].pop() if not pages[-1][-1].row else None
                pages.append([heading] if heading else [])
            pages[-1].append(strip)
        last = len(pages) - 1
        return [page_block(self, strips, layout, look, number == last) for number, strips in enumerate(pages)]


def _renamed(group: Group, look: Look) -> Group:
    names = dict(look.label)

    def label(row: Row) -> str:
        return names.get(row.label, names.get(row.key, row.label))

    heading = names.get(group.heading, group.heading)
    return Group(heading, tuple(replace(row, label=label(row)) for row in group.rows))


def _others(left_out: Sequence[Row], look: Look) -> str:
    if not left_out:
        return ""
    dull, count = sum(row.dull for row in left_out), look.numerals(f"{len(left_out):,}")
    if dull == len(left_out):
        return look.say("{n} others: no measurable effect", n=count) if dull > 1 else look.say(
            "1 other: no measurable effect")  # fmt: skip
    if dull:
        return look.say("{n} others are smaller, {k} of them without measurable effect", n=count, k=dull)
    return look.say("{n} others are not shown", n=count) if len(left_out) > 1 else look.say(
        "1 other is not shown")  # fmt: skip
