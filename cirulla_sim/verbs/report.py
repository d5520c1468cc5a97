"""A small site of many results."""

from __future__ import annotations

from datetime import date as Day
from pathlib import Path
from typing import Any

from ..core.arguments import LANGUAGES, path_of, paths_of, several
from ..core.errors import InputError
from ..core.locale import language
from ..reporting.charts.figures import figures_of
from ..reporting.page.section import Section, heading
from ..reporting.page.site import choices, site
from ..reporting.result import read, showing
from ..reporting.text.descriptions import sentences_of
from ..storage.atomic_files import other_files, write_folder
from .options import Arguments


def run(sections: Any, choose: Any, arguments: Arguments) -> Path:
    """The front page of the folder, written; raises ``InputError`` for an argument that is not valid."""
    folder: Path = arguments["output"]
    force = arguments["force"]
    if folder.suffix in (".html", ".htm"):
        raise InputError("-o {folder!r} is the name of a page (valid: a folder, as {stem!r})", folder, folder.stem)
    other_files(folder, force)  # refused before anything is drawn
    given = [
        part if isinstance(part, Section) else path_of("sections", part)
        for part in several(sections, "sections", (str, Path, Section))
    ]
    if not given:
        raise InputError("no file to report on (valid: result files that cirulla-sim wrote)")
    with showing(repr(str(given[0])) if len(given) == 1 and not isinstance(given[0], Section) else "the files"):
        parts = [part if isinstance(part, Section) else _of_file(part) for part in given]
        compared = [result for part in parts for result in part.shown]
        compared += [read(file) for file in paths_of("--choose", choose)]
        pages = site(parts, arguments["lang"], choices(compared), arguments["title"], _day(arguments["date"]))
    write_folder(folder, pages, force)
    return folder / "index.html"


def _of_file(path: Path) -> Section:
    """A page of one file: what it is of, and its sentences.

    Raises ``InputError`` that names the file if it has no sentences or no chart.
    """
    result = read(path)
    try:
        figures_of(result.metadata)
        answers = {lang: sentences_of(result.frame, result.metadata, language(lang)) for lang in LANGUAGES}
    except InputError as error:
        raise InputError("{path}: {error}", path, error) from None
    return Section({lang: heading(result.metadata, language(lang)) for lang in LANGUAGES}, answers, ((path, None),))


def _day(date: Any) -> str | None:
    """A date as ISO 8601 has it; raises ``InputError`` for anything else."""
    if date is None:
        return None
    try:
        return Day.fromisoformat(str(date)).isoformat()
    except ValueError:
        raise InputError("--date {date!r} is not a day (valid: YYYY-MM-DD, as 2026-01-31)", date) from None
