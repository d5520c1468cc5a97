"""Hand records: everything that happened in a hand, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..core import cards
from ..ruleset.presets import build
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import sweeps_column
from ..situation.hand import HandState, Score, score_of
from ..situation.plays import captured, card_of, cards_shown, is_scopa_play, knock_of, value_in
from .chunks import play_one_hand
from .trials import Experiment

HandRecord = dict[str, Any]


@lru_cache(2**8)  # of many hands in a row the rules are the same
def rules_of_record(rules: Rules, preset: str) -> Mapping[str, Any]:
    """How a record names its rules: the preset, and the fields in which they differ from it."""
    return {"preset": preset, **rules.differences(build(preset, players=rules.players))}


def hand_record(experiment: Experiment, index: int, preset: str = "cirulla") -> HandRecord:
    """The record of hand number ``index``: one JSON object that a referee can replay by the rules alone.

    The record names the ``preset`` and the fields that differ from it.
    """
    return record_of(play_one_hand(experiment, index), experiment, index, preset)


def record_of(work: Any, experiment: Experiment, index: int, preset: str, begun: HandState | None = None) -> HandRecord:
    """The record of the hand that was just played in the kernel's ``Work``.

    Of a hand that was ``begun`` in the middle it has the table of then, the plays since and the cards they are made of.
    """
    from ..kernel.game import hand as places
    from ..kernel.game.scoring import COLUMN

    rules = experiment.rules
    deck = [cards.PACK[card] for card in work.deck.tolist()]
    table = deck[: rules.table_cards] if begun is None else cards.texts(begun.table)
    since = None if begun is None else begun.number_of_plays
    misdeals = int(work.deal[places.MISDEALT])
    won = int(work.deal[places.WON_AT_DEAL])
    end = end_of(rules, score_of(rules, work), won)
    last = int(work.deal[places.LAST_CAPTURE])
    points_and_matta = (int(work.deal[place]) for place in (places.TABLE_POINTS, places.TABLE_VALUE))
    return {
        "rules": dict(rules_of_record(rules, preset)),
        "players": rules.players,
        "dealer": rules.players - 1,
        "seed": experiment.seed,
        "hand": index,
        "misdeals": [cards.texts(int(table)) for table in work.misdealt[:misdeals]],
        "table": [] if won == int(places.WON_BY_OTHERS) else table,
        "table_bonus": bonus_of_table(*points_and_matta) if work.deal[places.TABLE_KIND] else None,
        "stages": [] if won else _stages(rules, work, deck, since),
        "last_capture_by": None if last == int(places.NOBODY) else last,
        "piles": end["piles"],
        "scope": work.score[: rules.sides, COLUMN[sweeps_column(rules)]].tolist(),
        "points": end["points"],
        "cappotto": end["cappotto"],
    }


def end_of(rules: Rules, score: Score, won: int = 0) -> HandRecord:
    """What a record has of the end of a hand: ``piles``, ``points``, ``cappotto``; ``won`` as in the kernel's deal."""
    from ..kernel.game import hand as places

    cappotto: int | list[int] | None = score.cappotto
    if won:
        winners = [rules.dealer_side] if won == int(places.WON_BY_DEALER) else list(range(rules.dealer_side))
        cappotto = winners[0] if len(winners) == 1 else winners
    return {"piles": list(map(cards.texts, score.piles)), "points": list(score.points), "cappotto": cappotto}


def bonus_of_table(points: int, matta: int) -> HandRecord:
    """What the dealer got for the table, with what the matta was declared as, 0 if it was not on it."""
    return {"points": points, "matta_as": matta or None, "captured": True}


def _stages(rules: Rules, work: Any, deck: list[str], since: int | None) -> list[HandRecord]:
    """The stages of a hand, or what has been played of them after so many plays."""
    stages, first, slot, played = [], rules.table_cards, 0, 0
    history, knocks = work.history.tolist(), work.knocks.tolist()
    for size in rules.deal_plan:
        hands = []
        for _ in range(rules.players):
            hands.append(sorted(deck[first : first + size], key=cards.PACK.index))
            first += size
        words = history[played : played + size * rules.players]
        plays: list[HandRecord] = [
            {"seat": place % rules.players, "card": cards.text(card_of(word)), "as": value_in(word), "knock": None,
             "captured": cards.texts(captured(word)), "scopa": is_scopa_play(word)}
            for place, word in enumerate(words)
        ]  # fmt: skip
        for seat in range(rules.players):
            sets = [turn[seat] for turn in knocks[slot : slot + size // 3] if turn[seat]]
            sets = [word for word in sets if since is None or word >> 48]  # one shown before has no points
            for turn, shown in _turns(rules, sets, words[seat :: rules.players]).items():
                plays[turn * rules.players + seat]["knock"] = knock_of(tuple(shown))
        if since is not None:
            plays = plays[max(0, since - played) :]
            held = [[play["card"] for play in plays if play["seat"] == seat] for seat in range(rules.players)]
            hands = [sorted(cards_of, key=cards.PACK.index) for cards_of in held]
        played += len(words)
        stages.append({"hands": hands, "plays": plays})
        slot += size // 3
    return stages


def _turns(rules: Rules, sets: list[int], plays: list[int]) -> dict[int, list[int]]:
    """The sets that a seat showed in a stage, by turn: all at the first, or each when the first of its cards is played.

    Shown cards are played before others, so a set is shown at the turn of its first play.
    """
    shown: dict[int, list[int]] = {}
    for word in sets:
        held = cards_shown((word,))
        first = next(turn for turn, play in enumerate(plays) if play and held >> card_of(play) & 1)
        shown.setdefault(first if rules.bonus_cards_first else 0, []).append(word)
    return shown
