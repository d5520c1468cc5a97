"""Whether charts break: what overlaps, what is cut, what is too high or too small."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cirulla_sim.reporting.charts.look import SIZES, Look
from cirulla_sim.reporting.charts.style import Chart, style

TOUCH = 1.0
"""Dots by which boxes may overlap: rounding."""


def texts_of(figure: Figure) -> Iterator[tuple[Text, Bbox]]:
    """The texts that are seen, and their boxes in dots; labels within a map may stand where they like."""
    renderer = figure.canvas.get_renderer()
    inside = {text for axes in figure.axes for text in axes.texts if text.get_gid() is None}
    hidden = inside.union(*(_beyond(axes) for axes in figure.axes))
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text, text.get_window_extent(renderer)


def _beyond(axes: Axes) -> set[Text]:
    """Labels of marks beyond the ends of an axis: they are not drawn."""
    return {
        label
        for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim())))
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if not low <= tick.get_loc() <= high
    }


def check_sheet(figure: Figure, look: Look) -> None:
    """That every text is on the sheet, none is too small and no two overlap, and that the sheet is not too high."""
    width, height = figure.get_size_inches()
    assert height <= look.tallest + 1e-6, (height, look.tallest)
    sheet = Bbox.from_bounds(0, 0, width * figure.dpi, height * figure.dpi)
    with style(look):  # as it is saved
        figure.draw_without_rendering()
        boxes = list(texts_of(figure))
    least = SIZES[look.size or "page"].type.footer
    for text, box in boxes:
        assert text.get_fontsize() >= least, text
        assert box.x0 >= sheet.x0 - TOUCH, (text, box)
        assert box.x1 <= sheet.x1 + TOUCH, (text, box)
        assert box.y0 >= sheet.y0 - TOUCH, (text, box)
        assert box.y1 <= sheet.y1 + TOUCH, (text, box)
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        line = 0.35 * min(a.height, b.height)  # lines of one text stand close: ascenders beside descenders
        assert across <= TOUCH or up <= line, (one, a, other, b)


def check_chart(figure: Chart, look: Look) -> None:
    """Check all sheets of a chart."""
    for sheet in (figure, *figure.rest):
        check_sheet(sheet, look)
