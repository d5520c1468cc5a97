"""Files of one kind in one chart: policies, rule sets or numbers of players side by side, a row or a group a file."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import polars as pl

from ...core.errors import InputError, unknown
from ...core.locale import Language
from ...core.messages import Message, conjunction
from ..text.findings import line_up_of
from ..text.labels import (
    DEALT,
    Metadata,
    capital,
    change_words,
    changes,
    how_much,
    play_words,
    players_of,
    quantity_name,
    rules_name,
    rules_of,
)
from .figure_parts import Row, chances
from .play_chart import LINE_UPS
from .sheet import Graphic

TOGETHER = ("simulate/2", "games/2", "odds/2", "simulate-line-ups/2", "games-line-ups/2")
"""Kinds of files of which several are drawn together."""

FileTable = tuple[pl.DataFrame, Metadata]


def graphic(parts: Sequence[FileTable], name: str | None, locale: Language) -> Graphic:
    """The files side by side, each called by what it differs in.

    Raises ``InputError`` for files that do not go together, and for a figure with nothing to show.
    """
    schema = _schema_of(parts)
    figures = ["odds"] if schema == "odds/2" else list(LINE_UPS.figures)
    if name is not None and name not in figures:
        raise unknown("figure", name, figures)
    every = [metadata for _, metadata in parts]
    labels, common = labels_of(every, locale)
    much = {how_much(metadata, locale) for metadata in every}
    made = ". ".join(map(capital, filter(None, (", ".join(common), much.pop() if len(much) == 1 else ""))))
    if schema == "odds/2":
        return _odds(parts, labels, made, locale)
    named = (
        frame.with_columns(heading=pl.lit(label))
        if schema.endswith("line-ups/2")
        else frame.with_columns(policy=pl.lit(label), label=pl.lit(label), place=pl.lit(place))
        for (frame, _), label, place in zip(parts, labels, places_of(every, labels), strict=True)
    )
    return LINE_UPS.graphic(name, pl.concat(named, how="diagonal_relaxed"), {"made": made}, locale)


def _schema_of(parts: Sequence[FileTable]) -> str:
    """The one schema of all files; raises ``InputError`` if they have several, or one of a kind drawn alone."""
    schemas = {str(metadata.get("schema")) for _, metadata in parts}
    if len(schemas) > 1 or not schemas <= set(TOGETHER):
        valid = [Message("several of {verb}", schema.partition("/")[0]) for schema in TOGETHER]
        raise InputError(
            "files of {schemas} are not drawn together (valid: {valid})", conjunction(sorted(schemas)), valid
        )
    return schemas.pop()


def labels_of(parts: Sequence[Metadata], locale: Language) -> tuple[list[str], list[str]]:
    """What each file is called, by what they differ in, and what they have in common."""
    words = [
        (
            locale.say(rules_name(metadata)), ", ".join(change_words(metadata, locale)),
            locale.say("{n} players", n=players_of(metadata)), play_words(metadata, locale),
        )
        for metadata in parts
    ]  # fmt: skip
    apart = [len(set(column)) > 1 for column in zip(*words, strict=True)]
    labels = [", ".join(text for text, own in zip(row, apart, strict=True) if own and text) for row in words]
    common = [text for text, own in zip(words[0], apart, strict=True) if text and not own]
    labels = [label or name for label, (name, *_) in zip(labels, words, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{label}, {how_much(metadata, locale)}" for label, metadata in zip(labels, parts, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{number}: {label}" for number, label in enumerate(labels, 1)]
    return labels, common


def places_of(parts: Sequence[Metadata], labels: Sequence[str]) -> list[str]:
    """How sentences name the files, if they differ in their preset, their players or their policy alone."""
    ways = {
        "rule": [rules.preset if (rules := rules_of(metadata)) else "" for metadata in parts],
        "players": [str(players_of(metadata)) for metadata in parts],
        "between": [line_up_of(metadata) for metadata in parts],
        "changes": [", ".join(changes(metadata).values()) for metadata in parts],
    }
    apart = [way for way, names in ways.items() if len(set(names)) > 1]
    if len(apart) != 1 or "changes" in apart:
        return [f"of:{label}" for label in labels]
    return [f"{apart[0]}:{name}" for name in ways[apart[0]]]


def _odds(parts: Sequence[FileTable], labels: Sequence[str], made: str, locale: Language) -> Graphic:
    """Chances of the same thing one below the other."""
    rows = [{**row, "label": label} for (frame, _), label in zip(parts, labels, strict=True)
            for row in frame.filter(kind="probability").to_dicts()]  # fmt: skip

    def heading(row: Row) -> str:
        value = "" if row["value"] is None else f": {locale.numerals(str(row['value']))}"
        what = quantity_name(str(row["quantity"]), locale) + value
        return f"{locale.say(DEALT.get(row['per'], str(row['per'])))}: {what}"

    if not rows:
        raise InputError("figure 'odds' has nothing to show of these files together")
    title = capital(locale.say("{line_ups} side by side", line_ups=", ".join(labels)))
    body = chances(rows, locale, itemgetter("label"), heading=heading)
    sampled = any(metadata.get("hands") or metadata.get("games") for _, metadata in parts)
    return Graphic(title, locale.say("Chance, and odds."), body, f"{made}." if made else "", whiskers=sampled)
