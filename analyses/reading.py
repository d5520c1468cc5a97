"""What do the plays of others tell of their cards? Predicted probabilities and observed frequencies.

Run: hands of search. Before each play of a seat that has seen others play in the stage, the unseen cards are dealt a
few hundred times, uniformly and weighted by the plays seen. Each way gives a predicted probability that the next player
holds certain cards, which is compared with the cards really held.
Tables: the observed frequency, in all and by tenths of the predicted probability, its difference from the prediction,
and the mean squared error of both ways of dealing (parquet). Figures: predicted against observed.

    python analyses/reading.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray
from study_views import views
from study_views.study_text import NAMES

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.core.cards import mask
from cirulla_sim.engine.chunks import prepare_play
from cirulla_sim.engine.hand_in_play import memory_of
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.kernel.entries.values import deal_behind
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant, find_sign
from cirulla_sim.situation.hand import HandState
from cirulla_sim.stats.decisions import with_holm
from cirulla_sim.stats.estimates import Estimate, clustered, ratio
from cirulla_sim.storage.tables import SCHEMA, estimate_row

POLICY = "search"
HANDS = 1_500
DEALS = 250
"""Times that the unseen cards are dealt before a play; it limits the precision of a predicted probability."""

PLAYERS = (2, 4)
SEED = 77
TENTHS = 10
SCALE = 10_000
"""Errors are added up as integers, in units of 1 / SCALE."""

EVENTS = ("can_sweep", "can_capture", "has_ace", "has_seven")
DEALING = ("even", "read")
QUESTION = {
    "en": "What do the plays of others tell of their cards?",
    "it": "Che cosa dicono delle carte degli altri le loro giocate?",
}
FILES = tuple((f"reading_{players}.parquet", "can_sweep") for players in PLAYERS)
CHART = "reading_4.png"
VIEW = views.READING
METHOD = """1,500 hands of `search` players with two and as many with four players; no other players are looked at.
Before each play after others have played in the stage, the unseen cards are dealt 250 times in two ways: all deals
equally likely, or weighted by the plays seen: whether a player left a card, captured or swept, what each card could
have done then, and what it can do to the table left. The weights were fitted to other hands
(`python scripts/fit_reading.py`); `search` and `advise` use them. The prediction is the share of these deals in which
the next player holds the card, the error its squared distance from 1 or 0. Intervals are clustered by hand. The eight
differences of errors are corrected together (Holm), and so are the sixteen of predictions from what came true."""


def event_cards(now: HandState) -> dict[str, int]:
    """By event, the cards of which the next player needs one, given the table as it is."""
    table, matta_value = now.table, now.matta_value
    result = {"has_ace": mask(range(0, 40, 10)), "has_seven": mask(range(6, 40, 10))}
    if table:
        result["can_capture"] = takers(now.rules, table, 0, matta_value)[0]
        result["can_sweep"] = takers(now.rules, table, table, matta_value)[0]
    return result


def predictions(experiment: Experiment, hand: int) -> Iterator[tuple[str, float, float, bool]]:
    """For each play of a hand with something to infer: the event, its probability by uniform dealing and by reading the
    plays, and whether it was true. Events that the seat knows for certain are left out.
    """
    dealt = np.zeros((2, DEALS, 4), np.uint64)
    for turn in turns(hand_record(experiment, hand)):
        now = turn.hand.seen_by()
        following = (turn.hand.to_play + 1) % now.rules.players
        hidden = now.held[following] > now.known[following].bit_count()
        if not now.read or not hidden or now.all_holdings():
            continue
        first = np.uint64((hand * 40 + turn.number) * DEALS)
        flat, _, work = prepare_play(experiment)  # again for each play: `turns` uses the same workspace
        for way, reads in enumerate((False, True)):
            deal_behind(flat, np.uint64(SEED), first, memory_of(now, reads), work, dealt[way])
        held = turn.hand.known[following]
        for event, cards in event_cards(now).items():
            if now.known[following] & cards or not now.unseen & cards:
                continue
            even, read = (dealt[way, :, following] & np.uint64(cards) for way in range(2))
            yield event, float((even > 0).mean()), float((read > 0).mean()), bool(held & cards)


def rows(experiment: Experiment) -> Iterator[dict[str, Any]]:
    """The rows of a table."""
    observed = [(hand, *fields) for hand in range(experiment.hands) for fields in predictions(experiment, hand)]
    frame = pl.DataFrame(observed, schema=["hand", "event", *DEALING, "true"], orient="row")
    for event in EVENTS:
        subset = frame.filter(event=event)
        hands, truth = subset["hand"].to_numpy(), subset["true"].to_numpy().astype(np.int64)
        errors = {way: whole(SCALE * (subset[way].to_numpy() - truth) ** 2) for way in DEALING}
        for way in DEALING:
            chance = subset[way].to_numpy()
            yield key_columns(event, way, chance.mean()) | estimate_row(
                event, "play", "others", "probability", clustered(*sums(hands, truth))
            )
            yield key_columns(event, way, chance.mean()) | estimate_row(
                event, "play", "others", "difference", mean_by_hand(hands, whole(SCALE * (chance - truth)))
            )
            yield key_columns(event, way, None) | estimate_row(
                "squared_error", "play", "others", "mean", mean_by_hand(hands, errors[way])
            )
            tenth = np.minimum((chance * TENTHS).astype(int), TENTHS - 1)
            for k in range(TENTHS):
                at = tenth == k
                if at.any():
                    yield key_columns(event, way, chance[at].mean()) | estimate_row(
                        event, "play", "others", "share", clustered(*sums(hands[at], truth[at])), 100 * k // TENTHS
                    )
        saved = mean_by_hand(hands, errors["read"] - errors["even"])
        yield key_columns(event, "read", None) | estimate_row("squared_error", "play", "others", "difference", saved)


def key_columns(event: str, way: str, chance: float | None) -> dict[str, Any]:
    """The columns that only this table has: the event, the way of dealing, the mean predicted probability."""
    return {"event": event, "dealing": way, "told": None if chance is None else float(chance)}


def whole(errors: NDArray[np.float64]) -> NDArray[np.int64]:
    """Errors as whole numbers."""
    return np.rint(errors).astype(np.int64)


def sums(hands: NDArray[Any], values: NDArray[np.int64]) -> tuple[int, int, int, int, int, int]:
    """Sums over hands of the values x and the number of plays y of a hand, of x², xy and y², and the number of hands.

    >>> sums(np.array([3, 3, 5]), np.array([1, 0, 1]))
    (2, 3, 2, 3, 5, 2)
    """
    _, place = np.unique(hands, return_inverse=True)
    x, y = np.bincount(place, values).astype(np.int64), np.bincount(place)
    return int(x.sum()), int(y.sum()), int(x @ x), int(x @ y), int(y @ y), len(y)


def mean_by_hand(hands: NDArray[Any], errors: NDArray[np.int64]) -> Estimate:
    """The mean of errors given in units of 1 / SCALE, with an interval clustered by hand."""
    found = ratio(*sums(hands, errors))
    return Estimate(*(x / SCALE for x in (found.value, found.std_error, found.low, found.high)), len(errors))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the tables."""
    for (file, _), players in zip(FILES, PLAYERS, strict=True):
        rules = cs.rules(players=players).fields
        experiment = Experiment(rules, (POLICY,), sized(HANDS, 60), SEED)
        arguments = {"players": players, "hands": experiment.hands, "seed": SEED, "deals": DEALS}

        def table(experiment: Experiment = experiment, arguments: Any = arguments, players: int = players) -> Any:
            schema = {"event": pl.String, "dealing": pl.String, "told": pl.Float64} | SCHEMA
            frame = pl.DataFrame(list(rows(experiment)), schema=schema, orient="row")
            return frame, arguments | {
                **study.base_metadata(cs.rules(players=players), [POLICY], SEED),
                "command": "python analyses/reading.py", "stopped": "hands",
            }  # fmt: skip

        study.store(folder / file, arguments, [experiment], table, VIEW)


@dataclass(frozen=True)
class Found:
    """What was found of an event: predictions and their distances from the truth by way of dealing, and errors."""

    predicted: dict[str, float]
    true: study.Row
    distances: dict[str, study.Row]
    error: study.Row
    saved: study.Row


def found(folder: Path) -> dict[tuple[int, str], Found]:
    """By number of players and event; distances are corrected together, and so are the differences of errors."""
    keys = [(players, event) for players in PLAYERS for event in EVENTS]
    results = {players: cs.read(folder / f"reading_{players}.parquet") for players in PLAYERS}

    def row(players: int, event: str, **values: str) -> study.Row:
        return study.row_of(results[players], event=event, **values)

    distances = with_holm(
        [row(*key, quantity=key[1], kind="difference", dealing=way) for key in keys for way in DEALING]
    )
    saved = with_holm([row(*key, quantity="squared_error", kind="difference") for key in keys])
    return {
        key: Found(
            {way: row(*key, kind="probability", dealing=way)["told"] for way in DEALING},
            row(*key, kind="probability", dealing="even"),
            dict(zip(DEALING, distances[2 * place : 2 * place + 2], strict=True)),
            row(*key, quantity="squared_error", kind="mean", dealing="even"),
            saved[place],
        )
        for place, key in enumerate(keys)
    }


def relative(one: Found) -> study.Row:
    """The change of the error in percent of that of uniform dealing, which is known much more precisely."""
    return {**study.scaled(one.saved, 100 / one.error["estimate"]), "quantity": "relative_change"}


def findings(folder: Path) -> list[Finding]:
    """By how much reading the plays changes the error of predicting a sweep, and how many predictions are off."""
    every = found(folder)
    return [
        *(
            find_sign("reading", relative(every[players, "can_sweep"]), place=Noun("where", place))
            for players, place in zip(PLAYERS, ("two", "four"), strict=True)
        ),
        *(count_significant(f"forecasts-{way}", [each.distances[way] for each in every.values()]) for way in DEALING),
    ]


def table(folder: Path) -> str:
    """The predictions of each event by either way, what came true, and the change of the error."""
    head = ["players", "the next player", "came true", "predicted, equally likely", "minus true, in percentage points",
            "predicted, reading", "minus true, in percentage points", "change of the error in percent"]  # fmt: skip
    lines = []
    for (players, event), one in found(folder).items():
        predicted = [
            cell
            for way in DEALING
            for cell in (f"{100 * one.predicted[way]:.1f}%", study.cell(study.scaled(one.distances[way], 100)))
        ]
        what = NAMES[event].removeprefix("The next player ")
        lines.append([str(players), what, number(one.true, study.ENGLISH), *predicted, study.cell(relative(one))])
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file for file, _ in FILES]


if __name__ == "__main__":
    study.carry_out("reading")
