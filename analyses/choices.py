"""What are the decisions besides the card worth: which sets to show and when, the matta's value, declining a capture?

Run: careful against itself with one choice forced, on the same deals with sides exchanged.
Tables: margins and probabilities of winning with 95% intervals (parquet), and a summary (markdown). Figures: the matrix
and the ranking of each game. Answer: the cost of each forced choice, in a sentence.

    python analyses/choices.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.engine.policies import FORCES
from cirulla_sim.reporting.text.labels import fields_of, rules_title


@dataclass(frozen=True)
class Game:
    """A game and the choices to force in it."""

    preset: str
    players: int
    forces: tuple[str, ...]
    houses: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{'_'.join(['choices', self.preset, str(self.players), *self.houses])}.parquet"


GAMES = (
    Game("cirulla", 2, ("matta-low", "matta-high", "silent")),
    Game("cirulla", 4, ("matta-low", "matta-high", "silent")),
    Game("cirulla", 4, ("capture",), ("optional-capture",)),
    Game("cirullone", 4, ("prompt", "silent"), changes=("show_bonus=may_wait",)),
    Game("cirullone-6-3", 4, ("prompt", "silent")),
)
POLICY = "careful"
DEALS = 20_000
SEED = 2018
QUESTION = {
    "en": "What are the decisions beyond the card worth?",
    "it": "Quanto valgono le scelte oltre la carta da giocare?",
}
FILES = (("choices_cirulla_4.parquet", "strength"), ("choices_cirullone_4.parquet", "strength"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write tables and figures."""
    for game in GAMES:
        names = (POLICY, *(f"{POLICY}+{force}" for force in game.forces))
        rules = cs.rules(game.preset, players=game.players, house=game.houses, rule=game.changes)
        file = folder / game.file
        study.run(cs.tournament, rules, policy=names, hands=sized(DEALS, study.MIN_DEALS), seed=SEED, output=file)
        cs.plot(file, output=file.with_suffix(".png"))


def section(folder: Path, game: Game) -> str:
    """The section of one tournament."""
    result = cs.read(folder / game.file)
    lines = []
    for force in game.forces:
        pairing = {"policy": POLICY, "opponent": f"{POLICY}+{force}", "side": "all"}
        points, games = (study.row_of(result, quantity=quantity, **pairing) for quantity in ("margin", "wins_game"))
        lines.append(
            f"- Against one that {FORCES[force]}, `{POLICY}` makes {study.signed(points)} points a hand, and wins "
            f"{study.percent(games)} of the games."
        )
    stem = game.file.removesuffix(".parquet")
    parts = [
        f"## {', '.join([rules_title(result.metadata), *(house.replace('-', ' ') for house in game.houses)])}",
        study.reading(fields_of(result.metadata)),
        "\n".join(lines),
        f"![{stem}]({stem}.png)",
        study.commands((result, game.file)),
    ]
    return study.joined(parts).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """What each choice is worth with four players."""

    def worth(file: str, force: str) -> str:
        pairing = {"policy": POLICY, "opponent": f"{POLICY}+{force}", "side": "all"}
        return study.signed(study.row_of(cs.read(folder / file), quantity="margin", **pairing), 2)

    _, cirulla, optional, cirullone, _ = (game.file for game in GAMES)
    silent, high, low = (worth(cirulla, force) for force in ("silent", "matta-high", "matta-low"))
    left, soon = worth(optional, "capture"), worth(cirullone, "prompt")
    return study.localized(
        lang,
        f"In points a hand with four careful players: showing one's sets at all is worth {silent}. Declaring the matta "
        f"well and not always as high as it may be is worth {high}, and against always as low as it may be {low}. "
        f"Where a card that captures may be left on the table, leaving it at times is worth {left}. In Cirullone, "
        f"where players may wait with a set, waiting for its best time is worth {soon}.",
        f"In punti a smazzata tra quattro giocatori accorti: accusare, e non tacere, vale {silent}. Dare alla matta il "
        f"valore giusto e non sempre il più alto vale {high}, e rispetto a sempre il più basso {low}. Dove una carta "
        f"che prende si può anche lasciare in tavola, lasciarla ogni tanto vale {left}. Nel Cirullone, dove si può "
        f"accusare più tardi, aspettare il momento migliore vale {soon}.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/choices.py`. A player who may show a set, or declare the matta, or leave a "
            f"card that captures, has a choice. Here `{POLICY}`, which decides freely, meets itself with one choice "
            f"forced on it, on {cs.read(folder / GAMES[0].file).metadata['hands']:,} deals a pairing with sides "
            f"exchanged (seed {SEED}); ± are 95% intervals.",
            *(section(folder, game) for game in GAMES),
        ]
    )


if __name__ == "__main__":
    study.carry_out("choices")
