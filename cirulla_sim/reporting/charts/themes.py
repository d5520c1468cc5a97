"""Colours of figures: a theme is a frozen set of them, each at least 3 to 1 against the paper, so it holds in grey."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from matplotlib.colors import LinearSegmentedColormap, to_rgb

RGB = tuple[float, ...]


@dataclass(frozen=True)
class Theme:
    """The colours of a figure, as ``#rrggbb``."""

    ink: str
    muted: str
    hair: str
    paper: str
    chances: tuple[str, str, str]
    """Of a map of chances: 0, one half, 1."""
    margins: tuple[str, str, str]
    """Of a matrix of margins: behind, even, ahead."""
    series: tuple[str, ...]
    """Of series beside each other; each has its own marker too."""

    @cached_property
    def chance_map(self) -> LinearSegmentedColormap:
        """``chances`` as matplotlib's colour map."""
        return LinearSegmentedColormap.from_list("chances", self.chances)

    @cached_property
    def margin_map(self) -> LinearSegmentedColormap:
        """``margins`` as matplotlib's colour map."""
        return LinearSegmentedColormap.from_list("margins", self.margins)

    def on(self, colour: str | Sequence[float]) -> str:
        """Ink or paper, whichever is read better on a colour."""
        return max((self.ink, self.paper), key=lambda text: contrast(text, colour))


def _luminance(colour: str | Sequence[float]) -> float:
    """How light a colour is to the eye, 0 to 1 (WCAG's relative luminance, with its exponent rounded)."""
    red, green, blue = to_rgb(colour)  # type: ignore[arg-type]
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)


def contrast(colour: str | Sequence[float], other: str | Sequence[float]) -> float:
    """How much lighter one of two colours is than the other, from 1 to 21.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    return math.exp(abs(math.log(_luminance(colour) + 0.05) - math.log(_luminance(other) + 0.05)))


_LIGHT = Theme(
    ink="#1c1c1c", muted="#5c5c5c", hair="#d9d9d9", paper="#ffffff",
    chances=("#bf5b04", "#ffffff", "#17406d"),
    margins=("#bf5b04", "#ffffff", "#17406d"),
    series=("#17406d", "#bf5b04", "#3d7a3a", "#7b3f86", "#6b6b6b", "#a83232", "#2a8c8c"),
)  # fmt: skip
_DARK = Theme(
    ink="#f0f0f0", muted="#a9afb6", hair="#3a3f46", paper="#15181c",
    chances=("#ffbf78", "#15181c", "#5a9be0"),
    margins=("#ffbf78", "#15181c", "#5a9be0"),
    series=("#5a9be0", "#ffbf78", "#8fce8a", "#cf9bdc", "#b9b9b9", "#f08a8a", "#6fd0d0"),
)  # fmt: skip
_GREY = Theme(
    ink="#111111", muted="#555555", hair="#d9d9d9", paper="#ffffff",
    chances=("#ffffff", "#a6a6a6", "#2a2a2a"),  # even lightness would say who is ahead only if it went one way
    margins=("#c4c4c4", "#ffffff", "#3a3a3a"),
    series=("#1a1a1a", "#808080", "#4d4d4d", "#8c8c8c", "#333333", "#737373", "#666666"),
)  # fmt: skip

THEMES = MappingProxyType({"light": _LIGHT, "dark": _DARK, "grey": _GREY})
"""The themes by name."""
