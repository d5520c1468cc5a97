"""The one look of all figures, and saving them: whole or not at all, the same bytes for the same data.

The two colours of the sides differ in lightness too, and every side has its own marker and line, so a chart holds in
greyscale and for colour-blind readers. The font comes with matplotlib and has the suits and Latin letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from ..errors import InputError
from ..kept import whole_file

INK = "#1c1c1c"
MUTED = "#5c5c5c"
HAIR = "#d9d9d9"
PAPER = "#ffffff"
DEALER = "#17406d"
OTHERS = "#bf5b04"
RAMP = ("#17406d", "#8fb3d1", "#ece7dc")
"""Dark, middle, light: an order that survives greyscale."""

MARKERS = {"dealer": "o", "others": "s"}
COLOURS = {"dealer": DEALER, "others": OTHERS}
LINES = {"dealer": "-", "others": (0, (4, 1.5))}

SMALL = 7.5
TEXT = 8.5
HEADING = 10.5
TITLE = 14.0
FOOTER = 6.5

DPI = 200
SCREEN_DPI = 100
SUFFIXES = (".png", ".svg", ".pdf")

_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": TEXT,
    "text.color": INK,
    "text.hinting": "none",
    "text.parse_math": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "grid.color": HAIR,
    "grid.linewidth": 0.6,
    "xtick.color": MUTED,
    "xtick.labelsize": SMALL,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "xtick.minor.size": 0.0,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": TEXT,
    "ytick.major.size": 0.0,
    "ytick.major.pad": 6.0,
    "ytick.minor.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": TEXT,
    "figure.dpi": DPI,
    "figure.facecolor": PAPER,
    "savefig.dpi": DPI,
    "savefig.facecolor": PAPER,
    "svg.hashsalt": "cirulla-sim",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def style() -> Iterator[None]:
    """Our look, whatever the user's own settings; what was set before is back afterwards."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        for name, value in _STYLE.items():
            matplotlib.rcParams[name] = value  # type: ignore[index]
        yield


class Chart(Figure):
    """A figure that a notebook shows, whatever its settings."""

    def _repr_png_(self) -> bytes:
        written = BytesIO()
        with style():
            self.savefig(written, format="png", dpi=SCREEN_DPI)
        return written.getvalue()


def known_suffix(path: Path, where: str = "") -> str:
    """The format of a chart by its file name.

    Raises ``InputError`` for a name that tells none of ours.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{where}{str(path)!r} does not end as a chart's file (valid: {', '.join(SUFFIXES)})")
    return suffix[1:]


def save(figure: Figure, path: Path) -> None:
    """Write a figure as png, svg or pdf by the name of the file.

    Raises ``InputError`` if the name has another ending or the file cannot be written.
    """
    form = known_suffix(path)
    with style(), whole_file(path) as part:
        figure.savefig(part, format=form, metadata=_about(figure, form))


def _about(figure: Figure, form: str) -> dict[str, Any]:
    """What the file says of itself: the title and the command, but no date."""
    title, _, command = str(figure.get_label()).partition("\n")
    kept: dict[str, dict[str, Any]] = {
        "png": {"Title": title, "Description": command, "Software": "cirulla-sim"},
        "svg": {"Title": title, "Description": command, "Creator": "cirulla-sim", "Date": None},
        "pdf": {"Title": title, "Subject": command, "Creator": "cirulla-sim", "Producer": None, "CreationDate": None},
    }
    return kept[form]
