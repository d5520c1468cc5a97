"""Commands built from the options of a verb: the command line has no names, defaults or checks of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ..core.locale import language, preferred
from ..engine.policies import check_typed
from ..verbs.option_model import GROUPS, Option
from ..verbs.options import LANG, VERBS
from .examples import epilog

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..reporting.result import Result

Run = Callable[..., Any]

WIDEST = 32
"""Characters of an option with its value beside which help has a sentence; it is below longer ones."""


class Read(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A value as the option of the verb reads it."""

    def __init__(self, option: Option) -> None:
        self.name, self.option = option.name, option

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        flag = param.opts[0] if param else self.option.flag
        if self.option.name == "policy":
            check_typed(flag, value)
        return self.option.read(flag, value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that the option takes, or files."""
        found = items(self.option.names(), incomplete)
        takes_files = "FILE" in (self.option.metavar or "")
        return found or (click.Path().shell_complete(ctx, param, incomplete) if takes_files else [])


def items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that begin as what is typed, as the shell completes it."""
    from click.shell_completion import CompletionItem  # here for the sake of every other start

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def option_for(command: click.Command, word: str) -> str:
    """The option of a command that takes a word as its value, with it; empty where none does.

    >>> from .commands import command_of
    >>> option_for(command_of("compare"), "no-matta"), option_for(command_of("compare"), "target")
    ('--house no-matta', '--rule target=VALUE')
    """
    options = [parameter.type.option for parameter in command.params if isinstance(parameter.type, Read)]
    for option in options:
        for name in option.names():
            if name.removesuffix("=") == word:
                return f"{option.flag} {name}" + ("VALUE" if name.endswith("=") else "")
    return ""


def verb_command(
    verb: str,
    help_text: str,
    of_verb: Sequence[Option],
    arguments: Sequence[Callable[[Run], Run]] = (),
    run: Run | None = None,
) -> click.Command:
    """The command of a verb: its options, and other click ``arguments`` in front.

    ``run`` is called with all of them; by default it shows the result of the verb's function.
    """

    def show_result(form: str, lang: str, raw: bool, all: bool, **values: Any) -> None:
        result = getattr(import_module(f"..verbs.{verb}", __package__), verb)(**values)
        show(result, form, lang=lang, raw=raw, all=all)

    def checked(**values: Any) -> None:
        if values.pop("verbose", False):
            log_to_stderr()
        (run or show_result)(**values)

    command = options(*of_verb, *(() if LANG in of_verb else (LANG,)))(checked)
    for argument in reversed(arguments):
        command = argument(command)
    return click.command(verb, cls=Grouped, help=help_text, epilog=epilog(verb))(command)


class Grouped(click.Command):
    """A command whose help has its options under headings."""

    def option_groups(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """What help says of each option, as ``--hands N`` and a sentence, by heading."""
        headings = {option.name: option.group for option in VERBS.get(str(self.name), ())}
        found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in GROUPS.values()}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                usual = GROUPS["question"] if parameter.name == "listed" else GROUPS["display"]
                found[headings.get(str(parameter.name), usual)].append(record)
        return {heading: records for heading, records in found.items() if records}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = self.option_groups(ctx)
        width = max(len(name) for records in groups.values() for name, _ in records if len(name) <= WIDEST)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in records], col_max=WIDEST)


def options(*several: Option) -> Callable[[Run], Run]:
    """A decorator that gives a function these options."""

    def decorate(run: Run) -> Run:
        for option in reversed(several):
            run = _decorator(option)(run)
        return run

    return decorate


def _decorator(option: Option) -> Callable[[Run], Run]:
    names = [name for name in (option.short, option.flag, option.name) if name]
    if option.switch:
        kind: dict[str, Any] = {"flag_value": False, "default": True} if option.default else {"is_flag": True}
        return click.option(*names, help=option.help, **kind)
    default = (option.default,) if option.many and isinstance(option.default, str) else option.default
    default = preferred if option.name == "lang" else default
    given: dict[str, Any] = {"required": True} if option.required else {"default": default}
    return click.option(
        *names, help=_help(option), type=Read(option), metavar=option.metavar, multiple=option.many, **given,
    )  # fmt: skip


def _help(option: Option) -> str:
    """The help of an option with its default, as 60 and not 60.0; click would put one of another type in brackets."""
    default = option.shown_default or option.default
    if default is None or default == ():
        return option.help
    return f"{option.help}  [default: {f'{default:g}' if isinstance(default, float) else default}]"


def show(result: Result, form: str, **display: Any) -> None:
    """Print a result, then its remarks to stderr, with --verbose the method too, and end with its exit code."""
    from ..reporting.result import at_terminal  # here for the sake of --help

    try:
        click.echo(at_terminal(result, form, **display))
    except BrokenPipeError:  # whoever reads it has read enough; what is left goes nowhere
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    verbose = click.get_current_context().params.get("verbose")
    for text in (*(result.method if verbose else ()), *result.remarks):
        remark(text, display["lang"])
    raise click.exceptions.Exit(result.exit_code)


def log_to_stderr() -> None:
    """Show what the package logs, from ``INFO`` on."""
    import logging  # here for the sake of --help

    logger = logging.getLogger("cirulla_sim")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("cirulla-sim: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    click.get_current_context().call_on_close(lambda: logger.removeHandler(handler))


def remark(text: str, lang: str) -> None:
    """Print a remark to the standard error; one that is closed or full does not end the program."""
    with suppress(OSError, ValueError):
        click.echo(language(lang).grouped(language(lang).message(text)), err=True)
