"""Result files read again, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.arguments import public, words
from ..core.errors import InputError, unknown
from ..experiments.compare_readers import for_readers as comparison_for_readers
from ..experiments.compare_readers import line_ups_for_readers as comparisons_for_readers
from ..experiments.side_by_side import for_readers as line_ups_for_readers
from ..experiments.tournament_readers import as_text
from ..experiments.win_table import every_tenth
from ..questions.first_deal_table import FIRST_DEAL
from ..questions.odds_readers import answers_for_readers, caption
from ..questions.odds_readers import for_readers as odds_for_readers
from ..reporting.result import Result
from ..reporting.text.layouts import for_print
from ..reporting.text.locale import language
from ..storage.tables import headlines, read_kept
from ..storage.tables import read as read_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN: dict[str, Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame | str]] = {
    "simulate": lambda frame, made: headlines(frame),
    "games": lambda frame, made: headlines(frame),
    "compare": lambda frame, made: comparison_for_readers(frame),
    "compare-line-ups": lambda frame, made: comparisons_for_readers(frame),
    "tournament": as_text,
    "simulate-line-ups": lambda frame, made: line_ups_for_readers(headlines(frame)),
    "games-line-ups": lambda frame, made: line_ups_for_readers(headlines(frame)),
    "win-table": lambda frame, made: every_tenth(frame),
    "review": lambda frame, made: for_print(frame, made, language("en")),
    "odds": lambda frame, made: (
        odds_for_readers(frame)
        if made.get("trial") == FIRST_DEAL
        else answers_for_readers(frame, "--histogram " in made["command"])
    ),
}
"""What a reader sees of a file, by what made it; of others the table as it is."""


@public
def read(path: str | Path, *, only: str | Sequence[str] | None = None) -> Result:
    """A result from its file: as it was when it was written, to be shown, drawn and put together with others.

    ``only`` names the quantities to be shown. Raises ``InputError`` if there is no such file, it is not one of ours, or
    has no such quantity.
    """
    file = Path(path)
    frame, made = read_table(file)
    names = () if only is None else words(only)
    known = frame["quantity"].unique(maintain_order=True).to_list() if names else []
    for name in names:
        if name not in known:
            raise unknown("quantity", name, known, where="--only: ")
    kept = {name: text for name, text in read_kept(file).items() if name.startswith("cirulla_sim_")}
    schema = made["schema"].partition("/")[0]
    shown = _SHOWN.get(schema)
    below: dict[str, Any] = {"caption": caption(made)} if schema == "odds" else {}
    asked = frame.filter(pl.col("quantity").is_in(names)) if names else None
    seen = asked if asked is not None else frame if shown is None else shown(frame, made)
    return Result(frame, made, seen, kept=kept, only=tuple(names), **below)


@public
def plot(
    result: Result | str | Path | Sequence[Result | str | Path],
    *,
    output: str | Path | None = None,
    figure: str | None = None,
    lang: str = "en",
    title: str | None = None,
    subtitle: str | None = None,
    caption: str | None = None,
    footer: bool = True,
    width: float | str | None = None,
    size: str | None = None,
    theme: str = "light",
    axis: str = "linear",
    dpi: int | str | None = None,
) -> Figure:
    """A chart of a result or of its file, as a matplotlib figure; the same result gives the same chart.

    Several results of ``simulate``, ``games`` or ``odds`` stand in one chart, a row each, called by what differs.

    ``output`` writes it, as png, svg or pdf by its ending, the same bytes every time. ``figure`` names one of the
    result's figures (a name it does not have lists them). ``lang`` is ``en`` or ``it``. ``title`` and ``subtitle``
    stand in place of what the chart says of itself, ``caption`` under it, and ``footer=False`` leaves out the command.
    ``width`` is in inches, or a text as ``90mm`` or ``3.75in``, the height follows; ``size`` is ``column``, ``page``,
    ``screen`` or ``phone``, with type to match; ``theme`` is ``light``, ``dark`` or ``grey``. ``axis="log"`` draws
    sizes of differences, and chances, on a logarithmic axis. ``dpi`` are the dots an inch of a png.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.
    """
    from ..reporting.charts import draw as figures

    chart = None if output is None else Path(output)
    if chart is not None:
        figures.known_suffix(chart, where="-o ")
    look = figures.chosen(
        width=width, size=size, theme=theme, lang=lang, axis=axis, title=title, subtitle=subtitle, caption=caption,
        footer=footer, dpi=dpi,
    )  # fmt: skip
    results = [result] if isinstance(result, (Result, str, Path)) else list(result)
    if not results:
        raise InputError("no file to draw (valid: result files)")
    parts = [_drawn_from(one, chart) for one in results]
    try:
        if len(parts) > 1:
            drawn = figures.draw_several(parts, figure, look)
        else:
            if figure is not None and figure not in (names := figures.names(parts[0][1])):
                raise unknown("figure", figure, names)
            drawn = figures.draw(*parts[0], figure, look)
    except InputError as error:
        where = "--figure" if figure is not None else _named(results[0]) if len(parts) == 1 else "several files"
        raise InputError(f"{where}: {error}") from None
    except Exception as fault:  # whatever a table that others wrote may hold
        if all(isinstance(one, Result) for one in results):
            raise
        raise InputError(
            f"{_named(results[0])}: its table cannot be drawn: {type(fault).__name__}, {' '.join(str(fault).split())} "
            "(valid: a table as it was written)"
        ) from None
    if chart is not None:
        try:
            figures.save(drawn, chart)
        except InputError as error:
            raise InputError(f"-o {error}") from None
    return drawn


def _named(result: Result | str | Path) -> str:
    return repr(result if isinstance(result, Result) else str(result))


def _drawn_from(result: Result | str | Path, chart: Path | None) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The table of a result and how it was made; raises ``InputError`` for the file of the chart itself."""
    from ..reporting.charts import draw as figures

    if isinstance(result, Result):
        return result.frame, dict(result.made)
    file = Path(result)
    frame, made = read_table(file)
    try:
        figures.names(made)
    except InputError as error:
        raise InputError(f"{str(file)!r}: {error}") from None
    if chart is not None and chart.exists() and chart.samefile(file):
        raise InputError(f"-o {str(chart)!r} is the file to draw itself (name another file)")
    return frame, made
