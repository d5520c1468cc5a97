"""Findings in words: sentences for pages, titles for charts, by the templates of a language (``words/*.toml``).

A title has plain numbers, rounded to what their intervals carry, and simple fractions in words. A sentence has the
same words with each interval.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...core.locale import Language, unbroken
from ...core.numerals import half_width
from ...engine.policies import POLICIES, is_own, parse_policy
from ...ruleset.catalogue import catalogue
from ...ruleset.categories import BY_COLUMN
from ...situation.line_up import LineUp
from .cells import DIFFERENCES, SIGNED, Row, is_share, negate, number, numeral
from .findings import Finding, Noun, Things, between, opponents_in
from .labels import UNITS, capital, lower, parts_of, quantity_name, rules_words
from .labels import line_up as line_up_name
from .plays import choice_text

MOST_NAMED = 3
"""Names of a group that a sentence spells out."""

LONG_TITLE = 125
"""Characters of a title, two lines of a page and three of a column; a longer one is said briefly, if it can be."""

LONG_OF_SEVERAL = 165
"""The same of a title on several players, three lines of a page."""

NEAR, FAR, ROUGHLY = 0.035, 0.06, 0.1
"""How far a number may be from a simple fraction that stands for it: if its interval does not hold the fraction, if it
does, and with *nearly* or *just over*."""

EVEN = 0.015
"""How far from one half a share must be for full percent to tell it from one half."""

RARE = 0.095
"""A share below it is said as one in so many."""

_FREQUENCIES = tuple(
    sorted({Fraction(n, d) for d in range(2, 11) for n in range(1, d) if n == 1 or d <= 5 or n == d - 1})
)
_ROUGH_FREQUENCIES = tuple(fraction for fraction in _FREQUENCIES if fraction.numerator == 1)
_ROUGH_AMOUNTS = (Fraction(1, 3), Fraction(1, 2), Fraction(1))

_ADDED: list[Path] = []


def add_sentences(folder: Path) -> None:
    """Add the templates of studies: ``en.toml`` and ``it.toml`` of a folder."""
    if folder not in _ADDED:
        _ADDED.append(folder)
        templates.cache_clear()


@cache
def templates(lang: str) -> Mapping[str, Any]:
    """The phrases, words and sentences of a language by their dotted names."""
    folders = (files(__package__).joinpath("words"), *_ADDED)
    sources = (folder.joinpath(f"{lang}.toml").read_text("utf-8") for folder in folders)
    named = {f"phrases.points.points_{column}": of["from"][lang != "en"] for column, of in BY_COLUMN.items()}
    for form in ("who", "play"):
        named |= {f"phrases.{form}.{name}": of[form][lang != "en"] for name, of in POLICIES.items()}
    return named | {name: text for source in sources for name, text in _flat(tomllib.loads(source))}


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}".removesuffix("."), value


def fill_phrase(name: str, locale: Language, /, **values: object) -> str:
    """A phrase of a language by its dotted name, with its places filled in."""
    return locale.filler.format(templates(locale.name)[name], **values)


# ------------------------------------------------------------------------------------------------ findings


def sentence(finding: Finding | str, locale: Language, plain: bool = False) -> str:
    """A finding as a sentence of a description, every number with its interval, or as a newspaper prints it, with
    ``plain`` numbers; a text stays as it is.

    >>> from cirulla_sim.core.locale import language
    >>> from cirulla_sim.reporting.text.findings import find_sign, who
    >>> row = {"quantity": "margin", "kind": "mean", "estimate": -0.34, "std_error": 0.01, "ci_low": -0.36,
    ...        "ci_high": -0.32, "exact": None, "per": "hand"}
    >>> found = find_sign("dealing", row, who=who("careful"))
    >>> sentence(found, language("en"))
    'Dealing costs careful players 0.340 ± 0.020 points a hand.'
    >>> sentence(found, language("en"), plain=True)
    'Dealing costs careful players a third of a point a hand.'
    >>> chart_title(found, language("it"))
    'A chi gioca accorto dare le carte costa un terzo di punto a smazzata'
    """
    return finding if isinstance(finding, str) else f"{_rendered(finding, locale, plain)}."


def chart_title(finding: Finding, locale: Language) -> str:
    """A finding as the title of a chart: plain numbers, no full stop, briefer if it would be long.

    Of an answer, fractions and players stand in the footer.
    """
    if finding.kind == "answer":
        finding = replace(finding, about={**finding.about, **dict.fromkeys(("exactly", "players", "playing"), "")})
    written = _rendered(finding, locale, plain=True)
    if len(written) <= (LONG_OF_SEVERAL if finding.then else LONG_TITLE):
        return written
    if f"sentences.{finding.kind}.{finding.direction}-brief" in templates(locale.name):
        finding = replace(finding, direction=f"{finding.direction}-brief", then=())
    elif {(other.kind, other.direction) for other in finding.then} <= {(finding.kind, finding.direction)}:
        finding = replace(finding, then=())
    return _rendered(finding, locale, plain=True)


def _rendered(finding: Finding, locale: Language, plain: bool) -> str:
    texts = templates(locale.name)
    kinds = (
        f"{finding.kind}.{finding.direction}",
        finding.kind,
        f"{finding.kind.partition('.')[0]}.{finding.direction}",
    )
    template = next(texts[f"sentences.{kind}"] for kind in kinds if f"sentences.{kind}" in texts)
    values: dict[str, object] = {"between": ""}
    values |= {name: phrase(thing, locale) for name, thing in finding.about.items()}
    values |= _amounts(finding, locale, plain)
    if template.startswith("{rule!c}") and texts["words.clause"] in str(values["rule"]).split():
        values["rule"] = f"{values['rule']},"  # a clause in front has a comma behind it
    if "{then}" in template:
        values["then"] = _rendered(finding.then[0], locale, plain)
    rendered = locale.filler.vformat(template, (), values).strip()
    if finding.direction == "open" and finding.test == "sign" and not plain:
        row, (_, (_, unit)) = finding.rows[0], _unit(finding.rows[0], locale)
        scale, places = (100, 2) if is_share(row) else (1, 3)  # what a difference that was not found may be at most
        low, high = (numeral(f"{scale * row[name]:+.{places}f}", locale) for name in ("ci_low", "ci_high"))
        rendered += fill_phrase("words.ends", locale, low=low, high=high, unit=f" {unit}" if unit else "")
    if "base" in values and finding.kind.startswith("effect.") and finding.direction in ("more", "less"):
        rendered = fill_phrase("words.than", locale, first=rendered, base=values["base"])
    if "all_players" in finding.about:
        rendered = fill_phrase("words.all-players", locale, players=values["all_players"], rest=lower(rendered))
    others = [] if "{then}" in template else [_clause(other, values, finding, locale, plain) for other in finding.then]
    alike = [players for players, clause in others if not clause]
    too = fill_phrase("words.too", locale, players=join_names(alike, locale))
    for clause in ([too] if alike else []) + [clause for _, clause in others if clause]:
        rendered = fill_phrase("words.then", locale, first=rendered, second=clause)
    return rendered if finding.kind.endswith(".then") else rendered[:1].upper() + rendered[1:]


def _clause(
    other: Finding, values: Mapping[str, object], first: Finding, locale: Language, plain: bool
) -> tuple[str, str]:  # fmt: skip
    """What a sentence goes on with on other players; where it would say the same, only who they are."""
    template = templates(locale.name)[f"sentences.{other.kind}.then.{other.direction}"]
    shown = {name: amount(row, locale, plain) for name, row in other.sizes.items() if f"{{{name}" in template}
    as_first = plain and any(row.get("as_first") for row in other.rows)
    same_size = as_first or all(str(values[name]) == size for name, size in shown.items())
    name = "between" if "{between}" in template else "who"
    players = phrase(other.about.get(name, ""), locale).strip()
    same_place = all(other.about.get(name) == first.about.get(name) for name in ("place", "other", "pair", "one"))
    if not (same_size and same_place and players and other.direction == first.direction not in ("open", "tied")):
        return "", _rendered(replace(other, kind=f"{other.kind}.then"), locale, plain)
    return players if name == "between" else fill_phrase("words.for", locale, who=players), ""


# ------------------------------------------------------------------------------------------------ phrases


class Phrase(str):
    """Words for something, whether it is ``many``, and its other forms, which templates name.

    Players have a word for their ``play``. A number is ``bare`` without its unit, and its ``level`` has no unit but a
    percent sign; an exact ``figure`` or ``chance`` has three figures. Something comes so ``often``: one hand in four,
    ``within`` a sentence in one hand in four, as a ``ratio`` one in four, where it is rare ``one_of`` 53 hands.
    """

    many: bool
    play: str

    def __new__(cls, words: str, many: bool = False, **forms: str) -> Phrase:
        made = super().__new__(cls, words)
        made.many = many
        vars(made).update(forms)
        return made


def phrase(thing: Things, locale: Language) -> Phrase:
    """Something that a sentence names; a small number in words."""
    if isinstance(thing, str):
        return Phrase(thing)
    if isinstance(thing, int):
        counts = templates(locale.name)["words.counts"]
        least = 1 if locale.english else 2  # one is una or uno
        in_words = least <= thing < len(counts)
        return Phrase(counts[thing] if in_words else locale.numerals(f"{thing:,}"), many=thing != 1)
    if isinstance(thing, Noun):
        other = lower(quantity_name(thing.name, locale)) if thing.kind == "points" else thing.name  # of one's own
        named = str(templates(locale.name).get(f"phrases.{thing.kind}.{thing.name}", other))
        called = PHRASES[thing.kind](thing, locale) if thing.kind in PHRASES else named
        many = thing.kind in ("points", "who") and named.startswith("+")
        play = _players(thing.name, locale, "play") if thing.kind == "who" else ""
        return Phrase(called.removeprefix("+"), many, play=play)
    each = [phrase(one, locale) for one in thing]
    return Phrase(join_names(each, locale, MOST_NAMED), play=join_names([one.play for one in each], locale, MOST_NAMED))


def players_name(line_up: str, locale: Language, kind: str = "between") -> str:
    """A line-up as the name of a row: how all play, or who deals against whom, of a game who deals ``first``."""
    if not opponents_in(line_up):
        return capital(phrase(Noun("who", line_up), locale).play)
    by_dealing = {place for place, _ in LineUp.parse(line_up).policies} == {"dealer", "others"}
    return capital(_who(Noun(kind, line_up), locale) if by_dealing else line_up_name(line_up, locale))


def row_name(row: Row, locale: Language) -> str:
    """What a row of line-ups or files is called: its ``label`` where there is one, else its players."""
    if "policy" not in row:
        return ""
    return str(row.get("label") or players_name(row["policy"], locale, between(row["policy"], row).kind))


def _rule(thing: Noun, locale: Language) -> str:
    of, place, phrases = catalogue()["named"], int(not locale.english), list[str]()
    for name in parts_of(thing.name):
        own = fill_phrase("phrases.rule.own", locale, name=locale.say(rules_words(name)))
        phrases.append(of[name]["phrase"][place] if name in of else own)
    return join_names(phrases, locale)


def _who(thing: Noun, locale: Language) -> str:
    if two := opponents_in(thing.name):
        one, other = (phrase(part, locale) for part in two)
        form = thing.kind if "dealer" in dict(LineUp.parse(thing.name).policies) else "us"
        return fill_phrase(f"phrases.against.{form}", locale, one=one, other=other)
    return _players(LineUp.parse(thing.name).policies[0][1], locale, "who")


def _players(policy: str, locale: Language, form: str) -> str:
    """Players by the name of their policy, or their play."""
    texts, (bare, base, size, model, suffix) = templates(locale.name), parse_policy(policy)
    if is_own(policy):
        base, size, model = bare.rpartition(":")[2].replace("_", " "), "", ""

    def of(name: str, /, **values: str) -> str:
        """A phrase; Italian has the same for players and their play."""
        return fill_phrase(f"phrases.{form if f'phrases.{form}.{name}' in texts else 'who'}.{name}", locale, **values)

    has_phrase = {f"phrases.{form}.{base}", f"phrases.who.{base}"} & set(texts)
    called = of(base) if has_phrase and not (is_own(policy) and base in POLICIES) else of("own", name=base)
    called = called.removeprefix("+")
    called = of("samples", who=called, n=size) if size else called
    called = of("model", who=called, other=_players(model, locale, "who")) if model else called
    if suffix and f"phrases.who.{suffix}" not in texts:  # of a file of an earlier version
        return of("own", name=policy).removeprefix("+")
    return of(suffix, who=called) if suffix else called


def _place(thing: Noun, locale: Language) -> str:
    """A place by its kind: between careful players."""
    kind, _, name = thing.name.partition(":")
    if kind == "rule":
        return _rule(Noun("rule", name), locale)
    if kind == "players":
        name = templates(locale.name)["words.counts"][int(name)]
    if kind in ("between", "first"):
        kind, name = "with" if opponents_in(name) else kind, _who(Noun(kind, name), locale)
    return fill_phrase(f"phrases.place.{kind}", locale, who=name, n=name, name=name)


PHRASES: dict[str, Callable[[Noun, Language], str]] = {

    "number": lambda thing, locale: locale.numerals(f"{int(thing.name):,}"),
    "count": lambda thing, locale: templates(locale.name)["words.counts"][int(thing.name)],
    "message": lambda thing, locale: locale.say(thing.name),
    "plays": lambda thing, locale: choice_text(thing.name, locale),
    "what": lambda thing, locale: templates(locale.name)[f"sentences.what.{thing.name}"],
    "rule": _rule,
    "who": _who,
    "place": _place,
    **dict.fromkeys(("between", "first"), lambda thing, locale: f" {_place(Noun('place', ':'.join(thing)), locale)}"),
    "both": lambda thing, locale: " " + fill_phrase("phrases.place.between", locale, who=join_names(
        [phrase(one, locale) for one in opponents_in(thing.name) or ()], locale)),
}  # fmt: skip
"""How nouns become words that are no names of phrases; studies add theirs."""


def join_names(names: Sequence[str], locale: Language, most: int | None = None) -> str:
    """Names as in a sentence; of more than ``most`` only so many, and the number of the others if they are several.

    >>> from cirulla_sim.core.locale import language
    >>> join_names(["a", "b", "c"], language("en")), join_names(["a", "b", "c", "d"], language("it"), 2)
    ('a, b and c', 'a, b e altri 2')
    """
    shown = list(dict.fromkeys(names))
    if most is not None and len(shown) > most + 1:
        shown = [*shown[:most], fill_phrase("words.others", locale, n=len(names) - most)]
    *others, last = shown or [""]
    return f"{', '.join(others)} {fill_phrase('words.and', locale)} {last}" if others else last


# ------------------------------------------------------------------------------------------------ numbers


def amount(row: Row, locale: Language, plain: bool, places: int | None = None) -> Phrase:
    """A number of a sentence: a difference has no sign, which other words tell.

    A plain one is rounded to what its interval carries, or to so many ``places``.
    """
    texts, differs, is_percent = templates(locale.name), row["kind"] in DIFFERENCES, is_share(row)
    row = negate(row) if _is_signed(row) and row["estimate"] < 0 else row
    value, half, scale = float(row["estimate"]), half_width(row), 100.0 if is_percent else 1.0
    places = _places(row) if places is None else places
    whole = str if locale.english else unbroken  # English pages see to breaks themselves
    name, (one, many) = _unit(row, locale)
    if plain:
        bare = numeral(_short(f"{scale * value:,.{places}f}"), locale)
        tiny = value < 0.01 or round(scale * value, places) == 100
        level = bare if not is_percent else locale.percent(value) if tiny else f"{bare}%"
    else:
        level = number(row, locale)
        if is_percent and level[0].isalpha() and "(" in level:  # none seen, all seen
            level = f"{locale.percent(value)} {level[level.index('(') :]}"
        bare = level.removeprefix("+")
        bare = whole(bare.removesuffix(locale.say("pp") if differs else "%").rstrip() if is_percent else bare)
        level = whole(level) if is_percent else bare
    forms = {"bare": bare, "level": level, "figure": level, "chance": level}
    if plain and is_percent and half == 0:
        figures = f"{100 * value:#.3g}"  # three, if that is not all of it
        is_rounded = 1e-6 <= value < 0.9 and abs(float(figures) - 100 * value) > 1e-9
        forms["chance"] = locale.numerals(f"{figures}%") if is_rounded else locale.percent(value)
    elif plain and not is_percent:
        if 0 < half < math.inf:
            text = _short(f"{value:,.{min(2, max(0, -math.floor(math.log10(half))))}f}")
        else:
            text = f"{float(f'{value:.3g}'):,g}" if abs(value) < 100 else f"{value:,.0f}"
        forms["figure"] = numeral(text, locale)
    if not is_percent or differs:
        start = f"words.amounts.{name}."
        amounts = {Fraction(key.removeprefix(start)): text for key, text in texts.items() if key.startswith(start)}
        fraction, around = _simple_fraction(value, half, amounts, _ROUGH_AMOUNTS, locale)
        spoken = whole(f"{bare} {one if bare == '1' else many}".rstrip())
        spoken = around.format(size=amounts[fraction]) if plain and fraction else spoken
        return Phrase(spoken, bare != "1", **forms)

    counts = texts["words.counts"]
    trials, trial, of = texts.get(f"words.units.{row.get('per')}", texts["words.units.case"])[1:]
    often, ratio = fill_phrase("words.share-of", locale, share=level, of=of), level
    within, is_many = fill_phrase("words.within-share", locale, share=level, of=of), locale.english
    fraction, around = _simple_fraction(value, half, _FREQUENCIES, _ROUGH_FREQUENCIES, locale)
    if 0 < value < RARE:
        fraction, around = Fraction(1, round(float(f"{1 / value:.3g}"))), "{size}"
    if plain and fraction:
        n, d = fraction.numerator, fraction.denominator
        below = counts[d] if d <= 10 else locale.numerals(f"{d:,}")
        form = "half" if d == 2 else "one-in" if n == 1 else "several-in"
        numerator = texts["words.numbers"][n]
        often = fill_phrase(f"words.{form}", locale, n=numerator, d=below, one=trial, many=trials, of=of)
        often = around.format(size=often)
        ratio = around.format(size=fill_phrase("words.ratio", locale, n=counts[n], d=counts[d])) if d <= 10 else ratio
        within, is_many = fill_phrase("words.within-in", locale, often=often), n > 1 or (d == 2 and locale.english)
    if value > 0:
        rare = round(float(f"{1 / value:.{3 if half <= ROUGHLY * value / 5 else 2}g}"))
        forms["one_of"] = fill_phrase("words.one-of", locale, one=trial, d=locale.numerals(f"{rare:,}"))
    return Phrase(level, is_many, **forms, often=often, ratio=ratio, within=within)


def _short(text: str) -> str:
    """A number without zeros at the end of its decimals."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _simple_fraction(
    value: float, half: float, simple: Collection[Fraction], rough: Collection[Fraction], locale: Language
) -> tuple[Fraction | None, str]:
    """The fraction that stands for a number with half its interval, if one does, and the words around it."""
    held = [fraction for fraction in simple if abs(value - fraction) <= max(NEAR * fraction, min(half, FAR * fraction))]
    if held:
        return min(held, key=attrgetter("denominator")), "{size}"
    nearest = min(simple, key=lambda fraction: abs(value - fraction) / fraction, default=Fraction(0))
    if nearest not in rough or abs(value - nearest) > ROUGHLY * nearest:
        return None, ""
    return nearest, templates(locale.name)["words.nearly" if value < nearest else "words.over"]


def _is_signed(row: Row) -> bool:
    """Whether a number is a difference."""
    return row["kind"] in DIFFERENCES or row["quantity"] in SIGNED


def _unit(row: Row, locale: Language) -> tuple[str, list[str]]:
    """What a number is counted in: how templates name it, one and many."""
    quantity, texts = str(row["quantity"]), templates(locale.name)
    name = UNITS.get(quantity, "point" if quantity.startswith("points_") else "none")
    if is_share(row):
        name = "percentage" if row["kind"] in DIFFERENCES else "percent"
    return name, texts.get(f"words.units.{name}", texts["words.units.none"])[:2]


def _amounts(finding: Finding, locale: Language, plain: bool) -> dict[str, Phrase]:
    """The numbers of a finding; several levels have as many decimals, one more where they would look the same."""
    levels = {name: row for name, row in finding.sizes.items() if row["kind"] not in DIFFERENCES}
    fewest = min(map(_places, levels.values()), default=0)

    values = {name: (100.0 if is_share(row) else 1.0) * float(row["estimate"]) for name, row in levels.items()}
    if len({round(value, fewest) for value in values.values()}) < len({round(value, 9) for value in values.values()}):
        fewest += 1
    places = {name: fewest for name, value in values.items() if round(value, fewest)}
    return {name: amount(row, locale, plain, places.get(name)) for name, row in finding.sizes.items()}


def _places(row: Row) -> int:
    """The fewest decimals that move a number by no more than half of its error: two figures, or one decimal.

    A share has none but near one half and where it is small or large, and then one.

    >>> named = ("quantity", "kind", "estimate", "ci_low", "ci_high")
    >>> means = ((0.363, 0.354, 0.372), (2.16, 2.14, 2.18), (9.08, 8.91, 9.25), (0.043, 0.013, 0.073))
    >>> [_places(dict(zip(named, ("points", "mean", *mean), strict=True))) for mean in means]
    [2, 1, 0, 2]
    """
    scale = 100.0 if is_share(row) else 1.0
    p, value, half = abs(row["estimate"]), scale * abs(row["estimate"]), half_width(row, scale)
    if not value or not math.isfinite(value):
        return 0
    most = 1 if value >= 1 else 1 - math.floor(math.log10(value))
    places = next((n for n in range(most) if abs(round(value, n) - value) <= half / 2 and round(value, n)), most)
    if row["kind"] in DIFFERENCES or not is_share(row) or p < 0.1 or row.get("exact") is not None:
        return places
    return min(places, 0 if p <= 0.9 and abs(p - 0.5) > EVEN else 1)
