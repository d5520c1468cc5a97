"""What readers are told of a result: titles from its metadata, and names of quantities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ruleset.catalogue import catalogue, plain
from ...ruleset.presets import build
from ...ruleset.rule_set import RuleSet
from ...situation.line_up import ALL, LineUp
from ...storage.request import rules_from_json
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


def preset_title(preset: str) -> str:
    """A preset as words, with the capitals its title has.

    >>> preset_title("cirulla-parlett"), preset_title("cirullone-6-3")
    ('Cirulla Parlett', 'Cirullone 6-3')
    """
    title = catalogue()["preset"].get(preset, {}).get("title", "").replace(",", " ").replace(":", " ").split()
    as_written = {word.lower(): word for word in title if word[0].isupper()}
    words: list[str] = []
    for word in preset.split("-"):
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
    return preset_title(rules) if rules in catalogue()["preset"] else rules.replace("-", " ").capitalize()


def rules_of(metadata: Metadata) -> RuleSet | None:
    """The rules that a result is of, None for a file of no rules or of several."""
    request = metadata.get("request")
    return None if request is None else rules_from_json(request["rules"])


def rules_name(metadata: Metadata) -> str:
    """The preset of a result as words; a study's file names it without a request."""
    rules = rules_of(metadata)
    return preset_title(str(metadata.get("preset") or "cirulla") if rules is None else rules.preset)


def rules_title(metadata: Metadata, locale: Speaker = ENGLISH) -> str:
    """Rules and players as words: ``Cirulla, 4 players``; says so if rules were changed and if four play each alone."""
    rules = rules_of(metadata)
    if rules is None:
        return ""
    name, players = locale.say(preset_title(rules.preset)), rules.fields.players
    alone = players == 4 and not rules.fields.partnership
    changed = locale.say("{rules} with changed rules", rules=name) if changes(metadata) else name
    return f"{changed}, {locale.say('{n} players each alone' if alone else '{n} players', n=players)}"


def player(policy: str, locale: Speaker = ENGLISH) -> str:
    """What a policy is called in a figure: one's own without its file.

    >>> player("search:64"), player("analyses/beginners.py:sees_no_sevens"), player("my/players.py:best+silent")
    ('search:64', 'sees no sevens', 'best+silent')
    >>> player("search:16:careful"), player("search:16:search:4", language("it"))
    ('search:16:careful', 'ricerca:16:ricerca:4')
    """
    module, _, name = policy.rpartition(":")
    if module and name.partition("+")[0].isidentifier() and not module.startswith("search:"):
        return locale.say(name.replace("_", " "))
    known, plus, habits = policy.partition("+")
    said = ":".join(map(locale.say, known.split(":")))
    return said + plus + plus.join(locale.say(habit) for habit in habits.split("+")) if habits else said


def line_up(text: str, locale: Speaker = ENGLISH) -> str:
    """What a line-up is called: a policy, or each side's name and policy.

    >>> line_up("greedy"), line_up("dealer=careful, others=my players.py:best")
    ('greedy', 'dealer careful, others best')
    >>> line_up("us=search:8, them=careful", language("it"))
    'noi ricerca:8, loro attento'
    """
    sides = LineUp.parse(text).policies
    return ", ".join(
        player(policy, locale) if place == ALL else f"{locale.say(place)} {player(policy, locale)}"
        for place, policy in sides
    )


def together(policies: str, locale: Speaker) -> str:
    """Who plays, as words: a policy, two against each other, one of several, and what they are called together."""
    said = locale.say(policies)
    group, colon, each = policies.partition(": ")
    if colon:
        return said if said != policies else f"{locale.say(group)}: {together(each, locale)}"
    several = policies.removesuffix(", each side").split(" or ")
    if len(several) > 1:
        *names, last = (player(name, locale) for policy in several for name in policy.split(", "))
        return locale.say("{policies} or {last}", policies=", ".join(names), last=last)
    one, against, other = policies.partition(" against ")
    if against:
        return locale.say("{one} against {other}", one=player(one, locale), other=player(other, locale))
    return f" {locale.say('and')} ".join(player(name, locale) for name in policies.split(" and "))


def line_ups_of(metadata: Metadata) -> list[LineUp]:
    """The line-ups that a result is of."""
    return [LineUp.from_json(value) for value in metadata.get("request", {}).get("line_ups", ())]


def play_words(metadata: Metadata, locale: Speaker = ENGLISH) -> str:
    """How they play: ``greedy play``, or who plays how; nothing where nobody plays, or several line-ups do."""
    line_ups = line_ups_of(metadata)
    if len(line_ups) != 1:
        return ""
    [only] = line_ups
    if len(only.policies) == 1:
        return locale.say("{policy} play", policy=player(only.names[0], locale))
    return ", ".join(f"{lower(_place(place, metadata, locale))} {player(p, locale)}" for place, p in only.policies)


def _place(place: str, metadata: Metadata, locale: Speaker) -> str:
    """What a side or seat is called in this game."""
    return locale.say(_sides(metadata).get(place, place))


def changes(metadata: Metadata) -> dict[str, str]:
    """The fields of the rules that are not the preset's, by the rules in the file."""
    rules = rules_of(metadata)
    if rules is None:
        return {}
    changed = rules.fields.differences(build(rules.preset, players=rules.fields.players))
    return {name: plain(value) for name, value in changed.items()}


def how_much(metadata: Metadata, locale: Speaker = ENGLISH) -> str:
    """How many hands or games, which seed and version, and how the run ended if not as planned."""
    unit = "games" if "games" in metadata else "hands"
    number, seed = metadata.get(unit), metadata.get("seed")
    ends = {"interrupted": " before an interruption", "precision": " to the precision asked for"}
    ended = ends.get(metadata.get("stopped", ""), "")
    parts = []
    if isinstance(number, int) and number:
        counted = locale.numerals(f"{number:,}")
        parts += [
            locale.say(f"{{n}} {unit[:-1] if number == 1 else unit}", n=counted) + (locale.say(ended) if ended else "")
        ]
    parts += [locale.say("seed {seed}", seed=seed)] if seed is not None else []
    parts += [f"cirulla-sim {metadata['version']}"] if "version" in metadata else []
    return ", ".join(parts)


def changed_words(metadata: Metadata, locale: Speaker = ENGLISH, most: int = 6) -> str:
    """The changed rules in a sentence; of many, the first few."""
    changed = changes_said(metadata, locale)
    if not changed:
        return ""
    shown = ", ".join(changed[:most])
    if len(changed) > most:
        return " " + locale.say("Changed: {rules} and {n} more.", rules=shown, n=len(changed) - most)
    return " " + locale.say("Changed: {rules}.", rules=shown)


def changes_said(metadata: Metadata, locale: Speaker = ENGLISH) -> list[str]:
    """The changed rules, each as words."""
    return [_changed(name, value, locale) for name, value in changes(metadata).items()]


def _changed(name: str, value: str, locale: Speaker) -> str:
    """A field and its value, in a language's own words for both together where it has them."""
    both = f"{name}={value}"
    said = locale.say(both)
    return f"{locale.say(name)} = {locale.say(value)}" if said == both else said


def side_names(metadata: Metadata, locale: Speaker = ENGLISH, policies: bool = True) -> dict[str, str]:
    """What the sides are called in this game, with the ``policies`` that play them where these differ."""
    names = {side: locale.say(name) for side, name in _sides(metadata).items()}
    line_ups = line_ups_of(metadata)
    if policies and len(line_ups) == 1 and len(line_ups[0].policies) > 1:
        names |= {p: f"{names[p]} ({player(policy, locale)})" for p, policy in line_ups[0].policies if p in names}
    return names


def players_of(metadata: Metadata) -> int:
    """The number of players, 4 where the file does not say."""
    return int(metadata.get("players") or 4)


def _sides(metadata: Metadata) -> dict[str, str]:
    rules = rules_of(metadata)
    ours = {"us": "We", "them": "They"}
    if players_of(metadata) == 4 and (rules is None or rules.fields.partnership):
        return ours | {"dealer": "Dealer’s side", "others": "Other side"}
    return ours | {"dealer": "Dealer", "others": "Opponent" if players_of(metadata) == 2 else "Each other player"}


def lower(text: str) -> str:
    """A text as it stands within a sentence."""
    return text[:1].lower() + text[1:]
