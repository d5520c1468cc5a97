"""Tournaments, for readers: the order of the players, those that are not distinguishable, a table, and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from string import ascii_lowercase

import polars as pl

from ...core.locale import Language
from .cells import Cells, Row, is_significant, marked_cell, number_cell, without_sign
from .labels import Metadata, capital, line_up

_MATRICES = {
    "margin": "Points a hand",
    "margin_less_luck": "Points a hand, luck-adjusted",
    "wins_game": "Games won",
}
"""What is shown of each player over each other, strongest first."""

_VERDICTS = {"ahead": "ahead", "behind": "behind", "level": "level", None: "not decided"}


def strongest_first(frame: pl.DataFrame) -> list[str]:
    """The policies of a tournament in the order of their strengths."""
    ranked = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    return [str(policy) for policy in ranked["policy"]]


def gaps_of(frame: pl.DataFrame) -> dict[tuple[str, str], Row]:
    """The rows of the gaps in strength, by the stronger policy and the weaker."""
    rows = frame.filter(quantity="strength_gap").iter_rows(named=True)
    return {(row["policy"], row["opponent"]): row for row in rows}


def groups_of(frame: pl.DataFrame) -> list[list[str]]:
    """The largest groups of policies of which no two differ significantly in strength, strongest first.

    A policy may be in several. They follow from the significant pairs by inserting and absorbing (Piepho, "An algorithm
    for a letter-based representation of all-pairwise comparisons", 2004).
    """
    order = strongest_first(frame)
    groups = [set(order)]
    for pair, row in gaps_of(frame).items():
        if is_significant(row):
            split = [group - {policy} for group in groups if group.issuperset(pair) for policy in pair]
            groups = [group for group in groups if not group.issuperset(pair)]
            for part in split:
                if not any(part <= group for group in groups):
                    groups = [group for group in groups if not group <= part] + [part]
    in_order = [[policy for policy in order if policy in group] for group in groups]
    return sorted(in_order, key=lambda group: [order.index(policy) for policy in group])


def letters_of(frame: pl.DataFrame) -> dict[str, str]:
    """A letter for each of ``groups_of`` that a policy is in: policies with a common letter are not distinguishable."""
    groups = groups_of(frame)
    letters = [ascii_lowercase[place % 26] * (1 + place // 26) for place in range(len(groups))]
    return {
        policy: "".join(letter for letter, group in zip(letters, groups, strict=True) if policy in group)
        for policy in strongest_first(frame)
    }


def tournament(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Strength, group and the gap to the next; points and games of each over each other; the verdicts of a test."""
    order = strongest_first(frame) or frame["policy"].drop_nulls().unique(maintain_order=True).to_list()
    names = {name: line_up(name, locale) for name in order}
    gaps, letters = gaps_of(frame), letters_of(frame)
    over = {name: locale.say("over {player}", player=names[name]) for name in order}
    for row in frame.filter(quantity="strength").iter_rows(named=True):
        player = row["policy"]
        about = {"What": locale.say("Strength"), "Player": names[player]}
        yield about, "Points a hand", number_cell(row, locale)
        if gaps:
            following = gaps.get((player, order[order.index(player) + 1])) if player != order[-1] else None
            yield about, "Ahead of the next", "" if following is None else marked_cell(following, locale)
            yield about, "Group", letters[player]
    for quantity, heading in _MATRICES.items():
        rows = frame.filter(quantity=quantity, side="all").iter_rows(named=True)
        cells = {(row["policy"], row["opponent"]): marked_cell(row, locale) for row in rows}
        for player in order if cells else ():
            for opponent in order:
                about = {"What": locale.say(heading), "Player": names[player]}
                yield about, over[opponent], cells.get((player, opponent), "·")
    for row in metadata.get("verdicts", ()):
        about = {"What": locale.say("Test"), "Player": names[row["policy"]]}
        verdict = locale.say(_VERDICTS[row["verdict"]])
        hands = locale.numerals(f"{row['hands']:,}")
        yield about, over[row["opponent"]], locale.say("{verdict} after {n} deals", verdict=verdict, n=hands)


# ------------------------------------------------------------------------------------------------ sentences


def tournament_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    """Who is best, if somebody is; who is not distinguishable; how far the last is behind the first."""
    order, gaps = strongest_first(frame), gaps_of(frame)
    if not gaps:
        return
    yield best_words(frame, locale) + "."
    yield _groups_words(frame, locale)
    if len(order) > 2:
        one, other = (line_up(order[place], locale) for place in (0, -1))
        margins = frame.filter(quantity="margin", side="all", policy=order[0], opponent=order[-1])
        for margin in filter(is_significant, margins.iter_rows(named=True)):
            sentence = "{one} makes {n} points a hand over {other}." if margin["estimate"] > 0 else (
                "{one} makes {n} points a hand less than {other}.")  # fmt: skip
            yield capital(locale.say(sentence, n=without_sign(margin, locale), one=one, other=other))


def best_words(frame: pl.DataFrame, locale: Language) -> str:
    """Who is best of how many and by how much, or from whom the strongest cannot be distinguished."""
    first, *others = strongest_first(frame)
    gaps, one, level = gaps_of(frame), line_up(first, locale), _level_with_first(frame)
    if level:
        return locale.say("Strongest: {one}; not distinguishable from it: {others}", one=one,
                          others=names_of(level, locale))  # fmt: skip
    return locale.say("Best of {n}: {one}, {gap} points a hand ahead of {other}", n=1 + len(others), one=one,
                      gap=without_sign(gaps[first, others[0]], locale), other=line_up(others[0], locale))  # fmt: skip


def _level_with_first(frame: pl.DataFrame) -> list[str]:
    """The policies that are not distinguishable from the strongest."""
    first, *others = strongest_first(frame)
    gaps = gaps_of(frame)
    return [other for other in others if not is_significant(gaps[first, other])]


def names_of(policies: Sequence[str], locale: Language) -> str:
    """Several policies in a sentence."""
    return ", ".join(line_up(policy, locale) for policy in policies)


def _groups_words(frame: pl.DataFrame, locale: Language) -> str:
    """Which of the other policies are not distinguishable, by all gaps at once; of two nothing is left to say."""
    order, gaps = strongest_first(frame), gaps_of(frame)
    significant = [is_significant(gaps[pair]) for pair in combinations(order, 2)]
    if len(order) < 3:
        return ""
    if all(significant):
        return locale.say("All {n} differ in strength (Tukey–Kramer, 5%).", n=len(order))
    if not any(significant):
        return locale.say("No two of all {n} differ significantly in strength (Tukey–Kramer, 5%).", n=len(order))
    named = [order[0], *_level_with_first(frame)]
    groups = [group for group in groups_of(frame) if len(group) > 1 and group != named]
    if not groups:
        return locale.say("All other gaps are significant (Tukey–Kramer, 5%).")
    each = "; ".join(names_of(group, locale) for group in groups)
    return locale.say("Not distinguishable: {groups}; all other gaps are significant (Tukey–Kramer, 5%).", groups=each)
