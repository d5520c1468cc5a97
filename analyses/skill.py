"""Which house rules reward skill?

Run: every house rule of Cirulla against the rules without it, on the same deals, with a careful side against a greedy
one, either of them dealing. How much more the rule brings the careful side when it deals than the greedy one when that
deals is twice what it adds to the worth of skill, since what it brings the dealer falls out.
Tables: what skill is worth by the usual rules, and what every rule changes, with the interactions (parquet). Figures:
what changes, by line-up. Answer: a table of the rules, the one that rewards skill most first (markdown).

    python analyses/skill.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect

PLAYERS = (2, 4)
WORSE_DEALS, BETTER_DEALS = "dealer=greedy, others=careful", "dealer=careful, others=greedy"

HANDS = 100_000
SURE = 0.05
"""Chance, after Holm's correction over all interactions of a file, from which on an effect is told from none."""

LEAST = 0.01
"""Points from which on an effect is worth telling."""

SEED = 14
QUESTION = {"en": "Which house rules reward skill?", "it": "Quali regole della casa premiano la bravura?"}
FILES = (("skill_4.parquet", "margin"), ("skill_2.parquet", "margin"))


def rules_file(players: int) -> str:
    """The file of what every house rule changes."""
    return f"skill_{players}.parquet"


def usual_file(players: int) -> str:
    """The file of what skill is worth by the usual rules."""
    return f"skill_usual_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for players in PLAYERS:
        asked = {
            "players": players, "policy": (WORSE_DEALS, BETTER_DEALS), "hands": sized(HANDS), "seed": SEED,
        }  # fmt: skip
        study.played(cs.simulate, output=folder / usual_file(players), **asked)
        file = folder / rules_file(players)
        study.played(cs.compare, all_houses=True, output=file, **asked)
        cs.plot(file, figure="margin", output=file.with_suffix(".png"))


def worth(folder: Path, players: int, quantity: str = "margin") -> study.Row:
    """What skill is worth to a side by the usual rules: points a hand, or hands won."""
    found = cs.read(folder / usual_file(players))
    return study.scaled(study.one(found, quantity=quantity, side="dealer", kind="difference"), 0.5)


def added(folder: Path, players: int) -> list[tuple[str, study.Row, study.Row]]:
    """What every rule adds to that, in points a hand and in hands won, the most first."""
    frame = cs.read(folder / rules_file(players)).frame.filter(kind="interaction", policy=BETTER_DEALS, side="dealer")
    rows = [
        (name, *(study.scaled(frame.filter(rules=name, quantity=quantity).row(0, named=True), 0.5)
                 for quantity in ("margin", "wins_hand")))
        for name in frame["rules"].unique(maintain_order=True)
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -row[1]["estimate"])


def shown(row: study.Row, scale: float = 1) -> str:
    """An effect, in brackets where it is not told from none."""
    said = effect(row, scale)
    return said if row["p_holm"] is None or row["p_holm"] <= SURE else f"({said})"


def section(folder: Path, players: int) -> str:
    """The rules between so many players."""
    found, usual = (cs.read(folder / file) for file in (rules_file(players), usual_file(players)))
    rows = [[name, shown(points), shown(won, 100)] for name, points, won in added(folder, players)]
    return study.joined(
        [
            f"## {players} players",
            f"By the usual rules a careful side makes {study.spread(worth(folder, players))} points a hand more "
            f"against a greedy one than its share, and wins {effect(worth(folder, players, 'wins_hand'), 100)} hands "
            "of a hundred more. What each rule adds to it:",
            study.table(["rules", "points a hand", "hands won, of 100"], rows),
            f"![What house rules change when either side deals, {players} players](skill_{players}.png)",
            f"{found.metadata['hands']:,} hands each, the same deals for all.",
            study.commands((usual, usual_file(players)), (found, rules_file(players))),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The rules that add most to what skill is worth, and that take most from it."""
    rows = [(study.rule_name(name, lang), points) for name, points, _ in added(folder, 4)]
    told = [(name, points) for name, points in rows
            if (points["p_holm"] is None or points["p_holm"] <= SURE) and abs(points["estimate"]) >= LEAST]  # fmt: skip
    more = [f"{name} ({effect(points)})" for name, points in told if points["estimate"] > 0][:3]
    less = [f"{name} ({effect(points)})" for name, points in told[::-1] if points["estimate"] < 0][:3]
    usual, none = worth(folder, 4), {"en": "none that is told", "it": "nessuna che si veda"}[lang]
    more_of, less_of = (study.listed(names, lang) if names else none for names in (more, less))
    return study.said(
        lang,
        f"By the usual rules a careful pair makes {study.spread(usual, 2)} points a hand against a greedy one. Of "
        f"{len(rows)} house rules {len(told)} surely change that by {LEAST} points or more. Skill is worth more with "
        f"these rules: {more_of}; and less with these: {less_of}.",
        f"Con le regole usuali una coppia accorta fa {study.spread(usual, 2)} punti a smazzata contro una ingorda. Di "
        f"{len(rows)} regole {len(told)} cambiano di sicuro questo numero di almeno {LEAST} punti. La bravura vale di "
        f"più con queste regole: {more_of}; e di meno con queste: {less_of}.",
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
