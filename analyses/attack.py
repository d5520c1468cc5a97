"""How far can careful and search be exploited by whoever knows that they play so?

Run: tournaments on the same deals with sides exchanged between an opponent, search with its default opponent model
(careful, with some doubt), and search whose opponent model is exactly this opponent.
Tables: margins, probabilities of winning, strengths and the gaps between them, with 95% intervals (parquet). Figures:
the pairs and the ranking.

    python analyses/attack.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_sign, who
from cirulla_sim.stats.decisions import with_holm
from cirulla_sim.stats.estimates import Z


@dataclass(frozen=True)
class Attack:
    """The opponent to exploit, the number of players, the samples that search takes of a position, and the deals."""

    opponent: str
    players: int
    samples: int
    deals: int

    @property
    def file(self) -> str:
        return f"attack_{self.opponent.partition(':')[0]}_{self.players}.parquet"


ATTACKS = (
    Attack("careful", 2, 256, 8_000),
    Attack("careful", 4, 256, 6_000),
    Attack("search:4", 2, 32, 2_000),
    Attack("search:4", 4, 32, 2_000),
)
FEWEST = 2
"""The fewest samples of a quick run."""

SEED = 606
QUESTION = {
    "en": "What do you give away if the others know how you play?",
    "it": "Quanto regala chi gioca in un modo che gli altri conoscono?",
}
FILES = (("attack_careful_2.parquet", "pairs"), ("attack_careful_4.parquet", "pairs"))
CHART = "attack_careful_4.png"
METHOD = """Margins in points a hand, on the same deals with sides exchanged: 8,000 and 6,000 deals a pairing against
`careful`, 2,000 against `search:4`. `search:N:OPPONENT` believes a deal of the unseen cards only if the opponent would
have played in it as it did, and plays N such deals on with the opponent's own plays; `search:N` does so with
`careful`, but for one seat in ten that might be somebody else. The margins are lower bounds: search
looks no farther than the stage. The difference takes both margins as independent, so its interval is conservative.
Significance is corrected for all margins, and for all differences, of the table (Holm)."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write the tables."""
    for attack in ATTACKS:
        file, samples = folder / attack.file, sized(attack.samples, FEWEST)
        names = (attack.opponent, f"search:{samples}", f"search:{samples}:{attack.opponent}")
        arguments = {"players": attack.players, "hands": sized(attack.deals, study.MIN_DEALS), "seed": SEED}
        study.run(cs.tournament, "cirulla", policy=names, output=file, **arguments)


def margins(folder: Path) -> list[study.Row]:
    """For each attack the margins over the opponent of search without and with the right opponent model."""
    rows = []
    for attack in ATTACKS:
        result = cs.read(folder / attack.file)
        keys = {"quantity": "margin", "side": "all", "opponent": attack.opponent}
        rows += [study.row_of(result, policy=policy, **keys) for policy in result.metadata["policies"][1:]]
    return with_holm(rows)


def gains(folder: Path) -> list[study.Row]:
    """For each attack what the right opponent model adds to the margin; as if the margins were independent."""
    rows = margins(folder)
    return with_holm([_difference(aware, unaware) for unaware, aware in zip(rows[::2], rows[1::2], strict=True)])


def _difference(one: study.Row, other: study.Row) -> study.Row:
    value = one["estimate"] - other["estimate"]
    error = math.hypot(one["std_error"], other["std_error"])
    return {**one, "estimate": value, "std_error": error, "ci_low": value - Z * error, "ci_high": value + Z * error}


def findings(folder: Path) -> list[Finding]:
    """What thinking ahead wins from careful players, and what knowing each opponent adds."""
    opponents = {"careful": "careful", "search:4": "thinker"}
    usual = margins(folder)[2]  # of four players, not knowing that the others are careful
    return [
        find_sign("advantage", usual, one=who(usual["policy"]), other=who(usual["opponent"])),
        *(find_sign("knowing", row, place=Noun("where", "two" if attack.players == 2 else "four"),
               other=Noun("seer", opponents[attack.opponent]))
        for attack, row in zip(ATTACKS, gains(folder), strict=True)),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """The margins over each opponent, and what knowing it adds."""
    rows, more = margins(folder), gains(folder)
    lines = [
        [f"`{attack.opponent}`, {attack.players} players", *map(study.cell, (unaware, aware, gain))]
        for attack, unaware, aware, gain in zip(ATTACKS, rows[::2], rows[1::2], more, strict=True)
    ]
    head = ["points a hand over", "search as usual", "search that knows its opponent", "difference"]
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [attack.file for attack in ATTACKS]


if __name__ == "__main__":
    study.carry_out("attack")
