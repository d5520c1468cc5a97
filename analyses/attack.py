"""How far can careful and search be exploited by whoever knows that they play so?

Run: tournaments on the same deals with sides exchanged, of an opponent, of search, which takes everybody for a quick
likeness of careful, and of the attack on that opponent, which asks the opponent itself what it would play.
Tables: margins, chances of winning, strengths, with 95% intervals (parquet). Figures: the matrix and the ranking.
Answer: what each opponent gives away to who knows it, a lower bound.

    python analyses/attack.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs


@dataclass(frozen=True)
class Attack:
    """Who is attacked with how many players, who attacks, and over how many deals."""

    opponent: str
    players: int
    samples: int
    deals: int

    @property
    def attacker(self) -> str:
        return f"attack:{self.samples}:{self.opponent}"

    @property
    def file(self) -> str:
        return f"attack_{self.opponent.partition(':')[0]}_{self.players}.parquet"


STRANGER = "search"
"""Who plays as well as it can against anybody."""

ATTACKS = (
    Attack("careful", 2, 16, 2_000),
    Attack("careful", 4, 16, 1_500),
    Attack("search:4", 2, 8, 1_000),
    Attack("search:4", 4, 8, 1_000),
)
SEED = 606
QUESTION = {
    "en": "What do you give away if the others know how you play?",
    "it": "Quanto regala chi gioca in un modo che gli altri conoscono?",
}
FILES = (("attack_careful_2.parquet", "matrix"), ("attack_careful_4.parquet", "matrix"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for attack in ATTACKS:
        file, names = folder / attack.file, (attack.opponent, STRANGER, attack.attacker)
        asked = {"players": attack.players, "hands": sized(attack.deals, study.DEALS), "seed": SEED}
        study.played(cs.tournament, "cirulla", policy=names, output=file, **asked)
        cs.plot(file, output=file.with_suffix(".png"))


def over(folder: Path, attack: Attack, policy: str) -> study.Row:
    """The margin of a policy over the opponent of an attack."""
    return study.one(
        cs.read(folder / attack.file), quantity="margin", side="all", policy=policy, opponent=attack.opponent
    )


def more(folder: Path, attack: Attack) -> study.Row:
    """How much more the attack takes than who knows nobody; both as if they had played other deals, which is wider."""
    known, stranger = over(folder, attack, attack.attacker), over(folder, attack, STRANGER)
    value, half = known["estimate"] - stranger["estimate"], (study.half(known) ** 2 + study.half(stranger) ** 2) ** 0.5
    return {"estimate": value, "ci_low": value - half, "ci_high": value + half}


def answer(folder: Path, lang: str = "en") -> str:
    """What is taken from each opponent by who knows it and by who does not, with two players and with four."""
    told = []
    for opponent in dict.fromkeys(attack.opponent for attack in ATTACKS):
        two, four = (attack for attack in ATTACKS if attack.opponent == opponent)
        knows, knows_not = (
            [study.spread(over(folder, attack, name), 2) for attack, name in pairs]
            for pairs in (((two, two.attacker), (four, four.attacker)), ((two, STRANGER), (four, STRANGER)))
        )
        gains = [
            study.by_sign(
                more(folder, attack),
                *{
                    "en": ("more than", "less than", "as much as cannot be told from"),
                    "it": ("più di", "meno di", "quanti non si distinguono da"),
                }[lang],
            )
            for attack in (two, four)
        ]
        told.append(
            study.said(
                lang,
                f"Whoever knows that you play as {opponent} takes at least {knows[0]} points a hand from you with two "
                f"players and {knows[1]} with four. Search with 64 deals, which knows nobody, takes {knows_not[0]} and "
                f"{knows_not[1]}: the attack takes {gains[0]} that with two players, and {gains[1]} that with four.",
                f"Chi sa che giochi come {called(opponent)} ti prende almeno {knows[0]} punti a smazzata in due e "
                f"{knows[1]} in quattro. La ricerca con 64 distribuzioni, che non conosce nessuno, prende "
                f"{knows_not[0]} e {knows_not[1]}: l’attacco ne prende {gains[0]} così in due, e {gains[1]} così in "
                "quattro.",
            )
        )
    return " ".join(told)


def called(opponent: str) -> str:
    """What an opponent is called in Italian."""
    return {"careful": "l’accorto"}.get(opponent, opponent.replace("search", "ricerca"))


def section(folder: Path, attack: Attack) -> str:
    """A tournament's part of the page."""
    result, stem = cs.read(folder / attack.file), attack.file.removesuffix(".parquet")
    return study.joined(
        [
            f"## Against {attack.opponent}, {attack.players} players",
            f"{result.made['hands']:,} deals a pairing, seed {SEED}. `{attack.attacker}` takes "
            f"{study.spread(more(folder, attack), 2)} more from `{attack.opponent}` than `{STRANGER}` does.",
            f"```\n{result.shown}\n```",
            f"![{stem}]({stem}.png)",
            study.commands((result, attack.file)),
        ]
    ).rstrip()


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/attack.py`. `attack:16:careful` believes a deal of the unseen cards only if "
            "careful, asked again, would have played in it as it did, and plays sixteen such deals on with careful's "
            "own plays at the others' seats ([docs/policies.md](../docs/policies.md#against-one-opponent)). What it "
            "takes is a lower bound: it looks no farther than the stage, and takes its own side to play on as careful. "
            "All met on the same deals with sides exchanged; ± are 95% intervals over deals. What it makes against "
            "`search`, whom it takes for somebody else, shows how much it is made for its one opponent.",
            *(section(folder, attack) for attack in ATTACKS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("attack")
