"""What the files of studies show in a few sentences, each kind a function that makes them."""

from __future__ import annotations

import polars as pl

from .cells import number
from .labels import Metadata, name_of, player, rules_name, together
from .locale import Language
from .quantity_names import DEALING, QUANTITIES
from .sentence_parts import Sentences, first_row, is_sure, sampled, without_sign


def luck(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    """What a hand comes from."""
    deal = frame.filter(pl.col("estimate") < 1, quantity="variance_deal")
    first, differ = frame["rules"][0], frame.filter(quantity="variance_skill")["policy"].to_list()
    told = {differ[0], differ[-1]} if differ else {deal["policy"][0]}  # the best who differ in skill, and anybody
    for row in deal.filter(rules=first).iter_rows(named=True):
        if row["policy"] in told:
            yield locale.say("In {rules} {p} of a hand’s margin comes from the deal ({players}).",
                           rules=locale.say(name_of(first)), p=number(row, locale),
                           players=together(row["policy"], locale))  # fmt: skip
    if games := first_row(frame, "games_until_ahead", rules=first):
        yield locale.say("After {n} games the better of two is ahead with 95% certainty ({players}).",
                       n=number(games, locale), players=together(games["policy"], locale))  # fmt: skip
    yield sampled(metadata, locale)
    yield locale.say("It holds for these players only, and does not show how far people are from them.")


def aim(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    """What playing for the game is worth."""
    rows = list(frame.filter(quantity="wins_game", kind="difference").iter_rows(named=True))
    sure = [row for row in rows if is_sure(row)]
    yield locale.say("{sure} of {n} scores and players looked at differ from none by more than their own 95% interval.",
                   n=len(rows), sure=len(sure))  # fmt: skip
    for most in sorted(sure, key=lambda row: -abs(float(row["estimate"])))[:1]:
        sentence = (
            "Playing for the game wins {n} of the games more: {player} from {score}, {players} players."
            if most["estimate"] > 0
            else "Playing for the game wins {n} of the games less: {player} from {score}, {players} players."
        )
        yield locale.say(sentence, n=without_sign(most, locale), player=player(most["policy"], locale), score=most["score"],
                       players=most["players"])  # fmt: skip
    yield sampled({**metadata, "games": None}, locale)
    yield locale.say("It holds under these rules, {rules}, and does not show what people gain.",
                   rules=locale.say(rules_name(metadata)))  # fmt: skip


def reading(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    """What was told of hidden cards, and what was true."""
    for event in frame["event"].unique(maintain_order=True):
        rows = {row["dealing"]: row for row in frame.filter(event=event, kind="probability").iter_rows(named=True)}
        if len(rows) < len(DEALING):
            continue
        yield locale.say("{what}: told {even} with all deals equally likely, {read} as the plays tell, true in {p}.",
                       what=locale.say(QUANTITIES[event]), even=locale.percent(rows["even"]["told"]),
                       read=locale.percent(rows["read"]["told"]), p=number(rows["read"], locale))  # fmt: skip
    yield sampled(metadata, locale)
    yield locale.say("It holds for what these players play, and does not show what people’s plays tell.")


def curve(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Sentences:
    """What more time brings to search."""
    for players in frame["players"].unique(maintain_order=True):
        first, *_, last = frame.filter(players=players).sort("took").iter_rows(named=True)
        yield locale.say("{players} players: {first} makes {low} points a hand over careful, {last} {high}.",
                       players=players, first=player(first["policy"], locale), last=player(last["policy"], locale),
                       low=number(first, locale), high=number(last, locale))  # fmt: skip
    yield sampled(metadata, locale)
    yield locale.say("Times are of one machine, not of another; what each player makes holds on all.")
