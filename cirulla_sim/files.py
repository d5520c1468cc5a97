"""Result files read again, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from .arguments import door
from .chances import answers_for_readers, caption, told
from .chances import for_readers as odds_for_readers
from .comparison import for_readers as comparison_for_readers
from .comparison import line_ups_for_readers as comparisons_for_readers
from .contest import as_text
from .errors import InputError, unknown
from .kept import read as read_table
from .kept import read_kept
from .paired import line_ups_for_readers
from .runs import Result, headlines
from .whole_games import every_tenth

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
    "odds": lambda frame, made: (
        answers_for_readers(frame, "--histogram " in made["command"])
        if "--of" in made["command"] or " --table " in made["command"]
        else odds_for_readers(frame)
    ),
}
"""What a reader sees of a file, by what made it; of others the table as it is."""


@door
def read(path: str | Path) -> Result:
    """A result from its file: as it was when it was written, to be shown, drawn and put together with others.

    Raises ``InputError`` if there is no such file or it is not one of ours.
    """
    file = Path(path)
    frame, made = read_table(file)
    kept = {name: text for name, text in read_kept(file).items() if name.startswith("cirulla_sim_")}
    schema = made["schema"].partition("/")[0]
    shown = _SHOWN.get(schema)
    below: dict[str, Any] = {"told": told(made), "caption": caption(made)} if schema == "odds" else {}
    return Result(frame, made, frame if shown is None else shown(frame, made), kept=kept, **below)


@door
def plot(
    result: Result | str | Path,
    *,
    output: str | Path | None = None,
    figure: str | None = None,
    width: float | str | None = None,
) -> Figure:
    """A chart of a result or of its file, as a matplotlib figure; the same result gives the same chart.

    ``output`` writes it, as png, svg or pdf by its ending, the same bytes every time. ``figure`` names one of the
    result's figures (a name it does not have lists them); ``width`` is in inches, the height follows.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.
    """
    from . import figures

    chart = None if output is None else Path(output)
    if chart is not None:
        figures.known_suffix(chart, where="-o ")
    inches = None if width is None else _inches(width)
    file = None if isinstance(result, Result) else Path(result)
    frame, made = (result.frame, dict(result.made)) if isinstance(result, Result) else read_table(Path(result))
    named = repr(str(file)) if file is not None else repr(result)
    try:
        names = figures.names(made)
    except InputError as error:
        raise InputError(f"{named}: {error}") from None
    if figure is not None and figure not in names:
        raise unknown("figure", figure, names, where="--figure: ")
    if chart is not None and file is not None and chart.exists() and chart.samefile(file):
        raise InputError(f"-o {str(chart)!r} is the file to draw itself (name another file)")
    try:
        drawn = figures.draw(frame, made, figure, inches)
    except InputError as error:
        raise InputError(f"{'--figure' if figure is not None else named}: {error}") from None
    if chart is not None:
        try:
            figures.save(drawn, chart)
        except InputError as error:
            raise InputError(f"-o {error}") from None
    return drawn


def _inches(width: float | str) -> float:
    from .figures import NARROWEST, WIDEST

    valid = f"(valid: inches from {NARROWEST:g} to {WIDEST:g}, as 7.2)"
    try:
        inches = float(width)
    except ValueError:
        raise InputError(f"--width {width!r} is not a number {valid}") from None
    if not NARROWEST <= inches <= WIDEST:
        raise InputError(f"--width {str(width)!r} is out of range {valid}")
    return inches
