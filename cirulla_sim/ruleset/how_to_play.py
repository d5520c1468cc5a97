"""Rules in sentences: a whole game as one would explain it at a table, and a file of rules for its players to edit."""

from __future__ import annotations

from ..core import cards
from ..core.locale import language
from ..core.messages import Message
from .catalogue import catalogue, check, format_value, says, valid_values
from .categories import KINDS, Category, categories_of
from .presets import assignment, build, means_something
from .rules_model import FIELDS, Rules

ORDER = ("Deal", "Capture", "Matta", "Bonuses", "Score", "Game")
"""The parts of a game in the order in which they are explained."""

OFF = ("false", "0", "none", "")
"""Values by which a rule is not played; nothing is said of it then."""


def field_sentence(rules: Rules, field: str) -> Message:
    """What the rules say of a field in one sentence.

    >>> print(field_sentence(Rules(table_30_total="> 30"), "table_30"))
    The four table cards total more than 30: the dealer captures them, points: 2.
    """
    value = getattr(rules, field)
    ranks = Message(cards.PLURALS[cards.RANKS.index(rules.misdeal_rank)].split()[0])
    if field == "misdeal_rank":
        return Message("What makes a misdeal: {ranks}.", ranks)
    if field == "misdeal_count" and value:
        return Message("{count} or more {ranks} among the cards on the table: misdeal.", value, ranks)
    if field == "matta" and value:
        return Message("The matta, wild in bonuses only, is {value}.", cards.card_symbol(cards.parse(value)))
    return says(field, value, rules)


def how_to_play(rules: Rules) -> dict[str, list[Message]]:
    """The whole game in sentences, by its parts in the order of ``ORDER``."""
    before, after = (catalogue()["always"][place] for place in ("before", "after"))
    parts: dict[str, list[Message]] = {part: list(map(Message, before.get(part, ()))) for part in ORDER}
    for field in FIELDS:
        if _is_played(rules, field):
            parts[catalogue()["field"][field]["part"]].append(field_sentence(rules, field))
    sweep = catalogue()["pays"]["sweep" if rules.sweep_point else "sweep for nothing"]
    parts["Capture"].append(Message(sweep, *filter(None, [rules.sweep_point])))
    parts["Score"] += map(_category, categories_of(rules.scoring))
    for part, sentences in parts.items():
        sentences += map(Message, after.get(part, ()))
    return {part: sentences for part, sentences in parts.items() if sentences}


def _category(category: Category) -> Message:
    symbols = [cards.card_symbol(card) for card in cards.members(category.cards)]
    pays = catalogue()["pays"][next(word for word, kind in KINDS.items() if kind == category.kind)]
    return Message(pays, Message(category.name), " ".join(symbols), category.points)


def _is_played(rules: Rules, field: str) -> bool:
    explained = catalogue()["field"][field].get("explained")
    absent = {"knockout_tiebreak": not rules.open_ended, "primiera_point": rules.primiera == "none",
              "all_diamonds": rules.all_diamonds != "wins" and rules.all_diamonds_points is None}  # fmt: skip
    if explained == "elsewhere" or absent.get(field) or not means_something(rules, field):
        return False
    value = format_value(getattr(rules, field))
    return explained == "always" or value not in OFF or (explained, value) == ("at 0", "0")


def commented_toml(rules: Rules, preset: str, file: str, lang: str = "en") -> str:
    """Rules as a file for ``--rules``, each field with a line that says what it does and what else is possible.

    A field is a comment itself where it says nothing, or follows from the preset and the players.
    """
    say = language(lang).translate
    intro = (
        Message("The rules of {file}: play by them with --rules {file}.", file),
        Message("Change what you play otherwise, then let cirulla-sim rules check {file} explain the game.", file),
        Message("What follows a # is not read; a rule that is left out is that of the preset."),
    )
    lines = [*(f"# {say(line)}" for line in intro), assignment("preset", preset)]
    usual, part = build(preset, rules.players), ""
    for field in FIELDS:
        spec, value = catalogue()["field"][field], getattr(rules, field)
        if spec["part"] != part:
            part = spec["part"]
            lines += ["", f"# ---- {say(Message(part))}"]
        unset = not means_something(rules, field) or (field in FOLLOWS and value == getattr(usual, field))
        others = "; ".join(say(other).rstrip(".") for other in _others(rules, field))
        lines += ["", f"# {say(field_sentence(rules, field))} ({others})", f"{'# ' * unset}{assignment(field, value)}"]
    return "\n".join(lines) + "\n"


FOLLOWS = ("partnership", "deal_plan")
"""Fields that follow from the preset and the number of players."""


def _others(rules: Rules, field: str) -> list[str]:
    """What else a field may be: its words with their sentences, and the range of its numbers."""
    spec, value = catalogue()["field"][field], getattr(rules, field)
    words = ["true", "false"] if spec.get("kind") == "bool" else [*spec.get("words", [])]
    closed = bool(words) and spec.get("kind") != "kinds" and "range" not in spec
    words += [word for word in ("0", "none") if word in spec["says"] and word not in words]
    choices: list[str] = [
        Message("{value}: {sentence}", assignment("", check(field, word))[3:], says(field, check(field, word), rules))
        for word in words
        if word != format_value(value) and word in spec["says"]
    ]
    return choices if closed else [valid_values(field), *choices]
