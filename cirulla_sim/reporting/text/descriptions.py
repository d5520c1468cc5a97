"""What a result shows in a few sentences: its numbers and intervals, for which players it holds, what it does not show.

The findings are those of its views, what matters most first; every number comes from the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...experiments.tally import is_main
from ...stats.decisions import verdict
from ..kinds import KINDS, ResultKind, result_kind
from . import facts, labels, rankings
from .facts import Source, readings
from .findings import Finding, Sentence, holds, who
from .labels import Metadata
from .sentences import phrase, sentence

MOST_COMPARED = 4
"""Findings of a comparison that are described."""


def sentences_of(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> list[Sentence]:
    """Three to twelve sentences on a result; raises ``InputError`` for a kind of file that has none."""
    if labels.schema_of(metadata) not in KINDS:
        schema = metadata.get("schema", "")
        raise InputError("{schema!r} is not described (valid: a result file of {words})", schema, KINDS)
    if frame.is_empty():  # too few trials for an estimate
        return [facts.sample_words(metadata, locale)]
    kind, source = result_kind(metadata), Source(labels.with_titles(frame, metadata), metadata, locale)
    every = view_findings(kind, source)
    found = list(islice(every, MOST_COMPARED) if kind.compares else every)
    rows = [row for one in found if isinstance(one, Finding) for row in one.rows]
    limits = kind.limits(source, rows) if kind.limits else ()
    asked = metadata.get("request", {}).get("question", {}).get("expressions", ())
    read = readings(metadata, locale)[len(asked) if len(asked) > 1 else 0 :]  # several answers say it themselves
    shown = [*found[: kind.headline], " ".join(read), *found[kind.headline :],
             *_tests(source), *limits]  # fmt: skip
    return [one for one in shown if one]


def headline(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """The finding of a result, in a sentence or two; empty where there is none."""
    kind = result_kind(metadata)
    if frame.is_empty():
        return ""
    found = view_findings(kind, Source(labels.with_titles(frame, metadata), metadata, locale))
    return " ".join(sentence(one, locale, kind.plain) for one in islice(found, kind.headline))


def view_findings(kind: ResultKind, source: Source) -> Iterator[Sentence]:
    """What the views of a result show, each thing once; of a comparison what is significant or alike, if any is."""
    found, shown = list[Sentence](), False
    for view in kind.views:
        rows = [] if view.silent else view.select(source.frame)
        for one in view.findings(rows, source) if rows else ():
            if one not in found:
                found.append(one)
                if not kind.compares or leads(one):
                    shown = True
                    yield one
    yield from found[:1] if not shown else ()


def leads(one: Sentence) -> bool:
    """Whether a sentence about a comparison says what differs, or ranks."""
    return isinstance(one, str) or (one.direction != "none" and (holds(one) or one.kind.startswith(("rank", "lead"))))


# ------------------------------------------------------------------------------------------------ tests


def _tests(source: Source) -> Iterator[str]:
    """How many of the main differences of a table are significant."""
    frame, _, locale = source
    if "strength_gap" in frame["quantity"]:
        yield _groups_words(frame, locale)
        return
    rows = [row for row in frame.to_dicts() if row.get("p_holm") is not None and is_main(row)]
    if rows and "play" not in frame.columns:
        k, n = sum(verdict(row) != "open" for row in rows), locale.numerals(f"{len(rows):,}")
        yield locale.say("{k} of {n} main differences {k:is|are} significant (Holm, 5%).", k=k, n=n)


def _groups_words(frame: pl.DataFrame, locale: Language) -> str:
    """Which players are not distinguishable in strength, by all gaps at once; empty for two."""
    order, groups = rankings.strongest_first(frame), rankings.level_groups(frame)
    if len(order) < 3:
        return ""
    if len(groups) == len(order):
        return locale.say("The strengths of all {n} differ (Tukey–Kramer, 5%).", n=len(order))
    if len(groups) == 1:
        return locale.say("No two of all {n} differ significantly in strength (Tukey–Kramer, 5%).", n=len(order))
    each = "; ".join(phrase(tuple(map(who, group)), locale) for group in groups if len(group) > 1)
    return locale.say("Not distinguishable: {groups}; all other gaps are significant (Tukey–Kramer, 5%).", groups=each)
