"""One page of many results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..core.arguments import LANGUAGES, public, several
from ..core.errors import InputError
from ..reporting.page.chooser import choices
from ..reporting.page.page import TITLE, page
from ..reporting.page.section import Section
from ..reporting.result_files import read, showing
from ..storage.atomic_files import whole_file


@public
def report(
    sections: Section | str | Path | Sequence[Section | str | Path],
    *,
    output: str | Path,
    choose: str | Path | Sequence[str | Path] = (),
    title: str | None = None,
) -> Path:
    """Write one page of results that requires no other file: charts and tables, in English and Italian.

    ``sections`` are result files, or sections put together of several, with a question and its answer; ``output`` ends
    in ``.html``. Readers can choose from the house rules that were compared between several line-ups, in the sections'
    files or in those of ``choose``. The same files give the same bytes.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.
    """
    path = Path(output)
    if path.suffix not in (".html", ".htm"):
        raise InputError(f"-o {str(path)!r} does not end in .html (valid: a page, as report.html)")
    given = [sections] if isinstance(sections, Section) else several(sections)
    if not given:
        raise InputError("no file to report on (valid: result files that cirulla-sim wrote)")
    with showing(repr(str(given[0])) if len(given) == 1 and not isinstance(given[0], Section) else "the files"):
        parts = [part if isinstance(part, Section) else _of_file(Path(part)) for part in given]
        compared = [shown.result for part in parts for shown in part.shown] + [read(file) for file in several(choose)]
        text = page(parts, dict.fromkeys(LANGUAGES, title) if title else TITLE, choices(compared))
    with whole_file(path) as part_of_file:
        part_of_file.write_text(text, "utf-8")
    return path


def _of_file(path: Path) -> Section:
    """A section of one file: its chart's title for the question, its sentences for the answer."""
    result = read(path)
    answers = {lang: result.describe(lang).replace("\n", " ") for lang in LANGUAGES}
    return Section(dict.fromkeys(LANGUAGES, ""), answers, ((path, None),))
