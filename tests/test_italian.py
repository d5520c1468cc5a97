"""Italian by its rules: articles, elision, agreement and typography of every sentence; every message has one."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from pathlib import Path

import pytest

import cirulla_sim
from cirulla_sim.cli import main
from cirulla_sim.core import locale
from cirulla_sim.core.locale import language
from cirulla_sim.ruleset.catalogue import catalogue

PACKAGE = Path(cirulla_sim.__file__).parent
FOLDER = PACKAGE / "core" / locale.CATALOGUES["it"]
STUDIES = PACKAGE.parent / "analyses" / "study_views" / "it.toml"
ITALIAN = language("it")

NUMBERS = ("1", "0,5%", "1,5 ± 0,2", "8%", "81%", "11%", "12%", "88", "+0,3\u00a0±\u00a00,1", "−2", "0–0")
NOUNS = (
    "il mazziere", "la coppia del mazziere", "l’avversario", "gli altri", "i punti di una smazzata", "le scope",
    "ciascuno degli altri", "Scopa", "giocatori accorti",
)  # fmt: skip
"""Masculine and feminine, singular and plural, with a vowel and with a consonant, with an article and without."""

WRONG = {
    "no elision": r"\b(il|lo|la|del|dello|della|nel|nello|nella|al|allo|dal|dallo|sul|sullo) (8|11(?!\d)|1(?![\d.]))",
    "the article of 0": r"\b(il|del|nel|al|dal|sul) 0",
    "lo in front of a consonant": r"\b(lo|dello|nello|allo|dallo|sullo) [1-9]",
    "no contraction": r"\b([Dd]i|[Aa]|[Dd]a|[Ii]n|[Ss]u) (il|lo|la|i|gli|le|l’)(?!\w)",
    "a double preposition": r"\b(di|a|da|in|su) (dell’|(del|dello|della|dei|degli|delle|al|alla|dal|dalla|di)\b)",
    "a double blank": r"\S  \S",
    "a straight apostrophe": r"[a-zàèéìòù]'[a-zàèéìòù]",
    "a hyphen for a minus": r"(?<![\w.,)%\-–])-\d",
    "a place": r"[{}]",
    "a blank that breaks": r" ±|± ",
}
"""What no Italian sentence has, by what is wrong with it."""


def faults(text: str) -> list[str]:
    return [name for name, pattern in WRONG.items() if re.search(pattern, text)]


def sentences(*paths: Path) -> dict[str, str]:
    parts = [part for path in paths for part in tomllib.loads(path.read_text("utf-8")).values()]
    return {english: text for part in parts for english, text in part.items()}


SENTENCES = sentences(*(path for path in FOLDER.glob("*.toml") if path.name != locale.MESSAGES), STUDIES)
MESSAGES = tomllib.loads((FOLDER / locale.MESSAGES).read_text("utf-8"))


def places(text: str) -> dict[str, set[str]]:
    """The places of a sentence, each with what is said of it."""
    found: dict[str, set[str]] = {}
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            found.setdefault(name, set()).add(spec or "")
    return found


def fillers(spec: set[str]) -> tuple[str, ...]:
    """What may stand in a place: numbers behind an article or where a word agrees with them, otherwise nouns."""
    words = {word.lower() for word in spec}
    numbers = any("|" in word or word in ("il", "del", "nel", "al", "dal", "sul") for word in words)
    return NUMBERS if numbers else NOUNS if words & {"di", "a", "da", "in", "su"} else (*NUMBERS[:4], "Scopa")


@pytest.mark.parametrize("english", SENTENCES)
def test_every_sentence_agrees_with_what_it_is_filled_with(english: str) -> None:
    wanted = places(SENTENCES[english])
    for number in range(max((len(fillers(spec)) for spec in wanted.values()), default=1)):
        values = {name: fillers(spec)[number % len(fillers(spec))] for name, spec in wanted.items()}
        listed = [values.pop(str(place)) for place in range(len(values)) if str(place) in values]
        text = ITALIAN.say(english, *listed, **values)
        assert not faults(text), text


def test_faults_are_found() -> None:
    """So that the patterns can fail."""
    wrong = ("il 81% delle partite", "nel 8%", "del 11%", "lo 1", "il 0,5%", "più di il mazziere", "più di dell’altro",
             "due  blanks", "l'asso", "di -3", "{p}", "1 ± 2")  # fmt: skip
    assert all(faults(text) for text in wrong)
    right = ("l’81%", "nell’8%", "il 12%", "dello 0,5%", "il 110%", "1\u00a0±\u00a02", "Cirullone 6-3", "30-40")
    assert not any(faults(text) for text in right)


# ------------------------------------------------------------------------------------------------ messages

RAISED = ("InputError", "TooMuchToCountError")


def template(node: ast.expr) -> str:
    """A literal text with ``{0}``, ``{1}`` for what is put into it; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    number = iter(range(len(parts)))
    return "".join(f"{{{next(number)}}}" if part is None else str(part) for part in parts)


def raised() -> set[str]:
    """The templates of all errors that the package raises for its users."""
    nodes = (node for path in PACKAGE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    calls = (node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED)
    texts = {template(call.args[0]) for call in calls if call.args}
    return {text for text in texts if re.search("[a-z]", re.sub(r"\{\d+\}", "", text))}


def test_every_error_has_a_template() -> None:
    assert len(raised()) > 300
    assert sorted(raised() - set(MESSAGES["errors"])) == []


def test_every_explanation_of_a_rule_has_a_template() -> None:
    data = catalogue()
    texts = {text.replace("{value}", "{0}") for field in data["field"].values() for text in field["says"].values()}
    texts |= {entry["title"] for kind in ("preset", "house") for entry in data[kind].values()}
    assert sorted(texts - set(MESSAGES["rules"])) == []


def test_no_template_is_of_a_text_that_the_program_does_not_have() -> None:
    """The longest piece of each stands in the sources, or in click's."""
    import click

    sources = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    sources += (PACKAGE / "ruleset" / "rules.toml").read_text("utf-8")
    sources += "".join(path.read_text("utf-8") for path in Path(click.__file__).parent.glob("*.py"))
    words = set(re.findall(r"\w+", sources.lower()))
    for part in MESSAGES.values():
        for english in part:
            assert set(re.findall(r"[a-z_]{3,}", english.lower())) <= words, english


@pytest.mark.parametrize("about", MESSAGES)
def test_messages_keep_their_places_and_are_written_as_italian_is(about: str) -> None:
    for english, text in MESSAGES[about].items():
        assert set(places(english)) == set(places(text)), english
        bare = re.sub(r"'[^']*'|\{[^}]*\}|--\S+( -\S+)*", "", text)
        assert not set(faults(bare)) - {"no contraction", "a double blank", "a blank that breaks"}, text


# ------------------------------------------------------------------------------------------------ the command line


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    with pytest.raises(SystemExit):
        main(list(words))
    shown = capsys.readouterr()
    return shown.out, shown.err


def test_the_language_is_that_of_the_option_or_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    english = run(capsys, "rules", "show", "scopa")
    italian = run(capsys, "rules", "show", "scopa", "--lang", "it")
    assert "I compagni" not in english[0]
    assert "Si deve prendere una sola carta uguale" in italian[0]
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert run(capsys, "rules", "show", "scopa") == italian
    assert run(capsys, "rules", "show", "scopa", "--lang", "en") == english
    _, error = run(capsys, "simulate", "--policy", "carefull")
    assert error.startswith("cirulla-sim: --policy: politica 'carefull' non esiste: forse 'careful'?")
    monkeypatch.setenv("LC_MESSAGES", "en_GB")
    assert "did you mean 'careful'" in run(capsys, "simulate", "--policy", "carefull")[1]


def test_outputs_for_programs_do_not_change_with_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ("odds", "barsega", "--format", "json"),
        ("odds", "barsega", "--raw"),
        ("show", "--policy", "random", "--format", "json"),
        ("rules", "show", "scopa", "--format", "json"),
    ):
        assert run(capsys, *words)[0] == run(capsys, *words, "--lang", "it")[0]


def test_a_hand_is_shown_without_a_word_of_english(capsys: pytest.CaptureFixture[str]) -> None:
    shown, _ = run(capsys, "show", "--policy", "greedy", "--hand", "3", "--hands", "4", "--lang", "it")
    words = "takes leaves holds table stage dealer knocks with captured points from cards misdeal"
    assert not set(words.split()) & set(re.findall(r"[a-z]+", shown.lower()))
