"""What does each house rule of Cirulla change in a hand?

Run: every house rule of the catalogue against the rules without it, with common random numbers: careful players, two
and four, and greedy ones, as beginners play; and four search players. Then the eight rules that change the points of
careful players most, and every pair of them together.
Tables: every quantity with its 95% interval, hands whose winner changes, Holm-corrected p-values (parquet). Figures:
all effects, largest first.

    python analyses/house_rules.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import (
    Finding,
    Noun,
    count_significant,
    find_sign,
    find_signs,
    join_findings,
    rule,
    state,
)
from cirulla_sim.reporting.text.sentences import sentence
from cirulla_sim.ruleset.catalogue import house_fields
from cirulla_sim.stats.decisions import agreement, verdict

PLAYERS = (2, 4)
MANY, SEARCHED = ("careful", "greedy"), ("careful", "search")
HANDS, SEARCH_HANDS, PAIR_HANDS = 400_000, 20_000, 300_000
MOST_PAIRED = 8
"""House rules that are played in pairs."""

SEARCH_FILE = "house_rules_4_search.parquet"
SEED = 1
QUESTION = {"en": "What do house rules change in a hand of Cirulla?", "it": "Che cosa cambiano le regole della casa?"}
FILES = (("house_rules_4.parquet", "points"), ("house_rules_4.parquet", "margin"))
CHART = "house_rules_4.png"
METHOD = """Each rule is played on the same deals as Cirulla without it, with the same random numbers: 400,000 hands of
careful players, two and four, and 20,000 hands of four search players. The table shows how the points of all sides
change on average, and in which share of the hands another side wins, or none, in either direction. The files have the
other quantities and greedy players too. The eight rules with the largest significant effects on points were also
played in pairs, 300,000 hands of careful players each. Of rules that act through the first table alone only the deals
that they affect are played. Search plays the unseen cards out under the rules, so a rule can change its choice between
plays of about the same value, and with it the winner, where the rule itself never applies. Significance is corrected
for all differences of a file (Holm). Signs agree, or differ, if both effects on points are significant."""

POINTS = {"quantity": "points", "side": "all", "kind": "difference"}
MARGIN = {"quantity": "margin", "side": "dealer", "kind": "difference"}
WINS = {"quantity": "wins_hand", "side": "dealer", "kind": "difference"}
WINNER = {"quantity": "winner_changed", "side": "all", "kind": "share"}


def file_of(players: int) -> str:
    """The file of careful and greedy players."""
    return f"house_rules_{players}.parquet"


def pairs_file_of(players: int) -> str:
    """The file of the rules that matter most, alone and in pairs."""
    return f"house_pairs_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write the tables."""
    for players in PLAYERS:
        file, options = folder / file_of(players), {"players": players, "seed": SEED}
        study.run(cs.compare, all_houses=True, policy=MANY, hands=sized(HANDS), output=file, **options)
    search = {"players": 4, "policy": SEARCHED, "hands": sized(SEARCH_HANDS), "seed": SEED}
    study.run(cs.compare, all_houses=True, output=folder / SEARCH_FILE, **search)
    alone = largest(folder)
    together = ["+".join(pair) for pair in combinations(alone, 2)]
    for players in PLAYERS:
        study.run(cs.compare, house=[*alone, *together], players=players, policy="careful", hands=sized(PAIR_HANDS),
                  seed=SEED, output=folder / pairs_file_of(players))  # fmt: skip


def largest(folder: Path) -> list[str]:
    """The rules with the largest effects on points, of two or four careful players: significant ones, largest first.

    Of rules that cannot be combined, such as two for the same card, only the one with the larger effect.
    """
    found = [row for n in PLAYERS for row in effects(folder, file_of(n), "careful", **POINTS).values()]
    names: list[str] = []
    for row in sorted(found, key=lambda row: (verdict(row) not in ("more", "less"), -abs(row["estimate"]))):
        name = row["rules"]
        if name not in names and not _clash([*names, name]):
            names.append(name)
    return names[:MOST_PAIRED]


def _clash(names: list[str]) -> bool:
    try:
        house_fields(names)
    except cs.InputError:
        return True
    return False


def effects(folder: Path, file: str, policy: str, **quantity: str) -> dict[str, study.Row]:
    """A quantity of each house rule, by rule."""
    frame = cs.read(folder / file).frame.filter(policy=policy, **quantity)
    first = cs.read(folder / file).frame["rules"][0]
    return {row["rules"]: row for row in frame.iter_rows(named=True) if row["rules"] != first}


def of_four(folder: Path, **quantity: str) -> tuple[dict[str, study.Row], dict[str, study.Row]]:
    """A quantity of each house rule between four careful and between four search players."""
    return effects(folder, file_of(4), "careful", **quantity), effects(folder, SEARCH_FILE, "search", **quantity)


def findings(folder: Path) -> list[Finding]:
    """How many rules change points, which changes most winners, and for whom an effect is another."""
    careful, _ = of_four(folder, **POINTS)
    apart = effects(folder, SEARCH_FILE, "search", **{**POINTS, "kind": "interaction"})
    return [
        count_significant("points-changed", list(careful.values())),
        other_winners(folder, "queen-matta"),
        of_rule(folder, "margin", MARGIN, "no-matta"),
        count_significant("changed-apart", list(apart.values())),
    ]


def other_winners(folder: Path, name: str) -> Finding:
    """How many hands have another winner by a rule."""
    return join_findings(*(
        state("changed", "winner_changed", {"size": rows[name]}, rule=rule(name), between=Noun("between", policy))
        for policy, rows in zip(SEARCHED, of_four(folder, **WINNER), strict=True)
    ))  # fmt: skip


def of_rule(folder: Path, quantity: str, where: dict[str, str], name: str) -> Finding:
    """What a rule changes between careful and between search players."""
    rows = {policy: rows[name] for policy, rows in zip(SEARCHED, of_four(folder, **where), strict=True)}
    return find_signs(f"effect.{quantity}", rows, rule=rule(name), side=Noun("side", "pair"))


def answers(folder: Path) -> str:
    """The matta, the queen of hearts, and two rules that few hands notice: what they change on balance and in all."""
    table, _ = of_four(folder, **{**MARGIN, "quantity": "points_table_bonus"})
    winner, _ = of_four(folder, **WINNER)
    wins, _ = of_four(folder, **WINS)
    two = ("table-nine", "piccola-seven")
    lines = [
        [of_rule(folder, "margin", MARGIN, "no-matta"), state("study", "table", {"size": table["no-matta"]})],
        [of_rule(folder, "points", POINTS, "queen-matta"), other_winners(folder, "queen-matta")],
        [
            finding
            for name in two
            for finding in (
                state("changed", "winner_changed", {"size": winner[name]}, rule=rule(name)),
                find_sign("effect.wins_hand", wins[name], rule=rule(name), side=Noun("side", "pair")),
            )
        ],
    ]
    return "\n".join(
        f"- {' '.join(sentence(finding, study.ENGLISH, plain=True) for finding in line)}" for line in lines
    )


def table(folder: Path) -> str:
    """The rules, those first that change the winner of most hands of four careful players."""
    points, winner = of_four(folder, **POINTS), of_four(folder, **WINNER)
    two = [effects(folder, file_of(2), "careful", **quantity) for quantity in (POINTS, WINNER)]
    lines = []
    for name in sorted(winner[0], key=lambda name: -winner[0][name]["estimate"]):
        signs = agreement([rows[name] for rows in points]) if verdict(points[0][name]) != "same" else ""
        cells = (study.cell(rows[name]) for rows in (*points, *winner, *two))
        first, second, *others = cells
        lines.append([name, first, second, signs if signs in ("agree", "differ") else "", *others])
    head = ["rule", "points, 4 `careful`", "4 `search`", "signs", "another winner, 4 `careful`", "4 `search`",
            "points, 2 `careful`", "another winner, 2 `careful`"]  # fmt: skip
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [*map(file_of, PLAYERS), SEARCH_FILE, *map(pairs_file_of, PLAYERS)]


if __name__ == "__main__":
    study.carry_out("house_rules")
