"""What a result is called: titles, players and sides from its metadata.

What quantities, trials and kinds of numbers are called in a table for readers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language, Translator, language
from ...ruleset.catalogue import catalogue, plain
from ...ruleset.presets import build
from ...ruleset.rule_set import RuleSet
from ...ruleset.rules_model import Rules
from ...situation.line_up import ALL, LineUp
from ...situation.night import Night
from ...storage.request import rules_from_json

Metadata = Mapping[str, Any]

ENGLISH: Language = language("en")

# ------------------------------------------------------------------------------------------------ rules


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


_NAME = re.compile(r"[a-z0-9_+-]+")


def titled(frame: pl.DataFrame, metadata: Metadata) -> pl.DataFrame:
    """A comparison with the titles that files give their house rules in place of the files' names."""
    rivals = metadata.get("request", {}).get("question", {}).get("against", ())
    titles = {str(one["name"]): str(one["title"]) for one in rivals if isinstance(one, Mapping) and "title" in one}
    return frame.with_columns(pl.col("rules").replace(titles)) if titles and "rules" in frame.columns else frame


def name_of(rules: str) -> str:
    """A house rule's or preset's name as words; house rules together are a sum, which is translated part by part.

    >>> name_of("no-triple-bonus"), name_of("cirullone-6-3"), name_of("no-matta+short-game")
    ('No triple bonus', 'Cirullone 6-3', 'No matta + Short game')
    """
    if rules in catalogue()["preset"]:
        return preset_title(rules)
    if not _NAME.fullmatch(rules):  # a title, or single fields
        return rules
    return " + ".join(name.replace("-", " ").capitalize() for name in rules.split("+"))


def rules_of(metadata: Metadata) -> RuleSet | None:
    """The rules that a result is of, None for a file of no rules or of several."""
    request = metadata.get("request")
    return None if request is None else rules_from_json(request["rules"])


def fields_of(metadata: Metadata) -> Rules:
    """The fields of the rules, those of Cirulla for a file of no rules."""
    rules = rules_of(metadata)
    return build() if rules is None else rules.fields


def rules_name(metadata: Metadata) -> str:
    """The preset of a result as words; a study's file names it without a request."""
    rules = rules_of(metadata)
    return preset_title(str(metadata.get("preset") or "cirulla") if rules is None else rules.preset)


def fewest_win(metadata: Metadata) -> bool:
    """Whether the fewest points win under the rules of a result."""
    rules = rules_of(metadata)
    return rules is not None and rules.fields.lowest_wins


def rules_title(metadata: Metadata, locale: Translator = ENGLISH) -> str:
    """Rules and players as words: ``Cirulla, 4 players``; says so if rules were changed and if four play each alone."""
    rules = rules_of(metadata)
    if rules is None:
        return ""
    name, players = locale.say(preset_title(rules.preset)), rules.fields.players
    alone = players == 4 and not rules.fields.partnership
    changed = locale.say("{rules} with changed rules", rules=name) if rules.changes else name
    return f"{changed}, {locale.say('{n} players each alone' if alone else '{n} players', n=players)}"


def changes(metadata: Metadata) -> dict[str, str]:
    """The fields of the rules that are not the preset's, by the rules in the file."""
    rules = rules_of(metadata)
    return {} if rules is None else {name: plain(value) for name, value in rules.changes.items()}


def change_words(metadata: Metadata, locale: Translator = ENGLISH) -> list[str]:
    """The changed rules, each as words."""
    words = []
    for name, value in changes(metadata).items():
        both = f"{name}={value}"  # a language may have words of its own for both together
        phrase = locale.say(both)
        words.append(f"{locale.say(name)} = {locale.say(value)}" if phrase == both else phrase)
    return words


def changed_words(metadata: Metadata, locale: Translator = ENGLISH, most: int = 6) -> str:
    """The changed rules in a sentence; of many, the first few."""
    changed = change_words(metadata, locale)
    if not changed:
        return ""
    shown = ", ".join(changed[:most])
    if len(changed) > most:
        return " " + locale.say("Changed: {rules} and {n} more.", rules=shown, n=len(changed) - most)
    return " " + locale.say("Changed: {rules}.", rules=shown)


# ------------------------------------------------------------------------------------------------ players


PLAYERS, PLAY = 2, 1
"""What the words for a policy agree with: players, several of them, or their play, which is one."""


def own_policy(policy: str) -> str:
    """What a user calls a policy of a file, with its habits; empty for one of the program's own."""
    module, _, name = policy.rpartition(":")
    return name if module and name.partition("+")[0].isidentifier() and not module.startswith("search") else ""


def player(policy: str, locale: Translator = ENGLISH, of: int = PLAYERS) -> str:
    """What a policy is called for readers, ``of`` players or of their play: a user's own without its file.

    >>> player("search:64"), player("analyses/beginners.py:sees_no_sevens"), player("my/players.py:best+silent")
    ('search:64', 'sees no sevens', 'best+silent')
    >>> player("search:16:careful"), player("search:16:search:4", language("it"))
    ('search:16:careful', 'che calcolano:16:search:4')
    >>> player("careful+silent", language("it")), player("careful", language("it"), PLAY)
    ('accorti che non accusano', 'accorto')
    """
    if own := own_policy(policy):
        return locale.say(own.replace("_", " "), n=of)
    base, *habits = policy.split("+")
    name, colon, size = base.partition(":")
    words = locale.say(name, n=of) + colon + size
    for habit in habits:
        words = locale.say("{policy}+{habit}", policy=words, habit=locale.say(habit, n=of))
    return words


def line_up(text: str, locale: Translator = ENGLISH) -> str:
    """What a line-up is called: a policy, or each side's name and policy.

    >>> line_up("greedy"), line_up("dealer=careful, others=my players.py:best")
    ('greedy', 'dealer careful, others best')
    >>> line_up("us=search:8, them=careful", language("it"))
    'noi: gioco di calcolo:8, loro: gioco accorto'
    """
    sides = LineUp.parse(text).policies
    return ", ".join(
        player(policy, locale) if place == ALL else side_playing(locale.say(place), policy, locale)
        for place, policy in sides
    )


def side_playing(side: str, policy: str, locale: Translator) -> str:
    """A side and how it plays."""
    return locale.say("{side} {policy}", side=side, policy=player(policy, locale, PLAY))


def who_play(text: str, locale: Translator = ENGLISH) -> str:
    """A line-up within a sentence.

    >>> who_play("greedy"), who_play("greedy", language("it"))
    ('greedy', 'giocatori ingordi')
    """
    return line_up(text, locale) if "=" in text else locale.say("{policy}", policy=line_up(text, locale))


def line_ups_of(metadata: Metadata) -> list[LineUp]:
    """The line-ups that a result is of."""
    return [LineUp.from_json(value) for value in metadata.get("request", {}).get("line_ups", ())]


def line_up_names(metadata: Metadata, locale: Translator = ENGLISH) -> str:
    """The names of all line-ups that a result is of, or of the policies that a study names."""
    texts = [str(seated) for seated in line_ups_of(metadata)] or list(dict.fromkeys(metadata.get("policies") or ()))
    return ("; " if any("=" in text for text in texts) else ", ").join(who_play(text, locale) for text in texts)


def play_words(metadata: Metadata, locale: Translator = ENGLISH) -> str:
    """How they play: ``greedy play``, or who plays how; nothing where nobody plays, or several line-ups do."""
    line_ups = line_ups_of(metadata)
    if len(line_ups) != 1:
        return ""
    [only] = line_ups
    if len(only.policies) == 1:
        return locale.say("{policy} play", policy=player(only.names[0], locale, PLAY))
    names = _sides(metadata)
    return ", ".join(side_playing(lower(locale.say(names.get(p, p))), policy, locale) for p, policy in only.policies)


def _in_brackets(policies: Iterable[str], locale: Translator) -> str:
    names = " / ".join(player(name, locale, PLAY) for name in policies)
    return f" {locale.say('({policies})', policies=names)}" if names else ""


def _policies_of(metadata: Metadata) -> dict[str, tuple[str, ...]]:
    """The policies of each side by its name, where one line-up plays whose sides differ."""
    line_ups = line_ups_of(metadata)
    if len(line_ups) != 1 or len(line_ups[0].policies) == 1 or (rules := rules_of(metadata)) is None:
        return {}
    named = line_ups[0].as_json()
    if {"us", "me"} & set(named):
        ours = named.pop("us", "") or named.pop("me")
        return {"us": (ours,), "them": tuple(dict.fromkeys(named.values()))}
    own = rules.fields.dealer_side
    by_side = line_ups[0].by_side(rules.fields)
    others = dict.fromkeys(policy for side, policy in enumerate(by_side) if side != own)
    return {"dealer": (by_side[own],), "others": tuple(others)}


def side_names(metadata: Metadata, locale: Translator = ENGLISH, policies: bool = True) -> dict[str, str]:
    """What the sides are called in this game, with the ``policies`` that play them where these differ."""
    playing = _policies_of(metadata) if policies else {}
    named = {"all": "All", **_sides(metadata)}
    return {side: locale.say(name) + _in_brackets(playing.get(side, ()), locale) for side, name in named.items()}


def players_of(metadata: Metadata) -> int:
    """The number of players, 4 where the file does not say."""
    return int(metadata.get("players") or 4)


def pairs(metadata: Metadata) -> bool:
    """Whether two pairs play."""
    rules = rules_of(metadata)
    return players_of(metadata) == 4 and (rules is None or rules.fields.partnership)


def _sides(metadata: Metadata) -> dict[str, str]:
    ours = {"us": "We", "them": "They"}
    if pairs(metadata):
        return ours | {"dealer": "Dealer’s side", "others": "Other side"}
    return ours | {"dealer": "Dealer", "others": "Opponent" if players_of(metadata) == 2 else "Each other player"}


# ------------------------------------------------------------------------------------------------ size


_ONE = {"matches": "match"}


def how_much(metadata: Metadata, locale: Translator = ENGLISH) -> str:
    """How many hands or games, which seed and version, and how the run ended if not as planned.

    Where the first line-up has more than the others, whose differences from it have fewer deals, both are said.
    """
    unit = "games" if isinstance(metadata.get("games"), int) else "hands"
    number, seed = metadata.get(unit), metadata.get("seed")
    ends = {"interrupted": " before an interruption", "precision": " to the precision asked for"}
    ended = ends.get(metadata.get("stopped") or "", "")
    parts = []
    unit = str(metadata.get("trials", unit))
    if isinstance(number, int) and number:
        every, number = number, min(metadata.get("shared") or number, number)
        counted = locale.say(
            f"{{n}} {(_ONE.get(unit) or unit[:-1]) if number == 1 else unit}", n=locale.numerals(f"{number:,}")
        )
        parts = [counted + (locale.say(ended) if ended else "")]
        if number < every:
            parts[0] += f" ({line_up(str(line_ups_of(metadata)[0]), locale)}: {locale.numerals(f'{every:,}')})"
    parts += [locale.say("seed {seed}", seed=seed)] if seed is not None else []
    return ", ".join([*parts, *version(metadata)])


def version(metadata: Metadata) -> list[str]:
    """The version that made a file, where it says so."""
    return [f"cirulla-sim {metadata['version']}"] if "version" in metadata else []


def lower(text: str) -> str:
    """A text as it stands within a sentence."""
    return text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """A text as it begins a sentence; a field of the rules, ``hand_triple=5``, stays as it is."""
    return text if "=" in text.partition(" ")[0] else text[:1].upper() + text[1:]


def _night_words(trial: str, locale: Language) -> str:
    """A trial that is a night, in a language; empty for any other."""
    _, is_night, night = trial.partition("a night, ")
    try:
        return locale.say("a night, {night}", night=Night.parse(night).text(locale.name)) if is_night else ""
    except InputError:  # a file may say anything
        return ""


def trial_words(trial: object, locale: Language) -> str:
    """What one ``trial`` of a file is, empty for None."""
    of_seat, anywhere, _ = str(trial or "").partition(", from any seat")
    words = _night_words(of_seat, locale) or " / ".join(map(locale.phrase, of_seat.split(" / ")))
    return locale.say("{trial}, from any seat", trial=words) if anywhere else words


_WORDS = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
NAMES: dict[str, str] = _WORDS["names"]
"""What categories of points, bonuses and misdeals are called; charts and questions know them by these names."""
QUANTITIES: dict[str, str] = NAMES | _WORDS["quantities"]
"""Quantities of result files; a question of ``odds`` is quoted as it was asked."""
PER: dict[str, str] = _WORDS["trials"]
"""One trial."""
DEALT: dict[str, str] = _WORDS["dealt"]
"""Out of what a chance is, by what one trial is."""
KINDS: dict[str, str] = _WORDS["kinds"]
"""What kind of number it is."""
UNITS: dict[str, str] = {quantity: unit for unit, of in _WORDS["units"].items() for quantity in of}
"""What quantities are counted in; of a ``share`` differences are in percentage points."""


def quantity_name(quantity: str, locale: Translator) -> str:
    """What a quantity is called: one of ``QUANTITIES``, or points of a category that rules have of their own."""
    category = quantity.removeprefix("points_")
    if quantity in QUANTITIES or category == quantity:
        return locale.say(QUANTITIES.get(quantity, quantity))
    return capital(locale.say(category))
