"""Lines that the person sees: the table as the seat knows it, what happened since, the choices, the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce

from ..core import cards
from ..core.locale import Language
from ..core.messages import Message
from ..engine.choices import Choice
from ..engine.hand_in_play import Decision
from ..engine.hand_record import ENGLISH, Record, grade_text, left_over, play_text
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..situation.information_set import InformationSet
from ..situation.people import seen_from
from .coach import grade, rate
from .game_setup import Setup, Table


def title(setup: Setup) -> Message:
    """The game in a line: rules, players, who plays against whom."""
    rules = setup.rules
    end = (
        Message("{hands} hands", rules.hands_per_game) if rules.hands_per_game else Message("to {target}", rules.target)
    )
    return Message(
        "{preset}, {players} players, {end}, seed {seed}", setup.rule_set.preset, rules.players, end, setup.seed
    )


def names(setup: Setup, passed: int) -> tuple[Message, ...]:
    """What the seats of a hand are called, by seat: ``you``, ``your partner (careful)``, ``next (search)``."""
    rules, mine = setup.rules, setup.sits(passed)
    called = []
    for seat, name in enumerate(setup.people(passed)):
        who = Message("you" if seat == mine else "your partner" if name == "partner" else name)
        policy = setup.policies[(rules.side(seat) + passed) % rules.sides]
        called.append(who if seat in setup.calls(passed) else Message("{who} ({policy})", who, policy))
    return tuple(called)


def sides(setup: Setup) -> tuple[Message, ...]:
    """What the sides of the game are called: ``you`` or ``you both``, the others by their policies."""
    rules = setup.rules
    called = []
    for side, policy in enumerate(setup.policies):
        if side == setup.side:
            called.append(Message("you both") if rules.players > rules.sides else Message("you"))
        elif rules.sides == 2:
            called.append(Message("them") if policy is None else Message("{policy}", policy))
        else:
            name = Message(setup.side_names[side])
            called.append(name if policy is None else Message("{policy} ({name})", policy, name))
    return tuple(called)


def score_line(setup: Setup, table: Table) -> Message:
    """The score of the game: ``you 12, search 9``."""
    each = (Message("{who} {points}", *side) for side in zip(sides(setup), table.score, strict=True))
    return Message("{sides}", each)


def opening(setup: Setup, table: Table, record: Record) -> list[Message]:
    """How a hand begins: who deals, misdeals, the table and what it brings."""
    who = names(setup, table.passed)
    lines = [Message("{hand} · {score}", _hand(record["hand"] + 1, who[-1]), score_line(setup, table))]
    lines += [Message("Misdeal, dealt again: {cards}", " ".join(misdealt)) for misdealt in record["misdeals"]]
    bonus = record["table_bonus"]
    if bonus:
        lines.append(
            Message("The table, {cards}, is the dealer's: +{points}", " ".join(record["table"]), bonus["points"])
        )
    elif record["table"]:
        lines.append(Message("Table: {cards}", " ".join(record["table"])))
    return lines


def _hand(number: int, dealer: Message) -> Message:
    """The number of a hand and who deals."""
    if dealer == "you":
        return Message("Hand {hand} · you deal", number)
    return Message("Hand {hand} · {who} deals", number, dealer)


def happened(who: Sequence[Message], record: Record, since: int, stage: int) -> list[Message]:
    """The plays of a record from number ``since`` on, and the beginnings of the stages after ``stage``, from 1."""
    lines, number = [], 0
    for place, dealt in enumerate(record["stages"], 1):
        if place > max(stage, 1):
            lines.append(Message("Stage {stage}", place))
        for play in dealt["plays"]:
            if number >= since:
                lines.append(Message("  {play}", play_text(play, who[play["seat"]])))
            number += 1
    return lines


def plays_in(record: Record) -> int:
    """How many plays a record has."""
    return sum(len(stage["plays"]) for stage in record["stages"])


@dataclass(frozen=True)
class Neighbour:
    """Another player at the table: what it is called, how many cards it holds, and those of them that it shows."""

    name: Message
    held: int
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Pile:
    """What a side has captured, with its points of sweeps and bonuses so far."""

    name: Message
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
    name: Message
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
        name = Message("yours" if side == now.side else theirs)
        piles.append(Pile(name, _texts(now.by_seat("pile")[side]), now.by_seat("points")[side]))
    return Sight(
        now.field("stage") + 1, len(rules.deal_plan), now.field("stock"), _texts(now.field("table")), matta_as,
        who[seat], _texts(now.field("holding")), tuple(others), tuple(piles),
    )  # fmt: skip


def stage(seen: Sight) -> Message:
    """How far the hand is: ``stage 2 of 6, 24 cards left``."""
    return Message("stage {stage} of {stages}, {cards} cards left", seen.stage, seen.stages, seen.stock)


def sight_lines(seen: Sight, locale: Language = ENGLISH) -> list[str]:
    """The table, what others show, the cards of the player who is to choose."""
    name, label = locale.translate(seen.name), locale.translate("table")
    width = max(6, len(name))
    table = Message("{cards}", " ".join(seen.table)) if seen.table else Message("empty")
    if seen.matta_as:
        table = Message("{cards}   (the matta is {value})", table, seen.matta_as)
    return [
        *(
            Message("  {who} shows {cards}, of {held} cards", other.name, " ".join(other.shows), other.held)
            for other in seen.others
            if other.shows
        ),
        f"  {label:{width}} {locale.translate(table)}",
        f"  {name:{width}} {' '.join(seen.holding)}",
    ]


def _texts(mask: int) -> tuple[str, ...]:
    return tuple(cards.texts(mask))


def offers(choices: Sequence[Choice]) -> list[Message]:
    """What there is to choose, a line each, by number."""
    return [Message("  {number:2}  {choice}{gain}", choice.number, choice.text, _gain(choice)) for choice in choices]


def _gain(choice: Choice) -> str:
    """What a choice scores at once, behind its text: `` · scopa!``, ``: +3``."""
    if choice.is_scopa:
        return " · scopa!"
    return f": +{choice.points}" if choice.shows else ""


def pile_lines(seen: Sight) -> list[Message]:
    """What has been captured, by side, with the points of sweeps and bonuses so far."""
    return [
        Message(
            "  {who}: {cards} ({number} cards, {points} points)",
            pile.name,
            " ".join(pile.cards) or Message("nothing"),
            len(pile.cards),
            pile.points,
        )
        for pile in seen.piles
    ]


def _leavings(setup: Setup, table: Table) -> list[Message]:
    """Who got the cards left on the table at the end of the last hand, if there were any."""
    left, last = left_over(table.records[-1]), table.records[-1]["last_capture_by"]
    if not left or last is None:
        return []
    return [Message("Left on the table, to {who}: {cards}", names(setup, table.passed)[last], " ".join(left))]


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
    table = [list(map(locale.translate, row)) for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for first, *others in table:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells))
    return lines


def ending(setup: Setup, table: Table) -> Message:
    """How the game ended, for the person."""
    over = table.over
    assert over is not None
    if not over.winners:
        return Message("The game is a draw.")
    how, score = Message(over.reason), score_line(setup, table)
    first, *others = (sides(setup)[side] for side in over.winners)
    if others:
        won = reduce(partial(Message, "{first} and {other}"), others, first)
        return Message("{sides!c} win the game, {reason}: {score}.", won, how, score)
    if first == "you":
        return Message("You win the game, {reason}: {score}.", how, score)
    if first == "you both":
        return Message("You both win the game, {reason}: {score}.", how, score)
    return Message("{side!c} wins the game, {reason}: {score}.", first, how, score)


def plain_rules(setup: Setup) -> list[str]:
    """The fields in which the rules differ from their preset."""
    changed = setup.rules.differences(build(setup.rule_set.preset, players=setup.rules.players))
    return [f"  {name} {plain(value)}" for name, value in changed.items()]


def lost_over_the_game(seats: Sequence[int], judged: Sequence[Record]) -> list[Message]:
    """What the person lost a choice in the hands judged, and who loses as much; ``seats`` by hand."""
    mean = rate([(record["coach"], seat) for record, seat in zip(judged, seats, strict=True)])
    if mean is None:
        return []
    half = (mean.high - mean.low) / 2
    return [
        Message(
            "You lost {mean:.2f} ±{half:.2f} points a choice, in {choices} choices: like {policy}.",
            mean.value, half, mean.n, grade_text(grade(mean)),
        )
    ]  # fmt: skip


def whole(setup: Setup, table: Table, choices: Sequence[Choice]) -> list[str]:
    """A game at a prompt: the score, the hand so far in this stage, what lies open, the choices by number."""
    who, decision = names(setup, table.passed), table.decision
    if decision is None:
        return [ending(setup, table)]
    seen = sight(setup, table.passed, decision)
    hand = _hand(len(table.records) + 1, who[-1])
    lines: list[str] = [f"{hand} · {score_line(setup, table)} · {stage(seen)}"]
    since = plays_in(decision.record) - len(decision.record["stages"][-1]["plays"])
    lines += map(cards.with_letters, happened(who, decision.record, since, len(setup.rules.deal_plan)))
    return [*lines, *sight_lines(seen), *offers(choices)]
