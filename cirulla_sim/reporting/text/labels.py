"""What readers are told of a result: titles from its metadata, and names of quantities."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...ruleset.catalogue import catalogue, plain
from ...ruleset.presets import build
from .locale import Language, Speaker, language

Metadata = Mapping[str, Any]

ENGLISH: Language = language("en")
"""As words are unless another language is asked for."""

NAMES = {
    "misdeal": "Misdeal",
    "table_15": "Table totals 15",
    "table_30": "Table totals 30",
    "table_low": "Table totals 9 or less",
    "table_wins": "Table wins the game",
    "misdeals_in_a_row": "Misdeals lose the game",
    "knock": "Any bonus (knock)",
    "hand_low": "Barsega, 9 or less",
    "hand_low_no_ace": "Boña di misci, no ace",
    "hand_triple": "Barsegon, three equal",
    "points_cards": "Most cards",
    "points_diamonds": "Most diamonds",
    "points_settebello": "Settebello",
    "points_primiera": "Primiera",
    "points_grande": "Grande",
    "points_piccola": "Piccola",
    "points_scope": "Scope",
    "points_table_bonus": "Table bonuses",
    "points_hand_bonus": "Holding bonuses",
}
"""What a reader calls a quantity."""

DEALT = {
    "holding": "Of holdings dealt",
    "hand": "Of hands",
    "table": "Of tables dealt",
    "first-deal": "Of first deals",
    "game": "Of games",
    "piles": "Of piles",
    "position": "Of ways of dealing the cards not seen",
}
"""Out of what a chance is, by what one trial is."""


# ------------------------------------------------------------------------------------------------ titles


def rules_name(metadata: Metadata) -> str:
    """The preset as words, with the capitals its title has.

    >>> rules_name({"preset": "cirulla-parlett"}), rules_name({"preset": "cirullone-6-3"})
    ('Cirulla Parlett', 'Cirullone 6-3')
    """
    name = _preset(metadata)
    known = catalogue()["preset"].get(name, {}).get("title", "").replace(",", " ").replace(":", " ").split()
    as_written = {word.lower(): word for word in known if word[0].isupper()}
    words: list[str] = []
    for word in name.split("-"):
        if words and word.isdigit() and words[-1][-1].isdigit():
            words[-1] += f"-{word}"
        else:
            words.append(as_written.get(word, word))
    words[0] = words[0].capitalize()
    return " ".join(words)


def name_of(rules: str) -> str:
    """A house rule's or preset's name as words.

    >>> name_of("no-triple-bonus"), name_of("cirullone-6-3")
    ('No triple bonus', 'Cirullone 6-3')
    """
    if rules in catalogue()["preset"]:
        return rules_name({"preset": rules})
    return rules.replace("-", " ").capitalize()


def rules_title(metadata: Metadata, into: Speaker = ENGLISH) -> str:
    """Rules and players as words: ``Cirulla, 4 players``; says so if rules were changed and if four play each alone."""
    rules = metadata.get("rules", {})
    players = metadata.get("players") or rules.get("players")
    name = into.say(rules_name(metadata))
    parts = [into.say("{rules} with changed rules", rules=name) if changes(metadata) else name]
    if players:
        alone = players == 4 and not rules.get("partnership", True)
        parts += [into.say("{n} players each alone" if alone else "{n} players", n=players)]
    return ", ".join(parts)


def player(policy: str, into: Speaker = ENGLISH) -> str:
    """What a policy is called in a figure: one's own without its file.

    >>> player("search:64"), player("analyses/beginners.py:sees_no_sevens"), player("my/players.py:best+silent")
    ('search:64', 'sees no sevens', 'best+silent')
    >>> player("search:16:careful"), player("search:16:search:4", language("it"))
    ('search:16:careful', 'ricerca:16:ricerca:4')
    """
    module, _, name = policy.rpartition(":")
    if module and name.partition("+")[0].isidentifier() and not module.startswith("search:"):
        return into.say(name.replace("_", " "))
    known, plus, habits = policy.partition("+")
    said = ":".join(map(into.say, known.split(":")))
    return said + plus + plus.join(into.say(habit) for habit in habits.split("+")) if habits else said


def line_up(policies: str, into: Speaker = ENGLISH) -> str:
    """What a line-up is called: its players, the dealer's last.

    >>> line_up("greedy"), line_up("greedy,careful"), line_up("my players.py:best,greedy")
    ('greedy', 'greedy – careful deals', 'best – greedy deals')
    >>> line_up("players: greedy, careful or search")
    'players: greedy, careful or search'
    """
    names = policies.split(",")
    if len(names) == 2 and ", " not in policies:  # a comma in a sentence has a space behind it
        other, dealer = (player(name, into) for name in names)
        return into.say("{other} – {dealer} deals", other=other, dealer=dealer)
    return ", ".join(player(policy.strip(), into) for policy in policies.split(","))


def together(policies: str, into: Speaker) -> str:
    """Who plays, as words: a policy, two against each other, one of several, and what they are called together."""
    said = into.say(policies)
    group, colon, each = policies.partition(": ")
    if colon:
        return said if said != policies else f"{into.say(group)}: {together(each, into)}"
    several = policies.removesuffix(", each side").split(" or ")
    if len(several) > 1:
        *names, last = (player(name, into) for policy in several for name in policy.split(", "))
        return into.say("{policies} or {last}", policies=", ".join(names), last=last)
    one, against, other = policies.partition(" against ")
    if against:
        return into.say("{one} against {other}", one=player(one, into), other=player(other, into))
    return f" {into.say('and')} ".join(player(name, into) for name in policies.split(" and "))


def play_words(metadata: Metadata, into: Speaker = ENGLISH) -> str:
    """How they play: ``greedy play``, or who plays how."""
    policies = [player(name, into) for name in metadata.get("policies") or []]
    if not policies:
        return ""
    if len(set(policies)) == 1:
        return into.say("{policy} play", policy=policies[0])
    if len(set(policies[:-1])) == 1:
        sentence = {
            "Dealer’s side": "dealer’s side {one}, other side {other}",
            "Dealer": "dealer {one}, the others {other}",
        }[_sides(metadata)["dealer"]]
        if players_of(metadata) == 2:
            sentence = "dealer {one}, opponent {other}"
        return into.say(sentence, one=policies[-1], other=policies[0])
    return into.say("{policies} play, the dealer's last", policies=", ".join(policies))


def changes(metadata: Metadata) -> dict[str, str]:
    """The fields of the rules that are not the preset's, by the rules in the file."""
    rules = metadata.get("rules", {})
    try:
        preset = build(_preset(metadata), players=rules.get("players"))
    except InputError:
        return {}
    known = {name: (value, getattr(preset, name)) for name, value in rules.items() if hasattr(preset, name)}
    return {
        name: plain(tuple(value) if isinstance(value, list) else value)
        for name, (value, usual) in known.items()
        if (tuple(value) if isinstance(value, list) else value) != usual
    }


def how_much(metadata: Metadata, into: Speaker = ENGLISH) -> str:
    """How many hands or games, which seed and version, and how the run ended if not as planned."""
    unit = "games" if "games" in metadata else "hands"
    number, seed = metadata.get(unit), metadata.get("seed")
    ends = {"interrupted": " before an interruption", "precision": " to the precision asked for"}
    ended = ends.get(metadata.get("stopped", ""), "")
    parts = []
    if isinstance(number, int) and number:
        counted = into.numerals(f"{number:,}")
        parts += [
            into.say(f"{{n}} {unit[:-1] if number == 1 else unit}", n=counted) + (into.say(ended) if ended else "")
        ]
    parts += [into.say("seed {seed}", seed=seed)] if seed is not None else []
    parts += [f"cirulla-sim {metadata['version']}"] if "version" in metadata else []
    return ", ".join(parts)


def changed_words(metadata: Metadata, into: Speaker = ENGLISH, most: int = 6) -> str:
    """The changed rules in a sentence; of many, the first few."""
    changed = changes_said(metadata, into)
    if not changed:
        return ""
    shown = ", ".join(changed[:most])
    if len(changed) > most:
        return " " + into.say("Changed: {rules} and {n} more.", rules=shown, n=len(changed) - most)
    return " " + into.say("Changed: {rules}.", rules=shown)


def changes_said(metadata: Metadata, into: Speaker = ENGLISH) -> list[str]:
    """The changed rules, each as words."""
    return [_changed(name, value, into) for name, value in changes(metadata).items()]


def _changed(name: str, value: str, into: Speaker) -> str:
    """A field and its value, in a language's own words for both together where it has them."""
    both = f"{name}={value}"
    said = into.say(both)
    return f"{into.say(name)} = {into.say(value)}" if said == both else said


def side_names(metadata: Metadata, into: Speaker = ENGLISH) -> dict[str, str]:
    """What the dealer's side and the others are called in this game."""
    policies = [player(name, into) for name in metadata.get("policies") or []]
    names = {side: into.say(said) for side, said in _sides(metadata).items()}
    if len(set(policies)) > 1 and len(set(policies[:-1])) == 1:
        names = {"dealer": f"{names['dealer']} ({policies[-1]})", "others": f"{names['others']} ({policies[0]})"}
    return names


def players_of(metadata: Metadata) -> int:
    """The number of players, 4 where it is not told."""
    return int(metadata.get("players") or metadata.get("rules", {}).get("players") or 4)


def _sides(metadata: Metadata) -> dict[str, str]:
    players = players_of(metadata)
    if players == 4 and metadata.get("rules", {}).get("partnership", True):
        return {"dealer": "Dealer’s side", "others": "Other side"}
    return {"dealer": "Dealer", "others": "Opponent" if players == 2 else "Each other player"}


def lower(text: str) -> str:
    """A text as it stands within a sentence."""
    return text[:1].lower() + text[1:]


def _preset(metadata: Metadata) -> str:
    """The preset that the metadata names, or else its command."""
    if metadata.get("preset"):
        return str(metadata["preset"])
    return flag(metadata, "--rules") or "cirulla"


def flag(metadata: Metadata, name: str) -> str | None:
    """What a flag of the command says.

    >>> flag({"command": "cirulla-sim odds 'knocks = 0' --given 'not misdeal'"}, "--given")
    'not misdeal'
    """
    words = shlex.split(metadata.get("command", ""))
    return next((after for word, after in itertools.pairwise(words) if word == name), None)
