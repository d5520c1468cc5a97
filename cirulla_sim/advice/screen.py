"""Lines that the person sees: the table as the seat knows it, what happened since, the choices, the score."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import cards
from ..core.locale import Language
from ..engine.hand_in_play import Decision
from ..engine.hand_record import Record, left_over, play_text
from ..engine.user_policies import Choice
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..situation.information_set import InformationSet, matta_mask
from ..situation.people import seen_from
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
                lines.append(f"  {play_text(play, who[play['seat']])}")
            number += 1
    return lines


def plays_in(stages: Sequence[Record]) -> int:
    """How many plays some stages of a record have."""
    return sum(len(stage["plays"]) for stage in stages)


def stage(setup: Setup, decision: Decision) -> str:
    """How far the hand is: ``stage 2 of 6, 24 cards left``."""
    now = InformationSet(setup.rules, decision.view)
    return f"stage {now.field('stage') + 1} of {len(setup.rules.deal_plan)}, {now.field('stock')} cards left"


def sight_lines(setup: Setup, passed: int, decision: Decision) -> list[str]:
    """The table, what others show, the cards of the player who is to choose."""
    now, who, seat = InformationSet(setup.rules, decision.view), names(setup, passed), decision.seat
    held, shown = now.by_seat("held"), now.by_seat("shown")
    others = [(seat + after) % len(who) for after in range(1, len(who))]
    table, matta, value = now.field("table"), matta_mask(setup.rules), now.field("matta_value")
    declared = value and table & matta and value != cards.VALUES[matta.bit_length() - 1]
    width = max(6, len(who[seat]))
    return [
        *(f"  {who[o]} shows {_texts(shown[o])}, of {held[o]} cards" for o in others if shown[o]),
        f"  {'table':{width}} {_texts(table) or 'empty'}" + (f"   (the matta is {value})" if declared else ""),
        f"  {who[seat]:{width}} {_texts(now.field('holding'))}",
    ]


def pile_lines(setup: Setup, decision: Decision) -> list[str]:
    """What has been captured, by side, with the points of sweeps and bonuses so far."""
    now, rules, lines = InformationSet(setup.rules, decision.view), setup.rules, []
    for side, pile in enumerate(now.by_seat("pile")[: rules.sides]):
        theirs = "theirs" if rules.sides == 2 else seen_from(rules, decision.seat)[side]
        count = f"{pile.bit_count()} cards, {now.by_seat('points')[side]} points"
        lines.append(f"  {'yours' if side == now.side else theirs}: {_texts(pile) or 'nothing'} ({count})")
    return lines


def _texts(mask: int) -> str:
    return " ".join(cards.texts(mask))


def offers(choices: Sequence[Choice]) -> list[str]:
    """What there is to choose, a line each, by number."""
    return [f"  {choice.number:2}  {choice}{_gain(choice)}" for choice in choices]


def _gain(choice: Choice) -> str:
    """What a choice scores at once, behind its text: `` · scopa!``, ``: +3``."""
    if choice.is_scopa:
        return " · scopa!"
    return f": +{choice.points}" if choice.shows else ""


def result(setup: Setup, table: Table, locale: Language) -> list[str]:
    """The end of the last hand: the cards left and who got them, and the score sheet of the hand and the game by side.

    Sides are those of the game, in the order in which they sat in the hand.
    """
    record, called = table.records[-1], sides(setup)
    order = [(side + table.passed) % len(called) for side in range(len(called))]
    rows = [["", *(called[side] for side in order)]]
    for name in record["points"][0]:
        earned = [points[name] for points in record["points"]]
        if name != "total" and any(earned) and not isinstance(earned[0], bool):
            rows.append([name.replace("_", " "), *map(str, earned)])
    rows.append(["hand", *(str(points["total"]) for points in record["points"])])
    rows.append(["game", *(str(table.score[side]) for side in order)])
    left, last = left_over(record), record["last_capture_by"]
    if not left or last is None:
        return _aligned(rows, locale)
    return [f"Left on the table, to {names(setup, table.passed)[last]}: {' '.join(left)}", *_aligned(rows, locale)]


def _aligned(table: list[list[str]], locale: Language) -> list[str]:
    """A table in lines, its first column to the left and the others to the right."""
    table = [[locale.message(cell, "hands") for cell in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for first, *others in table:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells))
    return lines


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


def lost_over_the_game(seats: Sequence[int], judged: Sequence[Record]) -> list[str]:
    """What the person lost a choice in the hands judged, and who loses as much; ``seats`` by hand."""
    mean = rate([(record["coach"], seat) for record, seat in zip(judged, seats, strict=True)])
    if mean is None:
        return []
    half = (mean.high - mean.low) / 2
    return [f"You lost {mean.value:.2f} ±{half:.2f} points a choice, in {mean.n} choices: like {grade(mean)}."]


def whole(setup: Setup, table: Table, choices: Sequence[Choice]) -> list[str]:
    """A game at a prompt: the score, the hand so far in this stage, what lies open, the choices by number."""
    who, decision = names(setup, table.passed), table.decision
    if decision is None:
        return [ending(setup, table)]
    deals = f"{who[-1]} {'deal' if who[-1] == 'you' else 'deals'}"
    lines = [f"Hand {len(table.records) + 1} · {deals} · {score_line(setup, table)} · {stage(setup, decision)}"]
    since = plays_in(decision.record["stages"][:-1])
    lines += map(cards.with_letters, happened(who, decision.record, since, len(setup.rules.deal_plan)))
    return [*lines, *sight_lines(setup, table.passed, decision), *offers(choices)]
