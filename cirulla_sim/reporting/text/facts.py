"""What stands behind the numbers that are shown: trials, players, tests, and what a result does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import polars as pl

from ...core.locale import Language
from . import cells, labels
from .cells import Row
from .findings import Noun, rule, stated, who
from .labels import Metadata
from .sentences import sentence


class Source(NamedTuple):
    """A result that is shown: its table, how it came about, and the language."""

    frame: pl.DataFrame
    metadata: Metadata
    locale: Language


def dealing_side(metadata: Metadata) -> Noun:
    """The dealer, with the partner where there are pairs."""
    return Noun("side", "pair" if labels.rules_of(metadata).fields.partnership else "dealer")


def sampled(metadata: Metadata, locale: Language, rows: Iterable[Row] = ()) -> str:
    """How much was played for some rows, what ± means, and whether intervals hold at any stop."""
    words = locale.say("± is the margin of error (95%), from {much}.", much=labels.how_much(metadata, locale, rows))
    if metadata.get("intervals") != "any stop":
        return words
    return f"{words} {locale.say('The intervals hold at any stop, whenever the run ended.')}"


def held(metadata: Metadata, locale: Language) -> str:
    """Under which rules and for which players or pairs a result holds, with the rules that are changed."""
    changed = labels.changed_words(metadata, locale)
    if pairs := labels.pairs_words(metadata, locale):
        return locale.say("It holds for these pairs: {pairs}.", pairs=pairs) + changed
    line_ups = [str(line_up) for line_up in labels.line_ups_of(metadata)]
    rules = labels.rules_of(metadata)
    several = "several" if len(line_ups) > 1 or any("=" in one for one in line_ups) else "one" if line_ups else "nobody"
    n = Noun("count", str(rules.fields.players))
    found = stated("holds", several, who=tuple(map(who, line_ups)), rules=rule(rules.preset), n=n)
    return sentence(found, locale, plain=True) + changed


# ------------------------------------------------------------------------------------------------ numbers of sides


def other_sides(rows: Iterable[Row], metadata: Metadata) -> list[str]:
    """The rules among those of some rows by which another number of sides play than by the first."""
    fields, compared = labels.rules_of(metadata).fields, metadata.get("compared", {})
    others = []
    for name in dict.fromkeys(row["rules"] for row in rows if "rules" in row):
        changed = compared.get(name, {})
        pairs, players = changed.get("partnership", fields.partnership), changed.get("players", fields.players)
        if (2 if pairs else players) != fields.sides:
            others.append(name)
    return others


def sides_words(names: Sequence[str], locale: Language) -> str:
    """That rules with another number of sides are left out where sides are compared; empty where there are none."""
    if not names:
        return ""
    each = ", ".join(locale.say(labels.name_of(name)) for name in names)
    return locale.say("What a side wins is not compared with {rules}, which other numbers of sides play.", rules=each)


# ------------------------------------------------------------------------------------------------ limits

Limits = Callable[[Source, Sequence[Row]], Iterable[str]]
"""For whom a result holds and what it does not show, with the rows that its findings rest on."""


def usual(words: Sequence[str], source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of what is sampled under the rules and by the players of a file; ``words`` say what is not shown."""
    frame, metadata, locale = source
    yield sampled(metadata, locale, rows)
    yield sides_words(other_sides(frame.to_dicts(), metadata), locale)
    yield held(metadata, locale)
    yield " ".join(map(locale.say, words))


def of_answers(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of answers: whether they were counted, and who plays."""
    _, metadata, locale = source
    counted = locale.say("Every case was counted, so there is no sampling error.")
    cases = sampled(metadata, locale) if source.frame["exact"].null_count() else counted
    yield f"{cases} {labels.highest(metadata, locale)}".strip()
    yield held(metadata, locale)
    yield locale.say("It does not show how others would play." if metadata.get("policies") else
                     "It does not show what play makes of the cards.")  # fmt: skip


def of_advice(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of advice: for which players, and what it does not use."""
    yield held(*source[1:])
    if cells.first_row(source.frame, "sweep_next_read", play=source.frame["play"][0]) is None:
        yield source.locale.say("It does not use what the others’ plays tell of their cards.")
