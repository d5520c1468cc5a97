"""Are the tournament's rules fairer? How often the better side wins the game, and the advantage of dealing first.

Run: whole games by several rules on the same deals: a careful side against a greedy one, and a search side against a
careful one, either of them dealing first; and games between careful and between search players.
Tables: every quantity of hands and games, with the differences by rules (parquet). Figures: the games.

    python analyses/fairer.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_sign, find_signs, join_findings, rule, state
from cirulla_sim.stats.decisions import simultaneous_z, with_holm


@dataclass(frozen=True)
class Pair:
    """Two policies, and the number of games between them."""

    better: str
    worse: str
    games: int

    @property
    def line_ups(self) -> tuple[str, str]:
        """The line-ups: first the worse policy deals, then the better."""
        return f"dealer={self.worse}, others={self.better}", f"dealer={self.better}, others={self.worse}"

    @property
    def file(self) -> str:
        return f"fairer_{self.better}_{self.worse}.parquet"


PAIRS = (Pair("careful", "greedy", 60_000), Pair("search", "careful", 4_000))
EQUALS = {"careful": 100_000, "search": 3_000}
HOUSES, PRESETS = ("short-game", "long-game"), ("cirulla-tournament", "cirulla-online")
USUAL = "cirulla"
SHARES = "percentage points"
"""The unit of differences, which stands in the head of the table."""

SEED = 51
QUESTION = {"en": "Are the tournament's rules fairer?", "it": "Le regole dei tornei sono più giuste?"}
FILES = (("fairer_careful_greedy.parquet", "games"), ("fairer_careful.parquet", "hands"))
CHART = "fairer_careful_greedy.png"
LOOK = {"figure": "games"}
METHOD = """Four players, two against two, whole games to 51 (26 and 101 in the short and the long game), on the same
deals under all rules, each pair dealing first as often as the other. First `careful` against `greedy`, which plays as
beginners do (60,000 games with each dealing first), and `search` against `careful` (4,000): how often they win, and
what each rule set changes. Then equal sides, careful (100,000 games) and search (3,000): how often the side that
deals first wins. A drawn game counts half. Significance is corrected for the differences of each kind together
(Holm)."""


def equal_file(policy: str) -> str:
    """The file of games between equals."""
    return f"fairer_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write the tables."""
    for file, policy, number in (
        *((pair.file, pair.line_ups, pair.games) for pair in PAIRS),
        *((equal_file(policy), policy, number) for policy, number in EQUALS.items()),
    ):
        games = sized(number)
        options = {"house": HOUSES, "against": PRESETS, "players": 4, "hands": games, "games": games, "seed": SEED}
        study.run(cs.compare, policy=policy, output=folder / file, **options)


def wins(folder: Path, pair: Pair, rules: str, kind: str = "probability") -> study.Row:
    """How often the better side wins a game if the first dealer is drawn by lot, or the ``difference`` the rules make.

    Half of what the dealer's side wins more often with the better side dealing first than with the worse, above 1/2. A
    drawn game counts half. Both have the same deals; the standard error holds whatever their correlation.
    """
    result, options = cs.read(folder / pair.file), {"rules": rules, "quantity": "wins_game", "side": "dealer"}
    worse, better = (study.row_of(result, policy=line_up, kind=kind, **options) for line_up in pair.line_ups)
    estimate = (better["estimate"] - worse["estimate"]) / 2 + (0.5 if kind == "probability" else 0.0)
    error = (better["std_error"] + worse["std_error"]) / 2
    half = simultaneous_z(1) * error
    return {**better, "estimate": estimate, "std_error": error, "ci_low": estimate - half, "ci_high": estimate + half}


def changes(folder: Path) -> dict[tuple[Pair, str], study.Row]:
    """What each rule set changes in how often the better side wins, corrected for their number."""
    keys = [(pair, rules) for pair in PAIRS for rules in (*HOUSES, *PRESETS)]
    return dict(zip(keys, with_holm([wins(folder, *key, "difference") for key in keys]), strict=True))


def equals(folder: Path, policy: str, rules: str, kind: str) -> study.Row:
    """How often the first dealer's side wins between equals, or what the rules change in that."""
    options = {"rules": rules, "quantity": "wins_game", "side": "dealer", "kind": kind}
    return study.row_of(cs.read(folder / equal_file(policy)), **options)


def findings(folder: Path) -> list[Finding]:
    """How often a careful pair wins, what tournaments and length change in that, and in the first dealer's wins."""
    rows, names = changes(folder), dict(zip(PAIRS, ("careful-greedy", "search-careful"), strict=True))
    usual = {name.partition("-")[0]: wins(folder, pair, USUAL) for pair, name in names.items()}
    dealing = {policy: equals(folder, policy, "cirulla-tournament", "difference") for policy in EQUALS}
    return [
        state("study", "fairer", usual),
        *(
            join_findings(*(find_sign("fair", rows[pair, rules], rule=rule(rules), pair=Noun("pair", name))
                       for pair, name in names.items()))
            for rules in ("long-game", "cirulla-tournament", "cirulla-online")
        ),
        find_signs("effect.wins_game", dealing, rule=rule("cirulla-tournament")),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """The rules: what they change for the better side and for the first dealer, and the length of a game."""
    rows, lengths, lines = changes(folder), cs.read(folder / equal_file("careful")), []
    for rules in (USUAL, *HOUSES, *PRESETS):
        is_usual = rules == USUAL
        better = [wins(folder, pair, rules) if is_usual else rows[pair, rules] for pair in PAIRS]
        equal = [equals(folder, policy, rules, "probability" if is_usual else "difference") for policy in EQUALS]
        length = study.row_of(lengths, rules=rules, quantity="hands", kind="mean")
        cells = (study.cell(row).replace(f" {SHARES}", "") for row in (*better, *equal, length))
        lines.append([study.rule_name(rules), *cells])
    head = ["games won; what the rules change, in percentage points",
            *(f"`{pair.better}` against `{pair.worse}`" for pair in PAIRS),
            *(f"first dealer, `{policy}`" for policy in EQUALS), "hands a game"]  # fmt: skip
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [*(pair.file for pair in PAIRS), *map(equal_file, EQUALS)]


if __name__ == "__main__":
    study.carry_out("fairer")
