"""What comparisons of rules and of line-ups show, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ...core.locale import Language
from ...stats.decisions import verdict
from .cells import first_row, marked, number
from .claims import Claim, among, counted, effect_of
from .labels import Metadata, name_of, policy_note, who_play
from .quantity_names import EFFECTS

MOST_CHANGES = 2
"""Changes of a comparison that are described."""

_WINNERS = (
    ("winner_changed", "Hands with another winner: {each}."),
    ("game_winner_changed", "Games with another winner: {each}."),
)
"""Shares that have no direction, and a sentence for the largest."""


def compare_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """The largest significant effects, what matters most first; how many hands have another winner."""
    base = frame["rules"][0]
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    described: list[str] = []
    for quantity, side, what in effects_of(metadata, locale):
        rows = differences.filter(quantity=quantity, side=side)
        for row in rows.sort(pl.col("estimate").abs(), descending=True, maintain_order=True).iter_rows(named=True):
            if len(described) < MOST_CHANGES and row["rules"] not in described and verdict(row) != "open":
                rule = locale.say("{rule}", rule=locale.say(name_of(row["rules"])))
                yield effect_of(row, rule, what, locale)
                described.append(row["rules"])
    yield from _winners(frame, locale)
    if differences.height:
        sentence = "{k} of {n} differences from {base} are significant (Holm, 5%)."
        yield counted(differences.to_dicts(), sentence, locale, base=locale.say(name_of(base)))


def effects_of(metadata: Metadata, locale: Language) -> list[tuple[str, str, str]]:
    """The quantities whose changes are put in a sentence: name, side, and words with the policy of that side."""
    return [
        (quantity, side, locale.say(what) + (policy_note(metadata, side, locale) if side != "all" else ""))
        for quantity, side, what in EFFECTS
    ]


def _winners(frame: pl.DataFrame, locale: Language) -> Iterator[Claim]:
    for quantity, sentence in _WINNERS:
        rows = frame.filter(pl.col("estimate") > 0, quantity=quantity)
        largest = rows.sort("estimate", descending=True, maintain_order=True).head(MOST_CHANGES).to_dicts()
        each = "; ".join(f"{locale.say(name_of(row['rules']))} {number(row, locale)}" for row in largest)
        if each:
            yield Claim(locale.say(sentence, each=each), "number", "", tuple(largest))


def compare_line_ups_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """The effects on points, largest first, for each line-up, and whether they agree."""
    changes = frame.filter(quantity="points", side="all", kind="difference")
    size = pl.col("estimate").abs().max().over("rules")
    names = changes.sort(size, descending=True, maintain_order=True)["rules"].unique(maintain_order=True)
    for rules in names[:MOST_CHANGES]:
        rows = {
            locale.say("for {line_up}", line_up=who_play(row["policy"], locale)): row
            for row in changes.filter(rules=rules).iter_rows(named=True)
        }
        change = locale.say("{rule}, change of the points of a hand", rule=locale.say(name_of(rules)))
        yield among(rows, change, locale)
        winners = frame.filter(pl.col("estimate") > 0, quantity="winner_changed", rules=rules)
        if winners.height:
            each = f"{locale.say(name_of(rules))}, {_each_line_up(winners, locale)}"
            yield Claim(locale.say(_WINNERS[0][1], each=each), "number", "", tuple(winners.to_dicts()))
    differences = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    if differences:
        yield counted(differences, "{k} of {n} differences are significant (Holm, 5%).", locale)


_LINE_UPS = (
    ("margin", "hand", "dealer", "What dealing is worth in points a hand: {each}."),
    ("points", "hand", "all", "Points a hand, all sides together: {each}."),
    ("wins_game", "game", "dealer", "Games won by the side that deals first: {each}."),
    ("hands", "game", "all", "Hands in a game: {each}."),
)


def line_ups_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """What each line-up makes, what the first of the others changes, and how many differences are significant."""
    levels = frame.filter(pl.col("value").is_null(), pl.col("kind") != "difference")
    for quantity, per, side, sentence in _LINE_UPS:
        rows = levels.filter(quantity=quantity, per=per, side=side).unique("policy", keep="first", maintain_order=True)
        if rows.height:
            yield Claim(locale.say(sentence, each=_each_line_up(rows, locale)), "number", "", tuple(rows.to_dicts()))
    if "p_holm" not in frame.columns:  # of games, each line-up by itself
        return
    first, *others = frame["policy"].unique(maintain_order=True).to_list()
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    for quantity, side, what in effects_of(metadata, locale):
        row = first_row(differences, quantity, side=side, policy=others[0])
        if row is not None:
            cause = locale.say("{one} instead of {other} play", one=who_play(others[0], locale),
                               other=who_play(first, locale))  # fmt: skip
            yield effect_of(row, cause, what, locale)
            break
    if differences.height:
        sentence = "{k} of {n} differences between the line-ups are significant (Holm, 5%)."
        yield counted(differences.to_dicts(), sentence, locale)


def _each_line_up(rows: pl.DataFrame, locale: Language) -> str:
    """The number of each line-up; differences are marked where they are not significant."""
    return "; ".join(f"{who_play(row['policy'], locale)} {marked(row, locale)}" for row in rows.iter_rows(named=True))
