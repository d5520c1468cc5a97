"""Is it good to deal? What the dealer's side makes more than the others, by strength of play, game and players.

Run: random, greedy, careful and search, each line-up on the same deals, in Cirulla with 2, 3 and 4 players, there with
search that thinks longer, too, and in three of its relatives; and whole games of Cirulla between careful and between
search players.
Tables: every quantity of every line-up and the paired differences (parquet). Figures: the margin by strength. Answer:
a sentence and a table for each game (markdown).

    python analyses/dealing.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs

LINE_UPS = ("careful", "random", "greedy", "search")
LONGER = "search:64"
LADDER = ("random", "greedy", "careful", "search", LONGER)


@dataclass(frozen=True)
class Dealt:
    """A game, its players, how many hands each line-up plays, and the line-ups."""

    preset: str
    players: int
    hands: int
    line_ups: tuple[str, ...] = LINE_UPS

    @property
    def ladder(self) -> tuple[str, ...]:
        """The line-ups by strength."""
        return tuple(name for name in LADDER if name in self.line_ups)

    @property
    def file(self) -> str:
        return f"dealing_{self.preset}_{self.players}.parquet"

    @property
    def title(self) -> str:
        return f"{self.preset.replace('-', ' ').capitalize()}, {self.players} players"


DEALT = (
    Dealt("cirulla", 2, 80_000, (*LINE_UPS, LONGER)),
    Dealt("cirulla", 3, 80_000, (*LINE_UPS, LONGER)),
    Dealt("cirulla", 4, 80_000, (*LINE_UPS, LONGER)),
    Dealt("scopa", 2, 40_000),
    Dealt("cirullone", 4, 20_000),
    Dealt("scopone-scientifico", 4, 20_000),
)
QUESTION = {"en": "Is it good to deal?", "it": "Conviene dare le carte?"}
FILES = (("dealing_cirulla_4.parquet", "strength"), ("dealing_cirulla_2.parquet", "strength"))
GAMES_OF = (2, 4)
GAMES = 8_000
SEED = 2031


def games_file(players: int) -> str:
    """The file of whole games between so many players."""
    return f"dealing_games_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands and games; write tables and figures."""
    for dealt in DEALT:
        file = folder / dealt.file
        asked = {"players": dealt.players, "hands": sized(dealt.hands), "seed": SEED}
        study.played(cs.simulate, dealt.preset, policy=dealt.line_ups, output=file, **asked)
        cs.plot(file, output=file.with_suffix(".png"))
    for players in GAMES_OF:
        line_ups = ("careful", "search")
        file = folder / games_file(players)
        study.played(cs.games, players=players, policy=line_ups, games=sized(GAMES), seed=SEED, output=file)


def section(folder: Path, dealt: Dealt) -> str:
    """What dealing is worth in a game, by strength."""
    found = cs.read(folder / dealt.file)
    rows = []
    for policy in dealt.ladder:
        margin, won, lost = (
            study.one(found, policy=policy, quantity=quantity, side=side, kind=kind)
            for quantity, side, kind in (
                ("margin", "dealer", "mean"),
                ("wins_hand", "dealer", "share"),
                ("wins_hand", "others", "share"),
            )
        )
        rows.append([f"`{policy}`", study.spread(margin), study.percents(won), study.percents(lost)])
    best = study.one(found, policy=dealt.ladder[-1], quantity="margin", side="dealer", kind="mean")
    apart = study.one(found, policy="search", quantity="margin", kind="difference")
    image = dealt.file.replace("parquet", "png")
    return study.joined(
        [
            f"## {dealt.title}",
            verdict(best),
            study.table(["players of the hand", "margin of the dealer's side", "it wins", "another side wins"], rows),
            f"{found.metadata['hands']:,} hands each. On the same deals dealing is worth {study.spread(apart)} points "
            "more to `search` than to `careful`.",
            f"![What dealing is worth: {dealt.title}]({image})",
            study.commands((found, dealt.file)),
        ]
    ).rstrip()


def verdict(row: study.Row) -> str:
    """The answer for the strongest, in a sentence."""
    if row["ci_low"] > 0:
        said = "Between players who look ahead it is good to deal"
    elif row["ci_high"] < 0:
        said = "Between players who look ahead it is better not to deal"
    else:
        said = "Between players who look ahead it is not told whether dealing is good or bad"
    return f"{said}: {study.spread(row)} points a hand."


def summary(folder: Path) -> str:
    """The margin in Cirulla by number of players and strength."""
    rows = []
    for dealt in DEALT:
        if dealt.preset == "cirulla":
            found = cs.read(folder / dealt.file)
            margins = (
                study.one(found, policy=name, quantity="margin", side="dealer", kind="mean") for name in dealt.ladder
            )
            rows.append([str(dealt.players), *(study.spread(margin, 2) for margin in margins)])
    return study.table(["players", *(f"`{policy}`" for policy in LADDER)], rows)


def games(folder: Path) -> str:
    """How often who deals first wins the game."""
    rows, made = [], []
    for players in GAMES_OF:
        found = cs.read(folder / games_file(players))
        made.append((found, games_file(players)))
        for policy in ("careful", "search"):
            won = study.one(found, policy=policy, quantity="wins_game", side="dealer", kind="probability")
            rows.append([str(players), f"`{policy}`", study.percents(won), f"{won['n']:,}"])
    return study.joined(
        [
            "## Whole games",
            "The deal goes round, so in a game most of it cancels. How often the side that deals first wins a game of "
            "Cirulla to 51:",
            study.table(["players", "who plays", "the first dealer's side wins", "games"], rows),
            study.commands(*made),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """What dealing is worth in Cirulla to those who look ahead and to others, and in whole games."""

    def margin(players: int, policy: str) -> study.Row:
        found = cs.read(folder / f"dealing_cirulla_{players}.parquet")
        return study.one(found, policy=policy, quantity="margin", side="dealer", kind="mean")

    def told(policy: str) -> list[str]:
        return [study.spread(margin(players, policy), 2) for players in (2, 3, 4)]

    games = cs.read(folder / games_file(4))
    wins = study.one(games, policy="search", quantity="wins_game", side="dealer", kind="probability")
    best, won = margin(4, LONGER), study.percents(wins)
    careful, search, longer = told("careful"), told("search"), told(LONGER)
    good = study.by_sign(
        best, "it is good to deal", "it is a little better not to deal", "dealing is worth nothing sure"
    )
    bene = study.by_sign(best, "conviene", "conviene un poco di meno che non darle", "non fa una differenza sicura")
    return study.said(
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
            *(section(folder, dealt) for dealt in DEALT),
            games(folder),
        ]
    )


if __name__ == "__main__":
    study.carry_out("dealing")
