"""Files of one kind in one chart: policies, rule sets or numbers of players side by side, a row or a group a file."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import polars as pl

from ...core.errors import InputError, unknown
from ...core.locale import Language
from ...core.messages import Message, conjunction
from ..kinds import KINDS
from ..text.answers import among_files, answers_of, row_name
from ..text.facts import Source
from ..text.findings import Noun
from ..text.labels import (
    Metadata,
    capital,
    change_words,
    fields_of,
    how_much,
    line_up_of,
    play_words,
    rules_name,
    rules_of,
)
from ..text.sentences import listed, phrase, title
from .figure_parts import Graphic, Row, chance_words, chances
from .figures import figures_of, first_graphic

TOGETHER = ("simulate/2", "games/2", "odds/2", "simulate-line-ups/2", "games-line-ups/2")
"""Kinds of files of which several are drawn together."""

_LINE_UPS = KINDS["simulate-line-ups"]

FileTable = tuple[pl.DataFrame, Metadata]


def graphic(parts: Sequence[FileTable], name: str | None, locale: Language) -> Graphic:
    """The files side by side, each called by what it differs in.

    Raises ``InputError`` for files that do not go together, and for a figure with nothing to show.
    """
    schema = _schema_of(parts)
    figures = ["odds"] if schema == "odds/2" else list(figures_of(_LINE_UPS))
    if name is not None and name not in figures:
        raise unknown("figure", name, figures)
    every = [metadata for _, metadata in parts]
    labels, places, common = _named(every, locale)
    much = {how_much(metadata, locale) for metadata in every}
    made = ". ".join(filter(None, (capital(", ".join(common)), much.pop() if len(much) == 1 else "")))
    if schema == "odds/2":
        return _odds(parts, labels, places, made, locale)
    named = (
        frame.with_columns(
            pl.lit(fields_of(metadata).sides).alias("sides"),
            pl.lit(line_up_of(metadata)).alias("line_up"),
            **({"heading": pl.lit(label)} if schema.endswith("line-ups/2") else
               {"policy": pl.lit(label), "label": pl.lit(label), "place": pl.lit(place)}),
        )
        for (frame, metadata), label, place in zip(parts, labels, places, strict=True)
    )  # fmt: skip
    return first_graphic(
        figures_of(_LINE_UPS), name, Source(pl.concat(named, how="diagonal_relaxed"), {"made": made}, locale)
    )


def _schema_of(parts: Sequence[FileTable]) -> str:
    """The one schema of all files; raises ``InputError`` if they have several, or one of a kind drawn alone."""
    schemas = {str(metadata.get("schema")) for _, metadata in parts}
    if len(schemas) > 1 or not schemas <= set(TOGETHER):
        valid = [Message("several of {verb}", schema.partition("/")[0]) for schema in TOGETHER]
        raise InputError(
            "files of {schemas} are not drawn together (valid: {valid})", conjunction(sorted(schemas)), valid
        )
    return schemas.pop()


def _named(parts: Sequence[Metadata], locale: Language) -> tuple[list[str], list[str], list[str]]:
    """What each file is called, by what they differ in; how sentences name it; what all have in common.

    Sentences name a file by its preset, its players or its policy, if only that differs.
    """
    every = [
        {
            "rule": (rules.preset if (rules := rules_of(metadata)) else "", locale.say(rules_name(metadata))),
            "changes": ("", ", ".join(change_words(metadata, locale))),
            "players": (str(fields_of(metadata).players), locale.say("{n} players", n=fields_of(metadata).players)),
            "between": (line_up_of(metadata), play_words(metadata, locale)),
        }
        for metadata in parts
    ]
    apart = [aspect for aspect in every[0] if len({file[aspect] for file in every}) > 1]
    common = [words for aspect, (_, words) in every[0].items() if words and aspect not in apart]
    labels = [", ".join(filter(None, (file[aspect][1] for aspect in apart))) or file["rule"][1] for file in every]
    if len(set(labels)) < len(labels):
        labels = [f"{label}, {how_much(metadata, locale)}" for label, metadata in zip(labels, parts, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{number}: {label}" for number, label in enumerate(labels, 1)]
    places = [f"of:{label}" for label in labels]
    if apart == ["rule", "players"] and len({file["rule"][0] for file in every}) == len(parts):
        apart = ["rule"]  # rules tell them apart
    if len(apart) == 1 and apart != ["changes"]:
        places = [f"{apart[0]}:{file[apart[0]][0]}" for file in every]
    return labels, places, common


def _odds(
    parts: Sequence[FileTable], labels: Sequence[str], places: Sequence[str], made: str, locale: Language
) -> Graphic:  # fmt: skip
    """Chances of the same thing one below the other, titled by where it comes most often if it is only one."""
    frames = [frame.filter(kind="probability") for frame, _ in parts]
    rows = [
        {**row, "label": label, "place": place}
        for frame, label, place in zip(frames, labels, places, strict=True) for row in frame.to_dicts()
    ]  # fmt: skip
    if not rows:
        raise InputError("figure 'odds' has nothing to show of these files together")
    answers = answers_of(frames[0], parts[0][1], locale)

    def question(row: Row) -> str:
        return row_name(row, answers, locale)

    questions = list(dict.fromkeys(map(question, rows)))
    if len(questions) == 1 and answers[0].wording is not None:
        named: dict[str, Row] = {phrase(Noun("place", row["place"]), locale): row for row in rows}
        headline = title(among_files(answers[0].wording, named, parts[0][1], locale), locale)
    else:
        headline = locale.say("{line_ups} compared", line_ups=listed(labels, locale))
    body = chances(rows, locale, itemgetter("label"), heading=question if len(questions) > 1 else lambda row: "")
    exact = not any(frame["exact"].null_count() for frame in frames)
    counted = [locale.say("Counted over every case, with no sampling error.")] if exact else []
    about = " ".join([*([f"{made}."] if made else []), *counted])
    return Graphic(capital(headline), chance_words(rows, locale), body, about, whiskers=not exact)
