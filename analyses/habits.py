"""What do beginners' habits cost? Points a hand and games won, one habit at a time.

Run: a policy without a habit against the same policy with it, on the same deals with sides exchanged. The policy is
``sound`` of ``analyses/beginners.py``, or ``careful`` for habits that concern sets and the matta.
Tables: margins and probabilities of winning with 95% intervals (parquet). Figures: the ranking of the habits. Answer:
the cost of each habit, most expensive first.

    python analyses/habits.py [--quick] [FOLDER]

Run it in the folder that contains ``analyses``. Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs

THUMB = "analyses/beginners.py:"
HABITS = {
    f"{THUMB}never_looks_ahead": "looks at what it takes, never at what it leaves",
    f"{THUMB}most_cards": "takes as many cards as it can, whichever they are",
    f"{THUMB}sees_no_diamonds": "takes diamonds and the settebello for cards like others",
    f"{THUMB}fears_no_fifteen": "forgets that a card can sweep by fifteen",
    f"{THUMB}sees_no_sevens": "takes sevens for cards like others",
    f"{THUMB}forgets": "does not remember what has gone",
    "careful+silent": "never shows a barsega or a barsegon",
    "careful+matta-high": "declares the matta as high as it may",
}
ABITUDINI = {
    f"{THUMB}never_looks_ahead": "guarda che cosa prende e mai che cosa lascia",
    f"{THUMB}most_cards": "prende più carte che può, quali che siano",
    f"{THUMB}sees_no_diamonds": "tiene i denari e il settebello per carte come le altre",
    f"{THUMB}fears_no_fifteen": "scorda che con il quindici si fa scopa",
    f"{THUMB}sees_no_sevens": "tiene i sette per carte come le altre",
    f"{THUMB}forgets": "non ricorda le carte uscite",
    "careful+silent": "non accusa mai",
    "careful+matta-high": "dà alla matta il valore più alto",
}
WITHOUT = {True: f"{THUMB}sound", False: "careful"}
PLAYERS = (2, 4)
DEALS = 20_000
SEED = 2018
QUESTION = {"en": "What do beginners' habits cost?", "it": "Quanto costano le abitudini dei principianti?"}
FILES = (("habits_thumb_4.parquet", "strength"), ("habits_sets_4.parquet", "strength"))


def without(habit: str) -> str:
    """The policy without the habit."""
    return WITHOUT[habit.startswith(THUMB)]


def files(players: int) -> dict[str, str]:
    """The files of the tournaments, by the policy without habits."""
    return {WITHOUT[thumb]: f"habits_{name}_{players}.parquet" for thumb, name in ((True, "thumb"), (False, "sets"))}


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for players in PLAYERS:
        for sound, file in files(players).items():
            names = (sound, *(habit for habit in HABITS if without(habit) == sound))
            options = {"players": players, "hands": sized(DEALS, study.MIN_DEALS), "seed": SEED}
            study.run(cs.tournament, policy=names, output=folder / file, **options)
            cs.plot(folder / file, output=(folder / file).with_suffix(".png"))


def cost(folder: Path, players: int, habit: str, quantity: str = "margin") -> study.Row:
    """The cost of a habit: points a hand, or how often the opponent wins the game."""
    result = cs.read(folder / files(players)[without(habit)])
    return study.row_of(result, quantity=quantity, policy=without(habit), opponent=habit, side="all")


def costs(folder: Path, players: int) -> str:
    """A table of the costs of the habits, most expensive first."""
    rows = []
    for habit, description in HABITS.items():
        points, wins = (cost(folder, players, habit, quantity) for quantity in ("margin", "wins_game"))
        who = f"`{without(habit).rpartition(':')[2]}`"
        rows.append((points["estimate"], [description, who, study.signed(points, 2), study.percent(wins)]))
    rows.sort(key=lambda row: -row[0])
    head = ["one who", "against", "loses points a hand", "the other wins the game"]
    return study.table(head, [cells for _, cells in rows])


def two_players(folder: Path) -> str:
    """The costs with two players."""
    return costs(folder, 2)


def section(folder: Path, players: int) -> str:
    """The section of one number of players: costs and commands."""
    sources = ((cs.read(folder / file), file) for file in files(players).values())
    return study.joined([f"## {players} players", costs(folder, players), study.commands(*sources)]).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The most expensive habits and the cheapest, with four players."""
    ranked = sorted(HABITS, key=lambda habit: -cost(folder, 4, habit)["estimate"])
    words = HABITS if lang == "en" else ABITUDINI
    first, second, third, last = (
        f"{words[habit]} ({study.signed(cost(folder, 4, habit), 2)})" for habit in (*ranked[:3], ranked[-1])
    )
    wins = study.percent(cost(folder, 4, ranked[0], "wins_game"))
    return study.localized(
        lang,
        f"In points a hand that a side of four players loses to the same player without the habit, dearest is one who "
        f"{first}: the other side wins {wins} of the games. Then comes who {second} and who {third}. Least costs who "
        f"{last}.",
        "In punti a smazzata persi in quattro contro lo stesso giocatore senza l'abitudine, costa più di tutto chi "
        f"{first}: l'altra parte vince il {wins} delle partite. Poi chi {second} e chi {third}. Meno di tutto costa "
        f"chi {last}.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/habits.py`. Each line is a player with one habit against the same player "
            f"without it, on {cs.read(folder / files(2)['careful']).metadata['hands']:,} deals with sides exchanged; "
            "with four players partners share it; ± are 95% intervals. `sound` plays by a rule of thumb "
            "([analyses/beginners.py](../analyses/beginners.py)): it adds up roughly what it takes and leaves, and "
            "fears what one card can sweep; `careful` reckons the same in full. A habit costs a player this much who "
            "has no other; among better players each costs more or less.",
            *(section(folder, players) for players in PLAYERS),
            "\n\n".join(f"![What habits cost, {players} players](habits_thumb_{players}.png)" for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("habits")
