"""Charts of results and of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.arguments import path_of, several, text_of
from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..reporting.result import Result, read, showing
from .options import Arguments

if TYPE_CHECKING:
    from ..reporting.charts.sheet import Chart

Source = Result | str | Path

FILES = ("output", "figure")
"""The options that are not about the look of a chart."""


def run(result: Source | Sequence[Source], given: Arguments) -> Chart:
    """The chart, written to its ``output``; raises ``InputError`` for an argument that is not valid."""
    from ..reporting.charts.draw import draw_all
    from ..reporting.charts.figures import figures_of
    from ..reporting.charts.look import read_look
    from ..reporting.charts.sheet import save_figure, suffix_of

    sources, output, figure = _sources(result), given["output"], given["figure"]
    target = None if output is None else path_of("-o", output)
    figure = None if figure is None else text_of("--figure", figure)
    if target is not None:
        suffix_of(target, where="-o ")
    wanted = read_look(**{option.name: given[option.name] for option in given.options if option.name not in FILES})
    parts = [_read(source, target) for source in sources]
    of_files = any(not isinstance(source, Result) for source in sources)  # else a fault is one of the program
    named = sources[0].label if isinstance(sources[0], Result) else repr(str(sources[0]))
    files = Message("several files:") if len(sources) > 1 else f"{named}:"
    where = files if figure is None else "--figure:"
    with showing(named) if of_files else nullcontext(), at(where):
        if len(parts) == 1 and figure is not None and figure not in (names := list(figures_of(parts[0].metadata))):
            raise unknown("figure", figure, names)
        drawn = draw_all([(part.frame, part.metadata) for part in parts], figure, wanted)
    if target is not None:
        with at("-o"):
            save_figure(drawn, target)
    return drawn


def _sources(result: Source | Sequence[Source]) -> list[Source]:
    """What is to be drawn; raises ``InputError`` for nothing and for a folder."""
    sources = list(several(result, "result", (Result, str, Path)))
    if not sources:
        raise InputError("no file to draw (valid: result files)")
    for source in sources:
        if not isinstance(source, Result) and path_of("result", source).is_dir():
            raise InputError("{path!r} is a folder (name a result file in it)", source)
    return sources


@contextmanager
def at(where: str) -> Iterator[None]:
    """Say where an ``InputError`` comes from."""
    try:
        yield
    except InputError as error:
        raise InputError("{where} {error}", where, error) from None


def _read(source: Source, target: Path | None) -> Result:
    """A result, read if it is a file; raises ``InputError`` for one without charts, and for the chart's own file."""
    from ..reporting.charts.figures import figures_of

    if isinstance(source, Result):
        return source
    file = Path(source)
    result = read(file)
    with showing(str(file)), at(f"{str(file)!r}:"):
        figures_of(result.metadata)
    if target is not None and target.exists() and target.samefile(file):
        raise InputError("-o {target!r} is the file to draw itself (name another file)", target)
    return result
