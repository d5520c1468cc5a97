"""The figures of what studies write: what aiming at the game is worth, and chances that others have published."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...core.errors import InputError
from ..text.labels import DEALT, Metadata, how_much, name_of, player, rules_name
from .chart_rows import Column, beside, grid_of_numbers, name_rows, pitch
from .dots import Chance, draw_chances, height
from .line_up_chart import key, marker_of
from .look import Look
from .page_layout import Head, Panel, page


def aim(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """How many more games are won by playing for the game, by score, for each player and number of players."""
    rows = frame.filter(kind="difference", quantity="wins_game")
    if rows.is_empty():
        raise InputError("figure 'aim' has nothing to show (valid: a file of the study of aiming)")
    policies = rows["policy"].unique(maintain_order=True).to_list()
    panels = []
    for players in rows["players"].unique(maintain_order=True):
        here = rows.filter(players=players)
        scores = here["score"].unique(maintain_order=True).to_list()
        heading = look.say("{n} players", n=players)
        remark = look.say("More of 100 games won from a score, ours first, than by playing for points.")
        draw = partial(_draw_aim, rows=here, scores=scores, policies=policies, look=look)
        marks = rows.filter(players=players).height
        tall = pitch(look, 0.1) * len(scores) + (0.19 * marks + 0.6) * look.scale
        panels.append(Panel(heading, remark, tall, draw))
    head = Head(
        title=look.say("What playing for the game is worth"),
        subtitle=f"{look.say(rules_name(metadata))}. {how_much(metadata, look)}. "
        f"{look.say('Whiskers are 95% intervals.')}",
        command=metadata.get("command", ""),
    )
    return page(head, panels, look)


def _draw_aim(axes: Axes, rows: pl.DataFrame, scores: list[str], policies: list[str], look: Look) -> None:
    ys, texts, inks = [], [], []
    each = (0.6 if look.stacked else 0.8) / len(policies)
    down = 0.12 if look.stacked else 0.0
    for place, score in enumerate(scores):
        for number, policy in enumerate(policies):
            found = rows.filter(score=score, policy=policy)
            if found.is_empty():
                continue
            low, value, high = (100 * found[name][0] for name in ("ci_low", "estimate", "ci_high"))
            at = place + down + each * (number - (len(policies) - 1) / 2)
            colour, marker = marker_of(number, look)
            axes.hlines(at, low, high, color=colour, linewidth=1.4 * look.scale)
            axes.plot([value], [at], marker=marker, markersize=4.2 * look.scale, color=colour, linestyle="none",
                      zorder=3)  # fmt: skip
            ys.append(at)
            texts.append(look.numerals(f"{value:+.2f} ± {(high - low) / 2:.2f}").replace("-", "−"))
            inks.append(colour)
    axes.set_ylim(len(scores) - 0.5, -0.6)
    axes.axvline(0, color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    grid_of_numbers(axes, "x", look)
    name_rows(axes, [y - (0.25 if look.stacked else 0) for y in range(len(scores))], scores, look)
    beside(axes, ys, [Column(texts, inks, size=look.type.small)], look)
    key(axes, [player(policy, look) for policy in policies], look)


def known(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Chances that were asked elsewhere; where they were dealt too, whiskers are the simulated intervals."""
    chances = frame.filter(pl.col("kind") == "probability")
    if chances.is_empty():
        raise InputError("figure 'answers' has nothing to show (valid: a file of known answers)")
    groups = [
        (look.say(DEALT.get(per, per)), [_chance(row, look) for row in chances.filter(per=per).iter_rows(named=True)])
        for per in chances["per"].unique(maintain_order=True)
    ]
    checked = "simulated" in frame.columns
    said = look.say("Dots are exact; whiskers are 95% intervals of the same cards dealt." if checked
                    else "Counted over every case, with no sampling error.")  # fmt: skip
    draw = partial(draw_chances, groups=groups, gid="answers", look=look)
    panel = Panel(look.say("How likely it is"), "", height(groups, look), draw)
    head = Head(look.say("Known answers"), f"{said} cirulla-sim {metadata.get('version', '')}.",
                metadata.get("command", ""))  # fmt: skip
    return page(head, [panel], look)


def _chance(row: dict[str, object], look: Look) -> Chance:
    players = f", {row['players']}" if row["players"] else ""
    value = f" {row['value']}" if row["value"] is not None else ""
    label = f"{look.say(name_of(str(row['rules'])))}{players}: {row['quantity']}{value}"
    low, high = row.get("simulated_low"), row.get("simulated_high")
    if low is None or high is None:
        low, high = row["ci_low"], row["ci_high"]
    exact = None if row["exact"] is None else str(row["exact"])
    return Chance(label, float(row["estimate"]), float(low), float(high), exact)  # type: ignore[arg-type]


AIM: dict[str, tuple[Callable[..., Figure], float]] = {"aim": (aim, 7.2)}
KNOWN: dict[str, tuple[Callable[..., Figure], float]] = {"answers": (known, 9.0)}
