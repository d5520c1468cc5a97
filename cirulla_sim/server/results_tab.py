"""The tab of the studies' pages, which are there in a clone of the project."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .rendering import page
from .tab import Tab

REPORT = Path(__file__).parents[2] / "results" / "report"
"""The pages of the studies, in a clone."""


def _page(request: Request) -> Response:
    return page(request, "results.html", active=TAB, there=REPORT.is_dir())


TAB = Tab("results", "Results", (Route("/results", _page),))
