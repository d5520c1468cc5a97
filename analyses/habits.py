"""What do beginners' habits cost? Points a hand and games won, one habit at a time.

Run: a policy without a habit against the same policy with it, on the same deals with sides exchanged. The policy is
``sound`` of ``analyses/beginners.py``, or ``careful`` for habits that concern sets and the matta.
Tables: margins and probabilities of winning with 95% intervals (parquet). Figures: the ranking of the habits.

    python analyses/habits.py [--quick] [FOLDER]

Run it in the folder that contains ``analyses``. Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant, rank_rows, state
from cirulla_sim.stats.decisions import with_holm

THUMB, FORCED = "analyses/beginners.py:", "analyses/forced.py:careful_"
HABITS = {
    f"{THUMB}never_looks_ahead": "looking at what one takes, never at what one leaves",
    f"{THUMB}most_cards": "taking as many cards as one can, whichever they are",
    f"{THUMB}sees_no_diamonds": "treating diamonds and the settebello like other cards",
    f"{THUMB}fears_no_fifteen": "forgetting that a card can sweep by fifteen",
    f"{THUMB}sees_no_sevens": "treating sevens like other cards",
    f"{THUMB}forgets": "not remembering which cards have gone",
    f"{FORCED}never_showing_a_set": "never showing a barsega or a barsegon",
    f"{FORCED}with_the_matta_high": "declaring the matta as high as one may",
}
WITHOUT = {True: f"{THUMB}sound", False: "careful"}
PLAYERS = (2, 4)
DEALS = 20_000
SEED = 2018
QUESTION = {"en": "What do beginners' habits cost?", "it": "Quanto costano le abitudini dei principianti?"}
FILES = (("habits_thumb_4.parquet", "strength"), ("habits_sets_4.parquet", "strength"))
CHART = "habits_thumb_4.png"
METHOD = """Each line is a player with one habit against the same player without it, on 20,000 deals with sides
exchanged; with four players partners share the habit. `sound` plays by a rule of thumb that a person could follow
([analyses/beginners.py](../analyses/beginners.py)): it estimates what it takes and leaves, and avoids tables that one
card can sweep. `careful` computes the same in full; habits that concern sets and the matta are measured with it. The
cost is that of the habit in a player who has no other. Significance is corrected for all costs of the table
(Holm)."""


def without(habit: str) -> str:
    """The policy without the habit."""
    return WITHOUT[habit.startswith(THUMB)]


def files(players: int) -> dict[str, str]:
    """The files of the tournaments, by the policy without habits."""
    return {WITHOUT[thumb]: f"habits_{name}_{players}.parquet" for thumb, name in ((True, "thumb"), (False, "sets"))}


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write the tables."""
    for players in PLAYERS:
        for sound, file in files(players).items():
            names = (sound, *(habit for habit in HABITS if without(habit) == sound))
            options = {"players": players, "hands": sized(DEALS, study.MIN_DEALS), "seed": SEED}
            study.run(cs.tournament, policy=names, output=folder / file, **options)


def measured(folder: Path, players: int, habit: str, quantity: str) -> study.Row:
    """What a player without a habit makes over one with it."""
    result = cs.read(folder / files(players)[without(habit)])
    return study.row_of(result, quantity=quantity, policy=without(habit), opponent=habit, side="all")


def costs(folder: Path) -> dict[tuple[int, str], study.Row]:
    """The points a hand that each habit costs, by number of players and habit, corrected for their number."""
    keys = list(product(PLAYERS, HABITS))
    return dict(zip(keys, with_holm([measured(folder, *key, "margin") for key in keys]), strict=True))


def findings(folder: Path) -> list[Finding]:
    """The most expensive habit with two and with four players, the cheapest, and how many cost points."""
    rows = costs(folder)

    def named(players: int) -> dict[Noun, study.Row]:
        return {Noun("habit", habit.removeprefix(THUMB).removeprefix(FORCED)): rows[players, habit] for habit in HABITS}

    wins = {
        name: measured(folder, 4, habit, "wins_game")
        for name, habit in (("cards", f"{THUMB}most_cards"), ("sets", f"{FORCED}never_showing_a_set"))
    }
    return [
        rank_rows("habit-two", named(2)),
        rank_rows("habit-four", named(4)),
        rank_rows("habit-four", named(4), least=True),
        count_significant("habits-cost", list(rows.values()), ("more",)),
        state("study", "habits", wins),
    ]


def table(folder: Path) -> str:
    """The costs of the habits and the games won without them, the most expensive first with four players."""
    rows = costs(folder)
    lines = []
    for habit in sorted(HABITS, key=lambda habit: -rows[4, habit]["estimate"]):
        cells = [
            cell
            for players in PLAYERS
            for cell in (
                study.cell(rows[players, habit]),
                number(measured(folder, players, habit, "wins_game"), study.ENGLISH),
            )
        ]
        lines.append([HABITS[habit], f"`{without(habit).removeprefix(THUMB)}`", *cells])
    heads = [f"{what}, {players} players" for players in PLAYERS for what in ("points a hand", "games won without it")]
    return study.table(["what the habit costs", "measured with", *heads], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file for players in PLAYERS for file in files(players).values()]


if __name__ == "__main__":
    study.carry_out("habits")
