"""Options that several verbs share: named as the arguments of the functions behind the verbs, and read by them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..core import arguments
from ..core.arguments import ENGINES, FORMATS, LANGUAGES, SEED, THREADS

if TYPE_CHECKING:
    from ..reporting.result import Result

Command = TypeVar("Command", bound=Callable[..., Any])


def _flag(param: click.Parameter | None, otherwise: str) -> str:
    return param.opts[0] if param else otherwise


class Count(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A whole number, as ``10_000_000``, ``10M`` or ``1e7``, within bounds."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return value if isinstance(value, int) else arguments.count(_flag(param, "number"), value, self.low, self.high)


class Positive(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number above 0."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return arguments.positive(_flag(param, "number"), value)


class Choice(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """One of a few names; a misspelt one gets the nearest."""

    def __init__(self, kind: str, names: tuple[str, ...]) -> None:
        self.name, self.names = kind, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return arguments.choice(_flag(param, self.name), self.name, value, self.names)


class TableFile(click.Path):
    """A file to write a table to, which is parquet."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return arguments.table_file(_flag(param, "-o"), str(super().convert(value, param, ctx)))


def rules_options(command: Command) -> Command:
    """``--rules``, ``--rule``, ``--house`` and ``--players``, as ``rulebook.choose`` takes them."""
    for option in (
        click.option("--players", type=Count(2, 4), help="Number of players (default: as usual with the preset)."),
        click.option("--house", multiple=True, metavar="NAME", help="A house rule on top; repeatable."),
        click.option("--rule", multiple=True, metavar="FIELD=VALUE", help="One field changed; repeatable."),
        click.option(
            "--rules", metavar="PRESET|FILE.toml", show_default="cirulla",
            help="A preset, or a file with preset and changed fields.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def position_options(command: Command, having_played: bool = True) -> Command:
    """``--table``, ``--holding`` and more: a position in mid-hand.

    ``having_played`` tells whether one's own play has been made, or is the question.
    """
    mine, others = ("having played", "as the next player finds them") if having_played else ("your play to come", "now")
    own = "" if having_played else ", or 'me: 2h 3c' of a set you must play first"
    for option in (
        click.option("--points", metavar="MINE-THEIRS", help="Sweeps and bonuses so far in this hand, as 2-1."),
        click.option("--stage", type=Count(1, 6), help="Which dealing of cards this is (default: by the cards named)."),
        click.option("--piles", metavar="SIDE:CARDS", help="Who captured what, as 'mine: 7d 2s; theirs: Kd 3h'."),
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


USUAL = "careful"
"""Who plays unless told; the same as ``play.USUAL``, which this does not import for the time that numpy takes."""

POLICY = (
    "How seats play: random, greedy, careful, search:N, search:N:OPPONENT, open, MODULE:FUNCTION; "
    "one for all, or one a side, the "
)


def deal_option(command: Command) -> Command:
    """``--deal``."""
    return click.option(
        "--deal", metavar="PLACE:CARDS;...",
        help="Known cards, as 'me: 7h K*; partner: two diamonds; table: Ad; not seat0: aces' (me: the dealer).",
    )(command)  # fmt: skip


def policy_option(command: Command) -> Command:
    """``--policy``."""
    return click.option(
        "--policy", default=USUAL, show_default=True, metavar="NAME[,NAME...]", help=f"{POLICY}dealer's last."
    )(command)


def line_ups_option(command: Command) -> Command:
    """``--policy``, repeated for line-ups side by side."""
    return click.option(
        "--policy", multiple=True, default=(USUAL,), show_default=USUAL, metavar="NAME[,NAME...]",
        help=f"{POLICY}dealer's last; repeated: line-ups side by side, on the same deals.",
    )(command)  # fmt: skip


def first_option(unit: str, of: str = "") -> Callable[[Command], Command]:
    """``--first-hand``, ``--first-game``; ``of`` are the flags that it goes with, if not with all."""
    return click.option(
        f"--first-{unit}", type=Count(0, 10**12), default=0, show_default=True,
        help=f"{f'With {of}: number' if of else 'Number'} of the first {unit}, so that machines play parts of one "
        "question; combine adds them up.",
    )  # fmt: skip


def seed_option(command: Command) -> Command:
    """``--seed``."""
    return click.option("--seed", type=Count(0, SEED), default=1, show_default=True, help="Same seed, same hands.")(
        command
    )


def threads_option(command: Command) -> Command:
    """``--threads``."""
    return click.option("--threads", type=Count(1, THREADS), help="Threads (default: one a core).")(command)


def engine_option(command: Command) -> Command:
    """``--engine`` and ``--scheduler``."""
    command = click.option(
        "--scheduler", metavar="ADDRESS", help="With --engine dask: whose workers play (default: of this machine)."
    )(command)
    return click.option(
        "--engine", type=Choice("engine", ENGINES), default="threads", show_default=True, help="threads, serial, dask."
    )(command)


def precision_options(of: str, help_text: str, of_what: str) -> Callable[[Command], Command]:
    """``--precision`` and ``--precision-of``, the quantity ``of`` unless another is named."""

    def options(command: Command) -> Command:
        command = click.option("--precision-of", show_default=of, metavar="QUANTITY", help=of_what)(command)
        return click.option("--precision", type=Positive(), metavar="X", help=help_text)(command)

    return options


def saving_options(command: Command) -> Command:
    """``-o`` of a long run, and how it is saved and replaced."""
    for option in (
        click.option("--force", is_flag=True, help="Begin again where the file of -o is there already."),
        click.option("--save-every", type=Positive(), default=60, show_default=True, metavar="SECONDS",
                     help="Save the file of -o so often."),
        output_option("Write the whole table to a parquet file; go on from it if it is there already."),
    ):  # fmt: skip
        command = option(command)
    return command


def keeping_options(command: Command) -> Command:
    """``saving_options``, and ``--resume``."""
    return saving_options(
        click.option(
            "--resume",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Go on from another file of an earlier run.",
        )(command)
    )


def only_option(command: Command) -> Command:
    """``--only``."""
    return click.option(
        "--only", metavar="QUANTITY[,QUANTITY...]", help="Print these quantities only, every row of them."
    )(command)


def lang_option(command: Command) -> Command:
    """``--lang``."""
    return click.option(
        "--lang", type=Choice("language", LANGUAGES), metavar="en|it", help="English or Italian, words and numbers."
    )(command)


def format_option(command: Command) -> Command:
    """``--format``, ``--lang`` and ``--raw``: how a table is printed."""
    for option in (
        click.option("--raw", is_flag=True, help="The whole table with the names and digits that programs read."),
        lang_option,
        click.option(
            "--format", "form", type=Choice("format", FORMATS), default="table", show_default=True,
            help="table; json, the whole table; csv, markdown, latex, html: for readers.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def output_option(help_text: str, kind: click.Path | None = None) -> Callable[[Command], Command]:
    """``-o``, a file for a result table unless another kind is asked for."""
    return click.option("-o", "--output", type=kind or TableFile(), metavar="FILE", help=help_text)


def show(result: Result, form: str, lang: str | None, raw: bool) -> None:
    """Print a result, its remarks beside it, and end with its exit code."""
    for remark in result.remarks:
        click.echo(remark, err=True)
    click.echo(result.text(form, lang=lang, raw=raw))
    raise click.exceptions.Exit(result.exit_code)
