"""What do beginners' habits cost? Points a hand and games won, one habit at a time.

Run: a player without a habit against the same player with it, on the same deals with sides exchanged: ``sound`` of
``analyses/beginners.py``, who plays by a rule of thumb, and ``careful`` where the habit is about sets and the matta.
Tables: margins and chances of winning with 95% intervals (parquet). Figures: the ranking of the habits. Answer: what
each habit costs, the dearest first.

    python analyses/habits.py [--quick] [FOLDER]

to be run where the folder ``analyses`` is; writes into ``results``, or into the folder named; the same bytes on any
machine.
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
    """The player who has it not."""
    return WITHOUT[habit.startswith(THUMB)]


def files(players: int) -> dict[str, str]:
    """The files of tournaments between so many players, by the player without habits."""
    return {WITHOUT[thumb]: f"habits_{name}_{players}.parquet" for thumb, name in ((True, "thumb"), (False, "sets"))}


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for players in PLAYERS:
        for sound, file in files(players).items():
            names = (sound, *(habit for habit in HABITS if without(habit) == sound))
            asked = {"players": players, "hands": sized(DEALS, study.DEALS), "seed": SEED}
            study.played(cs.tournament, policy=names, output=folder / file, **asked)
            cs.plot(folder / file, output=(folder / file).with_suffix(".png"))


def cost(folder: Path, players: int, habit: str, quantity: str = "margin") -> study.Row:
    """What a habit costs: points a hand, or how often the other wins the game."""
    found = cs.read(folder / files(players)[without(habit)])
    return study.one(found, quantity=quantity, policy=without(habit), opponent=habit, side="all")


def costs(folder: Path, players: int) -> str:
    """A table of what the habits cost, the dearest first."""
    rows = []
    for habit, said in HABITS.items():
        points, wins = (cost(folder, players, habit, quantity) for quantity in ("margin", "wins_game"))
        who = f"`{without(habit).rpartition(':')[2]}`"
        rows.append((points["estimate"], [said, who, study.spread(points, 2), study.percents(wins)]))
    rows.sort(key=lambda row: -row[0])
    head = ["one who", "against", "loses points a hand", "the other wins the game"]
    return study.table(head, [cells for _, cells in rows])


def two_players(folder: Path) -> str:
    """What they cost with two players."""
    return costs(folder, 2)


def section(folder: Path, players: int) -> str:
    """What the habits cost, and how it is found."""
    made = ((cs.read(folder / file), file) for file in files(players).values())
    return study.joined([f"## {players} players", costs(folder, players), study.commands(*made)]).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The dearest habits and the cheapest, with four players."""
    ranked = sorted(HABITS, key=lambda habit: -cost(folder, 4, habit)["estimate"])
    words = HABITS if lang == "en" else ABITUDINI
    first, second, third, last = (
        f"{words[habit]} ({study.spread(cost(folder, 4, habit), 2)})" for habit in (*ranked[:3], ranked[-1])
    )
    wins = study.percents(cost(folder, 4, ranked[0], "wins_game"))
    return study.said(
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
