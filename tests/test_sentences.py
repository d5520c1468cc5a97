"""Findings in words: the golden sentences of both languages, and what no sentence may have."""

from __future__ import annotations

import re

import pytest
from golden_findings import GOLDEN, findings, places, rendered, row
from recounting import check

from cirulla_sim.core.locale import language
from cirulla_sim.reporting.text import sentences
from cirulla_sim.reporting.text.findings import Noun, find_sign, find_signs, rule, state, who
from cirulla_sim.reporting.text.headlines import compare_places, margin
from cirulla_sim.reporting.text.sentences import amount, chart_title, phrase, templates
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.stats.decisions import verdict

LANGUAGES = ("en", "it")
ENGLISH = language("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_golden_sentences(lang: str) -> None:
    """A change shows here as a difference; a reader of the language judges it in the file."""
    golden = (GOLDEN / f"sentences_{lang}.txt").read_text("utf-8").splitlines()
    assert len(golden) >= 100
    assert rendered(language(lang)) == golden


@pytest.mark.parametrize("lang", LANGUAGES)
def test_titles_are_those_of_a_person(lang: str) -> None:
    """No ±, no test, no file names; at most two numbers with decimals, but for an answer to a question of one's own."""
    for finding in findings():
        if finding.kind != "study":  # which are recounted from their files
            check(finding)
        text = chart_title(finding, language(lang)).replace("\u00a0", " ")
        assert not re.search(r"±|Holm|Tukey|significa|[a-z]_[a-z]|\{|  |,,", text), text
        if finding.kind not in ("answer", "study"):
            assert len(re.findall(r"\d+[.,]\d+", text)) <= 2, text


ENGLISH_WORDS = re.compile(
    r"\b(the|is|are|was|not|of|and|or|to|which|that|with|without|has|have|who|from|by|than|more|less|fewer|hand|hands"
    r"|games|points|players|dealing|found|between|among|most|least|wins|beats|each|other|no change)\b", re.I
)  # fmt: skip


def test_no_template_of_italian_has_english_in_it() -> None:
    """Every English template has an Italian twin; ``chi calcola`` is said of players and of their play."""
    english, italian = templates("en"), templates("it")
    assert sorted(set(italian) - set(english)) == []
    missing = {name for name in english if name not in italian and not name.startswith("phrases.play.")}
    assert sorted(missing) == []
    for name, text in italian.items():
        for part in text if isinstance(text, list) else [text]:
            assert not ENGLISH_WORDS.findall(re.sub(r"\{[^}]*\}", "", part)), (name, part)


OPPOSITE = {"more": "less", "less": "more", "most": "least", "least": "most"}

DIRECTIONS = {
    "più": "more most longest over closer expensive gained", "meno": "less fewer least fewest shortest cheapest",
    "meno sotto": "behind", "avanti": "ahead", "rende": "brings gain", "costa": "costs lose",
    "cresce guadagna": "better", "cala perde": "worse", "batte": "beats", "perde": "loses", "aumenta": "raises",
    "riduce": "cuts",
    "persi": "lost",
}  # fmt: skip
"""Italian words of a direction, one of which there must be, by those English ones for which they stand."""


def test_opposites_have_the_same_direction_in_italian() -> None:
    """The words that a template has and its opposite has not: more hands are ``più``, fewer are ``meno``."""
    seen = 0
    for name in templates("en"):
        opposite = re.sub(r"(more|less|most|least)$", lambda end: OPPOSITE[end[0]], name)
        if opposite != name and opposite in templates("en"):
            english, italian = (
                set(re.findall(r"\w+", texts[name])) - set(re.findall(r"\w+", texts[opposite]))
                for texts in (templates("en"), templates("it"))
            )
            for theirs, ours in DIRECTIONS.items():
                if english & set(ours.split()):
                    assert italian & set(theirs.split()), (name, templates("it")[name])
                    seen += 1
    assert seen > 90


def test_templates_have_the_same_places() -> None:
    for name, text in templates("en").items():
        if name.startswith("sentences.") and isinstance(text, str):
            own, other = (
                set(re.findall(r"\{(\w+)", t)) - {"side", "between", "of"} for t in (text, templates("it")[name])
            )
            assert own == other or {"many", "one"} & own, name


@pytest.mark.parametrize("text", ["title", "short", "phrase"])
def test_every_rule_set_has_texts_of_its_own_in_each_language(text: str) -> None:
    each = [entry.get(text, ()) for entry in catalogue()["named"].values()]
    assert {len(texts) for texts in each} == {len(LANGUAGES)}, (
        f"{text} = [English, Italian] in each entry of rules.toml"
    )
    for place in range(len(LANGUAGES)):
        assert len({texts[place] for texts in each}) == len(each)


@pytest.mark.parametrize(("value", "half", "said"), [
    (0.34, 0.02, "a third of a point"), (0.363, 0.009, "just over a third of a point"), (1.0, 0.2, "one point"),
    (0.47, 0.01, "nearly half a point"), (1.5, 0.7, "one and a half points"), (2.16, 0.02, "2.2 points"),
    (-0.15, 0.01, "0.15 points"), (0.043, 0.03, "0.04 points"), (9.08, 0.17, "9 points"), (13.64, 0.1, "13.6 points"),
])  # fmt: skip
def test_a_plain_number_has_what_its_interval_carries(value: float, half: float, said: str) -> None:
    spoken = amount(row("points", value, half), ENGLISH, plain=True)
    assert spoken == said
    if number := re.match(r"[\d.]+", spoken):
        unit = 10.0 ** -len(number[0].partition(".")[2])
        assert abs(float(number[0]) - abs(value)) <= max(half, unit) / 2


@pytest.mark.parametrize(("value", "half", "said"), [
    (0.25, 0.01, "one hand in four"), (0.2271, 0.004, "nearly one hand in four"), (0.4, 0.01, "two hands in five"),
    (0.5135, 0.0022, "half the hands"), (0.44, 0.002, "44% of the hands"), (0.0052, 0.0001, "one hand in 192"),
    (0.99967, 0.0001, "99.967% of the hands"),
])  # fmt: skip
def test_a_share_is_said_as_people_say_it(value: float, half: float, said: str) -> None:
    assert amount(row("changed", value, half, "share"), ENGLISH, plain=True).often == said


def test_skill_is_not_called_dealing() -> None:
    for line_up in ("dealer=search, others=careful", "us=careful, them=greedy"):
        for lang in LANGUAGES:
            text = chart_title(margin(row("margin", 1.1, 0.1, "mean"), line_up), language(lang))
            assert not re.search("[Dd]ealing|fare il mazzo", text), text
    unequal = places("between", "dealer=search, others=careful", "dealer=careful, others=search")
    text = chart_title(compare_places("margin", {place: row("margin", 1.1, 0.1, "mean") for place in unequal}), ENGLISH)
    assert "ealing" not in text


def test_what_is_not_significant_was_not_found() -> None:
    unclear = row("points", 0.4, 0.5)
    assert verdict(unclear) == "open"
    for lang, words in (("en", "was found"), ("it", "non risult|non si è trovata")):
        for kind in ("effect.points", "dealing", "advantage", "effect.hands", "skill"):
            finding = find_sign(
                kind, unclear, rule=rule("no-matta"), who=who("careful"), one=who("open"), other=who("search")
            )
            assert re.search(words, chart_title(finding, language(lang))), (kind, lang)


def test_players_of_every_policy_have_a_name() -> None:
    for policy in ("random", "greedy", "careful", "search", "open", "search:64", "search:16:search:4", "careful+game",
                   "my players.py:best", "analyses/beginners.py:most_cards"):  # fmt: skip
        for lang in LANGUAGES:
            said = str(phrase(who(policy), language(lang)))
            assert "_" not in said
            assert "+" not in said
    assert str(phrase(who("careful+silent"), ENGLISH)) == "players of “careful+silent”"  # of a file of version 1


def test_each_of_several_players_has_a_verdict_of_its_own() -> None:
    up, down, unclear = (row("points", value, 0.1) for value in (0.5, -0.5, 0.05))
    finding = find_signs("effect.points", {"careful": up, "search": down, "greedy": unclear}, rule=rule("no-matta"))
    assert chart_title(finding, ENGLISH) == (
        "Without the matta a hand between careful players brings half a point more; between players who think ahead "
        "half a point fewer; between greedy players no change was found"
    )


def test_own_noun_kinds_stay_words() -> None:
    assert str(phrase((Noun("text", "a"), Noun("text", "b"), Noun("text", "c")), ENGLISH)) == "a, b and c"
    assert sentences.join_names(list("abcdef"), language("it"), 3) == "a, b, c e altri 3"
    assert amount(row("points", 0.0, 0.0), ENGLISH, plain=True) == "0 points"


def test_levels_of_a_sentence_have_as_many_decimals_unless_they_would_look_the_same() -> None:
    about = {name: Noun("text", name) for name in ("who", "other")}
    for first, second, said in ((18.31, 15.2, ("18", "15")), (18.31, 18.2, ("18.3", "18.2"))):
        sizes = {"size": row("points", first, 0.05, "mean"), "most": row("points", second, 0.9, "mean")}
        text = chart_title(state("skill_both", "apart", sizes, **about), ENGLISH)
        assert tuple(re.findall(r"\d[\d.]*", text)) == said
