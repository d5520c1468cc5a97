"""What results show, as values: what was compared, which way, by how much, for whom, by which test.

A finding has no words; ``sentences`` renders it. Its direction is chosen by a test of its rows (``stats.decisions``),
so nothing is called more, less, most or best that is not significant.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...situation.line_up import LineUp
from ...stats.decisions import verdict, with_the_best
from .cells import Row


class Noun(NamedTuple):
    """Something that a sentence names: a kind of phrase and a name; words stay as they are."""

    kind: str
    name: str


Things = Noun | tuple[Noun, ...] | int | str


@dataclass(frozen=True)
class Finding:
    """What some rows show.

    ``kind`` and ``direction`` say by which sentence; ``about`` is what and whom it is about, ``sizes`` are the numbers
    in it, both by their places. ``test`` chose the direction from ``rows``: ``sign`` by the sign of the first, ``rank``
    by which are not distinguishable from the largest, ``least`` from the smallest and ``size`` from the largest without
    sign, ``count`` by how many are significant; an empty test claims nothing. ``then`` are findings about others that
    the sentence goes on with.
    """

    kind: str
    direction: str = ""
    about: Mapping[str, Things] = field(default_factory=dict)
    sizes: Mapping[str, Row] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    test: str = ""
    then: tuple[Finding, ...] = ()


Sentence = str | Finding

FEW = 3
"""Fewer rules than these are named where they may change as much as the first."""


def rule(name: str) -> Noun:
    """A preset, a house rule or several, as a circumstance: without the matta."""
    return Noun("rule", name)


def who(line_up: str) -> Noun:
    """The players of a line-up."""
    return Noun("who", line_up)


def between(line_up: str, row: Row) -> Noun:
    """Between whom a number was found; of unequal players in a game it is said that some deal the ``first`` hand."""
    return Noun("first" if row["per"] == "game" and opponents_in(line_up) else "between", line_up)


def opponents_in(line_up: str) -> tuple[Noun, Things] | None:
    """Who deals, or we, and who else plays, where these differ; None where all play alike."""
    named = dict(LineUp.parse(line_up).policies) if line_up else {}
    if len(set(named.values())) < 2:
        return None
    own = next((place for place in ("dealer", "us", "me") if place in named), next(iter(named)))
    one = who(named.pop(own))
    others = tuple(map(who, dict.fromkeys(named.values())))
    return one, others[0] if len(others) == 1 else others


def deal_in_turn(line_ups: Sequence[str]) -> bool:
    """Whether in one of two line-ups those deal who are the others in the other."""
    return len(line_ups) == 2 and opponents_in(line_ups[0]) == (opponents_in(line_ups[1]) or ())[::-1]


def unequal_players(line_up: str) -> dict[str, Things]:
    """Players who are not equal, by their places in a sentence: ``who`` deals, and the ``other``."""
    return dict(zip(("who", "other"), opponents_in(line_up) or (), strict=False))


def is_decided(row: Row) -> bool:
    """Whether a number is significantly above 0 or below it."""
    return verdict(row) in ("more", "less")


def find_sign(kind: str, row: Row, **about: Things) -> Finding:
    """Whether a number is above 0, below it, or not significantly apart from it; its size has no sign."""
    return Finding(kind, verdict(row), about, {"size": row}, (row,), "sign")


def find_signs(kind: str, rows: Mapping[str, Row], **about: Things) -> Finding:
    """The same for several line-ups, each by its own test; ``who`` and ``between`` name the players."""
    return join_findings(
        *(find_sign(kind, row, who=who(name), between=between(name, row), **about) for name, row in rows.items())
    )


def join_findings(first: Finding, *others: Finding) -> Finding:
    """Findings of one kind in a sentence."""
    return replace(first, then=others)


def state(kind: str, direction: str = "", sizes: Mapping[str, Row] | None = None, **about: Things) -> Finding:
    """Numbers that are compared with nothing, in a sentence with their places."""
    sizes = sizes or {}
    return Finding(kind, direction, about, sizes, tuple(sizes.values()))


def count_significant(
    kind: str, rows: Sequence[Row], verdicts: Collection[str] = ("more", "less"),
    sizes: Mapping[str, Row] | None = None, **about: Things,
) -> Finding:  # fmt: skip
    """How many of some differences are significant, above 0, below it or both: ``k`` of ``n``."""
    k, n = sum(verdict(row) in verdicts for row in rows), len(rows)
    direction = "all" if k == n else "some" if k else "none"
    return Finding(kind, direction, {**about, "k": k, "n": n}, sizes or {}, tuple(rows), f"count {' '.join(verdicts)}")


def in_front(rows: Sequence[Row], least: bool = False) -> list[int]:
    """The places of the largest row, or the smallest, and of those not distinguishable from it."""
    return with_the_best([{**row, "estimate": -row["estimate"]} for row in rows] if least else rows)


def rank_rows(kind: str, named: Mapping[Noun, Row], least: bool = False, **about: Things) -> Finding:
    """Which of several rows is the largest, or the ``least``, if one is; ``tied`` names those that may be.

    One row alone is the ``most``, with nothing to compare.
    """
    names, rows = list(named), list(named.values())
    order = in_front(rows, least)
    direction = "tied" if len(order) > 1 else "least" if least else "most"
    others = tuple(names[i] for i in order[1:])
    about |= {"place": names[order[0]], "places": tuple(names), "others": others}
    return Finding(kind, direction, about, {"size": rows[order[0]]}, tuple(rows), "least" if least else "rank")


def find_extreme(kind: str, named: Mapping[Noun, Row], way: str = "") -> Finding:
    """The largest of several rows or the smallest, whichever is further from the next.

    Of a way that ``costs-`` the largest is the furthest below 0; what brings or costs least does so significantly.
    Where neither stands out, their ends may differ still: they are ``apart``.
    """
    down = way == "costs-"
    most, least = rank_rows(kind, named, least=down), rank_rows(kind, named, least=not down)
    stands_out = least.direction != "tied" and (not way or is_decided(least.sizes["size"]))
    if most.direction == "tied" and not stands_out:
        if len(most.about["others"]) == len(named) - 1:  # type: ignore[arg-type]
            return most
        return replace(most, direction=f"{way}apart", about={**most.about, "place2": least.about["place"]})
    sizes = sorted(-row["estimate"] if down else row["estimate"] for row in named.values())
    further = len(sizes) > 1 and sizes[1] - sizes[0] > sizes[-1] - sizes[-2]
    if stands_out and (most.direction == "tied" or further):
        return replace(least, direction=f"{way}least")
    return replace(most, direction=f"{way}most")


def largest_change(kind: str, rows: Mapping[str, Row], what: str, games: bool = False, **about: Things) -> Finding:
    """Which of several rules, or ``games``, changes a quantity most, and whether others may as much; of one, its
    effect.
    """
    if len(rows) == 1:
        [(name, row)] = rows.items()
        return find_sign(kind, row, rule=rule(name), **about)
    significant = {name: row for name, row in rows.items() if is_decided(row)}
    if not significant:
        quantity = Noun("what", what)
        return Finding("lead", "none", {"n": len(rows), "what": quantity}, {}, tuple(rows.values()), "count more less")
    names, sizes = list(significant), [{**row, "estimate": abs(row["estimate"])} for row in significant.values()]
    first, *others = (names[i] for i in with_the_best(sizes))
    effect = find_sign(kind, significant[first], rule=rule(first), **about)
    alike = [name for name in others if significant[name]["estimate"] * significant[first]["estimate"] > 0]
    if others and not alike:  # as large, the other way
        return effect
    return name_leaders(effect, alike, tuple(significant.values()), "size", games)


def name_leaders(first: Finding, others: Sequence[str], rows: tuple[Row, ...], test: str, games: bool) -> Finding:
    """The largest of some effects, and the rules whose effects may be as large; ``games`` are no rules."""
    if games and not others:
        return first
    direction = "alone" if not others else "tied" if len(others) < FEW else "many"
    about: dict[str, Things] = {"others": tuple(map(rule, others)), "n": len(others)}
    return Finding("lead", direction, about, {}, rows, test, (first,))


def dealing_compared(named: Mapping[Noun, Row]) -> Finding:
    """Where dealing brings or costs most or least, of margins between equal sides."""
    rows, signs = tuple(named.values()), set(map(verdict, named.values()))
    if {"more", "less"} <= signs:  # of those that are significant the furthest
        decided = {noun: row["estimate"] for noun, row in named.items() if is_decided(row)}
        worst, *_, best = sorted(decided, key=decided.__getitem__)
        return Finding("rank.margin", "both", {"place": best, "place2": worst},
                       {"size": named[best], "other": named[worst]}, (named[best], named[worst]), "signs")  # fmt: skip
    if not {"more", "less"} & signs:
        return Finding("rank.margin", "none", {"places": tuple(named)}, {}, rows, "count more less")
    way = "brings-" if "more" in signs else "costs-"
    found = find_extreme("rank.margin", named, way)
    if found.direction.endswith("-apart") and not is_decided(named[found.about["place2"]]):  # type: ignore[index]
        return replace(found, direction=f"{way}open-apart")
    if found.direction != "tied" or len(signs) > 1:
        return found
    low, *_, high = sorted(rows, key=lambda row: abs(row["estimate"]))
    return replace(found, direction=f"{way}tied", sizes={"size": low, "other": high})


def holds(finding: Finding) -> bool:
    """Whether a finding passed its test, and so those that its sentence goes on with; one that claims nothing holds.

    A count of significant rows is no test, and does not.

    >>> row = {"estimate": 0.5, "std_error": 0.1, "ci_low": 0.3, "ci_high": 0.7}
    >>> holds(find_sign("dealing", row)), holds(find_sign("dealing", {**row, "ci_low": -0.1})), holds(state("scores"))
    (True, False, True)
    """
    if finding.test == "sign":
        return all(map(is_decided, finding.rows)) and all(map(holds, finding.then))
    if finding.test in ("rank", "least", "size"):
        return not finding.direction.endswith(("tied", "many"))
    return finding.test in ("", "signs")
