"""How far can careful and search be exploited by whoever knows that they play so?

Run: tournaments on the same deals with sides exchanged between an opponent, search with its default opponent model
(careful, with some doubt), and search whose opponent model is exactly this opponent.
Tables: margins, probabilities of winning, strengths, with 95% intervals (parquet). Figures: the matrix and the ranking.
Answer: a lower bound of the exploitability of each opponent.

    python analyses/attack.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
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


SIGNS = {
    "en": ("{n}", "{n}", "{n}, which cannot be told from nothing,"),
    "it": ("{n}", "{n}", "{n}, che non si distingue da niente,"),
}
"""Texts for a gain that is positive, negative, or not significant."""

LESS_LUCK = "margin_less_luck"
ATTACKS = (
    Attack("careful", 2, 256, 2_000),
    Attack("careful", 4, 256, 1_500),
    Attack("search:4", 2, 32, 500),
    Attack("search:4", 4, 32, 300),
)
FEWEST = 2
"""The fewest samples of a quick run."""

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
        arguments = {"players": attack.players, "hands": sized(attack.deals, study.MIN_DEALS), "seed": SEED}
        luck = samples == attack.samples  # in a quick run the luck adjustment would take most of the time
        study.run(cs.tournament, "cirulla", policy=names, luck=luck, output=file, **arguments)
        cs.plot(file, output=file.with_suffix(".png"))


def margin(result: cs.Result, policy: str, opponent: str) -> study.Row:
    """The margin of a policy over another, luck-adjusted if the file has that."""
    quantity = LESS_LUCK if LESS_LUCK in result.frame["quantity"] else "margin"
    return study.row_of(result, quantity=quantity, side="all", policy=policy, opponent=opponent)


def margins(folder: Path, attack: Attack) -> list[study.Row]:
    """The margins over the opponent of search without and with the right opponent model."""
    result = cs.read(folder / attack.file)
    return [margin(result, policy, attack.opponent) for policy in result.metadata["policies"][1:]]


def excess(unaware: study.Row, aware: study.Row) -> study.Row:
    """The gain from knowing the opponent. The margins are treated as independent, so the interval is conservative."""
    value = aware["estimate"] - unaware["estimate"]
    half = (aware["std_error"] ** 2 + unaware["std_error"] ** 2) ** 0.5 * Z
    return {"estimate": value, "ci_low": value - half, "ci_high": value + half}


def answer(folder: Path, lang: str = "en") -> str:
    """The margins over each opponent with and without knowing it, with two and four players."""
    sentences = []
    for opponent in dict.fromkeys(attack.opponent for attack in ATTACKS):
        attacks = [attack for attack in ATTACKS if attack.opponent == opponent]
        both = [margins(folder, attack) for attack in attacks]
        (unaware, aware) = ([study.signed(row, 2) for row in rows] for rows in zip(*both, strict=True))
        gains = [excess(*rows) for rows in both]
        two, four = (study.by_sign(gain, *SIGNS[lang]).format(n=study.signed(gain, 2)) for gain in gains)
        sentences.append(
            study.localized(
                lang,
                f"Whoever knows that you play as {opponent} takes at least {aware[0]} points a hand from you with "
                f"two players and {aware[1]} with four. The same search that knows nobody, and takes all for careful "
                f"with some doubt, takes {unaware[0]} and {unaware[1]}: knowing you is worth {two} with two players "
                f"and {four} with four.",
                f"Chi sa che giochi come {italian_name(opponent)} ti prende almeno {aware[0]} punti a smazzata in due "
                f"e {aware[1]} in quattro. La stessa ricerca, che non conosce nessuno e con qualche dubbio prende "
                f"tutti per accorti, prende {unaware[0]} e {unaware[1]}: conoscerti vale {two} in due e {four} in "
                f"quattro.",
            )
        )
    return " ".join(sentences)


def italian_name(opponent: str) -> str:
    """The Italian name of an opponent."""
    return {"careful": "l’accorto"}.get(opponent, opponent.replace("search", "ricerca"))


def section(folder: Path, attack: Attack) -> str:
    """The section of one tournament."""
    result, stem = cs.read(folder / attack.file), attack.file.removesuffix(".parquet")
    _, unaware, aware = result.metadata["policies"]
    return study.joined(
        [
            f"## Against {attack.opponent}, {attack.players} players",
            f"{result.metadata['hands']:,} deals a pairing, seed {SEED}. `{aware}` takes "
            f"{study.signed(excess(*margins(folder, attack)), 2)} more from `{attack.opponent}` than `{unaware}` does. "
            f"Over `{unaware}` itself, which it is certain to be `{attack.opponent}`, it makes "
            f"{study.signed(margin(result, aware, unaware), 2)}.",
            f"```\n{result.text(all=True)}\n```",
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
