"""What a result and what is in it are called: rules, players, sides, nights, size, trials, quantities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

import polars as pl

from ...core.data import load_toml
from ...core.locale import Language, add_names
from ...engine.policies import USUAL, is_own, parse_policy
from ...ruleset.catalogue import catalogue, format_value
from ...ruleset.categories import BY_COLUMN
from ...ruleset.how_to_play import field_sentence
from ...ruleset.presets import build
from ...ruleset.rule_set import RuleSet
from ...situation.line_up import ALL, LineUp
from ...situation.night import Night
from ...situation.notation import Situation
from ...storage.request import rules_from_json

Metadata = Mapping[str, Any]

_NAME = re.compile(r"[a-z0-9_+-]+")

# ------------------------------------------------------------------------------------------------ rules


def with_titles(frame: pl.DataFrame, metadata: Metadata) -> pl.DataFrame:
    """A comparison with the titles that files give their house rules in place of the files' names; the dealer's margin
    as it is called where the fewest points win; without what one side has where other numbers of sides play."""
    if apart := other_sides(frame, metadata):
        frame = frame.filter((pl.col("side") != "dealer") | ~pl.col("rules").is_in(apart))
    if result_rules(metadata).fields.lowest_wins and "quantity" in frame.columns:
        of_dealer = (pl.col("quantity") == "margin") & (pl.col("side") == "dealer")
        frame = frame.with_columns(quantity=pl.when(of_dealer).then(pl.lit("margin_fewer")).otherwise("quantity"))
    rivals = metadata.get("request", {}).get("question", {}).get("against", ())
    titles = {str(one["name"]): str(one["title"]) for one in rivals if isinstance(one, Mapping) and "title" in one}
    return frame.with_columns(pl.col("rules").replace(titles)) if titles and "rules" in frame.columns else frame


def other_sides(frame: pl.DataFrame, metadata: Metadata) -> list[str]:
    """The rules among those of a table by which another number of sides play than by the first."""
    fields, compared = result_rules(metadata).fields, metadata.get("compared", {})
    others = []
    for name in frame["rules"].unique(maintain_order=True) if "rules" in frame.columns else ():
        changed = compared.get(name, {})
        pairs, players = changed.get("partnership", fields.partnership), changed.get("players", fields.players)
        if (2 if pairs else players) != fields.sides:
            others.append(name)
    return others


def parts_of(rules: str) -> list[str]:
    """The house rules of a sum of them; a title, or single fields, have no parts."""
    return rules.split("+") if _NAME.fullmatch(rules) else [rules]


def rules_words(rules: str) -> str:
    """A house rule's or preset's name as words; house rules together are a sum, which is translated part by part.

    >>> rules_words("no-triple-bonus"), rules_words("cirullone-6-3"), rules_words("no-matta+short-game")
    ('No bonus for triples', 'Cirullone 6-3', 'No matta + Short game')
    """
    if not _NAME.fullmatch(rules):
        return rules
    of = catalogue()["named"]
    return " + ".join(of[x]["short"][0] if x in of else x.replace("-", " ").capitalize() for x in rules.split("+"))


def schema_of(metadata: Metadata) -> str:
    """The kind of a file, without its format."""
    return str(metadata.get("schema") or "").partition("/")[0]


def result_rules(metadata: Metadata) -> RuleSet:
    """The rules that a result is of, Cirulla for a file of no rules or of several."""
    request = metadata.get("request")
    return RuleSet(build()) if request is None else rules_from_json(request["rules"])


def rules_title(metadata: Metadata, locale: Language) -> str:
    """Rules and players as words: ``Cirulla, 4 players``; says so if rules were changed and if four play each alone."""
    rules = result_rules(metadata)
    if metadata.get("request") is None:
        return ""
    name, players = locale.say(rules_words(rules.preset)), rules.fields.players
    alone = players == 4 and not rules.fields.partnership
    changed = locale.say("{rules} with changed rules", rules=name) if rules.changes else name
    return f"{changed}, {locale.say('{n} players each alone' if alone else '{n} players', n=players)}"


def change_words(metadata: Metadata, locale: Language) -> list[str]:
    """The fields of the rules that are not the preset's, each as words."""
    rules, words = result_rules(metadata), list[str]()
    for name, value in rules.changes.items():
        phrase = locale.say(both := f"{name}={format_value(value)}")  # a language may have words for both together
        usual = lower(locale.translate(field_sentence(rules.fields, name)).rstrip("."))
        words.append(usual if phrase == both else phrase)
    return words


MOST_CHANGED = 6
"""Changed rules that a sentence names."""


def changed_words(metadata: Metadata, locale: Language) -> str:
    """The changed rules in a sentence; of many, the first few."""
    changed = change_words(metadata, locale)
    shown, more = "; ".join(changed[:MOST_CHANGED]), len(changed) - MOST_CHANGED
    if more > 0:
        return " " + locale.say("Changed: {rules} and {n} more.", rules=shown, n=more)
    return " " + locale.say("Changed: {rules}.", rules=shown) if changed else ""


# ------------------------------------------------------------------------------------------------ players


PLAYERS, PLAY = 2, 1
"""What the words for a policy agree with: players, several of them, or their play, which is one."""


def player(policy: str, locale: Language, of: int = PLAYERS) -> str:
    """What a policy is called for readers, ``of`` players or of their play: a user's own without its file.

    >>> from cirulla_sim.core.locale import language
    >>> [player(name, language("en")) for name in ("search:64", "a/beginners.py:sees_no_sevens", "my.py:best")]
    ['search:64', 'sees no sevens', 'best']
    >>> player("search:16:careful", language("en")), player("search:16:search:4", language("it"))
    ('search:16:careful', 'che calcolano su 16 ipotesi, con gli altri presi per giocatori che calcolano su 4 ipotesi')
    >>> player("careful+game", language("it")), player("careful", language("it"), PLAY)
    ('accorti per la partita', 'accorto')
    """
    if is_own(policy):
        return locale.say(policy.rpartition(":")[2].replace("_", " "), n=of)
    name = parse_policy(policy)
    words = locale.say(name.kind, n=of)
    words = locale.say("{policy}:{n}", policy=words, n=name.number) if name.number else words
    if name.opponent:
        words = locale.say("{policy}:{model}", policy=words, model=player(name.opponent, locale))
    if name.suffix:
        words = locale.say("{policy}+{habit}", policy=words, habit=locale.say(name.suffix, n=of))
    return words


def line_up(text: str, locale: Language, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """What a line-up is called: a policy, or each side's name and policy, of those with ``names`` their own.

    >>> from cirulla_sim.core.locale import language
    >>> line_up("greedy", language("en")), line_up("dealer=careful, others=my players.py:best", language("en"))
    ('greedy', 'dealer careful, others best')
    >>> line_up("us=search:8, them=careful", language("it"))
    'noi: gioco di calcolo su 8 ipotesi, loro: gioco accorto'
    """
    each = []
    for place, policy in LineUp.parse(text).policies:
        side, play = lower(locale.say(names.get(place, place))), player(policy, locale, PLAY)
        each.append(player(policy, locale) if place == ALL else locale.say("{side} {policy}", side=side, policy=play))
    return ", ".join(each)


def who_play(text: str, locale: Language) -> str:
    """A line-up within a sentence.

    >>> from cirulla_sim.core.locale import language
    >>> who_play("greedy", language("en")), who_play("greedy", language("it"))
    ('greedy', 'giocatori ingordi')
    """
    return line_up(text, locale) if "=" in text else locale.say("{policy}", policy=line_up(text, locale))


def line_ups_of(metadata: Metadata) -> list[LineUp]:
    """The line-ups that a result is of."""
    return [LineUp.from_json(value) for value in metadata.get("request", {}).get("line_ups", ())]


def line_up_of(metadata: Metadata) -> str:
    """The line-up of a result of one, the first of several; empty where nobody plays."""
    return next((str(line_up) for line_up in line_ups_of(metadata)), "")


def line_up_names(metadata: Metadata, locale: Language) -> str:
    """The names of all line-ups that a result is of, or of the policies that a study names."""
    texts = list(dict.fromkeys([*map(str, line_ups_of(metadata))] or metadata.get("policies") or ()))
    return ("; " if any("=" in text for text in texts) else ", ").join(who_play(text, locale) for text in texts)


def play_words(metadata: Metadata, locale: Language) -> str:
    """How they play: ``greedy play``, or who plays how, or which pairs do; nothing where nobody plays, or several
    line-ups do."""
    line_ups, pairs = line_ups_of(metadata), pairs_words(metadata, locale)
    if pairs or len(line_ups) != 1:
        return pairs
    if len(line_ups[0].policies) == 1:
        return locale.say("{policy} play", policy=player(line_ups[0].names[0], locale, PLAY))
    return line_up(str(line_ups[0]), locale, sides_of(metadata))


def side_names(metadata: Metadata, locale: Language, policies: bool = True) -> dict[str, str]:
    """What the sides are called in this game, with the ``policies`` that play them where these differ."""
    named = {side: locale.say(name) for side, name in {"all": "All", **sides_of(metadata)}.items()}
    line_ups, rules = line_ups_of(metadata), result_rules(metadata).fields
    if not policies or len(line_ups) != 1 or len(line_ups[0].policies) == 1:
        return named
    own = line_ups[0].as_json()
    if {"us", "me"} & set(own):
        playing = {"us": [own.pop("us", "") or own.pop("me")], "them": list(own.values())}
    else:
        by_side = list(line_ups[0].by_side(rules))
        playing = {"dealer": [by_side.pop(rules.dealer_side)], "others": by_side}
    for side, names in playing.items():
        each = " / ".join(player(name, locale, PLAY) for name in dict.fromkeys(names))
        named[side] += f" {locale.say('({policies})', policies=each)}"
    return named


def sides_of(metadata: Metadata) -> dict[str, str]:
    """What the sides are called, in English: us, them, the dealer's and the others."""
    rules = result_rules(metadata).fields
    pairs = rules.partnership and "made" not in metadata  # of several files some may have none
    others = "Other side" if pairs else "Opponent" if rules.players == 2 else "Each other player"
    return {"us": "We", "them": "They", "dealer": "Dealer’s side" if pairs else "Dealer", "others": others}


# ------------------------------------------------------------------------------------------------ nights


def nights_of(metadata: Metadata) -> list[Night]:
    """The nights that a result is of, every pair with its policy; none for another result."""
    request, line_ups = metadata.get("request", {}), line_ups_of(metadata)
    of_nights = schema_of(metadata) == "compare-nights" or str(metadata.get("trial")).startswith("a night, ")
    texts = (request["situation"]["at"], *request["question"].get("against", ())) if of_nights else ()
    nights = (Situation.parse(text).night for text in texts)
    usual = line_ups[0].names[0] if line_ups else USUAL
    return [replace(night, pairs=night.policies(usual)) for night in nights if night]


def format_names(metadata: Metadata, locale: Language) -> dict[str, str]:
    """The formats as the table names them, and what readers call them: without minutes that are the same in all."""
    nights = nights_of(metadata)
    alike = len({night.minutes for night in nights}) == 1
    shown = (replace(night, minutes=None) if alike else night for night in nights)
    return {one.format_text(): short.format_text(locale.name) for one, short in zip(nights, shown, strict=True)}


def pairs_words(metadata: Metadata, locale: Language) -> str:
    """The pairs of the nights that a result is of, empty for another result."""
    nights = nights_of(metadata)
    groups = [(policy, len(list(same))) for policy, same in groupby(nights[0].pairs if nights else ())]
    return ", ".join(
        locale.say("{n} pairs ({policy})" if n > 1 else "1 pair ({policy})", n=n,
                   policy=player(policy or USUAL, locale, PLAY)) for policy, n in groups
    )  # fmt: skip


def night_label(row: Mapping[str, Any], metadata: Metadata, locale: Language) -> str:
    """What a number is of, with the pair and its policy where it is about one."""
    name = quantity_name(row["quantity"], locale)
    return name if row["side"] == "all" else f"{name}, {pair_one(metadata, locale)}"


def pair_one(metadata: Metadata, locale: Language) -> str:
    """What the first pair is called, with its policy."""
    policy = nights_of(metadata)[0].pairs[0] or USUAL
    return locale.say("pair 1 ({policy})", policy=player(policy, locale, PLAY))


# ------------------------------------------------------------------------------------------------ size


def how_much(metadata: Metadata, locale: Language, rows: Iterable[Mapping[str, Any]] = ()) -> str:
    """How many hands or games, which seed and version, and how the run ended if not as planned.

    Of a tournament it says how many deals each pairing has, and who sits where. Where the first line-up has more than
    the others, whose differences from it have fewer deals, both are said. A comparison of hands may have games besides,
    as many as its ``rows`` say; games between two sides that follow from the points of hands are as many hands.
    """
    unit = "games" if isinstance(metadata.get("games"), int) else "hands"
    every, parts, counts = metadata.get(unit), list[str](), dict[str, None]()
    played = metadata.get("request", {}).get("question", {}).get("games")
    stopped = locale.say(WORDS["stopped"].get(str(metadata.get("stopped")), ""))
    for row in rows if unit == "hands" and isinstance(every, int) else ():
        worked_out = row["quantity"] == "wins_game" and row["n"] == every != played  # from the points of hands
        of_games = row["per"] == "game" and row["n"] is not None and not worked_out
        n, counted = (row["n"], "games") if of_games else (every, "hands")
        counts[locale.say(f"{{n}} {counted}", n=locale.numerals(f"{n:,}"))] = None
    if schema_of(metadata) == "tournament":
        test, trials = metadata.get("test"), locale.numerals(f"{every or 0:,}")
        delta = locale.numerals(f"{test['delta']:g}") if test else ""
        deals = "at most {n} deals a pairing, until decided to {delta} points a hand" if test else "{n} deals a pairing"
        seats = ("each played with sides exchanged" if result_rules(metadata).fields.sides == 2 else
                 "each policy alone against the other in every place")  # fmt: skip
        parts = [locale.say(deals, n=trials, delta=delta) + stopped, locale.say(seats)]
    elif counts and set(counts) != {locale.say("{n} hands", n=locale.numerals(f"{every:,}"))}:
        parts = [" / ".join(counts)]
    elif isinstance(every, int) and every:  # of several samples a study has a list
        unit, number = str(metadata.get("trials", unit)), min(metadata.get("shared") or every, every)
        one = unit.removesuffix("es" if unit == "matches" else "s")
        counted = locale.say(f"{{n}} {one if number == 1 else unit}", n=locale.numerals(f"{number:,}"))
        parts = [counted + stopped]
        if number < every:
            parts[0] += f" ({line_up(str(line_ups_of(metadata)[0]), locale)}: {locale.numerals(f'{every:,}')})"
    parts += [locale.say("seed {seed}", seed=metadata["seed"])] if metadata.get("seed") is not None else []
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


WORDS: dict[str, dict[str, Any]] = load_toml(__package__, "names.toml")
"""What is in files, and what is said of them, by what it is of."""
WORDS["names"] |= {f"points_{column}": entry["title"] for column, entry in BY_COLUMN.items()}
_QUANTITIES = WORDS["names"] | WORDS["quantities"]
QUANTITIES: dict[str, str] = {name: texts[0] for name, texts in _QUANTITIES.items()}
"""Quantities of result files; a question of ``odds`` is quoted as it was asked."""
add_names("it", _QUANTITIES.values())

UNITS: dict[str, str] = {quantity: unit for unit, of in WORDS["units"].items() for quantity in of}
"""What quantities are counted in; of a ``share`` differences are in percentage points."""


def quantity_name(quantity: str, locale: Language) -> str:
    """What a quantity is called: one of ``QUANTITIES``, or points of a category that rules have of their own."""
    if quantity.startswith("makes_"):  # of a play that is judged
        point = QUANTITIES.get(quantity.replace("makes_", "points_"), quantity)
        return locale.say("We make: {point}", point=lower(locale.say(point)))
    category = quantity.removeprefix("points_")
    if quantity in QUANTITIES or category == quantity:
        return locale.say(QUANTITIES.get(quantity, quantity))
    return capital(locale.say(category))


def top_words(metadata: Metadata, locale: Language) -> str:
    """Of how many values those with the highest answers are shown; empty where all are."""
    top, every = metadata.get("request", {}).get("question", {}).get("top"), metadata.get("values") or 0
    if not top or top >= every:
        return ""
    sentence = "The {top} highest of {n} values." if metadata.get("chosen") != "half" else (
        "The {top} of {n} values that were highest in one half of the trials, in that order; the numbers are from the "
        "other half, which had no part in the choice.")  # fmt: skip
    return locale.say(sentence, top=top, n=locale.numerals(f"{every:,}"))
