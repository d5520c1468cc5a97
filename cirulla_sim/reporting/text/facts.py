"""What stands behind the numbers that are shown: trials, players, tests, and what a result does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import polars as pl

from ...core.locale import Language
from . import cells, labels, nights
from .cells import DIFFERENCES, Row
from .findings import Finding, Noun, rule, stated, who
from .labels import Metadata
from .sentences import headline


class Source(NamedTuple):
    """A result that is shown: its table, how it came about, and the language."""

    frame: pl.DataFrame
    metadata: Metadata
    locale: Language

    @property
    def line_up(self) -> str:
        """The line-up of a result of one; empty for others."""
        return labels.line_up_of(self.metadata)

    @property
    def side(self) -> Noun:
        """The dealer, with the partner where there are pairs."""
        return Noun("side", "pair" if labels.fields_of(self.metadata).partnership else "dealer")


def how_much(rows: Iterable[Row], metadata: Metadata, locale: Language) -> str:
    """How many trials stand behind some rows, the seed and the version.

    A comparison of hands may have games besides, as many as its rows say. Games between two sides that follow from the
    points of hands are as many hands.
    """
    every = metadata.get("hands")
    if not isinstance(every, int) or isinstance(metadata.get("games"), int):
        return labels.how_much(metadata, locale)
    counts: dict[str, None] = {}
    for row in rows:
        worked_out = row["quantity"] == "wins_game" and row["n"] == every  # from the points of hands
        of_games = row["per"] == "game" and row["n"] is not None and not worked_out
        n, unit = (row["n"], "games") if of_games else (every, "hands")
        counts[locale.say(f"{{n}} {unit}", n=locale.numerals(f"{n:,}"))] = None
    if set(counts) <= {locale.say("{n} hands", n=locale.numerals(f"{every:,}"))}:
        return labels.how_much(metadata, locale)
    seed = locale.say("seed {seed}", seed=metadata["seed"])
    return ", ".join([" / ".join(counts), seed, *labels.version(metadata)])


def sampled(metadata: Metadata, locale: Language, rows: Iterable[Row] = ()) -> str:
    """How much was played for some rows, what ± means, and whether intervals hold at any stop."""
    words = locale.say("± is the margin of error (95%), from {much}.", much=how_much(rows, metadata, locale))
    if metadata.get("intervals") != "any stop":
        return words
    return f"{words} {locale.say('The intervals hold at any stop, whenever the run ended.')}"


def is_corrected(rows: Iterable[Row], metadata: Metadata) -> bool:
    """Whether the intervals of some rows allow for how many differences are compared."""
    return metadata.get("levels") == "holm" and any(
        row["kind"] in DIFFERENCES and row.get("p_holm") is not None for row in rows
    )


def holds(metadata: Metadata) -> Finding:
    """Under which rules and for which players a result holds."""
    line_ups = [str(line_up) for line_up in labels.line_ups_of(metadata)]
    rules, n = labels.rules_of(metadata), Noun("count", str(labels.players_of(metadata)))
    several = "several" if len(line_ups) > 1 or any("=" in one for one in line_ups) else "one" if line_ups else "nobody"
    preset = rule("cirulla" if rules is None else rules.preset)
    return stated("holds", several, who=tuple(map(who, line_ups)), rules=preset, n=n)


# ------------------------------------------------------------------------------------------------ numbers of sides


def sides_of(metadata: Metadata, rules: str) -> int:
    """How many sides play by the rules of a row of a comparison."""
    fields = labels.fields_of(metadata)
    changed = metadata.get("compared", {}).get(rules, {})
    return 2 if changed.get("partnership", fields.partnership) else int(changed.get("players", fields.players))


def other_sides(rows: Iterable[Row], metadata: Metadata) -> list[str]:
    """The rules among those of some rows by which another number of sides play than by the first."""
    sides = labels.fields_of(metadata).sides
    return [
        name
        for name in dict.fromkeys(row["rules"] for row in rows if "rules" in row)
        if sides_of(metadata, name) != sides
    ]


def sides_words(names: Sequence[str], metadata: Metadata, locale: Language) -> str:
    """That rules with another number of sides are left out where sides are compared; empty where there are none."""
    if not names:
        return ""
    each = ", ".join(locale.say(labels.name_of(name)) for name in names)
    return locale.say("What a side wins is not compared with {rules}, which other numbers of sides play.", rules=each)


# ------------------------------------------------------------------------------------------------ limits

Limits = Callable[[Source, Sequence[Row]], Iterable[str]]
"""For whom a result holds and what it does not show, with the rows that its findings rest on."""


def held(source: Source) -> str:
    """For whom a result holds, with the rules that are changed."""
    return f"{headline(holds(source.metadata), source.locale)}{labels.changed_words(source.metadata, source.locale)}"


def usual(words: str) -> Limits:
    """The limits of what is sampled under the rules and by the players of a file; ``words`` say what is not shown."""

    def limits(source: Source, rows: Sequence[Row]) -> Iterable[str]:
        frame, metadata, locale = source
        yield sampled(metadata, locale, rows)
        if "rules" in frame.columns:
            yield sides_words(other_sides(frame.to_dicts(), metadata), metadata, locale)
        yield held(source)
        yield locale.say(words)

    return limits


def of_study(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """Studies say themselves what they do not show."""
    return ()


def of_nights(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of a comparison of nights, which holds for some pairs."""
    metadata, locale = source.metadata, source.locale
    yield sampled(metadata, locale)
    pairs = locale.say("It holds for these pairs: {pairs}.", pairs=nights.pairs_words(metadata, locale))
    yield f"{pairs}{labels.changed_words(metadata, locale)}"
    cards = locale.say("Two pairs that meet get the same cards in every format.")
    yield f"{cards} {locale.say('It does not show how other pairs would do.')}"


def of_answers(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of answers: whether they were counted, and who plays."""
    metadata, locale = source.metadata, source.locale
    counted = locale.say("Every case was counted, so there is no sampling error.")
    cases = sampled(metadata, locale) if source.frame["exact"].null_count() else counted
    yield f"{cases} {labels.highest(metadata, locale)}".strip()
    yield held(source)
    yield locale.say("It does not show how others would play." if metadata.get("policies") else
                     "It does not show what play makes of the cards.")  # fmt: skip


def of_advice(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of advice: for which players, and what it does not use."""
    yield held(source)
    if cells.first_row(source.frame, "sweep_next_read", play=source.frame["play"][0]) is None:
        yield source.locale.say("It does not use what the others’ plays tell of their cards.")
