"""A report asked for: result files, or sections put together, written as one page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2

from ...core.arguments import LANGUAGES, public
from ...core.errors import InputError
from ...storage.atomic_files import whole_file
from ...verbs.files import read
from ..text.locale import language
from .chooser import choices
from .section import MOST_ROWS, SIZES, Section, Shown

TITLE = {"en": "Cirulla in numbers", "it": "La Cirulla in numeri"}
"""What a page is called where nobody says otherwise."""


@public
def report(
    sections: Section | str | Path | Sequence[Section | str | Path],
    *,
    output: str | Path,
    choose: Sequence[str | Path] = (),
    title: str | None = None,
) -> Path:
    """Write one page of results that needs nothing else: questions, answers, charts, tables, in English and Italian.

    ``sections`` are result files, or sections put together of several; ``output`` ends in ``.html``. House rules that
    were compared between several line-ups, in the sections' files or those to ``choose`` from, can be chosen. The same
    files give the same bytes.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.
    """
    path = Path(output)
    if path.suffix not in (".html", ".htm"):
        raise InputError(f"-o {str(path)!r} does not end in .html (valid: a page, as report.html)")
    given = [sections] if isinstance(sections, (Section, str, Path)) else list(sections)
    if not given:
        raise InputError("no file to report on (valid: result files that cirulla-sim wrote)")
    made = [one if isinstance(one, Section) else _of_file(Path(one)) for one in given]
    compared = [shown.result for section in made for shown in section.shown] + [read(Path(file)) for file in choose]
    text = page(made, dict.fromkeys(LANGUAGES, title) if title else TITLE, choices(compared))
    with whole_file(path) as part:
        part.write_text(text, "utf-8")
    return path


def _of_file(path: Path) -> Section:
    """A section of one file: its chart's title for the question, what can be said of it for the answer."""
    said = {lang: read(path).describe(lang).replace("\n", " ") for lang in LANGUAGES}
    return Section(dict.fromkeys(LANGUAGES, ""), said, ((path, None),))


def page(sections: Sequence[Section], title: dict[str, str], chosen: dict[str, Any] | None = None) -> str:
    """The page as text; ``chosen`` are the house rules to choose from, see ``chooser``."""
    folder = files(__package__)
    say = {lang: language(lang).say for lang in LANGUAGES}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True)  # fmt: skip
    template = environment.from_string(folder.joinpath("page.html").read_text("utf-8"))
    drawn = [[_drawn(shown, f"s{number}-{place}") for place, shown in enumerate(section.shown)]
             for number, section in enumerate(sections)]  # fmt: skip
    asked = [
        {lang: section.question[lang] or charts[0]["charts"][lang, SIZES[0]].title for lang in LANGUAGES}
        for section, charts in zip(sections, drawn, strict=True)
    ]
    return template.render(
        title=title, sections=list(zip(sections, asked, drawn, strict=True)), languages=LANGUAGES, sizes=SIZES, say=say,
        most_rows=MOST_ROWS,
        style=folder.joinpath("page.css").read_text("utf-8"), script=folder.joinpath("page.js").read_text("utf-8"),
        chooser=None if chosen is None else as_data(chosen),
    )  # fmt: skip


def as_data(value: object) -> str:
    """A value as JSON that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _drawn(shown: Shown, prefix: str) -> dict[str, Any]:
    """A file as the template has it."""
    charts = {
        (lang, size): shown.chart(lang, size, f"{prefix}{lang}{size[0]}-") for lang in LANGUAGES for size in SIZES
    }
    return {
        "charts": charts, "tables": {lang: shown.table(lang) for lang in LANGUAGES},
        "whom": {lang: shown.whom(lang) for lang in LANGUAGES}, "command": shown.command,
    }  # fmt: skip
