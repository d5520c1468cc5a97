"""How a figure looks: one frozen value that every drawing function takes, and how its options are read.

Unless the font is chosen, it is matplotlib's own, which has the suits too; it stands in for what another lacks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.textpath import text_to_path

from ...core.arguments import LANGUAGES, choice, switch_of, text_of, texts_of
from ...core.data import load_toml
from ...core.errors import InputError, unknown
from ...core.locale import Language, language
from ...core.messages import Message

DATA = load_toml(__package__, "look.toml")
"""Colours, sizes, kinds of texts, measures and settings."""


class Theme(NamedTuple):
    """The colours of a figure, as ``#rrggbb``."""

    ink: str
    muted: str
    hair: str
    paper: str
    chances: Sequence[str]
    """Of a map of chances: 0, one half and 1."""
    series: Sequence[str]
    """Of series beside each other; each has its own marker too."""


THEMES = {name: Theme(**colours) for name, colours in DATA["theme"].items()}
"""The themes by name."""

ENGLISH = language("en")

SIZES: Mapping[str, Mapping[str, Any]] = DATA["size"]
"""Where a chart is shown: a column and a page in print, a screen and a phone; what each asks of a look."""

SANS = "DejaVu Sans"

MOST = 8
"""Rows of a figure, unless all of them are asked for or only one more would be left out."""

NARROWEST, WIDEST = SIZES["column"]["width"], 40.0
"""Inches a page may be across."""


@dataclass(frozen=True)
class Look:
    """Width, type, colours, language and words of a figure, and its rows; ``None`` for the figure's own words."""

    width: float = SIZES["page"]["width"]
    """Inches across."""
    dots: int = 200
    """Dots an inch."""
    scale: float = 1.0
    """How much larger type and distances are than in print."""
    theme: Theme = THEMES["light"]
    lang: Language = ENGLISH
    font: str = SANS
    title: str | None = None
    subtitle: str | None = None
    caption: str | None = None
    footer: bool = True
    label: tuple[tuple[str, str], ...] = ()
    """What rows and series are called instead: old and new names."""
    rows: tuple[str, ...] = ()
    """The only rows to show, in this order; none for those that suit the figure."""
    all: bool = False
    """Whether to show every row, however many there are."""
    sort: str = "none"
    highlight: tuple[str, ...] = ()
    """Rows that stand out; none for all alike."""
    reference: tuple[float, str] | None = None
    """A line at a number of the axis, and its name."""

    @property
    def margin(self) -> float:
        """Inches around everything."""
        return 0.12 if self.narrow else 0.2 * self.scale

    @property
    def narrow(self) -> bool:
        """Whether there is little room: in a column of print, or on a phone."""
        return self.width < 5 * self.scale

    def points(self, size: str) -> float:
        """A size of type in points; the title is smaller where there is little room."""
        return self.scale * float(DATA["points"]["narrow-title" if size == "title" and self.narrow else size])

    def width_of(self, text: str, size: str, weight: str = "normal") -> float:
        """Inches that the widest line of a text takes."""
        return max(_line_width(line, self.points(size), self.font, weight) for line in text.split("\n"))

    def wrapped(self, text: str, room: float, size: str, weight: str = "normal") -> str:
        """Text in lines no wider than ``room`` inches; a word too long for a line is cut.

        >>> Look().wrapped("one two three", 0.6, "text"), Look().wrapped("incomprehensible", 0.6, "text")
        ('one two\\nthree', 'incompre\\nhensible')
        """
        text = lines = text.replace(" ± ", "\u00a0±\u00a0")  # a number and half its interval stay on one line
        most = int(1.2 * len(text) * room / max(room, self.width_of(text, size, weight))) + 1
        for characters in range(most, 0, -1):
            lines = textwrap.fill(text, characters, break_on_hyphens=False)
            if self.width_of(lines, size, weight) <= room:
                break
        return lines

    def marker(self, series: int) -> tuple[str, str]:
        """Colour and marker of a series, by its number."""
        colours, markers = self.theme.series, DATA["markers"]
        return colours[series % len(colours)], markers[series % len(markers)]

    def part(self, number: int) -> dict[str, Any]:
        """How a part of a bar is filled: every other one hatched, so that neighbours differ without colours."""
        (half, hatched), theme, hatches = divmod(number, 2), self.theme, DATA["hatches"]
        if hatched:
            hatch = hatches[half % len(hatches)]
            return {"facecolor": theme.paper, "edgecolor": theme.muted, "hatch": hatch, "linewidth": 0.6}
        return {"facecolor": theme.series[half], "edgecolor": theme.paper, "linewidth": 0.6}


def axis_text(locale: Language, unit: str) -> Callable[..., str]:
    """How the numbers of an axis are written; the unit ``share`` shows shares of 1 in percent."""
    factor, sign = (100, "%") if unit == "share" else (1, unit)
    return lambda x, place=None: locale.numerals(f"{factor * x:,.10g}").replace("-", "−") + sign


@lru_cache(2**14)  # charts of one file say much the same
def _line_width(line: str, points: float, font: str, weight: str) -> float:
    """Inches that a line of text takes."""
    properties = FontProperties(family=[font, SANS], size=points, weight=weight)
    return float(text_to_path.get_text_width_height_descent(line, properties, ismath=False)[0]) / 72


# ------------------------------------------------------------------------------------------------ options


def read_look(**options: Any) -> Look:
    """A look by the names of its options, as ``cirulla_sim.plot`` has them: ``width`` in inches, ``90mm`` or ``3.5in``.

    Raises ``InputError`` that names the argument for one that is not valid.

    >>> look = read_look(width="90mm", reference="33,3%=fair share", label="no-matta=Without the matta")
    >>> round(look.width, 3), look.reference, look.label
    (3.543, (33.3, 'fair share'), (('no-matta', 'Without the matta'),))
    """
    for name in options:
        if name not in _READ:
            raise unknown("argument", name, list(_READ), where="plot: ")
    values: dict[str, Any] = {name: _READ[name](x) for name, x in options.items() if x is not None}
    return Look(**{**values.pop("size", {}), **values})


def _inches(width: float | str) -> float:
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(mm|cm|in|)\s*", str(width))
    inches = float(match[1]) * {"mm": 1 / 25.4, "cm": 1 / 2.54}.get(match[2], 1.0) if match else 0.0
    if not NARROWEST - 0.005 <= inches <= WIDEST:
        valid = Message("(valid: 90mm to 1016mm, or inches from 3.54 to 40, as 7.2 or 3.75in)")
        raise InputError("{flag} {width!r} is not a width {valid}", "--width", width, valid)
    return inches


def _font(name: str) -> str:
    installed = {own.lower(): own for own in fontManager.get_font_names()}
    name = text_of("--font", name)
    return installed.get(name.lower()) or choice("--font", "font", name, sorted(installed.values()))


def _new_name(text: str) -> tuple[str, str]:
    old, equals, new = text.rpartition("=")
    if not equals or not old.strip() or not new.strip():
        raise InputError("--label {text!r} is not a name and another (valid: OLD=NEW, as 'queen-matta=Queen')", text)
    return old.strip(), new.strip()


def _line(value: float | str) -> tuple[float, str]:
    """A number of the axis and what the line at it is called, by default as the number is written."""
    number, _, name = str(value).partition("=")
    match = re.fullmatch(r"\s*([+−-]?[0-9]*[.,]?[0-9]+)\s*%?\s*", number)
    if not match or isinstance(value, bool):
        valid = "(valid: a number of the axis, or NUMBER=NAME, as '25=a fair share')"
        raise InputError("--reference {value!r} is not a number {valid}", value, Message(valid))
    return float(match[1].replace("−", "-").replace(",", ".")), name.strip() or number.strip()


_READ: Mapping[str, Callable[[Any], Any]] = {
    "width": _inches,
    "size": lambda value: SIZES[choice("--size", "size", value, list(SIZES))],
    "theme": lambda value: THEMES[choice("--theme", "theme", value, list(THEMES))],
    "lang": lambda value: language(choice("--lang", "language", value, LANGUAGES)),
    "font": _font,
    **{name: partial(text_of, f"--{name}") for name in ("title", "subtitle", "caption")},
    "footer": partial(switch_of, "--no-footer"),
    "label": lambda value: tuple(map(_new_name, texts_of("--label", value))),
    **{name: partial(texts_of, f"--{name}") for name in ("rows", "highlight")},
    "sort": lambda value: choice("--sort", "order", value, ("size", "name", "none")),
    "reference": _line,
    "all": partial(switch_of, "--all"),
}
"""How the options of a look are read and checked; each raises ``InputError`` that names the flag."""
