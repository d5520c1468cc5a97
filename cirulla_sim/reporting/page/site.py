"""The pages of a report as texts, by the name of their file: made from its sections, and from house rules to choose."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, count
from typing import Any

import polars as pl
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from ...core.arguments import LANGUAGES
from ...core.data import load_toml
from ...core.locale import NAMES, Language, language, unbroken
from ...core.version import VERSION
from ...experiments.tally import MEASURES
from ...ruleset.catalogue import catalogue
from ..kinds import KINDS
from ..result import Result
from ..text.cells import Row, is_share, is_significant, marked
from ..text.findings import Finding, holds
from ..text.labels import line_up, result_rules, rules_words
from ..text.sentences import sentence
from .section import SIZES, Section, charts_of

MEASURED = {measure[1:]: measure.name for measure in MEASURES if measure.per != "game"}
"""The names of the measures of hands, by quantity, trial and side."""

FIRST = "careful"
"""The players that the chooser begins with."""

MOST_FOUND = 5
"""Findings of a front page."""

Changes = Mapping[tuple[int, str, str], Mapping[str, Row]]
"""What house rules change: rows by ``MEASURED``, by number of players, policy and rules (two together are ``a+b``)."""


def choices(results: Iterable[Result]) -> Changes:
    """The changes of all comparisons of house rules; each row has its number of ``hands``.

    Of two files with the same rules, players and policy one with pairs counts, so that a pair stands beside its rules
    on the same deals; else that of more hands.
    """
    houses = catalogue()["house"].keys()
    of_houses = (result for result in results if "rules" in result.frame.columns
                 and "request" in result.metadata and result_rules(result.metadata).preset == "cirulla")  # fmt: skip
    ranked = sorted(
        of_houses, key=lambda x: (x.frame["rules"].str.contains("+", literal=True).any(), x.metadata["hands"])
    )
    played: dict[tuple[int, str, str], dict[str, Row]] = {}
    for result in ranked:
        metadata, changes = result.metadata, dict[tuple[int, str, str], dict[str, Row]]()
        for row in result.frame.filter(pl.col("value").is_null(), kind="difference").iter_rows(named=True):
            name = MEASURED.get((row["quantity"], row["per"], row["side"]))
            if name and houses >= set(row["rules"].split("+")):
                key = int(metadata["players"]), row.get("policy", metadata["policies"][0]), row["rules"]
                changes.setdefault(key, {})[name] = row | {"hands": metadata["hands"]}
        played |= changes
    order = list(dict.fromkeys(key[:2] for key in played))
    return {key: played[key] for key in sorted(played, key=lambda key: (key[0], key[1] != FIRST, order.index(key[:2])))}


def chooser(changes: Changes, locale: Language) -> dict[str, Any]:
    """What the page of house rules shows: a line for each rule, by its change of points, and for each pair.

    Its script has ``data``: cells ``[estimate, low, high, significant]``, names and explanations.
    """
    cells: dict[int, dict[str, dict[str, Any]]] = {}
    sizes: dict[str, float] = {}
    for (players, policy, rules), by_name in changes.items():
        by_policy = cells.setdefault(players, {})
        here = by_policy.setdefault(policy, {})[rules] = {"hands": next(iter(by_name.values()))["hands"]}
        for name, row in by_name.items():
            scale = 100.0 if is_share(row) else 1.0
            ends = (round(scale * row[end], 5) for end in ("estimate", "ci_low", "ci_high"))
            here[name] = [*ends, is_significant(row)]
        if policy == next(iter(by_policy)) and "+" not in rules and "points" in by_name:
            sizes[rules] = max(sizes.get(rules, 0.0), abs(by_name["points"]["estimate"]))
    alone = sorted(sizes, key=lambda rules: -sizes[rules])
    explained = {rules: f"{locale.translate(catalogue()['house'][rules]['title'][0])}." for rules in alone}

    def line(rules: str) -> tuple[str, list[str]]:
        first = (changes.get((players, FIRST, rules), {}).get("points") for players in cells)
        return locale.say(rules_words(rules)), ["" if row is None else marked(row, locale) for row in first]

    dealer = locale.say("Dealer’s side")
    shown = {view.name: locale.say(view.shown, dealer=dealer).rstrip(".") for view in KINDS["compare"].views}
    data = {
        "players": cells,
        "rules": {rules: [locale.say(rules_words(rules)), explained[rules]] for rules in alone},
        "policies": {policy: line_up(policy, locale) for _, policy, _ in changes},
        "quantities": {name: shown[name] for name in MEASURED.values()},
    }
    return {
        "players": list(cells),
        "rules": [(*line(rules), explained[rules]) for rules in alone],
        "pairs": [line(rules) for rules in dict.fromkeys(rules for *_, rules in changes) if rules.count("+") == 1],
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"),
    }


@cache
def templates_of(*packages: str) -> Environment:
    """The templates in the folders ``templates`` of some packages; the first that has one of a name counts."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["unbroken"] = unbroken
    return environment


def site(
    sections: Sequence[Section], lang: str, changes: Changes, title: str | None = None, date: str | None = None
) -> dict[str, str]:
    """The files of a report, by relative path: pages in ``lang``, and in a folder of its own in every other language.

    ``changes`` are those of house rules to choose from, ``date`` the day that the pages name.
    """
    pages = {name: files(__package__).joinpath(name).read_text("utf-8") for name in ("style.css", "site.js")}
    names: list[str] = []
    taken = {"index", "rules", "glossary", *LANGUAGES}
    for section in sections:  # also where small and capital letters are the same
        name = section.name or section.charts[0][0].stem
        numbered = (f"{name}-{number}" for number in count(2))
        names.append(next(own for own in chain([name], numbered) if own.casefold() not in taken))
        taken.add(names[-1].casefold())
    for other in LANGUAGES:
        pages |= _pages(dict(zip(names, sections, strict=True)), other, lang, changes, title, date)
    return pages


def _pages(
    named: Mapping[str, Section], lang: str, first: str, changes: Changes, title: str | None, date: str | None
) -> dict[str, str]:
    """The pages of a language by path."""
    locale, names, sections = language(lang), list(named), list(named.values())
    folders = {other: "" if other == first else f"{other}/" for other in NAMES}
    up = "../" if folders[lang] else ""
    charts = [charts_of(section, lang, f"c{place}") for place, section in enumerate(sections)]
    questions = [section.question[lang] or own[0].title for section, own in zip(sections, charts, strict=True)]
    answers = [[sentence(one, locale, plain=True) for one in section.sentences(lang)] for section in sections]
    found = [(names[place], questions[place], answers[place][sentence], charts[place][0].pictures["phone"])
             for place, sentence in front_findings(sections, lang)]  # fmt: skip
    studies = list(zip(names, questions, answers, charts, strict=True))
    versions = {str(result.metadata.get("version", "")) for section in sections for result in section.shown}
    common: dict[str, Any] = {
        "lang": lang, "first": first, "languages": NAMES, "say": locale.say,
        "site_title": title or locale.say("Cirulla in numbers"),
        "choices": bool(changes), "version": VERSION, "date": date, "studies": studies, "found": found, "sizes": SIZES,
        "versions": sorted(versions - {""}), "home": "index.html", "glossary": "glossary.html",
        "styles": [f"{up}style.css"], "scripts": [f"{up}site.js"],
        "footer": [
            locale.say("Written by cirulla_sim {version}", version=VERSION), *([date] if date else []),
            locale.say("by the developers of cirulla_sim · MIT licence"),
        ],
    }  # fmt: skip
    pages: dict[str, str] = {}

    def render(template: str, page: str, **values: Any) -> None:
        links = [("index.html#questions", locale.say("Questions"), False)]
        links += [("rules.html", locale.say("House rules"), page == "rules")] if changes else []
        links += [("glossary.html", locale.say("Glossary"), page == "glossary")]
        elsewhere = [(f"{up}{folder}{page}.html", other) for other, folder in folders.items() if other != lang]
        here = {**common, "links": links, "elsewhere": elsewhere, "page": page, **values}
        lines = templates_of(__package__).get_template(template).render(here).splitlines()
        pages[f"{folders[lang]}{page}.html"] = "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"

    render("index.html", "index")
    around = zip([None, *studies], studies, [*studies[1:], None], strict=False)
    for before, (name, question, answer, own), after in around:
        render("study.html", name, question=question, answer=answer, charts=own, before=before, after=after)
    if changes:
        render("rules.html", "rules", **chooser(changes, locale))
    render("glossary.html", "glossary", entries=glossary(lang))
    return pages


def front_findings(sections: Sequence[Section], lang: str) -> list[tuple[int, int]]:
    """The first finding of each section that compares nothing or is significant: the places of section and sentence."""
    found: dict[int, int] = {}
    for place, section in enumerate(sections):
        for number, one in enumerate(section.sentences(lang)):
            if isinstance(one, Finding) and holds(one):
                found.setdefault(place, number)
    return list(found.items())[:MOST_FOUND]


def glossary(lang: str) -> list[tuple[str, str]]:
    """The words of the pages and what they mean, in alphabetical order."""
    entries = load_toml(__package__, "glossary.toml")["entry"]
    return sorted(((entry[lang][0], entry[lang][1]) for entry in entries), key=lambda entry: entry[0].casefold())
