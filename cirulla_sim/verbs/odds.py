"""Questions about dealt cards answered: counted where they can be, else from simulated deals."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from ..core.arguments import SEED, choice, count, machine, numbers, positive, public, several, table_file, words
from ..core.errors import InputError
from ..engine.engines import Folded
from ..engine.policies import USUAL
from ..exact.constrained import chance_of_deal, deal_remarks, known_deal
from ..experiments.autosave import EVERY, saving
from ..experiments.progress import progress_bar, waiting
from ..experiments.runner import gone_on
from ..questions import binding as questions
from ..questions import midhand_questions as midhand
from ..questions import odds_readers as readers
from ..questions.answers import exactly
from ..questions.cases import Subject
from ..questions.counting import Together
from ..questions.first_deal_table import FIRST_DEAL, first_deal, metadata, question_words
from ..questions.played_game import PlayedGame, score_of
from ..questions.played_hand import PlayedHand
from ..questions.played_piles import PlayedPiles, RandomPiles
from ..questions.played_rest import of_the_rest, read_position, rest_of, words_of_rest
from ..questions.question import Question, named
from ..questions.question_files import kept_with, tallied_in
from ..questions.question_run import Answer, Asking
from ..questions.repeated import MOST_TRIALS, repeated
from ..questions.subjects import SUBJECTS, LargeHolding, SetOfCards
from ..questions.whole_deal import Deal
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.deal_text import tidy
from ..situation.position import position_words
from ..storage.tables import write, write_part

OF = ("holding", "table", "first-deal", "deal", "hand", "game", "piles", "position")
"""What can be asked of."""

MOST_DEALS = 10**10


@public
def odds(
    question: str | Sequence[str] | None = None,
    *,
    of: str | None = None,
    given: str | None = None,
    by: str | None = None,
    mean: str | None = None,
    quantiles: str | None = None,
    histogram: str | None = None,
    in_: int | str | None = None,
    from_: str | None = None,
    deal: str | None = None,
    cards: int | str = 3,
    sizes: str | Sequence[int] | None = None,
    policy: str | Sequence[str] | None = None,
    check: int | str | None = None,
    hands: int | str | None = None,
    precision: float | str | None = None,
    seed: int | str = 1,
    threads: int | str | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
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
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    output: str | Path | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    progress: bool = True,
) -> Result:
    """Exact chances of dealt cards: fractions where they can be counted, else estimates from so many ``hands`` dealt.

    Without a ``question``: the bonuses of three cards held and of the table, and misdeals. A question is an expression
    over the features of what it is ``of``: ``holding``, ``table``, ``first-deal``, ``deal``, ``piles``; ``hand`` and
    ``game`` are played. So ``low and has_matta``, or ``barsegon``; several share the same hands, and may have a name in
    front: ``"a seven: sevens >= 1"``. ``given`` restricts, ``by`` splits it; ``mean``, ``quantiles`` and ``histogram``
    ask for those of a number; ``in_`` asks of so many trials, each dealt anew. ``cards`` is the size of a holding,
    ``sizes`` of two piles (``"22,18"``), ``policy`` who plays, ``from_`` the score of a game, ``deal`` cards that are
    known (``"me: 7h K*; table: Ad"``); ``check`` puts the question to so many simulated deals too, ``precision`` stops
    when the intervals are that narrow. With ``table`` and ``holding`` it is asked in mid-hand of what one seat knows:
    ``seen``, ``held``, ``seat``, ``shown`` and ``matta_as`` tell more; and of what remains of the ``hand``, which
    is played on: then ``piles`` (``"mine: 7d; theirs: Kd"``), ``stage`` and ``points`` (``"2-1"``) tell more, and
    ``deal`` what is known of the unseen cards (``"partner: 7d"``). What is simulated for a file
    (``output``) is saved every ``save_every`` seconds and gone on from, as by ``simulate``; ``force`` begins again.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> odds("low and has_matta").frame["exact"].item()
    '53/2470'
    >>> odds("sweep", table="3c 5d", holding="7d Ks 2h", players=2).frame["exact"].item()
    '411/595'
    """
    chosen = choose(rules, players, house, rule)
    target, start = table_file("-o", output), count("--seed", seed, 0, SEED)
    kind, many = machine(engine, threads, scheduler)
    checked = None if check is None else count("--check", check, 1, MOST_DEALS)
    size = count("--cards", cards, 3, 10)
    about = None if of is None else choice("--of", "subject", of, OF)
    texts = () if question is None else several(question)
    told = {
        "table": table, "holding": holding, "seen": seen, "held": held, "seat": seat, "shown": several(shown),
        "matta_as": matta_as, "piles": piles, "stage": stage, "points": points,
    }  # fmt: skip
    how: dict[str, Any] = {
        "cards": None if size == 3 else size,
        "sizes": None if sizes is None else ",".join(map(str, numbers("--sizes", sizes))),
        "policy": None if policy is None else ",".join(words(policy)),
        "from": from_,
        "deal": deal,
    }
    parts = {"given": given, "by": by, "mean": mean, "quantiles": quantiles, "histogram": histogram}
    fields = chosen.fields
    nothing_asked = not texts and not any((by, mean, quantiles, histogram))
    in_mid_hand = about == "position" or any(value not in (None, ()) for value in told.values())
    if in_mid_hand and not (about == "hand" or (about is None and of_the_rest(fields, texts, parts))):
        return _in_mid_hand(
            chosen, texts, about, parts | {"in": in_} | how, told, (checked, start, kind, many), target, progress
        )
    assumed: list[str] = []
    subject: Subject
    if in_mid_hand:
        about = "hand"
        if in_ is not None or nothing_asked:
            raise InputError(
                "no question about the rest of the hand (valid: won_us, primiera_won_us, ...: odds --list --of hand)"
                if nothing_asked
                else f"--in '{in_}' says nothing of a position: it comes once (leave it out)"
            )
        playing = subject_of(fields, about, size, how["sizes"], how["policy"] or USUAL, from_)[0].policies
        subject, assumed = rest_of(fields, told, playing, deal)
        more = [*position_words(told), "--policy", ",".join(playing)]
        more += [] if deal is None else ["--deal", tidy(deal)]
    else:
        subject, more = subject_of(fields, about or "holding", size, how["sizes"], how["policy"], from_)
    if nothing_asked and deal is not None and given is None and about in (None, "first-deal", "deal"):
        return _chance_of_deal(chosen, deal, about or "first-deal", in_, target)
    if deal is not None and not in_mid_hand:
        subject, more = _dealt_so(subject, deal, fields), [*more, "--deal", tidy(deal)]
    if nothing_asked:
        for flag, value in ({"given": given, "check": checked, "in": in_} | how | {"of": about}).items():
            if value is not None:
                raise InputError(f"--{flag} {str(value)!r} needs a question (valid: with one)")
        return _first_deal(chosen, target)
    for text in texts:
        if not in_mid_hand and midhand.is_question(text) and not questions.understood(fields, text, subject):
            plain = " ".join(text.split())
            raise InputError(f"{plain!r} is asked in mid-hand: say what lies on the table and what you hold "
                             f"(valid: odds {shlex.quote(plain)} --table '3c 5d' --holding '7d Ks 2h')")  # fmt: skip
    asked = [
        Question(expression, about or "holding", **_parts(parts), name=name)
        for name, expression in (map(named, texts) if texts else ((None, None),))
    ]
    times = None if in_ is None else _times(in_, asked[0])
    sure = None if precision is None else positive("--precision", precision)
    most = subject.usual if hands is None else count("--hands", hands, 1, MOST_DEALS)
    asking = Asking(fields, asked, subject, checked, most, sure, start)
    about_it = question_words(asked[0], [*more, *(["--in", str(times)] if times is not None else [])], texts[1:])

    def result(found: Folded[Together] | None) -> tuple[Answer, dict[str, Any]]:
        answer = asking.answer(found)
        if times is not None:
            answer = replace(answer, frame=repeated(answer.frame, times, f"{subject.per.rstrip('s')}s"))
        stopped = "hands" if answer.stopped == subject.unit else answer.stopped
        done = answer.done
        said = question_words(asked[0], [*more, *answer.words], texts[1:])
        made = metadata(
            fields, chosen.preset, said, done, start if done else None, subject.policies, stopped, subject.known
        )
        return answer, made | {"trial": subject.trial}

    def wanted() -> dict[str, Any]:
        return result(None)[1] | {"seed": start} | asking.identity(about_it)

    def write(found: Folded[Together], part: Path) -> None:
        answer, made = result(found)
        write_part(answer.frame, part, made | asking.identity(about_it), kept_with(found))

    patience = "Counting every deal of such large holdings takes ten seconds or more."
    slow = progress and any(questions.is_slow(fields, question, subject) for question in asked)
    with waiting(patience if slow else None):
        asking.count()
    earlier: Folded[Together] | None = None
    if asking.left:
        store = saving(target, None, save_every, force)
        earlier = store.earlier(partial(tallied_in, wanted, len(asking.left), asking.hands))
        with (
            store.kept(write) as keeper,
            progress_bar(asking.hands, earlier.done if earlier else 0, progress, subject.unit) as bar,
        ):
            found = asking.tallied(kind, many, bar, earlier, keeper.grown)
            answer, made = result(found)
            made |= asking.identity(about_it)
            keeper.end(partial(write, found))
    else:
        answer, made = result(None)
    remarks = [*assumed, *deal_remarks(subject.known, fields, about in ("deal", "hand", "game")), *answer.remarks]
    if earlier is not None:
        remarks.append(gone_on(earlier.done, answer.done or 0, subject.unit))
    if fields.big_holdings and about in (None, "holding") and size == 3:
        remarks.append("These are the chances of any three cards of the pack (larger holdings: --cards 9).")
    printed = readers.answers_for_readers(answer.frame, histogram is not None)
    if answer.frame.height > readers.ROWS:
        remarks.append(f"The first {readers.ROWS} of {answer.frame.height:,} values (all: -o FILE or --format csv).")
    if asking.left and target is not None:  # it is written already
        remarks.append(f"Written: {target}")
        target = None
    return _result(answer.frame, made, printed, remarks, target, subject.trial, answer.exit_code)


def _dealt_so(subject: Subject, deal: str, rules: Rules) -> Subject:
    """A subject of deals that have known cards; raises ``InputError`` where there are none, or they say nothing."""
    if not isinstance(subject, (SetOfCards, LargeHolding, Deal, PlayedHand, PlayedGame)):
        raise InputError(f"--deal {deal!r} says nothing of {subject.called} (valid: --of hand, deal, holding, ...)")
    if subject.per == "holding" and getattr(subject, "size", 0) != rules.deal_plan[0]:
        raise InputError(f"--deal {deal!r}: {rules.deal_plan[0]} cards are dealt at first (valid: --cards "
                         f"{rules.deal_plan[0]})")  # fmt: skip
    return replace(subject, known=known_deal(deal, rules))


def _parts(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a question beside its text; raises ``InputError`` where two of them clash."""
    numbers = [name for name in ("mean", "quantiles", "histogram") if parts[name] is not None]
    clash = numbers[:2] if len(numbers) > 1 else ["histogram", "by"] if parts["histogram"] and parts["by"] else []
    if clash:
        one, other = clash
        raise InputError(f"--{one} {parts[one]!r} and --{other} {parts[other]!r} clash (give one of them)")
    return dict(parts)


def _times(value: int | str, question: Question) -> int:
    """How many trials are asked of; raises ``InputError`` where that says nothing."""
    times = count("--in", value, 1, MOST_TRIALS)
    for flag in ("by", "quantiles", "histogram"):
        if getattr(question, flag) is not None:
            raise InputError(f"--in '{times}' and --{flag} {getattr(question, flag)!r} clash (give one of them)")
    if question.given is not None:
        raise InputError(f"--in '{times}' and --given {question.given!r} clash: put both conditions into the question")
    return times


def _chance_of_deal(chosen: RuleSet, deal: str, of: str, in_: int | str | None, target: Path | None) -> Result:
    """How likely a deal is, with nothing else asked: counted."""
    text, subject = tidy(deal), SUBJECTS[of]
    question, more = Question(text, of), ["--deal", text, "--of", of]
    frame = exactly(question, subject, chance_of_deal(deal, chosen.fields, played=of == "deal"))
    if in_ is not None:
        times = _times(in_, question)
        frame, more = repeated(frame, times, "deals"), [*more, "--in", str(times)]
    made = metadata(chosen.fields, chosen.preset, more)
    return _result(frame, made, readers.answers_for_readers(frame), [], target, subject.trial)


def _first_deal(chosen: RuleSet, target: Path | None) -> Result:
    frame = first_deal(chosen.fields)
    remarks = ["Under these rules the first deal brings no bonus and no misdeal."] if frame.is_empty() else []
    if chosen.fields.big_holdings and not frame.is_empty():
        remarks.append("These are the chances of any three cards of the pack (larger holdings: --cards 9).")
    made = metadata(chosen.fields, chosen.preset)
    return _result(frame, made, readers.for_readers(frame), remarks, target, FIRST_DEAL)


def _result(
    frame: pl.DataFrame, made: dict[str, Any], shown: pl.DataFrame, remarks: Sequence[str],
    target: Path | None, trial: str, exit_code: int = 0,
) -> Result:  # fmt: skip
    """The result, written where it is to be; below it stands of what it is and for whom it holds."""
    made |= {"trial": trial}
    if target is not None:
        write(frame, target, made)
        remarks = [*remarks, f"Written: {target}"]
    caption = "" if frame.is_empty() else readers.caption(made)
    return Result(frame, made, shown, tuple(remarks), exit_code, caption=caption)


def vocabulary(
    of: str = "holding",
    *,
    cards: int = 3,
    sizes: str | None = None,
    policy: str | None = None,
    in_mid_hand: bool = False,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
) -> list[tuple[str, str]]:
    """What can be asked of a subject: names and what they mean, in a sentence each; of a hand ``in_mid_hand`` its rest.

    Raises ``InputError`` as ``odds`` does.
    """
    chosen = choose(rules, players, house, rule)
    if choice("--of", "subject", of, OF) == "position":
        return list(midhand.QUESTIONS.items())
    if in_mid_hand and of == "hand":
        return questions.describe(words_of_rest(chosen.fields))
    return questions.describe(subject_of(chosen.fields, of, cards, sizes, policy)[0].features(chosen.fields))


def subject_of(
    rules: Rules, of: str, cards: int, sizes: str | None, policy: str | None, score: str | None = None
) -> tuple[Subject, list[str]]:
    """What is asked of, and the words of the command that say so beside ``--of``."""
    if of == "table" and not rules.table_cards:
        raise InputError("--of 'table': no cards are laid on the table under these rules (valid: with table_cards 4)")
    if sizes is not None and of != "piles":
        raise InputError(f"--sizes {sizes!r} says nothing of a {of} (valid: with --of piles)")
    if policy is not None and of not in ("piles", "hand", "game"):
        raise InputError(f"--policy {policy!r} says nothing of a {of} (valid: with --of hand, game or piles)")
    if cards != 3 and of != "holding":
        raise InputError(f"--cards '{cards}' says nothing of a {of} (valid: with --of holding)")
    if score is not None and of != "game":
        raise InputError(f"--from {score!r} says nothing of a {of} (valid: with --of game)")
    if of == "game":
        players, points = (USUAL,) if policy is None else words(policy), () if score is None else score_of(score, rules)
        said = {"--policy": policy, "--from": score}
        return PlayedGame(players, points), [w for flag, text in said.items() if text is not None for w in (flag, text)]
    if policy is not None:
        if sizes is not None:
            raise InputError(f"--sizes {sizes!r} and --policy {policy!r} clash: play decides the sizes (give one)")
        if of == "hand":
            return PlayedHand(tuple(policy.split(","))), ["--policy", policy]
        return PlayedPiles(tuple(policy.split(","))), ["--policy", policy]
    if sizes is not None:
        parts = numbers("--sizes", sizes)
        if len(parts) != 2 or sum(parts) > 40:
            raise InputError(f"--sizes {sizes!r} is not valid (valid: two numbers that add up to 40 or less, as 22,18)")
        return RandomPiles((parts[0], parts[1])), ["--sizes", sizes]
    if cards != 3:
        return LargeHolding(cards), ["--cards", str(cards)]
    return SUBJECTS[of], []


def _in_mid_hand(
    chosen: RuleSet,
    texts: Sequence[str],
    of: str | None,
    asked: Mapping[str, Any],
    told: Mapping[str, Any],
    simulate: tuple[int | None, int, str, int | None],
    target: Path | None,
    progress: bool,
) -> Result:
    """Answer a question about a position; ``simulate`` is how many deals check it, their seed, the engine, threads."""
    for name, text in asked.items():
        if text is not None:
            raise InputError(
                f"--{name} {str(text)!r} says nothing of a position's next plays (valid: with --of hand, or elsewhere)"
            )
    if of not in (None, "position"):
        raise InputError(f"--of {of!r} and a position clash (valid: --of position, or no --table, --holding, --seen)")
    if len(texts) > 1:
        raise InputError(f"{texts[1]!r}: one question at a time about a position (valid: {texts[0]!r} alone)")
    for flag in ("stage", "points"):
        if told[flag] is not None:
            raise InputError(f"--{flag} '{told[flag]}' says nothing of a position's next plays (valid: with --of hand)")
    question = next(iter(texts), None)
    if question is None:
        raise InputError(f"no question about the position (valid: {', '.join(midhand.QUESTIONS)})")
    said = [question, *position_words(told)]
    at = read_position(chosen.fields, told)
    frame = midhand.answer(at, question)
    check, seed, engine, threads = simulate
    if check is not None:
        with progress_bar(check, 0, progress, "deals") as bar:
            dealt = midhand.simulated(at, question, check, seed, threads, engine, bar)
            frame = questions.checked(frame, dealt)
        said += ["--check", str(check), "--seed", str(seed)]
    made = metadata(chosen.fields, chosen.preset, said, check, seed if check else None)
    remarks = midhand.remarks(at, question, assumed=told["held"] is None and told["seat"] is None)
    trial = "every way of dealing the cards not seen"
    return _result(frame, made, midhand.for_readers(frame, at), remarks, target, trial)
