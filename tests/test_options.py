"""Every verb is described once: its options as data, its public function and its command have the same."""

from __future__ import annotations

import inspect
import io
import re
import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from click import Command, Context

from cirulla_sim.cli import VERBS as PROGRAM_VERBS
from cirulla_sim.cli import app, main
from cirulla_sim.cli.examples import EXAMPLES
from cirulla_sim.verbs.options import VERBS

FUNCTIONS = {verb: verb for verb in VERBS if verb not in ("table", "describe")} | {"show": "hand"}
"""The public function of each verb; ``table`` and ``describe`` show what ``read`` reads."""

OF_THE_FUNCTION = {"report": {"choose"}, "play": {"lang"}}
"""Keyword arguments that the command line does not have, besides ``progress``."""

OF_THE_COMMAND = {"odds": {"listed"}, "show": {"lang"}}
"""Options that only show something at the terminal."""

DRAWN = ("plot", "report")
"""Verbs that make a file to look at: all that they take is display."""


def function(verb: str) -> Callable[..., Any]:
    called: Callable[..., Any] = getattr(import_module(f"cirulla_sim.verbs.{verb}"), FUNCTIONS[verb])
    return called


def keywords(verb: str) -> dict[str, Any]:
    """The keyword arguments of a verb's function and their defaults; those of its typed keywords have none."""
    called, defaults = function(verb), {}
    for parameter in inspect.signature(called).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            [group] = get_type_hints(called)[parameter.name].__args__
            defaults |= dict.fromkeys(get_type_hints(group), inspect.Parameter.empty)
        elif parameter.kind is parameter.KEYWORD_ONLY or parameter.name in ("rules", "number"):
            defaults[parameter.name] = parameter.default
    return defaults


def command(verb: str) -> Command:
    found = app.get_command(Context(app), verb)
    assert found is not None
    return found


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_a_function_has_the_options_of_its_verb_and_their_defaults(verb: str) -> None:
    names = {option.name for option in VERBS[verb] if option.part != "display" or verb in DRAWN}
    assert set(keywords(verb)) - {"progress"} - OF_THE_FUNCTION.get(verb, set()) == names
    for option in VERBS[verb]:
        default = keywords(verb).get(option.name, inspect.Parameter.empty)
        assert default is inspect.Parameter.empty or default == option.default, option.name


@pytest.mark.parametrize("verb", VERBS)
def test_a_command_has_the_options_of_its_verb(verb: str) -> None:
    typed = {option.name: option for option in command(verb).params if option.param_type_name == "option"}
    assert set(typed) - OF_THE_COMMAND.get(verb, set()) == {option.name for option in VERBS[verb]}
    for option in VERBS[verb]:
        assert {option.flag, *filter(None, [option.short])} == set(typed[option.name].opts)


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
