"""Cards known before they are dealt: what is said of them, in how many deals it is so, and how such are dealt."""

from __future__ import annotations

from .said import STOCK, Places, each_of, read, tidy
from .value import Condition, Known, holding_place, layout
from .ways import Ways, dealt_by

__all__ = [
    "STOCK",
    "Condition",
    "Known",
    "Places",
    "Ways",
    "dealt_by",
    "each_of",
    "holding_place",
    "layout",
    "read",
    "tidy",
]
