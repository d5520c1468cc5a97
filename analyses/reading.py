"""What do the plays of others tell of their cards? Predicted probabilities and observed frequencies.

Run: hands of search. Before each play of a seat that has seen others play in the stage, the unseen cards are dealt a
few hundred times, uniformly and weighted by the plays seen. Each way gives a predicted probability that the next player
holds certain cards, which is compared with the cards really held.
Tables: the observed frequency by tenths of the predicted probability, and the mean squared error of both ways of
dealing, with 95% intervals over hands (parquet). Figures: predicted against observed. Answer: the error of uniform
dealing.

    python analyses/reading.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.core.cards import mask
from cirulla_sim.engine.chunks import prepared
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.rest_of_hand import memory_of
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.kernel.entries.playouts_entry import deal_behind
from cirulla_sim.situation.information_set import InformationSet
from cirulla_sim.stats.estimates import mean, proportion
from cirulla_sim.storage.tables import SCHEMA, estimate_row

POLICY = "search"
HANDS = 300
DEALS = 250
"""Times that the unseen cards are dealt before a play; it limits the precision of a predicted probability."""

PLAYERS = (2, 4)
SEED = 77
TENTHS = 10
SCALE = 10_000
"""Squared errors are added up as integers, in units of 1 / SCALE."""

EVENTS = ("can_sweep", "can_capture", "has_ace", "has_seven")
DEALING = ("even", "read")
QUESTION = {
    "en": "What do the plays of others tell of their cards?",
    "it": "Che cosa dicono delle carte degli altri le loro giocate?",
}
FILES = tuple((f"reading_{players}.parquet", "reliability") for players in PLAYERS)


def event_cards(now: InformationSet) -> dict[str, int]:
    """By event, the cards of which the next player needs one, given the table as it is."""
    table, matta_value = now.field("table"), now.field("matta_value")
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
        now = turn.moment.information()
        following = (turn.moment.seat + 1) % now.rules.players
        hidden = now.by_seat("held")[following] > now.by_seat("shown")[following].bit_count()
        if not now.read or not hidden or now.all_holdings():
            continue
        first = np.uint64((hand * 40 + turn.number) * DEALS)
        flat, _, work = prepared(experiment)  # again for each play: `turns` uses the same workspace
        for way, situation in enumerate((now.unread(), now)):
            deal_behind(flat, np.uint64(SEED), first, memory_of(situation), work, dealt[way])
        held = turn.moment.holdings[following]
        for event, cards in event_cards(now).items():
            if now.by_seat("shown")[following] & cards or not now.unseen & cards:
                continue
            even, read = (dealt[way, :, following] & np.uint64(cards) for way in range(2))
            yield event, float((even > 0).mean()), float((read > 0).mean()), bool(held & cards)


def rows(experiment: Experiment) -> Iterator[dict[str, Any]]:
    """The rows of a table."""
    observed = [(hand, *fields) for hand in range(experiment.hands) for fields in predictions(experiment, hand)]
    frame = pl.DataFrame(observed, schema=["hand", "event", *DEALING, "true"], orient="row")
    for event in EVENTS:
        subset = frame.filter(event=event)
        truth = subset["true"].to_numpy().astype(np.int64)
        errors = {way: np.rint(SCALE * (subset[way].to_numpy() - truth) ** 2).astype(np.int64) for way in DEALING}
        for way in DEALING:
            chance = subset[way].to_numpy()
            yield key_columns(event, way, chance.mean()) | estimate_row(
                event, "play", "others", "probability", proportion(int(truth.sum()), len(truth))
            )
            yield key_columns(event, way, None) | estimate_row(
                "squared_error", "play", "others", "mean", by_hand(subset["hand"].to_numpy(), errors[way])
            )
            tenth = np.minimum((chance * TENTHS).astype(int), TENTHS - 1)
            for k in range(TENTHS):
                at = tenth == k
                if at.any():
                    yield key_columns(event, way, chance[at].mean()) | estimate_row(
                        event, "play", "others", "share", proportion(int(truth[at].sum()), int(at.sum())),
                        100 * k // TENTHS,
                    )  # fmt: skip
        saved = by_hand(subset["hand"].to_numpy(), errors["read"] - errors["even"])
        yield key_columns(event, "read", None) | estimate_row("squared_error", "play", "others", "difference", saved)


def key_columns(event: str, way: str, chance: float | None) -> dict[str, Any]:
    """The columns that only this table has: the event, the way of dealing, the mean predicted probability."""
    return {"event": event, "dealing": way, "told": None if chance is None else float(chance)}


def by_hand(hands: NDArray[Any], errors: NDArray[np.int64]) -> Any:
    """The mean of squared errors given in units of 1 / SCALE, with an interval clustered by hand."""
    sums = np.bincount(hands, errors).astype(np.int64)[np.unique(hands)]
    each = mean(int(sums.sum()), int((sums**2).sum()), len(sums))
    per = len(sums) / len(errors) / SCALE
    return type(each)(*(per * x for x in (each.value, each.std_error, each.low, each.high)), len(errors))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for (file, _), players in zip(FILES, PLAYERS, strict=True):
        rules = cs.rules(players=players).fields
        experiment = Experiment(rules, (POLICY,), sized(HANDS, 60), SEED)
        arguments = {"players": players, "hands": experiment.hands, "seed": SEED, "deals": DEALS}

        def table(experiment: Experiment = experiment, arguments: Any = arguments, players: int = players) -> Any:
            schema = {"event": pl.String, "dealing": pl.String, "told": pl.Float64} | SCHEMA
            frame = pl.DataFrame(list(rows(experiment)), schema=schema, orient="row")
            return frame, arguments | {
                **study.base_metadata(cs.rules(players=players), [POLICY], SEED),
                "command": "python analyses/reading.py", "schema": "reading/2", "stopped": "hands",
            }  # fmt: skip

        study.store(folder / file, arguments, [experiment], table)
        cs.plot(folder / file, output=(folder / file).with_suffix(".png"))


def calibration(folder: Path, players: int, event: str, way: str) -> tuple[float, float]:
    """The mean predicted probability of an event, and its observed frequency."""
    row = study.row_of(
        cs.read(folder / f"reading_{players}.parquet"), event=event, dealing=way, quantity=event, kind="probability"
    )
    return row["told"], row["estimate"]


def answer(folder: Path, lang: str = "en") -> str:
    """The error of uniform dealing about sweeps and aces, and the improvement by reading the plays."""

    def p(x: float) -> str:
        return f"{100 * x:.1f}%"

    (even2, true2), (read2, _) = (calibration(folder, 2, "can_sweep", way) for way in DEALING)
    (even4, true4), (read4, _) = (calibration(folder, 4, "can_sweep", way) for way in DEALING)
    ace, held = calibration(folder, 4, "has_ace", "even")
    less2, less4 = (error_saved(folder, players) for players in PLAYERS)
    return study.localized(
        lang,
        "Something: who could have swept mostly would have, and who leaves a table can often take from it. Where "
        "others have played in the stage already, counting every way that the unseen cards may lie the same gives the "
        f"next player a card that sweeps in {p(even2)} of the cases with two players and {p(even4)} with four; it "
        f"really holds one in {p(true2)} and {p(true4)}. Read from what was played, the chance is {p(read2)} and "
        f"{p(read4)}, and its mean squared error is {less2} and {less4} less. With four players an ace is held in "
        f"{p(held)} of the cases, not in {p(ace)}.",
        "Qualcosa: chi poteva fare scopa di solito l'avrebbe fatta, e chi lascia un tavolo spesso ne può prendere. "
        "Quando in questa mano gli altri hanno già giocato, contando uguali tutti i modi in cui possono stare le carte "
        f"coperte, chi segue ha una carta che fa scopa nel {p(even2)} dei casi in due e nel {p(even4)} in quattro; "
        f"davvero ce l'ha nel {p(true2)} e nel {p(true4)}. Letta dalle giocate, la probabilità è {p(read2)} e "
        f"{p(read4)}, e il suo errore quadratico medio è del {less2} e del {less4} più piccolo. In quattro un asso c'è "
        f"nel {p(held)} dei casi, non nel {p(ace)}.",
    )


def error_saved(folder: Path, players: int) -> str:
    """The relative reduction of the mean squared error for sweeps by reading the plays, in percent."""
    result, of = cs.read(folder / f"reading_{players}.parquet"), {"event": "can_sweep", "quantity": "squared_error"}
    saved = study.row_of(result, kind="difference", **of)
    before = study.row_of(result, kind="mean", dealing="even", **of)
    return f"{-100 * saved['estimate'] / before['estimate']:.1f}%"


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    result = cs.read(folder / f"reading_{players}.parquet")
    lines = []
    for event in EVENTS:
        keys = {"event": event, "kind": "probability", "quantity": event}
        even, read = (study.row_of(result, dealing=way, **keys) for way in DEALING)
        errors = [
            study.row_of(result, event=event, quantity="squared_error", kind="mean", dealing=way) for way in DEALING
        ]
        saved = study.row_of(result, event=event, quantity="squared_error", kind="difference")
        lines.append(
            [f"`{event}`", f"{100 * even['told']:.1f}%", f"{100 * read['told']:.1f}%", study.percent(even)]
            + [f"{error['estimate']:.4f}" for error in errors]
            + [study.signed(saved, 4)]
        )
    head = ["the next player", "told, even", "told, read", "true", "error, even", "error, read", "difference"]
    metadata = result.metadata
    return study.joined(
        [
            f"## {players} players",
            f"{metadata['hands']:,} hands of {POLICY}, seed {metadata['seed']}; the unseen cards dealt "
            f"{metadata['deals']} times before each play. Errors are mean squared errors of the chances told.",
            study.table(head, lines),
            f"![reading_{players}](reading_{players}.png)",
        ]
    ).rstrip()


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/reading.py`. Told by plays of the same stage: whether a player left a card, "
            "captured or swept, what each card could have done at that moment, and what it can do to the table left. "
            "How much that tells was fitted to other hands (`python scripts/fit_reading.py`); `search` and `advise` "
            "deal the unseen cards by it.",
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("reading")
