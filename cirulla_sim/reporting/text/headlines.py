"""Which finding the rows of a view make: a function for each way of looking at them.

Each takes the rows that a view shows and the result that they are of, so that a sentence and the picture under it rest
on the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from ...ruleset.catalogue import catalogue
from ...situation.line_up import LineUp
from ...stats.decisions import simultaneous_z, verdict, with_holm
from . import cells, facts, labels, rankings, studies
from .answers import answer_findings
from .cells import Row, first_row, negate
from .facts import Source
from .findings import (
    Finding,
    Noun,
    Things,
    between,
    count_significant,
    deal_in_turn,
    dealing_compared,
    find_extreme,
    find_sign,
    find_signs,
    in_front,
    is_decided,
    join_findings,
    largest_change,
    name_leaders,
    opponents_in,
    rule,
    state,
    unequal_players,
    who,
)
from .labels import line_up_of
from .sentences import row_name

Finder = Callable[[Sequence[Row], Source], Finding | list[Finding] | list[str] | None]

answers, study = answer_findings, studies.findings


def first(says: str, rows: Sequence[Row], source: Source) -> Finding | None:
    """The first row of all sides together, compared with nothing."""
    return next((state(says, "", {"size": row}) for row in rows if row["side"] == "all"), None)


# ------------------------------------------------------------------------------------------------ hands and games


def dealing(rows: Sequence[Row], source: Source) -> Finding | None:
    """What dealing brings or costs; None where one hand tells no error."""
    row = first_row(source.frame, "margin", side="dealer", kind="mean")
    return margin(row, line_up_of(source.metadata)) if row and math.isfinite(row["std_error"]) else None


def margin(row: Row, line_up: str) -> Finding:
    """What dealing brings or costs; between unequal players, who makes more, which is skill."""
    players = unequal_players(line_up)
    return find_sign("skill", row, **players) if players else find_sign("dealing", row, who=who(line_up))


def hands_won(rows: Sequence[Row], source: Source) -> Finding | None:
    """How often the dealer's side wins a hand and ties it."""
    outcome = {row["quantity"]: row for row in rows if row["side"] != "others"}
    if not {"wins_hand", "ties_hand"} <= outcome.keys():
        return None
    sizes = {"size": outcome["wins_hand"], "won": outcome["wins_hand"], "tied": outcome["ties_hand"]}
    players = unequal_players(line_up_of(source.metadata))
    return state("wins_hand", "uneven" if players else "", sizes, side=facts.dealing_side(source.metadata), **players)


def games_won(rows: Sequence[Row], source: Source) -> Finding | None:
    """How often whoever deals first wins the game, and whether that is a fair share; of unequal players, who plays."""
    row = next((row for row in rows if (row["quantity"], row["side"]) == ("wins_game", "dealer")), None)
    players, sides = unequal_players(line_up_of(source.metadata)), labels.result_rules(source.metadata).fields.sides
    if row is None or players:
        return None if row is None else state("wins_game", "uneven", {"size": row}, **players)
    return state("wins_game", "fair" if is_fair(row, sides) else "", {"size": row}, fair=Noun("fair", str(sides)))


FAIR = 0.02
"""How far from a fair share a share may be that is called fair, however wide its interval."""


def is_fair(row: Row, sides: int, looked_at: int = 1) -> bool:
    """Whether a share is not distinguishable from that of each side by chance, of so many that are looked at."""
    return bool(abs(row["estimate"] - 1 / sides) <= min(FAIR, simultaneous_z(looked_at) * row["std_error"]))


_NUMBERS = {"estimate": 0.0, "std_error": 1 / simultaneous_z(1), "ci_low": -1.0, "ci_high": 1.0}
"""Numbers of a row, and by how much of half an interval each moves where it grows wider."""


def _share_of(row: Row, whole: Row) -> Row:
    """A part of a whole as a share: at most as uncertain, relatively, as both together, whatever their correlation."""
    loose = (whole["ci_high"] - whole["ci_low"]) / 2 / whole["estimate"]
    numbers = {name: (row[name] + way * loose * row["estimate"]) / whole["estimate"] for name, way in _NUMBERS.items()}
    return {**row, "kind": "share", "per": "point", **numbers}


def source_of_points(rows: Sequence[Row], source: Source) -> Finding | None:
    """From where most points come: the shares of the two largest categories."""
    every = sorted((row for row in rows if row["side"] == "all"), key=lambda row: -row["estimate"])
    points = first_row(source.frame, "points", side="all", kind="mean")
    if len(every) < 2 or not every[1]["estimate"] or points is None or points["estimate"] <= 0:
        return None
    size, other = (_share_of(row, points) for row in every[:2])
    most, next_most = (Noun("points", row["quantity"]) for row in every[:2])
    return state("source", "", {"size": size, "other": other}, first=most, second=next_most)


def two_sevens(rows: Sequence[Row], source: Source) -> Finding | None:
    """How often two sevens win the primiera."""
    won = [row for row in rows if (row["quantity"], row["side"], row["value"]) == ("primiera_won", "dealer", 2.0)]
    return state("primiera", "", {"size": won[0]}, side=facts.dealing_side(source.metadata)) if won else None


def values(says: str, rows: Sequence[Row], source: Source) -> Finding | None:
    """The mean of a distribution in a game; of comebacks how often the winner was behind at all."""
    row = first_row(source.frame, says, kind="probability" if says == "comeback" else "mean", side="all")
    return row if row is None else state("game", says, {"size": row}, between=between(line_up_of(source.metadata), row))


# ------------------------------------------------------------------------------------------------ line-ups, files


def best_players(rows: Sequence[Row], source: Source) -> Finding | None:
    """Between which players, or in which of several files, a number is largest or smallest; among whom, if all files
    have the same players."""
    rows = [row for row in rows if not row["quantity"].startswith("ties_")]
    if any(opponents_in(str(row.get("line_up") or "")) for row in rows) and rows[0]["side"] == "dealer":
        return None  # in files whose players are not equal a side's numbers are no matter of dealing
    named = dict[Noun, Row]()
    for row in levels_of(rows):
        file = f"of:{row['heading']}, {row_name(row, source.locale)}" if row.get("heading") else row.get("place")
        named[Noun("place", file or ":".join(between(row["policy"], row)))] = row
    if not named:
        return None
    sides = labels.result_rules(source.metadata).fields.sides
    found = compare_places(rows[0]["quantity"], named, sides, facts.dealing_side(source.metadata))
    line_ups = {Noun("place", f"between:{row['line_up']}") for row in named.values() if row.get("place")}
    alike = found if len(line_ups) == 1 else None
    return replace(alike, about={**alike.about, "all_players": line_ups.pop()}) if alike else found


def levels_of(rows: Sequence[Row]) -> list[Row]:
    """The first row of each line-up, of each file where there are several; margins are tested together."""
    several = {(row.get("heading"), row["policy"]): row for row in reversed(rows) if row["kind"] != "difference"}
    levels = list(reversed(several.values()))
    return list(with_holm(levels)) if levels and levels[0]["quantity"] == "margin" else levels


def compare_places(quantity: str, named: Mapping[Noun, Row], sides: int = 2, side: Things = "") -> Finding | None:
    """Where a quantity is largest or smallest; names are places, as ``between:careful`` or ``players:3``.

    Rows of files with other numbers of ``sides`` have their own as ``sides``; how many hands these win is not compared.
    ``side`` is who deals, as sentences on hands name it.
    """
    players = (noun for noun in named if noun.name.startswith(("between:", "first:")))
    line_ups = {noun.name.partition(":")[2]: named[noun] for noun in players}
    uneven = sorted(((of, row) for of, row in line_ups.items() if opponents_in(of)), key=lambda x: -x[1]["estimate"])
    if any(len(LineUp.parse(name).policies) > 2 for name, _ in uneven):
        return None  # which seat each has would have to be said
    mirrored = deal_in_turn([name for name, _ in uneven])
    if quantity == "margin" and mirrored and (found := _better(uneven)):
        return found
    if quantity == "margin" and (uneven or len(named) == len(line_ups) == 1):
        return join_findings(*(margin(row, name) for name, row in (uneven or line_ups.items())))
    if quantity in ("wins_hand", "wins_game") and uneven:
        won, *then = (
            state(quantity, "uneven", {"size": row, "won": row}, **unequal_players(name)) for name, row in uneven
        )
        return join_findings(won, *(replace(other, direction="back") if mirrored else other for other in then))
    if quantity == "margin":
        return dealing_compared(named)
    rows = list(named.values())
    fair = [row.get("sides") or sides for row in rows]
    if quantity == "wins_hand" and len(set(fair)) > 1:
        return None
    if quantity == "wins_game":
        places: dict[str, Things] = {"places": tuple(named), "fair": Noun("fair", str(fair[0]))}
        if all(is_fair(row, n, len(rows)) for row, n in zip(rows, fair, strict=True)):
            direction = "fair" if len(set(fair)) == 1 else "fair-each"
            return Finding("rank.wins_game", direction, places, {}, tuple(rows))
        if len(set(fair)) > 1:
            away = [{**row, "estimate": row["estimate"] - 1 / n} for row, n in zip(rows, fair, strict=True)]
            place = max(range(len(rows)), key=lambda i: abs(away[i]["estimate"]) / (away[i]["std_error"] or 1))
            about = {"place": list(named)[place], "fair": Noun("fair", str(fair[place]))}
            return Finding("rank.wins_game", "unfair", about, {"size": rows[place]}, (rows[place],))
    found = find_extreme(f"rank.{quantity}", named)
    found = replace(found, about={**found.about, "side": side})
    if found.direction != "tied" or quantity not in ("wins_hand", "wins_game"):
        return found
    low, *_, high = sorted(rows, key=itemgetter("estimate"))
    return replace(found, sizes={"size": low, "other": high})


def _better(line_ups: Sequence[tuple[str, Row]]) -> Finding | None:
    """Who makes more of two who deal in turn, whoever deals; None where it is not the same."""
    rows = [row for _, row in line_ups]
    signs = [verdict(row) for row in rows]
    if sorted(signs) != ["less", "more"]:
        return None
    one, other = opponents_in(line_ups[signs.index("more")][0]) or ("", "")
    low, high = sorted(rows, key=lambda row: abs(row["estimate"]))
    apart = abs(high["estimate"]) > max(abs(low["ci_low"]), abs(low["ci_high"]))
    about, sizes = {"who": one, "other": other}, {"size": low, "most": high}
    return Finding("skill_both", "apart" if apart else "", about, sizes, tuple(rows), "signs")


# ------------------------------------------------------------------------------------------------ rules


def change(rows: Sequence[Row], source: Source) -> Finding | None:
    """Which rules change a quantity most; for several line-ups what the rule that changes it most does for each.

    Of all rules together, and each by itself, what they change together.
    """
    every, rows = rows, [row for row in rows if row["kind"] == "difference"]
    if not rows:
        return None
    quantity, line_up = rows[0]["quantity"], line_up_of(source.metadata)
    about: dict[str, Things] = {"side": facts.dealing_side(source.metadata)}
    each = {row["rules"]: row for row in rows}
    if games := each.keys() <= catalogue()["preset"].keys():
        about["base"] = rule(source.frame["rules"][0])
    titles = {name: labels.rules_words(name) for name in each}
    together = [name for name in each if {*titles[name].split(" + ")} == {*titles.values()} - {titles[name]}]
    rows, each = [row for row in rows if row["rules"] in (together or each)], {n: each[n] for n in together} or each
    if "policy" in rows[0] and (len(each) == 1 or any(map(is_decided, rows))):
        largest = max(rows, key=lambda row: (is_decided(row), abs(row["estimate"])))["rules"]
        own = [row for row in every if row["rules"] == largest]
        same = {row["policy"] for row in own if row["kind"] == "interaction" and not is_decided(row)}
        each = {row["policy"]: row for row in own if row["kind"] == "difference"}
        if deal_in_turn(list(each)):
            return _of_unequal(quantity, each, rule=rule(largest), **about)
        base, some_differ = next(iter(each)), len(same) < len(each) - 1  # from the first line-up
        kept = {one: row for one, row in each.items() if some_differ or is_decided(row)} or each
        each = {one: {**row, "as_first": one in same and base in kept} for one, row in kept.items()}
        return find_signs(f"effect.{quantity}", each, rule=rule(largest), **about)
    if opponents_in(line_up):
        about["between"] = between(line_up, rows[0])
    return largest_change(f"effect.{quantity}", each, quantity, games=games, **about)


def _of_unequal(quantity: str, each: Mapping[str, Row], **about: Things) -> Finding:
    """What a rule changes between unequal players, the mean over who deals: for one of them, or for all."""
    (one_line_up, one), (second, other) = each.items()
    about |= {"between": Noun("both", one_line_up)}
    if quantity == "wins_hand":  # of which the dealer's side and the others have no fixed sum, because of ties
        by_size = sorted(each.items(), key=lambda item: -abs(item[1]["estimate"]))
        gains = (find_sign("gain.wins_hand", row, **about, **unequal_players(line_up)) for line_up, row in by_size)
        return join_findings(*gains)
    gain, both = _mean(one, negate(other)), _mean(one, other)
    zero_sum = quantity in ("margin", "wins_game")  # one side gains what the other loses
    if not zero_sum or abs(both["estimate"]) >= abs(gain["estimate"]):
        return find_sign(f"effect.{quantity}", both, **about)
    ahead, gain = (one_line_up, gain) if gain["estimate"] >= 0 else (second, negate(gain))
    return find_sign(f"gain.{quantity}", gain, **about, **unequal_players(ahead))


def _mean(one: Row, other: Row) -> Row:
    """The mean of two changes, significant if both are; its interval holds whatever their correlation."""
    mean = {name: (one[name] + other[name]) / 2 for name in _NUMBERS}
    ps = [p for row in (one, other) if (p := row.get("p_holm")) is not None]
    return {**one, **mean, "exact": None, "p_holm": max(ps, default=None)}


NOTABLE = 0.02
"""The part of what a category brings that a difference must be, to be the finding of a chart of categories."""


def categories(rows: Sequence[Row], source: Source) -> Finding | None:
    """Through which points a rule changes a hand most, or in which a line-up differs most from the first."""
    row = max(rows, key=lambda row: (row["kind"] == "difference" and is_decided(row), abs(row["estimate"])))
    what, direction = Noun("points", row["quantity"]), verdict(row)
    if "policy" in row:
        first, own = (Noun("place", f"between:{line_up}") for line_up in (source.frame["policy"][0], row["policy"]))
        level = max(one["estimate"] for one in rows if one["quantity"] == row["quantity"])
        notable = row["kind"] == "difference" and abs(row["estimate"]) >= NOTABLE * level
        return find_sign("category", row, what=what, place=own, base=first) if notable else None
    about = {"rule": rule(row["rules"]), "what": what}
    whole = first_row(source.frame, "points", side="all", kind="difference", rules=row["rules"])
    clear = whole is not None and is_decided(row) and verdict(whole) == direction
    if whole is None or not clear or not 0.5 < row["estimate"] / whole["estimate"] <= 1:
        return find_sign("effect.category", row, **about)
    return Finding("mostly", direction, about, {"size": row}, (row, whole), "sign")


def changed(rows: Sequence[Row], source: Source) -> Finding | None:
    """The rule with which most hands or games have another winner, or go another way."""
    seen = [row for row in rows if row["estimate"] > 0]
    if not seen:
        return None
    if "policy" in seen[0]:
        largest = max(seen, key=itemgetter("estimate"))["rules"]
        return join_findings(*(
            state("changed", row["quantity"], {"size": row}, rule=rule(largest),
                   between=Noun("between", row["policy"])) for row in seen if row["rules"] == largest
        ))  # fmt: skip
    largest, *others = (seen[place] for place in in_front(seen))
    most = state("changed", largest["quantity"], {"size": largest}, rule=rule(largest["rules"]))
    if len(seen) == 1:
        return most
    games = {row["rules"] for row in seen} <= catalogue()["preset"].keys()
    return name_leaders(most, [row["rules"] for row in others], tuple(seen), "rank", games)


# ------------------------------------------------------------------------------------------------ nights


def formats(rows: Sequence[Row], source: Source) -> Finding:
    """The largest change of a quantity from the first format of a night to another; of one format its size."""
    row = max(rows, key=lambda row: (row["kind"] == "difference", is_decided(row), abs(row["estimate"])))
    names = labels.format_names(*source[1:])
    if row["kind"] != "difference":
        return state("night", "single", {"size": row}, what=labels.night_label(row, *source[1:]))
    one, base = (names.get(str(rules), str(rules)) for rules in (row["rules"], source.frame["rules"][0]))
    what, pair = Noun("what", row["quantity"]), labels.pair_one(*source[1:])
    return find_sign(f"night.{row['quantity']}", row, what=what, pair=pair, format=one, base=base)


# ------------------------------------------------------------------------------------------------ tournaments


def strongest(rows: Sequence[Row], source: Source) -> list[Finding]:
    """Whom the strongest player beats, and by how much, in their match, or whom it is not found to beat; of three or
    more its match with the weakest.
    """
    order, matches = rankings.strongest_first(source.frame), rankings.matches_of(source.frame)
    if len(order) < 2 or not matches:
        return []
    best, *others = order
    against = {other: matches[best, other] for other in others}
    level = [other for other in others if not is_decided(against[other])]
    shown, one = (others[0], others[-1]), who(best)
    found = [find_sign("advantage", against[other], one=one, other=who(other)) for other in shown]
    if level:
        others_level, n = tuple(map(who, level)), len(level) + 1
        tied = state("strongest", "tied", one=who(best), other=who(level[0]), others=others_level, n=n)
        found[0] = replace(tied, rows=tuple(against.values()))
    return found[: len(others)]


def pairings(rows: Sequence[Row], source: Source) -> Finding | None:
    """In how many matches somebody was found to be better."""
    order, matches = rankings.strongest_first(source.frame), rankings.matches_of(source.frame)
    ahead = [row for (one, other), row in matches.items() if order.index(one) < order.index(other)]
    return count_significant("pairings", ahead, one=who(order[0])) if ahead else None


# ------------------------------------------------------------------------------------------------ from a score

BEHIND, AHEAD = 0.6, 0.8
"""Our score and theirs, in parts of the target, that a map of chances is titled by."""


def from_score(says: str, rows: Sequence[Row], source: Source) -> Finding | None:
    """How often we win from the ``start`` or from ``behind``, of a table of all scores."""
    target = max(row["us"] for row in rows)
    parts = (round(part * target / 10) * 10 if target > 20 else round(part * target) for part in (BEHIND, AHEAD))
    us, them = parts if says == "behind" else (0, 0)
    row = next((row for row in rows if (row["us"], row["them"]) == (us, them)), None)
    return None if row is None else win_chances([{**row, "score": f"{us}-{them}"}], source)


def win_chances(rows: Sequence[Row], source: Source) -> Finding:
    """How often we win from a score; of two methods it names the first."""
    row, players = rows[0], unequal_players(line_up_of(source.metadata))
    dealer = row["dealer"] if row["dealer"] in ("us", "any") else "them"  # between more sides others go by name
    direction = f"uneven-{dealer}" if players else dealer
    found = state("win", direction, {"size": row}, score=row["score"].replace("-", "–"), **players)
    if len(rows) == 1:
        return found
    return Finding("win", "by", {"method": Noun("message", row["method"])}, rows=found.rows, then=(found,))


# ------------------------------------------------------------------------------------------------ advice


def plays(rows: Sequence[Row], source: Source) -> list[Finding]:
    """What the best play brings, why it gives up a sweep or a set, how far the next is behind, and how often the next
    player sweeps."""
    every = dict.fromkeys(source.frame["play"])
    best, second, *_ = [*(Noun("plays", play) for play in every), Noun("plays", "")]
    of = {(row["play"], row["quantity"]): row for row in source.frame.to_dicts()}
    margin, behind = of.get((best.name, "margin")), of.get((second.name, "behind"))
    shared = behind is not None and behind.get("p_holm") is not None and not cells.is_significant(behind)
    found = []
    if margin is not None:
        fewest = "-fewest" if labels.result_rules(source.metadata).fields.lowest_wins else ""
        found.append(find_sign(f"advise.{'shared' if shared else 'first'}{fewest}", margin, all=len(every), play=best))
    if behind is not None:
        near, far = "level" if behind["estimate"] else "equal", "next" if behind["per"] == "hand" else "next-game"
        direction = near if shared else far
        found.append(Finding("advise", direction, {"play": second, "first": best}, {"size": behind}, (behind,)))
    reasons = dict(source.frame.select("play", "reason").iter_rows())
    for given_up in ("scopa", " for the set"):  # what differs most in the end where another play has it
        other = next((play for play in every if given_up in reasons[play] and given_up not in reasons[best.name]), "")
        gaps = [(of[best.name, end]["ci_low"] - row["ci_high"], end) for (play, end), row in of.items()
                if play == other and end.startswith("makes_")]  # fmt: skip
        gap, end = max(gaps, default=(0.0, ""))
        if gap > 0:
            sizes, point = {"size": of[best.name, end], "there": of[other, end]}, Noun("points", f"points_{end[6:]}")
            why = state("advise", "instead", sizes, play=Noun("plays", other), end=point)
            found.insert(2 if shared else 1, why)
    sweeps = ((says, of.get((best.name, says))) for says in ("sweep_next", "sweep_next_read"))
    return [*found, *(state("advise", says, {"size": row}) for says, row in sweeps if row is not None)]
