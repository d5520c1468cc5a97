"""How a figure looks: one frozen value that every drawing function takes.

The one look of all figures, and saving them: whole or not at all, the same bytes for the same data.

Unless another is asked for, the font is matplotlib's own, which has the suits too; it stands in for what another lacks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ...core.arguments import LANGUAGES, choice, switch_of, text_of, texts_of
from ...core.errors import InputError, unknown
from ...core.locale import Language, language
from ...core.messages import Message
from ...storage.atomic_files import whole_file

DATA = tomllib.loads(files(__package__).joinpath("look.toml").read_text("utf-8"))
"""Colours, sizes, kinds of texts and settings."""


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

SIZES: Mapping[str, Mapping[str, Any]] = DATA["size"]
"""Where a chart is shown: a column and a page in print, a screen and a phone; what each asks of a look."""

SANS = "DejaVu Sans"

MOST = 8
"""Rows of a figure, unless all of them are asked for or only one more would be left out."""

NARROWEST, WIDEST = SIZES["column"]["width"], 40.0
"""Inches a page may be across."""

AXES = ("linear", "log")
"""Scales of the axis of rows of marks."""


class TypeSizes(NamedTuple):
    """Sizes of type in points."""

    footer: float
    small: float
    text: float
    title: float


@dataclass(frozen=True)
class Look:
    """Width, type, colours, language and words of a figure, and its rows; ``None`` for the figure's own words."""

    width: float = SIZES["page"]["width"]
    """Inches across."""
    dots: int = 200
    """Dots an inch."""
    scale: float = 1.0
    """How much larger type and distances are than in print."""
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

    @property
    def tallest(self) -> float:
        """Inches that a figure may be high: a printed page, 230 mm."""
        return 9.055 * self.scale

    @property
    def narrow(self) -> bool:
        """Whether there is little room: in a column of print, or on a phone."""
        return self.width < 5 * self.scale

    @property
    def type(self) -> TypeSizes:
        """Sizes of type, with a smaller title where there is little room."""
        return TypeSizes(*(self.scale * size for size in (7.0, 7.5, 8.5, 11.0 if self.narrow else 14.0)))

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
    return Look(**{**SIZES.get(values.pop("size", ""), {}), **values})


def _font(name: str) -> str:
    """An installed font; raises ``InputError`` with the nearest name for one that is not."""
    installed = {own.lower(): own for own in fontManager.get_font_names()}
    name = text_of("--font", name)
    return installed.get(name.lower()) or choice("--font", "font", name, sorted(installed.values()))


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
    if not NARROWEST - 0.005 <= across <= WIDEST:
        raise InputError("{flag} {width!r} is out of range {valid}", flag, width, valid)
    return across


def _texts(value: object) -> tuple[str, ...]:
    """Texts, each of which may be several with commas between them."""
    return tuple(part.strip() for text in texts_of("--rows", value) for part in text.split(","))


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
    "rows": _texts,
    "all": partial(switch_of, "--all"),
}
"""How the options of a look are read and checked."""


SCREEN_DPI = 100
SUFFIXES = (".png", ".svg", ".pdf")

MOST_COLOURS = 192
"""Colours of a png, which makes it a third as large."""

_FALLBACK = f"'{SANS}', Verdana, sans-serif"
"""Verdana has nearly the same widths, where a reader's machine has no DejaVu."""


@contextmanager
def style(look: Look = Look()) -> Iterator[None]:
    """Our settings, whatever the user's own, which are restored afterwards."""
    colours = look.colours
    muted = ("axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    ours: dict[str, Any] = {
        **DATA["matplotlib"],
        **dict.fromkeys(muted, colours.muted),
        "font.family": list(dict.fromkeys((look.font, SANS))),
        "font.size": look.type.small,
        "text.color": colours.ink,
        "grid.color": colours.hair,
        "figure.facecolor": colours.paper,
    }
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(ours)  # type: ignore[arg-type]
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
    about: dict[str, dict[str, str | None]] = {
        "png": {"Description": command, "Software": "cirulla-sim"},
        "svg": {"Description": command, "Creator": "cirulla-sim", "Date": None},
        "pdf": {"Subject": command, "Creator": "cirulla-sim", "Producer": None, "CreationDate": None},
    }
    written = BytesIO()  # written to the disk by Python, whose errors are plain
    with style(figure.look), whole_file(path) as part:
        figure.savefig(written, format=form, metadata={"Title": title, **about[form]})
        data = written.getvalue()
        if form == "png":
            data = _as_png(written)
        elif form == "svg":
            data = data.replace(f"'{SANS}'".encode(), _FALLBACK.encode())
        part.write_bytes(data)


def _as_png(drawn: BytesIO) -> bytes:
    """A picture with a palette; what it says of itself is kept."""
    texts, written = PngInfo(), BytesIO()
    with Image.open(drawn) as picture:
        few = picture.convert("RGB").quantize(MOST_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        for key in ("Title", "Description", "Software"):
            texts.add_itxt(key, str(picture.info[key]))
        few.save(written, format="png", optimize=True, pnginfo=texts, dpi=picture.info["dpi"])
    return written.getvalue()
