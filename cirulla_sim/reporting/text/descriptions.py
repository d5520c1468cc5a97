"""What a result shows in a few sentences: its numbers and intervals, for which players it holds, what it does not show.

Every number comes from the table. Of each kind of file there are findings, what matters most first, and limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...stats.decisions import verdict
from . import studies
from .cells import (
    DIFFERENCES,
    LONG_NUMBER,
    Row,
    first_row,
    is_of_values,
    is_significant,
    number,
    play_text,
    question,
    value,
    without_sign,
)
from .claims import (
    Claim,
    advantage,
    amount,
    compare_findings,
    compare_line_ups_findings,
    ends,
    line_ups_findings,
)
from .labels import (
    NAMES,
    Metadata,
    how_much,
    line_up_names,
    line_ups_of,
    lower,
    play_words,
    policy_note,
    rules_sentence,
    side_names,
    titled,
)
from .layouts import format_findings, highest, pairs_limits, schema_of, tournament_findings
from .readings import readings

Sentence = str | Claim
Sentences = Callable[[pl.DataFrame, Metadata, Language], Iterator[Sentence]]

MOST_ANSWERS = 3
"""Answers of a question that are described."""


class FileWords(NamedTuple):
    """The sentences on a kind of file; the first ``headline`` findings stand above its table."""

    findings: Sentences
    limits: Sentences
    headline: int = 1


def describe(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """Three to ten sentences on a result, a line each.

    Raises ``InputError`` for a kind of file that has none.
    """
    return "\n".join(map(str, sentences_of(frame, metadata, locale)))


def sentences_of(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> list[Sentence]:
    """The sentences of ``describe``, those that a test chose with their rows; raises ``InputError`` as it does."""
    kind = schema_of(metadata)
    if kind not in WORDS:
        schema = metadata.get("schema", "")
        raise InputError("{schema!r} is not described (valid: a result file of {words})", schema, WORDS)
    if frame.is_empty():  # too few trials for an estimate
        return [sampled(metadata, locale)]
    frame, words = titled(frame, metadata), WORDS[kind]
    findings = [sentence for sentence in words.findings(frame, metadata, locale) if sentence]
    first, others = findings[: words.headline], findings[words.headline :]
    sentences = [*first, " ".join(readings(metadata, locale)), *others, *words.limits(frame, metadata, locale)]
    return [sentence for sentence in sentences if sentence]


def headline(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """The finding of a result, in a sentence or two; empty where there is none."""
    words = WORDS.get(schema_of(metadata))
    if words is None or frame.is_empty():
        return ""
    shown = titled(frame, metadata)
    findings = [str(sentence) for sentence in words.findings(shown, metadata, locale) if sentence]
    return " ".join(findings[: words.headline])


# ------------------------------------------------------------------------------------------------ parts of sentences


def sampled(metadata: Metadata, locale: Language) -> str:
    """How much was played, what ± means, and whether intervals hold at any stop."""
    sentence = locale.say("What stands after ± is half a 95% interval, from {much}.", much=how_much(metadata, locale))
    if metadata.get("intervals") != "any stop":
        return sentence
    return f"{sentence} {locale.say('The intervals hold at any stop, whenever the run ended.')}"


def holds(metadata: Metadata, locale: Language) -> str:
    """Under which rules and for which players a result holds."""
    rules = rules_sentence(metadata, locale)
    if len(line_ups_of(metadata)) > 1:
        return locale.say("It holds under these rules, {rules}, and not for players other than {players}.",
                          rules=rules, players=line_up_names(metadata, locale))  # fmt: skip
    return locale.say("It holds under these rules, {rules}, and for these players: {players}.", rules=rules,
                      players=play_words(metadata, locale))  # fmt: skip


def limits(text: str) -> Sentences:
    """The limits of what is sampled under the rules and by the players of a file; ``text`` is what it does not show."""

    def sentences(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
        yield sampled(metadata, locale)
        yield holds(metadata, locale)
        yield locale.say(text)

    return sentences


# ------------------------------------------------------------------------------------------------ hands and games


_SIDES = {
    "Dealer": "the dealer", "Dealer’s side": "the dealer’s side", "Opponent": "the opponent",
    "Other side": "the other side", "Each other player": "each other player",
}  # fmt: skip
"""What sides are called within a sentence."""


def margin_claim(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Claim | None:
    """Whether the dealer's side makes more points than the others."""
    row = first_row(frame, "margin", side="dealer", kind="mean")
    if row is None or not math.isfinite(row["std_error"]):
        return None
    names = side_names(metadata, policies=False)
    dealer, others = (locale.say(_SIDES[names[side]]) for side in ("dealer", "others"))
    return advantage(row, dealer + policy_note(metadata, "dealer", locale), others, locale)


def _simulate(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    if points := first_row(frame, "points", side="all"):
        yield locale.say("A hand brings {n} points, all sides together.", n=number(points, locale))
    yield margin_claim(frame, metadata, locale) or ""
    if knock := first_row(frame, "knock", per="holding", kind="probability"):
        yield locale.say("A holding earns a bonus in {p} of the cases, {odds}.", p=number(knock, locale),
                         odds=lower(locale.odds(knock["estimate"])))  # fmt: skip


def _games(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    if wins := first_row(frame, "wins_game", side="dealer", kind="probability"):
        dealer = policy_note(metadata, "dealer", locale)
        yield locale.say("Who deals first{policy} wins {p} of the games.", policy=dealer, p=number(wins, locale))
    if hands := first_row(frame, "hands", kind="mean"):
        yield locale.say("A game has {n} hands.", n=number(hands, locale))
    if behind := first_row(frame, "comeback", kind="probability"):
        yield locale.say("In {p} of the games the winner had been behind after some hand.", p=number(behind, locale))


def _nights_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    yield sampled(metadata, locale)
    yield from pairs_limits(metadata, locale)


# ------------------------------------------------------------------------------------------------ chances


def _answers(frame: pl.DataFrame, metadata: Metadata) -> list[Row]:
    """The answers that are described: the first of each question, or several of one question."""
    rows: list[Row] = list(frame.iter_rows(named=True))
    if set(frame["quantity"]) <= set(NAMES):
        named = ("hand_low", "hand_triple", "table_15", "misdeal")
        chances = [row for row in rows if row["kind"] == "probability"]
        return ([row for name in named for row in chances if row["quantity"] == name] or chances or rows)[:MOST_ANSWERS]
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["quantity"].rpartition(" quantile of ")[2], []).append(row)
    each = [_leading_first(question, metadata) for question in of.values()]
    return [lead for lead, *_ in each][:MOST_ANSWERS] if len(each) > 1 else each[0][:MOST_ANSWERS]


def _leading_first(rows: list[Row], metadata: Metadata) -> list[Row]:
    """The answers to a question: a difference between groups or the mean of a distribution first.

    Those chosen as the highest stay in their order, as exact ones do; of others the most frequent values come first,
    since one that is high among many is high by chance too.
    """
    if rows[0]["kind"] == "quantile" and len(rows) > MOST_ANSWERS:
        return [rows[0], rows[len(rows) // 2], rows[-1]]
    if not rows[0].get("by"):
        return rows
    leading = [row for row in rows if row["share"] is None]
    values = [row for row in rows if row["share"] is not None]
    ends = [row["estimate"] for row in values if row["exact"] is not None]
    in_order = "chosen" in metadata or (len(ends) == len(values) and ends == sorted(ends, reverse=True))
    return leading + (values if in_order else sorted(values, key=lambda row: -row["share"]))


def _odds(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    for row in _answers(frame, metadata):
        if row["kind"] in DIFFERENCES:
            yield _between(row, metadata, locale)
            continue
        about, p = _question(row, metadata, locale), number(row, locale)
        if row["kind"] != "probability":
            yield f"{about}: {p}."
        elif row["exact"] is None or len(row["exact"]) > 2 * LONG_NUMBER:
            often = f", {lower(locale.odds(row['estimate']))}" if 0 < row["estimate"] < 1 else ""
            yield f"{about}: {p}{often}."
        else:
            yield locale.say("{what}: {p}, {odds}, exactly {fraction}.", what=about, p=p,
                             odds=lower(locale.odds(row["estimate"], exact=True)), fraction=row["exact"])  # fmt: skip


_BETWEEN = {
    "more": "{question}: {n} more where {by} is {one} than where it is {other}.",
    "less": "{question}: {n} less where {by} is {one} than where it is {other}.",
    "open": "{question}: no significant difference between {by} = {one} and {by} = {other} ({ends}).",
    "same": "{question}: exactly the same where {by} is {one} and where it is {other}.",
}


def _between(row: Row, metadata: Metadata, locale: Language) -> str:
    """How much more there is in one of two groups than in the other."""
    [(by, values)] = value(row, locale).items()
    one, other = values.split(" − ")
    found = verdict(row)
    sizes = {"ends": ends(row, locale)} if found == "open" else {"n": amount(row, locale)}
    return locale.say(
        _BETWEEN[found], question=question(row, metadata, locale), by=by, one=one, other=other, **sizes
    )  # fmt: skip


def _odds_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    if frame["exact"].null_count():
        cases = sampled(metadata, locale)
    else:
        cases = locale.say("Every case was counted, so there is no sampling error.")
    yield f"{cases} {highest(metadata, locale)}".strip()
    if metadata.get("policies"):
        yield holds(metadata, locale)
        yield locale.say("It does not show how others would play.")
    else:
        yield locale.say("It holds whoever plays, under these rules: {rules}.", rules=rules_sentence(metadata, locale))
        yield locale.say("It does not show what play makes of the cards.")


def _question(row: Row, metadata: Metadata, locale: Language) -> str:
    """The question of an answer, with the value that it is about."""
    words = " = ".join((row["by"] or "", *value(row, locale).values())) if row.get("by") else ""
    words = words or ", ".join(value(row, locale).values())
    if row["value"] is None and row.get("by"):
        return locale.say("{question}, on average", question=question(row, metadata, locale))
    if row["value"] is None:
        return question(row, metadata, locale)
    return words if is_of_values(row["quantity"], row.get("by")) else f"{question(row, metadata, locale)}, {words}"


_DEALING = {
    "us": "From {score}, dealing, we{policy} win {p} of the games{method}.",
    "them": "From {score}, with the others to deal, we{policy} win {p} of the games{method}.",
    "any": "From {score}, whoever deals, we{policy} win {p} of the games{method}.",
}


def _from_score(row: Row, score: str, metadata: Metadata, locale: Language, method: str = "") -> str:
    """How often we win from a score."""
    sentence = _DEALING.get(row["dealer"], _DEALING["them"])  # between more sides the others go by name
    policy = policy_note(metadata, "us", locale)
    return locale.say(sentence, score=score, policy=policy, p=number(row, locale), method=method)


def _win_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    size = int(frame["us"].max() or 0)  # type: ignore[arg-type]
    for us, them in ((0, 0), (size // 2, size // 2), (size // 2, size)):
        for row in frame.filter(us=us, them=them, dealer="us").iter_rows(named=True):
            yield _from_score(row, f"{us}–{them}", metadata, locale)


def _win_chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    for row in frame.filter(kind="probability").iter_rows(named=True):
        yield _from_score(row, row["score"], metadata, locale, f" ({locale.say(row['method'])})")


# ------------------------------------------------------------------------------------------------ tournaments, advice


def _tournament_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    yield sampled(metadata, locale)
    yield locale.say("It holds under these rules, {rules}.", rules=rules_sentence(metadata, locale))
    yield locale.say("It does not show how people play, nor how each would do against others.")


_NEXT = {
    (True, False): "Next: {play}, {n} points behind.",
    (False, False): "Next: {play}, {n} behind.",
    (True, True): "Next: {play}, {n} points behind, which is not significant (Holm, 5%).",
    (False, True): "Next: {play}, {n} behind, which is not significant (Holm, 5%).",
}
"""The sentence on the second play, by whether it is of points, and whether it may be as good."""


_FIRST = {
    False: "Best of {all}: {play}, {n} points over the others in this hand.",
    True: "First of {all}, but not distinguishable from the next: {play}, {n} points over the others in this hand.",
}
"""The sentence on the first play, by whether the second may be as good."""


def _advise(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    plays = frame["play"].unique(maintain_order=True).to_list()
    best = frame.filter(play=plays[0])
    behind = first_row(frame.filter(play=plays[1]), "behind") if len(plays) > 1 else None
    is_open = behind is not None and behind.get("p_holm") is not None and not is_significant(behind)
    if margin := first_row(best, "margin"):
        yield locale.say(_FIRST[is_open], all=len(plays), play=play_text(plays[0], locale), n=number(margin, locale))
    if behind is not None:
        sentence = _NEXT[behind["per"] == "hand", is_open]
        yield locale.say(sentence, play=play_text(plays[1], locale), n=without_sign(behind, locale))
    if sweep := first_row(best, "sweep_next"):
        yield locale.say("The next player sweeps after it in {p} of the cases.", p=number(sweep, locale))
    if read := first_row(best, "sweep_next_read"):
        yield locale.say("By what the others played in this stage it is {p}.", p=number(read, locale))


def _advise_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    yield locale.say("It holds under these rules, {rules}.", rules=rules_sentence(metadata, locale))
    if first_row(frame, "sweep_next_read", play=frame["play"][0]) is None:
        yield locale.say("It does not use what the others’ plays tell of their cards.")


_NOT_GAMES = "It does not show the chance to win from a given score, nor how others would play."
_NOT_HANDS = "It does not show whole games, nor how others would score; what is dealt is the same for everybody."
_NOT_RULES = "It does not show what other players would make of these rules."
_NOT_AIMED = "It does not show the chances of players who play to the score."

WORDS: dict[str, FileWords] = {
    "simulate": FileWords(_simulate, limits(_NOT_HANDS), 2),
    "games": FileWords(_games, limits(_NOT_GAMES), 2),
    "simulate-line-ups": FileWords(line_ups_findings, limits("")),
    "games-line-ups": FileWords(line_ups_findings, limits("")),
    "compare": FileWords(compare_findings, limits(_NOT_RULES)),
    "compare-line-ups": FileWords(compare_line_ups_findings, limits("")),
    "compare-nights": FileWords(format_findings, _nights_limits, 2),
    "odds": FileWords(_odds, _odds_limits),
    "win-table": FileWords(_win_table, limits(_NOT_AIMED)),
    "win-chance": FileWords(_win_chance, limits(_NOT_AIMED)),
    "tournament": FileWords(tournament_findings, _tournament_limits, 2),
    "advise": FileWords(_advise, _advise_limits, 2),
    "study": FileWords(studies.findings, lambda *_: iter(())),
}
"""The sentences of the kinds of files."""
