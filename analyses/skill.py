"""Which house rules reward skill?

Run: each house rule of Cirulla against the rules without it, on the same deals, with a careful side against a greedy
one, either of them dealing. A rule's effect on the dealer's margin is compared between the two line-ups. Half of the
difference is what the rule adds to the value of skill; its effect on the dealer cancels.
Tables: the value of skill under the usual rules, and the effect of each rule, with the interactions (parquet). Figures:
the effects, by line-up. Answer: a table of the rules, those that reward skill most first (markdown).

    python analyses/skill.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect

PLAYERS = (2, 4)
WORSE_DEALS, BETTER_DEALS = "dealer=greedy, others=careful", "dealer=careful, others=greedy"

HANDS = 100_000
LEVEL = 0.05
"""Significance level, after Holm's correction over all interactions of a file."""

SMALLEST = 0.01
"""Smallest effect, in points, that the answer mentions."""

SEED = 14
QUESTION = {"en": "Which house rules reward skill?", "it": "Quali regole della casa premiano la bravura?"}
FILES = (("skill_4.parquet", "margin"), ("skill_2.parquet", "margin"))


def rules_file(players: int) -> str:
    """The file of the effects of the house rules."""
    return f"skill_{players}.parquet"


def usual_file(players: int) -> str:
    """The file of the value of skill under the usual rules."""
    return f"skill_usual_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for players in PLAYERS:
        options = {
            "players": players, "policy": (WORSE_DEALS, BETTER_DEALS), "hands": sized(HANDS), "seed": SEED,
        }  # fmt: skip
        study.run(cs.simulate, output=folder / usual_file(players), **options)
        file = folder / rules_file(players)
        study.run(cs.compare, all_houses=True, output=file, **options)
        cs.plot(file, figure="margin", output=file.with_suffix(".png"))


def worth(folder: Path, players: int, quantity: str = "margin") -> study.Row:
    """The value of skill to a side under the usual rules, in points a hand or hands won."""
    result = cs.read(folder / usual_file(players))
    return study.scaled(study.row_of(result, quantity=quantity, side="dealer", kind="difference"), 0.5)


def added(folder: Path, players: int) -> list[tuple[str, study.Row, study.Row]]:
    """What each rule adds to the value of skill, in points a hand and in hands won, largest first."""
    frame = cs.read(folder / rules_file(players)).frame.filter(kind="interaction", policy=BETTER_DEALS, side="dealer")
    rows = [
        (name, *(study.scaled(frame.filter(rules=name, quantity=quantity).row(0, named=True), 0.5)
                 for quantity in ("margin", "wins_hand")))
        for name in frame["rules"].unique(maintain_order=True)
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -row[1]["estimate"])


def marked(row: study.Row, scale: float = 1) -> str:
    """An effect, in parentheses if it is not significant."""
    text = effect(row, scale)
    return text if row["p_holm"] is None or row["p_holm"] <= LEVEL else f"({text})"


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    result, usual = (cs.read(folder / file) for file in (rules_file(players), usual_file(players)))
    rows = [[name, marked(points), marked(won, 100)] for name, points, won in added(folder, players)]
    return study.joined(
        [
            f"## {players} players",
            f"By the usual rules a careful side makes {study.signed(worth(folder, players))} points a hand more "
            f"against a greedy one than its share, and wins {effect(worth(folder, players, 'wins_hand'), 100)} hands "
            "of a hundred more. What each rule adds to it:",
            study.table(["rules", "points a hand", "hands won, of 100"], rows),
            f"![What house rules change when either side deals, {players} players](skill_{players}.png)",
            f"{result.metadata['hands']:,} hands each, the same deals for all.",
            study.commands((usual, usual_file(players)), (result, rules_file(players))),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The rules that increase the value of skill most, and those that decrease it most."""
    rows = [(study.rule_name(name, lang), points) for name, points, _ in added(folder, 4)]
    significant = [
        (name, points)
        for name, points in rows
        if (points["p_holm"] is None or points["p_holm"] <= LEVEL) and abs(points["estimate"]) >= SMALLEST
    ]
    increases = [f"{name} ({effect(points)})" for name, points in significant if points["estimate"] > 0][:3]
    decreases = [f"{name} ({effect(points)})" for name, points in significant[::-1] if points["estimate"] < 0][:3]
    usual, none = worth(folder, 4), {"en": "none that is told", "it": "nessuna che si veda"}[lang]
    increasing, decreasing = (study.listed(names, lang) if names else none for names in (increases, decreases))
    return study.localized(
        lang,
        f"By the usual rules a careful pair makes {study.signed(usual, 2)} points a hand against a greedy one. Of "
        f"{len(rows)} house rules {len(significant)} surely change that by {SMALLEST} points or more. Skill is worth "
        f"more with these rules: {increasing}; and less with these: {decreasing}.",
        f"Con le regole usuali una coppia accorta fa {study.signed(usual, 2)} punti a smazzata contro una ingorda. Di "
        f"{len(rows)} regole {len(significant)} cambiano di sicuro questo numero di almeno {SMALLEST} punti. La "
        f"bravura vale di più con queste regole: {increasing}; e di meno con queste: {decreasing}.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/skill.py`. Each rule is played on the same deals with the careful side dealing "
            "and with the greedy one dealing; half of what differs is what the rule adds to the worth of skill. ± are "
            "95% intervals; in brackets what is not told from 0 when all such differences of a file are judged "
            "together (Holm's correction, 5%). Skill here is what `careful` has over `greedy`: other skills may be "
            "rewarded by other rules.",
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("skill")
