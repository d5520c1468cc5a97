"""How far can careful and search be exploited by whoever knows that they play so?

Run: tournaments on the same deals with sides exchanged, of an opponent, of search, which takes everybody for careful
but is not certain of it, and of search that knows this opponent and asks it what it would play.
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
from cirulla_sim.stats.estimates import Z


@dataclass(frozen=True)
class Attack:
    """Who is attacked with how many players, on how many samples of a position, and over how many deals."""

    opponent: str
    players: int
    samples: int
    deals: int

    @property
    def file(self) -> str:
        return f"attack_{self.opponent.partition(':')[0]}_{self.players}.parquet"


SIGNS = {
    "en": ("{n}", "{n}", "{n}, which cannot be told from nothing,"),
    "it": ("{n}", "{n}", "{n}, che non si distingue da niente,"),
}
"""What knowing somebody is worth."""

LESS_LUCK = "margin_less_luck"
ATTACKS = (
    Attack("careful", 2, 256, 2_000),
    Attack("careful", 4, 256, 1_500),
    Attack("search:4", 2, 32, 500),
    Attack("search:4", 4, 32, 300),
)
FEWEST = 2
"""Samples of an attack that is quick."""

SEED = 606
QUESTION = {
    "en": "What do you give away if the others know how you play?",
    "it": "Quanto regala chi gioca in un modo che gli altri conoscono?",
}
FILES = (("attack_careful_2.parquet", "matrix"), ("attack_careful_4.parquet", "matrix"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for attack in ATTACKS:
        file, samples = folder / attack.file, sized(attack.samples, FEWEST)
        names = (attack.opponent, f"search:{samples}", f"search:{samples}:{attack.opponent}")
        asked = {"players": attack.players, "hands": sized(attack.deals, study.DEALS), "seed": SEED}
        luck = samples == attack.samples  # quick, telling it apart would take most of the time
        study.played(cs.tournament, "cirulla", policy=names, luck=luck, output=file, **asked)
        cs.plot(file, output=file.with_suffix(".png"))


def margin(result: cs.Result, policy: str, opponent: str) -> study.Row:
    """What a policy makes over another, less luck where that is told apart."""
    quantity = LESS_LUCK if LESS_LUCK in result.frame["quantity"] else "margin"
    return study.one(result, quantity=quantity, side="all", policy=policy, opponent=opponent)


def margins(folder: Path, attack: Attack) -> list[study.Row]:
    """The margins over the opponent of who does not know it and of who does."""
    result = cs.read(folder / attack.file)
    return [margin(result, policy, attack.opponent) for policy in result.metadata["policies"][1:]]


def more(stranger: study.Row, knowing: study.Row) -> study.Row:
    """How much more is taken by who knows the opponent; as if both had played other deals, which is wider."""
    value = knowing["estimate"] - stranger["estimate"]
    half = (knowing["std_error"] ** 2 + stranger["std_error"] ** 2) ** 0.5 * Z
    return {"estimate": value, "ci_low": value - half, "ci_high": value + half}


def answer(folder: Path, lang: str = "en") -> str:
    """What is taken from each opponent by who knows it and by who does not, with two players and with four."""
    told = []
    for opponent in dict.fromkeys(attack.opponent for attack in ATTACKS):
        here = [attack for attack in ATTACKS if attack.opponent == opponent]
        both = [margins(folder, attack) for attack in here]
        (stranger, knowing) = ([study.spread(row, 2) for row in rows] for rows in zip(*both, strict=True))
        gains = [more(*rows) for rows in both]
        two, four = (study.by_sign(gain, *SIGNS[lang]).format(n=study.spread(gain, 2)) for gain in gains)
        told.append(
            study.said(
                lang,
                f"Whoever knows that you play as {opponent} takes at least {knowing[0]} points a hand from you with "
                f"two players and {knowing[1]} with four. The same search that knows nobody, and takes all for careful "
                f"with some doubt, takes {stranger[0]} and {stranger[1]}: knowing you is worth {two} with two players "
                f"and {four} with four.",
                f"Chi sa che giochi come {called(opponent)} ti prende almeno {knowing[0]} punti a smazzata in due e "
                f"{knowing[1]} in quattro. La stessa ricerca, che non conosce nessuno e con qualche dubbio prende "
                f"tutti per accorti, prende {stranger[0]} e {stranger[1]}: conoscerti vale {two} in due e {four} in "
                f"quattro.",
            )
        )
    return " ".join(told)


def called(opponent: str) -> str:
    """What an opponent is called in Italian."""
    return {"careful": "l’accorto"}.get(opponent, opponent.replace("search", "ricerca"))


def section(folder: Path, attack: Attack) -> str:
    """A tournament's part of the page."""
    result, stem = cs.read(folder / attack.file), attack.file.removesuffix(".parquet")
    _, stranger, knowing = result.metadata["policies"]
    return study.joined(
        [
            f"## Against {attack.opponent}, {attack.players} players",
            f"{result.metadata['hands']:,} deals a pairing, seed {SEED}. `{knowing}` takes "
            f"{study.spread(more(*margins(folder, attack)), 2)} more from `{attack.opponent}` than `{stranger}` does. "
            f"Over `{stranger}` itself, which it is certain to be `{attack.opponent}`, it makes "
            f"{study.spread(margin(result, knowing, stranger), 2)}.",
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
            "Made by `python analyses/attack.py`. `search:N:OPPONENT` believes a deal of the unseen cards only if the "
            "opponent, asked again, would have played in it as it did, and plays N such deals on with the opponent's "
            "own plays; `search:N` does so with `careful`, but for one seat in ten that might be somebody else "
            "([docs/policies.md](../docs/policies.md#whom-search-takes-the-others-for)). What is taken is a lower "
            "bound: search looks no farther than the stage, and takes its own side to go on as the others do. All met "
            "on the same deals with sides exchanged; ± are 95% intervals over deals, and margins in the text are less "
            "luck.",
            *(section(folder, attack) for attack in ATTACKS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("attack")
