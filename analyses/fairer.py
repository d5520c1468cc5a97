"""Are the tournament's rules fairer? How often the better side wins the game, and the advantage of dealing first.

Run: whole games by several rules on the same deals: a careful side against a greedy one, and a search side against a
careful one, either of them dealing first; and games between equal sides.
Tables: every quantity of hands and games, with the differences by rules (parquet). Figures: the games. Answer: a table
by rules (markdown).

    python analyses/fairer.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect


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


PAIRS = (Pair("careful", "greedy", 60_000), Pair("search", "careful", 1_500))
EQUALS, EQUAL_GAMES = "careful", 100_000
EQUAL_FILE = "fairer_equals.parquet"
HOUSES, PRESETS = ("short-game", "long-game"), ("cirulla-tournament", "cirulla-online")
USUAL = "cirulla"
SEED = 51
QUESTION = {"en": "Are the tournament's rules fairer?", "it": "Le regole dei tornei sono più giuste?"}
FILES = (("fairer_careful_greedy.parquet", "games"), ("fairer_equals.parquet", "hands"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write tables and figures."""
    for file, policy, number in (
        *((pair.file, pair.line_ups, pair.games) for pair in PAIRS),
        (EQUAL_FILE, EQUALS, EQUAL_GAMES),
    ):
        games = sized(number)
        options = {"house": HOUSES, "against": PRESETS, "players": 4, "hands": games, "games": games, "seed": SEED}
        study.run(cs.compare, policy=policy, output=folder / file, **options)
        cs.plot(folder / file, figure="games", output=(folder / file).with_suffix(".png"))


def better_wins(folder: Path, pair: Pair, rules: str, kind: str = "probability") -> study.Row:
    """How often the better side wins a game if the first dealer is drawn by lot, or the difference made by the rules.

    A drawn game counts half. The games of both line-ups have the same deals, which makes the interval conservative.
    """
    result = cs.read(folder / pair.file)
    options = {"rules": rules, "quantity": "wins_game", "side": "dealer", "kind": kind}
    worse_deals, better_deals = (study.row_of(result, policy=line_up, **options) for line_up in pair.line_ups)
    others = study.scaled(worse_deals, -1)
    row = study.mean_of(better_deals, others)
    return row if kind == "difference" else study.shifted(row, 0.5)


def games_row(folder: Path, rules: str) -> list[str]:
    """A row of the table: the rules, the better side's wins, the first dealer's wins, the length."""
    cells = [study.rule_name(rules)]
    for pair in PAIRS:
        cell = study.percent(better_wins(folder, pair, rules))
        if rules != USUAL:
            cell += f" ({effect(better_wins(folder, pair, rules, 'difference'), 100)})"
        cells.append(cell)
    wins, hands = equals(folder, rules)
    return [*cells, study.percent(wins), f"{hands['estimate']:.2f}"]


def equals(folder: Path, rules: str) -> tuple[study.Row, study.Row]:
    """Between equals: how often the first dealer's side wins, and the hands of a game."""
    result = cs.read(folder / EQUAL_FILE)
    options = {"rules": rules}
    return (
        study.row_of(result, quantity="wins_game", side="dealer", kind="probability", **options),
        study.row_of(result, quantity="hands", kind="mean", **options),
    )


def answer(folder: Path, lang: str = "en") -> str:
    """How often the better side wins under the usual rules, tournament rules, and in short and long games."""
    careful, _ = PAIRS
    usual, short, long = (study.percent(better_wins(folder, careful, rules)) for rules in (USUAL, *HOUSES))
    changes = [better_wins(folder, careful, rules, "difference") for rules in PRESETS]
    tournament, online = (effect(change, 100) for change in changes)
    fair = ("A little", "Un poco") if any(change["ci_low"] > 0 for change in changes) else ("Hardly", "Quasi no")
    first = study.percent(equals(folder, USUAL)[0])
    hands = [f"{equals(folder, rules)[1]['estimate']:.1f}" for rules in (USUAL, *HOUSES)]
    return study.localized(
        lang,
        f"{fair[0]}: what helps the better side is a longer game. A careful pair beats a greedy one in {usual} of the "
        f"games to 51; in a hundred games the rules of the tournaments of Genoa change that by {tournament}, those of "
        f"the online room by {online}. In a short game to 26 it is {short}, in one to 101 {long}, for {hands[1]} and "
        f"{hands[2]} hands instead of {hands[0]}. Between equals who deals first wins {first} of the games.",
        f"{fair[1]}: quello che aiuta i più bravi è una partita più lunga. Una coppia accorta batte una ingorda nel "
        f"{usual} delle partite a 51; su cento partite le regole dei tornei di Genova cambiano questo di "
        f"{tournament}, quelle della sala in rete di {online}. In una partita corta a 26 è il {short}, in una a 101 "
        f"il {long}, con {hands[1]} e {hands[2]} smazzate invece di {hands[0]}. Tra pari chi dà le carte per primo "
        f"vince il {first} delle partite.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    sources = [(cs.read(folder / file), file) for file in (*(pair.file for pair in PAIRS), EQUAL_FILE)]
    games = [f"{result.metadata['hands']:,}" for result, _ in sources]
    head = ["rules", *(f"`{pair.better}` beats `{pair.worse}`" for pair in PAIRS), "first dealer wins", "hands a game"]
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/fairer.py`. Four players, two against two. How often the better side wins a "
            "whole game, the first deal by lot, and in brackets what the rules change in games of a hundred, on the "
            "same deals; then between equals (`careful`) how often the side that deals first wins, and the length of "
            "a game. ± are 95% intervals.",
            study.table(head, [games_row(folder, rules) for rules in (USUAL, *HOUSES, *PRESETS)]),
            f"{study.listed(games)} games each.",
            f"![Games by rules, between careful and greedy sides]({PAIRS[0].file.replace('parquet', 'png')})",
            f"![Games by rules, between equals]({EQUAL_FILE.replace('parquet', 'png')})",
            study.commands(*sources),
        ]
    )


if __name__ == "__main__":
    study.carry_out("fairer")
