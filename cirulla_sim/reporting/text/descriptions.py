"""What a result shows in a few sentences: its numbers and intervals, for which players it holds, what it does not show.

Every number comes from the table. A kind of file is a function that makes its sentences, in ``_KINDS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from ...core.errors import InputError
from . import study_words as studies
from .cells import LONGEST_FRACTION, number, play, what
from .labels import NAMES, Metadata, line_up, lower, name_of, side_names
from .locale import Language
from .review_words import review_in_words
from .sentence_parts import Row, Sentences, first_row, holds, is_sure, rules_said, sampled, without_sign

SURE = 0.05
"""Corrected chance up to which a change counts as seen."""

MOST_ANSWERS, MOST_CHANGES = 3, 2
"""Answers of a question, and changes of a comparison, that are told."""


def describe(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """Three to six sentences on a result, a line each.

    Raises ``InputError`` for a kind of file of which there is nothing to say.
    """
    schema = str(metadata.get("schema", ""))
    kind = schema.partition("/")[0]
    if kind not in _KINDS:
        raise InputError(
            f"nothing can be said of a file of kind {schema!r} (valid: a result file of {', '.join(_KINDS)})"
        )
    return "\n".join(sentence for sentence in _KINDS[kind](frame, metadata, locale) if sentence)


# ------------------------------------------------------------------------------------------------ hands and games


def _margin(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """Whether dealing is good."""
    row = first_row(frame, "margin", side="dealer", kind="mean")
    if row is None:
        return ""
    side = side_names(metadata, locale, policies=False)["dealer"]
    if not is_sure(row):
        return locale.say(
            "{side}: {n} points a hand over the others, which may be chance.", side=side, n=number(row, locale)
        )
    sentence = "{side}: {n} points a hand more than the others." if row["estimate"] > 0 else (
        "{side}: {n} points a hand less than the others.")  # fmt: skip
    return locale.say(sentence, side=side, n=without_sign(row, locale))


def _simulate(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    if points := first_row(frame, "points", side="all"):
        yield locale.say("A hand brings {n} points, all sides together.", n=number(points, locale))
    yield _margin(frame, metadata, locale)
    if knock := first_row(frame, "knock", per="holding", kind="probability"):
        yield locale.say("A holding earns a bonus in {p} of the cases, {odds}.", p=number(knock, locale),
                       odds=lower(locale.odds(knock["estimate"])))  # fmt: skip
    yield sampled(metadata, locale)
    yield holds(metadata, locale)
    yield locale.say(
        "It does not show whole games, nor how others would score; what is dealt is the same for everybody."
    )


def _games(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    if wins := first_row(frame, "wins_game", side="dealer", kind="probability"):
        yield locale.say("Who deals first wins {p} of the games.", p=number(wins, locale))
    if hands := first_row(frame, "hands", kind="mean"):
        yield locale.say("A game has {n} hands.", n=number(hands, locale))
    if behind := first_row(frame, "comeback", kind="probability"):
        yield locale.say("In {p} of the games the winner had been behind after some hand.", p=number(behind, locale))
    yield sampled(metadata, locale)
    yield holds(metadata, locale)
    yield locale.say("It does not show the chance to win from a given score, nor how others would play.")


_LINE_UPS = (
    ("margin", "hand", "dealer", "What dealing is worth in points a hand: {each}."),
    ("points", "hand", "all", "Points a hand, all sides together: {each}."),
    ("wins_game", "game", "dealer", "Games won by the side that deals first: {each}."),
    ("hands", "game", "all", "Hands in a game: {each}."),
)


def _line_ups(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    levels = frame.filter(pl.col("value").is_null(), pl.col("kind") != "difference")
    for quantity, per, side, sentence in _LINE_UPS:
        rows = levels.filter(quantity=quantity, per=per, side=side).unique("policy", keep="first", maintain_order=True)
        each = [f"{line_up(row['policy'], locale)} {number(row, locale)}" for row in rows.iter_rows(named=True)]
        yield locale.say(sentence, each="; ".join(each)) if each else ""
    yield locale.say("All played the same deals, so their differences are surer than the numbers themselves.")
    yield sampled(metadata, locale)
    yield _line_ups_hold(metadata, locale)


def _line_ups_hold(metadata: Metadata, locale: Language) -> str:
    names = ", ".join(line_up(policies, locale) for policies in metadata.get("policies", []))
    return locale.say("It holds under these rules, {rules}, and says nothing of players other than {players}.",
                    rules=rules_said(metadata, locale), players=names)  # fmt: skip


# ------------------------------------------------------------------------------------------------ rules compared

_CHANGES = (
    ("points", "all", "{rule}: {n} points a hand more.", "{rule}: {n} points a hand less."),
    ("margin", "dealer", "{rule}: {n} points a hand more for dealing.", "{rule}: {n} points a hand less for dealing."),
    ("wins_game", "dealer", "{rule}: who deals first wins {n} of the games more.",
     "{rule}: who deals first wins {n} of the games less."),
    ("hands", "all", "{rule}: a game has {n} hands more.", "{rule}: a game has {n} hands less."),
    ("wins_hand", "dealer", "{rule}: who deals wins {n} of the hands more.",
     "{rule}: who deals wins {n} of the hands less."),
)  # fmt: skip
"""What is told of a comparison, what matters most first: quantity, side, and a sentence for a rise and a fall."""


def _compare(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    changes = frame.filter(kind="difference")
    told, seen = 0, set()
    for quantity, side, more, less in _CHANGES:
        rows = changes.filter(pl.col("p_holm") <= SURE, quantity=quantity, side=side)
        for row in rows.sort(pl.col("estimate").abs(), descending=True, maintain_order=True).iter_rows(named=True):
            if told < MOST_CHANGES and row["rules"] not in seen:
                sentence = more if row["estimate"] > 0 else less
                yield locale.say(sentence, rule=locale.say(name_of(row["rules"])), n=without_sign(row, locale))
                told += 1
                seen.add(row["rules"])
    base, *others = frame["rules"].unique(maintain_order=True).to_list()
    if not told:
        names = ", ".join(locale.say(name_of(rules)) for rules in others)
        yield locale.say("No change is told from none here: {rules}.", rules=names)
    counted = frame.filter(pl.col("p_holm").is_not_null()).height if told else 0
    if counted:
        yield locale.say("{n} differences from {base} were looked at; those named are there even so (Holm, 5%).",
                       n=locale.numerals(f"{counted:,}"), base=locale.say(name_of(base)))  # fmt: skip
    yield sampled(metadata, locale)
    yield holds(metadata, locale)
    yield locale.say("It does not show what other players would make of these rules.")


def _compare_line_ups(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    changes = frame.filter(quantity="points", side="all", kind="difference")
    for rules in changes["rules"].unique(maintain_order=True).to_list()[:MOST_CHANGES]:
        each = [f"{line_up(row['policy'], locale)} {number(row, locale)}"
                for row in changes.filter(rules=rules).iter_rows(named=True)]  # fmt: skip
        yield locale.say("{rule} changes points a hand by this much: {each}.", rule=locale.say(name_of(rules)),
                       each="; ".join(each))  # fmt: skip
    yield locale.say("All played the same deals, so their differences are surer than the numbers themselves.")
    yield sampled(metadata, locale)
    yield _line_ups_hold(metadata, locale)


# ------------------------------------------------------------------------------------------------ chances


def _odds(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    chances = frame.filter(kind="probability") if (frame["kind"] == "probability").any() else frame
    rows = list(chances.iter_rows(named=True))
    by = rows[0].get("by") if rows else None
    if set(frame["quantity"]) <= set(NAMES):
        named = ("hand_low", "hand_triple", "table_15", "misdeal")
        rows = [row for name in named for row in rows if row["quantity"] == name] or rows
    elif by:
        rows = sorted(rows, key=lambda row: -float(row.get("joint") or row["estimate"]))
    elif rows and rows[0]["kind"] == "quantile" and len(rows) > MOST_ANSWERS:
        rows = [rows[0], rows[len(rows) // 2], rows[-1]]
    for row in rows[:MOST_ANSWERS]:
        what = _asked(row, locale)
        if row["kind"] != "probability":  # a mean, or a quantile
            yield f"{what}: {number(row, locale)}."
        elif row["exact"] is None or len(row["exact"]) > LONGEST_FRACTION:
            often = f", {lower(locale.odds(float(row['estimate'])))}" if 0 < row["estimate"] < 1 else ""
            yield f"{what}: {number(row, locale)}{often}."
        else:
            yield locale.say("{what}: {p}, {odds}, exactly {fraction}.", what=what, p=number(row, locale),
                           odds=lower(locale.odds(row["estimate"], exact=True)), fraction=row["exact"])  # fmt: skip
    trial = locale.told(str(metadata.get("trial") or ""))
    if frame["exact"].null_count():
        yield sampled({**metadata, "games": metadata["hands"]} if rows[0]["per"] == "game" else metadata, locale)
    else:
        yield locale.say("Every case was counted, so there is no sampling error; one trial is {trial}.", trial=trial)
    if metadata.get("policies"):
        yield holds(metadata, locale)
        yield locale.say("It does not show how others would play.")
    else:
        yield locale.say("It holds whoever plays, under these rules: {rules}.", rules=rules_said(metadata, locale))
        yield locale.say("It does not show what play makes of the cards.")


def _asked(row: Row, locale: Language) -> str:
    """The question of an answer, with the value that it is about."""
    by, value = row.get("by"), row["value"]
    if value is not None and by and row["quantity"] in (by, f"by {by}"):
        return f"{by} = {locale.numerals(str(value))}"
    asked = what(row, locale)
    return asked if value is None else f"{asked}, {by + ' = ' if by else ''}{locale.numerals(str(value))}"


def _known(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    first = frame.row(0, named=True)
    yield locale.say("{n} chances that others have asked for, the first: {what}, {p}.", n=frame.height,
                   what=f"{first['quantity']} ({locale.say(name_of(first['rules']))})",
                   p=number(first, locale))  # fmt: skip
    exact = frame.height - frame["exact"].null_count()
    yield locale.say("{n} of them were counted exactly.", n=exact)
    if "difference" in frame.columns:
        apart = float(frame["difference"].abs().max())  # type: ignore[arg-type]
        yield locale.say("The same cards were dealt too: no answer is more than {n} standard errors off.",
                       n=locale.numerals(f"{apart:.1f}"))  # fmt: skip
    yield locale.say("It holds whoever plays, and does not show what play makes of the cards.")


# ------------------------------------------------------------------------------------------------ scores


def _win_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    size = int(frame["us"].max() or 0)  # type: ignore[arg-type]
    half = size // 2
    for us, them in ((0, 0), (half, half), (half, size)):
        for row in frame.filter(us=us, them=them, dealer="us").iter_rows(named=True):
            yield locale.say(
                "From {us}–{them}, dealing, we win {p} of the games.", us=us, them=them, p=number(row, locale)
            )
    yield sampled(metadata, locale)
    yield holds(metadata, locale)
    yield locale.say("It does not show the chances of players who play to the score.")


def _win_chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    for row in frame.filter(kind="probability").iter_rows(named=True):
        sentence = ("From {score}, dealing, we win {p} of the games ({how})." if row["dealer"] == "us"
                    else "From {score}, with the others to deal, we win {p} of the games ({how}).")  # fmt: skip
        yield locale.say(sentence, score=row["score"], p=number(row, locale), how=locale.say(row["method"]))
    yield sampled(metadata, locale)
    yield holds(metadata, locale)
    yield locale.say("It does not show the chances of players who play to the score.")


# ------------------------------------------------------------------------------------------------ contests and studies


def _tournament(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    ranked = list(frame.filter(quantity="strength").sort("estimate", descending=True).iter_rows(named=True))
    first, *others = ranked
    best = line_up(first["policy"], locale)
    for other in dict.fromkeys((others[0]["policy"], others[-1]["policy"])):
        row = first_row(frame, "margin", side="all", policy=first["policy"], opponent=other)
        if row is not None:
            yield locale.say("{one} makes {n} points a hand over {other}.", one=best[:1].upper() + best[1:],
                           n=number(row, locale), other=line_up(other, locale))  # fmt: skip
    if order := first_row(frame, "order_holds"):
        yield locale.say("The order of all {n} holds in {p} of the resamples.", n=len(ranked),
                       p=locale.percent(order["estimate"]))  # fmt: skip
    yield sampled(metadata, locale)
    yield locale.say("It holds under these rules, {rules}.", rules=rules_said(metadata, locale))
    yield locale.say("It does not show how people play, nor how each would do against others.")


def _advise(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    plays = frame["play"].unique(maintain_order=True).to_list()
    shown = frame.filter(play=plays[0])
    if margin := first_row(shown, "margin"):
        yield locale.say(
            "Best: {play}, {n} points over the others in this hand.",
            play=play(plays[0], locale),
            n=number(margin, locale),
        )
    if len(plays) > 1 and (behind := first_row(frame.filter(play=plays[1]), "behind")):
        yield locale.say(
            "Next: {play}, {n} points behind.", play=play(plays[1], locale), n=without_sign(behind, locale)
        )
    if sweep := first_row(shown, "sweep_next"):
        yield locale.say("The next player sweeps after it in {p} of the cases.", p=number(sweep, locale))
    read = first_row(shown, "sweep_next_read")
    if read:
        yield locale.say("By what the others played in this stage it is {p}.", p=number(read, locale))
    yield locale.say("It holds under these rules, {rules}.", rules=rules_said(metadata, locale))
    if not read:
        yield locale.say("It does not use what the others’ plays tell of their cards.")


_KINDS: Mapping[str, Callable[[pl.DataFrame, Metadata, Language], Sentences]] = {
    "simulate": _simulate,
    "games": _games,
    "simulate-line-ups": _line_ups,
    "games-line-ups": _line_ups,
    "compare": _compare,
    "compare-line-ups": _compare_line_ups,
    "odds": _odds,
    "known-answers": _known,
    "win-table": _win_table,
    "win-chance": _win_chance,
    "tournament": _tournament,
    "luck": studies.luck,
    "aim": studies.aim,
    "reading": studies.reading,
    "curve": studies.curve,
    "advise": _advise,
    "review": lambda frame, metadata, locale: review_in_words(frame, rules_said(metadata, locale), locale),
}
