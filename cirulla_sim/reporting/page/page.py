"""The page of a report as text, made from its sections by a template."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import jinja2

from ...core.arguments import LANGUAGES
from ...core.locale import language
from .section import MOST_ROWS, SIZES, Section, Shown

TITLE: Mapping[str, str] = {"en": "Cirulla in numbers", "it": "La Cirulla in numeri"}


def page(sections: Sequence[Section], title: Mapping[str, str], chooser: Mapping[str, Any] | None = None) -> str:
    """The page; ``chooser`` has the house rules to choose from."""
    folder = files(__package__)
    say = {lang: language(lang).say for lang in LANGUAGES}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True)  # fmt: skip
    template = environment.from_string(folder.joinpath("page.html").read_text("utf-8"))
    charts = [[_chart(shown, f"s{number}-{place}") for place, shown in enumerate(section.shown)]
              for number, section in enumerate(sections)]  # fmt: skip
    questions = [
        {lang: section.question[lang] or drawn[0]["charts"][lang, SIZES[0]].title for lang in LANGUAGES}
        for section, drawn in zip(sections, charts, strict=True)
    ]
    return template.render(
        title=title, sections=list(zip(sections, questions, charts, strict=True)), languages=LANGUAGES, sizes=SIZES,
        say=say, most_rows=MOST_ROWS,
        style=folder.joinpath("page.css").read_text("utf-8"), script=folder.joinpath("page.js").read_text("utf-8"),
        chooser=None if chooser is None else as_data(chooser),
    )  # fmt: skip


def as_data(value: object) -> str:
    """A value as JSON that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _chart(shown: Shown, prefix: str) -> dict[str, Any]:
    """A file as the template has it."""
    charts = {
        (lang, size): shown.chart(lang, size, f"{prefix}{lang}{size[0]}-") for lang in LANGUAGES for size in SIZES
    }
    return {
        "charts": charts, "tables": {lang: shown.table(lang) for lang in LANGUAGES},
        "whom": {lang: shown.whom(lang) for lang in LANGUAGES}, "command": shown.command,
    }  # fmt: skip
