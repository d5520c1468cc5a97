"""Answers of ``odds`` in sentences, the question as people say it with its number in it, and names of rows in words.

The clauses come from the tree of the question (``questions.reading``), the sentences from ``words/*.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from operator import eq
from typing import TYPE_CHECKING, Any

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.line_up import LineUp
from ...situation.notation import NOTHING, Situation
from ...stats.decisions import verdict
from ...storage.request import Request
from .cells import DIFFERENCES, LONG_NUMBER, Row, number, value
from .findings import Finding, Noun, in_front, opposed, stated, text
from .labels import Metadata, capital, line_up, line_up_of, quantity_name
from .sentences import phrase, templates, words

if TYPE_CHECKING:
    from ...questions.reading import Wording

RARE = 0.095
"""Chances below it are said as one hand of so many."""
TOO_FEW = 4
"""Cases of a group below which its number is not drawn, compared or ranked."""

_UNITS = {"holding": "hand", "table": "hand", "deal": "hand", "first-deal": "hand", "position": "case", "piles": "case"}
"""What a trial is called in a sentence, where files call it otherwise."""
_FIRST_DEAL = ("hand_low", "hand_triple", "table_15", "misdeal")
"""What is said of the first deal."""
_QUANTILE = " quantile of "


@dataclass(frozen=True)
class Answer:
    """The rows of a question, and its clauses; of an answer without a question, or to an old one, there are none."""

    name: str
    rows: tuple[Row, ...]
    wording: Wording | None
    parts: Mapping[str, Any]

    @property
    def levels(self) -> list[Row]:
        """The rows that are no differences between groups, nor of too few cases."""
        return [row for row in self.rows if row["kind"] not in DIFFERENCES and not has_few(row)]

    @property
    def is_distribution(self) -> bool:
        """Whether the rows are how often each value comes up."""
        shares = [row for row in self.rows if row.get("share") is not None]
        return bool(shares) and all(row["kind"] == "probability" and row["share"] == row["estimate"] for row in shares)


def has_few(row: Row) -> bool:
    """Whether a row is of a group with too few cases to say anything of it."""
    share = row.get("share")
    return share is not None and share != row["estimate"] and row["n"] is not None and row["n"] < TOO_FEW


def answers_of(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> list[Answer]:
    """The answers of a table, one a question."""
    every = {one.question.words: one for one in _wordings(metadata, locale)}
    of: dict[str, list[Row]] = {}
    for row in frame.iter_rows(named=True):
        shown = f"{row['value']:.15g}" if isinstance(row["value"], float) else row["value"]
        of.setdefault(numbered(row["quantity"]), []).append({**row, "value": shown})
    parts = metadata.get("request", {}).get("question", {})
    in_order = dict(zip(of, every.values(), strict=False)) if len(of) == len(every) else {}
    return [Answer(name, tuple(rows), in_order.get(name) or every.get(name), parts) for name, rows in of.items()]


def _wordings(metadata: Metadata, locale: Language) -> list[Wording]:
    from ...questions.reading import wordings  # here since no other verb asks questions

    try:
        return wordings(Request.from_json(metadata["request"]), locale)
    except (InputError, KeyError):  # what a file of an earlier version says may be refused now
        return []


def numbered(quantity: str) -> str:
    """The question of a row: of a quantile that of the number."""
    return quantity.rpartition(_QUANTILE)[2]


# ------------------------------------------------------------------------------------------------ names


Names = tuple[str, Mapping[str, str]]
"""What several questions have in common, and what each is called by what it has of its own."""


def names_of(answers: Sequence[Answer], locale: Language) -> Names:
    """The names of questions in words: by their people or conditions where only these differ, by what somebody does
    where that is one, as the user calls them, or whole.
    """
    called = [answer.name for answer in answers]
    wordings = [answer.wording for answer in answers if answer.wording is not None]
    if len(wordings) < len(answers):
        return "", {name: quantity_name(name, locale) for name in called}
    common, own = _in_common(wordings, locale)
    named = [one.name or name for one, name in zip(wordings, own, strict=True)]
    return capital(common), {name: capital(words) for name, words in zip(called, named, strict=True)}


def _in_common(wordings: Sequence[Wording], locale: Language) -> tuple[str, list[str]]:
    if len(wordings) > 1:
        if people := _people(wordings):
            return _label(wordings[0].of_each(), locale), people
        conditions = [one.when for one in wordings]
        if len({_label(one, locale) for one in wordings}) == 1 and len(set(conditions)) > 1:
            return _label(wordings[0], locale), [
                _when(when, locale) or locale.say("in any case") for when in conditions
            ]
        subjects, rests = zip(*(one.subject() for one in wordings), strict=True)
        if subjects[0] and len(set(subjects)) == len(set(conditions)) == 1 and len(set(rests)) == len(rests):
            return f"{_with_comma(_when(conditions[0], locale))}{subjects[0]} …", list(rests)
    return "", [" ".join(filter(None, (_label(one, locale), _when(one.when, locale)))) for one in wordings]


def _people(wordings: Sequence[Wording]) -> list[str]:
    """The people of questions that differ in nothing else; nobody for others."""
    people = [one.person for one in wordings]
    alike = all(people) and len(set(people)) == len(people) and len({one.of_each().clause() for one in wordings}) == 1
    return people if alike else []


def _label(wording: Wording, locale: Language) -> str:
    """A question as the name of a row."""
    aggregate = wording.question.aggregate
    if aggregate in ("until", "run"):
        return words(f"phrases.answer.{aggregate}-name", locale, clause=wording.clause())
    return wording.noun() if aggregate in ("histogram", "quantiles") else wording.clause()


def _when(condition: str, locale: Language) -> str:
    return words("phrases.answer.when", locale, when=condition) if condition else ""


def _with_comma(words: str) -> str:
    return f"{words}, " if words else ""


def row_name(row: Row, answers: Sequence[Answer], names: Names, locale: Language) -> str:
    """What a row of an answer is called: by its question, its value or its share, whichever tells it from others."""
    question = numbered(row["quantity"])
    wording = next(answer.wording for answer in answers if answer.name == question)
    told = len(answers) == 1 and (row["value"] is not None or _QUANTILE in row["quantity"])
    own = [] if told else [names[1][question]]
    if row["value"] is not None:
        own.append(value_name(row, wording, locale))
    elif wording is not None and wording.question.aggregate == "until" and row["kind"] == "mean":
        own = [locale.say("on average")]
    return ", ".join(filter(None, [*own, quantile_name(row, locale)]))


def value_name(row: Row, wording: Wording | None, locale: Language) -> str:
    """The value by which an answer is split, as a table has it."""
    if wording is not None and wording.is_by_truth and row["value"][:1] in "tf01":
        return " − ".join(locale.say("yes" if part in ("true", "1") else "no") for part in row["value"].split(" − "))
    return next(iter(value(row, locale).values()))


def quantile_name(row: Row, locale: Language) -> str:
    """The share of a quantile, of whose row it is the name; empty for another row."""
    share, quantile, _ = str(row["quantity"]).partition(_QUANTILE)
    return words("phrases.answer.quantile", locale, share=locale.numerals(share)) if quantile else ""


# ------------------------------------------------------------------------------------------------ sentences


def findings_of(frame: pl.DataFrame, metadata: Metadata, locale: Language, brief: bool = False) -> Iterator[Finding]:
    """What the answers show: of several questions first the widest difference. ``brief`` leaves out
    fractions and players, who stand in the footer of a chart.
    """
    answers = answers_of(frame, metadata, locale)
    say = _Sentences(metadata, locale, brief)
    if all(answer.wording is None for answer in answers) and len(answers) > 1:
        answers = [one for one in answers if one.name in _FIRST_DEAL] or answers[:1]
    if len(answers) > 1 and (widest := say.widest(answers)):
        yield widest
    yield from filter(None, map(say.of, answers))


def among_files(wording: Wording, named: Mapping[str, Row], metadata: Metadata, locale: Language) -> Finding:
    """The highest and the lowest of the answers to one question in several files, by what sentences call these."""
    say = _Sentences({"request": {**metadata["request"], "line_ups": []}}, locale, brief=True)
    (one, high), *_, (other, low) = sorted(named.items(), key=lambda item: -item[1]["estimate"])
    return say._two(high, low, wording, one, f"\0 {other}") if _differ([high, low]) else say._level(wording, high)


@dataclass(frozen=True)
class _Sentences:
    """Makes the findings of answers under the conditions of a file."""

    metadata: Metadata
    locale: Language
    brief: bool

    def of(self, answer: Answer) -> Finding | None:
        """What an answer shows."""
        rows, wording = answer.levels, answer.wording
        if not rows:
            return None
        if wording is None:
            return self._unasked(rows[0])
        aggregate = wording.question.aggregate
        if answer.is_distribution:
            return self._likeliest(rows, wording)
        if "by" in rows[0] and rows[0]["by"] is not None:
            return None if aggregate == "histogram" else self._split(answer, rows, wording)
        if aggregate in ("quantiles", "median"):
            return self._quantiles(rows, wording)
        if aggregate == "until":
            median = next((row for row in rows if row["quantity"].startswith("50%")), rows[0])
            return self._stated("until", rows[0], wording.clause(), wording.when, median=median)
        if aggregate == "run":
            return self._stated("run", rows[0], wording.clause(), wording.when, n=wording.question.trials)
        if aggregate in ("max", "min") and not wording.question.trials:
            trials = self._words("within", trials=self._trials(rows[0], rows[0]["n"])) if rows[0]["n"] else ""
            return self._stated(aggregate, rows[0], wording.number("\0"), wording.when, per=trials)
        if rows[0]["kind"] == "probability":
            several = {"in_", "in_a_row"} & set(answer.parts)
            row = {**rows[0], "per": "position"} if several else rows[0]
            return self._chance(row, self._clause(rows[0], wording), wording.when)
        return self._number(rows[0], wording, wording.when)

    def _unasked(self, row: Row) -> Finding:
        """What nobody asked in words: a chance of the first deal, of a deal that is known, or of an old file."""
        at = self.metadata.get("request", {}).get("situation", {}).get("at")
        if row["kind"] != "probability":
            return stated("answer", "plain", {"size": row}, clause=text(quantity_name(row["quantity"], self.locale)))
        if not at:
            return self._stated("named", row, quantity_name(row["quantity"], self.locale), "")
        known = Situation.parse(at).text(self.locale.name)
        return self._stated("rare", row, self._words("dealt", known=known), "", known="")

    # -------------------------------------------------------------------------------- one answer

    def _clause(self, row: Row, wording: Wording) -> str:
        """What may be true, in several trials where so many are asked about."""
        clause, parts = wording.clause(), self.metadata["request"]["question"]
        number, run = parts.get("in_"), parts.get("in_a_row")
        how = "run-in" if number and run else "once-in" if number else "run" if run else ""
        times = phrase(run or 0, self.locale)
        return self._words(how, clause=clause, run=times, trials=self._trials(row, number)) if how else clause

    def _trials(self, row: Row, n: int | None) -> str:
        return f"{self.locale.numerals(f'{n or 0:,}')} {self._unit(_unit_of(row))[1]}"

    def _chance(self, row: Row, clause: str, when: str) -> Finding:
        p, exact = row["estimate"], row["exact"]
        if p in (0, 1):
            found = "never" if exact and p == 0 else "always" if exact else "unseen" if p == 0 else "seen"
            bound = number(row, self.locale).partition("(")[2].rstrip(")")
            return self._stated(found, row, clause, when, bound=bound, trials=self._trials(row, row["n"]))
        return self._stated("rare" if p < RARE else "often", row, clause, when)

    def _number(self, row: Row, wording: Wording, when: str) -> Finding:
        """A mean, or another number of one question."""
        lead, size = wording.is_lead, row
        if lead and wording.question.aggregate == "mean":
            if verdict(row) == "open" or (row["exact"] and not row["estimate"]):
                shown = number(row, self.locale)
                return self._stated("level", row, "", when, number=shown, per=self._per(row, ""))
            size = {**row, "kind": "difference"}
        clause = wording.clause("\0", less=bool(row["estimate"] < 0))
        if wording.question.aggregate != "mean":
            return self._stated("number", size, clause, when)
        total = self.metadata["request"]["question"].get("in_")
        per = self._words("within", trials=self._trials(row, total)) if total else self._per(row, clause)
        return self._stated("mean", size, clause, when, per=per)

    def _quantiles(self, rows: Sequence[Row], wording: Wording) -> Finding:
        of = {row["quantity"].partition("%")[0]: row for row in rows}
        median = of.get("50", rows[0])
        ends = [of[share]["estimate"] for share in ("5", "95") if share in of]
        among = self._words("among", low=f"{ends[0]:g}", high=f"{ends[1]:g}") if len(ends) == 2 else ""
        return self._stated("half", median, wording.case(str(median["estimate"]), "<="), wording.when, among=among)

    def _likeliest(self, rows: Sequence[Row], wording: Wording) -> Finding:
        """The most frequent values of a distribution, with the mean where there is one."""
        values = [row for row in rows if row["kind"] == "probability"]
        front = [values[place] for place in in_front(values)]
        mean = next((row for row in rows if row["kind"] != "probability"), None)
        averaged = {} if mean is None else {"mean": mean}
        if len(front) > 2:
            return self._stated("equal-mean" if mean else "equal", values[0], wording.split, wording.when, **averaged)
        clause = self._or(wording.case(row["value"]) for row in sorted(front, key=values.index))
        found = f"likeliest{'-two' if len(front) == 2 else ''}{'-mean' if mean else ''}"
        return self._stated(found, front[0], clause, wording.when, **averaged)

    def _or(self, clauses: Iterable[str]) -> str:
        """Clauses of which the words that all begin or end with are said once."""
        words = [clause.split() for clause in clauses]
        begin, end = (min(_alike(words[0][::way], other[::way]) for other in words) for way in (1, -1))
        own = [one[begin if n else 0 : len(one) - (end if n < len(words) - 1 else 0)] for n, one in enumerate(words)]
        return f" {self._texts['words.or']} ".join(map(" ".join, own))

    def _split(self, answer: Answer, rows: list[Row], wording: Wording) -> Finding:
        """The highest and the lowest of the answers that a question has by the values of something."""
        difference = next((row for row in answer.rows if row["kind"] in DIFFERENCES), None)
        some = [row for row in rows if row["kind"] != "probability" or 0 < row["estimate"] < 1]
        some = some if len(some) > 1 else rows
        high, low = max(some, key=partial(_end, name="ci_low")), min(some, key=partial(_end, name="ci_high"))
        if wording.is_by_truth:
            high, low = sorted(rows[:2], key=lambda row: row["value"] in ("false", "0"))
        if answer.parts.get("top"):  # of which the others are not shown
            when = " ".join(filter(None, (wording.when, wording.case(rows[0]["value"]))))
            is_chance = rows[0]["kind"] == "probability"
            return self._chance(rows[0], wording.clause(), when) if is_chance else self._number(rows[0], wording, when)
        of_truth = wording.is_by_truth and len(rows) == 2
        one, two = (_when(wording.case(row["value"]), self.locale) for row in (high, low))
        is_level = verdict(difference) == "open" if difference else high is low or not _differ(rows)
        if is_level and wording.question.aggregate in ("chance", "mean"):
            by = self._words("whether" if of_truth else "between" if difference else "by",
                             by=wording.split, one=one, two=two)  # fmt: skip
            return self._level(wording, high, by=by)
        return self._two(high, low, wording, one, f"\0 {self._words('not') if of_truth else two}")

    def _level(self, wording: Wording, row: Row, by: str = "") -> Finding:
        """That no difference was found."""
        of_truth = wording.question.is_of_truth
        asked = self._words("how-often", clause=wording.clause()) if of_truth else wording.noun()
        return self._stated("same", row, asked, wording.when, by=by)

    def _two(self, high: Row, low: Row, wording: Wording, one: str, two: str) -> Finding:
        """The first of two answers, and in ``two`` what the other is of, with a null in place of its number."""
        share, mean = high["kind"] == "probability", wording.question.aggregate == "mean"
        clause = wording.clause() if share else wording.number("\0") if wording.is_lead else wording.clause("\0")
        before, _, after = two.partition("\0")
        about = {"one": one and f" {one}", "two": before, "two_after": after}
        return self._stated("two" if share else "two-means" if mean else "two-numbers", high, clause, wording.when,
                            other=low, **about)  # fmt: skip

    # -------------------------------------------------------------------------------- several

    def widest(self, answers: Sequence[Answer]) -> Finding | None:
        """The highest and the lowest of the answers to several questions of one kind; of others nothing."""
        alone = {answer.name: answer for answer in answers if len(answer.levels) == 1}
        rows = {name: answer.levels[0] for name, answer in alone.items()}
        kinds = {row["kind"] for row in rows.values()}
        wordings = {name: answer.wording for name, answer in alone.items() if answer.wording is not None}
        several = {"in_", "in_a_row"} & set(answers[0].parts)
        if len(wordings) < len(answers) or len(kinds) > 1 or not kinds <= {"probability", "mean"} or several:
            return None
        if any(one.is_lead or one.question.aggregate not in ("chance", "mean") for one in wordings.values()):
            return None
        (first, high), *_, (last, low) = sorted(rows.items(), key=lambda item: -item[1]["estimate"])
        if high["estimate"] == low["estimate"]:
            return None
        common, own = _in_common(list(wordings.values()), self.locale)
        called = dict(zip(wordings, own, strict=True))
        one, other = wordings[first], wordings[last]
        people, conditions = bool(_people(list(wordings.values()))), common == _label(one, self.locale)
        if (people or conditions) and not _differ([high, low]):
            return self._level(one.of_each() if people else _without_conditions(one), high)
        if people:
            return self._two(high, low, one, "", f"{called[last]} \0")
        if conditions:
            return self._two(high, low, _without_conditions(one), called[first], f"\0 {called[last]}")
        two = other.clause("\0") if kinds == {"mean"} else f"{other.clause()} \0"
        if common:
            return self._two(high, low, one, "", two.removeprefix(f"{one.subject()[0]} "))
        both = " ".join(filter(None, (two, _when(other.when, self.locale))))
        return self._two(high, low, _without_conditions(one), _when(one.when, self.locale), both)

    # -------------------------------------------------------------------------------- parts of sentences

    @property
    def _texts(self) -> Mapping[str, Any]:
        return templates(self.locale.name)

    def _words(self, name: str, /, **values: object) -> str:
        return words(f"phrases.answer.{name}", self.locale, **values)

    def _unit(self, unit: str) -> Sequence[str]:
        units: Sequence[str] = self._texts[f"words.units.{unit}"]
        return units

    def _per(self, row: Row, clause: str) -> str:
        """In one trial, unless the clause says so."""
        unit = _unit_of(row)
        known = row["per"] in ("hand", "game", "night") and not self._mentions(unit, clause)
        return self._words(f"in.{unit}") if known else ""

    def _mentions(self, unit: str, clause: str) -> bool:
        return bool(re.search(rf"\b(?:{'|'.join(self._unit(unit)[:2])})\b", clause))

    def _known(self) -> str:
        """What is known of a deal or a game; in mid-hand that it is so."""
        written = self.metadata.get("request", {}).get("situation", {}).get("at")
        at = Situation.parse(written) if written else NOTHING
        known = replace(at, i_am=None).text(self.locale.name)
        if not known or at.night is not None:
            return ""
        if at.score and not at.places:
            return self._words("score", score="–".join(map(str, at.score)))
        return self._words("position") if at.is_position else self._words("known", known=known)

    def _stated(self, direction: str, row: Row, clause: str, when: str, **about: Any) -> Finding:
        """A finding with the places that all sentences have."""
        sizes = {name: about.pop(name) for name in ("other", "median", "mean") if isinstance(about.get(name), Mapping)}
        unit = _unit_of(row)
        unit = "case" if self._mentions(unit, f"{clause} {when} {about.get('one', '')}") else unit
        own = {name: text(thing) if isinstance(thing, str) else thing for name, thing in about.items()}
        before, _, after = clause.partition("\0")
        exact = "" if self.brief else str(row["exact"] or "")
        fraction = exact if "/" in exact and len(exact) <= 2 * LONG_NUMBER else ""
        players, playing = self._players()
        places = {
            "playing": text(playing),
            "clause": text(clause), "before": text(before), "after": text(after),
            "when": text(_with_comma(_when(when, self.locale))), "players": text(players),
            "of": text(self._unit(unit)[3]),
            "units": text(self._unit(unit)[1]),
            "exactly": text(self._words("exactly", fraction=fraction) if fraction else ""),
            "known": text(self._known()),
        }  # fmt: skip
        named = {name: {**size, "per": unit} for name, size in {"size": row, **sizes}.items()}
        return stated("answer", direction, named, **places | own)

    def _players(self) -> tuple[str, str]:
        """Who plays, where somebody does: *between careful players*, and at the end of a sentence *with* them."""
        playing = line_up_of(self.metadata)
        if not playing or self.brief:
            return "", ""
        places = {place for place, _ in LineUp.parse(playing).policies}
        if opposed(playing) and places != {"dealer", "others"}:
            named = self._words("playing", players=line_up(playing, self.locale))
            return named, named
        who = phrase(Noun("who", playing), self.locale)
        between = words(f"phrases.place.{'with' if opposed(playing) else 'between'}", self.locale, who=who)
        return f" {between}", f", {words('phrases.place.with', self.locale, who=who)}"


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """With how many of the same words both begin."""
    return sum(takewhile(bool, map(eq, first, second)))


def _end(row: Row, name: str) -> float:
    """An end of an interval; of the most and least seen, which have none, the number itself."""
    return float(row["estimate"] if row[name] is None else row[name])


def _differ(rows: Sequence[Row]) -> bool:
    """Whether the largest of some numbers is significantly more than the smallest."""
    return len(in_front(rows)) < len(rows) or len(in_front(rows, least=True)) < len(rows)


def _without_conditions(wording: Wording) -> Wording:
    return replace(wording, seat="", question=replace(wording.question, given=()))


def _unit_of(row: Row) -> str:
    """What a trial is called in a sentence."""
    per = str(row["per"])
    return _UNITS.get(per, per)
