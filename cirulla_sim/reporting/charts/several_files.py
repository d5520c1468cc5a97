"""Files of one kind in one chart: policies, rule sets or numbers of players side by side, a row a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl
from matplotlib.figure import Figure

from ...core.errors import InputError, unknown
from ..text.labels import DEALT, NAMES, Metadata, changes_said, how_much, play_words, players_of, rules_name
from . import line_up_chart as line_ups
from .dots import Chance, draw_chances, height
from .look import Look
from .page_layout import Head, Panel, page

TOGETHER = ("simulate/2", "games/2", "odds/2")
"""Kinds of files of which several are drawn together."""

MOST_COMMANDS = 3
"""Commands at the foot; of more files they are in the files."""

Part = tuple[pl.DataFrame, Metadata]


def names(schema: str) -> list[str]:
    """The figures of several files of a kind, the first drawn unless another is asked for."""
    return ["odds"] if schema == "odds/2" else list(line_ups.FIGURES)


def draw(parts: Sequence[Part], name: str | None, look: Look) -> Figure:
    """The files side by side, each called by what it differs in.

    Raises ``InputError`` for files that do not go together, and for a figure with nothing to show.
    """
    schemas = {str(made.get("schema")) for _, made in parts}
    if len(schemas) > 1 or not schemas <= set(TOGETHER):
        valid = ", ".join(f"several of {schema.partition('/')[0]}" for schema in TOGETHER)
        raise InputError(f"files of {' and '.join(sorted(schemas))} are not drawn together (valid: {valid})")
    schema = schemas.pop()
    if name is not None and name not in names(schema):
        raise unknown("figure", name, names(schema))
    labels, common = labels_of([made for _, made in parts], look)
    if schema == "odds/2":
        title, panels = "", _chances(parts, labels, look)
    else:
        named = [frame.with_columns(policy=pl.lit(label)) for (frame, _), label in zip(parts, labels, strict=True)]
        frame = pl.concat(named, how="diagonal_relaxed")
        figure = name or names(schema)[0]
        title, panels = line_ups.found(figure, frame, look), line_ups.panels(figure, frame, look)
    if not panels:
        raise InputError(f"figure {name or names(schema)[0]!r} has nothing to show of these files together")
    commands = [str(made.get("command", "")) for _, made in parts]
    much = {how_much(made, look) for _, made in parts}
    sure = (
        []
        if schema == "odds/2" and not any(made.get("hands") for _, made in parts)
        else ["Whiskers are 95% intervals."]
    )
    about = [
        f"{part[:1].upper()}{part[1:]}." for part in (", ".join(common), much.pop() if len(much) == 1 else "") if part
    ]
    head = Head(
        title or look.say("{line_ups} side by side", line_ups=", ".join(labels)),
        " ".join([*about, *map(look.say, sure)]),
        "; ".join(commands) if len(commands) <= MOST_COMMANDS else "",
    )
    return page(head, panels, look)


def labels_of(mades: Sequence[Metadata], look: Look) -> tuple[list[str], list[str]]:
    """What each file is called, by what they differ in, and what they have in common."""
    told = [
        (
            look.say(rules_name(made)), ", ".join(changes_said(made, look)),
            look.say("{n} players", n=players_of(made)), play_words(made, look),
        )
        for made in mades
    ]  # fmt: skip
    apart = [len(set(column)) > 1 for column in zip(*told, strict=True)]
    labels = [", ".join(text for text, own in zip(row, apart, strict=True) if own and text) for row in told]
    common = [text for text, own in zip(told[0], apart, strict=True) if text and not own]
    labels = [label or name for label, (name, *_) in zip(labels, told, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{label}, {how_much(made, look)}" for label, made in zip(labels, mades, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{number}: {label}" for number, label in enumerate(labels, 1)]
    return labels, common


def _chances(parts: Sequence[Part], labels: Sequence[str], look: Look) -> list[Panel]:
    """Chances of the same thing one below the other."""
    rows: dict[str, list[Chance]] = {}
    for (frame, _), label in zip(parts, labels, strict=True):
        for row in frame.filter(kind="probability").iter_rows(named=True):
            value = "" if row["value"] is None else f": {look.numerals(str(row['value']))}"
            what = look.say(NAMES.get(row["quantity"], row["quantity"])) + value
            chance = Chance(label, row["estimate"], row["ci_low"], row["ci_high"], row["exact"])
            rows.setdefault(f"{look.say(DEALT.get(row['per'], row['per']))}: {what}", []).append(chance)
    if not rows:
        return []
    groups = list(rows.items())
    draw = partial(draw_chances, groups=groups, gid="odds", look=look)
    return [Panel(look.say("How likely it is"), "", height(groups, look), draw)]
