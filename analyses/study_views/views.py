"""What the files of studies say of themselves: findings, names, columns and figures, in English and Italian.

A view is made from the table of the file and stands in its metadata; ``cirulla-sim plot``, ``table`` and ``describe``
read it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.locale import Language, language
from cirulla_sim.reporting.text.findings import Finding, count_significant, state
from cirulla_sim.reporting.text.labels import WORDS, how_much, player, rules_words, version
from cirulla_sim.reporting.text.sentences import chart_title, sentence
from cirulla_sim.storage.tables import write_table

from . import study_text
from .study_text import rules_name

SCHEMA = "study/2"
"""The kind of file that a view makes of a table."""

ENGLISH = language("en")


class Texts:
    """Texts in English; their Italian is kept beside them."""

    def __init__(self) -> None:
        self.italian: dict[str, str] = {}

    def __call__(self, text: str | Callable[[Language], str], **values: str) -> str:
        """A text, or what a function makes of each language."""
        say = text if callable(text) else lambda locale: locale.say(text, **values)
        english, italian = say(ENGLISH), say(language("it"))
        if italian != english:
            self.italian[english] = italian
        return english

    def each(self, name: Callable[[Any, Language], str], values: Iterable[Any]) -> dict[str, str]:
        """What a function calls each value."""
        return {str(value): self(lambda locale, value=value: name(value, locale)) for value in values}

    def all(self, names: Mapping[str, str]) -> dict[str, str]:
        """Names of values."""
        return {value: self(name) for value, name in names.items()}


class View(NamedTuple):
    """How the view of a file is made from its table and metadata, and the sentences that describe it."""

    of: Callable[[pl.DataFrame, Mapping[str, Any], Texts], dict[str, Any]]
    findings: Callable[[pl.DataFrame, Mapping[str, Any], Language], Iterable[Finding | str]]


def refresh(file: Path, made: View | None) -> None:
    """Write a view into a file of a study, and leave its table and everything else as they are."""
    if made is None:
        return
    result, texts = cs.read(file), Texts()
    frame, metadata = result.frame, result.metadata
    findings = zip(*(made.findings(frame, metadata, language(name)) for name in ("en", "it")), strict=True)
    view = {
        "findings": [texts(lambda locale, both=both: sentence(both[locale.name != "en"], locale)) for both in findings],
        "rows": {}, "columns": {}, "what": ["quantity"],
        **made.of(frame, metadata, texts),
        "italian": texts.italian,
    }  # fmt: skip
    write_table(frame, file, {**metadata, "schema": SCHEMA, "view": view}, result.stored)


def _players(number: int, locale: Language) -> str:
    return locale.say("{n} players", n=number)


def _rules(frame: pl.DataFrame, texts: Texts) -> dict[str, str]:
    return texts.all({rules: rules_words(rules) for rules in frame["rules"].unique(maintain_order=True)})


_PARTS = {
    "variance_deal": "the deal",
    "variance_response": "how the deal suits who plays",
    "variance_skill": "who plays",
    "variance_dice": "chance in the play",
}


def luck(frame: pl.DataFrame, metadata: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """What a hand's margin comes from, and how soon the better player is ahead."""
    deals: Mapping[str, int] = metadata["deals"]

    def replays(locale: Language) -> str:
        played = (f"{locale.say(rules_words(rules))} {locale.numerals(f'{n:,}')}" for rules, n in deals.items())
        replayed = locale.say(
            "Deals, each replayed with fresh dice by every line-up: {deals}.", deals=", ".join(played)
        )
        return " ".join([replayed, *(f"{text}." for text in version(metadata))])

    policies = frame["policy"].unique(maintain_order=True)
    about, ahead = texts(replays), frame.filter(quantity="games_until_ahead").row(0, named=True)
    deal = frame.filter(pl.col("estimate") < 1, quantity="variance_deal").row(0, named=True)
    names = texts.all(study_text.NAMES)
    return {
        "names": {
            "rules": _rules(frame, texts),
            "policy": texts.each(study_text.together, policies),
            "quantity": names | texts.all({"wins_game": "Games won", "hands": "Hands in a game"} | _PARTS),
        },
        "columns": {"Rules": "rules", "Players": "policy"},
        "figures": {
            "shares": {
                "title": texts(lambda locale: chart_title(study_text.of_deal(deal), locale)),
                "shown": texts("Shares of the variance of a hand’s margin, with intervals of the first and the last."),
                "about": about, "where": {"quantity": list(_PARTS)}, "group": ["policy"], "row": ["rules"],
                "parts": ["quantity"],
            },
            "games": {
                "title": texts(lambda locale: chart_title(study_text.until_ahead(ahead, locale), locale)),
                "shown": texts("Each against the other, first deal by lot."),
                "about": about, "where": {"quantity": ["games_until_ahead"]}, "group": ["rules"], "row": ["policy"],
            },
        },
    }  # fmt: skip


def aim(frame: pl.DataFrame, metadata: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """How many more games are won by playing for the game, by score, for each player and number of players."""
    where = {"quantity": ["wins_game"], "kind": ["difference"]}
    gains = frame.filter(kind="difference").to_dicts()

    def about(locale: Language) -> str:
        rules, much = locale.say(rules_name(metadata)), how_much(metadata, locale)
        return f"{rules}, {much}. {locale.say('Hollow, in parentheses: not significant (Holm, 5%).')}"

    policies = frame["policy"].unique(maintain_order=True)
    return {
        "names": {
            "players": texts.each(_players, frame["players"].unique().sort()),
            "policy": texts.each(player, policies),
        },
        "rows": where, "columns": {"Players": "players", "Player": "policy"}, "what": ["score"],
        "figures": {
            "aim": {
                "title": texts(lambda locale: chart_title(count_significant("aim-wins", gains, ("more",)), locale)),
                "shown": texts("More of 100 games won from a score, ours first, than by playing for points."),
                "about": texts(about), "where": where, "group": ["players"], "row": ["score"], "series": ["policy"],
                "reference": texts("no gain"),
            },
        },
    }  # fmt: skip


EVENTS = ("can_sweep", "can_capture", "has_seven", "has_ace")
"""The events that have a figure each."""


def reading(frame: pl.DataFrame, metadata: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """How often an event came true, by its estimated chance."""

    def finding(event: str, locale: Language) -> Finding:
        rows = frame.filter(event=event, kind="probability").to_dicts()
        return study_text.predicted(event, {row["dealing"]: row for row in rows})

    present = [event for event in EVENTS if frame.filter(event=event, kind="share").height]
    about = texts(lambda locale: f"{locale.say(rules_name(metadata))}, {how_much(metadata, locale)}.")
    return {
        "names": {"event": texts.all(study_text.NAMES), "dealing": texts.all(study_text.DEALING),
                  "kind": texts.all({"probability": "True", "mean": "Squared error", "difference": "Difference"})},
        "rows": {"kind": ["probability", "mean", "difference"]},
        "columns": {"What": "event", "Dealing": "dealing"}, "what": ["kind"],
        "figures": {
            event: {
                "title": texts(lambda locale, event=event: chart_title(finding(event, locale), locale)),
                "shown": texts("Across: the estimated chance; up: how often it came true. On the line both are equal."),
                "about": about, "where": {"event": [event], "kind": ["share"]}, "series": ["dealing"], "across": "told",
                "axes": [texts("estimated chance"), texts("came true")],
            }
            for event in present
        },
    }  # fmt: skip


def known(frame: pl.DataFrame, metadata: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Chances that were asked elsewhere; where they were dealt too, whiskers are the simulated intervals."""
    both = "simulated" in frame.columns
    about = ("Dots are exact; whiskers are 95% intervals of the same cards dealt." if both
             else "Counted over every case; what cannot be counted is simulated.")  # fmt: skip
    label = ["rules", "players", "quantity", "value"]
    return {
        "names": {
            "rules": _rules(frame, texts), "per": texts.all(WORDS["dealt"]),
            "players": texts.each(_players, (2, 4)),
        },
        "columns": {"Rules": "rules", "Players": "players"}, "what": ["quantity", "value"],
        "figures": {
            "answers": {
                "title": texts(lambda locale: chart_title(state("study", "known"), locale)),
                "shown": texts("Chance, and odds."),
                "about": texts(about), "where": {"kind": ["probability"]}, "group": ["per"], "row": label,
                "unit": "share",
            },
        },
    }  # fmt: skip


def card_worth(frame: pl.DataFrame, metadata: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """How many points further ahead a side is with each card than without it."""

    def best(locale: Language) -> str:
        finding, *_ = study_text.card_worth(frame, metadata, locale)
        return chart_title(finding, locale)

    return {
        "names": {"kind": texts.all({"mean": "Points further ahead"})},
        "columns": {"Card": "quantity"}, "what": ["kind"],
        "figures": {
            "worth": {
                "title": texts(best),
                "shown": texts("How many points further ahead a side is with each card than without."),
                "about": texts(lambda locale: f"{locale.say(rules_name(metadata))}, {how_much(metadata, locale)}."),
                "where": {}, "group": [], "row": ["quantity"], "reference": texts("no difference"),
            },
        },
    }  # fmt: skip


LUCK = View(luck, study_text.luck)
AIM = View(aim, study_text.aim)
READING = View(reading, study_text.reading)
KNOWN = View(known, study_text.known)
CARD_WORTH = View(card_worth, study_text.card_worth)
