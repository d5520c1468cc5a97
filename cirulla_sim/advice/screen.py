"""Lines that the person sees: the table as the seat knows it, what happened since, the choices, the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import cards
from ..core.locale import Language
from ..engine.hand_in_play import Decision
from ..engine.hand_record import Record, aligned, balance_lines, left_over, play_text
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..situation.information_set import InformationSet
from ..situation.people import seen_from
from ..stats.estimates import Estimate
from .choices import Choice
from .coach import grade, rate
from .game_setup import Setup, Table


def title(setup: Setup) -> str:
    """The game in a line: rules, players, who plays against whom."""
    rules = setup.rules
    end = f"{rules.hands_per_game} hands" if rules.hands_per_game else f"to {rules.target}"
    return f"{setup.rule_set.preset}, {rules.players} players, {end}, seed {setup.seed}"


def names(setup: Setup, passed: int) -> tuple[str, ...]:
    """What the seats of a hand are called, by seat: ``you``, ``your partner (careful)``, ``next (search)``."""
    rules, mine = setup.rules, setup.sits(passed)
    called = []
    for seat, name in enumerate(setup.people(passed)):
        who = "you" if seat == mine else "your partner" if name == "partner" else name
        policy = setup.policies[(rules.side(seat) + passed) % rules.sides]
        called.append(who if seat in setup.calls(passed) else f"{who} ({policy})")
    return tuple(called)


def sides(setup: Setup) -> tuple[str, ...]:
    """What the sides of the game are called: ``you`` or ``you both``, the others by their policies."""
    rules = setup.rules
    called = []
    for side, policy in enumerate(setup.policies):
        name = "them" if rules.sides == 2 else setup.side_names[side]
        others = name if policy is None else policy if rules.sides == 2 else f"{policy} ({name})"
        called.append(others if side != setup.side else "you both" if rules.players > rules.sides else "you")
    return tuple(called)


def score_line(setup: Setup, table: Table) -> str:
    """The score of the game: ``you 12, search 9``."""
    return ", ".join(f"{who} {points}" for who, points in zip(sides(setup), table.score, strict=True))


def opening(setup: Setup, table: Table, record: Record) -> list[str]:
    """How a hand begins: who deals, misdeals, the table and what it brings."""
    who = names(setup, table.passed)
    lines = [
        f"Hand {record['hand'] + 1} · {who[-1]} {'deal' if who[-1] == 'you' else 'deals'} · {score_line(setup, table)}"
    ]
    lines += [f"Misdeal, dealt again: {' '.join(misdealt)}" for misdealt in record["misdeals"]]
    bonus = record["table_bonus"]
    if bonus:
        lines.append(f"The table, {' '.join(record['table'])}, is the dealer's: +{bonus['points']}")
    elif record["table"]:
        lines.append(f"Table: {' '.join(record['table'])}")
    return lines


def happened(who: tuple[str, ...], record: Record, since: int, stage: int) -> list[str]:
    """The plays of a record from number ``since`` on, and the beginnings of the stages after ``stage``, from 1."""
    lines, number = [], 0
    for place, dealt in enumerate(record["stages"], 1):
        if place > max(stage, 1):
            lines.append(f"Stage {place}")
        for play in dealt["plays"]:
            if number >= since:
                lines.append("  " + cards.with_letters(play_text(play, who[play["seat"]])))
            number += 1
    return lines


def plays_in(record: Record) -> int:
    """How many plays a record has."""
    return sum(len(stage["plays"]) for stage in record["stages"])


def stage(setup: Setup, decision: Decision) -> str:
    """How far the hand is: ``stage 2 of 6, 24 cards left``."""
    now = InformationSet(setup.rules, decision.view)
    return f"stage {now.field('stage') + 1} of {len(setup.rules.deal_plan)}, {now.field('stock')} cards left"


def sight(setup: Setup, who: tuple[str, ...], decision: Decision) -> list[str]:
    """What lies open: the table, what others show, the cards of the player who is to choose."""
    now = InformationSet(setup.rules, decision.view)
    lines = []
    for seat, (held, shown) in enumerate(zip(now.by_seat("held"), now.by_seat("shown"), strict=True)):
        if seat != decision.seat and seat < setup.rules.players and shown:
            lines.append(f"  {who[seat]} shows {_cards(shown)}, of {held} cards")
    width = max(6, len(who[decision.seat]))
    lines.append(f"  {'table':{width}} {_cards(now.field('table')) or 'empty'}{_matta(setup, now)}")
    lines.append(f"  {who[decision.seat]:{width}} {_cards(now.field('holding'))}")
    return lines


def _cards(mask: int) -> str:
    return " ".join(cards.texts(mask))


def _matta(setup: Setup, now: InformationSet) -> str:
    matta = setup.rules.matta
    if matta is None or not now.field("table") >> cards.parse(matta) & 1:
        return ""
    value = now.field("matta_value")
    return "" if value == cards.VALUES[cards.parse(matta)] else f"   (the matta is {value})"


def offers(choices: Sequence[Choice]) -> list[str]:
    """What there is to choose, a line each, by number."""
    return [f"  {choice.number:2}  {choice}{_gain(choice)}" for choice in choices]


def _gain(choice: Choice) -> str:
    if choice.is_scopa:
        return " · scopa!"
    return f": +{choice.points}" if choice.shows else ""


def piles(setup: Setup, decision: Decision) -> list[str]:
    """What has been captured, by side, with the points of sweeps and bonuses so far."""
    now = InformationSet(setup.rules, decision.view)
    lines, rules, mine = [], setup.rules, now.field("seat")
    for side in range(rules.sides):
        pile, points = now.by_seat("pile")[side], now.by_seat("points")[side]
        theirs = "theirs" if rules.sides == 2 else seen_from(rules, mine)[side]
        who = "yours" if side == now.side else theirs
        lines.append(f"  {who}: {_cards(pile) or 'nothing'} ({pile.bit_count()} cards, {points} points)")
    return lines


def result(setup: Setup, table: Table, locale: Language) -> list[str]:
    """The score sheet of the last hand: points by category and side, and the game's."""
    record = table.records[-1]
    lines, left, last = [], left_over(record), record["last_capture_by"]
    if left and last is not None:
        lines.append(f"Left on the table, to {names(setup, table.passed)[last]}: {' '.join(left)}")
    in_order = [(side + table.passed) % setup.rules.sides for side in range(setup.rules.sides)]
    called = sides(setup)
    sheet: list[list[Any]] = [["", *(called[side] for side in in_order)]]
    for name in record["points"][0]:
        earned = [points[name] for points in record["points"]]
        if name != "total" and any(earned) and not isinstance(earned[0], bool):
            sheet.append([name.replace("_", " "), *earned])
    sheet.append(["hand", *(points["total"] for points in record["points"])])
    sheet.append(["game", *(table.score[side] for side in in_order)])
    return lines + aligned([[str(cell) for cell in row] for row in sheet], locale)


def ending(setup: Setup, table: Table) -> str:
    """How the game ended, for the person."""
    over = table.over
    assert over is not None
    if not over.winners:
        return "The game is a draw."
    called = sides(setup)
    won = " and ".join(called[side] for side in over.winners)
    verb = "win" if won.startswith("you") or len(over.winners) > 1 else "wins"
    return f"{won[0].upper()}{won[1:]} {verb} the game, {over.reason}: {score_line(setup, table)}."


def plain_rules(setup: Setup) -> list[str]:
    """The fields in which the rules differ from their preset."""
    changed = setup.rules.differences(build(setup.rule_set.preset, players=setup.rules.players))
    return [f"  {name} {plain(value)}" for name, value in changed.items()]


def game_page(setup: Setup, seats: list[int], judged: list[Record], locale: Language) -> list[str]:
    """What the person's margin over the hands judged is made of, and what was lost a choice; ``seats`` by hand."""
    mine = [
        next((side for side in record["coach"]["balance"] if side["side"] == setup.rules.side(seat)), None)
        for record, seat in zip(judged, seats, strict=True)
    ]
    rows = [
        (f"hand {record['hand'] + 1}", balance)
        for record, balance in zip(judged, mine, strict=True)
        if balance is not None
    ]
    mean = rate([(record["coach"], seat) for record, seat in zip(judged, seats, strict=True)])
    return [
        "What your margin over the game is made of, in points",
        *balance_lines(rows, sum(balance["margin"] for _, balance in rows), locale),
        *([] if mean is None else [_lost(mean)]),
    ]


def _lost(mean: Estimate) -> str:
    """What the person lost a choice, and who loses as much."""
    half = (mean.high - mean.low) / 2
    return f"You lost {mean.value:.2f} ±{half:.2f} points a choice, in {mean.n} choices: like {grade(mean)}."


def whole(setup: Setup, table: Table, choices: Sequence[Choice]) -> list[str]:
    """A game at a prompt: the score, the hand so far in this stage, what lies open, the choices by number."""
    who, decision = names(setup, table.passed), table.decision
    if decision is None:
        return [ending(setup, table)]
    deals = f"{who[-1]} {'deal' if who[-1] == 'you' else 'deals'}"
    lines = [f"Hand {len(table.records) + 1} · {deals} · {score_line(setup, table)} · {stage(setup, decision)}"]
    lines += happened(who, decision.record, plays_in(decision.record) - _in_stage(decision), len(setup.rules.deal_plan))
    return [*lines, *sight(setup, who, decision), *offers(choices)]


def _in_stage(decision: Decision) -> int:
    """How many plays have been made in the stage."""
    return len(decision.record["stages"][-1]["plays"])
