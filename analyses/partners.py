"""What is seeing one's partner's cards worth?

Run: Cirulla for two against two in which partners see each other's cards, against the usual rules, on the same deals,
between careful players and between search players. The rule applies to both sides.
Tables: every quantity of the comparisons (parquet). Figures: the differences. Answer: a table (markdown).

    python analyses/partners.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect

RULES = "open-partners"
HANDS = {"careful": 1_000_000, "search": 40_000}
"""Hands, by policy."""

SEED = 22
QUESTION = {
    "en": "What is seeing one's partner's cards worth?",
    "it": "Quanto vale vedere le carte del compagno?",
}
FILES = (("partners_search.parquet", "points"), ("partners_careful.parquet", "points"))
PARTS = {
    ("margin", "dealer", 1): "dealer's margin",
    ("points", "dealer", 1): "points of the dealer's side",
    ("points", "others", 1): "points of the other side",
    ("points", "all", 1): "points of both sides",
    ("sweeps", "all", 1): "sweeps",
    ("points_primiera", "all", 1): "points for the primiera",
    ("points_grande", "all", 1): "points for la grande",
    ("points_piccola", "all", 1): "points for la piccola",
    ("wins_hand", "dealer", 100): "hands the dealer's side wins, of 100",
}


def file_of(policy: str) -> str:
    """The file of one policy."""
    return f"partners_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for policy, hands in HANDS.items():
        file = folder / file_of(policy)
        study.run(cs.compare, house=RULES, players=4, policy=policy, hands=sized(hands), seed=SEED, output=file)
        cs.plot(file, output=file.with_suffix(".png"))


def change(folder: Path, policy: str, quantity: str, side: str, kind: str = "difference") -> study.Row:
    """A difference made by seeing the partner's cards."""
    return study.row_of(cs.read(folder / file_of(policy)), rules=RULES, quantity=quantity, side=side, kind=kind)


def answer(folder: Path, lang: str = "en") -> str:
    """The effect on the dealer's side and on the others, and the share of hands that change."""
    margin, careful = (effect(change(folder, policy, "margin", "dealer")) for policy in ("search", "careful"))
    ours, theirs, total = (effect(change(folder, "search", "points", side)) for side in ("dealer", "others", "all"))
    won = effect(change(folder, "search", "wins_hand", "dealer"), 100)
    changed = study.percent(change(folder, "search", "changed", "all", "share"), 0)
    gain = change(folder, "search", "margin", "dealer")
    good = study.by_sign(gain, "It helps the dealer's side", "It helps the other side", "It helps neither side surely")
    bene = study.by_sign(
        gain, "Giova alla parte di chi dà le carte", "Giova all'altra parte", "Non giova di sicuro a nessuno"
    )
    return study.localized(
        lang,
        f"{good}. When all four see their partner's cards, {changed} of the hands of players who look ahead (search) "
        f"go another way, and the dealer's margin changes by {margin} points a hand: the dealer's side makes {ours}, "
        f"the other {theirs}, both together {total}. Of a hundred hands the dealer's side wins {won} more. Between "
        f"careful players the margin changes by {careful}.",
        f"{bene}. Quando tutti e quattro vedono le carte del compagno, il {changed} delle smazzate di chi guarda "
        f"avanti (ricerca) va in un altro modo, e lo scarto di chi dà le carte cambia di {margin} punti a smazzata: "
        f"la sua parte fa {ours}, l'altra {theirs}, insieme {total}. Su cento smazzate la parte di chi dà le carte ne "
        f"vince {won} in più. Tra giocatori accorti lo scarto cambia di {careful}.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    sources = [(cs.read(folder / file_of(policy)), file_of(policy)) for policy in HANDS]
    rows = [
        [label, *(effect(change(folder, policy, quantity, side), scale) for policy in HANDS)]
        for (quantity, side, scale), label in PARTS.items()
    ]
    hands = study.listed(
        [
            f"{result.metadata['hands']:,} hands of `{policy}`"
            for policy, (result, _) in zip(HANDS, sources, strict=True)
        ]
    )
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            f"Made by `python analyses/partners.py`. The house rule `{RULES}` against the same deals without it, two "
            f"against two: {hands}. Both sides see, so that what each gains is lost by the other or made of what is "
            "played better by all; ± are 95% intervals.",
            study.table(["what changes, points a hand", *(f"`{policy}`" for policy in HANDS)], rows),
            *(
                f"![What changes when partners see each other's cards, {policy}](partners_{policy}.png)"
                for policy in HANDS
            ),
            study.commands(*sources),
        ]
    )


if __name__ == "__main__":
    study.carry_out("partners")
