"""The application: guarded routes of all tabs, of runs and of static files."""

from __future__ import annotations

import mimetypes
from functools import partial
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..core.errors import InputError
from ..reporting import page as report
from ..reporting.page.site import glossary
from . import advise_tab, ask_tab, house_rules_tab, results_tab, run_pages
from .guard import Guard
from .rendering import language_of, page
from .run_pages import Runs

LOOPBACK = frozenset({"localhost"})
"""Names of this machine that no other can have."""

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Of static files; on Windows the registry may have others, with which browsers refuse them."""


def create_app(hosts: frozenset[str] = LOOPBACK, loopback: bool = True) -> Starlette:
    """The page as an application, its runs in ``state``; for ``hosts`` and ``loopback`` see ``Guard``."""
    for ending, media_type in MEDIA_TYPES.items():
        mimetypes.add_type(media_type, ending)
    handlers = {
        HTTPException: lambda request, e: page(request, "error.html", e.status_code, title=e.detail, error=e.detail),
        InputError: lambda request, e: page(request, "error.html", 400, title="Bad request", error=e.message),
    }
    app = Starlette(
        routes=[
            Route("/", lambda request: RedirectResponse(ask_tab.PATH, 303)),
            *ask_tab.ROUTES,
            *house_rules_tab.ROUTES,
            *advise_tab.ROUTES,
            *results_tab.ROUTES,
            *run_pages.ROUTES,
            Route(
                "/glossary", lambda request: page(request, "glossary.html", entries=glossary(language_of(request).name))
            ),
            *(Route(f"/static/{name}", partial(_shared_file, name)) for name in ("style.css", "site.js")),
            Mount("/static", StaticFiles(packages=[(__package__, "static")])),
        ],
        middleware=[Middleware(Guard, hosts=hosts, loopback=loopback)],
        exception_handlers=handlers,
    )
    app.state.runs = Runs()
    return app


def _shared_file(name: str, request: Request) -> Response:
    """A file that the pages of a report have too."""
    text = files(report).joinpath(name).read_text("utf-8")
    return Response(text, media_type=MEDIA_TYPES[Path(name).suffix])
