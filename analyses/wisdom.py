"""Are the old rules of Scopone good? Players by these rules against search, careful and greedy ones, in three games.

Run: tournaments on the same deals with sides exchanged, with the rule players of ``analyses/rules_of_thumb.py``; in the
manner of Di Palma and Lanzi (2018, https://arxiv.org/abs/1807.06813), who had players of Scopone meet each other.
Tables: margins, probabilities of winning a hand and a game, strengths and the gaps between them, with 95% intervals
(parquet). Figures: the pairs and the ranking.

    python analyses/wisdom.py [--quick] [FOLDER]

Run it in the folder that contains ``analyses``. Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant, find_sign, who


@dataclass(frozen=True)
class Game:
    """A game and its deals: fewer where search takes long."""

    preset: str
    deals: int

    @property
    def file(self) -> str:
        return f"wisdom_{self.preset}.parquet"


SCOPONE, CIRULLONE, CIRULLA = GAMES = (
    Game("scopone-scientifico", 1_200),
    Game("cirullone", 1_500),
    Game("cirulla", 3_000),
)
THUMB = "analyses/rules_of_thumb.py:"
SIMPLE, CHITARRELLA, MASTERS = (f"{THUMB}{name}" for name in ("simple", "chitarrella", "masters"))
LADDER = ("greedy", SIMPLE, CHITARRELLA, "careful", "search", "open")
"""From the weakest to the strongest, as it was expected."""
POLICIES = (*LADDER[:3], MASTERS, *LADDER[3:])
ORDER = tuple((policy, opponent) for opponent, policy in pairwise(LADDER))
STEPS = (*ORDER, (MASTERS, CHITARRELLA))
"""Who is compared with whom in the table."""

CLAIMED = (
    (SCOPONE, CHITARRELLA, "greedy", "scopone"),
    (SCOPONE, "search", CHITARRELLA, "scopone"),
    (SCOPONE, MASTERS, CHITARRELLA, "scopone"),
    (CIRULLA, CHITARRELLA, "greedy", "cirulla"),
)
"""What the answer says, and where."""

SEED = 1750
QUESTION = {
    "en": "Are the old rules of Scopone good?",
    "it": "Sono buone le vecchie regole dello scopone?",
}
FILES = tuple((game.file, "strength") for game in GAMES)
CHART = "wisdom_scopone-scientifico.png"
METHOD = """Seven players met each other on the same deals with sides exchanged: 1,200 deals a pairing in Scopone
scientifico, 1,500 in Cirullone, 3,000 in Cirulla, always two pairs. Three of them play by rules
([analyses/rules_of_thumb.py](../analyses/rules_of_thumb.py), which names the sources). `simple` takes the settebello,
sevens, diamonds and many cards, and fears a sweep. `chitarrella` also leaves cards of which it holds another and keeps
ranks in pairs or breaks them, as the dealer's side or the other should. `masters` adds rules on sevens and on who goes
on taking. What each rule counts for is a guess, not fitted, and another author would choose other numbers. The others
are those of the package: `greedy` takes what it can, `careful` computes the next player's reply and remembers ranks,
`search` plays the unseen cards out sixteen times, `open` sees all cards. Di Palma and Lanzi (2018), in Scopone, had
players after the books of Chitarrella, Saracino, Cicuti and Guardamagna meet a greedy one, which like `simple` avoids
leaving a sweep, and one that samples: it won most, and the books a little more than greed. The significance of margins
is corrected for all pairings of a game (Holm). Cirullone: bonuses are shown at once (source 001)."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write the tables."""
    for game in GAMES:
        deals = sized(game.deals, study.MIN_DEALS)
        if game.deals / 2 <= deals < game.deals:
            continue  # the minimum is nearly the full size: skipped in a quick run
        file, options = folder / game.file, {"players": 4, "hands": deals, "seed": SEED}
        study.run(cs.tournament, game.preset, policy=POLICIES, output=file, **options)


def over(folder: Path, game: Game, policy: str, opponent: str, quantity: str = "margin") -> study.Row:
    """The margin of one policy over another, or another quantity of the pairing."""
    result = cs.read(folder / game.file)
    return study.row_of(result, quantity=quantity, side="all", policy=policy, opponent=opponent)


def present(folder: Path) -> list[Game]:
    """The games that were played: a quick run leaves some out."""
    return [game for game in GAMES if (folder / game.file).exists()]


def findings(folder: Path) -> list[Finding]:
    """How much each step of strength gains, what the rules are worth, and what further rules add."""
    games = present(folder)
    order = [over(folder, SCOPONE, *step) for step in ORDER if SCOPONE in games]
    rules = [over(folder, game, "careful", rule) for game in games for rule in (SIMPLE, CHITARRELLA, MASTERS)]
    return [
        count_significant("steps", order, ("more",)),
        *(
            find_sign("advantage_at", over(folder, game, policy, opponent), one=who(policy), other=who(opponent),
                   place=Noun("where", where))
            for game, policy, opponent, where in CLAIMED if game in games
        ),
        count_significant("careful-ahead", rules, ("more",)),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """Each step, in points a hand and games won, by game."""
    lines = []
    for game in present(folder):
        points, wins = ([over(folder, game, *step, quantity) for step in STEPS] for quantity in ("margin", "wins_game"))
        name = study.rule_name(game.preset)
        lines.append([f"{name}: points a hand", *map(study.cell, points)])
        lines.append([f"{name}: games won", *(number(row, study.ENGLISH) for row in wins)])
    heads = [" over ".join(f"`{policy.removeprefix(THUMB)}`" for policy in step) for step in STEPS]
    return study.table(["", *heads], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [game.file for game in present(folder)]


if __name__ == "__main__":
    study.carry_out("wisdom")
