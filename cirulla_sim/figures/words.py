"""What a figure says in words: titles from a file's metadata, names of quantities, numbers as a reader wants them."""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..kept import one_in
from ..rulebook import build, catalogue, plain

Metadata = Mapping[str, Any]

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


# ------------------------------------------------------------------------------------------------ numbers


def percent(p: float) -> str:
    """A proportion in percent with three figures, more where all but a few are, two where few are seen.

    >>> [percent(p) for p in (0, 1.234e-9, 0.00951, 0.0643, 0.105973, 0.5, 0.994673, 0.99998, 1)]
    ['0%', '1.2e-07%', '0.951%', '6.43%', '10.6%', '50%', '99.47%', '99.998%', '100%']
    """
    if p in (0, 1):
        return f"{100 * p:.0f}%"
    if p < 1e-6:
        return f"{100 * p:.1e}%"
    scale = min(p, 10 * (1 - p))
    places = max(0, 2 - math.floor(math.log10(100 * scale)))
    text = f"{100 * p:.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def odds_words(p: float, exact: bool = False) -> str:
    """A probability as odds; one that was counted in a sample is never said to be certain.

    >>> odds_words(0.0643), odds_words(0.9), odds_words(0), odds_words(1), odds_words(1, exact=True)
    ('1 in 15.6', 'all but 1 in 10', 'none seen', 'all seen', 'always')
    """
    if p in (0, 1) and not exact:
        return "all seen" if p else "none seen"
    return f"all but {one_in(round(1 - p, 12))}" if 0.75 <= p < 1 else one_in(p)


def points(mean: float) -> str:
    """A mean of points: two decimals, two figures below a tenth.

    >>> points(4.110563), points(0.0468), points(0)
    ('4.11', '0.047', '0')
    """
    return f"{mean:.2g}" if abs(mean) < 0.095 else f"{mean:.2f}"


# ------------------------------------------------------------------------------------------------ titles


def rules_name(metadata: Metadata) -> str:
    """The preset as words, with the capitals its title has.

    >>> rules_name({"preset": "cirulla-parlett"}), rules_name({"preset": "cirullone-6-3"})
    ('Cirulla Parlett', 'Cirullone 6-3')
    """
    name = _preset(metadata)
    known = catalogue()["preset"].get(name, {}).get("title", "").replace(",", " ").split()
    as_written = {word.lower(): word for word in known if word[0].isupper()}
    words: list[str] = []
    for word in name.split("-"):
        if words and word.isdigit() and words[-1][-1].isdigit():
            words[-1] += f"-{word}"
        else:
            words.append(as_written.get(word, word))
    words[0] = words[0].capitalize()
    return " ".join(words)


def rules_title(metadata: Metadata) -> str:
    """Rules and players as words: ``Cirulla, 4 players``; says so if rules were changed and if four play each alone."""
    rules = metadata.get("rules", {})
    players = metadata.get("players") or rules.get("players")
    alone = players == 4 and not rules.get("partnership", True)
    parts = [rules_name(metadata) + (" with changed rules" if changes(metadata) else "")]
    parts += [f"{players} players" + (" each alone" if alone else "")] if players else []
    return ", ".join(parts)


def player(policy: str) -> str:
    """What a policy is called in a figure: one's own without its module.

    >>> player("search:64"), player("analyses/beginners.py:sees_no_sevens")
    ('search:64', 'sees no sevens')
    """
    module, _, name = policy.rpartition(":")
    return name.replace("_", " ") if module and name.partition("+")[0].isidentifier() else policy


def play_words(metadata: Metadata) -> str:
    """How they play: ``greedy play``, or who plays how."""
    policies = [player(name) for name in metadata.get("policies") or []]
    if not policies:
        return ""
    if len(set(policies)) == 1:
        return f"{policies[0]} play"
    if len(set(policies[:-1])) == 1:
        dealer, rest = (name.lower() for name in _sides(metadata).values())
        return f"{dealer} {policies[-1]}, {rest.replace('each other player', 'the others')} {policies[0]}"
    return f"{', '.join(policies)} play, the dealer's last"


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


def how_much(metadata: Metadata) -> str:
    """How many hands or games, which seed and version, and how the run ended if not as planned."""
    unit = "games" if "games" in metadata else "hands"
    number, seed = metadata.get(unit), metadata.get("seed")
    ends = {"interrupted": " before an interruption", "precision": " to the precision asked for"}
    ended = ends.get(metadata.get("stopped", ""), "")
    parts = [f"{number:,} {unit[:-1] if number == 1 else unit}{ended}"] if number else []
    parts += [f"seed {seed}"] if seed is not None else []
    parts += [f"cirulla-sim {metadata['version']}"] if "version" in metadata else []
    return ", ".join(parts)


def changed_words(metadata: Metadata, most: int = 6) -> str:
    """The changed rules in a sentence; of many, the first few."""
    changed = [f"{name}={value}" for name, value in changes(metadata).items()]
    if not changed:
        return ""
    more = f" and {len(changed) - most} more" if len(changed) > most else ""
    return f" Changed: {', '.join(changed[:most])}{more}."


def side_names(metadata: Metadata) -> dict[str, str]:
    """What the dealer's side and the others are called in this game."""
    policies, names = [player(name) for name in metadata.get("policies") or []], _sides(metadata)
    if len(set(policies)) > 1 and len(set(policies[:-1])) == 1:
        names = {"dealer": f"{names['dealer']} ({policies[-1]})", "others": f"{names['others']} ({policies[0]})"}
    return names


def _sides(metadata: Metadata) -> dict[str, str]:
    rules = metadata.get("rules", {})
    players = metadata.get("players") or rules.get("players") or 4
    if players == 4 and rules.get("partnership", True):
        return {"dealer": "Dealer’s side", "others": "Other side"}
    return {"dealer": "Dealer", "others": "Opponent" if players == 2 else "Each other player"}


def _preset(metadata: Metadata) -> str:
    """The preset that the metadata names, or else its command."""
    if metadata.get("preset"):
        return str(metadata["preset"])
    words = shlex.split(metadata.get("command", ""))
    told = [after for word, after in itertools.pairwise(words) if word == "--rules"]
    return told[0] if told else "cirulla"
