"""A figure on its sheet: title and subtitle above, caption and method below, axes between; matplotlib lays it out.

The same bytes for the same data, written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import offset_copy
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ...core.errors import InputError
from ...storage.atomic_files import whole_file
from .graphic import Body, Graphic
from .look import DATA, SANS, Look
from .rows import LINE


class Chart(Figure):
    """A figure that a notebook shows, whatever its settings; ``alt`` says in words what it shows."""

    look, title, command, alt = Look(), "", "", ""

    def _repr_png_(self) -> bytes:
        written = BytesIO()
        with style(self.look):
            self.savefig(written, format="png", dpi=100)
        return written.getvalue()


@contextmanager
def style(look: Look) -> Iterator[None]:
    """Our settings, whatever the user's own, which are restored afterwards."""
    theme = look.theme
    ours: dict[str, Any] = {
        **DATA["matplotlib"],
        **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), theme.muted),
        "font.family": list(dict.fromkeys((look.font, SANS))), "font.size": look.points("small"),
        "text.color": theme.ink, "grid.color": theme.hair, "figure.facecolor": theme.paper,
    }  # fmt: skip
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(ours)  # type: ignore[arg-type]
        yield


def draw_figure(graphic: Graphic, look: Look) -> Chart:
    """The figure of a chart, as high as it must be.

    Raises ``InputError`` for rows, names or a reference that the chart does not have.
    """
    body, say = graphic.body.chosen(look), look.lang.say
    whiskers = "Whiskers: 95% intervals, which allow for how many are compared." if graphic.corrected else (
        "Whiskers: 95% intervals, where they are wide enough to be seen.")  # fmt: skip
    has_hollow = any(mark.hollow for mark in body.marks)
    tested = "Hollow, in parentheses: not significant ({n} tested; Holm, 5%)." if has_hollow else (
        "All shown are significant ({n} tested; Holm, 5%).")  # fmt: skip
    has_whiskers = not body.marks or any(mark.high > mark.low for mark in body.marks)
    method = (
        graphic.about, say(whiskers) if graphic.whiskers and has_whiskers else "",
        say(tested, n=look.lang.numerals(f"{graphic.tested:,}")) if graphic.tested else "", graphic.notes,
    )  # fmt: skip
    title = graphic.title if look.title is None else look.title
    subtitle = graphic.shown if look.subtitle is None else look.subtitle
    footer = " ".join(filter(None, method)) if look.footer else ""
    with style(look):
        figure = Chart(figsize=(look.width, 1), dpi=look.dots)
        FigureCanvasAgg(figure)
        figure.look, figure.command = look, graphic.command
        figure.title, figure.alt = title, alt_text(title, subtitle, body, look)
        top = _write(figure, 1, {"title": title, "subtitle": subtitle})
        bottom = _write(figure, 0, {"method": footer, "caption": look.caption, "others": body.others})
        top += _add_key(figure, body, top) + 0.06 * look.scale
        axes = figure.add_subplot()
        high = body.draw(axes, look)
        _lay_out(figure, top + high + 3 + bottom, top, bottom)
        _add_lines(axes, body, look)
        height = figure.get_figheight()
        _lay_out(figure, height, top, bottom)
        _lay_out(figure, height + high - height * axes.get_position(original=True).height, top, bottom)
        figure.set_layout_engine("none")
    return figure


def _lay_out(figure: Chart, height: float, top: float, bottom: float) -> None:
    """Give the axes the room between the texts, which take so many inches of a figure so high."""
    figure.set_figheight(height)
    width, margin = figure.get_figwidth(), figure.look.margin
    rect = (margin / width, bottom / height, 1 - 2 * margin / width, 1 - (top + bottom) / height)
    layout = ConstrainedLayoutEngine(rect=rect, w_pad=0, h_pad=0)
    figure.set_layout_engine(layout)
    layout.execute(figure)


def _write(figure: Chart, edge: int, texts: Mapping[str, str | None]) -> float:
    """Write texts from the upper (1) or the lower (0) edge of the figure on; returns the inches that they take."""
    look, used = figure.look, 0.7 * figure.look.margin
    for kind, text in texts.items():
        size, colour, weight = DATA["text"][kind]
        if text:
            place = offset_copy(figure.transFigure, figure, look.margin, -used if edge else used, "inches")
            written = figure.text(
                0, edge, look.wrapped(text, look.width - 2 * look.margin, size, weight), fontsize=look.points(size),
                transform=place, va="top" if edge else "bottom", weight=weight, color=getattr(look.theme, colour),
                gid=kind,
            )  # fmt: skip
            used += written.get_window_extent().height / figure.dpi + 0.04 * look.scale
    return used + 0.04 * look.scale


def _add_key(figure: Chart, body: Body, down: float) -> float:
    """Which series has which marker, or which part of a bar is filled how; returns the inches that it takes."""
    look = figure.look
    if len(body.series) < 2:
        return 0.0
    handles = [
        Patch(**look.part(number)) if body.stacked else
        Line2D([], [], color=colour, marker=marker, linestyle="none", markersize=4.4 * look.scale)
        for number, (colour, marker) in enumerate(map(look.marker, range(len(body.series))))
    ]  # fmt: skip
    em, room = look.points("small") / 72, look.width - 2 * look.margin
    names = [look.wrapped(name, room - 2.5 * em, "small") for name in body.series]
    beside = sum(look.width_of(name, "small") + 3.5 * em for name in names) <= room
    place = offset_copy(figure.transFigure, figure, look.margin, -down, "inches")
    key = figure.legend(
        handles, names, loc="upper left", bbox_to_anchor=(0, 1), bbox_transform=place, frameon=False,
        ncols=len(names) if beside else 1, borderpad=0, borderaxespad=0, handlelength=1, handleheight=0.9,
        handletextpad=0.5, columnspacing=1.5, labelspacing=0.4,
    )  # fmt: skip
    for text in key.get_texts():
        text.set_gid("key")
    return key.get_window_extent().height / figure.dpi + 0.06 * look.scale


def _add_lines(axes: Axes, body: Body, look: Look) -> None:
    """Lines at numbers of the axis, with names above that do not go beyond the axes."""
    over, own, wide = 3.0 * look.scale, look.reference, look.width * axes.get_position(original=True).width
    if own and body.stacked:
        own = own[0] / 100, own[1]  # bars are shares of 1 on an axis in percent
    for value, name in filter(None, (body.reference, own)):
        low, high = axes.get_xlim()
        edge = 0.03 * (high - low) * (not low <= value <= high)
        low, high = min(low, value - edge), max(high, value + edge)
        axes.set_xlim(low, high)
        if body.stacked:  # across bars, which would hide it
            axes.axvline(value, color=look.theme.paper, linewidth=2.4 * look.scale, zorder=2)
        axes.axvline(value, color=look.theme.muted, linewidth=0.9 * look.scale, zorder=2 if body.stacked else 0.6,
                     gid="reference-line")  # fmt: skip
        text = look.wrapped(name, wide, "small")
        at, half = wide * (value - low) / (high - low), look.width_of(text, "small") / 2
        left = min(max(0.0, at - half), wide - 2 * half)
        axes.annotate(
            text, (value, 1), xycoords=axes.get_xaxis_transform(), xytext=(72 * (left - at), over),
            textcoords="offset points", va="bottom", color=look.theme.muted, gid="reference",
        )  # fmt: skip
        over += LINE * look.points("small") * (text.count("\n") + 1)


# ------------------------------------------------------------------------------------------------ words

MOST_WORDS = 12
"""Rows or values that are put in words."""


def alt_text(title: str, shown: str, body: Body, look: Look) -> str:
    """What a chart shows to whom does not see it: the finding, what is shown, the numbers as they are drawn."""
    words = list(body.words)
    more = [look.lang.say("{n} more rows", n=len(words) - MOST_WORDS)] if len(words) > MOST_WORDS else []
    sentences = [title, shown, "; ".join(words[:MOST_WORDS] + more)]
    return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)


# ------------------------------------------------------------------------------------------------ files

SUFFIXES = (".png", ".svg", ".pdf")

MOST_COLOURS = 192
"""Colours of a png, which makes it a third as large."""

_FALLBACK = f"'{SANS}', Verdana, sans-serif"
"""Verdana has nearly the same widths, where a reader's machine has no DejaVu."""


def suffix_of(path: Path, where: str = "") -> str:
    """The format of a chart by its file name.

    Raises ``InputError`` for another ending.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError("{where}{path!r} does not end as a chart's file (valid: {valid})", where, path, SUFFIXES)
    return path.suffix.lower()[1:]


def save_figure(figure: Chart, path: Path) -> None:
    """Write a figure as png of few colours, svg with real text or pdf, by the name of the file.

    Raises ``InputError`` if the name has another ending or the file cannot be written.
    """
    form = suffix_of(path)
    about: dict[str, dict[str, str | None]] = {
        "png": {"Description": figure.command, "Software": "cirulla-sim"},
        "svg": {"Description": figure.command, "Creator": "cirulla-sim", "Date": None},
        "pdf": {"Subject": figure.command, "Creator": "cirulla-sim", "Producer": None, "CreationDate": None},
    }
    written = BytesIO()  # written to the disk by Python, whose errors are plain
    with style(figure.look), whole_file(path) as part:
        figure.savefig(written, format=form, metadata={"Title": figure.title, **about[form]})
        data = written.getvalue()
        if form == "png":
            data = _as_png(written)
        elif form == "svg":
            alt = f"</title>\n <desc>{escape(figure.alt, quote=False)}</desc>"
            data = data.replace(f"'{SANS}'".encode(), _FALLBACK.encode()).replace(b"</title>", alt.encode(), 1)
        part.write_bytes(data)


def _as_png(picture: BytesIO) -> bytes:
    """A picture with a palette; what it says of itself is kept."""
    texts, written = PngInfo(), BytesIO()
    with Image.open(picture) as image:
        few = image.convert("RGB").quantize(MOST_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        for key in ("Title", "Description", "Software"):
            texts.add_itxt(key, str(image.info[key]))
        few.save(written, format="png", optimize=True, pnginfo=texts, dpi=image.info["dpi"])
    return written.getvalue()
