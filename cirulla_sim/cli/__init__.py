"""The command line. What a verb needs is imported only when the verb is used, so that ``--help`` is instant."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from glob import glob
from itertools import pairwise
from typing import Any

import click

from ..core import signals
from ..core.arguments import LANGUAGES
from ..core.console import announce_in, make_printable
from ..core.errors import InputError, cut, unknown
from ..core.locale import Language, language, preferred_language
from ..core.messages import Message
from ..core.version import VERSION
from .verbs import VERBS


class Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        if name in ("rules", "open"):
            return importlib.import_module(f".{name}_command", __name__).command  # type: ignore[no-any-return]
        from .commands import command_of

        return command_of(name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, VERBS))
        for heading in dict.fromkeys(verb.group for verb in VERBS.values()):
            with formatter.section(heading):
                lines = ((f"{name:<{width}}", verb.line) for name, verb in VERBS.items() if verb.group == heading)
                formatter.write_dl(list(lines))


@click.group(
    cls=Verbs,
    no_args_is_help=False,
    subcommand_metavar="VERB ...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Each verb has its own --help. A first question: cirulla-sim odds. Exit codes: 0 done, 1 failure, "
    "2 invalid input, 3 precision not reached, 130 interrupted (what is done is kept with -o).",
)
@click.version_option(VERSION, package_name="cirulla-sim", prog_name="cirulla-sim")
def app() -> None:
    """Simulate hands of Cirulla and its family, and publish the results."""


def _refused(error: click.ClickException, words: Sequence[str]) -> InputError:
    """An error of the command line's library, in words of ours where it has some."""
    from .commands import option_for

    context, message = getattr(error, "ctx", None), " ".join(error.format_message().split())
    if isinstance(error, click.NoSuchOption):
        if error.option_name == "--verbose" and words[:1] == ["--verbose"]:
            return InputError("--verbose comes after the verb (valid: cirulla-sim simulate --verbose)")
        name = error.option_name.removeprefix("--")
        likely = (context and option_for(context.command, name)) or next(iter(error.possibilities or ()), "")
        return InputError("unknown option {option!r}{hint} (see --help)", error.option_name, _hint(likely))
    if isinstance(error, click.BadOptionUsage):
        values = (error.option_name,)
        known = (
            Message("Option {option!r} requires an argument.", *values),
            Message("Option {option!r} does not take a value.", *values),
        )
        return InputError(next((text for text in known if text == message), message))
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if error.param.param_type_name == "argument":
            return InputError("Missing argument {name}.", error.param.get_error_hint(context))
        return InputError("Missing option {name}.", error.param.get_error_hint(context))
    if message.startswith("No such command") and context is not None:
        return unknown("verb", message.split("'")[1], context.command.list_commands(context))
    if message.startswith("Missing command") and context is not None:
        return InputError("no verb given (valid: {verbs}; see --help)", context.command.list_commands(context))
    if message.startswith("Got unexpected extra") and context is not None:
        word = message.partition("(")[2].removesuffix(")").split(" ")[0]
        return InputError(
            "{word!r} belongs to no option{hint} (see --help)", word, _hint(option_for(context.command, word))
        )
    return InputError(message)


def _hint(option: str) -> str:
    return Message(": did you mean {option}?", option) if option else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the exit codes are listed in the documentation."""
    make_printable()
    words: list[str] = []
    output, locale = sys.stdout, language(preferred_language())
    try:
        with signals.raise_on_signals():
            words = _texts(arguments)
            locale = _language_of(words)
            announce_in(locale.translate)
            code: Any = app.main(args=words, prog_name="cirulla-sim", standalone_mode=False)
    except (InputError, click.ClickException) as error:
        refused = error if isinstance(error, InputError) else _refused(error, words)
        single = any(word.startswith("'") for word in words)  # the shell has left the quotes, as that of Windows does
        hint = Message('; this shell leaves single quotes: write "sevens >= 2"') if single else ""
        code = _fail(locale.translate(refused.message) + locale.translate(hint), 2)
    except click.exceptions.Exit as error:
        code = error.exit_code
    except SystemExit as end:
        code = end.code if sys.stdout is output else 0  # click replaces an output that nobody reads to its end
    except (click.Abort, KeyboardInterrupt):
        code = _fail(locale.translate("interrupted"), signals.EXIT_CODE)
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None:  # nobody reads any more
            sys.exit(0)
        reason = locale.translate(error.strerror or (error.args[0] if error.args else str(error)))
        named = f"{cut(str(error.filename))}: " if error.filename else ""
        code = _fail(f"{named}{reason}", 2 if error.errno == errno.ENAMETOOLONG else 1)
    sys.exit(code if isinstance(code, int) else 0)


def _language_of(words: Sequence[str]) -> Language:
    """The language of errors: that of ``--lang``, otherwise the one that the environment asks for."""
    given = [after for word, after in pairwise([*words, ""]) if word == "--lang"]
    given += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return language(given[-1] if given and given[-1] in LANGUAGES else preferred_language())


def _texts(arguments: Sequence[str] | None) -> list[str]:
    """The words of the command line; raises ``InputError`` for bytes that are not text, but in names of files.

    On Windows ``*.parquet`` is here replaced by the files that it stands for: shells there leave that to the program.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.platform == "win32":
        words = [name for word in words for name in (word.endswith(".parquet") and sorted(glob(word))) or [word]]
    reads_files = words[:1] in (["table"], ["describe"], ["plot"], ["combine"])
    for before, word in pairwise(["", *words]):
        names_file = before in ("-o", "--records", "--resume") or (reads_files and os.path.isfile(word))
        if any("\ud800" <= letter <= "\udfff" for letter in word) and not names_file:  # bytes that are not UTF-8
            raise InputError("{word!a} is no text (valid: UTF-8)", word)
    return words


def _fail(message: str, code: int) -> int:
    with suppress(OSError, ValueError):  # the standard error is closed, or its terminal is gone
        click.echo(f"cirulla-sim: {' '.join(message.splitlines())}", err=True)
    return code
