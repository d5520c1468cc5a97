"""The pages of a report as texts, by the name of their file: made from its sections by templates."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, count
from typing import Any, NamedTuple

from jinja2 import Environment

from ...core.arguments import LANGUAGES
from ...core.locale import NAMES, language
from ...core.version import VERSION
from ..text.labels import name_of
from .chooser import Choices, explained
from .findings import findings
from .section import SIZES, Drawn, Section, Shown
from .svg import palette
from .templating import templates_of

TITLE: Mapping[str, str] = {"en": "Cirulla in numbers", "it": "La Cirulla in numeri"}
TAKEN = ("index", "rules", "glossary")
"""Pages that every report has, or may have."""


class Chart(NamedTuple):
    """A file as the templates have it: its result, and its chart."""

    shown: Shown
    drawn: Drawn


def site(
    sections: Sequence[Section], lang: str, choices: Choices | None = None, title: str | None = None,
    date: str | None = None,
) -> dict[str, str]:  # fmt: skip
    """The files of a report, by relative path: pages in ``lang``, and in a folder of its own in every other language.

    ``choices`` are house rules to choose from, ``date`` the day that the pages name.
    """
    pages: dict[str, str] = {}
    for other in (lang, *(other for other in LANGUAGES if other != lang)):
        folder = "" if other == lang else f"{other}/"
        pages |= {folder + name: text for name, text in _pages(sections, other, lang, choices, title, date).items()}
    folder_of_assets = files(__package__)
    style = folder_of_assets.joinpath("style.css").read_text("utf-8") + palette(list(pages.values()))
    return {**pages, "style.css": style, "site.js": folder_of_assets.joinpath("site.js").read_text("utf-8")}


def _pages(
    sections: Sequence[Section], lang: str, first: str, choices: Choices | None, title: str | None, date: str | None
) -> dict[str, str]:  # fmt: skip
    locale, names = language(lang), page_names(sections)
    charts = [
        [Chart(shown, shown.drawn(lang, f"c{number}")) for number, shown in enumerate(section.shown)]
        for section in sections
    ]
    questions = [section.question[lang] or own[0].drawn.title for section, own in zip(sections, charts, strict=True)]
    answers = [[str(sentence) for sentence in section.sentences(lang)] for section in sections]
    found = [(names[place], questions[place], answers[place][sentence])
             for place, sentence in findings(sections, lang)]  # fmt: skip
    studies = list(zip(names, questions, answers, charts, strict=True))
    versions = sorted({str(chart.shown.result.metadata.get("version", "")) for own in charts for chart in own} - {""})
    common: dict[str, Any] = {
        "lang": lang,
        "first": first, "languages": NAMES, "title": title or TITLE[lang], "say": locale.say, "choices": choices,
        "locale": locale, "version": VERSION, "date": date, "studies": studies, "found": found, "sizes": SIZES,
        "up": "" if lang == first else "../", "versions": versions,
        "elsewhere": {
            other: ("" if lang == first else "../") + ("" if other == first else f"{other}/")
            for other in NAMES if other != lang
        },
    }  # fmt: skip
    pages = {"index.html": _render("index.html", common, page="index")}
    for number, (name, question, answer, own) in enumerate(studies):
        pages[f"{name}.html"] = _render(
            "study.html", common, page=name, question=question, answer=answer, charts=own,
            before=studies[number - 1] if number else None,
            after=studies[number + 1] if number + 1 < len(studies) else None,
        )  # fmt: skip
    if choices:
        pages["rules.html"] = _render(
            "rules.html", common, page="rules", data=as_data(choices.data(locale)), rule_name=name_of,
            explanations={rule: explained(rule, locale) for rule in choices.rules},
        )  # fmt: skip
    pages["glossary.html"] = _render("glossary.html", common, page="glossary", entries=glossary(lang))
    return pages


def page_names(sections: Sequence[Section]) -> list[str]:
    """The names of the pages of some sections, each once, also where small and capital letters are the same."""
    names: list[str] = []
    taken = {*TAKEN, *LANGUAGES}
    for section in sections:
        name = section.name or section.charts[0][0].stem
        numbered = (f"{name}-{number}" for number in count(2))
        names.append(next(own for own in chain([name], numbered) if own.casefold() not in taken))
        taken.add(names[-1].casefold())
    return names


def glossary(lang: str) -> list[tuple[str, str]]:
    """The words of the pages and what they mean, in alphabetical order."""
    entries = tomllib.loads(files(__package__).joinpath("glossary.toml").read_text("utf-8"))["entry"]
    return sorted(((entry[lang][0], entry[lang][1]) for entry in entries), key=lambda entry: entry[0].casefold())


def as_data(value: object) -> str:
    """A value as JSON that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _render(name: str, common: Mapping[str, Any], **values: Any) -> str:
    text = _templates().get_template(name).render(**common, **values)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


@cache
def _templates() -> Environment:
    return templates_of(__package__)
