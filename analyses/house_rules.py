"""What does each house rule of Cirulla change in a hand, for two and for four players?

Run: every house rule of the catalogue against the rules without it, with common random numbers, between careful and
between greedy players; the rules whose effect differs between these two, also between search players.
Tables: every quantity with its 95% interval, the gain in precision by pairing, Holm-corrected p-values (parquet).
Figures: all effects, largest first. Answer: three surprising effects, and tables (markdown).

    python analyses/house_rules.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect

PLAYERS = (2, 4)
QUICK, SLOW = ("careful", "greedy"), ("careful", "search")
QUICK_HANDS, SLOW_HANDS = 1_000_000, 10_000
LEVEL = 0.05
"""Significance level, after Holm's correction over all differences of a file."""

ASPECTS = (("points", "all", 1), ("margin", "dealer", 1), ("wins_hand", "dealer", 100))
"""Quantity, side and scale: points, points, hands of a hundred."""

SEED = 1
QUESTION = {"en": "What do house rules change in a hand of Cirulla?", "it": "Che cosa cambiano le regole della casa?"}
FILES = (("house_rules_4.parquet", "points"), ("house_rules_4.parquet", "margin"))


def quick_file(players: int) -> str:
    """The file of all house rules, for careful and for greedy players."""
    return f"house_rules_{players}.parquet"


def slow_file(players: int) -> str:
    """The file of the rules that were also compared between search players."""
    return f"house_rules_{players}_search.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write tables and figures."""
    for players in PLAYERS:
        options = {"players": players, "seed": SEED}
        file = folder / quick_file(players)
        result = study.run(cs.compare, all_houses=True, policy=QUICK, hands=sized(QUICK_HANDS), output=file, **options)
        for suffix in (".png", ".svg"):
            cs.plot(file, output=file.with_suffix(suffix))
        file, rules = folder / slow_file(players), differing(result.frame)
        study.run(cs.compare, house=rules, policy=SLOW, hands=sized(SLOW_HANDS), output=file, **options)


def differing(frame: pl.DataFrame) -> list[str]:
    """The rules whose effect on points, margin or hands won differs between greedy and careful players."""
    is_aspect = pl.col("quantity").is_in([quantity for quantity, _, _ in ASPECTS])
    rows = frame.filter(pl.col("kind") == "interaction", is_aspect, pl.col("p_holm") <= LEVEL)
    return rows["rules"].unique(maintain_order=True).to_list()


def significant(row: study.Row) -> bool:
    """Whether an effect is significant."""
    return row["p_holm"] is None or row["p_holm"] <= LEVEL


def marked(row: study.Row, scale: int = 1) -> str:
    """An effect ± half its interval, in parentheses if it is not significant."""
    text = effect(row, scale)
    return text if significant(row) else f"({text})"


def cell(frame: pl.DataFrame, rules: str, policy: str, quantity: str, side: str, kind: str = "difference") -> study.Row:
    """One row of a comparison."""
    return frame.filter(rules=rules, policy=policy, quantity=quantity, side=side, kind=kind).row(0, named=True)


def level(frame: pl.DataFrame, policy: str, quantity: str, side: str) -> study.Row:
    """The row of the baseline rules."""
    first = frame["rules"].first()
    rows = frame.filter(pl.col("kind") != "difference", rules=first, policy=policy, quantity=quantity, side=side)
    return rows.row(0, named=True)


def effects(frame: pl.DataFrame, policy: str) -> str:
    """A table of the effects of each rule for one policy, largest change of points first."""
    first, *names = frame["rules"].unique(maintain_order=True).to_list()
    names.sort(key=lambda name: -abs(cell(frame, name, policy, "points", "all")["estimate"]))
    rows = [[first, *(f"{scale * level(frame, policy, *aspect)['estimate']:.2f}" for *aspect, scale in ASPECTS), ""]]
    for name in names:
        cells = [marked(cell(frame, name, policy, *aspect), scale) for *aspect, scale in ASPECTS]
        changed = frame.filter(rules=name, policy=policy, quantity="changed")["estimate"].to_list()
        rows.append([name, *cells, *(f"{100 * share:.3g}%" for share in changed)])
    return study.table(["rules", "points a hand", "dealer's margin", "dealer wins, of 100", "hands changed"], rows)


def by_strength(quick: pl.DataFrame, slow: pl.DataFrame) -> str:
    """A table of the effects that differ, for greedy, careful and search players."""
    rows = []
    for name in slow["rules"].unique(maintain_order=True).to_list()[1:]:
        for (quantity, side, scale), label in zip(ASPECTS, ("points a hand", "dealer's margin", "dealer wins, of 100"),
                                                  strict=True):  # fmt: skip
            cells = [cell(frame, name, policy, quantity, side)
                     for frame, policy in ((quick, "greedy"), (quick, "careful"), (slow, "search"))]  # fmt: skip
            if any(row["p_holm"] is not None and row["p_holm"] <= LEVEL for row in cells):
                rows.append([name, label, *(marked(row, scale) for row in cells)])
    return study.table(["rules", "what", "`greedy`", "`careful`", "`search`"], rows)


def answers(folder: Path) -> str:
    """Three surprising effects between four careful players."""
    frame = cs.read(folder / quick_file(4)).frame

    def ours(rules: str, quantity: str, side: str = "dealer") -> study.Row:
        return cell(frame, rules, "careful", quantity, side)

    def hands(rules: str) -> str:
        return marked(ours(rules, "wins_hand"), 100)

    margin, table = ours("no-matta", "margin"), ours("no-matta", "points_table_bonus")
    held, theirs = ours("no-matta", "points_hand_bonus"), ours("no-matta", "points_hand_bonus", "others")
    changed = {
        name: 100 * cell(frame, name, "careful", "changed", "all", "share")["estimate"]
        for name in ("queen-matta", "table-nine", "piccola-seven")
    }
    lines = [
        "**The wild card is the dealer's friend.** Without it the dealer's side falls back by "
        f"{marked(margin).lstrip('-')} points a hand and wins {hands('no-matta').lstrip('-')} hands of a hundred "
        f"fewer. Of bonuses held it loses {held['estimate']:+.3f} points and the other side {theirs['estimate']:+.3f}; "
        f"bonuses for the table, which are the dealer's alone, are {table['estimate']:+.3f}: "
        f"{100 * table['estimate'] / margin['estimate']:.0f}% of the difference.",
        f"**A wild queen of hearts sends {changed['queen-matta']:.0f}% of all hands another way, and points hardly "
        f"change**: {marked(ours('queen-matta', 'points', 'all'))} of "
        f"{cell(frame, 'cirulla', 'careful', 'points', 'all', 'mean')['estimate']:.1f}, and "
        f"{hands('queen-matta')} hands won by the dealer's side of a hundred.",
        "**The rule that touches fewer hands decides more.** A table of nine or less for the dealer touches "
        f"{10 * changed['table-nine']:.0f} hands in a thousand and brings its side {hands('table-nine')} of a hundred "
        f"hands; a piccola up to seven touches {10 * changed['piccola-seven']:.0f} in a thousand and changes hands won "
        f"by {hands('piccola-seven')}.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    quick, slow = cs.read(folder / quick_file(players)), cs.read(folder / slow_file(players))
    chances = quick.frame["p_holm"].drop_nulls().len()
    return study.joined(
        [
            f"## {players} players",
            f"{quick.metadata['hands']:,} hands of `careful` play under each rule set, seed {SEED}. The first line is "
            "Cirulla as most people play it; the others are differences from it, with half their 95% intervals. In "
            f"brackets those not told from 0 when all {chances:,} differences of the file are judged together (Holm's "
            "correction, 5%); `none seen` changed nothing in these hands, 0 can change nothing.",
            effects(quick.frame, "careful"),
            f"![What house rules change, {players} players](house_rules_{players}.png)",
            "Which rules change something else for `greedy` players than for `careful` ones, and what they change for "
            f"`search` players ({slow.metadata['hands']:,} hands):",
            by_strength(quick.frame, slow.frame),
            study.commands((quick, quick_file(players)), (slow, slow_file(players))),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The rules with the largest effects between four careful players, and how many are significant."""
    frame = cs.read(folder / quick_file(4)).frame
    names = frame["rules"].unique(maintain_order=True).to_list()[1:]

    def most(quantity: str, side: str, scale: int = 1) -> list[str]:
        rows = [cell(frame, name, "careful", quantity, side) for name in names]
        largest = sorted((row for row in rows if significant(row)), key=lambda row: -abs(row["estimate"]))
        return [f"{study.rule_name(row['rules'], lang)} ({effect(row, scale)})" for row in largest]

    points, margin, won = most("points", "all"), most("margin", "dealer"), most("wins_hand", "dealer", 100)
    usual = level(frame, "careful", "points", "all")["estimate"]
    return study.localized(
        lang,
        f"Of {len(names)} house rules {len(points)} are sure to change the points of a hand of four careful players, "
        f"{usual:.1f} by the usual rules; most of all {study.listed(points[:3])}. {len(margin)} change the margin of "
        f"the dealer's side, most of all {margin[0]}, and {len(won)} how many hands of a hundred it wins, most of all "
        f"{won[0]}.",
        f"Di {len(names)} regole {len(points)} cambiano di sicuro i punti di una smazzata di quattro giocatori "
        f"accorti, che con le regole usuali sono {usual:.1f}; più di tutte {study.listed(points[:3], lang)}. "
        f"{len(margin)} cambiano lo scarto di chi dà le carte, più di tutte {margin[0]}, e {len(won)} quante smazzate "
        f"su cento vince, più di tutte {won[0]}.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/house_rules.py`. Points are those of all sides together; the margin is the "
            "points of the dealer's side less those of the others (their mean); `dealer wins` is in hands of a "
            "hundred; `hands changed` is the share of hands that went another way in a card, a capture, a knock or a "
            "point. A hand that a rule ends at the deal counts without points, and as won by whom the rule makes win. "
            "Every quantity, by side and by category, is in the parquet files.",
            "Three answers that surprise, of four `careful` players:",
            answers(folder),
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("house_rules")
