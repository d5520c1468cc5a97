"""What are the decisions besides the card worth: which sets to show and when, the matta's value, declining a capture?

Run: careful against itself with one choice forced, in three games search too, on the same deals, sides exchanged.
Tables: margins and probabilities of winning with 95% intervals (parquet). Figures: the ranking of each game.

    python analyses/choices.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_signs
from cirulla_sim.stats.decisions import with_holm


@dataclass(frozen=True)
class Game:
    """A game and the choices to force in it, on careful and on search players, and the deals of these."""

    preset: str
    players: int
    forces: tuple[str, ...]
    searched: tuple[str, ...] = ()
    search_deals: int = 10_000
    houses: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    def file(self, policy: str) -> str:
        """The file of one policy."""
        return f"{'_'.join(['choices', self.preset, str(self.players), *self.houses, policy])}.parquet"

    def forced(self, policy: str) -> tuple[str, ...]:
        """The choices forced on a policy."""
        return self.forces if policy == "careful" else self.searched

    @property
    def policies(self) -> tuple[str, ...]:
        """Who plays it."""
        return POLICIES if self.searched else POLICIES[:1]

    @property
    def title(self) -> str:
        name = study.rule_name(self.preset)
        return f"{', '.join([name, *map(study.rule_name, self.houses)])}, {self.players} players"


CIRULLA = Game(
    "cirulla",
    4,
    ("never-showing-a-set", "with-the-matta-high", "with-the-matta-low"),
    ("never-showing-a-set", "with-the-matta-high"),
)
OPTIONAL = Game("cirulla", 4, ("always-taking",), ("always-taking",), houses=("optional-capture",))
CIRULLONE = Game(
    "cirullone",
    4,
    ("showing-every-set", "never-showing-a-set"),
    ("showing-every-set",),
    5_000,
    changes=("show_bonus=may_wait",),
)
GAMES = (
    CIRULLA,
    Game("cirulla", 2, ("never-showing-a-set", "with-the-matta-high", "with-the-matta-low")),
    OPTIONAL,
    CIRULLONE,
    Game("cirullone-6-3", 4, ("showing-every-set", "never-showing-a-set")),
)
FORCES = {
    "showing-every-set": "shows a set as soon as it may",
    "never-showing-a-set": "never shows a set",
    "with-the-matta-low": "declares the matta as low as it may",
    "with-the-matta-high": "declares the matta as high as it may",
    "always-taking": "never leaves a card that captures",
}
"""The choices forced on players, as the policies of ``analyses/forced.py`` are named."""

POLICIES = ("careful", "search")
DEALS = 20_000
SEED = 2018
QUESTION = {
    "en": "What are the decisions beyond the card worth?",
    "it": "Quanto valgono le scelte oltre la carta da giocare?",
}
FILES = (("choices_cirulla_4_careful.parquet", "strength"), ("choices_cirullone_4_careful.parquet", "strength"))
CHART = "choices_cirulla_4_careful.png"
METHOD = """A player who may show a set, declare the matta or leave a card that captures has a choice. Here careful
players, and search players, who decide freely, meet themselves with one choice forced on them, on the same deals with
sides exchanged: 20,000 of careful, 10,000 of search players (5,000 in Cirullone). In Cirullone and Cirullone 6-3
players may wait with a bonus, as by source 000. Significance is corrected for all margins of the table (Holm)."""


def forced(policy: str, force: str) -> str:
    """The name of a policy with a choice forced on it."""
    base = "thinking_ahead" if policy == "search" else policy
    return f"analyses/forced.py:{base}_{force.replace('-', '_')}"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write the tables."""
    for game in GAMES:
        rules = cs.rules(game.preset, players=game.players, house=game.houses, rule=game.changes)
        for policy in game.policies:
            names = (policy, *(forced(policy, force) for force in game.forced(policy)))
            deals = sized(DEALS if policy == "careful" else game.search_deals, study.MIN_DEALS)
            file = folder / game.file(policy)
            study.run(cs.tournament, rules, policy=names, hands=deals, seed=SEED, output=file)


def margins(folder: Path) -> dict[tuple[Game, str, str], study.Row]:
    """The margin of deciding freely over each forced choice, corrected for their number."""
    keys = [(game, force, policy) for game in GAMES for policy in game.policies for force in game.forced(policy)]
    rows = [
        study.row_of(cs.read(folder / game.file(policy)), policy=policy, opponent=forced(policy, force), side="all",
                     quantity="margin")
        for game, force, policy in keys
    ]  # fmt: skip
    return dict(zip(keys, with_holm(rows), strict=True))


def findings(folder: Path) -> list[Finding]:
    """What each choice is worth with four players."""
    rows = margins(folder)
    choices = (
        (CIRULLA, "never-showing-a-set"),
        (CIRULLA, "with-the-matta-high"),
        (OPTIONAL, "always-taking"),
        (CIRULLONE, "showing-every-set"),
    )
    return [
        find_signs("choice", {policy: rows[game, force, policy] for policy in POLICIES}, what=Noun("choice", force))
        for game, force in choices
    ]


def table(folder: Path) -> str:
    """The margins by game and choice, and the games won."""
    rows, lines = margins(folder), []
    for game in GAMES:
        for force in game.forces:
            pairing = {"policy": "careful", "opponent": forced("careful", force), "side": "all"}
            won = study.row_of(cs.read(folder / game.file("careful")), **pairing, quantity="wins_game")
            margin = [rows.get((game, force, policy)) for policy in POLICIES]
            cells = [study.cell(row) if row else "" for row in margin]
            lines.append([game.title, FORCES[force], *cells, study.cell(won)])
    head = ["game", "against one that", "`careful`, points a hand", "`search`, points a hand", "`careful`, games won"]
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [game.file(policy) for game in GAMES for policy in game.policies]


if __name__ == "__main__":
    study.carry_out("choices")
