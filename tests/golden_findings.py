"""A hundred findings of small tables, of all kinds, signs and sizes, for ``tests/golden/sentences_*.txt``.

``PYTHONPATH=.:analyses python tests/golden_findings.py`` writes them anew; a reader of the language goes through them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import study_views  # noqa: F401
from study_views.study_text import predicted, rank_each

import cirulla_sim as cs
from cirulla_sim.core.locale import Language, language
from cirulla_sim.reporting.text.facts import Source, sample_words, validity
from cirulla_sim.reporting.text.findings import (
    Finding,
    Noun,
    count_significant,
    find_sign,
    find_signs,
    join_findings,
    largest_change,
    rule,
    state,
    who,
)
from cirulla_sim.reporting.text.headlines import (
    categories,
    change,
    changed,
    compare_places,
    formats,
    games_won,
    hands_won,
    margin,
    source_of_points,
    strongest,
    two_sevens,
    win_chances,
)
from cirulla_sim.reporting.text.sentences import chart_title, sentence
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.storage.request import Request

GOLDEN = Path(__file__).parent / "golden"


def row(quantity: str, value: float, half: float, kind: str = "difference", per: str = "hand", **more: Any) -> Any:
    return {
        "quantity": quantity,
        "kind": kind,
        "per": per,
        "estimate": value,
        "std_error": half / 1.96,
        "n": 20_000,
        "ci_low": value - half,
        "ci_high": value + half,
        "exact": None,
        "value": None,
        **more,
    }


def points(value: float, half: float, name: str = "") -> Any:
    return row("points", value, half, rules=name)


def of_dealing(value: float, half: float) -> Any:
    return row("margin", value, half, "mean")


def share(value: float, half: float, quantity: str = "winner_changed", per: str = "hand", **more: Any) -> Any:
    return row(quantity, value, half, "probability", per, **more)


def places(kind: str, *names: object) -> list[Noun]:
    return [Noun("place", f"{kind}:{name}") for name in names]


PAIR = Noun("side", "pair")
UNEQUAL = "dealer=search, others=careful"
FOUR = {"players": 4, "hands": 40_000, "seed": 1}
RULES = ("no-matta", "queen-matta", "piccola-seven", "open-partners")


def dealing() -> Iterator[Finding]:
    """What dealing is worth: to one kind of players or more, and with players who are not equal."""
    for value, half, policy in (
        (-0.34, 0.02, "careful"),
        (0.10, 0.03, "search"),
        (-0.66, 0.02, "greedy"),
        (0.01, 0.05, "random"),
        (-1.34, 0.04, "greedy"),
        (0.33, 0.01, "search:64"),
    ):
        yield margin(of_dealing(value, half), policy)
    yield find_signs("dealing", {"careful": of_dealing(-0.34, 0.02), "search": of_dealing(0.10, 0.03)})
    yield find_signs("dealing", {"careful": of_dealing(-0.34, 0.02), "greedy": of_dealing(-0.66, 0.02)})
    yield find_signs("dealing", {"careful": of_dealing(-0.34, 0.02), "random": of_dealing(0.01, 0.05)})
    yield find_signs(
        "dealing_at",
        {"careful": of_dealing(-0.15, 0.01), "search": of_dealing(0.08, 0.03)},
        place=places("players", 3)[0],
    )
    yield margin(of_dealing(1.1, 0.09), UNEQUAL)
    yield margin(of_dealing(-1.07, 0.09), "dealer=careful, others=search")
    yield margin(of_dealing(0.05, 0.09), "dealer=greedy, others=random")
    three = zip(places("players", 2, 3, 4), (-0.42, -0.15, -0.36), strict=True)
    yield compare_places("margin", {place: of_dealing(value, 0.02) for place, value in three})
    ladder = zip(places("between", "random", "greedy", "careful"), (-0.03, -0.66, -0.36), strict=True)
    yield compare_places("margin", {place: of_dealing(value, 0.06) for place, value in ladder})
    both = zip(places("between", "greedy", "random", "search"), ((-0.66, 0.03), (0.5, 0.6), (0.10, 0.03)), strict=True)
    yield compare_places("margin", {place: of_dealing(*numbers) for place, numbers in both})
    equal = zip(places("between", "careful", "search"), (0.02, 0.03), strict=True)
    yield compare_places("margin", {place: of_dealing(value, 0.05) for place, value in equal})
    unequal = zip(
        places("between", "dealer=greedy, others=careful", "dealer=careful, others=greedy"), (-3.53, 2.04), strict=True
    )
    yield compare_places("margin", {place: of_dealing(value, 0.04) for place, value in unequal})


def hands_and_games() -> Iterator[Finding]:
    yield state("hand_points", "", {"size": row("points", 18.314, 0.074, "mean")})
    yield state("knock", "", {"size": share(0.1405, 0.001, "knock", "holding")})
    hands = [share(0.4615, 0.0069, "wins_hand", side="dealer"), share(0.0712, 0.003, "ties_hand", side="all")]
    for line_up in ("careful", UNEQUAL):
        yield from filter(None, [hands_won(hands, source(line_up))])
    yield from filter(None, [hands_won(hands[:1], source("careful"))])
    points_from = [row(f"points_{name}", value, 0.02, "mean", side="all")
                   for name, value in (("scope", 7.6), ("hand_bonus", 4.6))]  # fmt: skip
    of_hands = source("careful", rows=[row("points", 18.9, 0.07, "mean", side="all")])
    yield from filter(None, [source_of_points(points_from, of_hands)])
    two = {**share(0.52, 0.01, "primiera_won", side="dealer"), "value": 2.0}
    yield from filter(None, [two_sevens([two], source("careful"))])
    for value, half, line_up, players in (
        (0.499, 0.011, "search", 4),
        (0.326, 0.02, "careful", 3),
        (0.478, 0.005, "careful", 4),
        (0.77, 0.01, UNEQUAL, 4),
    ):
        won = share(value, half, "wins_game", "game", side="dealer")
        yield from filter(None, [games_won([won], source(line_up, players=players))])
    for name, number in (
        ("hands", row("hands", 5.263, 0.004, "mean", "game")),
        ("comeback", share(0.5135, 0.0022, "comeback", "game")),
        ("winning_margin", row("winning_margin", 16.71, 0.05, "mean", "game")),
        ("lead_changes", row("lead_changes", 0.8, 0.004, "mean", "game")),
    ):
        yield state("game", name, {"size": number})
    for quantity, kind, values in (
        ("points", "mean", (18.2, 15.2)),
        ("points", "mean", (18.2, 18.21)),
        ("hands", "mean", (5.2, 7.6)),
        ("lead_changes", "mean", (0.8, 1.2)),
        ("wins_hand", "probability", (0.4615, 0.417)),
        ("wins_game", "probability", (0.495, 0.494)),
        ("wins_game", "probability", (0.499, 0.497)),
        ("wins_game", "probability", (0.495, 0.45)),
    ):
        per = {"points": "hand", "wins_hand": "hand"}.get(quantity, "game")
        where = places("players", 2, 3) if kind == "mean" else places("rule", "short-game", "long-game")
        rows = [row(quantity, value, 0.02 if kind == "mean" else 0.005, kind, per) for value in values]
        yield compare_places(quantity, dict(zip(where, rows, strict=True)), side=PAIR)

    fair = [
        share(value, 0.014, "wins_game", "game", sides=sides) for value, sides in ((0.492, 2), (0.323, 3), (0.506, 2))
    ]
    yield compare_places("wins_game", dict(zip(places("players", 2, 3, 4), fair, strict=True)))
    fair[1] = share(0.29, 0.014, "wins_game", "game", sides=3)
    yield compare_places("wins_game", dict(zip(places("players", 2, 3, 4), fair, strict=True)))


def rules() -> Iterator[Finding]:
    yield find_sign("effect.points", points(-1.55, 0.04), rule=rule("no-matta"))
    yield largest_change(
        "effect.points", dict(zip(RULES, (points(v, 0.02) for v in (-1.53, 0.4, 0.026, -0.14)), strict=True)), "points"
    )
    yield largest_change("effect.points", {"short-game": points(0.001, 0.02), "long-game": points(0, 0.02)}, "points")
    yield largest_change(
        "effect.margin",
        {"no-matta": row("margin", -0.25, 0.04), "table-nine": row("margin", 0.24, 0.04)},
        "margin",
        side=PAIR,
    )
    yield find_sign("effect.points", points(0.026, 0.01), rule=rule("piccola-seven"))
    yield find_sign("effect.points", points(0.001, 0.02), rule=rule("matta-reverts"))
    yield find_sign("effect.points", points(0.0, 0.0) | {"exact": "0"}, rule=rule("long-game"))
    yield find_sign("effect.points", points(-1.9, 0.03), rule=rule("no-matta+no-triple-bonus"))
    yield find_sign("effect.points", points(0.5, 0.03), rule=rule("Nonna’s table"))
    yield find_signs(
        "effect.points", {"careful": points(-1.53, 0.03), "search": points(-1.51, 0.04)}, rule=rule("no-matta")
    )
    yield find_signs(
        "effect.points", {"careful": points(-0.14, 0.01), "search": points(-0.5, 0.03)}, rule=rule("open-partners")
    )
    yield find_signs(
        "effect.margin",
        {"careful": row("margin", 0.5, 0.04), "search": row("margin", -0.25, 0.06)},
        rule=rule("simple-primiera"),
        side=PAIR,
    )
    for quantity, value, half, kind in (
        ("wins_hand", -0.016, 0.006, "difference"),
        ("wins_hand", 0.010, 0.002, "difference"),
        ("wins_game", 0.015, 0.005, "difference"),
        ("hands", 0.44, 0.005, "difference"),
        ("margin_spread", -0.3, 0.02, "difference"),
        ("lead_changes", 0.1, 0.01, "difference"),
        ("wins_game", 0.001, 0.005, "difference"),
    ):
        yield find_sign(
            f"effect.{quantity}", row(quantity, value, half, kind, "game"), rule=rule("no-matta"), side=PAIR
        )
    whole = source("careful", rows=[points(-1.54, 0.02, "no-matta") | {"side": "all"}])
    yield categories([row("points_hand_bonus", -1.32, 0.02, rules="no-matta")], whole)
    yield categories([row("points_scope", 0.3, 0.02, rules="queen-matta")], whole)
    unclear = source("careful", rows=[points(0.012, 0.02, "no-matta") | {"side": "all"}])
    yield categories([row("points_scope", 0.01, 0.02, rules="no-matta")], unclear)
    for value, half, name in (
        (0.2471, 0.004, "queen-matta"),
        (0.3531, 0.004, "queen-matta"),
        (0.00523, 0.0008, "table-nine"),
        (0.44, 0.005, "no-matta"),
    ):
        yield from filter(None, [changed([share(value, half, rules=name)], source("careful"))])
    for names, quantity in (
        (("queen-matta", "no-matta"), "winner_changed"),
        (("open-partners",), "changed"),
        (("scopa", "scopone"), "winner_changed"),
    ):
        rows = [share(value, 0.004, quantity, rules=name) for value, name in zip((0.2271, 0.12), names, strict=False)]
        yield from filter(None, [changed(rows, source("careful"))])
    yield largest_change("effect.points", {"cirullone": points(24.3, 0.5), "scopa": points(-13.5, 0.3)}, "points", True)
    yield join_findings(
        *(
            state(
                "changed",
                "winner_changed",
                {"size": share(value, 0.004)},
                rule=rule("queen-matta"),
                between=Noun("between", policy),
            )
            for policy, value in (("careful", 0.2471), ("search", 0.3531))
        )
    )
    yield count_significant("points-changed", [points(-1.5, 0.1), points(0.01, 0.1)])


def of_unequal() -> Iterator[Finding]:
    """What a rule changes between players who are not equal, each dealing in turn."""
    swapped = "dealer=greedy, others=careful", "dealer=careful, others=greedy"
    for quantity, rule_of, values, half in (
        ("margin", "open-last-stage", (-0.75, 1.0), 0.05),
        ("margin", "no-matta", (-0.25, -0.21), 0.04),
        ("margin", "short-game", (-0.02, 0.01), 0.04),
        ("wins_game", "long-game", (-0.068, 0.071), 0.008),
        ("wins_hand", "open-last-stage", (-0.033, 0.048), 0.003),
        ("wins_hand", "no-matta", (-0.025, 0.001), 0.003),
        ("hands", "long-game", (4.62, 4.64), 0.02),
    ):
        rows = [row(quantity, value, half, rules=rule_of, policy=policy, side="all")
                for value, policy in zip(values, swapped, strict=True)]  # fmt: skip
        yield from filter(None, [change(rows, source(*swapped))])


def players() -> Iterator[Finding]:
    for value, half, one, other in (
        (0.5, 0.1, "search", "careful"),
        (3.07, 0.09, "open", "search"),
        (-2.16, 0.02, "greedy", "careful"),
        (0.004, 0.1, "search:256", "search:64"),
        (2.41, 0.04, "careful", "careful+game"),
    ):
        yield find_sign("advantage", row("margin", value, half), one=who(one), other=who(other))
    for first, second, gap in (("search", "careful", 0.5), ("search:256", "search:256:careful", 0.05)):
        strengths = [row("strength", value, 0.2, policy=name, opponent=None, side="all")
                     for name, value in ((first, 1.0), (second, 0.0))]  # fmt: skip
        matches = [row("margin", gap, 0.2, policy=first, opponent=second, side="all")]
        yield from strongest([], source("careful", rows=[*strengths, *matches]))
    gap, unclear = row("margin", 0.5, 0.2), row("margin", 0.05, 0.2)
    yield count_significant("pairings", [gap, gap], one=who("careful"))
    yield count_significant("pairings", [gap, unclear, gap], one=who("careful"))
    about = {"pair": "pair 1", "format": "swiss", "base": "knock-out"}
    for name in ("wins_night", "ties_night", "undefeated", "misdeal_run_3"):
        yield find_sign(f"night.{name}", row(name, 0.03, 0.01, "probability difference"), **about)
        yield find_sign(f"night.{name}", row(name, -0.01, 0.003, "probability difference"), **about)
    for name in ("hands_played", "minutes", "cappotti"):
        yield find_sign(f"night.{name}", row(name, 1.2, 0.1), **about)
        yield find_sign(f"night.{name}", row(name, -5.8, 0.1), **about)
        yield find_sign("night", row(name, 0.1, 0.2), what=Noun("what", name))
    nights = [row("minutes", value, 0.5, "mean", "night", rules=name, side="all")
              for name, value in (("a", 90.0), ("b", 75.0))]  # fmt: skip
    yield from filter(None, [formats(nights, source("careful"))])


def scores_and_advice() -> Iterator[Finding]:
    """Chances from a score, advice."""
    for score, line_up, dealer in (
        ("30-40", "careful", "them"),
        ("38-41", "careful", "us"),
        ("25-25", "us=search, them=careful", "us"),
    ):
        yield win_chances([share(0.774, 0.002, "wins_game", "game", dealer=dealer, score=score)], source(line_up))
    play, other = Noun("plays", "7d takes 7h Ad"), Noun("plays", "leave Jh")
    yield find_sign("advise.first", row("margin", 2.29, 0.42, "mean"), all=5, play=play)
    yield state("advise", "next", {"size": row("behind", 1.8, 0.3)}, play=other)
    yield state("advise", "level", {"size": row("behind", 0.2, 0.3)}, play=other)
    yield state("advise", "sweep_next", {"size": share(0.256, 0.01, "sweep_next", "play")})


def studies() -> Iterator[Finding]:
    yield count_significant("aim-wins", [row("wins_game", 0.001, 0.02)] * 20, ("more",))
    forecast = {"even": {"told": 0.267}, "read": share(0.277, 0.002, per="play", told=0.287)}
    yield predicted("can_sweep", forecast)
    lengths = dict(zip(("two", "three", "four"), (5.2, 7.6, 5.2), strict=True))
    yield state(
        "study",
        "length",
        {name: row("hands", value, 0.04, "mean") for name, value in lengths.items()},
        who=who("careful"),
    )
    cards = {Noun("card", "Ad"): row("margin", 6.13, 0.1), Noun("card", "Qh"): row("margin", 1.7, 0.1)}
    yield rank_each("card-best", {"careful": cards, "search": cards})
    yield find_signs(
        "holding", {"careful": of_dealing(9.1, 0.2), "search": of_dealing(8.8, 0.5)}, what=Noun("holding", "barsegon")
    )


def findings() -> list[Finding]:
    return [*dealing(), *hands_and_games(), *rules(), *of_unequal(), *players(), *scores_and_advice(), *studies()]


def metadata(*line_ups: str, players: int = 4) -> dict[str, Any]:
    request = Request("simulate", cs.rules("cirulla", players=players), tuple(map(LineUp.parse, line_ups)))
    return {**FOUR, "request": request.as_json()}


def source(*line_ups: str, players: int = 4, rows: Sequence[Any] = ()) -> Source:
    return Source(pl.DataFrame(rows), metadata(*line_ups, players=players), language("en"))


def limits(locale: Language) -> list[str]:
    return [
        sample_words(FOUR, locale),
        validity(metadata("careful"), locale),
        validity(metadata("careful", "search"), locale),
        locale.say("Other players may be affected differently."),
    ]


def rendered(locale: Language) -> list[str]:
    """The sentences of a language: as they are printed, long ones as titles, a few with intervals, what is below."""
    every = findings()
    brief = [
        chart_title(finding, locale)
        for finding in every
        if f"{chart_title(finding, locale)}." != sentence(finding, locale, plain=True)
    ]
    precise = [sentence(finding, locale) for finding in every if finding.kind in ("effect.hands", "effect.wins_game")]
    lines = [sentence(finding, locale, plain=True) for finding in every] + brief + precise + limits(locale)
    return [line.replace("\u00a0", " ") for line in lines]


if __name__ == "__main__":
    for name in ("en", "it"):
        (GOLDEN / f"sentences_{name}.txt").write_text("\n".join(rendered(language(name))) + "\n", "utf-8")
