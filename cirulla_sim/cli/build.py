"""Commands built from the options of a verb: the command line has no names, defaults or checks of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..core.arguments import FORMATS
from ..core.locale import language, preferred
from ..engine.policies import check_typed
from ..verbs.functions import LANG
from ..verbs.options import GROUPS, OneOf, Option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..reporting.result import Result

Run = Callable[..., Any]

WIDEST = 32
"""Characters of an option with its value beside which help has a sentence; it is below longer ones."""


FORM = Option("table, json, csv, markdown, latex or html; json is the whole table for programs.",
              OneOf("format", FORMATS), "NAME", "display", flag="--format", name="form", default="table")  # fmt: skip
DISPLAY = (
    FORM, LANG, Option("Show every row.", part="display", name="all", default=False),
    Option("The whole table with the names and digits that programs read.", part="display", name="raw", default=False),
)  # fmt: skip
VERBOSE = Option("Also say how the answer was made: control variates, intervals, fallbacks, the compiler.",
                 part="display", short="-v", name="verbose", default=False)  # fmt: skip


class OptionParameter(click.Option):
    """An option of a verb on the command line, None if it is not given: its function has the default.

    A value stays as it is typed if a public function reads it; otherwise (``reads``) the option reads it here.
    """

    def __init__(self, option: Option, *_: Any, reads: bool = True) -> None:
        self.option, self.reads = option, reads
        names = [name for name in (option.short, option.flag, option.name) if name]
        if option.switch:
            kind: dict[str, Any] = {"flag_value": False, "default": True} if option.default else {"is_flag": True}
        else:
            default = preferred if option.name == "lang" else option.default if reads else None
            kind = {"type": str, "required": True} if option.required else {"type": str, "default": default}
        super().__init__(names, metavar=option.metavar, multiple=option.many, **kind)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        given = super().type_cast_value(ctx, value)
        if self.option.switch or given is None:
            return given
        flag = self.option.short or self.option.flag
        for text in (given if self.multiple else [given]) if self.option.name == "policy" else ():
            check_typed(flag, text)
        if not self.reads:
            return given
        return tuple(self.option.read(flag, text) for text in given) if self.multiple else self.option.read(flag, given)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its sentence with the default, as 60 and not 60.0, which click would put in brackets."""
        option, default = self.option, self.option.shown or self.option.default
        self.help = option.help
        if not (option.switch or option.required or default in (None, ())):
            self.help += f"  [default: {f'{default:g}' if isinstance(default, float) else default}]"
        return super().get_help_record(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that the option takes, or files."""
        found = items(self.option.names(), incomplete)
        takes_files = "FILE" in (self.option.metavar or "")
        return found or (click.Path().shell_complete(ctx, self, incomplete) if takes_files else [])


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
    for option in [parameter.option for parameter in command.params if isinstance(parameter, OptionParameter)]:
        for name in option.names():
            if name.removesuffix("=") == word:
                return f"{option.flag} {name}" + ("VALUE" if name.endswith("=") else "")
    return ""


class Grouped(click.Command):
    """A command whose help has its options under headings."""

    def option_groups(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """What help says of each option, as ``--hands N`` and a sentence, by heading."""
        found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in GROUPS.values()}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                usual = "question" if parameter.name == "listed" else "display"
                group = parameter.option.group if isinstance(parameter, OptionParameter) else usual
                found[GROUPS[group]].append(record)
        return {heading: records for heading, records in found.items() if records}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from .examples import epilog  # here for the sake of every other start

        self.epilog = epilog(self.name or "")
        super().format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = self.option_groups(ctx)
        width = max(len(name) for records in groups.values() for name, _ in records if len(name) <= WIDEST)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in records], col_max=WIDEST)


def options(*several: Option) -> Callable[[Run], Run]:
    """A decorator that gives a command's function these options."""

    def decorate(run: Run) -> Run:
        for option in reversed(several):
            parameter: Any = partial(OptionParameter, option)
            run = click.option(cls=parameter)(run)
        return run

    return decorate


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
