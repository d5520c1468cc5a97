"""A small site of many results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Day
from pathlib import Path

from ..core.arguments import LANGUAGES, choice, path_of, paths_of, several, switch_of, text_of
from ..core.errors import InputError
from ..core.locale import language
from ..reporting.charts.draw import names
from ..reporting.page.chooser import choices
from ..reporting.page.section import Section, heading
from ..reporting.page.site import site
from ..reporting.result_files import read, showing
from ..reporting.text.descriptions import sentences_of
from ..storage.atomic_files import other_files, write_folder


def run(
    sections: Section | str | Path | Sequence[Section | str | Path], output: str | Path,
    choose: str | Path | Sequence[str | Path], title: str | None, lang: str, date: str | None, force: bool,
) -> Path:  # fmt: skip
    """The front page of the folder, written; raises ``InputError`` for an argument that is not valid."""
    folder = path_of("-o", output)
    if folder.suffix in (".html", ".htm"):
        raise InputError(f"-o {str(folder)!r} is the name of a page (valid: a folder, as {folder.stem!r})")
    choice("--lang", "language", lang, LANGUAGES)
    switch_of("--force", force)
    title = None if title is None else text_of("--title", title)
    other_files(folder, force)  # refused before anything is drawn
    given = [
        part if isinstance(part, Section) else path_of("sections", part)
        for part in several(sections, "sections", (str, Path, Section))
    ]
    if not given:
        raise InputError("no file to report on (valid: result files that cirulla-sim wrote)")
    with showing(repr(str(given[0])) if len(given) == 1 and not isinstance(given[0], Section) else "the files"):
        parts = [part if isinstance(part, Section) else _of_file(part) for part in given]
        compared = [shown.result for part in parts for shown in part.shown] + [
            read(file) for file in paths_of("--choose", choose)
        ]
        pages = site(parts, lang, choices(compared), title, _day(date))
    write_folder(folder, pages, force)
    return folder / "index.html"


def _of_file(path: Path) -> Section:
    """A page of one file: what it is of, and its sentences.

    Raises ``InputError`` that names the file if it has no sentences or no chart.
    """
    result = read(path)
    try:
        names(result.metadata)
        answers = {lang: sentences_of(result.frame, result.metadata, language(lang)) for lang in LANGUAGES}
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return Section({lang: heading(result.metadata, language(lang)) for lang in LANGUAGES}, answers, ((path, None),))


def _day(date: str | None) -> str | None:
    """A date as ISO 8601 has it; raises ``InputError`` for anything else."""
    if date is None:
        return None
    try:
        return Day.fromisoformat(str(date)).isoformat()
    except ValueError:
        raise InputError(f"--date {str(date)[:60]!r} is not a day (valid: YYYY-MM-DD, as 2026-01-31)") from None
