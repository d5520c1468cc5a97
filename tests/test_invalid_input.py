"""Invalid input for everything that reads text or data: each is read, or refused in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import read_record, turns
from cirulla_sim.core.arguments import count
from cirulla_sim.core.cards import parse, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.core.messages import Message
from cirulla_sim.engine.policies import check_policy
from cirulla_sim.questions.question import Speaker, read_questions
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import choose
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.storage.tables import read_table

PIECES = st.sampled_from(
    ["", "(", ")", '"', "'", "-", "=", "9" * 60, "\n", "\x00", "é", "🂡", ",", ":", ";", "]", "[", "{", ".", "7h ", "#",
     "\\", "x" * 1001, "[" * 200]
)  # fmt: skip
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 10**30, 1e308, float("nan"), "", "x", "7h", [], [[]], {}, {"x": 1}, ["7h"] * 50]
)


@st.composite
def spoilt_text(draw: st.DrawFn, *texts: str) -> str:
    """A text with some letters removed, exchanged or added."""
    letters = list(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(letters)))
        letters[at : at + draw(st.integers(0, 3))] = list(draw(PIECES))
    return "".join(letters)


@st.composite
def spoilt_value(draw: st.DrawFn, value: Any) -> Any:
    """A value of JSON types with a part of it replaced or left out."""
    if isinstance(value, (dict, list)) and value and draw(st.integers(0, 9)):
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        at = draw(st.sampled_from(list(copy))) if isinstance(copy, dict) else draw(st.integers(0, len(copy) - 1))
        if draw(st.integers(0, 9)):
            copy[at] = draw(spoilt_value(copy[at]))
        else:
            del copy[at]
        return copy
    return draw(spoilt_text(value) | ODD) if isinstance(value, str) and value else draw(ODD)


def in_a_file(read: Callable[[Path], Any]) -> Callable[[str], Any]:
    def written(text: str) -> Any:
        file = Path("input.toml")
        file.write_text(text, "utf-8")
        return read(file)

    return written


def situation(text: str) -> None:
    """Reads a situation, which says the same in both languages."""
    found = Situation.parse(text)
    for lang in ("en", "it"):
        assert Situation.parse(found.text(lang)) == found


TOML = 'preset = "cirulla"\nplayers = 2\ntarget = 26\ncapture_by = ["equal", "sum"]\ndeal_plan = [3, 3, 3, 3, 3, 3]\n'
READERS: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "rules": (in_a_file(choose), (TOML,)),
    "a field": (lambda text: choose("cirulla", None, (), text), ("target=26", "deal_plan=3,3,3", "matta=7h")),
    "a situation": (situation, (
        "me: 7h K*; partner: no aces, barsega; not table: 2-5h; somebody stage 2: three sevens",
        "tavola: 4c Jd; io: re di coppe; tocca a: prossimo; mostrate compagno: 2h 3c 4d; matta: 2; io sono: mano",
        "captured us: 7d 2s; gone: Kh 3s; cards: me 3, next 2; points: 2-1; score: 38-41; hand: 3 of 8; stage: 2",
    )),
    "cards": (parse_many, ("7h Ad 10c", "K♥ 2♦", "7H")),
    "a number": (lambda text: count("--hands", text, 1, 10**12), ("10M", "1e7", "2.5k", "10_000")),
    "a policy": (check_policy, ("careful", "search:16", "mine.py:first")),
    "a line-up": (LineUp.parse, ("careful", "dealer=search:8, others=careful", "us=greedy, them=open")),
}  # fmt: skip


def refused(read: Callable[[Any], Any], value: Any) -> bool:
    """Whether a value is refused; any error but ``InputError`` is a fault, and so is one of several lines."""
    message = None
    try:
        read(value)
    except InputError as error:
        message = str(error)
    assert message is None or (message and "\n" not in message)
    return message is not None


def try_all(read: Callable[[Any], Any], values: st.SearchStrategy[Any], number: int) -> None:
    """Read so many values, each of which is read or refused."""

    @settings(max_examples=number, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
    @given(values)
    def tried(value: Any) -> None:
        refused(read, value)

    tried()


@pytest.mark.parametrize("name", READERS)
def test_spoilt_text_is_read_or_refused_in_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read, texts = READERS[name]

    assert not any(refused(read, text) for text in texts)
    try_all(read, spoilt_text(*texts), 80)


WORDS = sorted(
    {re.sub(r"\{[^}]*\}", "x", text).strip()[:50].strip() for pair in language("it").messages.items() for text in pair}
    | {"2 to 4 players", "x is not valid (valid: y)", "unknown preset 'x'", "did you mean 'careful'?", "1 of 3 hands"}
)
"""Sentences and words of messages in both languages, as somebody may call a file or type them."""
NAMED: dict[str, Callable[[str], Any]] = {
    "a file": lambda text: read_table(Path(text.replace("/", " "))), "a preset": choose,
    "a house rule": lambda text: choose(house=text), "a policy": check_policy, "a card": parse,
    "a question": lambda text: read_questions((text,), None, None, Speaker(build())),
    "a situation": Situation.parse, "a number": lambda text: count("--hands", text, 1, 10),
}  # fmt: skip
"""What reads a name, as it is quoted in an error."""


def refusal(kind: str, text: str) -> Message:
    """The message of the error for a text, empty where it is read."""
    try:
        NAMED[kind](text)
    except InputError as error:
        return error.message
    return Message("")


@pytest.mark.parametrize("kind", NAMED)
def test_what_is_typed_stands_as_it_is_in_both_languages(kind: str) -> None:
    named = {text.replace("/", " ") if kind == "a file" else repr(text): refusal(kind, text) for text in WORDS}
    quoted = {text: message for text, message in named.items() if text in message}
    assert len(quoted) > {"a situation": 100, "a question": 1000}.get(kind, 2000)
    assert [message for text, message in quoted.items() if text not in language("it").translate(message)] == []
    assert [message for message in quoted.values() if language("en").translate(message) != message] == []


def record_read(value: Any) -> None:
    for turn in turns(in_a_file(read_record)(json.dumps(value))):
        turn.hand.seen_by()


def game_read(lines: Any) -> None:
    text = "\n".join(map(json.dumps, lines)) if isinstance(lines, list) else str(lines)
    game = in_a_file(cs.Game.from_records)(text)
    assert cs.Game.from_records(game.save(Path("again"))) == game


def test_spoilt_records_and_games_are_read_or_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = cs.Game("cirulla", players=2, policy="careful", seed=3)
    for _ in range(20):
        game.play(1)
    lines = [json.loads(line) for line in game.save(Path("game")).read_text("utf-8").splitlines()]
    for value, reader in ((cs.hand("cirulla", players=2, policy="greedy").record, record_read), (lines, game_read)):
        assert not refused(reader, value)
        try_all(reader, spoilt_value(value), 60)
