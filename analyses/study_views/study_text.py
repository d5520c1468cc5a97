"""The files of studies as sentences for readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from cirulla_sim.core.cards import ALL, card_symbol, texts
from cirulla_sim.core.locale import Language
from cirulla_sim.reporting.text.cells import Row, first_row, number
from cirulla_sim.reporting.text.facts import sample_words
from cirulla_sim.reporting.text.findings import (
    Finding,
    Noun,
    Sentence,
    count_significant,
    find_sign,
    join_findings,
    rank_rows,
    rule,
    state,
    who,
)
from cirulla_sim.reporting.text.labels import PLAYERS, Metadata, player, result_rules, rules_words
from cirulla_sim.reporting.text.sentences import templates
from cirulla_sim.stats.decisions import verdict, with_holm

NAMES = {
    "variance_deal": "From the deal",
    "variance_response": "From how the deal suits who plays",
    "variance_dice": "From chance in the play",
    "variance_skill": "From who plays",
    "variance_play": "From all play",
    "margin_variance": "Variance of the margin",
    "games_until_ahead": "Games until the better is ahead",
    "hands_until_ahead": "Hands until the better is ahead",
    "can_sweep": "The next player can sweep",
    "can_capture": "The next player can capture",
    "has_ace": "The next player holds an ace",
    "has_seven": "The next player holds a seven",
    "squared_error": "Mean squared error of the chance",
    "within": "Within the best",
}
"""Quantities that only studies have."""

DEALING = {"even": "all deals equally likely", "read": "as the plays tell"}
"""How the unseen cards were dealt to estimate a chance."""


def rules_name(metadata: Metadata) -> str:
    """The preset of a result as words, Cirulla for a file of no rules."""
    return rules_words(result_rules(metadata).preset)


def together(policies: str, locale: Language) -> str:
    """Who plays, as words: a policy, two against each other, one of several, and what they are called together."""
    translated = locale.say(policies, n=PLAYERS)
    group, colon, each = policies.partition(": ")
    if colon:
        return translated if translated != policies else f"{locale.say(group)}: {together(each, locale)}"
    several = policies.removesuffix(", each side").split(" or ")
    if len(several) > 1:
        *names, last = (player(name, locale) for policy in several for name in policy.split(", "))
        return locale.say("{policies} or {last}", policies=", ".join(names), last=last)
    first, against, other = policies.partition(" against ")
    if against:
        return locale.say("{one} against {other}", one=player(first, locale), other=player(other, locale))
    return f" {locale.say('and')} ".join(player(name, locale) for name in policies.split(" and "))


# ------------------------------------------------------------------------------------------------ findings


def card(thing: Noun, locale: Language) -> str:
    """A card in a sentence.

    >>> from cirulla_sim.core.locale import language
    >>> card(Noun("card", "7d"), language("en")), card(Noun("card", "Kh"), language("it"))
    ('the seven of diamonds', 'il re di cuori')
    """
    words, (rank, suit) = templates(locale.name), thing.name
    ranks, suits = (words[f"phrases.card.{name}"] for name in ("ranks", "suits"))
    named = ranks["A234567JQK".index(rank.upper())], suits["hdcs".index(suit)]
    return str(words["phrases.card.of"].format(rank=named[0], suit=named[1]))


def of_deal(row: Row) -> Finding:
    """How much of the result of a hand is the deal."""
    return state("study", "luck", {"size": row}, who=Noun("population", row["policy"]), rules=rule(row["rules"]))


def until_ahead(row: Row, locale: Language) -> Finding:
    """How many games it takes until the better of two is ahead."""
    players = together(row["policy"], locale)
    return state("study", "ahead-one", {"size": row}, who=players, rules=rule(row["rules"]))


def predicted(event: str, rows: Mapping[str, Row]) -> Finding:
    """How far reading the plays moves a prediction, and how often it came true; ``rows`` are by way of dealing."""
    even, read = (f"{rows[way]['told']:.0%}" for way in DEALING)
    about = {"event": Noun("event", event), "even": even, "read": read}
    way = "kept" if even == read else "swept"
    return Finding("study", way, about, {"size": rows["read"]}, tuple(rows.values()))


def luck(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """What a hand comes from."""
    deal = frame.filter(pl.col("estimate") < 1, quantity="variance_deal")
    first, differ = frame["rules"][0], frame.filter(quantity="variance_skill")["policy"].to_list()
    described = {differ[0], differ[-1]} if differ else {deal["policy"][0]}  # the best who differ in skill, and anybody
    for row in deal.filter(rules=first).iter_rows(named=True):
        if row["policy"] in described:
            yield of_deal(row)
    if games := first_row(frame, "games_until_ahead", rules=first):
        yield until_ahead(games, locale)
    yield sample_words(metadata, locale)
    yield locale.say("It holds for these players only, and does not show how far people are from them.")


def aim(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """What playing for the game is worth."""
    rows = frame.filter(quantity="wins_game", kind="difference").to_dicts()
    yield count_significant("aim-wins", rows, ("more",))
    yield count_significant("aim-loses", rows, ("less",))
    significant = [row for row in rows if verdict(row) != "open"]
    for most in sorted(significant, key=lambda row: -abs(float(row["estimate"])))[:1]:
        yield find_sign("aimed", most, who=who(most["policy"]), score=most["score"].replace("-", "–"),
                     players=Noun("count", str(most["players"])))  # fmt: skip
    yield sample_words({**metadata, "games": None}, locale)
    yield locale.say("It holds under these rules, {rules}, and does not show what people gain.",
                   rules=locale.say(rules_name(metadata)))  # fmt: skip


def reading(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """What was estimated of hidden cards, and what was true."""
    for event in frame["event"].unique(maintain_order=True):
        rows = {row["dealing"]: row for row in frame.filter(event=event, kind="probability").iter_rows(named=True)}
        if len(rows) == len(DEALING):
            yield predicted(event, rows)
    yield sample_words(metadata, locale)
    yield locale.say("It holds for what these players play, and does not show what people’s plays tell.")


def cards_of(frame: pl.DataFrame) -> dict[str, Row]:
    """The row of each card, by its text; what two groups of hands differ by is a margin."""
    rows = {row["quantity"]: {**row, "quantity": "margin", "kind": "difference"} for row in frame.to_dicts()}
    return {one: rows[card_symbol(number)] for number, one in enumerate(texts(ALL))}


def rank_each(kind: str, named: Mapping[str, Mapping[Noun, Row]], least: bool = False) -> Finding:
    """Which of several rows is the largest, or the ``least``, among each of some players, by their line-up."""
    each = (rank_rows(kind, rows, least, who=who(line_up)) for line_up, rows in named.items())
    return join_findings(*each)


def card_worth(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """Which cards go with the largest margin and with the smallest."""
    cards = cards_of(frame)
    named = zip((Noun("card", one) for one in cards), with_holm(cards.values()), strict=True)
    by_policy = {metadata["policies"][0]: dict(named)}
    yield rank_each("card-best", by_policy)
    yield rank_each("card-worst", by_policy, least=True)
    yield sample_words(metadata, locale)
    yield locale.say("It holds for these players, and does not show what a card brings by itself.")


def known(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    """What others have asked for."""
    first = frame.row(0, named=True)
    yield locale.say("{n} chances that others have asked for, the first: {what}, {p}.", n=frame.height,
                     what=f"{first['quantity']} ({locale.say(rules_words(first['rules']))})",
                     p=number(first, locale))  # fmt: skip
    exact = frame.height - frame["exact"].null_count()
    yield locale.say("{n} of them were counted exactly.", n=exact)
    if "difference" in frame.columns:
        apart = float(frame["difference"].abs().max())
        yield locale.say("The same cards were dealt too: no answer is more than {n} standard errors off.",
                         n=locale.numerals(f"{apart:.1f}"))  # fmt: skip
    yield locale.say("It holds whoever plays, and does not show what play makes of the cards.")
