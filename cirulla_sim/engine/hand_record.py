"""Hand records: everything that happened in a hand, as a dictionary, a line of JSON, or text for a reader."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from ..core import cards
from ..core.locale import Language, language
from ..core.messages import Message, alternatives
from ..ruleset.catalogue import plain
from ..ruleset.categories import sweep_point
from ..ruleset.presets import build
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import scoring_of, sweeps_column
from ..situation.information_set import (
    InformationSet,
    capture_text,
    first_table,
    knock_text,
    matta_shown,
    points_shown,
)
from ..situation.people import seat_name, side_name
from .chunks import play_hand, prepared
from .trials import Experiment

HandRecord = dict[str, Any]

RED = ("♥", "♦")
"""Suits that a notebook shows in red."""

_CATEGORY_WORDS = {
    "cards": "cards", "diamonds": "diamonds", "settebello": "settebello", "primiera": "primiera", "grande": "grande",
    "piccola": "piccola", "scope": "sweeps", "table_bonus": "table bonus", "hand_bonus": "knocks",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Hand:
    """A hand played: its ``record`` is all that happened; it shows itself play by play."""

    record: HandRecord

    def text(self, lang: str = "en") -> str:
        """The hand for a reader, in ``en`` or ``it``: the deal, play by play, the score by category."""
        return as_text(self.record, language(lang))

    def json(self) -> str:
        """The record as a line of JSON."""
        return json.dumps(self.record, ensure_ascii=False)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        record = self.record
        score = " to ".join(str(points["total"]) for points in record["points"])
        named = f"{record['rules']['preset']}, {record['players']} players"
        return f"<hand {record['hand']} of seed {record['seed']}: {named}, {score}>"

    def _repr_html_(self) -> str:
        text = escape(self.text())
        for suit in RED:
            text = re.sub(rf"([A-Z0-9]+{suit})", r'<span style="color:#c0392b">\1</span>', text)
        return f"<pre>{text}</pre>"


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
                plays[turn * rules.players + seat]["knock"] = knock_of(shown)
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


def knock_of(shown: list[int]) -> HandRecord:
    """The sets that a seat shows at once, words of ``kernel.game.bonuses.knock_word``, as a record has them."""
    declared = [word & 15 for word in shown]
    return {
        "points": sum(word >> 48 for word in shown),
        "cards": [card for word in shown for card in cards.texts(word >> 8 & (1 << 40) - 1)],
        "matta_as": next((value for value in declared if value), None),
    }


def symbols(texts: list[str]) -> str:
    """Cards with suit symbols, apart by spaces."""
    return " ".join(cards.symbol(cards.PACK.index(text)) for text in texts)


ENGLISH = language("en")


def as_text(record: HandRecord, locale: Language = ENGLISH) -> str:
    """A hand for a reader: the deal, play by play with suit symbols, the score by category."""
    bonus, coach = record["table_bonus"], record.get("coach", {"plays": []})
    lines: list[str] = [*_opening(record)]
    judged = {play["play"]: play for play in coach["plays"]}
    table, number, players = [] if bonus else list(record["table"]), 0, record["players"]
    sweep = sweep_text(record)
    for place, stage in enumerate(record["stages"], 1):
        if not stage["plays"]:
            continue  # before a hand that was begun in the middle
        lines += ["", Message("Stage {stage}", place)]
        lines += [
            Message("  {who} holds {cards}", Message(seat_name(players, seat)), symbols(held))
            for seat, held in enumerate(stage["hands"])
        ]
        for turn, play in enumerate(stage["plays"]):
            if turn % players == 0:
                lines.append(Message("  table {cards}", symbols(table) or Message("empty")))
            number += 1
            verdict = judged.get(number)
            played = play_text(play, Message(seat_name(players, play["seat"])), sweep)
            if verdict and verdict["clear"]:
                played = Message("{played}  [play {number}, -{loss:.2f}]", played, number, verdict["loss"])
            lines.append(Message("    {played}", played))
            captured = play["captured"]
            table = [card for card in table if card not in captured] if captured else [*table, play["card"]]
    lines += ["", *_ending(record)]
    return "\n".join(map(locale.translate, [*lines, "", *coach_lines(record)] if judged else lines))


def _opening(record: HandRecord) -> list[Message]:
    """How a hand begins: the rules, who deals, misdeals, the table and what it brings."""
    players, bonus = record["players"], record["table_bonus"]
    rules = [f"{name} {plain(value)}" for name, value in record["rules"].items() if name != "preset"]
    rules.insert(0, record["rules"]["preset"])
    lines = [Message("Hand {hand} of seed {seed} · {rules}", record["hand"], record["seed"], " · ".join(rules))]
    if players == 4 and len(record["piles"]) == 2:
        lines.append(Message("{players} players, first and third against second and dealer", players))
    else:
        lines.append(Message("{players} players, each alone", players))
    lines += [Message("Misdeal: {cards}", symbols(table)) for table in record["misdeals"]]
    lines += [Message("Table: {cards}", symbols(record["table"]))] if record["table"] else []
    if bonus:
        matta = Message(" with the matta as {value}", bonus["matta_as"]) if bonus["matta_as"] else ""
        lines.append(Message("The dealer captures the table{matta}: +{points}", matta, bonus["points"]))
    return lines


def sweep_text(record: HandRecord) -> str:
    """What a record says behind a play that is a sweep: that it is one, with its points if it has any."""
    points = sweep_point(tuple(record["rules"].get("scoring", ())))
    return f" · scopa! +{points}" if points else " · scopa!"


def play_text(play: HandRecord, who: Message, sweep: str) -> Message:
    """A play of a record for a reader, as ``second 7♦ takes A♥ 6♠``; ``who`` made it, and ``sweep`` is said of one."""
    card = cards.symbol(cards.PACK.index(play["card"]))
    if play["as"] != cards.VALUES[cards.PACK.index(play["card"])]:
        card = Message("{card} as {value}", card, play["as"])
    taken, you = symbols(play["captured"]) + (sweep if play["scopa"] else ""), who == "you"
    if (knock := play["knock"]) is None:
        if taken:
            return (
                Message("you {card} takes {taken}", card, taken)
                if you
                else Message("{who} {card} takes {taken}", who, card, taken)
            )
        return Message("you leave {card}", card) if you else Message("{who} leaves {card}", who, card)
    matta = Message(", the matta as {value}", knock["matta_as"]) if knock["matta_as"] else ""
    shown = Message("{cards}{matta}: +{points}", symbols(knock["cards"]), matta, knock["points"])
    if taken:
        if you:
            return Message("you knock with {shown}; {card} takes {taken}", shown, card, taken)
        return Message("{who} knocks with {shown}; {card} takes {taken}", who, shown, card, taken)
    if you:
        return Message("you knock with {shown}; leave {card}", shown, card)
    return Message("{who} knocks with {shown}; leaves {card}", who, shown, card)


def left_over(record: HandRecord) -> list[str]:
    """The cards that nobody captured, in the order of the pack: they go to who captured last, if anybody did."""
    left = set() if record["table_bonus"] or not record["stages"] else set(record["table"])
    for play in (play for stage in record["stages"] for play in stage["plays"]):
        left = left - set(play["captured"]) if play["captured"] else left | {play["card"]}
    return sorted(left, key=cards.PACK.index)


def _ending(record: HandRecord) -> list[Message]:
    lines = []
    left = left_over(record)
    if left and record["last_capture_by"] is not None:
        last = Message(seat_name(record["players"], record["last_capture_by"]))
        lines.append(Message("Left on the table, to {who}, who captured last: {cards}", last, symbols(left)))
    for side, (pile, points) in enumerate(zip(record["piles"], record["points"], strict=True)):
        earned = [
            Message("{name} {points}", Message(_CATEGORY_WORDS.get(name, name)), number)
            for name, number in points.items()
            if number and name != "total"
        ]
        lines.append(
            Message(
                "{who!c}: {points} points ({earned}) from {cards} cards",
                _side_of(record, side), points["total"], earned or Message("nothing"), len(pile),
            )
        )  # fmt: skip
    if record["cappotto"] is not None:
        winners = record["cappotto"] if isinstance(record["cappotto"], list) else [record["cappotto"]]
        sides = alternatives(_side_of(record, side) for side in winners)
        lines.append(Message("The game is won outright by {sides}", sides))
    return lines


def _side_of(record: HandRecord, side: int) -> Message:
    """What a side of a record is called."""
    return Message(side_name(record["players"], len(record["piles"]), side))


def _better(play: HandRecord) -> Message:
    """The better choice as the coach names it: ``knock with 7♥ 3♣ 4♦, the matta as 2: 3♣ takes 5♣``."""
    best = play["best"]
    taking = capture_text(symbols([best["card"]]), symbols(best["captured"]))
    if "knock" not in best:
        return taking
    knock = best["knock"] or {"cards": [], "matta_as": None}
    return Message("{shows}: {play}", knock_text(symbols(knock["cards"]), knock["matta_as"]), taking)


def _with_half(numbers: HandRecord) -> Message:
    half = (numbers["ci_high"] - numbers["ci_low"]) / 2
    if not half:
        return Message("{loss:.2f}", numbers["loss"])
    return Message("{loss:.2f} ±{half:.2f}", numbers["loss"], half)


def grade_text(grade: str) -> Message:
    """A grade, one policy or ``careful to random``, for readers."""
    low, to, high = grade.partition(" to ")
    return Message("{policy} to {other}", low, high) if to else Message("{policy}", low)


def coach_lines(record: HandRecord) -> list[Message]:
    """What the coach says of a hand: points thrown away, the most first, and what each seat lost."""
    coach, players = record["coach"], record["players"]
    lost = sorted((play for play in coach["plays"] if play["clear"]), key=lambda play: -play["loss"])
    lines = [
        Message(
            "Thrown away, in points of the margin at the end of the hand ({samples:_} samples a play)", coach["samples"]
        ),
        *(
            Message(
                "  {loss} by {who} in stage {stage}, play {play}: better {better}",
                _with_half(play), Message(seat_name(players, play["seat"])), play["stage"], play["play"], _better(play),
            )
            for play in lost
        ),
    ]  # fmt: skip
    rest = [play for play in coach["plays"] if not play["clear"]]
    forced = sum(play["choices"] == 1 for play in rest)
    lines.append(
        Message("  nothing for certain in the other {plays} plays, {forced} of them forced", len(rest), forced)
    )
    for seat in coach["seats"]:
        rate = seat["rate"]
        who, graded = Message(seat_name(players, seat["seat"])), ""
        if rate:
            like = grade_text(seat["grade"])
            graded = Message(", {loss} a choice ({choices}), like {policy}", _with_half(rate), seat["choices"], like)
        lines.append(Message("{who!c}: {loss} in {plays} plays{graded}", who, _with_half(seat), seat["plays"], graded))
    return lines
