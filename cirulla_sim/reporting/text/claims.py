"""Sentences about rows of results whose words a test chooses: more, less, best, no measurable effect.

A study, a title or a page gives the rows and the nouns; the claim decides what may be said of them. The verdicts are
those of ``stats.decisions``. Every claim keeps its rows, so that its words and numbers can be checked again.

What comparisons of rules and of line-ups show, in sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ...core.locale import Language
from ...experiments.tally import is_main
from ...stats.decisions import agreement, verdict, with_the_best
from .cells import DIFFERENCES, first_row, is_share, marked, minus, number, upward
from .cells import what as named
from .labels import EFFECTS, Metadata, capital, lower, name_of, policy_note, who_play

Row = Mapping[str, Any]

MOST_NAMED = 3
"""Names of a group that a sentence spells out."""


@dataclass(frozen=True)
class Claim:
    """A sentence, the test that chose its words and what it found, and the rows that both rest on."""

    text: str
    test: str
    verdict: str
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        return self.text

    @property
    def title(self) -> str:
        """The sentence as a title, without its full stop."""
        return self.text.removesuffix(".")


_ADVANTAGES = {
    "more": "{subject} makes {n} more than {other}.",
    "less": "{subject} makes {n} less than {other}.",
    "open": "The difference in points between {subject} and {other} is not significant ({ends}).",
    "same": "{subject} makes exactly as many points as {other}.",
}
_EFFECTS = {
    "more": "{cause} raises {what} by {bare}.",
    "less": "{cause} lowers {what} by {bare}.",
    "open": "{cause} has no measurable effect on {what} ({ends}).",
    "same": "{cause} leaves {what} exactly as it is.",
}
_AMONG = {
    "agree": "{change}: {each}; they agree.",
    "differ": "{change}: {each}; they differ in sign.",
    "some": "{change}: {each}; significant only {names}.",
    "none": "{change}: {each}; no measurable effect.",
}
_GREATEST = {
    "alone": "{names} changes {what} most, by {each}.",
    "tied": "{names} change {what} most, by {each}; these do not differ significantly.",
    "none": "No measurable effect on {what}: {names}.",
}
_BEST = {
    "single": "{what}: {first}.",
    "alone": "{what}: {first}, of {n} compared.",
    "tied": "{what}: {first}, of {n} compared; not distinguishable from it: {others}.",
    "all": "{what}: none of {n} stands out; the first is {first}.",
}
_BEST_OF_BOTH = {
    "agree": "{what}, of {n}: {name} ({first} between careful players, {second} between search players).",
    "open": "{what}, of {n}, between careful players: {first}; between search players: {second}.",
    "differ": "{what}, of {n}, is not the same between careful players: {first}; and between search players: {second}.",
}
_TIED = "{first}, not distinguishable from {others}"
_RELATIVE = "relative_change"
_UNITS = {
    "points": "points a hand", "margin": "points a hand", "margin_less_luck": "points a hand",
    "margin_moved": "points a hand", "points_moved": "points a hand", "strength": "points a hand",
    "hands": "hands a game", _RELATIVE: "percent",
}  # fmt: skip
_SHARES = "percentage points"
_MARGINS = ("margin", "margin_less_luck")


def advantage(row: Row, subject: str, other: str, locale: Language, where: str = "") -> Claim:
    """Whether one makes more points than another.

    ``where`` says among whom, before the sentence.

    >>> from cirulla_sim.core.locale import language
    >>> row = {"quantity": "margin", "kind": "difference", "estimate": 0.4, "std_error": 0.05, "ci_low": 0.3,
    ...        "ci_high": 0.5, "exact": None, "per": "hand"}
    >>> str(advantage(row, "the dealer", "the other side", language("en")))
    'The dealer makes 0.4 ± 0.1 points a hand more than the other side.'
    """
    return _by_verdict("advantage", _ADVANTAGES, row, locale, where, subject=subject, other=other)


def effect_of(row: Row, cause: str, what: str, locale: Language, where: str = "") -> Claim:
    """What a cause, such as a house rule, does to a quantity: raises it, lowers it, or has no measurable effect."""
    return _by_verdict("effect", _EFFECTS, row, locale, where, cause=cause, what=what)


def among(rows: Mapping[str, Row], change: str, locale: Language) -> Claim:
    """The same difference for several kinds of players, and whether its signs agree; they are named as in a sentence.

    >>> from cirulla_sim.core.locale import language
    >>> row = {"quantity": "points", "kind": "difference", "estimate": 0.4, "std_error": 0.05, "ci_low": 0.3,
    ...        "ci_high": 0.5, "exact": None, "per": "hand"}
    >>> str(among({"for you": row, "for me": row}, "the rule", language("en")))
    'The rule: +0.4 ± 0.1 for you and +0.4 ± 0.1 for me; they agree.'
    """
    each = listed([f"{signed(row, locale)} {who}" for who, row in rows.items()], locale)
    names = listed([who for who, row in rows.items() if verdict(row) in ("more", "less")], locale)
    found = agreement(list(rows.values()))
    return _claim("among", _AMONG, found, [*rows.values()], locale, change=change, each=each, names=names)


def of_both(
    careful: Row, search: Row, change: str, locale: Language,
    who: tuple[str, str] = ("between careful players", "between search players"),
) -> Claim:  # fmt: skip
    """The same difference for two kinds of players; ``who`` says which, in English."""
    return among(dict(zip(map(locale.say, who), (careful, search), strict=True)), change, locale)


def greatest_change(rows: Mapping[str, Row], what: str, locale: Language) -> Claim:
    """Which of several rules changes a quantity most, and which changes are not distinguishable from that one in size.

    Of a single rule, its effect.
    """
    if len(rows) == 1:
        [(cause, row)] = rows.items()
        return effect_of(row, locale.say("{rule}", rule=cause), what, locale)
    rows = {locale.say("{rule}", rule=name): row for name, row in rows.items()}
    significant = [(name, row) for name, row in rows.items() if verdict(row) in ("more", "less")]
    if not significant:
        names = listed([*rows], locale, MOST_NAMED)
        return _claim("greatest", _GREATEST, "none", [*rows.values()], locale, what=what, names=names)
    order = with_the_best([{**row, "estimate": abs(row["estimate"])} for _, row in significant])
    names = listed([significant[i][0] for i in order], locale, MOST_NAMED)
    each = listed([signed(significant[i][1], locale) for i in order], locale, MOST_NAMED)
    found = "alone" if len(order) == 1 else "tied"
    return _claim("greatest", _GREATEST, found, [row for _, row in significant], locale, what=what, names=names,
                  each=each)  # fmt: skip


def best(named: Mapping[str, Row], what: str, locale: Language, least: bool = False) -> Claim:
    """Which of several rows is the largest, or the ``least``, and which are not distinguishable from it.

    The rows are estimates of the same quantity, by name; ``what`` is what the largest is called.
    """
    names, rows = list(named), list(named.values())
    order = _ordered(rows, least)
    first, *tied = (f"{names[i]} ({signed(rows[i], locale)})" for i in order)
    found = "single" if len(rows) == 1 else "alone" if not tied else "all" if len(order) == len(rows) else "tied"
    return _claim(
        "least" if least else "best", _BEST, found, rows, locale, what=what, first=first, n=len(rows),
        others=listed(tied, locale, MOST_NAMED),
    )  # fmt: skip


def best_of_both(
    careful: Mapping[str, Row], search: Mapping[str, Row], what: str, locale: Language, least: bool = False
) -> Claim:  # fmt: skip
    """Which row is the largest, or the ``least``, between careful and between search players, each with its ties.

    Both have the same names. The two ``agree`` where the same name is alone in front, ``differ`` where no name may be
    in front of both, and are ``open`` otherwise.

    >>> from cirulla_sim.core.locale import language
    >>> row = {"quantity": "margin", "kind": "mean", "std_error": 0.1, "exact": None, "per": "hand"}
    >>> a, b = ({**row, "estimate": x, "ci_low": x - 0.2, "ci_high": x + 0.2} for x in (2.0, 1.0))
    >>> str(best_of_both({"ace": a, "six": b}, {"ace": a, "six": b}, "the largest margin", language("en")))
    'The largest margin, of 2: ace (+2.0 ± 0.2 between careful players, +2.0 ± 0.2 between search players).'
    """
    names, groups, texts = list(careful), [], []
    for rows in (careful, search):
        order = _ordered([rows[name] for name in names], least)
        first, *tied = (f"{names[i]} ({signed(rows[names[i]], locale)})" for i in order)
        groups.append(order)
        texts.append(locale.say(_TIED, first=first, others=listed(tied, locale, MOST_NAMED)) if tied else first)
    found = "agree" if groups[0] == groups[1] and len(groups[0]) == 1 else "open"
    if found == "agree":
        name = names[groups[0][0]]
        texts = [signed(rows[name], locale) for rows in (careful, search)]
    elif set(groups[0]).isdisjoint(groups[1]):
        found = "differ"
    return _claim(
        "least of both" if least else "best of both", _BEST_OF_BOTH, found, (*careful.values(), *search.values()),
        locale, what=what, n=len(names), name=names[groups[0][0]], first=texts[0], second=texts[1],
    )  # fmt: skip


def counted(
    rows: Sequence[Row], sentence: str, locale: Language, verdicts: Collection[str] = ("more", "less"), **nouns: str
) -> Claim:  # fmt: skip
    """How many of several differences are significant; the sentence has places for ``{k}`` and ``{n}``, and nouns.

    ``verdicts`` are those that count: with ``("more",)`` how many are significantly above 0.
    """
    k = sum(verdict(row) in verdicts for row in rows)
    text = capital(locale.say(sentence, k=k, n=locale.numerals(f"{len(rows):,}"), **nouns))
    return Claim(text, "count", " or ".join(verdicts), tuple(rows))


def stated(
    sentence: str, locale: Language, rows: Mapping[str, Row], show: Callable[[Row, Language], str] | None = None,
    **nouns: str,
) -> Claim:  # fmt: skip
    """Numbers of rows in a sentence that compares nothing; each place of it is named as its row, or as a noun.

    ``show`` says how a number is written, with its interval unless it is given.
    """
    numbers = {name: (show or signed)(row, locale) for name, row in rows.items()}
    return Claim(capital(locale.say(sentence, **numbers, **nouns)), "number", "", tuple(rows.values()))


def extreme(row: Row, sentence: str, locale: Language, unit: str) -> Claim:
    """The largest of many numbers, with how many were looked at: places for ``{n}`` and ``{looked_at}``."""
    looked_at = locale.numerals(f"{row['n']:,} {locale.say(unit)}")
    value = locale.numerals(f"{row['estimate']:,.6g}")
    return Claim(capital(locale.say(sentence, n=value, looked_at=looked_at)), "extreme", "", (row,))


def signed(row: Row, locale: Language) -> str:
    """A number with its interval and unit: a difference or margin with its sign, one of shares in percentage points."""
    if row["kind"] in DIFFERENCES and is_share(row):
        return f"{number(row, locale).removesuffix(locale.say('pp')).rstrip()} {locale.say(_SHARES)}"
    return number({**row, "kind": "difference"} if row["quantity"] in _MARGINS else row, locale)


def amount(row: Row, locale: Language) -> str:
    """How large a difference is, without its sign, with its interval and unit."""
    text = signed(upward(row), locale).removeprefix("+")
    unit = _UNITS.get(row["quantity"])
    return text if unit is None else f"{text} {locale.say(unit)}"


def ends(row: Row, locale: Language) -> str:
    """The ends of an interval, with their unit: what a difference that is not significant may be."""
    scale, places = (100, 2) if is_share(row) else (1, 3)
    low, high = (minus(locale.numerals(f"{scale * row[name]:+.{places}f}")) for name in ("ci_low", "ci_high"))
    unit = locale.say(_SHARES if is_share(row) else _UNITS.get(row["quantity"], ""))
    return locale.say("{low} to {high}", low=low, high=high) + f" {unit}".rstrip()


def listed(names: Sequence[str], locale: Language, most: int | None = None) -> str:
    """Names as in a sentence; of more than ``most`` only so many, and the number of the others if they are several.

    >>> from cirulla_sim.core.locale import language
    >>> listed(["a", "b", "c"], language("en")), listed(["a", "b", "c", "d"], language("it"), 2)
    ('a, b and c', 'a, b e altri 2')
    """
    shown = list(names)
    if most is not None and len(shown) > most + 1:
        shown = [*shown[:most], locale.say("{n} others", n=len(names) - most)]
    *others, last = shown or [""]
    return f"{', '.join(others)} {locale.say('and')} {last}" if others else last


def _ordered(rows: Sequence[Row], least: bool) -> list[int]:
    """The places of the largest row, or the smallest, and of those not distinguishable from it."""
    return with_the_best([{**row, "estimate": -row["estimate"]} for row in rows] if least else rows)


def _by_verdict(
    test: str, sentences: Mapping[str, str], row: Row, locale: Language, where: str, **nouns: str
) -> Claim:  # fmt: skip
    text = amount(row, locale)
    unit = "" if row["quantity"] == _RELATIVE else locale.say(_UNITS.get(row["quantity"], ""))
    numbers = {"n": text, "bare": text.removesuffix(unit).rstrip(), "ends": ends(row, locale)}
    claim = _claim(test, sentences, verdict(row), (row,), locale, **nouns, **numbers)
    return replace(claim, text=f"{capital(where)}, {lower(claim.text)}") if where else claim


def _claim(
    test: str, sentences: Mapping[str, str], found: str, rows: Sequence[Row], locale: Language, **values: object
) -> Claim:  # fmt: skip
    return Claim(capital(locale.say(sentences[found], **values)), test, found, tuple(rows))


MOST_CHANGES = 2
"""Changes of a comparison that are described."""

_WINNERS = (
    ("winner_changed", "Hands with another winner: {each}."),
    ("game_winner_changed", "Games with another winner: {each}."),
)
"""Shares that have no direction, and a sentence for the largest."""


def compare_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim | str]:
    """The largest significant effects, what matters most first; how many hands have another winner."""
    base = frame["rules"][0]
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    described: list[str] = []
    for quantity, side, what in effects_of(metadata, locale):
        rows = differences.filter(quantity=quantity, side=side)
        for row in rows.sort(pl.col("estimate").abs(), descending=True, maintain_order=True).iter_rows(named=True):
            if len(described) < MOST_CHANGES and row["rules"] not in described and verdict(row) != "open":
                rule = locale.say("{rule}", rule=locale.say(name_of(row["rules"])))
                yield effect_of(row, rule, what, locale)
                described.append(row["rules"])
    yield from _who_wins(differences, metadata, locale)
    yield from _winners(frame, locale)
    main = [row for row in differences.to_dicts() if is_main(row)]
    for rules in described or [row["rules"] for row in main[:1]]:
        yield _p_values([row for row in main if row["rules"] == rules], locale)
    if main:
        sentence = "{k} of {n} differences from {base} are significant (Holm, 5%)."
        yield counted(main, sentence, locale, base=locale.say(name_of(base)))


def _p_values(rows: Sequence[Row], locale: Language) -> str:
    """The adjusted p-values of what a rule set changes."""
    each = [
        f"{lower(named(row, locale))} p < {locale.numerals('0.001')}"
        if row["p_holm"] < 0.001
        else f"{lower(named(row, locale))} p = {locale.numerals(format(row['p_holm'], '.2g'))}"
        for row in rows
    ]
    rule = locale.say(name_of(rows[0]["rules"]))
    return locale.say("{rules}, p-values after Holm’s correction: {each}.", rules=rule, each="; ".join(each))


def _who_wins(differences: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """Which rules change how often the dealer's side wins the game or, where none is played, the hand."""
    for quantity in ("wins_game", "wins_hand"):
        rows = differences.filter(quantity=quantity, side="dealer").to_dicts()
        if not rows:
            continue
        of = next(words for name, _, words in effects_of(metadata, locale) if name == quantity)
        changed = sorted((row for row in rows if verdict(row) != "open"), key=lambda row: -abs(row["estimate"]))
        each = [f"{locale.say(name_of(row['rules']))} {number(row, locale)}" for row in changed]
        if len(rows) == 1:
            [row] = rows
            yield effect_of(row, locale.say("{rule}", rule=locale.say(name_of(row["rules"]))), of, locale)
        else:
            sentence = (
                "{k} of {n} rules change {what}: {each}." if changed else "None of {n} rules is seen to change {what}."
            )
            yield counted(rows, sentence, locale, what=of, each=listed(each, locale, MOST_NAMED))
        return


def effects_of(metadata: Metadata, locale: Language) -> list[tuple[str, str, str]]:
    """The quantities whose changes are put in a sentence: name, side, and words with the policy of that side."""
    return [
        (quantity, side, locale.say(what) + (policy_note(metadata, side, locale) if side != "all" else ""))
        for quantity, side, what in EFFECTS
    ]


def _winners(frame: pl.DataFrame, locale: Language) -> Iterator[Claim]:
    for quantity, sentence in _WINNERS:
        rows = frame.filter(pl.col("estimate") > 0, quantity=quantity)
        largest = rows.sort("estimate", descending=True, maintain_order=True).head(MOST_CHANGES).to_dicts()
        each = "; ".join(f"{locale.say(name_of(row['rules']))} {number(row, locale)}" for row in largest)
        if each:
            yield Claim(locale.say(sentence, each=each), "number", "", tuple(largest))


def compare_line_ups_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """The effects on points, largest first, for each line-up, and whether they agree."""
    changes = frame.filter(quantity="points", side="all", kind="difference")
    size = pl.col("estimate").abs().max().over("rules")
    names = changes.sort(size, descending=True, maintain_order=True)["rules"].unique(maintain_order=True)
    for rules in names[:MOST_CHANGES]:
        rows = {
            locale.say("for {line_up}", line_up=who_play(row["policy"], locale)): row
            for row in changes.filter(rules=rules).iter_rows(named=True)
        }
        change = locale.say("{rule}, change of the points of a hand", rule=locale.say(name_of(rules)))
        yield among(rows, change, locale)
        winners = frame.filter(pl.col("estimate") > 0, quantity="winner_changed", rules=rules)
        if winners.height:
            each = f"{locale.say(name_of(rules))}, {_each_line_up(winners, locale)}"
            yield Claim(locale.say(_WINNERS[0][1], each=each), "number", "", tuple(winners.to_dicts()))
    differences = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    if differences:
        yield counted(differences, "{k} of {n} differences are significant (Holm, 5%).", locale)


_LINE_UPS = (
    ("margin", "hand", "dealer", "What dealing is worth in points a hand: {each}."),
    ("points", "hand", "all", "Points a hand, all sides together: {each}."),
    ("wins_game", "game", "dealer", "Games won by the side that deals first: {each}."),
    ("hands", "game", "all", "Hands in a game: {each}."),
)


def line_ups_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Claim]:
    """What each line-up makes, what the first of the others changes, and how many differences are significant."""
    levels = frame.filter(pl.col("value").is_null(), pl.col("kind") != "difference")
    for quantity, per, side, sentence in _LINE_UPS:
        rows = levels.filter(quantity=quantity, per=per, side=side).unique("policy", keep="first", maintain_order=True)
        if rows.height:
            yield Claim(locale.say(sentence, each=_each_line_up(rows, locale)), "number", "", tuple(rows.to_dicts()))
    if "p_holm" not in frame.columns:  # of games, each line-up by itself
        return
    first, *others = frame["policy"].unique(maintain_order=True).to_list()
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    for quantity, side, what in effects_of(metadata, locale):
        row = first_row(differences, quantity, side=side, policy=others[0])
        if row is not None:
            cause = locale.say("{one} instead of {other} play", one=who_play(others[0], locale),
                               other=who_play(first, locale))  # fmt: skip
            yield effect_of(row, cause, what, locale)
            break
    if differences.height:
        sentence = "{k} of {n} differences between the line-ups are significant (Holm, 5%)."
        yield counted(differences.to_dicts(), sentence, locale)


def _each_line_up(rows: pl.DataFrame, locale: Language) -> str:
    """The number of each line-up; differences are marked where they are not significant."""
    return "; ".join(f"{who_play(row['policy'], locale)} {marked(row, locale)}" for row in rows.iter_rows(named=True))
