"""Answers of ``odds`` in sentences, the question as people say it with its number in it, and names of rows in words.

The clauses come from the tree of the question (``questions.reading``), the sentences from ``words/*.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.line_up import LineUp
from ...situation.notation import NOTHING, Situation
from ...stats.decisions import verdict
from ...storage.request import Request
from .cells import DIFFERENCES, LONG_NUMBER, Row, number, value_text
from .facts import Source
from .findings import Finding, Noun, in_front, opponents_in, state
from .labels import Metadata, capital, line_up, line_up_of, nights_of, quantity_name
from .sentences import RARE, fill_phrase, phrase, templates

if TYPE_CHECKING:
    from ...questions.reading import Wording

TOO_FEW = 4
"""Cases of a group below which its number is not drawn, compared or ranked."""

_UNITS = {"holding": "hand", "table": "hand", "deal": "hand", "first-deal": "hand", "position": "case", "piles": "case"}
"""What a trial is called in a sentence, where files call it otherwise."""
_FIRST_DEAL = ("hand_low", "hand_triple", "table_15", "misdeal")
"""What is said of the first deal."""
_QUANTILE = " quantile of "


@dataclass(frozen=True)
class Answer:
    """The rows of a question, and its clauses; of an answer without a question, or to an old one, there are none.

    Tables name it by its ``label``, what it has of its own beside the ``common`` words of all questions of the table.
    """

    name: str
    rows: tuple[Row, ...]
    wording: Wording | None
    label: str = ""
    common: str = ""

    @property
    def levels(self) -> list[Row]:
        """The rows that are no differences between groups, nor of too few cases."""
        return [row for row in self.rows if row["kind"] not in DIFFERENCES and not has_few(row)]

    @cached_property
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
    from ...questions.reading import wordings  # here since no other verb asks questions

    try:
        asked = wordings(Request.from_json(metadata["request"]), locale)
    except (InputError, KeyError):  # what a file of an earlier version says may be refused now
        asked = []
    of: dict[str, list[Row]] = {}
    for row in frame.iter_rows(named=True):
        shown = f"{row['value']:.15g}" if isinstance(row["value"], float) else row["value"]
        of.setdefault(row["quantity"].rpartition(_QUANTILE)[2], []).append({**row, "value": shown})
    by_words = {one.question.words: one for one in asked}
    by_name = by_words | dict(zip(of, by_words.values(), strict=False)) if len(of) == len(by_words) else by_words
    answers = [Answer(name, tuple(rows), by_name.get(name)) for name, rows in of.items()]
    worded = [answer.wording for answer in answers if answer.wording is not None]
    if len(worded) < len(answers):
        names = [Situation.parse(one).text(locale.name) if ": " in one else quantity_name(one, locale) for one in of]
        return [replace(answer, label=name) for answer, name in zip(answers, names, strict=True)]
    _, common, own = _shared(worded, locale)
    labels = (capital(locale.say(one.name) if one.name else named) for one, named in zip(worded, own, strict=True))
    common = "" if all(one.name for one in worded) else capital(common)
    return [replace(one, label=label, common=common) for one, label in zip(answers, labels, strict=True)]


# ------------------------------------------------------------------------------------------------ names


def _shared(wordings: Sequence[Wording], locale: Language) -> tuple[str, str, list[str]]:
    """In what alone questions differ, what they have in common, and what each is called by what it has of its own.

    They differ in ``people``, ``conditions``, in what one ``subject`` does, or in more: then each has its whole name.
    """
    labels, conditions = [_label(one, locale) for one in wordings], [one.when for one in wordings]
    when = [_when(condition, locale) for condition in conditions]
    if len(wordings) > 1:
        people = [one.person for one in wordings]
        if all(people) and len(set(people)) == len(people) and len({one.of_each().clause() for one in wordings}) == 1:
            return "people", _asked(wordings[0].of_each(), locale), people
        if len(set(labels)) == 1 and len(set(conditions)) > 1:
            return "conditions", _asked(wordings[0], locale), [words or locale.say("in any case") for words in when]
        subjects, rests = zip(*(one.subject() for one in wordings), strict=True)
        if subjects[0] and len(set(subjects)) == len(set(conditions)) == 1 and len(set(rests)) == len(rests):
            return "subject", f"{when[0] and f'{when[0]}, '}{subjects[0]} …", list(rests)
    return "", "", [f"{label} {when}".strip() for label, when in zip(labels, when, strict=True)]


def _asked(wording: Wording, locale: Language) -> str:
    """What questions have in common: of a mean, what it is the mean of, of a chance, what of."""
    label, form = _label(wording, locale), {"mean": "mean", "chance": "how-often"}.get(wording.question.aggregate)
    return fill_phrase(f"phrases.answer.{form}", locale, what=label, clause=label) if form else label


def _label(wording: Wording, locale: Language) -> str:
    """A question as the name of a row."""
    aggregate = wording.question.aggregate
    if aggregate in ("until", "run"):
        return fill_phrase(f"phrases.answer.{aggregate}-name", locale, clause=wording.clause())
    return wording.noun() if aggregate in ("histogram", "quantiles", "mean") else wording.clause()


def _when(condition: str, locale: Language) -> str:
    return fill_phrase("phrases.answer.when", locale, when=condition) if condition else ""


def answer_labels(row: Row, answers: Sequence[Answer], locale: Language) -> dict[str, str]:
    """What a row is about, by heading: its question, the value by which it is split, the share of a quantile."""
    share, quantile, name = row["quantity"].rpartition(_QUANTILE)
    answer = next(answer for answer in answers if answer.name == name)
    wording = answer.wording
    texts = {} if answer.is_distribution and len(answers) == 1 else {"What": answer.label}
    if row["value"] is not None:
        shown = value_text(row["value"], locale)
        if wording is not None and wording.is_by_truth and row["value"][:1] in "tf01":
            each = ("yes" if part in ("true", "1") else "no" for part in row["value"].split(" − "))
            shown = " − ".join(map(locale.say, each))
        texts["Value" if wording is None else capital(wording.split)] = shown
    if quantile:
        texts["Share"] = fill_phrase("phrases.answer.quantile", locale, share=locale.numerals(share))
    return texts


def answer_name(row: Row, answers: Sequence[Answer], locale: Language) -> str:
    """What a row of an answer is called: by its question, its value or its share, whichever tells it from others."""
    texts = answer_labels(row, answers, locale)
    if len(answers) == 1 and len(texts) > 1:
        texts.pop("What", None)
    is_until = any(one.wording is not None and one.wording.question.aggregate == "until" for one in answers
                   if one.name == row["quantity"])  # fmt: skip
    return locale.say("on average") if is_until and row["kind"] == "mean" else ", ".join(texts.values())


# ------------------------------------------------------------------------------------------------ sentences


def answer_findings(rows: Sequence[Row], source: Source) -> list[Finding]:
    """What the answers show, each made from its tree: of several questions first the widest difference."""
    answers, say = answers_of(*source), _Sentences(*source[1:])
    if all(answer.wording is None for answer in answers) and len(answers) > 1:
        answers = [one for one in answers if one.name in _FIRST_DEAL] or answers[:1]
    widest = say.widest(answers) if len(answers) > 1 else None
    return list(filter(None, [widest, *map(say.of, answers)]))


def among_files(wording: Wording, named: Mapping[str, Row], metadata: Metadata, locale: Language) -> Finding:
    """The highest and the lowest of the answers to one question in several files, by what sentences call these."""
    say = _Sentences(metadata, locale)
    (one, high), *_, (other, low) = sorted(named.items(), key=lambda item: -item[1]["estimate"])
    return say.two(wording, high, low, one, f"\0 {other}") if _differ([high, low]) else say.alike(wording, high)


@dataclass(frozen=True)
class _Sentences:
    """Makes the findings of answers under the conditions of a file."""

    metadata: Metadata
    locale: Language

    def of(self, answer: Answer) -> Finding | None:
        """What an answer shows."""
        rows, wording = answer.levels, answer.wording
        if not rows:
            return None
        row = rows[0]
        if wording is None:
            return self._of_first_deal(row)
        aggregate = wording.question.aggregate
        if answer.is_distribution:
            return self._likeliest(wording, rows)
        if row.get("by") is not None:
            return None if aggregate == "histogram" else self._split(wording, rows, answer)
        if aggregate in ("quantiles", "median"):
            of = {row["quantity"].partition("%")[0]: row for row in rows}
            median, ends = of.get("50", row), [of[share]["estimate"] for share in ("5", "95") if share in of]
            among = self._words("among", low=f"{ends[0]:g}", high=f"{ends[1]:g}") if len(ends) == 2 else ""
            return self._stated("half", median, wording.case(str(median["estimate"]), "<="), wording.when, among=among)
        if aggregate == "until":
            median = next((row for row in rows if row["quantity"].startswith("50%")), row)
            return self._stated("until", row, wording.clause(), wording.when, {"median": median})
        if aggregate == "run":
            return self._stated("run", row, wording.clause(), wording.when, n=wording.question.trials)
        if aggregate in ("max", "min") and not wording.question.trials:
            within = self._words("within", trials=self._trials(row, row["n"])) if row["n"] else ""
            return self._stated(aggregate, row, wording.number("\0"), wording.when, per=within)
        return self._number(wording, row, wording.when)

    def _of_first_deal(self, row: Row) -> Finding:
        """What nobody asked in words: a chance of the first deal, of a deal that is known, or of an old file."""
        name, known = quantity_name(row["quantity"], self.locale), self._at().text(self.locale.name)
        if row["kind"] != "probability":
            return state("answer", "plain", {"size": row}, clause=name)
        if not known:
            return self._stated("named", row, name, "")
        return self._stated("rare", row, self._words("dealt", known=known), "", known="")

    # -------------------------------------------------------------------------------- one answer

    def _number(self, wording: Wording, row: Row, when: str) -> Finding:
        """A chance, a mean or another number of one question, in so many trials as it asks about."""
        p, exact, parts = row["estimate"], row["exact"], self.metadata["request"]["question"]
        number_of_trials, run = parts.get("in_"), parts.get("in_a_row")
        mean = wording.question.aggregate == "mean"
        if row["kind"] == "probability":
            clause = wording.clause()
            if number_of_trials or run:
                times = parts.get("times", 1)
                form = "run" if not number_of_trials else "run-in" if run else "once-in" if times == 1 else "times-in"
                so_many, trials = phrase(run or times, self.locale), self._trials(row, number_of_trials)
                clause = self._words(form, clause=clause, run=so_many, trials=trials)
                row = {**row, "per": "position"}
            if p not in (0, 1):
                return self._stated("rare" if p < RARE else "often", row, clause, when)
            found = "never" if exact and p == 0 else "always" if exact else "unseen" if p == 0 else "seen"
            bound = number(row, self.locale).partition("(")[2].rstrip(")")
            return self._stated(found, row, clause, when, bound=bound, trials=self._trials(row, row["n"]))
        if wording.is_lead and mean:
            if verdict(row) == "open" or (exact and not p):
                return self._stated("level", row, "", when, number=number(row, self.locale), per=self._per(row, ""))
            row = {**row, "kind": "difference"}
        clause = wording.clause("\0", less=bool(p < 0))
        if not mean:
            return self._stated("number", row, clause, when)
        within = self._words("within", trials=self._trials(row, number_of_trials)) if number_of_trials else ""
        return self._stated("mean", row, clause, when, per=within or self._per(row, clause))

    def _likeliest(self, wording: Wording, rows: Sequence[Row]) -> Finding:
        """The most frequent values of a distribution, with the mean where there is one that says something."""
        from ...questions.vocabulary import functions

        values = [row for row in rows if row["kind"] == "probability"]
        front = [values[place] for place in in_front(values)]
        tree = (wording.question.by or wording.question.parts[0]).tree
        says_nothing = tree.name == "term" and functions()[tree.value.name].zero_is_none
        others = [row for row in rows if row not in values]
        mean = {} if says_nothing or not others else {"mean": others[0]}
        form = "-mean" if mean else ""
        if len(front) > 2:
            return self._stated(f"equal{form}", values[0], wording.split, wording.when, mean)
        # The words that the clauses of two values begin or end with are said once
        each = [wording.case(row["value"]).split() for row in sorted(front, key=values.index)]
        begin, end = (
            sum(takewhile(bool, (len(set(words)) == 1 for words in zip(*clauses, strict=False))))
            for clauses in (each, [clause[::-1] for clause in each])
        )
        own = [one[begin if n else 0 : len(one) - (end if n < len(each) - 1 else 0)] for n, one in enumerate(each)]
        clause = f" {templates(self.locale.name)['words.or']} ".join(map(" ".join, own))
        return self._stated(f"likeliest{'-two' * (len(front) == 2)}{form}", front[0], clause, wording.when, mean)

    def _split(self, wording: Wording, rows: list[Row], answer: Answer) -> Finding:
        """The highest and the lowest of the answers that a question has by the values of something."""
        if self.metadata["request"]["question"].get("top"):  # of which the others are not shown
            when = " ".join(filter(None, (wording.when, wording.case(rows[0]["value"]))))
            return self._number(wording, rows[0], when)
        difference = next((row for row in answer.rows if row["kind"] in DIFFERENCES), None)
        some = [row for row in rows if row["kind"] != "probability" or row["estimate"]]
        some = some if len(some) > 1 else rows
        # The most and least seen have no intervals
        high = max(some, key=lambda row: row["estimate"] if row["ci_low"] is None else row["ci_low"])
        low = min(some, key=lambda row: row["estimate"] if row["ci_high"] is None else row["ci_high"])
        if of_truth := wording.is_by_truth and len(rows) == 2:
            high, low = sorted(rows, key=lambda row: row["value"] in ("false", "0"))
        first, second = (wording.case(row["value"]) for row in (high, low))
        (before, verb, _), (again, _, value) = (case.partition(self._words("is")) for case in (first, second))
        if verb and before == again:
            second = self._words("again", value=value)
        one, two = _when(first, self.locale), _when(second, self.locale)
        is_level = verdict(difference) == "open" if difference else high is low or not _differ(rows)
        if is_level and wording.question.aggregate in ("chance", "mean"):
            form = "whether" if of_truth else "between" if difference else "by"
            return self.alike(wording, high, self._words(form, by=wording.split, one=one, two=two))
        return self.two(wording, high, low, one, f"\0 {self._words('not') if of_truth else two}")

    def alike(self, wording: Wording, row: Row, by: str = "") -> Finding:
        """That no difference was found."""
        of_truth = wording.question.is_of_truth
        asked = self._words("how-often", clause=wording.clause()) if of_truth else wording.noun()
        return self._stated("same", row, asked, wording.when, by=by)

    def two(self, wording: Wording, high: Row, low: Row, one: str, two: str) -> Finding:
        """The first of two answers, and in ``two`` what the other is of, with a null in place of its number."""
        share, mean = high["kind"] == "probability", wording.question.aggregate == "mean"
        clause = wording.clause() if share else wording.number("\0") if wording.is_lead else wording.clause("\0")
        before, _, after = two.partition("\0")
        form = "two" if share else "two-means" if mean else "two-numbers"
        return self._stated(form, high, clause, wording.when, {"other": low}, one=one and f" {one}", two=before,
                            two_after=after)  # fmt: skip

    # -------------------------------------------------------------------------------- several

    def widest(self, answers: Sequence[Answer]) -> Finding | None:
        """The highest and the lowest of the answers to several questions of one kind; of others nothing."""
        pairs = [(one.wording, one.levels[0]) for one in answers if one.wording is not None and len(one.levels) == 1]
        kinds = {row["kind"] for _, row in pairs}
        if len(pairs) < len(answers) or kinds not in ({"probability"}, {"mean"}):
            return None
        several = {"in_", "in_a_row"} & set(self.metadata["request"]["question"])
        if several or any(one.is_lead or one.question.aggregate not in ("chance", "mean") for one, _ in pairs):
            return None
        # Of what was never seen, or always, there is a sentence of its own
        pairs = [(one, row) for one, row in pairs if kinds == {"mean"} or 0 < row["estimate"] < 1]
        if len({row["estimate"] for _, row in pairs}) < 2:
            return None
        differ_in, _, names = _shared([one for one, _ in pairs], self.locale)
        ordered = sorted(zip(pairs, names, strict=True), key=lambda named: -named[0][1]["estimate"])
        ((one, high), first), *_, ((other, low), last) = ordered
        bare = replace(one, seat="", question=replace(one.question, given=()))
        if differ_in in ("people", "conditions") and not _differ([high, low]):
            return self.alike(one.of_each() if differ_in == "people" else bare, high)
        if differ_in == "people":
            return self.two(one, high, low, "", f"{last} \0")
        if differ_in == "conditions":
            return self.two(bare, high, low, first, f"\0 {last}")
        two = other.clause("\0") if kinds == {"mean"} else f"{other.clause()} \0"
        if differ_in == "subject":
            return self.two(one, high, low, "", two.removeprefix(f"{one.subject()[0]} "))
        both = f"{two} {_when(other.when, self.locale)}".strip()
        return self.two(bare, high, low, _when(one.when, self.locale), both)

    # -------------------------------------------------------------------------------- parts of sentences

    def _words(self, name: str, /, **values: object) -> str:
        return fill_phrase(f"phrases.answer.{name}", self.locale, **values)

    def _unit(self, row: Row, clause: str = "") -> tuple[str, Sequence[str]]:
        """What a trial is called in a sentence, one and several; in a clause that calls it so already a case."""
        texts, unit = templates(self.locale.name), _UNITS.get(row["per"], str(row["per"]))
        named = re.search(rf"\b(?:{'|'.join(texts[f'words.units.{unit}'][:2])})\b", clause)
        unit = "case" if named else unit
        return unit, texts[f"words.units.{unit}"]

    def _trials(self, row: Row, n: int | None) -> str:
        return f"{self.locale.numerals(f'{n or 0:,}')} {self._unit(row)[1][1]}"

    def _per(self, row: Row, clause: str) -> str:
        """In one trial, unless the clause says so."""
        unit, _ = self._unit(row, clause)
        return self._words(f"in.{unit}") if row["per"] in ("hand", "game", "night") and unit != "case" else ""

    def _stated(
        self, direction: str, row: Row, clause: str, when: str, others: Mapping[str, Row] | None = None, **about: Any
    ) -> Finding:
        """A finding with the places that all sentences have."""
        unit, (_, many, _, of_units) = self._unit(row, f"{clause} {when} {about.get('one', '')}")
        before, _, after = clause.partition("\0")
        exact = str(row["exact"] or "")
        fraction = exact if "/" in exact and len(exact) <= 2 * LONG_NUMBER else ""
        condition = _when(when, self.locale)
        places = {
            "clause": clause, "before": before, "after": after, "when": condition and f"{condition}, ",
            "of": of_units, "units": many, "exactly": self._words("exactly", fraction=fraction) if fraction else "",
            "known": self._known(),
        }  # fmt: skip
        sizes = {name: {**size, "per": unit} for name, size in {"size": row, **(others or {})}.items()}
        return state("answer", direction, sizes, **places | self._players() | about)

    def _at(self) -> Situation:
        written = self.metadata.get("request", {}).get("situation", {}).get("at")
        return Situation.parse(written) if written else NOTHING

    def _known(self) -> str:
        """What is known of a deal or a game; in mid-hand that it is so."""
        at = self._at()
        known = replace(at, i_am=None).text(self.locale.name)
        if not known or at.night is not None:
            return ""
        if at.score and not at.places:
            return self._words("score", score="–".join(map(str, at.score)))
        return self._words("position") if at.is_position else self._words("known", known=known)

    def _players(self) -> dict[str, str]:
        """Who plays, where somebody does: *between careful players*, and at the end of a sentence *with* them."""
        playing = line_up_of(self.metadata)
        if not playing or any(len({*night.pairs}) > 1 for night in nights_of(self.metadata)):  # the table has the pairs
            return {"players": "", "playing": ""}
        places = {place for place, _ in LineUp.parse(playing).policies}
        if opponents_in(playing) and places != {"dealer", "others"}:
            named = self._words("playing", players=line_up(playing, self.locale))
            return {"players": named, "playing": named}
        who = fill_phrase("phrases.place.with", self.locale, who=phrase(Noun("who", playing), self.locale))
        return {"players": phrase(Noun("between", playing), self.locale), "playing": f", {who}"}


def _differ(rows: Sequence[Row]) -> bool:
    """Whether the largest of some numbers is significantly more than the smallest."""
    return len(in_front(rows)) < len(rows) or len(in_front(rows, least=True)) < len(rows)
