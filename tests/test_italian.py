"""Italian by its rules: every sentence and message is there, with the same places, and says what the English says."""

from __future__ import annotations

import ast
import errno
import itertools
import os
import re
import string
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import study_views
from asking import bind

import cirulla_sim as cs
from cirulla_sim.cli.commands import listing
from cirulla_sim.core import cards, locale
from cirulla_sim.core.locale import language
from cirulla_sim.core.messages import names_of
from cirulla_sim.engine.policies import POLICIES
from cirulla_sim.kernel.game.scoring import CATEGORIES
from cirulla_sim.questions.binding import Place
from cirulla_sim.questions.vocabulary import functions, in_italian
from cirulla_sim.reporting.kinds import DATA, KINDS
from cirulla_sim.reporting.text import labels
from cirulla_sim.reporting.text.cells import reason_text
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.line_up import PLACES
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import RELATIVE

PACKAGE = Path(cs.__file__).parent
REPORTING = PACKAGE / "reporting"
FOLDER = PACKAGE / "core" / locale.CATALOGUES["it"]
VIEWS = Path(study_views.__file__).parent
ANALYSES = VIEWS.parent
"""The studies, and their views with a catalogue of their own."""

ITALIAN = language("it")
Run = Callable[..., tuple[int, str, str]]


def sentences(*paths: Path) -> dict[str, str]:
    parts = [part for path in paths for part in tomllib.loads(path.read_text("utf-8")).values()]
    return {english: text for part in parts for english, text in part.items()}


OF_STUDIES = sentences(VIEWS / "it.toml")
READ = sentences(*(path for path in FOLDER.glob("*.toml") if not path.name.startswith(("server", locale.MESSAGES))))
READ |= dict(texts for part in ("names", "quantities") for texts in labels.WORDS[part].values())
"""The sentences of all but the server, whose own are tested with it, and but whole messages."""


SENTENCES = {**READ, **sentences(*FOLDER.glob("server*.toml")), **OF_STUDIES}
MESSAGE_PARTS = tomllib.loads((FOLDER / locale.MESSAGES).read_text("utf-8"))
MESSAGE_PARTS["fields"] = {
    english: text for field in catalogue()["field"].values() for english, text in field["says"].values()
}
MESSAGES = {english: text for part in MESSAGE_PARTS.values() for english, text in part.items()}
UNITS = ("hands", "games", "nights")


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


DIRECTIONS = {
    "(?<!thinking )ahead": r"\bvantaggio|avanti|più|\bsul\b", "behind": "sotto|indietro|meno|distacco|svantaggio",
    "raises": "aumenta",
    "lowers": "riduce", "more": "più|altr|maggior|mostrat", "fewer|less": "meno|minor|senza|differenz|quelli",
    "above": "sopra|più|oltre", "below": "sotto|meno",
}  # fmt: skip
"""Words of a direction, and what one of the Italian words must be."""


def test_translations_have_the_same_places_and_directions() -> None:
    """Words without a place may agree with a number, ``n``. An article in front of a number is elided."""
    for english, text in SENTENCES.items():
        wanted = places(english)
        assert places(text) in ((wanted,) if wanted else (set(), {"n"})), english
        filled = ITALIAN.filler.vformat(text, ["8"] * 10, dict.fromkeys(places(text), "8"))
        assert not re.search(r"[{}]|\b(il|del|nel|al|dal|sul) 8", filled), filled
        for words, others in DIRECTIONS.items():
            if re.search(rf"\b({words})\b", english.lower()):
                assert re.search(others, text.lower()), (english, text)


def nodes_of(folder: Path) -> Iterator[ast.AST]:
    """Everything in the code of a folder."""
    for path in folder.rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def texts_of(nodes: Iterable[ast.AST]) -> set[str]:
    """The literal texts among some nodes."""
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def sentences_in_code(nodes: Iterable[ast.AST]) -> set[str]:
    """All literal sentences that code passes to ``say``."""
    sentences: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "say":
                [said, *_] = node.args
                sentences |= texts_of([said.body, said.orelse] if isinstance(said, ast.IfExp) else [said])
    return sentences


def names_of_trials() -> set[str]:
    """The trials that questions are about, with placeholders for numbers."""
    names = {"every way of dealing the cards not seen"}
    for text in ("low", "misdeal", "misdeals", "low and fifteen", "knocks", "wins(us)", "wins_game(us)"):
        for rules in (build(), build("cirullone")):
            names.add(bind(rules, [text.replace("low", "barsega")]).spaces[0].trial.text)
    four = build("scopa", players=4)
    for rules, score in ((build(players=2), (1, 2)), (build(players=3), (1, 2, 3)), (four, (1, 2, 3, 4))):
        place = Place(rules, 0, ("greedy",) * rules.sides, score=score)
        names.add(bind(rules, ["wins_game(us)"], place).spaces[0].trial.text)
    match = build(changes={"best_of": 3})
    for text in ("wins_game(us)", "wins_match(us)"):
        names.add(bind(match, [text], Place(match, 0, ("greedy",) * match.sides)).spaces[0].trial.text)
    names.add(bind(build(), ["captured"], Place(build(), 0, (), sizes=(20, 20))).spaces[0].trial.text)
    names |= {f"this hand played on ({who} to play)" for who in RELATIVE}
    names |= {trial.removesuffix(", misdeals too") for trial in names}
    numbered = {trial: itertools.count() for trial in names}
    return {re.sub(r"\d+", lambda _, n=n: f"{{{next(n)}}}", trial) for trial, n in numbered.items()}  # type: ignore[misc]


def test_every_word_of_a_field_is_called_something_in_italian() -> None:
    for name, field in catalogue()["field"].items():
        lacking = set(field.get("words", ())) - set(field.get("called", {}))
        assert not lacking, f"ruleset/rules.toml, [field.{name}]: `called` has no Italian for {sorted(lacking)}"


def test_every_sentence_of_the_code_has_a_translation() -> None:
    named = [words for part, words in labels.WORDS.items() if part not in ("advice", "units", "names", "quantities")]
    of_studies = set(study_views.study_text.NAMES.values())
    in_tables = {text for names in named for text in names.values()} - of_studies
    figures = tomllib.loads((REPORTING / "charts" / "figures.toml").read_text("utf-8"))
    in_tables |= {
        text for kind in KINDS.values() for view in kind.views for text in (view.shown, view.reference) if text
    }
    in_tables |= {view.row for kind in KINDS.values() for view in kind.views if view.mark in ("values", "scores")}
    in_tables |= set(figures["first_deal"].values())
    in_tables |= {words for given in DATA.values() for words in given.get("limits", ())}
    templates = (path.read_text("utf-8") for path in (REPORTING / "page" / "templates").glob("*.html"))
    on_pages = {text for page in templates for text in re.findall(r'\bsay\("([^"]+)"', page)}
    composed = names_of_trials() | set(PLACES)
    code, studies = sentences_in_code(nodes_of(REPORTING)), sentences_in_code(nodes_of(ANALYSES))
    assert sorted((code | on_pages | composed | in_tables) - set(READ)) == []
    assert sorted(set(labels.WORDS["advice"]) - set(SENTENCES)) == []
    assert sorted((studies | of_studies) - set(READ) - set(OF_STUDIES)) == []


TEMPLATE_AT = {
    "Message": 0, "InputError": 0, "TooMuchToCountError": 0, "error": 1, "_error": 1, "_invalid": 1, "fail": 1,
    "about": 1, "error_at": 2, "unknown": 0, "choice": 1, "OneOf": 0, "HTTPException": 1,
}  # fmt: skip
"""Which argument of a call is the template of a message; values for its places follow it."""


def calls_with_templates() -> Iterator[tuple[ast.Call, str, list[ast.expr]]]:
    """Each call in the package with a literal template, the template, and what follows it."""
    for node in nodes_of(PACKAGE):
        name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in TEMPLATE_AT and len(node.args) > TEMPLATE_AT[name]:
            given, *values = node.args[TEMPLATE_AT[name] :]
            choices = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
            yield from ((node, text.value, values) for text in choices if isinstance(text, ast.Constant))
        elif isinstance(node, ast.Call) and name == "partial" and getattr(node.args[0], "id", "") == "Message":
            yield from ((node, text, []) for text in texts_of(node.args))


def in_words(template: str) -> str:
    """What a template says besides its places, flags and the rest of a command."""
    return re.sub(r"\{[^}]*\}|--[\w-]+(: [a-z]+:)?|https?:\S+", "", template)


def test_every_message_has_a_twin_and_every_twin_its_message() -> None:
    used = {text for _, text, _ in calls_with_templates() if re.search("[a-z]", in_words(text))}
    assert len(used) > 600
    assert sorted(used - set(MESSAGES)) == []
    data = catalogue()
    texts = {field["part"] for field in data["field"].values()} | set(MESSAGE_PARTS["fields"])
    texts |= {*data["pays"].values(), *data["needs"].values()}
    texts |= {text for parts in data["always"].values() for some in parts.values() for text in some}
    notes = set(re.findall(r"\(([^()]*)\)", (PACKAGE / "ruleset" / "rules.toml").read_text("utf-8")))
    assert sorted(texts - notes - set(MESSAGES)) == []
    words = notes | {category.replace("_", " ") for category in CATEGORIES} | {unit.removesuffix("s") for unit in UNITS}
    words |= {*POLICIES, *data["sources"].values(), *map(os.strerror, errno.errorcode)}
    assert sorted(set(MESSAGES) - used - texts - words - texts_of(nodes_of(PACKAGE))) == []


def test_messages_have_as_many_values_as_places() -> None:
    for call, template, values in calls_with_templates():
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        is_of_values = name not in ("unknown", "choice", "OneOf")
        if is_of_values and values and not any(isinstance(value, ast.Starred) for value in values):
            assert len(values) + (name == "about") == len(names_of(template)), (call.lineno, template)


ENGLISH_WORDS = re.compile(
    r"\b(the|is|are|was|not|of|and|or|to|valid|which|that|this|with|without|has|have|cannot|there|what|who|your|you|its"
    r"|for|from|by|than|more|less|leave|add|give|did|mean|see|unknown|of|at|it|they|one|be|twice|named|needs|requires)\b"
)  # fmt: skip


TYPED = re.compile(
    r"'[^']*'|\"[^\"]*\"|`[^`]*`|--?[\w-]+( [\w<>=.']+)?|\w+\([^)]*\)+|low and not triple|barsega and sevens|to play"
    r"|\d \w+ of \d \w+|\w of \w"
)
"""What is typed as it stands: examples, options, calls, expressions."""


@pytest.mark.parametrize("part", [part for part in MESSAGE_PARTS if part != "policies"])
def test_italian_messages_have_no_english_in_them(part: str) -> None:
    """Besides values, and what is typed: flags, commands, examples in quotation marks and expressions."""
    for english, italian in MESSAGE_PARTS[part].items():
        assert places(english) == places(italian), english
        rest = TYPED.sub("", re.sub(r"\{[^}]*\}", "", italian))
        assert not ENGLISH_WORDS.findall(rest), italian


def test_outputs_for_programs_do_not_change_with_the_language(run: Run) -> None:
    for words in (("odds", "barsega", "--format", "json"), ("odds", "barsega", "--raw"),
                  ("show", "--policy", "random", "--format", "json")):  # fmt: skip
        assert run(*words)[1] == run(*words, "--lang", "it")[1]
    _, shown, _ = run("show", "--policy", "greedy", "--hand", "3", "--hands", "4", "--lang", "it")
    english = "takes leaves holds table stage dealer knocks with captured points from cards misdeal"
    assert not set(english.split()) & set(re.findall(r"[a-z]+", shown.lower()))


def test_a_whole_answer_is_written_as_in_italian() -> None:
    assert language("it").numerals("1,234.5") == "1.234,5"
    assert cs.odds("barsega").text(lang="it").splitlines()[:6] == [
        "Ho una barsega nel 9,53% delle smazzate, esattamente 471/4940.",
        "Quanto spesso ho almeno una barsega tra le prime tre carte.",
        "Una prova: tre carte in mano.",
        "",
        "Che cosa        Per            Probabilità  Frequenza  Esattamente",
        "Ho una barsega  mano di carte  9,53441%     1 su 10,5  471/4940",
    ]


def test_examples_mean_the_same_in_italian() -> None:
    rules = build(players=4)
    in_hand = [function for function in functions().values() if function.space not in ("turn", "night")]
    assert len(in_hand) > 50
    for function in in_hand:
        own, italian = (bind(rules, [text]) for text in (function.example, in_italian(function.example)))
        assert own.spaces == italian.spaces, function.example
        assert function.italian in listing(function.italian, "it")


def test_the_language_is_that_of_the_option_or_of_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    english, italian = (run("rules", "show", "scopa", *lang) for lang in ([], ["--lang", "it"]))
    assert "Si deve prendere una sola carta uguale" in italian[1]
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert run("rules", "show", "scopa") == italian
    assert run("rules", "show", "scopa", "--lang", "en") == english
    _, _, error = run("simulate", "--policy", "carefull")
    assert error.startswith("cirulla-sim: --policy: strategia 'carefull' non esiste: forse 'careful'?")


@pytest.mark.parametrize(("words", "card"), [
    (["odds", "--at", "io: 7c"], "'7c'"), (["odds", "barsega", "--at", "me: Cc 2d"], "'Cc'"),
    (["odds", "ha(io, 7c)"], "'7c'"), (["odds", "sette(io)", "--given", "10c"], "'10c'"),
    (["advise", "--at", "hand 7c.json#0.1; prossimo: *c"], "'*c'"),
])  # fmt: skip
def test_a_card_of_c_is_asked_back(words: list[str], card: str, run: Run) -> None:
    """In Italian it may be of coppe, the suit of the matta, or of fiori, as everywhere here."""
    [line] = run(*words, "--lang", "it")[2].splitlines()
    rank = card.strip("'")[:-1]
    assert f"{card} non è chiaro: coppe (cuori) o fiori (bastoni)?" in line
    assert f"(valido: '{rank} di coppe' o '{rank} di fiori')" in line


@pytest.mark.parametrize("suit", range(4))
def test_cards_that_italian_output_names_are_read_back(suit: int) -> None:
    """Alone, where nothing else tells which alphabet it is, too."""
    for rank in range(10):
        card = 10 * suit + rank
        play = reason_text(f"leaves {cards.text(card)}, swept by {rank + 1}", ITALIAN).split()[1].strip(",")
        for written in (play, Situation.parse(f"table: {cards.text(card)}").text("it").removeprefix("tavola: ")):
            cards.check_suits({"": written}, "it")
            assert cards.parse(written) == card


@pytest.mark.parametrize("words", [
    ["holds(next, 5c)"], ["accuso", "--at", "table: 5c 2d"], ["ha(prossimo, 5c)", "--at", "io: 7h 2s"],
    ["ha(prossimo, 5c)", "--at", "io: Kd 2s"], ["carte = '2c 3c 4c'"],
    *([f"ha(io, {card})", "--at", f"prossimo: {card}"] for card in ("7 di coppe", "7 di fiori", "7♣", "7h")),
])  # fmt: skip
def test_a_card_that_is_clear_is_not_asked_back(words: list[str], run: Run) -> None:
    assert "non è chiaro" not in run("odds", *words, "--lang", "it")[2]
