"""Lines that the person sees: the table as the seat knows it, what happened since, the choices, the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core import cards
from ..core.locale import Language
from ..engine.choices import Choice
from ..engine.hand_in_play import Decision
from ..engine.hand_record import Record, left_over, play_text
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..situation.information_set import InformationSet
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


def plays_in(record: Record) -> int:
    """How many plays a record has."""
    return sum(len(stage["plays"]) for stage in record["stages"])


@dataclass(frozen=True)
class Neighbour:
    """Another player at the table: what it is called, how many cards it holds, and those of them that it shows."""

    name: str
    held: int
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Pile:
    """What a side has captured, with its points of sweeps and bonuses so far."""

    name: str
    cards: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Sight:
    """What lies open to the player who is to choose; cards are texts, other players in order of play after it.

    ``matta_as`` is the value of the matta on the table where it is not its own.
    """

    stage: int
    stages: int
    stock: int
    table: tuple[str, ...]
    matta_as: int | None
    name: str
    holding: tuple[str, ...]
    others: tuple[Neighbour, ...]
    piles: tuple[Pile, ...]


def sight(setup: Setup, passed: int, decision: Decision) -> Sight:
    """What lies open at a decision."""
    now, rules, who, seat = InformationSet(setup.rules, decision.view), setup.rules, names(setup, passed), decision.seat
    held, shown = now.by_seat("held"), now.by_seat("shown")
    order = [(seat + after) % rules.players for after in range(1, rules.players)]
    others = [Neighbour(who[o], held[o], _texts(shown[o])) for o in order]
    lies = rules.matta is not None and now.field("table") >> cards.parse(rules.matta) & 1
    usual = None if rules.matta is None else cards.VALUES[cards.parse(rules.matta)]
    matta_as = now.field("matta_value") if lies and now.field("matta_value") != usual else None
    piles = []
    for side in range(rules.sides):
        theirs = "theirs" if rules.sides == 2 else seen_from(rules, seat)[side]
        name, pile = "yours" if side == now.side else theirs, now.by_seat("pile")[side]
        piles.append(Pile(name, _texts(pile), now.by_seat("points")[side]))
    return Sight(
        now.field("stage") + 1, len(rules.deal_plan), now.field("stock"), _texts(now.field("table")), matta_as,
        who[seat], _texts(now.field("holding")), tuple(others), tuple(piles),
    )  # fmt: skip


def stage(seen: Sight) -> str:
    """How far the hand is: ``stage 2 of 6, 24 cards left``."""
    return f"stage {seen.stage} of {seen.stages}, {seen.stock} cards left"


def sight_lines(seen: Sight) -> list[str]:
    """The table, what others show, the cards of the player who is to choose."""
    width = max(6, len(seen.name))
    matta = f"   (the matta is {seen.matta_as})" if seen.matta_as else ""
    return [
        *(
            f"  {other.name} shows {' '.join(other.shows)}, of {other.held} cards"
            for other in seen.others
            if other.shows
        ),
        f"  {'table':{width}} {' '.join(seen.table) or 'empty'}{matta}",
        f"  {seen.name:{width}} {' '.join(seen.holding)}",
    ]


def _texts(mask: int) -> tuple[str, ...]:
    return tuple(cards.texts(mask))


def offers(choices: Sequence[Choice]) -> list[str]:
    """What there is to choose, a line each, by number."""
    return [f"  {choice.number:2}  {choice}{_gain(choice)}" for choice in choices]


def _gain(choice: Choice) -> str:
    """What a choice scores at once, behind its text: `` · scopa!``, ``: +3``."""
    if choice.is_scopa:
        return " · scopa!"
    return f": +{choice.points}" if choice.shows else ""


def pile_lines(seen: Sight) -> list[str]:
    """What has been captured, by side, with the points of sweeps and bonuses so far."""
    return [
        f"  {pile.name}: {' '.join(pile.cards) or 'nothing'} ({len(pile.cards)} cards, {pile.points} points)"
        for pile in seen.piles
    ]


def _leavings(setup: Setup, table: Table) -> list[str]:
    """Who got the cards left on the table at the end of the last hand, if there were any."""
    left, last = left_over(table.records[-1]), table.records[-1]["last_capture_by"]
    if not left or last is None:
        return []
    return [f"Left on the table, to {names(setup, table.passed)[last]}: {' '.join(left)}"]


def _sheet(setup: Setup, table: Table) -> list[tuple[str, dict[int, int]]]:
    """The score sheet of the last hand: the points of each category, of the hand and of the game so far, by side.

    Sides are those of the game, in the order in which they sat in the hand.
    """
    record, number = table.records[-1], setup.rules.sides
    order = [(side + table.passed) % number for side in range(number)]
    rows = []
    for name in record["points"][0]:
        earned = [points[name] for points in record["points"]]
        if name != "total" and any(earned) and not isinstance(earned[0], bool):
            rows.append((name.replace("_", " "), dict(zip(order, earned, strict=True))))
    rows.append(("hand", dict(zip(order, (points["total"] for points in record["points"]), strict=True))))
    rows.append(("game", {side: table.score[side] for side in order}))
    return rows


def result(setup: Setup, table: Table, locale: Language) -> list[str]:
    """The end of the last hand: the cards left, and the score sheet."""
    rows, called = _sheet(setup, table), sides(setup)
    head = ["", *(called[side] for side in rows[-1][1])]
    lines = [head, *([name, *map(str, points.values())] for name, points in rows)]
    return _leavings(setup, table) + _aligned(lines, locale)


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
    seen = sight(setup, table.passed, decision)
    deals = f"{who[-1]} {'deal' if who[-1] == 'you' else 'deals'}"
    lines = [f"Hand {len(table.records) + 1} · {deals} · {score_line(setup, table)} · {stage(seen)}"]
    since = plays_in(decision.record) - len(decision.record["stages"][-1]["plays"])
    lines += map(cards.with_letters, happened(who, decision.record, since, len(setup.rules.deal_plan)))
    return [*lines, *sight_lines(seen), *offers(choices)]
