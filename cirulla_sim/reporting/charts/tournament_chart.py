"""The figures of the files of ``tournament``: a ranking, and who is ahead of whom."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter
from typing import Any

import polars as pl

from ..text.cells import is_significant, marked, number
from ..text.findings import counted, strongest
from ..text.labels import Metadata, fields_of, version
from ..text.layouts import gaps_of, letters_of, strongest_first
from ..text.sentences import players_name, title
from .figure_parts import Family, Row, drawn, method, row_chart
from .look import Look
from .sheet import Graphic


def _ranking(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Each policy's strength with its interval, the policies that are not distinguishable, and the gap to the next."""
    strengths = _ranked(frame)
    if not strengths or not _rows(frame, "wins_game"):
        return None
    gaps, letters = gaps_of(frame), letters_of(frame)
    following = dict(pairwise(strongest_first(frame)))
    ahead = {first: marked(gaps[first, second], look.language) for first, second in following.items()}

    grouped = len("".join(letters.values())) > len(set(letters.values())) or len(set(letters.values())) < len(letters)

    def texts(row: Row) -> tuple[str, ...]:
        sign = "+" if row["estimate"] > 0 else ""
        group = (letters[row["policy"]],) if grouped else ()
        return sign + number(row, look.language), *group, ahead.get(row["policy"], "")

    heads = ("", *((look.say("group"),) if grouped else ()), look.say("ahead of the next"))
    groups = look.say("Players of one group are not distinguishable; all gaps hold at once (Tukey–Kramer, 95%)."
                      if grouped else "All gaps hold at once (Tukey–Kramer, 95%).")  # fmt: skip
    body = row_chart(
        strengths, look, lambda row: players_name(row["policy"], look.language), key=itemgetter("policy"), texts=texts,
        heads=heads, optional=1, reference=(0.0, look.say("mean of all")),
    )  # fmt: skip
    shown = look.say("Strength in points a hand, the mean of all being 0.")
    return drawn(
        title(strongest(strongest_first(frame), gaps), look.language),
        shown,
        body,
        _method(metadata, look, groups),
        metadata,
        look,
    )


def _pairs(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How far every policy is ahead of every weaker one, strongest first, and how many games it wins."""
    names = [row["policy"] for row in _ranked(frame)]
    games = {(row["policy"], row["opponent"]): row for row in _rows(frame, "wins_game")}
    if not names or not games:
        return None
    pairs = [row for row in _rows(frame, "margin") if names.index(row["policy"]) < names.index(row["opponent"])]
    pairs.sort(key=lambda row: (names.index(row["policy"]), names.index(row["opponent"])))

    def texts(row: Row) -> tuple[str, str]:
        game = games.get((row["policy"], row["opponent"]))
        won = look.say("{share} won", share=look.percent(game["estimate"])) if game else ""
        return marked(row, look.language), won

    finding = counted("pairings", pairs)
    body = row_chart(
        pairs, look, lambda row: players_name(row["opponent"], look.language),
        key=lambda row: f"{row['policy']} {row['opponent']}",
        heading=lambda row: look.say("{policy} against", policy=players_name(row["policy"], look.language)),
        texts=texts, optional=1, reference=(0.0, look.say("even")),
    )  # fmt: skip
    shown = look.say("Margin in points a hand, and the games won.")
    significant = all(is_significant(row) for row in pairs)
    hollow = look.say("Significant among {n} tested (Holm, 5%)." if significant else
                      "Hollow, in parentheses: not significant ({n} tested; Holm, 5%).", n=len(pairs))  # fmt: skip
    return drawn(finding, shown, body, _method(metadata, look, hollow), metadata, look)


def _rows(frame: pl.DataFrame, quantity: str) -> list[dict[str, Any]]:
    return frame.filter(quantity=quantity, side="all").to_dicts()


def _ranked(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The strengths, the strongest first."""
    return sorted(_rows(frame, "strength"), key=lambda row: -float(row["estimate"]))


def _method(metadata: Metadata, look: Look, *sentences: str) -> str:
    deals, rules = look.numerals(f"{metadata.get('hands') or 0:,}"), fields_of(metadata)
    much = look.say("{n} deals a pairing", n=deals)
    if metadata.get("test"):
        delta = look.numerals(f"{metadata['test']['delta']:g}")
        much = look.say("Until decided to {delta} points a hand, at most {n} deals a pairing", delta=delta, n=deals)
    seats = look.say("each played with sides exchanged" if rules.sides == 2 else
                     "each policy alone against the other in every place")  # fmt: skip
    parts = [much, seats, look.say("seed {seed}", seed=metadata.get("seed")), *version(metadata)]
    return method(metadata, look, *sentences, much=", ".join(parts))


FAMILY = Family({"strength": _ranking, "pairs": _pairs}, "a whole file of tournament")
