"""Two, three or four players? How hands and games of Cirulla differ by the number of players.

Run: hands and whole games with 2, 3 and 4 players, between careful players and between those who look ahead.
Tables: every quantity of hands and games (parquet). Figures: points by category. Answer: a table by number of players
(markdown).

    python analyses/players.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs

PLAYERS = (2, 3, 4)
POLICIES = ("careful", "search")
HANDS, GAMES = 20_000, 1_500
SEED = 234
QUESTION = {"en": "Two, three or four players?", "it": "In due, in tre o in quattro?"}
FILES = (("players_2.parquet", "categories"), ("players_4.parquet", "categories"))
PARTS = {
    ("points", "all", "mean"): "points of all sides",
    ("sweeps", "all", "mean"): "sweeps",
    ("knock", "all", "mean"): "knocks",
    ("points_hand_bonus", "all", "mean"): "points for knocks",
    ("margin", "dealer", "mean"): "dealer's margin",
}


def hands_file(players: int) -> str:
    """The file of hands."""
    return f"players_{players}.parquet"


def games_file(players: int) -> str:
    """The file of whole games."""
    return f"players_games_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for players in PLAYERS:
        options = {"players": players, "policy": POLICIES, "seed": SEED}
        file = folder / hands_file(players)
        study.run(cs.simulate, hands=sized(HANDS), output=file, **options)
        cs.plot(file, figure="categories", output=file.with_suffix(".png"))
        study.run(cs.games, games=sized(GAMES), output=folder / games_file(players), **options)


def hand(folder: Path, players: int, policy: str, quantity: str, side: str, kind: str, per: str = "hand") -> study.Row:
    """A quantity of a hand."""
    result = cs.read(folder / hands_file(players))
    return study.row_of(result, policy=policy, quantity=quantity, side=side, kind=kind, per=per)


def game(folder: Path, players: int, policy: str, quantity: str, side: str, kind: str) -> study.Row:
    """A quantity of a game."""
    result = cs.read(folder / games_file(players))
    return study.row_of(result, policy=policy, quantity=quantity, side=side, kind=kind)


def section(folder: Path, policy: str) -> str:
    """The section of one policy."""
    rows = []
    for quantity, label in PARTS.items():
        rows.append([label, *(study.unsigned(hand(folder, players, policy, *quantity)) for players in PLAYERS)])
    wins = [hand(folder, players, policy, "wins_hand", "dealer", "share", "side") for players in PLAYERS]
    rows.append(["hands the dealer's side wins", *(study.percent(row) for row in wins)])
    lengths = [game(folder, players, policy, "hands", "all", "mean") for players in PLAYERS]
    rows.append(["hands a game", *(study.unsigned(row) for row in lengths)])
    first = [game(folder, players, policy, "wins_game", "dealer", "probability") for players in PLAYERS]
    rows.append(["games the first dealer's side wins", *(study.percent(row) for row in first)])
    head = ["a hand", *(f"{players} players" for players in PLAYERS)]
    return study.joined([f"## `{policy}`", study.table(head, rows)]).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """Points, sweeps, knocks, the dealer's margin and the length of a game between search players."""

    def values(quantity: str, side: str, kind: str, digits: int) -> list[str]:
        rows = (hand(folder, players, "search", quantity, side, kind) for players in PLAYERS)
        return [f"{row['estimate']:.{digits}f}" for row in rows]

    points, sweeps, knocks = (values(name, "all", "mean", 1) for name in ("points", "sweeps", "knock"))
    margins = [study.signed(hand(folder, players, "search", "margin", "dealer", "mean"), 2) for players in PLAYERS]
    hands = [f"{game(folder, players, 'search', 'hands', 'all', 'mean')['estimate']:.1f}" for players in PLAYERS]
    return study.localized(
        lang,
        f"Between players who look ahead (search) a hand brings {points[0]} points in all with two, {points[1]} with "
        f"three and {points[2]} with four; of these {sweeps[0]}, {sweeps[1]} and {sweeps[2]} are sweeps, and there "
        f"are {knocks[0]}, {knocks[1]} and {knocks[2]} knocks. Dealing is worth {margins[0]}, {margins[1]} and "
        f"{margins[2]} points. A game to 51 takes {hands[0]} hands with two, {hands[1]} with three, each alone, and "
        f"{hands[2]} with four, two against two.",
        f"Tra giocatori che guardano avanti (ricerca) una smazzata porta {points[0]} punti in tutto in due, "
        f"{points[1]} in tre e {points[2]} in quattro; di questi {sweeps[0]}, {sweeps[1]} e {sweeps[2]} sono scope, e "
        f"gli accusi sono {knocks[0]}, {knocks[1]} e {knocks[2]}. Dare le carte vale {margins[0]}, {margins[1]} e "
        f"{margins[2]} punti. Una partita a 51 dura {hands[0]} smazzate in due, {hands[1]} in tre, ognuno per sé, e "
        f"{hands[2]} in quattro, due contro due.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    sources = [
        (cs.read(folder / file(players)), file(players)) for players in PLAYERS for file in (hands_file, games_file)
    ]
    hands, games = sources[0][0].metadata["hands"], sources[1][0].metadata["games"]
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/players.py`. Three play each alone, four two against two; so with three points "
            "are shared among three, and a side needs longer. The margin is the points of the dealer's side less those "
            f"of the others (their mean); {hands:,} hands and {games:,} games each; ± are 95% intervals.",
            *(section(folder, policy) for policy in POLICIES),
            *(f"![Points by category, {players} players](players_{players}.png)" for players in PLAYERS),
            study.commands(*sources),
        ]
    )


if __name__ == "__main__":
    study.carry_out("players")
