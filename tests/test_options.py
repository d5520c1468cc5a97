"""Every verb is described once: its command has the options that its public function declares."""

from __future__ import annotations

import inspect
import io
import re
import shlex
from pathlib import Path

import pytest
from click import Command, Context, Option

from cirulla_sim.cli import app, main
from cirulla_sim.cli.verbs import VERBS
from cirulla_sim.verbs import functions
from cirulla_sim.verbs.options import SIGNATURES


def command(verb: str) -> Command:
    found = app.get_command(Context(app), verb)
    assert found is not None
    return found


SHOWN = {option.name for option in (*functions.DISPLAY, functions.VERBOSE, functions.LISTED, functions.ALT)}
"""Options that only show something at the terminal, beside --play and --hands of ``show``."""


@pytest.mark.parametrize("verb", SIGNATURES)
def test_a_command_has_the_arguments_of_its_function_as_options(verb: str) -> None:
    function = functions.hand if verb == "show" else getattr(functions, verb)
    arguments = {
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY or parameter.name in ("rules", "number")
    }
    options = {each.name for each in command(verb).params if isinstance(each, Option)}
    assert options - arguments <= SHOWN | ({"play", "hands"} if verb == "show" else set())
    assert arguments - options <= ({"choose"} if verb == "report" else {"progress"})


NO_RUN = ("warmup", "open")
"""Verbs whose examples compile or wait; their options are checked only."""


@pytest.mark.slow
def test_examples_of_help_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With fewer hands, one after another: some read the files of others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    writing_first = dict.fromkeys(("simulate", "compare", "combine", *VERBS))
    for verb, example in ((name, example) for name in writing_first for example in VERBS[name].examples):
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
