"""The pages of a report as texts, by the name of their file: made from its sections, and from house rules to choose."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, count
from typing import Any, NamedTuple

import jinja2
import polars as pl
from jinja2 import Environment

from ...core.arguments import LANGUAGES
from ...core.locale import NAMES, Language, language, unbroken
from ...core.version import VERSION
from ...experiments.tally import MEASURES
from ...ruleset.catalogue import catalogue
from ..kinds import CHANGES
from ..result import Result
from ..text.cells import Row, is_share, is_significant, marked
from ..text.descriptions import written
from ..text.labels import line_up, name_of, rules_of
from .section import SIZES, Section, front_findings

MEASURED = {measure[1:]: measure.name for measure in MEASURES if measure.per != "game"}
"""The names of the measures of hands, by quantity, trial and side."""

FIRST = "careful"
"""The players that the chooser begins with."""


Changes = Mapping[str, Row]
"""What some rules change between some players, by the names of ``MEASURED``; each row has its number of ``hands``."""


class Choices(NamedTuple):
    """All changes by number of players, policy and rules; two rules together are ``a+b``."""

    played: Mapping[int, Mapping[str, Mapping[str, Changes]]]

    @property
    def rules(self) -> list[str]:
        """House rules, sorted by the change of points for the first players, the largest first."""
        sizes: dict[str, float] = {}
        for by_policy in self.played.values():
            for rules, changes in next(iter(by_policy.values())).items():
                if "+" not in rules and "points" in changes:
                    sizes[rules] = max(sizes.get(rules, 0.0), abs(changes["points"]["estimate"]))
        return sorted(sizes, key=lambda rules: -sizes[rules])

    @property
    def pairs(self) -> list[str]:
        """The pairs that were played."""
        every = (rules for by_policy in self.played.values() for each in by_policy.values() for rules in each)
        return list(dict.fromkeys(rules for rules in every if rules.count("+") == 1))

    def cell(self, players: int, rules: str, locale: Language) -> str:
        """The change of the points of a hand as a text; empty where the first players did not play so."""
        changes = self.played.get(players, {}).get(FIRST, {}).get(rules, {})
        return marked(changes["points"], locale) if "points" in changes else ""

    def data(self, locale: Language) -> dict[str, Any]:
        """What the page's script shows: cells ``[estimate, low, high, significant]``, names and explanations."""
        policies = dict.fromkeys(policy for by_policy in self.played.values() for policy in by_policy)
        dealer = locale.say("Dealer’s side")
        return {
            "players": {
                players: {
                    policy: {rules: _cells(changes) for rules, changes in by_rules.items()}
                    for policy, by_rules in by_policy.items()
                }
                for players, by_policy in self.played.items()
            },
            "rules": {rule: [locale.say(name_of(rule)), explained(rule, locale)] for rule in self.rules},
            "policies": {policy: line_up(policy, locale) for policy in policies},
            "quantities": {name: locale.say(CHANGES[name], dealer=dealer).rstrip(".") for name in MEASURED.values()},
        }


def _cells(changes: Changes) -> dict[str, Any]:
    cells: dict[str, Any] = {"hands": next(iter(changes.values()))["hands"]}
    for name, row in changes.items():
        ends = (round((100.0 if is_share(row) else 1.0) * row[end], 5) for end in ("estimate", "ci_low", "ci_high"))
        cells[name] = [*ends, is_significant(row)]
    return cells


def explained(rule: str, locale: Language) -> str:
    """A house rule in a sentence."""
    return f"{locale.translate(catalogue()['house'][rule]['title'])}."


def choices(results: Iterable[Result]) -> Choices | None:
    """The changes of all comparisons of house rules; None if there is none.

    Of two files with the same rules, players and policy one with pairs counts, so that a pair stands beside its rules
    on the same deals; else that of more hands.
    """

    def rank(result: Result) -> tuple[bool, int]:
        return result.frame["rules"].str.contains("+", literal=True).any(), result.metadata["hands"]

    played: dict[int, dict[str, dict[str, Changes]]] = {}
    for result in sorted(filter(_is_of_houses, results), key=rank):
        for policy, by_rules in _changes(result).items():
            houses = {rules: changes for rules, changes in by_rules.items()
                      if catalogue()["house"].keys() >= set(rules.split("+"))}  # fmt: skip
            if houses:
                played.setdefault(int(result.metadata["players"]), {}).setdefault(policy, {}).update(houses)
    ordered = {
        players: dict(sorted(by_policy.items(), key=lambda named: named[0] != FIRST))
        for players, by_policy in sorted(played.items())
    }
    return Choices(ordered) if ordered else None


def _is_of_houses(result: Result) -> bool:
    base = rules_of(result.metadata)
    return "rules" in result.frame.columns and base is not None and base.preset == "cirulla"


def _changes(result: Result) -> dict[str, dict[str, dict[str, Row]]]:
    """What a comparison changes of hands, by policy, rules and the names of the ``MEASURES``."""
    changes: dict[str, dict[str, dict[str, Row]]] = {}
    for row in result.frame.filter(pl.col("value").is_null(), kind="difference").iter_rows(named=True):
        if name := MEASURED.get((row["quantity"], row["per"], row["side"])):
            policy = row.get("policy", result.metadata["policies"][0])
            by_rules = changes.setdefault(policy, {}).setdefault(row["rules"], {})
            by_rules[name] = row | {"hands": result.metadata["hands"]}
    return changes


def templates_of(*packages: str) -> jinja2.Environment:
    """The templates in the folders ``templates`` of some packages; the first that has one of a name counts."""
    folders = [files(package).joinpath("templates") for package in packages]

    def text_of(name: str) -> str | None:
        found = (folder.joinpath(name) for folder in folders)
        return next((file.read_text("utf-8") for file in found if file.is_file()), None)

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(text_of), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["unbroken"] = unbroken
    return environment


TITLE: Mapping[str, str] = {"en": "Cirulla in numbers", "it": "La Cirulla in numeri"}
TAKEN = ("index", "rules", "glossary")
"""Pages that every report has, or may have."""


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
    assets = {name: files(__package__).joinpath(name).read_text("utf-8") for name in ("style.css", "site.js")}
    return pages | assets


def _pages(
    sections: Sequence[Section], lang: str, first: str, choices: Choices | None, title: str | None, date: str | None
) -> dict[str, str]:  # fmt: skip
    locale, names = language(lang), page_names(sections)
    charts = [
        [shown.drawn(lang, f"c{place}-{number}") for number, shown in enumerate(section.shown)]
        for place, section in enumerate(sections)
    ]
    questions = [section.question[lang] or own[0].title for section, own in zip(sections, charts, strict=True)]
    answers = [[written(one, locale, plain=True) for one in section.sentences(lang)] for section in sections]
    found = [(names[place], questions[place], answers[place][sentence], charts[place][0].pictures["phone"])
             for place, sentence in front_findings(sections, lang)]  # fmt: skip
    studies = list(zip(names, questions, answers, charts, strict=True))
    versions = sorted({str(chart.of.result.metadata.get("version", "")) for own in charts for chart in own} - {""})
    up = "" if lang == first else "../"
    common: dict[str, Any] = {
        "lang": lang,
        "first": first, "languages": NAMES, "site_title": title or TITLE[lang], "say": locale.say, "choices": choices,
        "locale": locale, "version": VERSION, "date": date, "studies": studies, "found": found, "sizes": SIZES,
        "versions": versions, "home": "index.html", "glossary": "glossary.html", "styles": [f"{up}style.css"],
        "scripts": [f"{up}site.js"],
        "footer": [
            locale.say("Written by cirulla_sim {version}", version=VERSION), *([date] if date else []),
            locale.say("by the developers of cirulla_sim · MIT licence"),
        ],
    }  # fmt: skip

    def render(template: str, page: str, **values: Any) -> str:
        links = [("index.html#questions", locale.say("Questions"), False)]
        links += [("rules.html", locale.say("House rules"), page == "rules")] if choices else []
        links += [("glossary.html", locale.say("Glossary"), page == "glossary")]
        elsewhere = [
            (f"{up}{'' if other == first else f'{other}/'}{page}.html", other) for other in NAMES if other != lang
        ]
        here = {**common, "links": links, "elsewhere": elsewhere, "page": page, **values}
        lines = _templates().get_template(template).render(here).splitlines()
        return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"

    pages = {"index.html": render("index.html", "index")}
    for number, (name, question, answer, own) in enumerate(studies):
        pages[f"{name}.html"] = render(
            "study.html", name, question=question, answer=answer, charts=own,
            before=studies[number - 1] if number else None,
            after=studies[number + 1] if number + 1 < len(studies) else None,
        )  # fmt: skip
    if choices:
        pages["rules.html"] = render(
            "rules.html", "rules", data=as_data(choices.data(locale)), rule_name=name_of,
            explanations={rule: explained(rule, locale) for rule in choices.rules},
        )  # fmt: skip
    pages["glossary.html"] = render("glossary.html", "glossary", entries=glossary(lang))
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


@cache
def _templates() -> Environment:
    return templates_of(__package__)
