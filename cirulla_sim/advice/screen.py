"""Lines that the person sees: the table as the seat knows it, what happened since, the choices, the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core import cards
from ..core.locale import Language
from ..core.messages import Message, conjunction
from ..engine.hand_in_play import Decision
from ..engine.hand_record import HandRecord
from ..engine.user_policies import Choice
from ..reporting.text.formats import pad_columns
from ..reporting.text.plays import ENGLISH, card_symbol, cards_left, grade_text, sweep_text
from ..ruleset.catalogue import format_value
from ..ruleset.presets import build
from ..situation.hand import matta_mask
from ..situation.people import seen_from
from ..situation.plays import words_of
from .coach import grade, rate
from .game_setup import GameState, Setup


def game_title(setup: Setup) -> Message:
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
        called.append(who if seat in setup.calls(passed) else Message("{who} ({policy})", who, Message(str(policy))))
    return tuple(called)


def sides(setup: Setup) -> tuple[Message, ...]:
    """What the sides of the game are called: ``you`` or ``you both``, the others by their policies."""
    rules = setup.rules
    called = []
    for side, policy in enumerate(setup.policies):
        if side == setup.side:
            called.append(Message("you both") if rules.players > rules.sides else Message("you"))
        elif rules.sides == 2:
            called.append(Message("them") if policy is None else Message(policy))
        else:
            name = Message(setup.side_names[side])
            called.append(name if policy is None else Message("{policy} ({name})", Message(policy), name))
    return tuple(called)


def score_line(setup: Setup, table: GameState) -> Message:
    """The score of the game: ``you 12, search 9``."""
    each = (Message("{who} {points}", *side) for side in zip(sides(setup), table.score, strict=True))
    return Message("{sides}", each)


def so_far(setup: Setup, table: GameState) -> list[Message]:
    """The hand in play, or the last one: who deals, misdeals, the table and what it brings, the plays."""
    who, record = names(setup, table.passed), table.records[-1] if table.decision is None else table.decision.record
    lines = [Message("{hand} · {score}", _hand(record["hand"] + 1, who[-1]), score_line(setup, table))]
    lines += [Message("Misdeal, dealt again: {cards}", " ".join(misdealt)) for misdealt in record["misdeals"]]
    bonus = record["table_bonus"]
    if bonus:
        lines.append(
            Message("The table, {cards}, is the dealer's: +{points}", " ".join(record["table"]), bonus["points"])
        )
    elif record["table"]:
        lines.append(Message("Table: {cards}", " ".join(record["table"])))
    return [*lines, *happened(who, record)]


def _hand(number: int, dealer: Message) -> Message:
    """The number of a hand and who deals."""
    if dealer == "you":
        return Message("Hand {hand} · you deal", number)
    return Message("Hand {hand} · {who} deals", number, dealer)


def happened(who: Sequence[Message], record: HandRecord) -> Iterator[Message]:
    """The plays of a record, and the beginnings of its stages after the first."""
    for place, dealt in enumerate(record["stages"], 1):
        if place > 1:
            yield Message("Stage {stage}", place)
        for play in dealt["plays"]:
            yield Message("  {play}", words_of(play, who[play["seat"]], sweep_text(record), card_symbol))


def stage(setup: Setup, decision: Decision) -> Message:
    """How far the hand is: ``stage 2 of 6, 24 cards left``."""
    now, plan = decision.hand, setup.rules.deal_plan
    return Message("stage {stage} of {stages}, {cards} cards left", now.stage + 1, len(plan), now.stock)


def sight_lines(setup: Setup, passed: int, decision: Decision, locale: Language = ENGLISH) -> list[str]:
    """The table, what others show, the cards of the player who is to choose."""
    now, who = decision.hand.seen_by(decision.seat), names(setup, passed)
    seat, held, shown = now.seat, now.held, now.known
    others = [(seat + after) % len(who) for after in range(1, len(who))]
    table, matta, value = now.table, matta_mask(setup.rules), now.matta_value
    declared = value and table & matta and value != cards.VALUES[matta.bit_length() - 1]
    label, name = locale.translate("table"), locale.translate(who[seat])
    width = max(6, len(name))
    matta_as = Message("   (the matta is {value})", value) if declared else ""
    lies = Message("{cards}{matta}", _texts(table) or Message("empty"), matta_as)
    return [
        *(
            Message("  {who} shows {cards}, of {held} cards", who[o], _texts(shown[o]), held[o])
            for o in others
            if shown[o]
        ),
        f"  {label:{width}} {locale.translate(lies)}",
        f"  {name:{width}} {_texts(now.holding)}",
    ]


def pile_lines(setup: Setup, decision: Decision) -> list[Message]:
    """What has been captured, by side, with the points of sweeps and bonuses so far."""
    now, rules, lines = decision.hand.seen_by(decision.seat), setup.rules, []
    for side, pile in enumerate(now.piles):
        theirs = "theirs" if rules.sides == 2 else seen_from(rules, now.seat)[side]
        who, taken = Message("yours" if side == now.side else theirs), _texts(pile) or Message("nothing")
        count = pile.bit_count(), now.points[side]
        lines.append(Message("  {who}: {cards} ({number} cards, {points} points)", who, taken, *count))
    return lines


def _texts(mask: int) -> str:
    return " ".join(cards.texts(mask))


def offers(choices: Sequence[Choice]) -> list[Message]:
    """What there is to choose, a line each, by number."""
    gains = (" · scopa!" if one.is_scopa else f": +{one.points}" if one.shows else "" for one in choices)
    return [
        Message("  {number:2}  {choice}{gain}", choice.number, choice.text, gain)
        for choice, gain in zip(choices, gains, strict=True)
    ]


def result(setup: Setup, table: GameState, locale: Language) -> list[str]:
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
    left, last = cards_left(record), record["last_capture_by"]
    if not left or last is None:
        return _aligned(rows, locale)
    who = names(setup, table.passed)[last]
    return [Message("Left on the table, to {who}: {cards}", who, " ".join(left)), *_aligned(rows, locale)]


def _aligned(table: list[list[str]], locale: Language) -> list[str]:
    """A table in lines, its first column to the left and the others to the right."""
    columns = list(zip(*(map(locale.translate, row) for row in table), strict=True))
    return ["  " + "  ".join(cells) for cells in pad_columns(columns, [False, *[True] * (len(columns) - 1)])]


def ending(setup: Setup, table: GameState) -> Message:
    """How the game ended, for the person."""
    over = table.over
    assert over is not None
    if not over.winners:
        return Message("The game is a draw.")
    how, score = Message(over.reason), score_line(setup, table)
    first, *others = (sides(setup)[side] for side in over.winners)
    if others:
        winners = conjunction((first, *others))
        return Message("{sides!c} win the game, {reason}: {score}.", winners, how, score)
    if first == "you":
        return Message("You win the game, {reason}: {score}.", how, score)
    if first == "you both":
        return Message("You both win the game, {reason}: {score}.", how, score)
    return Message("{side!c} wins the game, {reason}: {score}.", first, how, score)


def plain_rules(setup: Setup) -> list[str]:
    """The fields in which the rules differ from their preset."""
    changed = setup.rules.differences(build(setup.rule_set.preset, players=setup.rules.players))
    return [f"  {name} {format_value(value)}" for name, value in changed.items()]


def lost_over_the_game(seats: Sequence[int], judged: Sequence[HandRecord]) -> list[Message]:
    """What the person lost a choice in the hands judged, and who loses as much; ``seats`` by hand."""
    mean = rate([(record["coach"], seat) for record, seat in zip(judged, seats, strict=True)])
    if mean is None:
        return []
    half = (mean.high - mean.low) / 2
    return [
        Message(
            "You lost {mean:.2f} ± {half:.2f} points a choice, in {choices} choices: like {policy}.",
            mean.value, half, mean.n, grade_text(grade(mean)),
        )
    ]  # fmt: skip


def game_lines(setup: Setup, table: GameState, choices: Sequence[Choice]) -> list[str]:
    """A game at a prompt: the score, the hand so far in this stage, what lies open, the choices by number."""
    who, decision = names(setup, table.passed), table.decision
    if decision is None:
        return [ending(setup, table)]
    hand, stages = _hand(len(table.records) + 1, who[-1]), decision.record["stages"]
    lines: list[str] = [f"{hand} · {score_line(setup, table)} · {stage(setup, decision)}"]
    lines += map(cards.with_letters, happened(who, decision.record | {"stages": stages[-1:]}))
    return [*lines, *sight_lines(setup, table.passed, decision), *offers(choices)]
