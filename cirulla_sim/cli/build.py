"""Commands built from the options of a verb: the command line has no names, defaults or checks of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ..verbs.options import VERBS, Option

if TYPE_CHECKING:
    from ..reporting.result import Result

Run = Callable[..., Any]


class Read(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A value as the option of the verb reads it."""

    def __init__(self, option: Option) -> None:
        self.name, self._option = option.name, option

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self._option.read(param.opts[0] if param else self._option.flag, value)


def verb_command(
    verb: str, help_text: str, *arguments: Callable[[Run], Run], run: Run | None = None
) -> click.Command:  # fmt: skip
    """The command of a verb: its options as ``VERBS`` has them, and other click ``arguments`` in front.

    ``run`` is called with all of them; by default it shows the result of the verb's function.
    """

    def show_result(form: str, lang: str, raw: bool, all: bool, **values: Any) -> None:
        show(getattr(import_module(f"..verbs.{verb}", __package__), verb)(**values), form, lang, raw, all)

    command = options(*VERBS[verb])(run or show_result)
    for argument in reversed(arguments):
        command = argument(command)
    return click.command(verb, help=help_text)(command)


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
    return click.option(
        *names, help=_help(option), type=Read(option), metavar=option.metavar, default=default, multiple=option.many,
        required=option.required,
    )  # fmt: skip


def _help(option: Option) -> str:
    """The help of an option with its default, as 60 and not 60.0; click would put one of another type in brackets."""
    default = option.shown_default or option.default
    if default is None or default == ():
        return option.help
    return f"{option.help}  [default: {f'{default:g}' if isinstance(default, float) else default}]"


def note(text: str) -> None:
    """Print a line to the standard error; one that is closed or full does not end the program."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)


def show(result: Result, form: str, lang: str, raw: bool, all: bool = False) -> None:
    """Print a result, its remarks to stderr, and end with its exit code."""
    for remark in result.remarks:
        note(remark)
    click.echo(result.text(form, lang=lang, raw=raw, all=all))
    raise click.exceptions.Exit(result.exit_code)
