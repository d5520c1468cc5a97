"""The tabs of the page, in the order in which they are shown; a tab that is not here does not exist."""

from __future__ import annotations

from . import advise_tab, ask_tab, house_rules_tab, night_tab, play_tab, results_tab
from .tab import Tab

TABS: tuple[Tab, ...] = (
    ask_tab.TAB, house_rules_tab.TAB, advise_tab.TAB, play_tab.TAB, night_tab.TAB, results_tab.TAB,
)  # fmt: skip
