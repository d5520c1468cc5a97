"""What results show, as values: what was compared, which way, by how much, for whom, by which test.

A finding has no words; ``sentences`` renders it. Its direction is chosen by a test of its rows (``stats.decisions``),
so nothing is called more, less, most or best that is not significant.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, NamedTuple

import polars as pl

from ...situation.line_up import LineUp
from ...stats.decisions import verdict, with_the_best
from .cells import Row, first_row, turned
from .labels import Metadata, fields_of, line_ups_of


class Noun(NamedTuple):
    """Something that a sentence names: a kind of phrase and a name; a ``text`` stays as it is."""

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


FEW = 3
"""Fewer rules than these are named where they may change as much as the first."""


def text(words: str) -> Noun:
    """Words that stay as they are."""
    return Noun("text", words)


def rule(name: str) -> Noun:
    """A preset, a house rule or several, as a circumstance: without the matta."""
    return Noun("rule", name)


def who(line_up: str) -> Noun:
    """The players of a line-up."""
    return Noun("who", line_up)


def opposed(line_up: str) -> tuple[Noun, Things] | None:
    """Who deals, or we, and who else plays, where these differ; None where all play alike."""
    named = dict(LineUp.parse(line_up).policies) if line_up else {}
    if len(set(named.values())) < 2:
        return None
    own = next((place for place in ("dealer", "us", "me") if place in named), next(iter(named)))
    one = who(named.pop(own))
    others = tuple(map(who, dict.fromkeys(named.values())))
    return one, others[0] if len(others) == 1 else others


def exchanged(line_ups: Sequence[str]) -> bool:
    """Whether in one of two line-ups those deal who are the others in the other."""
    return len(line_ups) == 2 and opposed(line_ups[0]) == (opposed(line_ups[1]) or ())[::-1]


def unequal(line_up: str) -> dict[str, Things]:
    """Players who are not equal, by their places in a sentence: ``who`` deals, and the ``other``."""
    return dict(zip(("who", "other"), opposed(line_up) or (), strict=False))


def is_clear(row: Row) -> bool:
    """Whether a number is significantly above 0 or below it."""
    return verdict(row) in ("more", "less")


def signed(kind: str, row: Row, **about: Things) -> Finding:
    """Whether a number is above 0, below it, or not significantly apart from it; its size has no sign."""
    return Finding(kind, verdict(row), about, {"size": row}, (row,), "sign")


def among(kind: str, rows: Mapping[str, Row], **about: Things) -> Finding:
    """The same for several line-ups, each by its own test; ``who`` and ``between`` name the players."""
    first, *others = (
        signed(kind, row, who=who(name), between=Noun("between", name), **about) for name, row in rows.items()
    )
    return replace(first, then=tuple(others))


def followed(first: Finding, *others: Finding) -> Finding:
    """Findings of one kind in a sentence."""
    return replace(first, then=others)


def stated(kind: str, direction: str = "", sizes: Mapping[str, Row] | None = None, **about: Things) -> Finding:
    """Numbers that are compared with nothing, in a sentence with their places."""
    sizes = sizes or {}
    return Finding(kind, direction, about, sizes, tuple(sizes.values()))


def counted(
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


def ranked(
    kind: str, named: Mapping[Noun, Row], least: bool = False, place: str = "place",
    about: Mapping[str, Things] | None = None,
) -> Finding:  # fmt: skip
    """Which of several rows is the largest, or the ``least``, if one is; ``tied`` names those that may be.

    One row alone is the ``most``, with nothing to compare.
    """
    names, rows = list(named), list(named.values())
    order = in_front(rows, least)
    direction = "tied" if len(order) > 1 else "least" if least else "most"
    others = tuple(names[i] for i in order[1:])
    places = {**(about or {}), place: names[order[0]], f"{place}s": tuple(names), "others": others}
    return Finding(kind, direction, places, {"size": rows[order[0]]}, tuple(rows), "least" if least else "rank")


def each_ranked(kind: str, named: Mapping[str, Mapping[Noun, Row]], least: bool = False) -> Finding:
    """The same among each of some players, by their line-up."""
    return followed(*(ranked(kind, rows, least, about={"who": who(line_up)}) for line_up, rows in named.items()))


def outstanding(kind: str, named: Mapping[Noun, Row]) -> Finding:
    """The largest of several rows or the smallest, whichever is further from the next."""
    most, least = ranked(kind, named), ranked(kind, named, least=True)
    if most.direction == least.direction == "tied":
        return _level(most, least)
    if most.direction == "tied" or least.direction == "tied":
        return most if least.direction == "tied" else least
    values = sorted(row["estimate"] for row in named.values())
    return most if len(values) < 2 or values[-1] - values[-2] >= values[1] - values[0] else least


def _level(most: Finding, least: Finding, way: str = "") -> Finding:
    """What is said where neither the largest of some rows nor the smallest stands out; their ends may differ still."""
    if len(most.about["others"]) == len(most.rows) - 1:  # type: ignore[arg-type]
        return replace(most, direction="tied")
    return replace(most, direction=f"{way}apart", about={**most.about, "place2": least.about["place"]})


def largest_change(kind: str, rows: Mapping[str, Row], what: str, **about: Things) -> Finding:
    """Which of several rules changes a quantity most, and whether others may change it as much; of one, its effect."""
    if len(rows) == 1:
        [(name, row)] = rows.items()
        return signed(kind, row, rule=rule(name), **about)
    significant = {name: row for name, row in rows.items() if is_clear(row)}
    if not significant:
        quantity = Noun("what", what)
        return Finding("lead", "none", {"n": len(rows), "what": quantity}, {}, tuple(rows.values()), "count more less")
    names, sizes = list(significant), [{**row, "estimate": abs(row["estimate"])} for row in significant.values()]
    first, *others = (names[i] for i in with_the_best(sizes))
    effect = signed(kind, significant[first], rule=rule(first), **about)
    return _leading(effect, others, tuple(significant.values()), "size")


def _leading(first: Finding, others: Sequence[str], rows: tuple[Row, ...], test: str) -> Finding:
    """The largest of some effects, and the rules whose effects may be as large."""
    direction = "alone" if not others else "tied" if len(others) < FEW else "many"
    about: dict[str, Things] = {"others": tuple(map(rule, others)), "n": len(others)}
    return Finding("lead", direction, about, {}, rows, test, (first,))


def dealing_compared(named: Mapping[Noun, Row]) -> Finding:
    """Where dealing brings or costs most or least, of margins between equal sides."""
    names = list(named)
    signs = {name: verdict(row) for name, row in named.items()}
    found = {sign: [name for name in names if signs[name] == sign] for sign in ("more", "less")}
    rows = tuple(named.values())
    if found["more"] and found["less"]:
        best, worst = names[in_front(rows)[0]], names[in_front(rows, least=True)[0]]
        return Finding("rank.margin", "both", {"place": best, "place2": worst},
                       {"size": named[best], "other": named[worst]}, (named[best], named[worst]), "signs")  # fmt: skip
    if not found["more"] and not found["less"]:
        return Finding("rank.margin", "none", {"places": tuple(names)}, {}, rows, "count more less")
    brings = bool(found["more"])
    most, fewest = ranked("rank.margin", named, least=not brings), ranked("rank.margin", named, least=brings)
    last = fewest.direction != "tied" and signs[fewest.about["place"]] in ("more", "less")  # type: ignore[index]
    if most.direction == "tied" and not last:
        return _level(most, fewest, "brings-" if brings else "costs-")
    values = sorted(abs(row["estimate"]) for row in rows)
    least = last and (most.direction == "tied" or values[1] - values[0] > values[-1] - values[-2])
    way = f"{'brings' if brings else 'costs'}-{'least' if least else 'most'}"
    return replace(fewest if least else most, direction=way)


def holds(finding: Finding) -> bool:
    """Whether a finding passed its test, and so those that its sentence goes on with; one that claims nothing holds.

    A count of significant rows is no test, and does not.

    >>> row = {"estimate": 0.5, "std_error": 0.1, "ci_low": 0.3, "ci_high": 0.7}
    >>> holds(signed("dealing", row)), holds(signed("dealing", {**row, "ci_low": -0.1})), holds(stated("scores"))
    (True, False, True)
    """
    if finding.test == "sign":
        return all(map(is_clear, finding.rows)) and all(map(holds, finding.then))
    if finding.test in ("rank", "least", "size"):
        return finding.direction not in ("tied", "many")
    return finding.test in ("", "signs")


# ------------------------------------------------------------------------------------------------ hands and games


def dealing_side(metadata: Metadata) -> Noun:
    """The dealer, with the partner where there are pairs."""
    return Noun("side", "pair" if fields_of(metadata).partnership else "dealer")


def line_up_of(metadata: Metadata) -> str:
    """The line-up of a file of one."""
    return next((str(line_up) for line_up in line_ups_of(metadata)), "")


def margin(row: Row, line_up: str) -> Finding:
    """What dealing brings or costs; between unequal players, who makes more, which is skill."""
    players = unequal(line_up)
    return signed("skill", row, **players) if players else signed("dealing", row, who=who(line_up))


def margin_of(frame: pl.DataFrame, metadata: Metadata) -> Finding | None:
    """The same of a file of one line-up; None where one hand tells no error."""
    row = first_row(frame, "margin", side="dealer", kind="mean")
    return None if row is None or not math.isfinite(row["std_error"]) else margin(row, line_up_of(metadata))


def won(kind: str, sizes: Mapping[str, Row], line_up: str, **about: Things) -> Finding:
    """How often the dealer's side wins a hand or a game; of unequal players it says who plays."""
    players = unequal(line_up)
    return stated(kind, "uneven" if players else "", sizes, **players, **about)


def source(categories: Sequence[Row], points: Row | None) -> Finding:
    """From where most points come: the shares of the two largest categories."""
    first, *others = categories
    names = [Noun("points", row["quantity"]) for row in categories]
    if not others or points is None or points["estimate"] <= 0:
        return stated("source", "two", {"size": first}, first=names[0])
    sizes = [{**row, "kind": "share", "per": "point", **{name: row[name] / points["estimate"] for name in _NUMBERS}}
             for row in (first, others[0])]  # fmt: skip
    return stated("source", "", {"size": sizes[0], "other": sizes[1]}, first=names[0], second=names[1])


_NUMBERS = ("estimate", "std_error", "ci_low", "ci_high")


# ------------------------------------------------------------------------------------------------ line-ups, files

COMPARED = {"margin": ("hand", "dealer"), "points": ("hand", "all"), "wins_hand": ("side", "dealer"),
            "wins_game": ("game", "dealer"), "hands": ("game", "all"), "lead_changes": ("game", "all")}  # fmt: skip
"""What line-ups and files are compared by: one trial, and the side that it is of."""


def levels(frame: pl.DataFrame, quantity: str) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up."""
    per, of = COMPARED.get(quantity, ("hand", "all"))
    rows = frame.filter(pl.col("kind") != "difference", pl.col("value").is_null(), quantity=quantity, per=per, side=of)
    return rows.unique("policy", keep="first", maintain_order=True).to_dicts()


def compared(quantity: str, named: Mapping[Noun, Row]) -> Finding:
    """Where a quantity is largest or smallest; names are places, as ``between:careful`` or ``players:3``."""
    line_ups = {noun.name.removeprefix("between:"): row for noun, row in named.items()
                if noun.name.startswith("between:")}  # fmt: skip
    uneven = [(name, row) for name, row in line_ups.items() if opposed(name)]
    mirrored = exchanged([name for name, _ in uneven])
    if quantity == "margin" and mirrored and (found := _better(uneven)):
        return found
    if quantity == "margin" and (uneven or len(named) == len(line_ups) == 1):
        return followed(*(margin(row, name) for name, row in (uneven or line_ups.items())))
    if quantity in ("wins_hand", "wins_game") and uneven:
        sized = ((name, {"size": row, "won": row}) for name, row in uneven)
        first, *then = (won("wins_side" if quantity == "wins_hand" else quantity, sizes, name) for name, sizes in sized)
        return followed(first, *(replace(other, direction="back") if mirrored else other for other in then))
    if quantity == "margin":
        return dealing_compared(named)
    found = outstanding(f"rank.{quantity}", named)
    if found.direction != "tied":
        return found
    return replace(found, sizes={"size": sorted(named.values(), key=itemgetter("estimate"))[(len(named) - 1) // 2]})


def _better(line_ups: Sequence[tuple[str, Row]]) -> Finding | None:
    """Who makes more of two who deal in turn, whoever deals; None where it is not the same."""
    rows = [row for _, row in line_ups]
    signs = [verdict(row) for row in rows]
    if sorted(signs) != ["less", "more"]:
        return None
    one, other = opposed(line_ups[signs.index("more")][0]) or ("", "")
    low, high = sorted(rows, key=lambda row: abs(row["estimate"]))
    apart = abs(high["estimate"]) > max(abs(low["ci_low"]), abs(low["ci_high"]))
    about, sizes = {"who": one, "other": other}, {"size": low, "most": high}
    return Finding("skill_both", "apart" if apart else "", about, sizes, tuple(rows), "signs")


# ------------------------------------------------------------------------------------------------ rules


def effect(quantity: str, rows: Sequence[Row], metadata: Metadata) -> Finding:
    """Which rules change a quantity most; for several line-ups what the rule that changes it most does for each."""
    line_up, about = line_up_of(metadata), {"side": dealing_side(metadata)}
    each = {row["rules"]: row for row in rows}
    if "policy" in rows[0] and (len(each) == 1 or any(map(is_clear, rows))):
        largest = max(rows, key=lambda row: (is_clear(row), abs(row["estimate"])))["rules"]
        each = {row["policy"]: row for row in rows if row["rules"] == largest}
        if exchanged(list(each)):
            return _of_unequal(quantity, each, rule=rule(largest), **about)
        return among(f"effect.{quantity}", each, rule=rule(largest), **about)
    if opposed(line_up):
        about["between"] = Noun("between", line_up)
    return largest_change(f"effect.{quantity}", each, quantity, **about)


ZERO_SUM = ("margin", "wins_game")
"""Quantities in which one side gains what the other loses."""


def _of_unequal(quantity: str, each: Mapping[str, Row], **about: Things) -> Finding:
    """What a rule changes between unequal players, the mean over who deals: for one of them, or for all."""
    (first, one), (second, other) = each.items()
    about |= {"between": Noun("both", first)}
    if quantity == "wins_hand":  # of which the dealer's side and the others have no fixed sum, because of ties
        by_size = sorted(each.items(), key=lambda item: -abs(item[1]["estimate"]))
        return followed(*(signed("gain.wins_hand", row, **about, **unequal(line_up)) for line_up, row in by_size))
    gain, both = _mean(one, turned(other)), _mean(one, other)
    if quantity not in ZERO_SUM or abs(both["estimate"]) >= abs(gain["estimate"]):
        return signed(f"effect.{quantity}", both, **about)
    ahead, gain = (first, gain) if gain["estimate"] >= 0 else (second, turned(gain))
    return signed(f"gain.{quantity}", gain, **about, **unequal(ahead))


def _mean(one: Row, other: Row) -> Row:
    """The mean of two changes, significant if both are; its interval holds whatever their correlation."""
    mean = {name: (one[name] + other[name]) / 2 for name in _NUMBERS}
    ps = [p for row in (one, other) if (p := row.get("p_holm")) is not None]
    return {**one, **mean, "exact": None, "p_holm": max(ps, default=None)}


def through(rows: Sequence[Row], points: Mapping[str, Row]) -> Finding:
    """Through which points a rule changes a hand most, ``points`` being what each changes in all."""
    row = max(rows, key=lambda row: abs(row["estimate"]))
    whole, direction = points.get(row["rules"]), verdict(row)
    about = {"rule": rule(row["rules"]), "what": Noun("points", row["quantity"])}
    clear = whole is not None and is_clear(row) and verdict(whole) == direction
    if whole is None or not clear or not 0.5 < row["estimate"] / whole["estimate"] <= 1:
        return signed("effect.category", row, **about)
    return Finding("mostly", direction, about, {"size": row}, (row, whole), "sign")


def changed(quantity: str, rows: Sequence[Row]) -> Finding:
    """The rule with which most hands have another winner, or go another way."""
    largest, *others = (rows[place] for place in in_front(rows))
    first = stated("changed", quantity, {"size": largest}, rule=rule(largest["rules"]))
    return first if len(rows) == 1 else _leading(first, [row["rules"] for row in others], tuple(rows), "rank")


# ------------------------------------------------------------------------------------------------ nights


def nights(quantity: str, rows: Sequence[Row], what: str, names: Mapping[str, str]) -> Finding:
    """With which format of a night a quantity is largest."""
    named = {text(names.get(row["rules"], row["rules"])): row for row in rows}
    found = ranked("night.rank", named, place="format", about={"what": text(what)})
    directions = {"most": "alone" if len(rows) > 1 else "single"}
    return replace(found, direction=directions.get(found.direction, found.direction))


# ------------------------------------------------------------------------------------------------ tournaments


def strongest(order: Sequence[str], gaps: Mapping[tuple[str, str], Row]) -> Finding:
    """Who is best, or from whom the strongest is not distinguishable; ``order`` begins with the strongest."""
    first, *others = order
    level = [other for other in others if not is_clear(gaps[first, other])]
    nearest = gaps[first, others[0]]
    about: dict[str, Things] = {
        "one": who(first), "other": who(others[0]), "others": tuple(map(who, level)), "n": len(level) + 1,
    }  # fmt: skip
    rows = tuple(gaps[first, other] for other in others)
    direction, test = ("tied", "") if level else ("alone", "sign")
    return Finding("strongest", direction, about, {"size": nearest}, rows, test)


# ------------------------------------------------------------------------------------------------ chances


def from_score(row: Row, score: str, line_up: str) -> Finding:
    """How often we win from a score."""
    dealer = row["dealer"] if row["dealer"] in ("us", "any") else "them"  # between more sides others go by name
    players = unequal(line_up)
    direction = f"uneven-{dealer}" if players else dealer
    return stated("win", direction, {"size": row}, score=score.replace("-", "–"), **players)
