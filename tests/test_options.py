"""Every verb is described once: its options as data, its public function and its command have the same."""

from __future__ import annotations

import inspect
import io
import itertools
import random
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from string import ascii_lowercase, ascii_uppercase
from typing import Any, get_type_hints

import pytest
from click import Context
from no_runs import stop_before_the_first_hand

from cirulla_sim.cli import GROUPS, app, main
from cirulla_sim.cli import VERBS as PROGRAM_VERBS
from cirulla_sim.cli.examples import EXAMPLES
from cirulla_sim.core.errors import InputError
from cirulla_sim.verbs.options import VERBS

FUNCTIONS = {verb: verb for verb in VERBS if verb not in ("table", "describe")} | {"show": "hand"}
"""The public function of each verb; ``table`` and ``describe`` show what ``read`` reads."""

OF_THE_FUNCTION = {"report": {"choose"}, "play": {"lang"}}
"""Keyword arguments that the command line does not have, besides ``progress``."""

OF_THE_COMMAND = {"odds": {"listed"}, "show": {"lang"}}
"""Options that only show something at the terminal."""

DRAWN = ("plot", "report")
"""Verbs that make a file to look at: all that they take is display."""

ARGUMENTS = {
    "odds": (["low"], {}), "combine": ([["a.parquet", "b.parquet"]], {}), "plot": (["a.parquet"], {}),
    "report": (["a.parquet"], {"output": "pages"}), "play": ([print, input], {}),
}  # fmt: skip
"""What functions require."""


def function(verb: str) -> Any:
    return getattr(import_module(f"cirulla_sim.verbs.{verb}"), FUNCTIONS[verb])


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


def command(verb: str) -> Any:
    return app.get_command(Context(app), verb)


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_a_function_has_the_options_of_its_verb(verb):
    names = {option.name for option in VERBS[verb] if option.part != "display" or verb in DRAWN}
    assert set(keywords(verb)) - {"progress"} - OF_THE_FUNCTION.get(verb, set()) == names


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_defaults_of_functions_are_those_of_options(verb):
    defaults = keywords(verb)
    for option in VERBS[verb]:
        default = defaults.get(option.name, inspect.Parameter.empty)
        if default is not inspect.Parameter.empty:
            assert default == option.default, option.name


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_no_function_has_more_than_twenty_parameters(verb):
    assert len(inspect.signature(function(verb)).parameters) <= 20


@pytest.mark.parametrize("verb", VERBS)
def test_a_command_has_the_options_of_its_verb(verb):
    typed = {option.name: option for option in command(verb).params if option.param_type_name == "option"}
    assert set(typed) - OF_THE_COMMAND.get(verb, set()) == {option.name for option in VERBS[verb]}
    for option in VERBS[verb]:
        assert {option.flag, *filter(None, [option.short])} == set(typed[option.name].opts)


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_help(verb):
    for option in command(verb).params:
        assert option.param_type_name == "argument" or option.help.partition("  [")[0].endswith("."), option.name


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_every_option_once_under_its_heading(verb, capsys):
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    heading, found = "", {}
    for line in capsys.readouterr().out.splitlines():
        heading = line[:-1] if re.match(r"\w.*:$", line) else heading
        if heading and (match := re.match(r"  (-o, |-v, |-h, )?(--[a-z-]+)", line)):
            assert found.setdefault(match[2], heading) == heading
    expected = {option.flag: option.group for option in VERBS[verb]}
    assert {flag: found.get(flag) for flag in expected} == expected
    assert set(found) - set(expected) <= {"--help", "--lang", "--list"}


def test_every_verb_is_in_the_help_of_the_program_once(capsys):
    assert sorted(verb for verbs in GROUPS.values() for verb in verbs) == sorted(PROGRAM_VERBS)


NO_RUN = ("bench", "warmup", "open")
"""Verbs whose examples measure, compile or wait; their options are checked only."""


def test_examples_of_help_run(monkeypatch, tmp_path, capsys):
    """With fewer hands, one after another: some read the files of others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert set(EXAMPLES) == set(PROGRAM_VERBS) - {"completion"}
    for verb, examples in EXAMPLES.items():
        for example in examples:
            program, *words = shlex.split(re.sub(r"--(hands|games) \S+", SMALLER.get(verb, r"--\1 200"), example))
            words = words[: words.index(">")] if ">" in words else words
            assert (program, words[0] in VERBS or words[0] == verb) == ("cirulla-sim", True)
            if verb in NO_RUN:
                assert command(verb).make_context(verb, words[1:])
                continue
            with pytest.raises(SystemExit) as end:
                main(words)
            assert end.value.code in (0, None), (example, capsys.readouterr().err)
            capsys.readouterr()
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        shown = capsys.readouterr().out
        assert all(example in shown for example in examples)


SMALLER = dict.fromkeys(("tournament", "bench"), r"--\1 1000")
"""The fewest hands of verbs that require more."""


def test_help_shows_defaults_as_they_are_typed(capsys):
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for default in ("cirulla", "careful", "1M", "60", "table"):
        assert f"[default: {default}]" in shown


@pytest.mark.parametrize("verb", VERBS)
def test_a_misspelt_option_is_answered_with_the_nearest(verb, capsys):
    for option in VERBS[verb]:
        with pytest.raises(SystemExit) as stop:
            main([verb, f"{option.flag}x", "1"])
        assert stop.value.code == 2
        wrong = f"cirulla-sim: unknown option '{option.flag}x': did you mean {option.flag}? (see --help)\n"
        assert capsys.readouterr().err == wrong


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_a_misspelt_argument_is_answered_with_the_nearest(verb):
    positional, required = ARGUMENTS.get(verb, ([], {}))
    for name in keywords(verb):
        with pytest.raises(InputError, match=f"^{FUNCTIONS[verb]}: unknown argument '{name}x': did you mean '{name}'"):
            function(verb)(*positional, **required, **{f"{name}x": 1})


QUICK = {
    "simulate": "--hands 9", "compare": "--hands 9 --house no-matta", "games": "--games 9", "show": "",
    "tournament": "--hands 1000 --policy greedy", "odds": "barsega", "play": "",
    "advise": "--at table:5h,2c,Kd;me:7d,2s,Jh --samples 4", **dict.fromkeys(("combine", "plot", "table"), "x.parquet"),
    "report": "x.parquet -o pages", "describe": "x.parquet",
}  # fmt: skip
"""What each verb is given besides, so that it ends soon; files are not there."""

PLAYED = ("simulate", "compare", "games", "tournament", "advise")
"""Verbs that play hands whatever they are given."""


def long_values(length: int) -> Iterator[str]:
    """Texts of a length in the forms that options take, without a piece that comes twice."""
    rng = random.Random(length)

    def text(letters: str) -> str:
        return "".join(rng.choices(letters, k=length))

    yield from (text(ascii_lowercase), text("123456789"), f"/{text(ascii_lowercase + '/')}/x.parquet")
    yield from (f"us={text(ascii_uppercase)}", f"search:{text('123456789')}", f"{text(ascii_lowercase)}.py:play")
    yield from (f"me: {text(ascii_lowercase)}", f"'{text(ascii_lowercase)}", ",".join(text(ascii_lowercase)[::7]))


@pytest.mark.parametrize("verb", VERBS)
def test_no_message_quotes_a_value_at_length(verb, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    stop_before_the_first_hand(monkeypatch, SystemExit(0))
    languages, refused = itertools.cycle(("en", "it")), 0
    quick = [*QUICK[verb].split(), *(["--policy", "random"] if verb in PLAYED else [])]
    for option in (option for option in VERBS[verb] if not option.switch):
        for value in itertools.chain(long_values(100), long_values(5000)):
            with pytest.raises(SystemExit) as stop:
                main([verb, *quick, "--lang", next(languages), option.flag, value])
            error = capsys.readouterr().err
            if stop.value.code in (1, 2):
                refused += 1
                assert error.count("\n") == 1, error
                assert not any(value[start : start + 61] in error for start in range(len(value) - 60)), error
            else:
                assert stop.value.code in (None, 0)
    assert refused > 10
