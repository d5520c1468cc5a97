"""``cirulla-sim advise``: what to play here, and how sure is that."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..errors import InputError
from ..rules import Rules, command_words, preset_of
from .options import (
    Choice,
    Count,
    Positive,
    chosen_rules,
    format_option,
    numbers,
    output_option,
    position_options,
    rules_options,
    seed_option,
    threads_option,
)

if TYPE_CHECKING:
    from ..advice import Situation


@click.command("advise")
@partial(position_options, having_played=False)
@click.option("--piles", metavar="SIDE:CARDS", help="Who captured what, as 'mine: 7d 2s; theirs: Kd 3h'.")
@click.option("--stage", type=Count(1, 6), help="Which dealing of cards this is (default: by the cards named).")
@click.option("--points", metavar="MINE-THEIRS", help="Sweeps and bonuses so far in this hand, as 2-1.")
@click.option("--score", metavar="MINE-THEIRS", help="Score of the game before this hand, as 38-41.")
@click.option(
    "--aim", type=Choice("aim", ("points", "game")), default=None, show_default="game with --score, else points",
    help="What ranks the plays: points, or the chance to win the game.",
)  # fmt: skip
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="A hand record, as of show --format json."
)
@click.option("--play", "number", type=Count(1, 40), help="With --record: which play of the hand, from 1.")
@click.option("--open", "opened", is_flag=True, help="All cards are known: the exact best line.")
@click.option("--hands", metavar="CARDS/CARDS...", help="With --open: all hands, yours first, then in order of play.")
@click.option("--policy", default="careful", show_default=True, metavar="NAME[,NAME...]", help="How all play on.")
@click.option("--samples", type=Count(2, 1 << 20), help="So many samples, whatever the time.")
@click.option("--time", "seconds", type=Positive(), default=5.0, show_default=True, help="Seconds, at most.")
@seed_option
@threads_option
@rules_options
@output_option("Write every quantity of every play to a parquet file.")
@format_option
def command(
    piles: str | None,
    stage: int | None,
    points: str | None,
    score: str | None,
    aim: str | None,
    record: Path | None,
    number: int | None,
    opened: bool,
    hands: str | None,
    policy: str,
    samples: int | None,
    seconds: float,
    seed: int,
    threads: int | None,
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    output: Path | None,
    form: str,
    **words: Any,
) -> None:
    """Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Say what you see: --table, --holding (before you play), and --seen or --piles, the cards gone. Or name a play of a
    hand record (--record, --play): only what that player knew is used, or with --open everything.

    The cards you do not see are dealt out as they may lie, again and again, and everybody plays on by --policy. It ends
    when the best play is told from all others, or with --time. The same --samples and --seed give the same advice.
    """
    from ..advice import advise, readers, situation
    from ..advice import said as telling
    from ..kept import render, whole_file, write_part

    holdings: tuple[int, ...] | None = None
    assumed: list[str] = []
    if record is not None:
        _refuse(
            "is told by --record",
            ["piles", "stage", "points", *words, "hands", "base", "players", "houses", "changes"],
        )
        if number is None:
            raise InputError("--record needs --play, the play of the hand to judge (valid: 1 to 36, or so)")
        now, holdings, preset = _of_record(record, number, opened)
    else:
        if number is not None:
            raise InputError(f"--play '{number}' is a play of a hand record (give --record FILE)")
        rules = chosen_rules(base, players, houses, changes)
        said = words | {"held": numbers("--held", words["held"]), "seen": words["seen"] or ""}
        said |= {"piles": piles, "stage": stage, "points": _points(points)}
        said |= _open_hands(rules, opened, hands, said)
        for flag in ("table", "holding"):
            if said[flag] is None:
                raise InputError(f"--{flag} is missing: advise needs --table and --holding (valid: cards, '' for none)")
        now, assumed = telling.read(rules, **said)
        holdings = situation.open_holdings(now) if opened else None
        preset = preset_of(base)
    ours = None if score is None else advise.read_score(now.rules, score)
    if ours is not None and record is None and points is None and now.field("stage"):
        assumed.append("No sweeps or bonuses so far in this hand are counted (say otherwise with --points).")
    policies = tuple(policy.split(","))
    with nullcontext() if output is None else whole_file(output) as part:
        found = advise.advise(
            now, policies, samples=samples, seconds=seconds, score=ours, aim=aim, holdings=holdings, seed=seed,
            threads=threads,
        )  # fmt: skip
        frame = readers.as_table(found)
        if part is not None:
            asked = _asked([] if record is not None else command_words(now.rules, preset))
            write_part(frame, part, readers.metadata(found, preset, asked, policies, seed))
    for line in [*assumed, *readers.remarks(found), *([f"Written: {output}"] if output is not None else [])]:
        click.echo(line, err=True)
    click.echo(render(readers.for_readers(found) if form == "table" else frame, form))
    if found.stopped == "interrupted":
        raise click.exceptions.Exit(130)


_TELLS_NO_SITUATION = (
    "base", "players", "houses", "changes", "policy", "samples", "seconds", "seed", "threads", "output", "form",
)  # fmt: skip


def _asked(rules: list[str]) -> list[str]:
    """The words of this command that tell the situation, rules last."""
    context = click.get_current_context()
    words: list[str] = []
    for option in context.command.params:
        if option.name is None or option.name in _TELLS_NO_SITUATION:
            continue
        value = context.params[option.name]
        if value is True:
            words.append(option.opts[0])
        elif value not in (None, False, ()):
            for item in value if isinstance(value, tuple) else (value,):
                words += [option.opts[0], str(item)]
    return [*words, *rules]


def _of_record(path: Path, number: int, opened: bool) -> tuple[Situation, tuple[int, ...] | None, str]:
    """What the seat to play knew at a play of a record, or with ``opened`` everything; all holdings; its preset."""
    from ..advice import read_record, rules_of, turns

    count, moment = 0, None
    record = read_record(path)
    for turn in turns(record):  # what comes after the play asked for is not looked at
        count += 1
        if turn.number == number:
            moment = turn.moment
            break
    if moment is None:
        valid = f"1 to {count}" if count else "none: the hand was won at the deal"
        raise InputError(f"--play '{number}' is out of range (valid: {valid})")
    now, holdings = (moment.open_situation(), moment.holdings) if opened else (moment.situation(), None)
    return now, holdings, rules_of(record)[1]


def _open_hands(rules: Rules, opened: bool, hands: str | None, said: dict[str, Any]) -> dict[str, Any]:
    """What ``--hands`` says, as the words of ``situation.read``: one's own holding, and what the others show."""
    if opened != (hands is not None):
        raise InputError(
            "--open needs all cards: --hands, or --record and --play"
            if opened
            else f"--hands {hands!r} is all cards (valid: with --open)"
        )
    if hands is None:
        return {}
    for flag in ("holding", "shown", "held"):
        if said[flag]:
            raise InputError(f"--{flag} and --hands clash: --hands says it all (leave --{flag} out)")
    parts = [part.strip() for part in hands.split("/")]
    if len(parts) != rules.players:
        raise InputError(f"--hands {hands!r} has {len(parts)} hands (valid: {rules.players}, apart by '/')")
    counts = tuple(len(_cards(part)) for part in parts[1:])
    shown = tuple(f"{k}: {part}" for k, part in enumerate(parts[1:], 1))
    return {"holding": parts[0], "shown": shown, **({} if said["seat"] is not None else {"held": counts})}


def _cards(words: str) -> list[int]:
    from ..cards import parse_many

    try:
        return parse_many(words)
    except InputError as error:
        raise InputError(f"--hands: {error}") from None


def _points(points: str | None) -> tuple[int, ...]:
    """Sweeps and bonuses so far, one's own side's first."""
    if points is None:
        return ()
    parts = points.split("-")
    if not all(part.strip().isdecimal() and len(part) < 4 for part in parts):
        raise InputError(f"--points {points!r} is not valid (valid: sweeps and bonuses, your own first, as 2-1)")
    return tuple(int(part) for part in parts)


def _refuse(why: str, names: list[str]) -> None:
    """Raise ``InputError`` for a flag given that something else tells."""
    context = click.get_current_context()
    flags = {option.name: option.opts[0] for option in context.command.params}
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(f"{flags[name]} {why} (leave it out)")
