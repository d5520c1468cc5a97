"""The figures of the files of ``tournament``: a ranking, and who is ahead of whom."""

from __future__ import annotations

import math
from itertools import pairwise
from operator import itemgetter
from typing import Any

import polars as pl

from ..text.cells import is_significant, marked, minus
from ..text.findings import counted, strongest
from ..text.labels import Metadata, fields_of, player, version
from ..text.layouts import gaps_of, letters_of, strongest_first
from ..text.sentences import title
from .figure_parts import Family, Row, drawn, mark_of, method, rows_of
from .look import Look
from .rows import Mark, RowChart
from .sheet import Graphic


def _ranking(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Each policy's strength with its interval, the policies that are not distinguishable, and the gap to the next."""
    strengths = _ranked(frame)
    if not strengths or not _rows(frame, "wins_game"):
        return None
    gaps, letters = gaps_of(frame), letters_of(frame)
    following = dict(pairwise(strongest_first(frame)))
    ahead = {first: marked(gaps[first, second], look.language) for first, second in following.items()}

    def mark(row: Row) -> Mark:
        texts = (" ".join(_points(row, look)), letters[row["policy"]], ahead.get(row["policy"], ""))
        return mark_of(row, texts, look, sign="+")

    heads = ("", look.say("group"), look.say("ahead of the next"))
    groups = look.say("Players of one group are not distinguishable; all gaps hold at once (Tukey–Kramer, 95%).")
    rows = rows_of(strengths, lambda row: player(row["policy"], look), mark, itemgetter("policy"))
    body = RowChart(rows, heads=heads, optional=1, reference=(0.0, look.say("mean of all")))
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

    def mark(row: Row) -> Mark:
        game = games.get((row["policy"], row["opponent"]))
        won = look.say("{share} won", share=_share(game["estimate"], look)) if game else ""
        return mark_of(row, (" ".join(_points(row, look)), won), look, sign="+", hollow=not is_significant(row))

    said = counted("pairings", pairs)
    rows = rows_of(
        pairs, lambda row: player(row["opponent"], look), mark, lambda row: f"{row['policy']} {row['opponent']}",
        lambda row: look.say("{policy} against", policy=player(row["policy"], look)),
    )  # fmt: skip
    body = RowChart(rows, optional=1, reference=(0.0, look.say("even")))
    shown = look.say("Margin in points a hand, and the games won.")
    hollow = look.say("Hollow, in parentheses: not significant ({n} tested; Holm, 5%).", n=len(pairs))
    return drawn(said, shown, body, _method(metadata, look, hollow), metadata, look)


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


def _share(share: float, look: Look) -> str:
    """A share in whole percent, with no more certainty than there is.

    >>> [_share(share, Look()) for share in (1.0, 0.9996, 0.5, 0.001)]
    ['all', '>99%', '50%', '<1%']
    """
    if 0 < share < 0.01 or 0.99 < share < 1:
        return "<1%" if share < 0.5 else ">99%"
    if share in (0, 1):
        return look.say("all" if share else "none")
    return f"{100 * share:.0f}%"


def _points(row: Row, look: Look) -> tuple[str, str]:
    """An estimate and its half interval, with the decimals that two figures of the standard error need."""
    error = row["std_error"]
    places = max(1, min(3, 1 - math.floor(math.log10(error)))) if error > 0 else 2
    estimate = minus(look.numerals(f"{row['estimate']:+.{places}f}"))
    half = look.numerals(f"±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}")
    tested = row["kind"] == "difference" and not is_significant(row)
    return (f"({estimate}", f"{half})") if tested else (estimate, half)


FAMILY = Family({"strength": _ranking, "pairs": _pairs}, "a whole file of tournament")
