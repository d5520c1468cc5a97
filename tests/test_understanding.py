"""Plain questions are understood by the phrases that questions are read with, or refused; never as something else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.questions.common_questions import CommonQuestion, common_questions
from cirulla_sim.questions.question import Speaker, read_questions
from cirulla_sim.questions.reading import reading_of
from cirulla_sim.questions.understanding import understand
from cirulla_sim.questions.vocabulary import functions
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.verbs.odds import command_for

RULES = build("cirulla")
Run = Callable[..., tuple[int, str, str]]


def reading(text: str, lang: str = "en", by: str | None = None) -> str:
    [question] = read_questions((text,) if text else (), None, by, Speaker(RULES))
    return reading_of(question, language(lang))


def understood(text: str, place: int | None = None) -> str | None:
    """The expression that a text is understood as, None where it is refused."""
    try:
        return " ".join(understand(text, RULES, place).texts[:1]) or None
    except InputError:
        return None


# ------------------------------------------------------------------------------------------------ readings


NOT_BACK = {"cards", "ranks", "suits", "ties_night", "place", "most_equal", "misdeals", "hands_played", "knock_points"}
"""Functions whose reading is not understood in one of the languages: cards as a text, long nouns of nights."""


@pytest.mark.parametrize("place", [0, 1], ids=["en", "it"])
@pytest.mark.parametrize("name", [name for name, one in functions().items() if one.space != "turn"])
def test_what_is_read_is_understood_as_it_was(name: str, place: int) -> None:
    example, lang = functions()[name].example, ("en", "it")[place]
    text = understood(reading(example, lang), place)
    if text is None or reading(text) != reading(example):
        assert NOT_BACK & {name, example}, text
        assert text is None or name == "knock_points"


def drawn(dice: random.Random) -> str:
    """A question of a few functions, counts, people and stages, with conditions."""
    people = ["me", "next", "partner", "dealer", "first", "us", "them", "everybody", "somebody"]
    names = [
        "aces",
        "sevens",
        "diamonds",
        "barsega",
        "barsegon",
        "bonus",
        "sweeps",
        "captures",
        "knocks",
        "captured",
        "wins",
    ]

    def truth() -> str:
        name, person = dice.choice(names), dice.choice(people)
        function = functions()[name]
        if function.who == "side":
            person = dice.choice(["us", "them", "dealer_side"])
        elif person in ("us", "them"):
            person = "me"
        cards = f", {dice.choice(['sevens', 'figure', 'clubs'])}" if name == "captured" else ""
        stage = (
            f", stage {dice.choice('123')}" if name in ("sweeps", "knocks", "captures") and dice.random() < 0.4 else ""
        )
        count = (
            f" {dice.choice(['=', '>=', '<=', '<', '>'])} {dice.choice('1234')}" if function.gives == "count" else ""
        )
        return f"{name}({person}{cards}{stage}){count}"

    kind = dice.random()
    if kind < 0.25:
        return f"mean({dice.choice(['sweeps', 'captures', 'knocks'])}({dice.choice(people[:5])}))"
    joined = f" {dice.choice(['and', 'or'])} ".join({truth(): None for _ in range(dice.choice((1, 1, 2)))})
    return f"{joined} given {truth()}" if kind < 0.5 and " or " not in joined else joined


@pytest.mark.parametrize("size", [300, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", [0, 1], ids=["en", "it"])
def test_random_questions_come_back_from_their_reading(place: int, size: int) -> None:
    dice, lang = random.Random(size), ("en", "it")[place]
    for text in (drawn(dice) for _ in range(size)):
        wanted = reading(text, lang)
        back = understood(wanted, place)
        assert back is not None, wanted
        assert reading(back, lang) == wanted


# ------------------------------------------------------------------------------------------------ plain questions


@pytest.mark.parametrize(("text", "expected"), [
    ("how often does my partner have the matta?", "matta(partner)"),
    ("What are the odds that I get no ace?", "aces(me) = 0"),
    ("how often do we win without the settebello?", "wins(us) given not captured(us, settebello)"),
    ("If I hold the settebello, how often do we end up with it?", "captured(us, settebello) given settebello(me)"),
    ("how often do they make more sweeps than us?", "sweeps(them) > sweeps(us)"),
    ("How many sweeps does a hand have on average?", "mean(sweeps)"),
    ("how many hands until someone gets a barsegon?", "until(barsegon(somebody))"),
    ("How often do I make a scopa with an ace?", "sweeps(me, with aces)"),
    ("How often do we win the hand if we knock with a barsega?", "wins(us) given knocks(us, barsega)"),
    ("how often do we score between five and ten points?", "points(us) between 5 and 10"),
    ("se ho la matta, quante volte ho una barsega?", "barsega(me) given matta(me)"),
    ("quanto spesso il mazziere bussa nel secondo giro?", "knocks(dealer, stage 2)"),
    ("quanto spesso gli avversari fanno più scope di noi?", "sweeps(them) > sweeps(us)"),
    ("quanto spesso facciamo sia la grande che la piccola?", "grande(us) and piccola(us)"),
    ("quanto dura una partita?", "mean(hands_left)"),
    ("quanto spesso resta un sette in tavola dopo il primo giro?", "left(sevens, after stage 1)"),
    ("Se non ho la matta quante volte ce l'ha il mio compagno?", "matta(partner) given not matta(me)"),
])  # fmt: skip
def test_plain_questions_are_understood(text: str, expected: str) -> None:
    assert understood(text) == expected


def test_options_are_read_from_the_sentence() -> None:
    asked = understand("nello scopone scientifico quante volte ho tre sette?", RULES)
    assert (asked.texts[0], asked.options) == ("sevens(me) >= 3", {"rules": "scopone-scientifico"})
    assert understand("with three players, how often do I have an ace?", RULES).options == {"players": "3"}
    assert understand("how often do I get a barsega at least once in twenty deals?", RULES).options == {"in_": "20"}
    assert understand("how much is the settebello worth?", RULES).options == {"by": "captured(us, settebello)"}


@pytest.mark.parametrize("place", [0, 1], ids=["en", "it"])
@pytest.mark.parametrize("name", catalogue()["house"])
def test_what_a_house_rule_changes_is_asked_by_each_of_its_phrases(name: str, place: int) -> None:
    for phrase in catalogue()["house"][name]["phrases"][place].split(", "):
        asked = understand(("what changes if {}?", "che cosa cambia se {}?")[place].format(phrase), RULES, place)
        assert (asked.verb, asked.options["house"]) == ("compare", name), phrase
    several = ("are there more sweeps if {}?", "si fanno più scope se {}?")[place].format(phrase)
    assert understand(several, RULES, place).options == {"house": name, "only": "sweeps", "hands": "20k"}


@pytest.mark.parametrize(("text", "word"), [
    ("do we make more points for primiera in cirulla than in scopa?", "do"),
    ("if I hold the matta are there more sweeps in cirulla than in scopa?", "i"),
    ("is the median number of sweeps higher in cirulla than in scopa?", "the median number of"),
    ("in twenty hands are there more sweeps in cirulla than in scopa?", "20"),
    ("if we play without the matta, do we not make more sweeps?", "not"),
])  # fmt: skip
def test_no_word_of_a_sentence_that_compares_rules_is_dropped(text: str, word: str) -> None:
    with pytest.raises(InputError, match=f"^'{word}' has no place"):
        understand(text, RULES)


def test_other_fair_readings_and_corrected_slips_are_named() -> None:
    assert understand("quante volte busso in una smazzata?", RULES).others == (("mean(knocks(me))",),)
    asked = understand("how often do we win with the settebello?", RULES)
    assert asked.texts[0] == "wins(us) given captured(us, settebello)"
    assert asked.others == (("wins(us) given settebello",),)
    assert understand("how often do I have the settebelo?", RULES).corrected == (("settebelo", "settebello"),)


@pytest.mark.parametrize(("text", "word"), [
    ("how often do I have a flush?", "flush"), ("quante volte esce la briscola?", "briscola"),
    ("how many aces do I hold in a game?", "game"), ("how often do both my opponents have an ace?", "both"),
    ("what part of our sweeps is made with an ace?", "what part of"),
    ("how often do I sweep, by the number of my knocks?", "by the number of"),
])  # fmt: skip
def test_a_word_without_a_place_is_named(run: Run, text: str, word: str) -> None:
    code, out, err = run("odds", text)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"'{word}'" in err


def understood_wordings() -> Iterator[tuple[CommonQuestion, str, str]]:
    for one in common_questions():
        given = one.arguments
        if given["verb"] == "odds" and not {"at", "policy", "top", "me"} & given.keys():
            for lang in ("en", "it"):
                yield from ((one, lang, text) for text in getattr(one, lang))


def test_one_word_more_that_is_not_known_is_always_refused() -> None:
    dice, seen = random.Random(1), 0
    for _, _, text in understood_wordings():
        if understood(text) is not None:
            words = text.split()
            words.insert(dice.randrange(len(words) + 1), "zebra")
            assert understood(" ".join(words)) is None, words
            seen += 1
    assert seen > 150


OTHERWISE = 62
"""Wordings of the catalogue that are understood in words that differ from those of its command: *at least three sevens*
for *three sevens* in three cards, a mean for a distribution, somebody's cappotto for ours or theirs ..."""


def test_wordings_of_the_catalogue_are_understood_as_their_commands() -> None:
    right, other = 0, []
    for one, _, text in understood_wordings():
        given = one.arguments
        try:
            found = understand(text, RULES)
        except InputError:
            continue
        wanted = reading(given.get("question", ""), by=given.get("by"))
        asked = [reading(one[0], by=found.options.get("by")) for one in (found.texts, *found.others)]
        if wanted in asked:
            right += 1
        else:
            other.append((text, found.texts[0]))
    assert right >= 175
    assert len(other) <= OTHERWISE, other


def test_questions_of_players_are_understood_as_they_were_meant() -> None:
    """What people who had not seen the program asked, each with its command, or "-" where it cannot be known."""
    rows = (
        line.split("\t")
        for line in (Path(__file__).parent / "golden" / "plain_questions.tsv").read_text("utf-8").splitlines()
    )
    found = {text: (command, commanded(text)) for text, command in rows}
    assert {text: both for text, both in found.items() if both[0] != both[1]} == {}


def commanded(text: str) -> str:
    """The command that a question is understood as, with the game and the players that it names."""
    try:
        asked = understand(text, RULES)
        named = asked.options.get("rules", "cirulla"), asked.options.get("players")
        asked = understand(text, build(named[0], players=int(named[1]) if named[1] else None))
    except InputError:
        return "-"
    return command_for(asked)
