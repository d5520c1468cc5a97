"""Charts of results: of one, or of several of one kind, policies, rule sets or numbers of players side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...core.messages import Message, conjunction
from ..kinds import KINDS, result_kind
from ..text.answers import among_files, answer_name, answers_of
from ..text.cells import Row
from ..text.facts import Source, readings
from ..text.findings import Noun
from ..text.labels import (
    Metadata,
    capital,
    change_words,
    how_much,
    line_up_of,
    play_words,
    result_rules,
    rules_words,
    schema_of,
)
from ..text.sentences import chart_title, join_names, phrase
from .chart_rows import chance_chart, chance_words
from .figures import chart_source, figures_of, first_graphic, graphic_of
from .graphic import Graphic
from .look import Look
from .sheet import Chart, draw_figure


def draw_all(
    parts: Sequence[tuple[pl.DataFrame, Metadata]], name: str | None = None, look: Look | None = None
) -> Chart:
    """The figure of a result table, or of several of one kind in one chart, as wide as a page or as the look says.

    It is the first that has something to show unless named.

    Raises ``InputError`` for a kind of file or a name that has no figure, where there is nothing to show, and for
    tables that do not go together.
    """
    look = look or Look()
    if len(parts) > 1:
        return draw_figure(_side_by_side([chart_source(*part, look.lang) for part in parts], name, look.lang), look)
    [(frame, metadata)] = parts
    graphic = graphic_of(frame, metadata, name, look.lang)
    if schema_of(metadata) not in ("odds", "win-chance"):  # whose subtitle is the reading, whose title has the score
        graphic = replace(graphic, shown=" ".join([graphic.shown, *readings(metadata, look.lang, about=False)]))
    return draw_figure(graphic, look)


def _side_by_side(sources: Sequence[Source], name: str | None, locale: Language) -> Graphic:
    """The files in one chart, each called by what it differs in."""
    every = [source.metadata for source in sources]
    schemas = {str(metadata.get("schema")) for metadata in every}
    if len(schemas) > 1 or not result_kind(every[0]).together:
        valid = [Message("several of {verb}", name) for name, kind in KINDS.items() if kind.together]
        raise InputError(
            "files of {schemas} are not drawn together (valid: {valid})", conjunction(sorted(schemas)), valid
        )
    labels, common = _labels(every, locale)
    much = {how_much(metadata, locale) for metadata in every}
    each = locale.say("Each: {much}", much=much.pop()) if len(much) == 1 else ""
    made = ". ".join(filter(None, (capital(", ".join(common)), each)))
    if schema_of(every[0]) == "odds":
        whole = Source(pl.DataFrame(), {"made": made}, locale)
        return first_graphic({"odds": lambda whole: _odds(sources, labels, whole)}, name, whole)
    tables = (
        frame.with_columns(
            pl.lit(result_rules(metadata).fields.sides).alias("sides"),
            pl.lit(line_up_of(metadata)).alias("line_up"),
            **({"heading": pl.lit(label)} if schema_of(metadata).endswith("line-ups") else
               {"policy": pl.lit(label), "label": pl.lit(label), "place": pl.lit(place)}),
        )
        for (frame, metadata, _), (label, place) in zip(sources, labels, strict=True)
    )  # fmt: skip
    whole = Source(pl.concat(tables, how="diagonal_relaxed"), {"made": made}, locale)
    return first_graphic(figures_of({"schema": "simulate-line-ups"}), name, whole)  # a row or a group is a file


def _labels(parts: Sequence[Metadata], locale: Language) -> tuple[list[tuple[str, str]], list[str]]:
    """What each file is called, by what they differ in, and how sentences name it; what all have in common.

    Sentences name a file by its preset, its players or its policy, if only that differs.
    """
    every = [
        {
            "rule": (rules.preset, locale.say(rules_words(rules.preset))),
            "changes": (", ".join(change_words(metadata, locale)),) * 2,
            "players": (str(rules.fields.players), locale.say("{n} players", n=rules.fields.players)),
            "between": (line_up_of(metadata), play_words(metadata, locale)),
        }
        for metadata, rules in zip(parts, map(result_rules, parts), strict=True)
    ]
    differ = [aspect for aspect in every[0] if len({file[aspect] for file in every}) > 1]
    common = [words for aspect, (_, words) in every[0].items() if words and aspect not in differ]
    names = [", ".join(filter(None, (file[aspect][1] for aspect in differ))) or file["rule"][1] for file in every]
    if len(set(names)) < len(names):
        names = [f"{name}, {how_much(metadata, locale)}" for name, metadata in zip(names, parts, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{number}: {name}" for number, name in enumerate(names, 1)]
    if differ == ["rule", "players"] and len({file["rule"][0] for file in every}) == len(parts):
        differ = ["rule"]  # rules tell them apart
    if len(differ) == 1 and differ != ["changes"]:
        return [(name, f"{differ[0]}:{file[differ[0]][0]}") for name, file in zip(names, every, strict=True)], common
    aspects = dict.fromkeys(["rule", *differ] if "changes" in differ else differ)
    places = ((f"{of}:{file[of][0]}" for of in aspects if file[of][1]) for file in every)
    words = (" ".join(phrase(Noun("place", place), locale) for place in of_file) for of_file in places)
    return [(name, f"words:{place or f'({name})'}") for name, place in zip(names, words, strict=True)], common


def _odds(sources: Sequence[Source], labels: Sequence[tuple[str, str]], whole: Source) -> Graphic | None:
    """Chances of the same thing one below the other, titled by where it comes most often if it is only one."""
    locale, (first, metadata, _) = whole.locale, sources[0]
    answers = answers_of(first, metadata, locale)
    rows: list[Row] = [
        {**row, "label": label, "place": place, "question": answer_name(row, answers, locale)}
        for source, (label, place) in zip(sources, labels, strict=True)
        for answer in answers_of(*source) for row in answer.rows if row["kind"] == "probability"
    ]  # fmt: skip
    if not rows:
        return None
    one, wording = len({row["question"] for row in rows}) == 1, answers[0].wording
    if one and wording is not None:
        named: Mapping[str, Row] = {phrase(Noun("place", row["place"]), locale): row for row in rows}
        headline = chart_title(among_files(wording, named, metadata, locale), locale)
    else:
        headline = locale.say("{line_ups} compared", line_ups=join_names([label for label, _ in labels], locale))
    body = chance_chart([{**row, "heading": "" if one else row["question"]} for row in rows], locale)
    exact = all(row["exact"] is not None for row in rows)
    counted = locale.say("Counted over every case, with no sampling error.") if exact else ""
    about = f"{whole.metadata['made']}." if whole.metadata["made"] else ""
    return Graphic(
        capital(headline), chance_words(rows, locale), body, f"{about} {counted}".strip(), whiskers=not exact
    )
