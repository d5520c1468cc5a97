"""Findings recounted from their rows by a second implementation of the tests that choose their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import polars as pl

from cirulla_sim.core.locale import language
from cirulla_sim.experiments.tally import MEASURES, is_main
from cirulla_sim.reporting.text import labels
from cirulla_sim.reporting.text.findings import Finding, Noun
from cirulla_sim.reporting.text.labels import Metadata
from cirulla_sim.reporting.text.sentences import chart_title, sentence

LEVEL = 0.05

WORDING = {
    "more": r"\b(more|brings?|ahead|better|beats?|gains?|longer|differently|less close|makes?|over|times|adds)\b",
    "less": r"\b(less|fewer|shorter|costs?|loses?|worse|behind|closer|lose|lost|cuts|most of what)\b",
    "open": r"\b(no|not|nor|level)\b",
    "same": r"\b(exactly|no difference)\b",
}
"""Words that a direction requires."""


def sign(row: Any) -> int | None:
    """The sign of a number that is significantly above or below 0, 0 if it is exactly 0, None if it is neither."""
    value = row["estimate"]
    if row["ci_low"] is None:
        return None
    if row.get("exact") is not None:
        return (value > 0) - (value < 0)
    for p in (row.get("p_tukey"), row.get("p_holm")):
        if p is not None:
            return None if p > LEVEL else 1 if value > 0 else -1
    return 1 if row["ci_low"] > 0 else -1 if row["ci_high"] < 0 else None


def recount(finding: Finding) -> str:
    signs = [sign(row) for row in finding.rows]
    if finding.test == "sign" and finding.kind != "strongest":
        return {1: "more", -1: "less", None: "open", 0: "same"}[signs[0]]
    if finding.test.startswith("count "):
        ways = [{"more": 1, "less": -1}[verdict] for verdict in finding.test.split()[1:]]
        k = sum(one in ways for one in signs)
        return "none" if k == 0 else "all" if k == len(signs) and finding.kind != "lead" else "some"
    if finding.test in SIZES:
        ahead, (way, _, word) = in_front(finding.rows, SIZES[finding.test]), finding.direction.rpartition("-")
        if word in ("tied", "many", "equal"):
            common = {1: "brings-", -1: "costs-"}.get(signs[0] if len({*signs}) == 1 else None, "open-")
            return (common + word if way else word) if len(ahead) > 1 else "alone"
        if word == "apart":
            return finding.direction if 1 < len(ahead) < len(signs) else "tied"
        if word in ("most", "least") and len(ahead) == 1:  # what costs most is furthest below 0
            word = "most" if (finding.test == "rank") == (way != "costs") else "least"
            return {1: "brings-", -1: "costs-"}.get(signs[min(ahead)], "open-") + word if way else word
        return finding.direction if len(ahead) == 1 else "tied"
    if finding.test == "signs":
        return finding.direction if {*signs} == {1, -1} and (finding.kind != "rank.margin" or signs[0] == 1) else "open"
    return finding.direction


SIZES: dict[str, Callable[[float], float]] = {"rank": lambda x: x, "least": lambda x: -x, "size": abs}
"""By what rows are ranked."""


def in_front(rows: Sequence[Any], size: Callable[[float], float]) -> set[int]:
    """The places of the rows not distinguishable from the largest, by intervals that hold together for all pairs."""
    z = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, len([*combinations(rows, 2)])))
    sizes = [size(row["estimate"]) for row in rows]
    first = sizes.index(max(sizes))
    return {first} | {
        place for place, row in enumerate(rows)
        if sizes[first] - sizes[place] <= z * math.hypot(rows[first]["std_error"], row["std_error"])
    }  # fmt: skip


def allowed_numbers(finding: Finding) -> list[float]:
    """The numbers that may stand in the sentence: those of its rows, their half-widths and ends, and their count."""
    numbers = [float(len(finding.rows)), float(sum(sign(row) in (1, -1) for row in finding.rows))]
    numbers += [float(sum(sign(row) == way for row in finding.rows)) for way in (1, -1)]
    for row in finding.rows:
        ends = [row[name] for name in ("estimate", "ci_low", "ci_high") if row[name] is not None]
        half = [(row["ci_high"] - row["ci_low"]) / 2] if len(ends) == 3 else []
        numbers += [scale * abs(number) for number in ends + half for scale in (1, 100)]
        numbers += [100 * (1 - number) for number in ends] + [100 * (row.get("told") or 0)]
        numbers += [float(row[name]) for name in ("n", "value") if re.fullmatch(r"[\d.]+", str(row.get(name)))]
    return numbers


def stray_numbers(text: str, finding: Finding) -> list[str]:
    """The decimal numbers of a sentence that are not those of its rows, rounded as they are written."""
    every = [finding, *finding.then, *(other for one in finding.then for other in one.then)]
    allowed, stray = [number for one in every for number in allowed_numbers(one)], []
    for word in re.findall(r"(?<![\w:.-])\d[\d,]*\.\d+(?![\w:])", text):
        number, half = float(word.replace(",", "")), 0.51 * 10.0 ** -len(word.partition(".")[2])
        if f"1 in {word}" in text:
            number, half = 1 / number, 0.006 / number
        if not any(abs(number - x) <= half for x in allowed):
            stray.append(word)
    return stray


STUDIED = ("two", "three", "four", "cirulla", "cirullone", "scopone")  # games by players from two on, or by rules


def named_rows(finding: Finding) -> Iterator[tuple[str, str, Any]]:
    """The kind and the name of whom and what a sentence names, with the row that it is said of."""
    about, sizes, rows = finding.about, finding.sizes, finding.rows
    row = sizes.get("size", rows[0] if rows else {})
    named: list[tuple[str, Any, Any]] = [("", Noun("where", name), sizes[name]) for name in STUDIED if name in sizes]
    named += [("", noun, one) for noun, one in zip(about.get("places", ()), rows, strict=False)]  # type: ignore[arg-type]
    if finding.direction != "tied" and not finding.kind.startswith("gain"):  # where another's number may be meant
        others = dict.fromkeys(("place2", "base"), sizes.get("other", {}))
        named += [(place, noun, others.get(place, row)) for place, noun in about.items()]
    for place, noun, one in named:
        if isinstance(noun, Noun) and one:
            kind, name = noun.name.split(":", 1) if noun.kind == "place" else noun
            yield {"count": place, "choice": "habit", "who": place.replace("one", "who")}.get(kind, kind), name, one


def is_called(kind: str, name: str, row: Any, metadata: Metadata) -> bool:
    """Whether a row, or the file that it is of, may be called so, as far as they say."""
    policy = str(row.get("policy") or labels.line_up_of(metadata))
    one, other = [*(part.rpartition("=")[2] for part in policy.split(", ")), row.get("opponent") or ""][:2]
    preset = labels.result_rules(metadata).preset if "request" in metadata else ""
    rules, players = row.get("rules") or preset, row.get("players") or metadata.get("players")
    games = (
        STUDIED[players - 2] if players else "",
        f"{preset}-{players}",
        *(x.partition("-")[0] for x in (rules, preset)),
    )
    own = {"who": (one, policy), "other": (other,), "between": (policy,), "rule": (rules,), "where": games,
           "players": (str(players or ""),), "habit": (other[-len(name) :].replace("_", "-"),)}  # fmt: skip
    return not name or any(own in ("", name, name.replace("_", "-")) for own in own.get(kind, ("",)))


def check(finding: Finding, files: Sequence[tuple[pl.DataFrame, Metadata]] = ()) -> None:
    """Raise ``AssertionError`` unless a sentence follows from its rows, and these from files that it names."""
    found = recount(finding)
    assert finding.direction == found, finding
    for kind, name, row in (*named_rows(finding), *(("", "", row) for row in finding.rows)):
        of = [metadata for frame, metadata in files if is_of(row, frame)] if files else [{}]
        assert any(is_called(kind, name, row, metadata) for metadata in of), (kind, name, row)
    effect, _, quantity = finding.kind.partition(".")
    if files and effect in ("effect", "gain", "dealing", "dealing_at") and quantity != "category":
        measured = {(one.quantity, one.side) for one in MEASURES if one.quantity == (quantity or "margin")}
        assert {(row["quantity"], row["side"]) for row in finding.rows} <= measured, finding
    if finding.kind == "win" and finding.sizes:
        row = finding.sizes["size"]
        score = f"{row['us']}–{row['them']}" if "us" in row else row["score"].replace("-", "–")
        assert finding.about["score"] == score, finding
        assert finding.direction.endswith(row["dealer"]) or row["dealer"] not in ("us", "any"), finding
    for write in (sentence, chart_title) if finding.direction != "back" else ():  # which is said after another only
        text = write(finding, language("en"))
        if finding.test == "sign" and found in WORDING:
            assert re.search(WORDING[found], text, re.I), text
        assert not stray_numbers(text, finding), text
    for other in finding.then:
        check(other, files)


def check_tests(text: str, frame: pl.DataFrame) -> None:
    """Raise ``AssertionError`` unless a description counts the significant main differences of its table."""
    tested = [row for row in frame.to_dicts() if row.get("p_holm") is not None and is_main(row)]
    for k, n in re.findall(r"(\d+) of (\d+) main differences", text):
        assert (int(k), int(n)) == (sum(row["p_holm"] <= LEVEL for row in tested), len(tested))
    for first in re.findall(r"differences are from (.*?)\.", text):
        assert first == labels.line_up(frame["policy"][0], language("en"))


def is_of(row: Any, frame: pl.DataFrame) -> bool:
    """Whether a row's numbers stand in a table, from as many trials: with their sign turned, halved or doubled too.

    A relative change is a difference over something else, so it may have any scale. Exact numbers are counted again. A
    share of the points is a part over the whole, with the relative half intervals of both.
    """
    if row["per"] == "point":
        of_all = frame.filter(side="all", kind="mean").rows_by_key("quantity", named=True, unique=True)
        part, whole = of_all[row["quantity"]], of_all["points"]
        share = part["estimate"] / whole["estimate"]
        for end in ("ci_low", "ci_high"):
            away = (part[end] / part["estimate"] - 1) + (whole[end] / whole["estimate"] - 1)
            if not math.isclose(row[end], share * (1 + away), rel_tol=1e-3):
                return False
        return math.isclose(row["estimate"], share, rel_tol=1e-9)
    if row["estimate"] == 0 or row.get("exact") is not None or not {"estimate", "n"} <= set(frame.columns):
        return row["estimate"] == 0 or row.get("exact") is not None
    names = [name for name in ("estimate", "ci_low", "ci_high") if row[name] is not None]
    for other in frame.filter(n=row["n"]).iter_rows(named=True):
        if any(other[name] is None for name in names) or not other["estimate"]:
            continue
        scale = row["estimate"] / other["estimate"]
        ends = [scale * other[name] for name in names]
        if scale < 0:
            ends[1:] = ends[:0:-1]
        is_scaled = row["quantity"] == "relative_change" or round(abs(scale), 9) in (0.5, 1, 2)
        same = (
            math.isclose(row[name], end, rel_tol=1e-9, abs_tol=1e-12) for name, end in zip(names, ends, strict=True)
        )
        if is_scaled and all(same):
            return True
    return False
