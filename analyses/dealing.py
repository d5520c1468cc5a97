"""Is it good to deal? The margin of the dealer's side by strength of play, game and number of players.

Run: random, greedy, careful and search, each line-up on the same deals, in Cirulla with 2, 3 and 4 players (there also
search with more samples) and in three related games; and whole games of Cirulla between careful and search players.
Tables: every quantity of every line-up and the paired differences (parquet). Figures: the margin by strength. Answer:
a sentence and a table for each game (markdown).

    python analyses/dealing.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.labels import fields_of

LINE_UPS = ("careful", "random", "greedy", "search")
LONGER = "search:64"
LADDER = ("random", "greedy", "careful", "search", LONGER)


@dataclass(frozen=True)
class Setup:
    """A game, its players, the hands of each line-up, and the line-ups."""

    preset: str
    players: int
    hands: int
    line_ups: tuple[str, ...] = LINE_UPS

    @property
    def ladder(self) -> tuple[str, ...]:
        """The line-ups, weakest first."""
        return tuple(name for name in LADDER if name in self.line_ups)

    @property
    def file(self) -> str:
        return f"dealing_{self.preset}_{self.players}.parquet"

    @property
    def title(self) -> str:
        return f"{self.preset.replace('-', ' ').capitalize()}, {self.players} players"


SETUPS = (
    Setup("cirulla", 2, 80_000, (*LINE_UPS, LONGER)),
    Setup("cirulla", 3, 80_000, (*LINE_UPS, LONGER)),
    Setup("cirulla", 4, 80_000, (*LINE_UPS, LONGER)),
    Setup("scopa", 2, 40_000),
    Setup("cirullone", 4, 20_000),
    Setup("scopone-scientifico", 4, 20_000),
)
QUESTION = {"en": "Is it good to deal?", "it": "Conviene dare le carte?"}
FILES = (("dealing_cirulla_4.parquet", "strength"), ("dealing_cirulla_2.parquet", "strength"))
GAMES_OF = (2, 4)
GAMES = 8_000
SEED = 2031


def games_file(players: int) -> str:
    """The file of whole games."""
    return f"dealing_games_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands and games; write tables and figures."""
    for setup in SETUPS:
        file = folder / setup.file
        options = {"players": setup.players, "hands": sized(setup.hands), "seed": SEED}
        study.run(cs.simulate, setup.preset, policy=setup.line_ups, output=file, **options)
        cs.plot(file, output=file.with_suffix(".png"))
    for players in GAMES_OF:
        line_ups = ("careful", "search")
        file = folder / games_file(players)
        study.run(cs.games, players=players, policy=line_ups, games=sized(GAMES), seed=SEED, output=file)


def section(folder: Path, setup: Setup) -> str:
    """The section of one game: the dealer's margin by strength of play."""
    result = cs.read(folder / setup.file)
    rows = []
    for policy in setup.ladder:
        margin, won, lost = (
            study.row_of(result, policy=policy, quantity=quantity, side=side, kind=kind)
            for quantity, side, kind in (
                ("margin", "dealer", "mean"),
                ("wins_hand", "dealer", "share"),
                ("wins_hand", "others", "share"),
            )
        )
        rows.append([f"`{policy}`", study.signed(margin), study.percent(won), study.percent(lost)])
    best = study.row_of(result, policy=setup.ladder[-1], quantity="margin", side="dealer", kind="mean")
    apart = study.row_of(result, policy="search", quantity="margin", kind="difference")
    image = setup.file.replace("parquet", "png")
    return study.joined(
        [
            f"## {setup.title}",
            verdict(best),
            study.table(["players of the hand", "margin of the dealer's side", "it wins", "another side wins"], rows),
            f"{result.metadata['hands']:,} hands each. On the same deals dealing is worth {study.signed(apart)} points "
            "more to `search` than to `careful`.",
            study.reading(fields_of(result.metadata)),
            f"![What dealing is worth: {setup.title}]({image})",
            study.commands((result, setup.file)),
        ]
    ).rstrip()


def verdict(row: study.Row) -> str:
    """The answer for the strongest policy, in a sentence."""
    if row["ci_low"] > 0:
        sentence = "Between players who look ahead it is good to deal"
    elif row["ci_high"] < 0:
        sentence = "Between players who look ahead it is better not to deal"
    else:
        sentence = "Between players who look ahead it is not told whether dealing is good or bad"
    return f"{sentence}: {study.signed(row)} points a hand."


def summary(folder: Path) -> str:
    """The margin in Cirulla by number of players and strength."""
    rows = []
    for setup in SETUPS:
        if setup.preset == "cirulla":
            result = cs.read(folder / setup.file)
            margins = (
                study.row_of(result, policy=name, quantity="margin", side="dealer", kind="mean")
                for name in setup.ladder
            )
            rows.append([str(setup.players), *(study.signed(margin, 2) for margin in margins)])
    return study.table(["players", *(f"`{policy}`" for policy in LADDER)], rows)


def games(folder: Path) -> str:
    """The section on whole games: how often the side that deals first wins."""
    rows, sources = [], []
    for players in GAMES_OF:
        result = cs.read(folder / games_file(players))
        sources.append((result, games_file(players)))
        for policy in ("careful", "search"):
            won = study.row_of(result, policy=policy, quantity="wins_game", side="dealer", kind="probability")
            rows.append([str(players), f"`{policy}`", study.percent(won), f"{won['n']:,}"])
    return study.joined(
        [
            "## Whole games",
            "The deal goes round, so in a game most of it cancels. How often the side that deals first wins a game of "
            "Cirulla to 51:",
            study.table(["players", "who plays", "the first dealer's side wins", "games"], rows),
            study.commands(*sources),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The dealer's margin in Cirulla for search and for weaker players, and in whole games."""

    def margin(players: int, policy: str) -> study.Row:
        result = cs.read(folder / f"dealing_cirulla_{players}.parquet")
        return study.row_of(result, policy=policy, quantity="margin", side="dealer", kind="mean")

    def margins_of(policy: str) -> list[str]:
        return [study.signed(margin(players, policy), 2) for players in (2, 3, 4)]

    games = cs.read(folder / games_file(4))
    wins = study.row_of(games, policy="search", quantity="wins_game", side="dealer", kind="probability")
    best, won = margin(4, LONGER), study.percent(wins)
    careful, search, longer = margins_of("careful"), margins_of("search"), margins_of(LONGER)
    good = study.by_sign(
        best, "it is good to deal", "it is a little better not to deal", "dealing is worth nothing sure"
    )
    bene = study.by_sign(best, "conviene", "conviene un poco di meno che non darle", "non fa una differenza sicura")
    return study.localized(
        lang,
        f"It depends on who plays. Between four players who look ahead long ({LONGER}) {good}: the dealer's side makes "
        f"{longer[2]} points a hand more than the other; with two players {longer[0]}, with three {longer[1]}. Where "
        f"they think less long (search) it is {search[0]} with two, {search[1]} with three and {search[2]} with four, "
        f"and between careful players {careful[0]}, {careful[1]} and {careful[2]}. The deal goes round: who deals "
        f"first wins {won} of whole games of four who look ahead.",
        f"Dipende da chi gioca. Tra quattro giocatori che guardano avanti a lungo (ricerca:64) dare le carte {bene}: "
        f"la parte di chi le dà fa {longer[2]} punti a smazzata più dell'altra; in due {longer[0]}, in tre "
        f"{longer[1]}. Se pensano meno a lungo (ricerca) sono {search[0]} in due, {search[1]} in tre e {search[2]} "
        f"in quattro, e tra giocatori accorti {careful[0]}, {careful[1]} e {careful[2]}. Il mazzo gira: chi dà le "
        f"carte per primo vince il {won} delle partite intere tra quattro che guardano avanti.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/dealing.py`. The margin is the points of the dealer's side a hand, less those of "
            "the others (their mean); ± are 95% intervals. The answer turns with who plays: `random` plays anything, "
            "`greedy` takes what it can, `careful` thinks of the next player, and `search` plays the unseen cards out. "
            "Better players yet may give another answer. In Cirulla:",
            summary(folder),
            *(section(folder, setup) for setup in SETUPS),
            games(folder),
        ]
    )


if __name__ == "__main__":
    study.carry_out("dealing")
