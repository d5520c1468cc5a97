"""What figures have in common: families of panels drawn together or alone, their heads, rows looked up in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from ...core.errors import InputError
from ..text.labels import Metadata, changed_words, play_words, rules_title
from .look import Look
from .page_layout import Head, Panel, page

Draw = Callable[[pl.DataFrame, Metadata, Look], Figure]
MakePanel = Callable[[pl.DataFrame, Metadata, Look], Panel | None]
MakeHead = Callable[[str, pl.DataFrame, Metadata, Look], Head]


@dataclass(frozen=True)
class Family:
    """Panels by the names of their figures; the figure called ``first`` has all of them, or those of ``together``."""

    first: str
    panels: Mapping[str, MakePanel]
    head: MakeHead
    otherwise: str
    """A file that has something to show where this has not."""
    together: Mapping[str, MakePanel] | None = None

    def figures(self, width: float, alone: float = 7.2) -> Mapping[str, tuple[Draw, float]]:
        """The figures by name, and the inches that suit all panels together, and one alone."""
        return {self.first: (partial(self.draw, self.first), width)} | {
            name: (partial(self.draw, name), alone) for name in self.panels
        }

    def panels_of(self, name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> list[Panel]:
        """The panels of a figure that have something to show."""
        makers = {name: self.panels[name]} if name in self.panels else self.together or self.panels
        return [panel for make in makers.values() if (panel := make(frame, metadata, look)) is not None]

    def draw(self, name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
        """A figure; raises ``InputError`` if there is nothing to show."""
        panels = self.panels_of(name, frame, metadata, look)
        if not panels:
            present = [other for other in self.panels if self.panels_of(other, frame, metadata, look)]
            valid = ", ".join([self.first, *present]) if present else self.otherwise
            raise InputError(f"figure {name!r} has nothing to show (valid: {valid})")
        return page(self.head(name, frame, metadata, look), panels, look)


def subject(metadata: Metadata, look: Look) -> str:
    """The rules and who plays."""
    return ", ".join(part for part in (rules_title(metadata, look), play_words(metadata, look)) if part)


def head(metadata: Metadata, look: Look, title: str, *sentences: str, what: str | None = None) -> Head:
    """The head of a figure: a title, or what it is of, and under it sentences and the rules that were changed."""
    what = subject(metadata, look) if what is None else what
    parts = [f"{what}." if title and what else "", *sentences]
    subtitle = " ".join(part for part in parts if part) + changed_words(metadata, look)
    return Head(title or what, subtitle, str(metadata.get("command") or ""))


def row_of(frame: pl.DataFrame, quantity: str, value: float | None = None, **columns: Any) -> dict[str, Any] | None:
    """The first row of a quantity with a value, or with none; None if there is no such row."""
    of_value = pl.col("value").is_null() if value is None else pl.col("value") == value
    rows = frame.filter(of_value, quantity=quantity, **columns)
    return rows.row(0, named=True) if rows.height else None
