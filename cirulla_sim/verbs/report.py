"""A small site of many results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Day
from pathlib import Path

from ..core.arguments import LANGUAGES, choice, path_of, paths_of, public, several, switch_of, text_of
from ..core.errors import InputError
from ..core.locale import language
from ..reporting.charts.draw import names
from ..reporting.page.chooser import choices
from ..reporting.page.section import Section, heading
from ..reporting.page.site import site
from ..reporting.result_files import read, showing
from ..reporting.text.descriptions import sentences_of
from ..storage.atomic_files import other_files, write_folder


@public
def report(
    sections: Section | str | Path | Sequence[Section | str | Path],
    *,
    output: str | Path,
    choose: str | Path | Sequence[str | Path] = (),
    title: str | None = None,
    lang: str = "en",
    date: str | None = None,
    force: bool = False,
) -> Path:
    """Write a folder of static pages on results: findings, a page a file with its charts and table, a glossary.

    ``sections`` are result files, or pages put together of several, with a question and its answer. The first pages are
    in ``lang``; the other language has a folder in it. Readers can choose from the house rules that were compared in
    the sections' files or in those of ``choose``. The pages require no server and no network. The same files, ``title``
    and ``date`` (``YYYY-MM-DD``; none is named unless given) give the same bytes. The folder appears whole or not at
    all; one that has other files is written into with ``force`` only, and they stay.

    Returns the front page. Raises ``InputError`` if an argument is invalid, in one line that names it as the command
    line does.
    """
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
