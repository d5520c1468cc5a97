"""Charts of results and of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.arguments import path_of, public, several, text_of
from ..core.errors import InputError, unknown
from ..reporting.result import Result
from ..reporting.result_files import read, showing

if TYPE_CHECKING:
    from ..reporting.charts.style import Chart

Source = Result | str | Path


@public
def plot(
    result: Source | Sequence[Source],
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
    rows: str | Sequence[str] = (),
    all: bool = False,
    label: str | Sequence[str] = (),
) -> Chart:
    """A chart of a result or of its file, as a matplotlib figure; the same result gives the same chart.

    Several results of ``simulate``, ``games`` or ``odds`` stand in one chart, a row or a group of rows each, called by
    what differs.

    ``output`` writes it as png, svg or pdf, by its ending, the same bytes every time. ``figure`` names one of the
    result's figures; a wrong name lists them. ``lang`` is ``en`` or ``it``.
    ``title`` and ``subtitle`` replace what the chart says of itself, ``caption`` stands under it, and ``footer=False``
    leaves out the line on the method. ``rows`` names the rows to show, ``all=True`` shows every row, and
    ``label="OLD=NEW"``, or several, calls a row or a series otherwise. ``width`` is in inches, or a text as ``90mm`` or
    ``3.75in``. ``size`` is ``column``, ``page`` (the usual), ``screen`` or ``phone``, with type to match; ``theme`` is
    ``light``, ``dark`` or ``grey``. ``axis="log"`` draws sizes of differences, and chances, on a logarithmic axis.

    The height is at most 120 mm at 90 mm across and 170 mm at 170 mm. What does not fit is on further sheets: the
    figure's ``rest`` has them, and ``output`` numbers their files, as ``chart-2.png``.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.
    """
    arguments = {name: value for name, value in locals().items() if name not in ("result", "output", "figure")}
    from ..reporting.charts import draw as charts

    sources = _sources(result)
    target = None if output is None else path_of("-o", output)
    figure = None if figure is None else text_of("--figure", figure)
    if target is not None:
        charts.suffix_of(target, where="-o ")
    look = charts.chosen(**arguments)
    parts = [_read(source, target) for source in sources]
    of_files = any(not isinstance(source, Result) for source in sources)  # else a fault is one of the program
    with showing(_named(sources[0])) if of_files else nullcontext(), _drawing(sources, figure):
        if len(parts) == 1 and figure is not None and figure not in (names := charts.names(parts[0].metadata)):
            raise unknown("figure", figure, names)
        drawn = charts.draw_all([(part.frame, part.metadata) for part in parts], figure, look)
    if target is not None:
        with at("-o"):
            for sheet, file in zip((drawn, *drawn.rest), files_of(drawn, target), strict=True):
                charts.save(sheet, file)
    return drawn


def files_of(drawn: Chart, target: Path) -> list[Path]:
    """The files of a chart's sheets: the target, and beside it the others with their numbers."""
    return [target, *(target.with_name(f"{target.stem}-{n}{target.suffix}") for n in range(2, 2 + len(drawn.rest)))]


def _sources(result: Source | Sequence[Source]) -> list[Source]:
    """What is to be drawn; raises ``InputError`` for nothing and for a folder."""
    sources = list(several(result, "result", (Result, str, Path)))
    if not sources:
        raise InputError("no file to draw (valid: result files)")
    for source in sources:
        if not isinstance(source, Result) and path_of("result", source).is_dir():
            raise InputError(f"{str(source)!r} is a folder (name a result file in it)")
    return sources


@contextmanager
def at(where: str) -> Iterator[None]:
    """Say where an ``InputError`` comes from."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where} {error}") from None


@contextmanager
def _drawing(sources: Sequence[Source], figure: str | None) -> Iterator[None]:
    """Name the file or the figure in an error of drawing."""
    try:
        yield
    except InputError as error:
        where = "--figure" if figure is not None else _named(sources[0]) if len(sources) == 1 else "several files"
        raise InputError(f"{where}: {error}") from None


def _named(source: Source) -> str:
    return source.label if isinstance(source, Result) else repr(str(source))


def _read(source: Source, target: Path | None) -> Result:
    """A result, read if it is a file; raises ``InputError`` for one without charts, and for the chart's own file."""
    from ..reporting.charts import draw as charts

    if isinstance(source, Result):
        return source
    file = Path(source)
    result = read(file)
    with at(f"{str(file)!r}:"):
        charts.names(result.metadata)
    if target is not None and target.exists() and target.samefile(file):
        raise InputError(f"-o {str(target)!r} is the file to draw itself (name another file)")
    return result
