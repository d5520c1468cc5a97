"""How wide a text is, and how it is broken into lines: measured, so that no text leaves its room."""

from __future__ import annotations

import textwrap
from functools import lru_cache

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

LEADING = 1.3
"""From line to line, in sizes of the type."""

SANS = "DejaVu Sans"

PLUS_MINUS = "\u00a0±\u00a0"
"""A number and half its interval stay on one line."""

_DOTS = 288


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """How wide a line of text is, in inches."""
    return _dots_across(text, size, weight) / _DOTS


@lru_cache(2**14)  # charts of one file say much the same
def _dots_across(text: str, size: float, weight: str) -> float:
    font = FontProperties(family=SANS, size=size, weight=weight)
    return float(_renderer().get_text_width_height_descent(text, font, ismath=False)[0])  # type: ignore[no-untyped-call]


@lru_cache(1)
def _renderer() -> RendererAgg:
    return RendererAgg(1, 1, _DOTS)  # type: ignore[no-untyped-call]


def line_height(size: float) -> float:
    """Inches from line to line."""
    return size * LEADING / 72


def wrapped(text: str, room: float, size: float, weight: str = "normal", most: int | None = None) -> list[str]:
    """Text in lines no wider than ``room`` inches; a word too long for a line is cut, and text after ``most`` lines.

    >>> wrapped("one two three", 0.5, 9), wrapped("one two three", 0.5, 9, most=2), wrapped("", 1, 9)
    (['one two', 'three'], ['one two', 'three'], [])
    >>> wrapped("one two three four", 0.5, 9, most=2), "".join(wrapped("incomprehensible", 0.5, 9))
    (['one two', 'three…'], 'incomprehensible')
    """
    lines: list[str] = []
    line = ""
    for word in text.replace("\n", " ").replace(" ± ", PLUS_MINUS).split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, weight) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        if (wide := text_width(word, size, weight)) > room:
            *whole, line = textwrap.wrap(word, max(1, int(len(word) * room / wide * 0.9))) or [""]
            lines += whole
    lines = [*lines, line] if line else lines
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], shortened(f"{lines[most - 1]} {lines[most]}", room, size, weight)]


def shortened(text: str, room: float, size: float, weight: str = "normal") -> str:
    """Text no wider than ``room`` inches, with an ellipsis for what is left out."""
    if text_width(text, size, weight) <= room:
        return text
    while text and text_width(f"{text}…", size, weight) > room:
        text = text[:-1].rstrip()
    return f"{text}…"
