"""The figures of studies of luck and skill: what the margin of a hand comes from, and how soon the better is ahead."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from cirulla_sim.reporting.charts.figure_parts import Family, command_of, mark_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.rows import BarPart, ChartRow, Group, RowChart
from cirulla_sim.reporting.charts.sheet import Graphic
from cirulla_sim.reporting.text.labels import Metadata, name_of, version
from cirulla_sim.reporting.text.sentences import title

from .study_text import of_deal, together, until_ahead

_PARTS = {
    "deal": "the deal",
    "response": "how the deal suits who plays",
    "skill": "who plays",
    "dice": "chance in the play",
}

CERTAIN_FROM = 1e6
"""Games beyond which nobody plays: intervals are drawn so far."""


def shares(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Bars of what a hand's margin comes from."""
    groups = []
    for policy in frame.filter(quantity="variance_deal")["policy"].unique(maintain_order=True):
        rows = frame.filter((pl.col("policy") == policy) & pl.col("quantity").str.starts_with("variance_"))
        if rows.filter((pl.col("quantity") == "variance_deal") & (pl.col("estimate") < 1)).is_empty():
            continue  # nobody has dice: the play is a function of the deal
        each = [_bar(rules, part, look) for (rules,), part in rows.group_by("rules", maintain_order=True)]
        groups.append(Group(look.say("What a hand’s margin comes from: {policy}", policy=together(policy, look)),
                            tuple(each)))  # fmt: skip
    if not groups:
        return None
    shown = look.say("Shares of its variance; the line at the end of the deal’s share is its 95% interval.")
    body = RowChart(tuple(groups), parts=tuple(map(look.say, _PARTS.values())))
    return Graphic(
        _title(frame, look) or look.say("Luck and skill"), shown, body, _method(metadata, look), command_of(metadata)
    )


def _bar(rules: object, rows: pl.DataFrame, look: Look) -> ChartRow:
    parts = []
    for name in _PARTS:
        of_part = rows.filter(quantity=f"variance_{name}")
        share = max(0.0, float(of_part["estimate"].sum()))
        low, high = (float(of_part[end].sum()) for end in ("ci_low", "ci_high"))
        if name != "deal":
            low = high = share
        parts.append(BarPart(low, share, high, f"{100 * share:.0f}%" if of_part.height else ""))
    return ChartRow(look.say(name_of(str(rules))), parts=tuple(parts), key=str(rules))


def games(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The games it takes until the better policy is ahead."""
    rows = frame.filter(quantity="games_until_ahead").to_dicts()
    if not rows:
        return None
    groups: dict[str, list[ChartRow]] = {}
    for row in rows:
        ends = {**row, "ci_high": min(row["ci_high"], CERTAIN_FROM)}
        mark = mark_of(ends, (look.numerals(f"{row['estimate']:,.0f}"),), look)
        label = together(row["policy"], look)
        groups.setdefault(look.say(name_of(row["rules"])), []).append(ChartRow(label, (mark,), key=row["policy"]))
    body = RowChart(tuple(Group(heading, tuple(each)) for heading, each in groups.items()), log=True)
    said = title(until_ahead(rows[0], look.language), look.language)
    shown = look.say("Each against the other, first deal by lot; the axis is logarithmic.")
    return Graphic(said, shown, body, _method(metadata, look), command_of(metadata))


def _method(metadata: Metadata, look: Look) -> str:
    each = _deals(metadata.get("deals", {}), look)
    deals = look.say("Deals, each replayed with fresh dice by every line-up: {deals}.", deals=each)
    return " ".join([deals, *(f"{text}." for text in version(metadata)), look.say("Whiskers: 95% intervals.")])


def _deals(deals: int | Mapping[str, int], look: Look) -> str:
    """How many deals, of all games or of each."""
    if isinstance(deals, int):
        return look.numerals(f"{deals:,}")
    return ", ".join(f"{look.say(name_of(rules))} {look.numerals(f'{n:,}')}" for rules, n in deals.items())


def _title(frame: pl.DataFrame, look: Look) -> str:
    """The share of the deal in words, under the first rules and among the first players who differ in skill."""
    rows = frame.filter((pl.col("quantity") == "variance_deal") & (pl.col("estimate") < 1))
    if rows.is_empty():
        return ""
    differ = frame.filter(quantity="variance_skill")["policy"]
    skilled = rows.filter(pl.col("policy").is_in(differ.implode()))
    return title(of_deal((skilled if skilled.height else rows).row(0, named=True)), look.language)


FAMILY = Family({"shares": shares, "games": games}, "a file of a study of luck and skill")
