"""Every verb is described once: its options as data, its public function and its command have the same."""

from __future__ import annotations

import inspect
import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click import Command, Context

from cirulla_sim.cli import VERBS as PROGRAM_VERBS
from cirulla_sim.cli import app, main
from cirulla_sim.cli.build import OptionParameter
from cirulla_sim.cli.examples import EXAMPLES
from cirulla_sim.core.errors import InputError
from cirulla_sim.verbs import functions
from cirulla_sim.verbs.options import GROUPS


def command(verb: str) -> Command:
    found = app.get_command(Context(app), verb)
    assert found is not None
    return found


VERBS = {
    verb: [parameter.option for parameter in command(verb).params if isinstance(parameter, OptionParameter)]
    for verb in (*functions.VERBS, "table", "describe")
}
FUNCTIONS = {verb: verb for verb in functions.VERBS} | {"show": "hand"}
"""The public function of each verb; ``table`` and ``describe`` show what ``read`` reads."""

OF_THE_FUNCTION = {"report": {"choose"}, "play": {"lang"}}
"""Keyword arguments that the command line does not have, besides ``progress``."""

DRAWN = ("plot", "report")
"""Verbs that make a file to look at: all that they take is display."""


def function(verb: str) -> Callable[..., Any]:
    called: Callable[..., Any] = getattr(functions, FUNCTIONS[verb])
    return called


def keywords(verb: str) -> dict[str, Any]:
    """The arguments of a verb's function that are options or progress, and their defaults."""
    return {
        parameter.name: parameter.default
        for parameter in inspect.signature(function(verb)).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY or parameter.name in ("rules", "number")
    }


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_a_command_has_the_arguments_of_its_function_as_options(verb: str) -> None:
    names = {option.name for option in VERBS[verb] if option.part != "display" or verb in DRAWN}
    assert set(keywords(verb)) - {"progress"} - OF_THE_FUNCTION.get(verb, set()) == names


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_every_option_once_under_its_heading(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    heading, found = "", {}
    for line in capsys.readouterr().out.splitlines():
        heading = line[:-1] if re.match(r"\w.*:$", line) else heading
        if heading and (match := re.match(r"  (-o, |-v, |-h, )?(--[a-z-]+)", line)):
            assert found.setdefault(match[2], heading) == heading
    expected = {option.flag: GROUPS[option.group] for option in VERBS[verb]}
    assert {flag: found.get(flag) for flag in expected} == expected
    assert set(found) - set(expected) <= {"--help", "--lang", "--list"}


NO_RUN = ("warmup", "open")
"""Verbs whose examples compile or wait; their options are checked only."""


@pytest.mark.slow
def test_examples_of_help_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With fewer hands, one after another: some read the files of others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert set(EXAMPLES) == set(PROGRAM_VERBS)
    for verb, example in ((verb, example) for verb, examples in EXAMPLES.items() for example in examples):
        fewer = "1000" if verb == "tournament" else "200"
        program, *words = shlex.split(re.sub(r"--(hands|games) \S+", rf"--\1 {fewer}", example))
        words = words[: words.index(">")] if ">" in words else words
        assert program == "cirulla-sim"
        if verb in NO_RUN:
            assert command(verb).make_context(verb, words[1:])
            continue
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code in (0, None), (example, capsys.readouterr().err)


def test_help_shows_examples_and_defaults_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    shown = capsys.readouterr().out
    assert all(example in shown for example in EXAMPLES["simulate"])
    for default in ("cirulla", "careful", "1M", "60", "table"):
        assert f"[default: {default}]" in " ".join(shown.split())


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_misspelt_options_and_arguments_are_answered_with_the_nearest(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in VERBS[verb]:
        with pytest.raises(SystemExit) as stop:
            main([verb, f"{option.flag}x", "1"])
        assert stop.value.code == 2
        wrong = f"cirulla-sim: unknown option '{option.flag}x': did you mean {option.flag}? (see --help)\n"
        assert capsys.readouterr().err == wrong
    required = {
        "odds": ["low"], "combine": [["a.parquet", "b.parquet"]], "plot": ["a.parquet"], "report": ["a.parquet"],
        "play": [print, input],
    }  # fmt: skip
    output = {"output": "pages"} if verb == "report" else {}
    for name in keywords(verb):
        with pytest.raises(InputError, match=f"^{FUNCTIONS[verb]}: unknown argument '{name}x': did you mean '{name}'"):
            function(verb)(*required.get(verb, []), **output, **{f"{name}x": 1})
