"""Figures of what is compared: rule sets, formats of a night, and the players of a tournament, a row each.

Differences are drawn on an axis with a line at none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from operator import itemgetter

import polars as pl

from ...core.locale import Language
from ...experiments.tally import is_main
from ..text import findings
from ..text.cells import is_share, marked, number
from ..text.findings import Finding
from ..text.labels import Metadata, fields_of, lower, name_of, side_names, version
from ..text.layouts import format_names, gaps_of, label, letters_of, pairs_words, strongest_first
from ..text.sentences import players_name, rule_name
from .figure_parts import TABLES, Family, Graphic, Make, Row, category_name, chances, drawn, row_chart, same_for_all

# ------------------------------------------------------------------------------------------------ rule sets


def _changes(
    finding: Finding | None, shown: str, rows: Sequence[Row], named: Callable[[Row], str], frame: pl.DataFrame,
    metadata: Metadata, locale: Language,
) -> Graphic | None:  # fmt: skip
    """The chart of differences, a row a rule set; the biggest first, a mark for each line-up."""
    changed = [row for row in rows if row["estimate"] or row["ci_low"] or row["ci_high"]]
    if not changed or finding is None:
        return None
    several = "policy" in frame.columns and frame["policy"].n_unique() > 1
    base = locale.say(name_of(frame["rules"][0]))
    body = row_chart(
        changed, locale, named, key=itemgetter("rules"), directed=not several,
        series=(lambda row: players_name(row["policy"], locale)) if several else None,
        reference=(0.0, locale.say("as in {base}", base=base)),
    )  # fmt: skip
    body = replace(body, rows=tuple(sorted(body.rows, key=lambda row: -row.size)))
    paired = "changed" in frame["quantity"]
    same = "Each rule set on the same deals, less {base}." if paired else (
        "Each rule set on hands of its own, less {base}.")  # fmt: skip
    together = metadata.get("levels") == "holm"  # main quantities are corrected together, and all others together
    every = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    tested = sum(not together or is_main(row) == is_main(rows[0]) for row in every)
    return drawn(finding, shown, body, metadata, locale, locale.say(same, base=base), tested=tested)


def _effects(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    quantity, per, side, shown = TABLES["change"][name].values()
    rows = frame.filter(quantity=quantity, per=per, side=side, kind="difference").to_dicts()
    finding = findings.effect(quantity, rows, metadata) if rows else None
    shown = locale.say(shown, **side_names(metadata, locale, policies=False))
    return _changes(finding, shown, rows, lambda row: rule_name(row["rules"], locale), frame, metadata, locale)


def _categories(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Through which points rules change: a row a rule and category."""
    if "policy" in frame.columns:
        return None
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference", per="hand")
    rows = [row for row in every.iter_rows(named=True) if row.get("p_holm") is not None]

    alone = len({row["rules"] for row in rows}) == 1

    def named(row: Row) -> str:
        category = category_name(row["quantity"], locale)
        return category if alone else f"{rule_name(row['rules'], locale)}: {lower(category)}"

    points = {row["rules"]: row for row in frame.filter(quantity="points", side="all", kind="difference").to_dicts()}
    finding = findings.through(rows, points) if rows else None
    shown = locale.say("Change of the mean points a hand by category, all sides together.")
    return _changes(finding, shown, rows, named, frame, metadata, locale)


def _changed(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """How many hands have another winner, or go another way at all."""
    quantity, shown = TABLES["changed"][name].values()
    every = frame.filter(quantity=quantity).sort("estimate", descending=True, maintain_order=True)
    rows = [row for row in every.iter_rows(named=True) if row["estimate"] > 0]
    if not rows or "policy" in frame.columns:
        return None
    body = chances(rows, locale, lambda row: rule_name(row["rules"], locale), key=itemgetter("rules"))
    return drawn(findings.changed(quantity, rows), locale.say(shown), body, metadata, locale)


_ASPECTS: dict[str, Make] = {name: partial(_effects, name) for name in TABLES["change"]}

FAMILY = Family(
    {
        "points": _ASPECTS["points"],
        "categories": _categories,
        **_ASPECTS,
        **{name: partial(_changed, name) for name in TABLES["changed"]},
    },
    "a file with a change, as of compare --games",
)
LINE_UPS = Family(_ASPECTS, "a file with a change in it")

# ------------------------------------------------------------------------------------------------ nights


def _formats(quantity: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A row a format: its number, and how much more that is than in the first."""
    levels = frame.filter(pl.col("kind") != "difference", quantity=quantity).to_dicts()
    if not levels:
        return None
    differences = {row["rules"]: row for row in frame.filter(kind="difference", quantity=quantity).to_dicts()}
    names = format_names(metadata, locale)

    def texts(row: Row) -> tuple[str, str]:
        change = differences.get(row["rules"])
        return number(row, locale), "" if change is None else marked(change, locale)

    what, base = label(levels[0], metadata, locale), frame["rules"][0]
    body = row_chart(
        levels, locale, lambda row: str(names.get(row["rules"], row["rules"])), key=itemgetter("rules"), texts=texts,
        heads=("", locale.say("difference")), optional=1, unit="%" if is_share(levels[0]) else "",
    )  # fmt: skip
    tested = locale.say(
        "Differences from {base}, in parentheses if not significant ({n} tested; Holm, 5%).",
        base=names.get(base, base), n=locale.numerals(f"{frame.filter(pl.col('p_holm').is_not_null()).height:,}"),
    )  # fmt: skip
    return drawn(
        findings.nights(quantity, levels, what, names), f"{what}.", body, metadata, locale,
        f"{pairs_words(metadata, locale)}.", tested, much=same_for_all(metadata, locale),
    )  # fmt: skip


NIGHTS = Family(
    {name: partial(_formats, quantity) for name, quantity in TABLES["night"].items()}, "a comparison of nights"
)

# ------------------------------------------------------------------------------------------------ tournaments


def _ranking(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Each policy's strength with its interval, the policies that are not distinguishable, and the gap to the next."""
    order, gaps, letters = strongest_first(frame), gaps_of(frame), letters_of(frame)
    strengths = {row["policy"]: row for row in frame.filter(quantity="strength", side="all").to_dicts()}
    if not strengths or frame.filter(quantity="wins_game", side="all").is_empty():
        return None
    ahead = {first: marked(gaps[first, second], locale) for first, second in pairwise(order)}
    tied = any(len(own) > 1 for own in letters.values()) or len(set(letters.values())) < len(letters)

    def texts(row: Row) -> tuple[str, ...]:
        sign, group = "+" if row["estimate"] > 0 else "", [letters[row["policy"]]] if tied else []
        return sign + number(row, locale), *group, ahead.get(row["policy"], "")

    body = row_chart(
        [strengths[policy] for policy in order], locale, lambda row: players_name(row["policy"], locale),
        key=itemgetter("policy"), texts=texts, optional=1, reference=(0.0, locale.say("mean of all")),
        heads=("", *([locale.say("group")] if tied else []), locale.say("ahead of the next")),
    )  # fmt: skip
    groups = locale.say("Players of one group are not distinguishable; all gaps hold at once (Tukey–Kramer, 95%)."
                        if tied else "All gaps hold at once (Tukey–Kramer, 95%).")  # fmt: skip
    shown = locale.say("Strength in points a hand, the mean of all being 0.")
    much = _pairings(metadata, locale)
    return drawn(findings.strongest(order, gaps), shown, body, metadata, locale, groups, much=much)


def _pairs(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """How far every policy is ahead of every weaker one, strongest first, and how many games it wins."""
    places = {policy: place for place, policy in enumerate(strongest_first(frame))}
    sides = frame.filter(side="all")
    games = {(row["policy"], row["opponent"]): row for row in sides.filter(quantity="wins_game").to_dicts()}
    if not places or not games:
        return None
    margins = {
        (places[row["policy"]], places[row["opponent"]]): row for row in sides.filter(quantity="margin").to_dicts()
    }
    pairs = [margins[first, second] for first, second in sorted(margins) if first < second]

    def texts(row: Row) -> tuple[str, str]:
        game = games.get((row["policy"], row["opponent"]))
        won = locale.say("{share} won", share=locale.percent(game["estimate"])) if game else ""
        return marked(row, locale), won

    body = row_chart(
        pairs, locale, lambda row: players_name(row["opponent"], locale),
        key=lambda row: f"{row['policy']} {row['opponent']}",
        heading=lambda row: locale.say("{policy} against", policy=players_name(row["policy"], locale)), texts=texts,
        optional=1, reference=(0.0, locale.say("even")),
    )  # fmt: skip
    shown = locale.say("Margin in points a hand, and the games won.")
    much = _pairings(metadata, locale)
    finding = findings.counted("pairings", pairs)
    return drawn(finding, shown, body, metadata, locale, tested=len(pairs), much=much)


def _pairings(metadata: Metadata, locale: Language) -> str:
    """How many deals each pairing has, how they are seated, the seed."""
    deals, test = locale.numerals(f"{metadata.get('hands') or 0:,}"), metadata.get("test")
    much = "Until decided to {delta} points a hand, at most {n} deals a pairing" if test else "{n} deals a pairing"
    seats = ("each played with sides exchanged" if fields_of(metadata).sides == 2 else
             "each policy alone against the other in every place")  # fmt: skip
    return ", ".join([
        locale.say(much, delta=locale.numerals(f"{test['delta']:g}") if test else "", n=deals), locale.say(seats),
        locale.say("seed {seed}", seed=metadata.get("seed")), *version(metadata),
    ])  # fmt: skip


TOURNAMENT = Family({"strength": _ranking, "pairs": _pairs}, "a whole file of tournament")
