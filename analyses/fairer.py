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
from cirulla_sim.reporting.text.claims import Claim, of_both, stated
from cirulla_sim.reporting.text.locale import Language


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


PAIRS = (Pair("careful", "greedy", 60_000), Pair("search", "careful", 8_000))
EQUALS = {"careful": 100_000, "search": 5_000}
HOUSES, PRESETS = ("short-game", "long-game"), ("cirulla-tournament", "cirulla-online")
USUAL = "cirulla"
SEED = 51
QUESTION = {"en": "Are the tournament's rules fairer?", "it": "Le regole dei tornei sono più giuste?"}
FILES = (("fairer_careful_greedy.parquet", "games"), ("fairer_careful.parquet", "hands"))
CHART = "fairer_careful_greedy.png"
METHOD = """Four players, two against two, whole games to 51 (26 and 101 in the short and the long game), on the same
deals under all rules, each pair dealing first as often as the other. First `careful` against `greedy`, which plays as
beginners do (60,000 games with each dealing first), and `search` against `careful` (8,000): how often they win, and
what each rule set changes. Then equal sides, careful (100,000 games) and search (5,000): how often the side that
deals first wins. A drawn game counts half. Significance is corrected for all differences of a file (Holm)."""


def equal_file(policy: str) -> str:
    """The file of games between equals."""
    return f"fairer_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write tables and figures."""
    for file, policy, number in (
        *((pair.file, pair.line_ups, pair.games) for pair in PAIRS),
        *((equal_file(policy), policy, number) for policy, number in EQUALS.items()),
    ):
        games = sized(number)
        options = {"house": HOUSES, "against": PRESETS, "players": 4, "hands": games, "games": games, "seed": SEED}
        study.run(cs.compare, policy=policy, output=folder / file, **options)
    cs.plot(folder / PAIRS[0].file, figure="games", output=folder / CHART)


def changed(folder: Path, pair: Pair, rules: str) -> study.Row:
    """How much more often the better side wins a game under other rules, if the first dealer is drawn by lot.

    Half the difference between the rules' effects with the better and with the worse side dealing first.
    """
    options = {"rules": rules, "quantity": "wins_game", "side": "dealer", "kind": "interaction"}
    return study.scaled(study.row_of(cs.read(folder / pair.file), policy=pair.line_ups[1], **options), 0.5)


def usual(folder: Path, pair: Pair) -> tuple[study.Row, study.Row]:
    """How often the better side wins by the usual rules: dealing first, and not."""
    result, options = cs.read(folder / pair.file), {"rules": USUAL, "quantity": "wins_game", "kind": "probability"}
    second, first = pair.line_ups
    return (
        study.row_of(result, policy=first, side="dealer", **options),
        study.row_of(result, policy=second, side="others", **options),
    )


def equals(folder: Path, policy: str, rules: str, kind: str) -> study.Row:
    """How often the first dealer's side wins between equals, or what the rules change in that."""
    options = {"rules": rules, "quantity": "wins_game", "side": "dealer", "kind": kind}
    return study.row_of(cs.read(folder / equal_file(policy)), **options)


def claims(folder: Path, locale: Language) -> list[Claim]:
    """How often a careful pair wins, what tournaments and length change in that, and in the first dealer's wins."""
    first, second = usual(folder, PAIRS[0])
    who = ("for careful against greedy", "for search against careful")
    changes = {
        "cirulla-tournament": "what the tournament rules of Genoa change in games won by the pair with more skill",
        "cirulla-online": "what the rules of the online room change in that",
        "long-game": "what playing to 101 changes in that",
    }
    dealing = [equals(folder, policy, "cirulla-tournament", "difference") for policy in EQUALS]
    return [
        *(
            of_both(*(changed(folder, pair, rules) for pair in PAIRS), locale.say(change), locale, who)
            for rules, change in changes.items()
        ),
        stated("To 51 a careful pair wins {first} of the games against a greedy one if it deals first, and {second} if "
               "it does not.", locale, {"first": first, "second": second}),
        of_both(*dealing, locale.say("what the tournament rules of Genoa change in the games that the first dealer’s "
                                     "side wins"), locale),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """The rules: what they change for the better side and for the first dealer, and the length of a game."""
    lengths = cs.read(folder / equal_file("careful"))
    lines = []
    for rules in (USUAL, *HOUSES, *PRESETS):
        if rules == USUAL:
            cells = [" and ".join(map(study.cell, usual(folder, pair))) for pair in PAIRS]
        else:
            cells = [study.cell(changed(folder, pair, rules)) for pair in PAIRS]
        kind = "probability" if rules == USUAL else "difference"
        cells += [study.cell(equals(folder, policy, rules, kind)) for policy in EQUALS]
        lines.append(
            [
                study.rule_name(rules),
                *cells,
                study.cell(study.row_of(lengths, rules=rules, quantity="hands", kind="mean")),
            ]
        )
    head = ["games won", *(f"`{pair.better}` against `{pair.worse}`, dealing first and not" for pair in PAIRS),
            *(f"first dealer, `{policy}`" for policy in EQUALS), "hands a game"]  # fmt: skip
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [*(pair.file for pair in PAIRS), *map(equal_file, EQUALS)]


if __name__ == "__main__":
    study.carry_out("fairer")
