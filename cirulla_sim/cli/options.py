"""Options that several verbs share, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, DecimalException, Overflow
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..errors import InputError, unknown
from ..rules import FIELDS, Rules, build, house_names, preset_names

Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("table", "json", "csv", "markdown", "latex", "html")
"""What ``tables.render`` writes; here because ``tables`` imports polars."""

ENGINES = ("threads", "serial", "dask")

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


class Count(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A whole number, as ``10_000_000``, ``10M`` or ``1e7``, within bounds."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        flag = param.opts[0] if param else "number"
        valid = f"(valid: a whole number from {self.low} to {self.high:_}, as 10_000_000, 10M or 1e7)"
        match = re.fullmatch(r"([0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?(?:e[0-9]+)?)([kmgb]?)", value.strip().lower())
        if not match:
            raise InputError(f"{flag} {value!r} is not a number {valid}")
        try:
            number = Decimal(match[1].replace("_", "")) * _UNITS[match[2]]
        except Overflow:
            raise InputError(f"{flag} {value!r} is out of range {valid}") from None
        except DecimalException:
            raise InputError(f"{flag} {value!r} is not a number {valid}") from None
        if number.adjusted() > 30 or number != number.to_integral_value() or not self.low <= number <= self.high:
            raise InputError(f"{flag} {value!r} is out of range {valid}")
        return int(number)


class Positive(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number above 0."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number < float("inf"):
            raise InputError(
                f"{param.opts[0] if param else 'number'} {value!r} is not valid (valid: a number above 0, as 0.01)"
            )
        return number


class Choice(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """One of a few names; a misspelt one gets the nearest."""

    def __init__(self, kind: str, names: tuple[str, ...]) -> None:
        self.name, self.names = kind, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.names:
            raise unknown(self.name, value, self.names, where=f"{param.opts[0]}: " if param else "")
        return str(value)


def rules_options(command: Command) -> Command:
    """``--rules``, ``--rule``, ``--house`` and ``--players``, read by ``chosen_rules``."""
    for option in (
        click.option("--players", type=Count(2, 4), help="Number of players (default: as usual with the preset)."),
        click.option("--house", "houses", multiple=True, metavar="NAME", help="A house rule on top; repeatable."),
        click.option("--rule", "changes", multiple=True, metavar="FIELD=VALUE", help="One field changed; repeatable."),
        click.option(
            "--rules",
            "base",
            default="cirulla",
            metavar="PRESET|FILE.toml",
            show_default=True,
            help="A preset, or a file with preset and changed fields.",
        ),
    ):
        command = option(command)
    return command


def chosen_rules(base: str, players: int | None, houses: tuple[str, ...], changes: tuple[str, ...]) -> Rules:
    """The rules that the common options ask for.

    Raises ``InputError`` that names the flag.
    """
    if not base.endswith(".toml") and base not in preset_names():
        raise unknown("preset", base, preset_names(), where="--rules: ")
    for house in houses:
        if house not in house_names():
            raise unknown("house rule", house, house_names(), where="--house: ")
    fields: dict[str, str] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise InputError(f"--rule {change!r} has no value (valid: FIELD=VALUE, as target=26)")
        if name not in FIELDS:
            raise unknown("field", name, FIELDS, where="--rule: ")
        if name in fields and fields[name] != value:
            raise InputError(f"--rule {name} is given twice, as {fields[name]!r} and as {value!r} (give it once)")
        fields[name] = value
    if players is not None and fields.setdefault("players", str(players)) != str(players):
        raise InputError(f"--players '{players}' and --rule players={fields['players']!r} clash (give one of them)")
    return build(base, players=players, houses=houses, changes=fields)


def position_options(command: Command, having_played: bool = True) -> Command:
    """``--table``, ``--holding`` and more: a position in mid-hand, as the keywords of ``position.read``.

    ``having_played`` tells whether one's own play has been made, or is the question.
    """
    mine, others = ("having played", "as the next player finds them") if having_played else ("your play to come", "now")
    own = "" if having_played else ", or 'me: 2h 3c' of a set you must play first"
    for option in (
        click.option("--matta-as", type=Count(1, 10), help="Value declared for a matta on the table or shown."),
        click.option(
            "--shown", multiple=True, metavar="PLAYER:CARDS",
            help=f"Cards known of a following player, 1 the next, as '1: 7h Ad'{own}; repeatable.",
        ),
        click.option("--seat", type=Count(1, 4), help="Your place in the order of play, the dealer last (default: 1)."),
        click.option(
            "--held", metavar="N[,N...]",
            help="Cards each following player holds, the next first (default: by --seat and your own).",
        ),
        click.option("--seen", metavar="CARDS", help="Cards gone: all that were captured."),
        click.option("--holding", metavar="CARDS", help=f"Cards you hold, {mine}."),
        click.option("--table", metavar="CARDS", help=f"Cards on the table, {others}."),
    ):  # fmt: skip
        command = option(command)
    return command


def check_needed(flag: str, needed: str) -> None:
    """Raise ``InputError`` if a flag of this command is given without one that it needs, both by parameter name."""
    context = click.get_current_context()
    if context.get_parameter_source(flag) is ParameterSource.COMMANDLINE and context.params[needed] is None:
        names = {option.name: option.opts[0] for option in context.command.params}
        raise InputError(
            f"{names[flag]} {str(context.params[flag])!r} needs {names[needed]} (add it, or leave {names[flag]} out)"
        )


def numbers(flag: str, written: str | None) -> tuple[int, ...]:
    """Some whole numbers separated by commas, as ``3,3,2``; none for ``None``.

    Raises ``InputError`` that names the flag.
    """
    if written is None:
        return ()
    parts = [part.strip() for part in written.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,6}", part) for part in parts):
        raise InputError(f"{flag} {written!r} is not valid (valid: whole numbers separated by commas, as 3,3,2)")
    return tuple(int(part) for part in parts)


def policy_option(command: Command) -> Command:
    """``--policy``."""
    return click.option(
        "--policy", "policy", default="random", show_default=True, metavar="NAME[,NAME...]",
        help="How seats play: random, greedy, careful, search:N, open, MODULE:FUNCTION; one for all, or one a side, "
        "the dealer's last.",
    )(command)  # fmt: skip


def seed_option(command: Command) -> Command:
    """``--seed``."""
    return click.option(
        "--seed", type=Count(0, 2**64 - 1), default=1, show_default=True, help="Same seed, same hands."
    )(command)


def threads_option(command: Command) -> Command:
    """``--threads``."""
    return click.option("--threads", type=Count(1, 1024), help="Threads (default: one a core).")(command)


def engine_option(command: Command) -> Command:
    """``--engine``."""
    return click.option(
        "--engine", type=Choice("engine", ENGINES), default="threads", show_default=True, help="threads, serial, dask."
    )(command)


def resume_option(command: Command) -> Command:
    """``--resume``."""
    return click.option(
        "--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on from a file of an earlier run."
    )(command)


def format_option(command: Command) -> Command:
    """``--format``."""
    return click.option(
        "--format",
        "form",
        type=Choice("format", FORMATS),
        default="table",
        show_default=True,
        help=f"{', '.join(FORMATS)}.",
    )(command)


class TableFile(click.Path):
    """A file to write a table to, which is parquet: a name that promises something else is refused."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in ("", ".parquet"):
            flag = param.opts[0] if param else "-o"
            raise InputError(f"{flag} {str(value)!r} is not valid: tables are written as parquet (valid: FILE.parquet)")
        return path


def output_option(help_text: str, kind: click.Path | None = None) -> Callable[[Command], Command]:
    """``-o``, a file for a result table unless another kind is asked for."""
    return click.option("-o", "--output", type=kind or TableFile(), metavar="FILE", help=help_text)
