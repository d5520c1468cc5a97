"""The commands: options built from those of the verbs, what help says, and what each command runs.

The command line has no names, defaults or checks of its own. What a verb runs is imported when it runs, so that
``--help`` is instant. A game at the terminal has cards in the colours of their suits.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..core.cards import check_suits
from ..core.errors import InputError, NotWritten, meant
from ..core.locale import language, preferred_language
from ..core.messages import Message
from ..verbs import functions
from ..verbs.functions import (
    ALT,
    DISPLAY,
    LANG,
    LISTED,
    NUMBER,
    ONLY,
    PLAY,
    SEVERAL_HANDS,
    TEXT_FORM,
    VERBOSE,
)
from ..verbs.options import GROUPS, Option, arguments_of, options_of
from .verbs import VERBS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


Callback = Callable[..., Any]

WIDEST = 32
"""Characters of an option with its value beside which help has a sentence; it is below longer ones."""


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
            default = preferred_language if option.name == "lang" else option.default if reads else None
            kind = {"type": str, "required": True} if option.required else {"type": str, "default": default}
        super().__init__(names, metavar=option.metavar, multiple=option.many, **kind)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        given = super().type_cast_value(ctx, value)
        if self.option.switch or given is None:
            return given
        return self.option.value(given) if self.reads else given

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


def functions_of_questions(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What is typed of a question with the last word completed."""
    from ..questions.vocabulary import functions as known  # here for the sake of every other start

    before, every = re.sub(r"\w+$", "", incomplete), known().values()
    names = dict.fromkeys([*(one.name for one in every), *(one.italian for one in every)])
    return items((before + name for name in names), incomplete)


def option_for(command: click.Command, word: str) -> str:
    """The option of a command that takes a word as its value, with it; empty where none does.

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
                group = parameter.option.group if isinstance(parameter, OptionParameter) else "display"
                found[GROUPS[group]].append(record)
        return {heading: records for heading, records in found.items() if records}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = self.option_groups(ctx)
        width = max(len(name) for records in groups.values() for name, _ in records if len(name) <= WIDEST)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in records], col_max=WIDEST)


def options(*several: Option) -> Callable[[Callback], Callback]:
    """A decorator that gives a command's function these options."""

    def decorate(run: Callback) -> Callback:
        for option in reversed(several):
            parameter: Any = partial(OptionParameter, option)
            run = click.option(cls=parameter)(run)
        return run

    return decorate


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
        click.echo(language(lang).translate(text), err=True)


# ------------------------------------------------------------------------------------------------ what they run


def run_verb(verb: str, **arguments: Any) -> None:
    """Print a result, then its remarks to stderr, with --verbose the method too, and end with its exit code."""
    from ..reporting.result import Result, as_text  # here for the sake of --help

    display = {option.name: arguments.pop(option.name) for option in DISPLAY}
    try:
        result = getattr(functions, verb)(**arguments)
    except NotWritten as error:
        click.echo(as_text(Result.of(error.result), **display))
        raise
    try:
        click.echo(as_text(result, **display))
    except BrokenPipeError:  # whoever reads it has read enough; what is left goes nowhere
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    verbose = click.get_current_context().params.get("verbose")
    for text in (*(result.method if verbose else ()), *result.remarks):
        remark(text, display["lang"])
    raise click.exceptions.Exit(result.exit_code)


def run_odds(listed: bool, question: tuple[str, ...] = (), **arguments: Any) -> None:
    if listed:
        arguments_of("odds", arguments)  # an option that is not valid is refused here too
        click.echo(listing(" ".join(question), arguments["lang"]))
    else:
        run_verb("odds", question=question, **arguments)


def listing(word: str, lang: str) -> str:
    """The functions in which a word occurs, by group, with an example and a sentence each.

    >>> print(listing("whether nobody wins", "en"))
    A game
    ties_game                           whether nobody wins the game (patta_partita)
    """
    from ..questions.vocabulary import ARGUMENTS, functions_by_group, in_italian, nearest_words

    found = functions_by_group(word, italian=lang == "it")
    texts = list(ARGUMENTS.items())[4:] if lang == "it" else list(ARGUMENTS.items())[:4]
    lines = [
        fill(f"{name + ':':<11} {text}", 120, subsequent_indent=" " * 12)
        for name, text in texts if word.lower() in text
    ]  # fmt: skip
    if not found and not lines:
        near = nearest_words(word)
        hint = meant(near[0]) if near else ""
        raise InputError("--list {word!r}: no function with this word{hint} (valid: odds --list)", word, hint)
    for group, members in found.items():
        lines += ["", group] if lines else [group]
        for function in members:
            about, other = (function.it, function.name) if lang == "it" else (function.about, function.italian)
            example = in_italian(function.example) if lang == "it" else function.example
            lines.append(fill(f"{example:<35} {about} ({other})", 120, subsequent_indent=" " * 36))
    return "\n".join(lines)


def run_games_verb(**arguments: Any) -> None:
    if arguments["win_table"] and "output" not in arguments:
        raise InputError("--win-table requires a file to write to (add -o FILE.parquet)")
    run_verb("games", **arguments)


def run_show(hands: int, form: str, lang: str, play: int | None = None, number: str = "0", **arguments: Any) -> None:
    from ..advice.decision_points import read_at, turn_of
    from ..situation.positions import situation_of

    first = NUMBER.read(NUMBER.flag, number)
    for index in range(first, first + hands):
        played = functions.hand(number=index, **arguments)
        _, recorded = read_at(arguments.get("at"), arguments.get("me"))
        play = recorded.play if recorded is not None else play
        if play is not None:
            click.echo(situation_of(turn_of(played.record, play, "--play").hand.seen_by()).text(lang))
        else:
            click.echo(played.json() if form == "json" else ("\n\n" if index > first else "") + played.text(lang))


def run_table(file: str, only: tuple[str, ...] = (), **display: Any) -> None:
    from ..reporting.result import as_text, read, showing

    result = read(file, only=only)
    with showing(file):
        click.echo(as_text(result, **display))


def run_describe(file: str, lang: str) -> None:
    from ..reporting.result import read, showing

    with showing(file):
        click.echo(read(file).describe(lang))


def run_plot(files: tuple[str, ...], lang: str, alt: bool, output: str | None = None, **look: Any) -> None:
    for file in files:
        if Path(file).is_dir():
            raise InputError("{path!r} is a folder (name a result file in it)", file)
    target = Path(files[0]).with_suffix(".png") if output is None and not alt else output
    chart = functions.plot(files, output=target, lang=lang, **look)
    if alt:
        click.echo(chart.alt)
    if target is not None:
        remark(Message("Written: {path}", Path(target)), lang)


def run_warmup(lang: str) -> None:
    from ..verbs.warmup import warm_up

    seconds, folder = warm_up()
    if folder is None:
        text = Message(
            "Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again.", seconds
        )
    else:
        text = Message("Ready in {seconds:.1f} s; compiled code is kept in {folder}", seconds, folder)
    click.echo(language(lang).translate(text))


# ------------------------------------------------------------------------------------------------ as data

RESULT_FILE = click.Path(readable=False)
"""Completed by the shell; whoever reads the file says what is wrong with it."""


FILES = click.argument("files", metavar="FILE...", type=RESULT_FILE, nargs=-1, required=True)
QUESTIONS = click.argument("question", nargs=-1, shell_complete=functions_of_questions)
FILE = click.argument("file", metavar="FILE", type=RESULT_FILE)


class Command(NamedTuple):
    """What the command of a verb runs if not its public function, its arguments, and the options of it alone.

    By default it shows the result. Help has options whose names are in ``last`` in this order.
    """

    run: Callback | None = None
    arguments: tuple[Callable[[Callback], Callback], ...] = ()
    options: tuple[Option, ...] = (*DISPLAY, VERBOSE)
    last: tuple[str, ...] = ()


COMMANDS = {
    "odds": Command(run_odds, (QUESTIONS, options(LISTED))),
    "games": Command(run_games_verb),
    "play": Command(lambda **given: functions.play(write, ask_player, **given), options=()),
    "show": Command(run_show, options=(PLAY, SEVERAL_HANDS, TEXT_FORM, LANG),
                    last=("seed", "number", "play", "hands", "samples")),
    "table": Command(run_table, (FILE,), (ONLY, *DISPLAY)),
    "describe": Command(run_describe, (FILE,), (LANG,)),
    "plot": Command(run_plot, (FILES,), (ALT,)),
    "report": Command(lambda files, lang, **given: remark(
        Message("Written: {path}", functions.report(files, lang=lang, **given)), lang), (FILES,), ()),
    "combine": Command(arguments=(
        click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."),
    )),
    "warmup": Command(run_warmup, options=(LANG, VERBOSE)),
}  # fmt: skip
"""The commands that are more than their public function."""


def check_typed_cards(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for a card in a situation or question whose suit is not clear in the reader's language."""
    written = {}
    for name in ("at", "question", "given", "by"):
        texts = given.get(name, ())
        text = texts if isinstance(texts, str) else "; ".join(texts)
        file, marked, besides = text.partition("#")  # a play of a record, which may have any name
        written["" if name == "question" else f"--{name}: "] = besides if marked else file
    check_suits(written, given.get("lang", "en"))


def command_of(verb: str) -> click.Command:
    """The command of a verb: the options of its public function, which reads them, and those of the command alone."""
    spec = COMMANDS.get(verb, Command())
    parameters = [OptionParameter(option, reads=False) for option in options_of(verb)]
    parameters += [OptionParameter(option) for option in spec.options]
    if spec.last:
        parameters.sort(key=lambda parameter: spec.last.index(parameter.name) if parameter.name in spec.last else -1)

    def run(**values: Any) -> None:
        if values.pop("verbose", False):
            log_to_stderr()
        given = {name: value for name, value in values.items() if value not in (None, ())}
        check_typed_cards(given)
        (spec.run or partial(run_verb, verb))(**given)

    for argument in reversed(spec.arguments):
        run = argument(run)
    command = click.command(verb, cls=Grouped, help=VERBS[verb].help, epilog=VERBS[verb].epilog)(run)
    command.params += parameters
    return command


COLOURS = {"h": "red", "d": "blue", "c": "green", "s": None}
"""By suit, as in a pack of four colours; spades are as the terminal writes."""


def write(line: str) -> None:
    """Print a line, in colour where the output is a terminal and the environment does not refuse colours."""
    terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it is closed
    plain = not terminal or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(line if plain else coloured(line))


def coloured(line: str) -> str:
    """A line with its cards in the colours of their suits, and the numbers of choices and a scopa in bold.

    >>> coloured("   1  7d takes Ah")
    '\\x1b[1m   1\\x1b[0m  \\x1b[34m7d\\x1b[0m takes \\x1b[31mAh\\x1b[0m'
    """
    line = re.sub(r"\b[A2-7JQK]([hdcs])\b", lambda card: click.style(card[0], fg=COLOURS[card[1]]), line)
    line = re.sub(r"^ +[0-9]+(?=  )|scopa!", lambda part: click.style(part[0], bold=True), line)
    return click.style(line, bold=True) if re.match(r"(Hand|Stage|Smazzata|Distribuzione) [0-9]+( ·|$)", line) else line


def ask_player(prompt: str) -> str | None:
    """What a person answers to a prompt; None at the end of the input, or where there is none."""
    if sys.stdin is None:
        return None
    try:
        if sys.stdout is None or sys.stderr is None:  # closed: ``input`` requires both
            return sys.stdin.readline().strip() or None
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None
