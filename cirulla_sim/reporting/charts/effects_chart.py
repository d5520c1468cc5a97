"""Changes by rules: what they are called, in which unit they are shown, and the axis they are drawn along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from ..text.cells import is_significant, marked
from .chart_rows import grid_of_numbers, written
from .dots import Marks
from .look import Look

WAYS = {"more": "^", "less": "v"}
"""Up and down, and their markers."""


class Aspect(NamedTuple):
    """A quantity that rules change: where it stands in the table, its words, and its scale."""

    quantity: str
    per: str
    side: str
    heading: str
    remark: str
    scale: float = 1.0


ASPECTS = {
    "points": Aspect("points", "hand", "all", "Points a hand", "Change of the mean, all sides together."),
    "margin": Aspect("margin", "hand", "dealer", "Margin: {dealer}", "Change of its mean points, less the others’."),
    "wins": Aspect("wins_hand", "side", "dealer", "Hands won: {dealer}", "Change in percentage points.", 100.0),
    "spread": Aspect(
        "margin_spread", "hand", "dealer", "How far the margin swings", "Change of its standard deviation, in points."
    ),
    "games": Aspect(
        "wins_game", "game", "dealer", "Games won by who deals first", "Change in percentage points.", 100.0
    ),
    "hands": Aspect("hands", "game", "all", "Hands in a game", "Change of the mean."),
    "leads": Aspect("lead_changes", "game", "all", "Lead changes in a game", "Change of the mean."),
}
"""What is drawn of a file that has it, by the name of its figure."""


@dataclass(frozen=True)
class Change:
    """One difference: what it is called, and its row of the table, in the scale that is shown."""

    label: str
    row: dict[str, Any]
    scale: float = 1.0

    @property
    def way(self) -> str:
        """Up or down."""
        return "more" if self.row["estimate"] > 0 else "less"

    @property
    def size(self) -> float:
        """How large it is, whatever the direction."""
        return self.scale * abs(float(self.row["estimate"]))

    @property
    def ends(self) -> tuple[float, float]:
        """Its interval."""
        return self.scale * self.row["ci_low"], self.scale * self.row["ci_high"]

    @property
    def nothing(self) -> bool:
        """Whether there is certainly none."""
        return self.size == 0 and self.ends == (0, 0)

    def at(self, look: Look) -> float:
        """Where it is drawn."""
        return self.size if look.axis == "log" else self.scale * float(self.row["estimate"])

    def whisker(self, look: Look) -> tuple[float, float]:
        """The interval as it is drawn; that of a size begins at 0 if the direction is not clear."""
        low, high = self.ends
        if look.axis != "log":
            return low, high
        return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))

    @property
    def significant(self) -> bool:
        """Whether it is significant after the correction for all that were tested."""
        return is_significant(self.row)

    def words(self, look: Look) -> str:
        """The number as a reader wants it, marked if it is not significant."""
        return marked(self.row, look.language)


def shown_of(changes: Sequence[Change], look: Look) -> list[Change]:
    """The changes that are drawn, the biggest first: on a logarithmic axis those that were seen."""
    seen = [change for change in changes if change.size > 0 or (look.axis != "log" and not change.nothing)]
    return sorted(seen, key=lambda change: -change.size)


def without_change(changes: Sequence[Change], seen: Sequence[Change], look: Look) -> str:
    """A sentence that names the changes that are not drawn, since there are none; empty if all are."""
    still = [change for change in changes if change not in seen]
    if not still:
        return ""
    sentence = "No change: {rules}." if all(change.nothing for change in still) else "No change seen: {rules}."
    return look.say(sentence, rules=", ".join(change.label for change in still))


def frame_of(axes: Axes, changes: Sequence[Change], look: Look) -> tuple[float, float]:
    """Give axes an axis for some changes, linear with a zero line or logarithmic; returns its ends."""
    if look.axis == "log":
        low, high = limits(changes, look)
        axes.set_xscale("log", nonpositive="clip")
        axes.set_xlim(low, high)
        axes.xaxis.set_major_locator(Marks(0.0, look))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(written(look)))
        axes.grid(axis="x")
        return low, high
    # What was not seen at all may have an interval that would hide the rest: it is cut at the ends.
    seen = [change for change in changes if change.size > 0] or changes
    ends = [0.0, *(end for change in seen for end in (*change.ends, change.at(look)))]
    edge = 0.06 * (max(ends) - min(ends)) or 1.0
    axes.set_xlim(min(ends) - edge, max(ends) + edge)
    grid_of_numbers(axes, "x", look)
    axes.axvline(0, color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    return axes.get_xlim()


def limits(changes: Sequence[Change], look: Look) -> tuple[float, float]:
    """Ends of a logarithmic axis with every mark on it; whiskers of changes that may be none go to the left end."""
    seen = [change for change in changes if change.size]
    least = min(min(change.size, change.whisker(look)[0] or change.size) for change in seen)
    most = max(change.whisker(look)[1] for change in seen)
    ends = [m * 10.0**e for e in range(-15, 7) for m in (1, 2, 5)]
    return max(m for m in ends if m < least * 0.9), min(m for m in ends if m > most * 1.05)


def key_of_ways(axes: Axes, look: Look) -> None:
    """Which marker is up and which down, above the axes."""
    colours = (look.colours.dealer, look.colours.others)
    axes.legend(
        handles=[
            Line2D([], [], linestyle="none", marker=marker, markersize=5.0 * look.scale, color=colour,
                   label=look.say(way))
            for (way, marker), colour in zip(WAYS.items(), colours, strict=True)
        ],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0, borderaxespad=0.3, handletextpad=0.1,
        columnspacing=1.0,
    )  # fmt: skip
