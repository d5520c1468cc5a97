"""The one look of all figures, and saving them: whole or not at all, the same bytes for the same data.

The font comes with matplotlib and has the suits and Latin letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ...core.errors import InputError
from ...storage.atomic_files import whole_file
from .look import Look

SCREEN_DPI = 100
SUFFIXES = (".png", ".svg", ".pdf")

MOST_COLOURS = 192
"""Colours of a png, which makes it a third as large."""

_SANS = "'DejaVu Sans'"
_FALLBACK = "'DejaVu Sans', Verdana, sans-serif"
"""Verdana has nearly the same widths, where a reader's machine has no DejaVu."""

_FIXED: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "text.hinting": "none",
    "text.parse_math": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.grid": False,
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
    "legend.frameon": False,
    "savefig.dpi": "figure",
    "savefig.facecolor": "auto",
    "svg.hashsalt": "cirulla-sim",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def _of(look: Look) -> dict[str, Any]:
    """The settings of matplotlib that depend on the look."""
    colours, sizes = look.colours, look.type
    return {
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
        "legend.fontsize": sizes.text,
        "figure.dpi": look.dots,
        "figure.facecolor": colours.paper,
    }


@contextmanager
def style(look: Look | None = None) -> Iterator[None]:
    """Our settings, whatever the user's own, which are restored afterwards."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        for name, value in (_FIXED | (_of(look) if look else {})).items():
            matplotlib.rcParams[name] = value  # type: ignore[index]
        yield


class Chart(Figure):
    """A figure that a notebook shows, whatever its settings; ``rest`` has the sheets that follow it."""

    rest: tuple[Chart, ...] = ()

    def _repr_png_(self) -> bytes:
        written = BytesIO()
        with style():
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


def save(figure: Figure, path: Path) -> None:
    """Write a figure as png of few colours, svg with real text or pdf, by the name of the file.

    Raises ``InputError`` if the name has another ending or the file cannot be written.
    """
    form = suffix_of(path)
    title, _, command = str(figure.get_label()).partition("\n")
    with style(), whole_file(path) as part:
        if form == "png":
            part.write_bytes(_as_png(figure, {"Title": title, "Description": command, "Software": "cirulla-sim"}))
        elif form == "svg":
            about = {"Title": title, "Description": command, "Creator": "cirulla-sim", "Date": None}
            written = BytesIO()
            figure.savefig(written, format="svg", metadata=about)
            part.write_text(written.getvalue().decode("utf-8").replace(_SANS, _FALLBACK), "utf-8", newline="\n")
        else:
            about = {"Title": title, "Subject": command, "Creator": "cirulla-sim"}
            about |= {"Producer": None, "CreationDate": None}
            written = BytesIO()  # written to the disk by Python, whose errors are plain
            figure.savefig(written, format="pdf", metadata=about)
            part.write_bytes(written.getvalue())


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
