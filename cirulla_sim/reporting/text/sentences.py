"""Findings in words: sentences for pages, titles for charts, by the templates of a language (``words/*.toml``).

A title has plain numbers, rounded to what their intervals carry, and simple fractions in words. A sentence has the
same words with each interval.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...core.locale import Language, unbroken
from ...situation.line_up import LineUp
from .cells import DIFFERENCES, Row, is_share, minus, number, turned
from .findings import Finding, Noun, Things, opposed
from .labels import UNITS, capital, name_of, own_policy, parts_of
from .labels import line_up as line_up_name
from .plays import choice_text

MOST_NAMED = 3
"""Names of a group that a sentence spells out."""

LONG_TITLE = 125
"""Characters of a title, two lines of a page and three of a column; a longer one is said briefly, if it can be."""

NEAR, FAR, ROUGHLY = 0.035, 0.06, 0.1
"""How far a number may be from a simple fraction that stands for it: if its interval does not hold the fraction, if it
does, and with *nearly* or *just over*."""

EVEN = 0.015
"""How far from one half a share must be for full percent to tell it from one half."""

_FREQUENCIES = tuple(
    sorted({Fraction(n, d) for d in range(2, 11) for n in range(1, d) if n == 1 or d <= 5 or n == d - 1})
)
_ROUGH_AMOUNTS = (Fraction(1, 3), Fraction(1, 2), Fraction(1))
_TRIALS = {"side": "hand", "first-deal": "deal"}
"""What a trial is called that has another name in files."""

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
    return {name: text for source in sources for name, text in _flat(tomllib.loads(source))}


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}".removesuffix("."), value


def words(name: str, locale: Language, /, **values: object) -> str:
    """A phrase of a language by its dotted name, with its places filled in."""
    return locale.filler.format(templates(locale.name)[name], **values)


# ------------------------------------------------------------------------------------------------ findings


def sentence(finding: Finding, locale: Language) -> str:
    """A finding as a sentence of a description: every number has its interval.

    >>> from cirulla_sim.core.locale import language
    >>> from cirulla_sim.reporting.text.findings import signed, who
    >>> row = {"quantity": "margin", "kind": "mean", "estimate": -0.34, "std_error": 0.01, "ci_low": -0.36,
    ...        "ci_high": -0.32, "exact": None, "per": "hand"}
    >>> found = signed("dealing", row, who=who("careful"))
    >>> sentence(found, language("en"))
    'Dealing costs careful players 0.340 ± 0.020 points a hand.'
    >>> headline(found, language("en"))
    'Dealing costs careful players a third of a point a hand.'
    >>> title(found, language("it"))
    'A chi gioca accorto dare le carte costa un terzo di punto a smazzata'
    """
    return f"{_rendered(finding, locale, plain=False)}."


def headline(finding: Finding, locale: Language) -> str:
    """A finding as a newspaper prints it: a sentence with plain numbers."""
    return f"{_rendered(finding, locale, plain=True)}."


def title(finding: Finding, locale: Language) -> str:
    """A finding as the title of a chart: plain numbers, no full stop, briefer if it would be long."""
    written = _rendered(finding, locale, plain=True)
    if len(written) <= LONG_TITLE:
        return written
    if f"sentences.{finding.kind}.{finding.direction}-brief" in templates(locale.name):
        return _rendered(replace(finding, direction=f"{finding.direction}-brief", then=()), locale, plain=True)
    alike = finding.then and all(
        (other.kind, other.direction) == (finding.kind, finding.direction) for other in finding.then
    )
    return _rendered(replace(finding, then=()), locale, plain=True) if alike else written


def _rendered(finding: Finding, locale: Language, plain: bool) -> str:
    texts = templates(locale.name)
    key = ".".join(filter(None, ("sentences", finding.kind, finding.direction)))
    template = texts[key] if key in texts else texts[f"sentences.{finding.kind}"]
    values: dict[str, object] = {"between": ""}
    values |= {name: phrase(thing, locale) for name, thing in finding.about.items()}
    values |= _amounts(finding, locale, plain)
    if template.startswith("{rule!c}") and texts["words.clause"] in str(values["rule"]).split():
        values["rule"] = f"{values['rule']},"  # a clause in front has a comma behind it
    if "{then}" in template:
        values["then"] = _rendered(finding.then[0], locale, plain)
    rendered = locale.filler.vformat(template, (), values).strip()
    if finding.direction == "open" and finding.test == "sign" and not plain:
        rendered += _ends(finding.rows[0], locale)
    for other in finding.then if "{then}" not in template else ():
        rendered = words("words.then", locale, first=rendered, second=_clause(other, values, finding, locale, plain))
    within = finding.kind.endswith(".then") or template.startswith("{question}")
    return rendered if within else rendered[:1].upper() + rendered[1:]


def _clause(other: Finding, values: Mapping[str, object], first: Finding, locale: Language, plain: bool) -> str:
    """What a sentence goes on with on other players; where it would say the same, that they do so too."""
    template = templates(locale.name)[f"sentences.{other.kind}.then.{other.direction}"]
    shown = {name: str(Amount(row, locale, plain)) for name, row in other.sizes.items() if f"{{{name}" in template}
    alike = all(str(values[name]) == size for name, size in shown.items()) and other.direction == first.direction
    placed = {name: phrase(other.about[name], locale).strip() for name in ("between", "who") if name in other.about}
    same_place = all(other.about.get(name) == first.about.get(name) for name in ("place", "other", "pair", "one"))
    if not alike or not same_place or not placed or other.direction in ("open", "tied"):
        return _rendered(replace(other, kind=f"{other.kind}.then"), locale, plain)
    name = "between" if "{between}" in template else "who"
    return words(f"words.too-{name}", locale, **placed)


# ------------------------------------------------------------------------------------------------ phrases


class Phrase(str):
    """Words for something: whether it is ``many``, and how players are called by the way they ``play``."""

    many: bool
    play: str

    def __new__(cls, words: str, many: bool = False, play: str = "") -> Phrase:
        made = super().__new__(cls, words)
        made.many, made.play = many, play
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
        many = thing.kind in ("points", "who") and _by_name(thing, locale).startswith("+")
        play = _players(thing.name, locale, "play") if thing.kind == "who" else ""
        return Phrase(PHRASES.get(thing.kind, _by_name)(thing, locale).removeprefix("+"), many, play)
    each = [phrase(one, locale) for one in _together(thing, locale)]
    return Phrase(listed(each, locale, MOST_NAMED), play=listed([one.play for one in each], locale, MOST_NAMED))


def _together(nouns: tuple[Noun, ...], locale: Language) -> tuple[Noun, ...]:
    """Places of one kind as one: between careful players and greedy players."""
    kinds = {noun.kind + noun.name.partition(":")[0] for noun in nouns}
    if len(nouns) < 2 or len(kinds) > 1 or not kinds <= {"placebetween", "placeplayers" if locale.english else ""}:
        return nouns
    kind, names = nouns[0].name.partition(":")[0], [noun.name.partition(":")[2] for noun in nouns]
    if kind == "between" and any(map(opposed, names)):
        return nouns
    each = [_players_at(kind, name, locale) for name in names]
    joined = listed(each, locale, MOST_NAMED)
    return (Noun("text", words(f"phrases.place.{kind}", locale, who=joined, n=joined)),)


def _players_at(kind: str, name: str, locale: Language) -> str:
    """The players of a place, or how many they are; the name of another place."""
    if kind == "players":
        return str(templates(locale.name)["words.counts"][int(name)])
    return _who(Noun("who", name), locale) if kind == "between" else name


def rule_name(rules: str, locale: Language) -> str:
    """A house rule, a preset or several rules as the name of a row."""
    return locale.say(name_of(rules))


def players_name(line_up: str, locale: Language) -> str:
    """A line-up as the name of a row: how all play, or who deals against whom."""
    places = {place for place, _ in LineUp.parse(line_up).policies}
    if opposed(line_up) and places != {"dealer", "others"}:
        return capital(line_up_name(line_up, locale))
    called = phrase(Noun("who", line_up), locale)
    return capital(called if opposed(line_up) else called.play)


def row_name(row: Row, locale: Language) -> str:
    """What a row of line-ups or files is called: its ``label`` where there is one, else its players."""
    return str(row.get("label") or players_name(row["policy"], locale)) if "policy" in row else ""


def place_name(row: Row, locale: Language) -> str:
    """The name of a ``place`` that a row of line-ups or files is about: its players, or its file where these differ."""
    if heading := row.get("heading"):
        return f"of:{heading}, {row_name(row, locale)}"
    return str(row.get("place") or f"between:{row['policy']}")


def _by_name(thing: Noun, locale: Language) -> str:
    return str(templates(locale.name).get(f"phrases.{thing.kind}.{thing.name}", thing.name))


def _rule(thing: Noun, locale: Language) -> str:
    texts = templates(locale.name)
    return listed([
        texts.get(f"phrases.rule.{name}") or words("phrases.rule.own", locale, name=locale.say(name_of(name)))
        for name in parts_of(thing.name)
    ], locale)  # fmt: skip


def _who(thing: Noun, locale: Language) -> str:
    if two := opposed(thing.name):
        one, other = (phrase(part, locale) for part in two)
        return words("phrases.who.unequal", locale, one=one, other=other)
    return _players(LineUp.parse(thing.name).policies[0][1] if "=" in thing.name else thing.name, locale, "who")


def _players(policy: str, locale: Language, form: str) -> str:
    """Players by the name of their policy, or their play."""
    texts = templates(locale.name)
    named, *habits = policy.split("+")
    base, _, rest = named.partition(":")
    size, _, model = rest.partition(":")
    if own := own_policy(policy):
        base, size, model = own.partition("+")[0].replace("_", " "), "", ""

    def of(name: str, /, **values: str) -> str:
        """A phrase; Italian has the same for players and their play."""
        return words(f"phrases.{form if f'phrases.{form}.{name}' in texts else 'who'}.{name}", locale, **values)

    called = of(base) if {f"phrases.{form}.{base}", f"phrases.who.{base}"} & set(texts) else of("own", name=base)
    called = called.removeprefix("+")
    called = of("samples", who=called, n=size) if size else called
    called = of("model", who=called, other=_players(model, locale, "who")) if model else called
    for habit in habits:
        called = of(habit, who=called)
    return called


def _between(thing: Noun, locale: Language) -> str:
    return f" {_place(Noun('place', f'between:{thing.name}'), locale)}"


def _both(thing: Noun, locale: Language) -> str:
    """Between the players of an unequal line-up, whoever deals."""
    named = listed([phrase(one, locale) for one in opposed(thing.name) or ()], locale)
    return f" {words('phrases.place.between', locale, who=named)}"


def _place(thing: Noun, locale: Language) -> str:
    kind, _, name = thing.name.partition(":")
    if kind == "rule":
        return _rule(Noun("rule", name), locale)
    called = _players_at(kind, name, locale)
    kind = "with" if kind == "between" and opposed(name) else kind
    return words(f"phrases.place.{kind}", locale, who=called, n=called, name=called)


PHRASES: dict[str, Callable[[Noun, Language], str]] = {
    "text": lambda thing, locale: thing.name,
    "number": lambda thing, locale: locale.numerals(f"{int(thing.name):,}"),
    "count": lambda thing, locale: templates(locale.name)["words.counts"][int(thing.name)],
    "message": lambda thing, locale: locale.say(thing.name),
    "plays": lambda thing, locale: choice_text(thing.name, locale),
    "what": lambda thing, locale: templates(locale.name)[f"sentences.what.{thing.name}"],
    "rule": _rule, "who": _who, "between": _between, "both": _both,
    "place": _place,
}  # fmt: skip
"""How nouns become words that are no names of phrases; studies add theirs."""


def listed(names: Sequence[str], locale: Language, most: int | None = None) -> str:
    """Names as in a sentence; of more than ``most`` only so many, and the number of the others if they are several.

    >>> from cirulla_sim.core.locale import language
    >>> listed(["a", "b", "c"], language("en")), listed(["a", "b", "c", "d"], language("it"), 2)
    ('a, b and c', 'a, b e altri 2')
    """
    shown = list(dict.fromkeys(names))
    if most is not None and len(shown) > most + 1:
        shown = [*shown[:most], words("words.others", locale, n=len(names) - most)]
    *others, last = shown or [""]
    return f"{', '.join(others)} {words('words.and', locale)} {last}" if others else last


# ------------------------------------------------------------------------------------------------ numbers


class Amount:
    """A number of a sentence: a size has no sign. Plain ones are rounded to what their intervals carry.

    ``differs`` is whether it is a difference, whose sign other words tell, ``places`` its decimals if it is plain: a
    share has none, but near one half and where it is small or large.
    """

    def __init__(self, row: Row, locale: Language, plain: bool) -> None:
        self.row, self.locale, self.plain = row, locale, plain
        self.differs = row["kind"] in DIFFERENCES or row["quantity"] == "margin"
        self._size = turned(row) if self.differs and row["estimate"] < 0 else row
        self._value = float(self._size["estimate"])
        exact = row.get("exact") is not None or None in (row["ci_low"], row["ci_high"])
        self._half = 0.0 if exact else float(row["ci_high"] - row["ci_low"]) / 2
        self._scale = 100.0 if is_share(row) else 1.0
        self._is_level = is_share(row) and row["kind"] not in DIFFERENCES
        self._texts = templates(locale.name)
        self.places = _places(self._scale * self._value, self._scale * self._half)
        if self._is_level and self._value >= 0.1 and row.get("exact") is None:
            self.places = min(self.places, 0 if self._value <= 0.9 and abs(self._value - 0.5) > EVEN else 1)

    def _unbroken(self, text: str) -> str:
        """A number that Italian does not break from its unit; English pages see to that themselves."""
        return text if self.locale.english else unbroken(text)

    def rounded(self, places: int) -> float:
        """The number with so many decimals, a share in percent."""
        return round(self._scale * self._value, places)

    def _holds(self, fraction: Fraction) -> bool:
        """Whether a fraction stands for the number."""
        return abs(self._value - fraction) <= max(NEAR * fraction, min(self._half, FAR * fraction))

    def _words(self, name: str, /, **values: object) -> str:
        return words(f"words.{name}", self.locale, **values)

    def _nearly(self, called: str, fraction: Fraction) -> str:
        if self._holds(fraction):
            return called
        return self._words("nearly" if self._value < fraction else "over", size=called)

    @property
    def bare(self) -> str:
        """The number without a unit; of shares in a hundred."""
        if self.plain:
            text = minus(f"{self._scale * self._value:,.{self.places}f}")
            return self.locale.numerals(text.rstrip("0").rstrip(".") if "." in text else text)
        written = number(self._size, self.locale).removeprefix("+")
        unit = self.locale.say("pp") if self.row["kind"] in DIFFERENCES else "%"
        return self._unbroken(written.removesuffix(unit).rstrip() if is_share(self.row) else written)

    @property
    def share(self) -> str:
        """A share in percent."""
        if not self.plain:
            return self._unbroken(number(self._size, self.locale))
        if self._value < 0.01 or self.rounded(self.places) == 100:
            return self.locale.percent(self._value)
        return f"{self.bare}%"

    @property
    def chance(self) -> str:
        """A share in percent, an exact one with three figures."""
        return self.locale.percent(self._value) if self.plain and self._half == 0 else self.share

    @property
    def figure(self) -> str:
        """A number with as many decimals as its interval carries, an exact one with three figures."""
        if not self.plain or is_share(self.row):
            return self.level
        value, half = self._value, self._half
        if half == 0 or not math.isfinite(half):
            text = f"{float(f'{value:.3g}'):,g}" if abs(value) < 100 else f"{value:,.0f}"
        else:
            text = f"{value:,.{min(2, max(0, -math.floor(math.log10(half))))}f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
        return minus(self.locale.numerals(text))

    @property
    def one_of(self) -> str:
        """A rare chance as people say it, with as many figures as its interval carries: one hand of 53."""
        figures = 3 if self._half <= ROUGHLY * self._value / 5 else 2
        below = round(float(f"{1 / self._value:.{figures}g}"))
        return self._words("one-of", one=self._trials[1], d=self.locale.numerals(f"{below:,}"))

    @property
    def level(self) -> str:
        """A share in percent, another number without a unit."""
        return self.share if is_share(self.row) else self.bare

    @property
    def _unit_name(self) -> str:
        """What it is counted in, as templates name it."""
        quantity = str(self.row["quantity"])
        name = UNITS.get(quantity, "point" if quantity.startswith("points_") else "none")
        if is_share(self.row):
            name = "percentage" if self.row["kind"] in DIFFERENCES else "percent"
        return name

    @property
    def unit(self) -> list[str]:
        """What it is counted in: one and many."""
        units: list[str] = self._texts.get(f"words.units.{self._unit_name}", self._texts["words.units.none"])
        return units[:2]

    @property
    def _frequency(self) -> Fraction | None:
        """The simple fraction that stands for a plain share, if one does; one in a number beyond ten."""
        p = self._value
        if not self.plain:
            return None
        if 0 < p < 0.095:
            return Fraction(1, round(float(f"{1 / p:.3g}")))
        if exact := [fraction for fraction in _FREQUENCIES if self._holds(fraction)]:
            return min(exact, key=lambda fraction: fraction.denominator)
        nearest = min(_FREQUENCIES, key=lambda fraction: abs(p - fraction) / fraction)
        return nearest if nearest.numerator == 1 and abs(p - nearest) <= ROUGHLY * nearest else None

    @property
    def _trials(self) -> list[str]:
        per = str(self.row.get("per"))
        units: list[str] = self._texts.get(f"words.units.{_TRIALS.get(per, per)}", self._texts["words.units.case"])
        return units[1:]

    @property
    def often(self) -> str:
        """How often something comes: one hand in four."""
        (many, one, of), fraction = self._trials, self._frequency
        if fraction is None:
            return self._words("share-of", share=self.share, of=of)
        n, d = fraction.numerator, fraction.denominator
        below = self._texts["words.counts"][d] if d <= 10 else self.locale.numerals(f"{d:,}")
        name = "half" if d == 2 else "one-in" if n == 1 else "several-in"
        called = self._words(name, n=self._texts["words.numbers"][n], d=below, one=one, many=many, of=of)
        return called if d > 10 else self._nearly(called, fraction)

    @property
    def ratio(self) -> str:
        """The same without what it is of: one in four."""
        fraction = self._frequency
        if fraction is None or fraction.denominator > 10:
            return self.share
        counts = self._texts["words.counts"]
        n, d = counts[fraction.numerator], counts[fraction.denominator]
        return self._nearly(self._words("ratio", n=n, d=d), fraction)

    @property
    def within(self) -> str:
        """In how many something comes: in one hand in four."""
        if self._frequency is None:
            return self._words("within-share", share=self.share, of=self._trials[2])
        return self._words("within-in", often=self.often)

    @property
    def many(self) -> bool:
        """Whether it is of more than one, for what agrees with it."""
        if not self._is_level:
            return self.bare != "1"
        if self._frequency is None:
            return self.locale.english  # 23% of the hands end, il 23% delle smazzate finisce
        return self._frequency.numerator > 1 or (self._frequency.denominator == 2 and self.locale.english)

    def __str__(self) -> str:
        if self._is_level:
            return self.share
        one, many = self.unit
        start = f"words.amounts.{self._unit_name}."
        amounts = {
            Fraction(name.removeprefix(start)): text for name, text in self._texts.items() if name.startswith(start)
        }
        if self.plain and amounts:
            nearest = min(amounts, key=lambda fraction: abs(self._value - fraction) / fraction)
            rough = nearest in _ROUGH_AMOUNTS and abs(self._value - nearest) <= ROUGHLY * nearest
            if self._holds(nearest) or rough:
                return self._nearly(amounts[nearest], nearest)
        bare = self.bare
        return self._unbroken(f"{bare} {one if bare == '1' else many}".rstrip())


def _amounts(finding: Finding, locale: Language, plain: bool) -> dict[str, Amount]:
    """The numbers of a finding; several levels have as many decimals, one more where they would look the same."""
    amounts = {name: Amount(row, locale, plain) for name, row in finding.sizes.items()}
    levels = [amount for amount in amounts.values() if not amount.differs]
    fewest = min((amount.places for amount in levels), default=0)
    if len({amount.rounded(fewest) for amount in levels}) < len({amount.rounded(9) for amount in levels}):
        fewest += 1
    for amount in levels:
        if amount.rounded(fewest):
            amount.places = fewest
    return amounts


def _places(value: float, half: float) -> int:
    """The fewest decimals that move a number by no more than half of its error: two figures, or one decimal.

    >>> [_places(*number) for number in ((1.5471, 0.04), (1.5, 0.7), (0.043, 0.03), (77.4, 1.2), (0.144, 0.006))]
    [1, 1, 2, 0, 2]
    """
    if not value or not math.isfinite(value):
        return 0
    most = 1 if abs(value) >= 1 else 1 - math.floor(math.log10(abs(value)))
    return next((n for n in range(most) if abs(round(value, n) - value) <= half / 2 and round(value, n)), most)


def _ends(row: Row, locale: Language) -> str:
    """What a difference that was not found may be at most."""
    share = is_share(row)
    scale, places = (100, 2) if share else (1, 3)
    low, high = (minus(locale.numerals(f"{scale * row[name]:+.{places}f}")) for name in ("ci_low", "ci_high"))
    _, unit = Amount(row, locale, plain=False).unit
    return words("words.ends", locale, low=low, high=high, unit=f" {unit}" if unit else "")
