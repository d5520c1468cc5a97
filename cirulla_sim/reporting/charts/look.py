"""How a figure looks: one frozen value that every drawing function takes.

The one look of all figures, and saving them: whole or not at all, the same bytes for the same data.

Unless another is asked for, the font is matplotlib's own, which has the suits too; it stands in for what another lacks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ...core.arguments import LANGUAGES, choice, switch_of, text_of, texts_of
from ...core.errors import InputError, unknown
from ...core.locale import Language, language
from ...core.messages import Message
from ...storage.atomic_files import whole_file


@dataclass(frozen=True)
class Theme:
    """The colours of a figure, as ``#rrggbb``."""

    ink: str
    muted: str
    hair: str
    paper: str
    chances: LinearSegmentedColormap
    """Of a map of chances, from 0 by one half to 1."""
    series: tuple[str, ...]
    """Of series beside each other; each has its own marker too."""

    def on(self, colour: str | Sequence[float]) -> str:
        """Ink or paper, whichever is read better on a colour: WCAG's contrast, with its exponent rounded."""
        light = {name: np.log(np.power(to_rgb(name), 2.2) @ (0.2126, 0.7152, 0.0722) + 0.05)  # type: ignore[arg-type]
                 for name in (self.ink, self.paper, colour)}  # fmt: skip
        return max((self.ink, self.paper), key=lambda text: abs(light[text] - light[colour]))


def _from(*colours: str) -> LinearSegmentedColormap:
    return LinearSegmentedColormap.from_list("theme", colours)


THEMES = MappingProxyType({
    "light": Theme(
        ink="#1c1c1c", muted="#5c5c5c", hair="#d9d9d9", paper="#ffffff",
        chances=_from("#bf5b04", "#ffffff", "#17406d"),
        series=("#17406d", "#bf5b04", "#3d7a3a", "#7b3f86", "#6b6b6b", "#a83232", "#2a8c8c"),
    ),
    "dark": Theme(
        ink="#f0f0f0", muted="#a9afb6", hair="#3a3f46", paper="#15181c",
        chances=_from("#ffbf78", "#15181c", "#5a9be0"),
        series=("#5a9be0", "#ffbf78", "#8fce8a", "#cf9bdc", "#b9b9b9", "#f08a8a", "#6fd0d0"),
    ),
    "grey": Theme(
        ink="#111111", muted="#555555", hair="#d9d9d9", paper="#ffffff",
        chances=_from("#ffffff", "#a6a6a6", "#2a2a2a"),  # even lightness would say who is ahead only if it went one way
        series=("#1a1a1a", "#808080", "#4d4d4d", "#8c8c8c", "#333333", "#737373", "#666666"),
    ),
})  # fmt: skip
"""The themes by name."""


SANS = "DejaVu Sans"

MOST = 8
"""Rows of a figure, unless all of them are asked for or only one more would be left out."""

NARROWEST, WIDEST = 90 / 25.4, 40.0
"""Inches a page may be across."""

AXES = ("linear", "log")
"""Scales of the axis of rows of marks."""


class TypeSizes(NamedTuple):
    """Sizes of type in points; none is smaller than ``footer``."""

    footer: float
    small: float
    text: float
    title: float
    narrow_title: float
    """Of a title where there is little room."""


_PRINT = TypeSizes(7.0, 7.5, 8.5, 14.0, 11.0)
_PIXELS = TypeSizes(9.0, 9.5, 10.5, 17.0, 13.0)  # 9 points are 12 of the pixels that 96 make an inch


class Size(NamedTuple):
    """Inches across, dots an inch and type of a place where a chart is shown."""

    width: float
    dpi: int
    type: TypeSizes


SIZES = {
    "column": Size(90 / 25.4, 300, _PRINT),
    "page": Size(170 / 25.4, 300, _PRINT),
    "screen": Size(1080 / 96, 192, _PIXELS),
    "phone": Size(390 / 96, 192, _PIXELS),
}
"""Where a chart is shown: a column of 90 mm and a page of 170 mm in print, 1080 and 390 pixels of a screen."""


@dataclass(frozen=True)
class Look:
    """Width, type, colours, language and words of a figure, and which of its rows; ``None`` for the figure's own words.

    >>> [round(25.4 * Look(width=inches).tallest) for inches in (90 / 25.4, 170 / 25.4)]
    [120, 170]
    """

    width: float = SIZES["page"].width
    """Inches across."""
    size: str | None = None
    theme: str = "light"
    lang: str = "en"
    axis: str = "linear"
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
    most: int = MOST + 1
    """Rows to show otherwise, where they fit."""
    shrunk: float = 1.0
    """How much smaller type is than usual, where there is little room."""

    @property
    def tallest(self) -> float:
        """Inches that a figure may be high: 120 mm at 90 mm across, 170 mm at 170 mm, and so on."""
        return round((120 + 0.625 * (25.4 * self.width / self.scale - 90)) / 25.4 * self.scale, 3)

    @property
    def _place(self) -> Size:
        """Dots and type of the place where the figure is shown."""
        return SIZES[self.size] if self.size else Size(self.width, 200, _PRINT)

    @property
    def dots(self) -> int:
        """Dots an inch."""
        return self._place.dpi

    @property
    def type(self) -> TypeSizes:
        """Sizes of type, with a smaller title where there is little room; the footer's is the smallest there is."""
        usual = self._place.type
        if self.narrow:
            usual = usual._replace(title=usual.narrow_title)
        return TypeSizes(*(max(usual.footer, size * self.shrunk) for size in usual))

    @property
    def scale(self) -> float:
        """How much larger type is than in print; distances grow as much."""
        return self._place.type.text / _PRINT.text

    @property
    def narrow(self) -> bool:
        """Whether there is little room: in a column of print, or on a phone."""
        return self.width < 5 * self.scale

    @property
    def colours(self) -> Theme:
        """The theme's colours."""
        return THEMES[self.theme]

    @property
    def language(self) -> Language:
        """The language's sentences and numerals."""
        return language(self.lang)


def chosen(**options: Any) -> Look:
    """A look by the names of its options, as ``cirulla_sim.plot`` has them: ``width`` in inches, ``90mm`` or ``3.5in``.

    Raises ``InputError`` that names the argument for one that is not valid.
    """
    for name in options:
        if name not in _READ:
            raise unknown("argument", name, list(_READ), where="plot: ")
    values: dict[str, Any] = {name: _READ[name](x) for name, x in options.items() if x is not None}
    if "size" in values:
        values.setdefault("width", SIZES[values["size"]].width)
    return Look(**values)


@cache
def _fonts() -> dict[str, str]:
    """The names of the installed fonts, by the same in small letters."""
    return {name.lower(): name for name in sorted({entry.name for entry in fontManager.ttflist})}


def _font(name: str) -> str:
    """An installed font; raises ``InputError`` with the nearest name for one that is not."""
    name = text_of("--font", name)
    if name.lower() not in _fonts():
        raise unknown("font", name, list(_fonts().values()), where="--font: ")
    return _fonts()[name.lower()]


_UNITS = {"": 1.0, "in": 1.0, "mm": 1 / 25.4, "cm": 1 / 2.54}


def inches(flag: str, width: float | str) -> float:
    """A width in inches, also as ``90mm`` or ``3.5in``.

    Raises ``InputError`` that names the flag.

    >>> inches("--width", "3.75in"), round(inches("--width", "90mm"), 3), inches("--width", 7.2)
    (3.75, 3.543, 7.2)
    """
    valid = Message("(valid: 90mm to 1016mm, or inches from 3.54 to 40, as 7.2 or 3.75in)")
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(mm|cm|in|)\s*", str(width))
    if not match:
        raise InputError("{flag} {width!r} is not a width {valid}", flag, width, valid)
    across = float(match[1]) * _UNITS[match[2]]
    if not NARROWEST - 0.005 <= across <= WIDEST or not math.isfinite(across):
        raise InputError("{flag} {width!r} is out of range {valid}", flag, width, valid)
    return across


def _texts(value: object) -> list[str]:
    """Texts, each of which may be several with commas between them."""
    return [part.strip() for text in texts_of("--rows", value) for part in text.split(",")]


def _renamed(text: str) -> tuple[str, str]:
    """An old name and a new one.

    Raises ``InputError`` if there are not both.
    """
    old, equals, new = text.rpartition("=")
    if not equals or not old.strip() or not new.strip():
        raise InputError("--label {text!r} is not a name and another (valid: OLD=NEW, as 'queen-matta=Queen')", text)
    return old.strip(), new.strip()


_READ: Mapping[str, Callable[[Any], Any]] = {
    "width": partial(inches, "--width"),
    "size": lambda value: choice("--size", "size", value, list(SIZES)),
    "theme": lambda value: choice("--theme", "theme", value, list(THEMES)),
    "lang": lambda value: choice("--lang", "language", value, LANGUAGES),
    "font": _font,
    "axis": lambda value: choice("--axis", "axis", value, AXES),
    "title": partial(text_of, "--title"),
    "subtitle": partial(text_of, "--subtitle"),
    "caption": partial(text_of, "--caption"),
    "footer": partial(switch_of, "--no-footer"),
    "label": lambda value: tuple(map(_renamed, texts_of("--label", value))),
    "rows": lambda value: tuple(_texts(value)),
    "all": partial(switch_of, "--all"),
}
"""How the options of a look are read and checked."""


SCREEN_DPI = 100
SUFFIXES = (".png", ".svg", ".pdf")

MOST_COLOURS = 192
"""Colours of a png, which makes it a third as large."""

_FALLBACK = f"'{SANS}', Verdana, sans-serif"
"""Verdana has nearly the same widths, where a reader's machine has no DejaVu."""

_FIXED: dict[str, Any] = {
    "text.hinting": "none",
    "text.parse_math": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "grid.linewidth": 0.6,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "xtick.minor.size": 0.0,
    "ytick.major.size": 0.0,
    "ytick.major.pad": 6.0,
    "ytick.minor.size": 0.0,
    "svg.hashsalt": "cirulla-sim",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def _of(look: Look) -> dict[str, Any]:
    """The settings of matplotlib that depend on the look."""
    colours, sizes = look.colours, look.type
    return {
        "font.family": list(dict.fromkeys((look.font, SANS))),
        "font.size": sizes.text,
        "text.color": colours.ink,
        "axes.edgecolor": colours.muted,
        "axes.facecolor": colours.paper,
        "axes.labelcolor": colours.muted,
        "axes.labelsize": sizes.small,
        "grid.color": colours.hair,
        "xtick.color": colours.muted,
        "xtick.labelsize": sizes.small,
        "ytick.color": colours.muted,
        "ytick.labelcolor": colours.ink,
        "ytick.labelsize": sizes.text,
        "figure.dpi": look.dots,
        "figure.facecolor": colours.paper,
    }


@contextmanager
def style(look: Look = Look()) -> Iterator[None]:
    """Our settings, whatever the user's own, which are restored afterwards."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_FIXED | _of(look))  # type: ignore[arg-type]
        yield


class Chart(Figure):
    """A figure that a notebook shows, whatever its settings; ``rest`` has the sheets that follow it."""

    look = Look()
    rest: tuple[Chart, ...] = ()

    def _repr_png_(self) -> bytes:
        written = BytesIO()
        with style(self.look):
            self.savefig(written, format="png", dpi=SCREEN_DPI)
        return written.getvalue()


def suffix_of(path: Path, where: str = "") -> str:
    """The format of a chart by its file name.

    Raises ``InputError`` for another ending.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError("{where}{path!r} does not end as a chart's file (valid: {valid})", where, path, SUFFIXES)
    return suffix[1:]


def save_figure(figure: Chart, path: Path) -> None:
    """Write a figure as png of few colours, svg with real text or pdf, by the name of the file.

    Raises ``InputError`` if the name has another ending or the file cannot be written.
    """
    form = suffix_of(path)
    title, _, command = str(figure.get_label()).partition("\n")
    written = BytesIO()  # written to the disk by Python, whose errors are plain
    with style(figure.look), whole_file(path) as part:
        if form == "png":
            data = _as_png(figure, {"Title": title, "Description": command, "Software": "cirulla-sim"})
        elif form == "svg":
            about = {"Title": title, "Description": command, "Creator": "cirulla-sim", "Date": None}
            figure.savefig(written, format="svg", metadata=about)
            data = written.getvalue().replace(f"'{SANS}'".encode(), _FALLBACK.encode()).replace(b"\r\n", b"\n")
        else:
            about = {"Title": title, "Subject": command, "Creator": "cirulla-sim", "Producer": None}
            figure.savefig(written, format="pdf", metadata={**about, "CreationDate": None})
            data = written.getvalue()
        part.write_bytes(data)


def _as_png(figure: Figure, about: dict[str, str]) -> bytes:
    """The picture with a palette, paper and ink kept as they are."""
    drawn, written = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png")
    texts = PngInfo()
    for key, text in about.items():
        texts.add_itxt(key, text)
    with Image.open(drawn) as picture:
        few = picture.convert("RGB").quantize(MOST_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(written, format="png", optimize=True, pnginfo=texts, dpi=(figure.dpi, figure.dpi))
    return written.getvalue()
