"""The rest of a hand, by features of played hands: against whole constrained hands, and known truths."""

from __future__ import annotations

import polars as pl
import pytest
from click.testing import CliRunner

import cirulla_sim as cs
from cirulla_sim.cli import app
from cirulla_sim.core.cards import PACK
from cirulla_sim.core.errors import InputError

TABLE = "3c 5d 7s Kh"
DEALT = {"players": 2, "policy": "greedy", "hands": 20_000, "progress": False}
QUESTIONS = (
    "won_us",
    "primiera_won_us and settebello_us",
    "points_cards_us > points_cards_them",
    "scope_us = 0",
    "7h_us",
)


def largest_difference(first: pl.DataFrame, other: pl.DataFrame) -> float:
    """The greatest difference between rows in standard errors."""
    errors = (first["std_error"] ** 2 + other["std_error"] ** 2).sqrt()
    difference = first["estimate"] - other["estimate"]
    return (difference / errors).abs().fill_nan(0).max()  # nan where both are sure, and the same


@pytest.mark.parametrize(
    ("held", "here", "whole"),
    [
        ("7d Ks 2h", None, ""),
        ("7c Ks 2h", "next: settebello", "; me: settebello"),
        ("7d Ks 2h", "next: two kings; not stock: 7h", "; me: two kings 7h"),
    ],
)
def test_the_rest_of_a_hand_agrees_with_constrained_whole_hands(held: str, here: str | None, whole: str) -> None:
    """At the first play a position is a deal constraint, which other code samples; there our side is "others"."""
    other_side = [
        text.replace("_us", "_dealer").replace("_them", "_us").replace("_dealer", "_them") for text in QUESTIONS
    ]
    dealt = f"table: {TABLE}; seat0: {held}{whole}"
    for (question, mean), (turned, turned_mean) in (
        (((QUESTIONS, None), (other_side, None))),
        ((None, "margin"), (None, "-margin")),
    ):
        rest = cs.odds(question, mean=mean, of="hand", table=TABLE, holding=held, deal=here, **DEALT)
        hands = cs.odds(turned, mean=turned_mean, of="hand", deal=dealt, **DEALT)
        assert largest_difference(rest.frame, hands.frame) < 4


def test_the_rest_is_the_same_before_and_after_a_play() -> None:
    """``greedy`` takes both cards with the seven; then the next player is to play, with the same unseen cards."""
    before = cs.odds(QUESTIONS, of="hand", table="3c 4d Qh Kh", holding="7d Ks 2h", **DEALT)
    after = cs.odds(QUESTIONS, table="Qh Kh", holding="Ks 2h", piles="mine: 3c 4d 7d", stage=1, **DEALT)
    assert "you to play" in before.metadata["trial"]
    assert "the next player to play" in after.metadata["trial"]
    assert before.frame.equals(after.frame)


def test_the_last_play_of_a_hand_is_certain() -> None:
    """The dealer's last card takes the settebello; all other cards are in the piles, so the score is certain."""
    gone = [card for card in PACK if card not in ("7d", "7h", "Kh")]
    piles = f"mine: {' '.join(gone[:19])}; theirs: {' '.join(gone[19:])}"
    position = {"table": "7d Kh", "holding": "7h", "held": "0", "piles": piles, "points": "2-5"}
    question = (
        "settebello_us",
        "cards_us = 22",
        "captures_last_me",
        "takes_settebello_next",
        "points_us >= 2 and sweeps = 0",
    )
    frame = cs.odds(question, of="hand", **position, players=2, hands=50, progress=False).frame
    assert frame["estimate"].to_list() == [1, 1, 1, 0, 1]


def test_conditions_splits_names_and_files(tmp_path) -> None:
    at = {"players": 4, "table": "3c 5d", "holding": "7d Ks", "shown": "1: 2h 2c 2s", "policy": "greedy", "hands": 500}
    split = cs.odds("leading: margin > 0", by="sevens_us", given="settebello_us", **at, output=tmp_path / "x.parquet")
    assert split.frame["quantity"].unique().to_list() == ["leading given settebello_us"]
    assert (
        abs(split.frame["joint"].sum() - cs.odds("margin > 0", given="settebello_us", **at).frame["estimate"][0]) < 1e-9
    )
    again = CliRunner().invoke(app, split.metadata["command"].split(" ")[1:2] and _words(split.metadata["command"]))
    assert again.exit_code == 0, again.output
    assert split.text() in again.output
    assert cs.read(tmp_path / "x.parquet").frame.equals(split.frame)


def _words(command: str) -> list[str]:
    import shlex

    return shlex.split(command)[1:]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"question": "won_dealer", "of": "hand"}, "unknown feature of the rest of a hand 'won_dealer'"),
        ({"question": "won_us", "in_": 3}, "--in '3' cannot be combined with a position"),
        ({"question": "won_us", "held": "1,1"}, "--held '1,1' is not valid"),
        ({"question": "won_us", "held": "1"}, "--held '1' cannot be when you hold 3"),
        ({"question": "won_us", "deal": "next: 7d"}, "the unseen cards cannot lie so"),
        ({"question": "won_us", "deal": "me: 7h"}, "unknown place 'me'"),
        ({"question": "sweep", "points": "1-0"}, "--points '1-0' cannot be combined with a position's next plays"),
        ({"question": None, "of": "hand"}, "no question about the rest of the hand"),
        ({"question": "won_us", "sizes": "20,20"}, "--sizes '20,20' cannot be combined with"),
    ],
)
def test_what_says_nothing_is_refused(position: dict, message: str) -> None:
    with pytest.raises(InputError) as error:
        cs.odds(**{"table": "3c 5d", "holding": "7d Ks 2h", "players": 2, "hands": 10, "progress": False} | position)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_questions_of_the_next_plays_are_counted_as_ever() -> None:
    """Though ``capture`` and ``sweep`` alone may be said of the rest of a hand too."""
    position = {"table": "3c 5d", "holding": "7d Ks", "players": 2}
    assert cs.odds("capture and not sweep", **position).frame["exact"].item()
    assert cs.odds("sweep", of="hand", hands=10, **position, progress=False).frame["exact"].item() is None


def test_piles_are_cards_gone_to_the_next_plays_too() -> None:
    position = {"table": "3c 5d", "holding": "7d Ks", "players": 2}
    seen = cs.odds("sweep", **position, seen="6h 4d 5s")
    assert cs.odds("sweep", **position, piles="mine: 6h; theirs: 4d 5s").frame.equals(seen.frame)


def test_advice_knows_what_is_known_besides() -> None:
    """To players that look at nobody's cards a card known is as good as one shown; the sweep next is not counted."""
    position = {"table": "3c 5d Qh", "holding": "7h Ks", "players": 2, "policy": "greedy", "samples": 4096}
    shown, constrained = (
        cs.advise(**position, shown="1: 7d").frame,
        cs.advise(**position, deal="next: settebello").frame,
    )
    assert set(shown["quantity"].unique()) - set(constrained["quantity"].unique()) == {"sweep_next"}
    by_play = [f.filter(quantity="margin").sort("play") for f in (shown, constrained)]
    assert by_play[0]["play"].equals(by_play[1]["play"])
    assert largest_difference(*by_play) < 4
    plain = cs.advise(**position).frame.filter(quantity="margin").sort("play")
    assert largest_difference(by_play[1], plain) > 4
    with pytest.raises(InputError, match="cannot be combined with --open"):
        cs.advise(**position, deal="next: 7d", open=True, hands="x")
