"""Hand records: everything that happened in a hand, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..core import cards
from ..ruleset.presets import build
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import scoring_of, sweeps_column
from ..situation.information_set import InformationSet, first_table
from ..situation.plays import knock_of, matta_shown, points_shown
from .chunks import play_hand, prepared
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
    return record_of(play_hand(experiment, index), experiment, index, preset)


def record_of(
    work: Any, experiment: Experiment, index: int, preset: str, begun: InformationSet | None = None
) -> HandRecord:
    """The record of the hand that was just played in the kernel's ``Work``.

    Of a hand that was ``begun`` in the middle it has the table of then, the plays since and the cards they are made of.
    """
    from ..kernel.game import hand as places
    from ..kernel.game.scoring import COLUMN

    rules = experiment.rules
    deck = [cards.PACK[card] for card in work.deck.tolist()]
    table = deck[: rules.table_cards] if begun is None else cards.texts(begun.field("table"))
    since = None if begun is None else begun.number_of_plays
    misdeals = int(work.deal[places.MISDEALT])
    won = int(work.deal[places.WON_AT_DEAL])
    end = _scored(rules, work, won)
    last = int(work.deal[places.LAST_CAPTURE])
    return {
        "rules": dict(rules_of_record(rules, preset)),
        "players": rules.players,
        "dealer": rules.players - 1,
        "seed": experiment.seed,
        "hand": index,
        "misdeals": [cards.texts(int(table)) for table in work.misdealt[:misdeals]],
        "table": [] if won == int(places.WON_BY_OTHERS) else table,
        "table_bonus": _table_bonus(work),
        "stages": [] if won else _stages(rules, work, deck, since),
        "last_capture_by": None if last == int(places.NOBODY) else last,
        "piles": end["piles"],
        "scope": work.score[: rules.sides, COLUMN[sweeps_column(rules)]].tolist(),
        "points": end["points"],
        "cappotto": end["cappotto"],
    }


def _scored(rules: Rules, work: Any, won: int) -> HandRecord:
    """The end of a hand: ``piles``, ``points`` and ``cappotto``."""
    from ..kernel.game.scoring import COLUMN

    columns = {category.key: category.column for category in scoring_of(rules)} | {"total": "total"}
    places = {name: COLUMN[column] for name, column in columns.items()}
    return {
        "piles": [cards.texts(int(work.pile[side])) for side in range(rules.sides)],
        "points": [
            {name: points[place] for name, place in places.items()} for points in work.score[: rules.sides].tolist()
        ],
        "cappotto": _cappotto(rules, work, won),
    }


def score_end(
    rules: Rules, table: int, piles: tuple[int, ...], last: int, earned: Mapping[str, Sequence[int]]
) -> HandRecord:
    """What a record has of the end of a hand after its last play: ``piles``, ``points`` and ``cappotto``.

    ``table`` is the mask of what lies there, ``piles`` those of the sides; ``last`` is the seat that captured last, or
    ``NOBODY``; ``earned`` are the points of each side by category that piles do not show.
    """
    from ..kernel.entries.hands import play
    from ..kernel.game.captures import Table
    from ..kernel.game.hand import LAST_CAPTURE
    from ..kernel.game.plays import Moment
    from ..kernel.game.scoring import COLUMN

    flat, codes, work = prepared(Experiment(rules, ("random",), 1))
    work.score[:], work.deal[:], work.pile[:] = 0, 0, 0
    work.deal[LAST_CAPTURE], work.pile[: rules.sides] = last, piles
    for name, points in earned.items():
        work.score[: rules.sides, COLUMN[name]] = points
    play(flat, codes, work, Table(table, 0, 0, 0), Moment(len(rules.deal_plan), 0, 0, 0, 0), 1)
    return _scored(rules, work, 0)


def treat_table(rules: Rules, table: int) -> tuple[str, HandRecord | None]:
    """What the rules do with a first table, a mask: ``misdeal``, ``won``, or ``played`` with a bonus."""
    kind, bonus = first_table(rules, table)
    return kind, _bonus(points_shown((bonus,)), matta_shown((bonus,))) if bonus else None


def _table_bonus(work: Any) -> HandRecord | None:
    from ..kernel.game import hand as places

    if not work.deal[places.TABLE_KIND]:
        return None
    return _bonus(int(work.deal[places.TABLE_POINTS]), int(work.deal[places.TABLE_VALUE]))


def _bonus(points: int, matta: int) -> HandRecord:
    return {"points": points, "matta_as": matta or None, "captured": True}


def _cappotto(rules: Rules, work: Any, won: int) -> int | list[int] | None:
    from ..kernel.game import hand as places
    from ..kernel.game.scoring import COLUMN

    if won == int(places.WON_BY_DEALER):
        return rules.dealer_side
    if won == int(places.WON_BY_OTHERS):
        others = list(range(rules.dealer_side))
        return others[0] if len(others) == 1 else others
    if rules.all_diamonds != "wins":
        return None
    return next((side for side in range(rules.sides) if work.score[side, COLUMN["cappotto"]]), None)


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
        plays = [_play(word, place % rules.players) for place, word in enumerate(words)]
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


def _play(word: int, seat: int) -> HandRecord:
    return {
        "seat": seat,
        "card": cards.PACK[word >> 40 & 63],
        "as": word >> 46 & 15,
        "knock": None,
        "captured": cards.texts(word & (1 << 40) - 1),
        "scopa": bool(word >> 50 & 1),
    }


def _turns(rules: Rules, sets: list[int], plays: list[int]) -> dict[int, list[int]]:
    """The sets that a seat showed in a stage, by turn: all at the first, or each when the first of its cards is played.

    Shown cards are played before others, so a set is shown at the turn of its first play.
    """
    shown: dict[int, list[int]] = {}
    for word in sets:
        held = word >> 8 & (1 << 40) - 1
        first = next(turn for turn, play in enumerate(plays) if play and held >> (play >> 40 & 63) & 1)
        shown.setdefault(first if rules.bonus_cards_first else 0, []).append(word)
    return shown
