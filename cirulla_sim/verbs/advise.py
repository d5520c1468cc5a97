"""Advice asked for: what to play here, and a hand shown play by play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..advice.advice_files import MOST_SAMPLES, identity, kept_with, points_in
from ..advice.advice_readers import as_table, ends_for_readers, for_readers, metadata, remarks
from ..advice.coach import SAMPLES, coached
from ..advice.decision_points import check_record, read_record, read_records, rules_of, turns
from ..advice.judge import Advice, Growing, judge_plays, read_score
from ..advice.review import review
from ..advice.solve import solvable
from ..core.arguments import SEED, THREADS, choice, count, positive, public, several, table_file, words
from ..core.cards import parse_many
from ..core.errors import InputError
from ..engine.hand_record import Hand, hand_record
from ..engine.policies import USUAL
from ..engine.trials import AIMS, Experiment
from ..exact.constrained import known_deal
from ..experiments.autosave import EVERY, saving
from ..experiments.progress import progress_bar
from ..experiments.runner import gone_on
from ..reporting.result import Result
from ..ruleset.presets import command_words
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.information_set import Situation, open_holdings
from ..situation.position import position_arguments, position_words
from ..situation.position_text import read_situation
from ..situation.unseen_cards import with_known
from ..storage.tables import write_part

SECONDS = 5.0
"""How long a play is thought about, unless told."""


@public
def advise(
    *,
    table: str | None = None,
    holding: str | None = None,
    seen: str | None = None,
    held: str | Sequence[int] | None = None,
    seat: int | str | None = None,
    shown: str | Sequence[str] = (),
    matta_as: int | str | None = None,
    piles: str | None = None,
    stage: int | str | None = None,
    points: str | None = None,
    deal: str | None = None,
    score: str | None = None,
    aim: str | None = None,
    record: str | Path | Mapping[str, Any] | Hand | None = None,
    hand: int | str | None = None,
    play: int | str | None = None,
    open: bool = False,
    ends: bool = False,
    hands: str | None = None,
    policy: str | Sequence[str] = "careful",
    samples: int | str | None = None,
    time: float | str = SECONDS,
    seed: int | str = 1,
    threads: int | str | None = None,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    output: str | Path | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    progress: bool = True,
) -> Result:
    """Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Say what you see: ``table``, ``holding`` (before you play), and ``seen`` or ``piles`` (``"mine: 7d; theirs: Kd"``),
    the cards gone; ``held``, ``seat``, ``shown``, ``matta_as``, ``stage`` and ``points`` (``"2-1"``) tell more. Or name
    a ``play`` of a hand ``record`` (a file, or a hand): only what that player knew is used, or with ``open`` all of it.
    Without ``play`` all of the record is gone through: what each play lost, and what each side's margin is made of, of
    every hand of the file or the one at place ``hand``; on so many ``samples`` a play (1,000 unless told).
    ``deal`` is what is known of the unseen cards besides (``"partner: 7d; next: no aces"``).
    ``score`` (``"38-41"``) asks for the chance to win the game, ``aim`` says what ranks the plays.

    The unseen cards are dealt out as they may lie, again and again, and everybody plays on by ``policy``. It ends when
    the best play is told from all others, or after ``time`` seconds, or so many ``samples``; the same samples and
    ``seed`` give the same advice. ``ends`` shows how often one's side then makes cards, diamonds, settebello, primiera
    and grande at the end of the hand. With ``open`` and all ``hands`` the line is solved. A file (``output``) of so
    many ``samples`` is saved every ``save_every`` seconds and gone on from, as by ``simulate``; ``force`` begins again.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> advise(table="5c 2h Kd", holding="7d 2s Jh", players=2, samples=64).frame.height > 3
    True
    """
    told = {
        "table": table, "holding": holding, "seen": seen, "held": held, "seat": seat, "shown": several(shown),
        "matta_as": matta_as, "piles": piles, "stage": stage, "points": points,
    }  # fmt: skip
    target, limit = table_file("-o", output), positive("--time", time)
    most = None if samples is None else count("--samples", samples, 2, MOST_SAMPLES)
    start, many = count("--seed", seed, 0, SEED), None if threads is None else count("--threads", threads, 1, THREADS)
    wanted = None if aim is None else choice("--aim", "aim", aim, AIMS)
    if deal is not None and open:
        raise InputError(f"--deal {deal!r} says nothing with --open: all cards are known (leave it out)")
    holdings: tuple[int, ...] | None = None
    assumed: list[str] = []
    if record is not None:
        beside = told | {"hands": hands, "rules": rules, "players": players, "house": house, "rule": rule}
        for flag, value in beside.items():
            if value not in (None, (), [], {}):
                raise InputError(f"--{flag.replace('_', '-')} is told by --record (leave it out)")
        place = None if hand is None else count("--hand", hand, 0, 10**12)
        if play is None:
            one_play = {"deal": deal, "score": score, "aim": aim, "open": open, "ends": ends}
            unusual = {"policy": words(policy) != (USUAL,), "time": limit != SECONDS}
            for flag, value in (one_play | unusual).items():
                if value not in (None, False):
                    raise InputError(f"--{flag} is of one play of the record (valid: with --play)")
            file = record if isinstance(record, (str, Path)) else None
            return review(
                _records(record, place), _words_of({"record": file, "hand": place}),
                SAMPLES if most is None else count("--samples", most, 4, MOST_SAMPLES), start,
                threads=many, output=target, progress=progress,
            )  # fmt: skip
        now, holdings, preset = _of_record(record, place or 0, count("--play", play, 1, 40), open)
        by_rules: list[str] = []
    else:
        for flag, value in (("play", play), ("hand", hand)):
            if value is not None:
                raise InputError(f"--{flag} '{value}' is of a hand record (give --record FILE)")
        chosen = choose(rules, players, house, rule)
        asked = position_arguments(told)
        asked |= _open_hands(chosen.fields, open, hands, asked)
        for flag in ("table", "holding"):
            if asked[flag] is None:
                raise InputError(f"--{flag} is missing: advise needs --table and --holding (valid: cards, '' for none)")
        now, assumed = read_situation(chosen.fields, **asked)
        holdings = open_holdings(now) if open else None
        preset, by_rules = chosen.preset, command_words(chosen.fields, chosen.preset)
    ours = None if score is None else read_score(now.rules, score)
    if ours is not None and record is None and points is None and now.field("stage"):
        assumed.append("No sweeps or bonuses so far in this hand are counted (say otherwise with --points).")
    now, policies = with_known(now, deal), words(policy)
    file = record if isinstance(record, (str, Path)) else None
    rest = {"deal": deal, "score": score, "aim": aim, "record": file, "hand": hand, "play": play, "open": open,
            "hands": hands}  # fmt: skip
    about_it = [*position_words(told), *_words_of(rest), *by_rules]
    is_kept = most is not None and holdings is None and solvable(now) is None
    same = identity(now, policies, about_it) if is_kept and target is not None else {}

    def made(found: Advice) -> dict[str, Any]:
        return metadata(found, preset, about_it, policies, start) | same

    def write(found: Advice, part: Path) -> None:
        kept = kept_with(found.points) if is_kept and found.points is not None else {}
        write_part(as_table(found), part, made(found), kept)

    def write_so_far(run: Growing, part: Path) -> None:
        write(run.advice(), part)

    store = saving(target, None, save_every, force or not is_kept)
    nothing = Advice(now, (), 0, "interrupted", wanted or "points")
    earlier = store.earlier(partial(points_in, now, lambda: made(nothing), most or 0))
    before = 0 if earlier is None else len(earlier)
    with (
        store.kept(write_so_far) as keeper,
        progress_bar(most or 0, before, progress and is_kept, "samples") as bar,
    ):
        found = judge_plays(
            now, policies, samples=most, seconds=limit, score=ours, aim=wanted, holdings=holdings, seed=start,
            threads=many, progress=bar, earlier=earlier, grown=keeper.grown if is_kept else None,
        )  # fmt: skip
        keeper.end(partial(write, found))
    lines = [*assumed, *remarks(found), *([f"Written: {target}"] if target is not None else [])]
    if earlier is not None:
        lines.append(gone_on(before, found.samples, "samples"))
    shown_as = ends_for_readers(found) if ends else for_readers(found)
    return Result(as_table(found), made(found), shown_as, tuple(lines), 130 if found.stopped == "interrupted" else 0)


@public
def hand(
    rules: str | Path | Rules | RuleSet = "cirulla",
    number: int | str = 0,
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    deal: str | None = None,
    policy: str | Sequence[str] = USUAL,
    seed: int | str = 1,
    coach: bool = False,
    samples: int | str | None = None,
    threads: int | str | None = None,
    record: str | Path | None = None,
) -> Hand:
    """Play one hand by its number: the one that ``simulate`` plays under the same rules, policies and seed.

    With the ``deal`` of a run, the cards known of it, it is that run's hand. The value shows it play by play; its
    ``record`` is the hand as data. With ``coach`` each play is judged by what its player knew, on so many ``samples``
    (1,000 unless told). With the file of a ``record`` nothing is played: ``number`` is the place of a hand in the file.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> hand("cirulla", 3, policy="greedy")
    <hand 3 of seed 1: cirulla, 4 players, 20 to 10>
    """
    if samples is not None and not coach:
        raise InputError(f"--samples '{samples}' goes with --coach (leave it out, or give --coach)")
    start, index = count("--seed", seed, 0, SEED), count("--hand", number, 0, 10**12)
    many = None if threads is None else count("--threads", threads, 1, THREADS)
    if record is not None:
        _refuse_rules(rules, players, house, rule, policy, deal)
        played = read_record(Path(record), index)
        check_record(played)
    else:
        chosen = choose(rules, players, house, rule)
        known = known_deal(deal, chosen.fields)
        played = hand_record(Experiment(chosen.fields, words(policy), 1, start, known=known), index, chosen.preset)
    if coach:
        most = SAMPLES if samples is None else count("--samples", samples, 4, MOST_SAMPLES)
        played = coached(played, most, start, threads=many)
    return Hand(played)


def _refuse_rules(rules: object, players: object, house: object, rule: object, policy: object, deal: object) -> None:
    """Raise ``InputError`` for what a record tells."""
    usual: tuple[object, ...] = (None, (), [], {}, "cirulla", USUAL)
    given = {"rules": rules, "players": players, "house": house, "rule": rule, "policy": policy, "deal": deal}
    for flag, value in given.items():
        if value not in usual:
            raise InputError(f"--{flag} is told by --record (leave it out)")


def _words_of(told: Mapping[str, Any]) -> list[str]:
    """The words of a command for arguments that are given."""
    said: list[str] = []
    for name, value in told.items():
        if value is True:
            said.append(f"--{name}")
        elif value not in (None, False):
            said += [f"--{name}", str(value)]
    return said


def _records(source: str | Path | Mapping[str, Any] | Hand, place: int | None) -> dict[int, dict[str, Any]]:
    """The hands of a record by their places in the file, or the one at a place.

    Raises ``InputError`` for what is no record, a place in what is no file, and as ``read_record`` does.
    """
    if isinstance(source, (str, Path)):
        return read_records(Path(source)) if place is None else {place: read_record(Path(source), place)}
    if place:
        raise InputError(f"--hand '{place}' is a place in a file, and one hand is given (leave it out)")
    record = source.record if isinstance(source, Hand) else source
    if not isinstance(record, Mapping):
        raise InputError(f"--record {str(record)!r} is no hand record (valid: a file, a hand, or its record)")
    return {0: dict(record)}


def _of_record(
    source: str | Path | Mapping[str, Any] | Hand, place: int, number: int, opened: bool
) -> tuple[Situation, tuple[int, ...] | None, str]:
    """What the seat to play knew at a play of a record, or with ``opened`` everything; all holdings; its preset."""
    count, moment = 0, None
    [record] = _records(source, place).values()
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


def _open_hands(rules: Rules, opened: bool, hands: str | None, told: Mapping[str, Any]) -> dict[str, Any]:
    """What ``--hands`` says, as the words of ``read_situation``: one's own holding, and what the others show."""
    if opened != (hands is not None):
        raise InputError(
            "--open needs all cards: --hands, or --record and --play"
            if opened
            else f"--hands {hands!r} is all cards (valid: with --open)"
        )
    if hands is None:
        return {}
    for flag in ("holding", "shown", "held"):
        if told[flag]:
            raise InputError(f"--{flag} and --hands clash: --hands says it all (leave --{flag} out)")
    parts = [part.strip() for part in hands.split("/")]
    if len(parts) != rules.players:
        raise InputError(f"--hands {hands!r} has {len(parts)} hands (valid: {rules.players}, apart by '/')")
    counts = tuple(len(_cards(part)) for part in parts[1:])
    shown = tuple(f"{k}: {part}" for k, part in enumerate(parts[1:], 1))
    return {"holding": parts[0], "shown": shown, **({} if told["seat"] is not None else {"held": counts})}


def _cards(text: str) -> list[int]:
    try:
        return parse_many(text)
    except InputError as error:
        raise InputError(f"--hands: {error}") from None
