"""Policies are named correctly everywhere: the stronger of two has the larger numbers.

Tables are written by hand, so that the policy of every number is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import pytest
from drawn_charts import texts

import cirulla_sim as cs
from cirulla_sim.reporting.result import Result
from cirulla_sim.ruleset.rule_set import choose
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.storage.tables import SCHEMA, empty_row

STRONG, WEAK = "careful", "random"
NAMES = {"en": ("careful", "random"), "it": ("gioco accorto", "gioco casuale")}
PLAYERS = {
    "en": ("careful players", "players who play at random"), "it": ("chi gioca accorto", "chi gioca a caso"),
}  # fmt: skip
"""What sentences call them."""
DEALER_IS = {"en": "dealer ", "it": "mazziere: "}
DEALER, OTHERS = f"dealer={STRONG}, others={WEAK}", f"dealer={WEAK}, others={STRONG}"


def row(
    quantity: str, estimate: float, side: str = "all", per: str = "hand", kind: str = "mean", **columns: Any
) -> Any:
    half = 0.01 * abs(estimate) + 0.001
    of = {"quantity": quantity, "per": per, "side": side, "kind": kind, "estimate": estimate, "std_error": half / 2}
    return columns | empty_row() | of | {"ci_low": estimate - half, "ci_high": estimate + half, "n": 1000} | columns


def result(schema: str, rows: Sequence[Mapping[str, Any]], *line_ups: str, players: int = 2, **facts: Any) -> Result:
    seated = tuple(map(LineUp.parse, line_ups))
    request = Request(schema.partition("-")[0], choose("cirulla", players), seated, effort=Effort("hands", 1000))
    front = {
        name: pl.String for name in ("policy", "opponent", "rules", "score", "dealer", "method") if name in rows[0]
    }
    front |= {name: pl.Int64 for name in ("us", "them") if name in rows[0]}
    schema_of = front | SCHEMA | ({"p_holm": pl.Float64} if "p_holm" in rows[0] else {})
    metadata = {
        "schema": f"{schema}/2", "version": "0", "request": request.as_json(), "command": request.command(),
        "policies": list(line_ups), "players": players, "seed": 1, "hands": 1000, "stopped": "hands", **facts,
    }  # fmt: skip
    return Result(
        pl.DataFrame([{name: entry.get(name) for name in schema_of} for entry in rows], schema=schema_of), metadata
    )


def cells(outcome: Result, lang: str) -> list[list[str]]:
    lines = next(block for block in outcome.text(lang=lang).split("\n\n") if "  " in block).split("\n")
    starts = [match.start() for match in re.finditer(r"(?<=  )\S|^\S", lines[0])]
    return [[line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)] for line in lines]


def value(cell: str, lang: str) -> float:
    match = re.match(r"[+−-]?\d[\d.,]*", cell)
    assert match is not None, cell
    plain = match[0].replace("−", "-")
    return float(plain.replace(".", "").replace(",", ".") if lang == "it" else plain.replace(",", ""))


def column(head: Sequence[str], *words: str) -> int:
    """The index of the column whose heading begins with some words, or contains them."""
    starts = [place for place, name in enumerate(head) if name.startswith(words)]
    [index] = starts or [place for place, name in enumerate(head) if all(word in name for word in words)]
    return index


def sides(strong: float, weak: float, line_up: str, quantity: str, **columns: Any) -> list[Any]:
    """The rows of both sides, with the larger number for the stronger policy."""
    dealer = line_up == DEALER
    return [
        row(quantity, strong if dealer else weak, "dealer", **columns),
        row(quantity, weak if dealer else strong, "others", **columns),
    ]


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("line_up", [DEALER, OTHERS])
@pytest.mark.parametrize("players", [2, 3])
def test_hands(players: int, line_up: str, lang: str) -> None:
    played = cs.simulate(players=players, policy=line_up, hands=400, progress=False)
    strong, weak = NAMES[lang]
    head, *lines = cells(played, lang)
    [points] = [line for line in lines if line[0] == {"en": "Points", "it": "Punti"}[lang]]
    assert value(points[column(head, f"({strong})")], lang) > value(points[column(head, f"({weak})")], lang)
    if players > 2:
        return
    mine, adverb = (strong, "more than") if line_up == DEALER else (weak, "less than")
    adverb = {"more than": "più di", "less than": "meno di"}[adverb] if lang == "it" else adverb
    claim = rf"{dealing(line_up, lang)} \w+ [^;]* {adverb} {others(line_up, lang)}"
    assert re.search(claim, played.describe(lang))
    assert re.search(claim, title(played, lang, "scores"))
    assert re.search(claim, played.text(lang=lang).split("\n")[0])
    side = {"en": "Dealer", "it": "Mazziere"}[lang]
    assert f"{side} ({mine})" in texts(played.plot("wins", lang=lang, width=20))


def dealing(line_up: str, lang: str) -> str:
    return PLAYERS[lang][0 if line_up == DEALER else 1]


def others(line_up: str, lang: str) -> str:
    return PLAYERS[lang][1 if line_up == DEALER else 0]


def title(outcome: Result, lang: str, figure: str | None = None) -> str:
    return outcome.plot(figure, lang=lang).title


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("line_up", [DEALER, OTHERS])
def test_games(line_up: str, lang: str) -> None:
    share = {"per": "game", "kind": "probability"}
    rows = [*sides(0.72, 0.28, line_up, "wins_game", **share), row("hands", 5.2, per="game")]
    rows += [row("hands_distribution", p, per="game", kind="share", value=n) for n, p in (("4", 0.3), ("5", 0.7))]
    outcome = result("games", rows, line_up)
    strong, weak = NAMES[lang]
    first = {"en": "Dealing first against {other}, {one} win {p}", "it": "Dando le carte per primo {one} vince il {p}"}
    p = 72 if line_up == DEALER else 28
    claim = first[lang].format(one=dealing(line_up, lang), other=others(line_up, lang), p=p)
    assert outcome.describe(lang).startswith(claim)
    assert title(outcome, lang).startswith(claim)
    head, *lines = cells(outcome, lang)
    assert value(lines[0][column(head, f"({strong})")], lang) == 72
    assert value(lines[0][column(head, f"({weak})")], lang) == 28


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("kind", ["simulate-line-ups", "games-line-ups"])
def test_line_ups_side_by_side(kind: str, lang: str) -> None:
    case = (("wins_game", "game", "probability", 0.72, 0.28) if kind[0] == "g" else
            ("margin", "hand", "mean", 5.0, -5.0))  # fmt: skip
    quantity, per, of, high, low = case
    rows = [row(quantity, x, "dealer", per, of, policy=name) for name, x in ((DEALER, high), (OTHERS, low))]
    rows.append(row(quantity, low - high, "dealer", per, "difference", policy=OTHERS))
    outcome = result(kind, rows, DEALER, OTHERS)
    strong, weak = (DEALER_IS[lang] + name for name in NAMES[lang])
    head, line = cells(outcome, lang)
    places = [place for place, name in enumerate(head) if " − " not in name and name.startswith((strong, weak))]
    numbers = {head[place].partition(",")[0]: value(line[place], lang) for place in places}
    assert numbers[strong] > numbers[weak]
    assert value(line[column(head, " − ")], lang) < 0
    both = {"en": "Careful players make 5.* points a hand more than players who play at random, dealing or not",
            "it": "Dia o no le carte, chi gioca accorto fa 5.*punti a smazzata in più di chi gioca a caso"}  # fmt: skip
    for text in (outcome.describe(lang).split("\n")[0], title(outcome, lang)):
        if kind == "simulate-line-ups":
            assert re.match(both[lang], text), text
        else:
            for part, of, end in zip(text.split(";"), (DEALER, OTHERS), ("72", "28"), strict=True):
                assert re.search(rf"{dealing(of, lang)} .*{end}", part), text


@pytest.mark.parametrize("lang", ["en", "it"])
def test_tournaments(lang: str) -> None:
    rows = [row("strength", x, policy=name, opponent=None) for name, x in ((WEAK, -5.0), (STRONG, 5.0))]
    for first, second, sign in ((STRONG, WEAK, 1), (WEAK, STRONG, -1)):
        both = {"policy": first, "opponent": second}
        rows += [row("margin", 10.0 * sign, kind="difference", **both),
                 row("wins_game", 0.5 + 0.45 * sign, per="game", kind="probability", **both)]  # fmt: skip
    gap = row("strength_gap", 10.0, kind="difference", policy=STRONG, opponent=WEAK)
    rows = [{**every, "p_holm": 1e-9 if every["quantity"] == "margin" else None} for every in (*rows, gap)]
    outcome = result("tournament", rows, WEAK, STRONG)
    strong, weak = {"en": NAMES["en"], "it": ("accorti", "casuali")}[lang]
    over = {"en": "over", "it": "contro giocatori"}[lang]
    ahead = {"en": "Careful play beats playing at random by 10.* points a hand",
             "it": "Chi gioca accorto batte chi gioca a caso di 10.*punti a smazzata"}  # fmt: skip
    assert re.match(ahead[lang], outcome.describe(lang))
    assert re.match(ahead[lang], title(outcome, lang))
    head, *lines = cells(outcome, lang)
    won, lost = (
        [value(line[column(head, f"{over} {second}")], lang) for line in lines[2:] if line[1] == name]
        for name, second in ((strong, weak), (weak, strong))
    )
    assert won == [10, 95]
    assert lost == [-10, 5]
